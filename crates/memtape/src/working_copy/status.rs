//! Compares the files of a working copy with the tape.

use std::path::PathBuf;

use memtape_core::safety::secrets::is_utf16;
use memtape_core::{Audience, Error as CoreError, Form, Moment, Session};
use memtape_index::Reader;
use memtape_tape::Hash;
use memtape_worktree::working_copy::{Look, Manifest, Oddity, PassedOver};

use super::{KINDS, Kind, point_at, text_of};
use crate::error::Result;
use crate::workspace::{At, Workspace};

/// The state of a working copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesStatus {
    /// The directory that contains its folders.
    pub root: PathBuf,
    /// The branch that the files show; `None` if there are no files yet, or at an earlier point.
    pub branch: Option<String>,
    /// Files on that branch.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: usize,
    /// Files that memtape cannot manage, each with the reason.
    pub odd: Vec<Oddity>,
    /// Files in the folders that are not of this form, such as those with another suffix.
    pub passed_over: PassedOver,
    /// Files that contain a secret, which is redacted on the tape.
    pub secrets: Vec<String>,
    /// Texts of files that were kept beside them, because of a secret that the tape does not have.
    pub kept: Vec<String>,
    /// Files in UTF-16: they are recorded, but tools can only replace them.
    pub utf16: Vec<String>,
    /// Files that are not updated yet.
    pub waiting: Vec<String>,
}

impl Workspace {
    /// Returns the state of a form's working copy; the default if the form has none.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the files, their manifest or the index cannot be read.
    pub fn files_status(&self, form: Form) -> Result<FilesStatus> {
        match KINDS.into_iter().find(|kind| kind.form() == form) {
            Some(kind) => self.status_of(kind),
            None => Ok(FilesStatus::default()),
        }
    }

    /// Returns the state of a form's working copy at the head. At any other point, it returns only how many files the form
    /// had and their size.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist, and as for [`Workspace::files_status`].
    pub fn files_status_at(&self, form: Form, at: &At) -> Result<FilesStatus> {
        let Some(kind) = KINDS.into_iter().find(|kind| kind.form() == form && at.text.moment != Moment::Head)
        else {
            return self.files_status(form);
        };
        let texts =
            self.read(at, &Audience::owner(), &Session::direct(), |reader, point| kind.texts(reader, point))?;
        let root = kind.copy(self).root().to_owned();
        let bytes = texts.values().map(Vec::len).sum();
        Ok(FilesStatus { root, files: texts.len(), bytes, ..FilesStatus::default() })
    }

    fn status_of(&self, kind: &dyn Kind) -> Result<FilesStatus> {
        let copy = kind.copy(self);
        // Edits are recorded first, so that the status reports only what could not be recorded.
        self.record_edits()?;
        let look = copy.look()?;
        // Read before the view is taken, so that the view contains the entries that it names.
        let manifest = copy.manifest()?;
        let (texts, secrets) = self.ask(|reader| {
            // The manifest may be behind the tape, if it could not be written.
            let branch = match &manifest {
                Some(Manifest { base, .. }) => reader.branch_called(&base.branch, base.entry)?,
                None => reader.default_branch(reader.head())?,
            };
            let point = reader.head_of(&branch)?;
            let secrets = manifest.as_ref().map(|manifest| files_with_secrets(kind, reader, manifest, &look));
            Ok((kind.texts(reader, &point)?, secrets.transpose()?.unwrap_or_default()))
        })?;
        let mut status = FilesStatus {
            root: copy.root().to_owned(),
            odd: look.oddities,
            passed_over: look.passed_over,
            kept: look.kept,
            waiting: look.pending,
            secrets,
            ..FilesStatus::default()
        };
        let Some(manifest) = manifest else { return Ok(status) };
        let utf16 = texts.iter().filter(|(_, text)| is_utf16(text));
        status.utf16 = utf16.map(|(path, _)| path.clone()).collect();
        status.files = texts.len();
        status.bytes = texts.values().map(Vec::len).sum();
        status.branch = Some(manifest.base.branch);
        Ok(status)
    }

    /// Returns an error if switching to a branch would lose secrets that only the files contain.
    pub(crate) fn refuse_to_swap_secrets(&self, branch: &str) -> Result<()> {
        for kind in KINDS {
            let FilesStatus { secrets, branch: shown, .. } = self.status_of(kind)?;
            let Some(shown) = shown.filter(|_| !secrets.is_empty()) else { continue };
            // A file that is the same on both branches is not replaced.
            let replaced = self.ask(|reader| {
                let [from, to] = [&shown, branch].map(|name| kind.texts(reader, &reader.head_of(name)?));
                let (from, to) = (from?, to?);
                Ok(secrets.iter().find(|path| from.get(*path) != to.get(*path)).cloned())
            })?;
            if let Some(path) = replaced {
                return Err(CoreError::Refused(format!(
                    "{path} contains a secret that the tape does not have, and switching the branch would \
                     lose it: remove it from the file, or run `memtape scan --redact`"
                ))
                .into());
            }
        }
        Ok(())
    }
}

/// Returns the files that contain secrets, that is, whose text differs from the redacted text on the tape. A path that
/// something else blocks has no file whose text could be lost.
pub(super) fn files_with_secrets(
    kind: &dyn Kind,
    reader: &Reader<'_>,
    manifest: &Manifest,
    look: &Look,
) -> memtape_index::Result<Vec<String>> {
    let base = &manifest.base;
    let mut texts = kind.texts(reader, &point_at(reader, &base.branch, base.entry)?)?;
    let mut found = Vec::new();
    for (path, known) in &manifest.files {
        let text = match known.base == *base && known.text.is_none() {
            true => texts.remove(path),
            false => text_of(kind, reader, path, &known.base, known.text.as_ref())?,
        };
        let differs = text.is_some_and(|text| Hash::of(&text) != known.sha256);
        if differs && look.in_place_of(path).is_none() {
            found.push(path.clone());
        }
    }
    Ok(found)
}
