//! Workspaces with an upstream: making replicas, and how far they are behind.

use std::fmt;
use std::path::Path;
use std::time::SystemTime;

use jiff::Timestamp;
use memtape_store::{Store, Warning};
use memtape_tape::EntryId;
use memtape_upstream::{Head, Upstream, mark};

use crate::error::{Error, Result};
use crate::workspace::{At, Options, Workspace};

/// The state of a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamStatus {
    /// The address of the upstream, without credentials.
    pub upstream: String,
    /// The last entry of the replica.
    pub entry: EntryId,
    /// The last entry of the upstream; why it is not known, if the upstream cannot be reached.
    pub head: Result<EntryId, String>,
    /// When the upstream was reached last; `None` if never.
    pub contact: Option<SystemTime>,
}

/// The state of a replica whose last read did not reach its upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale {
    /// When the upstream was reached last; `None` if never.
    pub since: Option<Timestamp>,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(since) = self.since {
            write!(f, "this is the memory as of {since:.0}: ")?;
        }
        f.write_str("the shared memory was not reached, and may have changed since")
    }
}

impl Workspace {
    /// Returns the state of a replica whose last read did not reach its upstream; `None` if it did, or the upstream was
    /// reached since.
    #[must_use]
    pub fn stale(&self) -> Option<Stale> {
        let Some(Warning::Offline { since, .. }) = self.store.offline() else { return None };
        Some(Stale { since: since.and_then(|since| Timestamp::try_from(since).ok()) })
    }

    /// Makes a replica of the upstream in `options`, in a directory without a workspace, and opens it.
    ///
    /// The replica is complete, whatever the freshness of `options`. After an error, another call goes on from what was
    /// fetched.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `options` has no upstream; [`Error::Refused`] if the directory has a workspace;
    /// [`Error::Store`] if the upstream has no tape (kind `NotFound`), has only a part of one or cannot be reached (kind
    /// `Unavailable`), or if the directory cannot be written.
    pub fn replica(dir: &Path, options: Options) -> Result<Self> {
        let upstream = options.upstream.as_deref();
        let upstream = upstream.ok_or_else(|| Error::Invalid("a replica needs an upstream".into()))?;
        let label = upstream.label().to_owned();
        // A directory that an interrupted clone left behind is continued.
        let is_same = memtape_upstream::marked(dir).map_err(Error::Input)?.is_some_and(|mark| mark == label);
        if Store::exists_in(dir) && !is_same {
            return Err(Error::Refused(format!("{} has a workspace already", dir.display())));
        }
        let head = upstream.head().and_then(|head| match head {
            // Every workspace has entries: those of this one are lost.
            head if head == Head::EMPTY => Err(memtape_upstream::Error::NoTape { upstream: label.clone() }),
            head => Ok(head),
        });
        head.map_err(|e| memtape_upstream::failed(&e))?;
        std::fs::create_dir_all(dir).and_then(|()| mark(dir, &label)).map_err(Error::Input)?;
        let workspace = Self::create(dir, options)?;
        workspace.store.follow_upstream()?;
        workspace.status(&At::head())?;
        Ok(workspace)
    }

    /// Copies the tape to an upstream, and makes the workspace a replica of it. It has to be opened again, with the
    /// upstream. Returns the number of entries that were copied.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Conflict` if the upstream has other entries, of kind `Corrupt` if the tape has damage,
    /// of kind `Refused` if the workspace is a replica of this upstream, which has lost its tape, and of kind
    /// `Unavailable` if the upstream or the disk fails.
    pub fn push(&self, upstream: &dyn Upstream) -> Result<u64> {
        self.record_edits()?;
        Ok(self.store.push(upstream)?)
    }

    /// Copies the tape of a replica to its upstream, which has lost its tape. Returns the number of entries that were
    /// copied.
    ///
    /// What other replicas have and this one does not have is not part of the new tape, and they cannot follow it then.
    ///
    /// # Errors
    /// As [`Workspace::push`].
    pub fn push_anew(&self, upstream: &dyn Upstream) -> Result<u64> {
        Ok(self.store.push_anew(upstream)?)
    }

    /// Returns the state of the replica, and asks the upstream for it; `None` if the workspace has no upstream.
    ///
    /// # Errors
    /// [`Error::Store`] if the tape cannot be read.
    pub fn upstream_status(&self) -> Result<Option<UpstreamStatus>> {
        let Some(replica) = self.store.replica() else { return Ok(None) };
        Ok(Some(UpstreamStatus {
            upstream: replica.upstream().label().to_owned(),
            entry: replica.entry()?,
            head: replica.upstream_head().map_err(|e| e.to_string()),
            contact: replica.contact().map(|contact| contact.at),
        }))
    }
}
