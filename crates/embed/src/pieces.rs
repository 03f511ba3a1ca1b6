//! Purpose: a model's way of cutting texts into pieces, whichever file it comes from.

use tokenizers::{Tokenizer, TruncationParams};

use crate::error::{Error, Result};
use crate::wordpiece::WordPiece;
use crate::{CHARS_MAX, PIECES_MAX};

/// Cuts texts into numbered pieces.
pub(crate) struct Reader {
    cutter: Cutter,
    /// The most pieces of a text.
    max: usize,
}

enum Cutter {
    /// A vocabulary of word pieces.
    Words(WordPiece),
    /// Whatever a `tokenizer.json` describes.
    Described(Box<Tokenizer>),
}

impl Reader {
    /// Reads by a vocabulary of word pieces.
    pub(crate) fn words(words: WordPiece, max: usize) -> Self {
        Self { cutter: Cutter::Words(words), max: max.min(PIECES_MAX) }
    }

    /// Reads as a `tokenizer.json` says, but for its padding and its limit.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if it is not such a file.
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

    /// The numbers of a text's pieces, with what the model wants around them.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the text cannot be cut.
    pub(crate) fn read(&self, text: &str) -> Result<Vec<i32>> {
        let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(end, _)| end);
        let text = &text[..end];
        let wrong = |why: &dyn ToString| Error::Run(format!("a text cannot be cut: {}", why.to_string()));
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
