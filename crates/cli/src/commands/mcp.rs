//! The `mcp` command.

use std::process::{self, ExitCode};

use jiff::Timestamp;
use memtape::{Error, ErrorKind, Session, Surface};
use memtape_server::{Access, Caller, Node};

use super::Context;
use crate::args::McpArgs;
use crate::locate;
use crate::output::{Failure, Result};

pub(super) fn run(context: &Context<'_>, args: &McpArgs) -> Result<ExitCode> {
    let place = locate::server_place(&context.cli.shared)?;
    let branch = context.cli.shared.branch.clone();
    let flags = super::config::flags_of(context);
    let node = Node::new(move || {
        locate::open_for_server(&place, branch.clone(), flags.clone()).map_err(with_command)
    });
    let session = match &args.session {
        Some(session) => session.clone(),
        None => own_session()?,
    };
    let caller = Caller {
        session,
        is_owner: args.session.is_none(),
        user: args.user.clone(),
        toolsets: args.tools.clone(),
        is_read_only: args.read_only,
    };
    memtape_server::mcp::serve_stdio(Access::new(node, caller))
        .map_err(|e| Failure::Unusable(format!("cannot serve the client: {e}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns an error of a workspace that does not exist with the command that creates it, since no tool does.
fn with_command(error: Error) -> Error {
    match (error.kind(), error.hint(Surface::CommandLine)) {
        (ErrorKind::NotFound, Some(hint)) => Error::NotFound(format!("{error} ({hint})")),
        _ => error,
    }
}

/// Returns the conversation of this process with the owner. Each process has one of its own, so that a client that switches
/// to another branch moves no other client.
fn own_session() -> Result<Session> {
    let begun = Timestamp::now().strftime("%Y%m%dT%H%M%S");
    Ok(Session::parse(&format!("mcp:direct:{begun}-{}", process::id())).map_err(Error::from)?)
}
