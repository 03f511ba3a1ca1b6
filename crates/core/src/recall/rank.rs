//! Ranks candidates found by words and by meaning in one order.
//!
//! The relevance of a candidate is a sum ([`Recipe`] holds the weights):
//!
//! ```text
//! w = words/max                                 BM25 over the best candidate's
//! m = minmax(own + around·(previous + next))    cosines with the question, of the memory and its neighbours
//! base = words·covered·w³ + meaning·m
//! sum = base + next·words·covered·w(next) + session·best base of its conversation + speaker·[speaker]
//! relevance = sure · sum / the best one's
//! ```
//!
//! `covered` is the fraction of the query's terms that the best hit by words contains: if words match only
//! parts of the query, they count for less. The cube keeps many candidates that share a common word with the
//! query from outweighing the one with the right meaning. `w(next)` is that of the next turn in its
//! conversation, since an answer is often found by the reply to it; `[speaker]` is 1 if the query names
//! exactly one speaker and this is that speaker's turn. `sure` is the greater of `covered` and the nearest
//! cosine over [`SURE`], at most 1: the best of poor matches is not a good answer. A candidate without a
//! vector has `covered·w` in place of `m`; if none has one, `base` is `w`, words decide alone, and `sure` is
//! 1.
//!
//! The score is document 4's: `relevance·weight + importance·weight + recency·weight`, with the weights of
//! its form ([`Weights`]) and `recency = exp(-age/180 days)`.
//!
//! The terms and the range of their weights were found on conversations of many sessions and on questions
//! that share no word with their answer; they are the same for all queries.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::memory::{Form, MemoryId};
use crate::recall::question::named_speaker;
use crate::recall::weights::Weights;

/// The minimum number of candidates of each kind that are ranked.
pub const CANDIDATES: usize = 100;
/// The minimum cosine of a candidate that was found by meaning only.
const NEARNESS_MIN: f64 = 0.15;
/// The cosine below which a candidate that was found by meaning only is a weak match.
const WEAK: f64 = 0.2;
/// The cosine at which a match counts as certain.
const SURE: f64 = 0.6;
/// The days after which recency falls to 1/e.
const RECENCY_DAYS: f64 = 180.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// The weights of the terms of relevance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Words, if any candidate has a vector.
    pub words: f64,
    /// Meaning.
    pub meaning: f64,
    /// The cosines of the neighbours, relative to the memory's own.
    pub around: f64,
    /// The words of the next turn.
    pub next: f64,
    /// The best candidate of its conversation.
    pub session: f64,
    /// The speaker that the query names.
    pub speaker: f64,
    /// Whether words count for less if they cover little of the query.
    pub covering: bool,
    /// The exponent of words, if any candidate has a vector.
    pub power: i32,
}

impl Recipe {
    /// The weights in use, the same for every query.
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

/// The cosines of a memory and its neighbours with the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meaning {
    /// The memory's own.
    pub own: f64,
    /// That of the previous turn.
    pub previous: Option<f64>,
    /// That of the next turn.
    pub next: Option<f64>,
}

/// A memory that may answer the query.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The memory.
    pub id: MemoryId,
    /// Its form.
    pub form: Form,
    /// Its BM25 score; greater is better, and 0 if it was not found by words.
    pub words: f64,
    /// Its cosines; `None` without a vector.
    pub meaning: Option<Meaning>,
    /// The message before it in its conversation.
    pub previous: Option<MemoryId>,
    /// The number of its conversation.
    pub session: Option<i64>,
    /// The name of its speaker; a role is not a name.
    pub speaker: Option<String>,
    /// Whether it is in a user's scope.
    pub of_user: bool,
    /// How much it matters, from 0 to 1; `None` if not recorded.
    pub importance: Option<f64>,
    /// When it was said, or else recorded.
    pub said_at: Timestamp,
}

/// The query, besides the candidates.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The text of the query.
    pub query: &'a str,
    /// The fraction of its terms that the best hit by words contains, from 0 to 1.
    pub covered: f64,
    /// The instant from which age is measured.
    pub now: Timestamp,
    /// The weights of relevance.
    pub recipe: &'a Recipe,
    /// The weights of a score, by form.
    pub weights: &'a BTreeMap<Form, Weights>,
}

/// The parts of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The original BM25 score.
    pub bm25: f64,
    /// The cosine with the query; `None` without a vector.
    pub cosine: Option<f64>,
    /// The part from words.
    pub words: f64,
    /// The part from meaning.
    pub meaning: f64,
    /// The part from the next turn.
    pub next: f64,
    /// The part from the conversation.
    pub session: f64,
    /// The part from the speaker.
    pub speaker: f64,
    /// The greatest sum of these parts among all candidates.
    pub best: f64,
    /// The certainty that the best candidate answers the query, from 0 to 1.
    pub sure: f64,
    /// `sure · sum / best`, from 0 to 1.
    pub relevance: f64,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// How new it is, from 0 to 1.
    pub recency: f64,
    /// The weights of the score.
    pub weights: Weights,
}

impl Terms {
    /// Returns the sum of the parts of relevance.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.words + self.meaning + self.next + self.session + self.speaker
    }

    /// Returns whether the memory shares no word with the query and is only remotely about it.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        self.bm25 <= 0.0 && self.cosine.is_some_and(|cosine| cosine < WEAK)
    }

    /// Returns the score: `0.65·relevance + 0.20·importance + 0.15·recency`, or with the weights of its form.
    #[must_use]
    pub fn score(&self) -> f64 {
        let Weights { relevance, importance, recency } = self.weights;
        relevance * self.relevance + importance * self.importance + recency * self.recency
    }
}

/// A candidate's place in the order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The index of the candidate.
    pub at: usize,
    /// The parts of its score.
    pub terms: Terms,
}

/// Orders candidates, best first and weak ones last; of equal scores the newer memory comes first. A candidate that was
/// found only by meaning, and is not near at all, is left out.
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
        let strong = a.terms.is_weak().cmp(&b.terms.is_weak());
        strong.then_with(|| b.terms.score().total_cmp(&a.terms.score())).then_with(newer)
    });
    ranked
}

/// Returns the parts of each candidate's relevance.
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

/// Returns the parts that do not depend on other candidates.
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
