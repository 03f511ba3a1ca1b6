//! Purpose: finds the words of the tables in a text, of all languages at once.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::words::{LANGUAGES, Language};

/// What may follow a word.
const END: &str = r"(?:[^\p{L}\p{N}]|[\u{3005}-\u{9FFF}\u{AC00}-\u{D7A3}]|$)";

/// What a word says of a value near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    Password,
    Phrase,
    Pin,
    Recovery,
    Account,
    Key,
    Code,
    Lock,
    Open,
    Proof,
    Login,
    Change,
    Public,
}

/// How many themes there are.
pub(super) const THEMES: usize = 13;

/// The themes that name a value; the others say something around it.
pub(super) const NAMES: [Theme; 7] =
    [Theme::Phrase, Theme::Password, Theme::Pin, Theme::Recovery, Theme::Account, Theme::Key, Theme::Code];
/// The themes that say something around a value.
pub(super) const CONTEXTS: [Theme; 6] =
    [Theme::Lock, Theme::Open, Theme::Proof, Theme::Login, Theme::Change, Theme::Public];

/// A word of a table in a text.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) range: Range<usize>,
    pub(super) theme: Theme,
}

/// The patterns of one theme: those before which a word must begin, and those before which letters may stand.
struct Patterns {
    theme: Theme,
    whole: Option<Regex>,
    ending: Option<Regex>,
}

impl Patterns {
    fn of(theme: Theme) -> Patterns {
        let mut whole = Vec::new();
        let mut ending = Vec::new();
        for entry in LANGUAGES.iter().flat_map(|language| entries(language, theme)) {
            let is_ending = entry.starts_with('*') || entry.chars().next().is_some_and(is_unspaced);
            let pattern = entry.trim_start_matches('*').replace(' ', r"[ \t_'’-]{1,2}");
            if is_ending { ending.push(pattern) } else { whole.push(pattern) }
        }
        Patterns { theme, whole: alternation(whole), ending: alternation(ending) }
    }
}

fn entries(language: &'static Language, theme: Theme) -> &'static [&'static str] {
    match theme {
        Theme::Password => language.password,
        Theme::Phrase => language.phrase,
        Theme::Pin => language.pin,
        Theme::Recovery => language.recovery,
        Theme::Account => language.account,
        Theme::Key => language.key,
        Theme::Code => language.code,
        Theme::Lock => language.lock,
        Theme::Open => language.open,
        Theme::Proof => language.proof,
        Theme::Login => language.login,
        Theme::Change => language.change,
        Theme::Public => language.public,
    }
}

/// One pattern of many; of two that fit at a place the longer is tried first.
///
/// What follows a word is matched with it, or a shorter word would be found in place of a longer one.
fn alternation(mut patterns: Vec<String>) -> Option<Regex> {
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
    patterns.dedup();
    let (unspaced, spaced): (Vec<String>, Vec<String>) =
        patterns.iter().cloned().partition(|pattern| pattern.ends_with(is_unspaced));
    let mut all = unspaced;
    if !spaced.is_empty() {
        all.push(format!("(?:{}){END}", spaced.join("|")));
    }
    (!all.is_empty()).then(|| Regex::new(&format!("(?i)(?:{})", all.join("|"))).expect("a pattern"))
}

/// Returns the words of some themes in a part of a text, in order of where they begin.
pub(super) fn hits(text: &str, within: Range<usize>, themes: &[Theme]) -> Vec<Hit> {
    static PATTERNS: LazyLock<[Patterns; THEMES]> = LazyLock::new(|| {
        let of = |theme| Patterns::of(theme);
        [
            of(Theme::Password),
            of(Theme::Phrase),
            of(Theme::Pin),
            of(Theme::Recovery),
            of(Theme::Account),
            of(Theme::Key),
            of(Theme::Code),
            of(Theme::Lock),
            of(Theme::Open),
            of(Theme::Proof),
            of(Theme::Login),
            of(Theme::Change),
            of(Theme::Public),
        ]
    });
    let part = &text[within.clone()];
    let mut hits = Vec::new();
    for patterns in PATTERNS.iter().filter(|patterns| themes.contains(&patterns.theme)) {
        for (pattern, is_whole) in [(&patterns.whole, true), (&patterns.ending, false)] {
            let found = pattern.iter().flat_map(|pattern| pattern.find_iter(part));
            let words = found.map(|found| found.start()..found.start() + word(found.as_str()).len());
            let bounded = words.filter(|word| is_bounded(part, word, is_whole));
            hits.extend(bounded.map(|word| Hit {
                range: within.start + word.start..within.start + word.end,
                theme: patterns.theme,
            }));
        }
    }
    hits.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end)));
    hits
}

/// The word in a match, without what was matched behind it.
fn word(found: &str) -> &str {
    let mut characters = found.chars();
    let last = characters.next_back();
    let before = characters.next_back();
    let is_behind = last.is_some_and(|last| {
        !last.is_alphanumeric() || is_unspaced(last) && before.is_some_and(|before| !is_unspaced(before))
    });
    if is_behind { &found[..found.len() - last.map_or(0, char::len_utf8)] } else { found }
}

fn is_bounded(text: &str, range: &Range<usize>, is_whole: bool) -> bool {
    let runs_on = |inner: Option<char>, outer: Option<char>| match (inner, outer) {
        (Some(inner), Some(outer)) => {
            outer.is_alphanumeric() && inner.is_alphanumeric() && !is_unspaced(inner) && !is_unspaced(outer)
        }
        _ => false,
    };
    let word = &text[range.clone()];
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    let begins_within = is_whole && runs_on(word.chars().next(), before);
    !begins_within && !runs_on(word.chars().next_back(), after)
}

/// Tells whether a character is of a writing without spaces between words (for this, Korean particles too).
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// Tells whether a word stands between a name and its value, as `is` does.
pub(super) fn is_verb(word: &str) -> bool {
    static VERBS: LazyLock<(HashSet<&'static str>, Regex)> = LazyLock::new(|| {
        let all = LANGUAGES
            .iter()
            .flat_map(|language| language.is)
            .copied()
            .filter(|verb| !verb.starts_with(is_unspaced));
        let (patterns, words): (Vec<&str>, Vec<&str>) =
            all.partition(|verb| verb.contains(['(', '[', '?', ' ']));
        let patterns: Vec<String> = patterns.iter().map(|verb| verb.replace(' ', r"[\s'’-]")).collect();
        let pattern = Regex::new(&format!("(?i)^(?:{})$", patterns.join("|"))).expect("a pattern");
        (words.into_iter().collect(), pattern)
    });
    if word.len() > 40 {
        return false;
    }
    let (words, pattern) = &*VERBS;
    words.contains(word.to_lowercase().as_str()) || pattern.is_match(word)
}

/// Returns how many bytes at the start of a text are a word like `is` of a writing without spaces.
pub(super) fn unspaced_verb(text: &str) -> usize {
    static VERBS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let all = LANGUAGES.iter().flat_map(|language| language.is).copied();
        let mut verbs: Vec<&str> =
            all.filter(|verb| verb.starts_with(is_unspaced) || *verb == "、").collect();
        verbs.sort_by_key(|verb| std::cmp::Reverse(verb.len()));
        verbs
    });
    if !text.starts_with(|c| is_unspaced(c) || c == '、') {
        return 0;
    }
    VERBS.iter().find(|verb| text.starts_with(**verb)).map_or(0, |verb| verb.len())
}

/// Verbs after which any word that describes nothing is taken for the value; after others it must look like one.
pub(super) fn is_plain_verb(word: &str) -> bool {
    static VERBS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
        "is was be ist war lautet heißt heisst luidt es era será são é e è c'est cest c est était jest brzmi este now jetzt ahora ora teraz nu это"
            .split_whitespace()
            .collect()
    });
    VERBS.contains(word.to_lowercase().replace('’', "'").as_str())
}
