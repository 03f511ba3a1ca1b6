//! Notes: facts and episodes as Markdown files that a person may edit.
//!
//! **Invariants.** What is read and written is the tape's; the files follow it ([`crate::working_copy`]), and what a person does to
//! them is on the tape before any command goes on. Notes are the workspace's: whoever sees its scope may read them, and
//! the owner's audience alone writes them.

use std::collections::HashMap;

use jiff::Timestamp;
use memtape_core::forms::notes::view::Listed;
use memtape_core::forms::notes::{
    Change, File, Limits, NotePath, NotesView, Outcome, Patch, index, ops, split,
};
use memtape_core::{Audience, Decision, Given, MemoryId, Origin, Session};
use memtape_store::Author;
use similar::TextDiff;

use crate::config::NotesConfig;
use crate::error::{Error, Result};
use crate::handle::writes_for_all;
use crate::safety::admit;
use crate::versions::{self, Version};
use crate::working_copy::notes::view_for;
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

pub use memtape_core::forms::notes::index::size_text;

/// The folder whose files a prompt may be given in full.
const FACTS: &str = "facts";
/// How long a month's file may be before it is worth splitting, in bytes.
pub const SPLIT_BYTES_ADVISED: usize = 64 << 10;

/// The notes of a workspace, for one audience.
pub struct Notes<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::told!(Notes: for_audience, in_session, because, writing_as, called_by);

impl<'a> Notes<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        session: &Session,
        origin: Origin,
        audience: Audience,
    ) -> Self {
        Self { workspace, author: workspace.author(session, origin), audience }
    }

    /// Reads the path of a note: `FOLDER/NAME.md`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn path(&self, text: &str) -> Result<NotePath> {
        Ok(NotePath::new(text, &self.workspace.config.notes.folders)?)
    }

    /// Every file at a point.
    ///
    /// # Errors
    /// What the medium says.
    pub fn view(&self, at: &At) -> Result<NotesView> {
        self.workspace.read(at, &self.author.session, |reader, point| reader.notes(&self.audience, point))
    }

    /// The files at a point, each with its summary and size.
    ///
    /// # Errors
    /// What the medium says.
    pub fn list(&self, at: &At) -> Result<Vec<Listed>> {
        Ok(self.view(at)?.list(&self.workspace.config.notes.folders))
    }

    /// A file at a point.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, or what the medium says.
    pub fn read(&self, path: &NotePath, at: &At) -> Result<File> {
        self.workspace.read(at, &self.author.session, |reader, point| {
            let view = reader.note_file(path, &self.audience, point)?;
            match view.get(path) {
                Some(file) => Ok(file.clone()),
                // All of them, to name what is near.
                None => Ok(reader.notes(&self.audience, point)?.file(path)?.clone()),
            }
        })
    }

    /// Writes a file, or what is to stand instead of it.
    ///
    /// # Errors
    /// [`Error::Refused`] for what would steer a model, and to who is not the owner; that it is too long; or what the
    /// medium says.
    pub fn write(&self, path: &NotePath, content: &str) -> Result<Outcome> {
        let content = self.admitted(content)?;
        self.change(path, |view, given| ops::write(view, path, &content, &Limits::default(), given))
    }

    /// Replaces texts of a file, all or none.
    ///
    /// # Errors
    /// That a text does not stand there once; else as [`Notes::write`].
    pub fn patch(&self, path: &NotePath, patches: &[Patch]) -> Result<Outcome> {
        let admitted = |patch: &Patch| -> Result<Patch> {
            Ok(Patch { old: patch.old.clone(), new: self.admitted(&patch.new)? })
        };
        let patches: Vec<_> = patches.iter().map(admitted).collect::<Result<_>>()?;
        self.change(path, |view, given| ops::patch(view, path, &patches, &Limits::default(), given))
    }

    /// Adds an entry to a file, and makes the file where there is none; `summary` is the file's from then on.
    ///
    /// # Errors
    /// As [`Notes::write`].
    pub fn append(&self, path: &NotePath, entry: &str, summary: Option<&str>) -> Result<Outcome> {
        let entry = self.admitted(entry)?;
        let summary = summary.map(|summary| self.admitted(summary)).transpose()?;
        let summary = summary.as_deref();
        self.change(path, |view, given| ops::append(view, path, &entry, summary, &Limits::default(), given))
    }

    /// Deletes a file; earlier points still show it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none; else as [`Notes::write`].
    pub fn delete(&self, path: &NotePath) -> Result<Outcome> {
        self.change(path, |view, given| ops::delete(view, path, given))
    }

    /// Makes a file what it was at a point, byte for byte.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it was not there; else as [`Notes::write`].
    pub fn restore(&self, path: &NotePath, at: &At) -> Result<Outcome> {
        let before = self.read(path, at)?.bytes();
        self.change(path, |view, given| ops::edit(view, path, &before, given))
    }

    /// Moves the blocks of a month's file into files of their weeks, and gives what became of each file.
    ///
    /// # Errors
    /// That it has no blocks with a day; else as [`Notes::write`].
    pub fn split(&self, path: &NotePath) -> Result<Vec<Change>> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let view = reader.notes(&self.audience, point)?;
            Ok(split::split_by_week(&view, path, given)?)
        })?;
        Ok(written.outcome)
    }

    /// The changes of a file up to a point, newest first.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there was never such a file, or what the medium says.
    pub fn log(&self, path: &NotePath, at: &At) -> Result<Vec<Version>> {
        let versions = self.workspace.read(at, &self.author.session, |reader, point| {
            versions::of(reader, reader.note_history(path, point)?, &self.audience)
        })?;
        if versions.is_empty() {
            return Err(Error::NotFound(format!("there was never a note {path}")).with_hint(Hint::ListNotes));
        }
        Ok(versions)
    }

    /// How a file at one point differs from that at another, as a unified diff; nothing where it does not.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it is at neither, or what the medium says.
    pub fn diff(&self, path: &NotePath, from: &At, to: &At) -> Result<String> {
        let [before, after] =
            self.workspace.read_both([from, to], &self.author.session, |reader, [from, to]| {
                let text = |point| -> memtape_store::Result<Option<String>> {
                    let view = reader.note_file(path, &self.audience, point)?;
                    Ok(view.get(path).map(File::text))
                };
                Ok([text(from)?, text(to)?])
            })?;
        if before.is_none() && after.is_none() {
            return Err(Error::NotFound(format!("there is no note {path} at either point")));
        }
        let name = |text: &Option<String>, side: &str| match text {
            Some(_) => format!("{side}/{path}"),
            None => "/dev/null".to_owned(),
        };
        let names = (name(&before, "a"), name(&after, "b"));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        if before == after {
            return Ok(String::new());
        }
        let diff = TextDiff::from_lines(&before, &after);
        Ok(diff.unified_diff().header(&names.0, &names.1).to_string())
    }

    /// What a prompt is told of notes at a point, within the characters that are configured; nothing where there is none.
    ///
    /// # Errors
    /// What the medium says.
    pub fn index(&self, at: &At) -> Result<String> {
        let tools: Vec<_> = self.workspace.tools().list().map(|tool| tool.name).collect();
        Ok(self.indexing(at)?.message(usize::MAX, &tools).0)
    }

    /// What a prompt is told of notes at a point, within any number of characters.
    pub(crate) fn indexing(&self, at: &At) -> Result<Indexing<'a>> {
        let workspace = self.workspace;
        self.workspace.read(at, &self.author.session, |reader, point| {
            let (view, reads) = (reader.notes(&self.audience, point)?, reader.note_recalls(point)?);
            Ok(Indexing { config: &workspace.config.notes, view, reads, now: point.instant })
        })
    }

    fn change(
        &self,
        path: &NotePath,
        decide: impl Fn(&NotesView, &Given) -> memtape_core::Result<Decision<Outcome>>,
    ) -> Result<Outcome> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, _, given| {
            let mut whole = None;
            let view = view_for(reader, path, given, &mut whole)?;
            Ok(decide(&view, given)?)
        })?;
        Ok(written.outcome)
    }

    /// Refuses who does not write for the whole workspace.
    fn owner(&self) -> Result<()> {
        writes_for_all(&self.audience, &self.author, "notes")
    }

    /// A text as it may be written: without secrets, and without orders to whom it is shown.
    fn admitted(&self, text: &str) -> Result<String> {
        admit(text, &self.audience, self.author.origin)?;
        Ok(self.workspace.clean(text).into_owned())
    }
}

/// What the message is made of that tells which notes there are.
pub(crate) struct Indexing<'a> {
    config: &'a NotesConfig,
    view: NotesView,
    reads: HashMap<NotePath, u64>,
    now: Timestamp,
}

impl Indexing<'_> {
    /// The message, within so many characters and those that are configured, naming these tools alone, and the sections
    /// that it shows in full.
    pub(crate) fn message(&self, chars_max: usize, tools: &[&str]) -> (String, Vec<MemoryId>) {
        let Self { config, view, reads, now } = self;
        let in_full = if config.facts_in_full { vec![FACTS.to_owned()] } else { Vec::new() };
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
    /// The notes.
    #[must_use]
    pub fn notes(&self) -> Notes<'_> {
        Notes::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
