//! Facts and their history in document 1's own shapes: for backup, for a person to read, or for its program.
//!
//! **Invariants.** The audience limits what is exported, as it limits every other reading. What is confidential is left
//! out and counted, unless the owner asks for it; so are the ids of its events, which could be guessed back. Every id
//! that is exported with all it is made of verifies by the document's rule.

mod content;
mod shapes;
mod write;

use memtape_core::Audience;

use crate::error::{Error, Result};
use crate::workspace::{At, Workspace, conversation_of};

/// How many commits a history holds at most in one file (document 1).
pub const HISTORY_COMMITS: usize = 1000;

/// In which shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One JSON document.
    #[default]
    Json,
    /// Markdown for a person.
    Markdown,
    /// A folder laid out as document 1's program lays out its storage: every event and commit there is.
    Files,
}

impl Format {
    /// Where an export goes, unless told otherwise.
    #[must_use]
    pub fn default_path(self) -> &'static str {
        match self {
            Self::Json => "memories.json",
            Self::Markdown => "memories.md",
            Self::Files => "memory",
        }
    }
}

/// What is to be exported.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// For whom.
    pub audience: Audience,
    /// In which shape.
    pub format: Format,
    /// With the commits.
    pub history: bool,
    /// With what is confidential, which only the owner may ask for.
    pub confidential: bool,
}

/// An export, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The files; one with an empty path where it is one file.
    pub files: Vec<ExportedFile>,
    /// In which shape.
    pub format: Format,
    /// How many facts it holds.
    pub memories: usize,
    /// How many commits.
    pub commits: usize,
    /// How many events.
    pub events: usize,
    /// How many confidential facts were left out.
    pub left_out: usize,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Where it stands in the export's folder.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl Workspace {
    /// The facts at a point, as far as an audience sees them, in one of document 1's shapes.
    ///
    /// # Errors
    /// [`Error::Refused`] where who is not the owner asks for what is confidential; or what the medium says.
    pub fn export(&self, export: &Export, at: &At) -> Result<Exported> {
        if export.confidential && !export.audience.is_owner() {
            return Err(Error::Refused("what is confidential is exported for the owner only".into()));
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
