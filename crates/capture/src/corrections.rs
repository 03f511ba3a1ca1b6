//! Words by which a speaker corrects what was said before: "actually", "no wait", "ich meinte".
//!
//! They say nothing about the matter, so that the clause after them is labelled as if they were not there. What follows a
//! word that announces a correction is more likely to be a statement than the same clause alone.

use std::ops::Range;

use super::clauses::Clause;
use super::page::Sentence;
use super::{Corrects, bounds, tables};

/// English words that announce a correction, with or without a comma after them.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "actually", "no actually", "well actually", "correction", "small correction", "scratch that", "strike that", "i meant",
    "sorry i meant", "no i meant", "i misspoke", "i was wrong", "i was mistaken", "i mixed that up", "my mistake", "quick update",
    "small update", "turns out", "it turns out", "no wait", "oh wait", "wait no", "oh no", "oops i meant", "no sorry i meant",
    "oh i meant", "typo i meant",
];
/// Words of other languages that do so. Without a comma they stay, because the verb would come first without them.
#[rustfmt::skip]
const CORRECTIONS: &[&str] = &[
    "update", "korrektur", "eigentlich", "ich meinte", "ich meine", "ich hab mich vertan", "ich habe mich vertan",
    "ich hab mich geirrt", "ich habe mich geirrt", "stimmt nicht", "kleines update", "kurzes update", "kleine korrektur",
    "ach nein", "ah nein", "oh nein", "halt nein", "ich korrigiere mich", "berichtigung",
    "en realidad", "correccion", "quise decir", "queria decir", "me equivoque", "mejor dicho", "actualizacion", "no espera", "rectifico", "me corrijo",
    "en fait", "je voulais dire", "je me suis trompe", "je me suis trompee", "erratum", "mise a jour", "ah non", "non attends", "je rectifie", "je me corrige",
    "anzi", "in realta", "correzione", "volevo dire", "intendevo", "intendevo dire", "mi correggo", "mi sono sbagliato", "mi sono sbagliata", "no aspetta",
    "rettifico", "retifico", "na verdade", "correcao", "quis dizer", "queria dizer", "eu quis dizer", "me enganei", "enganei-me", "errei", "nao espera",
    "на самом деле", "поправка", "я имел в виду", "я имела в виду", "я хотел сказать", "я хотела сказать", "я ошибся", "я ошиблась", "я оговорился", "я оговорилась", "точнее", "вернее",
    "不 对", "更 正", "其 实", "说 错 了", "我 说 错 了", "我 是 说", "纠 正 一 下",
    "订 正", "间 违 え た", "间 违 え ま し た", "じ ゃ な く て", "正 し く は",
];
/// Words that often come before a correction, and before much else. Without a comma they may belong to the statement:
/// "no como carne".
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "no", "nope", "no no", "wait", "ah no", "hold on", "sorry", "oh sorry", "oops", "hmm", "well", "my bad", "hang on", "typo", "oh",
    "nein", "nee", "halt", "moment", "moment mal", "quatsch", "entschuldigung", "ups", "ach", "ah",
    "espera", "perdon", "ay no", "non", "attends", "pardon", "oups", "aspetta", "scusa", "scusate", "mi scusi", "nao", "desculpa", "desculpe", "perdao", "ops", "opa",
    "нет", "стои", "стоп", "ои", "упс", "погоди", "подожди", "извини", "извините", "прости", "простите", "い や", "ご め ん", "す み ま せ ん", "あ", "等 等", "等 一 下", "不 是", "哦 不",
];

/// The maximum number of words of a message that is nothing but a correction, without the words that announce it, and of one
/// that names a day or a time.
const ALONE_WORDS: usize = 4;
const ALONE_TIME_WORDS: usize = 8;
/// The same in Chinese characters.
const ALONE_HAN: usize = 8;
/// Words that say what was meant instead, before which others may stand: "no sorry, I meant Anna".
#[rustfmt::skip]
const MEANT: &[&str] = &[
    "i meant", "ich meinte", "quise decir", "queria decir", "je voulais dire", "volevo dire", "intendevo", "intendevo dire", "quis dizer", "eu quis dizer", "queria dizer",
    "я имел в виду", "я имела в виду", "я хотел сказать", "я хотела сказать", "correction :", "korrektur :", "correccion :", "erratum :", "correzione :", "correcao :", "поправка :",
];
/// Words that say so before a day or a time alone: "mejor dicho, los martes". Before others, they may begin a statement.
#[rustfmt::skip]
const RATHER: &[&str] = &[
    "or rather", "rather", "besser gesagt", "vielmehr", "mejor dicho", "o mejor dicho", "ou plutot", "plutot", "anzi", "o meglio", "ou melhor",
    "вернее", "точнее",
];
/// Words that say so or make a remark: "actually it's Tuesday", "actually it's raining".
const PERHAPS: &[&str] = &["actually it's", "actually it is", "actually no it's"];
/// The words that say so at the end: "in Lübeck meinte ich".
const MEANT_LAST: &str = " meinte ich";
/// Words before a day or a time alone that say that another one was wrong: "no, Thursday".
#[rustfmt::skip]
const DENIALS: &[&str] = &[
    "no", "nope", "sorry", "oops", "nein", "nee", "entschuldigung", "ups", "perdon", "non", "pardon", "oups", "scusa", "scusate", "nao",
    "desculpa", "desculpe", "perdao", "ops", "нет", "извини", "извините",
];
/// Words between the time that is meant and the one that was wrong: "Thursday, not Wednesday".
const DENIES: &[&str] = &["not", "nicht", "no", "pas", "non", "nao", "не"];
/// Words beside a day or a time that say nothing more.
#[rustfmt::skip]
pub(super) const BESIDE_TIMES: &[&str] = &[
    "it's", "it", "is", "on", "at", "the", "o'clock", "am", "pm", "es", "ist", "um", "uhr", "den", "der", "el", "la", "las", "a", "de", "tarde", "manana", "c'est", "le", "heures", "il", "e", "alle", "di", "na", "as", "в", "во", "morning", "afternoon", "evening",
    "los", "les", "i", "gli", "os", "and", "und", "y", "et", "и",
];
/// Words that begin a statement of its own after such words: "I meant that I'm vegan".
#[rustfmt::skip]
const STATES: &[&str] = &[
    "i", "i'm", "i've", "i'll", "we", "we're", "my", "our", "he", "she", "they", "you", "what", "where", "how", "can", "do", "please", "ich",
    "wir", "mein", "meine", "bitte", "du", "yo", "soy", "tengo", "vivo", "mi", "je", "j'ai", "mon", "ma", "tu", "io", "sono", "ho", "eu",
    "sou", "tenho", "я", "not", "don't", "thanks", "nothing", "never", "that", "it", "to", "well", "das", "es", "no", "great", "good", "fine",
    "bad", "nice", "ok", "okay", "que", "dass", "che", "что",
];
/// How a correction alone begins in Chinese.
const HAN_ALONE: &[&str] = &[
    "我说错了",
    "说错了",
    "不对,是",
    "不对,应该是",
    "我是说",
    "更正:",
    "订正:",
    "订正、",
    "间违えました、",
    "正しくは",
];

/// Returns whether a folded message of one sentence is nothing but a correction: words that say what was meant and a few
/// words that state nothing by themselves, or a day or a time that takes the place of another.
pub(super) fn alone(sentence: &Sentence) -> Corrects {
    if sentence.asked {
        return Corrects::Nothing;
    }
    let text = sentence.text().trim();
    let dense: String = text.split(' ').collect();
    if let Some(rest) = HAN_ALONE.iter().find_map(|mark| dense.strip_prefix(mark)) {
        let length = rest.chars().filter(|c| c.is_alphanumeric()).count();
        let states = rest.trim_start_matches([',', '-']).starts_with(['我', '私', '僕', '俺']);
        return if (1..=ALONE_HAN).contains(&length) && !states {
            Corrects::Certainly
        } else {
            Corrects::Nothing
        };
    }
    let words = words(text);
    let at = after_others(&words);
    let is_few = |words: &[&str]| {
        let max = if bounds::names_time(words) { ALONE_TIME_WORDS } else { ALONE_WORDS };
        (1..=max).contains(&words.len())
    };
    if let Some(length) = longest(&words[at..], MEANT) {
        let rest = &words[at + length..];
        return if is_few(rest) && !STATES.contains(&rest[0]) {
            Corrects::Certainly
        } else {
            Corrects::Nothing
        };
    }
    if let Some(length) = longest(&words[at..], RATHER) {
        let rest = &words[at + length..];
        let is_time = bounds::names_time(rest)
            && rest.iter().all(|word| bounds::names_time(&[*word]) || BESIDE_TIMES.contains(word));
        if is_time && is_few(rest) {
            return Corrects::Certainly;
        }
    }
    if let Some(length) = longest(&words[at..], PERHAPS) {
        return if is_few(&words[at + length..]) { Corrects::Perhaps } else { Corrects::Nothing };
    }
    if text.ends_with(MEANT_LAST) {
        let last = words.len() - MEANT_LAST.split_whitespace().count();
        return if is_few(&words[at.min(last)..last]) { Corrects::Certainly } else { Corrects::Nothing };
    }
    match is_time_alone(sentence) {
        true => Corrects::Perhaps,
        false => Corrects::Nothing,
    }
}

/// Returns whether a folded sentence has nothing but a day or a time that takes the place of another: "no, 24" and "Thursday,
/// not Wednesday", but not "wait, 5 minutes" and "Thursday".
pub(super) fn is_time_alone(sentence: &Sentence) -> bool {
    let words = words(sentence.text());
    let at = after_others(&words);
    let denies = words[..at].iter().any(|word| DENIALS.contains(word));
    let is_named = |word: &&str| bounds::names_time(&[*word]);
    // Of two days without a denial, or with "no" before a comma, the last one is meant: "Sunday, no, Monday".
    let is_time = |part: &[&str]| {
        part.iter().any(is_named)
            && part.iter().all(|word| is_named(word) || BESIDE_TIMES.contains(word))
            && part.iter().filter(|word| tables::is_day(word)).count() <= 1
    };
    let all: Vec<&str> = sentence.text().split_whitespace().collect();
    let after_time = all.iter().skip_while(|word| !is_named(word)).collect::<Vec<_>>();
    let is_again = after_time.windows(2).any(|pair| DENIES.contains(pair[0]) && *pair[1] == ",");
    let mut parts = words[at..].split(|word| DENIES.contains(word));
    let count = parts.clone().count();
    let is_few = words.len() - at <= ALONE_TIME_WORDS;
    !sentence.asked && is_few && !is_again && (denies || count == 2) && count <= 2 && parts.all(is_time)
}

/// Returns the words of a folded text.
fn words(text: &str) -> Vec<&str> {
    text.split(' ').filter(|word| !word.is_empty() && *word != "," && *word != "-").collect()
}

/// Returns the index of the first word after those that often come before a correction.
fn after_others(words: &[&str]) -> usize {
    let mut at = 0;
    while let Some(length) = longest(&words[at..], OTHERS) {
        at += length;
    }
    at
}

/// Returns the part of a folded sentence that says what was meant, with the space before it: what is left without the words
/// that announce a correction.
pub(super) fn meant(sentence: &Sentence) -> Range<usize> {
    let text = sentence.text();
    let mut starts: Vec<usize> = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut at = 0;
    for token in text.split_inclusive(' ') {
        let word = token.trim_end();
        if !word.is_empty() && word != "," && word != "-" {
            starts.push(at);
            words.push(word);
        }
        at += token.len();
    }
    let others = after_others(&words);
    let length = [MEANT, RATHER, PERHAPS].into_iter().find_map(|phrases| longest(&words[others..], phrases));
    let first = others + length.unwrap_or(0);
    let start = starts.get(first).map_or(0, |start| start.saturating_sub(1));
    let end = text.trim_end().strip_suffix(MEANT_LAST).map_or(text.len(), |rest| rest.len() + 1);
    start..end.max(start)
}

/// Returns the number of words of the longest of some phrases that words begin with.
fn longest(words: &[&str], phrases: &[&str]) -> Option<usize> {
    let begins =
        |phrase: &&&str| phrase.split(' ').enumerate().all(|(at, word)| words.get(at) == Some(&word));
    phrases.iter().filter(begins).map(|phrase| phrase.split(' ').count()).max()
}

/// Takes the words that announce a correction off the clauses at the beginnings of sentences, and the clauses that are
/// nothing else, with their states: that of the message, then one for each clause. Returns for each clause left what was
/// taken off before it.
pub(super) fn take_off(
    sentences: &[Sentence],
    clauses: &mut Vec<Clause>,
    states: &mut Vec<Vec<f32>>,
) -> Vec<Corrects> {
    let mut corrects = Vec::with_capacity(clauses.len());
    let mut announced = Corrects::Nothing;
    let mut at = 0;
    while at < clauses.len() {
        let clause = &clauses[at];
        let text = sentences[clause.sentence].text();
        let words: Vec<&str> = clause.words.iter().map(|word| &text[word.clone()]).collect();
        let mark = match clause.before {
            '^' => mark(&words),
            _ => None,
        };
        let Some(Mark { length, announces, is_english }) = mark else {
            corrects.push(std::mem::take(&mut announced));
            at += 1;
            continue;
        };
        if announces {
            announced = Corrects::Certainly;
        } else if announced == Corrects::Nothing {
            announced = Corrects::Perhaps;
        }
        if length < words.len() {
            if is_english {
                clauses[at].words.drain(..length);
            }
            corrects.push(std::mem::take(&mut announced));
            at += 1;
            continue;
        }
        // A message of nothing else stays as it is.
        if clauses.len() == 1 {
            corrects.push(Corrects::Nothing);
            break;
        }
        let sentence = clauses.remove(at).sentence;
        if at + 1 < states.len() {
            states.remove(at + 1);
        }
        if let Some(next) = clauses.get_mut(at).filter(|next| next.sentence == sentence) {
            next.before = '^';
        }
    }
    corrects
}

/// Words at the beginning of a clause.
struct Mark {
    /// Their number.
    length: usize,
    /// Whether they announce a correction.
    announces: bool,
    is_english: bool,
}

/// Returns the longest mark at the beginning of a clause.
fn mark(words: &[&str]) -> Option<Mark> {
    let longest = |phrases| longest(words, phrases);
    let (english, other) = (longest(ENGLISH), longest(CORRECTIONS));
    let announced =
        english.max(other).map(|length| Mark { length, announces: true, is_english: english >= other });
    let alone = longest(OTHERS).filter(|length| *length == words.len());
    announced.or(alone.map(|length| Mark { length, announces: false, is_english: false }))
}

#[cfg(test)]
mod tests {
    use super::super::page::Page;
    use super::*;

    #[test]
    fn a_correction_is_announced_by_words_that_say_nothing_else() {
        for words in ["rectifico", "me corrijo", "je rectifie", "rettifico", "ich korrigiere mich"] {
            let words: Vec<&str> = words.split(' ').collect();
            assert!(mark(&words).is_some_and(|mark| mark.announces), "{words:?}");
        }
        // Teachers correct exams.
        for words in ["corrijo examenes los lunes", "je corrige des copies", "ich korrigiere klausuren"] {
            let words: Vec<&str> = words.split(' ').collect();
            assert!(mark(&words).is_none(), "{words:?}");
        }
    }

    #[test]
    fn a_message_may_be_nothing_but_a_correction() {
        for (text, expected) in [
            ("no sorry, I meant Anna", Corrects::Certainly),
            ("sorry, typo, I meant Leicester", Corrects::Certainly),
            ("oops I meant three cats", Corrects::Certainly),
            ("actually it's Tuesday", Corrects::Perhaps),
            ("actually it's raining", Corrects::Perhaps),
            ("Ach nein, in Lübeck meinte ich", Corrects::Certainly),
            ("ich meinte Anna", Corrects::Certainly),
            ("nein, ich meinte Anna", Corrects::Certainly),
            ("perdón, quise decir Anna", Corrects::Certainly),
            ("je voulais dire Anna", Corrects::Certainly),
            ("Correction: 10:40", Corrects::Certainly),
            ("No, quise decir el jueves a las 11.", Corrects::Certainly),
            ("Perdón, quise decir el jueves a las 11.", Corrects::Certainly),
            ("Pardon, je voulais dire jeudi à 11 heures du matin", Corrects::Certainly),
            ("Am Donnerstag um 11 Uhr meinte ich", Corrects::Certainly),
            ("quise decir que soy vegana", Corrects::Nothing),
            ("I meant Anna told him about it at work", Corrects::Nothing),
            ("不对，是安娜", Corrects::Certainly),
            ("scusa, intendevo Anna", Corrects::Certainly),
            ("não, quis dizer Olga", Corrects::Certainly),
            ("ой, я имела в виду Анну", Corrects::Certainly),
            ("訂正：安奈です", Corrects::Certainly),
            ("intendevo che sono vegana", Corrects::Nothing),
            ("正しくは私が行きます", Corrects::Nothing),
            ("Korrektur: dienstags und donnerstags", Corrects::Certainly),
            ("Mejor dicho, los martes y jueves", Corrects::Certainly),
            ("or rather, on Tuesdays and Fridays", Corrects::Certainly),
            ("besser gesagt um 9", Corrects::Certainly),
            ("ou plutôt mardi", Corrects::Certainly),
            ("mejor dicho, trabajo los martes", Corrects::Nothing),
            ("Perdón, los martes", Corrects::Perhaps),
            ("Pardon, les mardis", Corrects::Perhaps),
            ("no, 24", Corrects::Perhaps),
            ("no, Thursday", Corrects::Perhaps),
            ("sorry, Thursday", Corrects::Perhaps),
            ("no, it's Thursday", Corrects::Perhaps),
            ("no, on Thursday at 4pm", Corrects::Perhaps),
            ("Thursday, not Wednesday", Corrects::Perhaps),
            ("nein, Donnerstag", Corrects::Perhaps),
            ("nein, am Donnerstag", Corrects::Perhaps),
            ("Donnerstag, nicht Mittwoch", Corrects::Perhaps),
            ("no, el jueves", Corrects::Perhaps),
            ("perdón, el jueves", Corrects::Perhaps),
            ("Sorry, um 9", Corrects::Perhaps),
            ("non, jeudi", Corrects::Perhaps),
            ("no, giovedì", Corrects::Perhaps),
            ("não, no sábado", Corrects::Perhaps),
            ("нет, в четверг", Corrects::Perhaps),
            ("no, Thursday, not Wednesday", Corrects::Perhaps),
            ("el jueves, no el miércoles", Corrects::Perhaps),
            ("no el miércoles, el jueves", Corrects::Nothing),
            ("Sunday no, Monday", Corrects::Nothing),
            ("Thursday", Corrects::Nothing),
            ("no, not on Thursday", Corrects::Nothing),
            ("no, I work on Thursday", Corrects::Nothing),
            ("sorry, Thursday is impossible", Corrects::Nothing),
            ("actually I'm vegan", Corrects::Nothing),
            ("sorry, I'm late", Corrects::Nothing),
            ("no thanks", Corrects::Nothing),
            ("no", Corrects::Nothing),
            ("actually, can you book the table for Friday?", Corrects::Nothing),
            ("不对，我住在北京", Corrects::Nothing),
            ("不对劲", Corrects::Nothing),
            ("Oh no, that sucks", Corrects::Nothing),
            ("Actually, great idea!", Corrects::Nothing),
            ("wait no worries", Corrects::Nothing),
            ("Turns out great, thanks", Corrects::Nothing),
            ("correction appreciated", Corrects::Nothing),
            ("En realidad gracias", Corrects::Nothing),
            ("Eigentlich egal", Corrects::Nothing),
            ("Ich meine ja nur", Corrects::Nothing),
            ("Oh, 20 euros!", Corrects::Nothing),
            ("wait 5 min", Corrects::Nothing),
            ("Moment, 2 Minuten", Corrects::Nothing),
        ] {
            let page = Page::of(text);
            assert_eq!(alone(&page.sentences[0]), expected, "{text}");
        }
    }
}
