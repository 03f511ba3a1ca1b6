//! A running server of a temporary workspace, and a client for it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

use memtape::{Backend, Config, Options, Toolset, Workspace};
use memtape_server::WorkspacePool;
use memtape_server::http::tokens::{Kind, Token, Tokens};
use memtape_server::http::{self, Stop};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A server, which stops when it is dropped.
pub(crate) struct Server {
    /// The workspace.
    pub(crate) dir: TempDir,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// The header lines.
    pub(crate) head: String,
    /// The body.
    pub(crate) text: String,
    /// The body; null if it is no JSON.
    pub(crate) json: Value,
}

impl Server {
    /// Starts a server of a new workspace, which recalls by words only.
    pub(crate) fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Workspace::init(dir.path(), options()).unwrap();
        Self::of(dir)
    }

    /// Starts a server of the workspace in a directory.
    pub(crate) fn of(dir: TempDir) -> Self {
        let workspaces =
            WorkspacePool::one(dir.path().into(), Arc::new(|dir: &Path| Workspace::open(dir, options())));
        Self::serving(dir, workspaces, None)
    }

    /// Starts a server of the workspace in a directory, which is set to a branch.
    pub(crate) fn on_branch(dir: TempDir, branch: Option<String>) -> Self {
        let open = move |dir: &Path| Workspace::open(dir, Options { branch: branch.clone(), ..options() });
        let workspaces = WorkspacePool::one(dir.path().into(), Arc::new(open));
        Self::serving(dir, workspaces, None)
    }

    /// Starts a server of the workspaces in the subdirectories of a directory.
    pub(crate) fn of_many(dir: TempDir) -> Self {
        let workspaces =
            WorkspacePool::many(dir.path().into(), Arc::new(|dir: &Path| Workspace::open(dir, options())));
        Self::serving(dir, workspaces, None)
    }

    /// Starts a server of the workspace in a directory, whose inspector a ticket opens.
    pub(crate) fn with_ticket(dir: TempDir, ticket: &str) -> Self {
        let workspaces =
            WorkspacePool::one(dir.path().into(), Arc::new(|dir: &Path| Workspace::open(dir, options())));
        Self::serving(dir, workspaces, Some(ticket.to_owned()))
    }

    fn serving(dir: TempDir, workspaces: WorkspacePool, ticket: Option<String>) -> Self {
        let serving = http::Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            workspaces,
            hosts: Vec::new(),
            origins: Vec::new(),
            ticket,
        };
        let (stop, told) = oneshot::channel();
        let (ready, address) = mpsc::channel();
        let thread = thread::spawn(move || {
            http::serve(serving, Stop::Told(told), move |address| {
                ready.send(address).map_err(std::io::Error::other)
            })
        });
        let address = address.recv().unwrap();
        Self { dir, address, stop: Some(stop), thread: Some(thread) }
    }

    /// Returns the address that it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds a token and returns its text.
    pub(crate) fn token(&self, name: &str, kind: Kind, read_only: bool) -> String {
        self.token_of(None, name, kind, read_only)
    }

    /// Adds a token of one of many workspaces and returns its text.
    pub(crate) fn token_of(
        &self,
        workspace: Option<&str>,
        name: &str,
        kind: Kind,
        read_only: bool,
    ) -> String {
        let (tools, workspace) = (vec![Toolset::Core.as_str().to_owned()], workspace.map(str::to_owned));
        let token = Token { name: name.into(), hash: String::new(), kind, workspace, tools, read_only };
        Tokens::of(self.dir.path()).add(token).unwrap()
    }

    /// Sends a request with these header lines.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &str, body: Option<&Value>) -> Response {
        let body = body.map(Value::to_string).unwrap_or_default();
        self.send_text(method, path, &format!("Content-Type: application/json\r\n{headers}"), &body)
    }

    /// Sends a request with these header lines and this body.
    pub(crate) fn send_text(&self, method: &str, path: &str, headers: &str, body: &str) -> Response {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Length: {length}\r\n{headers}\r\n{body}"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let json = serde_json::from_str(body).unwrap_or_default();
        Response { status, head: head.to_owned(), text: body.to_owned(), json }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

/// Returns the options of a workspace of the tests.
pub(crate) fn options() -> Options {
    let mut config = Config::default();
    config.recall.backend = Backend::SqliteFts;
    Options { config, ..Options::default() }
}
