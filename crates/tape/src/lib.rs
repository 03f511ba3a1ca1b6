//! The tape: an append-only, hash-chained log of entries in JSON Lines.
//!
//! Entries are written in groups, which are totally ordered. A group is durable before it is acknowledged.
//! Anyone can check a line with `sha256sum`. `docs/FORMAT.md` describes the format byte by byte.
//!
//! The crate reads and writes `tape.jsonl`, `lock`, `archive/` and `erase.json` through a [`Storage`].
//!
//! **Invariants.**
//! - An acknowledged line is never removed, unless it only states an erasure and [`erase::withdraw`] removes it from the
//!   end. It changes only when it is erased: its text is removed, and its place in the chain stays.
//! - Ids start at 1 and grow by 1.
//! - A group counts as a whole or not at all.
//! - Damage affects only the damaged lines. A reader reports and skips them; nothing truncates them.
//!
//! The crate does not interpret entries: it does not know what a memory is. It reads no clock and generates
//! no random numbers; the caller passes the time and the salts.
//!
//! Modules in reading order: [`entry`], [`chain`], [`codec`], [`storage`], [`reader`] (with `lines`),
//! [`recovery`], [`writer`], [`mod@erase`], [`mod@verify`].

pub mod chain;
pub mod codec;
pub mod entry;
pub mod erase;
pub mod error;
mod lines;
pub mod reader;
pub mod recovery;
pub mod storage;
pub mod verify;
pub mod writer;

pub use chain::{Hash, Salt};
pub use entry::{Draft, Entry, EntryId, Kind, Seal};
pub use erase::{ERASE, Intent, Replaced, ReplacedLine};
pub use error::{Error, ErrorKind, Result};
pub use reader::{
    Damage, Group, Located, Location, Position, RawLine, Scanned, Scanner, Segments, Tail, Torn,
};
pub use recovery::{Floor, Recovered};
pub use storage::disk;
pub use storage::{Archived, Durability, FailStop, FileStorage, MemoryStorage, Storage, remove_torn};
pub use verify::{BadLine, Report, unrecorded_erasures, verify};
pub use writer::{Encoder, Salts, Writer};
