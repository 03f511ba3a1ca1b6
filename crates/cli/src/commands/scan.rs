//! The `scan` command.

use std::process::ExitCode;

use memtape::error::advice;
use memtape::{ErrorKind, Place, Scan, Unredacted, WhyUnredacted, Workspace};
use serde_json::json;

use super::Context;
use crate::output::{Output, Result, counted};

pub(super) fn run(context: &Context<'_>, redact: bool) -> Result<ExitCode> {
    let mut left = false;
    let done = context.with(|workspace, output, _| {
        left = scan(workspace, output, redact)?;
        Ok(())
    })?;
    // A secret that is left fails the command with the same exit code as a bad line of the tape.
    Ok(if left { ExitCode::from(advice(ErrorKind::Corrupt).exit) } else { done })
}

/// Scans the workspace, prints the result, and returns whether a secret is left.
fn scan(workspace: &Workspace, output: &Output, redact: bool) -> Result<bool> {
    let scan = if redact { workspace.scan_and_redact()? } else { workspace.scan()? };
    print(&scan, output, redact)?;
    Ok(!redact && !scan.finds.is_empty() || !scan.left.is_empty())
}

/// Returns a secret that could not be redacted as JSON, with the reason.
fn left_json(left: &Unredacted) -> serde_json::Value {
    let mut fields = match &left.place {
        Place::Entry(id) => json!({"entry": id}),
        Place::File { name, .. } => json!({"file": name}),
    };
    match &left.why {
        WhyUnredacted::Name(name) => {
            fields["name_of"] = json!(name.of.to_string());
            fields["kind"] = json!(name.kind);
        }
        WhyUnredacted::Odd(odd) => fields["why"] = json!(odd.to_string()),
        WhyUnredacted::Unwritable { why } => fields["why"] = json!(format!("it cannot be written ({why})")),
    }
    fields
}

fn print(scan: &Scan, output: &Output, redacted: bool) -> Result<()> {
    let Scan { finds, left, passed_over, event } = scan;
    if output.json {
        let finds: Vec<_> = finds
            .iter()
            .map(|find| match &find.place {
                Place::Entry(id) => json!({"entry": id, "kind": find.kind}),
                Place::File { name, line } => json!({"file": name, "line": line, "kind": find.kind}),
            })
            .collect();
        return output.value(&json!({
            "finds": finds,
            "redacted": redacted,
            "left": left.iter().map(left_json).collect::<Vec<_>>(),
            "event": event,
            "passed_over": passed_over,
        }));
    }
    for find in finds {
        output.line(format_args!("{}: {}", find.place, find.kind))?;
    }
    for left in left {
        output.line(left)?;
    }
    for file in passed_over {
        output.note(format_args!(
            "note: {file} was not looked through: it is no text, too large, or cannot be read"
        ));
    }
    let secrets = counted(finds.len() as u64, "secret", "secrets");
    match (finds.is_empty(), redacted, event) {
        (true, ..) if left.is_empty() => output.line("No secrets."),
        (true, ..) => Ok(()),
        (false, false, _) => {
            output.line(format_args!("{secrets} found: `memtape scan --redact` removes them"))
        }
        (false, true, None) => output.line(format_args!("{secrets} redacted in files")),
        (false, true, Some(event)) => {
            output.line(format_args!("{secrets} redacted; entry {event} records what replaced them"))
        }
    }
}
