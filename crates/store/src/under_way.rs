//! The write that is under way in this process.
//!
//! A group is on the tape before it is in the index, and its writer learns of it after both. Readers of this process need
//! not wait for that: they see the tape as it was before.

use std::sync::atomic::{AtomicU64, Ordering};

use memtape_tape::Segments;

use crate::error::Result;

/// The value for no write.
const NONE: u64 = u64::MAX;

/// Where on the active segment the write that is under way begins.
#[derive(Debug)]
pub(crate) struct UnderWay(AtomicU64);

impl Default for UnderWay {
    fn default() -> Self {
        Self(AtomicU64::new(NONE))
    }
}

impl UnderWay {
    /// Records that a write begins. The writer lock is held.
    pub(crate) fn begin(&self, offset: u64) -> Begun<'_> {
        self.0.store(offset, Ordering::SeqCst);
        Begun(self)
    }

    /// Returns an offset in the active segment before which everything is that a writer has learnt of.
    pub(crate) fn acknowledged(&self, segments: &Segments) -> Result<u64> {
        // In this order: a write that is within the length either is under way still, or is in the index.
        let len = segments.active_len()?;
        Ok(len.min(self.0.load(Ordering::SeqCst)))
    }
}

/// A write that is under way until this value is dropped.
pub(crate) struct Begun<'a>(&'a UnderWay);

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.0.store(NONE, Ordering::SeqCst);
    }
}
