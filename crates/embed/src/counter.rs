//! A token counter for the tokenizer that a `tokenizer.json` describes.

use std::path::Path;

use crate::described::Described;
use crate::error::{Error, Result};

/// A token counter.
pub struct Counter(Described);

impl Counter {
    /// Loads the tokenizer of a file, ignoring its settings for padding and truncation.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read; [`Error::Unreadable`] if it does not describe a tokenizer, or if
    /// the feature `tokenizers` is off.
    pub fn from_file(path: &Path) -> Result<Self> {
        let json = std::fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        Ok(Self(Described::new(&json, None)?))
    }

    /// Returns the number of tokens of a text, without the special tokens that a model adds. If the text
    /// cannot be tokenized, returns its length in bytes.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        self.0.read(text, false).map_or(text.len(), |ids| ids.len())
    }
}
