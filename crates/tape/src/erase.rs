//! Erasure: removes the text of entries and keeps their place in the chain.
//!
//! All of this runs under the writer lock. The steps of an erasure:
//! - The caller writes an [`Intent`] to `erase.json`.
//! - It appends [`ERASE`] events, which state the digest of each replacement text.
//! - It rewrites the segments that hold the erased text ([`Intent::rewrite`]).
//! - It removes everything derived from the text, then the intent.
//!
//! Every step can be repeated, so any process that finds an intent can finish the erasure ([`finish`]).
//!
//! **Invariants.**
//! - An erased line keeps its id, kind, branch, date, `more`, `prev` and hash. It can still be verified, and
//!   no other line changes.
//! - The digest of the replacement text is the one in the last event that names the entry.
//! - An intent contains nothing of the erased text.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use crate::chain::{self, Hash};
use crate::codec;
use crate::entry::{Draft, Entry, EntryId, Kind, Seal};
use crate::error::{Error, Result};
use crate::reader::{Position, RawLine, Scanned, Segment, Segments};
use crate::recovery::{Floor, Recovered};
use crate::storage::{Durability, Storage};
use crate::writer::{Salts, Writer};

/// The name of the event that states the digests of the replacement texts:
/// `{"entries":[{"id","now"}],"reason"}`.
pub const ERASE: &str = "tape.erase";

/// The maximum number of entries that one event names.
const RECORDS_MAX: usize = 1000;

/// A statement of an erasure event about one erased line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ErasureRecord {
    /// The erased entry.
    pub id: EntryId,
    /// The digest of the text that is in its line now: [`Entry::current_digest`].
    pub now: Hash,
}

#[derive(Deserialize)]
struct Event {
    name: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    entries: Vec<ErasureRecord>,
}

/// Returns the erased lines that an [`ERASE`] event states; `None` for any other entry.
#[must_use]
pub fn erasure_records(entry: &Entry) -> Option<Vec<ErasureRecord>> {
    // Most entries are not erasure events. This check avoids parsing their payload.
    if entry.kind != Kind::Event || !entry.payload.get().contains(ERASE) {
        return None;
    }
    let event: Event = serde_json::from_str(entry.payload.get()).ok()?;
    (event.name == ERASE).then_some(event.data.entries)
}

/// The replacement for an entry's text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replaced {
    id: EntryId,
    /// The hash in the entry's line. A damaged line with the same id is a different line.
    hash: Hash,
    payload: Box<RawValue>,
    meta: Box<RawValue>,
}

impl Replaced {
    /// Creates the replacement for an entry's text from the literal JSON objects for its line.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if the resulting line could not be read back.
    pub fn new(entry: &Entry, payload: Box<RawValue>, meta: Box<RawValue>) -> Result<Self> {
        let replaced = Self { id: entry.id, hash: entry.hash, payload, meta };
        let mut line = replaced.line(entry.clone());
        line.pop();
        codec::decode(&line).map_err(Error::Unwritable)?;
        Ok(replaced)
    }

    fn line(&self, entry: Entry) -> Vec<u8> {
        let seal = Seal::Erased(entry.digest());
        let erased = Entry { payload: self.payload.clone(), meta: self.meta.clone(), seal, ..entry };
        let mut line = Vec::new();
        codec::encode(&erased, &mut line);
        line
    }

    /// Returns what an [`ERASE`] event states about the line.
    #[must_use]
    pub fn record(&self) -> ErasureRecord {
        ErasureRecord { id: self.id, now: chain::replacement_digest(self.payload.get(), self.meta.get()) }
    }
}

/// The replacement for a line that does not count because it is damaged or misplaced.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacedLine {
    /// The first entry of its segment.
    pub segment: EntryId,
    /// The line number, counted from 1.
    pub line: u64,
    /// The new bytes of the line, without a newline.
    #[serde(with = "bytes")]
    pub with: Vec<u8>,
}

/// Serializes bytes as hex digits, because a damaged line need not be valid text.
mod bytes {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        hex::decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The plan of an erasure, kept in `erase.json` until the erasure is complete.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// The last entry before the erasure events.
    pub after: EntryId,
    /// The branch of the erasure events.
    pub branch: String,
    /// The metadata of the erasure events.
    pub meta: Box<RawValue>,
    /// The reason for the erasure, as recorded in the events.
    pub reason: String,
    /// The entries whose text is erased.
    pub entries: Vec<Replaced>,
    /// The damaged and misplaced lines that are replaced.
    pub lines: Vec<ReplacedLine>,
}

impl Intent {
    /// Reads the intent of an interrupted erasure; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Intent`] if `erase.json` is malformed; [`Error::Io`] if it cannot be read.
    pub fn of(storage: &dyn Storage) -> Result<Option<Self>> {
        let Some(bytes) = storage.intent()? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|e| Error::Intent(e.to_string()))
    }

    /// Returns the erased form of this entry; `None` if the erasure does not change it.
    #[must_use]
    pub fn instead_of(&self, entry: &Entry) -> Option<Entry> {
        let replaced =
            self.entries.iter().find(|replaced| (replaced.id, replaced.hash) == (entry.id, entry.hash))?;
        let (payload, meta) = (replaced.payload.clone(), replaced.meta.clone());
        Some(Entry { payload, meta, seal: Seal::Erased(entry.digest()), ..entry.clone() })
    }

    /// Writes the intent to `erase.json`, durably and atomically.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Sync`] if the file cannot be written; [`Error::Poisoned`] after a failed
    /// sync.
    pub fn keep(&self, storage: &dyn Storage) -> Result<()> {
        let bytes = serde_json::to_vec(self).map_err(|e| Error::Unwritable(e.to_string()))?;
        storage.set_intent(Some(&bytes))
    }

    /// Returns the erasure events, to be appended as one group.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if `meta` is not a JSON object.
    pub fn drafts(&self) -> Result<Vec<Draft>> {
        let mut all: Vec<ErasureRecord> = self.entries.iter().map(Replaced::record).collect();
        // Name erased misplaced lines too: one may count once the line that hides it is removed.
        let named: HashSet<EntryId> = all.iter().map(|record| record.id).collect();
        let read = self.lines.iter().filter_map(|line| codec::decode(&line.with).ok());
        let erased = read.filter(|entry| entry.is_erased() && !named.contains(&entry.id));
        all.extend(erased.map(|entry| ErasureRecord { id: entry.id, now: entry.current_digest() }));
        let draft = |entries: &[ErasureRecord]| {
            let payload = json!({"name": ERASE, "data": {"entries": entries, "reason": self.reason}});
            Draft::new(Kind::Event, &payload, &self.meta, &self.branch)
        };
        match all.is_empty() {
            // An erasure that changes only damaged lines is recorded too.
            true => Ok(vec![draft(&[])?]),
            false => all.chunks(RECORDS_MAX).map(draft).collect(),
        }
    }

    /// Rewrites the segments that hold erased text.
    ///
    /// The active segment is always rewritten, and last: a reader that still finds the same file under its
    /// name has read nothing that was erased meanwhile. The tape must not have a torn tail.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Sync`] if a segment cannot be read or replaced; [`Error::Poisoned`] after a
    /// failed sync.
    pub fn rewrite(&self, storage: &Arc<dyn Storage>) -> Result<()> {
        let entries: Entries<'_> = self.entries.iter().map(|entry| (entry.id, entry)).collect();
        let lines: Lines<'_> = self.lines.iter().map(|line| ((line.segment, line.line), line)).collect();
        for segment in Segments::open(storage)?.list {
            let is_named = segment.archived.is_none_or(|archived| {
                let of_segment = (segment.first, 0)..=(segment.first, u64::MAX);
                entries.range(archived.first..=archived.last).next().is_some()
                    || lines.range(of_segment).next().is_some()
            });
            if is_named || has_any(storage.as_ref(), &segment, &entries)? {
                rewrite(storage.as_ref(), &segment, &entries, &lines)?;
            }
        }
        Ok(())
    }
}

/// The replaced entries, by id.
type Entries<'a> = BTreeMap<EntryId, &'a Replaced>;

/// The replaced damaged and misplaced lines, by segment and line number.
type Lines<'a> = BTreeMap<(EntryId, u64), &'a ReplacedLine>;

/// Returns whether a segment has a copy of an entry's line, wherever that belongs.
fn has_any(storage: &dyn Storage, segment: &Segment, entries: &Entries<'_>) -> Result<bool> {
    let Some(blob) = segment.open(storage)? else { return Ok(false) };
    let mut is_any = false;
    segment.each_line(blob.as_ref(), |line: RawLine<'_>| {
        is_any |= replacement(line.bytes, entries).is_some();
        Ok::<(), Error>(())
    })?;
    Ok(is_any)
}

fn rewrite(storage: &dyn Storage, segment: &Segment, entries: &Entries<'_>, lines: &Lines<'_>) -> Result<()> {
    let Some(blob) = segment.open(storage)? else { return Ok(()) };
    let name = segment.archived.map_or_else(|| "tape.jsonl".into(), |archived| archived.file_name());
    storage.replace(segment.archived.as_ref(), &mut |out: &mut dyn io::Write| {
        segment.each_line(blob.as_ref(), |line: RawLine<'_>| {
            let written = match lines.get(&(line.segment, line.number)) {
                Some(replaced) => out.write_all(&replaced.with),
                None => match replacement(line.bytes, entries) {
                    Some(erased) => out.write_all(erased.strip_suffix(b"\n").unwrap_or(&erased)),
                    None => out.write_all(line.bytes),
                },
            };
            let ended = written.and_then(|()| if line.ended { out.write_all(b"\n") } else { Ok(()) });
            ended.map_err(|e| Error::io("write", name.as_str(), e))
        })
    })
}

/// Returns the erased form of a line; `None` if the erasure does not change it. A misplaced copy of an
/// entry's line is erased too.
fn replacement(line: &[u8], entries: &Entries<'_>) -> Option<Vec<u8>> {
    let replaced = entries.get(&codec::id_of(line)?)?;
    let entry = codec::decode(line).ok()?;
    (entry.hash == replaced.hash).then(|| replaced.line(entry))
}

/// Removes the lines after an entry from the active segment, and returns what they stated, if all of them are
/// [`ERASE`] events; otherwise, or if the entry is not in the active segment, changes nothing and returns `None`.
///
/// Such lines end an export of a part of a tape, or an import in which secrets were redacted: they belong to no other
/// copy of the tape, so they are in the way of its next entries. The caller must then remove everything that was
/// derived from the lines, and state again what no later event states.
///
/// # Errors
/// [`Error::Io`] or [`Error::Sync`] if the segment cannot be read or replaced; [`Error::Poisoned`] after a failed
/// sync.
pub fn withdraw(storage: &Arc<dyn Storage>, last: EntryId) -> Result<Option<Vec<ErasureRecord>>> {
    let segments = Segments::open(storage)?;
    let Some(segment) = segments.list.last() else { return Ok(None) };
    let Some(blob) = segment.open(storage.as_ref())? else { return Ok(None) };
    let (mut kept, mut is_after, mut is_refused, mut stated) = (0, false, false, Vec::new());
    segment.each_line(blob.as_ref(), |line: RawLine<'_>| {
        if !is_after {
            is_after = codec::id_of(line.bytes) == Some(last);
            kept = line.number;
            return Ok::<(), Error>(());
        }
        match codec::decode(line.bytes)
            .ok()
            .filter(|entry| entry.id > last)
            .as_ref()
            .and_then(erasure_records)
        {
            Some(records) => stated.extend(records),
            None => is_refused = true,
        }
        Ok(())
    })?;
    if !is_after || is_refused || stated.is_empty() {
        return Ok(None);
    }
    storage.replace(None, &mut |out: &mut dyn io::Write| {
        segment.each_line(blob.as_ref(), |line: RawLine<'_>| {
            let written = match line.number <= kept {
                true => out.write_all(line.bytes).and_then(|()| out.write_all(b"\n")),
                false => Ok(()),
            };
            written.map_err(|e| Error::io("write", "tape.jsonl", e))
        })
    })?;
    Ok(Some(stated))
}

/// Finishes an interrupted erasure, up to and including the rewrite of the segments.
///
/// The caller must then remove everything derived from the erased text, and the intent. Returns the intent
/// and the result of the recovery of the tape's end, or `None` if no erasure was interrupted.
///
/// # Errors
/// [`Error::Intent`] if `erase.json` is malformed; [`Error::Io`], [`Error::Sync`] or [`Error::Poisoned`] if
/// the tape cannot be read or written; [`Error::Unwritable`] if the intent's metadata is not a JSON object.
pub fn finish(
    storage: &Arc<dyn Storage>,
    floor: Floor,
    now: Timestamp,
    salts: &mut dyn Salts,
) -> Result<Option<(Intent, Option<Recovered>)>> {
    let Some(intent) = Intent::of(storage.as_ref())? else { return Ok(None) };
    let (mut events, mut said) = (false, HashSet::new());
    let tail = Segments::open(storage)?.scan(Position::START).run(|scanned| {
        if let Scanned::Group(group) = scanned {
            for entry in group.entries.iter().map(|located| &located.entry).filter(|e| e.id > intent.after) {
                if let Some(records) = erasure_records(entry) {
                    events = true;
                    said.extend(records);
                }
            }
        }
        Ok::<(), Error>(())
    })?;
    let is_said = events && intent.entries.iter().all(|entry| said.contains(&entry.record()));
    // The segments may be rewritten already; the offset of the floor is then no longer valid.
    let floor = if is_said { Floor::default() } else { floor };
    let (mut writer, recovered) = Writer::new(storage, tail, floor, Durability::Sync)?;
    if !is_said {
        writer.append(intent.drafts()?, now, salts)?;
    }
    intent.rewrite(storage)?;
    Ok(Some((intent, recovered)))
}
