//! The contract of an upstream.

use memtape_tape::{EntryId, Hash, codec};

use crate::error::{Error, Result};

/// The last entry of a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its id; 0 if the tape is empty.
    pub id: EntryId,
    /// Its hash; [`Hash::ZERO`] if the tape is empty.
    pub hash: Hash,
}

impl Head {
    /// The head of an empty tape.
    pub const EMPTY: Self = Self { id: 0, hash: Hash::ZERO };
}

/// What [`Upstream::append`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The lines are on the upstream's tape, durably.
    Done,
    /// Nothing was appended: the upstream's last entry is another one.
    Moved,
}

/// What [`Upstream::fetch`] returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Whole groups, in order; each line ends in a newline. Empty if nothing follows.
    pub lines: Vec<u8>,
    /// The head of the upstream when it answered.
    pub head: Head,
}

/// A shared tape.
///
/// Lines have the encoding of a tape file. The entries of an upstream have consecutive ids from 1 on.
///
/// # Errors
/// Of every operation: [`Error::NoTape`] if the upstream has no tape of this name; [`Error::Incomplete`] if another
/// connection has begun it and not completed it; [`Error::Unreachable`] if the
/// request cannot have had any effect; [`Error::Unknown`] if it may have had one; [`Error::Refused`] if the upstream
/// rejects the request; [`Error::Damaged`] if what it stores cannot be what was written.
pub trait Upstream: Send + Sync {
    /// Returns the address without credentials.
    fn label(&self) -> &str;

    /// Creates an empty tape, if there is none, and prepares the system for it. Returns whether it created one.
    fn create(&self) -> Result<bool>;

    /// Creates an empty tape, if there is none, that only this connection uses until [`Self::complete`]. Goes on with one
    /// that is not complete. Returns whether the tape is not complete.
    fn begin(&self) -> Result<bool> {
        self.create()
    }

    /// Lets every connection use the tape that was begun.
    fn complete(&self) -> Result<()> {
        Ok(())
    }

    /// Removes what is left of the texts that were erased, and fails if some of it remains.
    fn complete_erasures(&self) -> Result<()> {
        Ok(())
    }

    /// Returns the last entry; [`Head::EMPTY`] of an empty tape.
    fn head(&self) -> Result<Head>;

    /// Returns the groups after an entry, up to about `limit` bytes and at least one group.
    ///
    /// The caller checks that they follow what it has: the upstream may have another entry of that id.
    fn fetch(&self, after: EntryId, limit: usize) -> Result<Fetched>;

    /// Returns the current lines of these entries, in the order of their ids, without those that do not exist.
    fn lines(&self, ids: &[EntryId]) -> Result<Vec<u8>>;

    /// Appends whole groups, if the last entry is `after`, and replaces the lines of earlier entries in the same
    /// step: `erased` has their new lines.
    ///
    /// An append that is repeated after an [`Error::Unknown`] succeeds once: if these lines are on the tape
    /// already, they are not appended again.
    fn append(&self, after: Head, lines: &[u8], erased: &[u8]) -> Result<Appended>;
}

/// Returns the head before and after some lines, as they state it.
///
/// # Errors
/// [`Error::Damaged`] if there is no line, or one of these two is not an entry.
pub fn ends(lines: &[u8]) -> Result<(Head, Head)> {
    let damaged = |why: String| Error::Damaged { why };
    let text =
        lines.strip_suffix(b"\n").ok_or_else(|| damaged("the lines do not end in a newline".into()))?;
    let mut each = text.split(|byte| *byte == b'\n');
    let first = codec::decode(each.next().unwrap_or_default()).map_err(damaged)?;
    let last = match each.next_back() {
        Some(line) => codec::decode(line).map_err(damaged)?,
        None => first.clone(),
    };
    let before = Head { id: first.id - 1, hash: first.prev };
    Ok((before, Head { id: last.id, hash: last.hash }))
}
