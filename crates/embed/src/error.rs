//! What can go wrong with a model.

use std::io;
use std::path::PathBuf;

/// The result of loading or running a model.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A model cannot be loaded or run. With the built-in model this is a defect of the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A folder lacks a file that a sentence model needs.
    #[error("{} holds no sentence model: it has no {missing}", folder.display())]
    Incomplete {
        /// The folder that was named.
        folder: PathBuf,
        /// What is missing: a file, or the files of which one is needed.
        missing: &'static str,
    },
    /// The operating system refused to read a file.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file or folder concerned.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file is there, but is not what its name says.
    #[error("{file} cannot be used: {why}")]
    Unreadable {
        /// The file, or "the built-in model".
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The model can be read, but its inputs or outputs are not those of a sentence model.
    #[error("this is not a sentence model: {0}")]
    NotSentences(String),
    /// The model could not be run on a text.
    #[error("the model failed: {0}")]
    Run(String),
}

impl Error {
    /// A file that is not what its name says.
    pub(crate) fn unreadable(file: impl Into<String>, why: &(impl ToString + ?Sized)) -> Self {
        Self::Unreadable { file: file.into(), why: why.to_string() }
    }
}
