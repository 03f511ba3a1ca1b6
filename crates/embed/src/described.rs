//! The tokenizer that a `tokenizer.json` describes, by the crate `tokenizers`.

use tokenizers::{Tokenizer, TruncationParams};

use crate::error::{Error, Result};

/// A tokenizer described by a `tokenizer.json`.
pub(crate) struct Described(Box<Tokenizer>);

impl Described {
    /// Creates the tokenizer, ignoring the padding and the limit of the file. `max` is the maximum number of
    /// tokens of a text.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if the file does not describe a tokenizer.
    pub(crate) fn new(json: &[u8], max: Option<usize>) -> Result<Self> {
        let wrong = |why: tokenizers::Error| Error::unreadable("tokenizer.json", &why);
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(wrong)?;
        tokenizer.with_padding(None);
        let truncation = max.map(|max_length| TruncationParams { max_length, ..Default::default() });
        tokenizer.with_truncation(truncation).map_err(wrong)?;
        Ok(Self(Box::new(tokenizer)))
    }

    /// Returns the token ids of a text, with the special tokens around it if `special`.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the text cannot be tokenized.
    pub(crate) fn read(&self, text: &str, special: bool) -> Result<Vec<u32>> {
        let wrong = |why: tokenizers::Error| Error::Run(format!("a text cannot be tokenized: {why}"));
        Ok(self.0.encode_fast(text, special).map_err(wrong)?.get_ids().to_vec())
    }
}
