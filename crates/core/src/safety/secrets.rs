//! Purpose: finds secrets in a text, and takes them out.
//!
//! [`find`] reads the text as it looks (without invisible characters, full-width forms as ASCII), by three kinds of
//! evidence:
//!
//! 1. **Structure** (`shapes`, `issued`, `query`, `numbers`, `wallet`): what issuers document as the form of their
//!    secrets, check digits and check sums, headers, addresses, arguments of programs. Searched only where a hint occurs.
//! 2. **Encoding** (`encoded`): base64, hexadecimal digits and URL encoding of a text that holds a secret.
//! 3. **Context**: every other value that a text may hold (`spans`) is judged by a trained model (`model`). Its
//!    features (`features`) say what the value looks like (`shape`, `value`), which words stand around it (`words`, by
//!    the themes of `lexicon`), and what its line and the labels above it are.
//!
//! Structure is certain and takes precedence: the model judges only what neither structure nor encoding found. What
//! only stands for a value (a variable, a placeholder, a type) is no secret anywhere. How well the model finds secrets
//! in texts that it was not learned from stands in `evals/secrets/README.md`.
//!
//! **Invariant:** finds are in order, do not touch each other's inside, are not empty, and lie at borders of
//! characters.
//! **Invariant:** in what [`redact`] returns, [`find`] finds nothing; so redacting again changes nothing.
//! **Invariant:** any text takes time in proportion to its length.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet};

use super::fold::Folded;
use model::Weights;
use shapes::{How, SHAPES};

mod encoded;
mod features;
mod issued;
mod json;
mod lexicon;
#[doc(hidden)]
pub mod model;
mod numbers;
mod query;
mod shape;
mod shapes;
mod spans;
#[cfg(test)]
mod tests;
mod value;
mod wallet;
mod words;

pub use json::redact_value_telling;

/// So many times a text is read; one in which secrets still come to light is then left out whole.
const PASSES_MAX: usize = 8;
/// How far above the threshold a value is that is surely a secret: in a name, or in what was encoded.
const SURE: f32 = 2.0;
/// What a text becomes that is left out whole.
const TANGLE: &str = "[redacted:text]";

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is, in bytes.
    pub range: Range<usize>,
    /// What it is, like `github-token`.
    pub kind: &'static str,
}

/// A find before its kind is settled: where, the rank of what found it, and of what kind it is.
type Find = (Range<usize>, usize, &'static str);

/// Returns the secrets in a text, in order.
#[must_use]
pub fn find(text: &str) -> Vec<Found> {
    find_by(text, Weights::learned())
}

/// Returns the secrets in a name that a person gives, like that of a branch or a file. What only looks like a secret
/// is none here, for a name that holds one is refused.
#[must_use]
pub fn find_in_name(name: &str) -> Vec<Found> {
    find_above(name, Weights::learned(), SURE)
}

/// Returns the secrets in a text by other weights than those that were learned.
#[doc(hidden)]
#[must_use]
pub fn find_by(text: &str, weights: &Weights) -> Vec<Found> {
    find_above(text, weights, 0.0)
}

fn find_above(text: &str, weights: &Weights, least: f32) -> Vec<Found> {
    let folded = Folded::new(text);
    let mut finds = shaped(folded.text());
    encoded::encoded(folded.text(), weights, &mut |range| {
        finds.push((range, SHAPES.len(), "encoded-secret"))
    });
    finds.sort_by_key(|(range, ..)| range.start);
    let exact = merge(finds.clone());
    for (range, kind) in model::judged(folded.text(), weights, least) {
        let next = exact.partition_point(|(known, _)| known.end <= range.start);
        if exact.get(next).is_none_or(|(known, _)| known.start >= range.end) {
            finds.push((range, SHAPES.len() + 1, kind));
        }
    }
    let found = |(range, kind): (Range<usize>, &'static str)| Found { range: folded.place(&range), kind };
    merge(around_markers(folded.text(), finds)).into_iter().map(found).collect()
}

/// Tells whether a text that was encoded holds a secret for sure.
fn holds_secret(text: &str, weights: &Weights) -> bool {
    holds_shaped(text) || !model::judged(text, weights, SURE).is_empty()
}

/// Tells whether a text that was encoded holds a secret that has a shape.
fn holds_shaped(text: &str) -> bool {
    !shaped(text).is_empty()
}

/// Finds what has a shape.
fn shaped(text: &str) -> Vec<Find> {
    static HINTS: LazyLock<RegexSet> =
        LazyLock::new(|| RegexSet::new(SHAPES.iter().map(|shape| shape.hint)).expect("hints are patterns"));
    static PATTERNS: [OnceLock<Regex>; SHAPES.len()] = [const { OnceLock::new() }; SHAPES.len()];
    let mut finds = Vec::new();
    for index in &HINTS.matches(text) {
        let shape = &SHAPES[index];
        let mut add = |range: Range<usize>| finds.push((range, index, shape.kind));
        match shape.how {
            How::Scan(scan) => scan(text, &mut add),
            How::Pattern(pattern) | How::Value(pattern) => {
                let pattern =
                    PATTERNS[index].get_or_init(|| Regex::new(pattern).expect("a shape is a pattern"));
                let is_value = matches!(shape.how, How::Value(_));
                matches(pattern, text, &mut |range| {
                    if !is_value || value::look(&text[range.clone()]) != value::Look::Reference {
                        add(range);
                    }
                });
            }
        }
    }
    finds
}

/// Returns the text with `[redacted:kind]` in place of each secret.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    redact_by(text, Weights::learned())
}

/// Returns the text without the secrets that other weights find than those that were learned.
#[doc(hidden)]
#[must_use]
pub fn redact_by<'t>(text: &'t str, weights: &Weights) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..PASSES_MAX {
        let finds = find_by(&text, weights);
        if finds.is_empty() {
            return text;
        }
        text = Cow::Owned(replace(&text, &finds));
    }
    if find_by(&text, weights).is_empty() { text } else { Cow::Borrowed(TANGLE) }
}

/// What stands in the place of a secret of this kind.
fn marker(kind: &str) -> String {
    format!("[redacted:{kind}]")
}

fn replace(text: &str, finds: &[Found]) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut end = 0;
    for Found { range, kind } in finds {
        redacted.push_str(&text[end..range.start]);
        redacted.push_str(&marker(kind));
        end = range.end;
    }
    redacted.push_str(&text[end..]);
    redacted
}

/// Adds what a pattern matches: its first group that took part, or else all of it.
fn matches(pattern: &Regex, text: &str, add: &mut dyn FnMut(Range<usize>)) {
    for captures in pattern.captures_iter(text) {
        let group = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0));
        if let Some(group) = group
            && !group.is_empty()
        {
            add(group.range());
        }
    }
}

/// Leaves out what was redacted before, and takes a marker whole where a find cuts it.
///
/// Each find that stays holds a letter or a digit outside of all markers; so redaction comes to an end.
fn around_markers(text: &str, finds: Vec<Find>) -> Vec<Find> {
    static MARKER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\[redacted:[a-z-]{1,40}\]").expect("a pattern"));
    let markers: Vec<Range<usize>> = MARKER.find_iter(text).map(|marker| marker.range()).collect();
    if markers.is_empty() {
        return finds;
    }
    let whole = |(mut range, rank, kind): Find| {
        let end = range.end;
        let first = markers.partition_point(|marker| marker.end <= range.start);
        let touched = markers[first..].iter().take_while(|marker| marker.start < end);
        let mut says = false;
        let mut at = range.start;
        for marker in touched {
            says |= at < marker.start && text[at..marker.start].contains(char::is_alphanumeric);
            at = marker.end;
            range = range.start.min(marker.start)..range.end.max(marker.end);
        }
        says |= at < range.end && text[at..range.end].contains(char::is_alphanumeric);
        says.then_some((range, rank, kind))
    };
    finds.into_iter().filter_map(whole).collect()
}

/// Makes one of finds that overlap, of the kind of the longest; of two as long, of the one with the lower rank.
fn merge(mut finds: Vec<Find>) -> Vec<(Range<usize>, &'static str)> {
    finds.sort_by_key(|(range, rank, _)| (range.start, *rank));
    let mut merged: Vec<(Range<usize>, usize, usize, &'static str)> = Vec::with_capacity(finds.len());
    for (range, rank, kind) in finds {
        match merged.last_mut() {
            Some((last, length, lowest, known)) if range.start < last.end => {
                if range.len() > *length || (range.len() == *length && rank < *lowest) {
                    (*length, *lowest, *known) = (range.len(), rank, kind);
                }
                last.end = last.end.max(range.end);
            }
            _ => merged.push((range.clone(), range.len(), rank, kind)),
        }
    }
    merged.into_iter().map(|(range, _, _, kind)| (range, kind)).collect()
}
