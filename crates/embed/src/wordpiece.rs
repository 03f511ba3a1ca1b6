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
use std::hash::BuildHasher as _;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
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
    pieces: Pieces,
    begin: i32,
    end: i32,
    unknown: i32,
}

/// Where in a word a piece stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// It begins the word.
    First,
    /// It continues the word.
    Next,
}

/// The pieces of a vocabulary.
///
/// Every process that needs the model makes this table, so it holds numbers and no texts.
struct Pieces {
    vocabulary: Cow<'static, str>,
    /// For each id, where the piece stands in a word, and its position in the vocabulary, without its mark.
    all: Vec<(Place, Range<u32>)>,
    ids: HashTable<u32>,
    /// The length of the longest piece, in bytes.
    longest: usize,
}

impl Pieces {
    /// Parses a vocabulary: one piece per line, numbered from 0.
    fn new(vocabulary: Cow<'static, str>) -> Self {
        let mut all = Vec::with_capacity(vocabulary.len() / 6);
        let mut at = 0;
        for line in vocabulary.split_inclusive('\n') {
            let piece = line.trim_end();
            let (place, start) = match piece.strip_prefix(GOES_ON) {
                Some("") | None => (Place::First, at),
                Some(_) => (Place::Next, at + GOES_ON.len()),
            };
            let position = |at| u32::try_from(at).unwrap_or(u32::MAX);
            all.push((place, position(start)..position(at + piece.len())));
            at += line.len();
        }
        let mut pieces = Self { vocabulary, ids: HashTable::with_capacity(all.len()), all, longest: 0 };
        for id in 0..u32::try_from(pieces.all.len()).unwrap_or(u32::MAX) {
            let piece = pieces.piece(id);
            let (hash, length) = (hash_of(piece), piece.1.len());
            pieces.longest = pieces.longest.max(length);
            // The table has room for all: no other hash is needed.
            pieces.ids.insert_unique(hash, id, |_| hash);
        }
        pieces
    }

    fn piece(&self, id: u32) -> (Place, &str) {
        let (place, Range { start, end }) = &self.all[id as usize];
        (*place, self.vocabulary.get(*start as usize..*end as usize).unwrap_or_default())
    }

    /// Returns the id of a piece.
    fn id(&self, place: Place, piece: &str) -> Option<i32> {
        let found = self.ids.find(hash_of((place, piece)), |&id| self.piece(id) == (place, piece));
        found.and_then(|&id| i32::try_from(id).ok())
    }

    /// Returns the length in bytes and the id of the longest piece that `text` begins with.
    fn longest_of(&self, place: Place, text: &str) -> Option<(usize, i32)> {
        let mut end = text.floor_char_boundary(self.longest);
        while end > 0 {
            if let Some(id) = self.id(place, &text[..end]) {
                return Some((end, id));
            }
            end = text.floor_char_boundary(end - 1);
        }
        None
    }
}

fn hash_of(piece: (Place, &str)) -> u64 {
    FxBuildHasher.hash_one(piece)
}

impl WordPiece {
    /// Parses a vocabulary: one piece per line, numbered from 0.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if it lacks `[CLS]`, `[SEP]` or `[UNK]`.
    pub(crate) fn new(vocabulary: Cow<'static, str>, folding: Folding) -> Result<Self> {
        let pieces = Pieces::new(vocabulary);
        let marker = |name| {
            let why = || format!("the vocabulary has no token {name}");
            pieces.id(Place::First, name).ok_or_else(|| Error::unreadable("vocab.txt", &why()))
        };
        let (begin, end, unknown) = (marker("[CLS]")?, marker("[SEP]")?, marker("[UNK]")?);
        Ok(Self { folding, pieces, begin, end, unknown })
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
        self.pieces.id(Place::First, word).is_some()
    }

    /// Splits one word.
    fn cut(&self, word: &str, numbers: &mut Vec<i32>) {
        let before = numbers.len();
        let mut rest = word;
        let mut place = Place::First;
        let too_long = word.len() > WORD_CHARS_MAX && word.chars().count() > WORD_CHARS_MAX;
        while !rest.is_empty() {
            let Some((length, number)) = self.pieces.longest_of(place, rest).filter(|_| !too_long) else {
                numbers.truncate(before);
                numbers.push(self.unknown);
                return;
            };
            numbers.push(number);
            rest = &rest[length..];
            place = Place::Next;
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
