//! The paths that belong to a workspace, which nothing else may overwrite.
//!
//! **Invariant.** Paths are compared without links, and without regard to case, because some systems have none. So a
//! link to the tape is the tape.

use std::fs;
use std::path::{Component, Path, PathBuf};

use memtape_core::Hint;
use memtape_tape::storage::FileStorage;

use crate::error::{Error, Result};
use crate::workspace::Workspace;

/// The files and folders in the directory of a workspace, except the folders of notes, which the configuration names.
const NAMES: [&str; 22] = [
    ".git",
    ".gitignore",
    "archive",
    "BRANCH",
    "erase.json",
    "files",
    "heartbeat.lock",
    "HEARTBEAT.md",
    "history.git",
    "lock",
    "memory.db",
    "memtape.json",
    "memtape.toml",
    "mirror",
    "tape.jsonl",
    "tokens.json",
    "upstream-contact",
    "upstream-failure",
    "upstream-pending.json",
    "upstream.json",
    "working-copy.files.json",
    "working-copy.json",
];
/// How the names of temporary files begin.
const TEMPORARY: [&str; 3] = [".memtape-", "erase.json.", "tape.jsonl."];
/// The folders of notes of a workspace whose configuration is not read.
const NOTES: [&str; 2] = ["facts", "episodes"];

/// The files that a person may write before there is a workspace.
const SETTINGS: [&str; 2] = ["memtape.json", "memtape.toml"];

impl Workspace {
    /// Returns whether a directory contains nothing, or only what a person prepares for a workspace: its settings, and
    /// folders for notes.
    #[must_use]
    pub fn is_prepared(dir: &Path) -> bool {
        let Ok(mut entries) = fs::read_dir(dir) else { return true };
        entries.all(|entry| {
            entry.is_ok_and(|entry| {
                let (name, path) = (entry.file_name(), entry.path());
                let is_folder =
                    path.is_dir() && !is_part(dir, &path) && !name.as_encoded_bytes().starts_with(b".");
                is_folder || SETTINGS.iter().any(|settings| name == *settings)
            })
        })
    }

    /// Checks that a path to be written is no part of a workspace: of this one, or of another one that contains the
    /// path. Other names in the directory of a workspace are free.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is.
    pub fn check_is_free(&self, path: &Path) -> Result<()> {
        let own = real(self.dir());
        let notes = &self.config.notes;
        let root = notes.data_dir.as_deref().unwrap_or(self.dir());
        let folders: Vec<PathBuf> = notes.folders.iter().map(|folder| real(&root.join(folder))).collect();
        let refused = |dir: &Path| {
            let message = format!("{} belongs to the workspace {}", path.display(), dir.display());
            Err(Error::Refused(message).with_hint(Hint::OtherPath))
        };
        // A link is replaced or followed, depending on who writes: neither may be done to a workspace.
        for path in [real(path), place(path)] {
            let is_note = folders.iter().any(|folder| path.starts_with(folder));
            if is_note || own == path || is_part(&own, &path) {
                return refused(&own);
            }
            let others = path.ancestors().skip(1).filter(|dir| *dir != own);
            for dir in others.filter(|dir| FileStorage::exists_in(dir)) {
                let is_note = NOTES.iter().any(|folder| path.starts_with(dir.join(folder)));
                if is_note || is_part(dir, &path) {
                    return refused(dir);
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a directory contains another one, or is the same.
pub(crate) fn contains(dir: &Path, other: &Path) -> bool {
    real(other).starts_with(real(dir))
}

/// Returns whether a path is a part of the workspace in a directory, apart from the folders of notes.
fn is_part(dir: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(dir) else { return false };
    let Some(Component::Normal(name)) = below.components().next() else { return false };
    let name = name.to_string_lossy().to_ascii_lowercase();
    // A file that is about to replace another one.
    let name = name.strip_suffix(".new").unwrap_or(&name);
    NAMES.iter().any(|own| own.eq_ignore_ascii_case(name))
        || TEMPORARY.iter().any(|begin| name.starts_with(begin))
        || (name.starts_with("index-v") && name.contains(".db"))
}

/// Returns a path without links, also if there is nothing at it yet.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| place(path))
}

/// Returns a path without links in its parents: the path of a link, not of what it leads to.
fn place(path: &Path) -> PathBuf {
    let Some(name) = path.file_name() else { return path.to_owned() };
    let parent = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return path.to_owned(),
    };
    real(parent).join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_folders_for_notes_prepare_a_workspace() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        assert!(Workspace::is_prepared(dir.path()) && Workspace::is_prepared(&dir.path().join("none")));
        fs::write(dir.path().join("memtape.toml"), "").expect("the file can be written");
        fs::create_dir_all(dir.path().join("claude")).expect("folders can be made");
        assert!(Workspace::is_prepared(dir.path()));
        for folder in ["mirror", "files", "archive", ".git"] {
            fs::create_dir(dir.path().join(folder)).expect("folders can be made");
            assert!(!Workspace::is_prepared(dir.path()), "{folder} is of a workspace whose tape is lost");
            fs::remove_dir(dir.path().join(folder)).expect("folders can be removed");
        }
        for file in ["lock", "index-v3.db", "notes.txt"] {
            fs::write(dir.path().join(file), "").expect("the file can be written");
            assert!(!Workspace::is_prepared(dir.path()), "{file}");
            fs::remove_file(dir.path().join(file)).expect("the file can be removed");
        }
    }
}
