//! Erasing: what an entry said goes, its place in the chain stays.
//!
//! *Writes* `erase.json`, an event [`ERASE`], and each segment anew that holds what is erased; all under the lock.
//!
//! An erasure has these steps: it keeps an [`Intent`]; it appends events that say what will stand where; it writes the
//! segments anew ([`Intent::rewrite`]); its caller removes what was derived from the text; the intent goes. Each step
//! can be done again, so whoever finds an intent finishes it ([`finish`]).
//!
//! **Invariants.** An erased line keeps its id, kind, branch, date, `more` and hash, so every other line is chained as
//! before. What stands in it is what the last event that names it vouches for. An intent holds nothing of the text
//! that goes.

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

/// The event that vouches for what stands in erased lines: `{"entries":[{"id","now"}],"reason"}`.
pub const ERASE: &str = "tape.erase";

/// How many lines one event vouches for.
const VOUCHED_MAX: usize = 1000;

/// What an event says of an erased line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Vouched {
    /// The entry.
    pub id: EntryId,
    /// The digest of what stands in its line now: [`Entry::standing`].
    pub now: Hash,
}

#[derive(Deserialize)]
struct Event {
    name: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    entries: Vec<Vouched>,
}

/// What an entry vouches for; `None` where it is no event of an erasure.
#[must_use]
pub fn vouched(entry: &Entry) -> Option<Vec<Vouched>> {
    // Most entries are something else, and need not be read for that.
    if entry.kind != Kind::Event || !entry.payload.get().contains(ERASE) {
        return None;
    }
    let event: Event = serde_json::from_str(entry.payload.get()).ok()?;
    (event.name == ERASE).then_some(event.data.entries)
}

/// What stands in the place of an entry's text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replaced {
    id: EntryId,
    /// The hash that its line states: a damaged line with the same number is another one.
    hash: Hash,
    payload: Box<RawValue>,
    meta: Box<RawValue>,
}

impl Replaced {
    /// Another text for an entry: the literal JSON objects of its line.
    ///
    /// # Errors
    /// [`Error::Unwritable`] where its line could not be read back.
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

    fn vouched(&self) -> Vouched {
        Vouched { id: self.id, now: chain::standing(self.payload.get(), self.meta.get()) }
    }
}

/// What stands in the place of a line that is no entry, because it is damaged.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplacedLine {
    /// The first entry of its segment.
    pub segment: EntryId,
    /// The line, counted from 1.
    pub line: u64,
    /// Its bytes, without a newline.
    #[serde(with = "bytes")]
    pub with: Vec<u8>,
}

/// Bytes as hex digits: a damaged line need not be a text.
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

/// What an erasure is about to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// The last entry before the events that vouch.
    pub after: EntryId,
    /// The branch of these events.
    pub branch: String,
    /// Their meta.
    pub meta: Box<RawValue>,
    /// Why, in the words of who erases.
    pub reason: String,
    /// The entries that lose their text.
    pub entries: Vec<Replaced>,
    /// The damaged lines that lose theirs.
    pub lines: Vec<ReplacedLine>,
}

impl Intent {
    /// The intent that a medium holds; `None` where nothing is left to do.
    ///
    /// # Errors
    /// [`Error::Intent`] where it cannot be read, or what the medium says.
    pub fn of(storage: &dyn Storage) -> Result<Option<Self>> {
        let Some(bytes) = storage.intent()? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|e| Error::Intent(e.to_string()))
    }

    /// What is to stand in an entry's line instead of it; `None` for one that stays as it is.
    #[must_use]
    pub fn instead_of(&self, entry: &Entry) -> Option<Entry> {
        let replaced =
            self.entries.iter().find(|replaced| (replaced.id, replaced.hash) == (entry.id, entry.hash))?;
        let (payload, meta) = (replaced.payload.clone(), replaced.meta.clone());
        Some(Entry { payload, meta, seal: Seal::Erased(entry.digest()), ..entry.clone() })
    }

    /// Keeps it on the medium.
    ///
    /// # Errors
    /// What the medium says.
    pub fn keep(&self, storage: &dyn Storage) -> Result<()> {
        let bytes = serde_json::to_vec(self).map_err(|e| Error::Unwritable(e.to_string()))?;
        storage.set_intent(Some(&bytes))
    }

    /// The events that vouch for what will stand in the lines, in one group.
    ///
    /// # Errors
    /// None that an intent can cause.
    pub fn drafts(&self) -> Result<Vec<Draft>> {
        let mut all: Vec<Vouched> = self.entries.iter().map(Replaced::vouched).collect();
        // On a damaged tape a line that no index knows as an entry may still read as one, and be verified as one.
        let named: HashSet<EntryId> = all.iter().map(|vouched| vouched.id).collect();
        let read = self.lines.iter().filter_map(|line| codec::decode(&line.with).ok()).map(|line| line.entry);
        let erased = read.filter(|entry| entry.is_erased() && !named.contains(&entry.id));
        all.extend(erased.map(|entry| Vouched { id: entry.id, now: entry.standing() }));
        let draft = |entries: &[Vouched]| {
            let payload = json!({"name": ERASE, "data": {"entries": entries, "reason": self.reason}});
            Draft::new(Kind::Event, &payload, &self.meta, &self.branch)
        };
        match all.is_empty() {
            // That damaged lines lost their text is worth an event, too.
            true => Ok(vec![draft(&[])?]),
            false => all.chunks(VOUCHED_MAX).map(draft).collect(),
        }
    }

    /// Writes the segments anew that hold what is erased; the active one always, and last, so that a reader that
    /// finds the same file there has read nothing that is erased since. The tape must have no torn tail.
    ///
    /// # Errors
    /// What the medium says.
    pub fn rewrite(&self, storage: &Arc<dyn Storage>) -> Result<()> {
        let entries: Entries<'_> = self.entries.iter().map(|entry| (entry.id, entry)).collect();
        let lines: Lines<'_> = self.lines.iter().map(|line| ((line.segment, line.line), line)).collect();
        for segment in Segments::open(storage)?.list {
            let concerned = segment.archived.is_none_or(|archived| {
                let of_segment = (segment.first, 0)..=(segment.first, u64::MAX);
                entries.range(archived.first..=archived.last).next().is_some()
                    || lines.range(of_segment).next().is_some()
            });
            if concerned {
                rewrite(storage.as_ref(), &segment, &entries, &lines)?;
            }
        }
        Ok(())
    }
}

/// What is erased, by its number.
type Entries<'a> = BTreeMap<EntryId, &'a Replaced>;

/// The damaged lines that lose their text, by segment and line.
type Lines<'a> = BTreeMap<(EntryId, u64), &'a ReplacedLine>;

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

/// The line that stands in the place of this one; `None` where it stays as it is. An exact copy of an entry's line,
/// which is damage, loses its text too.
fn replacement(line: &[u8], entries: &Entries<'_>) -> Option<Vec<u8>> {
    let replaced = entries.get(&codec::id_of(line)?)?;
    let entry = codec::decode(line).ok()?.entry;
    (entry.hash == replaced.hash).then(|| replaced.line(entry))
}

/// Goes on with an erasure that was interrupted, up to the rewritten segments: what was derived from the text, and the
/// intent, are then left to remove. Gives what was done to the tape's end; `None` where there is nothing to finish.
///
/// # Errors
/// [`Error::Intent`], or what the medium says.
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
                if let Some(vouched) = vouched(entry) {
                    events = true;
                    said.extend(vouched);
                }
            }
        }
        Ok::<(), Error>(())
    })?;
    let is_said = events && intent.entries.iter().all(|entry| said.contains(&entry.vouched()));
    // Once segments were written anew, offsets in them are no longer what they were.
    let floor = if is_said { Floor::default() } else { floor };
    let (mut writer, recovered) = Writer::new(storage, tail, floor, Durability::Sync)?;
    if !is_said {
        writer.append(intent.drafts()?, now, salts)?;
    }
    intent.rewrite(storage)?;
    Ok(Some((intent, recovered)))
}
