//! Notes: facts and episodes as Markdown files that a person may edit.
//!
//! **Invariants.** The tape is authoritative and the files follow it ([`crate::working_copy`]); edits of the
//! files are recorded on the tape before any command runs. Notes belong to the workspace: every audience that
//! sees its scope may read them, and only the owner writes them.

use std::collections::HashMap;

use jiff::Timestamp;
use memtape_core::forms::notes::entry::Act;
use memtape_core::forms::notes::view::Listed;
use memtape_core::forms::notes::{
    Change, File, Limits, NotePath, NotesView, Outcome, Patch, index, ops, split,
};
use memtape_core::{Audience, Context, Decision, MemoryId, Origin, Point, Session};
use memtape_store::Author;
use memtape_tape::{EntryId, ErrorKind};

use crate::config::NotesConfig;
use crate::error::{Error, Result};
use crate::handle::writes_for_all;
use crate::safety::{admit, admit_name};
use crate::unified_diff::unified_diff_of_bytes;
use crate::versions::{self, FileVersion};
use crate::working_copy::notes::view_for;
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

pub use memtape_core::forms::notes::index::size_text;

/// The folder whose files a prompt may show in full.
const FACTS: &str = "facts";
/// The size from which splitting the file of a month is recommended, in bytes.
pub const SPLIT_BYTES_ADVISED: usize = 64 << 10;

/// The notes of a workspace, for one audience.
pub struct Notes<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::options!(Notes: new, for_audience, in_session, because, writing_as, called_by, only_if);

impl<'a> Notes<'a> {
    /// Parses the path of a note, `FOLDER/NAME.md`.
    ///
    /// A note whose recorded name differs only in Unicode normalization is named too.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if it is no such path or the folder is not configured; [`Error::Store`] if the
    /// index cannot be read.
    pub fn path(&self, text: &str) -> Result<NotePath> {
        let path = NotePath::new(text, &self.workspace.config.notes.folders)?;
        match text.is_ascii() {
            true => Ok(path),
            false => Ok(self.workspace.ask(|reader| reader.recorded_note_path(&path, &self.audience))?),
        }
    }

    /// Returns every note at a point.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn view(&self, at: &At) -> Result<NotesView> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            reader.notes(&self.audience, point)
        })
    }

    /// Lists the notes at a point, each with its summary and its size in bytes.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn list(&self, at: &At) -> Result<Vec<Listed>> {
        Ok(self.view(at)?.list(&self.workspace.config.notes.folders))
    }

    /// Returns a note at a point.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such note; [`Error::Store`] if `at` does not exist
    /// or the index cannot be read.
    pub fn read(&self, path: &NotePath, at: &At) -> Result<File> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let view = reader.note_file(path, &self.audience, point)?;
            match view.get(path) {
                Some(file) => Ok(file.clone()),
                // The complete list is needed to suggest similar names.
                None => Ok(reader.notes(&self.audience, point)?.file(path)?.clone()),
            }
        })
    }

    /// Creates a note or replaces its content.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the audience is not the owner, or if the text reads like an instruction to a
    ///   model and does not come from the owner; [`Error::Store`] of kind `Refused` if a new name does.
    /// - [`Error::Store`] of kind `Invalid` if the text is too long, or if the name differs from that of
    ///   another note only in spelling.
    /// - [`Error::Store`] as for [`Workspace::write`].
    pub fn write(&self, path: &NotePath, content: &str) -> Result<Outcome> {
        let content = self.admitted(content)?;
        self.change(path, |view, ctx| ops::write(view, path, &content, &Limits::default(), ctx))
    }

    /// Replaces texts of a note.
    ///
    /// Either all patches are applied, or none.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such note or an old text does not occur in it, of
    /// kind `Conflict` if it occurs more than once, of kind `Invalid` if there is no patch or an old text is
    /// empty; otherwise see [`Notes::write`].
    pub fn patch(&self, path: &NotePath, patches: &[Patch]) -> Result<Outcome> {
        let admitted = |patch: &Patch| -> Result<Patch> {
            Ok(Patch { old: patch.old.clone(), new: self.admitted(&patch.new)? })
        };
        let patches: Vec<_> = patches.iter().map(admitted).collect::<Result<_>>()?;
        self.change(path, |view, ctx| ops::patch(view, path, &patches, &Limits::default(), ctx))
    }

    /// Removes sections of a note; the others stay as they are.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such note; [`Error::NotFound`] if it has none of these sections;
    /// otherwise see [`Notes::write`].
    pub fn remove_sections(&self, path: &NotePath, sections: &[MemoryId]) -> Result<Outcome> {
        let missing = || memtape_core::Error::NotFound(format!("{path} has no such section any more"));
        self.change(path, |view, ctx| {
            let file = view.file(path)?;
            let kept: Vec<_> =
                file.sections.iter().filter(|section| !sections.contains(&section.id)).collect();
            if kept.len() == file.sections.len() {
                return Err(missing());
            }
            let text: Vec<u8> = kept.iter().flat_map(|section| &section.bytes).copied().collect();
            ops::replace(view, path, &text, Act::Patch, &Limits::default(), ctx)
        })
    }

    /// Appends an entry to a note, and creates the note if it does not exist.
    ///
    /// `summary` becomes the summary of the note.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if the entry is empty; otherwise see [`Notes::write`].
    pub fn append(&self, path: &NotePath, entry: &str, summary: Option<&str>) -> Result<Outcome> {
        let entry = self.admitted(entry)?;
        let summary = summary.map(|summary| self.admitted(summary)).transpose()?;
        let summary = summary.as_deref();
        self.change(path, |view, ctx| ops::append(view, path, &entry, summary, &Limits::default(), ctx))
    }

    /// Deletes a note.
    ///
    /// Earlier points still show it.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such note; otherwise see [`Notes::write`].
    pub fn delete(&self, path: &NotePath) -> Result<Outcome> {
        self.change(path, |view, ctx| ops::delete(view, path, ctx))
    }

    /// Restores a note to its content at a point, byte for byte.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if the note did not exist at that point; otherwise see
    /// [`Notes::write`].
    pub fn restore(&self, path: &NotePath, at: &At) -> Result<Outcome> {
        let before = self.read(path, at).or_else(|e| {
            // The note exists at another point, so the message names this one.
            let is_known = e.kind() == ErrorKind::NotFound && self.log(path, &At::head()).is_ok();
            if !is_known {
                return Err(e);
            }
            let point = self
                .workspace
                .read(at, &self.audience, &self.author.session, |_, point| Ok(at.shown(point)))?;
            let why = format!("there is no note {path} at {point}");
            Err(Error::NotFound(why).with_hint(Hint::NoteVersions(path.to_string())))
        })?;
        self.change(path, |view, ctx| ops::restore(view, &before, ctx))
    }

    /// Moves the dated blocks of a month's note into notes of their weeks, and returns the change of each
    /// note.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such note, of kind `Invalid` if it has no block of
    /// another week; otherwise see [`Notes::write`].
    pub fn split(&self, path: &NotePath) -> Result<Vec<Change>> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let view = reader.notes(&self.audience, point)?;
            Ok(split::split_by_week(&view, path, ctx)?)
        })?;
        Ok(written.outcome)
    }

    /// Returns the changes of a note up to a point, newest first.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there never was such a note; [`Error::Store`] if `at` does not exist or the
    /// index cannot be read.
    pub fn log(&self, path: &NotePath, at: &At) -> Result<Vec<FileVersion>> {
        let versions = self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let mut versions = versions::of(reader, reader.note_history(path, point)?, &self.audience)?;
            // A merge or an undo removes the sections by an event of its own.
            for version in versions.iter_mut().filter(|version| version.act == Act::Write.event_name()) {
                let lineage = point.lineage.up_to(version.entry);
                let point = Point { lineage, instant: reader.now() };
                if reader.note_sections(path, &self.audience, &point)?.is_empty() {
                    version.act = Act::Delete.event_name().to_owned();
                }
            }
            Ok(versions)
        })?;
        if versions.is_empty() {
            return Err(Error::NotFound(format!("note {path} never existed")).with_hint(Hint::ListNotes));
        }
        Ok(versions)
    }

    /// Returns the difference between a note at two points as a unified diff; empty if there is none.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the note exists at neither point; [`Error::Store`] if a point does not exist or
    /// the index cannot be read.
    pub fn diff(&self, path: &NotePath, from: &At, to: &At) -> Result<String> {
        let [before, after] = self.workspace.read_both(
            [from, to],
            &self.audience,
            &self.author.session,
            |reader, [from, to]| {
                let text = |point| -> memtape_index::Result<Option<Vec<u8>>> {
                    let view = reader.note_file(path, &self.audience, point)?;
                    Ok(view.get(path).map(File::bytes))
                };
                Ok([text(from)?, text(to)?])
            },
        )?;
        if before.is_none() && after.is_none() {
            return Err(Error::NotFound(format!("there is no note {path} at either point")));
        }
        Ok(unified_diff_of_bytes(path.as_str(), before.as_deref(), after.as_deref()))
    }

    /// Returns the index of the notes that a prompt shows at a point, within the configured length; empty if
    /// there are no notes.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn index(&self, at: &At) -> Result<String> {
        let tools: Vec<_> = self.workspace.tools().list().map(|tool| tool.name).collect();
        Ok(self.indexing(None, at)?.message(usize::MAX, &tools).0)
    }

    /// Reads the input for the index of the notes at a point, or as its branch was just after an earlier entry, without what
    /// was deleted since.
    pub(crate) fn indexing(&self, as_of: Option<EntryId>, at: &At) -> Result<Indexing<'a>> {
        let workspace = self.workspace;
        self.workspace.read(at, &self.audience, &self.author.session, |reader, now| {
            let point = &match as_of {
                None => now.clone(),
                Some(entry) => {
                    let lineage = now.lineage.up_to(reader.group_with(entry)?.last);
                    let point = Point { lineage, ..now.clone() };
                    let instant = reader.last_date(&point)?.unwrap_or(point.instant);
                    Point { instant, ..point }
                }
            };
            let (mut view, reads) = (reader.notes(&self.audience, point)?, reader.note_recalls(point)?);
            let config = &workspace.config.notes;
            if as_of.is_some() {
                // The list stays, for the cache of the prompt, but nothing in it that was deleted or corrected.
                view = view.still_in(&reader.notes(&self.audience, now)?, &in_full(config));
            }
            Ok(Indexing { config, view, reads, now: point.instant })
        })
    }

    fn change(
        &self,
        path: &NotePath,
        decide: impl Fn(&NotesView, &Context) -> memtape_core::Result<Decision<Outcome>>,
    ) -> Result<Outcome> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, _, ctx| {
            let mut whole = None;
            let view = view_for(reader, path, ctx, &mut whole)?;
            let decision = decide(&view, ctx)?;
            if view.get(path).is_none() {
                admit_name(path.as_str(), &self.audience, self.author.origin)?;
            }
            Ok(decision)
        })?;
        Ok(written.outcome)
    }

    /// Refuses an audience that does not write for the whole workspace.
    fn owner(&self) -> Result<()> {
        writes_for_all(&self.audience, &self.author, "notes")
    }

    /// Returns a text as it may be written: secrets are redacted, and a text that reads like an instruction
    /// to a model is refused unless the owner wrote it.
    fn admitted(&self, text: &str) -> Result<String> {
        admit(text, &self.audience, self.author.origin)?;
        Ok(self.workspace.clean(text).into_owned())
    }
}

/// Returns the folders whose notes a prompt shows in full.
fn in_full(config: &NotesConfig) -> Vec<String> {
    if config.facts_in_full { vec![FACTS.to_owned()] } else { Vec::new() }
}

/// The input for rendering the index of the notes.
pub(crate) struct Indexing<'a> {
    config: &'a NotesConfig,
    view: NotesView,
    reads: HashMap<NotePath, u64>,
    now: Timestamp,
}

impl Indexing<'_> {
    /// Renders the index within a number of characters and the configured one, naming only these tools. Also
    /// returns the sections that it shows in full.
    pub(crate) fn message(&self, chars_max: usize, tools: &[&str]) -> (String, Vec<MemoryId>) {
        let Self { config, view, reads, now } = self;
        let in_full = in_full(config);
        let asked = index::Asked {
            folders: &config.folders,
            in_full: &in_full,
            chars_max: config.list_chars.min(chars_max),
            tools,
            reads,
            now: *now,
        };
        index::message_of(view, &asked)
    }
}

impl Workspace {
    /// Returns the notes, for the owner.
    #[must_use]
    pub fn notes(&self) -> Notes<'_> {
        Notes::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
