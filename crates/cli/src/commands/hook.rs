//! The `hook` command.
//!
//! **Invariant.** It never fails and never delays the client: every error goes to standard error with exit status 0,
//! and it ends after the time limit of the event. A write in progress is then either on the tape or not, as after a
//! kill.

use std::fmt::Display;
use std::io::{Read as _, Write as _};
use std::process::{self, ExitCode};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{io, thread};

use memtape_server::hook::{self, Event, Input};

use super::Context;
use crate::args::HookArgs;
use crate::locate::{self, Place};
use crate::output::Failure;

pub(super) fn run(context: &Context<'_>, args: &HookArgs) -> ExitCode {
    let event: Event = match args.event.parse() {
        Ok(event) => event,
        Err(e) => {
            report(&e);
            return ExitCode::SUCCESS;
        }
    };
    let place = match locate::server_place(&context.cli.shared) {
        Ok(place) => place,
        Err(failure) => {
            report_failure(&failure);
            return ExitCode::SUCCESS;
        }
    };
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
        // The client may have stopped reading.
        Ok(Some(context)) => {
            let _ = writeln!(io::stdout(), "{}", hook::output(event, &context));
        }
        Ok(None) => {}
        Err(e) => report_failure(&e.into()),
    }
    ExitCode::SUCCESS
}

/// Reports why a hook or its command line fails, with the remedy.
pub(crate) fn report_failure(failure: &Failure) {
    match failure.described() {
        (_, why, Some(hint)) => report(&format!("{why} ({hint})")),
        (_, why, None) => report(&why),
    }
}

fn report(why: &dyn Display) {
    // The client may have closed standard error, which is no reason to fail either.
    let _ = writeln!(io::stderr(), "memtape: {why}");
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
        report(&format!("warning: {warning}"));
    }
    handled
}
