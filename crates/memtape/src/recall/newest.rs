//! Puts the newest truth first: of two memories that answer a question differently, the newer one.
//!
//! [`memtape_capture::update`] compares the best hits in pairs. By its estimate, a hit moves or is marked. One that would be
//! marked is left out if the newer one is not shown.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memtape_capture::update::{Pair, Update, Words};
use memtape_core::recall::fit::TermSet;
use memtape_core::recall::rank::Ranked;
use memtape_core::{Memory, MemoryId, Ref};

/// Number of best hits that are compared.
pub(super) const COMPARED: usize = 8;
/// Maximum number of characters of a memory that is compared: a longer text is about more than one matter.
const CHARS_MAX: usize = 160;
/// The probability from which the newer of two memories comes first. On `evals/updates/dev`, it puts the newer one first
/// for three in four of the facts that changed, and moves the answer back for one in fifteen of those that only look
/// changed.
const ANSWERS: f32 = 0.75;
/// The probability from which the older memory is marked.
const REPLACES: f32 = 0.9;

/// The cosine with the question from which a newer memory may be about it, however near the older one is: changes are often
/// said in other words than the question.
const NEAR: f64 = 0.15;
/// How much nearer the older memory may be if the newer one is not so near.
const NEARER: f64 = 0.3;

/// The newer memory that comes before an older one because it seems to answer the question instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Newer {
    /// The reference of the newer memory.
    pub reference: Ref,
    /// The probability that it answers the question and the older memory does not.
    pub answers: f64,
    /// The probability that the older memory does not hold any more.
    pub replaces: f64,
}

impl Newer {
    /// Returns whether the older memory is shown as an earlier state.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.replaces >= f64::from(REPLACES)
    }
}

/// A hit that may be compared with others.
struct Compared {
    ranked: Ranked,
    terms: TermSet,
    words: Words,
    said_at: Timestamp,
    reference: Ref,
    id: MemoryId,
    scope: String,
}

/// Moves newer memories before the older ones whose place they take, among the first hits. `memories` contains those
/// hits. Returns the newer memory for each older one.
pub(super) fn first(
    question: &str,
    ranked: &mut [Ranked],
    memories: &BTreeMap<usize, Memory>,
) -> BTreeMap<MemoryId, Newer> {
    let (places, mut compared): (Vec<usize>, Vec<Compared>) =
        comparable(ranked, memories).into_iter().unzip();
    let mut outdated = BTreeMap::new();
    if compared.len() < 2 {
        return outdated;
    }
    let question = Words::of(question);
    let mut place = 0;
    while place < compared.len() {
        let older = &compared[place];
        let newer = compared.iter().enumerate().filter_map(|(other, newer)| {
            let update = newer.update_of(older, &question)?;
            (update.answers >= ANSWERS).then_some((other, update))
        });
        let best = newer.max_by(|one, other| one.1.answers.total_cmp(&other.1.answers));
        let Some((at, update)) = best else {
            place += 1;
            continue;
        };
        let newer = Newer {
            reference: compared[at].reference.clone(),
            answers: update.answers.into(),
            replaces: update.replaces.into(),
        };
        outdated.insert(older.id, newer);
        // What moves here is newer, so this ends.
        if at > place {
            compared[place..=at].rotate_right(1);
        } else {
            place += 1;
        }
    }
    for (place, hit) in places.into_iter().zip(compared) {
        ranked[place] = hit.ranked;
    }
    outdated
}

/// Returns the hits to compare, with their places: short memories whose form is compared, and messages that say the same
/// as one of them. A message comes before the statement that was captured from it, which is folded into it.
fn comparable(ranked: &[Ranked], memories: &BTreeMap<usize, Memory>) -> Vec<(usize, Compared)> {
    let mut short: Vec<(usize, Compared, bool)> = Vec::new();
    for (place, hit) in ranked.iter().enumerate().take(COMPARED) {
        let Some(memory) = memories.get(&hit.at) else { continue };
        let text = memory.form.rules().meaning(memory);
        if text.chars().nth(CHARS_MAX).is_some() {
            continue;
        }
        let compared = Compared {
            ranked: *hit,
            terms: TermSet::of(&text),
            words: Words::of(&text),
            said_at: memory.said_at.unwrap_or(memory.created_at),
            reference: memory.version(),
            id: memory.id,
            scope: memory.scope.clone(),
        };
        short.push((place, compared, memory.form.rules().is_compared(memory)));
    }
    let is_like_compared = |hit: &Compared| {
        short.iter().any(|(_, other, is_compared)| *is_compared && hit.terms.says_the_same(&other.terms))
    };
    let takes: Vec<bool> = short.iter().map(|(_, hit, is)| *is || is_like_compared(hit)).collect();
    short
        .into_iter()
        .zip(takes)
        .filter(|(_, takes)| *takes)
        .map(|((place, hit, _), _)| (place, hit))
        .collect()
}

impl Compared {
    /// Returns what this memory is to another one; `None` if it is not newer, not of the same people, has the same words, or
    /// is much less about the question.
    fn update_of(&self, older: &Compared, question: &Words) -> Option<Update> {
        let is_newer = (self.said_at, self.id) > (older.said_at, older.id);
        if !is_newer || self.scope != older.scope || self.terms == older.terms || !self.is_asked_for(older) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "cosines are computed as f32")]
        let cosine = |hit: &Compared| hit.ranked.terms.cosine.map(|cosine| cosine as f32);
        let cosines = cosine(older).zip(cosine(self)).map(<[f32; 2]>::from);
        Some(Pair { question, older: &older.words, newer: &self.words, cosines }.update())
    }

    /// Returns whether this memory may be about the question that an older one is about.
    fn is_asked_for(&self, older: &Compared) -> bool {
        let cosines = older.ranked.terms.cosine.zip(self.ranked.terms.cosine);
        cosines.is_none_or(|(older, newer)| newer >= NEAR || newer + NEARER >= older)
    }
}
