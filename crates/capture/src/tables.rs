//! The tables of the languages that a message may be in.

use memtape_language::{Language, likely, of_letters};

use super::compiled::{Compiled, Table};
use super::language;
use super::page::Sentence;
use super::{chinese, english, french, german, italian, japanese, portuguese, russian, spanish};

/// The tables. Each is compiled when the first message arrives that may be in its language.
static ENGLISH: Table = Table::of(&english::TABLE);
static GERMAN: Table = Table::of(&german::TABLE);
static SPANISH: Table = Table::of(&spanish::TABLE);
static FRENCH: Table = Table::of(&french::TABLE);
static ITALIAN: Table = Table::of(&italian::TABLE);
static PORTUGUESE: Table = Table::of(&portuguese::TABLE);
static RUSSIAN: Table = Table::of(&russian::TABLE);
static CHINESE: Table = Table::of(&chinese::TABLE);
static JAPANESE: Table = Table::of(&japanese::TABLE);

/// The contents of the tables.
pub(super) const ALL: [&language::Language; 9] = [
    &english::TABLE,
    &german::TABLE,
    &spanish::TABLE,
    &french::TABLE,
    &italian::TABLE,
    &portuguese::TABLE,
    &russian::TABLE,
    &chinese::TABLE,
    &japanese::TABLE,
];

/// Minimum length of the name of a weekday in bytes. What is shorter may be another word: "mon", "sat", "一".
const WEEKDAY_MIN: usize = 5;

/// Names of weekdays that are ordinals too, in Portuguese.
const ORDINALS: &[&str] = &["segunda", "terca", "quarta", "quinta", "sexta"];

/// Words for days as seen from today.
#[rustfmt::skip]
const DAYS: &[&str] = &[
    "today", "tonight", "tomorrow", "heute", "morgen", "übermorgen", "hoy", "manana", "aujourd'hui", "demain", "oggi", "stasera", "domani",
    "dopodomani", "hoje", "amanha", "сегодня", "завтра", "послезавтра",
];

/// Returns whether a folded word is that of a day to come in any language: "tomorrow", "Monday".
pub(super) fn is_day(word: &str) -> bool {
    DAYS.contains(&word) || is_weekday(word)
}

/// Returns whether a folded word is the name of a weekday in any language, also with the "s" of a habit, as in "montags";
/// abbreviations are none.
fn is_weekday(word: &str) -> bool {
    let is_name = |name: &str| name == word || word.strip_suffix('s') == Some(name);
    let spaced = ALL.iter().filter(|table| table.spaced);
    let mut names = spaced.flat_map(|table| table.weekdays).flat_map(|names| names.split('|'));
    word.len() >= WEEKDAY_MIN && !ORDINALS.contains(&word) && names.any(is_name)
}

/// Returns the tables of the languages that the sentences may be in, most likely first: that of the letters, then those of
/// common words.
pub(super) fn of_text(sentences: &[Sentence]) -> Vec<&'static Table> {
    let text: String = sentences.iter().map(Sentence::text).collect();
    of_letters(&text).into_iter().chain(likely(text.split_ascii_whitespace())).map(table).collect()
}

/// Returns the tables whose openers and closers count: of the Romance languages, only the most likely one, since a word
/// without content in one of them is another word in the next: "ma", "yo".
pub(super) fn for_borders<'t>(tables: &[&'t Compiled]) -> Vec<&'t Compiled> {
    let mut has_romance = false;
    let counts =
        |table: &&&Compiled| !table.language.is_romance || !std::mem::replace(&mut has_romance, true);
    tables.iter().filter(counts).copied().collect()
}

fn table(language: Language) -> &'static Table {
    match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::Spanish => &SPANISH,
        Language::French => &FRENCH,
        Language::Italian => &ITALIAN,
        Language::Portuguese => &PORTUGUESE,
        Language::Russian => &RUSSIAN,
        Language::Chinese => &CHINESE,
        Language::Japanese => &JAPANESE,
    }
}
