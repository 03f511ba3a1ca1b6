//! Finds requests to forget something: "forget that I …", "delete my address".

mod doubts;
mod han;
pub(crate) mod parts;
mod patterns;
pub(crate) mod place;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::remembering::{CONJUNCTIONS, INTRODUCTIONS, remembered};
use super::{SPEAKER, begins_clause, filled, is_polite};
use crate::latin::simplified;
use crate::page::Sentence;
use crate::subjects::Joint;
use patterns::{
    ABOUT, AFTER_MATTER, AND_FORGET, AND_REMEMBER, DELETE, FORGET, FORGET_ALL, FORGET_ANYTHING, FORGET_LAST,
    FORGET_MATTER, ILLNESSES, NO_MATTER, NO_REQUEST, POSSESSIVES, REMOVE_MATTER, compiled, may_forget,
};
use place::{Place, word_count};

/// What a sentence asks to forget.
pub(crate) enum Request {
    /// All that its speaker ever said. The request begins at this position in the folded sentence.
    All(usize),
    /// All that they said on the day of the message: "forget everything I said today".
    Today(usize),
    /// What they said just before. The request begins at this position in the folded sentence.
    Last(usize, Said),
    /// What it names.
    Named(Named),
    /// Something from which its speaker excepts a part, so that it is not obeyed. The request begins at this position in the
    /// folded sentence.
    Excepted(usize),
}

/// What is meant by what the speaker said just before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    /// All of it: "forget what I just said".
    All,
    /// The sentence before: "forget that".
    Sentence,
    /// The last statement: "forget that last remark".
    Statement,
}

/// What a request names.
pub(crate) struct Named {
    /// Where the request begins in the folded sentence.
    pub(crate) start: usize,
    /// The range of what it names in the folded sentence.
    pub(crate) range: Range<usize>,
    /// Whether that is a matter rather than a statement.
    pub(crate) is_matter: bool,
    /// Whether all that was said about the matter is meant.
    pub(crate) is_all: bool,
}

/// Returns what the speaker asks to forget in a sentence; `None` if they ask for nothing, or may mean something else.
pub(crate) fn request(place: &Place<'_>) -> Option<Request> {
    if doubts::is_text(place) {
        return None;
    }
    let request = asked(place)?;
    let (start, is_wide, means_all) = match &request {
        Request::All(start) | Request::Today(start) => (*start, true, true),
        Request::Last(start, _) | Request::Excepted(start) => (*start, false, true),
        Request::Named(named) => (named.start, false, named.is_all),
    };
    Some(match doubts::excepts(place, is_wide, means_all) {
        true => Request::Excepted(start),
        false => request,
    })
}

/// Returns what a sentence by itself asks to forget.
fn asked(place: &Place<'_>) -> Option<Request> {
    match han::named(place) {
        Some(han::Named::All) => return doubts::is_first(place).then_some(Request::All(0)),
        Some(han::Named::Last) => return Some(Request::Last(0, Said::All)),
        Some(han::Named::Matter(range)) => {
            return Some(Request::Named(Named { start: 0, range, is_matter: true, is_all: true }));
        }
        Some(han::Named::Statement(range)) => {
            return Some(Request::Named(Named { start: 0, range, is_matter: false, is_all: false }));
        }
        None => {}
    }
    if !may_forget(place.text()) {
        return None;
    }
    if let Some(start) = all(place) {
        return match is_of_today(place.text()) {
            _ if !doubts::is_first(place) => None,
            true => Some(Request::Today(start)),
            false => Some(Request::All(start)),
        };
    }
    if let Some((start, said)) = last(place) {
        return Some(Request::Last(start, said));
    }
    statement(place).or_else(|| matter(place)).map(Request::Named)
}

/// Returns whether a sentence is a question, and not a request with "ok?" at its end.
fn is_question(sentence: &Sentence) -> bool {
    const TAGS: [&str; 8] =
        [" , ok ", " , okay ", " , ja ", " , vale ", " , si ", " , d'accord ", " , please ", " , bitte "];
    sentence.asked && !TAGS.iter().any(|tag| sentence.text().ends_with(tag))
}

/// Returns the statement that a sentence asks to forget.
fn statement(place: &Place<'_>) -> Option<Named> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET));
    let text = text_of_request(place.sentence());
    let found = LATIN.find(text)?;
    let (request, rest) = (found.as_str(), &text[found.end()..]);
    let is_doubtful = is_question(place.sentence()) && !is_polite(request)
        || doubts::may_be_past(place, &found.range())
        || doubts::is_of_another(place, &found.range())
        || doubts::says_about(rest)
        || doubts::is_within(text, &found.range())
        || doubts::is_ellipsis(request, rest)
        || doubts::is_for_now(text)
        || doubts::is_warning(text, false);
    if is_doubtful {
        return None;
    }
    // The subject belongs to what is forgotten, also if a verb follows it: "forget I live in Leeds".
    let mut words = request.trim_end().rsplit(' ');
    let (last, before) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_subject = !matches!(last, "that" | "dass" | "que" | "qu'" | "che" | "что" | ":");
    // "Forget that Ana and I live in Porto"
    let is_joint = || Joint::of(&place.message[place.sentence().place(&(found.end()..text.len()))]).is_some();
    if last == "that" && !begins_clause(rest) && !is_joint() {
        return None;
    }
    let start = found.end()
        - match before {
            "i" | "my" => before.len() + last.len() + 2,
            _ if is_subject => last.len() + 1,
            _ => 0,
        };
    let end = AFTER_MATTER.find(&text[start..]).map_or(text.len(), |after| start + after.start() + 1);
    let range = start..end.max(start);
    text[range.clone()].contains(char::is_alphanumeric).then_some(Named {
        start: found.start(),
        range,
        is_matter: false,
        is_all: false,
    })
}

/// Returns where in a folded sentence that asks to remember something a request begins to forget something else, and what
/// that is: "remember that I live in York and forget that I live in Leeds".
pub(crate) fn forgotten_after(sentence: &Sentence) -> Option<(usize, Range<usize>)> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(AND_FORGET));
    if !may_forget(sentence.text()) {
        return None;
    }
    let asked = remembered(sentence)?;
    let text = &sentence.text()[asked.clone()];
    let found = may_forget(text).then(|| LATIN.find(text)).flatten()?;
    let named = asked.start + found.end()..asked.end;
    sentence.text()[named.clone()]
        .contains(char::is_alphanumeric)
        .then(|| (asked.start + found.start(), named))
}

/// Returns where in a folded sentence that asks to forget something a request begins to remember something else, and what
/// that is: "forget that I live in Leeds and remember that I live in York".
pub(crate) fn remembered_after(sentence: &Sentence) -> Option<(usize, Range<usize>)> {
    static FORGETS: LazyLock<[Regex; 2]> = LazyLock::new(|| [FORGET, FORGET_ANYTHING].map(compiled));
    static LATIN: LazyLock<Regex> =
        LazyLock::new(|| simplified(&filled(&format!("{AND_REMEMBER}(?:{}) ", INTRODUCTIONS.join("|")))));
    let text = sentence.text();
    let asked = may_forget(text).then(|| FORGETS.iter().find_map(|pattern| pattern.find(text))).flatten()?;
    let found = LATIN.find_at(text, asked.end() - 1)?;
    let next = text[found.end()..].split(' ').next().unwrap_or_default();
    // "But don't forget the milk" and "and remember to buy milk" ask to remember nothing.
    let last = found.as_str().split_whitespace().next_back().unwrap_or_default();
    let is_meant = CONJUNCTIONS.contains(&last) || SPEAKER.contains(&next) || next == "my";
    (is_meant && !next.is_empty()).then(|| (found.start(), found.end() - 1..text.len()))
}

/// Returns a folded sentence up to a request to remember something else.
fn text_of_request(sentence: &Sentence) -> &str {
    let end = remembered_after(sentence).map_or(sentence.text().len(), |(start, _)| start + 1);
    &sentence.text()[..end]
}

/// Returns where in a sentence a request begins to forget all that its speaker ever said.
fn all(place: &Place<'_>) -> Option<usize> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_ALL));
    let text = place.text();
    let found = may_forget(text).then(|| LATIN.find(text)).flatten()?;
    let is_meant = (!is_question(place.sentence()) || is_polite(found.as_str()))
        && !doubts::may_be_past(place, &found.range())
        && doubts::is_first_in(text, found.start());
    is_meant.then_some(found.start())
}

/// Returns whether a folded sentence that asks to forget all that its speaker said means the day alone.
fn is_of_today(text: &str) -> bool {
    const TODAY: [&str; 7] =
        [" today ", " heute ", " hoy ", " aujourd'hui ", " oggi ", " hoje ", " сегодня "];
    TODAY.iter().any(|today| text.contains(today))
}

/// Returns where in a sentence a request begins to forget what its speaker said just before, and what is meant.
fn last(place: &Place<'_>) -> Option<(usize, Said)> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_LAST));
    /// Words that name what was said.
    #[rustfmt::skip]
    const SAYS: &[&str] = &[
        " said", " told", " wrote", " mentioned", "message", "gesagt", "geschrieben", "erzählt", "nachricht", "decir", "contar", "escribir",
        "dije", "dicho", "mensaje", " dire", "ecrire", "raconter", " dit ", "detto", "scritto", "dizer", "escrever", "disse", "сказал", "написал",
    ];
    let found = LATIN.find(place.text()).filter(|found| !doubts::may_be_past(place, &found.range()))?;
    if is_question(place.sentence()) {
        return None;
    }
    let request = found.as_str();
    let said = match SAYS.iter().any(|says| request.contains(says)) {
        true => Said::All,
        false if [" last ", " previous ", "letzte", "vorige"].iter().any(|last| request.contains(last)) => {
            Said::Statement
        }
        false => Said::Sentence,
    };
    Some((found.start(), said))
}

/// Returns the matter that a sentence asks to forget.
fn matter(place: &Place<'_>) -> Option<Named> {
    static REQUEST: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_MATTER));
    static POSSESSIVE: LazyLock<Regex> = LazyLock::new(|| simplified(POSSESSIVES));
    static OTHER: LazyLock<Regex> = LazyLock::new(|| simplified(NO_MATTER));
    static REMOVE: LazyLock<Regex> = LazyLock::new(|| compiled(REMOVE_MATTER));
    static ILLNESS: LazyLock<Regex> = LazyLock::new(|| simplified(ILLNESSES));
    let text = text_of_request(place.sentence());
    let asked = is_question(place.sentence());
    let named =
        |start: usize, range: Range<usize>, is_all: bool| Named { start, range, is_matter: true, is_all };
    if !asked && let Some(removed) = REMOVE.captures(text).and_then(|found| found.get(1)) {
        return Some(named(0, removed.start() - 1..removed.end() + 1, false));
    }
    let captures = REQUEST.captures(text)?;
    let found = captures.get(0)?;
    let request = found.as_str();
    let rest = &text[found.end()..];
    let is_doubtful = asked && !is_polite(request)
        || !doubts::follows_own(text, &found.range())
        || doubts::may_be_past(place, &found.range())
        || doubts::is_of_another(place, &found.range())
        || doubts::is_ellipsis(request, rest)
        || doubts::is_for_now(text)
        || doubts::is_warning(text, true);
    if is_doubtful {
        return None;
    }
    let elided = usize::from(!request.ends_with('\''));
    let start = POSSESSIVE
        .find(request)
        .map_or(found.end() - elided, |possessive| found.start() + possessive.start());
    let after = AFTER_MATTER.find(&text[start..]);
    // "Kannst du meine Adresse löschen?": the verb comes last.
    let after_matter = after.map_or("", |after| after.as_str());
    if !may_forget(request) && !may_forget(after_matter) {
        return None;
    }
    let end = after.map_or(text.len(), |after| start + after.start() + 1);
    let matter = text.get(start..end)?;
    let is_illness = ILLNESS.is_match(matter);
    let names_all = ABOUT.iter().any(|about| request.contains(about));
    let is_plain =
        !names_all || [" forget about ", " forget about the "].iter().any(|end| request.ends_with(end));
    let next = found.end() + rest.find(' ').map_or(0, |space| space + 1);
    let is_own =
        POSSESSIVE.is_match(request) || is_plain && POSSESSIVE.is_match(&text[found.end() - elided..next]);
    let is_bare = is_plain && !is_own;
    if (is_bare || is_own) && !is_illness && doubts::says_other(place, request, rest, is_bare) {
        return None;
    }
    let is_named = captures.name("verb").is_none() || is_name(place, found.end());
    let verbs = format!("{request}{after_matter}");
    (matter.contains(char::is_alphanumeric)
        && is_named
        && !doubts::deletes_thing(&verbs, text, matter, is_bare && !is_illness, is_own && !is_illness)
        && !OTHER.is_match(&text[start..]))
    .then_some(named(found.start(), start..end, !is_bare && names_all))
}

/// Returns whether the word at a position of a folded sentence is spelled as a name. "I" is none.
fn is_name(place: &Place<'_>, at: usize) -> bool {
    let word = place.text()[at..].split(' ').next().unwrap_or_default();
    place.message[place.sentence().place(&(at..at + word.len()))].starts_with(char::is_uppercase)
        && !SPEAKER.contains(&word)
}

/// Returns whether the clause of a sentence that begins at a position is a request to forget, whatever it names and whether or
/// not it is obeyed: it states nothing.
pub(crate) fn asks_to_forget(place: &Place<'_>, clause: Range<usize>) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(FORGET_ANYTHING));
    static STATEMENT: LazyLock<Regex> = LazyLock::new(|| compiled(&format!("^(?:{FORGET})")));
    static OTHER: LazyLock<Regex> = LazyLock::new(|| simplified(NO_REQUEST));
    if han::asks_to_forget(place.text(), clause.start) {
        return true;
    }
    if all(place).is_some_and(|start| start <= clause.start) {
        return true;
    }
    // The patterns begin with the space before the clause.
    let start = clause.start - usize::from(place.text()[..clause.start].ends_with(' '));
    let text = &place.text()[start..];
    // In an enumeration, only what names a statement is certainly a request: "I lose my keys, forget names and run late".
    let pattern = if word_count(&place.text()[..start]) == 0 { &LATIN } else { &STATEMENT };
    may_forget(text)
        && !is_question(place.sentence())
        && pattern
            .find(text)
            .is_some_and(|found| !doubts::is_past(place, &(start + found.start()..start + found.end())))
        && !OTHER.is_match(text)
}

/// Returns whether a clause after a request begins with a conjunction, so it is the object of the request.
pub(crate) fn is_object(place: &Place<'_>, clause: Range<usize>) -> bool {
    let first = place.text()[clause].split_whitespace().next();
    first.is_some_and(|word| ["dass", "daß", "wo", "was", "что", "que", "che"].contains(&word))
}

/// Returns whether a folded sentence begins as a request to delete something. It may state a preference: "remove the comments
/// in your examples".
pub(crate) fn asks_to_delete(sentence: &Sentence) -> bool {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| compiled(DELETE));
    may_forget(sentence.text()) && LATIN.is_match(sentence.text())
}
