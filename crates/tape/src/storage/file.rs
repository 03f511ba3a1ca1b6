//! Storage of a tape in a directory.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::disk::{self, LOCK, create_anew};
use super::{Archived, Blob, Guard, Storage};
use crate::entry::EntryId;
use crate::error::{Error, Result};

/// The file name of the active segment.
const TAPE: &str = "tape.jsonl";
/// The file name of an erasure's intent.
const INTENT: &str = "erase.json";
/// The directory of archived segments and torn tails.
const ARCHIVE: &str = "archive";
/// The beginning of the names of torn tails.
const TORN: &str = "torn-";
/// The maximum pause between two attempts to acquire the lock.
const LOCK_PAUSE_MAX: Duration = Duration::from_millis(5);

/// A tape in a directory: `tape.jsonl`, `lock`, `archive/` and `erase.json`.
#[derive(Debug)]
pub struct FileStorage {
    dir: PathBuf,
    active: Mutex<Option<Arc<FileBlob>>>,
    lock: Mutex<Option<Arc<LockFile>>>,
}

/// The open lock file. The operating system's lock excludes other processes; `held` excludes other users of this open
/// file.
#[derive(Debug)]
struct LockFile {
    file: File,
    identity: Identity,
    held: AtomicBool,
}

#[derive(Debug)]
struct FileBlob {
    path: PathBuf,
    file: File,
    identity: Identity,
    is_writable: bool,
}

/// The identity of a file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    fn of(metadata: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(metadata.dev(), metadata.ino())
    }

    /// Uses the creation time on systems without inode numbers: the file that follows an archived tape is
    /// newer.
    #[cfg(not(unix))]
    fn of(metadata: &fs::Metadata) -> Self {
        let made = metadata.created().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
        Self(0, made.map_or(0, |d| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl FileStorage {
    /// Creates the storage of a directory, which need not contain a tape yet.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), active: Mutex::new(None), lock: Mutex::new(None) }
    }

    /// Returns whether a directory contains a tape: an active segment or archived ones.
    #[must_use]
    pub fn exists_in(dir: &Path) -> bool {
        dir.join(TAPE).is_file() || Self::new(dir).archived().is_ok_and(|list| !list.is_empty())
    }

    fn tape(&self) -> PathBuf {
        self.dir.join(TAPE)
    }

    fn archive_dir(&self) -> PathBuf {
        self.dir.join(ARCHIVE)
    }

    /// Returns the file that is the active segment now: the cached handle, unless the file was replaced.
    fn active_blob(&self) -> Result<Option<Arc<FileBlob>>> {
        let path = self.tape();
        let mut cached = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        let identity = match fs::metadata(&path) {
            Ok(metadata) => Identity::of(&metadata),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                *cached = None;
                return Ok(None);
            }
            Err(e) => return Err(Error::io("inspect", path, e)),
        };
        if let Some(blob) = cached.as_ref().filter(|blob| blob.identity == identity) {
            return Ok(Some(Arc::clone(blob)));
        }
        // A reader needs no write permission. A writer gets the error when it writes.
        let opened = match writable(&path) {
            Ok(file) => Ok((file, true)),
            Err(_) => File::open(&path).map(|file| (file, false)),
        };
        let (file, is_writable) = match opened {
            Ok(opened) => opened,
            // It was archived between the two calls.
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                *cached = None;
                return Ok(None);
            }
            Err(e) => return Err(Error::io("open", path, e)),
        };
        let identity = Identity::of(&file.metadata().map_err(|e| Error::io("inspect", &path, e))?);
        let blob = Arc::new(FileBlob { path, file, identity, is_writable });
        *cached = Some(Arc::clone(&blob));
        Ok(Some(blob))
    }

    fn active_for_writing(&self) -> Result<Arc<FileBlob>> {
        let missing = || Error::io("write to", self.tape(), io::ErrorKind::NotFound.into());
        let blob = self.active_blob()?.ok_or_else(missing)?;
        if blob.is_writable {
            return Ok(blob);
        }
        // Opening for writing returns the actual error. If it succeeds, the file has become writable since it
        // was opened.
        writable(&blob.path).map_err(|e| Error::io("write to", &blob.path, e))?;
        *self.active.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.active_blob()?.ok_or_else(missing)
    }

    /// Returns the lock file, which stays open.
    fn lock_file(&self) -> Result<Arc<LockFile>> {
        let mut cached = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = cached.as_ref() {
            return Ok(Arc::clone(lock));
        }
        let path = self.dir.join(LOCK);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|e| Error::io("open", &path, e))?;
        let identity = Identity::of(&file.metadata().map_err(|e| Error::io("inspect", &path, e))?);
        let lock = LockFile { file, identity, held: AtomicBool::new(false) };
        Ok(Arc::clone(cached.insert(Arc::new(lock))))
    }

    /// Forgets a lock file that does not have its name any more, and returns whether it did. No process replaces it, but
    /// a person may replace the whole directory.
    fn forget_replaced(&self, lock: &Arc<LockFile>) -> bool {
        let current = fs::metadata(self.dir.join(LOCK));
        if current.is_ok_and(|metadata| Identity::of(&metadata) == lock.identity) {
            return false;
        }
        let mut cached = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.as_ref().is_some_and(|cached| Arc::ptr_eq(cached, lock)) {
            *cached = None;
        }
        true
    }

    /// Replaces a file with the bytes that `write` writes, durably and atomically.
    fn put(&self, path: &Path, write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>) -> Result<()> {
        // The temporary name is always the same, so leftovers of an interrupted attempt are replaced.
        let new = disk::new_name(path);
        let written = write_new(path, &new, write);
        if written.is_err() {
            // The leftover file is harmless. Report the first failure, not that of the removal.
            let _ = fs::remove_file(&new);
        }
        written?;
        fs::rename(&new, path).map_err(|e| Error::io("replace", path, e))?;
        sync_dir(path.parent().unwrap_or(&self.dir))
    }

    fn make_archive_dir(&self) -> Result<PathBuf> {
        let dir = self.archive_dir();
        if !dir.is_dir() {
            fs::create_dir_all(&dir).map_err(|e| Error::io("make", &dir, e))?;
            sync_dir(&self.dir)?;
        }
        Ok(dir)
    }
}

/// Removes the torn tails that [`Storage::keep_torn`] saved in a directory, durably, and returns their names, relative
/// to it.
///
/// # Errors
/// [`Error::Io`] if a file cannot be removed; [`Error::Sync`] if the removal cannot be made durable.
pub fn remove_torn(dir: &Path) -> Result<Vec<String>> {
    let archive = dir.join(ARCHIVE);
    let entries = match fs::read_dir(&archive) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io("list", archive, e)),
    };
    let mut removed = Vec::new();
    for entry in entries {
        let name = entry.map_err(|e| Error::io("list", &archive, e))?.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(TORN)) else { continue };
        let path = archive.join(name);
        fs::remove_file(&path).map_err(|e| Error::io("remove", path, e))?;
        removed.push(format!("{ARCHIVE}/{name}"));
    }
    if !removed.is_empty() {
        sync_dir(&archive)?;
    }
    Ok(removed)
}

/// Writes the file that will replace another, durably and with the same permissions.
fn write_new(old: &Path, new: &Path, write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>) -> Result<()> {
    let file = create_anew(new).map_err(|e| Error::io("make", new, e))?;
    if let Ok(metadata) = fs::metadata(old) {
        file.set_permissions(metadata.permissions()).map_err(|e| Error::io("make", new, e))?;
    }
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.flush().map_err(|e| Error::io("write", new, e))?;
    out.get_ref().sync_all().map_err(|e| Error::sync(new, e))
}

fn writable(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

fn sync_dir(dir: &Path) -> Result<()> {
    disk::sync_dir(dir).map_err(|e| Error::sync(dir, e))
}

impl Blob for FileBlob {
    fn len(&self) -> Result<u64> {
        Ok(self.file.metadata().map_err(|e| Error::io("inspect", &self.path, e))?.len())
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        loop {
            match read_at(&self.file, offset, buf) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map_err(|e| Error::io("read", &self.path, e)),
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buf, offset)
}

#[cfg(windows)]
fn read_at(file: &File, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buf, offset)
}

#[cfg(unix)]
fn write_all_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_all_at(file: &File, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        offset += n as u64;
        bytes = &bytes[n..];
    }
    Ok(())
}

/// The acquired writer lock.
struct FileGuard(Arc<LockFile>);

impl Guard for FileGuard {}

impl Drop for FileGuard {
    fn drop(&mut self) {
        // If unlocking fails, the lock is released with the file when the process ends.
        let _ = self.0.file.unlock();
        self.0.held.store(false, Ordering::Release);
    }
}

impl LockFile {
    fn try_lock(self: &Arc<Self>) -> std::result::Result<FileGuard, TryLockError> {
        if self.held.swap(true, Ordering::Acquire) {
            return Err(TryLockError::WouldBlock);
        }
        match self.file.try_lock() {
            Ok(()) => Ok(FileGuard(Arc::clone(self))),
            Err(e) => {
                self.held.store(false, Ordering::Release);
                Err(e)
            }
        }
    }
}

impl Storage for FileStorage {
    fn active(&self) -> Result<Option<Arc<dyn Blob>>> {
        Ok(self.active_blob()?.map(|blob| blob as Arc<dyn Blob>))
    }

    fn archived(&self) -> Result<Vec<Archived>> {
        let dir = self.archive_dir();
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(Error::io("list", dir, e)),
        };
        let mut segments = Vec::new();
        for entry in entries {
            let name = entry.map_err(|e| Error::io("list", &dir, e))?.file_name();
            segments.extend(name.to_str().and_then(Archived::from_file_name));
        }
        segments.sort_unstable();
        Ok(segments)
    }

    fn open_archived(&self, segment: &Archived) -> Result<Arc<dyn Blob>> {
        let path = self.archive_dir().join(segment.file_name());
        let file = File::open(&path).map_err(|e| Error::io("open", &path, e))?;
        let identity = Identity::of(&file.metadata().map_err(|e| Error::io("inspect", &path, e))?);
        Ok(Arc::new(FileBlob { path, file, identity, is_writable: false }))
    }

    fn lock(&self, wait: Duration) -> Result<Box<dyn Guard>> {
        let (mut lock, mut is_reopened) = (self.lock_file()?, false);
        let start = Instant::now();
        let mut pause = Duration::from_micros(50);
        loop {
            match lock.try_lock() {
                // Once, because on some file systems a file has no identity that lasts.
                Ok(guard) if !is_reopened && self.forget_replaced(&lock) => {
                    drop(guard);
                    (lock, is_reopened) = (self.lock_file()?, true);
                }
                Ok(guard) => return Ok(Box::new(guard)),
                Err(TryLockError::WouldBlock) if start.elapsed() < wait => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(LOCK_PAUSE_MAX);
                }
                Err(TryLockError::WouldBlock) => return Err(Error::Busy { waited: wait }),
                Err(TryLockError::Error(e)) => return Err(Error::io("lock", self.dir.join(LOCK), e)),
            }
        }
    }

    fn create(&self) -> Result<()> {
        fs::create_dir_all(&self.dir).map_err(|e| Error::io("make", &self.dir, e))?;
        let path = self.tape();
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => file.sync_all().map_err(|e| Error::sync(&path, e))?,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
            Err(e) => return Err(Error::io("make", path, e)),
        }
        sync_dir(&self.dir)
    }

    fn append(&self, at: u64, bytes: &[u8]) -> Result<()> {
        let blob = self.active_for_writing()?;
        write_all_at(&blob.file, at, bytes).map_err(|e| Error::io("append to", &blob.path, e))
    }

    fn sync(&self) -> Result<()> {
        let blob = self.active_for_writing()?;
        blob.file.sync_data().map_err(|e| Error::sync(&blob.path, e))
    }

    fn truncate(&self, len: u64) -> Result<()> {
        let blob = self.active_for_writing()?;
        blob.file.set_len(len).map_err(|e| Error::io("cut", &blob.path, e))?;
        blob.file.sync_all().map_err(|e| Error::sync(&blob.path, e))
    }

    fn keep_torn(&self, id: EntryId, bytes: &[u8]) -> Result<String> {
        let dir = self.make_archive_dir()?;
        for attempt in 1_u32.. {
            // The same place can be torn twice; a file saved earlier is never replaced.
            let name = if attempt == 1 { format!("{TORN}{id}") } else { format!("{TORN}{id}.{attempt}") };
            let path = dir.join(&name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let written = file.write_all(bytes).map_err(|e| Error::io("write", &path, e));
                    let kept = written.and_then(|()| file.sync_all().map_err(|e| Error::sync(&path, e)));
                    if kept.is_err() {
                        // Otherwise each attempt on a full disk would leave a file.
                        let _ = fs::remove_file(&path);
                    }
                    kept?;
                    sync_dir(&dir)?;
                    return Ok(format!("{ARCHIVE}/{name}"));
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Error::io("make", path, e)),
            }
        }
        Err(Error::io("make", dir, io::ErrorKind::AlreadyExists.into()))
    }

    fn intent(&self) -> Result<Option<Vec<u8>>> {
        let path = self.dir.join(INTENT);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Error::io("read", path, e)),
        }
    }

    fn set_intent(&self, intent: Option<&[u8]>) -> Result<()> {
        let path = self.dir.join(INTENT);
        if let Some(bytes) = intent {
            let write =
                &mut |out: &mut dyn io::Write| out.write_all(bytes).map_err(|e| Error::io("write", &path, e));
            return self.put(&path, write);
        }
        match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io("remove", path, e)),
            _ => sync_dir(&self.dir),
        }
    }

    fn replace(
        &self,
        segment: Option<&Archived>,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()> {
        match segment {
            Some(segment) => self.put(&self.archive_dir().join(segment.file_name()), write),
            None => self.put(&self.tape(), write),
        }
    }

    fn archive(&self, segment: &Archived) -> Result<()> {
        let dir = self.make_archive_dir()?;
        let target = dir.join(segment.file_name());
        if target.try_exists().map_err(|e| Error::io("inspect", &target, e))? {
            return Err(Error::SegmentExists(segment.file_name()));
        }
        let tape = self.tape();
        fs::rename(&tape, &target).map_err(|e| Error::io("archive", &tape, e))?;
        *self.active.lock().unwrap_or_else(PoisonError::into_inner) = None;
        sync_dir(&dir)?;
        // A crash between these two leaves no active segment: the next writer creates one.
        sync_dir(&self.dir)?;
        self.create()
    }
}
