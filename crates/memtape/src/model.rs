//! The model that makes vectors of texts, loaded when it is first needed.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use memtape_core::recall::vector::Vector;
use memtape_embed::{Embedder, Identity, Loading};
use memtape_store::Model;

use crate::error::{Error, Result};

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

    pub(crate) fn load(&self) -> Result<&Embedder, String> {
        let embedder = self.embedder.get_or_init(|| self.loaded(Loading::ForFew).map_err(|e| e.to_string()));
        embedder.as_ref().map_err(Clone::clone)
    }

    pub(crate) fn loaded(&self, loading: Loading) -> memtape_embed::Result<Embedder> {
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
