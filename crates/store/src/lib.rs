//! Where a workspace lies: tape files and their SQLite index in a directory.
//!
//! *Purpose.* [`Store`] is the one seam between memory and media: run a command under the writer lock, read
//! entries, query memories. *Writes* the tape through [`memtape_tape`], and `index-vN.db`.
//!
//! **Invariants.** The tape is the truth: the index may be deleted or damaged at any time, and lags at most
//! until the next question. Visibility is applied before any limit. Every write goes: catch up, decide,
//! append, project, mirror.
//!
//! *Not here:* what is decided. See [`memtape_core`].
//!
//! In reading order: [`store`], `view`, `alone`, `generations`, [`index`], `apply`, `catch_up`, [`erase`], `visibility`, `audience`, [`reader`],
//! `entries`, `points`, `slots`, `facts`, `moved`, `files`, `history`, `journal`, `branches`, [`commits`], `counts`,
//! [`stats`], `search`, `words`, `vectors`, `mirror`, [`working_copy`], [`git`], [`trace`].

mod alone;
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
pub mod notice;
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
mod words;
pub mod working_copy;

pub use alone::Alone;
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
pub use notice::Notice;
pub use reader::{Question, Reader};
pub use search::{Search, Searcher};
pub use stats::{FactCount, Stats};
pub use store::{Clock, Options, Store, SystemClock, Verified, Written};
pub use vectors::{Batch, Model, Waiting};
pub use view::View;
pub use working_copy::WorkingCopy;
