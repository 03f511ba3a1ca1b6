//! The `inspect` command.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;

use memtape_server::{WorkspacePool, http};

use super::Context;
use super::serve::existing;
use crate::args::InspectArgs;
use crate::locate::{self, Place};
use crate::output::{Failure, Result};

pub(super) fn run(context: &Context<'_>, args: &InspectArgs) -> Result<ExitCode> {
    let listen = args.listen.unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    if !listen.ip().is_loopback() {
        let message = format!("{listen} is not on the loopback interface: use `memtape serve` and a token");
        return Err(Failure::Usage(message));
    }
    let place = locate::place(&context.cli.shared, true, context.output)?;
    let (branch, flags) = (context.cli.shared.branch.clone(), super::config::flags_of(context));
    let opened = move |place: &Place| locate::open_for_server(place, branch.clone(), flags.clone());
    // A workspace that cannot be opened is reported here, not in the browser.
    drop(opened(&place)?);
    let workspaces =
        WorkspacePool::one(existing(&place.dir)?, Arc::new(move |dir: &Path| opened(&Place::existing(dir))));
    let ticket = http::ticket();
    let options = http::Options {
        listen,
        workspaces,
        hosts: Vec::new(),
        origins: Vec::new(),
        ticket: Some(ticket.clone()),
    };
    let output = context.output;
    let ready = |address| {
        let url = format!("http://{address}/inspect/open?ticket={ticket}");
        // The program that opens the browser may find none, and does not always report that.
        let before = match !args.no_open && open(&url) {
            true => "the inspector opens in the browser, Ctrl-C ends it; if it does not, ",
            false => "",
        };
        output.note(format_args!("{before}open this address, which works once: {url}"));
        Ok(())
    };
    http::serve(options, http::Stop::Signal, ready)
        .map_err(|e| Failure::Unusable(format!("cannot serve {listen}: {e}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Opens an address in the browser. Returns whether there is a program to do so.
fn open(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    // It stays a zombie until its end is waited for.
    thread::spawn(move || child.wait());
    true
}
