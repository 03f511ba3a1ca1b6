//! Exports the memory of a workspace: as a tape that another workspace takes, as one document, for people, as a
//! folder, or in the formats of other programs.
//!
//! **Invariants.** The audience limits what is exported, as it limits every other read. Confidential memories are
//! left out and counted unless the owner asks for them; the ids of confidential facts are left out too, because
//! the contents could be guessed from them. A proposal for a block is confidential so that no model sees it: the owner's
//! exports contain it. An export is written while it is read, so it may be larger than the
//! memory of the machine; only the facts, the zone and the notes are read as a whole.
//!
//! In reading order: [`source`], [`tape`], [`documents`], [`folder`], [`bub`], [`entities`], [`facts`],
//! [`document1`], [`write`].

mod bub;
mod document1;
mod documents;
mod entities;
mod facts;
mod folder;
mod source;
mod tape;
mod write;

use std::io::Write;
use std::path::Path;

use memtape_core::{Audience, Form, Hint};
use memtape_store::View;

use self::source::Source;
use crate::error::{Error, Result};
use crate::own_paths;
use crate::workspace::{At, Workspace, conversation_of};

/// Maximum number of commits in the history of a single-file export of facts (document 1).
pub const HISTORY_COMMITS: usize = 1000;

/// The format of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A tape (docs/FORMAT.md, part 5), which [`Workspace::import_tape`] reads.
    #[default]
    Jsonl,
    /// One JSON document; for facts alone, that of document 1.
    Json,
    /// Markdown for people.
    Markdown,
    /// A directory of Markdown files, with the facts in the storage layout of document 1's program.
    Files,
    /// A tape of document 0's program (Bub): the zone and the messages.
    Bub,
    /// The file of the reference server of the Model Context Protocol for memories: the facts as a graph.
    McpMemory,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] =
        [Self::Jsonl, Self::Json, Self::Markdown, Self::Files, Self::Bub, Self::McpMemory];

    /// Returns the default path of an export.
    #[must_use]
    pub fn default_path(self) -> &'static str {
        match self {
            Self::Jsonl => "memtape.jsonl",
            Self::Json => "memories.json",
            Self::Markdown => "memories.md",
            Self::Files => "memory",
            Self::Bub => "bub.jsonl",
            Self::McpMemory => "memory.jsonl",
        }
    }

    /// Returns the forms that the format can hold.
    fn forms(self) -> Vec<Form> {
        match self {
            Self::Bub => vec![Form::ZONE, Form::MESSAGES],
            Self::McpMemory => vec![Form::LEDGER],
            Self::Jsonl | Self::Json | Self::Markdown | Self::Files => Form::all().collect(),
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
    /// Only memories of this form.
    pub form: Option<Form>,
    /// Whether to include the commits of facts, for the formats of document 1. A directory contains them anyway, but for an
    /// audience only as far as they state current values.
    pub history: bool,
    /// Whether to include confidential memories, which only the owner may ask for.
    pub confidential: bool,
}

/// The result of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Number of memories; those of the whole tape, current or not, if its entries were exported.
    pub memories: usize,
    /// Number of entries of the exported tape; 0 for another format.
    pub entries: usize,
    /// Number of commits of facts.
    pub commits: usize,
    /// Number of events of facts.
    pub events: usize,
    /// Number of confidential memories that were left out.
    pub left_out: usize,
    /// Number of memories that were left out because the format cannot hold their form.
    pub other_forms: usize,
    /// Number of memories of chats and users that were left out because the format cannot say whose they are.
    pub of_others: usize,
}

impl Workspace {
    /// Exports the memories at a point, as far as an audience sees them, to a writer.
    ///
    /// # Errors
    /// - [`Error::Refused`] if an audience other than the owner asks for confidential memories, or if the tape
    ///   was rewritten in the meantime by an erasure: what was written must not be used then.
    /// - [`Error::Invalid`] if the format is a directory ([`Workspace::export_to`] writes one) or cannot hold
    ///   the form, or if a memory cannot be written in it.
    /// - [`Error::Store`] if `at` does not exist or the index cannot be read.
    /// - [`Error::Export`] if the writer fails.
    pub fn export(&self, export: &Export, at: &At, out: &mut dyn Write) -> Result<Exported> {
        self.export_from(export, at, |source| match export.format {
            Format::Files => Err(Error::Invalid("the format files is a directory, not a text".into())),
            _ => source.write(self, out),
        })
    }

    /// Exports the memories at a point, as far as an audience sees them, to a file or, for [`Format::Files`], to
    /// a directory.
    ///
    /// With `replace`, an existing file is replaced, and so is the directory of an earlier export. The export
    /// takes its place only when it is complete.
    ///
    /// # Errors
    /// As [`Workspace::export`]; also [`Error::Refused`] if something is at the path and `replace` is not set, if it is
    /// a directory that is no export, or if the path belongs to a workspace.
    pub fn export_to(&self, export: &Export, at: &At, to: &Path, replace: bool) -> Result<Exported> {
        // A directory in place of a file is refused in any case, for a better reason.
        if export.format == Format::Files || !to.is_dir() {
            self.check_is_free(to)?;
        }
        // The directory of an earlier export is moved while another one takes its place.
        if export.format == Format::Files && own_paths::contains(to, self.dir()) {
            let message = format!("{} contains the workspace {}", to.display(), self.dir().display());
            return Err(Error::Refused(message).with_hint(Hint::OtherPath));
        }
        self.export_from(export, at, |source| match export.format {
            Format::Files => write::folder(to, replace, |folder| folder::write(source, folder)),
            _ => write::file(to, replace, |out| source.write(self, out)),
        })
    }

    /// Checks what is asked for, and writes it from one view.
    fn export_from(
        &self,
        export: &Export,
        at: &At,
        write: impl FnOnce(&Source<'_>) -> Result<Exported>,
    ) -> Result<Exported> {
        if export.confidential && !export.audience.is_owner() {
            return Err(Error::Refused("only the owner can export confidential memories".into()));
        }
        if let Some(form) = export.form.filter(|form| !export.format.forms().contains(form)) {
            return Err(Error::Invalid(format!("this format cannot hold memories of the form {form}"))
                .with_hint(Hint::ExportAsTape));
        }
        let taken = if at.is_within_view() { None } else { Some(self.take_view()?) };
        let view: &View<'_> = match (&taken, at.view) {
            (Some(view), _) | (None, Some(view)) => view,
            (None, None) => return Err(Error::Invalid("the point belongs to no view".into())),
        };
        let reader = view.reader();
        let point = self.point(&reader, at, &export.audience, &conversation_of(&export.audience))?;
        let source = Source::new(&reader, &point, export);
        let exported = write(&source)?;
        // An erased text must not live on in an export that was begun before.
        match view.is_of_current_tape()? {
            true => Ok(exported),
            false => Err(Error::Refused("the tape was rewritten during the export: export again".into())),
        }
    }
}

impl Source<'_> {
    /// Writes a single-file format.
    fn write(&self, workspace: &Workspace, out: &mut dyn Write) -> Result<Exported> {
        let is_facts = self.export.form == Some(Form::LEDGER);
        match self.export.format {
            Format::Jsonl => tape::write(self, &mut **workspace.store.salts(), out),
            Format::Json | Format::Markdown if is_facts => document1::write(self, out),
            Format::Json => documents::json(self, out),
            Format::Markdown | Format::Files => documents::markdown(self, out),
            Format::Bub => bub::write(self, out),
            Format::McpMemory => entities::write(self, out),
        }
    }
}
