//! Copies a tape into an upstream: for a push, and for a backup.

use std::collections::BTreeMap;
use std::sync::Arc;

use memtape_tape::{Entry, EntryId, Position, Scanned, Segments, Storage, codec, erase};

use crate::error::Error;
use crate::upstream::{Appended, Head, Upstream};

/// An error of [`copy`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// The upstream failed.
    #[error(transparent)]
    Upstream(#[from] Error),
    /// The tape cannot be read.
    #[error(transparent)]
    Tape(#[from] memtape_tape::Error),
    /// The tape is damaged.
    #[error("the tape is damaged: {0}")]
    Damaged(String),
    /// An erasure of the tape is not complete.
    #[error("an erasure of this tape is not complete")]
    Erasing,
    /// The upstream has an entry that the tape does not have.
    #[error("{upstream} has another tape: its entry {entry} is not one of this workspace")]
    OtherTape {
        /// The address of the upstream.
        upstream: String,
        /// The last entry of the upstream.
        entry: EntryId,
    },
    /// Another process appended to the upstream meanwhile.
    #[error("another process writes to {upstream}")]
    Moved {
        /// The address of the upstream.
        upstream: String,
    },
}

/// What [`copy`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The number of entries that were added.
    pub added: u64,
    /// The number of entries that the upstream had before.
    pub present: u64,
    /// The number of earlier lines that were replaced, because their text was erased since.
    pub erased: u64,
    /// The size of the added lines.
    pub bytes: u64,
}

/// Appends to an upstream what follows its last entry on a tape, and erases there what was erased on the tape since.
///
/// `batch` is the size of the groups that are appended at once, in bytes. `progress` receives the last entry that is in
/// the upstream, now and then. Nothing is locked. If this fails, what was appended stays, and the next copy continues
/// there.
///
/// # Errors
/// [`CopyError::Damaged`] or [`CopyError::Erasing`] if the tape cannot be copied; [`CopyError::OtherTape`] if the upstream
/// has another one; [`CopyError::Moved`] if another process appends to it; [`CopyError::Upstream`] and
/// [`CopyError::Tape`].
pub fn copy(
    storage: &Arc<dyn Storage>,
    upstream: &dyn Upstream,
    batch: usize,
    progress: &mut dyn FnMut(EntryId),
) -> Result<Copied, CopyError> {
    let mut copied = Copied::default();
    match copy_once(storage, upstream, batch, progress, &mut copied) {
        // What replaces a segment without an intent has ended: the tape was archived, or an erasure is complete.
        Err(CopyError::Erasing) if storage.intent()?.is_none() => {
            let added = copied.added;
            copied.present = 0;
            copy_once(storage, upstream, batch, progress, &mut copied)?;
            copied.present -= added;
        }
        done => done?,
    }
    upstream.complete_erasures()?;
    Ok(copied)
}

fn copy_once(
    storage: &Arc<dyn Storage>,
    upstream: &dyn Upstream,
    batch: usize,
    progress: &mut dyn FnMut(EntryId),
    copied: &mut Copied,
) -> Result<(), CopyError> {
    let known = upstream.head()?;
    let segments = Segments::open(storage)?;
    let mut run = Run {
        storage,
        segments: &segments,
        upstream,
        batch_bytes: batch,
        known,
        head: known,
        is_known: known == Head::EMPTY,
        batch: Batch::default(),
        erased: BTreeMap::new(),
        copied,
    };
    segments.scan(Position::START).run(|scanned| match scanned {
        Scanned::Group(group) => {
            run.group(group.entries.iter().map(|located| &located.entry))?;
            progress(run.head.id);
            Ok(())
        }
        Scanned::Damage(damage) => Err(CopyError::Damaged(damage.why)),
    })?;
    if !run.is_known {
        return Err(run.other());
    }
    run.flush()?;
    progress(run.head.id);
    Ok(())
}

/// A copy in progress.
struct Run<'r> {
    storage: &'r Arc<dyn Storage>,
    segments: &'r Segments,
    upstream: &'r dyn Upstream,
    batch_bytes: usize,
    /// The head of the upstream before.
    known: Head,
    /// The head of the upstream now.
    head: Head,
    /// Whether the entry of the known head was found on the tape.
    is_known: bool,
    batch: Batch,
    /// The erased lines among the entries that the upstream had before.
    erased: BTreeMap<EntryId, Vec<u8>>,
    copied: &'r mut Copied,
}

/// Groups that wait to be appended.
#[derive(Default)]
struct Batch {
    lines: Vec<u8>,
    entries: u64,
    end: Option<Head>,
    /// The entries whose erasure these groups record.
    erasures: Vec<EntryId>,
}

impl Run<'_> {
    fn other(&self) -> CopyError {
        CopyError::OtherTape { upstream: self.upstream.label().to_owned(), entry: self.known.id }
    }

    fn group<'e>(&mut self, entries: impl Iterator<Item = &'e Entry>) -> Result<(), CopyError> {
        for entry in entries {
            if entry.id <= self.known.id {
                self.present(entry)?;
                continue;
            }
            if !self.is_known {
                return Err(self.other());
            }
            codec::encode(entry, &mut self.batch.lines);
            self.batch.entries += 1;
            self.batch.end = Some(Head { id: entry.id, hash: entry.hash });
            self.batch
                .erasures
                .extend(erase::erasure_records(entry).into_iter().flatten().map(|erased| erased.id));
        }
        if self.batch.lines.len() >= self.batch_bytes { self.flush() } else { Ok(()) }
    }

    /// Notes an entry that the upstream should have.
    fn present(&mut self, entry: &Entry) -> Result<(), CopyError> {
        self.copied.present += 1;
        if entry.is_erased() {
            let mut line = Vec::new();
            codec::encode(entry, &mut line);
            self.erased.insert(entry.id, line);
        }
        if entry.id == self.known.id {
            // The group must end here, too: each hash covers the rest of the line.
            if entry.hash != self.known.hash || entry.more != 0 {
                return Err(self.other());
            }
            self.is_known = true;
        }
        Ok(())
    }

    /// Appends the batch.
    fn flush(&mut self) -> Result<(), CopyError> {
        let Batch { lines, entries, end, erasures } = std::mem::take(&mut self.batch);
        let Some(end) = end else { return Ok(()) };
        // An erasure first appends its record, and then writes the segments anew. If the batch had the record but not
        // the erased lines, no later copy would erase them.
        if self.storage.intent()?.is_some() || !self.segments.are_current()? {
            return Err(CopyError::Erasing);
        }
        let erased: BTreeMap<_, _> =
            erasures.iter().filter_map(|id| Some((id, self.erased.get(id)?))).collect();
        let replaced = erased.values().copied().flatten().copied().collect::<Vec<u8>>();
        match self.upstream.append(self.head, &lines, &replaced)? {
            Appended::Done => {}
            Appended::Moved => return Err(CopyError::Moved { upstream: self.upstream.label().to_owned() }),
        }
        self.head = end;
        self.copied.added += entries;
        self.copied.bytes += lines.len() as u64;
        self.copied.erased += erased.len() as u64;
        Ok(())
    }
}
