//! The embedding model of a workspace, loaded on first use.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

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
}

impl Meaning {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, identity: OnceLock::new(), embedder: OnceLock::new(), last: Mutex::default() }
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
