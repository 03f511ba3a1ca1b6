//! The export as a tape.
//!
//! An export by the owner without a filter is a beginning of this tape, with all of its branches and its history:
//! the entries as they are, up to the point. What is confidential is erased in it, as by an erasure. Any other
//! export is a new tape that creates the current memories, each at its time, on its main branch.

use std::io::Write;

use memtape_core::meta::with_clock;
use memtape_core::{Audience, Form, MAIN, Meta, Origin, Sensitivity, Session, extract, projection};
use memtape_index::EntryQuestion;
use memtape_store::erase;
use memtape_tape::{Encoder, Entry, Intent, Position, Replaced, Salts};
use serde_json::value::to_raw_value;

use super::Exported;
use super::source::{Source, put};
use crate::error::{Error, Result};
use crate::reading::session_start;

/// The reason that is recorded with the texts that are left out.
const REASON: &str = "confidential: left out of the export";

/// Writes the tape.
pub(super) fn write(source: &Source<'_>, salts: &mut dyn Salts, out: &mut dyn Write) -> Result<Exported> {
    match source.export.audience == Audience::owner() && source.export.form.is_none() {
        true => whole(source, salts, out),
        false => current(source, salts, out),
    }
}

/// Writes the entries up to the point.
fn whole(source: &Source<'_>, salts: &mut dyn Salts, out: &mut dyn Write) -> Result<Exported> {
    let (mut entries, mut erased) = (0, Vec::new());
    let mut end = Position::START;
    let mut failed = None;
    source.reader.each_entry(&EntryQuestion::default(), source.point, |entry| {
        let copied = shown(source, entry, &mut erased).and_then(|entry| {
            (end.last_id, end.last_hash, end.last_date) = (entry.id, entry.hash, entry.date);
            entries += 1;
            put(out, entry.line() + "\n")
        });
        failed = copied.err();
        Ok(failed.is_none())
    })?;
    if let Some(e) = failed {
        return Err(e);
    }
    if !erased.is_empty() {
        // An erased line counts as damaged unless a later event states what replaces its text.
        let meta = to_raw_value(&Meta::of(&Session::direct(), Origin::User));
        let intent = Intent {
            after: end.last_id,
            branch: MAIN.to_owned(),
            meta: meta.map_err(|e| Error::Invalid(e.to_string()))?,
            reason: REASON.to_owned(),
            entries: erased,
            lines: Vec::new(),
        };
        let (drafts, mut lines) = (intent.drafts()?, Vec::new());
        entries += drafts.len();
        let mut encoder = Encoder::after(end);
        encoder.set_date(source.reader.now());
        encoder.encode_group(drafts, salts, &mut lines)?;
        put(out, lines)?;
    }
    Ok(Exported { entries, ..source.exported() })
}

/// Returns an entry as it is exported: without its text, if that is confidential and was not asked for.
fn shown(source: &Source<'_>, entry: Entry, erased: &mut Vec<Replaced>) -> Result<Entry> {
    let read = projection::project(&entry);
    let is_hidden = match read.creates.as_slice() {
        [created] => source.hides(read.sensitivity, created.form, &created.key),
        _ => read.sensitivity == Sensitivity::Confidential && !source.export.confidential,
    };
    let bare = match is_hidden && !entry.is_erased() {
        true => erase::without_text(source.reader, &entry)?,
        false => None,
    };
    let Some(bare) = bare else {
        source.count(read.creates.len());
        return Ok(entry);
    };
    source.leave_out(read.creates.len());
    erased.push(Replaced::new(&entry, bare.payload.clone(), bare.meta.clone())?);
    Ok(bare)
}

/// Writes the entries of a new tape.
fn current(source: &Source<'_>, salts: &mut dyn Salts, out: &mut dyn Write) -> Result<Exported> {
    let (mut encoder, mut lines) = (Encoder::after(Position::START), Vec::new());
    let (mut entries, mut zone_version) = (0, 0);
    let retracted = source.reader.retracted(source.point);
    let first = source.export.form;
    source.each(first, |memory| {
        let mut drafts = match memory.form {
            Form::MESSAGES => {
                let entry = source.reader.entry(memory.id.entry())?;
                extract::message(&entry, retracted.includes(entry.id)?)?
            }
            _ => extract::memory(&memory, &mut zone_version, source.reader.zone())?,
        };
        if entries == 0 {
            drafts.insert(0, session_start(&Meta::of(&Session::direct(), Origin::Import), MAIN)?);
        }
        entries += drafts.len();
        // A clock was behind: the entry states its time, as the one on the other tape did.
        if encoder.set_date(memory.created_at) > memory.created_at {
            drafts.iter_mut().for_each(|draft| draft.meta = with_clock(&draft.meta, memory.created_at));
        }
        lines.clear();
        encoder.encode_group(drafts, salts, &mut lines)?;
        put(out, &lines)
    })?;
    Ok(Exported { entries, ..source.exported() })
}
