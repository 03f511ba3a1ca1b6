//! Finds what the speaker asks to remember: "please remember that …", "merk dir: …"; and texts that the speaker
//! only wants to have worked on: "translate: …".

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::page::Sentence;

/// How a sentence introduces what is to be remembered, in all languages alike: an introduction at its start or after
/// a mark, up to a conjunction or colon.
const INTRODUCTIONS: &[&str] = &[
    r"(?:remember|keep in mind|bear in mind|don't forget|dont forget|never forget|make a note|take note|memori[sz]e|save|note for (?:later|you))(?: (?:this|it|please))?(?: that| (?:, )?:)",
    r"(?:merk dir|merke dir|merken sie sich|denk dran|denk daran|denken sie daran|vergiss nicht|vergessen sie nicht|notier dir|notiere dir|halt fest|halte fest)(?: (?:bitte|mal|das|folgendes))*(?: , dass| dass| (?:, )?:)",
    r"(?:recuerda|recuerde|recorda|acuerdate|acordate|no (?:te )?olvid[ea]s|ten en cuenta|tene en cuenta|tenga en cuenta|anota|apunta|toma nota|guarda)(?: (?:de|esto|por favor|porfa|bien))*(?: que| (?:, )?:)",
    r"(?:souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|n'oublie pas|oublie pas|n'oubliez pas|garde en tete|gardez en tete|prends note|note bien)(?: (?:bien|stp|svp|ceci|ca))*(?: que| (?:, )?:)",
    r"(?:lembra|lembre|lembre-se|lembra-te|nao (?:se )?esque[cç]a|nao (?:te )?esque[cç]as|anota|anote|guarda)(?: (?:ai|isso|de|por favor))*(?: que| (?:, )?:)",
    r"(?:ricorda|ricordati|ricordate|ricordatevi|non dimenticare|tieni presente|tieni a mente|segnati|prendi nota)(?: (?:questo|per favore|bene))*(?: che| (?:, )?:)",
    r"(?:запомни|запомните|помни|не забудь|не забудьте|не забывай|учти|учтите|запиши)(?: (?:пожалуиста|это))*(?: , что| что| (?:, )?:)",
];
/// Words before an introduction.
const BEFORE: &str = r"(?:^|[,:-])(?: (?:please|pls|plz|and|also|so|ok|okay|hey|hi|btw|bitte|und|also|por favor|porfa|y|e|et|ok|stp|svp|per favore|пожалуиста|и|a))*(?: ,)? ";
/// The introductions in Chinese, which has no spaces.
const CHINESE: &str = "(?:^ ?|[,:-] ?)(?:请|你|帮我|麻烦)*(?:记住|记一下|记下来|记好|别忘了|不要忘了|别忘记)(?:了|哦|啊|一下)? ?(?:[:,] ?|(?:我))";
/// Words after "remember that" that make a question about the past of it.
const MEMORIES: &[&str] = &["time", "day", "night", "one", "guy", "song", "movie", "thing", "scene"];

/// Returns the part of a folded sentence that the speaker asks to remember; an empty range at the end if the
/// sentence has only the introduction; `None` if there is no introduction.
pub(super) fn asked(sentence: &Sentence) -> Option<Range<usize>> {
    static LATIN: LazyLock<Regex> = LazyLock::new(|| {
        let all = format!("{BEFORE}(?:{}) ", INTRODUCTIONS.join("|"));
        Regex::new(&all).expect("the introductions are patterns")
    });
    static HAN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(CHINESE).expect("the introductions are patterns"));
    if sentence.asked {
        return None;
    }
    let text = sentence.text();
    if let Some(found) = LATIN.find(text) {
        let next = text[found.end()..].split(' ').next().unwrap_or_default();
        return (!MEMORIES.contains(&next)).then(|| found.end() - 1..text.len());
    }
    let found = HAN.find(text)?;
    // The pronoun belongs to the statement.
    let pronoun = if found.as_str().ends_with('我') { '我'.len_utf8() } else { 0 };
    Some(found.end() - pronoun..text.len())
}

/// How words begin that ask to work on a text, in all languages alike.
const EDITS: &[&str] = &[
    " translat",
    " proofread",
    " rewrite",
    " rephrase",
    " reword",
    " paraphrase",
    " summari",
    " spellcheck",
    " correct",
    " übersetz",
    " korrigier",
    " formulier",
    " umformulier",
    " zusammenfass",
    " tradui",
    " corrig",
    " reformul",
    " resum",
    " traduc",
    " reescrib",
    " reescrev",
    " traduz",
    " correggi",
    " riscriv",
    " riassum",
    " перевед",
    " исправ",
    " перефразир",
    " сократи",
    "翻译",
    "改写",
    "润色",
    "校对",
    "总结",
    "翻訳",
    "訳して",
    "添削",
    "要約",
];
/// The maximum length of such a request before its colon, in characters.
const REQUEST_MAX: usize = 60;

/// Returns where a text begins that the speaker asks to translate or to edit: after the colon of the request.
pub(super) fn edited(sentence: &Sentence) -> Option<usize> {
    let text = sentence.text();
    let colon = text.find(" : ")?;
    let request = &text[..colon];
    let is_edit =
        request.chars().nth(REQUEST_MAX).is_none() && EDITS.iter().any(|verb| request.contains(verb));
    is_edit.then_some(colon + 2)
}
