//! `working-copy.json`: what the files of the working copy are known to be.
//!
//! *Purpose.* To tell a person's edit from what memtape wrote itself, whatever was interrupted, and without the index.
//!
//! **Invariants.** It is replaced as a whole, durably. A file's digest is that of its text at the entry that is named
//! with it, or, where none is, at the manifest's base; what is [`Known::merged`] differs from the tape, and what the
//! caller takes over as it stands ([`Put::AsSeen`](super::Put::AsSeen)) may. A file has no times where it was looked at
//! too soon after it was changed: a further change may bear the same ones, so its digest is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use memtape_tape::{Durability, Hash};
use serde::{Deserialize, Serialize};

use super::sandbox::{Found, Root, Stat, Steps};
use crate::error::{Error, Result};

/// Its name in the workspace's directory, unless a working copy has another.
pub const MANIFEST_FILE: &str = "working-copy.json";

/// The only version there is.
const VERSION: u32 = 1;

/// How long ago a file must have been changed for its times to tell the next change: more than the coarsest clock of a
/// file system.
const SETTLES_AFTER: Duration = Duration::from_secs(2);

/// How far the clock of the file system may be from ours. With the time above, a settled file was left alone for longer
/// than a second at least.
const SKEW: Duration = Duration::from_secs(1);

/// What a text stands on: an entry of a branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// The branch.
    pub branch: String,
    /// The last entry of the tape that counts.
    pub entry: u64,
}

/// What a file is known to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The digest of its text.
    pub sha256: Hash,
    /// What it looked like, if that tells its next change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stat: Option<Stat>,
    /// Where its text is the tape's, if that is not the manifest's base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Base>,
    /// Whether the tape has its text only merged with what tools wrote: it was recorded as a person's, and the person
    /// was faster than what was to replace it. What is made of it then must not be taken for made of the base's text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub merged: bool,
}

impl Known {
    /// What memtape wrote, or found to be the tape's.
    pub(super) fn of_tape(sha256: Hash, stat: Option<Stat>, base: Option<Base>) -> Self {
        Self { sha256, stat, base, merged: false }
    }
}

/// How far a replacement has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// It may have been begun.
    #[default]
    Begun,
    /// It is over, and what came out may still be there.
    Spent,
    /// It is over, and what came out was written by a person and has yet to be recorded.
    Kept,
}

/// A replacement that may be half done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnderWay {
    /// How far it has come.
    #[serde(default)]
    pub stage: Stage,
    /// The file.
    pub path: String,
    /// How the names begin of its temporary files, in its folder.
    pub temporary: String,
    /// The digest of what is replaced; none: nothing.
    pub from: Option<Hash>,
    /// What that stands on.
    pub stood: Base,
    /// Whether what is replaced is [`Known::merged`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub merged: bool,
    /// The digest of what replaces it; none: nothing.
    pub to: Option<Hash>,
    /// What that stands on.
    pub base: Base,
}

/// What the working copy is known to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    version: u32,
    /// How often it was written.
    pub writes: u64,
    /// What the files stand on.
    pub base: Base,
    /// What they were to stand on when a command was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toward: Option<Base>,
    /// The files, by their paths below the root.
    pub files: BTreeMap<String, Known>,
    /// The files that are not what they were to be: a person was at them, or something else stands in their place.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub owed: BTreeSet<String>,
    /// Those of them in whose place something else stood: once it is gone, they are written, and not taken for deleted.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub blocked: BTreeSet<String>,
    /// What may be half done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub under_way: Vec<UnderWay>,
}

impl UnderWay {
    /// The name of the text that is being written.
    pub(super) fn unfinished(&self) -> String {
        format!("{}.new", self.temporary)
    }

    /// The name of what takes the file's place; once it has, of what came out.
    pub(super) fn other(&self) -> String {
        format!("{}.other", self.temporary)
    }

    /// The name through which the file goes where names cannot be exchanged.
    pub(super) fn third(&self) -> String {
        format!("{}.third", self.temporary)
    }
}

impl Manifest {
    /// That of a working copy without files.
    pub(super) fn new(base: Base) -> Self {
        let (owed, blocked) = (BTreeSet::new(), BTreeSet::new());
        let (files, under_way) = (BTreeMap::new(), Vec::new());
        Self { version: VERSION, writes: 0, base, toward: None, files, owed, blocked, under_way }
    }

    /// What a file stands on.
    #[must_use]
    pub fn base_of(&self, path: &str) -> &Base {
        self.files.get(path).and_then(|known| known.base.as_ref()).unwrap_or(&self.base)
    }

    /// Whether the tape has this text of a file where the file stands.
    pub(super) fn is_of_tape(&self, path: &str, sha256: Hash) -> bool {
        self.files.get(path).is_some_and(|known| known.sha256 == sha256 && !known.merged)
    }

    /// Whether a file may be half replaced.
    pub(super) fn is_under_way(&self, path: &str) -> bool {
        self.under_way.iter().any(|item| item.stage == Stage::Begun && item.path == path)
    }

    /// Reads the one of a workspace; `None` where there is none.
    pub(super) fn load(dir: &Path, name: &str) -> Result<Option<Self>> {
        let read = || -> io::Result<Option<Found>> {
            let Some(root) = Root::open(dir, &super::sandbox::Freely, Durability::Os)? else {
                return Ok(None);
            };
            root.itself()?.read(name).map(Some)
        };
        let path = || dir.join(name).display().to_string();
        let wrong = |why: String| Error::Manifest { path: path(), why };
        match read().map_err(|source| Error::WorkingCopy { action: "read", path: path(), source })? {
            None | Some(Found::Absent) => Ok(None),
            Some(Found::Odd(_)) => Err(wrong("it is no file of its own".to_owned())),
            Some(Found::File(file)) => Self::parse(&file.bytes).map(Some).map_err(wrong),
        }
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let read: Self = serde_json::from_slice(bytes).map_err(|e| {
            // One of another version need not look like this one.
            match serde_json::from_slice::<Versioned>(bytes) {
                Ok(Versioned { version }) if version != VERSION => other_version(version),
                _ => e.to_string(),
            }
        })?;
        if read.version != VERSION {
            return Err(other_version(read.version));
        }
        // What it names is opened: nothing that was written into it leads elsewhere.
        let paths = read
            .files
            .keys()
            .chain(&read.owed)
            .chain(&read.blocked)
            .chain(read.under_way.iter().map(|item| &item.path));
        match paths.into_iter().find(|path| super::scan::split(path).is_none()) {
            Some(path) => Err(format!("{path:?} is no file of a working copy")),
            None if read.under_way.iter().any(|item| !super::scan::is_temporary(&item.temporary)) => {
                Err("it names temporary files that are none".to_owned())
            }
            None => Ok(read),
        }
    }

    /// Writes it in the place of the one before.
    pub(super) fn save(
        &mut self,
        dir: &Path,
        name: &str,
        steps: &dyn Steps,
        durability: Durability,
    ) -> Result<()> {
        self.writes += 1;
        let failed = |source| {
            let path = dir.join(name).display().to_string();
            Error::WorkingCopy { action: "write", path, source }
        };
        self.try_save(dir, name, steps, durability).map_err(failed)
    }

    fn try_save(
        &mut self,
        dir: &Path,
        name: &str,
        steps: &dyn Steps,
        durability: Durability,
    ) -> io::Result<()> {
        let Some(root) = Root::open(dir, steps, durability)? else { return Err(ErrorKind::NotFound.into()) };
        let folder = root.itself()?;
        let now = SystemTime::now();
        // The name of a manifest that is yet to replace the other.
        let unfinished = format!(".{name}~");
        folder.remove(&unfinished)?;
        let written = folder.write(&unfinished, &self.to_bytes()?, None)?;
        if is_skewed(now, Stat::of(&written).modified) {
            // The file system has a clock of its own: our reading of its times is worth nothing.
            self.files.values_mut().for_each(|known| known.stat = None);
            folder.remove(&unfinished)?;
            folder.write(&unfinished, &self.to_bytes()?, None)?;
        }
        folder.replace_name(&unfinished, name)?;
        folder.sync()
    }

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

fn other_version(version: u32) -> String {
    format!("it is of version {version}, and this program knows {VERSION}")
}

/// Whether a file that was written after `now` bears a time that is not ours.
fn is_skewed(now: SystemTime, modified: i64) -> bool {
    nanos(now).is_none_or(|now| u128::from(now.abs_diff(modified)) > SKEW.as_nanos())
}

fn nanos(time: SystemTime) -> Option<i64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// What a file looked like at a moment, if a later change of it looks otherwise for certain.
pub(super) fn settled(stat: Stat, looked: SystemTime) -> Option<Stat> {
    let latest = stat.changed.max(stat.modified);
    let settles = i64::try_from(SETTLES_AFTER.as_nanos()).ok()?;
    let looked = nanos(looked)?;
    (latest.checked_add(settles)? < looked).then_some(stat)
}
