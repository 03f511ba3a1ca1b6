//! Lines of a blob.

use crate::error::Result;
use crate::storage::Blob;

/// How much is read at first: most readers are a few lines behind.
const PIECE_BYTES_MIN: usize = 1 << 13;

/// How much is read at once by those who have much to read.
const PIECE_BYTES_MAX: usize = 1 << 18;

/// Splits a blob into lines, reading it in large pieces.
pub(crate) struct Lines {
    buffer: Vec<u8>,
    /// Where the unread bytes begin in the buffer.
    start: usize,
    /// How much is read next.
    piece: usize,
    /// How far the buffer was searched for a newline.
    searched: usize,
    /// Where the unread bytes begin in the blob.
    pub(crate) offset: u64,
    /// The last line given, as a range of the buffer.
    last: std::ops::Range<usize>,
    /// Lines given so far, where the start was the blob's start.
    count: Option<u64>,
}

pub(crate) enum Read {
    Line { offset: u64, number: Option<u64> },
    End { rest: bool },
}

impl Lines {
    pub(crate) fn new(offset: u64) -> Self {
        let count = (offset == 0).then_some(0);
        Self { buffer: Vec::new(), start: 0, piece: PIECE_BYTES_MIN, searched: 0, offset, last: 0..0, count }
    }

    pub(crate) fn next(&mut self, blob: &dyn Blob) -> Result<Read> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[self.searched..]) {
                let end = self.searched + at;
                let offset = self.offset;
                self.last = self.start..end;
                self.offset += (end + 1 - self.start) as u64;
                self.start = end + 1;
                self.searched = self.start;
                self.count = self.count.map(|n| n + 1);
                return Ok(Read::Line { offset, number: self.count });
            }
            self.searched = self.buffer.len();
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
            let filled = self.buffer.len();
            self.buffer.resize(filled + self.piece, 0);
            self.piece = (self.piece * 2).min(PIECE_BYTES_MAX);
            let n = blob.read_at(self.offset + filled as u64, &mut self.buffer[filled..])?;
            self.buffer.truncate(filled + n);
            if n == 0 {
                return Ok(Read::End { rest: filled > 0 });
            }
        }
    }

    pub(crate) fn line(&self) -> &[u8] {
        &self.buffer[self.last.clone()]
    }

    /// The bytes after the last newline.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// The number of the line that has begun.
    pub(crate) fn number(&self) -> Option<u64> {
        self.count.map(|n| n + 1)
    }
}
