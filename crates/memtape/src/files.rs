//! Files: long texts as Markdown, for what a block cannot hold.
//!
//! **Invariants.** What is read and written is the tape's; the files below `files/` follow it, and what a person does to
//! them is on the tape before any command goes on. Files are the workspace's: whoever sees its scope may read them, and
//! the owner's audience alone writes them.

use memtape_core::forms::files::path;
use memtape_core::forms::files::{File, FilePath, FilesView, Listed, Outcome, ops};
use memtape_core::{Audience, Decision, Given, Origin, Session};
use memtape_store::Author;

use crate::error::{Error, Result};
use crate::handle::writes_for_all;
use crate::safety::admit;
use crate::versions::{self, Version};
use crate::workspace::{At, Workspace};

/// The files of a workspace, for one audience.
pub struct Files<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::told!(Files: for_audience, in_session, because, writing_as, called_by);

impl<'a> Files<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        session: &Session,
        origin: Origin,
        audience: Audience,
    ) -> Self {
        Self { workspace, author: workspace.author(session, origin), audience }
    }

    /// The files at a point, by path; of a folder and those below it, where one is named.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a folder that can hold none, or what the medium says.
    pub fn list(&self, folder: Option<&str>, at: &At) -> Result<Vec<Listed>> {
        let folder = folder.map(|folder| folder.trim_end_matches('/'));
        if let Some((folder, why)) = folder.and_then(|folder| Some((folder, path::folder_refusal(folder)?))) {
            return Err(Error::Invalid(format!("{folder:?} is no folder of files: {why}")));
        }
        let lies_in = |listed: &Listed| {
            folder.is_none_or(|folder| {
                listed.path.as_str().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
            })
        };
        let mut files = self
            .workspace
            .read(at, &self.author.session, |reader, point| reader.file_list(&self.audience, point))?;
        files.retain(lies_in);
        Ok(files)
    }

    /// A file at a point.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, or what the medium says.
    pub fn read(&self, path: &FilePath, at: &At) -> Result<File> {
        self.workspace.read(at, &self.author.session, |reader, point| {
            Ok(reader.file(path, &self.audience, point)?.file(path)?.clone())
        })
    }

    /// Writes a file, or what is to stand instead of it.
    ///
    /// # Errors
    /// [`Error::Refused`] for what would steer a model, and to who is not the owner; that it is too long; or what the
    /// medium says.
    pub fn write(&self, path: &FilePath, content: &str) -> Result<Outcome> {
        self.owner()?;
        // A prompt may name a file where it does not show it.
        let name = path.as_str().replace(['-', '_', '/', '.'], " ");
        for text in [content, &name] {
            admit(text, &self.audience, self.author.origin)?;
        }
        let content = self.workspace.clean(content);
        self.change(path, |view, given| ops::write(view, path, content.as_bytes(), given))
    }

    /// Deletes a file; earlier points still show it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none; else as [`Files::write`].
    pub fn delete(&self, path: &FilePath) -> Result<Outcome> {
        self.change(path, |view, given| ops::delete(view, path, given))
    }

    /// Puts a file aside, below `archive/`: no index names it any more.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none; [`Error::Invalid`] where another stands there; else as [`Files::write`].
    pub fn archive(&self, path: &FilePath) -> Result<Outcome> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            // Its own text, and whatever may stand where it goes.
            let mut view = reader.file(path, &Audience::owner(), point)?;
            let others = reader.file_list(&Audience::owner(), point)?;
            view = view.beside(others.into_iter().map(|file| file.path));
            Ok(ops::archive(&view, path, given)?)
        })?;
        Ok(written.outcome)
    }

    /// Makes a file what it was at a point, byte for byte.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it was not there; else as [`Files::write`].
    pub fn restore(&self, path: &FilePath, at: &At) -> Result<Outcome> {
        let before = self.read(path, at)?.bytes;
        self.change(path, |view, given| ops::edit(view, path, &before, given))
    }

    /// The changes of a file up to a point, newest first.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there was never such a file, or what the medium says.
    pub fn log(&self, path: &FilePath, at: &At) -> Result<Vec<Version>> {
        let versions = self.workspace.read(at, &self.author.session, |reader, point| {
            versions::of(reader, reader.file_history(path, point)?, &self.audience)
        })?;
        if versions.is_empty() {
            return Err(Error::NotFound(format!(
                "there was never a file {path}: `file list` names those that there are"
            )));
        }
        Ok(versions)
    }

    fn change(
        &self,
        path: &FilePath,
        decide: impl Fn(&FilesView, &Given) -> memtape_core::Result<Decision<Outcome>>,
    ) -> Result<Outcome> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            Ok(decide(&reader.file(path, &Audience::owner(), point)?, given)?)
        })?;
        Ok(written.outcome)
    }

    /// Refuses who does not write for the whole workspace.
    fn owner(&self) -> Result<()> {
        writes_for_all(&self.audience, &self.author, "files")
    }
}

impl Workspace {
    /// The files.
    #[must_use]
    pub fn files(&self) -> Files<'_> {
        Files::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
