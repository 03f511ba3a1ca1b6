//! The whole memory as one document: JSON for programs, Markdown for people.

use std::fmt::Write as _;
use std::io::Write;

use jiff::Timestamp;
use memtape_core::commit;
use memtape_core::forms::files::view::File;
use memtape_core::forms::messages::view::StoredMessage;
use memtape_core::forms::notes::NotesView;
use memtape_core::{Form, Memory, Scope};
use serde_json::{Value, json};

use super::source::{Source, put};
use super::{Exported, document1};
use crate::error::Result;
use crate::json;
use crate::ledger::Fact;
use crate::log::one_line;

/// Writes one JSON document, with each memory on a line of its own.
pub(super) fn json(source: &Source<'_>, out: &mut dyn Write) -> Result<Exported> {
    let head = [
        ("exported_at", json!(commit::timestamp(source.reader.now()))),
        ("workspace", json!(source.reader.workspace())),
        ("branch", json!(source.point.branch())),
        ("entry", json!(source.point.entry())),
    ];
    put(out, "{\n")?;
    for (name, value) in head {
        put(out, format!("  \"{name}\": {value},\n"))?;
    }
    put(out, "  \"memories\": [")?;
    let mut separator = "\n";
    source.each(source.export.form, |memory| {
        let text = memory_value(&memory).to_string();
        put(out, format!("{}    {text}", std::mem::replace(&mut separator, ",\n")))
    })?;
    put(out, "\n  ]\n}")?;
    Ok(source.exported())
}

/// Returns a memory in the fields of every other JSON output, with the path of a note's section or a file, and
/// the bytes that are not text.
fn memory_value(memory: &Memory) -> Value {
    let speaker = (memory.form == Form::MESSAGES).then(|| StoredMessage::data(memory).speaker().to_owned());
    let mut value = json::memory(&memory.version(), memory, speaker.as_deref());
    value["key"] = json!(memory.key);
    value["quarantined"] = json!(memory.quarantined);
    // The form's own fields, such as the day of a note or the layer of a block.
    value["data"] =
        memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
    value
}

/// Writes Markdown for people.
pub(super) fn markdown(source: &Source<'_>, out: &mut dyn Write) -> Result<Exported> {
    let at = commit::timestamp(source.reader.now());
    let (branch, entry) = (source.point.branch(), source.point.entry());
    put(out, format!("{}\n\nExported at {at}: branch {branch}, entry {entry}\n", document1::MARKDOWN_TITLE))?;
    for (title, text) in short_sections(source)? {
        if !text.is_empty() {
            put(out, format!("\n## {title}\n\n{}\n", text.trim_end()))?;
        }
    }
    if source.has(Form::NOTES) {
        let notes = NotesView::fold(&source.all(Form::NOTES)?);
        for (n, note) in notes.files().enumerate() {
            let heading = if n == 0 { "\n## Notes\n" } else { "" };
            put(out, format!("{heading}\n### {}\n\n{}", note.path, fenced(&note.text())))?;
        }
    }
    if source.has(Form::FILES) {
        let mut heading = "\n## Files\n";
        source.each(Some(Form::FILES), |memory| {
            let Some(file) = File::read(&memory) else { return Ok(()) };
            let heading = std::mem::take(&mut heading);
            put(out, format!("{heading}\n### {}\n\n{}", file.path, fenced(&file.text())))
        })?;
    }
    if source.has(Form::MESSAGES) {
        let mut heading = "\n## Conversations\n";
        let mut session = None;
        source.each(Some(Form::MESSAGES), |memory| {
            put(out, std::mem::take(&mut heading))?;
            if session.as_ref() != Some(&memory.session) {
                put(out, format!("\n### {}\n\n", memory.session.as_deref().unwrap_or("cli:direct")))?;
                session = Some(memory.session.clone());
            }
            put(out, message(memory))
        })?;
    }
    Ok(source.exported())
}

/// Returns the sections of the forms whose memories are short: a title and a text, which may be empty.
fn short_sections(source: &Source<'_>) -> Result<Vec<(&'static str, String)>> {
    let mut sections = Vec::new();
    if source.has(Form::ZONE) {
        sections.push(("Zone", zone(source)?));
    }
    if source.has(Form::BLOCKS) {
        sections.push(("Blocks", blocks(source)?));
    }
    if source.has(Form::LEDGER) {
        let facts: Vec<Fact> = source.all(Form::LEDGER)?.into_iter().filter_map(Fact::read).collect();
        sections.push(("Facts", document1::facts_by_subject(&facts)));
    }
    if source.has(Form::STATEMENTS) {
        sections.push(("Statements", statements(source)?));
    }
    Ok(sections)
}

fn zone(source: &Source<'_>) -> Result<String> {
    let mut text = String::new();
    for (scope, view) in source.zones()? {
        let whose = scope.label().map_or_else(String::new, |scope| format!(" ({scope})"));
        let long_term = [("Long-term memory".to_owned(), view.long_term_text())];
        let daily =
            view.dailies.keys().map(|day| (day.to_string(), view.daily_text(*day).unwrap_or_default()));
        for (title, lines) in long_term.into_iter().chain(daily).filter(|(_, lines)| !lines.is_empty()) {
            let _ = write!(text, "### {title}{whose}\n\n{}\n", fenced(&lines));
        }
    }
    Ok(text)
}

fn blocks(source: &Source<'_>) -> Result<String> {
    let mut text = String::new();
    source.each(Some(Form::BLOCKS), |memory| {
        let _ = write!(text, "### {}\n\n{}\n", memory.key, fenced(&memory.text));
        Ok(())
    })?;
    Ok(text)
}

/// Returns the statements as a list.
pub(super) fn statements(source: &Source<'_>) -> Result<String> {
    let mut text = String::new();
    source.each(Some(Form::STATEMENTS), |memory| {
        let category = memory.category.map_or("statement", |category| category.as_str());
        let (day, said) = (day(memory.said_at.unwrap_or(memory.created_at)), one_line(&memory.text));
        let scope = Scope::from_label(&memory.scope).and_then(|scope| scope.label());
        let whose = scope.map_or_else(String::new, |scope| format!(" ({scope})"));
        let _ = writeln!(text, "- {day} [{category}] {said}{whose}");
        Ok(())
    })?;
    Ok(text)
}

/// Renders a message of a conversation.
pub(super) fn message(memory: Memory) -> String {
    let at = memory.said_at.unwrap_or(memory.created_at).strftime("%Y-%m-%d %H:%M");
    let StoredMessage { data, memory } = StoredMessage::read(memory);
    // Further lines belong to the item of the list.
    let said = memory.text.trim_end().replace('\n', "\n  ");
    format!("- {at} **{}**: {said}\n", one_line(data.speaker()))
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// Renders a text verbatim: between fences that it does not contain.
fn fenced(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(runs.max(2) + 1);
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    format!("{fence}\n{text}{end}{fence}\n")
}
