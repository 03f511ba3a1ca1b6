//! The manifest: the segments of a tape in an object store, and the progress of its maintenance.

use std::time::Duration;

use jiff::Timestamp;
use memtape_tape::{EntryId, Hash};
use memtape_upstream::{Error, Result};
use serde::{Deserialize, Serialize};

use super::Limits;

/// The key of the manifest.
pub(super) const KEY: &str = "manifest.json";
/// The folder of segments.
pub(super) const SEGMENTS: &str = "segments";
/// The version of the layout.
const FORMAT: u32 = 1;

/// The content of the manifest. Each change raises `revision`, so no content ever comes back, and an entity tag that
/// is a digest identifies a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    /// The number of changes of this manifest.
    pub(super) revision: u64,
    /// The segments, which contain the entries below `next`.
    pub(super) segments: Vec<Segment>,
    /// The first entry that is in no segment.
    pub(super) next: EntryId,
    /// The first entry of the last appended group whose erasures are complete; 0 if there is none.
    pub(super) erased_to: EntryId,
    /// When segments began to contain entries, oldest first, as far as their groups are not deleted yet.
    pub(super) covered: Vec<Covered>,
    /// Whether the push that created the tape has not ended.
    #[serde(default, rename = "incomplete", skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_incomplete: bool,
}

/// A segment of consecutive entries: whole groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Segment {
    pub(super) key: String,
    pub(super) first: EntryId,
    pub(super) last: EntryId,
    /// The hash of the last entry.
    pub(super) hash: Hash,
    /// The size of the object.
    pub(super) bytes: u64,
}

/// A record that the entries below `next` have been in segments since a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Covered {
    pub(super) next: EntryId,
    pub(super) at: Timestamp,
}

impl Manifest {
    /// Returns the manifest of an empty tape.
    pub(super) fn empty() -> Self {
        Self {
            format: FORMAT,
            revision: 0,
            segments: Vec::new(),
            next: 1,
            erased_to: 0,
            covered: Vec::new(),
            is_incomplete: false,
        }
    }

    /// Returns the manifest of a tape whose push begins.
    pub(super) fn incomplete() -> Self {
        Self { is_incomplete: true, ..Self::empty() }
    }

    /// Parses and checks a manifest.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it is not one, or its segments are not a sequence; [`Error::Refused`] if it is of a
    /// later version.
    pub(super) fn parse(bytes: &[u8], upstream: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let damaged = |why: String| Error::Damaged { why: format!("{KEY}: {why}") };
        let Version { format } = serde_json::from_slice(bytes).map_err(|e| damaged(e.to_string()))?;
        if format != FORMAT {
            let why = format!("its layout has version {format}: update memtape");
            return Err(Error::Refused { upstream: upstream.to_owned(), why });
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(|e| damaged(e.to_string()))?;
        let mut next = 1;
        for segment in &manifest.segments {
            if segment.first != next || segment.last < segment.first {
                return Err(damaged("the segments are not a sequence".into()));
            }
            next = segment.last + 1;
        }
        match next == manifest.next {
            true => Ok(manifest),
            false => Err(damaged("`next` does not follow the segments".into())),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("a manifest is made of numbers and strings");
        bytes.push(b'\n');
        bytes
    }

    /// Returns the segment that contains an entry.
    pub(super) fn segment_of(&self, id: EntryId) -> Option<&Segment> {
        let at = self.segments.partition_point(|segment| segment.last < id);
        self.segments.get(at).filter(|segment| segment.first <= id)
    }

    /// Returns the number of segments at the end to join with new entries of this size. Each segment that stays is at
    /// least twice as large as the one after it, or the two together would exceed the limit: so there are few.
    pub(super) fn to_join(&self, mut bytes: u64, limits: &Limits) -> usize {
        let mut count = 0;
        for segment in self.segments.iter().rev() {
            if segment.bytes >= bytes.saturating_mul(2) || segment.bytes + bytes > limits.segment_bytes {
                break;
            }
            bytes += segment.bytes;
            count += 1;
        }
        count
    }

    /// Returns whether there are groups to delete.
    pub(super) fn has_expired(&self, now: Timestamp, grace: Duration) -> bool {
        self.covered.first().is_some_and(|covered| is_older(covered.at, now, grace))
    }

    /// Records that all entries below `next` are in segments, and forgets the records that are older than the grace
    /// period. Returns the end of the groups that are to be deleted.
    pub(super) fn cover(&mut self, now: Timestamp, grace: Duration) -> EntryId {
        let expired = self.covered.iter().take_while(|covered| is_older(covered.at, now, grace)).count();
        let deletable = self.covered.drain(..expired).next_back().map_or(1, |covered| covered.next);
        // A busy tape would have a record for each compaction. One within an hour of a day's grace joins the record
        // before, so its groups are deleted at most that much earlier.
        match self.covered.last_mut() {
            Some(last) if !is_older(last.at, now, grace / 24) => last.next = self.next,
            _ => self.covered.push(Covered { next: self.next, at: now }),
        }
        deletable
    }
}

fn is_older(at: Timestamp, now: Timestamp, than: Duration) -> bool {
    at <= now && now.duration_since(at).unsigned_abs() >= than
}

/// Returns a new key of a segment for a revision of the manifest.
pub(super) fn segment_key(first: EntryId, last: EntryId, revision: u64) -> String {
    let mut random = [0; 6];
    getrandom::fill(&mut random).expect("the operating system has random numbers");
    format!("{SEGMENTS}/{first}-{last}-{revision}-{}.jsonl", hex::encode(random))
}

/// Returns the revision of the manifest for which a segment was written.
pub(super) fn revision_of(key: &str) -> Option<u64> {
    key.split('-').nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_segments_grows_with_the_logarithm() {
        let limits = Limits::default();
        let mut manifest = Manifest::empty();
        let mut most = 0;
        for _ in 0..4000 {
            let count = manifest.to_join(1000, &limits);
            let joined = manifest.segments.split_off(manifest.segments.len() - count);
            let bytes = 1000 + joined.iter().map(|segment| segment.bytes).sum::<u64>();
            let first = joined.first().map_or(manifest.next, |segment| segment.first);
            let last = manifest.next;
            manifest.next += 1;
            manifest.segments.push(Segment { key: String::new(), first, last, hash: Hash::ZERO, bytes });
            most = most.max(manifest.segments.len());
        }
        assert!(most <= 12, "{most} segments");
        assert_eq!(Manifest::parse(&manifest.to_bytes(), "x").unwrap(), manifest);
    }

    #[test]
    fn groups_are_deleted_a_grace_period_after_they_were_covered() {
        let hour = |n: u64| Timestamp::UNIX_EPOCH + Duration::from_secs(3600 * n);
        let grace = Duration::from_secs(24 * 3600);
        let mut manifest = Manifest::empty();
        for (at, next, deleted) in [(0, 10, 1), (12, 20, 1), (23, 30, 1), (25, 40, 10), (72, 50, 40)] {
            manifest.next = next;
            assert_eq!(manifest.cover(hour(at), grace), deleted, "after {at} hours");
        }
        let minute = |n: u64| Timestamp::UNIX_EPOCH + Duration::from_secs(60 * n);
        let mut manifest = Manifest::empty();
        for n in 0..60 * 48 {
            manifest.next += 1;
            manifest.cover(minute(n), grace);
            assert!(manifest.covered.len() <= 26, "{} records", manifest.covered.len());
        }
    }

    #[test]
    fn a_manifest_that_is_no_sequence_is_damaged() {
        let parse = |text: &str| Manifest::parse(text.as_bytes(), "s3://b");
        let zero = Hash::ZERO;
        let of = |segments: &str, next: u64| {
            format!(
                r#"{{"format":1,"revision":1,"segments":[{segments}],"next":{next},"erased_to":0,"covered":[]}}"#
            )
        };
        let segment = |first: u64, last: u64| {
            format!(r#"{{"key":"k","first":{first},"last":{last},"hash":"{zero}","bytes":1}}"#)
        };
        assert!(parse(&of(&segment(1, 4), 5)).is_ok());
        for text in [of(&segment(2, 4), 5), of(&segment(1, 4), 6), of("", 2), "{}".into(), "x".into()] {
            assert!(matches!(parse(&text), Err(Error::Damaged { .. })), "{text}");
        }
        assert!(matches!(parse(r#"{"format":2}"#), Err(Error::Refused { .. })));
    }
}
