//! Purpose: counts the tokens of texts as a `tokenizer.json` cuts them.

use std::path::Path;

use tokenizers::Tokenizer;

use crate::error::{Error, Result};

/// Counts tokens.
pub struct Counter(Box<Tokenizer>);

impl Counter {
    /// The counter that a file describes, whatever it says of padding and limits.
    ///
    /// # Errors
    /// [`Error::Io`] where the file cannot be read, [`Error::Unreadable`] where it describes no tokenizer.
    pub fn from_file(path: &Path) -> Result<Self> {
        let json = std::fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        let wrong = |why: tokenizers::Error| Error::unreadable("tokenizer.json", &why);
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(wrong)?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(wrong)?;
        Ok(Self(Box::new(tokenizer)))
    }

    /// How many tokens a text has, without any that a model wants around it. A text that cannot be cut counts as many as
    /// it has bytes.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        self.0.encode_fast(text, false).map_or(text.len(), |encoding| encoding.get_ids().len())
    }
}
