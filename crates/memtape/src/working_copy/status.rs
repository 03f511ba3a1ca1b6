//! What the files of a working copy are, beside what the tape has.

use std::path::PathBuf;

use memtape_core::{Error as CoreError, Form};
use memtape_index::Reader;
use memtape_tape::Hash;
use memtape_worktree::working_copy::{Base, Look, Manifest, Oddity, PassedOver};

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
    /// What lies in the folders and is no file of the form, as other endings.
    pub passed_over: PassedOver,
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
        // What was recorded is looked at, not what is yet to be.
        self.ask(|_| Ok(()))?;
        let look = copy.look()?;
        // Read before the view is taken, so that the view contains the entries that it names.
        let manifest = copy.manifest()?;
        let (texts, secrets) = self.ask(|reader| {
            let point = match &manifest {
                Some(manifest) => point_at(reader, &manifest.base.branch, manifest.base.entry)?,
                None => reader.head_of(&reader.default_branch(reader.head())?)?,
            };
            let secrets = manifest.as_ref().map(|manifest| holding_secrets(kind, reader, manifest, &look));
            Ok((kind.texts(reader, &point)?, secrets.transpose()?.unwrap_or_default()))
        })?;
        let mut status = FilesStatus {
            root: copy.root().to_owned(),
            odd: look.oddities,
            passed_over: look.passed_over,
            waiting: look.pending,
            secrets,
            ..FilesStatus::default()
        };
        let Some(manifest) = manifest else { return Ok(status) };
        status.files = texts.len();
        status.bytes = texts.values().map(Vec::len).sum();
        status.branch = Some(manifest.base.branch);
        Ok(status)
    }

    /// Refuses to take the files elsewhere while they hold what the tape does not have.
    pub(crate) fn refuse_to_swap_secrets(&self) -> Result<()> {
        for kind in KINDS {
            let status = self.status_of(kind)?;
            let Some(first) = status.secrets.first() else { continue };
            return Err(CoreError::Refused(format!(
                "{first} contains a secret that the tape does not have, and switching the branch would \
                 lose it: remove it from the file, or run `memtape scan --redact`"
            ))
            .into());
        }
        Ok(())
    }
}

/// The files that hold more than the tape has of them where they stand: secrets, which were recorded as edits without them.
/// What something else stands in place of holds nothing that could be taken away.
pub(super) fn holding_secrets(
    kind: &dyn Kind,
    reader: &Reader<'_>,
    manifest: &Manifest,
    look: &Look,
) -> memtape_index::Result<Vec<String>> {
    let text_at =
        |base: &Base, path: &str| kind.text(reader, path, &point_at(reader, &base.branch, base.entry)?);
    let base = &manifest.base;
    let mut texts = kind.texts(reader, &point_at(reader, &base.branch, base.entry)?)?;
    let mut holding = Vec::new();
    for (path, known) in &manifest.files {
        let text = if known.base == *base { texts.remove(path) } else { text_at(&known.base, path)? };
        let differs = text.is_some_and(|text| Hash::of(&text) != known.sha256);
        if differs && look.in_place_of(path).is_none() {
            holding.push(path.clone());
        }
    }
    Ok(holding)
}
