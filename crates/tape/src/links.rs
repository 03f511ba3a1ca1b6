//! What the next line may be chained to, and whether it is to be believed.
//!
//! **Invariant.** A line that was changed is never taken for one that was written, as long as what it was
//! chained to can still be found out; where it cannot, the line is reported and counts only as long as no later
//! line shows it to be wrong.

use jiff::Timestamp;

use crate::chain::Hash;
use crate::codec::{self, Line};
use crate::entry::{Entry, EntryId};
use crate::error::Result;
use crate::lines::{Lines, Read};
use crate::reader::Position;
use crate::storage::Blob;

/// How many hashes of damaged lines are kept: enough for any damage, few enough that a tape that was changed
/// all over is read in good time.
const KNOWN_MAX: usize = 32;

/// How many hashes a line that was changed is taken to have had.
const DUE_MAX: usize = 8;

/// How many lines are looked at to find one that shows whether a number is right.
const LOOK_AHEAD_LINES: usize = 64;

/// What the next line may be chained to.
pub(crate) struct Links {
    pub(crate) last_id: EntryId,
    pub(crate) last_hash: Hash,
    pub(crate) last_date: Timestamp,
    /// Hashes that the damaged lines since then state, or ought to have; the newest first.
    known: Vec<Hash>,
    /// How many of those belong to the line just before.
    newest: usize,
    /// Whether something since then states no hash, so that a next line cannot be checked.
    unknown: bool,
    /// How many entries the damage since then may hold.
    pub(crate) lost: u64,
    /// Where that damage begins.
    pub(crate) damaged: Option<u64>,
}

/// What the chain says of a line.
pub(crate) enum Check {
    Follows,
    /// It counts, but what came before it cannot be shown to be all there was.
    Unlinked {
        why: String,
        /// Whether it is chained to what is known, so that only the numbers have a gap.
        linked: bool,
    },
    /// It is not what was written.
    Altered(String),
}

impl Links {
    pub(crate) fn after(position: Position) -> Self {
        Self {
            last_id: position.last_id,
            last_hash: position.last_hash,
            last_date: position.last_date,
            known: Vec::new(),
            newest: 0,
            unknown: false,
            lost: 0,
            damaged: None,
        }
    }

    /// Goes on from a good line.
    pub(crate) fn advance(&mut self, entry: &Entry) {
        self.last_id = entry.id;
        self.last_hash = entry.hash;
        self.last_date = entry.date;
        self.known.clear();
        self.newest = 0;
        self.unknown = false;
        self.lost = 0;
        self.damaged = None;
    }

    /// The last entry that stood on the tape so far, damaged or not.
    pub(crate) fn reached(&self) -> EntryId {
        self.last_id + self.lost
    }

    /// Goes on from damage that may have held so many entries and states a hash, or none.
    pub(crate) fn pass(&mut self, byte: u64, stated: Option<Hash>, entries: u64) {
        self.unknown |= stated.is_none();
        self.newest = 0;
        self.remember(stated);
        self.lost += entries;
        self.damaged.get_or_insert(byte);
    }

    /// Goes on from a line that can be read but is not what was written.
    pub(crate) fn pass_altered(&mut self, byte: u64, line: &Line) {
        // Where only its hash is damaged, the next line is chained to the one it ought to have.
        let due: Vec<Hash> = if line.entry.id <= self.last_id {
            Vec::new()
        } else if self.lost == 0 {
            vec![line.hash_after(&self.last_hash)]
        } else {
            self.known[..self.newest].iter().take(DUE_MAX - 1).map(|before| line.hash_after(before)).collect()
        };
        self.pass(byte, Some(line.entry.hash), 1);
        self.remember(due);
    }

    fn remember(&mut self, hashes: impl IntoIterator<Item = Hash>) {
        let before = self.known.len();
        self.known.splice(self.newest..self.newest, hashes);
        self.newest += self.known.len() - before;
        self.known.truncate(KNOWN_MAX);
    }

    pub(crate) fn check(&self, line: &Line) -> Check {
        let id = line.entry.id;
        if id <= self.last_id {
            return Check::Altered(format!("entry {id} stands after entry {}", self.last_id));
        }
        let expected = self.reached() + 1;
        let linked = self.any(|hash| line.follows(hash));
        if linked && (id == expected || self.lost > 0) {
            return Check::Follows;
        }
        let changed = || Check::Altered(format!("entry {id} does not match its hash"));
        // With one wrong digit a number looks like a gap.
        if id <= expected && !self.unknown || !linked && self.any(|hash| line.follows_as(expected, hash)) {
            return changed();
        }
        if self.unknown {
            let why = format!("entry {id} cannot be linked to the damage before it");
            return Check::Unlinked { why, linked };
        }
        let (from, to) = (expected, id - 1);
        let what =
            if from == to { format!("entry {from} is") } else { format!("entries {from} to {to} are") };
        Check::Unlinked { why: format!("{what} missing before entry {id}"), linked }
    }

    /// Whether this is so of one of the hashes that the next line may be chained to.
    fn any(&self, is_so: impl Fn(&Hash) -> bool) -> bool {
        is_so(&self.last_hash) || self.known.iter().any(is_so)
    }

    /// What the lines that stand behind a line that cannot be linked show to be wrong with it. A line that is
    /// chained to one before it has the number it was given. Were a number believed that is too great, all
    /// lines up to it would look like old ones.
    pub(crate) fn contradiction(
        &self,
        line: &Line,
        blob: &dyn Blob,
        mut rest: Lines,
    ) -> Result<Option<String>> {
        let id = line.entry.id;
        let mut stated = vec![line.entry.hash];
        for _ in 0..LOOK_AHEAD_LINES {
            let Read::Line { .. } = rest.next(blob)? else { break };
            let next = match codec::decode(rest.line()) {
                Ok(next) => next,
                Err(_) => {
                    stated.extend(codec::remains(rest.line()).hash);
                    continue;
                }
            };
            if self.any(|before| next.follows(&line.hash_after(before))) {
                return Ok(Some(format!("entry {id} does not match its hash")));
            }
            // A copy of older lines is chained as well, and says nothing of this one.
            if next.entry.id > self.last_id && stated.iter().any(|hash| next.follows(hash)) {
                let before = next.entry.id;
                return Ok((before <= id).then(|| format!("entry {id} stands before entry {before}")));
            }
            stated.push(next.entry.hash);
        }
        Ok(None)
    }
}
