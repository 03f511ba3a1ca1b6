//! What systems do in their own ways.

use std::io;

use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::sandbox::Stat;

#[cfg(unix)]
impl Stat {
    pub(super) fn of(metadata: &Metadata) -> Self {
        use cap_std::fs::MetadataExt as _;
        let time = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
        Self {
            size: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            changed: time(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }
}

#[cfg(not(unix))]
impl Stat {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let since = metadata.modified().ok().map(|time| time.into_std());
        let since = since.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let modified = since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or_default();
        Self { size: metadata.len(), modified, changed: modified, inode: 0 }
    }
}

/// Whether two files are one.
#[cfg(unix)]
pub(super) fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use cap_std::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
pub(super) fn is_same(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// How many names a file has.
#[cfg(unix)]
pub(super) fn links(metadata: &Metadata) -> u64 {
    use cap_std::fs::MetadataExt as _;
    metadata.nlink()
}

#[cfg(not(unix))]
pub(super) fn links(_: &Metadata) -> u64 {
    1
}

/// Lets nobody else open a file that is made.
#[cfg(unix)]
pub(super) fn private(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
pub(super) fn private(_: &mut OpenOptions) {}

/// Opens a file for reading that is no link. A FIFO that came into its place does not make it wait.
#[cfg(unix)]
pub(super) fn open_file(dir: &Dir, name: &str) -> io::Result<File> {
    use rustix::fs::OFlags;
    open(dir, name, OFlags::NOFOLLOW | OFlags::NONBLOCK)
}

/// Opens a folder that is no link, so that it can be synced.
#[cfg(unix)]
pub(super) fn open_folder(dir: &Dir, name: &str) -> io::Result<Dir> {
    use rustix::fs::OFlags;
    let file = open(dir, name, OFlags::NOFOLLOW | OFlags::DIRECTORY)?;
    Ok(Dir::from_std_file(file.into_std()))
}

#[cfg(unix)]
fn open(dir: &Dir, name: &str, flags: rustix::fs::OFlags) -> io::Result<File> {
    use cap_std::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    dir.open_with(name, &options)
}

// Elsewhere a link is told from what is none before; nothing outside the root is opened in any case.
#[cfg(not(unix))]
pub(super) fn open_file(dir: &Dir, name: &str) -> io::Result<File> {
    dir.open(name)
}

#[cfg(not(unix))]
pub(super) fn open_folder(dir: &Dir, name: &str) -> io::Result<Dir> {
    dir.open_dir(name)
}

pub(super) use renames::{exchange, rename_to_free};

/// Renames of which only some systems know. `None`: this one does not.
#[cfg(any(target_os = "linux", target_os = "android"))]
mod renames {
    use std::io;

    use cap_std::fs::Dir;
    use rustix::fs::{RenameFlags, renameat_with};
    use rustix::io::Errno;

    fn rename(dir: &Dir, from: &str, to: &str, flags: RenameFlags) -> Option<io::Result<()>> {
        match renameat_with(dir, from, dir, to, flags) {
            // An old kernel, or a file system that knows no flags.
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => None,
            done => Some(done.map_err(io::Error::from)),
        }
    }

    pub(in super::super) fn exchange(dir: &Dir, a: &str, b: &str) -> Option<io::Result<()>> {
        rename(dir, a, b, RenameFlags::EXCHANGE)
    }

    pub(in super::super) fn rename_to_free(dir: &Dir, from: &str, to: &str) -> Option<io::Result<()>> {
        rename(dir, from, to, RenameFlags::NOREPLACE)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod renames {
    use std::io;

    use cap_std::fs::Dir;

    pub(in super::super) fn exchange(_: &Dir, _: &str, _: &str) -> Option<io::Result<()>> {
        None
    }

    pub(in super::super) fn rename_to_free(_: &Dir, _: &str, _: &str) -> Option<io::Result<()>> {
        None
    }
}
