//! Copies the entries of another tape, as they are, onto this one.
//!
//! The source is an export, or the tape of another workspace. It is read once, group by group.
//!
//! **Invariants.** Only a tape that is empty, or a beginning of the source, is extended, so an interrupted copy
//! goes on where it stopped, and a second one changes nothing. A tape that records nothing but its own opening, and
//! has no damage, counts as empty. Statements of erasures at the end, such as those of an export, make way for what
//! the source has instead of them. What is erased in the source never comes back, and nothing that is on this tape
//! is lost.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::mem;
use std::sync::PoisonError;

use memtape_core::forms::zone::entry::{OPEN, SEAL};
use memtape_core::projection;
use memtape_index::index::Applied;
use memtape_index::{Reader, generations};
use memtape_tape::erase::{self, ErasureRecord, erasure_records};
use memtape_tape::{Entry, EntryId, Hash, Kind, Position, Scanned, Segments, Tail, Writer};

use crate::error::{Error, Result};
use crate::state::State;
use crate::store::Store;
use crate::warning::Warning;
use crate::write_guard::WriteGuard;

/// Maximum number of entries in an opening: the beginning of a conversation, and the first version of the zone.
const OPENING_ENTRIES: usize = 3;
/// Number of entries that are appended with one write.
const ENTRIES_PER_WRITE: usize = 1000;
/// Size of the texts that are appended with one write, in bytes.
const BYTES_PER_WRITE: usize = 4 << 20;

/// The result of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The number of entries that were added.
    pub added: u64,
    /// The number of entries that were on the tape already.
    pub present: u64,
    /// The number of those whose text the source has, but not this tape: an earlier source lacked it.
    pub erased: u64,
}

impl Store {
    /// Copies the groups that `next` returns, until it returns `None`, and rewrites the mirrors.
    ///
    /// The caller records the edits of the working copy before, and brings it up to date afterwards. It also states the
    /// erased lines of [`Store::unrecorded_erasures`], also after an error: entries that stated them may have made way.
    ///
    /// # Errors
    /// [`Error::OtherTape`] if this tape has entries that the source does not have;
    /// [`Error::ErasedInSource`] if the source has erased a text that this tape still has; the errors of
    /// [`Store::write_guard`] and of `next`; [`Error::Tape`] if a group does not follow the one before it, or
    /// the disk fails; [`Error::Index`] if the index cannot be brought up to date. What was copied before the
    /// error stays, and another copy goes on from there.
    pub fn copy<E: From<Error>>(
        &self,
        mut next: impl FnMut() -> Result<Option<Vec<Entry>>, E>,
    ) -> Result<Copied, E> {
        let Some(group) = next()? else { return Ok(Copied::default()) };
        let first = group.first().map(|entry| entry.hash);
        let mut write_guard = self.write_guard()?;
        self.follow(&mut write_guard.state)?;
        let mut source =
            Source { next: &mut next, read: VecDeque::from([group]), last: None, copied: Copied::default() };
        while let Some(last) = self.extend(&mut write_guard, first, &mut source)? {
            self.withdraw(&mut write_guard.state, last)?;
        }
        let copied = source.copied;
        self.mirror_anew(&mut write_guard.state)?;
        Ok(copied)
    }

    /// Returns the erased entries whose text no later event states.
    ///
    /// # Errors
    /// [`Error::Tape`] if the tape cannot be read.
    pub fn unrecorded_erasures(&self) -> Result<Vec<EntryId>> {
        Ok(memtape_tape::unrecorded_erasures(&self.storage)?)
    }

    /// Copies groups up to the end of the source, or up to one that this tape has other entries instead of, if these
    /// only state erasures. Then returns the last entry that both have.
    fn extend<E: From<Error>>(
        &self,
        write_guard: &mut WriteGuard<'_>,
        first: Option<Hash>,
        source: &mut Source<'_, E>,
    ) -> Result<Option<EntryId>, E> {
        let (segments, tail, applied) = self.begin_copy(write_guard, first)?;
        let index = write_guard.state.index()?;
        let (mut writer, recovered) =
            Writer::new(&self.storage, tail, applied.floor, self.durability).map_err(Error::from)?;
        self.note_all(recovered.map(Warning::Recovered));
        let unreadable = RefCell::default();
        let reader = self.reader(index, &segments, applied, self.now(), &unreadable);
        let (head, head_hash) = (writer.tail().end.last_id, writer.tail().end.last_hash);
        let own = Own::of(&reader, head);
        let mut waiting = Waiting::default();
        let write = |writer: &mut Writer, groups: &[Vec<Entry>]| {
            writer.copy(groups).map_err(|e| overtaken(e, head, writer.tail().end.last_id))
        };
        loop {
            let mut group = match source.group() {
                Ok(Some(group)) => group,
                Ok(None) => break,
                Err(e) => {
                    // What was read before the error is whole, and need not be read again.
                    write(&mut writer, &waiting.groups)?;
                    return Err(e);
                }
            };
            if let Some(last) = own.common_before(&group, &reader).map_err(Error::from)? {
                // What the source states of the same erasures is no other tape.
                let is_common = match source.last {
                    Some((id, hash)) => id == last && reader.entry(id).is_ok_and(|entry| entry.hash == hash),
                    None => false,
                };
                if !is_common {
                    return Err(Error::OtherTape { entry: last + 1 }.into());
                }
                let is_new = source.has_more_than(&own, group)?;
                if is_new {
                    return Ok(Some(last));
                }
                source.copied.present += head - last;
                return Ok(None);
            }
            for entry in group.iter().take_while(|entry| entry.id <= head) {
                source.copied.present += 1;
                // Each hash covers the one before it, so only the last common entry is compared.
                source.last = Some((entry.id, entry.hash));
                let is_lacking = !entry.is_erased() && own.erased.contains(&entry.id);
                source.copied.erased += u64::from(is_lacking);
                if entry.is_erased() && !reader.entry(entry.id).map_err(Error::from)?.is_erased() {
                    return Err(Error::ErasedInSource { entry: entry.id }.into());
                }
            }
            group.retain(|entry| entry.id > head);
            if !group.is_empty() {
                if head > 0 && source.last != Some((head, head_hash)) {
                    return Err(Error::OtherTape { entry: head }.into());
                }
                source.copied.added += group.len() as u64;
                waiting.push(group);
                if waiting.is_enough() {
                    write(&mut writer, &mem::take(&mut waiting).groups)?;
                }
            }
        }
        write(&mut writer, &waiting.groups)?;
        if let Some((entry, hash)) = source.last.filter(|_| source.copied.added == 0)
            && reader.entry(entry).map_err(Error::from)?.hash != hash
        {
            return Err(Error::OtherTape { entry }.into());
        }
        self.note_all(unreadable.take().into_iter().map(Warning::from));
        Ok(None)
    }

    /// Removes the entries after one, which only state erasures. The caller holds the lock.
    fn withdraw(&self, state: &mut State, last: EntryId) -> Result<()> {
        self.check_poison()?;
        let refused = || Error::OtherTape { entry: last + 1 };
        // Other machines have the entries of a shared tape.
        if self.replica.is_some() {
            return Err(refused());
        }
        *state = State::default();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        erase::withdraw(&self.storage, last)?.ok_or_else(refused)?;
        Ok(generations::replace(&self.dir)?)
    }

    /// Brings the index up to date before a copy whose first entry has a hash. Another tape that records nothing but
    /// its own opening, and has no damage, is replaced by an empty one.
    ///
    /// # Errors
    /// [`Error::OtherTape`] if this tape begins with another entry, and records something or is damaged; as
    /// [`Store::view`]; [`Error::Tape`] if a torn tail cannot be moved to the archive.
    fn begin_copy(
        &self,
        write_guard: &mut WriteGuard<'_>,
        first: Option<Hash>,
    ) -> Result<(Segments, Tail, Applied)> {
        let mut segments = Segments::open(&self.storage)?;
        let (mut tail, mut applied) = self.catch_up(&mut write_guard.state, &mut segments, true)?;
        if applied.position.last_id > 0 && first != Some(applied.first_hash) {
            // Other machines have the opening of a shared tape.
            if self.replica.is_some() {
                return Err(Error::OtherTape { entry: 1 });
            }
            // A torn tail goes to the archive first; one that may have been acknowledged becomes damage.
            let (_, recovered) = Writer::new(&self.storage, tail, applied.floor, self.durability)?;
            self.note_all(recovered.map(Warning::Recovered));
            if !is_opening(&Segments::open(&self.storage)?)? {
                return Err(Error::OtherTape { entry: 1 });
            }
            self.begin_empty(&mut write_guard.state)?;
            segments = Segments::open(&self.storage)?;
            (tail, applied) = self.catch_up(&mut write_guard.state, &mut segments, true)?;
        }
        Ok((segments, tail, applied))
    }

    /// Replaces a tape that records nothing by an empty one. The caller holds the lock.
    fn begin_empty(&self, state: &mut State) -> Result<()> {
        self.check_poison()?;
        *state = State::default();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.storage.replace(None, &mut |_| Ok(()))?;
        Ok(generations::replace(&self.dir)?)
    }
}

/// Returns the error of a write of a copy to a tape that had the entry `head` before, and has `last` now. The entries of
/// a shared tape cannot be removed again.
fn overtaken(error: memtape_tape::Error, head: EntryId, last: EntryId) -> Error {
    match error {
        memtape_tape::Error::Moved if last > head => {
            let message = format!(
                "another machine wrote to the upstream when only entries {} to {last} of the import were there: the rest \
                 cannot follow them; import into a workspace without an upstream, and push it to a new one",
                head + 1
            );
            memtape_tape::Error::Upstream { kind: memtape_tape::ErrorKind::Conflict, message }.into()
        }
        other => other.into(),
    }
}

/// The groups of the source.
struct Source<'s, E> {
    next: &'s mut dyn FnMut() -> Result<Option<Vec<Entry>>, E>,
    /// Groups that were read, and are to be copied.
    read: VecDeque<Vec<Entry>>,
    /// The last entry that was compared with this tape.
    last: Option<(EntryId, Hash)>,
    copied: Copied,
}

impl<E: From<Error>> Source<'_, E> {
    fn group(&mut self) -> Result<Option<Vec<Entry>>, E> {
        match self.read.pop_front() {
            Some(group) => Ok(Some(group)),
            None => (self.next)(),
        }
    }

    /// Returns whether a group and those after it state anything but erasures that this tape states too. They remain to
    /// be copied.
    fn has_more_than(&mut self, own: &Own, group: Vec<Entry>) -> Result<bool, E> {
        let mut next = Some(group);
        while let Some(group) = next {
            let is_stated = |entry: &Entry| {
                erasure_records(entry)
                    .is_some_and(|stated| stated.iter().all(|record| own.stated.contains(record)))
            };
            let is_new = !group.iter().all(is_stated);
            self.read.push_back(group);
            if is_new {
                return Ok(true);
            }
            next = (self.next)()?;
        }
        Ok(false)
    }
}

/// The statements of erasures that this tape ends in.
struct Own {
    /// The first of these entries.
    first: EntryId,
    head: EntryId,
    stated: HashSet<ErasureRecord>,
    /// The entries that they erase.
    erased: HashSet<EntryId>,
}

impl Own {
    fn of(reader: &Reader<'_>, head: EntryId) -> Self {
        let (mut first, mut stated) = (head + 1, HashSet::new());
        while first > 1
            && let Some(records) = reader.entry(first - 1).ok().as_ref().and_then(erasure_records)
        {
            stated.extend(records);
            first -= 1;
        }
        let erased = stated.iter().map(|record| record.id).collect();
        Self { first, head, stated, erased }
    }

    /// Returns the entry before the first one of a group that this tape has another entry instead of, if all that follow
    /// it here are statements of erasures.
    fn common_before(&self, group: &[Entry], reader: &Reader<'_>) -> memtape_index::Result<Option<EntryId>> {
        for entry in group.iter().filter(|entry| (self.first..=self.head).contains(&entry.id)) {
            if reader.entry(entry.id)?.hash != entry.hash {
                return Ok(Some(entry.id - 1));
            }
        }
        Ok(None)
    }
}

/// The groups of the next write.
#[derive(Default)]
struct Waiting {
    groups: Vec<Vec<Entry>>,
    entries: usize,
    bytes: usize,
}

impl Waiting {
    fn push(&mut self, group: Vec<Entry>) {
        self.entries += group.len();
        self.bytes +=
            group.iter().map(|entry| entry.payload.get().len() + entry.meta.get().len()).sum::<usize>();
        self.groups.push(group);
    }

    fn is_enough(&self) -> bool {
        self.entries >= ENTRIES_PER_WRITE || self.bytes >= BYTES_PER_WRITE
    }
}

/// Returns whether the tape records nothing but the beginning of a conversation and an empty zone. Damage may have held
/// anything.
fn is_opening(segments: &Segments) -> Result<bool> {
    let opens = |entry: &Entry| {
        let name = projection::project(entry).name;
        entry.kind == Kind::Anchor
            && name
                .is_some_and(|name| [memtape_core::turn::SESSION_START, OPEN, SEAL].contains(&name.as_str()))
    };
    let mut scanner = segments.scan(Position::START);
    let mut entries = 0;
    while let Some(scanned) = scanner.next()? {
        match scanned {
            Scanned::Group(group) if group.entries.iter().all(|located| opens(&located.entry)) => {
                entries += group.entries.len();
            }
            Scanned::Group(_) | Scanned::Damage(_) => return Ok(false),
        }
    }
    Ok(entries <= OPENING_ENTRIES)
}
