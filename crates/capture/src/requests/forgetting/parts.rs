//! Divides what the speaker asks to forget into its parts: "my allergy" and "my medication".

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::FORGETS_MAX;
use crate::latin::simplified;
use crate::page::Sentence;
use crate::requests::CLAUSE_VERBS;

/// What joins matters, with what the request says again before the second one: "and my phone number", "and about the nuts",
/// "y lo del gestor". A possessive belongs to the matter.
const MATTER_JOINTS: &str = concat!(
    r" (?:,|(?:, )?(?P<and>and|und|y|et|e|и))(?: also)?(?: (?:about|über|ueber|sobre|sur|lo de))?",
    r"(?: (?:about|über|ueber|sobre|sur|lo del|the|der|die|das|den|dem|el|la|los|las|le|les) |(?P<own> (?:my|our|(?:mein|unser)(?:e[nrms]?)?|mis?|nuestr[oa]s?",
    r"|mon|ma|mes|notre|nos|il mio|la mia|i miei|le mie|(?:[oa]s? )?(?:meus?|minhas?)|мои|мою|моего|моеи|мое) ))",
);
static MATTER_JOINT: LazyLock<Regex> = LazyLock::new(|| simplified(MATTER_JOINTS));
/// What joins two statements: a statement follows if its first words begin one, or if it shares the subject of the first
/// ([`shared_subject`]).
const STATEMENT_JOINTS: &str = concat!(
    r"(?: ,)? (?:and|und|y|et|e|и)(?: (?:that|dass|que|che|что))?",
    r"(?P<own> (?:(?:i|i'm|i've|we|we're|we've|ich|wir|yo|soy|tengo|vivo|trabajo|estoy|je|sono|lavoro|ho|sou|tenho|moro|я) |j'|(?:my|our) (?:[^ ]+ ){1,3}(?:is|are|was|has|have|lives|works) )| )",
);
/// The minimum number of words of a statement before a joint: "live and work in Leeds" is one.
const STATEMENT_WORDS: usize = 3;
/// Verbs of the speaker after a joint: "I live in Leeds and work at Hexagon".
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "am", "are", "was", "were", "have", "had", "live", "lived", "work", "worked", "like", "love", "hate", "prefer", "take", "took",
    "drive", "own", "study", "studied", "teach", "play", "speak", "use", "need", "want", "eat", "drink", "smoke", "go", "went", "run",
    "moved", "grew", "don't", "can't",
];
/// Verbs at the end of a German statement that do not end with "e", and words that do and are none.
const GERMAN_VERBS: &[&str] = &["bin", "mag", "kann", "muss", "will", "darf", "war"];
const NO_GERMAN_VERBS: &[&str] = &["gerne", "heute", "keine", "viele", "beide", "alle"];

/// Returns the subject of a statement if a second one has the same: "I" of "I live in Leeds" before "work at Hexagon", "ich"
/// of "ich in Kiel wohne" before "bei Siemens arbeite", "my wife" of "my wife lives in York" before "works at Hexagon".
fn shared_subject<'t>(first: &'t str, second: &str) -> Option<&'t str> {
    let last_is_verb = |text: &str| {
        text.split_whitespace().next_back().is_some_and(|word| {
            let is_first_person = word.ends_with('e') && word.starts_with(char::is_lowercase);
            GERMAN_VERBS.contains(&word) || is_first_person && !NO_GERMAN_VERBS.contains(&word)
        })
    };
    let subject = first.split(' ').next()?;
    let verb = second.split(' ').next()?;
    match &*subject.to_lowercase() {
        "i" | "we" => VERBS.contains(&verb).then_some(subject),
        "ich" => (last_is_verb(first) && last_is_verb(second)).then_some(subject),
        _ if CLAUSE_VERBS.contains(&verb) => {
            let starts = first.match_indices(' ').map(|(space, _)| space);
            let is_verb = |space: &usize| {
                first[space + 1..].split(' ').next().is_some_and(|word| CLAUSE_VERBS.contains(&word))
            };
            starts.clone().find(is_verb).map(|space| &first[..space])
        }
        _ => None,
    }
}

/// Returns whether a text enumerates matters of the speaker: "my phone number, my address and my email". What has a verb is no
/// item.
pub(super) fn is_list(text: &str) -> bool {
    const STATES: [&str; 9] = ["ist", "sind", "hat", "es", "son", "est", "sont", "sono", "sao"];
    let states = |word: &str| CLAUSE_VERBS.contains(&word) || STATES.contains(&word);
    !text.split(' ').any(states)
        && MATTER_JOINT.captures_iter(text).filter(|joint| joint.name("own").is_some()).nth(1).is_some()
}

/// Returns the position of the first comma or dash in what the speaker asks to forget that does not join its parts: in German, a
/// comma stands before "und dass".
pub(crate) fn comma_after_parts(text: &str, is_matter: bool) -> Option<usize> {
    static JOINS: LazyLock<Regex> =
        LazyLock::new(|| simplified("^ , (?:and|und|y|et|e|и) (?:that |dass |que |qu'|che |что )"));
    static JOINS_MATTERS: LazyLock<Regex> = LazyLock::new(|| simplified(&format!("^(?:{MATTER_JOINTS})")));
    if is_matter && is_list(text) {
        return None;
    }
    let joins = |rest: &str| match is_matter {
        true => JOINS_MATTERS.captures(rest).is_some_and(|joint| joint.name("and").is_some()),
        false => JOINS.is_match(rest),
    };
    let marks = text.match_indices(" , ").chain(text.match_indices(" - ")).map(|(mark, _)| mark);
    marks.filter(|mark| !joins(&text[*mark..])).min()
}

/// Returns the parts of what the speaker asks to forget, in a range of a folded sentence, in the words of the message: "my
/// allergy" and "my medication", "I live in Leeds" and "I work at Hexagon".
pub(crate) fn conjuncts(
    message: &str,
    sentence: &Sentence,
    range: &Range<usize>,
    is_matter: bool,
) -> Vec<String> {
    static STATEMENTS: LazyLock<Regex> = LazyLock::new(|| simplified(STATEMENT_JOINTS));
    let said = |range: Range<usize>| &message[sentence.place(&range)];
    let text = &sentence.text()[..range.end];
    let mut parts: Vec<String> = Vec::new();
    let with_subject = |subject: &str, part: &str| format!("{subject} {part}").trim().to_owned();
    let (mut start, mut at, mut subject, mut joints) = (range.start, range.start, String::new(), 0);
    let pattern = if is_matter { &MATTER_JOINT } else { &STATEMENTS };
    while joints < FORGETS_MAX
        && let Some(joint) = pattern.captures_at(text, at)
    {
        let Some(found) = joint.get(0) else { break };
        joints += 1;
        at = found.end() - 1;
        let own = joint.name("own").map(|own| own.start());
        let next = own.unwrap_or(at);
        let (first, second) = (with_subject(&subject, said(start..found.start())), said(next..range.end));
        let begins = own.is_some_and(|own| found.end() > own + 1);
        let next_subject = match is_matter || begins {
            true => Some(""),
            false => shared_subject(&first, second),
        };
        let is_whole = is_matter || first.split(' ').count() >= STATEMENT_WORDS;
        let Some(next_subject) = next_subject.filter(|_| is_whole) else { continue };
        if first.is_empty() || second.is_empty() {
            continue;
        }
        subject = next_subject.to_owned();
        parts.push(first);
        start = next;
    }
    parts.push(with_subject(&subject, said(start..range.end)));
    parts
}
