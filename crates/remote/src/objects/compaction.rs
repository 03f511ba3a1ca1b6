//! Compaction: joins groups, and small segments, into one segment.

use jiff::Timestamp;
use memtape_upstream::Result;

use super::Objects;
use super::group::{self, GROUPS};
use super::manifest::{self, KEY, SEGMENTS, Segment};
use super::view::{Stamp, View};

impl Objects {
    /// Joins all groups of a view into a segment.
    ///
    /// The erasures of the view must be complete: a segment has no lines that replace others. If another writer
    /// changes the manifest meanwhile, nothing is done.
    ///
    /// # Errors
    /// As for [`Store`](super::store::Store).
    pub(super) fn compact(&self, view: &mut View) -> Result<()> {
        let mut manifest = view.manifest.clone();
        let count = manifest.to_join(view.tail_bytes(), &self.limits);
        let joined = manifest.segments.split_off(manifest.segments.len() - count);
        let first = joined.first().map_or(manifest.next, |segment| segment.first);
        let mut lines = Vec::new();
        for segment in &joined {
            match self.take_segment(view, segment)? {
                Some(cached) => lines.extend(cached.bytes),
                // Another writer has joined it.
                None => return Ok(()),
            }
        }
        view.tail.iter().for_each(|group| lines.extend_from_slice(&group.lines));
        let head = view.head();
        manifest.revision += 1;
        manifest.next = head.id + 1;
        let key = manifest::segment_key(first, head.id, manifest.revision);
        // Another writer may have joined all groups, so that there are only old ones to delete.
        if !lines.is_empty() {
            manifest.segments.push(Segment {
                key: key.clone(),
                first,
                last: head.id,
                hash: head.hash,
                bytes: lines.len() as u64,
            });
            self.store.create(&key, &lines)?;
        }
        // After the segment is written, which may take a while: the grace period begins with the manifest.
        let deletable = manifest.cover(Timestamp::now(), self.limits.grace);
        let read = Stamp::now();
        let Some(version) = self.store.swap(KEY, &manifest.to_bytes(), &view.version)? else {
            return self.discard(view, &[key]);
        };
        view.adopt(manifest, version, read);
        self.sweep(view)?;
        if deletable > 1 {
            let mut keys = self.store.list(GROUPS, "")?;
            keys.retain(|key| group::first_of(key).is_some_and(|first| first < deletable));
            self.store.delete(&keys)?;
        }
        Ok(())
    }

    /// Deletes the segments that were written for a manifest that another writer was faster to replace.
    pub(super) fn discard(&self, view: &mut View, keys: &[String]) -> Result<()> {
        // The write may have succeeded, and only its answer was lost.
        if !self.reload(view)? {
            return Ok(());
        }
        let is_used = |key: &String| view.manifest.segments.iter().any(|segment| segment.key == *key);
        let keys: Vec<_> = keys.iter().filter(|key| !is_used(key)).cloned().collect();
        self.store.delete(&keys)
    }

    /// Deletes the segments that no manifest names, or will name.
    ///
    /// A segment has in its key the revision of the manifest that was to name it. Once there is a manifest of this
    /// revision or a later one which does not name it, its writer cannot write that manifest any more.
    pub(super) fn sweep(&self, view: &View) -> Result<()> {
        let manifest = &view.manifest;
        let mut keys = self.store.list(SEGMENTS, "")?;
        keys.retain(|key| {
            let is_used = manifest.segments.iter().any(|segment| segment.key == *key);
            !is_used && manifest::revision_of(key).is_some_and(|revision| revision <= manifest.revision)
        });
        match keys.is_empty() {
            true => Ok(()),
            false => self.store.delete(&keys),
        }
    }
}
