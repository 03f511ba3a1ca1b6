//! The `hook` command.
//!
//! **Invariant.** It never fails and never delays the client: every error goes to standard error with exit status 0,
//! and it ends after the time limit of the event. A write in progress is then either on the tape or not, as after a
//! kill.

use std::io::Read as _;
use std::process::{self, ExitCode};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{io, thread};

use memtape_server::hook::{self, Event, Input};

use super::Context;
use crate::args::HookArgs;
use crate::locate::{self, Place};
use crate::output::Result;

pub(super) fn run(context: &Context<'_>, args: &HookArgs) -> Result<ExitCode> {
    let report = |why: &dyn std::fmt::Display| eprintln!("memtape: {why}");
    let event: Event = match args.event.parse() {
        Ok(event) => event,
        Err(e) => {
            report(&e);
            return Ok(ExitCode::SUCCESS);
        }
    };
    let place = locate::server_place(&context.cli.shared)?;
    let branch = context.cli.shared.branch.clone();
    let flags = super::config::flags_of(context);
    let limit = args.timeout.map_or_else(|| event.time_limit(), Duration::from_millis);
    let (done, is_done) = mpsc::channel::<()>();
    thread::spawn(move || {
        if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            report(&format!("the hook {} took too long", event.as_str()));
            process::exit(0);
        }
    });
    let handled = handled(event, &place, branch, flags);
    drop(done);
    match handled {
        Ok(Some(context)) => println!("{}", hook::output(event, &context)),
        Ok(None) => {}
        Err(e) => report(&e),
    }
    Ok(ExitCode::SUCCESS)
}

fn handled(
    event: Event,
    place: &Place,
    branch: Option<String>,
    flags: Vec<String>,
) -> memtape::Result<Option<String>> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(memtape::Error::Input)?;
    let input = Input::parse(&text)?;
    let workspace = locate::open_for_server(place, branch, flags)?;
    let handled = hook::handle(event, &input, &workspace);
    for warning in workspace.take_warnings() {
        eprintln!("memtape: warning: {warning}");
    }
    handled
}
