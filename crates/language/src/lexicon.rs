//! The lexicons: words of a language with their English meaning.
//!
//! A lexicon is a file of lines `word TAB gloss`, most frequent words first. A word applies to all forms with the same
//! stem, unless a line has the form itself; of two lines for one stem, the first counts. A phrase whose meaning differs
//! from that of its words is also a line ("fin de semana"). The gloss `-` drops a word that adds no meaning, such as an
//! article.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::{Language, fold, han};

/// A lexicon that is read on first use.
pub(crate) struct Lexicon {
    language: Language,
    stemmer: Option<Stemmer>,
    /// The words as written, in lower case.
    forms: FxHashMap<&'static str, &'static str>,
    /// Stems, and the words and stems without accents.
    stems: FxHashMap<String, &'static str>,
    /// The first words of phrases.
    phrases: FxHashSet<&'static str>,
}

/// The gloss of a word that is dropped.
const DROPPED: &str = "-";
/// The minimum lengths of the parts of a compound, in letters: its last part, and the text before it.
const PARTS_MIN: (usize, usize) = (4, 3);
/// The longest compound, in letters; a longer word is data.
const COMPOUND_MAX: usize = 40;
/// The joints between the parts of a compound.
const JOINTS: [&str; 6] = ["s", "n", "en", "es", "er", "e"];

const GERMAN: &str = include_str!("../lexicon/german.tsv");
const SPANISH: &str = include_str!("../lexicon/spanish.tsv");
const FRENCH: &str = include_str!("../lexicon/french.tsv");
const ITALIAN: &str = include_str!("../lexicon/italian.tsv");
const PORTUGUESE: &str = include_str!("../lexicon/portuguese.tsv");
const RUSSIAN: &str = include_str!("../lexicon/russian.tsv");
const CHINESE: &str = include_str!("../lexicon/chinese.tsv");
const JAPANESE: &str = include_str!("../lexicon/japanese.tsv");

/// Returns whether a word is an ordinary one rather than a name: a lexicon has it, or the singular of it, as a word or as the
/// meaning of one. Takes one or two milliseconds, because nothing is indexed for it.
#[must_use]
pub fn is_ordinary(word: &str) -> bool {
    let word = word.to_lowercase();
    let endings = [("ies", "y"), ("s", ""), ("en", ""), ("n", "")];
    let singular = |(ending, other): &(&str, &str)| Some(format!("{}{other}", word.strip_suffix(ending)?));
    let mut forms: Vec<String> = endings.iter().filter_map(singular).collect();
    forms.push(word.clone());
    let has = |text: &str| forms.iter().any(|form| form == text);
    let lines =
        [GERMAN, SPANISH, FRENCH, ITALIAN, PORTUGUESE, RUSSIAN, CHINESE].into_iter().flat_map(str::lines);
    let mut lines = lines.filter_map(|line| line.split_once('\t'));
    lines.any(|(word, gloss)| has(word) || gloss.split(' ').any(has))
}

impl Lexicon {
    /// Returns the lexicon of a language; English has none.
    pub(crate) fn of(language: Language) -> Option<&'static Self> {
        macro_rules! lexicon {
            ($language:ident, $lines:ident) => {{
                static LEXICON: LazyLock<Lexicon> =
                    LazyLock::new(|| Lexicon::read(Language::$language, $lines));
                &LEXICON
            }};
        }
        Some(match language {
            Language::English => return None,
            Language::German => lexicon!(German, GERMAN),
            Language::Spanish => lexicon!(Spanish, SPANISH),
            Language::French => lexicon!(French, FRENCH),
            Language::Italian => lexicon!(Italian, ITALIAN),
            Language::Portuguese => lexicon!(Portuguese, PORTUGUESE),
            Language::Russian => lexicon!(Russian, RUSSIAN),
            Language::Chinese => lexicon!(Chinese, CHINESE),
            Language::Japanese => lexicon!(Japanese, JAPANESE),
        })
    }

    fn read(language: Language, lines: &'static str) -> Self {
        let algorithm = match language {
            Language::German => Some(Algorithm::German),
            Language::Spanish => Some(Algorithm::Spanish),
            Language::French => Some(Algorithm::French),
            Language::Italian => Some(Algorithm::Italian),
            Language::Portuguese => Some(Algorithm::Portuguese),
            Language::Russian => Some(Algorithm::Russian),
            Language::English | Language::Chinese | Language::Japanese => None,
        };
        let stemmer = algorithm.map(Stemmer::create);
        let words = lines.lines().count();
        // A word has two keys if its stem is another word.
        let keys = if stemmer.is_some() { 2 * words } else { 0 };
        let mut lexicon = Self {
            language,
            stemmer,
            forms: FxHashMap::with_capacity_and_hasher(words, FxBuildHasher),
            stems: FxHashMap::with_capacity_and_hasher(keys, FxBuildHasher),
            phrases: FxHashSet::default(),
        };
        for (word, gloss) in lines.lines().filter_map(|line| line.split_once('\t')) {
            let gloss = if gloss == DROPPED { "" } else { gloss };
            lexicon.forms.entry(word).or_insert(gloss);
            if let Some((first, _)) = word.split_once([' ', '-']) {
                lexicon.phrases.insert(first);
            } else if let Some(stem) = lexicon.stem(word) {
                lexicon.stems.entry(stem).or_insert(gloss);
                let plain = fold::word(word);
                // Stemming is most of the work, and most words have no accents.
                if plain != word
                    && let Some(stem) = lexicon.stem(&plain)
                {
                    lexicon.stems.entry(stem).or_insert(gloss);
                }
                lexicon.stems.entry(plain).or_insert(gloss);
            }
        }
        lexicon
    }

    fn stem(&self, word: &str) -> Option<String> {
        self.stemmer.as_ref().map(|stemmer| stemmer.stem(word).into_owned())
    }

    fn is_german(&self) -> bool {
        self.language == Language::German
    }

    /// Returns whether the language capitalizes all nouns, not only names.
    pub(crate) fn capitalizes_nouns(&self) -> bool {
        self.is_german()
    }

    /// Returns whether the language puts spaces between words.
    pub(crate) fn has_spaces(&self) -> bool {
        !matches!(self.language, Language::Chinese | Language::Japanese)
    }

    /// Returns the letter under which the lexicon has a letter of a text without spaces.
    pub(crate) fn letter(&self, c: char) -> char {
        if self.language == Language::Chinese && han::is_han(c) { han::simplified(c) } else { c }
    }

    /// Returns the gloss of a word in lower case, if a line has exactly this form.
    pub(crate) fn form(&self, word: &str) -> Option<&'static str> {
        self.forms.get(word).copied()
    }

    /// Returns the gloss of a word in lower case, or of the word that it is a form of. It is empty if the word is
    /// dropped; `None` if it is unknown.
    pub(crate) fn find(&self, word: &str) -> Option<String> {
        if let Some(gloss) = self.word(word) {
            return Some(gloss.to_owned());
        }
        if !self.is_german() {
            return None;
        }
        let spelled = || self.word(&with_umlauts(word)?);
        let verb = || infinitives(word).find_map(|verb| self.forms.get(verb.as_str()).copied());
        spelled().or_else(verb).map(str::to_owned).or_else(|| self.compound(word))
    }

    /// Returns the gloss of the longest phrase at the start of a text, and the number of its parts. The parts are words
    /// and the text between them.
    pub(crate) fn phrase(&self, parts: &[Cow<'_, str>]) -> Option<(&'static str, usize)> {
        const LONGEST: usize = 7;
        if !self.phrases.contains(parts.first()?.to_lowercase().as_str()) {
            return None;
        }
        let longest = LONGEST.min(parts.len());
        (2..=longest).rev().find_map(|length| {
            let phrase = parts[..length].concat().to_lowercase();
            Some((*self.forms.get(phrase.as_str())?, length))
        })
    }

    /// Returns the gloss of the longest word at the start of a text without spaces, and the length of the word.
    pub(crate) fn longest(&self, text: &str) -> Option<(&'static str, usize)> {
        const LONGEST: usize = 8;
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST).collect::<Vec<_>>();
        ends.into_iter().rev().find_map(|end| Some((*self.forms.get(&text[..end])?, end)))
    }

    fn word(&self, word: &str) -> Option<&'static str> {
        let stem = |word: &str| self.stems.get(&self.stem(word)?);
        let plain = || {
            let plain = fold::word(word);
            self.stems.get(&plain).or_else(|| stem(&plain)).copied()
        };
        self.forms.get(word).or_else(|| stem(word)).copied().or_else(plain)
    }

    /// Returns the glosses of the parts of a compound, with the longest end that is a word.
    fn compound(&self, word: &str) -> Option<String> {
        let cuts: Vec<usize> = word.char_indices().map(|(at, _)| at).take(COMPOUND_MAX + 1).collect();
        if cuts.len() > COMPOUND_MAX {
            return None;
        }
        let last = cuts.len().checked_sub(PARTS_MIN.0)?;
        cuts.get(PARTS_MIN.1..=last)?.iter().find_map(|&cut| {
            let (before, end) = word.split_at(cut);
            let end = self.word(end).filter(|gloss| !gloss.is_empty())?;
            let bare = JOINTS.iter().filter_map(|joint| before.strip_suffix(joint));
            let candidates =
                [before].into_iter().chain(bare.filter(|bare| bare.chars().count() >= PARTS_MIN.1));
            let whole = candidates.map(str::to_owned).chain([format!("{before}e")]);
            let mut parts =
                whole.filter_map(|part| self.word(&part).map(str::to_owned).filter(|g| !g.is_empty()));
            let before = parts.next().or_else(|| self.compound(before))?;
            Some(format!("{before} {end}"))
        })
    }
}

/// Returns the infinitives that a German word may be a regular form of: "arbeitet", "gekocht", "abgeholt", "anzurufen".
fn infinitives(word: &str) -> impl Iterator<Item = String> {
    const PREFIXES: [&str; 20] = [
        "ab", "an", "auf", "aus", "bei", "durch", "ein", "fest", "her", "hin", "los", "mit", "nach", "über",
        "um", "vor", "weg", "weiter", "zu", "zurück",
    ];
    const ENDINGS: [&str; 11] = ["etest", "eten", "ete", "est", "et", "test", "ten", "te", "st", "t", "e"];
    let splits = PREFIXES.into_iter().filter_map(|prefix| Some((prefix, word.strip_prefix(prefix)?)));
    let separated = splits.flat_map(|(prefix, rest)| {
        ["ge", "zu"].into_iter().filter_map(move |mark| Some(format!("{prefix}{}", rest.strip_prefix(mark)?)))
    });
    let marked = word.strip_prefix("ge").map(str::to_owned).into_iter().chain(separated);
    [word.to_owned()].into_iter().chain(marked).flat_map(|form| {
        let roots = ENDINGS
            .into_iter()
            .filter_map(|ending| form.strip_suffix(ending).map(|root| format!("{root}en")));
        roots.chain([form.clone()]).collect::<Vec<_>>()
    })
}

/// Returns a German word with umlauts for the vowels that stand for them; `None` if there are none.
fn with_umlauts(word: &str) -> Option<String> {
    let written = word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü");
    (written != word).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_word_and_its_gloss() {
        let all = [
            (GERMAN, 8_000),
            (SPANISH, 6_000),
            (FRENCH, 6_000),
            (ITALIAN, 4_000),
            (PORTUGUESE, 4_000),
            (RUSSIAN, 5_000),
            (CHINESE, 6_000),
            (JAPANESE, 5_000),
        ];
        for (lines, least) in all {
            let mut seen = FxHashMap::default();
            for line in lines.lines() {
                let (word, gloss) = line.split_once('\t').unwrap_or_default();
                assert!(!word.is_empty() && word.to_lowercase() == word, "{line:?}");
                assert!(!gloss.is_empty() && gloss.is_ascii() && gloss.trim() == gloss, "{line:?}");
                assert!(!gloss.contains(['\t', ',', '/', '(']) && gloss.split(' ').count() <= 4, "{line:?}");
                assert_eq!(seen.insert(word, ()), None, "{line:?} is there twice");
            }
            assert!(seen.len() >= least, "{}", seen.len());
        }
    }
}
