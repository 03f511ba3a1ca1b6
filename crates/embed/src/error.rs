//! Errors of loading and running a model.

use std::io;
use std::path::PathBuf;

/// The result of loading or running a model.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of loading or running a model. With the bundled model, any error is a bug in memtape.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A required file is missing from the model directory.
    #[error("{} contains no sentence model: {missing} is missing", folder.display())]
    Incomplete {
        /// The model directory.
        folder: PathBuf,
        /// The missing file, or the files of which one is required.
        missing: &'static str,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file is not in the expected format.
    #[error("{file} cannot be used: {why}")]
    Unreadable {
        /// The file, or "the built-in model".
        file: String,
        /// Why the file cannot be used.
        why: String,
    },
    /// The model's inputs or outputs are not those of a sentence model.
    #[error("this is not a sentence model: {0}")]
    NotSentences(String),
    /// The model failed on a text.
    #[error("the model failed: {0}")]
    Run(String),
}

impl Error {
    /// Creates an [`Error::Unreadable`].
    pub(crate) fn unreadable(file: impl Into<String>, why: &(impl ToString + ?Sized)) -> Self {
        Self::Unreadable { file: file.into(), why: why.to_string() }
    }
}
