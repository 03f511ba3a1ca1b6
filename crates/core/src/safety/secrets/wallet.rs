//! Finds secrets of wallets: recovery phrases (BIP 39, in its ten languages), extended private keys (BIP 32),
//! and private keys in base58 (WIF).
//!
//! Phrases are verified by the word lists and their checksum, private keys by their checksum.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use bip39::{Language, Mnemonic};
use regex::Regex;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use unicode_normalization::char::is_combining_mark;

use super::lexicon::{Theme, is_common};
use super::words::words;

/// Minimum number of consecutive words of one list in a recovery phrase.
const WORDS_MIN: usize = 11;
/// Minimum number of consecutive words if a nearby word names them a recovery phrase.
const WORDS_MIN_SAID: usize = 7;
/// Maximum number of consecutive words whose checksum is verified. A longer run is a match without it.
const CHECKED_MAX: usize = 48;
/// Maximum distance in bytes between a phrase and the word that names it.
const BEFORE: usize = 160;

/// Finds recovery phrases: consecutive words, possibly numbered, one per line, or separated by commas.
pub(super) fn phrases(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    let is_letter = |c: char| c.is_alphabetic() || is_combining_mark(c);
    let mut run: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    while let Some(start) = text[end..].find(is_letter).map(|at| end + at) {
        let gap = &text[end..start];
        end = text[start..].find(|c| !is_letter(c)).map_or(text.len(), |at| start + at);
        let word = &text[start..end];
        // No list has a Latin word this short. Most sentences have one, so few runs are looked up.
        let is_short = word.len() < 3 && word.is_ascii();
        if is_short || !is_gap(gap) {
            in_run(&run, text, add);
            run.clear();
        }
        if !is_short {
            run.push(start..end);
        }
    }
    in_run(&run, text, add);
}

/// Finds recovery phrases in consecutive words.
fn in_run(words: &[Range<usize>], text: &str, add: &mut dyn FnMut(Range<usize>)) {
    if words.len() < WORDS_MIN_SAID {
        return;
    }
    let mut run = Run::default();
    for word in words {
        run.push(text, word.clone(), add);
    }
    run.end(text, add);
}

/// Returns whether the text between two words continues a phrase: white space, a comma, a number with a
/// point.
fn is_gap(between: &str) -> bool {
    let is_numbered = between.contains(|c: char| c.is_ascii_digit());
    let joins = |c: char| {
        c.is_whitespace()
            || c.is_ascii_digit()
            || ",·|*\"'、　#→>-".contains(c)
            || is_numbered && ".)".contains(c)
    };
    between.len() <= 16 && !between.is_empty() && between.chars().all(joins)
}

/// The consecutive words read so far.
#[derive(Default)]
struct Run {
    words: Vec<Range<usize>>,
    /// Number of most recent words in each word list.
    counts: [usize; 16],
    /// Number of most recent words that could be in an unknown word list: lower case, and not common in
    /// prose.
    plain: usize,
}

impl Run {
    fn push(&mut self, text: &str, range: Range<usize>, add: &mut dyn FnMut(Range<usize>)) {
        let word = &text[range.clone()];
        let lists = lists(word);
        let is_plain = (3..=12).contains(&word.chars().count())
            && !is_common(word)
            && word.chars().all(char::is_lowercase);
        let known = self.known();
        let mut next = 0;
        for (list, count) in self.counts.iter_mut().enumerate() {
            *count = if lists & (1 << list) != 0 { *count + 1 } else { 0 };
            next = next.max(*count);
        }
        if next <= known {
            self.add(text, known, WORDS_MIN, add);
        }
        if !is_plain {
            self.add(text, self.plain, usize::MAX, add);
        }
        self.plain = if is_plain { self.plain + 1 } else { 0 };
        self.words.push(range);
    }

    fn known(&self) -> usize {
        self.counts.iter().copied().max().unwrap_or_default()
    }

    fn end(&self, text: &str, add: &mut dyn FnMut(Range<usize>)) {
        self.add(text, self.known(), WORDS_MIN, add);
        self.add(text, self.plain, usize::MAX, add);
    }

    /// Adds the last `count` words if they are enough for a valid phrase, or if a nearby word names them a
    /// recovery phrase.
    fn add(&self, text: &str, count: usize, enough: usize, add: &mut dyn FnMut(Range<usize>)) {
        if count < WORDS_MIN_SAID {
            return;
        }
        let words = &self.words[self.words.len() - count..];
        let range = words[0].start..words.last().map_or(0, |last| last.end);
        // The words of a phrase are drawn at random, so few of them repeat.
        let distinct: HashSet<&str> = words.iter().map(|word| &text[word.clone()]).collect();
        if distinct.len() * 4 < count * 3 {
            return;
        }
        if count >= enough && (count > CHECKED_MAX || is_valid(text, words)) || is_said(text, &range) {
            add(range);
        }
    }
}

/// Returns whether some of the consecutive words form a phrase with a valid checksum.
fn is_valid(text: &str, words: &[Range<usize>]) -> bool {
    let is_phrase = |count: usize, from: usize| {
        let words: Vec<&str> = words[from..from + count].iter().map(|word| &text[word.clone()]).collect();
        Mnemonic::parse(words.join(" ")).is_ok()
    };
    [12, 15, 18, 21, 24]
        .into_iter()
        .filter(|count| *count <= words.len())
        .any(|count| (0..=words.len() - count).any(|from| is_phrase(count, from)))
}

/// Returns whether a word before a range names it a recovery phrase or recovery key.
fn is_said(text: &str, range: &Range<usize>) -> bool {
    let mut from = range.start.saturating_sub(BEFORE);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    words(&text[from..range.start]).iter().any(|word| word.themes.has(Theme::Recovery))
}

/// Returns the word lists that contain a word, one bit each.
fn lists(word: &str) -> u32 {
    static WORDS: LazyLock<FxHashMap<Cow<'static, str>, u32>> = LazyLock::new(|| {
        let mut words = FxHashMap::default();
        words.reserve(Language::ALL.len() * 2048);
        for (list, language) in Language::ALL.iter().enumerate() {
            // `word_list` is inlined and would be a second copy of all lists, with 20,000 addresses that the start of every
            // process relocates.
            for word in language.words_by_prefix("") {
                *words.entry(plain(word)).or_default() |= 1 << list;
            }
        }
        words
    });
    WORDS.get(&plain(word)).copied().unwrap_or_default()
}

/// Normalizes a word for comparison: lower case, composed (NFC).
fn plain(word: &str) -> Cow<'_, str> {
    use unicode_normalization::UnicodeNormalization as _;
    if word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.to_lowercase().nfc().collect())
}

/// Finds extended private keys, and private keys whose checksum is valid or that a nearby word names.
pub(super) fn keys(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static KEY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[1-9A-HJ-NP-Za-km-z]{50,112}").expect("a pattern"));
    for found in KEY.find_iter(text) {
        let key = found.as_str();
        let is_extended =
            ["xprv", "yprv", "zprv", "tprv", "uprv", "vprv"].iter().any(|prefix| key.starts_with(prefix));
        let is_private =
            matches!(key.as_bytes()[0], b'5' | b'K' | b'L' | b'9' | b'c') && (51..=52).contains(&key.len());
        if is_extended && key.len() >= 100 || is_private && (is_checked(key) || is_said(text, &found.range()))
        {
            add(found.range());
        }
    }
}

/// Returns whether a text is public data of a wallet: an address, or an extended public key.
pub(super) fn is_address(text: &str) -> bool {
    let is_public = ["xpub", "ypub", "zpub", "tpub", "upub", "vpub", "bc1", "tb1"]
        .iter()
        .any(|prefix| text.starts_with(prefix));
    (is_public && text.len() >= 26 && text.bytes().all(|b| b.is_ascii_alphanumeric()))
        || (26..=35).contains(&text.len()) && is_checked(text)
}

/// Returns whether the last four bytes of a base58 text are the checksum of the others.
fn is_checked(text: &str) -> bool {
    const ALPHABET: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut bytes: Vec<u8> = Vec::new();
    for c in text.bytes() {
        let Some(digit) = ALPHABET.iter().position(|known| *known == c) else { return false };
        let mut carry = digit;
        for byte in bytes.iter_mut().rev() {
            carry += usize::from(*byte) * 58;
            *byte = u8::try_from(carry % 256).unwrap_or_default();
            carry /= 256;
        }
        while carry > 0 {
            bytes.insert(0, u8::try_from(carry % 256).unwrap_or_default());
            carry /= 256;
        }
    }
    let Some(split) = bytes.len().checked_sub(4) else { return false };
    let (content, sum) = bytes.split_at(split);
    Sha256::digest(Sha256::digest(content))[..4] == *sum
}
