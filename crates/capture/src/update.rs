//! Tells whether a newer memory takes the place of an older one as the answer to a question.
//!
//! "I moved to Lisbon" answers "where do I live?" instead of "I live in Berlin"; "my brother moved to Lisbon" does not.
//! How near the three texts are to each other does not tell the two apart, and neither do the words that they share; who
//! and what the newer one is about does, together with words such as "now", "switched" and "this time". The
//! probabilities are those of two logistic regressions over such features, learned from labelled pairs
//! (`cargo xtask train-updates`). Texts in other languages are glossed in English first, so that all languages share
//! their weights.

use std::collections::BTreeSet;

use memtape_core::recall::tokenize;
use memtape_language::{gloss, han, kana};

use super::ending;
use super::features::Features;

/// The number of weights of hashed features.
pub(super) const HASHED: usize = 1 << 16;
/// The number of features that are numbers, including a constant.
pub(super) const NUMBERS: usize = 13;
/// The number of bytes of the weights of one regression: a scale, those of numbers, and those of hashed features.
const LENGTH: usize = 4 * (1 + NUMBERS) + HASHED;
/// The maximum number of words of a text that are features.
const WORDS_MAX: usize = 60;
/// The maximum number of words of ordinary statements: hardly any that the weights were learned from has more.
const ORDINARY_WORDS: usize = 40;
/// The maximum number of words of ordinary statements that have digits or are not legible, and of joints of words.
const ORDINARY_DATA: usize = 8;
/// The means and the standard deviations of the numbers, without the constant, in ordinary pairs.
const TYPICAL: [(f32, f32); NUMBERS - 1] = [
    (0.50, 0.19),
    (0.37, 0.17),
    (0.13, 0.21),
    (0.41, 0.39),
    (0.24, 0.34),
    (0.17, 0.23),
    (0.13, 0.16),
    (0.15, 0.27),
    (0.26, 0.35),
    (0.09, 0.23),
    (0.61, 0.28),
    (0.76, 0.36),
];
/// The words before whose subject a statement is about: "my sister".
const POSSESSIVES: [&str; 4] = ["my", "our", "his", "her"];

/// The number of words after one that denies that it denies.
const DENIED: usize = 4;
/// Words for the present, as they are or glossed.
const NOW: [&str; 8] = ["now", "adesso", "ora", "agora", "теперь", "сейчас", "сеичас", "今は"];
/// Words that limit what is denied to some days: "I don't drive to work on Fridays".
const LIMITS: [&str; 9] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend", "morn"];
/// The estimate for a statement that says itself that the older one does not hold.
const CERTAIN: f32 = 0.95;

static FILE: &[u8; 2 * LENGTH] = include_bytes!("update.bin");

/// The words of a question or of a memory, to compare it with others.
#[derive(Clone, Debug)]
pub struct Words {
    /// All words, in order.
    all: Vec<String>,
    /// Those that say something.
    content: BTreeSet<String>,
    /// Whether most letters are of a script in which there were texts to learn from, or a lexicon.
    is_legible: bool,
}

impl Words {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &str) -> Words {
        let english = gloss(text, |_| false);
        let mut all = tokenize::terms(&english);
        all.truncate(WORDS_MAX);
        let letters = || text.chars().filter(|c| c.is_alphabetic());
        let legible = letters().filter(|c| is_legible(*c)).count();
        let content = tokenize::query_terms(&english).into_iter().collect();
        Words { content, all, is_legible: legible * 2 >= letters().count() }
    }

    /// Returns whether the text is like the statements that the weights were learned from: it is neither very long nor a
    /// list of times, addresses or versions.
    fn is_ordinary(&self) -> bool {
        let is_data = |c: char| c.is_ascii_digit() || c.is_alphabetic() && !is_legible(c);
        let joints = |word: &String| word.matches(tokenize::JOINT).count();
        let data =
            self.all.iter().map(|word| joints(word).max(usize::from(word.contains(is_data)))).sum::<usize>();
        self.is_legible && self.all.len() <= ORDINARY_WORDS && data <= ORDINARY_DATA
    }

    fn contains(&self, word: &str) -> bool {
        self.all.iter().any(|other| other == word)
    }
}

/// A question and two memories that may answer it.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'w> {
    /// The question.
    pub question: &'w Words,
    /// The older memory.
    pub older: &'w Words,
    /// The newer memory.
    pub newer: &'w Words,
    /// The cosines of the older and the newer memory with the question; `None` without vectors.
    pub cosines: Option<[f32; 2]>,
}

/// What a newer memory is to an older one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The probability, from 0 to 1, that the newer memory answers the question and the older one does not.
    pub answers: f32,
    /// The probability, from 0 to 1, that the older memory does not hold any more.
    pub replaces: f32,
}

/// The features of a pair.
pub(super) struct Inputs {
    pub(super) numbers: [f32; NUMBERS],
    /// Indices of hashed features, each once.
    pub(super) hashed: Vec<u32>,
}

impl Inputs {
    /// Returns the value of each hashed feature: long texts have no higher scores than short ones.
    pub(super) fn unit(&self) -> f32 {
        2.5 / count(self.hashed.len().max(1)).sqrt()
    }
}

impl Pair<'_> {
    /// Returns what the newer memory is to the older one: nothing if one of the texts is like none that the weights were
    /// learned from, because their sum would be chance.
    #[must_use]
    pub fn update(&self) -> Update {
        if self.denies_older() || self.holds_now() {
            return Update { answers: CERTAIN, replaces: CERTAIN };
        }
        match self.question.is_legible && self.older.is_ordinary() && self.newer.is_ordinary() {
            true => self.update_by(FILE),
            false => Update { answers: 0.0, replaces: 0.0 },
        }
    }

    /// Returns whether the newer memory says what the older one says, denies it, and says what holds instead: "I live in
    /// York, not Leeds".
    fn denies_older(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let is_denial = |word: &String| ending::is_denial(word);
        if older.all.iter().any(is_denial) || !older.content.is_subset(&newer.content) {
            return false;
        }
        let Some(last) = newer.all.iter().rposition(is_denial) else { return false };
        let denied = newer.all[last + 1..].iter().take(DENIED);
        let is_instead = |word: &&String| !older.contains(word) && !is_denial(word);
        let is_limited = newer.all.iter().any(|word| LIMITS.iter().any(|limit| word.starts_with(limit)));
        // What is said again elsewhere is not denied: "I don't like free jazz, I like bebop jazz".
        let once = |word: &String| newer.all.iter().filter(|other| *other == word).count() == 1;
        !is_limited
            && denied.into_iter().any(|word| older.content.contains(word) && once(word))
            && newer.content.iter().any(|word| is_instead(&word))
    }

    /// Returns whether the newer memory says the same as the older one with one other word, and that it is so now: "I live in
    /// Bremen", "I live in Kiel now".
    fn holds_now(&self) -> bool {
        let plain = |words: &Words| -> Vec<String> {
            words.all.iter().filter(|word| !NOW.contains(&word.as_str())).cloned().collect()
        };
        let (older, newer) = (plain(self.older), plain(self.newer));
        let says_now = newer.len() < self.newer.all.len() && older.len() == self.older.all.len();
        let other = |at: &usize| older.get(*at) != newer.get(*at);
        let others: Vec<usize> = (0..older.len().max(newer.len())).filter(other).collect();
        let has_digit = |word: &String| word.contains(|c: char| c.is_ascii_digit());
        says_now
            && older.len() == newer.len()
            && matches!(others[..], [at] if at + 1 == older.len() && at > 1 && has_digit(&older[at]) == has_digit(&newer[at]))
    }

    /// Returns [`Pair::update`] by other weights.
    pub(super) fn update_by(&self, file: &[u8]) -> Update {
        let inputs = self.inputs();
        let (answers, replaces) = file.split_at(LENGTH);
        Update { answers: probability(&inputs, answers), replaces: probability(&inputs, replaces) }
    }

    pub(super) fn inputs(&self) -> Inputs {
        let Self { question, older, newer, cosines } = *self;
        let share = |part: usize, all: &BTreeSet<String>| count(part) / count(all.len().max(1));
        let (asked, old, new) = (&question.content, &older.content, &newer.content);
        let in_old = asked.intersection(old).count();
        let in_new = asked.intersection(new).count();
        let common = old.intersection(new).count();
        let in_both = asked.iter().filter(|word| old.contains(*word) && new.contains(*word)).count();
        let typical = || std::array::from_fn(|at| TYPICAL[at].0);
        let [near_old, near_new] = cosines.unwrap_or_else(typical);
        let raw: [f32; NUMBERS - 1] = [
            near_old,
            near_new,
            near_old - near_new,
            share(in_old, asked),
            share(in_new, asked),
            share(common, old),
            share(common, new),
            share(in_both, asked),
            share(in_old - in_both, asked),
            share(in_new - in_both, asked),
            count(older.all.len()) / 10.0,
            count(newer.all.len()) / 10.0,
        ];
        let numbers = std::array::from_fn(|at| match TYPICAL.get(at) {
            Some((mean, deviation)) => (raw[at] - mean) / deviation,
            None => 1.0,
        });
        Inputs { numbers, hashed: self.hashed() }
    }

    fn hashed(&self) -> Vec<u32> {
        let Self { question, older, newer, .. } = *self;
        let mut features = Features { keys: Vec::new(), names: None };
        let mut add = |kind: &str, words: &[&str]| features.add(kind, words);
        for word in &question.all {
            add("q", &[word]);
        }
        pairs(question, |one, two| add("q2", &[one, two]));
        add("q1", &[question.all.first().map_or("", String::as_str)]);
        for word in &newer.all {
            add(if older.contains(word) { "n both" } else { "n" }, &[word]);
            add(if question.contains(word) { "n asked" } else { "n not asked" }, &[word]);
        }
        framed(newer, |one, two| add("n2", &[one, two]));
        for word in &older.all {
            add("o", &[word]);
            if question.contains(word) && !newer.contains(word) {
                add("o asked", &[word]);
            }
        }
        framed(older, |one, two| add("o2", &[one, two]));
        pairs(newer, |one, two| {
            if POSSESSIVES.contains(&one) {
                let (is_asked, is_old) = (question.contains(two), older.contains(two));
                let kind = match (is_asked, is_old) {
                    (true, _) => "my asked",
                    (false, true) => "my both",
                    (false, false) => "my",
                };
                add(kind, &[two]);
                add(kind, &[]);
            }
        });
        let mut indices: Vec<u32> =
            features.keys.iter().map(|key| key >> (32 - HASHED.trailing_zeros())).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }
}

/// Returns whether a letter is Latin, Cyrillic, kana or a Chinese character.
fn is_legible(c: char) -> bool {
    matches!(c, '\0'..='\u{24F}' | '\u{400}'..='\u{52F}' | '\u{1E00}'..='\u{1EFF}')
        || han::is_han(c)
        || kana::is_kana(c)
}

/// Calls a function with each two adjacent words.
fn pairs(words: &Words, mut call: impl FnMut(&str, &str)) {
    words.all.windows(2).for_each(|pair| call(&pair[0], &pair[1]));
}

/// Does the same with the beginning and the end as words.
fn framed(words: &Words, mut call: impl FnMut(&str, &str)) {
    let Some((first, last)) = words.all.first().zip(words.all.last()) else { return };
    call("^", first);
    pairs(words, &mut call);
    call(last, "$");
}

/// Returns the probability of a pair by the weights of one regression.
fn probability(inputs: &Inputs, file: &[u8]) -> f32 {
    let (floats, bytes) = file.split_at(4 * (1 + NUMBERS));
    let mut floats = floats.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let scale = floats.next().unwrap_or_default();
    let numbers: f32 = inputs.numbers.iter().zip(floats).map(|(number, weight)| number * weight).sum();
    let weight = |index: u32| {
        let byte = f32::from(bytes[index as usize].cast_signed());
        byte * byte.abs()
    };
    let sum: f32 = inputs.hashed.iter().map(|&index| weight(index)).sum();
    super::gate::probability_of(numbers + sum * scale / (127.0 * 127.0) * inputs.unit())
}

fn count(number: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer than 2²⁴ words")]
    let count = number as f32;
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(question: &str, older: &str, newer: &str) -> Update {
        let [question, older, newer] = [question, older, newer].map(Words::of);
        Pair { question: &question, older: &older, newer: &newer, cosines: None }.update()
    }

    #[test]
    fn a_statement_that_denies_another_replaces_it() {
        for (question, older, newer) in [
            ("where do I live?", "I live in Leeds", "No, I live in York, not Leeds"),
            ("wo wohne ich?", "Ich wohne in Kiel", "Ich wohne nicht in Kiel, sondern in Bremen"),
            ("¿dónde vivo?", "Vivo en Vigo", "No vivo en Vigo sino en Bilbao"),
            ("où est-ce que j'habite ?", "J'habite à Lille", "Je n'habite pas à Lille mais à Nantes"),
            ("我住在哪里？", "我住在上海", "我不住在上海，我住在北京"),
            ("dove abito?", "Abito a Roma", "Non abito a Roma, abito a Milano"),
            ("где я живу?", "Я живу в Москве", "Я живу не в Москве, а в Казани"),
            (
                "what is my sister called?",
                "My sister is called Hanna",
                "My sister is not called Hanna but Anna",
            ),
            ("what do I drive?", "I drive a Golf", "I don't drive a Golf, I drive a Polo"),
            ("wo wohne ich?", "Ich wohne in Bremen", "Ich wohne jetzt in Kiel"),
            ("où est-ce que j'habite ?", "J'habite à Lyon", "J'habite maintenant à Nantes"),
            ("dove abito?", "Abito a Roma", "Adesso abito a Milano"),
            ("где я живу?", "Я живу в Москве", "Теперь я живу в Казани"),
        ] {
            let Update { answers, replaces } = update(question, older, newer);
            assert!(answers >= CERTAIN && replaces >= CERTAIN, "{older} | {newer}: {answers} {replaces}");
        }
    }

    #[test]
    fn one_that_denies_something_else_does_not() {
        for (question, older, newer) in [
            ("what do I like?", "I like tea", "I like tea, not coffee"),
            ("where do I live?", "I live in Leeds", "I don't live in Leeds"),
            ("where do I work?", "I work at Bosch", "I now have a cat, not a dog"),
            ("what is my dog called?", "My dog is called Rex", "My dog is now three years old"),
            ("where does my sister live?", "My sister lives in Rome", "My brother now lives in Oslo"),
            ("what am I allergic to?", "I'm allergic to nuts", "I'm now allergic to eggs too"),
            ("who is my wife?", "My wife is Anna", "My wife is now 40"),
            ("do I drive to work?", "I drive to work", "I don't drive to work on Fridays"),
        ] {
            assert!(update(question, older, newer).replaces < CERTAIN, "{older} | {newer}");
        }
    }

    #[test]
    fn a_script_without_lexicon_says_nothing_of_an_update() {
        for (question, older, newer) in [
            ("Who is Clara?", "Clara is the plumber of the house", "วันนี้ฝนตกหนักมากที่เชียงใหม่"),
            ("クララは誰ですか？", "クララはうちの配管工です", "부산행 기차는 아침 여덟 시에 출발한다"),
            ("Ποια είναι η Κλάρα;", "Η Κλάρα είναι η υδραυλικός μας", "Clara is the plumber of the house"),
        ] {
            let nothing = Update { answers: 0.0, replaces: 0.0 };
            assert_eq!(update(question, older, newer), nothing, "{older} | {newer}");
        }
    }

    #[test]
    fn lists_of_data_are_not_ordinary() {
        let long = "tea and cake ".repeat(14);
        for (text, expected) in [
            ("We moved to Lisbon on 2026-03-01, and pay 980 a month", true),
            ("Sourdough 4.80, rye 5.10, baps 60p each", true),
            ("The dentist is at +49 30 1234-5678, open 8:00-12:00 and 14:00-18:00", false),
            ("The manual is at https://docs.example.org/a/b/c/house_plumbing-guide.v1.html", false),
            ("Bins are collected on 2026-12-01, 2026-12-15, 2026-12-29", false),
            ("The house keeper is 김민수 and he comes from 부산광역시 해운대구", false),
            (long.as_str(), false),
        ] {
            assert_eq!(Words::of(text).is_ordinary(), expected, "{text}");
        }
    }
}
