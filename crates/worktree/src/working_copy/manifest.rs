//! The manifest, `working-copy.json`: the text that each file had when memtape last scanned or wrote it.
//!
//! *Purpose.* It distinguishes a person's edits from memtape's own writes, without the index and after a kill at any
//! step.
//!
//! **Invariants.** It is replaced as a whole, durably. It says nothing about the files of another tape or in another
//! root: there it counts as none. A file's digest is that of its text at the file's base, or of the
//! text that is listed for it, except that the file may also contain secrets. As with git's index, metadata proves that a file is unchanged only if it is
//! older than the manifest: a later change within the same tick of the clock might not change it.

use std::collections::{BTreeMap, BTreeSet};

use memtape_tape::Hash;
use serde::{Deserialize, Serialize};

use super::folder::Stat;
use super::paths;

/// Default name, in the workspace's directory.
pub const MANIFEST_FILE: &str = "working-copy.json";

/// The version that is written. An older one is read as none: the files are then compared with the tape.
const VERSION: u32 = 4;

/// A point of the tape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// The branch.
    pub branch: String,
    /// The last entry that counts.
    pub entry: u64,
}

/// A text in the manifest: a string if it is UTF-8, otherwise its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    /// A text in UTF-8.
    Utf8(String),
    /// Other bytes.
    Bytes(Vec<u8>),
}

impl Text {
    /// Returns its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|e| Self::Bytes(e.into_bytes()), Self::Utf8)
    }
}

/// The last known state of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The digest of its text.
    pub sha256: Hash,
    /// Its metadata when it had that text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stat: Option<Stat>,
    /// The point at which the tape has that text, or received it.
    pub base: Base,
    /// The text without its secrets, if the tape never had it: an edit was merged with what tools wrote, and the file
    /// changed again before it could be replaced. The next edit is compared with this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
}

/// A person's edit that is being recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BegunEdit {
    /// The digest of the file's text; `None` if the file is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Hash>,
    /// That text without its secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
}

/// A file that is being replaced, created or deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// The file.
    pub path: String,
    /// The stem of its temporary names, in its directory.
    pub temporary: String,
    /// The digest of the text that is replaced; `None` if the file is created.
    pub from: Option<Hash>,
    /// The base of that text.
    pub from_base: Base,
    /// That text without its secrets, if the tape does not have it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_text: Option<Text>,
    /// The digest of the new text; `None` if the file is deleted.
    pub to: Option<Hash>,
    /// The base of the new text.
    pub base: Base,
    /// Whether the replacement is complete, and only the replaced text remains.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_done: bool,
}

/// The last known state of a working copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    version: u32,
    /// The point that the files follow.
    pub base: Base,
    /// The hash of the base's entry, by which another tape is recognized; zeros if the tape was empty.
    pub hash: Hash,
    /// The root, relative to the workspace if it is in it; `None` if it is the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The files, by their paths below the root.
    pub files: BTreeMap<String, Known>,
    /// Files that are not updated to the base yet. If one is missing, that is no deletion.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub pending: BTreeSet<String>,
    /// Edits that the tape may have or not, by path: the next writer records them again, which changes nothing if the
    /// tape has them, and compares the files with them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub edits: BTreeMap<String, BegunEdit>,
    /// Replacements that may be half done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replacements: Vec<Replacement>,
    /// The permissions of files that not everybody may read, by path, also of deleted ones: a file that comes back has
    /// no others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub modes: BTreeMap<String, u32>,
    /// When it was written, by the file system's clock.
    #[serde(skip)]
    pub(super) written: i64,
}

impl Replacement {
    /// The name under which the new text is written.
    pub(super) fn new_name(&self) -> String {
        format!("{}.new", self.temporary)
    }

    /// Returns what the file is known to be if it is not replaced.
    pub(super) fn known_before(&self) -> Option<Known> {
        let (base, text) = (self.from_base.clone(), self.from_text.clone());
        self.from.map(|sha256| Known { sha256, stat: None, base, text })
    }

    /// Returns the temporary name of the replaced text.
    pub(super) fn old_name(&self) -> String {
        format!("{}.old", self.temporary)
    }
}

impl Manifest {
    /// The manifest of a working copy without files.
    pub(super) fn new(base: Base, hash: Hash, root: Option<String>) -> Self {
        let (files, pending, edits) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        let (replacements, modes) = (Vec::new(), BTreeMap::new());
        Self { version: VERSION, base, hash, root, files, pending, edits, replacements, modes, written: 0 }
    }

    /// Returns the base of a file: of a new one, that of the working copy.
    #[must_use]
    pub fn base_of(&self, path: &str) -> &Base {
        self.files.get(path).map_or(&self.base, |known| &known.base)
    }

    /// Sets what a file is known to be.
    pub(super) fn set(&mut self, path: &str, known: Option<Known>) {
        match known {
            Some(known) => self.files.insert(path.to_owned(), known),
            None => self.files.remove(path),
        };
    }

    /// Makes an edit that was recorded what its file is known to be.
    pub(super) fn end_edit(&mut self, path: &str, edit: BegunEdit) {
        let (base, text) = (self.base_of(path).clone(), edit.text);
        self.set(path, edit.sha256.map(|sha256| Known { sha256, stat: None, base, text }));
    }

    /// Parses a manifest; `None` for an older version.
    pub(super) fn parse(bytes: &[u8], written: i64) -> Result<Option<Self>, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        // A manifest of another version need not look like this one.
        match serde_json::from_slice(bytes) {
            Ok(Versioned { version }) if version < VERSION => return Ok(None),
            Ok(Versioned { version }) if version > VERSION => {
                return Err(format!("it is of version {version}, and this program knows {VERSION}"));
            }
            _ => {}
        }
        let read: Self = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        // These paths are opened: none may lead out of the working copy.
        let replaced = read.replacements.iter().map(|item| &item.path);
        let mut paths = read.files.keys().chain(&read.pending).chain(read.edits.keys()).chain(replaced);
        match paths.find(|path| paths::split(path).is_none()) {
            Some(path) => Err(format!("{path:?} is no file of a working copy")),
            None if read.replacements.iter().any(|item| !paths::is_temporary(&item.temporary)) => {
                Err("it names temporary files that are none".to_owned())
            }
            None => Ok(Some(Self { written, ..read })),
        }
    }
}
