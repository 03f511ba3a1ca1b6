//! Language detection: finds the languages that a message may be in.
//!
//! Chinese is detected by its characters; the other languages by their common words, of which even a short
//! message has one or two. A message that mixes languages may match several.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::compiled::Table;
use super::page::Sentence;
use super::{chinese, english, french, german, spanish};

/// The tables. Each is compiled when the first message arrives that may be in its language.
static LATIN: [Table; 4] = [
    Table::of(&english::TABLE),
    Table::of(&german::TABLE),
    Table::of(&spanish::TABLE),
    Table::of(&french::TABLE),
];
static CHINESE: Table = Table::of(&chinese::TABLE);

/// The maximum number of words of a message that are counted.
const COUNTED: usize = 400;
/// The minimum share of the best match that a language needs to be used.
const SHARE: f64 = 0.4;

/// Returns the tables of the languages that the sentences may be in, most likely first. Chinese comes first
/// if there are Chinese characters.
pub(super) fn languages(sentences: &[Sentence]) -> Vec<&'static Table> {
    static KNOWN: LazyLock<HashMap<&str, [bool; LATIN.len()]>> = LazyLock::new(|| {
        let mut known: HashMap<&str, [bool; LATIN.len()]> = HashMap::new();
        for (index, table) in LATIN.iter().enumerate() {
            for word in table.words() {
                known.entry(word).or_default()[index] = true;
            }
        }
        known
    });
    let mut counts = [0u16; LATIN.len()];
    let mut chinese = false;
    for sentence in sentences {
        chinese |= sentence.text().chars().take(super::CLAUSE_MAX).any(super::han::is_han);
    }
    for word in sentences.iter().flat_map(|sentence| sentence.text().split_ascii_whitespace()).take(COUNTED) {
        // The first part of a contraction such as "j'embauche" is a known word too.
        let leaning = word.find('\'').map(|at| &word[..=at]);
        let known = KNOWN.get(word).or_else(|| KNOWN.get(leaning?));
        for (count, is_word) in counts.iter_mut().zip(known.copied().unwrap_or_default()) {
            *count += u16::from(is_word);
        }
    }
    let most = f64::from(counts.iter().copied().max().unwrap_or(0));
    let mut likely: Vec<usize> =
        (0..LATIN.len()).filter(|&i| counts[i] > 0 && f64::from(counts[i]) >= SHARE * most).collect();
    likely.sort_by_key(|&index| std::cmp::Reverse(counts[index]));
    chinese.then_some(&CHINESE).into_iter().chain(likely.into_iter().map(|index| &LATIN[index])).collect()
}
