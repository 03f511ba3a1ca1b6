//! The `tape` commands.

use memtape::tape::{LogQuestion, Reset};
use memtape::{At, Entry, EntryId, Workspace};
use serde_json::json;

use super::{confirm, json_argument};
use crate::args::TapeCommand;
use crate::output::{Output, Result};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &TapeCommand) -> Result<()> {
    if let Some(entries) = read(workspace, at, command)? {
        return output.entries(&entries);
    }
    write(workspace, output, command)
}

/// Returns the entries that a reading command requests; `None` for a writing command.
fn read(workspace: &Workspace, at: &At, command: &TapeCommand) -> Result<Option<Vec<Entry>>> {
    let tape = workspace.tape();
    let entries = match command {
        TapeCommand::Log { filter, since, limit } => {
            let since = since.as_deref().map(|text| workspace.instant(text)).transpose()?;
            let question = LogQuestion {
                kinds: filter.kind.clone(),
                session: filter.session.clone(),
                since,
                limit: limit.and_then(|limit| limit.0),
            };
            tape.log(&question, at)?
        }
        TapeCommand::Anchors { session, all, limit } => {
            tape.anchors(session.as_ref(), *all, limit.and_then(|limit| limit.0), at)?
        }
        TapeCommand::Search { text, filter, limit } => {
            tape.search(text, filter.session.as_ref(), &filter.kind, *limit, at)?
        }
        TapeCommand::After { name, filter } => {
            tape.after_anchor(name, filter.session.as_ref(), &filter.kind, at)?
        }
        TapeCommand::Between { start, end, filter } => {
            tape.between_anchors((start, end), filter.session.as_ref(), &filter.kind, at)?
        }
        TapeCommand::FromLastAnchor { filter } => {
            tape.from_last_anchor(filter.session.as_ref(), &filter.kind, at)?
        }
        TapeCommand::Append { .. }
        | TapeCommand::Handoff { .. }
        | TapeCommand::Archive { .. }
        | TapeCommand::Reset { .. } => return Ok(None),
    };
    Ok(Some(entries))
}

fn write(workspace: &Workspace, output: &Output, command: &TapeCommand) -> Result<()> {
    let tape = workspace.tape();
    match command {
        TapeCommand::Append { event, data, session } => {
            let data = data.as_deref().map(|data| json_argument(data, "--data")).transpose()?;
            print_entry(output, tape.append_event(event, data.as_ref(), session)?)
        }
        TapeCommand::Handoff { name, state, session } => {
            let state = state.as_deref().map(|state| json_argument(state, "--state")).transpose()?;
            print_entry(output, tape.handoff(name, state.as_ref(), session)?)
        }
        TapeCommand::Archive { yes } => {
            confirm("Close tape.jsonl as a segment of archive/?", *yes)?;
            let archived = workspace.archive()?.map(|segment| segment.file_name());
            match (output.json, archived) {
                (true, archived) => output.value(&json!({"archived": archived})),
                (false, Some(name)) => output.line(format_args!("closed as archive/{name}")),
                (false, None) => output.line("there is nothing to close: tape.jsonl is empty"),
            }
        }
        TapeCommand::Reset { archive, session, yes } => {
            let what = session.as_ref().map_or("everything".to_owned(), |s| format!("the messages of {s}"));
            confirm(&format!("Reset {what}?"), *yes)?;
            print_reset(output, &tape.reset(session.as_ref(), *archive)?)
        }
        // `read` handles the reading commands.
        _ => Ok(()),
    }
}

fn print_entry(output: &Output, id: EntryId) -> Result<()> {
    match output.json {
        true => output.value(&json!({"id": id})),
        false => output.line(format_args!("entry {id}")),
    }
}

fn print_reset(output: &Output, reset: &Reset) -> Result<()> {
    let Reset { anchor, before, zone_kept, archived } = reset;
    if output.json {
        return output.value(&json!({"id": anchor, "zone_kept": zone_kept, "archived": archived}));
    }
    if let Some(name) = archived {
        output.line(format_args!("the tape was closed as archive/{name}"))?;
    }
    if let Some(name) = zone_kept {
        output.line(format_args!("the zone's text is kept in {name}"))?;
    }
    output
        .line(format_args!("reset at entry {anchor} (an earlier point still shows what was: --at {before})"))
}
