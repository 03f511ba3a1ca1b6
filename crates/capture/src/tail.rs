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

/// Words of [`TAIL_STARTS`] that tell since when or how often something holds.
#[rustfmt::skip]
const TIME_STARTS: &[&str] = &[
    "since", "every", "twice", "daily", "anymore", "seit", "jeden", "jede", "täglich", "desde", "cada", "depuis", "chaque", "dal", "dalla",
    "ogni", "каждый", "каждую",
];
/// Words for somebody or somewhere that other words name, folded: what was said with them means nothing by itself.
#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "her", "him", "them", "it", "this", "that", "there", "here", "ihm", "ihn", "ihr", "ihnen", "dort", "dorthin", "da", "hier", "dabei",
    "damit", "daran", "darin", "davon", "dafür", "ella", "ellas", "ello", "ellos", "alli", "ahi", "alla", "aqui", "aca", "lui", "elle", "elles",
    "eux", "ici", "ca", "cela", "ele", "eles", "ela", "elas", "dele", "dela", "deles", "nele", "nela", "ali", "lei", "loro", "ci", "там", "туда",
    "тут", "здесь", "ним", "нем", "нему", "него", "неи", "нее", "ними", "них", "этом", "этим",
];
/// Words that are such words at the end of a text, and articles before others.
const LAST_REFERENCES: &[&str] = &["el", "la", "li", "qui"];
/// French pronouns before a verb that are such words, after its subject.
const FRENCH_REFERENCES: &[&str] = &["y", "en"];
const FRENCH_SUBJECTS: &[&str] = &["je", "j", "on", "nous", "il", "elle"];
const HAN_REFERENCES: &[&str] = &["他", "她", "它", "那里", "那儿", "那边", "这里", "这儿", "这边"];

/// Returns whether a text refers to somebody or somewhere by a word that a statement has not: "with her" and "there" mean what
/// was said before, which may be something else than the statement is about.
pub(super) fn refers_elsewhere(text: &str, statement: &str) -> bool {
    let (text_words, held) = (folded_words(text), folded_words(statement));
    let is_reference = |at: usize| {
        let word = &*text_words[at];
        let before = at.checked_sub(1).map_or("", |before| &*text_words[before]);
        REFERENCES.contains(&word)
            || at + 1 == text_words.len() && LAST_REFERENCES.contains(&word)
            || FRENCH_REFERENCES.contains(&word) && FRENCH_SUBJECTS.contains(&before)
    };
    (0..text_words.len()).any(|at| is_reference(at) && !held.contains(&text_words[at]))
        || HAN_REFERENCES.iter().any(|word| text.contains(word) && !statement.contains(word))
}

/// Returns whether a word in small letters changes nothing in a statement of what has ended. An ending need not repeat a day:
/// "forget that I see the dentist" is about "I see the dentist tomorrow". A date was added when the statement was captured.
pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word) || is_day(&fold::word(word)) || word.parse::<jiff::civil::Date>().is_ok()
}

/// Returns whether a part of a statement says all of what has ended, and else only tells more of it: "I work at Acme as an
/// engineer" of "I work at Acme".
pub(super) fn says_with_tail(part: &str, ended: &str) -> bool {
    let part = part.to_lowercase();
    let list = words(&part);
    let other = first_other(&list, &ended.to_lowercase());
    covered(&query_terms(ended), &part) >= 1.0
        && other.is_some_and(|at| TAIL_STARTS.contains(&&*list[at]) && !ends_in_tail(&list, at, ended))
}

/// Returns whether a part of what has ended stands only in the tail of a statement, which begins with the word at `tail`: "I no
/// longer live with Ana" does not end "I live in Leeds with Ana". A tail before it that tells a time is none.
pub(super) fn ends_in_tail(list: &[String], tail: usize, ended: &str) -> bool {
    let ended: Vec<String> = words(&ended.to_lowercase()).iter().map(|word| form(word)).collect();
    let is_time = TIME_STARTS.contains(&&*list[tail])
        || list[tail + 1..]
            .iter()
            .take(2)
            .any(|word| is_day(&fold::word(word)) || word.starts_with(|c: char| c.is_ascii_digit()));
    let before: Vec<String> = list[..tail].iter().map(|word| form(word)).collect();
    let is_ended = |word: &String| {
        let is_plain = is_filler(word) || TAIL_STARTS.contains(&&**word);
        !is_plain && ended.contains(&form(word)) && !before.contains(&form(word))
    };
    !is_time && list[tail..].iter().any(is_ended)
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

/// Returns the folded words of a text.
pub(super) fn folded_words(text: &str) -> Vec<String> {
    words(&text.to_lowercase()).iter().map(|word| fold::word(word)).collect()
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
