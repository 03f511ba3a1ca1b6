//! The `file` commands.

use memtape::{At, FilePath, Files, FilesOutcome, Origin, Ref, Workspace, encoded_unless_text};
use serde_json::json;

use super::branches::conflicts_about;
use super::history::{compared, print_diff, restored_point};
use super::{audience, content_or_stdin, note};
use crate::args::{AudienceArgs, FileCommand};
use crate::output::{Output, Result};
use crate::style::{Line, Role};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &FileCommand) -> Result<()> {
    let asked = |asking: &AudienceArgs| -> Result<Files<'_>> {
        Ok(workspace.files().in_session(asking.session()).for_audience(audience(workspace, asking)?))
    };
    let files = workspace.files();
    let path = |text: &str| files.path(text);
    match command {
        FileCommand::List { folder, audience } => list(&asked(audience)?, folder.as_deref(), output, at),
        FileCommand::Show { path: text, audience: asking } => {
            let file = asked(asking)?.read(&path(text)?, at)?;
            let is_it = |reference: &Ref| *reference == file.reference();
            let conflicts = conflicts_about(workspace, &audience(workspace, asking)?, at, is_it, output)?;
            match output.json {
                true => output.value(&json!({
                    "path": file.path.as_str(), "text": file.text(),
                    "base64": encoded_unless_text(&file.bytes), "size": file.bytes.len(),
                    "updated_at": file.updated_at.to_string(), "origin": file.origin.map(Origin::as_str),
                    "from": file.from, "quarantined": file.quarantined, "conflicts": conflicts,
                })),
                false => output.bytes(&file.bytes),
            }
        }
        FileCommand::Log { path: text, shown } => {
            note::log(&asked(&shown.audience)?.log(&path(text)?, at)?, shown.limit, output)
        }
        FileCommand::Diff { path: text, sides } => {
            let (files, path) = (asked(&sides.audience)?, path(text)?);
            let last = |to: &At| Ok(files.log(&path, to)?.first().map(|last| last.entry));
            let (from, to) = compared(workspace, &sides.points, &sides.audience, last)?;
            print_diff(json!({"path": path.as_str()}), &files.diff(&path, &from, &to)?, output)
        }
        FileCommand::Write { path: text, content } => {
            done(&files.write(&path(text)?, &content_or_stdin(&content.text)?)?, "written", output)
        }
        FileCommand::Restore { path: text, version } => {
            let point = restored_point(workspace, version.version.as_deref(), at, None, "file log PATH")?;
            done(&files.restore(&path(text)?, &point)?, "restored", output)
        }
        FileCommand::Archive { path: text } => done(&files.archive(&path(text)?)?, "archived", output),
        FileCommand::Delete { path: text, .. } => {
            let said = "deleted (an earlier point still shows it: --at)";
            done(&files.delete(&path(text)?)?, said, output)
        }
    }
}

fn list(files: &Files<'_>, folder: Option<&str>, output: &Output, at: &At) -> Result<()> {
    let listed = files.list(folder, at)?;
    if output.json {
        let listed: Vec<_> = listed
            .iter()
            .map(|file| json!({"path": file.path.as_str(), "updated_at": file.updated_at.to_string()}))
            .collect();
        return output.value(&json!(listed));
    }
    for file in &listed {
        let line = Line::default().with(Role::Id, file.path.as_str());
        output.listed(line.text(format!(" ({})", output.day(file.updated_at))))?;
    }
    if listed.is_empty() {
        output.note(
            "No files: `memtape file write insights/YYYY-MM-DD.md TEXT` adds one, or put one into files/.",
        );
    }
    Ok(())
}

fn done(outcome: &FilesOutcome, said: &str, output: &Output) -> Result<()> {
    let FilesOutcome::Changed(change) = outcome else { return note::print_unchanged(output) };
    let from = change.from.as_ref().map(FilePath::as_str);
    if output.json {
        return output.value(
            &json!({"changed": true, "path": change.path.as_str(), "from": from, "size": change.size}),
        );
    }
    let size = change.size.map_or_else(String::new, |size| format!(" ({})", memtape::notes::size_text(size)));
    output.line(format_args!("{}: {said}{size}", change.path))
}
