//! Turns a value, its context and its text into features.

use super::super::lexicon::{Theme, Themes, fold, is_common};
use super::super::shape::Shape;
use super::super::spans::{Span, near};
use super::super::words::{Word, hash, word_hash};
use super::around::{Around, LEFT, Mark, Place, RIGHT};
use super::keys::{Features, Of, key, number};
use super::page::Page;

impl Around {
    pub(super) fn features(
        &self,
        text: &str,
        words: &[Word],
        span: &Span,
        shape: Shape,
        page: &Page,
    ) -> Vec<u32> {
        let mut features = Features { keys: vec![key(Of::Bias, 0, 0)], group: shape.group() as u32 };
        features.put(Of::Shape, shape as u32, 0);
        for (theme, place) in self.places.iter().enumerate() {
            let theme = number(theme);
            if let Some(place) = place {
                features.both(Of::Place, theme, *place as u32);
                if *place < Place::Across {
                    features.both(Of::Around, theme, 0);
                }
            }
        }
        let (name, side, at) = self.name.map_or((99, 1, 99), |(theme, place)| {
            let side = match place {
                Place::AfterVerb | Place::After | Place::NearAfter | Place::FarAfter => 2,
                place if place <= Place::FarVerb => 0,
                _ => 1,
            };
            (theme as u32, side, place as u32)
        });
        let class = match self.name.map(|(theme, _)| theme) {
            Some(Theme::Password | Theme::Phrase) => 0,
            Some(Theme::Pin | Theme::Recovery) => 1,
            Some(Theme::Secret | Theme::Token) => 2,
            Some(_) => 3,
            None => 4,
        };
        features.both(Of::Named, name, side);
        features.put(Of::NamedShape, name * 3 + side, shape as u32);
        features.both(Of::Class, class, side);
        features.put(Of::ClassShape, class * 3 + side, shape as u32);
        features.both(Of::ClassPlace, class, at);
        features.both(Of::Joint, at, 0);
        let ends = self.marks.contains(&Mark::EndsClause);
        let ends = u32::from(ends)
            + 2 * u32::from(span.is_quoted)
            + 4 * u32::from(self.marks.contains(&Mark::Question));
        let own = words[self.first..self.next]
            .iter()
            .take(8)
            .map(|word| u32::from(!word.themes.is_empty() && word.themes != Themes::VALUE))
            .max()
            .unwrap_or_default();
        let talks = u32::from(self.marks.contains(&Mark::TalkName))
            + 2 * u32::from(self.marks.contains(&Mark::PublicName))
            + 4 * u32::from(self.marks.contains(&Mark::PublicNearer))
            + 8 * u32::from(self.marks.contains(&Mark::UserNearer));
        features.both(Of::Situation, class * 100 + at, ends * 2 + own);
        features.both(Of::SituationTalk, class * 100 + at, talks * 2 + own);
        features.put(Of::SituationShape, class * 100 + at, (shape as u32 * 8 + ends) * 2 + own);
        for mark in &self.marks {
            features.both(Of::Mark, *mark as u32, 0);
            features.put(Of::MarkClass, *mark as u32, class);
            features.put(Of::MarkShape, *mark as u32, shape as u32);
        }
        self.of_value(text, words, span, shape, &mut features);
        self.of_words(text, words, span, &mut features);
        of_page(text, span, shape, page, &mut features);
        // A word that occurs several times around a value counts once.
        features.keys.sort_unstable();
        features.keys.dedup();
        features.keys
    }

    /// Adds the features of the value itself.
    fn of_value(&self, text: &str, words: &[Word], span: &Span, shape: Shape, features: &mut Features) {
        let value = &text[span.range.clone()];
        let count = number(value.chars().count());
        if value.starts_with(char::is_uppercase) {
            features.both(Of::Capital, 0, 0);
        }
        features.both(Of::Length, count.min(12) + count.saturating_sub(12) / 6, 0);
        if is_clock(value) {
            features.both(Of::Clock, 0, 0);
            features.put(Of::Clock, 1, self.first.checked_sub(1).map_or(0, |at| words[at].hash));
        }
        if is_code(text, span) {
            features.both(Of::Code, 0, 0);
        }
        features.put(Of::Value, word_hash(&fold(value)), 0);
        let (runs, changes) = runs(value);
        features.put(Of::Runs, hash(&runs), 0);
        features.put(Of::Classes, hash(&coarse(&runs)), 0);
        features.put(Of::Changes, changes.min(12), count.min(40) / 4);
        let mut last = [0_u8; 3];
        for byte in runs.bytes().take(24) {
            last = [last[1], last[2], byte];
            features.put(Of::RunGram, u32::from_le_bytes([last[0], last[1], last[2], 0]), 0);
        }
        let first = value.chars().next().map_or(0, class_of);
        let end = value.chars().next_back().map_or(0, class_of);
        features.put(Of::Edges, first, end);
        features.put(Of::Prefix, word_hash(&value.chars().take(3).collect::<String>()), 0);
        let parts = words[self.first..self.next].iter();
        let mut known = 0;
        let mut all = 0;
        for part in parts.take(12) {
            features.put(Of::Part, part.hash, 0);
            all += 1;
            if part.themes != Themes::VALUE {
                for theme in part.themes.iter() {
                    features.both(Of::PartTheme, number(theme), 0);
                }
            }
            known += u32::from(is_common(&text[part.range.clone()]));
        }
        features.both(Of::Known, known.min(4), (all - known).min(4));
        if span.is_quoted {
            features.put(Of::Quoted, shape as u32, 0);
        }
    }

    /// Adds the features of the words around the value: gaps, n-grams and bags of words.
    fn of_words(&self, text: &str, words: &[Word], span: &Span, features: &mut Features) {
        let before = &words[self.first.saturating_sub(LEFT)..self.first];
        let after = &words[self.next..(self.next + RIGHT).min(words.len())];
        let left = gap(text, before.last().map_or(0, |word| word.range.end), span.range.start, true);
        let right =
            gap(text, span.range.end, after.first().map_or(text.len(), |word| word.range.start), false);
        features.both(Of::LeftGap, hash(&left), 0);
        features.both(Of::RightGap, hash(&right), 0);
        features.put(Of::Gaps, hash(&left), hash(&right));
        let of = |word: Option<&Word>| word.map_or(1, |word| word.hash);
        let back = |count: usize| before.len().checked_sub(count).map(|at| &before[at]);
        let (one, two, three) = (of(back(1)), of(back(2)), of(back(3)));
        features.both(Of::Before, one, 0);
        features.put(Of::BeforeGap, one, hash(&left));
        features.put(Of::Before2, two, 0);
        features.put(Of::Before3, three, 0);
        features.put(Of::BeforePair, one, two);
        let (next, second) = (of(after.first()), of(after.get(1)));
        features.both(Of::After, next, 0);
        features.put(Of::AfterGap, next, hash(&right));
        features.put(Of::AfterPair, next, second);
        features.put(Of::Between, one, next);
        let own = words.get(self.first).map_or((0, 0), |word| (word.line, word.sentence));
        for word in before {
            match own.0 - word.line {
                0 if word.sentence == own.1 => features.both(Of::BagBefore, word.hash, 0),
                0 => features.put(Of::BagAcross, word.hash, 0),
                1 => features.put(Of::BagAbove, word.hash, 0),
                _ => features.put(Of::BagFar, word.hash, 0),
            }
        }
        for word in after {
            match word.line.saturating_sub(own.0) {
                0 if word.sentence == own.1 => features.put(Of::BagAfter, word.hash, 0),
                0 => features.put(Of::BagBehind, word.hash, 0),
                _ => features.put(Of::BagBelow, word.hash, 0),
            }
        }
    }
}

/// Adds the features of the line and of the text.
fn of_page(text: &str, span: &Span, shape: Shape, page: &Page, features: &mut Features) {
    let group = shape.group() as u32;
    let line = page.line(span.range.start);
    let is_first = span.range.start <= line.begins;
    let is_last =
        !near(text, span.range.end).split('\n').next().unwrap_or_default().contains(char::is_alphanumeric);
    features.both(Of::InLine, u32::from(is_first), u32::from(is_last));
    features.put(Of::LineLike, line.like, group);
    for hash in &line.key {
        features.both(Of::Key, *hash, 0);
    }
    for theme in line.key_themes.iter() {
        features.both(Of::KeyTheme, number(theme), u32::from(is_last));
    }
    for hash in &line.label {
        features.put(Of::Label, *hash, 0);
    }
    for theme in line.label_themes.iter() {
        features.both(Of::LabelTheme, number(theme), u32::from(is_first && is_last));
        features.put(Of::LabelClass, number(theme), shape as u32);
    }
    features.put(Of::Lines, number(page.lines.len()).min(6), group);
    let like = page.shapes.get(&shape).copied().unwrap_or_default();
    features.put(Of::Likes, number(like).min(6), shape as u32);
    for theme in page.themes.iter() {
        features.both(Of::PageTheme, number(theme), 0);
    }
    let times = page.counts.get(&word_hash(&fold(&text[span.range.clone()]))).copied().unwrap_or_default();
    features.both(Of::Times, number(times).min(3), 0);
}

fn class_of(c: char) -> u32 {
    match c {
        'a'..='z' => 1,
        'A'..='Z' => 2,
        '0'..='9' => 3,
        c if c.is_alphabetic() => 4,
        c if c.is_whitespace() => 5,
        c if c.is_ascii() => 6 + c as u32,
        _ => 6,
    }
}

/// Returns the character classes of a value, with runs cut to four characters, like `Aaaa-1111`, and the
/// number of runs.
fn runs(value: &str) -> (String, u32) {
    let (mut runs, mut changes) = (String::new(), 0);
    let (mut last, mut length) = (' ', 0);
    for c in value.chars().take(64) {
        let class = match c {
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            '0'..='9' => '1',
            c if c.is_alphabetic() => 'x',
            c if c.is_whitespace() => '_',
            c if c.is_ascii() => c,
            _ => '?',
        };
        if class == last {
            length += 1;
        } else {
            changes += 1;
            (last, length) = (class, 1);
        }
        if length <= 4 {
            runs.push(class);
        }
    }
    (runs, changes)
}

/// Collapses each run to one character.
fn coarse(runs: &str) -> String {
    let mut coarse = String::new();
    for c in runs.chars() {
        if !coarse.ends_with(c) {
            coarse.push(c);
        }
    }
    coarse
}

/// Returns the characters between a value and the adjacent word, nearest first: at most 8, without
/// consecutive duplicates.
fn gap(text: &str, from: usize, to: usize, is_left: bool) -> String {
    let part = text.get(from..to).unwrap_or_default();
    let tidy = |c: char| if c == '\t' { ' ' } else { c };
    let mut gap: Vec<char> = if is_left {
        part.chars().rev().map(tidy).take(8).collect()
    } else {
        part.chars().map(tidy).take(8).collect()
    };
    gap.dedup();
    gap.into_iter().collect()
}

/// Returns whether the surroundings of a value look like code, where signs around words have other meanings
/// than in prose.
fn is_code(text: &str, span: &Span) -> bool {
    let mut start = span.range.start.saturating_sub(40);
    let mut end = (span.range.end + 40).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let signs = |part: &str| part.bytes().filter(|b| b"(){}[]<>=;\"`|$_".contains(b)).count();
    signs(&text[start..span.range.start]) + signs(&text[span.range.end..end]) >= 5
}

/// Returns whether four digits are a time of day in steps of five minutes: `0630`.
fn is_clock(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_number = bytes.len() == 4 && bytes.iter().all(u8::is_ascii_digit);
    is_number && &value[..2] < "24" && &value[2..] < "60" && matches!(bytes[3], b'0' | b'5')
}
