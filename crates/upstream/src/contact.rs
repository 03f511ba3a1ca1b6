//! When a replica last heard from its upstream, kept beside the tape.
//!
//! The file `upstream-contact` has the id of the upstream's last entry then; its time of modification is the time
//! of the contact. Losing it costs one request.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use memtape_tape::EntryId;

/// The file's name.
const FILE: &str = "upstream-contact";
/// The name of the file that has why the upstream could not be reached last.
const FAILURE: &str = "upstream-failure";
/// How long reads do without an upstream that could not be reached, so that not each of them waits for it.
const REST: Duration = Duration::from_secs(10);

/// The last contact with an upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// When it was.
    pub at: SystemTime,
    /// The upstream's last entry then.
    pub head: EntryId,
}

/// The file that records the last contact.
pub(crate) struct ContactFile {
    path: PathBuf,
    failure: PathBuf,
    /// The open file, and the head that it has.
    open: Mutex<Option<(File, EntryId)>>,
    /// Why the last read of this process was without the upstream; `None` once it was reached since.
    not_followed: Mutex<Option<String>>,
}

impl ContactFile {
    pub(crate) fn of(dir: &Path) -> Self {
        Self {
            path: dir.join(FILE),
            failure: dir.join(FAILURE),
            open: Mutex::default(),
            not_followed: Mutex::default(),
        }
    }

    /// Returns why the upstream could not be reached, if a read tried it a moment ago.
    pub(crate) fn recent_failure(&self) -> Option<String> {
        let at = fs::metadata(&self.failure).and_then(|metadata| metadata.modified()).ok()?;
        let age = SystemTime::now().duration_since(at).ok().filter(|age| *age < REST)?;
        let why = fs::read_to_string(&self.failure).ok()?;
        // All reads of a command report the same.
        let own = self.not_followed().filter(|own| own.starts_with(&why));
        Some(
            own.unwrap_or_else(|| {
                format!("{why} ({} seconds ago, and not asked again since)", age.as_secs())
            }),
        )
    }

    /// Returns why the last read of this process was without the upstream; `None` if it was reached since.
    pub(crate) fn not_followed(&self) -> Option<String> {
        self.not_followed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records why a read of this process is without the upstream.
    pub(crate) fn set_not_followed(&self, why: Option<&str>) {
        *self.not_followed.lock().unwrap_or_else(PoisonError::into_inner) = why.map(str::to_owned);
    }

    /// Records why the upstream could not be reached.
    pub(crate) fn record_failure(&self, why: &str) {
        let _ = fs::write(&self.failure, why);
    }

    /// Returns the last contact of any process; `None` if there was none.
    pub(crate) fn last(&self) -> Option<Contact> {
        let at = fs::metadata(&self.path).and_then(|metadata| metadata.modified()).ok()?;
        let head = fs::read_to_string(&self.path).ok()?.trim().parse().ok()?;
        Some(Contact { at, head })
    }

    /// Records a contact now. A failure is ignored: the next read asks the upstream again.
    pub(crate) fn record(&self, head: EntryId) {
        let _ = fs::remove_file(&self.failure);
        self.set_not_followed(None);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_touched = open
            .as_ref()
            .is_some_and(|(file, known)| *known == head && file.set_modified(SystemTime::now()).is_ok());
        if !is_touched {
            *open = fs::write(&self.path, format!("{head}\n"))
                .and_then(|()| File::options().write(true).open(&self.path))
                .ok()
                .map(|file| (file, head));
        }
    }
}
