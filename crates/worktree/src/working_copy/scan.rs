//! Finds what a person changed since the manifest was written.
//!
//! *Purpose.* Lists each directory once and compares metadata; reads only files whose metadata leaves a doubt.
//!
//! **Invariants.** Nothing is changed. A file that cannot be read, or whose place something else has taken, is not
//! deleted. A file that memtape may have half replaced is not looked at before that is finished.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::io;

use cap_std::fs::Metadata;
use jiff::Timestamp;
use memtape_tape::Hash;

use super::Names;
use super::folder::{Folder, Found, Opened, Stat, restricted_mode};
use super::manifest::{Base, Manifest, Replacement, Text};
use super::oddity::{FILE_BYTES_MAX, Odd, Oddity};
use super::paths::{is_folder, is_temporary, is_visible, split};

/// Maximum number of ignored files that are listed by name.
const PASSED_OVER_NAMED: usize = 1000;

/// A person's change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Created it. If the tape has a file of this name that was not in the directory, the two have no common base; so
    /// too for `Renamed`.
    New,
    /// Changed its text.
    Edited,
    /// Deleted it.
    Deleted,
    /// Renamed it without changing its text.
    Renamed {
        /// The name before.
        from: String,
    },
}

/// A change by a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, below the root.
    pub path: String,
    /// The kind of change.
    pub what: What,
    /// The text now; `None` if the file is deleted.
    pub bytes: Option<Vec<u8>>,
    /// The branch, and the entry at which the tape has the text before the change.
    pub base: Base,
    /// The text before the change, without its secrets, if the tape never had it.
    pub base_text: Option<Text>,
    /// The text now without its secrets, if it has any. The caller sets it, once for all that need it.
    pub redacted: Option<Vec<u8>>,
    /// Whether the change is on the tape. The caller sets it; until then, [`super::Writing::apply`] does not change the
    /// file.
    pub is_recorded: bool,
    /// The temporary name of the text, if it was saved at the moment in which the file was replaced.
    pub(super) aside: Option<String>,
}

impl Change {
    pub(super) fn new(
        path: String,
        what: What,
        bytes: Option<Vec<u8>>,
        base: &Base,
        base_text: Option<&Text>,
    ) -> Self {
        let (base, base_text) = (base.clone(), base_text.cloned());
        Self { path, what, bytes, base, base_text, redacted: None, is_recorded: false, aside: None }
    }

    /// Returns the text now, without its secrets; `None` if the file is deleted.
    #[must_use]
    pub fn clean(&self) -> Option<&[u8]> {
        self.redacted.as_deref().or(self.bytes.as_deref())
    }

    /// Returns whether the text is in the file itself, not aside.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.aside.is_none()
    }
}

/// The ignored content of the directories, except hidden files: files with other suffixes, and directories where files
/// must be directly in those of the working copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Number of files and directories.
    pub count: usize,
    /// The first of them, below the root; a directory's name ends in `/`.
    pub paths: Vec<String>,
}

/// The result of a scan of the directories.
#[derive(Debug, Default)]
pub struct Look {
    /// A person's changes, in the order in which they must be recorded. Empty without a manifest.
    pub changes: Vec<Change>,
    /// Files that memtape cannot manage, although their paths are those of files of the working copy.
    pub oddities: Vec<Oddity>,
    /// The ignored content.
    pub passed_over: PassedOver,
    /// The texts that [`super::Writing::keep_beside`] kept beside files.
    pub kept: Vec<String>,
    /// Whether a command is at work, or was interrupted; files that it may have half replaced are not looked at.
    pub is_interrupted: bool,
    /// Whether the text of a replaced file is still beside it: an interrupted command did not remove it.
    pub has_leftovers: bool,
    /// The files that must still be updated to the manifest's base, and can be.
    pub pending: Vec<String>,
    /// Number of files that had to be read.
    pub read: usize,
    /// Number of files that the next scan need not read if [`super::Writing::record_metadata`] records their metadata.
    pub unrecorded: usize,
    /// The manifest's base; `None` without a manifest.
    pub base: Option<Base>,
    /// The hash of the base's entry; `None` without a manifest.
    pub hash: Option<Hash>,
    pub(super) seen: BTreeMap<String, Seen>,
    /// The permissions of the files that not everybody may read.
    pub(super) modes: BTreeMap<String, u32>,
}

impl Look {
    /// Returns whether there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Returns the unmanaged file or directory that blocks the path of a file, or of a directory above it.
    #[must_use]
    pub fn in_place_of(&self, path: &str) -> Option<&Oddity> {
        let lies_in =
            |odd: &str| path.strip_prefix(odd).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.oddities.iter().find(|odd| odd.why == Odd::NoRoot || lies_in(&odd.path))
    }

    /// Returns whether the root is missing or has none of the directories, though it had files: nothing is recorded or
    /// written then.
    #[must_use]
    pub fn is_without_root(&self) -> bool {
        self.oddities.iter().any(|odd| odd.why == Odd::NoRoot)
    }
}

/// A file that was looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) sha256: Hash,
    /// `None` if a further change could leave the metadata unchanged.
    pub(super) stat: Option<Stat>,
}

/// Looks at every directory.
pub(super) fn scan(
    root: Option<&Folder<'_>>,
    folders: &[String],
    names: Names,
    manifest: Option<&Manifest>,
) -> Look {
    let now = i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or_default();
    let replacements = || manifest.into_iter().flat_map(|manifest| &manifest.replacements);
    let unfinished = replacements().filter(|item| !item.is_done).map(|item| item.path.as_str()).collect();
    let by_temporary = replacements().map(|item| (item.temporary.as_str(), item)).collect();
    let mut scan = Scan { manifest, names, now, unfinished, by_temporary, look: Look::default() };
    scan.look.base = manifest.map(|manifest| manifest.base.clone());
    scan.look.hash = manifest.map(|manifest| manifest.hash);
    scan.look.is_interrupted =
        !scan.unfinished.is_empty() || manifest.is_some_and(|manifest| !manifest.edits.is_empty());
    // The mount point of a disk that is not mounted is empty. The workspace itself has its tape.
    let is_mounted = |root: &&Folder<'_>| {
        let is_absent = |folder: &String| matches!(root.descend(folder, false), Ok(Opened::Absent));
        manifest.is_none_or(|manifest| manifest.root.is_none() || manifest.files.is_empty())
            || !folders.iter().all(is_absent)
    };
    let Some(root) = root.filter(is_mounted) else {
        if manifest.is_some_and(|manifest| !manifest.files.is_empty()) {
            scan.odd("the directory of the files".to_owned(), Odd::NoRoot);
        }
        return scan.look;
    };
    for folder in folders {
        scan.folder(root.descend(folder, false), folder);
    }
    let mut look = scan.look;
    look.passed_over.paths.sort();
    look.kept.sort();
    if let Some(manifest) = manifest {
        find_deleted(&mut look, manifest, folders, names.folder_refusal.is_some());
        find_renamed(&mut look, manifest);
        let is_free = |path: &&String| look.in_place_of(path).is_none();
        look.pending = manifest.pending.iter().filter(is_free).cloned().collect();
    }
    look.changes.sort_by(|a, b| (a.aside.is_none(), &a.path).cmp(&(b.aside.is_none(), &b.path)));
    look
}

/// Returns whether a directory holds nothing but directories without files.
fn has_no_files(folder: &Folder<'_>, name: &str) -> bool {
    let Ok(Opened::Folder(inner)) = folder.enter(name) else { return false };
    let mut has_any = false;
    let listed = inner.each(|name, metadata| {
        let is_empty = |name: &str| metadata.is_dir() && has_no_files(&inner, name);
        has_any |= !name.to_str().is_some_and(is_empty);
    });
    listed.is_ok() && !has_any
}

/// The names in a directory that may belong to the working copy.
#[derive(Default)]
struct Listing {
    files: Vec<(String, Stat)>,
    folders: Vec<(String, ())>,
    temporary: Vec<String>,
}

struct Scan<'m> {
    manifest: Option<&'m Manifest>,
    names: Names,
    /// The time of the scan, in nanoseconds since 1970.
    now: i64,
    /// The files whose replacement is not finished.
    unfinished: HashSet<&'m str>,
    /// The replacements, by the stem of their temporary names.
    by_temporary: HashMap<&'m str, &'m Replacement>,
    look: Look,
}

impl<'m> Scan<'m> {
    fn odd(&mut self, path: String, why: Odd) {
        self.look.oddities.push(Oddity { path, why });
    }

    fn unreadable(&mut self, path: String, e: &io::Error) {
        self.odd(path, Odd::Unreadable { why: e.to_string() });
    }

    /// Looks at a directory, and at those in it.
    fn folder(&mut self, opened: io::Result<Opened<'_>>, path: &str) {
        let folder = match opened {
            Ok(Opened::Folder(folder)) => folder,
            Ok(Opened::Absent) => return,
            Ok(Opened::Odd(odd)) => return self.odd(path.to_owned(), odd),
            Err(e) => return self.unreadable(path.to_owned(), &e),
        };
        let mut listing = Listing::default();
        let listed = folder.each(|name, metadata| self.list(path, name, metadata, &mut listing));
        if let Err(e) = listed {
            return self.unreadable(path.to_owned(), &e);
        }
        for (name, stat) in self.with_one_name(path, listing.files) {
            self.file(&folder, format!("{path}/{name}"), &name, stat);
        }
        for name in listing.temporary {
            self.temporary(&folder, path, name);
        }
        let folders = self.without_empty_twins(&folder, listing.folders);
        for (name, ()) in self.with_one_name(path, folders) {
            self.folder(folder.enter(&name), &format!("{path}/{name}"));
        }
    }

    /// Classifies a name in a directory: it may belong to the working copy, cannot be managed, or is ignored.
    fn list(&mut self, folder: &str, name: &OsStr, metadata: &Metadata, listing: &mut Listing) {
        let path = format!("{folder}/{}", name.to_string_lossy());
        let Some(name) = name.to_str() else {
            if self.names.is_of_file(name.as_encoded_bytes()) {
                self.odd(path, Odd::Name);
            }
            return;
        };
        let is_known = || self.manifest.is_some_and(|manifest| manifest.files.contains_key(&path));
        let secret =
            || (self.names.secret)(&path).filter(|_| !is_known()).map(|kind| Odd::SecretName { kind });
        if is_temporary(name) {
            listing.temporary.push(name.to_owned());
        } else if name.starts_with('.') {
            // Editors and other programs keep their own files.
        } else if let Some(refusal) = self.names.folder_refusal.filter(|_| metadata.is_dir()) {
            match refusal(&path) {
                None if is_folder(&path) => listing.folders.push((name.to_owned(), ())),
                _ if self.names.is_of_file(name.as_bytes()) => self.odd(path, Odd::NoFile),
                why => self.odd(path, why.map_or(Odd::Name, |why| Odd::Refused { why })),
            }
        } else if !self.names.is_of_file(name.as_bytes()) {
            match metadata.is_symlink() && self.names.folder_refusal.is_some() {
                // The files behind it are neither looked at nor deleted.
                true => self.odd(path, Odd::Link),
                false if metadata.is_file() && self.names.is_kept(name) => self.look.kept.push(path),
                false => self.pass_over(path, metadata.is_dir()),
            }
        } else if !is_visible(name) {
            self.odd(path, Odd::Name);
        } else if let Some(why) = (self.names.refusal)(&path) {
            self.odd(path, Odd::Refused { why });
        } else if self.unfinished.contains(path.as_str()) {
            // The next writer finishes that first.
        } else if let Some(odd) = Odd::of(metadata, FILE_BYTES_MAX).or_else(secret) {
            self.odd(path, odd);
        } else {
            listing.files.push((name.to_owned(), Stat::of(metadata)));
            self.look.modes.extend(restricted_mode(metadata).map(|mode| (path, mode)));
        }
    }

    fn pass_over(&mut self, path: String, is_folder: bool) {
        let passed_over = &mut self.look.passed_over;
        passed_over.count += 1;
        if passed_over.paths.len() < PASSED_OVER_NAMED {
            passed_over.paths.push(if is_folder { path + "/" } else { path });
        }
    }

    /// Ignores empty directories whose name differs from another one only in case: they remain after each file was
    /// moved to the other directory, and block nothing.
    fn without_empty_twins(&self, folder: &Folder<'_>, mut found: Vec<(String, ())>) -> Vec<(String, ())> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (name, ()) in &found {
            *counts.entry((self.names.key)(name)).or_default() += 1;
        }
        let is_alone = |name: &str| counts.get(&(self.names.key)(name)) == Some(&1);
        found.retain(|(name, ())| is_alone(name) || !has_no_files(folder, name));
        found
    }

    /// Of names that differ only in case, returns the known one, otherwise the first.
    fn with_one_name<T>(&mut self, folder: &str, mut found: Vec<(String, T)>) -> Vec<(String, T)> {
        let is_known = |name: &str| {
            let path = format!("{folder}/{name}");
            // A directory is known by a file in it.
            let (within, files) = (format!("{path}/"), self.manifest.map(|manifest| &manifest.files));
            files.is_some_and(|files| {
                let next = files.range(within.clone()..).next();
                files.contains_key(&path) || next.is_some_and(|(next, _)| next.starts_with(&within))
            })
        };
        found.sort_by_cached_key(|(name, _)| (!is_known(name), name.clone()));
        let mut taken: BTreeMap<String, String> = BTreeMap::new();
        found.retain(|(name, _)| match taken.entry((self.names.key)(name)) {
            Entry::Vacant(free) => {
                free.insert(name.clone());
                true
            }
            Entry::Occupied(taken) => {
                let counts = format!("{folder}/{}", taken.get());
                self.odd(format!("{folder}/{name}"), Odd::SameName { counts });
                false
            }
        });
        found
    }

    fn file(&mut self, folder: &Folder<'_>, path: String, name: &str, stat: Stat) {
        let known =
            self.manifest.and_then(|manifest| manifest.files.get(&path).map(|known| (manifest, known)));
        if let Some((manifest, known)) = known
            && known.stat == Some(stat)
            && stat.is_final(manifest.written, folder.tick())
        {
            self.look.seen.insert(path, Seen { sha256: known.sha256, stat: known.stat });
            return;
        }
        self.look.read += 1;
        let file = match folder.read(name) {
            Ok(Found::File(file)) => file,
            Ok(Found::Absent) => return,
            Ok(Found::Odd(odd)) => return self.odd(path, odd),
            Err(e) => return self.unreadable(path, &e),
        };
        let stat = Some(file.stat).filter(|stat| stat.is_final(self.now, folder.tick()));
        self.look.seen.insert(path.clone(), Seen { sha256: file.sha256, stat });
        let Some(manifest) = self.manifest else { return };
        match known {
            Some((_, known)) if known.sha256 == file.sha256 => {
                self.look.unrecorded += usize::from(stat.is_some());
            }
            known => {
                let (what, base) = (known.map_or(What::New, |_| What::Edited), manifest.base_of(&path));
                let base_text = known.and_then(|(_, known)| known.text.as_ref());
                self.look.changes.push(Change::new(path, what, Some(file.bytes), base, base_text));
            }
        }
    }

    /// Checks a temporary file: a replaced text may be one that a person saved at that moment.
    fn temporary(&mut self, folder: &Folder<'_>, parent: &str, name: String) {
        let path = format!("{parent}/{name}");
        let is_here = |path: &str| split(path).is_some_and(|(folder, _)| folder == parent);
        let stem = name.strip_suffix(".new").or_else(|| name.strip_suffix(".old"));
        let item = stem.and_then(|stem| self.by_temporary.get(stem).copied());
        let item = item.filter(|item| is_here(&item.path));
        let Some(item) = item else { return self.odd(path, Odd::Leftover) };
        if !item.is_done || item.new_name() == name {
            return;
        }
        match folder.read(&name) {
            Ok(Found::Absent) => {}
            Ok(found) if found.is(item.from) || found.is(item.to) => self.look.has_leftovers = true,
            Ok(Found::File(file)) => {
                let (path, base_text) = (item.path.clone(), item.from_text.as_ref());
                let what = if item.from.is_some() { What::Edited } else { What::New };
                let change = Change::new(path, what, Some(file.bytes), &item.from_base, base_text);
                self.look.changes.push(Change { aside: Some(name), ..change });
            }
            Ok(Found::Odd(odd)) => self.odd(path, odd),
            Err(e) => self.unreadable(path, &e),
        }
    }
}

/// Finds files that are known and missing. A pending file is not deleted, because it was never written.
fn find_deleted(look: &mut Look, manifest: &Manifest, folders: &[String], is_nested: bool) {
    let lies_in = |parent: &str, folder: &String| {
        parent == folder
            || (is_nested && parent.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    };
    for (path, known) in &manifest.files {
        let is_ours = split(path).is_some_and(|(parent, _)| folders.iter().any(|of| lies_in(parent, of)));
        let is_there = look.seen.contains_key(path) || look.in_place_of(path).is_some();
        if is_ours && !is_there && !manifest.pending.contains(path) {
            let base_text = known.text.as_ref();
            look.changes.push(Change::new(path.clone(), What::Deleted, None, &known.base, base_text));
        }
    }
}

/// Makes one rename of a file that is missing and a new one with the same text.
fn find_renamed(look: &mut Look, manifest: &Manifest) {
    let is_of_branch = |change: &Change| change.base.branch == manifest.base.branch;
    let is_deleted = |change: &Change| change.what == What::Deleted && is_of_branch(change);
    let (deleted, mut changes): (Vec<_>, Vec<_>) =
        std::mem::take(&mut look.changes).into_iter().partition(is_deleted);
    let mut by_text: HashMap<Option<Hash>, VecDeque<Change>> = HashMap::new();
    for change in deleted {
        let sha256 = manifest.files.get(&change.path).map(|known| known.sha256);
        by_text.entry(sha256).or_default().push_back(change);
    }
    for change in changes.iter_mut().filter(|change| change.what == What::New && change.is_in_place()) {
        let sha256 = look.seen.get(&change.path).map(|seen| seen.sha256);
        if let Some(from) = by_text.get_mut(&sha256).and_then(VecDeque::pop_front) {
            let Change { path: from, base, base_text, .. } = from;
            (change.what, change.base, change.base_text) = (What::Renamed { from }, base, base_text);
        }
    }
    // The caller sorts them.
    changes.extend(by_text.into_values().flatten());
    look.changes = changes;
}
