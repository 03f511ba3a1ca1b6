//! Files: long Markdown texts that do not fit in a block.
//!
//! **Invariants.** The tape is authoritative and the files below `files/` follow it; edits of the files are
//! recorded on the tape before any command runs. Files belong to the workspace: every audience that sees its
//! scope may read them, and only the owner writes them.

use memtape_core::forms::files::path;
use memtape_core::forms::files::{File, FilePath, FilesView, Listed, Outcome, ops};
use memtape_core::{Audience, Context, Decision, Hint, Origin, Session};
use memtape_store::Author;
use memtape_tape::ErrorKind;

use crate::error::{Error, Result};
use crate::handle::writes_for_all;
use crate::safety::{admit, admit_name};
use crate::unified_diff::unified_diff_of_bytes;
use crate::versions::{self, FileVersion};
use crate::workspace::{At, Workspace};

pub use memtape_core::path::ENDINGS;

/// The files of a workspace, for one audience.
pub struct Files<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::options!(Files: new, for_audience, in_session, because, writing_as, called_by, only_if);

impl<'a> Files<'a> {
    /// Parses the path of a file, relative to `files/`.
    ///
    /// A file whose recorded name differs only in Unicode normalization is named too.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if it is no such path; [`Error::Store`] if the index cannot be read.
    pub fn path(&self, text: &str) -> Result<FilePath> {
        let path = FilePath::new(text)?;
        match text.is_ascii() {
            true => Ok(path),
            false => Ok(self.workspace.ask(|reader| reader.recorded_file_path(&path, &self.audience))?),
        }
    }

    /// Lists the files at a point, by path.
    ///
    /// With a folder, only those in it and below it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `folder` cannot be a folder of files; [`Error::Store`] if `at` does not exist or
    /// the index cannot be read.
    pub fn list(&self, folder: Option<&str>, at: &At) -> Result<Vec<Listed>> {
        let folder = folder.map(|folder| folder.trim_end_matches('/'));
        if let Some((folder, why)) = folder.and_then(|folder| Some((folder, path::folder_refusal(folder)?))) {
            return Err(Error::Invalid(format!("invalid folder {folder:?}: {why}")));
        }
        let lies_in = |listed: &Listed| {
            folder.is_none_or(|folder| {
                listed.path.as_str().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
            })
        };
        let mut files = self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            reader.file_list(&self.audience, point)
        })?;
        files.retain(lies_in);
        Ok(files)
    }

    /// Returns a file at a point.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such file; [`Error::Store`] if `at` does not exist
    /// or the index cannot be read.
    pub fn read(&self, path: &FilePath, at: &At) -> Result<File> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            Ok(reader.file(path, &self.audience, point)?.file(path)?.clone())
        })
    }

    /// Creates a file or replaces its content.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the audience is not the owner, or if the text reads like an instruction to a model
    ///   and does not come from the owner; [`Error::Store`] of kind `Refused` if a new path does.
    /// - [`Error::Store`] of kind `Invalid` if the text is too long, or if the name differs from that of
    ///   another file only in spelling.
    /// - [`Error::Store`] as for [`Workspace::write`].
    pub fn write(&self, path: &FilePath, content: &str) -> Result<Outcome> {
        self.owner()?;
        admit(content, &self.audience, self.author.origin)?;
        let content = self.workspace.clean(content);
        self.change(path, |view, ctx| ops::write(view, path, content.as_bytes(), ctx))
    }

    /// Deletes a file.
    ///
    /// Earlier points still show it.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such file; otherwise see [`Files::write`].
    pub fn delete(&self, path: &FilePath) -> Result<Outcome> {
        self.change(path, |view, ctx| ops::delete(view, path, ctx))
    }

    /// Moves a file below `archive/`.
    ///
    /// No index lists it any more.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such file, of kind `Invalid` if it is in the
    /// archive already or another file has that path; otherwise see [`Files::write`].
    pub fn archive(&self, path: &FilePath) -> Result<Outcome> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            // A rename needs the text of the file, and the paths of all others to find out whether the new path is
            // taken.
            let mut view = reader.file(path, &Audience::owner(), point)?;
            let others = reader.file_list(&Audience::owner(), point)?;
            view = view.beside(others.into_iter().map(|file| file.path));
            Ok(ops::archive(&view, path, ctx)?)
        })?;
        Ok(written.outcome)
    }

    /// Restores a file to its content at a point, byte for byte.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if the file did not exist at that point; otherwise see
    /// [`Files::write`].
    pub fn restore(&self, path: &FilePath, at: &At) -> Result<Outcome> {
        let before = self.read(path, at).or_else(|e| {
            // The file exists at another point, so the message names this one.
            let is_known = e.kind() == ErrorKind::NotFound && self.log(path, &At::head()).is_ok();
            if !is_known {
                return Err(e);
            }
            let point = self
                .workspace
                .read(at, &self.audience, &self.author.session, |_, point| Ok(at.shown(point)))?;
            let why = format!("there is no file {path} at {point}");
            Err(Error::NotFound(why).with_hint(Hint::FileVersions(path.to_string())))
        })?;
        let mark = before.quarantined.as_deref();
        self.change(path, |view, ctx| ops::edit_keeping(view, path, &before.bytes, before.origin, mark, ctx))
    }

    /// Returns the changes of a file up to a point, newest first.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there never was such a file; [`Error::Store`] if `at` does not exist or the
    /// index cannot be read.
    pub fn log(&self, path: &FilePath, at: &At) -> Result<Vec<FileVersion>> {
        let versions = self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            versions::of(reader, reader.file_history(path, point)?, &self.audience)
        })?;
        if versions.is_empty() {
            return Err(Error::NotFound(format!("file {path} never existed")).with_hint(Hint::ListFiles));
        }
        Ok(versions)
    }

    /// Returns the difference between a file at two points as a unified diff; empty if there is none.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the file exists at neither point; [`Error::Store`] if a point does not exist or
    /// the index cannot be read.
    pub fn diff(&self, path: &FilePath, from: &At, to: &At) -> Result<String> {
        let [before, after] = self.workspace.read_both(
            [from, to],
            &self.audience,
            &self.author.session,
            |reader, [from, to]| {
                let text = |point| -> memtape_index::Result<Option<Vec<u8>>> {
                    Ok(reader.file(path, &self.audience, point)?.get(path).map(|file| file.bytes.clone()))
                };
                Ok([text(from)?, text(to)?])
            },
        )?;
        if before.is_none() && after.is_none() {
            return Err(Error::NotFound(format!("there is no file {path} at either point")));
        }
        Ok(unified_diff_of_bytes(path.as_str(), before.as_deref(), after.as_deref()))
    }

    fn change(
        &self,
        path: &FilePath,
        decide: impl Fn(&FilesView, &Context) -> memtape_core::Result<Decision<Outcome>>,
    ) -> Result<Outcome> {
        self.owner()?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let view = reader.file(path, &Audience::owner(), point)?;
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
        writes_for_all(&self.audience, &self.author, "files")
    }
}

impl Workspace {
    /// Returns the files, for the owner.
    #[must_use]
    pub fn files(&self) -> Files<'_> {
        Files::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
