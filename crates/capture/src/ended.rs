//! Finds what a statement says no longer holds: "I no longer eat meat".

use std::sync::LazyLock;

use regex::Regex;

/// How a statement says that something has ended, in all languages alike.
const ENDED: &str = concat!(
    r" no longer | (?:not|never|cannot|dont|doesnt|cant|[a-z]+n't) (?:.* )?any ?more ",
    r"| nicht mehr | kein(?:e|en|em|er|s)? (?:.* )?mehr | ya no | n(?:e |')\S.* plus | (?:ja )?nao (?:.* )?mais ",
    r"| ja nao | non (?:.* )?piu | больше не | уже не |不再|再也不|已经不",
);
/// The words of such a statement that deny; the others are those of what has ended.
const DENIALS: &[&str] = &[
    "no",
    "longer",
    "not",
    "never",
    "cannot",
    "dont",
    "doesnt",
    "cant",
    "any",
    "more",
    "anymore",
    "do",
    "does",
    "nicht",
    "mehr",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "keins",
    "ya",
    "ne",
    "plus",
    "ja",
    "nao",
    "mais",
    "non",
    "piu",
    "больше",
    "уже",
    "не",
    "de",
    "d'",
];
/// The Chinese characters that deny.
const HAN_DENIALS: &[&str] = &["再也不", "已经不", "不再", "了"];

/// Returns the words of what has ended, if a folded statement says that something has.
pub(super) fn ended(folded: &str) -> Option<String> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(ENDED).expect("a pattern"));
    let framed = format!(" {} ", folded.trim());
    if !PATTERN.is_match(&framed) {
        return None;
    }
    let han = HAN_DENIALS.iter().fold(framed, |text, denial| text.replace(denial, ""));
    let is_denial = |word: &&str| DENIALS.contains(word) || word.ends_with("n't");
    let word = |word: &'_ str| word.strip_prefix("n'").unwrap_or(word).to_owned();
    let words: Vec<String> = han.split_whitespace().filter(|word| !is_denial(word)).map(word).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
