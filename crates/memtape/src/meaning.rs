//! When vectors are made of memories ([`crate::model`] makes them).
//!
//! A vector is a cache, made after a write was acknowledged and never before: what is known gets it soon
//! ([`Workspace::embed_pending`]), messages when there is time ([`Workspace::make_vectors`]). Without one a memory is found by
//! its words.

use memtape_core::{Session, forms};
use memtape_embed::Loading;
use memtape_store::{Notice, Waiting};

use crate::config::Backend;
use crate::error::{Error, Result};
use crate::model::vectors;
use crate::workspace::{At, Workspace};

/// How many texts are made into vectors before they are kept: few enough to lose little when interrupted.
const BATCH: usize = 64;
/// How many known memories a recall makes vectors of before it answers.
const KNOWN_BEFORE_RECALL: usize = 32;
/// How many known memories a command makes vectors of after a write: those of most writes, and never a backlog.
const KNOWN_AFTER_WRITE: usize = 16;
impl Workspace {
    /// Makes vectors of memories that wait for one, oldest first: what a program does after a write was acknowledged.
    /// Messages are left to [`Workspace::make_vectors`]. Returns how many memories were seen to: at most 16, so that
    /// nobody waits for a backlog. The rest is left to later writes, to [`Workspace::recall`], which sees to 32 before it
    /// answers, and to [`Workspace::make_vectors`].
    ///
    /// # Errors
    /// What the medium says, or that the model cannot be run.
    pub fn embed_pending(&self) -> Result<u64> {
        if self.config.recall.backend == Backend::SqliteFts {
            return Ok(0);
        }
        self.make(true, KNOWN_AFTER_WRITE, &mut |_| {})
    }

    /// Makes every vector that is missing, of what is known first; tells `progress` now and then how many were made, and
    /// how many there are to be made. Interrupted, it goes on the next time where it was.
    ///
    /// # Errors
    /// What the medium says, or that the model cannot be run.
    pub fn make_vectors(&self, mut progress: impl FnMut(u64, u64)) -> Result<u64> {
        let Waiting { known, messages } = self.waiting(&At::head())?;
        let all = known + messages;
        // What stands on other branches has vectors, too, and is not counted.
        let mut progress = |made: u64| progress(made, all.max(made));
        let known = self.make(true, usize::MAX, &mut progress)?;
        Ok(known + self.make(false, usize::MAX, &mut |made| progress(known + made))?)
    }

    /// How many memories wait for their vectors.
    ///
    /// # Errors
    /// What the medium says, or that the model cannot be read.
    pub fn waiting(&self, at: &At) -> Result<Waiting> {
        let model = self.meaning.model()?;
        self.read(at, &Session::direct(), |reader, point| reader.waiting(&model, point))
    }

    /// Makes the vectors of known memories that a question should not miss.
    pub(crate) fn make_known_before_recall(&self) -> Result<u64> {
        self.make(true, KNOWN_BEFORE_RECALL, &mut |_| {})
    }

    fn make(&self, known: bool, at_most: usize, progress: &mut dyn FnMut(u64)) -> Result<u64> {
        let model = self.meaning.model()?;
        let mut made = 0_usize;
        let mut for_many = None;
        while made < at_most {
            let limit = BATCH.min(at_most - made);
            let batch = self.store.read(|reader| reader.next_waiting(&model, known, limit))?;
            if batch.memories.is_empty() {
                break;
            }
            let texts: Vec<String> = batch.memories.iter().map(forms::meaning).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let embedder = match &for_many {
                Some(embedder) => embedder,
                None if texts.len() < BATCH => self.meaning.load().map_err(Error::Model)?,
                None => for_many
                    .insert(self.meaning.loaded(Loading::ForMany).map_err(|e| Error::Model(e.to_string()))?),
            };
            let (vectors, failed) = vectors(embedder, &texts)?;
            if let Some(why) = failed {
                let memories = vectors.iter().filter(|vector| vector.is_none()).count();
                self.store.note(Notice::NoVector { memories, why });
            }
            if !self.store.keep_vectors(&model, &batch, &vectors)? {
                // Two who drop each other's would never end.
                return Err(Error::Model("another process makes vectors of another model".into()));
            }
            made += batch.memories.len();
            progress(made as u64);
        }
        Ok(made as u64)
    }
}
