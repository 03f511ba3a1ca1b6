//! The tokenizer of a model, from whichever file it is read.

use crate::described::Described;
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
    /// The vocabulary of a model that knows English only: other languages are glossed.
    English(WordPiece),
    /// A tokenizer described by a `tokenizer.json`.
    Described(Described),
}

impl Reader {
    /// Creates a tokenizer from a WordPiece vocabulary.
    pub(crate) fn words(words: WordPiece, max: usize) -> Self {
        Self { cutter: Cutter::Words(words), max: max.min(PIECES_MAX) }
    }

    /// Creates a tokenizer from the WordPiece vocabulary of a model that knows English only. Texts in other languages
    /// are glossed word by word.
    pub(crate) fn english(words: WordPiece, max: usize) -> Self {
        Self { cutter: Cutter::English(words), max: max.min(PIECES_MAX) }
    }

    /// Creates the tokenizer that a `tokenizer.json` describes, ignoring its padding and its limit.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if the file does not describe a tokenizer.
    pub(crate) fn described(json: &[u8], max: usize) -> Result<Self> {
        let max = max.min(PIECES_MAX);
        Ok(Self { cutter: Cutter::Described(Described::new(json, Some(max))?), max })
    }

    /// Returns the token ids of a text, including the special tokens that the model expects around it.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the text cannot be tokenized.
    pub(crate) fn read(&self, text: &str) -> Result<Vec<i32>> {
        let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(end, _)| end);
        let text = &text[..end];
        match &self.cutter {
            Cutter::Words(words) => Ok(words.read(text, self.max)),
            Cutter::English(words) => {
                let english = memtape_language::gloss(text, |word| words.is_known(word));
                Ok(words.read(&english, self.max))
            }
            Cutter::Described(tokenizer) => {
                let ids = tokenizer.read(text, true)?.into_iter().map(i32::try_from);
                ids.collect::<Result<_, _>>().map_err(|why| Error::Run(format!("a token id: {why}")))
            }
        }
    }
}
