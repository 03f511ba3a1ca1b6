//! The common parts of `log`, `diff` and `restore` of notes, files, blocks, facts and the zone.

use jiff::Timestamp;
use memtape::{At, Audience, EntryId, Origin, Workspace};
use serde_json::{Value, json};

use super::audience;
use crate::args::{AudienceArgs, DiffPoints};
use crate::output::{Failure, Output, Result};
use crate::style::{Line, Role};

/// A version in a log.
pub(super) struct LogLine<'a> {
    /// Its id: `@ENTRY`, or the ref of the version.
    pub(super) id: String,
    pub(super) date: Timestamp,
    /// The operation, such as `note.write`.
    pub(super) act: &'a str,
    pub(super) origin: Option<Origin>,
    pub(super) reason: Option<&'a str>,
    /// The text of the version, if the log shows it.
    pub(super) text: Option<String>,
}

/// Prints a version in one line: its id, date, operation, author, reason and text.
pub(super) fn print_line(line: &LogLine<'_>, output: &Output) -> Result<()> {
    let date = output.second(line.date);
    let mut words = vec![date];
    words.extend((!line.act.is_empty()).then(|| line.act.to_owned()));
    words.extend(line.origin.map(|origin| format!("by {}", origin.as_str())));
    words.extend(line.reason.map(|reason| format!("({reason})")));
    let text = line.text.as_ref().map_or_else(String::new, |text| format!(": {text}"));
    let rest = format!(" {}{text}", words.join(" "));
    output.listed(Line::default().with(Role::Id, line.id.clone()).text(rest))
}

/// Returns the two points of a diff for an audience. `last` returns the entry of the last change up to a point; the
/// default for the first point is just before it.
pub(super) fn compared(
    workspace: &Workspace,
    points: &DiffPoints,
    asking: &AudienceArgs,
    last: impl FnOnce(&At) -> memtape::Result<Option<EntryId>>,
) -> Result<(At<'static>, At<'static>)> {
    let asking = audience(workspace, asking)?;
    let version = |text: &str| workspace.version(workspace.at(text)?, &asking);
    let to = points.to.as_deref().map_or_else(|| Ok(At::head()), version)?;
    let from = match &points.from {
        Some(from) => version(from)?,
        None => match last(&to)? {
            Some(entry) => workspace.before(entry, &asking)?,
            None => At::entry(0),
        },
    };
    Ok((from, to))
}

/// Prints a unified diff. The fields of `subject` name its subject in JSON.
pub(super) fn print_diff(mut subject: Value, diff: &str, output: &Output) -> Result<()> {
    if output.json {
        subject["diff"] = json!(diff);
        return output.value(&subject);
    }
    match diff.is_empty() {
        true => output.line("No differences."),
        false => output.diff(diff),
    }
}

/// Returns the point to restore for an audience, or the owner: the version, or `--at`. `log` is the command that lists the
/// versions.
pub(super) fn restored_point<'v>(
    workspace: &Workspace,
    version: Option<&str>,
    at: &At<'v>,
    asking: Option<&AudienceArgs>,
    log: &str,
) -> Result<At<'v>> {
    let asking = asking.map_or_else(|| Ok(Audience::owner()), |asking| audience(workspace, asking))?;
    match version {
        Some(_) if !at.is_head() => {
            Err(Failure::Usage("name the version to restore or a point with --at, not both".into()))
        }
        Some(version) => Ok(workspace.version(workspace.at(version)?, &asking)?),
        None if at.is_head() => Err(Failure::Usage(format!(
            "name the version to restore, or a point with --at POINT (`memtape {log}` lists the versions)"
        ))),
        None => Ok(workspace.version(at.clone(), &asking)?),
    }
}
