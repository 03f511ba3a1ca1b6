//! The features of a clause, by which the [`tagger`](super::tagger) finds its weights.
//!
//! A feature is a part of the clause or of what surrounds it: a word, two or three adjacent words, the first or
//! last words, a few letters of a word, the clauses before and after, the marks, and how the message begins.
//! A feature is known by the hash of its kind and words, so no dictionary of words is needed (Weinberger et al. 2009,
//! "Feature hashing for large scale multitask learning").

use super::clauses::Clause;
use super::page::{Page, Sentence};

/// The maximum number of words of the following clause that are features.
const NEXT_WORDS: usize = 4;
/// The length of the sequences of letters that are features.
const LETTERS: usize = 4;
/// The maximum number of words and clauses of a request that are features.
const REQUEST_WORDS: usize = 150;

/// Collects features, and their names if somebody wants to know them.
pub(super) struct Features {
    /// The hashes of the features.
    pub(super) keys: Vec<u32>,
    /// For each key, the words that the feature shows; only collected for an explanation.
    pub(super) names: Option<Vec<String>>,
}

impl Features {
    pub(super) fn add(&mut self, kind: &str, parts: &[&str]) {
        // FNV-1a, with a separator after each part.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut eat = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        eat(kind.as_bytes());
        for part in parts {
            eat(&[0x1f]);
            eat(part.as_bytes());
        }
        // The high bits of a product are mixed better than the low ones.
        let key = (hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        self.keys.push(u32::try_from(key).unwrap_or_default());
        if let Some(names) = &mut self.names {
            names.push(parts.join(" "));
        }
    }

    fn number(&mut self, kind: &str, number: usize, max: usize) {
        self.add(kind, &[number.min(max).to_string().as_str()]);
    }
}

/// The words of a message by clause, with digits replaced by `0`.
pub(super) struct Words(Vec<Vec<String>>);

impl Words {
    pub(super) fn of(sentences: &[Sentence], clauses: &[Clause]) -> Words {
        let word = |clause: &Clause, range: &std::ops::Range<usize>| {
            let word = &sentences[clause.sentence].text()[range.clone()];
            word.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>()
        };
        Words(
            clauses
                .iter()
                .map(|clause| clause.words.iter().map(|range| word(clause, range)).collect())
                .collect(),
        )
    }

    /// Adds the features that all clauses of the message share.
    pub(super) fn message(&self, clauses: &[Clause], features: &mut Features) {
        if let Some(first) = self.0.first() {
            features.add("m1", &[&first[0]]);
            features.add("m2", &[&first[0], first.get(1).map_or("", String::as_str)]);
        }
        features.number("clauses", clauses.len(), 8);
        features.number("sentences", clauses.last().map_or(0, |last| last.sentence), 6);
        let asks = clauses.iter().any(|clause| clause.after == '?');
        features.number("asks", usize::from(asks), 1);
    }

    /// Adds the features of one clause.
    pub(super) fn clause(&self, clauses: &[Clause], at: usize, features: &mut Features) {
        let (clause, words) = (&clauses[at], &self.0[at]);
        let word = |index: usize| words.get(index).map_or("", String::as_str);
        for one in words {
            features.add("w", &[one]);
            letters(one, features);
        }
        for pair in words.windows(2) {
            features.add("b", &[&pair[0], &pair[1]]);
        }
        for three in words.windows(3) {
            features.add("t", &[&three[0], &three[1], &three[2]]);
        }
        features.add("p1", &[word(0)]);
        features.add("p2", &[word(0), word(1)]);
        features.add("p3", &[word(0), word(1), word(2)]);
        let last = words.len() - 1;
        features.add("s1", &[word(last)]);
        features.add("s2", &[word(last.wrapping_sub(1)), word(last)]);
        let mut mark = [0; 8];
        let (before, after) = mark.split_at_mut(4);
        let (before, after) = (&*clause.before.encode_utf8(before), &*clause.after.encode_utf8(after));
        features.add("before", &[before]);
        features.add("after", &[after]);
        features.add("around", &[before, after]);
        features.number("length", words.len() / 2, 10);
        let first = clauses.partition_point(|other| other.sentence < clause.sentence);
        let end = clauses.partition_point(|other| other.sentence <= clause.sentence);
        features.add("sentence1", &[&self.0[first][0]]);
        features.add("sentence2", &[&self.0[first][0], self.0[first].get(1).map_or("", String::as_str)]);
        features.number("is first", usize::from(first == at), 1);
        features.number("is last", usize::from(end == at + 1), 1);
        let asked = clauses[end - 1].after == '?';
        features.number("asked", usize::from(asked), 1);
        self.before(clauses, at, before, features);
        self.after(clauses, at, after, features);
    }

    fn before(&self, clauses: &[Clause], at: usize, mark: &str, features: &mut Features) {
        let Some(index) = at.checked_sub(1) else { return features.add("no previous", &[]) };
        let words = &self.0[index];
        let place = if clauses[index].sentence == clauses[at].sentence { "=" } else { "|" };
        let last = &words[words.len() - 1];
        features.add("previous", &[place]);
        features.add("P1", &[&words[0]]);
        features.add("P2", &[&words[0], words.get(1).map_or("", String::as_str)]);
        features.add("Pl", &[last]);
        features.add("Pl2", &[words.len().checked_sub(2).map_or("", |index| words[index].as_str()), last]);
        features.add("PX", &[last, mark, &self.0[at][0]]);
        // The words of another sentence say little about this one.
        for word in words.iter().filter(|_| place == "=") {
            features.add("Pw", &[word]);
        }
    }

    fn after(&self, clauses: &[Clause], at: usize, mark: &str, features: &mut Features) {
        let Some(words) = self.0.get(at + 1) else { return features.add("no next", &[]) };
        let place = if clauses[at + 1].sentence == clauses[at].sentence { "=" } else { "|" };
        features.add("next", &[place]);
        features.add("N1", &[&words[0]]);
        features.add("N2", &[&words[0], words.get(1).map_or("", String::as_str)]);
        let own = &self.0[at];
        features.add("NX", &[&own[own.len() - 1], mark, &words[0]]);
        for word in words.iter().take(NEXT_WORDS).filter(|_| place == "=") {
            features.add("Nw", &[word]);
        }
    }
}

/// Adds the beginning and end of a word and its sequences of [`LETTERS`] letters.
fn letters(word: &str, features: &mut Features) {
    let framed = format!("^{word}$");
    let ends: Vec<usize> = framed.char_indices().map(|(at, _)| at).chain([framed.len()]).collect();
    let letters = ends.len() - 3;
    if letters < 4 {
        return;
    }
    features.add("pre", &[&framed[..ends[4]]]);
    features.add("suf", &[&framed[ends[letters - 2]..]]);
    features.add("suf", &[&framed[ends[letters - 1]..]]);
    for window in ends.windows(LETTERS + 1) {
        features.add("c", &[&framed[window[0]..window[LETTERS]]]);
    }
}

/// Adds the features of a message as a request, for the [`gate`](super::gate).
pub(super) fn request(text: &str, page: &Page, clauses: &[Clause], features: &mut Features) {
    let words = Words::of(&page.sentences, clauses);
    let word = |index: usize| words.0.get(index).map_or(&[][..], Vec::as_slice);
    let all: Vec<&str> = words.0.iter().flatten().map(String::as_str).take(REQUEST_WORDS).collect();
    for one in &all {
        features.add("w", &[one]);
        letters(one, features);
    }
    for pair in all.windows(2) {
        features.add("b", pair);
    }
    for three in all.windows(3) {
        features.add("t", three);
    }
    for (index, clause) in clauses.iter().enumerate().take(REQUEST_WORDS) {
        let words = word(index);
        for (kind, count) in [("u1", 1), ("u2", 2), ("u3", 3)] {
            let begin: Vec<&str> = words.iter().take(count).map(String::as_str).collect();
            features.add(kind, &begin);
            if index == 0 {
                features.add("m", &begin);
            }
        }
        let mut mark = [0; 4];
        features.add("e", &[&*clause.after.encode_utf8(&mut mark), &words[words.len() - 1]]);
    }
    let last = &all[all.len().saturating_sub(2)..];
    features.add("l2", last);
    features.add("l1", &last[last.len().min(1)..]);
    features.number("words", all.len(), 6);
    features.number("size", (all.len() + 1).ilog2() as usize, 7);
    features.number("sentences", page.sentences.len(), 5);
    features.number("asks", usize::from(page.sentences.iter().any(|sentence| sentence.asked)), 1);
    features.number("lines", usize::from(text.contains('\n')), 1);
    features.number("code", usize::from(text.contains(['`', '{'])), 1);
    features.number("upper", usize::from(text.starts_with(char::is_uppercase)), 1);
    features.number("quote", usize::from(text.contains(['"', '“', ':', '：', '«'])), 1);
}
