//! Finds what the speaker asks to remember.

use std::ops::Range;

use super::category;
use super::found::Found;
use crate::clauses::Clause;
use crate::page::Sentence;
use crate::requests::{self, forgetting, remembering};
use crate::tagger::Scores;

/// The confidence of what the speaker asked to remember.
const ASKED_CONFIDENCE: f64 = 0.97;

/// Returns what the speaker asks to remember.
pub(super) fn find(sentences: &[Sentence], clauses: &[Clause], labels: &[Scores]) -> Vec<Found> {
    let mut found = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        for (number, range) in asked_parts(number, sentence, sentences) {
            let range = requests::before_request(&sentences[number], range);
            let is_in = |clause: &Clause| {
                let clause = (clause.sentence, clause.range());
                clause.0 == number && clause.1.end > range.start && clause.1.start < range.end
            };
            let start = clauses.partition_point(|clause| clause.sentence < number);
            let of_sentence = clauses[start..].iter().take_while(|clause| clause.sentence == number);
            let Some(first) = of_sentence.clone().position(is_in).map(|at| start + at) else { continue };
            let last = first + clauses[first..].iter().take_while(|clause| is_in(clause)).count() - 1;
            found.push(Found {
                first,
                last,
                part: Some((number, range)),
                sequel: None,
                category: category(&labels[first..=last]),
                confidence: ASKED_CONFIDENCE,
                asked: true,
                is_corrected: false,
                corrects: false,
            });
        }
    }
    found
}

/// Returns the sentences, and their parts, that another one asks to remember.
pub(super) fn asked_parts(
    number: usize,
    sentence: &Sentence,
    sentences: &[Sentence],
) -> Vec<(usize, Range<usize>)> {
    let says = |range: &Range<usize>| sentence.text()[range.clone()].contains(char::is_alphanumeric);
    let before = remembering::remembered_before(sentence);
    if let Some(range) = before.clone().filter(says) {
        return vec![(number, range)];
    }
    // The sentence before it, which is a statement of its own.
    let previous = number.checked_sub(1).filter(|_| before.is_some());
    let is_statement =
        |at: &usize| !sentences[*at].asked && remembering::remembered(&sentences[*at]).is_none();
    if let Some(previous) = previous.filter(is_statement) {
        return vec![(previous, 0..sentences[previous].text().len())];
    }
    let after_forgotten = || forgetting::remembered_after(sentence).map(|(_, range)| range);
    let Some(range) = remembering::remembered(sentence).or_else(after_forgotten) else { return Vec::new() };
    if says(&range) || number + 1 >= sentences.len() {
        return vec![(number, range)];
    }
    // After a colon at the end of a line, the items of the list are meant, or the next sentence.
    let items = sentences[number + 1..].iter().take_while(|next| next.is_item).count();
    (number + 1..=number + items.max(1)).map(|next| (next, 0..sentences[next].text().len())).collect()
}
