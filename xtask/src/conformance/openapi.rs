//! Sends the HTTP server requests that schemathesis makes from its OpenAPI document.

use std::path::Path;

use super::packages::{Packages, file, python_version};
use super::{clients, passed, read, write};
use crate::memtape::Memtape;
use crate::run::{Result, succeed};
use crate::server::Server;

/// The module that the configuration names. It is looked for in the current directory.
const HOOKS: &str = "schemathesis_hooks.py";

/// Checks every operation and every tool: no status of 500 or above, and only responses that the document describes.
pub(super) fn check(memtape: &Memtape, packages: &Packages, scratch: &Path) -> Result<()> {
    let workspace = scratch.join("openapi");
    memtape.run(&workspace, &["init"])?;
    write(&scratch.join(HOOKS), &read(&file(HOOKS))?)?;
    let server = Server::start(memtape, &workspace)?;
    // Operations that read should find something.
    let mut client = packages.python_script(memtape, "mcp_client.py");
    client.arg(file("calls.json")).args([clients::STATELESS, &format!("{}/mcp", server.url)]);
    succeed(client.env("TOKEN", &server.token))?;
    let mut schemathesis = packages.python(memtape, "schemathesis");
    schemathesis.arg("--config-file").arg(file("schemathesis.toml"));
    schemathesis.args(["run", &format!("{}/openapi.json", server.url)]).current_dir(scratch);
    let printed = succeed(schemathesis.env("TOKEN", &server.token).env("URL", &server.url))?;
    let count = printed.lines().find(|line| line.contains(" generated, ")).unwrap_or_default();
    let count = count.split_whitespace().next().ok_or("schemathesis prints no number of requests")?;
    memtape.run(&workspace, &["verify"])?;
    passed(&format!(
        "schemathesis {} sends {count} requests by /openapi.json and the schemas of the tools, and finds no failure",
        python_version("schemathesis")
    ));
    Ok(())
}
