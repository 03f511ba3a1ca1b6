//! The embedding model of a workspace, loaded on first use.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use memtape_capture::Encoder;
use memtape_core::recall::vector::Vector;
use memtape_embed::{Begun, Embedder, Identity, Loading};
use memtape_index::Model;

use crate::error::{Error, Result};

/// A text that every working model can embed.
const PROBE: &str = "a text";
/// Number of texts from which on preparing the weights is faster than using them as they are.
const PREPARED_FROM: usize = 16;

/// The embedding model of a workspace, loaded on first use.
pub(crate) struct Meaning {
    /// Directory of a custom model. `None` uses the bundled one.
    folder: Option<PathBuf>,
    identity: OnceLock<Result<Identity, String>>,
    embedder: Mutex<Option<Result<Loaded, String>>>,
    /// Number of texts for which a model was asked.
    texts: AtomicUsize,
    /// Locked by the thread that embeds memories: a second one would embed the same.
    embedding: Mutex<()>,
    /// The last question and its vector, because a turn asks the same question more than once.
    last: Mutex<Option<(String, Vector)>>,
    /// The bundled model for [`Encoder::states`], if the workspace has a custom model.
    bundled: OnceLock<Option<Arc<Embedder>>>,
    /// The last message and its states: the gate of recall and capture read the same message.
    read: Mutex<Option<Read>>,
}

/// A model, and for how many texts it was loaded.
type Loaded = (Loading, Arc<Embedder>);

/// A message that was read, its parts and their states.
struct Read {
    text: String,
    parts: Vec<Range<usize>>,
    states: Vec<Vec<f32>>,
    /// What is computed of its vector; `None` if it is too long, or the workspace has a custom model.
    begun: Option<Arc<Begun>>,
}

impl Meaning {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            identity: OnceLock::new(),
            embedder: Mutex::default(),
            texts: AtomicUsize::new(0),
            embedding: Mutex::default(),
            last: Mutex::default(),
            bundled: OnceLock::new(),
            read: Mutex::default(),
        }
    }

    /// Returns the identity of the model. The bundled model is not loaded for it.
    pub(crate) fn model(&self) -> Result<Model> {
        let identity = self.identity.get_or_init(|| match &self.folder {
            None => Ok(memtape_embed::built_in_identity()),
            Some(_) => self.load(0).map(|embedder| embedder.identity().clone()),
        });
        let Identity { name, digest, dimensions } =
            identity.as_ref().map_err(|e| Error::Model(e.clone()))?.clone();
        Ok(Model { name, digest, dimensions })
    }

    /// Runs a closure and loads the model in parallel if it is not loaded yet: on the first question of a
    /// process both take about as long.
    pub(crate) fn loading<T>(&self, act: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            if !self.is_loaded() {
                // A failure is reported to the question that needs the model.
                scope.spawn(|| self.load(0).is_ok());
            }
            act()
        })
    }

    /// Returns whether the model has been loaded and works.
    pub(crate) fn is_loaded(&self) -> bool {
        matches!(&*self.slot(), Some(Ok(_)))
    }

    /// Returns the model for a number of texts. Once the process has embedded many, it is loaded again with prepared
    /// weights.
    pub(crate) fn load(&self, texts: usize) -> Result<Arc<Embedder>, String> {
        let all = self.texts.fetch_add(texts, Ordering::Relaxed).saturating_add(texts);
        let loading = if all < PREPARED_FROM { Loading::ForFew } else { Loading::ForMany };
        let is_enough = |loaded: &Result<Loaded, String>| match loaded {
            Ok((of, _)) => *of == loading || *of == Loading::ForMany,
            Err(_) => true,
        };
        let load = || match &self.folder {
            None => Embedder::built_in(loading),
            Some(folder) => Embedder::from_folder(folder, loading),
        };
        let mut slot = self.slot();
        let loaded = slot.take().filter(is_enough).unwrap_or_else(|| match load() {
            // The vectors of the workspace are those of the model that was loaded first.
            Ok(embedder) if self.is_other(embedder.identity()) => {
                Err("another model is in the folder since it was loaded: start memtape again".to_owned())
            }
            Ok(embedder) => Ok((loading, Arc::new(embedder))),
            Err(e) => Err(e.to_string()),
        });
        *slot = Some(loaded.clone());
        loaded.map(|(_, embedder)| embedder)
    }

    /// Returns whether the process has used another model.
    fn is_other(&self, identity: &Identity) -> bool {
        matches!(self.identity.get(), Some(Ok(known)) if known != identity)
    }

    fn slot(&self) -> MutexGuard<'_, Option<Result<Loaded, String>>> {
        self.embedder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bundled model, which is that of the workspace unless it has a custom one.
    fn bundled(&self) -> Option<Arc<Embedder>> {
        if self.folder.is_none() {
            return self.load(1).ok();
        }
        self.bundled.get_or_init(|| Embedder::built_in(Loading::ForFew).ok().map(Arc::new)).clone()
    }

    /// Waits until no other thread embeds memories.
    pub(crate) fn embedding(&self) -> MutexGuard<'_, ()> {
        self.embedding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the vector of a question.
    pub(crate) fn question(&self, text: &str) -> Result<Vector> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, vector)) = &*last()
            && asked == text
        {
            return Ok(vector.clone());
        }
        let embedder = self.load(1).map_err(Error::Model)?;
        // The gate of recall has read the message that the question of a turn is.
        let read =
            self.last_read().as_ref().filter(|read| read.text == text).and_then(|read| read.begun.clone());
        let unit = match read {
            Some(begun) => embedder.embed_begun(text, &begun),
            None => embedder.embed_one(text),
        };
        let vector = Vector::of(&unit.map_err(|e| Error::Model(e.to_string()))?);
        *last() = Some((text.to_owned(), vector.clone()));
        Ok(vector)
    }

    fn last_read(&self) -> MutexGuard<'_, Option<Read>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Encoder for Meaning {
    /// If the bundled model fails, there are no states, and the words alone decide. It is part of the program and reads
    /// any text, so that is a bug in memtape and no failure of the turn.
    fn states(&self, text: &str, parts: &[Range<usize>]) -> Vec<Vec<f32>> {
        if let Some(last) = &*self.last_read()
            && last.text == text
            && last.parts == parts
        {
            return last.states.clone();
        }
        let Some((states, begun)) = self.bundled().and_then(|embedder| embedder.begin(text, parts).ok())
        else {
            return Vec::new();
        };
        let begun = begun.filter(|_| self.folder.is_none()).map(Arc::new);
        *self.last_read() =
            Some(Read { text: text.to_owned(), parts: parts.to_vec(), states: states.clone(), begun });
        states
    }
}

/// Returns the vectors of some texts and the last failure, if any. A vector is `None` if the model fails on
/// that text, for example because the text is too long.
///
/// # Errors
/// [`Error::Model`] if the model fails on every text.
pub(crate) fn vectors(embedder: &Embedder, texts: &[&str]) -> Result<(Vec<Option<Vector>>, Option<String>)> {
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
