//! Finds requests about a text: to remember it ("please remember that …", "merk dir: …"), to forget it ("forget that
//! I …"), or to work on it ("translate: …").

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::page::Sentence;

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// How a sentence introduces what is to be remembered, in all languages alike: an introduction at its start or after
/// a mark, up to a conjunction or colon.
const INTRODUCTIONS: &[&str] = &[
    r"(?:remember|keep in mind|bear in mind|don't forget|dont forget|never forget|make a note|take note|memori[sz]e|save|note for (?:later|you))(?: (?:this|it|please))?(?: that| (?:, )?:)",
    r"(?:merk dir|merke dir|merken sie sich|denk dran|denk daran|denken sie daran|vergiss nicht|vergessen sie nicht|notier dir|notiere dir|halt fest|halte fest|merken|notieren)(?: (?:bitte|mal|das|folgendes))*(?: , dass| dass| (?:, )?:)",
    r"(?:recuerda|recuerde|recorda|acuerdate|acordate|no (?:te )?olvid[ea]s|ten en cuenta|tene en cuenta|tenga en cuenta|anota|apunta|toma nota|guarda)(?: (?:de|esto|por favor|porfa|bien))*(?: que| (?:, )?:)",
    r"(?:souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|n'oublie pas|oublie pas|n'oubliez pas|garde en tete|gardez en tete|prends note|note bien)(?: (?:bien|stp|svp|ceci|ca))*(?: que| (?:, )?:)",
    r"(?:lembra|lembre|lembre-se|lembra-te|nao (?:se )?esque[cç]a|nao (?:te )?esque[cç]as|anota|anote|guarda)(?: (?:ai|isso|de|por favor))*(?: que| (?:, )?:)",
    r"(?:ricorda|ricordati|ricordate|ricordatevi|non dimenticare|tieni presente|tieni a mente|segnati|prendi nota)(?: (?:questo|per favore|bene))*(?: che| (?:, )?:)",
    r"(?:запомни|запомните|помни|не забудь|не забудьте|не забывай|учти|учтите|запиши)(?: (?:пожалуиста|это))*(?: , что| что| (?:, )?:)",
    BARE,
];
/// An introduction without a conjunction, before the speaker: "don't forget I'm off on Fridays". It is the last one, so
/// that those with a conjunction are found first.
const BARE: &str = "(?:don't|dont) forget";
/// Words for the speaker.
const SPEAKER: &[&str] = &["i", "i'm", "i've", "we", "we're", "we've"];
/// Words before an introduction.
const BEFORE: &str = r"(?:^|[,:-])(?: (?:please|pls|plz|and|also|so|ok|okay|hey|hi|btw|bitte|und|also|por favor|porfa|y|e|et|ok|stp|svp|per favore|пожалуиста|и|a))*(?: ,)? ";
/// The introductions in Chinese, which has no spaces.
const CHINESE: &str = "(?:^ ?|[,:-] ?)(?:请|你|帮我|麻烦)*(?:记住|记一下|记下来|记好|别忘了|不要忘了|别忘记)(?:了|哦|啊|一下)? ?(?:[:,] ?|(?:我))";
/// Words after "remember that" that make a question about the past of it.
const MEMORIES: &[&str] = &["time", "day", "night", "one", "guy", "song", "movie", "thing", "scene"];

/// Returns the part of a folded sentence that the speaker asks to remember; an empty range at the end if the
/// sentence has only the introduction; `None` if there is no introduction.
pub(super) fn remembered(sentence: &Sentence) -> Option<Range<usize>> {
    static LATIN: LazyLock<Regex> =
        LazyLock::new(|| pattern(&format!("{BEFORE}(?:{}) ", INTRODUCTIONS.join("|"))));
    static HAN: LazyLock<Regex> = LazyLock::new(|| pattern(CHINESE));
    if sentence.asked {
        return None;
    }
    let text = sentence.text();
    if let Some(found) = LATIN.find(text) {
        let next = text[found.end()..].split(' ').next().unwrap_or_default();
        let is_bare = found.as_str().ends_with(" forget ");
        let is_meant = if is_bare { SPEAKER.contains(&next) } else { !MEMORIES.contains(&next) };
        return is_meant.then(|| found.end() - 1..text.len());
    }
    let found = HAN.find(text)?;
    // The pronoun belongs to the statement.
    let pronoun = if found.as_str().ends_with('我') { '我'.len_utf8() } else { 0 };
    Some(found.end() - pronoun..text.len())
}

/// How a sentence asks to forget something, at its start or after a mark.
const FORGET: &str = concat!(
    r"(?:^|[,:-])(?: (?:please|pls|ok|okay|and|also|bitte|und|por favor|y|stp|svp|et|per favore|e|пожалуиста))*(?: ,)? (?:",
    r"(?:forget|delete|you can (?:forget|delete))(?: the fact)? that (?:i|i'm|i've|my|we|we're|our) ",
    r"|(?:vergiss|vergessen sie|losch|loesch|lösch|lösche)(?: bitte)?(?: ,)? dass (?:ich|wir|mein|meine|unser|unsere) ",
    r"|(?:olvida|olvidate de|olvide|borra)(?: de)? que |(?:oublie|oubliez|efface) (?:que |qu')",
    r"|(?:esquece|esqueca|apaga) que |(?:dimentica|cancella) che |(?:забудь|забудьте)(?: ,)? что )",
);
const FORGET_HAN: &str = "(?:^ ?|[,:-] ?)(?:请|你|帮我|麻烦)*(?:忘了|忘掉|忘记|删掉|删除)";

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

/// How a clause at the start of a sentence asks, with or without a question mark: by a verb before its subject.
const VERB_FIRST: &str = concat!(
    r"^ (?:(?:so|and|but|hey|ok|okay|wait|also|und|aber|sag mal|et|mais) (?:, )?)?(?:",
    r"(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should) (?:i|my|we|our) ",
    // A German verb of the first person has an "e" at its end; "ehe" is no verb.
    r"|(?:bin|hab|mag|kann|muss|will|soll|darf|war|wei(?:ss|ß)|[a-zäöüß]{3,}e) ich ",
    r"|(?:ist|sind|war|waren|hat|haben|hatten?|hei(?:ss|ß)t|kann|wohnt|arbeitet|mag) (?:mein|meine|unser|unsere|wir) ",
    r"|(?:est-ce |ai-je |suis-je |dois-je |puis-je ))",
);
/// Clauses that ask whether the one before them is true.
const TAGS: &str = concat!(
    r"^(?:right|correct|innit|(?:do|does|did|is|are|was|were|have|has|ca|wo|would)n't (?:i|it|we|he|she|they|you)",
    r"|oder(?: nicht)?|nicht wahr|gelle?|stimmt's|stimmts|verdad|cierto|no es cierto|n'est-ce pas|hein",
    r"|nao e|ne|vero|правда|是吗|对吧|对吗|是吧)$",
);

/// Returns whether a clause at the start of a folded sentence asks something about the speaker.
pub(super) fn asks(clause: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern(VERB_FIRST));
    PATTERN.is_match(&format!(" {} ", clause.trim()))
}

/// Returns whether a folded clause at the end of a question asks whether the one before it is true.
pub(super) fn is_tag(clause: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern(TAGS));
    PATTERN.is_match(clause.trim())
}

/// Imperatives and infinitives that ask to translate, correct, rewrite or summarize, in all languages alike.
const EDITS: &[&str] = &[
    " (?:translate|proofread|rewrite|rephrase|reword|paraphrase|summari[sz]e|spellcheck|(?:correct|fix) (?:this|the|my)) ",
    " (?:übersetz(?:e|en)?|korrigier(?:e|en)?|(?:um)?formulier(?:e|en)?|zusammenfassen|fass(?:e|en sie)? (?:.* )?zusammen) ",
    " (?:traduce(?:me)?|traducir|traduzca|corrige(?:me)?|corregir|reescrib(?:e|ir)|reformula|resum(?:eme|ir)) ",
    " (?:tradui(?:s|sez|re)|corrig(?:e|ez|er)|reformul(?:e|ez|er)|resum(?:ez|er))(?:-moi)? ",
    " resume(?:-moi| moi)? (?:est[ae]|esto|el|los|las|le|la|les|ce|cet|cette|ces) ",
    " (?:traduz(?:a|ir)?|corrij[ae]|corrigir|reescrev(?:a|er)|resuma) ",
    " (?:traduci(?:mi)?|tradurre|correggi(?:mi)?|correggere|riscriv(?:i|ere)|riassum(?:i|ere)) ",
    " (?:перевед(?:и|ите)|перевести|исправ(?:ь|ьте|ить)|перефразируи|сократи|перескажи) ",
    "翻译|改写|润色|校对|总结(?:一?下|这)|翻訳|訳して|添削|要約して",
];
/// The maximum length of such a request before its colon, in characters.
const REQUEST_MAX: usize = 60;

/// Returns where a text begins that the speaker asks to work on: after the colon of the request.
pub(super) fn edited(sentence: &Sentence) -> Option<usize> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern(&EDITS.join("|")));
    let text = sentence.text();
    let colon = text.find(" : ")?;
    let request = &text[..=colon];
    (request.chars().nth(REQUEST_MAX).is_none() && PATTERN.is_match(request)).then_some(colon + 2)
}
