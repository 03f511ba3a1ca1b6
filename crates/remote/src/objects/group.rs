//! Groups of entries as objects.
//!
//! The object of an append has its lines and, after them, the lines that replace erased ones: those have lower ids
//! than its first line. So an append with an erasure is one object, which exists or does not.

use std::collections::BTreeMap;

use memtape_tape::{EntryId, Hash, codec};
use memtape_upstream::{Error, Head, Lines, Result};

/// The folder of groups.
pub(super) const GROUPS: &str = "groups";

/// The lines of entries, by id.
pub(super) type LinesById = BTreeMap<EntryId, Vec<u8>>;

/// One append: whole groups.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Its first entry.
    pub(super) first: EntryId,
    /// The hash of the entry before.
    pub(super) prev: Hash,
    /// Its last entry.
    pub(super) end: Head,
    /// Its lines.
    pub(super) lines: Vec<u8>,
    /// The lines that it replaces.
    pub(super) erased: Vec<u8>,
}

impl Group {
    /// Creates the group of an append.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the lines are not entries with consecutive ids.
    pub(super) fn new(lines: &[u8], erased: &[u8]) -> Result<Self> {
        let mut each = Lines::of(lines);
        let (first, line) = each.next().ok_or_else(|| damaged("an append has no lines"))??;
        let (mut last, mut last_line) = (first, line);
        for line in each {
            (last, last_line) = match line? {
                (id, line) if id == last + 1 => (id, line),
                _ => return Err(damaged(&format!("the lines after entry {last} are not consecutive"))),
            };
        }
        for line in Lines::of(erased) {
            if line?.0 >= first {
                return Err(damaged("an erased line is not an earlier one"));
            }
        }
        let end = decode(last_line)?;
        if end.more != 0 {
            return Err(damaged(&format!("the group of entry {last} is incomplete")));
        }
        let end = Head { id: last, hash: end.hash };
        Ok(Self { first, prev: decode(line)?.prev, end, lines: lines.to_vec(), erased: erased.to_vec() })
    }

    /// Reads the object of a group.
    ///
    /// # Errors
    /// [`Error::Damaged`], with the key, if it is not the object of a group that begins with the entry `first`.
    pub(super) fn parse(first: EntryId, bytes: &[u8]) -> Result<Self> {
        Self::read(first, bytes).map_err(|e| in_object(&key(first), e))
    }

    fn read(first: EntryId, bytes: &[u8]) -> Result<Self> {
        let mut len = 0;
        for line in Lines::of(bytes) {
            match line? {
                (id, line) if id >= first => len += line.len(),
                _ => break,
            }
        }
        let (lines, erased) = bytes.split_at(len);
        let group = Self::new(lines, erased)?;
        match group.first == first {
            true => Ok(group),
            false => Err(damaged(&format!("the group of entry {first} begins with another"))),
        }
    }

    pub(super) fn key(&self) -> String {
        key(self.first)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        [&self.lines[..], &self.erased].concat()
    }

    /// Returns the size of its lines.
    pub(super) fn bytes(&self) -> u64 {
        self.lines.len() as u64
    }
}

/// Returns the key of the group that begins with an entry.
pub(super) fn key(first: EntryId) -> String {
    format!("{GROUPS}/{}.jsonl", name(first))
}

/// Returns the name before which the groups below an entry sort, and after which the others do.
pub(super) fn name(first: EntryId) -> String {
    format!("{first:020}")
}

/// Returns the first entry of the group of a key.
pub(super) fn first_of(key: &str) -> Option<EntryId> {
    key.strip_prefix(GROUPS)?.strip_prefix('/')?.strip_suffix(".jsonl")?.parse().ok()
}

/// Returns lines with others in the place of those of the same ids; `None` if that changes nothing.
pub(super) fn replaced(lines: &[u8], with: &LinesById) -> Result<Option<Vec<u8>>> {
    let mut changed = false;
    let mut all = Vec::with_capacity(lines.len());
    for line in Lines::of(lines) {
        let (id, line) = line?;
        let new = with.get(&id).map_or(line, Vec::as_slice);
        changed |= new != line;
        all.extend_from_slice(new);
    }
    Ok(changed.then_some(all))
}

/// Returns the lines by their ids.
pub(super) fn by_id(lines: &[u8]) -> Result<LinesById> {
    Lines::of(lines).map(|line| line.map(|(id, line)| (id, line.to_vec()))).collect()
}

/// Decodes a line, which ends in a newline.
pub(super) fn decode(line: &[u8]) -> Result<memtape_tape::Entry> {
    codec::decode(line.strip_suffix(b"\n").unwrap_or(line)).map_err(|why| Error::Damaged { why })
}

/// Returns an error with the key of the object that is damaged.
pub(super) fn in_object(key: &str, e: Error) -> Error {
    match e {
        Error::Damaged { why } => Error::Damaged { why: format!("{key}: {why}") },
        other => other,
    }
}

pub(super) fn damaged(why: &str) -> Error {
    Error::Damaged { why: why.to_owned() }
}
