//! The embedding model of a workspace, loaded on first use.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use memtape_capture::Encoder;
use memtape_core::recall::vector::Vector;
use memtape_embed::{Embedder, Identity, Loading};
use memtape_index::Model;

use crate::error::{Error, Result};

/// A text that every working model can embed.
const PROBE: &str = "a text";

/// The embedding model of a workspace, loaded on first use.
pub(crate) struct Meaning {
    /// Directory of a custom model. `None` uses the bundled one.
    folder: Option<PathBuf>,
    identity: OnceLock<Result<Identity, String>>,
    embedder: OnceLock<Result<Embedder, String>>,
    /// The last question and its vector, because a turn asks the same question more than once.
    last: Mutex<Option<(String, Vector)>>,
    /// The bundled model for [`Encoder::states`], if the workspace has a custom model.
    bundled: OnceLock<Result<Embedder, String>>,
    /// The last message and its states: the gate of recall and capture read the same message.
    read: Mutex<Option<Read>>,
}

/// A message that was read, its parts and their states.
struct Read {
    text: String,
    parts: Vec<Range<usize>>,
    states: Vec<Vec<f32>>,
}

impl Meaning {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            identity: OnceLock::new(),
            embedder: OnceLock::new(),
            last: Mutex::default(),
            bundled: OnceLock::new(),
            read: Mutex::default(),
        }
    }

    /// Returns the identity of the model. The bundled model is not loaded for it.
    pub(crate) fn model(&self) -> Result<Model> {
        let identity = self.identity.get_or_init(|| match &self.folder {
            None => Ok(memtape_embed::built_in_identity()),
            Some(_) => self.load().map(|embedder| embedder.identity().clone()),
        });
        let Identity { name, digest, dimensions } =
            identity.as_ref().map_err(|e| Error::Model(e.clone()))?.clone();
        Ok(Model { name, digest, dimensions })
    }

    /// Runs a closure and loads the model in parallel if it is not loaded yet: on the first question of a
    /// process both take about as long.
    pub(crate) fn loading<T>(&self, act: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            if self.embedder.get().is_none() {
                // A failure is reported to the question that needs the model.
                scope.spawn(|| self.load().is_ok());
            }
            act()
        })
    }

    /// Returns whether the model has been loaded and works.
    pub(crate) fn is_loaded(&self) -> bool {
        self.embedder.get().is_some_and(Result::is_ok)
    }

    pub(crate) fn load(&self) -> Result<&Embedder, String> {
        let embedder = self.embedder.get_or_init(|| self.loaded(Loading::ForFew).map_err(|e| e.to_string()));
        embedder.as_ref().map_err(Clone::clone)
    }

    /// Returns the bundled model, which is that of the workspace unless it has a custom one.
    fn bundled(&self) -> Option<&Embedder> {
        let embedder = match &self.folder {
            None => return self.load().ok(),
            Some(_) => &self.bundled,
        };
        let built_in = || Embedder::built_in(Loading::ForFew).map_err(|e| e.to_string());
        embedder.get_or_init(built_in).as_ref().ok()
    }

    pub(crate) fn loaded(&self, loading: Loading) -> memtape_embed::Result<Embedder> {
        match &self.folder {
            None => Embedder::built_in(loading),
            Some(folder) => Embedder::from_folder(folder, loading),
        }
    }

    /// Returns the vector of a question.
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

impl Encoder for Meaning {
    /// If the bundled model fails, there are no states, and the words alone decide. It is part of the program and reads
    /// any text, so that is a bug in memtape and no failure of the turn.
    fn states(&self, text: &str, parts: &[Range<usize>]) -> Vec<Vec<f32>> {
        let read = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*read()
            && last.text == text
            && last.parts == parts
        {
            return last.states.clone();
        }
        let Some(states) = self.bundled().and_then(|embedder| embedder.states(text, parts).ok()) else {
            return Vec::new();
        };
        *read() = Some(Read { text: text.to_owned(), parts: parts.to_vec(), states: states.clone() });
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
