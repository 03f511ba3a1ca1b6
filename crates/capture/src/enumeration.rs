//! Takes a part out of a statement that says several things: "I am allergic to peanuts and penicillin" without the peanuts.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use memtape_core::recall::tokenize::query_terms;
use regex::Regex;

/// What separates the parts of a statement, in all languages alike.
const SEPARATORS: &str = r"(?i)(?:\s*[,;]\s+(?:and|or|und|oder|sowie|y|e|et|ou|и|или)\s+|\s+(?:and|or|und|oder|sowie|y|et|ou|и|или|plus|as well as)\s+|\s*[,;]\s+|\s+[&+]\s+|、|，|和|以及|还有)";
/// Words at the beginning of a part that has a subject of its own.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "my", "our", "he", "she", "it", "they", "his", "her", "their", "the", "ich", "wir",
    "mein", "meine", "er", "sie", "yo", "mi", "mis", "soy", "tengo", "je", "j'ai", "mon", "ma", "mes", "nous", "eu", "meu", "minha", "io",
    "mio", "mia", "я", "мы", "мой", "моя",
];

/// Returns the rest of a statement without the parts that a text names; `None` if it names all of the statement, none of its
/// parts, or if the rest cannot be told.
#[must_use]
pub fn rest_of(statement: &str, named: &str) -> Option<String> {
    static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| Regex::new(SEPARATORS).expect("a pattern"));
    let terms = |text: &str| -> BTreeSet<String> { query_terms(text).into_iter().collect() };
    let named = terms(named);
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for found in SEPARATOR.find_iter(statement) {
        parts.push(start..found.start());
        start = found.end();
    }
    parts.push(start..statement.len());
    let text = |part: &Range<usize>| &statement[part.clone()];
    // A part without a term of its own, such as a tag, belongs to the one before it.
    if parts.len() < 2 || parts.iter().any(|part| terms(text(part)).is_empty()) {
        return None;
    }
    let is_named: Vec<bool> = parts.iter().map(|part| terms(text(part)).is_subset(&named)).collect();
    let kept: Vec<&Range<usize>> =
        parts.iter().zip(&is_named).filter(|(_, is_named)| !**is_named).map(|(part, _)| part).collect();
    let first = *kept.first().filter(|_| kept.len() < parts.len())?;
    let begins_anew = |part: &Range<usize>| {
        let first = text(part).split_whitespace().next().unwrap_or_default().to_lowercase();
        SUBJECTS.contains(&&*first)
    };
    let head = match is_named[0] {
        false => String::new(),
        true if begins_anew(first) => String::new(),
        true => {
            // The item is the last word of the first part: the others introduce all items.
            let others = terms(text(first)).difference(&named).count();
            let (head, item) = text(&parts[0]).rsplit_once(' ')?;
            if others != 1 || terms(item).is_empty() {
                return None;
            }
            format!("{head} ")
        }
    };
    // The separators of the kept parts stay as they are, but the first of them has none, and the last has a conjunction.
    let mut rest = head;
    for (at, part) in kept.iter().enumerate() {
        if at > 0 {
            let last = parts.len() - 1;
            let between = match at + 1 == kept.len() {
                true => parts[last - 1].end..parts[last].start,
                false => parts[0].end..parts[1].start,
            };
            rest.push_str(&statement[between]);
        }
        rest.push_str(text(part));
    }
    // What follows the last item belongs to the sentence: "Ich bin gegen Bienen und Penicillin allergisch".
    let last = parts.last().filter(|_| is_named.last() == Some(&true));
    if last.is_some_and(|last| terms(text(last)).len() > 1 && !begins_anew(last)) && is_verb_last(statement) {
        return None;
    }
    Some(rest)
}

/// Returns whether a statement may have its verb at the end, which a removed last part would take away.
fn is_verb_last(statement: &str) -> bool {
    let first = statement.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(&*first, "ich" | "wir" | "mein" | "meine" | "er" | "sie")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_a_statement() {
        for (statement, named, expected) in [
            (
                "I am allergic to peanuts and penicillin",
                "I'm allergic to peanuts",
                Some("I am allergic to penicillin"),
            ),
            (
                "I am allergic to peanuts and penicillin",
                "I'm allergic to penicillin",
                Some("I am allergic to peanuts"),
            ),
            ("I speak German, French and Italian", "I speak French", Some("I speak German and Italian")),
            ("I speak German, French and Italian", "I speak German", Some("I speak French and Italian")),
            ("I live in Leeds and I work as a nurse", "I work as a nurse", Some("I live in Leeds")),
            ("I live in Leeds and I work as a nurse", "I live in Leeds", Some("I work as a nurse")),
            ("I like jazz and hate opera", "I hate opera", Some("I like jazz")),
            (
                "My son is allergic to bees and my daughter to nuts",
                "my daughter is allergic to nuts",
                Some("My son is allergic to bees"),
            ),
            (
                "Ich bin gegen Bienen und Penicillin allergisch",
                "ich gegen Bienen allergisch bin",
                Some("Ich bin gegen Penicillin allergisch"),
            ),
            ("Ich bin gegen Bienen und Penicillin allergisch", "ich gegen Penicillin allergisch bin", None),
            (
                "Soy alérgica a la penicilina y al polen",
                "soy alérgica al polen",
                Some("Soy alérgica a la penicilina"),
            ),
            ("I am allergic to peanuts", "I'm allergic to peanuts", None),
            ("I am allergic to peanuts and penicillin", "I'm allergic to peanuts and penicillin", None),
            ("I am allergic to peanuts and penicillin", "I live in Leeds", None),
            ("I like jazz and hate opera", "I like jazz", None),
        ] {
            assert_eq!(rest_of(statement, named).as_deref(), expected, "{statement} | {named}");
        }
    }
}
