//! The compiled form of a language's table.
//!
//! A table is compiled when the first message arrives that may be in its language, and the patterns of its day words
//! when the first statement is kept. The size of each compiled pattern and of its cache is limited.

use std::ops::Range;
use std::sync::OnceLock;

use jiff::civil::{Date, Weekday};
use memtape_language::han::simplify;
use regex::{Captures, Regex, RegexBuilder};

use super::days::{self, Found};
use super::language::{Language, When};

/// The maximum size of a compiled pattern, in bytes. `CACHE_MAX` limits the cache of its lazy DFA.
const SIZE_MAX: usize = 16 << 20;
const CACHE_MAX: usize = 256 << 10;

/// The indices of the patterns of tenses.
const PAST: usize = 0;
const ARRANGED: usize = 1;
const PRESENT: usize = 2;
const DOUBTFUL: usize = 3;

/// A table that is compiled on first use.
pub(super) struct Table {
    language: &'static Language,
    ready: OnceLock<Compiled>,
}

impl Table {
    pub(super) const fn of(language: &'static Language) -> Table {
        Table { language, ready: OnceLock::new() }
    }

    pub(super) fn get(&self) -> &Compiled {
        self.ready.get_or_init(|| Compiled::of(self.language))
    }
}

/// A compiled table.
pub(super) struct Compiled {
    pub(super) language: &'static Language,
    pub(super) openers: Regex,
    pub(super) closers: Regex,
    pub(super) session: Regex,
    /// By which the tense of a clause is told: [`PAST`], [`ARRANGED`], [`PRESENT`], [`DOUBTFUL`].
    tenses: Patterns,
    pub(super) days: Patterns,
    pub(super) weekdays: Vec<Regex>,
    pub(super) numbers: Vec<Regex>,
}

/// Patterns that are matched against the same texts. Each is compiled when it is needed.
pub(super) struct Patterns {
    each: Vec<(String, OnceLock<Regex>)>,
}

impl Patterns {
    fn of(sources: Vec<String>) -> Patterns {
        Patterns { each: sources.into_iter().map(|source| (source, OnceLock::new())).collect() }
    }

    /// Returns the indices of the patterns that match a text, in order; each is evaluated lazily.
    pub(super) fn matches<'t>(&'t self, text: &'t str) -> impl Iterator<Item = usize> + 't {
        (0..self.each.len()).filter(|index| self.one(*index).is_match(text))
    }

    /// Returns the pattern at an index.
    pub(super) fn one(&self, index: usize) -> &Regex {
        let (source, regex) = &self.each[index];
        regex.get_or_init(|| pattern_or_none(source))
    }
}

fn pattern(source: &str) -> Regex {
    let built = RegexBuilder::new(&simplify(source)).size_limit(SIZE_MAX).dfa_size_limit(CACHE_MAX).build();
    built.expect("tables hold patterns")
}

/// Compiles a pattern; an empty one becomes a pattern that matches nothing.
fn pattern_or_none(source: &str) -> Regex {
    pattern(if source.is_empty() { "[^\\x00-\\x{10FFFF}]" } else { source })
}

/// Replaces the names of fragments with the fragments.
fn expand(source: &str, fragments: &[(&str, String)]) -> String {
    let mut expanded = source.to_owned();
    for (name, fragment) in fragments.iter().rev() {
        expanded = expanded.replace(&format!("{{{name}}}"), fragment);
    }
    expanded
}

impl Compiled {
    fn of(language: &'static Language) -> Compiled {
        let mut fragments: Vec<(&str, String)> = Vec::new();
        fragments.push(("weekday", format!("(?:{})", language.weekdays.join("|"))));
        fragments.push(("number", format!("(?:{}|[0-9]{{1,5}})", language.numbers.join("|"))));
        for (name, source) in language.fragments {
            let source = expand(source, &fragments);
            fragments.push((name, source));
        }
        let fill = |source: &str| expand(source, &fragments);
        let all = |sources: &mut dyn Iterator<Item = &'static str>| Patterns::of(sources.map(fill).collect());
        let [openers, closers] = if !language.spaced {
            [
                around("^ ?(?:(?:", language.openers, ")(?: [,:-] |、)?)+"),
                around("(?:", language.closers, ")+ ?$"),
            ]
        } else {
            [
                around("^(?: (?:", language.openers, ")(?: [,:-])?)+ "),
                around("(?:(?: [,:-])? (?:", language.closers, "))+ $"),
            ]
        };
        let interjections = match (language.interjections, language.speaker) {
            ("", _) => String::new(),
            (words, speaker) if language.spaced => format!("|^ (?:{words})(?: [,:-] |( (?:{speaker})[ ']))"),
            (words, speaker) => format!("|^ ?(?:{words})(?: [,:-] |[、 ]|({speaker}))"),
        };
        let openers = openers + &interjections;
        let words = |words: &[&str]| words.iter().map(|word| pattern(&format!("(?:{word})"))).collect();
        Compiled {
            language,
            openers: pattern_or_none(&fill(&openers)),
            closers: pattern_or_none(&fill(&closers)),
            session: pattern_or_none(&fill(language.session)),
            tenses: all(
                &mut [language.past, language.arranged, language.present, language.doubtful].into_iter()
            ),
            days: all(&mut language.days.iter().map(|day| day.pattern)),
            weekdays: words(&language.weekdays),
            numbers: words(language.numbers),
        }
    }

    /// Returns the range of a clause's words for a day, and the day; `None` for the day if the words mean no single one.
    /// `verbs` is the clause with its names masked and its preterites masked by capitals, by which its tense is told.
    pub(super) fn day(
        &self,
        clause: &str,
        verbs: &str,
        said_on: Date,
    ) -> Option<(Option<Date>, Range<usize>)> {
        let (index, captures, word) = self.days.matches(clause).find_map(|index| {
            let captures = self.days.one(index).captures(clause)?;
            let word =
                group(&captures).unwrap_or_else(|| captures.get(0).map_or(0..0, |whole| whole.range()));
            Some((index, captures, self.to_end_of_word(clause, word)?))
        })?;
        let whole = captures.get(0)?;
        let when: When = self.language.days[index].when;
        if matches!(when, When::Nearest) && self.names_days(clause) > 1 {
            return Some((None, word));
        }
        // A weekday may look like a participle: "mon rendez-vous est lundi". What follows a relative pronoun has a tense of its
        // own: "el viernes veo a la doctora que me operó".
        let rest = |text: &str| {
            let after = text[word.end..].trim_start();
            let end = RELATIVES.iter().filter_map(|relative| after.find(relative)).min();
            format!("{} {} ", text[..word.start].trim_end(), after[..end.unwrap_or(after.len())].trim_end())
        };
        let whole_verbs = rest(verbs);
        let verbs = self.tenses.one(PRESENT).replace_all(&whole_verbs, " ");
        let past = verbs.contains(|c: char| c.is_ascii_uppercase()) || self.tenses.one(PAST).is_match(&verbs);
        let is_unclear = || match past {
            true => self.tenses.one(ARRANGED).is_match(&rest(clause)),
            false => self.tenses.one(DOUBTFUL).is_match(&whole_verbs),
        };
        if matches!(when, When::Nearest) && is_unclear() {
            return Some((None, word));
        }
        let found = Found {
            weekday: position(&self.weekdays, whole.as_str())
                .and_then(|day| Weekday::from_monday_zero_offset(i8::try_from(day).ok()?).ok()),
            number: self.number(whole.as_str()),
            past,
        };
        Some((days::resolve(when, found, said_on), word))
    }

    /// Returns the range of a word for a day up to the end of the word; `None` if it is only the beginning of another:
    /// "heutzutage", "al anochecer".
    fn to_end_of_word(&self, clause: &str, word: Range<usize>) -> Option<Range<usize>> {
        let rest = &clause[word.end..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '\'').unwrap_or(rest.len());
        match &rest[..end] {
            _ if !self.language.spaced || clause[..word.end].ends_with(' ') => Some(word),
            "" => Some(word),
            daytime if DAYTIMES.contains(&daytime) => Some(word.start..word.end + end),
            _ => None,
        }
    }

    /// Returns whether words for a day are a number of days ahead: "in two days".
    pub(super) fn is_span(&self, words: &str) -> bool {
        let mut days = self.language.days.iter().enumerate();
        days.any(|(index, day)| matches!(day.when, When::Ahead) && self.days.one(index).is_match(words))
    }

    /// Returns the number of weekdays that a clause names.
    pub(super) fn names_days(&self, clause: &str) -> usize {
        clause.split(' ').filter(|word| self.weekday(word).is_some()).count()
    }

    /// Returns the weekday that a word names, also with a time of day: "Freitagabend".
    pub(super) fn weekday(&self, word: &str) -> Option<Weekday> {
        let names = |day: &Regex| {
            let mut days = DAYTIMES.iter().filter_map(|daytime| word.strip_suffix(daytime));
            is_whole(day, word) || days.any(|word| is_whole(day, word))
        };
        let day = self.weekdays.iter().position(names)?;
        Weekday::from_monday_zero_offset(i8::try_from(day).ok()?).ok()
    }

    /// Returns whether a word is a number from two on.
    pub(super) fn is_number(&self, word: &str) -> bool {
        self.numbers.iter().skip(1).any(|number| is_whole(number, word))
    }

    fn number(&self, words: &str) -> Option<i64> {
        let digits: String =
            words.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        digits.parse().ok().or_else(|| i64::try_from(position(&self.numbers, words)? + 1).ok())
    }
}

/// Words that begin a relative clause.
const RELATIVES: &[&str] = &[" who ", " which ", " que ", " qui ", " che ", " котор"];

/// What may follow a word for a day without a space: a time of day, and the end of a genitive.
const DAYTIMES: &[&str] =
    &["früh", "frueh", "morgen", "vormittag", "mittag", "nachmittag", "abend", "nacht", "'s"];

/// Wraps an alternation, unless it is empty.
fn around(before: &str, alternation: &str, after: &str) -> String {
    if alternation.is_empty() { String::new() } else { format!("{before}{alternation}{after}") }
}

/// Returns whether a pattern matches a whole word.
fn is_whole(pattern: &Regex, word: &str) -> bool {
    !word.is_empty() && pattern.find(word).is_some_and(|found| found.as_str() == word)
}

/// Returns the index of the word in a text that begins first; among those, the longest.
fn position(words: &[Regex], text: &str) -> Option<usize> {
    let found = |(index, word): (usize, &Regex)| {
        word.find(text).map(|found| (found.start(), std::cmp::Reverse(found.len()), index))
    };
    words.iter().enumerate().filter_map(found).min().map(|(.., index)| index)
}

/// Returns the range of the last group that matched.
fn group(captures: &Captures<'_>) -> Option<Range<usize>> {
    captures.iter().skip(1).flatten().last().map(|group| group.range())
}
