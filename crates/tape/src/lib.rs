//! The tape: an append-only, hash-chained log of entries in JSON Lines.
//!
//! *Purpose.* To keep what was written: whole groups, in one total order, durable before they are acknowledged, and
//! each line checkable by anybody with `sha256sum`. `docs/FORMAT.md` describes the format byte by byte.
//!
//! *Writes* `tape.jsonl`, `lock`, `archive/` and `erase.json` through a [`Storage`]; *reads* the same.
//!
//! **Invariants.** An acknowledged line is never removed, and changes only when it is erased: then its text is removed
//! and its place in the chain stays. Ids start at 1 and grow by 1. A group counts whole or not at all. Damage costs the
//! damaged lines only; it is reported and passed over, never cut off.
//!
//! *Not here:* what an entry means. This crate does not know what a memory is, reads no clock and makes
//! no random numbers: the caller gives the time and the salts.
//!
//! In reading order: [`entry`], [`chain`], [`codec`], [`storage`], [`reader`] (with `lines`),
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
pub use storage::{Archived, Durability, FailStop, FileStorage, MemoryStorage, Storage};
pub use verify::{BadLine, Report, verify};
pub use writer::{Salts, Writer};
