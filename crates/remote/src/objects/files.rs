//! An object store in a directory, which may be shared by several processes.
//!
//! Every change is made under a lock file, in a temporary file that then takes the name of the object. There is one
//! temporary file, so that nothing of an interrupted change outlives the next one.
//!
//! Only the creation of a tape makes the directory: if the manifest is missing later, the disk is perhaps not mounted.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;

use memtape_tape::disk::sync_dir;
use memtape_upstream::{Error, Result};
use sha2::{Digest as _, Sha256};

use super::manifest::KEY;
use super::store::{Object, Read, Store, Version};

const LOCK: &str = "lock";
const TEMPORARY: &str = "temporary";

/// A directory as an object store.
pub(super) struct Files {
    dir: PathBuf,
    label: String,
}

impl Files {
    pub(super) fn new(dir: PathBuf, label: String) -> Self {
        Self { dir, label }
    }

    fn load(&self, key: &str) -> Result<Option<Object>> {
        match fs::read(self.dir.join(key)) {
            Ok(bytes) => {
                let version = version_of(&bytes);
                Ok(Some(Object { bytes, version }))
            }
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(self.failure(&e)),
        }
    }

    /// Runs a change while no other process makes one. Of a tape that does not exist, only the manifest can be created.
    fn locked<T>(&self, creates: Option<&str>, change: impl FnOnce() -> Result<T>) -> Result<T> {
        if creates == Some(KEY) {
            fs::create_dir_all(&self.dir).map_err(|e| self.failure(&e))?;
        } else if !self.dir.join(KEY).try_exists().map_err(|e| self.failure(&e))? {
            return Err(Error::NoTape { upstream: self.label.clone() });
        }
        let open = || {
            let lock = File::options().create(true).truncate(false).write(true).open(self.dir.join(LOCK))?;
            lock.lock()?;
            Ok(lock)
        };
        let lock: File = open().map_err(|e| self.failure(&e))?;
        let done = change();
        drop(lock);
        done
    }

    /// Writes an object, durably. The caller has the lock.
    fn save(&self, key: &str, bytes: &[u8]) -> Result<Version> {
        let (temporary, path) = (self.dir.join(TEMPORARY), self.dir.join(key));
        let folder = path.parent().unwrap_or(&self.dir);
        let write = || -> io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            if !folder.is_dir() {
                fs::create_dir(folder)?;
                sync_dir(&self.dir)?;
            }
            Ok(())
        };
        write().map_err(|e| self.failure(&e))?;
        fs::rename(&temporary, &path).map_err(|e| self.unknown(&e))?;
        // Others see it already, whatever the disk says now.
        sync_dir(folder).map_err(|e| Error::Unknown { upstream: self.label.clone(), why: e.to_string() })?;
        Ok(version_of(bytes))
    }

    /// Returns the error for a failure before which nothing was changed.
    fn failure(&self, error: &io::Error) -> Error {
        use ErrorKind::{
            IsADirectory, NotADirectory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        let (upstream, why) = (self.label.clone(), error.to_string());
        match error.kind() {
            IsADirectory | NotADirectory | PermissionDenied | QuotaExceeded | ReadOnlyFilesystem
            | StorageFull => Error::Refused { upstream, why },
            // The connection to a disk on another machine may come back.
            _ => Error::Unreachable { upstream, why },
        }
    }

    /// Returns the error for a failure after which something may have changed.
    fn unknown(&self, error: &io::Error) -> Error {
        match self.failure(error) {
            Error::Unreachable { upstream, why } => Error::Unknown { upstream, why },
            refused => refused,
        }
    }
}

impl Store for Files {
    fn read(&self, key: &str, known: Option<&Version>) -> Result<Read> {
        Ok(match self.load(key)? {
            None => Read::Missing,
            Some(object) if Some(&object.version) == known => Read::Unchanged,
            Some(object) => Read::Object(object),
        })
    }

    fn create(&self, key: &str, bytes: &[u8]) -> Result<Option<Version>> {
        self.locked(Some(key), || match self.dir.join(key).try_exists().map_err(|e| self.failure(&e))? {
            true => Ok(None),
            false => self.save(key, bytes).map(Some),
        })
    }

    fn swap(&self, key: &str, bytes: &[u8], version: &Version) -> Result<Option<Version>> {
        self.locked(None, || match self.load(key)? {
            Some(object) if object.version == *version => self.save(key, bytes).map(Some),
            _ => Ok(None),
        })
    }

    fn delete(&self, keys: &[String]) -> Result<()> {
        self.locked(None, || {
            keys.iter().try_for_each(|key| match fs::remove_file(self.dir.join(key)) {
                Err(e) if e.kind() != ErrorKind::NotFound => Err(self.unknown(&e)),
                _ => Ok(()),
            })
        })
    }

    fn list(&self, folder: &str, from: &str) -> Result<Vec<String>> {
        let names = || -> io::Result<Vec<String>> {
            let entries = match fs::read_dir(self.dir.join(folder)) {
                Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
                entries => entries?,
            };
            let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
            names.collect()
        };
        let names = names().map_err(|e| self.failure(&e))?;
        let mut keys: Vec<String> =
            names.iter().filter(|name| name.as_str() > from).map(|name| format!("{folder}/{name}")).collect();
        keys.sort_unstable();
        Ok(keys)
    }
}

fn version_of(bytes: &[u8]) -> Version {
    Version::from_tag(hex::encode(Sha256::digest(bytes)))
}
