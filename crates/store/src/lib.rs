//! Stores a workspace: the tape files of a directory and their SQLite index.
//!
//! [`Store`] is the only layer between memory operations and storage. It runs a command under the writer
//! lock, reads entries and queries memories. It writes the tape through [`memtape_tape`], and the index files
//! `index-vN.db`. What a command writes is decided in [`memtape_core`], not here.
//!
//! **Invariants.** The tape is the source of truth. The index may be deleted or damaged at any time; it is
//! rebuilt from the tape, and every query first brings it up to date. Visibility is applied before any limit.
//! Every write runs these steps in order: catch up the index, decide, append, project, update the mirrors.
//!
//! **Terms.** An entry *removes* a memory if the memory is no longer current after it, whether it was deleted
//! or superseded by a newer version. A memory that has only expired was not removed. The index columns `died`
//! and `retired` record removals.
//!
//! Suggested reading order: [`store`], `view`, `alone`, `generations`, [`index`], `apply`, `catch_up`,
//! [`erase`], `visibility`, `audience`, [`reader`], `entries`, `points`, `slots`, `facts`, `moved`, `files`,
//! `history`, `journal`, `branches`, [`commits`], `counts`, [`stats`], `search`, `words`, `vectors`,
//! `mirror`, [`working_copy`], [`git`], [`trace`].

mod apply;
mod audience;
mod author;
mod blocks;
mod bm25;
mod branch_names;
mod branches;
mod catch_up;
pub mod commits;
mod counts;
mod entries;
pub mod erase;
pub mod error;
mod facts;
mod files;
mod generations;
pub mod git;
mod history;
pub mod index;
mod journal;
mod mirror;
mod moved;
mod notes;
mod points;
pub mod reader;
mod rows;
mod schema;
mod search;
mod slots;
pub mod stats;
pub mod store;
pub mod trace;
mod vectors;
mod view;
mod visibility;
pub mod warning;
mod words;
pub mod working_copy;
mod write_guard;

pub use audience::Confidential;
pub use author::{Author, ToolCall};
pub use branches::Span;
pub use catch_up::Progress;
pub use commits::{CommitQuestion, LoggedCommit};
pub use entries::{EntryQuestion, Order};
pub use erase::{Erased, Replacement};
pub use error::{Error, Result};
pub use generations::{INDEX_FILE, current as current_index};
pub use journal::JournalQuestion;
pub use moved::Moved;
pub use reader::{Question, Reader};
pub use search::{Search, Searcher};
pub use stats::{FactCount, Stats};
pub use store::{Clock, Options, Store, SystemClock, Verified, Written};
pub use vectors::{Batch, Model, Waiting};
pub use view::View;
pub use warning::Warning;
pub use working_copy::WorkingCopy;
pub use write_guard::WriteGuard;
