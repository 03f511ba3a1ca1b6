//! Splits the bytes of a segment into lines.

use crate::error::Result;
use crate::storage::Blob;

/// The size of the first read, in bytes. Most readers are only a few lines behind.
const PIECE_BYTES_MIN: usize = 1 << 13;

/// The maximum size of one read, in bytes.
const PIECE_BYTES_MAX: usize = 1 << 18;

/// An incremental line splitter over the part of a blob that existed when reading began.
pub(crate) struct Lines {
    buffer: Vec<u8>,
    /// The start of the unread bytes in the buffer.
    start: usize,
    /// The end of the bytes in the buffer that were searched for a newline.
    searched: usize,
    /// The size of the next read, in bytes.
    piece: usize,
    /// The offset of the unread bytes in the blob.
    pub(crate) offset: u64,
    /// The length of the blob when reading began. Reading stops there because a writer may cut a torn tail
    /// and write new lines meanwhile: the start of the torn line joined with the end of a new one would look
    /// like damage.
    end: Option<u64>,
    /// The last line returned, as a range of the buffer.
    last: std::ops::Range<usize>,
    /// The number of lines returned so far; `None` if reading did not begin at the blob's start.
    count: Option<u64>,
}

pub(crate) enum Read {
    Line { offset: u64, number: Option<u64> },
    End { rest: bool },
}

impl Lines {
    pub(crate) fn new(offset: u64) -> Self {
        let count = (offset == 0).then_some(0);
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            piece: PIECE_BYTES_MIN,
            offset,
            end: None,
            last: 0..0,
            count,
        }
    }

    pub(crate) fn next(&mut self, blob: &dyn Blob) -> Result<Read> {
        loop {
            let unsearched = self.searched.max(self.start);
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[unsearched..]) {
                let end = unsearched + at;
                let offset = self.offset;
                self.last = self.start..end;
                self.offset += (end + 1 - self.start) as u64;
                self.start = end + 1;
                self.searched = self.start;
                self.count = self.count.map(|n| n + 1);
                return Ok(Read::Line { offset, number: self.count });
            }
            if !self.read_more(blob)? {
                return Ok(Read::End { rest: !self.buffer.is_empty() });
            }
        }
    }

    /// Reads more bytes; returns `false` at the end.
    fn read_more(&mut self, blob: &dyn Blob) -> Result<bool> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let begun = self.buffer.len();
        self.searched = begun;
        let at = self.offset + begun as u64;
        let end = match self.end {
            Some(end) => end,
            None => *self.end.insert(blob.len()?),
        };
        let left = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
        self.buffer.resize(begun + left.min(self.piece), 0);
        self.piece = (self.piece * 2).min(PIECE_BYTES_MAX);
        let n = blob.read_at(at, &mut self.buffer[begun..])?;
        self.buffer.truncate(begun + n);
        Ok(n > 0)
    }

    pub(crate) fn line(&self) -> &[u8] {
        &self.buffer[self.last.clone()]
    }

    /// Returns the bytes after the last newline.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Returns the length of the blob when reading began; 0 before the first read.
    pub(crate) fn end(&self) -> u64 {
        self.end.unwrap_or(0)
    }

    /// Returns the number of the line being read, counted from 1.
    pub(crate) fn number(&self) -> Option<u64> {
        self.count.map(|n| n + 1)
    }
}
