//! Ranking: what was found by words, in order.
//!
//! `score = w/max + 0.2·w(next)/max + 0.2·w(session)/max + 0.2·[speaker]`, where `w` is a candidate's BM25 score,
//! `max` the best one's, `w(next)` the score of the turn after it in its conversation, `w(session)` the best one of
//! its conversation, and `[speaker]` 1 where the question names exactly one speaker and this is that speaker's
//! turn. The scores are then brought to 0…1 by dividing them by the best one. The terms and the range of their
//! weights were found on conversations of many sessions, and carried over to others unchanged.

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::MemoryId;
use crate::recall::tokenize;

/// How many candidates are ranked, at least: those that words found best.
pub const CANDIDATES: usize = 100;

/// How much the score of the next turn counts: an answer is often found by what was said to it.
const NEXT: f64 = 0.2;
/// How much the best score of its conversation counts: a session is about something.
const SESSION: f64 = 0.2;
/// How much it counts that a question names who spoke.
const SPEAKER: f64 = 0.2;

/// A memory that was found by words.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The memory.
    pub id: MemoryId,
    /// Its BM25 score; greater is better, and above 0.
    pub words: f64,
    /// The message before it in its conversation.
    pub previous: Option<MemoryId>,
    /// Its conversation.
    pub session: Option<String>,
    /// The name of who said it; a role is no name.
    pub speaker: Option<String>,
}

/// Gives each candidate's place in `candidates` with its score from 0 to 1, best first. Where scores are equal the
/// newer memory comes first.
#[must_use]
pub fn rank(query: &str, candidates: &[Candidate]) -> Vec<(usize, f64)> {
    let best = candidates.iter().map(|c| c.words).fold(f64::MIN_POSITIVE, f64::max);
    let mut sessions: BTreeMap<&str, f64> = BTreeMap::new();
    let mut next: BTreeMap<MemoryId, f64> = BTreeMap::new();
    for candidate in candidates {
        if let Some(session) = candidate.session.as_deref() {
            let score = sessions.entry(session).or_default();
            *score = score.max(candidate.words);
        }
        next.extend(candidate.previous.map(|previous| (previous, candidate.words)));
    }
    let named = named_speaker(query, candidates);
    let score = |candidate: &Candidate| {
        let of_next = next.get(&candidate.id).copied().unwrap_or_default();
        let of_session =
            candidate.session.as_deref().and_then(|s| sessions.get(s)).copied().unwrap_or_default();
        let speaks = named.is_some() && named == candidate.speaker.as_deref();
        (candidate.words + NEXT * of_next + SESSION * of_session) / best + if speaks { SPEAKER } else { 0.0 }
    };
    let mut ranked: Vec<(usize, f64)> = candidates.iter().map(score).enumerate().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| candidates[b.0].id.cmp(&candidates[a.0].id)));
    let top = ranked.first().map_or(1.0, |(_, score)| score.max(f64::MIN_POSITIVE));
    for (_, score) in &mut ranked {
        *score /= top;
    }
    ranked
}

/// The one speaker that a question names; `None` where it names none, or several.
fn named_speaker<'a>(query: &str, candidates: &'a [Candidate]) -> Option<&'a str> {
    let words: BTreeSet<String> = tokenize::terms(query).into_iter().collect();
    let speakers: BTreeSet<&str> = candidates.iter().filter_map(|c| c.speaker.as_deref()).collect();
    let mut named = speakers.into_iter().filter(|speaker| {
        let name = tokenize::terms(speaker);
        !name.is_empty() && name.iter().all(|term| words.contains(term))
    });
    named.next().filter(|_| named.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(entry: u64, words: f64, previous: Option<u64>, session: &str, speaker: &str) -> Candidate {
        Candidate {
            id: MemoryId::new(entry, 0),
            words,
            previous: previous.map(|entry| MemoryId::new(entry, 0)),
            session: Some(session.to_owned()),
            speaker: Some(speaker.to_owned()),
        }
    }

    fn order(query: &str, candidates: &[Candidate]) -> Vec<u64> {
        rank(query, candidates).iter().map(|(n, _)| candidates[*n].id.entry()).collect()
    }

    #[test]
    fn the_turn_before_a_good_one_rises() {
        let candidates = [
            candidate(1, 5.0, None, "a", "Ana"),
            candidate(2, 5.0, Some(1), "a", "Ben"),
            candidate(9, 5.0, None, "a", "Ana"),
        ];
        assert_eq!(order("where?", &candidates), [1, 9, 2]);
    }

    #[test]
    fn a_named_speaker_s_turns_rise_and_two_names_are_none() {
        let candidates = [candidate(1, 5.0, None, "a", "Ana"), candidate(2, 5.1, None, "b", "Ben")];
        assert_eq!(order("what did Ana say?", &candidates), [1, 2]);
        assert_eq!(order("what did Ana say to Ben?", &candidates), [2, 1]);
        assert_eq!(order("what was said?", &candidates), [2, 1]);
    }

    #[test]
    fn scores_are_between_0_and_1_and_fall() {
        let candidates: Vec<_> =
            (1..50).map(|n| candidate(n, 1.0 / n as f64, Some(n / 2), "a", "Ana")).collect();
        let ranked = rank("Ana", &candidates);
        assert!((ranked[0].1 - 1.0).abs() < f64::EPSILON);
        assert!(ranked.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert!(ranked.iter().all(|(_, score)| (0.0..=1.0).contains(score)));
        assert!(rank("", &[]).is_empty());
    }
}
