//! The directories of a working copy, opened so that nothing outside them is reached.
//!
//! **Invariants.** A directory is opened component by component from the root, and no component may be a symbolic link;
//! an open handle stays valid whatever becomes of its name. Only regular files with one name are read. [`Steps`] is
//! called before every change, so that tests can stop a command there or act as a person would.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::Path;

use cap_fs_ext::{
    DirEntryExt as _, DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _,
    OpenOptionsSyncExt as _,
};
use cap_std::fs::{Dir, Metadata, OpenOptions, Permissions};
use memtape_tape::{Durability, Hash};
use serde::{Deserialize, Serialize};

use super::oddity::{FILE_BYTES_MAX, Odd};

/// The longest tick of a file system's clock, FAT's, in nanoseconds.
const TICK_MAX: i64 = 2_000_000_000;

/// Called before each change of the file system: the seam for tests.
pub trait Steps: Send + Sync {
    /// Announces a change.
    ///
    /// # Errors
    /// Whatever the test injects; the command stops there, as if it was killed.
    fn before(&self, what: &'static str) -> io::Result<()>;

    /// Returns whether the file system can exchange two names in one step.
    fn exchanges(&self) -> bool {
        true
    }

    /// Returns the longest tick of the file system's clock, in nanoseconds.
    fn tick(&self) -> i64 {
        TICK_MAX
    }
}

/// Allows every change.
pub(super) struct AllowAll;

impl Steps for AllowAll {
    fn before(&self, _: &'static str) -> io::Result<()> {
        Ok(())
    }
}

/// The metadata that distinguishes two states of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stat {
    /// Size in bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970, by the file system's clock.
    pub modified: i64,
    /// Change time of the inode; `modified` on systems without one.
    pub changed: i64,
    /// Inode number.
    pub inode: u64,
}

impl Stat {
    /// Returns whether a change after this time, in nanoseconds since 1970, would change the metadata, with a clock of this
    /// tick.
    pub(super) fn is_final(self, at: i64, tick: i64) -> bool {
        self.changed.max(self.modified).saturating_add(tick) < at
    }

    pub(super) fn of(metadata: &Metadata) -> Self {
        let since = metadata.modified().map(|time| time.into_std().duration_since(std::time::UNIX_EPOCH));
        let modified = since.ok().and_then(Result::ok).and_then(|since| i64::try_from(since.as_nanos()).ok());
        let modified = modified.unwrap_or_default();
        #[cfg(unix)]
        let changed = {
            use cap_std::fs::MetadataExt as _;
            metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let changed = modified;
        Self { size: metadata.len(), modified, changed, inode: metadata.ino() }
    }
}

/// The object that a name refers to.
pub(super) enum Found {
    Absent,
    /// Something that is left alone.
    Odd(Odd),
    File(DiskFile),
}

/// A file that was read.
pub(super) struct DiskFile {
    pub(super) bytes: Vec<u8>,
    pub(super) sha256: Hash,
    pub(super) stat: Stat,
}

impl Found {
    /// Returns whether this is a file with the digest, or, for `None`, nothing.
    pub(super) fn is(&self, sha256: Option<Hash>) -> bool {
        match self {
            Self::Absent => sha256.is_none(),
            Self::Odd(_) => false,
            Self::File(file) => sha256 == Some(file.sha256),
        }
    }
}

/// The outcome of opening a directory.
pub(super) enum Opened<'a> {
    Absent,
    Odd(Odd),
    Folder(Folder<'a>),
}

/// An open directory.
pub(super) struct Folder<'a> {
    dir: Dir,
    steps: &'a dyn Steps,
    durability: Durability,
}

impl<'a> Folder<'a> {
    /// Opens the root. Its own path may lead through links, since the owner configures it. `None` if it does not exist.
    pub(super) fn root(
        path: &Path,
        steps: &'a dyn Steps,
        durability: Durability,
    ) -> io::Result<Option<Self>> {
        match Dir::open_ambient_dir(path, cap_std::ambient_authority()) {
            Ok(dir) => Ok(Some(Self { dir, steps, durability })),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Returns the longest tick of the file system's clock, in nanoseconds.
    pub(super) fn tick(&self) -> i64 {
        self.steps.tick()
    }

    /// Opens a directory below this one, such as `a/b`; with `make`, creates missing directories.
    pub(super) fn descend(&self, path: &str, make: bool) -> io::Result<Opened<'a>> {
        let mut opened: Option<Self> = None;
        for name in path.split('/') {
            let folder = opened.as_ref().unwrap_or(self);
            let mut next = folder.enter(name)?;
            if make && matches!(next, Opened::Absent) {
                folder.steps.before("create a directory")?;
                match folder.dir.create_dir(name) {
                    Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(e),
                    _ => folder.sync()?,
                }
                next = folder.enter(name)?;
            }
            let Opened::Folder(next) = next else { return Ok(next) };
            opened = Some(next);
        }
        Ok(opened.map_or(Opened::Absent, Opened::Folder))
    }

    /// Opens a directory in this one.
    pub(super) fn enter(&self, name: &str) -> io::Result<Opened<'a>> {
        let opened = self.dir.open_dir_nofollow(name);
        match (opened, self.metadata(name)?) {
            (Ok(dir), _) => Ok(Opened::Folder(Self { dir, steps: self.steps, durability: self.durability })),
            (Err(_), None) => Ok(Opened::Absent),
            (Err(_), Some(found)) if found.is_symlink() => Ok(Opened::Odd(Odd::Link)),
            (Err(_), Some(found)) if !found.is_dir() => Ok(Opened::Odd(Odd::NoFolder)),
            (Err(e), Some(_)) => Err(e),
        }
    }

    /// Calls `pass` for each name in the directory, in no particular order.
    pub(super) fn each(&self, mut pass: impl FnMut(&std::ffi::OsStr, &Metadata)) -> io::Result<()> {
        for entry in self.dir.entries()? {
            let entry = entry?;
            match entry.full_metadata() {
                Ok(metadata) => pass(&entry.file_name(), &metadata),
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    fn metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        match self.dir.symlink_metadata(name) {
            Ok(found) => Ok(Some(found)),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Returns whether a name is free.
    pub(super) fn is_free(&self, name: &str) -> io::Result<bool> {
        Ok(self.metadata(name)?.is_none())
    }

    /// Reads the file of a name, unless it is longer than a file may be.
    pub(super) fn read(&self, name: &str) -> io::Result<Found> {
        self.read_within(name, FILE_BYTES_MAX)
    }

    /// Reads the file of a name, unless it has more than `bytes_max` bytes.
    pub(super) fn read_within(&self, name: &str, bytes_max: u64) -> io::Result<Found> {
        let look = || -> io::Result<Option<Found>> {
            Ok(self
                .metadata(name)?
                .map_or(Some(Found::Absent), |found| Odd::of(&found, bytes_max).map(Found::Odd)))
        };
        if let Some(found) = look()? {
            return Ok(found);
        }
        let mut options = OpenOptions::new();
        // Something else may have taken the name since: no link is followed, and no FIFO waited for.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = match self.dir.open_with(name, &options) {
            Ok(file) => file,
            Err(e) => return look()?.ok_or(e),
        };
        let metadata = file.metadata()?;
        if let Some(odd) = Odd::of(&metadata, bytes_max) {
            return Ok(Found::Odd(odd));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
        file.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > bytes_max {
            return Ok(Found::Odd(Odd::TooLong));
        }
        // The metadata is older than the bytes, so a change in between is seen by the next look.
        Ok(Found::File(DiskFile { sha256: Hash::of(&bytes), bytes, stat: Stat::of(&metadata) }))
    }

    /// Writes a new file durably. If that fails, there is none.
    pub(super) fn write(&self, name: &str, bytes: &[u8], like: Like<'_>) -> io::Result<Stat> {
        self.steps.before("create a file")?;
        let like_file = self.metadata(like.file)?.filter(Metadata::is_file);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Restrictive until the file gets its final permissions.
        if let Some(mode) = like_file.as_ref().map(|_| PRIVATE).or(like.otherwise) {
            restrict(&mut options, mode);
        }
        let mut file = self.dir.open_with(name, &options)?;
        let written = self.fill(&mut file, bytes, like_file);
        if written.is_err() {
            // On a full disk, each command would leave a file.
            let _ = self.remove(name);
        }
        written
    }

    /// Writes the text of a new file, which then gets the owner and the permissions of another one.
    fn fill(&self, file: &mut cap_std::fs::File, bytes: &[u8], like: Option<Metadata>) -> io::Result<Stat> {
        let (first, rest) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        self.steps.before("write on")?;
        file.write_all(rest)?;
        if let Some(found) = like {
            let permissions = match give_to_owner_of(&found, file)? {
                true => found.permissions(),
                false => without_group(found.permissions()),
            };
            file.set_permissions(permissions)?;
        }
        if self.durability == Durability::Sync {
            file.sync_all()?;
        }
        Ok(Stat::of(&file.metadata()?))
    }

    /// Renames a file, replacing one that has the new name.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.steps.before("rename a file")?;
        self.dir.rename(from, &self.dir, to)
    }

    /// Renames a file to a name that is free.
    ///
    /// # Errors
    /// `AlreadyExists` if it is taken. Where the system has no such rename, it is checked right before.
    pub(super) fn rename_to_free(&self, from: &str, to: &str) -> io::Result<()> {
        self.steps.before("rename a file to a free name")?;
        match self.special_rename(from, to, Special::ToFree) {
            Some(done) => done,
            None if self.is_free(to)? => self.dir.rename(from, &self.dir, to),
            None => Err(ErrorKind::AlreadyExists.into()),
        }
    }

    /// Puts the file `new` in the place of `name`, and what had that name under `old`. Where the system cannot exchange
    /// names, nothing has the name for a moment.
    ///
    /// # Errors
    /// `AlreadyExists` if another file took the name in that moment.
    pub(super) fn exchange(&self, new: &str, name: &str, old: &str) -> io::Result<()> {
        if self.steps.exchanges() {
            self.rename(new, old)?;
            self.steps.before("exchange names")?;
            if let Some(done) = self.special_rename(old, name, Special::Exchange) {
                return done;
            }
            self.rename(old, new)?;
        }
        self.rename(name, old)?;
        self.rename_to_free(new, name)
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn special_rename(&self, from: &str, to: &str, special: Special) -> Option<io::Result<()>> {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        let flags = match special {
            Special::Exchange => RenameFlags::EXCHANGE,
            Special::ToFree => RenameFlags::NOREPLACE,
        };
        match renameat_with(&self.dir, from, &self.dir, to, flags) {
            // An old kernel, or a file system without these flags.
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => None,
            done => Some(done.map_err(io::Error::from)),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    fn special_rename(&self, _: &str, _: &str, _: Special) -> Option<io::Result<()>> {
        None
    }

    /// Removes a file, if it exists.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        self.steps.before("remove a file")?;
        match self.dir.remove_file(name) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    /// Removes a directory in this one, unless something is in it.
    pub(super) fn remove_empty(&self, name: &str) -> io::Result<()> {
        self.steps.before("remove an empty directory")?;
        self.dir.remove_dir(name)
    }

    /// Makes the names durable.
    pub(super) fn sync(&self) -> io::Result<()> {
        // Only Unix can sync a directory; other file systems do it themselves.
        match self.durability == Durability::Sync && cfg!(unix) {
            true => self.dir.open(".")?.sync_all(),
            false => Ok(()),
        }
    }
}

/// The permissions of a file that only its owner may read.
pub(super) const PRIVATE: u32 = 0o600;

/// Whose file a new one is, and who may read it.
#[derive(Clone, Copy)]
pub(super) struct Like<'n> {
    /// The name of the file whose owner and permissions it gets, if there is such a file.
    pub(super) file: &'n str,
    /// Without that file, the permissions that it has at most; `None` for those of any new file.
    pub(super) otherwise: Option<u32>,
}

/// Returns the permissions of a file that not everybody may read.
#[cfg(unix)]
pub(super) fn restricted_mode(metadata: &Metadata) -> Option<u32> {
    use cap_std::fs::PermissionsExt as _;
    Some(metadata.permissions().mode() & 0o777).filter(|mode| mode & 0o044 != 0o044)
}

#[cfg(not(unix))]
pub(super) fn restricted_mode(_: &Metadata) -> Option<u32> {
    None
}

/// Limits the permissions of the file that is created, which the umask limits further.
#[cfg(unix)]
fn restrict(options: &mut OpenOptions, mode: u32) {
    cap_std::fs::OpenOptionsExt::mode(options, mode & 0o666);
}

#[cfg(not(unix))]
fn restrict(_: &mut OpenOptions, _: u32) {}

/// Gives a file to the owner and the group of another one, as far as this process may. Returns whether it has that group.
#[cfg(unix)]
fn give_to_owner_of(found: &Metadata, file: &cap_std::fs::File) -> io::Result<bool> {
    use std::os::unix::fs::fchown;

    use cap_std::fs::MetadataExt as _;
    let own = file.metadata()?;
    // Only the administrator may give files away, but others may give them to their groups.
    let is_given = (own.uid(), own.gid()) == (found.uid(), found.gid())
        || fchown(file, Some(found.uid()), Some(found.gid())).is_ok()
        || own.gid() == found.gid()
        || fchown(file, None, Some(found.gid())).is_ok();
    Ok(is_given)
}

/// Returns permissions without those of the group: another group may not read what this one may.
#[cfg(unix)]
fn without_group(mut permissions: Permissions) -> Permissions {
    use cap_std::fs::PermissionsExt as _;
    permissions.set_mode(permissions.mode() & !0o070);
    permissions
}

#[cfg(not(unix))]
fn without_group(permissions: Permissions) -> Permissions {
    permissions
}

#[cfg(not(unix))]
fn give_to_owner_of(_: &Metadata, _: &cap_std::fs::File) -> io::Result<bool> {
    Ok(true)
}

/// A rename that not every system knows.
#[derive(Clone, Copy)]
enum Special {
    Exchange,
    ToFree,
}
