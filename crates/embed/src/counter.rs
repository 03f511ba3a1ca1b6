//! A token counter for the tokenizer that a `tokenizer.json` describes.

use std::path::Path;

use tokenizers::Tokenizer;

use crate::error::{Error, Result};

/// A token counter.
pub struct Counter(Box<Tokenizer>);

impl Counter {
    /// Loads the tokenizer of a file, ignoring its settings for padding and truncation.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read; [`Error::Unreadable`] if it does not describe a tokenizer.
    pub fn from_file(path: &Path) -> Result<Self> {
        let json = std::fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        let wrong = |why: tokenizers::Error| Error::unreadable("tokenizer.json", &why);
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(wrong)?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(wrong)?;
        Ok(Self(Box::new(tokenizer)))
    }

    /// Returns the number of tokens of a text, without the special tokens that a model adds. If the text
    /// cannot be tokenized, returns its length in bytes.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        self.0.encode_fast(text, false).map_or(text.len(), |encoding| encoding.get_ids().len())
    }
}
