//! The WordPiece tokenizer of BERT: splits a text as the model was trained to read it.
//!
//! Control characters are dropped, and each CJK character is a word of its own. Accents are stripped and
//! letters lower-cased if the model expects it. Words end at white space, and every punctuation mark is a
//! word. A word is split greedily into the longest pieces in the vocabulary; pieces after its first are
//! marked `##`. A word that cannot be split this way, or that is longer than [`WORD_CHARS_MAX`] characters,
//! becomes `[UNK]`.
//!
//! **Invariants.**
//! - The text never produces a special token: `[SEP]` in a text is three words.
//! - The time is proportional to the length of the text, and reading stops once there are enough pieces.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

use crate::error::{Error, Result};

#[cfg(test)]
mod tests;

/// The maximum length of a word, in characters. A longer one is data and becomes `[UNK]`.
const WORD_CHARS_MAX: usize = 100;
/// The mark of a piece that continues a word.
const GOES_ON: &str = "##";

/// How a text is normalized before it is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folding {
    /// Whether letters are lower-cased.
    pub(crate) lower_case: bool,
    /// Whether accents are stripped.
    pub(crate) strip_accents: bool,
}

impl Default for Folding {
    fn default() -> Self {
        Self { lower_case: true, strip_accents: true }
    }
}

/// A WordPiece tokenizer: a vocabulary and its normalization.
pub(crate) struct WordPiece {
    folding: Folding,
    /// The pieces that begin a word.
    first: Pieces,
    /// The pieces that continue a word, without their mark.
    next: Pieces,
    begin: i32,
    end: i32,
    unknown: i32,
}

/// Pieces with their ids.
#[derive(Default)]
struct Pieces {
    numbers: FxHashMap<Cow<'static, str>, i32>,
    /// The length of the longest piece, in bytes.
    longest: usize,
}

impl Pieces {
    fn insert(&mut self, piece: Cow<'static, str>, number: i32) {
        self.longest = self.longest.max(piece.len());
        self.numbers.insert(piece, number);
    }

    /// Returns the length in bytes and the id of the longest piece that `text` begins with.
    fn longest_of(&self, text: &str) -> Option<(usize, i32)> {
        let mut end = text.floor_char_boundary(self.longest);
        while end > 0 {
            if let Some(&number) = self.numbers.get(&text[..end]) {
                return Some((end, number));
            }
            end = text.floor_char_boundary(end - 1);
        }
        None
    }
}

impl WordPiece {
    /// Parses a vocabulary: one piece per line, numbered from 0.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if it lacks `[CLS]`, `[SEP]` or `[UNK]`.
    pub(crate) fn new(vocabulary: Cow<'static, str>, folding: Folding) -> Result<Self> {
        let (mut first, mut next) = (Pieces::default(), Pieces::default());
        first.numbers.reserve(vocabulary.len() / 8);
        next.numbers.reserve(vocabulary.len() / 32);
        let mut add = |line: Cow<'static, str>, number| match line.strip_prefix(GOES_ON) {
            Some("") | None => first.insert(line, number),
            Some(_) => next.insert(
                match line {
                    Cow::Borrowed(line) => Cow::Borrowed(&line[GOES_ON.len()..]),
                    Cow::Owned(line) => Cow::Owned(line[GOES_ON.len()..].to_owned()),
                },
                number,
            ),
        };
        match vocabulary {
            Cow::Borrowed(text) => {
                text.lines().zip(0..).for_each(|(line, number)| add(Cow::Borrowed(line.trim_end()), number));
            }
            Cow::Owned(text) => {
                text.lines()
                    .zip(0..)
                    .for_each(|(line, number)| add(Cow::Owned(line.trim_end().to_owned()), number));
            }
        }
        let marker = |name| {
            let number = first.numbers.get(name).copied();
            number.ok_or_else(|| {
                Error::unreadable(
                    "vocab.txt",
                    &format!(
                        "the vocabulary has no token \
                                                                          {name}"
                    ),
                )
            })
        };
        let (begin, end, unknown) = (marker("[CLS]")?, marker("[SEP]")?, marker("[UNK]")?);
        Ok(Self { folding, first, next, begin, end, unknown })
    }

    /// Returns the token ids of a text between `[CLS]` and `[SEP]`: at most `max`, but at least 2.
    pub(crate) fn read(&self, text: &str, max: usize) -> Vec<i32> {
        let room = max.max(2) - 1;
        let mut numbers = vec![self.begin];
        let mut word = String::new();
        let mut put = |c: char| {
            let stands_alone = is_punctuation(c) || is_cjk(c);
            if (stands_alone || c == ' ') && !word.is_empty() {
                self.cut(&word, &mut numbers);
                word.clear();
            }
            if stands_alone {
                self.cut(c.encode_utf8(&mut [0; 4]), &mut numbers);
            } else if c != ' ' {
                word.push(c);
            }
            numbers.len() < room
        };
        let plain = text.chars().filter(|&c| !is_dropped(c)).map(|c| if c.is_whitespace() { ' ' } else { c });
        let lower = self.folding.lower_case;
        let cased = |c: char| {
            let lowered = lower.then(|| c.to_lowercase());
            lowered.into_iter().flatten().chain((!lower).then_some(c))
        };
        let _enough = if self.folding.strip_accents {
            plain.nfd().filter(|c| !c.is_mark_nonspacing()).flat_map(cased).all(&mut put)
        } else {
            plain.flat_map(cased).all(&mut put)
        };
        put(' ');
        numbers.truncate(room);
        numbers.push(self.end);
        numbers
    }

    /// Returns whether a folded word is one piece.
    pub(crate) fn is_known(&self, word: &str) -> bool {
        self.first.numbers.contains_key(word)
    }

    /// Splits one word.
    fn cut(&self, word: &str, numbers: &mut Vec<i32>) {
        let before = numbers.len();
        let mut rest = word;
        let mut pieces = &self.first;
        let too_long = word.len() > WORD_CHARS_MAX && word.chars().count() > WORD_CHARS_MAX;
        while !rest.is_empty() {
            let Some((length, number)) = pieces.longest_of(rest).filter(|_| !too_long) else {
                numbers.truncate(before);
                numbers.push(self.unknown);
                return;
            };
            numbers.push(number);
            rest = &rest[length..];
            pieces = &self.next;
        }
    }
}

/// Returns whether a character is dropped: control, format and private-use characters, and the replacement
/// character for undecodable bytes.
fn is_dropped(c: char) -> bool {
    !matches!(c, '\t' | '\n' | '\r') && (matches!(c, '\0' | '\u{FFFD}') || c.is_other())
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || (!c.is_ascii() && c.is_punctuation())
}

/// Returns whether a character is in the CJK blocks. Such words have no spaces between them.
fn is_cjk(c: char) -> bool {
    matches!(
        u32::from(c),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0xF900..=0xFAFF
            | 0x2F800..=0x2FA1F
    )
}
