//! Imports an export of another workspace, or its tape.
//!
//! **Invariants.** An import is the same tape again: the same entries, ids, dates and branches, so every point
//! shows what it showed in the source. It extends only an empty workspace, or one with the beginning of the same
//! tape, so it can be repeated and continued. A secret in it is redacted before the entry is written, as an erasure
//! redacts it.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, BufRead};

use memtape_core::{Decision, Hint, MAIN, Meta, Origin, Session, guard};
use memtape_store::{Copied, erase};
use memtape_tape::{Entry, EntryId, Hash, Intent, Kind, Position, Replaced, codec};
use serde_json::value::to_raw_value;

use crate::error::{Error, Result};
use crate::ingest::read_line;
use crate::safety::redacted;
use crate::workspace::Workspace;

/// Maximum length of a line, in bytes. The largest entry that memtape writes is a file that a person edited, of 16 MiB at
/// most, whose characters may take six bytes each.
const LINE_BYTES_MAX: usize = 128 << 20;
/// Maximum length of the lines of a group, in bytes: it is kept in memory until it is complete.
const GROUP_BYTES_MAX: usize = 512 << 20;
/// The reason that is recorded with the secrets that an import redacts.
const REASON: &str = "secrets were found in an import";

/// The reason that is recorded with texts that an earlier import lacked, and that this one has.
const REASON_AGAIN: &str = "left out of an earlier import";

/// The result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Number of entries that were added.
    pub added: u64,
    /// Number of entries that were there already.
    pub present: u64,
    /// Number of those whose text was erased here, or left out of an earlier import. It stays so.
    pub erased: u64,
    /// Number of entries in which secrets were redacted.
    pub redacted: usize,
    /// Number of messages among the entries, those that were there already included.
    pub messages: usize,
}

/// Returns whether the first line of a text is one of a tape.
///
/// # Errors
/// [`io::Error`] if the input cannot be read.
pub fn is_tape(mut input: impl BufRead) -> io::Result<bool> {
    let mut line = Vec::new();
    let is_whole = read_line(&mut input, &mut line, LINE_BYTES_MAX)?;
    Ok(is_whole == Some(true) && codec::decode(&line).is_ok())
}

impl Workspace {
    /// Imports a tape: an export in the format [`Jsonl`](crate::export::Format::Jsonl), or the `tape.jsonl` of
    /// another workspace.
    ///
    /// The workspace must be empty, or have the beginning of the same tape. `progress` is called with the number
    /// of lines that were read.
    ///
    /// # Errors
    /// - [`Error::Invalid`] if a line is not a line of a tape, or not the one that follows the line before it, or if the
    ///   tape ends in the middle of a group. What is before it is imported.
    /// - [`Error::Store`] of kind `Conflict` if the workspace has memories of its own, or has a text that the
    ///   tape has erased; of kind `Busy` if another process holds the writer lock for longer than
    ///   [`Config::lock_wait`](crate::Config::lock_wait); otherwise if the tape or the index cannot be written.
    /// - [`Error::Input`] if the input cannot be read.
    pub fn import_tape(&self, input: impl BufRead, progress: impl FnMut(u64)) -> Result<Imported> {
        self.import_lines(input, progress, false)
    }

    /// Imports a tape as [`Workspace::import_tape`] does, also where entries are missing, as in the export of a workspace
    /// whose tape is damaged.
    ///
    /// # Errors
    /// As [`Workspace::import_tape`].
    pub fn import_tape_with_gaps(&self, input: impl BufRead, progress: impl FnMut(u64)) -> Result<Imported> {
        self.import_lines(input, progress, true)
    }

    fn import_lines(
        &self,
        input: impl BufRead,
        progress: impl FnMut(u64),
        allows_gaps: bool,
    ) -> Result<Imported> {
        self.follow_files()?;
        let mut lines = TapeLines {
            input,
            progress,
            allows_gaps,
            line: Vec::new(),
            number: 0,
            last: (Position::START.last_id, Position::START.last_hash),
            is_gap: false,
            next: None,
        };
        let (mut is_any, mut messages) = (false, 0);
        let (mut kinds, mut replaced) = (BTreeSet::new(), Vec::new());
        let copied = self.store.copy(|| -> Result<_> {
            let Some(group) = lines.group()? else { return Ok(None) };
            is_any = true;
            messages += group.iter().filter(|entry| entry.kind == Kind::Message).count();
            let clean = |entry| without_secrets(entry, &mut kinds, &mut replaced);
            group.into_iter().map(clean).collect::<Result<Vec<_>>>().map(Some)
        });
        let is_refused = matches!(
            &copied,
            Err(Error::Store(
                memtape_store::Error::OtherTape { .. } | memtape_store::Error::ErasedInSource { .. }
            ))
        );
        // What was not copied is not on this tape, and an import that is refused changes nothing.
        let unrecorded = if is_refused { Vec::new() } else { self.store.unrecorded_erasures()? };
        let own: HashSet<EntryId> = replaced.iter().map(|replaced| replaced.record().id).collect();
        let (secrets, others): (Vec<_>, Vec<_>) = unrecorded.into_iter().partition(|id| own.contains(id));
        let has_redacted = copied.is_ok() || !secrets.is_empty();
        self.state_redactions(&secrets, REASON)?;
        self.state_redactions(&others, REASON_AGAIN)?;
        if has_redacted && !kinds.is_empty() {
            self.store.note(redacted(kinds));
        }
        self.follow_files()?;
        let copied = copied.map_err(|e| match e {
            Error::Invalid(why) if is_any => Error::Invalid(format!("{why}; what is before it is imported")),
            other => other,
        });
        let copied = copied.map_err(|e| match lines.is_gap {
            true => e.with_hint(Hint::AllowGaps),
            false => e,
        })?;
        if copied.added + copied.present == 0 {
            return Err(Error::Invalid("the import has no entry".into()));
        }
        let Copied { added, present, erased } = copied;
        Ok(Imported { added, present, erased, redacted: replaced.len(), messages })
    }

    /// Appends the events that state the text of erased lines as it is now.
    fn state_redactions(&self, ids: &[EntryId], reason: &str) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let author = self.author(&Session::direct(), Origin::Import);
        let meta = to_raw_value(&Meta::of(&Session::direct(), Origin::Import));
        let meta = meta.map_err(|e| Error::Invalid(e.to_string()))?;
        self.write(&author, |reader, point, _| {
            let mut entries = Vec::new();
            for id in ids {
                let entry = reader.entry(*id)?;
                entries.push(Replaced::new(&entry, entry.payload.clone(), entry.meta.clone())?);
            }
            let (after, branch, reason) = (point.entry(), MAIN.to_owned(), reason.to_owned());
            let intent = Intent { after, branch, meta: meta.clone(), reason, entries, lines: Vec::new() };
            Ok(Decision { drafts: intent.drafts()?, outcome: () })
        })?;
        Ok(())
    }
}

/// Returns an entry with its secrets redacted, and reports their kinds.
fn without_secrets(
    entry: Entry,
    kinds: &mut BTreeSet<&'static str>,
    replaced: &mut Vec<Replaced>,
) -> Result<Entry> {
    let (payload, meta) = (entry.payload.get(), entry.meta.get());
    let mut report = |kind| {
        kinds.insert(kind);
    };
    let clean_payload = guard::redacted_payload(&entry.kind, payload, &mut report);
    let clean_meta = guard::redacted_meta(meta, &mut report);
    if clean_payload.is_none() && clean_meta.is_none() {
        return Ok(entry);
    }
    let payload = clean_payload.unwrap_or_else(|| entry.payload.clone());
    let meta = clean_meta.unwrap_or_else(|| entry.meta.clone());
    replaced.push(Replaced::new(&entry, payload.clone(), meta.clone())?);
    Ok(erase::with_text(&entry, payload, meta))
}

/// The lines of a tape, read group by group.
struct TapeLines<R, P> {
    input: R,
    progress: P,
    /// Whether entries may be missing.
    allows_gaps: bool,
    line: Vec<u8>,
    /// The number of the last line that was read.
    number: u64,
    /// The id and the hash of the last entry that was read.
    last: (EntryId, Hash),
    /// Whether the import has stopped because entries are missing.
    is_gap: bool,
    /// The first entry of the next group.
    next: Option<Entry>,
}

impl<R: BufRead, P: FnMut(u64)> TapeLines<R, P> {
    /// Returns the entries of the next group; `None` at the end.
    fn group(&mut self) -> Result<Option<Vec<Entry>>> {
        let Some(first) = self.entry()? else { return Ok(None) };
        let end = first.id + u64::from(first.more);
        let mut group = vec![first];
        let mut bytes = self.line.len();
        while group.last().is_some_and(|last| last.more > 0) {
            match self.entry()? {
                Some(entry) if entry.id + u64::from(entry.more) == end => {
                    bytes += self.line.len();
                    if bytes > GROUP_BYTES_MAX {
                        return Err(Error::Invalid(format!(
                            "the group of line {} is longer than {GROUP_BYTES_MAX} bytes",
                            self.number
                        )));
                    }
                    group.push(entry);
                }
                // Where the source is damaged, the rest of a group may be missing.
                Some(entry) => {
                    self.next = Some(entry);
                    break;
                }
                None => {
                    return Err(Error::Invalid(format!(
                        "the import is cut off: the group of line {} is not complete",
                        self.number
                    )));
                }
            }
        }
        Ok(Some(group))
    }

    fn entry(&mut self) -> Result<Option<Entry>> {
        if let Some(entry) = self.next.take() {
            return Ok(Some(entry));
        }
        let is_whole = read_line(&mut self.input, &mut self.line, LINE_BYTES_MAX).map_err(Error::Input)?;
        let Some(is_whole) = is_whole else { return Ok(None) };
        self.number += 1;
        (self.progress)(self.number);
        let entry = match is_whole {
            true => codec::decode(&self.line),
            false => Err(format!("it is longer than {LINE_BYTES_MAX} bytes")),
        };
        let entry = entry.map_err(|why| {
            let e = Error::Invalid(format!("line {} is not a line of a tape: {why}", self.number));
            // A tape that is damaged later is one.
            if self.number == 1 { e.with_hint(Hint::ImportTape) } else { e }
        })?;
        self.check_follows(&entry)?;
        self.last = (entry.id, entry.hash);
        Ok(Some(entry))
    }

    /// Checks that an entry follows the one before it.
    fn check_follows(&mut self, entry: &Entry) -> Result<()> {
        let (number, id, (last, last_hash)) = (self.number, entry.id, self.last);
        let why = if id <= last {
            format!("line {number} is entry {id} again")
        } else if id > last + 1 {
            if self.allows_gaps {
                return Ok(());
            }
            self.is_gap = true;
            let missing = match (last + 1, id - 1) {
                (one, end) if one == end => format!("entry {one} is missing"),
                (first, end) => format!("entries {first} to {end} are missing"),
            };
            format!("{missing} before line {number}")
        } else if entry.prev != last_hash {
            format!("line {number} is not the one that was written after entry {last}")
        } else {
            return Ok(());
        };
        Err(Error::Invalid(why))
    }
}
