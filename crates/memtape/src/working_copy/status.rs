//! What the files of a working copy are, beside what the tape has.

use std::path::PathBuf;

use memtape_core::{Error as CoreError, Form};
use memtape_store::working_copy::Oddity;
use memtape_tape::Hash;

use super::{KINDS, Kind, point_at};
use crate::error::Result;
use crate::workspace::Workspace;

/// What the files of a working copy are, beside what the tape has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesStatus {
    /// Where the folders lie.
    pub root: PathBuf,
    /// The branch that the files show; `None` where there are none yet.
    pub branch: Option<String>,
    /// Files on that branch.
    pub files: usize,
    /// Their bytes.
    pub bytes: usize,
    /// What stands in the folders and is left alone, with the reason.
    pub odd: Vec<Oddity>,
    /// Files that hold a secret, which the tape has without it.
    pub secrets: Vec<String>,
    /// Files that wait to be brought to what the tape has.
    pub waiting: Vec<String>,
}

impl Workspace {
    /// What the files of a form are; none of a form that has no working copy.
    ///
    /// # Errors
    /// What the medium says.
    pub fn files_status(&self, form: Form) -> Result<FilesStatus> {
        match KINDS.into_iter().find(|kind| kind.form() == form) {
            Some(kind) => self.status_of(kind),
            None => Ok(FilesStatus::default()),
        }
    }

    fn status_of(&self, kind: &dyn Kind) -> Result<FilesStatus> {
        let copy = kind.copy(self);
        let (texts, manifest) = self.ask(|reader| {
            let manifest = copy.manifest()?;
            let point = match &manifest {
                Some(manifest) => point_at(reader, &manifest.base.branch, manifest.base.entry)?,
                None => reader.head_of(&reader.default_branch(reader.head())?)?,
            };
            Ok((kind.texts(reader, &point)?, manifest))
        })?;
        let look = copy.look()?;
        let root = copy.root().to_owned();
        let mut status =
            FilesStatus { root, odd: look.oddities, waiting: look.owed, ..FilesStatus::default() };
        let Some(manifest) = manifest else { return Ok(status) };
        for (path, bytes) in texts {
            status.files += 1;
            status.bytes += bytes.len();
            if manifest.files.get(&path).is_some_and(|known| known.sha256 != Hash::of(&bytes)) {
                status.secrets.push(path);
            }
        }
        status.branch = Some(manifest.base.branch);
        Ok(status)
    }

    /// Refuses to take the files elsewhere while they hold what the tape does not have.
    pub(crate) fn refuse_to_swap_secrets(&self) -> Result<()> {
        for kind in KINDS {
            let status = self.status_of(kind)?;
            let Some(first) = status.secrets.first() else { continue };
            return Err(CoreError::Refused(format!(
                "{first} holds a secret, which the tape has without it: going to another branch would take it away for \
                 good. Take it out of the file, or `memtape scan --redact` does"
            ))
            .into());
        }
        Ok(())
    }
}
