//! The `verify` command.

use std::path::Path;
use std::process::ExitCode;

use memtape::error::advice;
use memtape::{ErrorKind, Verified, Workspace};
use serde_json::json;

use super::Context;
use crate::locate;
use crate::output::{Output, Result, counted};

pub(super) fn run(context: &Context<'_>, dir: Option<&Path>) -> Result<ExitCode> {
    let dir = match dir {
        Some(dir) => dir.to_owned(),
        None => locate::place(&context.cli.shared, false, context.output)?.dir,
    };
    let verified = Workspace::verify(&dir)?;
    print(&verified, context.output)?;
    let sound = verified.tape.bad.is_empty() && verified.missing_since.is_none();
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(advice(ErrorKind::Corrupt).exit) })
}

fn print(verified: &Verified, output: &Output) -> Result<()> {
    let Verified { tape, missing_since } = verified;
    if output.json {
        let bad: Vec<_> = tape.bad.iter().map(ToString::to_string).collect();
        let torn = tape.torn.map(|(byte, bytes)| json!({"byte": byte, "bytes": bytes}));
        return output.value(&json!({
            "entries": tape.entries,
            "groups": tape.groups,
            "segments": tape.segments,
            "bad": bad,
            "torn": torn,
            "missing_since": missing_since,
        }));
    }
    for bad in &tape.bad {
        output.line(bad)?;
    }
    if let Some(entry) = missing_since {
        output.line(format_args!(
            "the tape no longer holds what was read from it up to entry {entry}: it was cut, edited or replaced"
        ))?;
    }
    if let Some((byte, bytes)) = tape.torn
        && missing_since.is_none()
    {
        output.note(format_args!(
            "note: the last {bytes} bytes (from byte {byte}) are an unfinished write, never acknowledged; the next \
             writer moves them to archive/"
        ));
    }
    let segments = if tape.segments > 1 { format!(" in {} segments", tape.segments) } else { String::new() };
    let entries = counted(tape.entries, "entry", "entries");
    match (tape.bad.len(), missing_since) {
        (0, None) => output.line(format_args!("OK: {entries}{segments} verified")),
        (0, Some(_)) => output.line(format_args!("{entries}{segments} can be read")),
        (n, _) => {
            let bad = counted(n as u64, "bad line", "bad lines");
            output.line(format_args!("{entries}{segments} can be read; {bad}"))
        }
    }
}
