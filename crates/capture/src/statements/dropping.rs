//! Removes the clauses of a message that state nothing that is to be kept.

use std::ops::Range;

use memtape_core::safety::secrets;

use super::asked::asked_parts;
use super::remarks::is_remark;
use super::{EXCLAMATION_WORDS, is_exclamation};
use crate::clauses::Clause;
use crate::page::{Page, Sentence};
use crate::requests::forgetting::place::{Place, word_count};
use crate::requests::forgetting::{self, Named, Request, Said, parts};
use crate::requests::{self, remembering};
use crate::subjects::is_pronoun;
use crate::{Candidate, Dropped, FORGETS_MAX, Forget, Reading, Why, holds, shown, voices};

/// Words for what is the speaker's.
#[rustfmt::skip]
const POSSESSIVES: &[&str] = &[
    "my", "our", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "mi", "mis", "mon", "ma", "mes", "meu", "minha", "mio",
    "mia", "мои", "моя", "мою",
];

/// Removes the clauses of a text that the speaker asks to translate or to edit, and of the request.
pub(super) fn drop_edited(text: &str, page: &Page, clauses: &mut Vec<Clause>, reading: &mut Reading) {
    let mut edited = page.sentences.iter().map(requests::edited).enumerate();
    let Some((number, at)) = edited.find_map(|(number, at)| Some((number, at?))) else { return };
    let first = clauses.partition_point(|clause| (clause.sentence, clause.range().start) < (number, at));
    let Some(clause) = clauses.get(first) else { return };
    let start = page.sentences[clause.sentence].place(&clause.range()).start;
    let request = &page.sentences[number];
    let end = request.place(&(0..at)).end;
    if page.is_foreign_between(end, start) {
        // What follows is not edited but the code or quotation before it.
        clauses.retain(|clause| clause.sentence != number);
        return;
    }
    reading.dropped.push(Dropped { text: shown(&text[start..]), why: Why::Quoted, rule: String::new() });
    clauses.truncate(first);
    // The request is no statement either.
    clauses.pop_if(|clause| clause.sentence == number);
}

/// Removes the clauses that the speaker does not state: those in somebody else's name, those of an imagined case, and all
/// if the speaker asks not to keep them.
pub(super) fn drop_unstated(text: &str, page: &Page, clauses: &mut Vec<Clause>, reading: &mut Reading) {
    reading.is_unwanted = asks_not_to_keep(page);
    let wanted = if reading.is_unwanted { wanted(&page.sentences) } else { Vec::new() };
    let is_wanted = |clause: &Clause| {
        wanted.iter().any(|(sentence, end)| *sentence == clause.sentence && clause.range().end <= *end)
    };
    let imagined = imagined(text, &page.sentences);
    let mut is_reported = false;
    let mut reported = Vec::new();
    for sentence in &page.sentences {
        let is_answer = std::mem::take(&mut is_reported);
        let part = voices::reported(text, sentence);
        is_reported =
            part.as_ref().is_some_and(|part| !sentence.text()[part.clone()].contains(char::is_alphanumeric));
        reported.push(part.or_else(|| is_answer.then(|| 0..sentence.text().len())));
    }
    let why = |clause: &Clause| match &reported[clause.sentence] {
        _ if reading.is_unwanted && !is_wanted(clause) => Some(Why::Unwanted),
        _ if imagined.contains(&clause.sentence) => Some(Why::Imagined),
        Some(part) if clause.range().end > part.start => Some(Why::Quoted),
        _ => None,
    };
    let mut dropped: Vec<(Why, Range<usize>)> = Vec::new();
    clauses.retain(|clause| {
        let Some(why) = why(clause) else { return true };
        let place = page.sentences[clause.sentence].place(&clause.range());
        match dropped.last_mut() {
            Some((last, range)) if *last == why => range.end = place.end,
            _ => dropped.push((why, place)),
        }
        false
    });
    let dropped = dropped.into_iter();
    let dropped = dropped.map(|(why, place)| Dropped { text: shown(&text[place]), why, rule: String::new() });
    reading.dropped.extend(dropped);
}

/// Returns whether a message asks not to keep what it says, or a part of it.
pub(crate) fn is_unwanted(text: &str) -> bool {
    let page = Page::of(text);
    asks_not_to_keep(&page) || asks_in_bracket(text, &page)
}

/// Returns whether a sentence of a message asks not to keep what it says.
fn asks_not_to_keep(page: &Page) -> bool {
    page.sentences.iter().any(|sentence| voices::unwanted(sentence).is_some())
}

/// Returns whether a bracket in a sentence of the speaker about themselves asks so: "my salary is 5000 euros (do not save)".
fn asks_in_bracket(text: &str, page: &Page) -> bool {
    let start = |sentence: &Sentence| sentence.range().start;
    text.match_indices(['(', '（']).any(|(at, open)| {
        let bracket = text[at + open.len()..].split(['(', '（', ')', '）']).next().unwrap_or_default();
        let next = page.sentences.partition_point(|sentence| start(sentence) < at);
        let is_own = || next.checked_sub(1).is_some_and(|last| is_of_self(page.sentences[last].text()));
        asks_not_to_keep(&Page::of(bracket)) && is_own() && !page.is_foreign_at(at)
    })
}

/// Returns whether a folded sentence has a word for its speaker.
fn is_of_self(text: &str) -> bool {
    text.split([' ', '\'']).any(|word| is_pronoun(word) && word != "on" || POSSESSIVES.contains(&word))
        || text.contains(['我', '私', '僕', '俺'])
}

/// Returns the sentences that a message asks to remember although it asks not to keep another part, each with the end of what
/// it asks for: "Save this: I prefer dogs. Don't save the rest: I prefer rats." None if it does not name that part.
fn wanted(sentences: &[Sentence]) -> Vec<(usize, usize)> {
    let unwanted: Vec<_> = sentences.iter().map(voices::unwanted).collect();
    let names = |(sentence, unwanted): (&Sentence, &Option<Range<usize>>)| {
        unwanted.as_ref().is_none_or(|unwanted| voices::names_unwanted(sentence, unwanted))
    };
    if !sentences.iter().zip(&unwanted).all(names) {
        return Vec::new();
    }
    let parts = sentences.iter().enumerate().flat_map(|(at, sentence)| asked_parts(at, sentence, sentences));
    let before_unwanted = |(at, range): (usize, Range<usize>)| {
        let end = unwanted[at].as_ref().map_or(range.end, |unwanted| unwanted.start.min(range.end));
        (range.start < end).then_some((at, end))
    };
    parts.filter_map(before_unwanted).collect()
}

/// Returns the sentences of an imagined case: one that asks, otherwise all up to one that returns to reality or asks to remember
/// something.
fn imagined(text: &str, sentences: &[Sentence]) -> Range<usize> {
    let is_exclaimed = |sentence: &Sentence| {
        let end = sentence.range().end;
        text[end..].trim_start().starts_with(['!', '！'])
    };
    let begins = |at: &usize| {
        let sentence = &sentences[*at];
        let is_asked = || sentences[*at..].iter().any(|sentence| sentence.asked);
        voices::is_imagined(sentence)
            && (!voices::is_assumed(sentence) || is_asked())
            && !(voices::is_news(sentence) && is_exclaimed(sentence))
    };
    let Some(first) = (0..sentences.len()).find(begins) else { return 0..0 };
    if sentences[first].asked {
        return first..first + 1;
    }
    let rest = &sentences[first + 1..];
    let ends = |sentence: &Sentence| voices::is_real(sentence) || remembering::remembered(sentence).is_some();
    first..first + 1 + rest.iter().position(ends).unwrap_or(rest.len())
}

/// A request to forget what was said just before.
pub(super) struct ForgetsLast {
    /// The number of its sentence.
    sentence: usize,
    /// Where it begins in the folded sentence.
    start: usize,
    said: Said,
}

/// Drops what a message says before it asks to forget "that": the sentence before, or all of it. The request means the message
/// before only if this one says nothing before it, or only something about that message.
pub(super) fn drop_last(
    request: &ForgetsLast,
    text: &str,
    page: &Page,
    secrets: &[secrets::Found],
    reading: &mut Reading,
) {
    let sentence = &page.sentences[request.sentence];
    let at = sentence.place(&(request.start..sentence.text().len())).start;
    let is_within = |candidate: &Candidate, range: &Range<usize>| {
        candidate.span.start < range.end && candidate.span.end > range.start
    };
    let says = |range: &Range<usize>| {
        reading.candidates.iter().any(|candidate| is_within(candidate, range)) || holds(secrets, range)
    };
    let before = || page.sentences[..request.sentence].iter().rev();
    // Before a comma, it may be a condition, or somebody else who asks: "my wife said, forget that".
    let is_own = word_count(&sentence.text()[..request.start]) > EXCLAMATION_WORDS;
    let own = sentence.place(&(0..request.start));
    let is_meant = |sentence: &&Sentence| {
        says(&sentence.range()) || !is_exclamation(sentence) && !is_remark(sentence.text())
    };
    let meant = match request.said {
        Said::All if says(&(0..at)) || before().any(|sentence| is_meant(&sentence)) => Some(0..at),
        Said::Sentence | Said::Statement if is_own || says(&own) => Some(own.clone()),
        Said::Sentence | Said::Statement => before().find(is_meant).map(Sentence::range),
        Said::All => None,
    };
    let Some(meant) = meant else {
        // After a comma, it means the words before it: "if that fails, forget it" asks to forget no message.
        reading.forgets_last |= request.start == 0;
        reading.forgets_that |= request.start == 0 && request.said != Said::All;
        return;
    };
    if !says(&meant) {
        // A question or an errand before it is what is meant, and says nothing.
        let is_errand = || before().find(is_meant).is_some_and(requests::asks_for_something);
        if request.said != Said::All && (meant == own || is_errand()) {
            return;
        }
        let text = shown(text[meant.clone()].trim());
        reading.dropped.push(Dropped { text, why: Why::Unwanted, rule: String::new() });
    }
    let last = reading.candidates.iter().rev().find(|candidate| is_within(candidate, &meant));
    let last = last.map(|candidate| candidate.span.clone()).filter(|_| request.said == Said::Statement);
    reading.keep(|candidate| {
        let is_meant =
            is_within(candidate, &meant) && last.as_ref().is_none_or(|last| *last == candidate.span);
        is_meant.then_some(Why::Unwanted)
    });
    reading.is_unwanted = true;
}

/// Removes the clauses of what the speaker asks to forget. Returns the last request in the message that means what was said
/// just before.
pub(super) fn take_forgotten(
    text: &str,
    page: &Page,
    clauses: &mut Vec<Clause>,
    reading: &mut Reading,
) -> Option<ForgetsLast> {
    let mut last = None;
    let unclear = |sentence: &Sentence| {
        let text = shown(&text[sentence.range()]);
        Dropped { text, why: Why::UnclearRequest, rule: String::new() }
    };
    for (number, sentence) in page.sentences.iter().enumerate() {
        // What follows may be the rest of a long list.
        if reading.forgets.len() >= FORGETS_MAX {
            clauses.retain(|clause| clause.sentence < number);
            break;
        }
        // What somebody else asks for has no clauses any more: "my wife said: forget that I am allergic".
        if clauses.binary_search_by_key(&number, |clause| clause.sentence).is_err() {
            continue;
        }
        let place = Place { message: text, sentences: &page.sentences, number };
        let is_before = |clause: &Clause, end: usize| clause.sentence != number || clause.range().end <= end;
        if let Some((start, range)) = forgetting::forgotten_after(sentence) {
            let named = text[sentence.place(&range)].to_owned();
            reading.forgets.push(Forget { text: named, is_matter: false, is_all: false });
            clauses.retain(|clause| is_before(clause, start));
            continue;
        }
        match forgetting::request(&place) {
            Some(Request::All(start)) => {
                reading.forgets_all = true;
                clauses.retain(|clause| is_before(clause, start));
            }
            Some(Request::Today(start)) => {
                reading.forgets_today = true;
                clauses.retain(|clause| is_before(clause, start));
            }
            Some(Request::Last(start, said)) => {
                let count = clauses.len();
                clauses.retain(|clause| is_before(clause, start));
                if clauses.len() < count {
                    last = Some(ForgetsLast { sentence: number, start, said });
                }
            }
            Some(Request::Named(named)) => take_named(&place, &named, clauses, reading),
            Some(Request::Excepted(start)) => {
                clauses.retain(|clause| is_before(clause, start));
                reading.dropped.push(unclear(sentence));
            }
            None => {
                let count = clauses.len();
                let mut is_asked = false;
                clauses.retain(|clause| {
                    if clause.sentence != number || clause.before == '&' {
                        return true;
                    }
                    // A conjunction after the request begins what it names: "vergiss, dass …".
                    is_asked = forgetting::asks_to_forget(&place, clause.range())
                        || is_asked && forgetting::is_object(&place, clause.range());
                    !is_asked
                });
                if clauses.len() < count {
                    reading.dropped.push(unclear(sentence));
                }
            }
        }
    }
    reading.forgets.truncate(FORGETS_MAX);
    last
}

/// Removes the clauses of a request to forget a statement or a matter. What is said beside it stays.
fn take_named(place: &Place<'_>, named: &Named, clauses: &mut Vec<Clause>, reading: &mut Reading) {
    let Named { start, range, is_matter, is_all } = named;
    let sentence = place.sentence();
    let is_of_sentence = |clause: &Clause| clause.sentence == place.number;
    if !clauses.iter().any(|clause| is_of_sentence(clause) && clause.range().end > range.start) {
        return;
    }
    // The rest may be a reason, or what holds instead: "forget that I live in Leeds, I live in York now".
    let comma = parts::comma_after_parts(&sentence.text()[range.clone()], *is_matter);
    let comma = comma.map(|comma| range.start + comma);
    let named = range.start..comma.map_or(range.end, |comma| comma + 1);
    let mut named = parts::conjuncts(place.message, sentence, &named, *is_matter);
    named.extend(comma.map(|_| place.message[sentence.place(range)].to_owned()));
    reading.forgets.extend(named.into_iter().map(|named| {
        // Chinese asks with a particle at the end.
        let text = named.trim_end_matches(['吧', '啊', '呗']).to_owned();
        Forget { text, is_matter: *is_matter, is_all: *is_all }
    }));
    let remembered = forgetting::remembered_after(sentence).map(|(start, _)| start);
    let end = comma.or(remembered).unwrap_or(sentence.text().len());
    clauses.retain(|clause| {
        !is_of_sentence(clause) || clause.range().end <= *start || clause.range().start > end
    });
}

/// Removes the clauses that hold a secret, so that what is said beside them is read as if they were not there.
pub(super) fn drop_secret(
    text: &str,
    page: &Page,
    secrets: &[secrets::Found],
    clauses: &mut Vec<Clause>,
    reading: &mut Reading,
) {
    clauses.retain(|clause| {
        let place = page.sentences[clause.sentence].place(&clause.range());
        let is_secret = holds(secrets, &place);
        if is_secret {
            let text = secrets::redact_part(text, &place, secrets);
            reading.dropped.push(Dropped { text, why: Why::Secret, rule: String::new() });
        }
        !is_secret
    });
}
