//! Lines on their way between a tape and an upstream.

use memtape_tape::{EntryId, codec};

use crate::error::{Error, Result};

/// An iterator over lines of entries: each with its id, and with its newline.
pub struct Lines<'a> {
    rest: &'a [u8],
    last: Option<EntryId>,
}

impl<'a> Lines<'a> {
    /// Returns an iterator over the lines in some bytes.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, last: None }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<(EntryId, &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| *byte == b'\n').map_or(self.rest.len(), |at| at + 1);
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        let Some(id) = line.strip_suffix(b"\n").and_then(codec::id_of) else {
            let which = self
                .last
                .map_or_else(|| "the first line".to_owned(), |id| format!("the line after entry {id}"));
            return Some(Err(Error::Damaged { why: format!("{which} is not an entry") }));
        };
        self.last = Some(id);
        Some(Ok((id, line)))
    }
}
