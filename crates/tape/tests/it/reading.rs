//! Reading while others write: readers take no lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{draft, drafts, scan, spelled, tape, write_on};
use memtape_tape::storage::Blob;
use memtape_tape::{Floor, MemoryStorage, Result, Segments, Storage, verify};

/// Storage in memory that returns at most `most` bytes per read, and on which a writer repairs the end and
/// appends a group right before the read number `at`.
struct Busy {
    inner: MemoryStorage,
    blob: Arc<BusyBlob>,
}

struct BusyBlob {
    inner: MemoryStorage,
    blob: Arc<dyn Blob>,
    reads: AtomicUsize,
    at: usize,
    most: usize,
}

impl Busy {
    fn new(bytes: &[u8], at: usize, most: usize) -> Self {
        let inner = MemoryStorage::with_tape(bytes.to_vec());
        let blob = inner.active().unwrap().unwrap();
        let blob = BusyBlob { inner: inner.clone(), blob, reads: AtomicUsize::new(0), at, most };
        Self { inner, blob: Arc::new(blob) }
    }
}

impl Blob for BusyBlob {
    fn len(&self) -> Result<u64> {
        self.blob.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize> {
        if self.reads.fetch_add(1, Ordering::SeqCst) + 1 == self.at {
            let storage: Arc<dyn Storage> = Arc::new(self.inner.clone());
            write_on(&storage, Floor::default(), vec![draft("something longer"), draft("x"), draft("y")]);
        }
        let most = buf.len().min(self.most);
        self.blob.read_at(offset, &mut buf[..most])
    }
}

impl Storage for Busy {
    memtape_tape::delegate!(inner: archived, open_archived, lock, create, append, sync, truncate);
    memtape_tape::delegate!(inner: keep_torn, intent, set_intent, replace, archive);

    fn active(&self) -> Result<Option<Arc<dyn Blob>>> {
        Ok(Some(Arc::clone(&self.blob) as Arc<dyn Blob>))
    }
}

/// A reader has read a part of a torn tail when a writer cuts it off and writes something else in its place.
/// The reader must not combine the two to a damaged line, after which the rest of a group would count.
#[test]
fn a_reader_does_not_mix_cut_and_later_bytes() {
    let (bytes, groups) = tape(&[1, 2, 1]);
    for cut in [600, 700, 776] {
        for at in 1..6 {
            let busy: Arc<dyn Storage> = Arc::new(Busy::new(&bytes[..cut], at, usize::MAX));
            let found = scan(&busy);
            assert_eq!(found.damage, [], "cut at {cut}, read {at}");
            assert_eq!(spelled(&found.groups[..1]), spelled(&groups[..1]));
            let sizes: Vec<usize> = found.groups.iter().map(|group| group.entries.len()).collect();
            assert!(sizes == [1] || sizes == [1, 3], "cut at {cut}, read {at}: {sizes:?}");
        }
    }
}

/// A storage may return fewer bytes than it has.
#[test]
fn short_reads_are_no_end() {
    let (bytes, groups) = tape(&[1, 2, 3]);
    for most in [50, 259, 260, 1000] {
        let busy: Arc<dyn Storage> = Arc::new(Busy::new(&bytes, 0, most));
        assert_eq!(spelled(&scan(&busy).groups), spelled(&groups), "{most} bytes at once");
        assert_eq!(verify(&busy).unwrap().torn, None);
        let at = groups[1].entries[0].at;
        assert_eq!(Segments::open(&busy).unwrap().read(2, at).unwrap().id, 2);
        let tail = &bytes[..bytes.len() - 10];
        let busy: Arc<dyn Storage> = Arc::new(Busy::new(tail, 0, most));
        assert_eq!(scan(&busy).tail.torn.unwrap().start, groups[1].end.offset);
        let (_, recovered) = write_on(&busy, Floor::default(), drafts(1));
        assert!(recovered.is_some());
        assert_eq!(verify(&busy).unwrap().bad, []);
    }
}
