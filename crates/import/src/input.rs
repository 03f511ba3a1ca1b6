//! The files of a source: the only way in which a source touches the file system.
//!
//! **Invariants.** Only what is below the imported path is opened: a link that leads out of it is refused, and folders
//! behind links are not listed. Nothing is read but regular files. The length of a line, the size of a file that is held
//! in memory, the number of files and the depth of folders are bounded. Nothing is ever written there.

mod elements;
mod json;
mod lines;
pub mod sqlite;
pub(crate) mod zstd;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::{Dir, File};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape::calendar;
use serde_json::Value;

use self::sqlite::{JOURNAL, LOG};
use self::zstd::{PACKED, Unpacked};
use crate::error::{Error, Result};
use crate::item::Place;
use crate::sink::Sink;

/// Limits of what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum length of a line, of an element of a JSON list and of a field of a database, in bytes.
    pub line_bytes: usize,
    /// Maximum size of a file that is read as a whole, in bytes.
    pub text_bytes: u64,
    /// Maximum size of a packed file after unpacking, in bytes.
    pub unpacked_bytes: u64,
    /// Maximum size of a database, in bytes.
    pub database_bytes: u64,
    /// Maximum number of entries of a folder and the folders below it.
    pub entries: usize,
    /// Maximum depth of folders.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 16 << 20,
            text_bytes: 16 << 20,
            unpacked_bytes: 1 << 30,
            database_bytes: 16 << 30,
            entries: 200_000,
            depth: 16,
        }
    }
}

/// Why an entry of a folder is not read that is neither a file nor a folder.
pub(crate) const NOT_FOLLOWED: &str =
    "it is no file: a link to a folder, to nothing, or out of the imported path is not followed";

/// How much is read at once from a file.
const BUFFER_BYTES: usize = 256 << 10;

/// The beginnings of archives and compressed files, with their names.
const ARCHIVES: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "zip archive"),
    (b"\x1f\x8b", "gzip file"),
    (b"BZh", "bzip2 file"),
    (b"\xfd7zXZ\x00", "xz file"),
    (b"\x28\xb5\x2f\xfd", "zstd file"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
];

/// A file or folder to import from.
pub struct Input {
    shown: String,
    folder: PathBuf,
    dir: Dir,
    /// The name of the file, if the path is that of a file.
    only: Option<String>,
    zone: TimeZone,
    limits: Limits,
    read: Arc<AtomicU64>,
    /// What is there and could not be read, with the reason.
    unread: Mutex<BTreeMap<String, String>>,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// The path below the imported path, with `/`.
    pub path: String,
    /// What it is.
    pub kind: ListedKind,
    /// The size in bytes.
    pub bytes: u64,
}

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedKind {
    /// A regular file, also behind a link that stays below the path.
    File,
    /// A folder.
    Folder,
    /// Anything else: a link that leads out or to a folder, a socket, a device.
    Other,
}

impl Input {
    /// Opens a file or a folder.
    ///
    /// Times without an offset are read in `zone`.
    ///
    /// # Errors
    /// [`Error::Missing`] if it does not exist; [`Error::Unreadable`] if it cannot be opened; [`Error::Refused`] if it is neither a file nor a
    /// folder, or an archive.
    pub fn open(path: &Path, zone: &TimeZone) -> Result<Self> {
        Self::open_within(path, zone, Limits::default())
    }

    /// Opens a file or a folder with other limits.
    ///
    /// # Errors
    /// As [`Input::open`].
    pub fn open_within(path: &Path, zone: &TimeZone, limits: Limits) -> Result<Self> {
        let shown = path.display().to_string();
        let unreadable = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => Error::Missing(shown.clone()),
            _ => Error::unreadable(&shown, plain(&e)),
        };
        // The path itself may be a link: the person named it.
        let real = path.canonicalize().map_err(unreadable)?;
        let about = fs::metadata(&real).map_err(unreadable)?;
        let (folder, only) = match (about.is_dir(), about.is_file()) {
            (true, _) => (real.as_path(), None),
            (_, true) => {
                let name = real.file_name().and_then(|name| name.to_str());
                let name = name.ok_or_else(|| Error::unreadable(&shown, "its name is not UTF-8"))?;
                (real.parent().unwrap_or(&real), Some(name.to_owned()))
            }
            _ => return Err(Error::Refused(format!("{shown} is neither a file nor a folder"))),
        };
        let dir = Dir::open_ambient_dir(folder, cap_std::ambient_authority()).map_err(unreadable)?;
        let input = Self {
            shown,
            folder: folder.to_owned(),
            dir,
            only,
            zone: zone.clone(),
            limits,
            read: Arc::default(),
            unread: Mutex::default(),
        };
        input.refuse_archive()?;
        Ok(input)
    }

    fn refuse_archive(&self) -> Result<()> {
        let Some(name) = self.only.as_ref().filter(|name| !name.ends_with(PACKED)) else { return Ok(()) };
        let mut begin = Vec::new();
        let mut file = self.file(name)?;
        file.by_ref().take(8).read_to_end(&mut begin).map_err(|e| Error::unreadable(name, plain(&e)))?;
        match ARCHIVES.iter().find(|(magic, _)| begin.starts_with(magic)) {
            Some((_, what)) => Err(Error::Refused(format!(
                "{} is a {what}: unpack it, and import the folder that it contains",
                self.shown
            ))),
            None => Ok(()),
        }
    }

    /// Returns the imported path as the person wrote it.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the folder that the paths of the files are relative to: an absolute path without links.
    #[must_use]
    pub fn folder(&self) -> String {
        self.folder.display().to_string()
    }

    /// Returns the name of the file, if the path is that of a file.
    #[must_use]
    pub fn only_file(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// Returns the limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the time zone of times without an offset.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Reads an instant in one of the usual spellings: with or without an offset, a day, or seconds or milliseconds
    /// since 1970.
    #[must_use]
    pub fn instant(&self, text: &str) -> Option<Timestamp> {
        calendar::parse_instant(text, &self.zone).ok()
    }

    /// Reads an instant that is a text or a number in JSON; `None` if it is neither.
    #[must_use]
    pub fn instant_of(&self, value: Option<&Value>) -> Option<Timestamp> {
        match value? {
            Value::String(text) => self.instant(text),
            Value::Number(number) => self.instant(&number.to_string()),
            _ => None,
        }
    }

    /// Returns the counter of the bytes that were read, for a progress indicator.
    #[must_use]
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    fn count(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Returns the size of some files in bytes. Files that cannot be read count nothing.
    #[must_use]
    pub fn bytes_of(&self, files: &[String]) -> u64 {
        files.iter().filter_map(|file| self.dir.metadata(file).ok()).map(|about| about.len()).sum()
    }

    /// Returns when a file was last changed; `None` if that is not known.
    #[must_use]
    pub fn changed_at(&self, path: &str) -> Option<Timestamp> {
        let about = self.dir.metadata(path).ok().filter(|_| self.allows(path))?;
        let changed_at = Timestamp::try_from(about.modified().ok()?.into_std()).ok()?;
        Timestamp::from_second(changed_at.as_second()).ok()
    }

    /// Returns whether there is a regular file at a path.
    #[must_use]
    pub fn has_file(&self, path: &str) -> bool {
        self.allows(path) && self.dir.metadata(path).is_ok_and(|about| about.is_file())
    }

    /// Returns whether there is a regular file at a path, or a link that is perhaps not followed: to read it reports that.
    #[must_use]
    pub fn has_file_or_link(&self, path: &str) -> bool {
        self.has_file(path) || self.allows(path) && self.is_link(path)
    }

    /// Returns whether a path is a link.
    #[must_use]
    pub fn is_link(&self, path: &str) -> bool {
        self.dir.symlink_metadata(path).is_ok_and(|about| about.is_symlink())
    }

    /// Returns whether nothing is at a path below the imported folder. What a link leads to outside of it is not looked at.
    #[must_use]
    pub fn is_missing(&self, path: &str) -> bool {
        let is_absent = |e: io::Error| e.kind() == io::ErrorKind::NotFound;
        self.only.is_none() && self.dir.symlink_metadata(path).is_err_and(is_absent)
    }

    /// Returns what is there and could not be read so far, by path, each with the reason: files and folders without
    /// permission, and those whose names are not UTF-8.
    #[must_use]
    pub fn unread(&self) -> Vec<(String, String)> {
        self.locked_unread().clone().into_iter().collect()
    }

    /// Returns why a file could not be read; `None` if nobody tried to, or it could.
    #[must_use]
    pub fn why_unread(&self, path: &str) -> Option<String> {
        self.locked_unread().get(path).cloned()
    }

    fn locked_unread(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that something could not be read, and returns that as an error.
    fn unreadable(&self, path: &str, why: &str) -> Error {
        self.locked_unread().insert(path.to_owned(), why.to_owned());
        Error::unreadable(path, why)
    }

    /// Returns whether a path is within what is imported. The log and the journal of a database are part of it.
    fn allows(&self, path: &str) -> bool {
        let is_part =
            |only: &str| path.strip_prefix(only).is_some_and(|end| ["", LOG, JOURNAL].contains(&end));
        self.only.as_deref().is_none_or(is_part)
    }

    /// Lists a folder by name; `""` is the imported path itself. A folder that does not exist or is behind a link is empty.
    /// A folder in the imported path that cannot be listed is empty, too, and entries whose names are not UTF-8 are left
    /// out: [`Input::unread`] has both.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the imported path itself cannot be listed; [`Error::Refused`] if it has too many entries.
    pub fn list(&self, folder: &str) -> Result<Vec<Listed>> {
        if let Some(only) = &self.only {
            let bytes = self.dir.metadata(only).map(|about| about.len()).unwrap_or_default();
            let file = Listed { name: only.clone(), path: only.clone(), kind: ListedKind::File, bytes };
            return Ok(if folder.is_empty() { vec![file] } else { Vec::new() });
        }
        let ends = folder.match_indices('/').map(|(end, _)| end).chain([folder.len()]);
        if ends.map(|end| &folder[..end]).any(|above| self.is_link(above)) {
            return Ok(Vec::new());
        }
        let here = if folder.is_empty() { "." } else { folder };
        let entries = match self.dir.read_dir(here) {
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            Err(e) if !folder.is_empty() => {
                self.unreadable(folder, &plain(&e));
                return Ok(Vec::new());
            }
            entries => entries.map_err(|e| Error::unreadable(here, plain(&e)))?,
        };
        let mut listed = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|e| Error::unreadable(here, plain(&e)))?;
            let below = |name: &str| match folder {
                "" => name.to_owned(),
                folder => format!("{folder}/{name}"),
            };
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    self.unreadable(&below(&name.to_string_lossy()), "its name is not UTF-8");
                    continue;
                }
            };
            let path = below(&name);
            let own = entry.file_type().map_err(|e| Error::unreadable(&path, plain(&e)))?;
            // A file behind a link is read if the link stays below the path.
            let about = self.dir.metadata(&path).ok();
            let kind = match &about {
                _ if own.is_dir() => ListedKind::Folder,
                Some(about) if about.is_file() => ListedKind::File,
                // To read it reports why there is no metadata.
                None if own.is_file() => ListedKind::File,
                _ => ListedKind::Other,
            };
            listed.push(Listed { name, path, kind, bytes: about.map_or(0, |about| about.len()) });
            if listed.len() > self.limits.entries {
                return Err(self.too_many());
            }
        }
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(listed)
    }

    /// Returns the paths of the regular files in a folder and the folders below it that a test accepts, by path. Links
    /// to folders are not followed.
    ///
    /// # Errors
    /// As [`Input::list`].
    pub fn files_below(&self, folder: &str, is_wanted: impl Fn(&Listed) -> bool) -> Result<Vec<String>> {
        self.walk(folder, is_wanted, &mut |_, _| {})
    }

    /// Reports what [`Input::files_below`] does not find in a folder: links that are not followed, and folders that are
    /// too deep.
    ///
    /// # Errors
    /// As [`Input::list`].
    pub fn report_passed_over(&self, folder: &str, sink: &mut dyn Sink) -> Result<()> {
        self.walk(folder, |_| false, &mut |path, why| sink.skip(Place::file(path), why))?;
        Ok(())
    }

    fn walk(
        &self,
        folder: &str,
        is_wanted: impl Fn(&Listed) -> bool,
        passed_over: &mut dyn FnMut(&str, &str),
    ) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let mut seen = 0;
        let mut folders = vec![(folder.to_owned(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            for entry in self.list(&folder)? {
                seen += 1;
                if seen > self.limits.entries {
                    return Err(self.too_many());
                }
                match entry.kind {
                    ListedKind::Folder if depth < self.limits.depth => folders.push((entry.path, depth + 1)),
                    ListedKind::Folder => passed_over(&entry.path, "it is in too many folders"),
                    ListedKind::File if is_wanted(&entry) => found.push(entry.path),
                    ListedKind::File => {}
                    ListedKind::Other => passed_over(&entry.path, NOT_FOLLOWED),
                }
            }
        }
        found.sort();
        Ok(found)
    }

    fn too_many(&self) -> Error {
        Error::Refused(format!(
            "{} holds more than {} files and folders: import a folder in it",
            self.shown, self.limits.entries
        ))
    }

    /// Reads a text file as a whole, without its byte order mark.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if there is no such file below the path, it is larger than [`Limits::text_bytes`], or it
    /// is not UTF-8.
    pub fn text(&self, path: &str) -> Result<String> {
        let text = self.whole_text(path)?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    /// Reads a text file as a whole, as it is.
    ///
    /// # Errors
    /// As [`Input::text`].
    pub fn whole_text(&self, path: &str) -> Result<String> {
        let mut bytes = Vec::new();
        let limit = self.limits.text_bytes;
        let mut file = self.file(path)?;
        file.by_ref()
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| Error::unreadable(path, plain(&e)))?;
        self.count(bytes.len() as u64);
        if bytes.len() as u64 > limit {
            return Err(Error::unreadable(path, format_args!("it is larger than {limit} bytes")));
        }
        String::from_utf8(bytes).map_err(|_| Error::unreadable(path, "it is not UTF-8"))
    }

    /// Reads a text file as [`Input::text`] does. If that fails, reports the file to the sink and returns `None`.
    pub fn text_or_skip(&self, path: &str, sink: &mut dyn Sink) -> Option<String> {
        self.text(path).map_err(|e| skip_file(path, &e, sink)).ok()
    }

    /// Reads a text file as [`Input::whole_text`] does. If that fails, reports the file to the sink and returns `None`.
    pub fn whole_text_or_skip(&self, path: &str, sink: &mut dyn Sink) -> Option<String> {
        self.whole_text(path).map_err(|e| skip_file(path, &e, sink)).ok()
    }

    /// Opens a regular file below the path.
    fn file(&self, path: &str) -> Result<File> {
        let refused = |why: &str| Err(Error::unreadable(path, why));
        if !self.allows(path) {
            return refused("it is not the imported file");
        }
        // A pipe would block when it is opened.
        match self.dir.metadata(path) {
            Ok(about) if about.is_file() => {}
            _ if self.is_link(path) => return refused(NOT_FOLLOWED),
            Ok(_) => return refused("it is not a regular file"),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return refused(&plain(&e)),
            Err(e) => return Err(self.unreadable(path, &plain(&e))),
        }
        self.dir.open(path).map_err(|e| self.unreadable(path, &plain(&e)))
    }

    /// Opens a file to be read from its beginning. JSON Lines that are packed are unpacked.
    fn reader(&self, path: &str) -> Result<BufReader<Box<dyn Read>>> {
        let file = self.file(path)?;
        let file: Box<dyn Read> = match path.ends_with(PACKED) {
            true => Box::new(Unpacked::new(file, self.limits.unpacked_bytes)),
            false => Box::new(file),
        };
        Ok(BufReader::with_capacity(BUFFER_BYTES, file))
    }
}

/// Reports a file that cannot be read.
fn skip_file(path: &str, e: &Error, sink: &mut dyn Sink) {
    let why = match e {
        Error::Unreadable { why, .. } => why.clone(),
        e => e.to_string(),
    };
    sink.unreadable(Place::file(path), &why);
}

/// Returns the text of an error of the operating system without its number.
fn plain(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        // The operating system refuses with a number, the check of links without.
        io::ErrorKind::PermissionDenied if e.raw_os_error().is_none() => {
            "it leads out of the imported path".into()
        }
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => {
            let text = e.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of [`io::ErrorKind::PermissionDenied`] says whose refusal it is.
    #[test]
    #[cfg(unix)]
    fn a_refusal_of_the_system_is_not_one_of_a_link() {
        const EACCES: i32 = 13;
        assert_eq!(plain(&io::Error::from_raw_os_error(EACCES)), "permission denied");
        let outside = io::Error::new(io::ErrorKind::PermissionDenied, "a path led outside of the filesystem");
        assert_eq!(plain(&outside), "it leads out of the imported path");
    }
}
