//! What a check has: a workspace of its own, served, and a browser that has signed in.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::driver::{Browser, Driver, Screen};
use crate::memtape::{Memtape, root};
use crate::run::{Result, succeed};
use crate::server::Server;

/// What a check has.
pub(super) struct World<'a> {
    pub(super) driver: &'a Driver,
    pub(super) memtape: &'a Memtape,
    /// The source of the accessibility checker.
    pub(super) axe: &'a str,
    /// The directory of its workspace.
    pub(super) dir: PathBuf,
}

impl World<'_> {
    /// Creates the workspace: `sample` or `hostile`.
    pub(super) fn create(&self, what: &str) -> Result<()> {
        let mut command = match std::env::var_os("XTASK_MEMTAPE") {
            // The programs of the tests are built beside memtape.
            Some(memtape) => Command::new(root().join(memtape).with_file_name("memtape-testkit-inspected")),
            None => {
                let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
                let mut command = Command::new(cargo);
                command.args([
                    "run",
                    "--quiet",
                    "--package",
                    "memtape-testkit",
                    "--bin",
                    "memtape-testkit-inspected",
                    "--",
                ]);
                command
            }
        };
        succeed(command.arg(what).arg(&self.dir).current_dir(root())).map(drop)
    }

    /// Serves the workspace.
    pub(super) fn serve(&self) -> Result<Server> {
        Server::start(self.memtape, &self.dir)
    }

    /// Opens a browser and signs in with the form.
    pub(super) fn sign_in(&self, server: &Server, screen: Screen) -> Result<Browser<'_>> {
        let browser = self.driver.open(&server.url, screen)?;
        browser.open("/inspect")?;
        browser.fill("input[name=token]", &server.token)?;
        browser.click("button[type=submit]")?;
        browser.see("Timeline")?;
        Ok(browser)
    }

    /// Creates and serves the sample workspace, and opens it in a browser.
    pub(super) fn opened(&self, screen: Screen) -> Result<(Server, Browser<'_>)> {
        self.create("sample")?;
        let server = self.serve()?;
        let browser = self.sign_in(&server, screen)?;
        Ok((server, browser))
    }

    /// Runs a command on the workspace and returns what it prints.
    pub(super) fn memtape(&self, arguments: &[&str]) -> Result<String> {
        // Vectors are not what is checked here.
        let words_only = ["--config", "recall.backend=sqlite_fts"];
        self.memtape.run(&self.dir, &[&words_only, arguments].concat())
    }

    /// Runs a command on the workspace and returns the JSON that it prints.
    pub(super) fn json(&self, arguments: &[&str]) -> Result<Value> {
        let printed = self.memtape(&[arguments, &["--json"]].concat())?;
        serde_json::from_str(&printed).map_err(|e| format!("memtape {arguments:?} prints no JSON: {e}"))
    }

    /// Returns the number of commits and the last one.
    pub(super) fn last_commit(&self) -> Result<(usize, Value)> {
        let log = self.json(&["log", "-n", "1000"])?;
        let commits = log.as_array().or_else(|| log["commits"].as_array()).cloned().unwrap_or_default();
        Ok((commits.len(), commits.first().cloned().unwrap_or_default()))
    }

    /// Returns the ref of the memory that has a text.
    pub(super) fn reference(&self, text: &str) -> Result<String> {
        let recalled = self.json(&["recall", text, "-n", "30"])?;
        let hits = recalled["hits"].as_array().cloned().unwrap_or_default();
        let hit = hits.iter().find(|hit| hit["text"].as_str().is_some_and(|found| found.contains(text)));
        let found = hit.and_then(|hit| hit["ref"].as_str()?.split('@').next());
        Ok(found.ok_or_else(|| format!("nothing recalls {text:?}"))?.to_owned())
    }

    /// Returns whether a memory is current, with its text.
    pub(super) fn current(&self, reference: &str) -> Option<String> {
        self.memtape(&["show", reference]).ok()
    }
}

/// Fails if a condition does not hold.
pub(super) fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(why()) }
}

/// Returns the path of a memory's page.
pub(super) fn page_of(reference: &str) -> String {
    let encoded: String = reference.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/inspect/memory?ref={encoded}")
}
