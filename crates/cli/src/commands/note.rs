//! The `note` commands.

use memtape::notes::{SPLIT_BYTES_ADVISED, size_text};
use memtape::{
    At, Audience, FileVersion, Form, Note, NoteChange, NoteOutcome, Notes, Origin, Patch, Ref, Workspace,
    encoded_unless_text,
};
use serde_json::json;

use super::branches::conflicts_about;
use super::history::{LogLine, compared, print_diff, print_line, restored_point};
use super::{audience, content_or_stdin, text_or_stdin};
use crate::args::{AudienceArgs, NoteCommand};
use crate::output::{Failure, Output, Result, counted};
use crate::style::{Line, Role};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &NoteCommand) -> Result<()> {
    let asked = |asking: &AudienceArgs| -> Result<Notes<'_>> {
        Ok(workspace.notes().in_session(asking.session()).for_audience(audience(workspace, asking)?))
    };
    let notes = workspace.notes();
    match command {
        NoteCommand::List { index: true, audience } => {
            let message = asked(audience)?.index(at)?;
            match output.json {
                true => output.value(&json!({"text": message})),
                false => output.text(&message),
            }
        }
        NoteCommand::List { audience, .. } => list(&asked(audience)?, output, at),
        NoteCommand::Show { path, sections: true, audience } => {
            show_sections(&asked(audience)?, path, output, at)
        }
        NoteCommand::Show { path, audience: asking, .. } => {
            let (notes, asking) = (asked(asking)?, audience(workspace, asking)?);
            show(workspace, &notes.read(&notes.path(path)?, at)?, &asking, output, at)
        }
        NoteCommand::Write { path, content } => {
            done(&notes.write(&notes.path(path)?, &content_or_stdin(&content.text)?)?, "written", output)
        }
        NoteCommand::Patch { path, old, new } => {
            if old.len() != new.len() {
                return Err(Failure::Usage("each --old needs its --new".into()));
            }
            let patch = |(old, new): (&String, &String)| Patch { old: old.clone(), new: new.clone() };
            let patches: Vec<_> = old.iter().zip(new).map(patch).collect();
            done(&notes.patch(&notes.path(path)?, &patches)?, "patched", output)
        }
        NoteCommand::Append { path, entry, summary } => {
            let path = notes.path(path)?;
            done(&notes.append(&path, &text_or_stdin(entry)?, summary.as_deref())?, "appended", output)
        }
        NoteCommand::Log { path, shown } => {
            let notes = asked(&shown.audience)?;
            log(&notes.log(&notes.path(path)?, at)?, shown.limit, output)
        }
        NoteCommand::Diff { path, sides } => {
            let notes = asked(&sides.audience)?;
            let path = notes.path(path)?;
            let last = |to: &At| Ok(notes.log(&path, to)?.first().map(|last| last.entry));
            let (from, to) = compared(workspace, &sides.points, &sides.audience, last)?;
            print_diff(json!({"path": path.as_str()}), &notes.diff(&path, &from, &to)?, output)
        }
        NoteCommand::Restore { path, version } => {
            let point = restored_point(workspace, version.version.as_deref(), at, None, "note log PATH")?;
            done(&notes.restore(&notes.path(path)?, &point)?, "restored", output)
        }
        NoteCommand::Split { path } => {
            let changes = notes.split(&notes.path(path)?)?;
            let (removed, written): (Vec<_>, Vec<_>) =
                changes.iter().partition(|change| change.size.is_none());
            let paths =
                |changes: &[&NoteChange]| changes.iter().map(|c| c.path.to_string()).collect::<Vec<_>>();
            let (removed, written) = (paths(&removed), paths(&written));
            if output.json {
                let files: Vec<_> = changes.iter().map(|change| change.path.as_str()).collect();
                return output.value(&json!({"files": files, "removed": removed}));
            }
            let gone = match removed.is_empty() {
                true => String::new(),
                false => format!("; removed {}, which is empty now", removed.join(", ")),
            };
            output.line(format_args!("split into {}{gone}", written.join(", ")))
        }
        NoteCommand::Delete { path, .. } => done(
            &notes.delete(&notes.path(path)?)?,
            "deleted (an earlier point still shows it: --at)",
            output,
        ),
    }
}

/// Prints a note as it is.
fn show(workspace: &Workspace, file: &Note, asking: &Audience, output: &Output, at: &At) -> Result<()> {
    let is_of_file = |reference: &Ref| {
        let section = reference.key.strip_prefix(file.path.as_str());
        reference.form == Form::NOTES && section.is_some_and(|section| section.starts_with('#'))
    };
    let conflicts = conflicts_about(workspace, asking, at, is_of_file, output)?;
    match output.json {
        true => output.value(&json!({
            "path": file.path.as_str(), "text": file.text(), "base64": encoded_unless_text(&file.bytes()),
            "conflicts": conflicts,
        })),
        false => output.bytes(&file.bytes()),
    }
}

fn list(notes: &Notes<'_>, output: &Output, at: &At) -> Result<()> {
    let files = notes.list(at)?;
    if output.json {
        return output.value(&json!(files));
    }
    for file in &files {
        let summary = if file.summary.is_empty() { String::new() } else { format!(": {}", file.summary) };
        let line = Line::default().with(Role::Id, file.path.as_str());
        output.listed(line.text(format!(" ({}){summary}", size_text(file.size))))?;
    }
    if files.is_empty() {
        output.note(
            "No notes: `memtape note append episodes/YYYY-MM.md ENTRY` adds one, or put a file into facts/.",
        );
    }
    Ok(())
}

fn done(outcome: &NoteOutcome, said: &str, output: &Output) -> Result<()> {
    let NoteOutcome::Changed(change) = outcome else { return print_unchanged(output) };
    if output.json {
        return output.value(&json!({
            "changed": true, "path": change.path.as_str(), "size": change.size,
            "sections": {"created": change.created, "removed": change.removed},
        }));
    }
    let size = change.size.map_or_else(String::new, |size| format!(" ({})", size_text(size)));
    output.line(format_args!("{}: {said}{size}", change.path))?;
    if change.size.is_some_and(|size| size > SPLIT_BYTES_ADVISED) && change.path.folder() != "facts" {
        output.note(format_args!(
            "warning: {0} is long to read at once: `memtape note split {0}` makes a file of each week",
            change.path
        ));
    }
    Ok(())
}

/// Reports that a note or a file has the content already.
pub(super) fn print_unchanged(output: &Output) -> Result<()> {
    match output.json {
        true => output.value(&json!({"changed": false})),
        false => output.line("already there"),
    }
}

/// Prints the versions of a note or a file.
pub(super) fn log(versions: &[FileVersion], limit: Option<usize>, output: &Output) -> Result<()> {
    let versions = versions.iter().take(limit.unwrap_or(usize::MAX));
    if output.json {
        let versions = versions.map(|version| {
            json!({
                "entry": version.entry, "date": version.date.to_string(), "act": version.act,
                "origin": version.origin.map(Origin::as_str), "session": version.session,
                "reason": version.reason,
            })
        });
        return output.value(&versions.collect());
    }
    for version in versions {
        let line = LogLine {
            id: format!("@{}", version.entry),
            date: version.date,
            act: &version.act,
            origin: version.origin,
            reason: version.reason.as_deref(),
            text: None,
        };
        print_line(&line, output)?;
    }
    Ok(())
}

fn show_sections(notes: &Notes<'_>, path: &str, output: &Output, at: &At) -> Result<()> {
    let file = notes.read(&notes.path(path)?, at)?;
    let summary = file.summary();
    if output.json {
        let sections: Vec<_> = file
            .sections
            .iter()
            .map(|section| {
                json!({
                    "ref": file.reference(section).to_string(), "text": String::from_utf8_lossy(&section.bytes),
                    "base64": encoded_unless_text(&section.bytes), "updated_at": section.updated_at.to_string(),
                    "origin": section.origin.map(Origin::as_str),
                    "quarantined": section.quarantined.is_some(),
                })
            })
            .collect();
        return output
            .value(&json!({"path": path, "size": file.size(), "summary": summary, "sections": sections}));
    }
    let count = counted(file.sections.len() as u64, "section", "sections");
    output.line(format_args!("{path}: {}, {count}", size_text(file.size())))?;
    if let Some(summary) = summary {
        output.line(output.one_line(&format!("summary: {summary}")))?;
    }
    for section in &file.sections {
        let text = String::from_utf8_lossy(&section.bytes);
        if section.is_preamble() && text.trim().is_empty() {
            continue;
        }
        let by = section.origin.map_or_else(String::new, |origin| format!(", {}", origin.as_str()));
        let head = format!("[{}] ({}{by})", file.reference(section), output.day(section.updated_at));
        output.line(output.one_line(&format!("{head} {}", text.trim())))?;
    }
    Ok(())
}
