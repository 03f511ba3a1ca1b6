//! What memories mean: the model that makes vectors of their texts, loaded when it is first needed.
//!
//! A vector is a cache, made after a write was acknowledged and never before: what is known gets it soon
//! ([`Workspace::embed_pending`]), messages when there is time ([`Workspace::make_vectors`]). Without one a memory is found by
//! its words.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use memtape_core::recall::vector::Vector;
use memtape_core::{Session, forms};
use memtape_embed::{Embedder, Identity, Loading};
use memtape_store::{Model, Notice, Waiting};

use crate::config::Backend;
use crate::error::{Error, Result};
use crate::workspace::{At, Workspace};

/// How many texts are made into vectors before they are kept: few enough to lose little when interrupted.
const BATCH: usize = 64;
/// How many known memories a recall makes vectors of before it answers.
const KNOWN_BEFORE_RECALL: usize = 32;
/// How many known memories a command makes vectors of after a write: those of most writes, and never a backlog.
const KNOWN_AFTER_WRITE: usize = 16;
/// What any model that works can be run on.
const PROBE: &str = "a text";

/// The model of a workspace, loaded when it is first needed.
pub(crate) struct Meaning {
    /// A folder of one's own; the model that is inside the program without.
    folder: Option<PathBuf>,
    identity: OnceLock<Result<Identity, String>>,
    embedder: OnceLock<Result<Embedder, String>>,
    /// The last question and its vector: a turn asks the same more than once.
    last: Mutex<Option<(String, Vector)>>,
}

impl Meaning {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, identity: OnceLock::new(), embedder: OnceLock::new(), last: Mutex::default() }
    }

    /// Which model it is, without loading it.
    pub(crate) fn model(&self) -> Result<Model> {
        let identity = self.identity.get_or_init(|| match &self.folder {
            None => Ok(memtape_embed::built_in_identity()),
            Some(_) => self.load().map(|embedder| embedder.identity().clone()),
        });
        let Identity { name, digest, dimensions } =
            identity.as_ref().map_err(|e| Error::Model(e.clone()))?.clone();
        Ok(Model { name, digest, dimensions })
    }

    /// Does something, and loads the model meanwhile, where it is not loaded yet: on a process's first question both
    /// take about as long.
    pub(crate) fn loading<T>(&self, act: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            if self.embedder.get().is_none() {
                // What is wrong with it, the question is told that needs it.
                scope.spawn(|| self.load().is_ok());
            }
            act()
        })
    }

    fn load(&self) -> Result<&Embedder, String> {
        let embedder = self.embedder.get_or_init(|| self.loaded(Loading::ForFew).map_err(|e| e.to_string()));
        embedder.as_ref().map_err(Clone::clone)
    }

    fn loaded(&self, loading: Loading) -> memtape_embed::Result<Embedder> {
        match &self.folder {
            None => Embedder::built_in(loading),
            Some(folder) => Embedder::from_folder(folder, loading),
        }
    }

    /// The vector of a question.
    pub(crate) fn question(&self, text: &str) -> Result<Vector> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, vector)) = &*last()
            && asked == text
        {
            return Ok(vector.clone());
        }
        let unit =
            self.load().map_err(Error::Model)?.embed_one(text).map_err(|e| Error::Model(e.to_string()))?;
        let vector = Vector::of(&unit);
        *last() = Some((text.to_owned(), vector.clone()));
        Ok(vector)
    }
}

/// The vectors of some texts; `None` for each that the model fails on, as it may on a text that is too long for it. With
/// the last failure, if there was one.
///
/// # Errors
/// That the model fails on any text.
fn vectors(embedder: &Embedder, texts: &[&str]) -> Result<(Vec<Option<Vector>>, Option<String>)> {
    let failed = match embedder.embed(texts) {
        Ok(made) => return Ok((made.iter().map(|unit| Some(Vector::of(unit))).collect(), None)),
        Err(e) => e.to_string(),
    };
    if embedder.embed_one(PROBE).is_err() {
        return Err(Error::Model(failed));
    }
    let made = texts.iter().map(|text| embedder.embed_one(text).ok().map(|unit| Vector::of(&unit)));
    Ok((made.collect(), Some(failed)))
}

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
