//! The tokenizer of a model, from whichever file it is read.

use std::ops::Range;

use memtape_language::Glosser;

use crate::described::Described;
use crate::error::{Error, Result};
use crate::wordpiece::WordPiece;
use crate::{CHARS_MAX, PIECES_MAX};

/// The maximum number of tokens of a window, including the two that enclose it.
const WINDOW: usize = 64;
/// The maximum number of windows of a text. The rest of a longer text is ignored.
const WINDOWS_MAX: usize = 8;

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

    /// Returns a text as windows of adjacent tokens that begin between its parts. `None` if the tokenizer is not that
    /// of the bundled model.
    ///
    /// Every part is glossed and split by itself, so that its tokens are known. Parts must be in order, and begin and
    /// end between words.
    pub(crate) fn read_parts(&self, text: &str, parts: &[Range<usize>]) -> Option<Vec<Window>> {
        let Cutter::English(words) = &self.cutter else { return None };
        let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(end, _)| end);
        let glosser = Glosser::of(&text[..end], |word| words.is_known(word));
        let mut windows = Windows { words, all: Vec::new(), is_over: false };
        let mut add = |range: Range<usize>, part: Option<usize>| {
            let text = text.get(range.start..range.end.min(end)).unwrap_or_default();
            // The vocabulary has different tokens for the two kinds of apostrophes.
            windows.add(&glosser.gloss(text).replace(['’', '‘'], "'"), part);
        };
        let mut at = 0;
        for (number, part) in parts.iter().enumerate() {
            add(at..part.start, None);
            add(part.clone(), Some(number));
            at = part.end;
        }
        add(at..text.len(), None);
        Some(windows.all)
    }
}

/// Adjacent tokens of a text that the model reads at once.
pub(crate) struct Window {
    /// The token ids between the special ones, which are included.
    pub(crate) ids: Vec<i32>,
    /// The numbers of the parts in the window, and their tokens.
    pub(crate) parts: Vec<(usize, Range<usize>)>,
}

/// The windows of a text, while it is read.
struct Windows<'w> {
    words: &'w WordPiece,
    all: Vec<Window>,
    /// Whether a text was left out because there was no room: those after it are, too.
    is_over: bool,
}

impl Windows<'_> {
    /// Appends the tokens of a text, which is a part or stands between two.
    fn add(&mut self, text: &str, part: Option<usize>) {
        if self.is_over {
            return;
        }
        let mut tokens = self.words.read(text, WINDOW);
        let last = tokens.pop().unwrap_or_default();
        let is_full = |window: &Window| window.ids.len() + tokens.len() - 1 > WINDOW;
        if self.all.last().is_none_or(is_full) {
            if self.all.len() == WINDOWS_MAX {
                self.is_over = true;
                return;
            }
            self.all.push(Window { ids: vec![tokens[0], last], parts: Vec::new() });
        }
        let Some(window) = self.all.last_mut() else { return };
        window.ids.pop();
        let first = window.ids.len();
        window.ids.extend(&tokens[1..]);
        window.parts.extend(part.map(|part| (part, first..window.ids.len())));
        window.ids.push(last);
    }
}
