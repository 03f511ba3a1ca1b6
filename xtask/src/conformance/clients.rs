//! Calls the MCP server with the official clients: the SDKs for Python and TypeScript, and the inspector.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::packages::{Packages, file, node_version, python_version};
use super::passed;
use crate::memtape::Memtape;
use crate::run::{Result, run, succeed};
use crate::server::{Server, TOOLSETS};

/// The protocol of a connection that begins with `initialize`.
const INITIALIZED: &str = "2025-11-25";
/// The protocol of requests that stand alone.
pub(super) const STATELESS: &str = "2026-07-28";
/// The exit status of the inspector if the result of a tool is an error.
const TOOL_IS_ERROR: i32 = 5;

/// Checks each client over standard input and output and over HTTP.
pub(super) fn check(memtape: &Memtape, packages: &Packages, scratch: &Path) -> Result<()> {
    let python = || Ok(packages.python_script(memtape, "mcp_client.py"));
    let name = format!("the Python SDK of MCP {}", python_version("mcp"));
    call_everything(memtape, scratch, &name, INITIALIZED, python)?;
    call_everything(memtape, scratch, &name, STATELESS, python)?;
    let node = || packages.node_script(memtape, "mcp_client.mjs");
    let name = format!("the TypeScript SDK of MCP {}", node_version("@modelcontextprotocol/sdk"));
    call_everything(memtape, scratch, &name, INITIALIZED, node)?;
    inspect(memtape, packages, scratch)
}

/// Runs a script that makes the calls of `calls.json`, over each transport on a new workspace.
fn call_everything(
    memtape: &Memtape,
    scratch: &Path,
    name: &str,
    protocol: &str,
    client: impl Fn() -> Result<Command>,
) -> Result<()> {
    let found = |is_http: bool| {
        let workspace = tempfile::tempdir_in(scratch).map_err(|e| format!("no temporary folder: {e}"))?;
        let workspace = workspace.path();
        memtape.run(workspace, &["init"])?;
        let mut command = client()?;
        command.arg(file("calls.json")).arg(protocol);
        let found = match is_http {
            true => {
                let server = Server::start(memtape, workspace)?;
                succeed(command.arg(format!("{}/mcp", server.url)).env("TOKEN", &server.token))?
            }
            false => {
                let server = memtape.command(workspace, &["mcp", "--tools", TOOLSETS]);
                succeed(command.args(words(&server)))?
            }
        };
        memtape.run(workspace, &["verify"])?;
        Ok::<_, String>(found.trim().to_owned())
    };
    let (over_stdio, over_http) = (found(false)?, found(true)?);
    if over_stdio != over_http {
        return Err(format!("{name} finds {over_stdio} over stdio, but {over_http} over HTTP"));
    }
    passed(&format!("{name} uses {over_stdio} with protocol {protocol}, over stdio and over HTTP"));
    Ok(())
}

/// Runs the inspector's command line, over stdio with one protocol and over HTTP with the other.
fn inspect(memtape: &Memtape, packages: &Packages, scratch: &Path) -> Result<()> {
    let workspace = scratch.join("inspected");
    memtape.run(&workspace, &["init"])?;
    let stdio = memtape.command(&workspace, &["mcp", "--tools", TOOLSETS]);
    let stdio: Vec<_> =
        ["--protocol-era", "legacy", "--"].map(Into::into).into_iter().chain(words(&stdio)).collect();
    inspect_over(memtape, packages, &workspace, &stdio)?;
    let server = Server::start(memtape, &workspace)?;
    let (url, header) = (format!("{}/mcp", server.url), format!("Authorization: Bearer {}", server.token));
    let http = ["--protocol-era", "modern", "--stored-auth-only", "--transport", "http", "--header", &header];
    let http: Vec<_> = http.into_iter().chain(["--server-url", &url]).map(Into::into).collect();
    inspect_over(memtape, packages, &workspace, &http)?;
    let version = node_version("@modelcontextprotocol/inspector");
    passed(&format!("the MCP inspector {version} lists, calls and reads, over stdio and over HTTP"));
    Ok(())
}

/// Calls the methods of a server. `target` names the server in the inspector's arguments.
fn inspect_over(memtape: &Memtape, packages: &Packages, workspace: &Path, target: &[OsString]) -> Result<()> {
    let command = |method: &str, options: &[&str]| {
        let mut command = packages.node(memtape, "mcp-inspector");
        command.args(["--cli", "--format", "json", "--quiet", "--method", method]).args(options).args(target);
        command
    };
    let result = |method: &str, options: &[&str], is_right: &dyn Fn(&Value) -> bool| {
        let ran = run(&mut command(method, options))?;
        let printed: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        match ran.is_success() && is_right(&printed["result"]) {
            true => Ok(()),
            false => Err(ran.report(&format!("the inspector gets a wrong result of {method}"))),
        }
    };
    let listed = memtape.run(workspace, &["tool", "list", "--owner", "--json"])?;
    let listed: Value = serde_json::from_str(&listed).map_err(|e| format!("tool list --json: {e}"))?;
    // With --strict, it fails if a client may reject a schema.
    result("tools/list", &["--strict"], &|result| names(&result["tools"]) == names(&listed))?;
    let fact =
        json!({"subject": "Ana", "predicate": "likes", "object": "tea", "confidence": 0.5}).to_string();
    let has = |value: &Value, text: &str| value.as_str().is_some_and(|found| found.contains(text));
    result("tools/call", &["--tool-name", "memory_add", "--tool-args-json", &fact], &|result| {
        result["isError"] != true && has(&result["content"][0]["text"], "Ana likes tea")
    })?;
    result("resources/list", &[], &|result| names(&result["resources"]).starts_with(&["view", "journal"]))?;
    result("resources/read", &["--uri", "memtape://view"], &|result| {
        has(&result["contents"][0]["text"], "Ana likes tea")
    })?;
    result("prompts/list", &[], &|result| names(&result["prompts"]).contains(&"session-brief"))?;
    let arguments = ["--tool-name", "memory_add", "--tool-args-json", "{}"];
    let refused = run(&mut command("tools/call", &arguments))?;
    match refused.ended_with(TOOL_IS_ERROR) && refused.stdout.contains("missing field `subject`") {
        true => Ok(()),
        false => Err(refused.report("a call without arguments must have a result that is an error")),
    }
}

/// Returns the words of a command line.
fn words(command: &Command) -> Vec<OsString> {
    std::iter::once(command.get_program()).chain(command.get_args()).map(Into::into).collect()
}

/// Returns the names of tools, resources or prompts, in their order.
fn names(listed: &Value) -> Vec<&str> {
    listed.as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect()
}
