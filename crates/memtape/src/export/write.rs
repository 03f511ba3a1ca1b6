//! Writes an export to a file or a directory.
//!
//! **Invariant.** An export takes its place only when it is complete, unless that is a pipe or a device. A file is replaced
//! only if the caller says so; of a directory, only the files of an earlier export, which its mark lists. Whatever else is in it stays.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use memtape_core::Hint;
use memtape_tape::disk::create_anew;
use serde_json::{Value, json};

use super::Exported;
use crate::error::{Error, Result};

/// The file that marks the directory of an export.
const MARK: &str = "export.json";
/// What it names as its format.
const FORMAT: &str = "memtape files";

/// Writes a file.
pub(super) fn file(
    to: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<Exported>,
) -> Result<Exported> {
    if to.is_dir() {
        return Err(Error::Refused(format!("{} is a directory: name a file", to.display())));
    }
    // A pipe or a device takes what is written; another file in its place would not.
    if to.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        let mut out = OpenOptions::new().write(true).open(to).map_err(|e| cannot_write(to, e))?;
        return write(&mut out).map_err(|e| at_path(e, to));
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
pub(super) struct Folder {
    path: PathBuf,
    /// The paths of its files.
    files: RefCell<BTreeSet<String>>,
}

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
        self.files.borrow_mut().insert(path.to_owned());
        let path = self.path.join(path);
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
        let is_export = mark_of(to).is_some();
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
    let part = Folder { path: beside(to), files: RefCell::default() };
    let written = fs::create_dir(&part.path).map_err(|e| cannot_write(to, e)).and_then(|()| write(&part));
    let written = written.and_then(|exported| {
        let Exported { memories, commits, events, left_out, .. } = exported;
        let mark = json!({
            "format": FORMAT,
            "memories": memories,
            "commits": commits,
            "events": events,
            "left_out": left_out,
            "files": *part.files.borrow(),
        });
        part.write(MARK, format!("{mark:#}\n"))?;
        let others = others(to)?;
        if let Some(other) = others.iter().find(|other| part.path.join(other).symlink_metadata().is_ok()) {
            let other = to.join(other);
            return Err(Error::Refused(format!(
                "{} is not of the earlier export: move it, or name another directory",
                other.display()
            )));
        }
        put_in_place(&part.path, to, &others)?;
        Ok(exported)
    });
    if written.is_err() {
        let _ = fs::remove_dir_all(&part.path);
    }
    written
}

/// Returns the mark of the directory of an export; `None` if it is none. Other programs also write a file of this name.
fn mark_of(folder: &Path) -> Option<Value> {
    let mark: Value = serde_json::from_slice(&fs::read(folder.join(MARK)).ok()?).ok()?;
    (mark.get("format")? == FORMAT).then_some(mark)
}

/// Returns the paths in the directory of an earlier export that are not of the export: files, and directories that have
/// none of its files.
fn others(to: &Path) -> Result<Vec<PathBuf>> {
    let mark = mark_of(to);
    let listed = mark.as_ref().and_then(|mark| mark.get("files")?.as_array()).into_iter().flatten();
    let own: BTreeSet<&Path> = listed.filter_map(Value::as_str).chain([MARK]).map(Path::new).collect();
    let own_folders: BTreeSet<&Path> = own.iter().flat_map(|file| file.ancestors().skip(1)).collect();
    let mut others = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let path = to.join(&folder);
        let entries = match fs::read_dir(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(|e| cannot_write(&path, e))?,
        };
        for entry in entries {
            let entry = entry.map_err(|e| cannot_write(&path, e))?;
            let name = folder.join(entry.file_name());
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            match is_folder && own_folders.contains(name.as_path()) {
                true => folders.push(name),
                false if own.contains(name.as_path()) => {}
                false => others.push(name),
            }
        }
    }
    Ok(others)
}

/// Moves a complete directory to its place, and `others` from the earlier one into it. The earlier one is removed only
/// after that.
fn put_in_place(part: &Path, to: &Path, others: &[PathBuf]) -> Result<()> {
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
    for other in others {
        let (from, to) = (old.join(other), to.join(other));
        let made = to.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::rename(&from, &to)).map_err(|e| cannot_write(&from, e))?;
    }
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
