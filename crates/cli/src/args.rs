//! The command line: every command, its arguments and its help, in one place.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

mod blocks;
mod branches;
mod consolidate;
mod files;
mod history;
mod journal;
mod ledger;
mod notes;
mod prompt;
mod statements;

use std::env;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use memtape::{Form, Kind, Layer, Sensitivity, Session, Toolset, Trigger};

pub(crate) use self::blocks::BlockCommand;
pub(crate) use self::branches::{BranchCommand, ResolveArgs};
pub(crate) use self::consolidate::ConsolidateArgs;
pub(crate) use self::files::FileCommand;
pub(crate) use self::history::{DiffArgs, ExportArgs, GraphArgs, GraphFormat, LogArgs, ViewArgs};
pub(crate) use self::journal::{DecayArgs, JournalArgs, JournalCommand, WhenArgs};
pub(crate) use self::ledger::{AskingArgs, ChangeArgs, FactArgs, FactCommand, FactOrder};
pub(crate) use self::notes::NoteCommand;
pub(crate) use self::prompt::{PromptArgs, PromptShow};
pub(crate) use self::statements::{AddArgs, ChatArgs, ForgetArgs, Forgotten, PruneArgs, SearchArgs};

/// Version control for an AI agent's memory.
///
/// Everything an agent remembers stands on one append-only tape. Reading commands take --at POINT: an entry
/// (42), a date or time (2026-02-10), or how long ago ("2 days ago").
#[derive(Parser)]
#[command(name = "memtape", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    /// The workspace's folder. Without it: $MEMTAPE_WORKSPACE, else the nearest trusted folder above that holds
    /// a tape, else ~/.memtape
    #[arg(short = 'C', long = "workspace", value_name = "DIR", global = true)]
    pub(crate) workspace: Option<PathBuf>,
    /// The branch to read and write [default: the one that the conversation is on]
    #[arg(long, value_name = "BRANCH", global = true)]
    pub(crate) branch: Option<String>,
    /// Read as of a point: [BRANCH@]ENTRY, a date or time, "2 days ago"
    #[arg(long, value_name = "POINT", global = true)]
    pub(crate) at: Option<String>,
    /// Print JSON: one document, or a line for each entry of the tape
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Set a key of the configuration for this command (may be given more than once)
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    pub(crate) config: Vec<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a workspace
    Init {
        /// The folder [default: -C, else the current one]
        dir: Option<PathBuf>,
    },
    /// Let a folder's tape be used from inside it; without a folder, list those that may
    Trust {
        /// The folder
        dir: Option<PathBuf>,
        /// Trust it no longer
        #[arg(long, requires = "dir")]
        remove: bool,
    },
    /// See memtape at work on a sample conversation, in a folder that is gone afterwards
    Demo {
        /// Keep the demo's workspace in this folder
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
    },
    /// Say what the workspace holds
    Status,
    /// Check every line of the tape against its chain
    Verify {
        /// A folder that holds a tape.jsonl [default: the workspace]
        dir: Option<PathBuf>,
    },
    /// Look for passwords, keys and other secrets in the tape and in the workspace's files, and say where they are
    Scan {
        /// Take them out for good, also of earlier points: `[redacted:KIND]` stands there instead. Files that you
        /// edit, such as notes, are written anew, and so is the git history of files/: its stashes, git notes, remote
        /// branches and linked worktrees are dropped
        #[arg(long)]
        redact: bool,
    },
    /// Print the configuration, and where each value comes from
    Config {
        /// Only this key
        key: Option<String>,
    },
    /// Build the index anew from the tape
    Reindex {
        /// Instead, make the vectors that are missing: what was said is then found in other words too. It can be
        /// interrupted, and goes on the next time
        #[arg(long)]
        vectors: bool,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Take in a conversation: JSON Lines {"role","content","name"?,"user"?,"session"?,"date"?,"image"?,"tool_calls"?}
    ///
    /// A message of the role tool whose "tool_call_id" is the "id" of a call before it is that call's result.
    Ingest {
        /// The file, or - for standard input
        file: PathBuf,
        /// The session of messages that name none
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
        session: Session,
    },
    /// Handle a message as a turn: record it, say what is recalled for it, and capture what is worth keeping
    Turn(TurnArgs),
    /// Print what a model would be shown in a conversation, within a budget of tokens; nothing is written
    Prompt(PromptArgs),
    /// Find memories, by their words and by what they mean
    Recall(RecallArgs),
    /// Find statements only, by their words and by what they mean
    Search(SearchArgs),
    /// Add a statement: a preference, a fact, a decision or what happened
    Add(AddArgs),
    /// Forget statements by their refs, or by words that they hold (earlier points still show them)
    Forget(ForgetArgs),
    /// Retire statements by age, kind or scope, or facts by confidence or use (earlier points still show them)
    Prune(PruneArgs),
    /// Report what stands twice, contradicts, is doubtful, stale or over, with the command that settles each
    Consolidate(ConsolidateArgs),
    /// Take in older memory files, once each: MEMORY.md, HISTORY.md, YYYY-MM-DD.md, and the folders episodic, semantic
    /// and procedural
    Backfill {
        /// The folder that holds them, or whose folder memory does [default: the workspace's]
        dir: Option<PathBuf>,
        /// Also files that were taken in before: what was forgotten since comes back
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        audience: ChatArgs,
    },
    /// Tell what was done: the commits, newest first, and what each changed
    Log(LogArgs),
    /// Tell how the memory at one point differs from that at another
    Diff(DiffArgs),
    /// Draw the commits of all branches, as a Mermaid diagram or a timeline
    Graph(GraphArgs),
    /// Print what the persona of the branch knows, by topic, the surest first, as a prompt gets it
    View(ViewArgs),
    /// Say how much there is of everything
    Stats {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Write the facts to a file: for backup, or to read
    Export(ExportArgs),
    /// Show what a ref names, and where it came from; or a commit, and what it changed
    Show {
        /// FORM:KEY, or FORM:KEY@ENTRY for one version; a commit as @ENTRY, or by its id (at least 7 digits)
        #[arg(value_name = "REF|COMMIT")]
        reference: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Say why something is remembered: the message it came from, every change to it, every turn it was recalled for
    Why {
        /// FORM:KEY, or FORM:KEY@ENTRY for one version
        #[arg(value_name = "REF")]
        reference: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Report what was not used for long, and how strongly it still stands; nothing is removed
    Decay(DecayArgs),
    /// Print what happened, as JSON Lines: triggers, decisions, tools, messages, errors, costs and changes of memory
    Journal(JournalArgs),
    /// Add a line to long-term memory
    Remember {
        /// The line, or several; - for standard input
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        text: String,
        #[command(flatten)]
        audience: AudienceArgs,
        /// How far it may be shown: normal; private, to that user or chat only; confidential, never by itself
        #[arg(long, value_name = "HOW", default_value = "normal")]
        sensitivity: Sensitivity,
    },
    /// Long-term memory and daily notes
    #[command(subcommand)]
    Zone(ZoneCommand),
    /// The ledger: facts of a subject, a predicate and an object
    #[command(subcommand)]
    Fact(FactCommand),
    #[command(flatten)]
    Branch(BranchCommand),
    /// Notes: facts and episodes as Markdown files, which may be edited
    #[command(subcommand)]
    Note(NoteCommand),
    /// Blocks: short texts that every prompt shows, by name and layer
    #[command(subcommand)]
    Block(BlockCommand),
    /// Files: long texts as Markdown files below files/, which may be edited
    #[command(subcommand)]
    File(FileCommand),
    /// The tape itself: its entries, anchors and segments
    #[command(subcommand)]
    Tape(TapeCommand),
    /// The tools an agent may call
    #[command(subcommand)]
    Tool(ToolCommand),
}

#[derive(Args)]
pub(crate) struct TurnArgs {
    /// What was said; of a perch or a job its context; - for standard input
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) message: String,
    /// What begins the turn: a message; perch, when time has passed; or cron, when a job's time has come. Nothing is
    /// captured from what nobody said
    #[arg(long, value_name = "KIND", default_value = "message")]
    pub(crate) trigger: Trigger,
    /// The conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
    pub(crate) session: Session,
    /// Who said it: the id on the session's channel, or CHANNEL:ID; in a session of the terminal also @NAME for a user
    /// that the configuration declares
    #[arg(long, value_name = "USER", allow_hyphen_values = true)]
    pub(crate) user: Option<String>,
    /// The speaker's id exactly as the session's channel gives it, whatever it holds
    #[arg(long, value_name = "ID", conflicts_with = "user", allow_hyphen_values = true)]
    pub(crate) sender_id: Option<String>,
    /// The speaker's name, as the channel gives it
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// When it was said, where that is not now
    #[arg(long, value_name = "TIME")]
    pub(crate) date: Option<String>,
    /// The message it replies to
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reply_to: Option<String>,
    /// What the agent answers; - for standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reply: Option<String>,
    /// A tool that the agent called, with its arguments (may be given more than once)
    #[arg(long, value_name = "NAME[=JSON]")]
    pub(crate) tool: Vec<String>,
    /// What a tool gave: the first of these belongs to the first --tool, and so on; - for standard input
    #[arg(long, value_name = "TEXT", requires = "tool", allow_hyphen_values = true)]
    pub(crate) tool_result: Vec<String>,
    /// What the agent has still to do (may be given more than once)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) pending: Vec<String>,
}

#[derive(Args)]
pub(crate) struct RecallArgs {
    /// Words, in any language
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
    /// Only this form: blocks, files, ledger, messages, notes, statements or zone (may be given more than once)
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Vec<Form>,
    /// At most so many hits [default: 8, or what the configuration says]
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub(crate) limit: Option<usize>,
    /// Show what each score is made of
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Who asks, and so whose memories are meant; without any of these the owner, who sees every scope and writes for the
/// whole workspace.
#[derive(Args, Clone, Default)]
pub(crate) struct AudienceArgs {
    /// As in this conversation's chat: what is the chat's, the user's and the workspace's
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
    /// As this user: with --session the id on its channel, or CHANNEL:ID; else CHANNEL:ID, or @NAME for a user that the
    /// configuration declares
    #[arg(long, value_name = "USER", allow_hyphen_values = true)]
    pub(crate) user: Option<String>,
    /// Only this kind of scope; what is written goes there
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<ScopeArg>,
}

impl AudienceArgs {
    /// The conversation that a command is part of: the terminal's, where none is named.
    pub(crate) fn session(&self) -> Session {
        self.session.clone().unwrap_or_else(Session::direct)
    }
}

/// A kind of scope.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArg {
    /// Chats
    Chat,
    /// Users
    User,
    /// The workspace
    Global,
    /// Every one
    All,
}

impl ScopeArg {
    /// The kind of scope that is meant; `None` for all.
    pub(crate) fn layer(self) -> Option<Layer> {
        match self {
            Self::Chat => Some(Layer::Chat),
            Self::User => Some(Layer::User),
            Self::Global => Some(Layer::Global),
            Self::All => None,
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum ZoneCommand {
    /// Print the <memory> block as a prompt gets it; nothing when empty
    Show {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Replace long-term memory with this text
    Save {
        /// The text, or - for standard input
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        text: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Add to the note of a day
    Daily {
        /// The text, or - for standard input
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        text: String,
        /// The day: a date, yesterday, "2 days ago" [default: today]
        #[arg(long)]
        date: Option<String>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Print the lines that hold a query, or long-term memory and the notes of the last days
    Recall {
        /// Words to look for
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        query: Option<String>,
        /// How many days of notes, today included
        #[arg(long, default_value_t = 7)]
        days: u32,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Forget a line by its text, or the note of a day
    #[command(group = ArgGroup::new("what").required(true))]
    Forget {
        /// A whole line, a part that only one line holds, or the date of a note
        #[arg(group = "what", allow_hyphen_values = true, value_parser = not_a_flag)]
        text: Option<String>,
        /// The day: a date, yesterday, "2 days ago"
        #[arg(group = "what", long)]
        date: Option<String>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Forget all of it (earlier points still show it)
    Clear {
        #[command(flatten)]
        audience: AudienceArgs,
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
    /// Retire the daily notes of days past their time (30 days, or what the configuration says)
    Prune,
    /// Make long-term memory and daily notes what they were at a point
    Restore {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Print the whole zone as Markdown: long-term memory and every daily note
    Export {
        #[command(flatten)]
        audience: AudienceArgs,
    },
}

#[derive(Args, Default)]
pub(crate) struct EntryFilter {
    /// Only this kind: message, system, tool_call, tool_result, anchor, event, error (may be given more than once)
    #[arg(long, value_name = "KIND", value_parser = parse_kind)]
    pub(crate) kind: Vec<Kind>,
    /// Only this conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
}

#[derive(Subcommand)]
pub(crate) enum TapeCommand {
    /// Print entries as they were written
    Log {
        #[command(flatten)]
        filter: EntryFilter,
        /// Not before: a date or time, "2 days ago"
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// Only the last so many, or all [default: all]
        #[arg(short = 'n', long, value_name = "N")]
        limit: Option<Limit>,
    },
    /// Print the anchors
    Anchors {
        /// Only those of this conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
        /// Memory's own too (memory/*, branch/*)
        #[arg(long)]
        all: bool,
        /// Only the last so many, or all [default: all]
        #[arg(short = 'n', long, value_name = "N")]
        limit: Option<Limit>,
    },
    /// Print the entries that hold a text, the newest first
    Search {
        /// The text, whatever its case
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        text: String,
        #[command(flatten)]
        filter: EntryFilter,
        /// At most so many
        #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Print the entries after the last anchor of a name
    After {
        /// The anchor's name
        name: String,
        #[command(flatten)]
        filter: EntryFilter,
    },
    /// Print the entries between the last anchor END and the last anchor START before it
    Between {
        /// The first anchor's name
        start: String,
        /// The second anchor's name
        end: String,
        #[command(flatten)]
        filter: EntryFilter,
    },
    /// Print the entries after the last anchor
    FromLastAnchor {
        #[command(flatten)]
        filter: EntryFilter,
    },
    /// Record an event
    Append {
        /// The event's name
        event: String,
        /// What it says, as JSON
        #[arg(long, value_name = "JSON")]
        data: Option<String>,
        /// The conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
        session: Session,
    },
    /// Mark a place in a conversation: what a model is shown begins there
    Handoff {
        /// The anchor's name
        name: String,
        /// What is handed on, as JSON
        #[arg(long, value_name = "JSON")]
        state: Option<String>,
        /// The conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
        session: Session,
    },
    /// Close tape.jsonl as a segment of archive/ and begin a new one
    Archive {
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
    /// Retire a conversation's messages, or everything (earlier points still show it)
    Reset {
        /// Close the tape's segment first
        #[arg(long)]
        archive: bool,
        /// Only this conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum ToolCommand {
    /// List the tools with their arguments
    List {
        /// The owner's tools too
        #[arg(long)]
        owner: bool,
        /// Only the tools of this set: core, ledger, notes or blocks (may be given more than once)
        #[arg(long, value_name = "TOOLSET")]
        toolset: Vec<Toolset>,
    },
    /// Call a tool
    Call {
        /// The tool's name
        name: String,
        /// Its arguments, as a JSON object
        #[arg(default_value = "{}")]
        arguments: String,
        #[command(flatten)]
        audience: AudienceArgs,
        /// Allow the owner's tools
        #[arg(long)]
        owner: bool,
        /// Allow only the tools of this set: core, ledger, notes or blocks (may be given more than once)
        #[arg(long, value_name = "TOOLSET")]
        toolset: Vec<Toolset>,
    },
}

impl Command {
    /// Whether a point to read at makes sense for it: what writes does so at the head, but for what it restores.
    pub(crate) fn takes_point(&self) -> bool {
        !self.writes()
            || matches!(
                self,
                Self::Note(NoteCommand::Restore { .. })
                    | Self::Zone(ZoneCommand::Restore { .. })
                    | Self::Block(BlockCommand::Restore { .. })
                    | Self::File(FileCommand::Restore { .. })
            )
    }

    /// Whether the command writes.
    pub(crate) fn writes(&self) -> bool {
        match self {
            Self::Status
            | Self::Prompt(_)
            | Self::Recall(_)
            | Self::Search(_)
            | Self::Show { .. }
            | Self::Why { .. }
            | Self::Log(_)
            | Self::Diff(_)
            | Self::Graph(_)
            | Self::View(_)
            | Self::Decay(_)
            | Self::Stats { .. }
            | Self::Export(_) => false,
            // A tool says itself whether it writes.
            Self::Tool(tool) => !matches!(tool, ToolCommand::Call { .. }),
            Self::Zone(zone) => !matches!(
                zone,
                ZoneCommand::Show { .. } | ZoneCommand::Recall { .. } | ZoneCommand::Export { .. }
            ),
            Self::Journal(args) => args.command.as_ref().is_some_and(JournalCommand::writes),
            Self::Fact(fact) => fact.writes(),
            Self::Note(note) => note.writes(),
            Self::Block(block) => block.writes(),
            Self::File(file) => file.writes(),
            Self::Branch(branch) => branch.writes(),
            Self::Consolidate(args) => args.apply_safe,
            Self::Tape(tape) => matches!(
                tape,
                TapeCommand::Append { .. }
                    | TapeCommand::Handoff { .. }
                    | TapeCommand::Archive { .. }
                    | TapeCommand::Reset { .. }
            ),
            Self::Init { .. }
            | Self::Trust { .. }
            | Self::Demo { .. }
            | Self::Verify { .. }
            | Self::Scan { .. }
            | Self::Config { .. }
            | Self::Reindex { .. }
            | Self::Completions { .. }
            | Self::Ingest { .. }
            | Self::Turn(_)
            | Self::Add(_)
            | Self::Forget(_)
            | Self::Prune(_)
            | Self::Backfill { .. }
            | Self::Remember { .. } => true,
        }
    }
}

/// A text may begin with a hyphen, as a bullet does; what looks like a flag is a flag that was mistyped, but after `--`.
fn not_a_flag(text: &str) -> Result<String, String> {
    let mut after = env::args_os().skip_while(|argument| argument != "--").skip(1);
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-').filter(|rest| rest.len() == 1));
    let is_flag = name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'=')
    });
    match is_flag && !after.any(|argument| argument == text) {
        true => Err("this looks like a flag that does not exist; give such a text after --".into()),
        false => Ok(text.to_owned()),
    }
}

/// How many are printed at most: a number, or `None` for `all`.
#[derive(Clone, Copy)]
pub(crate) struct Limit(pub(crate) Option<usize>);

impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self(None)),
            number => number.parse().map(|n| Self(Some(n))).map_err(|_| "a whole number, or all"),
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "a whole number from 1".into())
}

fn parse_kind(text: &str) -> Result<Kind, String> {
    match Kind::from_name(text) {
        Kind::Other(_) => {
            Err("the kinds are message, system, tool_call, tool_result, anchor, event, error".into())
        }
        kind => Ok(kind),
    }
}
