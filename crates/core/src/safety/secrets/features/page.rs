//! What all values of a text, or of a line, share.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::super::lexicon::{Themes, fold};
use super::super::shape::Shape;
use super::super::spans::Span;
use super::super::words::{Word, word_hash};

/// Number of lines below a label to which it applies. Each blank line between adds four.
const LABEL_LINES: usize = 12;
/// Maximum number of words of a text that has a bag of words.
const BAG_MAX: usize = 160;

/// Data shared by all values of a text.
pub(super) struct Page {
    pub(super) lines: Vec<Line>,
    /// The bag of words of the text: sorted, distinct word hashes. Empty if the text has more than
    /// [`BAG_MAX`] words.
    pub(super) bag: Vec<u32>,
    pub(super) themes: Themes,
    /// The number of spans of each shape.
    pub(super) shapes: FxHashMap<Shape, usize>,
    /// The number of occurrences of each value, by the hash of the value.
    pub(super) counts: FxHashMap<u32, usize>,
}

/// Data shared by all values of a line.
pub(super) struct Line {
    range: Range<usize>,
    /// The byte offset of its first letter or digit.
    pub(super) begins: usize,
    /// Bit set of layout properties: has a sign (1), list item (2), label (4), contains characters of code
    /// (8).
    pub(super) like: u32,
    /// Hashes of the words before the first sign, as in `key: value`.
    pub(super) key: Vec<u32>,
    pub(super) key_themes: Themes,
    /// Hashes of the words of the label above it.
    pub(super) label: Vec<u32>,
    pub(super) label_themes: Themes,
}

impl Page {
    pub(super) fn read(text: &str, words: &[Word], spans: &[Span], shapes: &[Option<Shape>]) -> Page {
        let mut page = Page {
            lines: Vec::new(),
            bag: Vec::new(),
            themes: Themes::default(),
            shapes: FxHashMap::default(),
            counts: FxHashMap::default(),
        };
        for (span, shape) in spans.iter().zip(shapes) {
            if let Some(shape) = shape {
                *page.shapes.entry(*shape).or_default() += 1;
                *page.counts.entry(word_hash(&fold(&text[span.range.clone()]))).or_default() += 1;
            }
        }
        if words.len() <= BAG_MAX {
            page.bag = words.iter().map(|word| word.hash).collect();
            page.bag.sort_unstable();
            page.bag.dedup();
            for word in words.iter().filter(|word| word.themes != Themes::VALUE) {
                page.themes = page.themes.with(word.themes);
            }
        }
        let mut offset = 0;
        let mut label: (Vec<u32>, Themes, usize) = (Vec::new(), Themes::default(), 0);
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let range = offset..offset + line.len();
            offset = range.end;
            let first = words.partition_point(|word| word.range.start < range.start);
            let body = line.trim();
            let of = |part: &str| {
                let end = range.start + (line.len() - line.trim_start().len()) + part.len();
                let words = words[first..].iter().take_while(|word| word.range.end <= end).take(10);
                let mut themes = Themes::default();
                let mut hashes = Vec::new();
                for word in words {
                    if word.themes != Themes::VALUE {
                        themes = themes.with(word.themes);
                    }
                    hashes.push(word.hash);
                }
                (hashes, themes)
            };
            let sign =
                body.char_indices().take(64).find(|(_, c)| ":=：|→".contains(*c)).map(|(at, _)| &body[..at]);
            let (key, key_themes) = sign.map_or((Vec::new(), Themes::default()), of);
            let is_item = body.starts_with(['-', '*', '•', '#'])
                || body.starts_with(|c: char| c.is_ascii_digit())
                    && body.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')']);
            let is_label = body.len() > 1
                && (body.ends_with([':', '：', '-'])
                    || body.starts_with('#')
                    || body.starts_with('[') && body.ends_with(']'));
            let is_short = body.len() <= 40;
            if body.is_empty() {
                label.2 += 4;
            }
            let like = u32::from(sign.is_some())
                | u32::from(is_item) << 1
                | u32::from(is_label) << 2
                | u32::from(body.contains(['{', ';', '(', '$'])) << 3;
            let held = at - label.2.min(at) <= LABEL_LINES && !label.0.is_empty();
            let begins = range.start + line.find(char::is_alphanumeric).unwrap_or(line.len());
            page.lines.push(Line {
                begins,
                range: range.clone(),
                like,
                key,
                key_themes,
                label: if held { label.0.clone() } else { Vec::new() },
                label_themes: if held { label.1 } else { Themes::default() },
            });
            if is_label || is_short && !is_item && !body.is_empty() && sign.is_none() {
                let (hashes, themes) =
                    of(&body
                        [..body.len().min(if body.is_char_boundary(body.len().min(200)) { 200 } else { 0 })]);
                if is_label || !themes.only(Themes::NAMES).is_empty() {
                    label = (hashes, themes, at);
                }
            }
        }
        page
    }

    pub(super) fn line(&self, at: usize) -> &Line {
        &self.lines[self.lines.partition_point(|line| line.range.start <= at).saturating_sub(1)]
    }
}
