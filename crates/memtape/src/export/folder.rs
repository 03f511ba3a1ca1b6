//! The export as a folder: Markdown files for people, and the facts in the layout of document 1's program.

use std::collections::HashSet;

use memtape_core::forms::blocks;
use memtape_core::forms::files::view::File;
use memtape_core::forms::notes::NotesView;
use memtape_core::mirror::turns;
use memtape_core::{Form, Session};

use super::source::Source;
use super::write::Folder;
use super::{Exported, document1, documents, facts};
use crate::error::Result;

/// Writes the files.
pub(super) fn write(source: &Source<'_>, folder: &Folder) -> Result<Exported> {
    let (mut commits, mut events) = (0, 0);
    if source.has(Form::LEDGER) {
        let content = facts::gather(source)?;
        // Facts alone are the storage of document 1's program, which it keeps below `memory/` of a workspace.
        let below = if source.export.form.is_some() { "" } else { "memory/" };
        for (path, text) in document1::files(&content)? {
            folder.write(&format!("{below}{path}"), text)?;
        }
        (commits, events) = (content.commits.len(), content.events.len());
    }
    if source.has(Form::ZONE) {
        let zone = source.zone()?;
        let text = zone.long_term_text();
        if !text.is_empty() {
            folder.write("long-term.md", text + "\n")?;
        }
        for day in zone.dailies.keys() {
            let text = zone.daily_text(*day).unwrap_or_default();
            folder.write(&format!("daily/{day}.md"), text + "\n")?;
        }
    }
    if source.has(Form::BLOCKS) {
        source.each(Some(Form::BLOCKS), |memory| {
            let proposed = if blocks::merge::is_proposal(&memory) { "proposed/" } else { "" };
            let Some(name) = blocks::view::name_of(&memory) else { return Ok(()) };
            folder.write(&format!("blocks/{proposed}{name}.md"), &memory.text)
        })?;
    }
    if source.has(Form::STATEMENTS) {
        let text = documents::statements(source)?;
        if !text.is_empty() {
            folder.write("statements.md", text)?;
        }
    }
    if source.has(Form::NOTES) {
        for note in NotesView::fold(&source.all(Form::NOTES)?).files() {
            folder.write(&format!("notes/{}", note.path), note.bytes())?;
        }
    }
    if source.has(Form::FILES) {
        source.each(Some(Form::FILES), |memory| match File::read(&memory) {
            Some(file) => folder.write(&format!("files/{}", file.path), file.bytes),
            None => Ok(()),
        })?;
    }
    if source.has(Form::MESSAGES) {
        let mut begun = HashSet::new();
        source.each(Some(Form::MESSAGES), |memory| {
            let label = memory.session.as_deref().and_then(|label| Session::parse(label).ok());
            let session = label.unwrap_or_else(Session::direct);
            let path = format!("conversations/{}", turns::file_name(&session));
            if begun.insert(path.clone()) {
                folder.append(&path, &format!("# {session}\n\n"))?;
            }
            folder.append(&path, &documents::message(memory))
        })?;
    }
    Ok(Exported { commits, events, ..source.exported() })
}
