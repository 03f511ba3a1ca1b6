//! Finds the clauses beside a statement without which it would not be true: a condition before it, a correction of its end,
//! and what takes it back.

use std::sync::LazyLock;

use super::latin::Latin;

/// Words that begin a condition.
const CONDITIONS: &str = r"^(?:if|unless|provided|assuming|wenn|falls|sofern|si|a menos que|sauf si|a moins que|se|a meno che|caso|если|如果|要是|除非) ?";
/// Words after which the end of a statement is said again, differently.
#[rustfmt::skip]
const CORRECTIONS: &[&str] = &[
    "no wait", "no sorry", "no no", "no", "sorry no", "sorry", "wait", "i mean", "i meant", "or rather", "rather", "ach nein", "nein", "nee",
    "ne", "quatsch", "äh", "ich meine", "ich meinte", "sorry nein", "entschuldigung", "no espera", "perdon", "digo", "quiero decir", "mejor dicho",
    "non pardon", "pardon", "non", "je veux dire", "enfin", "scusa", "anzi", "volevo dire", "desculpa", "quer dizer", "ou melhor", "нет",
    "точнее", "то есть", "不对", "不是", "我是说",
];
/// Words after "so" in the end of a clause: "so much", "so viel". Before others it begins one: "so cheap infra only".
#[rustfmt::skip]
const AMOUNTS: &[&str] = &[
    "much", "many", "often", "long", "early", "late", "fast", "bad", "hard", "viel", "viele", "oft", "lang", "lange", "früh", "spät",
    "schnell", "schlimm", "gern", "gerne", "gut",
];
/// The maximum number of words of what is said again.
const AGAIN_WORDS: usize = 5;
/// What takes back the clause before it.
const RETRACTIONS: &str = concat!(
    r"^(?:(?:but|though|aber|doch|pero|mais|ma|mas|но) .*(?:fell through|called (?:it|that|this) off|(?:it|that|this)(?:'s| is| was) (?:off|cancel+ed|over)",
    r"|changed (?:my|our|his|her) minds?|(?:it|that) (?:wasn't|was not|isn't|is not|never) |(?:was|is|came back) negative|didn't (?:happen|work out|go through)|not any ?more",
    r"|geplatzt|abgesagt|doch nicht|wurde nichts|hat nicht geklappt|al final no|se cancelo|lo cancelamos|finalement (?:pas|non)|a ete annule|on a annule",
    r"|alla fine no|annullato|no fim nao|cancelado|передумал|отменил)",
    r"|but (?:really|actually|in (?:fact|reality)) |aber (?:eigentlich|in wirklichkeit|tatsächlich) |pero en realidad |mais en (?:fait|realite) ",
    r"|or at least that's what )",
);

/// Returns whether a clause states a condition of the one after it.
pub(super) fn is_condition(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(CONDITIONS));
    PATTERN.is_match(clause)
}

/// Returns whether a clause takes back the one before it.
pub(super) fn takes_back(clause: &str) -> bool {
    static PATTERN: LazyLock<Latin> = LazyLock::new(|| Latin::of(RETRACTIONS));
    PATTERN.is_match(&format!("{clause} "))
}

/// Returns whether a clause is only the end of the one before it: "so much", "plus que du café".
pub(super) fn is_end(clause: &str) -> bool {
    match clause.split_once(' ') {
        Some(("so", rest)) => AMOUNTS.contains(&rest.split(' ').next().unwrap_or_default()),
        Some(("plus", rest)) => rest.starts_with("que ") || rest.starts_with("qu'"),
        _ => false,
    }
}

/// Returns how many of the clauses after a statement, in its sentence, say its end again: those of "1957, no, 1958".
pub(super) fn corrections(after: &[&str]) -> usize {
    let Some(first) = after.first() else { return 0 };
    let count = |text: &str| text.split(' ').filter(|word| !word.is_empty()).count();
    let Some(mark) = CORRECTIONS.iter().filter(|mark| begins(first, mark)).max_by_key(|mark| mark.len())
    else {
        return 0;
    };
    let rest = first[mark.len()..].trim();
    match rest.is_empty() {
        // "No, wait, at 11": the second word is a mark too.
        true => match corrections(&after[1..]) {
            0 => after.get(1).map_or(0, |again| if count(again) <= AGAIN_WORDS { 2 } else { 0 }),
            more => 1 + more,
        },
        false => usize::from(count(rest) <= AGAIN_WORDS),
    }
}

fn begins(text: &str, mark: &str) -> bool {
    let is_han = mark.chars().all(|c| !c.is_ascii() && c.is_alphabetic() && c > '\u{3000}');
    text.strip_prefix(mark).is_some_and(|rest| is_han || rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_belongs_to_the_statement() {
        for (after, expected) in [
            (&["no", "1958"][..], 2),
            (&["sorry", "2 cats"], 2),
            (&["no wait", "at 11"], 2),
            (&["no", "wait", "at 11"], 3),
            (&["i mean wednesday"], 1),
            (&["quatsch", "in köln"], 2),
            (&["and i like tea"], 0),
            (&["now i live there"], 0),
            (&["no", "i do not want to talk about my work"], 0),
            (&[], 0),
        ] {
            assert_eq!(corrections(after), expected, "{after:?}");
        }
    }

    #[test]
    fn ends_of_clauses() {
        for (clause, expected) in [
            ("so much", true),
            ("so viel", true),
            ("plus que du cafe", true),
            ("so i moved", false),
            ("so cheap infra only", false),
            ("plus my wife likes it", false),
            ("so", false),
        ] {
            assert_eq!(is_end(clause), expected, "{clause}");
        }
    }

    #[test]
    fn conditions_and_retractions() {
        for clause in ["unless they raise my salary", "wenn sie ja sagt", "如果她同意"] {
            assert!(is_condition(clause), "{clause}");
        }
        for clause in
            ["but it fell through", "but we called it off", "but really in köln", "aber das ist geplatzt"]
        {
            assert!(takes_back(clause), "{clause}");
        }
        for clause in ["but i like it", "since it was cheap", "if only", "aber ich mag es"] {
            assert!(!takes_back(clause), "{clause}");
        }
    }
}
