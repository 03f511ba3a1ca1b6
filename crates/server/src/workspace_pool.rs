//! The workspaces that a server serves: one, or many below a directory, a bounded number of them open at once.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use memtape::{Error, ErrorKind, Result, Workspace};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::access::Access;
use crate::cache;
use crate::caller::Caller;
use crate::changes::Changes;
use crate::node::Node;

/// Maximum number of workspaces that are open at once, unless all of them are in use.
pub const OPEN_MAX: usize = 16;

/// What is percent-encoded in the name of a subdirectory.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');
/// Maximum length of the name of a subdirectory, in bytes: file systems have at most 255, and a removal adds a prefix.
const DIR_BYTES_MAX: usize = 240;

/// Opens the workspace in a directory.
pub type Open = Arc<dyn Fn(&Path) -> Result<Workspace> + Send + Sync>;

/// The workspaces that are open by name, each with the number of the request that used it last.
type Opened = HashMap<String, (u64, Held)>;

/// An opened workspace and the changes of it.
type Held = (Arc<Node>, Arc<Changes>);

/// The workspaces of a server.
pub struct WorkspacePool {
    open: Open,
    place: Place,
    /// The maximum size of the replicas in the directory, in bytes; `None` means that nothing is removed.
    cache: Option<u64>,
    /// The workspaces that are open, with the number of the request that used each last.
    held: Mutex<(u64, Opened)>,
}

enum Place {
    One(PathBuf),
    Many(PathBuf),
}

impl WorkspacePool {
    /// Returns a pool with one workspace.
    #[must_use]
    pub fn one(dir: PathBuf, open: Open) -> Self {
        Self { open, place: Place::One(dir), cache: None, held: Mutex::default() }
    }

    /// Returns a pool with the workspaces in the subdirectories of a directory.
    #[must_use]
    pub fn many(dir: PathBuf, open: Open) -> Self {
        Self { open, place: Place::Many(dir), cache: None, held: Mutex::default() }
    }

    /// Returns a pool with the workspaces of an upstream, whose replicas are in a directory. They are made on first
    /// use; those that were not used for the longest time are removed when all of them have more than `limit` bytes.
    #[must_use]
    pub fn cached(dir: PathBuf, limit: u64, open: Open) -> Self {
        Self { cache: Some(limit), ..Self::many(dir, open) }
    }

    /// Returns the served directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        match &self.place {
            Place::One(dir) | Place::Many(dir) => dir,
        }
    }

    /// Returns whether the replicas in the directory are limited.
    #[must_use]
    pub fn is_cache(&self) -> bool {
        self.cache.is_some()
    }

    /// Returns whether each token names its workspace.
    #[must_use]
    pub fn is_many(&self) -> bool {
        matches!(self.place, Place::Many(_))
    }

    /// Returns the number of workspaces that are open.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).1.len()
    }

    /// Returns access to a workspace for a caller. Of many workspaces, `name` names one.
    ///
    /// # Errors
    /// An error of kind `NotFound` if there is no such workspace here.
    pub fn access(&self, name: Option<&str>, caller: Caller) -> io::Result<Access> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let (key, dir) = match (&self.place, name) {
            (Place::One(dir), None) => (String::new(), dir.clone()),
            (Place::Many(dir), Some(name)) => {
                let sub =
                    if self.is_cache() { cached_dir(name) } else { is_name(name).then(|| name.to_owned()) };
                let sub = sub.ok_or_else(missing)?;
                (sub.clone(), dir.join(sub))
            }
            _ => return Err(missing()),
        };
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (clock, open) = &mut *held;
        *clock += 1;
        let now = *clock;
        let (used, (node, changes)) = open.entry(key).or_insert_with(|| {
            let opener = Arc::clone(&self.open);
            let is_reported = AtomicBool::new(false);
            let node = Node::new(move || opened(opener(&dir), &is_reported));
            (now, (Arc::clone(&node), Changes::new(node)))
        });
        *used = now;
        let access = Access { node: Arc::clone(node), caller, changes: Arc::clone(changes) };
        close_idle(open);
        Ok(access)
    }

    /// Removes replicas if the cache is over its limit. Blocks meanwhile.
    pub(crate) fn trim(&self) {
        let Some(limit) = self.cache else { return };
        let dir = self.dir();
        for name in cache::excess(dir, limit).unwrap_or_default() {
            let taken = {
                // While the lock is held, nobody opens the workspace.
                let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
                if held.1.contains_key(&name) { None } else { cache::take_out(dir, &name).ok() }
            };
            if let Some(taken) = taken {
                cache::remove(&taken);
            }
        }
    }
}

/// Returns an opened workspace, or the error as clients may know it. One that is missing was moved, or is not mounted: a
/// client does not learn where it was, nor take its memories for deleted. It is reported once until it is back.
fn opened(opened: Result<Workspace>, is_reported: &AtomicBool) -> Result<Workspace> {
    match opened {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            if !is_reported.swap(true, Ordering::Relaxed) {
                let _ = writeln!(io::stderr(), "memtape: warning: {e}");
            }
            Err(Error::caller("the workspace cannot be opened: the log of the server says why"))
        }
        opened => {
            is_reported.store(false, Ordering::Relaxed);
            opened
        }
    }
}

/// Closes the least recently used workspaces that are idle, as long as there are too many.
fn close_idle(open: &mut Opened) {
    while open.len() > OPEN_MAX {
        // The pool and the changes each have one reference to a node.
        let is_idle = |(_, (node, changes)): &(u64, Held)| {
            Arc::strong_count(changes) == 1 && Arc::strong_count(node) <= 2
        };
        let idle = open.iter().filter(|(_, held)| is_idle(held));
        let Some(oldest) = idle.min_by_key(|(_, (used, _))| *used).map(|(name, _)| name.clone()) else {
            return;
        };
        open.remove(&oldest);
    }
}

/// Returns whether a text names a subdirectory and nothing else.
#[must_use]
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// Returns the subdirectory of a cache for a workspace of an upstream: its name, in which all but letters, digits, `-`
/// and `_` is percent-encoded. `None` if the name is empty, or the subdirectory would have a name that is too long.
#[must_use]
pub fn cached_dir(name: &str) -> Option<String> {
    let encoded = utf8_percent_encode(name, ENCODED).to_string();
    (1..=DIR_BYTES_MAX).contains(&encoded.len()).then_some(encoded)
}

/// Returns the name of the workspace in a subdirectory of a cache.
#[must_use]
pub fn cached_name(dir: &Path) -> String {
    let encoded = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    percent_decode_str(encoded).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_workspace_has_its_own_subdirectory_of_a_cache() {
        for (name, dir) in [
            ("notes-1_a", "notes-1_a"),
            ("ana/notes", "ana%2Fnotes"),
            ("..", "%2E%2E"),
            ("ana%2F", "ana%252F"),
            ("ü", "%C3%BC"),
        ] {
            assert_eq!(cached_dir(name).as_deref(), Some(dir));
            assert_eq!(cached_name(&Path::new("cache").join(dir)), name);
        }
        assert_eq!(cached_dir(""), None);
        assert_eq!(cached_dir(&"/".repeat(100)), None);
    }

    #[test]
    fn a_workspace_with_a_slash_is_served_from_a_cache_only() {
        let open: Open = Arc::new(|_: &Path| Err(Error::caller("not opened")));
        let caller = || Caller::owner(memtape::Session::direct());
        let cached = WorkspacePool::cached("cache".into(), 1, Arc::clone(&open));
        assert!(cached.access(Some("ana/notes"), caller()).is_ok());
        let many = WorkspacePool::many("all".into(), open);
        assert!(many.access(Some("ana/notes"), caller()).is_err());
        assert!(many.access(Some(".."), caller()).is_err());
    }
}
