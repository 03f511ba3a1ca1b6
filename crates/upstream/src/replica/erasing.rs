//! Erasures by other machines.
//!
//! An erasure is recorded by events on the tape, which state the digests of the new lines. Before such an event is
//! appended to the replica, the new lines are fetched, and written to `erase.json`: whoever then takes the writer
//! lock finishes the erasure, as after an interruption. So an answer that knows of the event has none of the text.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::{Entry, EntryId, Hash, Intent, Replaced, ReplacedLine, Seal, Segments, codec};
use serde_json::value::RawValue;

use super::{Failure, Head, Replica, Result};
use crate::fetched::Lines;

impl Replica {
    /// Replaces the lines that the events among the fetched ones have erased: those that were fetched too, and, with
    /// an intent, those that the replica has. `named` has the digests of the new lines.
    pub(super) fn replace_erased(
        &self,
        head: Head,
        fetched: &mut Vec<u8>,
        named: &BTreeMap<EntryId, Hash>,
    ) -> Result<(), Failure> {
        if named.is_empty() {
            return Ok(());
        }
        let is_stale = |line: &[u8]| -> Option<Entry> {
            let now = named.get(&codec::id_of(line)?)?;
            codec::decode(line).ok().filter(|entry| entry.current_digest() != *now)
        };
        let fetched_stale: Vec<EntryId> =
            fetched.split(|byte| *byte == b'\n').filter_map(is_stale).map(|entry| entry.id).collect();
        let mut held: BTreeMap<EntryId, Entry> = BTreeMap::new();
        // A damaged line does not count, but may have the text. Segment and number of each.
        let mut damaged_lines: BTreeMap<EntryId, Vec<(EntryId, u64)>> = BTreeMap::new();
        if named.keys().any(|id| *id <= head.id) {
            Segments::open(&self.local)?.each_line(|line| {
                match codec::id_of(line.bytes).filter(|id| named.contains_key(id)) {
                    Some(id) if codec::decode(line.bytes).is_err() => {
                        damaged_lines.entry(id).or_default().push((line.segment, line.number));
                    }
                    _ => held.extend(is_stale(line.bytes).map(|entry| (entry.id, without_text(entry)))),
                }
                Ok::<(), memtape_tape::Error>(())
            })?;
        }
        let ids: BTreeSet<EntryId> =
            held.keys().chain(damaged_lines.keys()).copied().chain(fetched_stale).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let current = self.upstream.lines(&ids.into_iter().collect::<Vec<_>>())?;
        let (mut replaced, mut repaired, mut lines) = (Vec::new(), Vec::new(), BTreeMap::new());
        for line in Lines::of(&current) {
            let (id, line) = line?;
            let damaged = |why: String| crate::Error::Damaged { why };
            let with = line.strip_suffix(b"\n").unwrap_or(line);
            let new = codec::decode(with).map_err(damaged)?;
            for (segment, line) in damaged_lines.remove(&id).unwrap_or_default() {
                repaired.push(ReplacedLine { segment, line, with: with.to_vec() });
            }
            match held.get(&id) {
                Some(old) if old.hash == new.hash => {
                    replaced.push(Replaced::new(old, new.payload, new.meta)?);
                }
                Some(_) => return Err(damaged(format!("entry {id} is another one")).into()),
                None => drop(lines.insert(id, line)),
            }
        }
        replace_lines(fetched, &lines);
        self.add_to_intent(head, replaced, repaired)
    }

    /// Adds replacements to the intent of an erasure.
    fn add_to_intent(
        &self,
        head: Head,
        replaced: Vec<Replaced>,
        repaired: Vec<ReplacedLine>,
    ) -> Result<(), Failure> {
        if replaced.is_empty() && repaired.is_empty() {
            return Ok(());
        }
        let mut intent = Intent::of(self.local.as_ref())?.unwrap_or_else(|| Intent {
            after: head.id,
            branch: String::new(),
            meta: RawValue::NULL.to_owned(),
            reason: String::new(),
            entries: Vec::new(),
            lines: Vec::new(),
        });
        intent.entries.extend(replaced);
        intent.lines.extend(repaired);
        Ok(intent.keep(self.local.as_ref())?)
    }
}

/// Returns an entry with the digest of its text only, which is all that a replacement needs.
fn without_text(entry: Entry) -> Entry {
    let seal = Seal::Erased(entry.digest());
    Entry { payload: RawValue::NULL.to_owned(), meta: RawValue::NULL.to_owned(), seal, ..entry }
}

/// Replaces the lines of some entries.
fn replace_lines(lines: &mut Vec<u8>, new: &BTreeMap<EntryId, &[u8]>) {
    if new.is_empty() {
        return;
    }
    let mut all = Vec::with_capacity(lines.len());
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        let replaced = codec::id_of(line).and_then(|id| new.get(&id).copied());
        all.extend_from_slice(replaced.unwrap_or(line));
    }
    *lines = all;
}
