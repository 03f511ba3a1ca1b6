//! Ranks candidates found by words and by meaning in one order.
//!
//! The relevance of a candidate is a sum ([`Recipe`] holds the weights):
//!
//! ```text
//! w = words/max                      BM25 over the best candidate's
//! c = cosine - lowest                the cosine with the query over the lowest one of all candidates, at most .15
//! sum = meaning·c + session·(best c of its conversation, or its own) + words·covered·w³
//!     + next·w(next) + answer·w(previous, if it asks) + speaker·[speaker] + day·[day] + length·ln(1 + terms)
//! relevance = sure · (sum / the best one's)²
//! ```
//!
//! Cosines count as they are: if the nearest candidates were stretched to the same range for every query, words would
//! decide among those that are about as near. `covered` is the greatest fraction of the query's terms that one of the
//! best answers by words contains: if words match only parts of the query, they count for less. The cube keeps many
//! candidates that share a common word with the query from outweighing the one with the right meaning.
//!
//! An answer is often found by the words of a neighbour: `w(next)` is that of the next turn in its conversation, which
//! replies to it, and `w(previous)` that of the turn before, if that one asks a question. `[speaker]` is 1 if the query
//! names exactly one speaker and this is that speaker's turn. `[day]` is the fraction of the query's terms that name
//! the day of the memory, if at least two do ("May 2023") and the query names no other month. `terms` counts the terms of the memory, up to [`LONG`]: a
//! greeting answers little. The constant part of this term is left out, so the shortest candidate has 0.
//!
//! The square keeps importance and recency from putting a remote memory before one that is about the query: cosines
//! differ little. `sure` is the greater of `covered` and the nearest cosine over [`SURE`], at most 1: the best of poor
//! matches is not a good answer. A candidate without a vector has [`INSTEAD`]`·w` in place of `c`; if none has one, words
//! decide, and `covered` and `sure` are 1.
//!
//! A candidate that is no answer, such as a message that asks the same, is not ranked, and sets none of the maxima. It only
//! counts as the neighbour of others.
//!
//! The score is document 4's: `relevance·weight + importance·weight + recency·weight`, with the weights of
//! its form ([`Weights`]) and `recency = exp(-age/180 days)`.
//!
//! The weights were learned from conversations of many sessions and from questions that share no word with their
//! answer, and none may be negative; they are the same for all queries.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::calendar;
use crate::memory::{Form, MemoryId};
use crate::recall::dates::{DateTerms, date_terms};
use crate::recall::question::{fraction, named_speaker};
use crate::recall::tokenize;
use crate::recall::weights::Weights;

/// The minimum number of candidates of each kind that are ranked.
pub const CANDIDATES: usize = 100;
/// The minimum cosine of a candidate that was found by meaning only.
const NEARNESS_MIN: f64 = 0.15;
/// The cosine below which a candidate that was found by meaning only is a weak match.
const WEAK: f64 = 0.2;
/// The cosine at which a match counts as certain.
const SURE: f64 = 0.6;
/// What stands in for the cosine of the best candidate by words, if it has no vector.
const INSTEAD: f64 = 0.3;
/// The number of terms from which a memory counts as long.
const LONG: u32 = 64;
/// The number of terms of a query that must name the day of a memory.
const DAY_TERMS: usize = 2;
/// The days after which recency falls to 1/e.
const RECENCY_DAYS: f64 = 180.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// The weights of the terms of relevance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// The cosine.
    pub meaning: f64,
    /// The greatest cosine of its conversation.
    pub session: f64,
    /// Words.
    pub words: f64,
    /// The words of the next turn.
    pub next: f64,
    /// The words of the turn before, if it asks a question.
    pub answer: f64,
    /// The speaker that the query names.
    pub speaker: f64,
    /// The day that the query names.
    pub day: f64,
    /// The number of terms of the memory.
    pub length: f64,
}

impl Recipe {
    /// The weights in use, the same for every query.
    pub const MEASURED: Self = Self {
        meaning: 0.6,
        session: 1.2,
        words: 0.25,
        next: 0.16,
        answer: 0.26,
        speaker: 0.36,
        day: 2.2,
        length: 0.1,
    };
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
    /// Its cosine with the query; `None` without a vector.
    pub cosine: Option<f64>,
    /// The number of its terms.
    pub length: u32,
    /// Whether it asks a question.
    pub asks: bool,
    /// Whether it is known to be no answer.
    pub is_no_answer: bool,
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
    /// The greatest fraction of its terms that one of the best answers by words contains, from 0 to 1.
    pub covered: f64,
    /// The instant from which age is measured.
    pub now: Timestamp,
    /// The zone in which days begin.
    pub zone: &'a TimeZone,
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
    /// The part from meaning. A memory outside of a conversation has the part of its conversation here.
    pub meaning: f64,
    /// The part from the next turn.
    pub next: f64,
    /// The part from the question before.
    pub answer: f64,
    /// The part from the conversation.
    pub session: f64,
    /// The part from the speaker.
    pub speaker: f64,
    /// The part from the day.
    pub day: f64,
    /// The part from the length.
    pub length: f64,
    /// The greatest sum of these parts among all candidates.
    pub best: f64,
    /// The certainty that the best candidate answers the query, from 0 to 1.
    pub sure: f64,
    /// `sure · (sum / best)²`, from 0 to 1.
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
        let turns = self.next + self.answer + self.session + self.speaker;
        self.words + self.meaning + turns + self.day + self.length
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

/// Orders candidates, best first and weak ones last; of equal scores the newer memory comes first. A candidate that is no
/// answer is left out, and so is one that was found only by meaning, and is not near at all.
#[must_use]
pub fn rank(candidates: &[Candidate], asked: &Asked<'_>) -> Vec<Ranked> {
    let mut ranked = relevance(candidates, asked);
    ranked.retain(|ranked| !candidates[ranked.at].is_no_answer);
    let top = ranked.iter().map(|ranked| ranked.terms.sum()).fold(f64::MIN_POSITIVE, f64::max);
    let nearest = answers(candidates).filter_map(|c| c.cosine).reduce(f64::max);
    let sure = nearest.map_or(1.0, |nearest| (nearest / SURE).max(asked.covered).min(1.0));
    for Ranked { terms, .. } in &mut ranked {
        (terms.best, terms.sure) = (top, sure);
        terms.relevance = sure * (terms.sum() / top).powi(2);
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

/// Returns the candidates that may answer the query.
fn answers(candidates: &[Candidate]) -> impl Iterator<Item = &Candidate> {
    candidates.iter().filter(|candidate| !candidate.is_no_answer)
}

/// Returns the parts of each candidate's relevance.
fn relevance(candidates: &[Candidate], asked: &Asked<'_>) -> Vec<Ranked> {
    let recipe = asked.recipe;
    let best = answers(candidates).map(|c| c.words).fold(f64::MIN_POSITIVE, f64::max);
    let share = |candidate: &Candidate| (candidate.words / best).min(1.0);
    let lowest = candidates.iter().filter_map(|c| c.cosine).reduce(f64::min);
    let covered = if lowest.is_some() { asked.covered } else { 1.0 };
    let near = |candidate: &Candidate| match candidate.cosine {
        // With few candidates, the lowest may be near too.
        Some(cosine) => cosine - lowest.unwrap_or_default().min(NEARNESS_MIN),
        None => INSTEAD * share(candidate),
    };
    let length = |candidate: &Candidate| f64::from(candidate.length.min(LONG)).ln_1p();
    let shortest = candidates.iter().map(length).fold(f64::INFINITY, f64::min);
    let mut sessions: BTreeMap<i64, f64> = BTreeMap::new();
    let (mut next, mut questions) = (BTreeMap::new(), BTreeMap::new());
    for candidate in candidates {
        if let Some(session) = candidate.session.filter(|_| !candidate.is_no_answer) {
            let best = sessions.entry(session).or_default();
            *best = best.max(near(candidate));
        }
        next.extend(candidate.previous.map(|previous| (previous, share(candidate))));
        questions.extend(candidate.asks.then(|| (candidate.id, share(candidate))));
    }
    let named = named_speaker(asked.query, candidates.iter().filter_map(|c| c.speaker.as_deref()));
    let days = days(candidates, asked);
    let ranked = candidates.iter().zip(days).enumerate().map(|(at, (candidate, day))| {
        let near = near(candidate);
        // Outside of a conversation, its own cosine counts in place of the conversation's.
        let (alone, of_session) = match candidate.session.and_then(|session| sessions.get(&session)) {
            Some(best) => (0.0, *best),
            None => (near, 0.0),
        };
        let question = candidate.previous.and_then(|previous| questions.get(&previous)).copied();
        let speaks = named.is_some() && named == candidate.speaker.as_deref();
        let terms = Terms {
            words: recipe.words * covered * share(candidate).powi(3),
            meaning: recipe.meaning * near + recipe.session * alone,
            next: recipe.next * next.get(&candidate.id).copied().unwrap_or_default(),
            answer: recipe.answer * question.unwrap_or_default(),
            session: recipe.session * of_session,
            speaker: if speaks { recipe.speaker } else { 0.0 },
            day: recipe.day * day,
            length: recipe.length * (length(candidate) - shortest),
            ..terms(candidate, asked)
        };
        Ranked { at, terms }
    });
    ranked.collect()
}

/// Returns for each candidate the fraction of the query's terms that name its day: 0 for fewer than [`DAY_TERMS`], and if the
/// query names another month.
fn days(candidates: &[Candidate], asked: &Asked<'_>) -> Vec<f64> {
    let DateTerms { terms: query, months } = date_terms(asked.query);
    let mut known: BTreeMap<Date, f64> = BTreeMap::new();
    let mut named = |candidate: &Candidate| {
        let day = day_of(candidate, asked.zone);
        *known.entry(day).or_insert_with(|| {
            let words = tokenize::terms(&calendar::day_words(day));
            let count = query.iter().filter(|term| words.contains(term)).count();
            let is_other = !months.is_empty() && !months.iter().any(|month| words.contains(month));
            if count < DAY_TERMS || is_other { 0.0 } else { fraction(count, query.len()) }
        })
    };
    candidates.iter().map(&mut named).collect()
}

/// Returns the day of a candidate. Sections and files that only have a day are dated noon of that day, UTC.
fn day_of(candidate: &Candidate, zone: &TimeZone) -> Date {
    let day = calendar::day(candidate.said_at, &TimeZone::UTC);
    let is_of_file = matches!(candidate.form, Form::NOTES | Form::FILES);
    let noon = || day.at(12, 0, 0, 0).to_zoned(TimeZone::UTC).map(|noon| noon.timestamp());
    match is_of_file && noon().is_ok_and(|noon| noon == candidate.said_at) {
        true => day,
        false => calendar::day(candidate.said_at, zone),
    }
}

/// Returns the parts that do not depend on other candidates.
fn terms(candidate: &Candidate, asked: &Asked<'_>) -> Terms {
    let age = asked.now.duration_since(candidate.said_at).as_secs_f64().max(0.0) / SECONDS_A_DAY;
    let rules = || candidate.form.rules();
    Terms {
        bm25: candidate.words,
        cosine: candidate.cosine,
        words: 0.0,
        meaning: 0.0,
        next: 0.0,
        answer: 0.0,
        session: 0.0,
        speaker: 0.0,
        day: 0.0,
        length: 0.0,
        best: 0.0,
        sure: 0.0,
        relevance: 0.0,
        importance: candidate.importance.unwrap_or_else(|| rules().importance()),
        recency: (-age / RECENCY_DAYS).exp(),
        weights: asked.weights.get(&candidate.form).copied().unwrap_or_else(|| rules().weights()),
    }
}

#[cfg(test)]
mod tests;
