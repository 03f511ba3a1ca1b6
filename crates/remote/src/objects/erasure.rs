//! Completing an erasure: removing the old text from every object.
//!
//! An erasure is committed by the group that has the new lines. Readers see these from then on; what is left to do
//! is to write the objects anew that still have the old ones. Any writer that finds this undone does it.

use memtape_tape::EntryId;
use memtape_upstream::Result;

use super::group::{self, GROUPS, LinesById};
use super::manifest::{self, KEY};
use super::store::{Object, Read};
use super::view::{Stamp, View};
use super::{ATTEMPTS, Objects};

impl Objects {
    /// Completes the erasures of a view.
    ///
    /// # Errors
    /// As for [`Store`](super::store::Store); the erasures stay pending.
    pub(super) fn finish_erasures(&self, view: &mut View) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let Some(last) = view.pending() else { return Ok(()) };
            let erased = view.overlay()?;
            self.rewrite_groups(&erased, last)?;
            let mut manifest = view.manifest.clone();
            manifest.revision += 1;
            let mut written = Vec::new();
            let mut is_current = true;
            for segment in &mut manifest.segments {
                if erased.range(segment.first..=segment.last).next().is_none() {
                    continue;
                }
                let Some(cached) = self.take_segment(view, segment)? else {
                    is_current = false;
                    break;
                };
                if let Some(lines) = group::replaced(&cached.bytes, &erased)? {
                    segment.key = manifest::segment_key(segment.first, segment.last, manifest.revision);
                    segment.bytes = lines.len() as u64;
                    self.store.create(&segment.key, &lines)?;
                    written.push(segment.key.clone());
                }
            }
            let read = Stamp::now();
            let swapped = match is_current {
                true => self.store.swap(KEY, &manifest.to_bytes(), &view.version)?,
                false => None,
            };
            match swapped {
                Some(version) => {
                    view.adopt(manifest, version, read);
                    self.sweep(view)?;
                    self.close(view, last)?;
                }
                // Another writer has compacted, or completed the same erasure.
                None => self.discard(view, &written)?,
            }
        }
        Err(self.contended())
    }

    /// Records that the erasures are complete. Only then: if this writer had died before the old segments were deleted,
    /// nobody would delete them.
    fn close(&self, view: &mut View, erased_to: EntryId) -> Result<()> {
        let (mut manifest, read) = (view.manifest.clone(), Stamp::now());
        manifest.revision += 1;
        manifest.erased_to = erased_to;
        match self.store.swap(KEY, &manifest.to_bytes(), &view.version)? {
            Some(version) => view.adopt(manifest, version, read),
            None => {
                self.reload(view)?;
            }
        }
        Ok(())
    }

    /// Removes the old text from all groups that began before an entry. Those whose entries are in segments are
    /// among them, and earlier erasures of the same entries.
    fn rewrite_groups(&self, erased: &LinesById, before: EntryId) -> Result<()> {
        let mut keys = self.store.list(GROUPS, "")?;
        keys.retain(|key| group::first_of(key).is_some_and(|first| first < before));
        for keys in keys.chunks(super::reading::PARALLEL) {
            for (key, read) in keys.iter().zip(self.read_all(keys)) {
                let mut read = read?;
                // Another writer may complete a later erasure in the same group.
                while let Read::Object(Object { bytes, version }) = read {
                    let Some(lines) = group::replaced(&bytes, erased)? else { break };
                    match self.store.swap(key, &lines, &version)? {
                        Some(_) => break,
                        None => read = self.store.read(key, None)?,
                    }
                }
            }
        }
        Ok(())
    }
}
