//! Recovery: what a writer does about the end of a tape before it appends.
//!
//! *Writes* `archive/torn-ID` and cuts a torn tail off, under the lock. Nothing that may have been acknowledged is cut.

use std::sync::Arc;

use crate::entry::EntryId;
use crate::error::Result;
use crate::reader::{Segments, Tail};
use crate::storage::Storage;

/// How far the tape is known to have been acknowledged, whatever its end looks like: nothing before that is cut.
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
    /// An incomplete line or group, which was never acknowledged, was moved aside.
    Torn {
        /// Where its bytes are kept, relative to the tape's folder.
        kept: String,
        /// How many bytes it had.
        bytes: u64,
    },
    /// The tape's end is damaged and stays as it is. The next entry records that.
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

    /// Whether a torn tail that begins there was certainly not acknowledged.
    fn may_cut(&self, at: u64, floor: Floor) -> bool {
        floor.segment != self.active || floor.offset <= at
    }
}

/// Brings the tape's end into order. The caller holds the lock.
///
/// # Errors
/// [`crate::Error::Io`] and [`crate::Error::Sync`] if the tape cannot be read, cut or appended to, or a torn tail
/// cannot be kept.
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
        // The torn tail showed that the numbers before it were used, even where their lines are missing.
        tail.next_id = tail.next_id.max(torn.first);
        return Ok(Some(Recovered::Torn { kept, bytes: bytes.len() as u64 }));
    }
    if tail.unfinished_line {
        // From now on it is a line of its own, intact or damaged.
        storage.append(tail.len, b"\n")?;
        storage.sync()?;
    }
    let from = tail.torn.map(|torn| torn.start).into_iter().chain(tail.damaged).min().unwrap_or(tail.len);
    *tail = rescan(storage, tail)?;
    // What was acknowledged is not torn, whatever it looks like.
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
