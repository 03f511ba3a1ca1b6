//! The directory `/memories`: which note or file a path means, and what a directory contains.
//!
//! `/memories/facts/NAME.md` is the note `facts/NAME.md`, and the same holds for every configured folder of
//! notes. Any other path is that of a file below `files/`. A directory exists as long as it contains a file; the
//! folders of notes always exist.
//!
//! **Invariant.** A path means at most one note or file. A file below `files/` whose first folder has the name of
//! a folder of notes is not part of `/memories`.

use std::collections::BTreeMap;
use std::fmt;

use memtape_core::forms::files::FilePath;
use memtape_core::forms::notes::{File as Note, Folders, NotePath, NotesView};
use memtape_core::path::collision_key;
use memtape_core::{Audience, Point, Result};
use memtape_index::Reader;

use crate::working_copy::files::at_root;

/// The directory that contains everything.
pub(super) const ROOT: &str = "/memories";
/// Maximum depth of a directory listing.
const DEPTH: usize = 2;
/// A directory that is not listed, besides hidden ones.
const NOT_LISTED: &str = "node_modules";
/// Percent-encoded characters that are refused, because a client may decode a path after it was checked: `.`,
/// `/`, `\`, NUL, and `%` itself.
const ENCODED: [&str; 5] = ["%2e", "%2f", "%5c", "%00", "%25"];

/// Returns a path relative to the root, which itself is the empty path; `None` if no file or directory can have
/// the path. One `/` at the end is ignored.
pub(super) fn below_root(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(ROOT)?;
    if rest.is_empty() {
        return Some(rest);
    }
    let below = rest.strip_prefix('/')?;
    checked(below.strip_suffix('/').unwrap_or(below))
}

/// Returns a path relative to the root if a file or directory can have it. The empty path is the root itself.
pub(crate) fn checked(below: &str) -> Option<&str> {
    let lower = below.to_ascii_lowercase();
    let is_encoded = ENCODED.into_iter().any(|code| lower.contains(code));
    let is_odd = below.contains(|c: char| c == '\\' || c.is_control());
    let is_no_name = |part: &str| matches!(part, "" | "." | "..");
    let is_valid = below.is_empty() || !below.split('/').any(is_no_name);
    (is_valid && !is_encoded && !is_odd).then_some(below)
}

/// A note or a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    Note(NotePath),
    File(FilePath),
}

impl fmt::Display for Item {
    /// Writes the path relative to the workspace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Note(path) => path.fmt(f),
            Self::File(path) => f.write_str(&at_root(path.as_str())),
        }
    }
}

impl Item {
    /// Parses the path of a note or file, relative to the root.
    ///
    /// # Errors
    /// [`Error::Invalid`](memtape_core::Error::Invalid) if the form refuses the path.
    pub(crate) fn parse(below: &str, folders: &Folders) -> Result<Self> {
        Ok(match is_of_notes(below, folders) {
            true => Self::Note(NotePath::new(below, folders)?),
            false => Self::File(FilePath::new(below)?),
        })
    }

    /// Returns the path relative to the root.
    pub(crate) fn below(&self) -> &str {
        match self {
            Self::Note(path) => path.as_str(),
            Self::File(path) => path.as_str(),
        }
    }

    /// Returns the bytes at a point; `None` if the audience sees no such note or file.
    pub(crate) fn content(
        &self,
        reader: &Reader<'_>,
        audience: &Audience,
        point: &Point,
    ) -> memtape_index::Result<Option<Vec<u8>>> {
        Ok(match self {
            Self::Note(path) => {
                let view = reader.note_file(path, audience, point)?;
                view.get(path).map(Note::bytes)
            }
            Self::File(path) => reader.one_file(path, audience, point)?.map(|file| file.bytes),
        })
    }
}

/// Returns whether the first folder of a path is one of notes, also in another spelling that some system takes
/// for the same.
fn is_of_notes(below: &str, folders: &Folders) -> bool {
    let first = collision_key(below.split('/').next().unwrap_or_default());
    folders.iter().any(|folder| collision_key(folder) == first)
}

/// Every note and file that an audience sees at a point.
pub(crate) struct Tree<'f> {
    folders: &'f Folders,
    notes: NotesView,
    /// Each path relative to the root, with the size in bytes.
    sizes: BTreeMap<String, usize>,
    /// The paths of all files, also of those that are not part of the tree.
    files: Vec<FilePath>,
}

impl<'f> Tree<'f> {
    pub(crate) fn read(
        reader: &Reader<'_>,
        folders: &'f Folders,
        audience: &Audience,
        point: &Point,
    ) -> memtape_index::Result<Self> {
        let (notes, files) = (reader.notes(audience, point)?, reader.file_list(audience, point)?);
        // A folder of notes may have been removed from the configuration.
        let is_configured = |note: &&Note| folders.iter().any(|folder| folder == note.path.folder());
        let mut sizes: BTreeMap<_, _> =
            notes.files().filter(is_configured).map(|note| (note.path.to_string(), note.size())).collect();
        let reachable = files.iter().filter(|file| !is_of_notes(file.path.as_str(), folders));
        sizes.extend(reachable.map(|file| (file.path.to_string(), file.size)));
        Ok(Self { folders, notes, sizes, files: files.into_iter().map(|file| file.path).collect() })
    }

    /// Returns all notes.
    pub(crate) fn notes(&self) -> &NotesView {
        &self.notes
    }

    /// Returns the paths of all files, also of those that are not part of the tree.
    pub(crate) fn files(&self) -> impl Iterator<Item = FilePath> {
        self.files.iter().cloned()
    }

    /// Returns whether a path is that of a file or a directory.
    pub(super) fn contains(&self, below: &str) -> bool {
        below.is_empty()
            || self.folders.iter().any(|folder| folder == below)
            || self.under(below).next().is_some()
    }

    /// Returns the file at a path, or all files below it.
    pub(crate) fn items(&self, below: &str) -> Vec<Item> {
        self.under(below).filter_map(|(path, ..)| Item::parse(path, self.folders).ok()).collect()
    }

    /// Returns the file at a path, or all files below it: each with its path, the rest of the path, and its size.
    fn under<'t>(&'t self, below: &str) -> impl Iterator<Item = (&'t str, &'t str, usize)> {
        self.sizes.iter().filter_map(move |(path, size)| {
            let rest = path.strip_prefix(below)?;
            let rest = if below.is_empty() { Some(rest) } else { rest.strip_prefix('/') };
            let rest = rest.or_else(|| (path == below).then_some(""))?;
            Some((path.as_str(), rest, *size))
        })
    }

    /// Lists a directory with sizes; `None` if it does not exist.
    pub(super) fn list(&self, below: &str) -> Option<String> {
        if !self.contains(below) {
            return None;
        }
        let is_listed = |name: &str| !name.starts_with('.') && name != NOT_LISTED;
        let mut total = 0;
        // A path by its parts is sorted as a tree is.
        let mut sizes: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        if below.is_empty() {
            sizes.extend(self.folders.iter().map(|folder| (vec![folder], 0)));
        }
        for (_, rest, size) in self.under(below) {
            let names: Vec<&str> = rest.split('/').collect();
            if names.iter().all(|name| is_listed(name)) {
                total += size;
                for depth in 1..=names.len().min(DEPTH) {
                    *sizes.entry(names[..depth].to_vec()).or_default() += size;
                }
            }
        }
        let dir = [ROOT, below].join("/");
        let dir = dir.trim_end_matches('/');
        let mut listing = format!(
            "Here're the files and directories up to {DEPTH} levels deep in {dir}, excluding hidden items and \
             {NOT_LISTED}:\n{}\t{dir}",
            size_text(total)
        );
        for (names, size) in sizes {
            listing.push_str(&format!("\n{}\t{dir}/{}", size_text(size), names.join("/")));
        }
        Some(listing)
    }
}

/// Formats a size as Anthropic's listings do: `512B`, `1.5K`, `2.0M`.
fn size_text(bytes: usize) -> String {
    const UNIT: f64 = 1024.0;
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    #[allow(clippy::cast_precision_loss, reason = "it is rounded anyway")]
    let size = bytes as f64 / UNIT;
    if size < UNIT { format!("{size:.1}K") } else { format!("{:.1}M", size / UNIT) }
}
