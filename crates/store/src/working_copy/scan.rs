//! What a person changed since the manifest was written.
//!
//! *Purpose.* One listing of each folder; sizes and times first, digests where they leave a doubt.
//!
//! **Invariants.** Nothing is changed. A file that cannot be read, or that something odd has taken the place of, is never
//! taken for deleted. What memtape may itself have half done is not looked at before it is brought to an end.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::time::SystemTime;

use memtape_tape::Hash;

use super::Names;
use super::manifest::{Base, Manifest, Stage, UnderWay, settled};
use super::oddity::{Odd, Oddity};
use super::sandbox::{Folder, Found, Opened, Root, Stat};

/// How the names of temporary files begin. They are hidden, so no note has one.
const TEMPORARY: &str = ".memtape-";

/// How long a name may be, in bytes: what file systems allow.
const MOST_NAME_BYTES: usize = 255;

/// What a person did to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Made it. Where the tape has a text under this name that was not in the file (it was owed, say), the two have no
    /// base in common; so too for `Renamed`.
    New,
    /// Changed its text.
    Edited {
        /// What it said before, where the tape has that only merged with what tools wrote.
        made_of: Option<Vec<u8>>,
    },
    /// Removed it.
    Deleted,
    /// Gave it another name, and left the text as it was.
    Renamed {
        /// The name before.
        from: String,
    },
}

/// A change by a person that has yet to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, below the root.
    pub path: String,
    /// What was done to it.
    pub what: What,
    /// The text now; none where it is gone.
    pub bytes: Option<Vec<u8>>,
    /// What the change belongs to: the branch, and the entry at which the tape has the text that was changed.
    pub base: Base,
    /// The temporary name of a text that stands aside, because the person wrote the file twice while it was replaced.
    pub(super) aside: Option<String>,
}

impl Change {
    /// Whether the text stands in the file itself, not aside.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.aside.is_none()
    }
}

/// In what state a working copy was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// There is no manifest: what is an edit cannot be told, and no change is.
    Missing,
    /// The manifest says what every file is.
    Whole,
    /// A command is at work, or was interrupted. Changes of files it may have half replaced are not told.
    UnderWay,
}

/// How many of the files that are passed over are named.
const MOST_PASSED_OVER: usize = 1000;

/// What lies in the folders and is no file of the working copy, hidden files aside: other endings, and folders where
/// files lie directly in the working copy's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// How many files and folders.
    pub count: usize,
    /// The first of them, below the root; a folder's name ends in `/`.
    pub paths: Vec<String>,
}

/// What was found in the folders.
#[derive(Debug)]
pub struct Look {
    /// What has yet to be recorded, in the order in which it is to be.
    pub changes: Vec<Change>,
    /// What is left alone, though it stands where a file of the working copy could.
    pub oddities: Vec<Oddity>,
    /// What is somebody else's.
    pub passed_over: PassedOver,
    /// Whether changes can be told.
    pub state: State,
    /// The files that were not brought to what the tape has when they were to be, and can be now.
    pub owed: Vec<String>,
    /// How many files had to be read because their times say nothing yet.
    pub read: usize,
    /// How many of these need not be read again once their times are noted ([`super::Writing::settle`]).
    pub settles: usize,
    /// What the files stand on.
    pub base: Option<Base>,
    /// Which manifest it rests on.
    pub(super) writes: Option<u64>,
    pub(super) seen: BTreeMap<String, Seen>,
}

impl Look {
    /// Whether there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// What stands in the place of a file, or of a folder that it lies in, and is left alone.
    #[must_use]
    pub fn in_place_of(&self, path: &str) -> Option<&Oddity> {
        let lies_in =
            |odd: &str| path.strip_prefix(odd).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.oddities.iter().find(|odd| lies_in(&odd.path))
    }

    /// Whether a path, or a folder that it lies in, is left alone.
    pub(super) fn is_left_alone(&self, path: &str) -> bool {
        self.in_place_of(path).is_some()
    }
}

/// A file that was looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) sha256: Hash,
    /// None where its times do not tell the next change yet.
    pub(super) settled: Option<Stat>,
}

/// Texts by their digests.
pub(super) type Merged = HashMap<Hash, Vec<u8>>;

/// The folder and the name of a path; `None` if it is none that a note can have.
pub(super) fn split(path: &str) -> Option<(&str, &str)> {
    let (folder, name) = path.rsplit_once('/')?;
    (is_folder(folder) && is_note(name)).then_some((folder, name))
}

/// Whether notes can lie in a folder of this path.
pub(super) fn is_folder(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|name| !name.starts_with('.') && is_name(name))
}

/// Whether a note can have this name. Hidden files and other suffixes are somebody else's: editors' above all.
fn is_note(name: &str) -> bool {
    name.strip_suffix(".md").is_some_and(|stem| !stem.is_empty()) && !name.starts_with('.') && is_name(name)
}

/// Whether this is one name, on every system.
fn is_name(name: &str) -> bool {
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= MOST_NAME_BYTES && !name.contains(forbidden)
}

/// Whether this is how a temporary name begins.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY) && is_name(name)
}

/// How the temporary names for a file begin; `turn` tells one from another.
pub(super) fn temporary(path: &str, turn: usize) -> String {
    let digest = Hash::of(path.as_bytes()).to_string();
    format!("{TEMPORARY}{}-{turn}", &digest[..12])
}

/// Looks at every folder.
pub(super) fn scan(
    root: Option<&Root<'_>>,
    folders: &[String],
    names: Names,
    manifest: Option<&Manifest>,
    merged: &Merged,
) -> io::Result<Look> {
    let mut scan = Scan {
        manifest,
        merged,
        names,
        looked: SystemTime::now(),
        looks: Look {
            changes: Vec::new(),
            oddities: Vec::new(),
            passed_over: PassedOver::default(),
            state: match manifest {
                None => State::Missing,
                Some(m)
                    if m.toward.is_some() || m.under_way.iter().any(|item| item.stage == Stage::Begun) =>
                {
                    State::UnderWay
                }
                Some(_) => State::Whole,
            },
            owed: Vec::new(),
            read: 0,
            settles: 0,
            base: manifest.map(|manifest| manifest.base.clone()),
            writes: manifest.map(|manifest| manifest.writes),
            seen: BTreeMap::new(),
        },
        kept: BTreeSet::new(),
    };
    let Some(root) = root else {
        if manifest.is_some_and(|manifest| !manifest.files.is_empty()) {
            scan.odd("the directory of the files", Odd::NoRoot);
        }
        return Ok(scan.looks);
    };
    for folder in folders {
        scan.folder(root, folder)?;
    }
    scan.find_renames();
    let owed = manifest.iter().flat_map(|manifest| &manifest.owed);
    scan.looks.owed = owed.filter(|path| !scan.looks.is_left_alone(path)).cloned().collect();
    scan.looks.passed_over.paths.sort();
    scan.looks.changes.sort_by(|a, b| (a.aside.is_none(), &a.path).cmp(&(b.aside.is_none(), &b.path)));
    Ok(scan.looks)
}

/// A name, and what is known of what stands under it.
type Named<T> = (String, T);

/// What a folder holds.
#[derive(Default)]
struct Listing {
    files: Vec<Named<Stat>>,
    folders: Vec<Named<()>>,
}

struct Scan<'m> {
    manifest: Option<&'m Manifest>,
    merged: &'m Merged,
    names: Names,
    looked: SystemTime,
    looks: Look,
    /// What is neither looked at nor deleted.
    kept: BTreeSet<String>,
}

impl Scan<'_> {
    fn odd(&mut self, path: &str, why: Odd) {
        self.kept.insert(path.to_owned());
        self.looks.oddities.push(Oddity { path: path.to_owned(), why });
    }

    fn folder(&mut self, root: &Root<'_>, path: &str) -> io::Result<()> {
        let opened = root.folder_at(path);
        self.opened(opened, path)?;
        self.find_deleted(path);
        Ok(())
    }

    /// Looks at what came of opening a folder, and at the folders in it.
    fn opened(&mut self, opened: io::Result<Opened<'_>>, path: &str) -> io::Result<()> {
        let folder = match opened {
            Ok(Opened::Folder(folder)) => folder,
            Ok(Opened::Absent) => return Ok(()),
            Ok(Opened::Odd(odd)) => {
                self.odd(path, odd);
                return Ok(());
            }
            Err(e) => return self.unreadable(path, &e),
        };
        let Listing { files, folders } = match self.list(&folder, path) {
            Ok(listed) => listed,
            Err(e) => return self.unreadable(path, &e),
        };
        for (name, stat) in self.with_one_name(path, files) {
            self.file(&folder, &format!("{path}/{name}"), &name, stat)?;
        }
        self.find_kept(&folder, path)?;
        for (name, ()) in self.with_one_name(path, folders) {
            self.opened(folder.enter(&name), &format!("{path}/{name}"))?;
        }
        Ok(())
    }

    fn unreadable(&mut self, path: &str, e: &io::Error) -> io::Result<()> {
        self.odd(path, Odd::Unreadable { why: e.to_string() });
        Ok(())
    }

    /// The files of a folder that may be ours, and the folders in it that may hold such. The rest is told, or somebody
    /// else's.
    fn list(&mut self, folder: &Folder<'_>, path: &str) -> io::Result<Listing> {
        let Listing { mut files, mut folders } = Listing::default();
        folder.each(|name, metadata| {
            let Some(name) = name.to_str() else {
                if name.as_encoded_bytes().ends_with(b".md") {
                    self.odd(&format!("{path}/{}", name.to_string_lossy()), Odd::Name);
                }
                return;
            };
            let full = format!("{path}/{name}");
            let is_hidden = name.starts_with('.');
            if is_temporary(name) {
                if !self.is_ours(path, name) {
                    self.odd(&full, Odd::Leftover);
                }
            } else if is_hidden {
                // Editors and other programs keep their own files.
            } else if let Some(refusal) = self.names.folder_refusal.filter(|_| metadata.is_dir()) {
                match refusal(&full) {
                    None if is_folder(&full) => folders.push((name.to_owned(), ())),
                    _ if name.ends_with(".md") => self.odd(&full, Odd::NoFile),
                    why => self.odd(&full, why.map_or(Odd::Name, |why| Odd::Refused { why })),
                }
            } else if !name.ends_with(".md") {
                match metadata.is_symlink() && self.names.folder_refusal.is_some() {
                    // What lies behind it is not looked at, nor deleted.
                    true => self.odd(&full, Odd::Link),
                    false => self.pass_over(full, metadata.is_dir()),
                }
            } else if !is_note(name) {
                self.odd(&full, Odd::Name);
            } else if let Some(why) = (self.names.refusal)(&full) {
                self.odd(&full, Odd::Refused { why });
            } else if self.manifest.is_some_and(|manifest| manifest.is_under_way(&full)) {
                self.kept.insert(full);
            } else if let Some(odd) = Odd::of(metadata) {
                self.odd(&full, odd);
            } else if let Some(kind) = self.secret_in_new_name(&full) {
                self.odd(&full, Odd::SecretName { kind });
            } else {
                files.push((name.to_owned(), Stat::of(metadata)));
            }
        })?;
        Ok(Listing { files, folders })
    }

    fn pass_over(&mut self, path: String, is_folder: bool) {
        let passed_over = &mut self.looks.passed_over;
        passed_over.count += 1;
        if passed_over.paths.len() < MOST_PASSED_OVER {
            passed_over.paths.push(if is_folder { path + "/" } else { path });
        }
    }

    /// The kind of the secret in the name of a file that the manifest does not know.
    fn secret_in_new_name(&self, path: &str) -> Option<&'static str> {
        let is_known = self.manifest.is_some_and(|manifest| manifest.files.contains_key(path));
        if is_known { None } else { (self.names.secret)(path) }
    }

    /// Whether a temporary file is one the manifest knows of.
    fn is_ours(&self, folder: &str, name: &str) -> bool {
        let items = self.manifest.map_or(&[][..], |manifest| &manifest.under_way[..]);
        items.iter().any(|item| {
            split(&item.path).is_some_and(|(of, _)| of == folder)
                && [item.unfinished(), item.other(), item.third()].iter().any(|ours| ours == name)
        })
    }

    /// Of names that only case tells apart, the one that is known, or else the first.
    fn with_one_name<T>(&mut self, path: &str, mut found: Vec<Named<T>>) -> Vec<Named<T>> {
        let is_known = |name: &str| {
            let Some(manifest) = self.manifest else { return false };
            let full = format!("{path}/{name}");
            if manifest.files.contains_key(&full) {
                return true;
            }
            // A folder is known by a file in it.
            let within = full + "/";
            let next = manifest.files.range(within.clone()..).next();
            next.is_some_and(|(known, _)| known.starts_with(&within))
        };
        found.sort_by_cached_key(|(name, _)| (!is_known(name), name.clone()));
        let mut counts: BTreeMap<String, String> = BTreeMap::new();
        found.retain(|(name, _)| match counts.entry((self.names.key)(name)) {
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert(name.clone());
                true
            }
            std::collections::btree_map::Entry::Occupied(taken) => {
                let counts = format!("{path}/{}", taken.get());
                self.odd(&format!("{path}/{name}"), Odd::SameName { counts });
                false
            }
        });
        found
    }

    /// What it is that another text stands in the place of this one.
    fn edited(&self, before: Option<Hash>, is_merged: bool) -> What {
        let made_of = before.filter(|_| is_merged).map(|before| self.merged.get(&before).cloned());
        match (before, made_of) {
            (None, _) | (_, Some(None)) => What::New,
            (Some(_), made_of) => What::Edited { made_of: made_of.flatten() },
        }
    }

    fn file(&mut self, folder: &Folder<'_>, path: &str, name: &str, stat: Stat) -> io::Result<()> {
        let known = self.manifest.and_then(|manifest| manifest.files.get(path));
        if let Some(known) = known
            && known.stat == Some(stat)
        {
            self.looks.seen.insert(path.to_owned(), Seen { sha256: known.sha256, settled: known.stat });
            return Ok(());
        }
        self.looks.read += 1;
        let standing = match folder.read(name) {
            Ok(Found::File(standing)) => standing,
            Ok(Found::Absent) => return Ok(()),
            Ok(Found::Odd(odd)) => {
                self.odd(path, odd);
                return Ok(());
            }
            Err(e) => return self.unreadable(path, &e),
        };
        let sha256 = standing.sha256;
        let seen = Seen { sha256, settled: settled(standing.stat, self.looked) };
        self.looks.seen.insert(path.to_owned(), seen);
        match (self.manifest, known) {
            (Some(_), Some(known)) if known.sha256 == sha256 => {
                self.looks.settles += usize::from(seen.settled.is_some());
            }
            (None, _) => {}
            (Some(manifest), known) => self.looks.changes.push(Change {
                path: path.to_owned(),
                what: self.edited(known.map(|known| known.sha256), known.is_some_and(|known| known.merged)),
                bytes: Some(standing.bytes),
                base: manifest.base_of(path).clone(),
                aside: None,
            }),
        }
        Ok(())
    }

    /// What came out of a replacement and has yet to be recorded.
    fn find_kept(&mut self, folder: &Folder<'_>, path: &str) -> io::Result<()> {
        let Some(manifest) = self.manifest else { return Ok(()) };
        let here = |item: &&UnderWay| {
            item.stage == Stage::Kept && split(&item.path).is_some_and(|(of, _)| of == path)
        };
        for item in manifest.under_way.iter().filter(here) {
            let is_recorded = |found: &Found| found.is(item.from) || found.is(item.to);
            let aside = match folder.read(&item.third()) {
                Ok(found) if matches!(found, Found::Absent) || is_recorded(&found) => item.other(),
                _ => item.third(),
            };
            match folder.read(&aside) {
                Ok(Found::File(standing)) => self.looks.changes.push(Change {
                    path: item.path.clone(),
                    what: self.edited(item.from, item.merged),
                    bytes: Some(standing.bytes),
                    base: item.stood.clone(),
                    aside: Some(aside),
                }),
                Ok(Found::Absent) => {}
                Ok(Found::Odd(odd)) => self.odd(&format!("{path}/{aside}"), odd),
                Err(e) => self.unreadable(&format!("{path}/{aside}"), &e)?,
            }
        }
        Ok(())
    }

    /// Finds what is known of a folder, and of those in it, and is not there.
    fn find_deleted(&mut self, folder: &str) {
        let Some(manifest) = self.manifest else { return };
        let lies_in = |path: &str| match self.names.folder_refusal {
            None => split(path).is_some_and(|(of, _)| of == folder),
            Some(_) => path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
        };
        // What the tape has of a merged text is more than the person saw: it comes back before it can be deleted.
        let gone = manifest.files.iter().filter(|(_, known)| !known.merged).map(|(path, _)| path);
        let gone = gone.filter(|path| {
            lies_in(path)
                && !self.looks.seen.contains_key(*path)
                && !self.kept.contains(*path)
                && !self.looks.is_left_alone(path)
                && !manifest.blocked.contains(*path)
                && !manifest.is_under_way(path)
        });
        let gone: Vec<&String> = gone.collect();
        self.looks.changes.extend(gone.into_iter().map(|path| Change {
            path: path.clone(),
            what: What::Deleted,
            bytes: None,
            base: manifest.base_of(path).clone(),
            aside: None,
        }));
    }

    /// A file that is gone and a new one with the same text are one that was renamed.
    fn find_renames(&mut self) {
        // Between branches a text is not moved: it is gone from one, and new on the other.
        let Some(manifest) = self.manifest.filter(|manifest| manifest.toward.is_none()) else { return };
        let mut gone: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, change) in self.looks.changes.iter().enumerate().rev() {
            if change.what == What::Deleted
                && change.base.branch == manifest.base.branch
                && let Some(known) = manifest.files.get(&change.path)
            {
                gone.entry(known.sha256.to_string()).or_default().push(at);
            }
        }
        let mut found = BTreeSet::new();
        for at in 0..self.looks.changes.len() {
            let change = &self.looks.changes[at];
            let Some(seen) = self.looks.seen.get(&change.path) else { continue };
            if change.what != What::New || change.aside.is_some() {
                continue;
            }
            let Some(from) = gone.get_mut(&seen.sha256.to_string()).and_then(Vec::pop) else { continue };
            let (path, base) = (self.looks.changes[from].path.clone(), self.looks.changes[from].base.clone());
            self.looks.changes[at].what = What::Renamed { from: path };
            self.looks.changes[at].base = base;
            found.insert(from);
        }
        let mut at = 0;
        self.looks.changes.retain(|_| {
            at += 1;
            !found.contains(&(at - 1))
        });
    }
}
