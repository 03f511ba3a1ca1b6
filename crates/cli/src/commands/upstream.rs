//! The `clone` and `push` commands, and the upstream in `status`.

use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use jiff::Timestamp;
use memtape::{At, Options, UpstreamStatus, Workspace};
use memtape_remote::objects::directory_of;
use serde_json::json;

use super::{Context, absolute};
use crate::locate;
use crate::output::{Failure, Output, Result, counted};
use crate::upstreams;

pub(super) fn clone(context: &Context<'_>, url: &str, dir: &Path) -> Result<ExitCode> {
    let upstream = upstreams::open(url)?;
    let label = upstream.label().to_owned();
    let options = Options { upstream: Some(upstream), ..context.options(dir)? };
    let workspace = Workspace::replica(dir, options)?;
    let dir = absolute(dir);
    upstreams::keep(url, context.output)?;
    locate::set_trusted(&dir, true)?;
    let entries = workspace.status(&At::head())?.entries;
    context.output.warnings(workspace.take_warnings());
    if context.output.json {
        let workspace = dir.display().to_string();
        context.output.value(&json!({"workspace": workspace, "upstream": label, "entries": entries}))?;
    } else {
        let entries = counted(entries, "entry", "entries");
        context.output.line(format_args!("Cloned {label} into {}: {entries}.", dir.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn push(workspace: &Workspace, output: &Output, url: &str, is_anew: bool) -> Result<()> {
    if let Some(dir) = directory_of(url) {
        workspace.check_is_free(&dir)?;
    }
    let upstream = upstreams::open(url)?;
    let failed = |e| Failure::Unusable(format!("cannot read the upstream of the workspace: {e}"));
    let before = memtape::marked_upstream(workspace.dir()).map_err(failed)?;
    let pushed = match is_anew {
        true => workspace.push_anew(upstream.as_ref())?,
        false => workspace.push(upstream.as_ref())?,
    };
    upstreams::keep(url, output)?;
    let label = upstream.label();
    if output.json {
        return output.value(&json!({"upstream": label, "entries": pushed}));
    }
    output.line(format_args!(
        "Pushed {} to {label}. This workspace is a replica of it from now on.",
        counted(pushed, "entry", "entries")
    ))?;
    match before.filter(|before| before != label) {
        Some(before) => output.line(format_args!(
            "It has left {before}: writes here and writes of the replicas there do not reach each other any more."
        )),
        None => Ok(()),
    }
}

/// Prints the state of the upstream, if there is one.
pub(super) fn print(status: Option<&UpstreamStatus>, output: &Output) -> Result<()> {
    let Some(status) = status else { return Ok(()) };
    let reached = match contact(status) {
        Some(contact) => format!(", reached last at {}", output.instant(contact)),
        None => String::new(),
    };
    let state = match &status.head {
        Ok(head) if *head == status.entry => "up to date".to_owned(),
        Ok(head) => format!("{} behind", counted(head.saturating_sub(status.entry), "entry", "entries")),
        Err(why) => format!("{why}{reached}"),
    };
    output.line(format_args!("upstream   {}: {state}", status.upstream))
}

fn contact(status: &UpstreamStatus) -> Option<Timestamp> {
    status.contact.and_then(|contact: SystemTime| Timestamp::try_from(contact).ok())
}

/// Returns options with the upstream of a directory.
pub(super) fn with_upstream(options: Options, dir: &Path) -> Result<Options> {
    let failed = |e| Failure::Unusable(format!("cannot read the upstream of {}: {e}", dir.display()));
    Ok(Options { upstream: upstreams::of(dir).map_err(failed)?, ..options })
}
