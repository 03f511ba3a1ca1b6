//! Finds and redacts secrets in a text.
//!
//! [`find`] normalizes the text first (it removes invisible characters and turns full-width forms into
//! ASCII). It then uses three kinds of evidence:
//!
//! 1. **Structure** (`shapes`, `issued`, `query`, `numbers`, `wallet`): documented formats of issuers, check
//!    digits and checksums, headers, URLs, program arguments. A pattern runs only if its hint occurs in the
//!    text.
//! 2. **Encoding** (`encoded`): base64, hexadecimal or URL encoding of a text that contains a secret.
//! 3. **Context**: every other candidate value (`spans`) is classified by a trained model (`model`). Its
//!    features (`features`) are the look of the value (`shape`, `value`), the words around it (`words`,
//!    grouped by the themes of `lexicon`), its line, and the labels above it.
//!
//! Structure takes precedence because it is certain: the model classifies only candidates that do not overlap
//! a match of structure or encoding. A placeholder for a value (a variable, a template, a type) is never a
//! secret. `evals/secrets/README.md` reports recall and false positives on texts that the model was not
//! trained on.
//!
//! **Invariant:** the results of [`find`] are sorted, non-empty and do not overlap, and lie on character
//! boundaries.
//! **Invariant:** [`find`] finds nothing in the output of [`redact`], so redacting a text twice has the same
//! effect as once.
//! **Invariant:** processing takes time linear in the length of the text.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};
use std::thread::LocalKey;

use regex::{Regex, RegexSet, RegexSetBuilder};

use super::fold::Folded;
use clean::Clean;
use model::Weights;
use shapes::{How, SHAPES};

mod clean;
mod encoded;
mod features;
mod in_bytes;
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

pub use in_bytes::{find_in_bytes, is_utf16, line_at, redact_bytes, redact_bytes_telling};
pub use json::redact_value_telling;

/// Maximum number of redaction passes. A text in which secrets remain after them is replaced as a whole.
const PASSES_MAX: usize = 8;
/// Maximum size in bytes of an automaton that texts of all kinds build state by state. If it were smaller, states would
/// be dropped and built again, which takes several times as long as the search.
const AUTOMATON_MAX: usize = 16 * 1024 * 1024;
/// Log-odds above the threshold that a candidate must exceed in a name or in decoded text.
const SURE: f32 = 2.0;
/// Replacement for a text that is redacted as a whole.
const TANGLE: &str = "[redacted:text]";

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The byte range of the secret.
    pub range: Range<usize>,
    /// The kind of secret, for example `github-token`.
    pub kind: &'static str,
}

/// A match before overlaps are merged: its range, the rank of its detector, and its kind.
type Find = (Range<usize>, usize, &'static str);

/// Returns the secrets in a text, in order of position.
#[must_use]
pub fn find(text: &str) -> Vec<Found> {
    find_unless_clean(text, &clean::TEXTS, 0.0)
}

/// Returns the secrets in a name that a person chooses, for example of a branch or a file.
///
/// The threshold is higher than that of [`find`]: a name that contains a secret is rejected, so a false
/// positive costs more.
#[must_use]
pub fn find_in_name(name: &str) -> Vec<Found> {
    find_unless_clean(name, &clean::NAMES, SURE)
}

fn find_unless_clean(text: &str, clean: &'static LocalKey<RefCell<Clean>>, least: f32) -> Vec<Found> {
    if clean.with_borrow(|clean| clean.has(text)) {
        return Vec::new();
    }
    let finds = find_above(text, Weights::learned(), least);
    if finds.is_empty() {
        clean.with_borrow_mut(|clean| clean.add(text));
    }
    finds
}

/// Returns the secrets in a text, classified with the given weights instead of the built-in ones.
#[doc(hidden)]
#[must_use]
pub fn find_by(text: &str, weights: &Weights) -> Vec<Found> {
    find_above(text, weights, 0.0)
}

fn find_above(text: &str, weights: &Weights, least: f32) -> Vec<Found> {
    let folded = Folded::new(text);
    let mut finds = shaped(folded.text());
    encoded::encoded(folded.text(), weights, &mut |range| {
        finds.push((range, SHAPES.len(), "encoded-secret"));
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

/// Returns whether a decoded text contains a secret, with the higher threshold of [`SURE`].
fn holds_secret(text: &str, weights: &Weights) -> bool {
    holds_shaped(text) || !model::judged(text, weights, SURE).is_empty()
}

/// Returns whether a decoded text contains a secret of a known format.
fn holds_shaped(text: &str) -> bool {
    !shaped(text).is_empty()
}

/// Finds the secrets of known formats.
fn shaped(text: &str) -> Vec<Find> {
    static HINTS: LazyLock<RegexSet> = LazyLock::new(|| {
        let hints = SHAPES.iter().map(|shape| shape.hint);
        RegexSetBuilder::new(hints).dfa_size_limit(AUTOMATON_MAX).build().expect("hints are patterns")
    });
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

/// Returns the text with each secret replaced by `[redacted:kind]`.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    redact_with(text, find)
}

/// Returns the text without the secrets that the given weights find.
#[doc(hidden)]
#[must_use]
pub fn redact_by<'t>(text: &'t str, weights: &Weights) -> Cow<'t, str> {
    redact_with(text, |text| find_by(text, weights))
}

/// Returns the secrets in the text of JSON that cannot be parsed, in order of position: those of the whole text, and
/// those of each part between quotation marks, searched separately like a parsed value. Escaped line ends and tabs
/// separate words.
#[must_use]
pub fn find_raw(text: &str) -> Vec<Found> {
    // Each replacement has the length of the escape, so the positions are those of the text.
    let read = text.replace(r"\n", " \n").replace(r"\r", " \r").replace(r"\t", " \t");
    let mut finds: Vec<Find> = Vec::new();
    let mut add = |at: usize, part: &str| {
        let placed = |found: Found| (at + found.range.start..at + found.range.end, 0, found.kind);
        finds.extend(find(part).into_iter().map(placed));
    };
    add(0, &read);
    let mut at = 0;
    for part in read.split('"') {
        add(at, part);
        at += part.len() + 1;
    }
    merge(finds).into_iter().map(|(range, kind)| Found { range, kind }).collect()
}

/// Redacts the secrets that [`find_raw`] finds.
#[must_use]
pub fn redact_raw(text: &str) -> Cow<'_, str> {
    redact_with(text, find_raw)
}

fn redact_with(text: &str, find: impl Fn(&str) -> Vec<Found>) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..PASSES_MAX {
        let finds = find(&text);
        if finds.is_empty() {
            return text;
        }
        text = Cow::Owned(replace(&text, &finds));
    }
    if find(&text).is_empty() { text } else { Cow::Borrowed(TANGLE) }
}

/// Returns the replacement for a secret of this kind.
fn marker(kind: &str) -> String {
    format!("[redacted:{kind}]")
}

/// Returns the text without the secrets of another text, which the text repeats: the reply to a message with a password
/// can contain the password without a word that names it.
#[must_use]
pub fn redact_repeated<'t>(text: &'t str, of: &str) -> Cow<'t, str> {
    let mut finds: Vec<Find> = Vec::new();
    for Found { range, kind } in find(of) {
        let value = &of[range];
        for (at, _) in text.match_indices(value) {
            let end = at + value.len();
            // The digits of a PIN can occur inside a longer number.
            let is_whole = !text[..at].ends_with(char::is_alphanumeric)
                && !text[end..].starts_with(char::is_alphanumeric);
            if is_whole {
                finds.push((at..end, 0, kind));
            }
        }
    }
    let finds = merge(around_markers(text, finds));
    if finds.is_empty() {
        return Cow::Borrowed(text);
    }
    let finds: Vec<Found> = finds.into_iter().map(|(range, kind)| Found { range, kind }).collect();
    Cow::Owned(replace(text, &finds))
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

/// Returns a part of a text with its secrets redacted. `finds` are those of the whole text: a word before the part may
/// be what makes them secret.
///
/// # Panics
/// Panics if an end of the part is no character boundary of the text.
#[must_use]
pub fn redact_part(text: &str, part: &Range<usize>, finds: &[Found]) -> String {
    let within = |found: &Found| {
        let range = found.range.start.max(part.start)..found.range.end.min(part.end);
        (range.start < range.end)
            .then(|| Found { range: range.start - part.start..range.end - part.start, kind: found.kind })
    };
    replace(&text[part.clone()], &finds.iter().filter_map(within).collect::<Vec<_>>())
}

/// Adds the matches of a pattern: its first capture group that participated, otherwise the whole match.
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

/// Drops matches of text that is already redacted, and extends a match that cuts a marker to the whole
/// marker.
///
/// Each remaining match contains a letter or a digit outside all markers, so repeated redaction terminates.
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

/// Merges overlapping matches. The longest match determines the kind; among equally long ones, the lowest
/// rank.
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
