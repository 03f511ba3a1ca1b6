//! The `memory-tool` command.

use std::io::{self, BufRead as _, Read as _};

use memtape::{At, Error, Toolbox, Workspace, lenient_json};
use serde_json::{Value, json};

use super::audience;
use crate::args::MemoryToolArgs;
use crate::output::{Failure, Output, Result};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, args: &MemoryToolArgs) -> Result<()> {
    let session = args.audience.session();
    let asking = audience(workspace, &args.audience)?;
    let tools = workspace.tools().for_session(session).for_audience(asking).at(at.clone());
    let mut input = io::stdin().lock();
    if !args.lines {
        let mut command = Vec::new();
        input.read_to_end(&mut command).map_err(Error::Input)?;
        let reply = call(&tools, &command);
        match output.json {
            true => output.value(&result(&reply))?,
            false => output.line(reply.as_ref().unwrap_or_else(|error| error))?,
        }
        return reply.map(drop).map_err(|_| Failure::Printed);
    }
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).map_err(Error::Input)? > 0 {
        if !line.trim_ascii().is_empty() {
            output.text(&format!("{}\n", result(&call(&tools, &line))))?;
            output.warnings(workspace.take_warnings());
        }
        line.clear();
    }
    Ok(())
}

/// Runs a command, and returns its reply or the text of its error.
fn call(tools: &Toolbox<'_>, command: &[u8]) -> Result<String, String> {
    let command: Value =
        lenient_json::from_slice(command).map_err(|e| format!("Error: the command is not JSON: {e}"))?;
    tools.memory_tool(command).map_err(|e| e.to_string())
}

/// Returns a reply as the content of a tool's result.
fn result(reply: &Result<String, String>) -> Value {
    json!({"content": reply.as_ref().unwrap_or_else(|error| error), "is_error": reply.is_err()})
}
