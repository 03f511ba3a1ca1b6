//! The folders of the working copy, opened so that nothing outside them is ever reached.
//!
//! *Purpose.* To name the few operations the working copy needs of a folder. Every changing one is told to [`Steps`]
//! first, so that tests can stop a command at each of them, or act in between as a person would.
//!
//! **Invariants.** A folder is opened step by step from the root's handle, and no step follows a symbolic link; whatever
//! becomes of its name afterwards, the handle stays. Names within a folder are single ones. Only a regular file with one
//! link is read. No operation but [`Folder::replace_name`] takes a name's file away unseen, and that is called for
//! temporary names only.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions, Permissions};
use memtape_tape::{Durability, Hash};
use serde::{Deserialize, Serialize};

use super::kernel;
use super::oddity::Odd;

/// How many bytes a file may have. What is longer is no note anybody wrote.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// Told of every operation that changes the medium before it happens: the seam for tests.
pub trait Steps: Send + Sync {
    /// Something is about to be changed. A failure stops the command there, as a kill does.
    ///
    /// # Errors
    /// What the test has in mind.
    fn before(&self, what: &'static str) -> io::Result<()>;

    /// Whether the medium can exchange two names in one step.
    fn exchanges(&self) -> bool {
        true
    }
}

/// Lets everything happen.
pub(super) struct Freely;

impl Steps for Freely {
    fn before(&self, _: &'static str) -> io::Result<()> {
        Ok(())
    }
}

/// What tells one state of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stat {
    /// Bytes.
    pub size: u64,
    /// When its text was changed last, in nanoseconds since 1970 by the file system's clock.
    pub modified: i64,
    /// When anything about it was changed last; where the system does not say, as `modified`.
    pub changed: i64,
    /// Which file it is; 0 where the system does not say.
    pub inode: u64,
}

/// What stands under a name.
pub(super) enum Found {
    /// Nothing.
    Absent,
    /// Something that is left alone.
    Odd(Odd),
    /// A file.
    File(Standing),
}

/// A file that was read.
pub(super) struct Standing {
    pub(super) bytes: Vec<u8>,
    pub(super) sha256: Hash,
    pub(super) stat: Stat,
    pub(super) permissions: Permissions,
}

impl Found {
    /// Whether a file with this digest stands there, or, for none, nothing at all.
    pub(super) fn is(&self, sha256: Option<Hash>) -> bool {
        match self {
            Self::Absent => sha256.is_none(),
            Self::Odd(_) => false,
            Self::File(standing) => sha256 == Some(standing.sha256),
        }
    }
}

/// What comes of opening a folder.
pub(super) enum Opened<'a> {
    Absent,
    Odd(Odd),
    Folder(Folder<'a>),
}

/// The root of the folders.
pub(super) struct Root<'a> {
    dir: Dir,
    steps: &'a dyn Steps,
    durability: Durability,
}

impl<'a> Root<'a> {
    /// Opens the root, wherever its path leads: it is the owner's configuration. `None` where there is nothing.
    pub(super) fn open(
        path: &Path,
        steps: &'a dyn Steps,
        durability: Durability,
    ) -> io::Result<Option<Self>> {
        match Dir::open_ambient_dir(path, ambient_authority()) {
            Ok(dir) => Ok(Some(Self { dir, steps, durability })),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// The root as a folder, for the files that lie in it.
    pub(super) fn itself(&self) -> io::Result<Folder<'a>> {
        // The root's own handle may be of a kind that cannot be synced.
        Ok(Folder {
            dir: kernel::open_folder(&self.dir, ".")?,
            steps: self.steps,
            durability: self.durability,
        })
    }

    /// Opens a folder, `a` or `a/b`, step by step.
    pub(super) fn folder_at(&self, path: &str) -> io::Result<Opened<'a>> {
        let mut folder = self.itself()?;
        for name in path.split('/') {
            match folder.enter(name)? {
                Opened::Folder(next) => folder = next,
                other => return Ok(other),
            }
        }
        Ok(Opened::Folder(folder))
    }

    /// Opens a folder and makes what is missing of it.
    pub(super) fn make_folder(&self, path: &str) -> io::Result<Opened<'a>> {
        let mut folder = self.itself()?;
        for name in path.split('/') {
            if let Opened::Absent = folder.enter(name)? {
                self.steps.before("make a folder")?;
                match folder.dir.create_dir(name) {
                    Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(e),
                    _ => folder.sync()?,
                }
            }
            match folder.enter(name)? {
                Opened::Folder(next) => folder = next,
                other => return Ok(other),
            }
        }
        Ok(Opened::Folder(folder))
    }

    /// Whether nothing stands in the place of a folder.
    pub(super) fn is_absent(&self, path: &str) -> io::Result<bool> {
        Ok(matches!(self.folder_at(path)?, Opened::Absent))
    }
}

/// An open folder.
pub(super) struct Folder<'a> {
    dir: Dir,
    steps: &'a dyn Steps,
    durability: Durability,
}

impl<'a> Folder<'a> {
    /// Opens a folder in it.
    pub(super) fn enter(&self, name: &str) -> io::Result<Opened<'a>> {
        match self.metadata(name)? {
            None => return Ok(Opened::Absent),
            Some(found) if found.is_symlink() => return Ok(Opened::Odd(Odd::Link)),
            Some(found) if !found.is_dir() => return Ok(Opened::Odd(Odd::NoFolder)),
            Some(_) => {}
        }
        match kernel::open_folder(&self.dir, name) {
            Ok(dir) => Ok(Opened::Folder(Folder { dir, steps: self.steps, durability: self.durability })),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(Opened::Absent),
            // Something else has come into its place.
            Err(e) => match self.metadata(name)? {
                Some(found) if found.is_symlink() => Ok(Opened::Odd(Odd::Link)),
                Some(found) if !found.is_dir() => Ok(Opened::Odd(Odd::NoFolder)),
                _ => Err(e),
            },
        }
    }

    /// The names in it, and what stands under each, in no order. What vanishes meanwhile is left out.
    pub(super) fn each(&self, mut tell: impl FnMut(&std::ffi::OsStr, &Metadata)) -> io::Result<()> {
        for entry in self.dir.entries()? {
            let entry = entry?;
            match entry.metadata() {
                Ok(metadata) => tell(&entry.file_name(), &metadata),
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// What stands under a name, itself and not what it leads to.
    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        match self.dir.symlink_metadata(name) {
            Ok(found) => Ok(Some(found)),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Whether nothing has a name.
    pub(super) fn is_free(&self, name: &str) -> io::Result<bool> {
        Ok(self.metadata(name)?.is_none())
    }

    /// Whether two names are one file.
    pub(super) fn are_one(&self, a: &str, b: &str) -> io::Result<bool> {
        let (Some(a), Some(b)) = (self.metadata(a)?, self.metadata(b)?) else { return Ok(false) };
        Ok(kernel::is_same(&a, &b))
    }

    /// Whether a file has other names as well.
    pub(super) fn has_several_names(&self, name: &str) -> io::Result<bool> {
        Ok(self.metadata(name)?.is_some_and(|found| matches!(Odd::of(&found), Some(Odd::HardLinks(_)))))
    }

    /// Reads what stands under a name.
    pub(super) fn read(&self, name: &str) -> io::Result<Found> {
        self.read_unless(name, Odd::of)
    }

    /// Whether a temporary name has this text. Interrupted while a file got another name, it may have both; a person
    /// may have moved the other one since.
    pub(super) fn has(&self, name: &str, sha256: Option<Hash>) -> io::Result<bool> {
        let odd = |found: &Metadata| Odd::of(found).filter(|odd| !matches!(odd, Odd::HardLinks(_)));
        Ok(sha256.is_some() && self.read_unless(name, odd)?.is(sha256))
    }

    /// Reads what stands under a name, unless it is odd.
    fn read_unless(&self, name: &str, odd: impl Fn(&Metadata) -> Option<Odd>) -> io::Result<Found> {
        let odd = |found: &Metadata| odd(found).map(Found::Odd);
        match self.metadata(name)? {
            None => return Ok(Found::Absent),
            Some(found) => {
                if let Some(odd) = odd(&found) {
                    return Ok(odd);
                }
            }
        }
        let mut file = match kernel::open_file(&self.dir, name) {
            Ok(file) => file,
            Err(e) => {
                // It may have become something else since.
                return match self.metadata(name)? {
                    None => Ok(Found::Absent),
                    Some(found) => odd(&found).ok_or(e),
                };
            }
        };
        // Twice at most: a file that is being written is taken as it is the second time.
        let mut before = file.metadata()?;
        for again in [true, false] {
            if let Some(odd) = odd(&before) {
                return Ok(odd);
            }
            let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or_default());
            (&mut file).take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
            let after = file.metadata()?;
            if again && Stat::of(&before) != Stat::of(&after) {
                io::Seek::rewind(&mut file)?;
                before = after;
                continue;
            }
            if bytes.len() as u64 > MOST_BYTES {
                break;
            }
            let (sha256, stat) = (Hash::of(&bytes), Stat::of(&before));
            return Ok(Found::File(Standing { bytes, sha256, stat, permissions: before.permissions() }));
        }
        Ok(Found::Odd(Odd::TooLong))
    }

    /// Writes a file under a name that nothing has, as durable as is asked for.
    pub(super) fn write(
        &self,
        name: &str,
        bytes: &[u8],
        permissions: Option<Permissions>,
    ) -> io::Result<Metadata> {
        self.steps.before("create a file")?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if permissions.is_some() {
            // Nobody is to open it before it has the permissions it should have.
            kernel::private(&mut options);
        }
        let mut file = self.dir.open_with(name, &options)?;
        let half = bytes.len() / 2;
        file.write_all(&bytes[..half])?;
        self.steps.before("write on")?;
        file.write_all(&bytes[half..])?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        self.synced(&file)?;
        file.metadata()
    }

    /// Gives a file another name; whatever had that name is gone.
    pub(super) fn replace_name(&self, from: &str, to: &str) -> io::Result<()> {
        self.steps.before("rename a file")?;
        self.dir.rename(from, &self.dir, to)
    }

    /// Gives a file a name that nothing has.
    ///
    /// # Errors
    /// `AlreadyExists`, or what the medium says.
    pub(super) fn give_free_name(&self, from: &str, to: &str) -> io::Result<()> {
        self.steps.before("give a file a free name")?;
        match self.steps.exchanges().then(|| kernel::rename_to_free(&self.dir, from, to)).flatten() {
            Some(done) => done,
            None => {
                self.link(from, to)?;
                self.steps.before("take a file's old name")?;
                self.remove_if_there(from)
            }
        }
    }

    /// Takes a file away under a temporary name that nothing has.
    pub(super) fn take_away(&self, name: &str, temporary: &str) -> io::Result<()> {
        self.steps.before("take a file away")?;
        match self.steps.exchanges().then(|| kernel::rename_to_free(&self.dir, name, temporary)).flatten() {
            Some(done) => done,
            // Linked and removed, another file than the linked one could be removed.
            None => self.dir.rename(name, &self.dir, temporary),
        }
    }

    /// Exchanges what stands under two names. Where the medium cannot, what stands under the second goes through a third
    /// name, and for a moment nothing stands under the second.
    pub(super) fn exchange(&self, temporary: &str, name: &str, third: &str) -> io::Result<()> {
        self.steps.before("exchange names")?;
        if let Some(done) =
            self.steps.exchanges().then(|| kernel::exchange(&self.dir, temporary, name)).flatten()
        {
            return done;
        }
        self.dir.rename(name, &self.dir, third)?;
        self.steps.before("link a file")?;
        match self.link(temporary, name) {
            // A person wrote the file anew: what went through the third name stays there.
            Err(e) if e.kind() == ErrorKind::AlreadyExists => return Ok(()),
            done => done?,
        }
        self.replace_name(third, temporary)
    }

    /// Removes a name, if anything has it.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        self.steps.before("remove a file")?;
        self.remove_if_there(name)
    }

    fn remove_if_there(&self, name: &str) -> io::Result<()> {
        match self.dir.remove_file(name) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    /// Gives a file a second name, one that nothing has. Where there are no second names, it is its only one.
    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        match self.dir.hard_link(from, &self.dir, to) {
            Err(e) if matches!(e.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported) => {
                match self.is_free(to)? {
                    true => self.dir.rename(from, &self.dir, to),
                    false => Err(ErrorKind::AlreadyExists.into()),
                }
            }
            done => done,
        }
    }

    /// Makes its names durable.
    pub(super) fn sync(&self) -> io::Result<()> {
        // Only Unix lets a folder be synced; elsewhere the file system sees to it.
        match self.durability == Durability::Sync && cfg!(unix) {
            true => self.dir.try_clone()?.into_std_file().sync_all(),
            false => Ok(()),
        }
    }

    fn synced(&self, file: &File) -> io::Result<()> {
        match self.durability {
            Durability::Sync => file.sync_all(),
            Durability::Os => Ok(()),
        }
    }
}
