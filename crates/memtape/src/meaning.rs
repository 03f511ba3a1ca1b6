//! Computes the vectors of memories ([`crate::model`] runs the model).
//!
//! A vector is a cache entry: it is computed after a write was acknowledged, never before. Memories get
//! theirs soon ([`Workspace::embed_pending`]), and so do messages if the model is loaded anyway; otherwise they
//! wait for [`Workspace::make_vectors`]. A memory without a vector is found by its words.

use memtape_core::{Audience, Session};
use memtape_index::PendingVectors;
use memtape_index::vectors::Kept;
use memtape_store::Warning;

use crate::config::Backend;
use crate::error::{Error, Result};
use crate::model::vectors;
use crate::workspace::{At, Workspace};

/// Number of texts embedded before their vectors are stored: few enough to lose little on an interruption.
const BATCH: usize = 64;
/// Maximum number of memories that a recall embeds before it answers.
const KNOWN_BEFORE_RECALL: usize = 32;
/// Maximum number of memories embedded after a write: enough for most writes, and never a backlog.
const KNOWN_AFTER_WRITE: usize = 16;
/// Maximum number of messages embedded after a write, by a process that has loaded the model: those of a few turns.
const MESSAGES_AFTER_WRITE: usize = 8;

impl Workspace {
    /// Embeds pending memories, oldest first, and returns how many were processed.
    ///
    /// Programs call it after a write was acknowledged. It processes at most 16 memories, so that no caller
    /// waits for a backlog, and at most 8 messages if the model is loaded, which takes longer than they do. The
    /// rest is left to later writes, to [`Workspace::recall`], which processes up to 32 memories before it
    /// answers, and to [`Workspace::make_vectors`]. With the backend [`Backend::SqliteFts`] it does nothing.
    ///
    /// # Errors
    /// [`Error::Model`] if the model cannot be loaded or run, or if another process embeds with another
    /// model; [`Error::Store`] if the index cannot be read or written.
    pub fn embed_pending(&self) -> Result<u64> {
        self.embed_few(false)
    }

    /// As [`Workspace::embed_pending`], but loads the model for messages too: for a server that is idle, until it
    /// returns 0.
    ///
    /// # Errors
    /// See [`Workspace::embed_pending`].
    pub fn embed_idle(&self) -> Result<u64> {
        self.embed_few(true)
    }

    fn embed_few(&self, loads: bool) -> Result<u64> {
        if self.config.recall.backend == Backend::SqliteFts {
            return Ok(0);
        }
        let known = self.make(true, KNOWN_AFTER_WRITE, &mut |_| {})?;
        let messages = if loads || self.meaning.is_loaded() { MESSAGES_AFTER_WRITE } else { 0 };
        Ok(known + self.make(false, messages, &mut |_| {})?)
    }

    /// Computes every missing vector, those of memories before those of messages, and returns their number.
    ///
    /// `progress` is called after each batch with the number of vectors computed so far and the total. An
    /// interrupted run is continued by the next call.
    ///
    /// # Errors
    /// See [`Workspace::embed_pending`].
    pub fn make_vectors(&self, mut progress: impl FnMut(u64, u64)) -> Result<u64> {
        let PendingVectors { known, messages } = self.waiting(&At::head())?;
        let all = known + messages;
        // Memories of other branches are embedded too but are not counted, so the total can be too low.
        let mut progress = |made: u64| progress(made, all.max(made));
        let known = self.make(true, usize::MAX, &mut progress)?;
        Ok(known + self.make(false, usize::MAX, &mut |made| progress(known + made))?)
    }

    /// Returns how many memories and messages have no vector yet.
    ///
    /// # Errors
    /// [`Error::Model`] if the model cannot be loaded; [`Error::Store`] if `at` does not exist or the index
    /// cannot be read.
    pub fn waiting(&self, at: &At) -> Result<PendingVectors> {
        let model = self.meaning.model()?;
        self.read(at, &Audience::owner(), &Session::direct(), |reader, point| reader.waiting(&model, point))
    }

    /// Embeds the memories that a question should not miss.
    pub(crate) fn embed_before_recall(&self) -> Result<u64> {
        self.make(true, KNOWN_BEFORE_RECALL, &mut |_| {})
    }

    fn make(&self, known: bool, at_most: usize, progress: &mut dyn FnMut(u64)) -> Result<u64> {
        let model = self.meaning.model()?;
        let mut made = 0_usize;
        while made < at_most {
            let limit = BATCH.min(at_most - made);
            let _embedding = self.meaning.embedding();
            let batch = self.store.read(|reader| reader.next_waiting(&model, known, limit))?;
            if batch.memories.is_empty() {
                break;
            }
            let texts: Vec<String> =
                batch.memories.iter().map(|memory| memory.form.rules().meaning(memory)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let embedder = self.meaning.load(texts.len()).map_err(Error::Model)?;
            let (vectors, failed) = vectors(&embedder, &texts)?;
            if let Some(why) = failed {
                let memories = vectors.iter().filter(|vector| vector.is_none()).count();
                self.store.note(Warning::NoVector { memories, why });
            }
            match self.store.keep_vectors(&model, &batch, &vectors)? {
                Kept::Stored => {}
                Kept::Outdated => continue,
                // Two processes that each drop the other's vectors would never finish.
                Kept::OtherModel => {
                    let why = "another process is computing vectors of another model";
                    return Err(Error::Model(why.into()));
                }
            }
            made += batch.memories.len();
            progress(made as u64);
        }
        Ok(made as u64)
    }
}
