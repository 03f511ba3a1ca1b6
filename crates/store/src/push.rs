//! Copies the tape to a new upstream, of which the directory becomes a replica.

use memtape_tape::{ErrorKind, Hash, Segments, codec};
use memtape_upstream::{Appended, Head, Upstream, mark};

use crate::error::{Error, Result};
use crate::store::Store;

/// Size of the lines that are appended with one request, in bytes.
const BATCH_BYTES: usize = 4 << 20;

impl Store {
    /// Copies the tape to an upstream whose tape is new, or a beginning of this one, and marks the directory as its
    /// replica. Returns the number of entries that were copied.
    ///
    /// An interrupted copy goes on where it stopped. Nothing else is written meanwhile.
    ///
    /// # Errors
    /// [`Error::Tape`] of kind `Conflict` if the upstream has other entries, of kind `Corrupt` if the tape has damage,
    /// and otherwise of the kind that the failure of the upstream has; the errors of [`Store::write_guard`].
    pub fn push(&self, upstream: &dyn Upstream) -> Result<u64> {
        let _write_guard = self.write_guard()?;
        let failed = |e: memtape_upstream::Error| Error::Tape(memtape_upstream::failed(&e));
        upstream.create().map_err(failed)?;
        let head = upstream.head().map_err(failed)?;
        let mut batch = Batch { upstream, sent: head, lines: Vec::new(), last: Head::EMPTY, count: 0 };
        let mut before = Head::EMPTY;
        Segments::open(&self.storage)?.each_line(|line| {
            let entry = codec::decode(line.bytes).map_err(|why| damaged(before.id, &why))?;
            if entry.id != before.id + 1 || entry.prev != before.hash {
                return Err(damaged(before.id, &format!("entry {} follows it", entry.id)));
            }
            before = Head { id: entry.id, hash: entry.hash };
            if entry.id == head.id && entry.hash != head.hash {
                return Err(other_tape(upstream, head));
            }
            if entry.id > head.id {
                batch.push(line.bytes, before);
                if entry.more == 0 && batch.lines.len() >= BATCH_BYTES {
                    batch.send()?;
                }
            }
            Ok(())
        })?;
        if before.id < head.id {
            return Err(other_tape(upstream, head));
        }
        batch.send()?;
        let mark_failed = |e| memtape_tape::Error::io("mark as a replica", self.dir(), e);
        mark(self.dir(), upstream.label()).map_err(mark_failed)?;
        Ok(batch.count)
    }
}

/// The lines of the next request.
struct Batch<'u> {
    upstream: &'u dyn Upstream,
    /// The head of the upstream.
    sent: Head,
    lines: Vec<u8>,
    /// The last entry of the lines.
    last: Head,
    count: u64,
}

impl Batch<'_> {
    fn push(&mut self, line: &[u8], last: Head) {
        self.lines.extend_from_slice(line);
        self.lines.push(b'\n');
        self.last = last;
        self.count += 1;
    }

    fn send(&mut self) -> Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        match self.upstream.append(self.sent, &self.lines, b"") {
            Ok(Appended::Done) => {
                self.sent = self.last;
                self.lines.clear();
                Ok(())
            }
            Ok(Appended::Moved) => Err(other_tape(self.upstream, self.sent)),
            Err(e) => Err(Error::Tape(memtape_upstream::failed(&e))),
        }
    }
}

fn other_tape(upstream: &dyn Upstream, head: Head) -> Error {
    let label = upstream.label();
    let message = match head.hash {
        Hash::ZERO => format!("another machine writes to {label}"),
        _ => format!("{label} has another tape: its entry {} is not one of this workspace", head.id),
    };
    memtape_tape::Error::Upstream { kind: ErrorKind::Conflict, message }.into()
}

fn damaged(after: u64, why: &str) -> Error {
    let message = format!(
        "the tape is damaged after entry {after} ({why}): export it (`memtape export`), import it into a new workspace, \
         and push that"
    );
    memtape_tape::Error::Upstream { kind: ErrorKind::Corrupt, message }.into()
}
