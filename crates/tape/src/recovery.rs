//! Making the end of a tape fit to be written to again.
//!
//! *Writes* `archive/torn-ID` and cuts a torn tail off, under the lock; nothing that may have been
//! acknowledged is cut.

use std::sync::Arc;

use crate::entry::EntryId;
use crate::error::Result;
use crate::reader::{Segments, Tail};
use crate::storage::Storage;

/// What is known to have been acknowledged, whatever the tape's end looks like: nothing before it is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Floor {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// Bytes from the segment's start.
    pub offset: u64,
}

/// What was done to the tape's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// An incomplete line or group was moved aside. It had never been acknowledged.
    Torn {
        /// Where its bytes are kept, relative to the tape's folder.
        kept: String,
        /// How many bytes it had.
        bytes: u64,
    },
    /// The tape's end is damaged, and stays as it is: the next entry says so on the tape.
    Damaged {
        /// The first entry of the segment.
        segment: EntryId,
        /// Where the damage begins.
        from: u64,
        /// Where it ends.
        to: u64,
    },
}

impl Tail {
    /// Whether the tape's end is as a writer left it.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.torn.is_none() && self.damaged.is_none() && !self.unfinished_line
    }

    /// Whether the torn tail begins where nothing has been acknowledged yet.
    fn may_cut(&self, at: u64, floor: Floor) -> bool {
        floor.segment != self.active || floor.offset <= at
    }
}

/// Brings the tape's end into order. Called by the holder of the lock, before it appends.
///
/// # Errors
/// What the medium says.
pub(crate) fn recover(
    storage: &Arc<dyn Storage>,
    tail: &mut Tail,
    floor: Floor,
) -> Result<Option<Recovered>> {
    if tail.is_clean() {
        return Ok(None);
    }
    if let Some(torn) = tail.torn.filter(|torn| tail.may_cut(torn.start, floor)) {
        let bytes = read(storage, torn.start, tail.len)?;
        let kept = storage.keep_torn(torn.first, &bytes)?;
        storage.truncate(torn.start)?;
        *tail = rescan(storage, tail)?;
        // What was cut showed that the entries before it had been given, also where they are missing.
        tail.next_id = tail.next_id.max(torn.first);
        // Damage before the torn tail is told of as well, by the entry that the writer adds.
        return Ok(Some(Recovered::Torn { kept, bytes: bytes.len() as u64 }));
    }
    if tail.unfinished_line {
        // From now on it is damage that ends in a newline, and is passed over.
        storage.append(tail.len, b"\n")?;
        storage.sync()?;
    }
    let from = tail.torn.map(|torn| torn.start).into_iter().chain(tail.damaged).min().unwrap_or(tail.len);
    *tail = rescan(storage, tail)?;
    // What had been acknowledged is not torn, whatever it looks like.
    tail.torn = None;
    tail.damaged = Some(from);
    Ok(Some(Recovered::Damaged { segment: tail.active, from, to: tail.len }))
}

fn rescan(storage: &Arc<dyn Storage>, tail: &Tail) -> Result<Tail> {
    let segments = Segments::open(storage)?;
    segments.scan(tail.end).run(|_| Ok::<(), crate::Error>(()))
}

fn read(storage: &Arc<dyn Storage>, from: u64, to: u64) -> Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(usize::MAX)];
    let Some(blob) = storage.active()? else { return Ok(Vec::new()) };
    let mut filled = 0;
    while filled < bytes.len() {
        match blob.read_at(from + filled as u64, &mut bytes[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}
