//! Finds the sentence after a statement that belongs to it: it goes on about the same person, or says its end again.

use memtape_core::Category;

use super::found::Found;
use crate::Corrects;
use crate::bounds;
use crate::clauses::Clause;
use crate::corrected::may_correct;
use crate::page::Sentence;
use crate::tagger::{CATEGORIES, NONE, Scores};

/// Words at the beginning of a sentence that speak of somebody who was named before it.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "he", "she", "he's", "she's", "his", "her", "they", "they're", "their", "er", "sie", "seine", "sein", "ihr", "ihre", "ella", "elle",
    "lui", "lei", "ele", "ela", "он", "она", "его", "ее", "他", "她",
];
/// The maximum number of words of such a sentence, and of a statement with it.
const SEQUEL_WORDS: usize = 16;
const WITH_SEQUEL_WORDS: usize = 40;
/// The maximum number of words of what a sentence says again of the one before it.
const AGAIN_WORDS: usize = 3;
/// Words before it that say nothing.
const BEING: &[&str] = &["it's", "it", "is", "es", "ist", "c'est", "e", "это"];
/// The minimum probability of a clause of such a sentence.
const SEQUEL_LEAST: f32 = 0.03;

/// Adds to statements the sentence after them that goes on about the same person and cannot stand alone: "I have a son,
/// Leo. He is allergic to nuts."
pub(super) fn add(
    found: &mut Vec<Found>,
    text: &str,
    sentences: &[Sentence],
    clauses: &[Clause],
    labels: &[Scores],
    corrects: &[Corrects],
) {
    let mut at = 0;
    while at < found.len() {
        let again = said_again(&found[at], text, sentences, clauses, corrects);
        let words = |at: usize| &sentences[clauses[at].sentence].text()[clauses[at].range()];
        let corrects_time = |at: usize| corrects[at] != Corrects::Nothing && bounds::names_time(&[words(at)]);
        found[at].is_corrected |=
            again.is_some() || (found[at].first + 1..=found[at].last).any(corrects_time);
        if let Some(last) = again.or_else(|| sequel(&found[at], sentences, clauses, labels)) {
            found[at].sequel = Some(last);
            // What begins in that sentence is no statement of its own.
            while found.get(at + 1).is_some_and(|other| other.first <= last) {
                found.remove(at + 1);
            }
        }
        at += 1;
    }
}

/// Returns the only clause of the sentence after a statement, if it says the end of the statement again: "My flight is at
/// 9:40. Sorry, 10:40."
///
/// What is said again is a number, a name, or a value like one of the statement, as if it were said in the next message: "No
/// wait, on Saturday". "Sorry, gotta go" says nothing again.
fn said_again(
    statement: &Found,
    text: &str,
    sentences: &[Sentence],
    clauses: &[Clause],
    corrects: &[Corrects],
) -> Option<usize> {
    let next = statement.last + 1;
    let again = clauses.get(next)?;
    let is_only = clauses.get(next + 1).is_none_or(|after| after.sentence != again.sentence);
    let is_short = again.words.len() <= AGAIN_WORDS;
    let follows = again.sentence == clauses[statement.last].sentence + 1 && again.after != '?';
    let place = |clause: &Clause| &text[sentences[clause.sentence].place(&clause.range())];
    let has_digit = |clause: &Clause| place(clause).contains(|c: char| c.is_ascii_digit());
    let stated = &clauses[statement.first..=statement.last];
    let is_number = has_digit(again) && stated.iter().any(has_digit);
    // "It's" says nothing of what it is.
    let words = again.words.iter().map(|word| &sentences[again.sentence].text()[word.clone()]);
    let before = words.take_while(|word| BEING.contains(word)).count();
    let is_announced = before == 0 || corrects[next] == Corrects::Certainly;
    let is_one = again.words.len() == before + 1;
    let name = again.words.last().map(|word| &text[sentences[again.sentence].place(word)]);
    let is_name = is_one && is_announced && name.is_some_and(|name| name.starts_with(char::is_uppercase));
    if !(follows && is_only && is_short) || corrects[next] == Corrects::Nothing {
        return None;
    }
    let [first, last] =
        [stated.first()?, stated.last()?].map(|clause| sentences[clause.sentence].place(&clause.range()));
    let is_alike = || may_correct(&text[first.start..last.end], place(again), false);
    (is_number || is_name || is_alike()).then_some(next)
}

/// Returns the last clause of the sentence after a statement, if it goes on about the same person.
fn sequel(statement: &Found, sentences: &[Sentence], clauses: &[Clause], labels: &[Scores]) -> Option<usize> {
    let next = statement.last + 1;
    let first = clauses.get(next).filter(|first| first.sentence == clauses[statement.last].sentence + 1)?;
    let last =
        next + clauses[next..].iter().take_while(|clause| clause.sentence == first.sentence).count() - 1;
    let words = |clauses: &[Clause]| -> usize { clauses.iter().map(|clause| clause.words.len()).sum() };
    let begins = &sentences[first.sentence].text()[first.words[0].clone()];
    let is_fact = statement.asked || CATEGORIES[statement.category] == Category::Fact;
    let likely = labels[next..=last].iter().map(|labels| 1.0 - labels[NONE]).fold(0.0, f32::max);
    let goes_on = PRONOUNS.contains(&begins)
        && words(&clauses[next..=last]) <= SEQUEL_WORDS
        && words(&clauses[statement.first..=last]) <= WITH_SEQUEL_WORDS
        && clauses[last].after != '?'
        && likely >= SEQUEL_LEAST;
    (is_fact && goes_on).then_some(last)
}
