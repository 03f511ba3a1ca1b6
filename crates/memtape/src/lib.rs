//! Version control for an AI agent's memory.
//!
//! Every memory is a line in an append-only log, the *tape*. Everything else, such as the search index, notes as
//! Markdown and the prompt, is derived from it. So memory can be read as of any moment, branched, merged and
//! undone. This crate is the public library; the command line is built on it and contains no rules of its own.
//!
//! # Keep something and find it again
//!
//! [`Workspace::init`] creates a workspace in a directory, [`Workspace::open`] opens one. [`Workspace::recall`]
//! finds memories by words and by meaning, without a network.
//!
//! ```
//! use memtape::{At, Options, Recall, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let temporary = tempfile::tempdir()?;
//! # let dir = temporary.path();
//! let workspace = Workspace::init(dir, Options::default())?;
//! workspace.zone().remember("Ana is allergic to hazelnuts")?;
//!
//! let recalled = workspace.recall(&Recall::new("what is Ana allergic to?"), &At::head())?;
//! assert_eq!(recalled.hits[0].memory.text, "Ana is allergic to hazelnuts");
//! # Ok(())
//! # }
//! ```
//!
//! # Handle a message of a chat
//!
//! [`Conversation::turn`] records the message, recalls what is relevant to it, calls the model through a
//! closure, and captures what is worth keeping. [`Conversation::begin`] and [`Conversation::end`] are its two
//! halves. A chat never receives the memories of another chat.
//!
//! ```
//! use memtape::{Inbound, Options, Reply, Session, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let temporary = tempfile::tempdir()?;
//! # let workspace = Workspace::init(temporary.path(), Options::default())?;
//! let chat = workspace.conversation(Session::parse("telegram:42")?);
//! let turn = chat.turn(&Inbound::new("I prefer tea to coffee"), |briefing| {
//!     // Send `briefing.prompt` to the model here.
//!     assert!(briefing.prompt.is_some());
//!     Ok(Reply::new("Noted."))
//! })?;
//! assert_eq!(turn.captured[0].text, "I prefer tea to coffee");
//! # Ok(())
//! # }
//! ```
//!
//! # Read as of any moment
//!
//! Every read takes a point, an [`At`]: now, an entry, a time, or a point on another branch. A [`Snapshot`]
//! keeps several reads consistent while others write.
//!
//! ```
//! use memtape::{At, Audience, Options, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let temporary = tempfile::tempdir()?;
//! # let workspace = Workspace::init(temporary.path(), Options::default())?;
//! let before = workspace.journal().head()?;
//! workspace.zone().remember("the deploy day is Tuesday")?;
//! assert!(workspace.zone().view(&At::entry(before))?.0.long_term.is_empty());
//!
//! let snapshot = workspace.snapshot(&Audience::owner(), &At::head())?;
//! assert_eq!(snapshot.zone().view(&snapshot.at())?.0.long_term.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Notes and files that a person edits
//!
//! [`Notes`] and [`Files`] are Markdown files in the directory of the workspace. An edit by a person and a write
//! by an agent become versions of the same note.
//!
//! ```
//! use memtape::{At, Options, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let temporary = tempfile::tempdir()?;
//! # let dir = temporary.path();
//! # let workspace = Workspace::init(dir, Options::default())?;
//! let notes = workspace.notes();
//! let path = notes.path("facts/ana.md")?;
//! notes.write(&path, "# Ana\n\n- allergic to hazelnuts\n")?;
//!
//! let text = std::fs::read_to_string(dir.join("facts/ana.md"))?;
//! std::fs::write(dir.join("facts/ana.md"), text + "- lives in Porto\n")?;
//! assert!(notes.read(&path, &At::head())?.text().contains("Porto"));
//! assert_eq!(notes.log(&path, &At::head())?.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! # Branch, merge and undo
//!
//! A branch is a persona or an experiment. [`Branches`] creates, merges and undoes.
//!
//! ```
//! use memtape::{At, Options, Workspace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let temporary = tempfile::tempdir()?;
//! # let workspace = Workspace::init(temporary.path(), Options::default())?;
//! let branches = workspace.branches();
//! branches.create_and_switch("planner", Some("plans journeys"))?;
//! workspace.zone().remember("window seats only")?;
//! branches.switch("main", true)?;
//! assert!(workspace.zone().view(&At::head())?.0.long_term.is_empty());
//!
//! branches.merge("planner")?;
//! assert_eq!(workspace.zone().view(&At::head())?.0.long_term.len(), 1);
//! branches.undo()?;
//! assert!(workspace.zone().view(&At::head())?.0.long_term.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # Give an agent tools
//!
//! [`Toolbox`] lists tools with their JSON schemas and calls them, for the audience of one conversation.
//!
//! ```
//! use memtape::{Options, Session, Workspace};
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let temporary = tempfile::tempdir()?;
//! # let workspace = Workspace::init(temporary.path(), Options::default())?;
//! let tools = workspace.tools().for_session(Session::parse("telegram:42")?);
//! assert!(tools.list().any(|tool| tool.name == "memory_recall"));
//! tools.call("memory_save", json!({"content": "- the gate code changes in May"}))?;
//! # Ok(())
//! # }
//! ```
//!
//! # Where to read on
//!
//! | task | start at |
//! |---|---|
//! | keep lines, preferences, decisions, facts | [`zone`], [`statements`], [`ledger`], [`blocks`] |
//! | notes and files, their versions and working copies | [`notes`], [`files`], [`documents`], [`versions`], [`working_copy`] |
//! | handle messages | [`conversation`], [`turn`], [`turns`], [`ingest`], [`prompt`], [`skills`] |
//! | find memories and where they come from | [`listing`], [`recall`], [`meaning`], [`show`], [`why`] |
//! | history | [`branches`], [`log`], [`graph`], [`journal`], [`tape`], [`view`], [`snapshot`] |
//! | work in the background | [`progress`] |
//! | maintenance | [`config`], [`backfill`], [`bulk`], [`consolidate`], [`decay`], [`export`], [`import`], [`scan`], [`scratch`], [`stats`] |
//! | tools for agents | [`toolbox`] |
//! | errors | [`error`] |

mod access;
pub mod backfill;
pub mod blocks;
pub mod branches;
pub mod bulk;
mod cleaning;
pub mod config;
pub mod consolidate;
pub mod conversation;
mod counting;
pub mod decay;
pub mod documents;
pub mod error;
pub mod export;
pub mod files;
pub mod graph;
mod handle;
mod hints;
pub mod import;
mod inbound;
pub mod ingest;
pub mod journal;
pub mod json;
pub mod ledger;
pub mod lenient_json;
pub mod listing;
pub mod log;
pub mod meaning;
mod model;
pub mod notes;
mod own_paths;
pub mod progress;
mod project;
pub mod prompt;
mod reading;
pub mod recall;
mod restoring;
mod safety;
pub mod scan;
pub mod scratch;
mod semaphore;
pub mod show;
pub mod skills;
pub mod snapshot;
pub mod statements;
pub mod stats;
mod status;
pub mod tape;
pub mod temporary;
pub mod toolbox;
pub mod turn;
pub mod turns;
mod typed;
mod unified_diff;
mod unwanted;
mod upstream;
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
pub use documents::Documents;
pub use error::{Error, Result};
pub use export::{Export, Exported};
pub use files::Files;
pub use graph::Graph;
pub use hints::Surface;
pub use import::Imported;
pub use inbound::Inbound;
pub use ingest::{BadLine, Ingested, Ingester};
pub use journal::{Journal, Line};
pub use ledger::{Fact, Ledger};
pub use listing::MemoryFilter;
pub use log::{Diff, ShownCommit};
pub use memtape_core::bytes::{encoded_unless_text, line_end, with_line_ends, without_mark};
pub use memtape_core::forms::blocks::{
    BlockLayer, BlockName, Listed as Block, Outcome as BlockOutcome, Proposal,
};
pub use memtape_core::forms::files::{
    Change as FileChange, FILE_BYTES_MAX, File, FilePath, Listed as ListedFile, Outcome as FilesOutcome,
};
pub use memtape_core::forms::messages::Message;
pub use memtape_core::forms::notes::view::Listed as ListedNote;
pub use memtape_core::forms::notes::{
    Change as NoteChange, File as Note, NotePath, Outcome as NoteOutcome, Patch,
};
pub use memtape_core::forms::statements::view::StoredStatement;
pub use memtape_core::forms::statements::{Outcome as StatementOutcome, Source};
pub use memtape_core::forms::zone::{Mode, Outcome as ZoneOutcome, ZonePart, ZoneView};
pub use memtape_core::prompt::{Prompt, PromptMessage, Report, Role, Section, TooSmall};
pub use memtape_core::recall::fit::{Budget, Left};
pub use memtape_core::recall::rank::{Recipe, Terms};
pub use memtape_core::recall::weights::Weights;
pub use memtape_core::turn::{SESSION_START, Trigger};
pub use memtape_core::{
    Audience, Category, Change, ChangeKind, Form, Hint, Layer, Lifetime, MAIN, Memory, MemoryId, Origin,
    Point, PointText, Ref, Scope, Sensitivity, Session, User, calendar,
};
pub use memtape_index::{CommitQuestion, FileMoved, LoggedCommit, PendingVectors};
pub use memtape_store::{Clock, Expected, IndexProgress, SystemClock, Verified, Warning};
pub use memtape_tape::disk;
pub use memtape_tape::{Durability, Entry, EntryId, ErrorKind, Kind, Salt, Salts};
pub use memtape_upstream::{
    Counts as UpstreamCounts, Freshness, Upstream, counts as upstream_counts, mark as mark_upstream,
    marked as marked_upstream,
};
pub use memtape_worktree::git::{
    Place as GitPlace, identity as repository_identity, identity_of_url as repository_identity_of_url,
};
pub use memtape_worktree::working_copy::PassedOver;
pub use notes::Notes;
pub use progress::{ConversationMessage, RecentConversation, TaskProgress};
pub use project::{PROJECT_CHANNEL, PROJECT_USER, project_chat};
pub use prompt::{Prompting, brief};
pub use recall::{Hit, Newer, Recall, Recalled};
pub use scan::{Find, Place, Scan, Unredacted, WhyUnredacted};
pub use show::Shown;
pub use snapshot::Snapshot;
pub use statements::{Added, Selection, Statements};
pub use stats::Stats;
pub use status::Status;
pub use toolbox::{Toolbox, Toolset};
pub use turn::{Briefing, Captured, FinishedTurn, Reply, ToolUse, Turn};
pub use turns::{ListedTurn, ShownTurn, TurnQuestion};
pub use typed::{typed, typed_prompt};
pub use upstream::{Stale, UpstreamStatus};
pub use versions::FileVersion;
pub use view::{FactView, ViewQuestion};
pub use why::Why;
pub use working_copy::history::Keeper;
pub use working_copy::status::FilesStatus;
pub use workspace::{At, FileWork, FilesProgress, Options, Workspace};
pub use zone::Zone;
