//! Tells whether a statement says what has ended, up to a part that only tells more of it.

use memtape_core::recall::question::covered;
use memtape_core::recall::tokenize::{query_terms, terms};
use memtape_language::fold;
use memtape_language::han::is_han;

use super::tables::is_day;

/// Words that may stand in a statement of what has ended, or in what has ended, and change nothing.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    ",", "a", "an", "the", "am", "is", "are", "be", "do", "does", "have", "now", "currently", "still", "also", "really", "very", "actually", "ein", "eine",
    "einen", "einem", "einer", "der", "die", "das", "den", "dem", "jetzt", "noch", "auch", "derzeit", "aktuell", "gerade", "bin", "un", "una", "el",
    "la", "los", "las", "yo", "ahora", "actualmente", "une", "le", "les", "l", "des", "du", "maintenant", "actuellement", "io", "il", "lo", "gli",
    "uno", "adesso", "eu", "um", "uma", "agora", "est", "ce", "aujourd", "hui",
];
/// Words that begin what only tells more of a statement: where, since when, with whom.
#[rustfmt::skip]
pub(super) const TAIL_STARTS: &[&str] = &[
    "with", "without", "near", "since", "for", "every", "as", "at", "in", "on", "because", "when", "while", "after", "before", "from", "until", "about",
    "together", "over", "twice", "daily", "anymore", "who", "which", "where", "mit", "ohne", "seit", "als", "bei", "für", "jeden", "jede", "weil", "wenn", "nach",
    "vor", "von", "aus", "bis", "auf", "im", "am", "zusammen", "täglich", "con", "sin", "desde", "para", "cada", "como", "en", "porque", "cuando",
    "hasta", "antes", "cerca", "avec", "sans", "depuis", "pour", "chaque", "comme", "chez", "à", "dans", "parce", "quand", "jusqu", "da", "per", "come", "senza", "perché",
    "ogni", "fino", "vicino", "quando", "dal", "dalla", "nel", "nella", "com", "sem", "desde", "em", "até", "perto", "на", "с", "со", "без", "в",
    "во", "у", "около", "до", "каждый", "каждую", "потому", "когда",
];

/// Returns whether a word in small letters changes nothing in a statement of what has ended. An ending need not repeat a day:
/// "forget that I see the dentist" is about "I see the dentist tomorrow". A date was added when the statement was captured.
fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word) || is_day(&fold::word(word)) || word.parse::<jiff::civil::Date>().is_ok()
}

/// Returns whether a part of a statement says all of what has ended, and else only tells more of it: "I work at Acme as an
/// engineer" of "I work at Acme".
pub(super) fn says_with_tail(part: &str, ended: &str) -> bool {
    let part = part.to_lowercase();
    let list = words(&part);
    let other = first_other(&list, &ended.to_lowercase());
    covered(&query_terms(ended), &part) >= 1.0 && other.is_some_and(|at| TAIL_STARTS.contains(&&*list[at]))
}

/// Returns whether a part of a statement says all of what has ended, and nothing else: "I see the dentist tomorrow" of "I see
/// the dentist".
pub(super) fn says_only(part: &str, ended: &str) -> bool {
    let part = part.to_lowercase();
    covered(&query_terms(ended), &part) >= 1.0 && first_other(&words(&part), &ended.to_lowercase()).is_none()
}

/// Returns the index of the first word that is not one of what has ended, in any form. A word that begins what only tells more
/// counts as often as it is there: the second "in" of "I work in London in a bakery" is another one than that of "in London".
pub(super) fn first_other(list: &[String], ended: &str) -> Option<usize> {
    let ended: Vec<String> = words(ended).iter().map(|word| form(word)).collect();
    (0..list.len()).find(|at| {
        let word = &*list[*at];
        if is_filler(word) {
            return false;
        }
        let same = form(word);
        let count = ended.iter().filter(|other| **other == same).count();
        let before = || list[..*at].iter().filter(|other| form(other) == same).count();
        count == 0 || TAIL_STARTS.contains(&word) && before() >= count
    })
}

/// Returns the words of a text in small letters, with its commas. An apostrophe divides, and so does each Chinese character.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() && !is_han(c) || c == '-' {
            word.push(c);
            continue;
        }
        words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        match c {
            ',' | '，' | ';' | '(' => words.push(",".to_owned()),
            c if is_han(c) => words.push(c.to_string()),
            _ => {}
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Returns the form by which words are compared: their terms, and what an elided word stands for.
pub(super) fn form(word: &str) -> String {
    let whole = match word {
        "m" => "am",
        "ve" => "have",
        "re" => "are",
        "s" => "is",
        "j" => "je",
        "d" => "de",
        word => word,
    };
    terms(whole).concat()
}
