//! A scratch copy of a workspace, in which a command runs to show what it would do.
//!
//! **Invariants.** The copy is in a [`TemporaryDir`], which is removed when it is dropped. Whatever is written in it, the
//! workspace does not change. It has the same tape, and so the same index and the same files.

use std::fs;
use std::io;
use std::path::Path;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::temporary::{self, TemporaryDir};
use crate::workspace::{Options, Workspace};
use memtape_store::Warning;
use memtape_tape::Durability;

/// A copy of a workspace.
pub struct Scratch {
    // The workspace has files open in the directory, so it is dropped first.
    workspace: Workspace,
    _dir: TemporaryDir,
}

impl Scratch {
    /// Returns the workspace.
    #[must_use]
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Adds the warnings about redacted secrets to those of the workspace that was copied.
    pub fn warn_of_secrets(&self, copied: &Workspace) {
        let warnings = self.workspace.take_warnings().into_iter();
        warnings
            .filter(|warning| matches!(warning, Warning::Redacted { .. }))
            .for_each(|warning| copied.store.note(warning));
    }
}

impl Workspace {
    /// Copies the workspace as it is now. The clock of the copy stands still.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Busy` if another process holds the writer lock for longer than `lock.timeout`;
    /// [`Error::Temporary`] if the copy cannot be made.
    pub fn scratch(&self) -> Result<Scratch> {
        self.follow_files()?;
        let dir = TemporaryDir::new().map_err(Error::Temporary)?;
        let failed = |e: io::Error| Error::Temporary(temporary::failed("copy the workspace", &e));
        let copy = dir.path().join("memory");
        fs::create_dir(&copy).map_err(failed)?;
        {
            // While nobody writes, the tape and its segments are one state.
            let _write_guard = self.store.write_guard()?;
            copy_tape(self.dir(), &copy).map_err(failed)?;
        }
        let mut config = Config { durability: Durability::Os, ..self.config.clone() };
        config.notes.data_dir = None;
        config.files.git = None;
        let now = self.now();
        let options = Options {
            config,
            branch: self.branch().map(str::to_owned),
            clock: Box::new(move || now),
            ..Options::default()
        };
        Ok(Scratch { workspace: Self::open(&copy, options)?, _dir: dir })
    }
}

/// Copies the segments of the tape.
fn copy_tape(from: &Path, to: &Path) -> io::Result<()> {
    // After an interrupted `memtape tape archive` there may be only closed segments.
    match fs::copy(from.join("tape.jsonl"), to.join("tape.jsonl")) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    let archive = from.join("archive");
    if !archive.is_dir() {
        return Ok(());
    }
    fs::create_dir(to.join("archive"))?;
    for entry in fs::read_dir(archive)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("tape-") && entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join("archive").join(name))?;
        }
    }
    Ok(())
}
