//! Finds what a statement says no longer holds ("I no longer eat meat"), and what the speaker asks to forget ("forget
//! that I live in Leeds").

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::page::Sentence;

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
/// How a sentence asks to forget something, at its start or after a mark.
const FORGET: &str = concat!(
    r"(?:^|[,:-])(?: (?:please|pls|ok|okay|and|also|bitte|und|por favor|y|stp|svp|et|per favore|e|пожалуиста))*(?: ,)? (?:",
    r"(?:forget|delete|you can (?:forget|delete))(?: the fact)? that (?:i|i'm|i've|my|we|we're|our) ",
    r"|(?:vergiss|vergessen sie|losch|loesch|lösch|lösche)(?: bitte)?(?: ,)? dass (?:ich|wir|mein|meine|unser|unsere) ",
    r"|(?:olvida|olvidate de|olvide|borra)(?: de)? que |(?:oublie|oubliez|efface) (?:que |qu')",
    r"|(?:esquece|esqueca|apaga) que |(?:dimentica|cancella) che |(?:забудь|забудьте)(?: ,)? что )",
);
const FORGET_HAN: &str = "(?:^ ?|[,:-] ?)(?:请|你|帮我|麻烦)*(?:忘了|忘掉|忘记|删掉|删除)";

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// Returns the words of what has ended, if a folded statement says that something has.
pub(super) fn ended(folded: &str) -> Option<String> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern(ENDED));
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

/// Returns the part of a folded sentence that the speaker asks to forget; `None` if there is no such request.
pub(super) fn forgotten(sentence: &Sentence) -> Option<Range<usize>> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| pattern(FORGET));
    static HAN: LazyLock<Regex> = LazyLock::new(|| pattern(FORGET_HAN));
    if sentence.asked {
        return None;
    }
    let text = sentence.text();
    let end = match LATIN.find(text) {
        // The subject belongs to what is forgotten.
        Some(found) => {
            let last = found.as_str().trim_end().rsplit(' ').next().unwrap_or_default();
            let is_subject = !matches!(last, "that" | "dass" | "que" | "qu'" | "che" | "что");
            found.end() - if is_subject { last.len() + 1 } else { 0 }
        }
        None => HAN.find(text).filter(|found| text[found.end()..].starts_with('我'))?.end(),
    };
    let rest = &text[end..];
    rest.contains(char::is_alphanumeric).then_some(end..text.len())
}
