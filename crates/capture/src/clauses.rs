//! Splits sentences into clauses: the units that the [`tagger`](super::tagger) labels.
//!
//! A statement is one clause or several adjacent ones. A sentence is split at its marks and before words that
//! often begin a clause, in all languages alike: a cut too many does no harm, since the tagger joins what belongs
//! together, but a cut too few cannot be mended.

use std::ops::Range;

use super::page::Sentence;
use memtape_language::han::is_han;
use memtape_language::kana::is_kana;
use memtape_language::{Language, likely};

/// A part of a sentence between two cuts. It contains at least one word.
pub(super) struct Clause {
    /// The index of the sentence.
    pub(super) sentence: usize,
    /// The ranges of the words in the folded sentence. A Chinese or Japanese character is a word.
    pub(super) words: Vec<Range<usize>>,
    /// The mark before the clause: `^` at the start of a sentence, `&` before a word that begins a clause.
    pub(super) before: char,
    /// The mark after it: `?` or `.` at the end of the sentence.
    pub(super) after: char,
}

impl Clause {
    /// Returns the range in the folded sentence.
    pub(super) fn range(&self) -> Range<usize> {
        let start = self.words.first().map_or(0, |word| word.start);
        start..self.words.last().map_or(start, |word| word.end)
    }
}

/// Words before which a sentence is split, if the clause before them has at least two words.
const BEGINNERS: &[&str] = &[
    "and",
    "but",
    "so",
    "because",
    "cuz",
    "cos",
    "bc",
    "since",
    "then",
    "plus",
    "und",
    "aber",
    "weil",
    "denn",
    "sondern",
    "deshalb",
    "y",
    "pero",
    "porque",
    "asi",
    "entonces",
    "mas",
    "porem",
    "entao",
    "et",
    "mais",
    "parce",
    "car",
    "donc",
    "alors",
    "ma",
    "perche",
    "quindi",
    "pero",
    "però",
    "e",
    "а",
    "но",
    "и",
    "потому",
    "поэтому",
];
/// Words that begin a clause, unless what they deny or except is before them: "je ne fume plus", "all animals but spiders".
const CONTRASTS: &[&str] = &["but", "aber", "pero", "mais", "ma", "mas"];
/// The maximum number of words of what is excepted.
const EXCEPTED_WORDS: usize = 4;
const DENIALS: &[&str] = &["not", "nicht", "kein", "keine", "keinen", "no", "pas", "non", "nao"];
/// Two words that begin a request to the assistant, before which a sentence is split too.
const REQUESTS: &[[&str; 2]] = &[
    ["can", "you"],
    ["could", "you"],
    ["would", "you"],
    ["kannst", "du"],
    ["könntest", "du"],
    ["me", "puedes"],
    ["puedes", "darme"],
    ["puedes", "decirme"],
    ["tu", "peux"],
    ["peux", "tu"],
    ["mi", "puoi"],
    ["puoi", "darmi"],
    ["podes", "dar"],
];
/// English words that no French clause has.
const ENGLISH: &[&str] = &["i", "my", "we", "our", "the", "your", "his", "her", "their", "is", "this"];
/// Chinese words before which a sentence is split, if the clause before them has at least `HAN_MIN` characters.
const HAN_BEGINNERS: &[&str] =
    &["但", "所以", "然后", "不过", "因为", "另外", "而且", "以后", "我", "你能", "你可以"];
const HAN_MIN: usize = 5;

/// Splits sentences into clauses, in order.
pub(super) fn split(sentences: &[Sentence]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let text = sentence.text();
        let is_japanese = text.chars().any(is_kana);
        let mut splitter =
            Splitter { clauses: &mut clauses, sentence: number, words: Vec::new(), before: '^' };
        let mut at = 0;
        for token in text.split_inclusive(' ') {
            let start = at;
            at += token.len();
            let token = token.trim_end_matches(' ');
            splitter.token(text, start..start + token.len(), is_japanese);
        }
        splitter.cut(if sentence.asked { '?' } else { '.' });
    }
    clauses
}

/// Returns the positions of clauses in the message, in bytes.
pub(super) fn places(sentences: &[Sentence], clauses: &[Clause]) -> Vec<Range<usize>> {
    clauses.iter().map(|clause| sentences[clause.sentence].place(&clause.range())).collect()
}

struct Splitter<'c> {
    clauses: &'c mut Vec<Clause>,
    sentence: usize,
    words: Vec<Range<usize>>,
    before: char,
}

impl Splitter<'_> {
    fn cut(&mut self, mark: char) {
        if self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        let before = std::mem::replace(&mut self.before, mark);
        self.clauses.push(Clause { sentence: self.sentence, words, before, after: mark });
    }

    /// Returns whether a word that may begin a clause belongs to the one before it.
    fn goes_on(&self, text: &str, range: &Range<usize>) -> bool {
        let token = &text[range.clone()];
        let rest = words_to_mark(&text[range.end..]);
        let denies = |word: &str| matches!(word, "ne" | "nao" | "ja") || word.starts_with("n'");
        match token {
            "plus" | "mais" if self.words.iter().any(|range| denies(&text[range.clone()])) => true,
            "plus" => rest.first().is_some_and(|next| *next == "de" || next.starts_with("d'")),
            "because" => rest.first() == Some(&"of"),
            // The French word for "my", not the Italian one for "but".
            "ma" if likely(text.split_ascii_whitespace()).first() == Some(&Language::French) => true,
            token if CONTRASTS.contains(&token) => match &rest[..] {
                [] => false,
                [_] => true,
                [first, .., last] => {
                    let is_short = rest.len() <= EXCEPTED_WORDS;
                    is_short
                        && (DENIALS.contains(first) || rest.len() < EXCEPTED_WORDS && DENIALS.contains(last))
                }
            },
            _ => self.is_vehicle(text, token),
        }
    }

    /// Returns whether a word is the English "car" rather than the French word for "because".
    fn is_vehicle(&self, text: &str, token: &str) -> bool {
        let word = |range: &Range<usize>| &text[range.clone()];
        let is_article = self.words.last().is_some_and(|last| word(last) == "a");
        token == "car" && (is_article || self.words.iter().any(|range| ENGLISH.contains(&word(range))))
    }

    fn token(&mut self, text: &str, range: Range<usize>, is_japanese: bool) {
        let token = &text[range.clone()];
        match token {
            "" => return,
            "," | ":" | "-" => return self.cut(token.chars().next().unwrap_or(',')),
            "\"" => return self.words.push(range),
            _ => {}
        }
        if !token.contains(|c| is_han(c) || is_kana(c)) {
            if token.contains(char::is_alphanumeric) {
                let begins = BEGINNERS.contains(&token) && !self.goes_on(text, &range);
                if self.words.len() >= 2 && (begins || asks(text, &range)) {
                    self.cut('&');
                }
                self.words.push(range);
            }
            return;
        }
        let mut word: Option<usize> = None;
        for (at, c) in token.char_indices() {
            let start = range.start + at;
            if c.is_alphanumeric() && !is_han(c) && !is_kana(c) {
                word.get_or_insert(start);
                continue;
            }
            self.words.extend(word.take().map(|first| first..start));
            if c == '、' && is_japanese {
                self.cut(',');
            } else if c.is_alphanumeric() || c == 'ー' {
                let begins = self.words.len() >= HAN_MIN
                    && HAN_BEGINNERS.iter().any(|word| token[at..].starts_with(word));
                if begins {
                    self.cut('&');
                }
                self.words.push(start..start + c.len_utf8());
            }
        }
        self.words.extend(word.map(|first| first..range.end));
        // White space between Chinese words stands for a mark.
        if !is_japanese && self.words.len() >= HAN_MIN && text[range.end..].len() > 1 {
            self.cut(' ');
        }
    }
}

/// Returns the words of a text up to a mark: as many as an exception may have, and one more.
fn words_to_mark(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in text.split_whitespace().take(EXCEPTED_WORDS + 1) {
        let mark = word.find([',', ':', '-']);
        words.extend(Some(&word[..mark.unwrap_or(word.len())]).filter(|word| !word.is_empty()));
        if mark.is_some() {
            break;
        }
    }
    words
}

/// Returns whether a word begins a request to the assistant.
fn asks(text: &str, word: &Range<usize>) -> bool {
    let token = &text[word.clone()];
    let next = text[word.end..].trim_start().split(' ').next().unwrap_or_default();
    REQUESTS.iter().any(|[first, second]| *first == token && *second == next)
}
