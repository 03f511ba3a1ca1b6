//! Ranks memories by words, within the scopes of an audience.
//!
//! FTS5's own `bm25` uses the number and length of memories in the whole table: messages in one chat would change the
//! scores in another. This module uses the same formula with the numbers of the searched scopes (`scope_words`).
//!
//! **Invariant.** Memories in other scopes change no score.

use std::collections::BinaryHeap;
use std::ops::Range;

use rusqlite::{CachedStatement, Connection, OptionalExtension as _};

use crate::error::Result;
use crate::words::scope_suffix;

/// The weights of a hit in a memory's own words, in the preceding message, and in its day. They were measured
/// on conversations.
pub(crate) const WEIGHTS: [(&str, f64); 3] = [("self", 1.0), ("prev", 0.4), ("day", 0.8)];
/// FTS5's constants.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// The weight of a term that most memories contain, as in FTS5.
const COMMON: f64 = 1e-6;

/// One term in one memory.
struct Hit {
    memory: u64,
    term: usize,
    /// The number of occurrences, each one weighted by its column.
    frequency: f64,
}

/// The memories that contain any of some terms, best first.
///
/// Scores need the lengths of memories, and to read them takes longer than everything else. A memory has the score of
/// an empty one as its limit, so its length is read only once it may be the next: most memories contain only a
/// common term, and are never read.
pub(crate) struct Ranked<'c> {
    hits: Vec<Hit>,
    /// The weight of each term.
    idf: Vec<f64>,
    /// The mean length of a memory, in terms.
    mean: f64,
    /// The bits of a score, which are ordered like positive numbers; whether it is only a limit, which goes before an equal
    /// score; the memory, of equal ones the newer first; its first hit, and the one after its last.
    waiting: BinaryHeap<(u64, bool, u64, usize, usize)>,
    sizes: CachedStatement<'c>,
}

impl Ranked<'_> {
    /// Returns the next memory and its score; `None` if there are no more.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, f64)>> {
        while let Some((bits, is_limit, memory, from, to)) = self.waiting.pop() {
            if !is_limit {
                return Ok(Some((memory, f64::from_bits(bits))));
            }
            let sizes: Option<Vec<u8>> = self.sizes.query_row([memory], |row| row.get(0)).optional()?;
            let length = sizes.map_or(0, |sizes| varints(&sizes).fold(0, u32::saturating_add));
            let score = self.score(from..to, length);
            self.waiting.push((score.to_bits(), false, memory, from, to));
        }
        Ok(None)
    }

    /// Returns the score of a memory of a length, with its hits.
    fn score(&self, hits: Range<usize>, length: u32) -> f64 {
        let relative = f64::from(length) / self.mean;
        let of_hit = |hit: &Hit| {
            self.idf[hit.term] * hit.frequency * (K1 + 1.0) / (hit.frequency + K1 * (1.0 - B + B * relative))
        };
        self.hits[hits].iter().map(of_hit).sum()
    }
}

/// Ranks the memories before `end` that contain any of some terms in some scopes.
pub(crate) fn ranked<'c>(
    conn: &'c Connection,
    scopes: &[i64],
    terms: &[String],
    end: u64,
) -> Result<Ranked<'c>> {
    let (count, total) = sizes(conn, scopes)?;
    let (mut hits, mut idf) = (Vec::new(), Vec::with_capacity(terms.len()));
    for (n, term) in terms.iter().enumerate() {
        let holding = collect(conn, scopes, n, term, &mut hits)?;
        let weight = ((count - holding + 0.5) / (holding + 0.5)).ln();
        idf.push(if weight > 0.0 { weight } else { COMMON });
    }
    hits.retain(|hit| hit.memory < end);
    hits.sort_by_key(|hit| (hit.memory, hit.term));
    let sizes = conn.prepare_cached("SELECT sz FROM memories_fts_docsize WHERE id = ?1")?;
    let mean = total / f64::max(count, 1.0);
    let mut ranked = Ranked { hits, idf, mean, waiting: BinaryHeap::new(), sizes };
    let (mut waiting, mut from) = (Vec::new(), 0);
    for of_memory in ranked.hits.chunk_by(|a, b| a.memory == b.memory) {
        let to = from + of_memory.len();
        waiting.push((ranked.score(from..to, 0).to_bits(), true, of_memory[0].memory, from, to));
        from = to;
    }
    ranked.waiting = waiting.into();
    Ok(ranked)
}

/// Returns how many memories some scopes contain, and how many terms these have.
fn sizes(conn: &Connection, scopes: &[i64]) -> Result<(f64, f64)> {
    let mut of = conn.prepare_cached("SELECT memories, terms FROM scope_words WHERE scope = ?1")?;
    let (mut count, mut total) = (0.0, 0.0);
    for scope in scopes {
        let size = of.query_row([scope], |row| Ok((row.get::<_, f64>(0)?, row.get::<_, f64>(1)?)));
        let (memories, terms) = size.optional()?.unwrap_or_default();
        count += memories;
        total += terms;
    }
    Ok((count, f64::max(total, 1.0)))
}

/// Adds the memories that contain a term to `hits`, and returns their number.
fn collect(conn: &Connection, scopes: &[i64], n: usize, term: &str, hits: &mut Vec<Hit>) -> Result<f64> {
    let mut occurrences = conn.prepare_cached("SELECT doc, col FROM memories_fts_terms WHERE term = ?1")?;
    let mut holding = 0.0;
    for scope in scopes {
        let mut rows = occurrences.query([format!("{term}{}", scope_suffix(*scope))])?;
        while let Some(row) = rows.next()? {
            let memory = row.get(0)?;
            let column = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            let weight = WEIGHTS.iter().find(|(name, _)| *name == column).map_or(0.0, |(_, weight)| *weight);
            match hits.last_mut() {
                Some(last) if last.memory == memory && last.term == n => last.frequency += weight,
                _ => {
                    holding += 1.0;
                    hits.push(Hit { memory, term: n, frequency: weight });
                }
            }
        }
    }
    Ok(holding)
}

/// Returns the number of a memory's own terms, from the sizes of its columns in FTS5's table.
pub(crate) fn own_length(sizes: &[u8]) -> u32 {
    varints(sizes).next().unwrap_or_default()
}

/// Returns integers in SQLite's encoding: seven bits per byte, most significant bits first.
fn varints(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let mut value = 0_u32;
    bytes.iter().filter_map(move |byte| {
        value = value << 7 | u32::from(byte & 0x7F);
        (byte & 0x80 == 0).then(|| std::mem::take(&mut value))
    })
}

#[cfg(test)]
mod tests {
    use memtape_core::Sensitivity;

    use super::*;
    use crate::schema::TABLES;
    use crate::words::{Columns, Terms, add};

    /// Texts of many lengths, in which a few words are common.
    fn filled() -> Connection {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(TABLES).unwrap();
        for id in 1..=400_u64 {
            let words = (0..=id * 7 % 23).map(|n| format!("word{}", (id * 31 + n * n) % (3 + id % 17)));
            let own = Terms::of(&words.collect::<Vec<_>>().join(" "));
            let columns = Columns { own: &own, previous: None, day: None };
            add(&conn, id, 1, Sensitivity::Normal, &columns).unwrap();
        }
        conn
    }

    #[test]
    fn memories_come_best_first_and_of_equal_ones_the_newer() {
        let conn = filled();
        let terms = ["word1", "word2", "word13"].map(str::to_owned);
        let mut ranked = ranked(&conn, &[1], &terms, u64::MAX >> 1).unwrap();
        let expected = ranked.waiting.len();
        let all: Vec<_> = std::iter::from_fn(|| ranked.next().unwrap()).collect();
        assert!(expected > 100 && all.len() == expected);
        for pair in all.windows(2) {
            let [(newer, better), (older, worse)] = pair else { unreachable!() };
            assert!(better > worse || better == worse && newer > older, "{pair:?}");
        }
    }

    #[test]
    fn the_lengths_of_most_memories_are_not_read() {
        let conn = filled();
        let terms = ["word1", "word16"].map(str::to_owned);
        let mut ranked = ranked(&conn, &[1], &terms, u64::MAX >> 1).unwrap();
        ranked.next().unwrap();
        let is_limit = ranked.waiting.iter().filter(|(_, is_limit, ..)| *is_limit).count();
        assert!(is_limit > ranked.waiting.len() / 2, "{is_limit} of {}", ranked.waiting.len());
    }
}
