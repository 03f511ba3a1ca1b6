//! A running `memtape serve`.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::memtape::Memtape;
use crate::run::Result;

/// The toolsets of the checks: all.
pub(crate) const TOOLSETS: &str = "core,ledger,notes,blocks,owner";

/// A server of a workspace on a free port. It is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    /// Its address, such as `http://127.0.0.1:40000`.
    pub(crate) url: String,
    /// The owner's token, for all toolsets.
    pub(crate) token: String,
}

impl Server {
    /// Starts a server and waits until it listens.
    pub(crate) fn start(memtape: &Memtape, workspace: &Path) -> Result<Self> {
        let added =
            memtape.run(workspace, &["token", "add", "conformance", "--tools", TOOLSETS, "--json"])?;
        let added: serde_json::Value =
            serde_json::from_str(&added).map_err(|e| format!("token add --json: {e}"))?;
        let token = added["token"].as_str().ok_or("token add --json prints no token")?.to_owned();
        let mut child = memtape
            .command(workspace, &["serve", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("memtape could not be started: {e}"))?;
        let mut lines =
            child.stderr.take().map(|stderr| BufReader::new(stderr).lines().map_while(std::io::Result::ok));
        let first = lines.as_mut().and_then(Iterator::next).unwrap_or_default();
        let mut server = Self { child, url: String::new(), token };
        let url = first.split_once("http://").and_then(|(_, rest)| rest.split_once(": "));
        let (address, _) = url.ok_or_else(|| format!("memtape serve prints no address: {first:?}"))?;
        server.url = format!("http://{address}");
        // Read to the end, so that the server never waits for a full pipe.
        std::thread::spawn(move || {
            lines.into_iter().flatten().for_each(|line| eprintln!("memtape serve: {line}"));
        });
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It fails only if the server has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
