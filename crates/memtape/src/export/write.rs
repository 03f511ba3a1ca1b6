//! Writes an export to a file or a directory.
//!
//! **Invariant.** A file is written completely or not at all. A file that is not an export of memtape is
//! replaced only if the caller says so; a directory that is not an export is never replaced, because it may
//! contain anything.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use memtape_core::Hint;
use memtape_tape::storage::create_anew;
use serde_json::Value;

use super::shapes::MARKDOWN_TITLE;
use super::{Exported, Format};
use crate::error::{Error, Result};

impl Exported {
    /// Returns the text of a single-file export; `None` if the export is a directory.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self.files.as_slice() {
            [file] if file.path.is_empty() => Some(&file.text),
            _ => None,
        }
    }

    /// Writes the export to a file, or into a directory.
    ///
    /// An earlier export at that place is replaced. Another file is replaced only if `replace` is set.
    ///
    /// # Errors
    /// [`Error::Refused`] if something else exists at that place; [`Error::Export`] if a file cannot be
    /// written.
    pub fn write(&self, to: &Path, replace: bool) -> Result<()> {
        match self.format {
            Format::Files => self.write_folder(to),
            Format::Json | Format::Markdown => {
                if to.is_dir() {
                    return Err(Error::Refused(format!("{} is a directory: name a file", to.display())));
                }
                if !replace && to.exists() && !is_export(to) {
                    let why = format!("{} exists and is not an export of memtape", to.display());
                    return Err(Error::Refused(why).with_hint(Hint::Replace));
                }
                write_file(to, self.text().unwrap_or_default())
            }
        }
    }

    /// Writes the files into a directory of their own and deletes what an earlier export left there.
    fn write_folder(&self, to: &Path) -> Result<()> {
        let is_ours = to.join("HEAD").is_file() && to.join("view/current.json").is_file();
        let is_empty = fs::read_dir(to).is_ok_and(|mut folder| folder.next().is_none());
        if to.exists() && !is_ours && !is_empty {
            return Err(Error::Refused(format!(
                "{} exists and is not an export of memtape: name a new or an empty directory",
                to.display()
            )));
        }
        for stale in ["branches", "ledger", "view"].map(|name| to.join(name)) {
            if stale.is_dir() {
                fs::remove_dir_all(&stale).map_err(|e| cannot_write(&stale, e))?;
            }
        }
        for file in &self.files {
            let path = to.join(&file.path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|e| cannot_write(folder, e))?;
            }
            write_file(&path, &file.text)?;
        }
        Ok(())
    }
}

/// Returns whether a file is an earlier export.
fn is_export(path: &Path) -> bool {
    let Ok(text) = fs::read_to_string(path) else { return false };
    text.starts_with(MARKDOWN_TITLE)
        || serde_json::from_str::<Value>(&text).is_ok_and(|value| {
            ["exported_at", "current_branch", "branches", "memories"]
                .iter()
                .all(|field| value.get(field).is_some())
        })
}

/// Replaces a file atomically.
fn write_file(path: &Path, text: &str) -> Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let beside: PathBuf = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = create_anew(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    written.map_err(|e| {
        // A partly written file is of no use.
        let _ = fs::remove_file(&beside);
        cannot_write(path, e)
    })
}

fn cannot_write(path: &Path, source: std::io::Error) -> Error {
    Error::Export { path: path.display().to_string(), source }
}
