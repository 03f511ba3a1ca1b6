//! Ranking: candidates by words and by meaning, in one order.
//!
//! How well a candidate answers is a sum ([`Recipe`] says what each term weighs):
//!
//! ```text
//! w = words/max                                 BM25 over the best candidate's
//! m = minmax(own + around·(previous + next))    cosines with the question, of the memory and its neighbours
//! base = words·covered·w³ + meaning·m
//! sum = base + next·words·covered·w(next) + session·best base of its conversation + speaker·[speaker]
//! relevance = sure · sum / the best one's
//! ```
//!
//! `covered` is the share of the question's terms that the best hit by words holds: where words find only bits of the
//! question, they count for less. The cube keeps the many that share a common word with the question from outweighing
//! the one that means it. `w(next)` is that of the turn after it in its conversation, for an answer is often found by
//! what was said to it; `[speaker]` is 1 where the question names exactly one speaker and this is that speaker's turn.
//! `sure` is the greater of `covered` and the nearest cosine over [`SURE`]: the best of what hardly answers is no good
//! answer. A candidate without a vector has `covered·w` in place of `m`; where none has one, `base` is `w`, words are
//! all there is, and they are sure.
//!
//! The score is document 4's: `relevance·weight + importance·weight + recency·weight`, with the weights of its form
//! ([`Weights`]) and `recency = exp(-age/180 days)`.
//!
//! The terms and the range of their weights were found on conversations of many sessions and on questions that share
//! no word with their answer; they are the same for all.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::memory::{Form, MemoryId};
use crate::recall::question::named_speaker;
use crate::recall::weights::Weights;

/// How many candidates of each kind are ranked, at least.
pub const CANDIDATES: usize = 100;
/// What was found by meaning alone must be as near as this: a cosine.
const NEARNESS_MIN: f64 = 0.15;
/// What is as near as this answers: a cosine.
const SURE: f64 = 0.6;
/// After so many days, recency has fallen to 1/e.
const RECENCY_DAYS: f64 = 180.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// What each term of relevance weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Words, where there is meaning too.
    pub words: f64,
    /// Meaning.
    pub meaning: f64,
    /// The neighbours' nearness, beside a memory's own.
    pub around: f64,
    /// The words of the next turn.
    pub next: f64,
    /// The best of its conversation.
    pub session: f64,
    /// That it was said by whom the question names.
    pub speaker: f64,
    /// Whether words count for less where they cover little of the question.
    pub covering: bool,
    /// The power of words, beside meaning.
    pub power: i32,
}

impl Recipe {
    /// What is used: one set of weights for every question.
    pub const MEASURED: Self = Self {
        words: 0.55,
        meaning: 0.45,
        around: 0.25,
        next: 0.2,
        session: 0.2,
        speaker: 0.4,
        covering: true,
        power: 3,
    };
}

/// How near a memory and its neighbours are to the question: cosines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meaning {
    /// Its own.
    pub own: f64,
    /// The turn's before it.
    pub previous: Option<f64>,
    /// The turn's after it.
    pub next: Option<f64>,
}

/// A memory that may answer.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The memory.
    pub id: MemoryId,
    /// Its form.
    pub form: Form,
    /// Its BM25 score; greater is better, and 0 where it was not found by words.
    pub words: f64,
    /// How near it is; `None` without a vector.
    pub meaning: Option<Meaning>,
    /// The message before it in its conversation.
    pub previous: Option<MemoryId>,
    /// The number of its conversation.
    pub session: Option<i64>,
    /// The name of who said it; a role is no name.
    pub speaker: Option<String>,
    /// Whether it is of a user's scope.
    pub of_user: bool,
    /// How much it matters, from 0 to 1, where somebody said so.
    pub importance: Option<f64>,
    /// When it was said, or else recorded.
    pub said_at: Timestamp,
}

/// What is asked, beside the candidates.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The question.
    pub query: &'a str,
    /// The share of its terms that the best hit by words holds, from 0 to 1.
    pub covered: f64,
    /// The instant at which age is judged.
    pub now: Timestamp,
    /// What each term weighs.
    pub recipe: &'a Recipe,
    /// What a score is made of, by form.
    pub weights: &'a BTreeMap<Form, Weights>,
}

/// What a score is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// BM25, as it was found.
    pub bm25: f64,
    /// The cosine with the question; `None` without a vector.
    pub cosine: Option<f64>,
    /// What its words add.
    pub words: f64,
    /// What its meaning adds.
    pub meaning: f64,
    /// What the next turn adds.
    pub next: f64,
    /// What its conversation adds.
    pub session: f64,
    /// What its speaker adds.
    pub speaker: f64,
    /// The greatest sum of these that any candidate has.
    pub best: f64,
    /// How sure it is that the best one answers, from 0 to 1.
    pub sure: f64,
    /// `sure · sum / best`, from 0 to 1.
    pub relevance: f64,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// How new it is, from 0 to 1.
    pub recency: f64,
    /// How much of each the score takes.
    pub weights: Weights,
}

impl Terms {
    /// What the terms of relevance add up to.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.words + self.meaning + self.next + self.session + self.speaker
    }

    /// How well it answers: `0.65·relevance + 0.20·importance + 0.15·recency`, or with the weights of its form.
    #[must_use]
    pub fn score(&self) -> f64 {
        let Weights { relevance, importance, recency } = self.weights;
        relevance * self.relevance + importance * self.importance + recency * self.recency
    }
}

/// A candidate's place in the order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Which candidate.
    pub at: usize,
    /// What its score is made of.
    pub terms: Terms,
}

/// Puts candidates in order, best first. Where scores are equal the newer memory comes first. What only its meaning
/// found, and not near enough, is left out.
#[must_use]
pub fn rank(candidates: &[Candidate], asked: &Asked<'_>) -> Vec<Ranked> {
    let mut ranked = relevance(candidates, asked);
    let top = ranked.iter().map(|ranked| ranked.terms.sum()).fold(f64::MIN_POSITIVE, f64::max);
    let nearest = candidates.iter().filter_map(|c| Some(c.meaning?.own)).reduce(f64::max);
    let sure = nearest.map_or(1.0, |nearest| (nearest / SURE).max(asked.covered).min(1.0));
    for Ranked { terms, .. } in &mut ranked {
        (terms.best, terms.sure) = (top, sure);
        terms.relevance = sure * terms.sum() / top;
    }
    ranked.retain(|ranked| {
        ranked.terms.bm25 > 0.0 || ranked.terms.cosine.is_some_and(|cosine| cosine >= NEARNESS_MIN)
    });
    ranked.sort_by(|a, b| {
        let newer = || candidates[b.at].id.cmp(&candidates[a.at].id);
        b.terms.score().total_cmp(&a.terms.score()).then_with(newer)
    });
    ranked
}

/// The terms of each candidate's relevance.
fn relevance(candidates: &[Candidate], asked: &Asked<'_>) -> Vec<Ranked> {
    let recipe = asked.recipe;
    let best = candidates.iter().map(|c| c.words).fold(f64::MIN_POSITIVE, f64::max);
    let near = |candidate: &Candidate| {
        let Meaning { own, previous, next } = candidate.meaning?;
        Some(own + recipe.around * (previous.unwrap_or_default() + next.unwrap_or_default()))
    };
    let nearness: Vec<Option<f64>> = candidates.iter().map(near).collect();
    let low = nearness.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let high = nearness.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let trust = if recipe.covering { asked.covered } else { 1.0 };
    let (words, power, meaning) = match nearness.iter().any(Option::is_some) {
        true => (recipe.words * trust, recipe.power, recipe.meaning),
        false => (1.0, 1, 0.0),
    };
    let share = |candidate: &Candidate| candidate.words / best;
    let mut ranked: Vec<Ranked> = candidates
        .iter()
        .zip(&nearness)
        .enumerate()
        .map(|(at, (candidate, near))| {
            let near = match near {
                Some(near) if high > low => (near - low) / (high - low),
                Some(_) => 1.0,
                None => trust * share(candidate),
            };
            let mut terms = terms(candidate, asked);
            terms.words = words * share(candidate).powi(power);
            terms.meaning = meaning * near;
            Ranked { at, terms }
        })
        .collect();
    let mut sessions: BTreeMap<i64, f64> = BTreeMap::new();
    let mut next: BTreeMap<MemoryId, f64> = BTreeMap::new();
    for (candidate, Ranked { terms, .. }) in candidates.iter().zip(&ranked) {
        if let Some(session) = candidate.session {
            let best = sessions.entry(session).or_default();
            *best = best.max(terms.sum());
        }
        next.extend(candidate.previous.map(|previous| (previous, words * share(candidate))));
    }
    let named = named_speaker(asked.query, candidates.iter().filter_map(|c| c.speaker.as_deref()));
    for Ranked { at, terms } in &mut ranked {
        let candidate = &candidates[*at];
        terms.next = recipe.next * next.get(&candidate.id).copied().unwrap_or_default();
        let of_session = candidate.session.and_then(|session| sessions.get(&session));
        terms.session = recipe.session * of_session.copied().unwrap_or_default();
        let speaks = named.is_some() && named == candidate.speaker.as_deref();
        terms.speaker = if speaks { recipe.speaker } else { 0.0 };
    }
    ranked
}

/// What is known of a candidate before it is compared with the others.
fn terms(candidate: &Candidate, asked: &Asked<'_>) -> Terms {
    let age = asked.now.duration_since(candidate.said_at).as_secs_f64().max(0.0) / SECONDS_A_DAY;
    Terms {
        bm25: candidate.words,
        cosine: candidate.meaning.map(|meaning| meaning.own),
        words: 0.0,
        meaning: 0.0,
        next: 0.0,
        session: 0.0,
        speaker: 0.0,
        best: 0.0,
        sure: 0.0,
        relevance: 0.0,
        importance: candidate.importance.unwrap_or_else(|| candidate.form.importance()),
        recency: (-age / RECENCY_DAYS).exp(),
        weights: asked.weights.get(&candidate.form).copied().unwrap_or_else(|| Weights::of(candidate.form)),
    }
}

#[cfg(test)]
mod tests;
