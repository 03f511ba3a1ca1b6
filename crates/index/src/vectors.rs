//! The meaning of memories as vectors: storing them, and finding the nearest ones.
//!
//! A vector is a cache of a model's output for a memory's text. It may be missing, and the vectors of another
//! model are dropped. Vectors are stored by scope in blocks of [`BLOCK`], so that a scope is scanned at
//! reading speed. Vectors that do not fill a block yet are stored one by one.
//!
//! **Invariants.** Ids increase within a block. Memories other than messages (see
//! [`memtape_core::Form::is_known`]) get their vectors first, messages after them, each class in the order of
//! creation and without a gap: two numbers record the progress.

use std::collections::BTreeSet;

use memtape_core::recall::vector::{self, Rows, Vector};
use memtape_core::{Form, Memory, MemoryId, Point};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::error::Result;
use crate::index::Index;
use crate::reader::Reader;
use crate::visibility::{known, of_form, visible_at};

/// Number of vectors in a block.
const BLOCK: usize = 256;

/// The embedding model that made the vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The name of the model.
    pub name: String,
    /// The digest that identifies the model.
    pub digest: String,
    /// Number of components of a vector.
    pub dimensions: usize,
}

/// The number of memories whose vectors are pending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PendingVectors {
    /// Memories other than messages: lines, notes, statements and others.
    pub known: u64,
    /// Messages.
    pub messages: u64,
}

/// The next memories to get a vector: either messages or other memories.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The last memory of the same class that had a vector when the batch was read; 0 if none had.
    pub after: u64,
    /// The memories, in the order of their creation.
    pub memories: Vec<Memory>,
}

/// The result of storing the vectors of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// They are stored.
    Stored,
    /// Nothing was stored, because the index was made anew since the batch was read: read it again.
    Outdated,
    /// Nothing was stored, because vectors of another model were stored since the batch was read.
    OtherModel,
}

/// The progress: the last memory with a vector, among memories other than messages and among messages.
#[derive(Clone, Copy, Debug, Default)]
struct Made {
    known: u64,
    messages: u64,
}

/// Returns the SQL source of a class of memories `m`, and the condition that defines the class.
fn of_class(is_known: bool) -> (&'static str, String) {
    match is_known {
        true => ("memories m INDEXED BY m_known", known("m")),
        false => ("memories m", of_form("m", Form::MESSAGES)),
    }
}

impl Reader<'_> {
    /// Returns how many visible memories have no vector of this model yet.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn waiting(&self, model: &Model, point: &Point) -> Result<PendingVectors> {
        let made = made(self.conn, model)?.unwrap_or_default();
        let count = |known: bool, from: u64| -> Result<u64> {
            let (memories, class) = of_class(known);
            let visible = visible_at(self.conn, point)?;
            let sql = format!("SELECT count(*) FROM {memories} WHERE {class} AND m.id > ?1 AND {visible}");
            Ok(self.conn.prepare(&sql)?.query_row([from], |row| row.get(0))?)
        };
        Ok(PendingVectors { known: count(true, made.known)?, messages: count(false, made.messages)? })
    }

    /// Returns whether any memory other than a message has no vector of this model yet.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn is_known_waiting(&self, model: &Model) -> Result<bool> {
        let made = made(self.conn, model)?.unwrap_or_default();
        let (memories, class) = of_class(true);
        let sql = format!("SELECT 1 FROM {memories} WHERE {class} AND m.id > ?1");
        Ok(self.conn.prepare_cached(&sql)?.exists([made.known])?)
    }

    /// Returns the next memories to get a vector of this model, at most `limit`: messages, or other memories
    /// if `known`.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn next_waiting(&self, model: &Model, known: bool, limit: usize) -> Result<Batch> {
        let made = made(self.conn, model)?.unwrap_or_default();
        let after = made.of(known);
        let (memories, class) = of_class(known);
        let sql = format!("SELECT m.id FROM {memories} WHERE {class} AND m.id > ?1 ORDER BY m.id LIMIT ?2");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let ids = statement.query_map(params![after, limit], |row| row.get(0))?;
        let ids: Vec<u64> = ids.collect::<Result<_, _>>()?;
        let memories = self.by_ids(ids.into_iter().map(MemoryId::from_number))?;
        Ok(Batch { after, memories })
    }
}

impl Made {
    fn of(self, known: bool) -> u64 {
        if known { self.known } else { self.messages }
    }
}

/// Returns the progress of a model; `None` if the index contains none of its vectors.
fn made(conn: &Connection, model: &Model) -> Result<Option<Made>> {
    Ok(conn
        .prepare_cached("SELECT known, messages FROM model WHERE digest = ?1 AND dimensions = ?2")?
        .query_row(params![model.digest, model.dimensions], |row| {
            Ok(Made { known: row.get(0)?, messages: row.get(1)? })
        })
        .optional()?)
}

/// Returns whether the index contains vectors, of whatever model.
fn has_model(conn: &Connection) -> Result<bool> {
    Ok(conn.prepare_cached("SELECT 1 FROM model")?.exists([])?)
}

/// Stores the vectors of a batch: one for each of its memories, or `None` for a memory that gets none. The
/// vectors of another model are dropped first.
///
/// Nothing is stored if the vectors before the batch were dropped in the meantime: storing these would leave a gap. Nor is
/// anything if the index was replaced by one with other texts.
///
/// # Errors
/// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
pub fn keep(index: &Index, model: &Model, batch: &Batch, vectors: &[Option<Vector>]) -> Result<Kept> {
    let transaction = index.begin_write()?;
    let conn = &index.conn;
    let (before, dropped) = match made(conn, model)? {
        Some(made) => (made, Kept::Outdated),
        None if has_model(conn)? => (begin(conn, model)?, Kept::OtherModel),
        None => (begin(conn, model)?, Kept::Outdated),
    };
    let known = batch.memories.first().is_some_and(|memory| memory.form.is_known());
    if before.of(known) < batch.after {
        return Ok(dropped);
    }
    let mut last = before.of(known);
    let mut insert = conn.prepare_cached(
        "INSERT INTO vectors SELECT scope, id, ?2, ?3 FROM memories WHERE id = ?1 RETURNING scope",
    )?;
    let mut scopes = BTreeSet::new();
    // Another process may have stored some of them already.
    let missing = |(memory, _): &(&Memory, &Option<Vector>)| memory.id.number() > before.of(known);
    // After an erasure, a new index has other texts, or none yet.
    let mut is_same = conn.prepare_cached("SELECT text = ?2 AND data IS ?3 FROM memories WHERE id = ?1")?;
    for (memory, vector) in batch.memories.iter().zip(vectors).filter(missing) {
        last = memory.id.number();
        let known = params![last, memory.text, memory.data];
        if is_same.query_row(known, |row| row.get(0)).optional()? != Some(true) {
            return Ok(Kept::Outdated);
        }
        let Some(vector) = vector else { continue };
        let (mut values, mut scale) = (Vec::with_capacity(model.dimensions), Vec::with_capacity(4));
        vector::push(vector, &mut values, &mut scale);
        let scope: Option<i64> =
            insert.query_row(params![last, scale, values], |row| row.get(0)).optional()?;
        scopes.extend(scope);
    }
    let column = if known { "known" } else { "messages" };
    conn.prepare_cached(&format!("UPDATE model SET {column} = ?1"))?.execute([last])?;
    for scope in scopes {
        pack(conn, scope)?;
    }
    transaction.commit()?;
    Ok(Kept::Stored)
}

/// Drops every vector, and records the new model.
fn begin(conn: &Connection, model: &Model) -> Result<Made> {
    conn.execute_batch("DELETE FROM vectors; DELETE FROM vector_blocks; DELETE FROM model")?;
    conn.prepare_cached("INSERT INTO model VALUES (1, ?1, ?2, ?3, 0, 0)")?.execute(params![
        model.name,
        model.digest,
        model.dimensions
    ])?;
    Ok(Made::default())
}

/// Moves the single vectors of a scope into blocks, as long as there are enough for one.
fn pack(conn: &Connection, scope: i64) -> Result<()> {
    let mut count = conn.prepare_cached("SELECT count(*) FROM vectors WHERE scope = ?1")?;
    let count: usize = count.query_row([scope], |row| row.get(0))?;
    for _ in 0..count / BLOCK {
        let loose = loose(conn, scope, BLOCK)?;
        conn.prepare_cached(
            "INSERT INTO vector_blocks(scope, memories, scales, data) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![scope, bytes(&loose.ids), loose.scales, loose.values])?;
        conn.prepare_cached("DELETE FROM vectors WHERE scope = ?1 AND memory <= ?2")?
            .execute(params![scope, loose.ids.last()])?;
    }
    Ok(())
}

/// Vectors of one scope, and the memories to which they belong.
#[derive(Default)]
struct Block {
    ids: Vec<u64>,
    scales: Vec<u8>,
    values: Vec<u8>,
}

/// Returns the first vectors of a scope that are not in a block.
fn loose(conn: &Connection, scope: i64, limit: usize) -> Result<Block> {
    let mut block = Block::default();
    let mut statement = conn.prepare_cached(
        "SELECT memory, scale, data FROM vectors WHERE scope = ?1 ORDER BY memory LIMIT ?2",
    )?;
    let mut rows = statement.query(params![scope, limit])?;
    while let Some(row) = rows.next()? {
        block.ids.push(row.get(0)?);
        block.scales.extend_from_slice(blob(row, 1)?);
        block.values.extend_from_slice(blob(row, 2)?);
    }
    Ok(block)
}

fn blob<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<&'r [u8]> {
    Ok(row.get_ref(column)?.as_blob()?)
}

fn bytes(ids: &[u64]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.to_le_bytes()).collect()
}

/// The similarity of each memory of some scopes to a query.
#[derive(Default)]
pub(crate) struct Nearness {
    ids: Vec<u64>,
    cosines: Vec<f32>,
    /// The end of each run of increasing ids.
    ends: Vec<usize>,
}

impl Nearness {
    /// Compares every vector of the scopes (of all scopes, if `None`) with that of a query.
    pub(crate) fn scan(
        conn: &Connection,
        model: &Model,
        question: &Vector,
        scopes: Option<&[i64]>,
    ) -> Result<Self> {
        let mut near = Self::default();
        if made(conn, model)?.is_none() {
            return Ok(near);
        }
        let all: Vec<i64>;
        let scopes = match scopes {
            Some(scopes) => scopes,
            None => {
                let mut statement = conn.prepare_cached("SELECT id FROM scopes ORDER BY id")?;
                all = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
                &all
            }
        };
        let mut blocks = conn.prepare_cached(
            "SELECT memories, scales, data FROM vector_blocks WHERE scope = ?1 ORDER BY id",
        )?;
        for scope in scopes {
            let mut rows = blocks.query([scope])?;
            while let Some(row) = rows.next()? {
                let (ids, scales) = (blob(row, 0)?, blob(row, 1)?);
                near.add(
                    ids.as_chunks().0.iter().map(|id| u64::from_le_bytes(*id)),
                    model,
                    question,
                    scales,
                    blob(row, 2)?,
                );
            }
            let loose = loose(conn, *scope, usize::MAX >> 1)?;
            near.add(loose.ids.into_iter(), model, question, &loose.scales, &loose.values);
        }
        Ok(near)
    }

    fn add(
        &mut self,
        ids: impl Iterator<Item = u64>,
        model: &Model,
        question: &Vector,
        scales: &[u8],
        values: &[u8],
    ) {
        // A damaged block is ignored: its memories are still found by their words.
        let Some(rows) = Rows::new(model.dimensions, values, scales) else { return };
        self.ids.extend(ids.take(rows.len()));
        rows.cosines(question, &mut self.cosines);
        self.cosines.truncate(self.ids.len());
        self.ends.push(self.ids.len());
    }

    /// Returns the memories before `end` and their similarity, nearest first.
    pub(crate) fn nearest(&self, end: MemoryId) -> impl Iterator<Item = (u64, f32)> + use<> {
        let mut heap: std::collections::BinaryHeap<Near> = self
            .ids
            .iter()
            .zip(&self.cosines)
            .filter(|(id, _)| **id < end.number())
            .map(|(id, cosine)| Near { cosine: *cosine, id: *id })
            .collect();
        std::iter::from_fn(move || heap.pop().map(|near| (near.id, near.cosine)))
    }

    /// Returns the similarity of one memory; `None` if it has no vector.
    pub(crate) fn of(&self, id: MemoryId) -> Option<f32> {
        let mut start = 0;
        for &end in &self.ends {
            let run = &self.ids[start..end];
            if run.first() <= Some(&id.number())
                && Some(&id.number()) <= run.last()
                && let Ok(at) = run.binary_search(&id.number())
            {
                return Some(self.cosines[start + at]);
            }
            start = end;
        }
        None
    }
}

/// A memory ordered by its similarity; of two equally similar ones, the newer one comes first.
#[derive(PartialEq)]
struct Near {
    cosine: f32,
    id: u64,
}

impl Eq for Near {}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.cosine.total_cmp(&other.cosine).then(self.id.cmp(&other.id))
    }
}

#[cfg(test)]
mod tests {
    use memtape_core::Form;

    /// The index `m_known` and the conditions of this module state this in SQL.
    #[test]
    fn every_form_but_messages_is_known() {
        let others: Vec<Form> = Form::all().filter(|form| !form.is_known()).collect();
        assert_eq!(others, [Form::MESSAGES]);
    }
}
