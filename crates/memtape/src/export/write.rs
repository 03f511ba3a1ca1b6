//! Writes an export to a file or a directory.
//!
//! **Invariant.** An export takes its place only when it is complete. A file is replaced only if the caller says
//! so; of directories, only that of an earlier export, because any other may contain anything.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use memtape_core::Hint;
use memtape_tape::storage::create_anew;
use serde_json::json;

use super::Exported;
use crate::error::{Error, Result};

/// The file that marks the directory of an export.
const MARK: &str = "export.json";

/// Writes a file.
pub(super) fn file(
    to: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<Exported>,
) -> Result<Exported> {
    if to.is_dir() {
        return Err(Error::Refused(format!("{} is a directory: name a file", to.display())));
    }
    if !replace && to.symlink_metadata().is_ok() {
        return Err(Error::Refused(format!("{} exists", to.display())).with_hint(Hint::Replace));
    }
    let part = beside(to);
    let written = write_anew(&part, write).map_err(|e| at_path(e, to));
    let written = written.and_then(|exported| {
        fs::rename(&part, to).map_err(|e| cannot_write(to, e))?;
        Ok(exported)
    });
    if written.is_err() {
        // A partly written file is of no use.
        let _ = fs::remove_file(&part);
    }
    written
}

fn write_anew(part: &Path, write: impl FnOnce(&mut dyn Write) -> Result<Exported>) -> Result<Exported> {
    let mut out = BufWriter::new(create_anew(part).map_err(|e| cannot_write(part, e))?);
    let exported = write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error);
    file.and_then(|file: File| file.sync_all()).map_err(|e| cannot_write(part, e))?;
    Ok(exported)
}

/// A directory that is being written.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Writes a file. `path` is relative, with `/` between its parts.
    pub(super) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> Result<()> {
        let path = self.made(path)?;
        fs::write(&path, text).map_err(|e| cannot_write(&path, e))
    }

    /// Appends to a file.
    pub(super) fn append(&self, path: &str, text: &str) -> Result<()> {
        let path = self.made(path)?;
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|e| cannot_write(&path, e))
    }

    /// Returns the path of a file whose directory exists.
    fn made(&self, path: &str) -> Result<PathBuf> {
        let path = self.0.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| cannot_write(folder, e))?;
        }
        Ok(path)
    }
}

/// Writes a directory.
pub(super) fn folder(
    to: &Path,
    replace: bool,
    write: impl FnOnce(&Folder) -> Result<Exported>,
) -> Result<Exported> {
    let is_empty = fs::read_dir(to).is_ok_and(|mut folder| folder.next().is_none());
    if to.symlink_metadata().is_ok() && !is_empty {
        let is_export = to.join(MARK).is_file();
        let refused = match is_export {
            true if replace => None,
            true => Some(Error::Refused(format!("{} exists", to.display())).with_hint(Hint::Replace)),
            false => Some(Error::Refused(format!(
                "{} exists and is not an export of memtape: name a new or an empty directory",
                to.display()
            ))),
        };
        if let Some(refused) = refused {
            return Err(refused);
        }
    }
    let part = Folder(beside(to));
    let written = fs::create_dir(&part.0).map_err(|e| cannot_write(to, e)).and_then(|()| write(&part));
    let written = written.and_then(|exported| {
        let Exported { memories, commits, events, left_out, .. } = exported;
        let mark = json!({
            "format": "memtape files",
            "memories": memories,
            "commits": commits,
            "events": events,
            "left_out": left_out,
        });
        part.write(MARK, format!("{mark:#}\n"))?;
        put_in_place(&part.0, to)?;
        Ok(exported)
    });
    if written.is_err() {
        let _ = fs::remove_dir_all(&part.0);
    }
    written
}

/// Moves a complete directory to its place. An earlier one is removed only after that.
fn put_in_place(part: &Path, to: &Path) -> Result<()> {
    let old = part.with_extension("old");
    let has_old = to.exists();
    let moved = match has_old {
        true => fs::rename(to, &old).and_then(|()| fs::rename(part, to)),
        false => fs::rename(part, to),
    };
    if moved.is_err() && has_old && !to.exists() {
        // The earlier export goes back to its place.
        let _ = fs::rename(&old, to);
    }
    moved.map_err(|e| cannot_write(to, e))?;
    if has_old {
        fs::remove_dir_all(&old).map_err(|e| cannot_write(&old, e))?;
    }
    Ok(())
}

/// Returns the path at which an export is written until it is complete.
fn beside(to: &Path) -> PathBuf {
    let name = to.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    to.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

/// Names the path in the error of a writer.
fn at_path(e: Error, path: &Path) -> Error {
    match e {
        Error::Export { source, .. } => cannot_write(path, source),
        other => other,
    }
}

fn cannot_write(path: &Path, source: io::Error) -> Error {
    Error::Export { path: path.display().to_string(), source }
}
