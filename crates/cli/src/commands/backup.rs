//! The `backup` and `restore` commands.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use memtape::Workspace;
use memtape_remote::backup::{BackedUp, Error, backup};
use memtape_remote::objects::{Objects, directory_of};
use memtape_remote::restore::restore;
use memtape_upstream::Upstream;
use serde_json::json;

use super::{Context, Waiting, absolute};
use crate::args::RestoreArgs;
use crate::locate;
use crate::output::{Failure, Output, Result, counted};

pub(super) fn run(workspace: &Workspace, output: &Output, url: &str) -> Result<()> {
    if let Some(dir) = directory_of(url) {
        workspace.check_is_free(&dir)?;
    }
    let upstream = open(url)?;
    workspace.record_edits()?;
    let waiting = Waiting::new("entries backed up");
    let done = backup(workspace.dir(), upstream.as_ref(), &mut |entries| waiting.tick(entries, None))?;
    drop(waiting);
    let BackedUp { is_new, added, present, erased, bytes } = done;
    if output.json {
        return output.value(&json!({
            "created": is_new,
            "added": added,
            "present": present,
            "erased": erased,
            "bytes": bytes,
        }));
    }
    let label = upstream.label();
    let (new, old) = (counted(added, "entry", "entries"), counted(present, "entry", "entries"));
    output.line(match (added, present) {
        (0, _) => format!("Nothing new: {label} ends as the tape does, after {old}."),
        (_, 0) => format!("Backed up {new} to {label}."),
        _ => format!("Backed up {new} to {label}, which had {present}."),
    })?;
    if erased > 0 {
        let erased = counted(erased, "earlier entry", "earlier entries");
        output.line(format_args!("Erased the text of {erased} there."))?;
    }
    Ok(())
}

pub(super) fn run_restore(context: &Context<'_>, args: &RestoreArgs) -> Result<ExitCode> {
    let output = context.output;
    let upstream = open(&args.url)?;
    let waiting = Waiting::new("entries restored");
    let done = restore(upstream.as_ref(), &args.dir, &mut |entries, all| waiting.tick(entries, Some(all)))?;
    drop(waiting);
    if output.json {
        output.value(&json!({"entries": done.entries, "present": done.present, "bytes": done.bytes}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let dir = shown(&args.dir);
    output.line(format_args!("Restored {} to {dir}.", counted(done.entries, "entry", "entries")))?;
    let dir = locate::quoted(&absolute(&args.dir));
    output.line(format_args!("`memtape trust {dir}` lets commands inside it use this workspace."))?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the connection to a backup. A wrong address is a mistake of the command line.
fn open(url: &str) -> Result<Arc<dyn Upstream>> {
    Objects::open(url).map_err(|e| match e {
        memtape_upstream::Error::Refused { upstream, why } => Failure::Usage(format!("{upstream}: {why}")),
        e => Error::from(e).into(),
    })
}

fn shown(dir: &Path) -> String {
    absolute(dir).display().to_string()
}
