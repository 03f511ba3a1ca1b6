//! The library's error type, and the table from error kinds to exit statuses and hints.
//!
//! A refusal that is decided inside a read or a write (the note does not exist, the value is too long, a rule
//! forbids the change) comes from a lower crate and therefore arrives as [`Error::Store`]. Decide by
//! [`Error::kind`], which is the same whichever variant carries the failure, and match on variants only for
//! the data they hold. Any variant can also arrive wrapped in [`Error::Hinted`], whose kind is that of the
//! wrapped error. The `# Errors` sections of this crate name the wrapped variant and, for [`Error::Store`],
//! the kind where it matters.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use memtape_core::Hint;
use memtape_core::line::truncated;
use memtape_tape::ErrorKind;

use crate::hints::{self, Surface};

/// The result of the library's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a workspace operation.
///
/// Its [`kind`](Error::kind) says what a caller can do about it; its text is written for people.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store, the tape or a rule of the core failed or refused the operation.
    #[error(transparent)]
    Store(#[from] memtape_store::Error),
    /// The request is malformed or contradicts itself.
    #[error("{0}")]
    Invalid(String),
    /// The named object does not exist, or is not visible to the audience.
    #[error("{0}")]
    NotFound(String),
    /// A rule forbids the operation; repeating it does not help.
    #[error("{0}")]
    Refused(String),
    /// An error together with a hint on how to resolve it.
    #[error("{error}")]
    Hinted {
        /// The wrapped error.
        error: Box<Error>,
        /// The hint.
        hint: Hint,
    },
    /// An error whose message repeated a long input, which is cut in it.
    #[error("{message}")]
    Shortened {
        /// The message.
        message: String,
        /// The error with the whole message.
        error: Box<Error>,
    },
    /// The embedding model cannot be loaded or run.
    #[error("cannot use the embedding model: {0}")]
    Model(String),
    /// The input of an ingestion or backfill could not be read.
    #[error("cannot read the input: {0}")]
    Input(#[source] std::io::Error),
    /// A temporary directory could not be created or filled.
    #[error("{0}")]
    Temporary(#[source] std::io::Error),
    /// An error of the caller's own, from a closure that the library called.
    #[error(transparent)]
    Caller(Box<dyn std::error::Error + Send + Sync>),
    /// A file of an export could not be written.
    #[error("cannot write {path}: {source}")]
    Export {
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

impl From<memtape_index::Error> for Error {
    fn from(e: memtape_index::Error) -> Self {
        Self::Store(e.into())
    }
}

impl From<memtape_worktree::Error> for Error {
    fn from(e: memtape_worktree::Error) -> Self {
        Self::Store(e.into())
    }
}

impl From<memtape_core::Error> for Error {
    fn from(e: memtape_core::Error) -> Self {
        Self::Store(e.into())
    }
}

impl From<memtape_tape::Error> for Error {
    fn from(e: memtape_tape::Error) -> Self {
        Self::Store(e.into())
    }
}

impl Error {
    /// Wraps an error of the caller's own, for a closure that the library calls.
    pub fn caller(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Caller(error.into())
    }

    /// Returns the kind of the failure, by which a caller decides what to do.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(e) => e.kind(),
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::Refused(_) => ErrorKind::Refused,
            Self::Hinted { error, .. } | Self::Shortened { error, .. } => error.kind(),
            Self::Model(_) | Self::Input(_) | Self::Temporary(_) | Self::Export { .. } | Self::Caller(_) => {
                ErrorKind::Unavailable
            }
        }
    }

    /// Returns this error wrapped together with a hint.
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Self {
        Self::Hinted { error: Box::new(self), hint }
    }

    /// Returns this error with a message in which long inputs are cut, as by [`shortened`].
    #[must_use]
    pub fn with_short_message(self) -> Self {
        let message = match shortened(&self.to_string()) {
            Cow::Owned(message) => message,
            Cow::Borrowed(_) => return self,
        };
        Self::Shortened { message, error: Box::new(self) }
    }

    /// Returns the hint as a sentence in the terms of the surface: commands for the command line, tools for a
    /// tool server.
    ///
    /// `None` means that the message itself is sufficient.
    #[must_use]
    pub fn hint(&self, surface: Surface) -> Option<String> {
        if let Self::Shortened { error, .. } = self {
            return error.hint(surface);
        }
        let own = match self {
            Self::Hinted { hint, .. } => Some(hint),
            Self::Store(memtape_store::Error::Core(e)) => e.hint(),
            Self::Store(memtape_store::Error::Index(memtape_index::Error::NoBranch(_))) => {
                Some(&Hint::ListBranches)
            }
            _ => None,
        };
        match (own, surface) {
            (Some(hint), surface) => hints::text(hint, surface),
            (None, Surface::CommandLine) => self.command_hint(),
            (None, Surface::Tools) => hints::for_caller_of_tools(self.kind()).map(str::to_owned),
        }
    }

    fn command_hint(&self) -> Option<String> {
        use memtape_store::Error as Store;
        match self {
            Self::Store(Store::NoWorkspace(dir)) if Path::new(dir).is_file() => {
                Some("it is a file: name the directory of the workspace".into())
            }
            Self::Store(Store::NoWorkspace(dir)) => Some(format!("create one with `memtape init {dir}`")),
            Self::Store(Store::Detached { .. }) => Some(
                "set MEMTAPE_UPSTREAM to its address with the credentials, or `memtape clone` it into another \
                 directory, which keeps the address"
                    .into(),
            ),
            Self::Store(Store::TapeMissing(dir)) => Some(format!(
                "restore tape.jsonl from a backup, or start a new tape with `memtape init {dir}` (which \
                 moves the old index to archive/)"
            )),
            Self::Store(Store::OtherTape { .. } | Store::ErasedInSource { .. }) => Some(
                "import it into a new workspace: `memtape init DIR`, then `memtape -C DIR import memtape FILE`"
                    .into(),
            ),
            // Its message says what happened.
            Self::Store(Store::Tape(memtape_tape::Error::Upstream { .. })) => None,
            Self::Store(Store::Tape(e)) if e.is_read_only() => {
                Some("the workspace is not writable: check its permissions".into())
            }
            Self::Store(Store::Tape(memtape_tape::Error::Intent(_))) => Some(
                "an erasure was interrupted: if another version of memtape started it, finish it with \
                 that version; otherwise remove erase.json and erase again"
                    .into(),
            ),
            Self::Store(Store::Index(memtape_index::Error::NoEntry { last, .. })) => {
                last.map(|last| format!("entries are numbered from 1 to {last}"))
            }
            Self::Input(_) | Self::Temporary(_) | Self::Export { .. } | Self::Caller(_) => None,
            Self::Model(_) => {
                Some("check `recall.model`, or search by words only: recall.backend = \"sqlite_fts\"".into())
            }
            Self::Store(e @ Store::Index(_)) if e.kind() == ErrorKind::Corrupt => {
                Some("run the command again: it rebuilds the index from the tape".into())
            }
            _ => advice(self.kind()).hint.map(str::to_owned),
        }
    }
}

/// Maximum length of a quoted text in a shortened message, in characters.
const QUOTED_MAX: usize = 100;
/// Maximum length of a word in a shortened message, in characters: paths and references are longer than other words.
const WORD_MAX: usize = 200;
/// Maximum length of a shortened message, in characters, whatever it consists of.
const MESSAGE_MAX: usize = 2000;

/// Returns the message of an error with long inputs cut, for a caller who sent them: a quoted text after 100 characters,
/// any other word after 200. What the message says besides stays.
///
/// ```
/// let message = format!("unknown tool {:?}: expected one of a, b", "x".repeat(300));
/// let short = memtape::error::shortened(&message);
/// assert_eq!(short, format!("unknown tool \"{}…\": expected one of a, b", "x".repeat(100)));
/// assert_eq!(memtape::error::shortened("unknown tool"), "unknown tool");
/// ```
#[must_use]
pub fn shortened(message: &str) -> Cow<'_, str> {
    // Nothing in a message that is no longer than a quoted text may be is cut.
    if message.len() <= QUOTED_MAX {
        return Cow::Borrowed(message);
    }
    let mut short = String::new();
    let mut rest = message;
    // A mark that nothing closes is not looked for again: the time would grow with the square of the length.
    let mut unclosed = BTreeSet::new();
    while let Some(first) = rest.chars().next() {
        let is_mark = first == '"' || first == '`';
        let quoted = if is_mark && !unclosed.contains(&first) { closing(rest, first) } else { None };
        if is_mark && quoted.is_none() {
            unclosed.insert(first);
        }
        let end = match quoted {
            Some(end) => end,
            None if is_mark || first.is_whitespace() => first.len_utf8(),
            None => rest.find(|c: char| c.is_whitespace() || c == '"' || c == '`').unwrap_or(rest.len()),
        };
        let (part, after) = rest.split_at(end);
        match quoted {
            Some(_) => {
                short.push(first);
                short.push_str(&truncated(&part[1..part.len() - 1], QUOTED_MAX, "…"));
                short.push(first);
            }
            None => short.push_str(&truncated(part, WORD_MAX, "…")),
        }
        rest = after;
    }
    let short = truncated(&short, MESSAGE_MAX, "…").into_owned();
    if short == message { Cow::Borrowed(message) } else { Cow::Owned(short) }
}

/// Returns the position after the mark that closes the quotation at the beginning of a text.
fn closing(text: &str, mark: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            // Only text in double quotes is escaped.
            '\\' if mark == '"' => is_escaped = true,
            c if c == mark => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

/// The exit status and the default hint of an error kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The exit status of the command line.
    pub exit: u8,
    /// The hint for errors that carry none of their own; `None` if the message is sufficient.
    pub hint: Option<&'static str>,
}

/// Returns the exit status and the default hint of an error kind.
///
/// Every surface uses this table and none has its own.
#[must_use]
pub fn advice(kind: ErrorKind) -> Advice {
    let (exit, hint) = match kind {
        ErrorKind::Internal => (1, Some("this is a bug in memtape: please report it")),
        ErrorKind::Invalid => (2, None),
        ErrorKind::NotFound => (3, None),
        ErrorKind::Conflict => (4, None),
        ErrorKind::Refused => (5, None),
        ErrorKind::Busy => (6, Some("try again when the other process has finished")),
        ErrorKind::Unavailable => (7, Some("acknowledged writes are safe; check the disk, then try again")),
        ErrorKind::Corrupt => (8, Some("`memtape verify` lists the damaged lines")),
    };
    Advice { exit, hint }
}
