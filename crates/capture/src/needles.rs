//! A prefilter: finds the patterns that can match a text at all.
//!
//! Compiling a pattern takes a thousand times as long as matching it, and most patterns are never needed. For
//! each pattern, this module computes strings of which every matching text contains at least one (its
//! needles). A pattern is compiled and matched only if one of its needles is found.
//!
//! **Invariant.** The possible patterns of a text include every pattern that matches it.

use std::collections::{BTreeSet, HashMap};

/// The number of bytes by which needles are looked up; also their minimum length.
const START: usize = 3;
/// The maximum number of strings that consecutive parts of a pattern are combined into.
const JOINED_MAX: usize = 128;
/// Characters with a special meaning in patterns.
const SIGNS: [char; 13] = ['(', ')', '[', ']', '|', '\\', '^', '$', '.', '?', '*', '+', '{'];

/// The needles of several patterns.
pub(super) struct Needles {
    by_start: HashMap<[u8; START], Vec<(String, usize)>>,
    /// Patterns without known needles.
    always: Vec<usize>,
}

impl Needles {
    /// Computes the needles of patterns, which are numbered by their order.
    pub(super) fn of(sources: &[String]) -> Needles {
        let mut needles = Needles { by_start: HashMap::new(), always: Vec::new() };
        for (number, source) in sources.iter().enumerate() {
            match needed(source) {
                Some(strings) => strings.into_iter().for_each(|string| needles.add(string, number)),
                None => needles.always.push(number),
            }
        }
        needles
    }

    fn add(&mut self, string: String, number: usize) {
        if let Some(start) = string.as_bytes().first_chunk() {
            self.by_start.entry(*start).or_default().push((string, number));
        }
    }

    /// Returns the numbers of the patterns that may match a text, in order.
    pub(super) fn possible(&self, text: &str) -> BTreeSet<usize> {
        let mut possible: BTreeSet<usize> = self.always.iter().copied().collect();
        for (at, start) in text.as_bytes().windows(START).enumerate() {
            for (string, number) in self.by_start.get(start).into_iter().flatten() {
                if text.as_bytes()[at..].starts_with(string.as_bytes()) {
                    possible.insert(*number);
                }
            }
        }
        possible
    }
}

/// Returns strings of which every text that matches a pattern contains at least one; `None` if no such
/// strings are known.
fn needed(source: &str) -> Option<Vec<String>> {
    let mut parser = Parser { rest: source, is_sound: true };
    let part = parser.alternatives();
    let is_sound = parser.is_sound && parser.rest.is_empty();
    part.needs().filter(|strings| is_sound && usable(strings))
}

fn usable(strings: &[String]) -> bool {
    strings.iter().all(|string| string.len() >= START)
}

/// Returns a rough estimate of how often strings occur in unrelated text; only for comparison.
fn frequency(strings: &[String]) -> f64 {
    let weigh = |string: &String| {
        let borders = string.len() - string.trim_matches(' ').len();
        let halves = 2 * string.trim_matches(' ').len() + borders.min(2);
        0.4_f64.powi(i32::try_from(halves.min(40)).unwrap_or(40))
    };
    strings.iter().map(weigh).sum()
}

/// The known strings of a part of a pattern.
struct Part {
    /// All strings that the part matches, if they are few.
    exact: Option<Vec<String>>,
    /// Strings of which every match contains at least one.
    needles: Option<Vec<String>>,
}

impl Part {
    const UNKNOWN: Part = Part { exact: None, needles: None };

    fn exactly(string: &str) -> Part {
        Part { exact: Some(vec![string.to_owned()]), needles: None }
    }

    /// Returns the better of both sets of strings.
    fn needs(self) -> Option<Vec<String>> {
        better(self.exact.filter(|strings| usable(strings)), self.needles)
    }
}

/// Returns the set of needles that is found less often.
fn better(one: Option<Vec<String>>, other: Option<Vec<String>>) -> Option<Vec<String>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if frequency(&other) < frequency(&one) { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The state while reading consecutive parts.
struct Sequence {
    /// The strings that the last parts match together.
    run: Vec<String>,
    /// Whether the run covers all parts.
    is_whole: bool,
    needles: Option<Vec<String>>,
}

impl Sequence {
    fn new() -> Sequence {
        Sequence { run: vec![String::new()], is_whole: true, needles: None }
    }

    fn push(&mut self, part: Part) {
        match part.exact {
            Some(exact) if self.run.len() * exact.len() <= JOINED_MAX => {
                if let [end] = &exact[..] {
                    self.run.iter_mut().for_each(|start| start.push_str(end));
                    return;
                }
                let starts = std::mem::take(&mut self.run);
                for start in &starts {
                    self.run.extend(exact.iter().map(|end| [start.as_str(), end].concat()));
                }
            }
            exact => {
                self.cut();
                self.offer(exact);
                self.offer(part.needles);
            }
        }
    }

    /// Ends the run: later parts are not combined with earlier ones.
    fn cut(&mut self) {
        let run = std::mem::replace(&mut self.run, vec![String::new()]);
        self.offer(Some(run));
        self.is_whole = false;
    }

    fn offer(&mut self, strings: Option<Vec<String>>) {
        self.needles = better(self.needles.take(), strings.filter(|strings| usable(strings)));
    }

    fn end(mut self) -> Part {
        if self.is_whole {
            return Part { exact: Some(self.run), needles: None };
        }
        self.cut();
        Part { exact: None, needles: self.needles }
    }
}

/// A parser for the pattern syntax that the tables use.
struct Parser<'s> {
    rest: &'s str,
    /// Whether everything was understood so far.
    is_sound: bool,
}

impl Parser<'_> {
    /// Parses alternatives up to a closing parenthesis or the end.
    fn alternatives(&mut self) -> Part {
        let mut parts = vec![self.sequence()];
        while self.skips('|') {
            parts.push(self.sequence());
        }
        if parts.iter().all(|part| part.exact.is_some()) {
            let exact = parts.into_iter().flat_map(|part| part.exact.unwrap_or_default()).collect();
            return Part { exact: Some(exact), needles: None };
        }
        let needs: Option<Vec<Vec<String>>> = parts.into_iter().map(Part::needs).collect();
        Part { exact: None, needles: needs.map(|needs| needs.concat()) }
    }

    fn sequence(&mut self) -> Part {
        let mut sequence = Sequence::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let part = self.part();
            match self.repeats() {
                None => sequence.push(part),
                // The part occurs at least once; what follows it is unknown.
                Some(true) => {
                    sequence.push(part);
                    sequence.cut();
                }
                Some(false) => sequence.cut(),
            }
        }
        sequence.end()
    }

    fn part(&mut self) -> Part {
        let letters = self.letters();
        if !letters.is_empty() {
            return Part::exactly(letters);
        }
        match self.next() {
            Some('(') => self.group(),
            Some('[') => self.class(),
            Some('^' | '$') => Part::exactly(""),
            Some('.') => Part::UNKNOWN,
            Some('\\') => match self.next() {
                Some(c) if c.is_ascii_punctuation() => Part::exactly(c.encode_utf8(&mut [0; 4])),
                _ => self.give_up(),
            },
            _ => self.give_up(),
        }
    }

    /// Parses a run of literal characters, without the last one if a repetition applies to it.
    fn letters(&mut self) -> &str {
        let mut end = self.rest.find(SIGNS).unwrap_or(self.rest.len());
        if self.rest[end..].starts_with(['?', '*', '+', '{'])
            && let Some((last, _)) = self.rest[..end].char_indices().next_back()
            && last > 0
        {
            end = last;
        }
        let (letters, rest) = self.rest.split_at(end);
        self.rest = rest;
        letters
    }

    fn group(&mut self) -> Part {
        if self.skips('?') && !self.skips(':') {
            return self.give_up();
        }
        let part = self.alternatives();
        if self.skips(')') { part } else { self.give_up() }
    }

    /// Parses a character class. Its characters are known if it lists only letters.
    fn class(&mut self) -> Part {
        let Some(end) = self.rest.find(']') else { return self.give_up() };
        let (class, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        if class.is_empty() || class == "^" || class.contains(['\\', '[', '&', '~']) {
            // The class contains a bracket or an escape, or is of another kind.
            return if class.starts_with("\\x") { Part::UNKNOWN } else { self.give_up() };
        }
        if class.contains(['^', '-']) {
            return Part::UNKNOWN;
        }
        Part { exact: Some(class.chars().map(String::from).collect()), needles: None }
    }

    /// Parses a repetition: `None` if there is none, otherwise whether the part occurs at least once.
    fn repeats(&mut self) -> Option<bool> {
        let is_there = if self.skips('{') {
            let (times, rest) = self.rest.split_once('}').unwrap_or((self.rest, ""));
            self.rest = rest;
            !times.starts_with(['0', ','])
        } else if self.skips('+') {
            true
        } else if self.skips('?') || self.skips('*') {
            false
        } else {
            return None;
        };
        self.skips('?');
        Some(is_there)
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn skips(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn give_up(&mut self) -> Part {
        self.is_sound = false;
        Part::UNKNOWN
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "these are tests")]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    fn shown(source: &str) -> String {
        needed(source).map_or("-".to_owned(), |strings| strings.join("|"))
    }

    #[test]
    fn a_pattern_needs_what_each_match_has() {
        for (source, expected) in [
            ("^ my (?:cat|dog) ", " my cat | my dog "),
            (" (?:really )?(?:like|love) ", "like |love "),
            ("(?:[a-z]{2,}ed|went) [^,]*(?:today|yesterday)", "today|yesterday"),
            ("(?:every|each)+ ", "every|each"),
            ("a{0,3}tea[a-z]+ pot", " pot"),
            ("(?:cat|[a-z]+)", "-"),
            (" (?:i)?", "-"),
            ("(?:以后|从此).*用吧", "用吧"),
            ("(?:cat)?", "-"),
            ("(?i:cat)", "-"),
            ("dr\\. who", "dr. who"),
            ("summari[sz]e[ds]?", "summarise|summarize"),
            ("[\\x{3400}-\\x{9FFF}]天前", "天前"),
            ("to[ab]{2} [\\]]", "-"),
            ("teas*", "tea"),
        ] {
            assert_eq!(shown(source), expected, "{source}");
        }
    }

    /// Generates patterns of the kinds of parts that tables contain.
    fn pattern() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "[abc ]{1,4}",
            Just("[ab]".to_owned()),
            Just("[^c]".to_owned()),
            Just("[a-b]".to_owned()),
            Just("^".to_owned()),
            Just("$".to_owned()),
            Just(".".to_owned()),
            Just("\\.".to_owned()),
            Just("你好".to_owned()),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
                prop::collection::vec(inner.clone(), 1..4)
                    .prop_map(|parts| format!("(?:{})", parts.join("|"))),
                (inner, prop::sample::select(vec!["?", "*", "+", "{0,2}", "{1,2}", "{2,}", ""]))
                    .prop_map(|(part, times)| format!("({part}){times}")),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_matches_is_possible(source in pattern(), texts in prop::collection::vec("[abc .你好]{0,8}", 8)) {
            let regex = Regex::new(&source).unwrap();
            let needles = Needles::of(std::slice::from_ref(&source));
            for text in texts {
                prop_assert!(!regex.is_match(&text) || needles.possible(&text).contains(&0), "{} {}", source, text);
            }
        }
    }
}
