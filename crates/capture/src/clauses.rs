//! Splits sentences into clauses and trims words without content from their ends.

use std::ops::Range;

use regex::Regex;

use super::page::Sentence;

/// A clause of a sentence.
#[derive(Clone)]
pub(super) struct Clause {
    /// The index of the sentence.
    pub(super) sentence: usize,
    /// Whether the clause is the last of its sentence.
    pub(super) is_last: bool,
    /// The range in the folded sentence, with a space at either end unless the cut is between Chinese words.
    pub(super) range: Range<usize>,
}

/// Splits sentences at the group of each connector pattern. The match of a connector without a group is not
/// split.
pub(super) fn split(sentences: &[Sentence], connectors: &Regex) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let text = sentence.text();
        let mut start = 0;
        let mut at = 0;
        while let Some(captures) = connectors.captures_at(text, at) {
            let Some(cut) = captures.iter().skip(1).flatten().next() else {
                // Skip the match that must not be split; its last space may begin the next connector.
                let end = captures.get(0).map_or(text.len(), |whole| whole.end());
                at = (end - usize::from(text[..end].ends_with(' '))).max(at + 1);
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                continue;
            };
            // A space at an end of the cut belongs to the cut and to the adjacent clause.
            let end = cut.start() + usize::from(cut.as_str().starts_with(' '));
            let next = cut.end() - usize::from(cut.as_str().ends_with(' '));
            if end > start + 1 {
                clauses.push(Clause { sentence: number, is_last: false, range: start..end });
                start = next;
            }
            at = next.max(at + 1);
            while !text.is_char_boundary(at) {
                at += 1;
            }
        }
        clauses.push(Clause { sentence: number, is_last: true, range: start..text.len() });
    }
    clauses
}

/// Returns the range of a clause without leading marks and openers.
pub(super) fn trim_start(text: &str, range: Range<usize>, openers: &Regex) -> Range<usize> {
    let mut range = range;
    loop {
        let part = &text[range.clone()];
        let skipped = match openers.find(part) {
            Some(opener) => opener.end() - usize::from(opener.as_str().ends_with(' ')),
            None => {
                let token = part.trim_start_matches(' ').split(' ').next().unwrap_or_default();
                let spaces = part.len() - part.trim_start_matches(' ').len();
                if token.is_empty() || says(token) { 0 } else { spaces + token.len() }
            }
        };
        if skipped == 0 {
            return range;
        }
        range.start += skipped;
    }
}

/// Returns the range of a clause without trailing marks and closers.
pub(super) fn trim_end(text: &str, range: Range<usize>, closers: &Regex) -> Range<usize> {
    let mut range = range;
    loop {
        let part = &text[range.clone()];
        let end = match closers.find(part) {
            Some(closer) => closer.start() + usize::from(closer.as_str().starts_with(' ')),
            None => {
                let text = part.trim_end_matches(' ');
                let token = text.rsplit(' ').next().unwrap_or_default();
                if token.is_empty() || says(token) { part.len() } else { text.len() - token.len() }
            }
        };
        if end == part.len() {
            return range;
        }
        range.end = range.start + end;
    }
}

/// Returns whether a token contains a letter or digit, or stands for a quotation.
fn says(token: &str) -> bool {
    token == "\"" || token.contains(char::is_alphanumeric)
}
