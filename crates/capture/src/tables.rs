//! The tables of the languages that a message may be in.

use memtape_language::{Language, han, likely};

use super::compiled::Table;
use super::page::Sentence;
use super::{chinese, english, french, german, spanish};

/// The tables. Each is compiled when the first message arrives that may be in its language.
static ENGLISH: Table = Table::of(&english::TABLE);
static GERMAN: Table = Table::of(&german::TABLE);
static SPANISH: Table = Table::of(&spanish::TABLE);
static FRENCH: Table = Table::of(&french::TABLE);
static CHINESE: Table = Table::of(&chinese::TABLE);

/// Minimum length of the name of a weekday in bytes. What is shorter may be another word: "mon", "sat", "一".
const WEEKDAY_MIN: usize = 5;

/// Returns whether a folded word is the name of a weekday in any language; abbreviations are none.
pub(super) fn is_weekday(word: &str) -> bool {
    let tables = [&english::TABLE, &german::TABLE, &spanish::TABLE, &french::TABLE];
    let mut names = tables.iter().flat_map(|table| table.weekdays).flat_map(|names| names.split('|'));
    word.len() >= WEEKDAY_MIN && names.any(|name| name == word)
}

/// Returns the tables of the languages that the sentences may be in, most likely first. Chinese comes first
/// if there are Chinese characters. Not every language has a table.
pub(super) fn of_text(sentences: &[Sentence]) -> Vec<&'static Table> {
    let table = |language| match language {
        Language::English => Some(&ENGLISH),
        Language::German => Some(&GERMAN),
        Language::Spanish => Some(&SPANISH),
        Language::French => Some(&FRENCH),
        Language::Chinese => Some(&CHINESE),
        Language::Italian | Language::Portuguese | Language::Russian | Language::Japanese => None,
    };
    let has_han = |sentence: &Sentence| sentence.text().chars().take(super::CLAUSE_MAX).any(han::is_han);
    let chinese = sentences.iter().any(has_han).then_some(Language::Chinese);
    let words = sentences.iter().flat_map(|sentence| sentence.text().split_ascii_whitespace());
    chinese.into_iter().chain(likely(words)).filter_map(table).collect()
}
