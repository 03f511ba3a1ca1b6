//! Words by which a speaker corrects what was said before: "actually", "no wait", "ich meinte".
//!
//! They say nothing about the matter, so that the clause after them is labelled as if they were not there. What follows a
//! word that announces a correction is more likely to be a statement than the same clause alone.

use super::clauses::Clause;
use super::page::{Page, Sentence};
use super::{Corrects, tables};

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
    "ach nein", "ah nein", "oh nein", "halt nein",
    "en realidad", "correccion", "quise decir", "queria decir", "me equivoque", "mejor dicho", "actualizacion", "no espera",
    "en fait", "je voulais dire", "je me suis trompe", "je me suis trompee", "erratum", "mise a jour", "ah non", "non attends",
    "anzi", "in realta", "correzione", "volevo dire", "mi sono sbagliato", "mi sono sbagliata", "no aspetta",
    "na verdade", "correcao", "quis dizer", "queria dizer", "me enganei", "nao espera",
    "на самом деле", "поправка", "я имел в виду", "я имела в виду", "я ошибся", "я ошиблась",
    "不 对", "更 正", "其 实", "说 错 了", "我 说 错 了", "我 是 说", "纠 正 一 下",
];
/// Words that often come before a correction, and before much else. Without a comma they may belong to the statement:
/// "no como carne".
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "no", "nope", "no no", "wait", "ah no", "hold on", "sorry", "oh sorry", "oops", "hmm", "well", "my bad", "hang on", "typo", "oh",
    "nein", "nee", "halt", "moment", "moment mal", "quatsch", "entschuldigung", "ups", "ach", "ah",
    "espera", "perdon", "ay no", "non", "attends", "pardon", "oups", "aspetta", "scusa", "scusate", "nao", "desculpa", "ops",
    "нет", "стои", "ои", "извини", "等 等", "等 一 下", "不 是", "哦 不",
];

/// The maximum number of words of a message that is nothing but a correction, without the words that announce it.
const ALONE_WORDS: usize = 4;
/// The same in Chinese characters.
const ALONE_HAN: usize = 8;
/// Words that say what was meant instead, before which others may stand: "no sorry, I meant Anna".
#[rustfmt::skip]
const MEANT: &[&str] = &[
    "i meant", "ich meinte", "quise decir", "queria decir", "je voulais dire", "volevo dire", "quis dizer", "queria dizer",
    "я имел в виду", "я имела в виду", "correction :", "korrektur :", "correccion :", "erratum :", "correzione :",
];
/// Words that say so or make a remark: "actually it's Tuesday", "actually it's raining".
const PERHAPS: &[&str] = &["actually it's", "actually it is", "actually no it's"];
/// The words that say so at the end: "in Lübeck meinte ich".
const MEANT_LAST: &str = " meinte ich";
/// Words that begin a statement of its own after such words: "I meant that I'm vegan".
#[rustfmt::skip]
const STATES: &[&str] = &[
    "i", "i'm", "i've", "i'll", "we", "we're", "my", "our", "he", "she", "they", "you", "what", "where", "how", "can", "do", "please", "ich",
    "wir", "mein", "meine", "bitte", "du", "yo", "soy", "tengo", "vivo", "mi", "je", "j'ai", "mon", "ma", "tu", "io", "sono", "ho", "eu",
    "sou", "tenho", "я", "not", "don't", "thanks", "nothing", "never", "that", "it", "to", "well", "das", "es", "no", "great", "good", "fine",
    "bad", "nice", "ok", "okay",
];
/// Words of a statement that has one value at a time, and beginnings of such words.
#[rustfmt::skip]
const SINGLE: &[&str] = &[
    "favourite", "favorite", "called", "name", "birthday", "address", "live", "lives", "born", "liebling", "heiss", "heiß", "geburtstag", "adresse", "wohn",
    "favorit", "llam", "cumpleanos", "direccion", "viv", "prefere", "appel", "anniversaire", "habit", "chiam", "compleanno", "indirizzo",
    "abit", "cham", "aniversario", "endereco", "mor", "любим", "зовут", "живу", "叫", "住", "生日",
];
/// The minimum number of words before the value of such a statement, and the maximum number of words of the value.
const HEAD_WORDS: usize = 2;
const VALUE_WORDS: usize = 4;
/// How alike two names are that may be meant for each other, from 0 to 1, and the minimum number of their letters.
const LIKE: f64 = 0.6;
const LETTERS_MIN: usize = 3;
/// How a correction alone begins in Chinese.
const HAN_ALONE: &[&str] = &["我说错了", "说错了", "不对,是", "不对,应该是", "我是说", "更正:"];

/// Returns whether a folded message of one sentence is nothing but a correction: words that say what was meant and a few
/// words that state nothing by themselves, or "no" and a number.
pub(super) fn alone(sentence: &Sentence) -> Corrects {
    if sentence.asked {
        return Corrects::Nothing;
    }
    let text = sentence.text().trim();
    let dense: String = text.split(' ').collect();
    if let Some(rest) = HAN_ALONE.iter().find_map(|mark| dense.strip_prefix(mark)) {
        let length = rest.chars().filter(|c| c.is_alphanumeric()).count();
        let states = rest.trim_start_matches([',', '-']).starts_with('我');
        return if (1..=ALONE_HAN).contains(&length) && !states {
            Corrects::Certainly
        } else {
            Corrects::Nothing
        };
    }
    let bare: String = text.split(" , ").collect::<Vec<_>>().join(" ");
    let words: Vec<&str> = bare.split(' ').filter(|word| !word.is_empty() && *word != "-").collect();
    let mut at = 0;
    while let Some(length) = longest(&words[at..], OTHERS) {
        at += length;
    }
    if let Some(length) = longest(&words[at..], MEANT) {
        let rest = &words[at + length..];
        let is_few = (1..=ALONE_WORDS).contains(&rest.len());
        return if is_few && !STATES.contains(&rest[0]) { Corrects::Certainly } else { Corrects::Nothing };
    }
    if let Some(length) = longest(&words[at..], PERHAPS) {
        let is_few = (1..=ALONE_WORDS).contains(&words[at + length..].len());
        return if is_few { Corrects::Perhaps } else { Corrects::Nothing };
    }
    if let Some(value) = bare.trim().strip_suffix(MEANT_LAST) {
        let length = value.split_whitespace().skip(at).count();
        return if (1..=ALONE_WORDS).contains(&length) { Corrects::Certainly } else { Corrects::Nothing };
    }
    // "No, 24", but not "wait, 5 minutes".
    const NO: [&str; 6] = ["no", "nope", "nein", "non", "нет", "nao"];
    match &words[..] {
        [first, number] if NO.contains(first) && number.starts_with(|c: char| c.is_ascii_digit()) => {
            Corrects::Perhaps
        }
        _ => Corrects::Nothing,
    }
}

/// Returns whether a correction may be of a statement: a value in it is like one in the statement, by its kind or by its
/// letters. A certain one may be of any, if it names another value.
#[must_use]
pub fn may_correct(statement: &str, correction: &str, is_certain: bool) -> bool {
    let (said, corrected) = (Page::of(statement).sentences, Page::of(correction).sentences);
    let is_like = likeness(&said, &corrected);
    is_certain || words(&corrected).any(|one| words(&said).any(|other| is_like(one, other)))
}

/// Returns the function that tells whether two words of folded sentences are values of one kind: numbers, weekdays, or names
/// that are spelled alike.
fn likeness(one: &[Sentence], other: &[Sentence]) -> impl Fn(&str, &str) -> bool + use<> {
    let tables: Vec<_> = tables::of_text(one).into_iter().chain(tables::of_text(other)).collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    move |one, other| {
        let is_weekday = |word: &str| tables.iter().any(|table| table.get().names_days(word) > 0);
        one != other
            && (is_number(one) && is_number(other)
                || is_weekday(one) && is_weekday(other)
                || strsim::normalized_damerau_levenshtein(one, other) >= LIKE)
    }
}

/// Returns whether a statement that announces a correction ("actually, my office is on floor 5") says the same as an earlier one
/// but for one value, which is like that of the other or of a matter that has one value at a time.
#[must_use]
pub fn corrects_value(statement: &str, correction: &str) -> bool {
    let [one, other] = [statement, correction].map(|text| Page::of(text).sentences);
    let words = |sentences: &[Sentence]| -> Vec<String> {
        let words = sentences.iter().flat_map(|sentence| sentence.text().split_whitespace());
        words.map(str::to_owned).collect()
    };
    let is_like = likeness(&one, &other);
    let (said, corrected) = (words(&one), words(&other));
    let shared = |one: &mut dyn Iterator<Item = &String>, other: &mut dyn Iterator<Item = &String>| {
        one.zip(other).take_while(|(one, other)| one == other).count()
    };
    let head = shared(&mut said.iter(), &mut corrected.iter());
    let rest = said.len().min(corrected.len()) - head;
    let end = shared(&mut said.iter().rev(), &mut corrected.iter().rev()).min(rest);
    let [one, other] = [&said, &corrected].map(|words| &words[head..words.len() - end]);
    let is_value = |value: &[String]| (1..=VALUE_WORDS).contains(&value.len());
    let is_single = || said[..head].iter().any(|word| SINGLE.iter().any(|single| word.starts_with(single)));
    let are_alike = || one.iter().any(|one| other.iter().any(|other| is_like(one, other)));
    head >= HEAD_WORDS && is_value(one) && is_value(other) && (is_single() || are_alike())
}

/// Returns the words of folded sentences that may be values.
fn words(sentences: &[Sentence]) -> impl Iterator<Item = &str> {
    let words = sentences.iter().flat_map(|sentence| sentence.text().split(' '));
    words.filter(|word| word.chars().count() >= LETTERS_MIN || word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns the number of words of the longest of some phrases that words begin with.
fn longest(words: &[&str], phrases: &[&str]) -> Option<usize> {
    let begins =
        |phrase: &&&str| phrase.split(' ').enumerate().all(|(at, word)| words.get(at) == Some(&word));
    phrases.iter().filter(begins).map(|phrase| phrase.split(' ').count()).max()
}

/// What the words before a clause say of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Correction {
    /// Nothing.
    #[default]
    None,
    /// They often come before a correction: "sorry".
    Likely,
    /// They announce a correction: "I meant".
    Announced,
}

/// Takes the words that announce a correction off the clauses at the beginnings of sentences, and the clauses that are
/// nothing else, with their states: that of the message, then one for each clause. Returns for each clause left what was
/// taken off before it.
pub(super) fn take_off(
    sentences: &[Sentence],
    clauses: &mut Vec<Clause>,
    states: &mut Vec<Vec<f32>>,
) -> Vec<Correction> {
    let mut corrects = Vec::with_capacity(clauses.len());
    let mut announced = Correction::None;
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
            announced = Correction::Announced;
        } else if announced == Correction::None {
            announced = Correction::Likely;
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
            corrects.push(Correction::None);
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
    use super::*;

    #[test]
    fn a_correction_is_of_the_statement_with_a_value_like_its_own() {
        for (statement, correction, expected) in [
            ("My sister is called Anna", "I meant Hanna", true),
            ("I live in Leeds", "I meant Hanna", false),
            ("My flight is on Monday", "actually it's Tuesday", true),
            ("I'm allergic to nuts", "actually it's Tuesday already", false),
            ("My dog is called Rex", "actually it's raining", false),
            ("I am 23 years old", "no, 24", true),
            ("I live in Leeds", "no, 24", false),
            ("我的妹妹叫安娜", "我是说汉娜", false),
        ] {
            assert_eq!(may_correct(statement, correction, false), expected, "{statement} | {correction}");
        }
    }

    #[test]
    fn a_statement_corrects_one_that_differs_in_its_value() {
        for (statement, correction, expected) in [
            ("My office is on floor 3", "my office is on floor 5", true),
            ("My favourite colour is blue", "my favourite colour is green", true),
            ("My meeting is on Monday at 9", "my meeting is on Tuesday at 9", true),
            ("I live in Leeds", "I live in Hull", true),
            ("Meine Tochter heißt Anna", "meine Tochter heißt Hanna", true),
            ("My dog is brown", "my dog is old", false),
            ("I'm allergic to nuts", "I'm vegan", false),
            ("I live in Leeds", "I live in Leeds", false),
            ("I like tea", "I like coffee", false),
            ("My sister is a nurse", "my brother is a nurse", false),
        ] {
            assert_eq!(corrects_value(statement, correction), expected, "{statement} | {correction}");
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
            ("不对，是安娜", Corrects::Certainly),
            ("no, 24", Corrects::Perhaps),
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
