//! The tokenizer of a model, from whichever file it is read.

use tokenizers::{Tokenizer, TruncationParams};

use crate::error::{Error, Result};
use crate::wordpiece::WordPiece;
use crate::{CHARS_MAX, PIECES_MAX};

/// A tokenizer: splits texts into token ids.
pub(crate) struct Reader {
    cutter: Cutter,
    /// The maximum number of tokens of a text.
    max: usize,
}

enum Cutter {
    /// A WordPiece vocabulary.
    Words(WordPiece),
    /// A tokenizer described by a `tokenizer.json`.
    Described(Box<Tokenizer>),
}

impl Reader {
    /// Creates a tokenizer from a WordPiece vocabulary.
    pub(crate) fn words(words: WordPiece, max: usize) -> Self {
        Self { cutter: Cutter::Words(words), max: max.min(PIECES_MAX) }
    }

    /// Creates the tokenizer that a `tokenizer.json` describes, ignoring its padding and its limit.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if the file does not describe a tokenizer.
    pub(crate) fn described(json: &[u8], max: usize) -> Result<Self> {
        let wrong = |why: tokenizers::Error| Error::unreadable("tokenizer.json", &why);
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(wrong)?;
        let max = max.min(PIECES_MAX);
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(Some(TruncationParams { max_length: max, ..Default::default() }))
            .map_err(wrong)?;
        Ok(Self { cutter: Cutter::Described(Box::new(tokenizer)), max })
    }

    /// Returns the token ids of a text, including the special tokens that the model expects around it.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the text cannot be tokenized.
    pub(crate) fn read(&self, text: &str) -> Result<Vec<i32>> {
        let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(end, _)| end);
        let text = &text[..end];
        let wrong = |why: &dyn ToString| Error::Run(format!("cannot tokenize the text: {}", why.to_string()));
        match &self.cutter {
            Cutter::Words(words) => Ok(words.read(text, self.max)),
            Cutter::Described(tokenizer) => {
                let encoding = tokenizer.encode_fast(text, true).map_err(|why| wrong(&why))?;
                let numbers = encoding.get_ids().iter().map(|&id| i32::try_from(id));
                numbers.collect::<Result<_, _>>().map_err(|why| wrong(&why))
            }
        }
    }
}
