//! Version control for an AI agent's memory.
//!
//! Every memory is an entry in an append-only tape. A memory form ([`Form`]) defines how its memories are
//! written on the tape, and every read is a view of the tape at one point. This crate is the public library;
//! the command line and the tool servers are built on it and contain no rules of their own.
//!
//! ```
//! use memtape::{At, Options, Recall, Workspace};
//!
//! # fn main() -> memtape::Result<()> {
//! # let dir = std::env::temp_dir().join(format!("memtape-doc-{}", std::process::id()));
//! let workspace = Workspace::init(&dir, Options::default())?;
//! workspace.zone().remember("Ana is allergic to hazelnuts")?;
//! let recalled = workspace.recall(&Recall::new("what is Ana allergic to?"), &At::head())?;
//! assert_eq!(recalled.hits[0].memory.text, "Ana is allergic to hazelnuts");
//! # std::fs::remove_dir_all(&dir).ok();
//! # Ok(())
//! # }
//! ```
//!
//! In reading order: [`workspace`], [`snapshot`], [`conversation`], [`turn`], [`statements`], [`ledger`],
//! [`notes`], [`files`], [`versions`], [`working_copy`], [`blocks`], [`backfill`], [`zone`], [`branches`],
//! [`tape`], [`journal`], [`ingest`], [`recall`], [`prompt`], [`skills`], [`meaning`], [`show`], [`why`],
//! [`log`], [`graph`], [`view`], [`stats`], [`decay`], [`export`], [`scan`], [`toolbox`], [`config`],
//! [`error`].

mod access;
pub mod backfill;
pub mod blocks;
pub mod branches;
mod cleaning;
pub mod config;
pub mod consolidate;
pub mod conversation;
mod counting;
pub mod decay;
pub mod error;
pub mod export;
pub mod files;
pub mod graph;
mod handle;
mod hints;
mod inbound;
pub mod ingest;
pub mod journal;
pub mod ledger;
pub mod log;
pub mod meaning;
mod model;
pub mod notes;
pub mod prompt;
mod reading;
pub mod recall;
mod restoring;
mod safety;
pub mod scan;
pub mod show;
pub mod skills;
pub mod snapshot;
pub mod statements;
pub mod stats;
mod status;
pub mod tape;
pub mod toolbox;
pub mod turn;
mod unified;
pub mod versions;
pub mod view;
pub mod why;
pub mod working_copy;
pub mod workspace;
pub mod zone;

pub use backfill::{Backfilled, BackfilledFile, FileOutcome};
pub use blocks::{BlockVersion, Blocks};
pub use branches::{BranchInfo, Branches, Committed, OpenConflict, Resolution};
pub use config::{Backend, Config};
pub use consolidate::{Consolidated, Consolidation};
pub use conversation::Conversation;
pub use error::{Error, Result};
pub use export::{Export, Exported};
pub use files::Files;
pub use graph::Graph;
pub use hints::Surface;
pub use inbound::Inbound;
pub use ingest::{BadLine, Ingested, Ingester};
pub use journal::{Journal, Line};
pub use ledger::{Fact, Ledger};
pub use log::{Diff, ShownCommit};
pub use memtape_core::bytes::encoded_unless_text;
pub use memtape_core::forms::blocks::{
    BlockLayer, BlockName, Listed as Block, Outcome as BlockOutcome, Proposal,
};
pub use memtape_core::forms::files::{
    Change as FileChange, FILE_BYTES_MAX, File, FilePath, Listed as ListedFile, Outcome as FilesOutcome,
};
pub use memtape_core::forms::messages::Message;
pub use memtape_core::forms::notes::{
    Change as NoteChange, File as Note, NotePath, Outcome as NoteOutcome, Patch,
};
pub use memtape_core::forms::statements::Source;
pub use memtape_core::forms::statements::view::StoredStatement;
pub use memtape_core::forms::zone::{Mode, Outcome, ZoneView};
pub use memtape_core::prompt::{Prompt, PromptMessage, Report, Role, Section, TooSmall};
pub use memtape_core::recall::fit::{Budget, Left};
pub use memtape_core::recall::rank::{Recipe, Terms};
pub use memtape_core::recall::weights::Weights;
pub use memtape_core::turn::Trigger;
pub use memtape_core::{
    Audience, Category, Change, ChangeKind, Form, Hint, Layer, Lifetime, Memory, MemoryId, Origin, Point,
    PointText, Ref, Scope, Sensitivity, Session, User, calendar,
};
pub use memtape_store::git::Place as GitPlace;
pub use memtape_store::working_copy::PassedOver;
pub use memtape_store::{
    Clock, CommitQuestion, LoggedCommit, Progress, SystemClock, Verified, Waiting, Warning,
};
pub use memtape_tape::{Durability, Entry, EntryId, ErrorKind, Kind, Salt, Salts};
pub use notes::Notes;
pub use prompt::Prompting;
pub use recall::{Hit, Recall, Recalled};
pub use scan::{Find, Place, Scan, Unredacted, WhyUnredacted};
pub use show::Shown;
pub use snapshot::Snapshot;
pub use statements::{Added, Outcome as StatementOutcome, Selection, Statements};
pub use stats::Stats;
pub use status::Status;
pub use toolbox::{Toolbox, Toolset};
pub use turn::{Briefing, Captured, Reply, ToolUse, Turn};
pub use versions::Version;
pub use view::{FactView, ViewQuestion};
pub use why::Why;
pub use working_copy::history::Keeper;
pub use working_copy::status::FilesStatus;
pub use workspace::{At, Options, Workspace};
pub use zone::Zone;
