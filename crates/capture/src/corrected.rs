//! Tells which earlier statement a correction is of, and corrects it.

use std::ops::Range;

use jiff::civil::Date;
use memtape_core::recall::tokenize::query_terms;
use memtape_language::han::is_han;
use memtape_language::is_ordinary;

use super::compiled::{Compiled, Table};
use super::corrections::{BESIDE_TIMES, meant};
use super::enumeration::{self, COPULAS};
use super::page::{Page, Sentence};
use super::subjects::{Joint, is_pronoun};
use super::tail::{TAIL_STARTS, form, is_filler};
use super::{dated, tables};

/// Words of a statement that has one value at a time, and beginnings of such words that no other word has.
#[rustfmt::skip]
const SINGLE: &[&str] = &[
    "favourite", "favorite", "called", "name", "address", "live", "lives", "living", "born", "heisse", "heisst", "wohne", "wohnt", "wohnen", "llamo", "llama",
    "llaman", "vivo", "vive", "viven", "vivimos", "vivono", "vivemos", "vivem", "appelle", "s'appelle", "m'appelle", "habite", "j'habite",
    "habitons", "habitent", "chiamo", "chiama", "abito", "abita", "abitiamo", "abitano", "chamo", "chama", "moro", "mora", "moram", "moramos",
    "叫", "住",
];
#[rustfmt::skip]
const SINGLE_BEGINNINGS: &[&str] = &[
    "birthday", "liebling", "geburtstag", "adresse", "favorit", "cumpleanos", "direccion", "prefere", "anniversaire", "compleanno", "indirizzo",
    "aniversario", "endereco", "любим", "зовут", "живу", "生日",
];
/// The minimum number of words before the value of such a statement, and the maximum number of words of the value.
const HEAD_WORDS: usize = 2;
const VALUE_WORDS: usize = 4;
/// What stands between a statement and a correction of it.
const CORRECTED: &str = " (corrected: ";
/// How alike two names are that may be meant for each other, from 0 to 1, and the minimum number of their letters.
const LIKE: f64 = 0.6;
const LETTERS_MIN: usize = 3;
/// Words before a thing that was spoken of rather than a name: "I meant the report".
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "this", "that", "your", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "kein", "keine",
    "keinen", "dein", "deine", "deinen", "el", "la", "los", "las", "un", "una", "tu", "le", "les", "une", "ton", "ta", "il", "lo", "gli", "uno", "um",
    "uma", "o", "os", "questo", "questa", "este", "esse", "essa",
];
/// Chinese characters that say nothing about what is corrected.
const HAN_PLAIN: &str = "我你他她的了是在不对说错有这那个";

/// Returns whether a correction may be of a statement: a value in it is like one in the statement, by its kind or by its
/// letters. If it is certain that the speaker corrects this statement or nothing, it may also name another value of one kind,
/// or share words with it.
#[must_use]
pub fn may_correct(statement: &str, correction: &str, is_certain: bool) -> bool {
    // What an earlier correction says is a value too, and what stands in brackets is none.
    let statement = &*statement.replace(CORRECTED, ", ");
    let (said, corrected) = (Page::of(statement).sentences, Page::of(correction).sentences);
    let Some(sentence) = corrected.first() else { return false };
    let part = meant(sentence);
    let tables = [tables(&said), tables(&corrected)].concat();
    let is_like = likeness(&tables);
    let terms = query_terms(&correction[sentence.place(&part)]);
    let shared = query_terms(statement);
    let shares = |terms: &[String]| terms.iter().any(|term| shared.contains(term));
    // "I meant the report of Monday" is about something else than "My flight is on Friday".
    let mut words = sentence.text()[part.clone()].split_whitespace().peekable();
    let has_article = words.peek().is_some_and(|word| ARTICLES.contains(word));
    let thing = words.find(|word| !ARTICLES.contains(word)).filter(|_| has_article);
    let is_other = |word: &str| !is_number(&tables, word) && !dated::is_day(&tables, word);
    if thing.is_some_and(|thing| is_other(thing) && !shares(&terms)) {
        return false;
    }
    let one = values(correction, sentence, part);
    let other: Vec<Value<'_>> =
        (said.iter()).flat_map(|sentence| values(statement, sentence, 0..sentence.text().len())).collect();
    let any = |is: &dyn Fn(&Value<'_>, &Value<'_>) -> bool| {
        one.iter().any(|one| other.iter().any(|other| is(one, other)))
    };
    if any(&|one, other| one.is_free && is_like(one.word, other.word)) {
        return true;
    }
    is_certain
        && (any(&|one, other| one.is_name && other.is_name && one.word != other.word)
            || any(&|one, other| {
                one.is_free && is_number(&tables, one.word) && dated::is_day(&tables, other.word)
            })
            || shares(&terms)
            || is_like_han(statement, correction))
}

/// Returns a statement and its day with a correction after it. The day that the correction withdraws gets no date, and the
/// day that it names gets one if the other had one that was to come.
#[must_use]
pub fn corrected(
    statement: &str,
    date: Option<Date>,
    correction: &str,
    said_on: Date,
) -> (String, Option<Date>) {
    let sentences = Page::of(correction).sentences;
    let with = |statement: &str, correction: &str| format!("{statement}{CORRECTED}{correction})");
    let (Some(withdrawn), Some(sentence)) = (date, sentences.first()) else {
        return (with(statement, correction), date);
    };
    // Two words may have no language of their own: "sorry, Friday".
    let tables = [tables(&sentences), tables(&Page::of(statement).sentences)].concat();
    let part = meant(sentence);
    let found = dated::find(&tables, correction, sentence, &part, said_on)
        .or_else(|| dated::find_weekday(&tables, sentence, &part, said_on));
    let Some((day, word)) = found else { return (with(statement, correction), date) };
    let statement = statement.replacen(&format!(" ({withdrawn})"), "", 1);
    if withdrawn < said_on {
        return (with(&statement, correction), None);
    }
    let mut dated = correction.to_owned();
    dated.insert_str(sentence.place(&word).end, &format!(" ({day})"));
    (with(&statement, &dated), Some(day))
}

/// A word that may be a value.
struct Value<'s> {
    word: &'s str,
    /// Whether it is spelled as a name.
    is_name: bool,
    /// Whether it is not the number of a name: "Postgres 17".
    is_free: bool,
}

/// Returns the words of a part of a folded sentence that may be values.
fn values<'s>(text: &str, sentence: &'s Sentence, part: Range<usize>) -> Vec<Value<'s>> {
    let mut values = Vec::new();
    let (mut before, mut is_after_name, mut is_first) = ("", false, part.start == 0);
    let mut at = part.start;
    for token in sentence.text()[part].split_inclusive(' ') {
        let word = token.trim_end();
        let range: Range<usize> = at..at + word.len();
        at += token.len();
        if word.is_empty() {
            continue;
        }
        let has_digit = word.starts_with(|c: char| c.is_ascii_digit());
        let is_name = !is_first
            && word.chars().count() >= LETTERS_MIN
            && text[sentence.place(&range)].starts_with(char::is_uppercase)
            && !ARTICLES.contains(&before)
            && !is_ordinary(word);
        if word.chars().count() >= LETTERS_MIN || has_digit {
            values.push(Value { word, is_name, is_free: !(has_digit && is_after_name) });
        }
        (before, is_after_name, is_first) = (word, is_name, false);
    }
    values
}

/// Returns the tables of the languages that a text may be in.
fn tables(sentences: &[Sentence]) -> Vec<&'static Compiled> {
    tables::of_text(sentences).into_iter().map(Table::get).collect()
}

/// Returns whether a folded word is a number from two on, in digits or letters.
fn is_number(tables: &[&Compiled], word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || tables.iter().any(|table| table.is_number(word))
}

/// Returns whether two Chinese texts share a character that says something, or each name a number.
fn is_like_han(statement: &str, correction: &str) -> bool {
    const NUMBERS: &str = "一二三四五六七八九十两百千";
    let says = |c: &char| is_han(*c) && !HAN_PLAIN.contains(*c);
    let names_number = |text: &str| text.contains(|c: char| c.is_ascii_digit() || NUMBERS.contains(c));
    let is_chinese = |text: &str| text.contains(is_han);
    is_chinese(statement)
        && is_chinese(correction)
        && (names_number(statement) && names_number(correction)
            || correction.chars().filter(says).any(|c| statement.contains(c)))
}

/// Returns the function that tells whether two words of folded sentences are values of one kind: numbers, days, or names that
/// are spelled alike.
fn likeness(tables: &[&Compiled]) -> impl Fn(&str, &str) -> bool {
    |one, other| {
        one != other
            && (is_number(tables, one) && is_number(tables, other)
                || dated::is_day(tables, one) && dated::is_day(tables, other)
                || strsim::normalized_damerau_levenshtein(one, other) >= LIKE)
    }
}

/// A statement that announces a correction: "actually, my office is on floor 5".
pub struct Correction {
    words: Vec<Word>,
    tables: Vec<&'static Compiled>,
}

/// A word of a statement.
struct Word {
    folded: String,
    /// Whether it begins with a capital letter.
    is_capital: bool,
}

impl Correction {
    /// Reads a statement without the words that announce the correction.
    #[must_use]
    pub fn of(statement: &str) -> Self {
        let sentences = Page::of(statement).sentences;
        Correction { words: words(statement, &sentences), tables: tables(&sentences) }
    }

    /// Returns whether it says the same as an earlier statement but for one value, which is like that of the other or of a
    /// matter that has one value at a time.
    #[must_use]
    pub fn replaces(&self, statement: &str) -> bool {
        let first = self.words.first().map_or("", |word| &*word.folded);
        let joint = is_pronoun(first).then(|| Joint::of(statement)).flatten();
        let statement = &*joint.map_or_else(|| statement.to_owned(), |joint| joint.with_pronoun(first));
        let sentences = Page::of(statement).sentences;
        let (said, corrected) = (words(statement, &sentences), &self.words);
        let shared = |one: &mut dyn Iterator<Item = &Word>, other: &mut dyn Iterator<Item = &Word>| {
            one.zip(other).take_while(|(one, other)| one.folded == other.folded).count()
        };
        let head = shared(&mut said.iter(), &mut corrected.iter());
        let rest = said.len().min(corrected.len()) - head;
        let end = shared(&mut said.iter().rev(), &mut corrected.iter().rev()).min(rest);
        let [one, other] = [&said, corrected].map(|words| &words[head..words.len() - end]);
        let is_value = |value: &[Word]| (1..=VALUE_WORDS).contains(&value.len());
        // "My favourite | colour is blue" and "| food is lasagne" are of two matters.
        let has_verb = |value: &[Word]| value.iter().any(|word| COPULAS.contains(&&*word.folded));
        if has_verb(one) || has_verb(other) {
            return false;
        }
        let is_single = || said[..head].iter().any(|word| is_single(&word.folded));
        let tables = || [tables(&sentences), self.tables.clone()].concat();
        head >= HEAD_WORDS
            && is_value(one)
            && is_value(other)
            && (is_single() && are_of_one_kind(one, other) || are_alike(&tables(), one, other))
    }
}

/// Returns whether a folded word is of a statement that has one value at a time.
fn is_single(word: &str) -> bool {
    SINGLE.contains(&word) || SINGLE_BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
}

/// Returns whether two values have words that are alike, and else the same words: "2 kids" and "3 kids", but not "2 kids" and "3
/// exams".
fn are_alike(tables: &[&Compiled], one: &[Word], other: &[Word]) -> bool {
    let is_like = likeness(tables);
    let has_like =
        |word: &Word, others: &[Word]| others.iter().any(|other| is_like(&word.folded, &other.folded));
    let rest = |value: &[Word], others: &[Word]| -> Vec<String> {
        let is_of_time = |word: &str| {
            is_number(tables, word)
                || dated::is_day(tables, word)
                || BESIDE_TIMES.contains(&word)
                || is_filler(word)
        };
        let rest = value.iter().filter(|word| !is_of_time(&word.folded) && !has_like(word, others));
        rest.map(|word| form(&word.folded)).collect()
    };
    one.iter().any(|word| has_like(word, other)) && rest(one, other) == rest(other, one)
}

/// Returns whether two values may be of one kind: both with a number, an article, a month or a capital letter, or both without
/// it, and neither after a preposition that the other has not. A place is no year and no month, and "in Leeds" is neither "alone"
/// nor "in student housing".
fn are_of_one_kind(one: &[Word], other: &[Word]) -> bool {
    let has_digit =
        |value: &[Word]| value.iter().any(|word| word.folded.starts_with(|c: char| c.is_ascii_digit()));
    let has_month = |value: &[Word]| value.iter().any(|word| dated::is_month(&word.folded));
    let begins_with =
        |value: &[Word], words: &[&str]| value.first().is_some_and(|first| words.contains(&&*first.folded));
    let is_capital = |value: &[Word]| value.first().is_some_and(|first| first.is_capital);
    has_digit(one) == has_digit(other)
        && has_month(one) == has_month(other)
        && is_capital(one) == is_capital(other)
        && begins_with(one, enumeration::ARTICLES) == begins_with(other, enumeration::ARTICLES)
        && !begins_with(one, TAIL_STARTS)
        && !begins_with(other, TAIL_STARTS)
}

/// Returns the words of folded sentences.
fn words(text: &str, sentences: &[Sentence]) -> Vec<Word> {
    let mut words = Vec::new();
    for sentence in sentences {
        let mut at = 0;
        for token in sentence.text().split_inclusive(' ') {
            let folded = token.trim_end();
            if !folded.is_empty() {
                let place = sentence.place(&(at..at + folded.len()));
                let is_capital = text[place].starts_with(char::is_uppercase);
                words.push(Word { folded: folded.to_owned(), is_capital });
            }
            at += token.len();
        }
    }
    words
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
    fn a_certain_correction_names_a_value_of_the_same_kind() {
        for (statement, correction, expected) in [
            ("My sister is called Hanna", "no sorry, I meant Olga", true),
            ("I live in Leeds", "no, I meant York", true),
            ("Meine Schwester heißt Hanna", "Nein, ich meinte Olga", true),
            ("Mi hermana se llama Ana", "No, quise decir Olga", true),
            ("Ma sœur s'appelle Anne", "Non, je voulais dire Olga", true),
            ("我的妹妹叫安娜", "不对，是汉娜", true),
            ("我对青霉素过敏", "我是说昨天的报告", false),
            ("I have two cats", "oops, I meant three", true),
            ("I have two cats", "oops, I meant three cats", true),
            ("Ich habe zwei Katzen", "ich meinte drei", true),
            ("My flight is tomorrow", "sorry, I meant Thursday", true),
            ("Mi vuelo es mañana", "no, quise decir hoy", true),
            ("Mein Termin ist heute", "ich meinte morgen", true),
            ("La cita es el miércoles", "No, quise decir a las 11", true),
            ("La cita es el miércoles a las 10", "No, quise decir el jueves a las 11", true),
            ("I'm allergic to tree nuts", "I meant brazil nuts", true),
            ("Soy alérgica a la penicilina", "No, quise decir el informe de ayer.", false),
            ("I am allergic to penicillin", "No, I meant the report you wrote", false),
            ("Ich esse kein Fleisch", "Nein, ich meinte den Bericht", false),
            ("Ich habe einen Mietvertrag", "Nein, ich meinte den Quartalsbericht", false),
            ("Je suis allergique aux noix", "Non, je voulais dire le rapport", false),
            ("Prefiero las sesiones de 45 minutos", "Nein, ich meinte eine SMS", false),
            ("Prefiero las sesiones de 45 minutos", "Nein, ich meinte Postgres 17.", false),
            ("Nunca toques la carpeta legacy/", "Nein, ich meinte Postgres 17.", false),
            ("I have 3 cats", "I meant Tuesday", false),
            ("My flight is on Friday", "I meant the report of Monday", false),
            ("My flight is on Friday", "I meant the flight of Monday", true),
            ("Mi vuelo es el viernes", "quise decir el informe del lunes", false),
            ("I drive a Volvo", "I meant a Saab", true),
            (
                "Ich gehe montags und mittwochs ins Fitnessstudio",
                "Korrektur: dienstags und donnerstags",
                true,
            ),
            ("Voy al gimnasio los lunes y miércoles a las 19h", "Mejor dicho, los martes y jueves", true),
            ("My daughter is called Mia (corrected: I meant Mina)", "I meant Nina", true),
        ] {
            assert_eq!(may_correct(statement, correction, true), expected, "{statement} | {correction}");
        }
    }

    #[test]
    fn the_day_of_a_correction_takes_the_place_of_the_withdrawn_one() {
        // A Wednesday.
        let said_on = jiff::civil::date(2026, 11, 25);
        let held = jiff::civil::date(2026, 12, 2);
        for (statement, correction, expected, date) in [
            (
                "La cita es el miércoles (2026-12-02) a las 10",
                "No, quise decir el jueves.",
                "La cita es el miércoles a las 10 (corrected: No, quise decir el jueves (2026-11-26).)",
                Some("2026-11-26"),
            ),
            (
                "Mein Termin ist am Mittwoch (2026-12-02)",
                "Nein, ich meinte Donnerstag um 11",
                "Mein Termin ist am Mittwoch (corrected: Nein, ich meinte Donnerstag (2026-11-26) um 11)",
                Some("2026-11-26"),
            ),
            (
                "I see the dentist on Wednesday (2026-12-02)",
                "sorry, I meant on Thursday at 11",
                "I see the dentist on Wednesday (corrected: sorry, I meant on Thursday (2026-11-26) at 11)",
                Some("2026-11-26"),
            ),
            (
                "Mon rendez-vous est mercredi (2026-12-02)",
                "je voulais dire jeudi",
                "Mon rendez-vous est mercredi (corrected: je voulais dire jeudi (2026-11-26))",
                Some("2026-11-26"),
            ),
            (
                "Mein Termin ist am Mittwoch (2026-12-02)",
                "Nein, am Donnerstag meinte ich",
                "Mein Termin ist am Mittwoch (corrected: Nein, am Donnerstag (2026-11-26) meinte ich)",
                Some("2026-11-26"),
            ),
            (
                "My flight is on Wednesday (2026-12-02)",
                "Sorry, Friday.",
                "My flight is on Wednesday (corrected: Sorry, Friday (2026-11-27).)",
                Some("2026-11-27"),
            ),
            (
                "Mon train est mercredi (2026-12-02) à 8h",
                "Non, samedi.",
                "Mon train est mercredi à 8h (corrected: Non, samedi (2026-11-28).)",
                Some("2026-11-28"),
            ),
            (
                "My flight is on Monday at 9 (corrected: Sorry, Wednesday (2026-12-02).)",
                "Sorry, Friday at 11.",
                "My flight is on Monday at 9 (corrected: Sorry, Wednesday.) (corrected: Sorry, Friday (2026-11-27) at 11.)",
                Some("2026-11-27"),
            ),
            (
                "I see the dentist on Wednesday (2026-12-02) at 10",
                "I meant at 11",
                "I see the dentist on Wednesday (2026-12-02) at 10 (corrected: I meant at 11)",
                Some("2026-12-02"),
            ),
        ] {
            let (text, day) = corrected(statement, Some(held), correction, said_on);
            assert_eq!(text, expected);
            assert_eq!(day.map(|day| day.to_string()).as_deref(), date, "{statement}");
        }
        let past = jiff::civil::date(2026, 11, 20);
        let (text, day) =
            corrected("I fell on Friday (2026-11-20)", Some(past), "I meant on Thursday", said_on);
        assert_eq!((&*text, day), ("I fell on Friday (corrected: I meant on Thursday)", None));
        let (text, day) = corrected("The bin is collected on Friday", None, "I meant on Thursday", said_on);
        assert_eq!((&*text, day), ("The bin is collected on Friday (corrected: I meant on Thursday)", None));
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
            ("My favourite colour is blue", "my favourite food is lasagne", false),
            ("My favourite film is Alien", "my favourite book is Dune", false),
            ("I was born in Madrid", "I was born in 1990", false),
            ("I live in Leeds with Tom", "I live on the third floor", false),
            ("I live in Leeds", "I live alone", false),
            ("I live in Leeds", "I live in a flat", false),
            ("Ich wohne in Kiel", "ich wohne am Hafen", false),
            ("Vivo en Vigo", "vivo con Ana", false),
            ("I live in Leeds with Tom", "I live in Hull", true),
            ("I was born in 1989", "I was born in 1990", true),
            ("I have 2 kids", "I have 3 interviews this week", false),
            ("I have 2 kids", "I have 3 exams tomorrow", false),
            ("I have two cats", "I have three brothers", false),
            ("I have two cats", "I have three cats now", true),
            ("I see Tom on Monday", "I see Anna on Tuesday", false),
            ("My flight is on Monday", "my flight is on Tuesday at 10", true),
            ("I was born in Madrid", "I was born in March", false),
            ("Nací en Madrid", "nací en marzo", false),
            ("I live in Leeds", "I live in student housing", false),
            ("Every morning I run", "every morning I meditate", false),
            ("I have more cats", "I have more dogs", false),
            ("I live in leeds", "I live in hull", true),
            ("Moro em Recife", "moro em Olinda", true),
            ("Ich wohne in Kiel", "ich wohne in Bonn", true),
            ("J'habite à Lyon", "j'habite à Nantes", true),
            ("Vivo en Lugo", "vivo en Vigo", true),
            ("Abito a Roma", "abito a Milano", true),
        ] {
            assert_eq!(
                Correction::of(correction).replaces(statement),
                expected,
                "{statement} | {correction}"
            );
        }
    }
}
