//! The SQLite index of a workspace: rows for the entries of the tape, and queries about them.
//!
//! An [`Index`](index::Index) is one open database. [`Index::project`](index::Index::project) adds the rows
//! of new entries, and a [`Reader`] answers queries from one transaction. This crate appends nothing to the
//! tape and takes no writer lock: the store decides when the index is brought up to date, replaced or removed.
//!
//! **Invariants.** The tape is the source of truth. The index can be deleted or damaged at any time, and a rebuilt
//! index equals the old one, because a row depends only on the tape. The exceptions are caches: the vectors, and the
//! recorded states of the mirror files. One function defines which memories are visible at a point (`visibility`), one
//! defines who may see them (`audience`), and every query applies both before any limit.
//!
//! **Terms.** An entry *removes* a memory if the memory is no longer current after it, whether it was deleted
//! or superseded by a newer version. A memory that has only expired was not removed. The index columns `died`
//! and `retired` record removals.
//!
//! Suggested reading order:
//! - the file: `schema`, [`generations`], [`index`], [`trace`];
//! - writing rows: `apply`, `words`, [`vectors`];
//! - what every query uses: `rows`, `visibility`, `audience`, [`reader`], `slots`, `branch_names`;
//! - queries: `points`, `entries`, `lines`, `history`, `listing`,
//!   `turns`, `journal`, `branches`, [`commits`], `counts`,
//!   [`stats`], `mirrors`;
//! - queries of single forms: `moved`, `notes`, `files`, `blocks`, `facts`;
//! - search: `search`, `bm25`.

mod apply;
mod audience;
mod blocks;
mod bm25;
mod branch_names;
mod branches;
pub mod commits;
mod counts;
mod entries;
pub mod error;
mod facts;
mod files;
pub mod generations;
mod history;
pub mod index;
mod journal;
mod lines;
mod listing;
mod mirrors;
mod moved;
mod notes;
mod points;
mod prepared;
pub mod reader;
mod rows;
mod schema;
mod search;
mod slots;
pub mod stats;
pub mod trace;
mod turns;
pub mod vectors;
mod visibility;
mod words;

pub use audience::Confidential;
pub use branches::Span;
pub use commits::{CommitQuestion, FileMoved, LoggedCommit};
pub use entries::{EntryQuestion, Order};
pub use error::{Error, Result};
pub use generations::{INDEX_FILE, current as current_index};
pub use journal::JournalQuestion;
pub use listing::MemoryFilter;
pub use mirrors::{LastChanges, MirrorFile, Mirrored};
pub use moved::Moved;
pub use reader::{Question, Reader, Unreadable};
pub use search::{Search, Searcher};
pub use stats::{FactCount, Stats};
pub use turns::{RetractedMessages, TurnQuestion, TurnRow};
pub use vectors::{Batch, Model, PendingVectors};
