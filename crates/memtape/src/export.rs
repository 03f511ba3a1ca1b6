//! Exports ledger facts and their history in the formats of document 1: for backup, for people, or for its
//! program.
//!
//! **Invariants.** The audience limits what is exported, as it limits every other read. Confidential facts
//! are left out and counted unless the owner asks for them; the ids of their events are left out too, because
//! the contents could be guessed from them. Every exported id whose inputs are exported completely verifies
//! by the rule of the document.

mod content;
mod shapes;
mod write;

use memtape_core::Audience;

use crate::error::{Error, Result};
use crate::workspace::{At, Workspace, conversation_of};

/// Maximum number of commits in the history of a single-file export (document 1).
pub const HISTORY_COMMITS: usize = 1000;

/// The format of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One JSON document.
    #[default]
    Json,
    /// Markdown for people.
    Markdown,
    /// A directory in the storage layout of document 1's program, with every event and commit.
    Files,
}

impl Format {
    /// Returns the default path of an export.
    #[must_use]
    pub fn default_path(self) -> &'static str {
        match self {
            Self::Json => "memories.json",
            Self::Markdown => "memories.md",
            Self::Files => "memory",
        }
    }
}

/// The options of an export.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// The audience.
    pub audience: Audience,
    /// The format.
    pub format: Format,
    /// Whether to include the commits.
    pub history: bool,
    /// Whether to include confidential facts, which only the owner may ask for.
    pub confidential: bool,
}

/// An export, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The files; a single-file export has one with an empty path.
    pub files: Vec<ExportedFile>,
    /// The format.
    pub format: Format,
    /// Number of facts.
    pub memories: usize,
    /// Number of commits.
    pub commits: usize,
    /// Number of events.
    pub events: usize,
    /// Number of confidential facts that were left out.
    pub left_out: usize,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// The path within the directory of the export.
    pub path: String,
    /// The content.
    pub text: String,
}

impl Workspace {
    /// Exports the facts at a point, as far as an audience sees them, in a format of document 1.
    ///
    /// # Errors
    /// - [`Error::Refused`] if an audience other than the owner asks for confidential facts.
    /// - [`Error::Invalid`] if an id of the tape cannot be a file name.
    /// - [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn export(&self, export: &Export, at: &At) -> Result<Exported> {
        if export.confidential && !export.audience.is_owner() {
            return Err(Error::Refused("only the owner can export confidential memories".into()));
        }
        let content = self.read(at, &conversation_of(&export.audience), |reader, point| {
            content::gather(reader, point, export)
        })?;
        let files = match export.format {
            Format::Json => vec![(String::new(), shapes::json(&content)?)],
            Format::Markdown => vec![(String::new(), shapes::markdown(&content))],
            Format::Files => shapes::files(&content)?,
        };
        Ok(Exported {
            files: files.into_iter().map(|(path, text)| ExportedFile { path, text }).collect(),
            format: export.format,
            memories: content.facts.len(),
            commits: content.commits.len(),
            events: content.events.len(),
            left_out: content.left_out,
        })
    }
}
