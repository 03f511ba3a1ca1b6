//! What the next line may be chained to, and whether it is to be believed.
//!
//! **Invariant.** A line that was changed is never taken for one that was written, as long as what it was
//! chained to can still be found out; where it cannot, the line is reported and counts only as long as no later
//! line shows it to be wrong. What a writer adds never shows that of a line that counted when it wrote.

use jiff::Timestamp;

use crate::chain::Hash;
use crate::codec::{self, Line, Remains};
use crate::entry::{Entry, EntryId};
use crate::error::Result;
use crate::lines::{Lines, Read};
use crate::reader::Position;
use crate::storage::Blob;

/// How many hashes of damaged lines are kept: enough for any damage, few enough that a tape that was changed
/// all over is read in good time.
const KNOWN_MAX: usize = 16;

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
    /// Whether the damaged line just before states no hash, so that a next line cannot be checked.
    unknown: bool,
    /// How many entries the damage since then may hold.
    lost: u64,
    /// How many it holds at least: where the next number leaves out more, lines are missing as well.
    certain: u64,
    /// Where that damage begins.
    pub(crate) damaged: Option<u64>,
}

/// What the chain says of a line.
pub(crate) enum Check {
    Follows {
        /// Whether it is chained to the last good line but leaves out numbers: so does only a writer that found
        /// damage at the end, and began a group.
        anew: bool,
    },
    /// It counts, but what came before it cannot be shown to be all there was.
    Unlinked {
        why: String,
        /// Whether it is chained to the last good line, so that only the numbers have a gap.
        linked: bool,
    },
    /// It is not what was written.
    Altered(String),
}

/// What shows that a line that cannot be linked is not what was written.
pub(crate) struct Contradiction {
    /// What is wrong with the line, in words.
    pub(crate) why: String,
    /// Whether what shows it stands in a torn tail, which a writer may yet cut off.
    pub(crate) torn: bool,
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
            certain: 0,
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
        self.certain = 0;
        self.damaged = None;
    }

    /// The last entry that stood on the tape so far, damaged or not.
    pub(crate) fn reached(&self) -> EntryId {
        self.last_id + self.lost
    }

    /// Goes on from damage of which so much is left.
    pub(crate) fn pass(&mut self, byte: u64, remains: &Remains) {
        self.unknown = remains.hash.is_none();
        self.newest = 0;
        self.remember(remains.hash);
        self.lost += remains.entries;
        self.certain += remains.certain;
        self.damaged.get_or_insert(byte);
    }

    /// Goes on from a line that can be read but is not what was written.
    pub(crate) fn pass_altered(&mut self, byte: u64, line: &Line) {
        let older = line.entry.id <= self.last_id;
        // Where only its hash is damaged, the next line is chained to the one it ought to have.
        let due: Vec<Hash> = if older {
            Vec::new()
        } else if self.lost == 0 {
            vec![line.hash_after(&self.last_hash)]
        } else {
            self.known[..self.newest].iter().take(DUE_MAX - 1).map(|before| line.hash_after(before)).collect()
        };
        // A second copy of an older line takes no place in the order, a line whose number was changed does.
        self.pass(byte, &Remains { hash: Some(line.entry.hash), entries: 1, certain: u64::from(!older) });
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
        let linked = self.any(|hash| line.follows(hash));
        if linked && (self.lost > 0 || id == self.last_id + 1) {
            return Check::Follows { anew: id > self.last_id + 1 && line.follows(&self.last_hash) };
        }
        // With one wrong digit a number looks like a gap.
        let (least, most) = (self.last_id + self.certain + 1, self.reached() + 1);
        let renumbered = |was| self.any(|hash| line.follows_as(was, hash));
        if !linked && (!self.unknown && id <= least || renumbered(least) || renumbered(most)) {
            return Check::Altered(format!("entry {id} does not match its hash"));
        }
        let why = match id - 1 {
            last if last < most || self.unknown => {
                format!("entry {id} cannot be linked to the damage before it")
            }
            last if last == most => format!("entry {most} is missing before entry {id}"),
            last => format!("entries {most} to {last} are missing before entry {id}"),
        };
        Check::Unlinked { why, linked }
    }

    /// Whether this is so of one of the hashes that the next line may be chained to.
    fn any(&self, is_so: impl Fn(&Hash) -> bool) -> bool {
        self.all().any(is_so)
    }

    /// The hashes that the next line may be chained to.
    fn all(&self) -> impl Iterator<Item = &Hash> {
        std::iter::once(&self.last_hash).chain(&self.known)
    }

    /// What the lines that stand behind a line that cannot be linked show to be wrong with it. A line that is
    /// chained to one before it has the number it was given. Were a number believed that is too great, all
    /// lines up to it would look like old ones. What a writer wrote who believed the line never speaks against it.
    pub(crate) fn contradiction(
        &self,
        line: &Line,
        blob: &dyn Blob,
        mut rest: Lines,
        active: bool,
    ) -> Result<Option<Contradiction>> {
        let id = line.entry.id;
        // The least number that may have been reached by who believes the line, and of those behind it whichever:
        // such a writer numbered on from there.
        let mut least = id;
        // The hashes of the line and of those behind it, and what the line just before states.
        let mut stated = vec![line.entry.hash];
        let mut last = line.entry.hash;
        let due: Vec<Hash> = self.all().map(|before| line.hash_after(before)).collect();
        let mut due_last = due.clone();
        let mut ended = true;
        for _ in 0..LOOK_AHEAD_LINES {
            let bytes = match rest.next(blob)? {
                Read::Line { .. } => rest.line(),
                Read::End { rest: true } if active && ended => {
                    ended = false;
                    rest.rest()
                }
                Read::End { .. } => break,
            };
            let Ok(next) = codec::decode(bytes) else {
                let remains = codec::remains(bytes);
                stated.extend(remains.hash);
                last = remains.hash.unwrap_or(last);
                least += remains.certain;
                continue;
            };
            // A copy of older lines is chained as well, and says nothing of this one.
            if next.entry.id > self.last_id {
                // Where the hash of the next line was changed as well, the one after that shows it.
                due_last.iter_mut().for_each(|before| *before = next.hash_after(before));
                let follows_due =
                    due_last.contains(&next.entry.hash) || due.iter().any(|hash| next.follows(hash));
                let follows_stated = stated.iter().any(|hash| next.follows(hash));
                if follows_due || follows_stated {
                    let before = next.entry.id;
                    let why = if follows_due {
                        format!("entry {id} does not match its hash")
                    } else if before <= least {
                        format!("entry {id} is not in its place before entry {before}")
                    } else {
                        return Ok(None);
                    };
                    let torn = active && (!ended || is_torn(&next, blob, rest)?);
                    return Ok(Some(Contradiction { why, torn }));
                }
                if !stated.contains(&next.entry.hash) {
                    least = if next.entry.id > id { next.entry.id.min(least + 1) } else { least + 1 };
                }
            }
            // Where its hash was changed, the line behind it is chained to the one it ought to have.
            stated.extend([next.hash_after(&last), next.entry.hash]);
            last = next.entry.hash;
        }
        Ok(None)
    }
}

/// Whether the group that this line is in goes on without damage to the end of the tape, and has no end.
fn is_torn(line: &Line, blob: &dyn Blob, mut rest: Lines) -> Result<bool> {
    let mut last = line.entry.clone();
    while last.more > 0 {
        let Read::Line { .. } = rest.next(blob)? else { return Ok(true) };
        match codec::decode(rest.line()) {
            Ok(next) if next.follows(&last.hash) && next.entry.group_end() == last.group_end() => {
                last = next.entry;
            }
            _ => return Ok(false),
        }
    }
    Ok(false)
}
