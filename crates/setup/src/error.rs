//! Errors, with their position in a file.

use std::io;
use std::path::PathBuf;

use crate::written::Written;

/// The result of an operation of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a configuration is not changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client keeps no configuration in a project.
    #[error("{client} has no configuration file for a project")]
    NoProjectFile {
        /// The client's name.
        client: &'static str,
    },
    /// A file is not valid, or not in the form that the client documents. It is unchanged.
    #[error("{}:{line}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line in the file, from 1.
        line: usize,
        /// The message.
        message: String,
    },
    /// A file has a server named `memtape` that runs another program, or none, such as one with an address. It is unchanged.
    #[error("{}:{line}: the server \"memtape\" there does not run `memtape mcp`", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The line of the server, from 1.
        line: usize,
    },
    /// The folder for the plugin has other content.
    #[error("{} is neither empty nor an earlier plugin of memtape", dir.display())]
    NotAPlugin {
        /// The folder.
        dir: PathBuf,
    },
    /// What should be a file is a directory, a pipe or a device. It is unchanged.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A file was changed by another program after it was read. It is unchanged.
    #[error("{} was changed by another program at the same time", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file or a folder cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The failed operation: `read`, `write` or `delete`.
        action: &'static str,
        /// The file or the folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file cannot be changed, and the files before it already are.
    #[error("{error}")]
    Stopped {
        /// The files that were written.
        written: Vec<Written>,
        /// Why the next one was not.
        error: Box<Error>,
    },
}

/// A problem in a text, before the file is known.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The position in bytes.
    pub(crate) at: usize,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Malformed(String),
    Foreign,
}

impl Problem {
    pub(crate) fn malformed(at: usize, message: impl Into<String>) -> Self {
        Self { at, kind: Kind::Malformed(message.into()) }
    }

    pub(crate) fn foreign(at: usize) -> Self {
        Self { at, kind: Kind::Foreign }
    }

    /// Returns the error for the file with this text.
    pub(crate) fn in_file(self, path: PathBuf, text: &str) -> Error {
        let before = &text.as_bytes()[..self.at.min(text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        match self.kind {
            Kind::Malformed(message) => Error::Malformed { path, line, message },
            Kind::Foreign => Error::Foreign { path, line },
        }
    }
}
