//! Recovery: repairs the end of a tape before a writer appends to it.
//!
//! The caller holds the writer lock. A torn tail is copied to `archive/torn-ID` and cut off. Nothing that may
//! have been acknowledged is cut.

use std::sync::Arc;

use crate::entry::EntryId;
use crate::error::Result;
use crate::reader::{Segments, Tail};
use crate::storage::{Storage, read_full};

/// The position up to which the tape is known to be acknowledged. Nothing before it is cut, whatever the end
/// of the tape looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Floor {
    /// The first entry of the segment.
    pub segment: EntryId,
    /// The offset in bytes from the segment's start.
    pub offset: u64,
}

/// The result of a recovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// An incomplete line or group, which was never acknowledged, was moved to a separate file.
    Torn {
        /// The file that keeps its bytes, relative to the tape's directory.
        kept: String,
        /// The number of bytes moved.
        bytes: u64,
    },
    /// The end of the tape is damaged and stays unchanged. The next append records the range.
    Damaged {
        /// The first entry of the segment.
        segment: EntryId,
        /// The byte offset at which the damage begins.
        from: u64,
        /// The byte offset at which it ends.
        to: u64,
    },
}

impl Tail {
    /// Returns whether the end of the tape is neither torn nor damaged and the last line ends with a newline.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.torn.is_none() && self.damaged.is_none() && !self.unfinished_line
    }

    /// Returns whether a torn tail that begins at this offset was certainly not acknowledged.
    fn may_cut(&self, at: u64, floor: Floor) -> bool {
        floor.segment != self.active || floor.offset <= at
    }
}

/// Repairs the end of the tape. The caller holds the writer lock.
///
/// # Errors
/// [`crate::Error::Io`] or [`crate::Error::Sync`] if the tape cannot be read, cut or appended to, or the torn
/// tail cannot be saved; [`crate::Error::Poisoned`] after a failed sync.
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
        // The torn tail proves that the ids before it were used, even if their lines are missing.
        tail.next_id = tail.next_id.max(torn.first);
        return Ok(Some(Recovered::Torn { kept, bytes: bytes.len() as u64 }));
    }
    if tail.unfinished_line {
        // End the unfinished line, so that the next append starts a new one.
        storage.append(tail.len, b"\n")?;
        storage.sync()?;
    }
    let from = tail.torn.map(|torn| torn.start).into_iter().chain(tail.damaged).min().unwrap_or(tail.len);
    *tail = rescan(storage, tail)?;
    // The tail may have been acknowledged, so it is treated as damage and not as torn.
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
    let filled = read_full(blob.as_ref(), from, &mut bytes)?;
    bytes.truncate(filled);
    Ok(bytes)
}
