//! Reading a tape from its objects.

use std::thread;

use memtape_tape::EntryId;
use memtape_upstream::{Error, Head, Lines, Result};

use super::Objects;
use super::group::{self, GROUPS, Group, LinesById, damaged, decode, in_object};
use super::manifest::{KEY, Manifest, Segment};
use super::store::Read;
use super::view::{Cached, Stamp, View};

/// Number of objects that are read at once.
pub(super) const PARALLEL: usize = 8;

impl Objects {
    /// Brings a view up to date. If nothing is new, that is one round trip of two requests.
    ///
    /// # Errors
    /// Those of the store, [`Error::NoTape`], or [`Error::Damaged`] if the objects are not one tape.
    pub(super) fn refresh(&self, known: Option<View>) -> Result<View> {
        let Some(mut view) = known else {
            let mut view = self.load()?;
            self.catch_up(&mut view)?;
            return Ok(view);
        };
        let (head, read) = (view.head(), Stamp::now());
        let next = group::key(head.id + 1);
        let (found, manifest) = thread::scope(|scope| {
            let group = scope.spawn(|| self.store.read(&next, None));
            let manifest = self.store.read(KEY, Some(&view.version));
            (group.join().expect("a read does not panic"), manifest)
        });
        self.adopt(&mut view, manifest?, read)?;
        let mut has_moved = view.head() != head;
        if let Read::Object(object) = found?
            && view.head() == head
            && view.manifest.next <= head.id + 1
        {
            // If it does not follow, catching up finds out why.
            view.absorb(Group::parse(head.id + 1, &object.bytes)?)?;
            has_moved = true;
        }
        if has_moved {
            self.catch_up(&mut view)?;
        }
        Ok(view)
    }

    /// Reads the manifest for the first time.
    fn load(&self) -> Result<View> {
        let read = Stamp::now();
        match self.store.read(KEY, None)? {
            Read::Object(object) => {
                let manifest = Manifest::parse(&object.bytes, &self.label)?;
                Ok(View::new(manifest, object.version, read))
            }
            _ => Err(Error::NoTape { upstream: self.label.clone() }),
        }
    }

    /// Reads the manifest again. Returns whether it is another one.
    pub(super) fn reload(&self, view: &mut View) -> Result<bool> {
        let read = Stamp::now();
        let manifest = self.store.read(KEY, Some(&view.version))?;
        self.adopt(view, manifest, read)
    }

    fn adopt(&self, view: &mut View, manifest: Read, read: Stamp) -> Result<bool> {
        match manifest {
            Read::Missing => Err(Error::NoTape { upstream: self.label.clone() }),
            Read::Unchanged => {
                view.read = read;
                Ok(false)
            }
            Read::Object(object) => {
                let manifest = Manifest::parse(&object.bytes, &self.label)?;
                let is_new = manifest.revision != view.manifest.revision;
                view.adopt(manifest, object.version, read);
                Ok(is_new)
            }
        }
    }

    /// Reads the groups after those that are known.
    fn catch_up(&self, view: &mut View) -> Result<()> {
        loop {
            let is_complete = self.extend(view)?;
            if is_complete && view.read.is_within(self.limits.max_age) {
                return Ok(());
            }
            // Groups may have been compacted and deleted since the manifest was read.
            match (self.reload(view)?, is_complete) {
                (false, true) => return Ok(()),
                (false, false) => {
                    let id = view.head().id;
                    return Err(damaged(&format!(
                        "the group after entry {id} is missing or does not follow it"
                    )));
                }
                (true, _) => {}
            }
        }
    }

    /// Adds all groups to a view that follow one another. Returns false if there are others.
    fn extend(&self, view: &mut View) -> Result<bool> {
        let mut keys = self.store.list(GROUPS, &group::name(view.head().id + 1))?;
        keys.retain(|key| group::first_of(key).is_some());
        for keys in keys.chunks(PARALLEL) {
            for (key, read) in keys.iter().zip(self.read_all(keys)) {
                let (Some(first), Read::Object(object)) = (group::first_of(key), read?) else {
                    return Ok(false);
                };
                if first != view.head().id + 1 || !view.absorb(Group::parse(first, &object.bytes)?)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Reads several objects at once.
    pub(super) fn read_all(&self, keys: &[String]) -> Vec<Result<Read>> {
        if let [key] = keys {
            return vec![self.store.read(key, None)];
        }
        thread::scope(|scope| {
            let reads: Vec<_> = keys.iter().map(|key| scope.spawn(|| self.store.read(key, None))).collect();
            reads.into_iter().map(|read| read.join().expect("a read does not panic")).collect()
        })
    }

    /// Returns the groups after an entry, up to about `limit` bytes.
    pub(super) fn page(&self, view: &mut View, after: EntryId, limit: usize) -> Result<Vec<u8>> {
        self.with_segments(view, |view| {
            let mut page = Page { lines: Vec::new(), next: after + 1, limit, overlay: view.overlay()? };
            while let Some(segment) = view.manifest.segment_of(page.next).cloned() {
                let Some(mut cached) = self.take_segment(view, &segment)? else { return Ok(None) };
                let from = if cached.at.0 <= page.next { cached.at.1 } else { 0 };
                let read = page.take(&cached.bytes[from..]).map_err(|e| in_object(&segment.key, e))?;
                cached.at = (page.next, from + read);
                if page.is_full() {
                    view.cached = Some(cached).filter(|_| page.next <= segment.last);
                    return Ok(Some(page.lines));
                }
                if page.next <= segment.last {
                    return Err(damaged(&format!("{} ends before entry {}", segment.key, page.next)));
                }
            }
            for group in &view.tail {
                if !page.is_full() && group.end.id >= page.next {
                    page.take(&group.lines)?;
                }
            }
            Ok(Some(page.lines))
        })
    }

    /// Returns the current lines of these entries, in order.
    pub(super) fn select(&self, view: &mut View, ids: &[EntryId]) -> Result<Vec<u8>> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        self.with_segments(view, |view| {
            let mut found = view.overlay()?;
            found.retain(|id, _| ids.binary_search(id).is_ok());
            let mut pick = |lines: &[u8]| -> Result<()> {
                for line in Lines::of(lines) {
                    let (id, line) = line?;
                    if ids.binary_search(&id).is_ok() {
                        found.entry(id).or_insert_with(|| line.to_vec());
                    }
                }
                Ok(())
            };
            let segments: Vec<_> =
                view.manifest.segments.iter().filter(|s| has_any(&ids, s)).cloned().collect();
            for segment in segments {
                let Some(cached) = self.take_segment(view, &segment)? else { return Ok(None) };
                pick(&cached.bytes)?;
            }
            view.tail.iter().try_for_each(|group| pick(&group.lines))?;
            Ok(Some(found.into_values().flatten().collect()))
        })
    }

    /// Returns whether an entry is on the tape.
    pub(super) fn has(&self, view: &mut View, entry: Head) -> Result<bool> {
        if entry.id > view.head().id {
            return Ok(false);
        }
        if let Some(segment) = view.manifest.segments.iter().find(|segment| segment.last == entry.id) {
            return Ok(segment.hash == entry.hash);
        }
        let line = self.select(view, &[entry.id])?;
        Ok(!line.is_empty() && decode(&line)?.hash == entry.hash)
    }

    /// Runs an operation that returns `None` if a segment is missing, which a compaction may have joined with others.
    fn with_segments<T>(&self, view: &mut View, act: impl Fn(&mut View) -> Result<Option<T>>) -> Result<T> {
        loop {
            if let Some(done) = act(view)? {
                return Ok(done);
            }
            if !self.reload(view)? {
                return Err(damaged("a segment is missing"));
            }
            self.catch_up(view)?;
        }
    }

    /// Returns a segment, without keeping it; `None` if it does not exist any more.
    pub(super) fn take_segment(&self, view: &mut View, segment: &Segment) -> Result<Option<Cached>> {
        if let Some(cached) = view.cached.take_if(|cached| cached.key == segment.key) {
            return Ok(Some(cached));
        }
        Ok(match self.store.read(&segment.key, None)? {
            Read::Object(object) if object.bytes.len() as u64 == segment.bytes => {
                Some(Cached { key: segment.key.clone(), bytes: object.bytes, at: (segment.first, 0) })
            }
            Read::Object(_) => {
                return Err(damaged(&format!("{} has not the size that it should have", segment.key)));
            }
            Read::Missing | Read::Unchanged => None,
        })
    }
}

/// Returns whether a segment contains one of these entries, which are in order.
fn has_any(ids: &[EntryId], segment: &Segment) -> bool {
    let at = ids.partition_point(|id| *id < segment.first);
    ids.get(at).is_some_and(|id| *id <= segment.last)
}

/// The lines of a page so far.
struct Page {
    lines: Vec<u8>,
    /// The entry that comes next.
    next: EntryId,
    limit: usize,
    overlay: LinesById,
}

impl Page {
    /// Adds the lines from the next entry on until the page is full. Returns how many bytes were read.
    fn take(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut read = 0;
        for line in Lines::of(bytes) {
            let (id, line) = line?;
            if id > self.next {
                return Err(damaged(&format!("entry {} is missing", self.next)));
            }
            read += line.len();
            if id < self.next {
                continue;
            }
            let line = self.overlay.get(&id).map_or(line, Vec::as_slice);
            self.lines.extend_from_slice(line);
            self.next += 1;
            if self.lines.len() >= self.limit && decode(line)?.more == 0 {
                break;
            }
        }
        Ok(read)
    }

    /// Returns whether it has enough lines. Objects end with groups.
    fn is_full(&self) -> bool {
        !self.lines.is_empty() && self.lines.len() >= self.limit
    }
}
