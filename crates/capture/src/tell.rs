//! Purpose: which languages a message may be in.
//!
//! Chinese is known by its characters; the others by their common words, of which a message of a few words has one
//! or two. A message that mixes languages has several.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::compiled::Table;
use super::page::Sentence;
use super::{chinese, english, french, german, spanish};

/// The tables. Each is made ready when the first message comes that may be in its language.
static LATIN: [Table; 4] = [
    Table::of(&english::TABLE),
    Table::of(&german::TABLE),
    Table::of(&spanish::TABLE),
    Table::of(&french::TABLE),
];
static CHINESE: Table = Table::of(&chinese::TABLE);

/// So many words of a message are counted.
const COUNTED: usize = 400;
/// A language counts with a message if it has this share of the words that the likeliest has.
const SHARE: f64 = 0.4;

/// Returns the tables of the languages that sentences may be in, the likeliest first.
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
        // A word that leans on the next one, as in "j'embauche", is known alone too.
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
