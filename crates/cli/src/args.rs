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

use clap::{ArgGroup, Args, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use memtape::{Category, Form, Kind, Layer, Sensitivity, Session, Toolset, Trigger};

pub(crate) use self::blocks::BlockCommand;
pub(crate) use self::branches::{
    BranchCommand, BranchVerb, CreateArgs, DeleteArgs, MergeArgs, ResolveArgs, SwitchArgs,
};
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
/// Every memory is a line in an append-only log: read it as of any moment, branch it, merge it, undo anything.
#[derive(Parser)]
#[command(name = "memtape", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    /// The workspace's directory [default: $MEMTAPE_WORKSPACE, else the nearest trusted directory above that has a
    /// tape, else ~/.memtape]
    #[arg(short = 'C', long = "workspace", value_name = "DIR", global = true)]
    pub(crate) workspace: Option<PathBuf>,
    /// The branch to read and write [default: the branch of the conversation]
    #[arg(long, value_name = "BRANCH", global = true)]
    pub(crate) branch: Option<String>,
    /// Read as of a point: [BRANCH@]ENTRY, a date or time, "2 days ago"
    #[arg(long, value_name = "POINT", global = true)]
    pub(crate) at: Option<String>,
    /// Print JSON: one document, or one line for each entry of the tape
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Set a configuration key for this command (repeatable)
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    pub(crate) config: Vec<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands in the help, by heading. Document 1's own spellings work too, and are not listed.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Everyday", &["init", "remember", "recall", "show", "forget", "status"]),
    (
        "History",
        &[
            "log",
            "diff",
            "why",
            "undo",
            "redo",
            "revert",
            "branch",
            "switch",
            "merge",
            "conflicts",
            "resolve",
            "cherry-pick",
            "graph",
        ],
    ),
    ("Notes and files", &["note", "file", "zone"]),
    ("Facts", &["fact", "view", "add", "search", "prune", "consolidate", "decay"]),
    ("Blocks", &["block"]),
    ("Agents", &["turn", "prompt", "tool", "journal", "ingest"]),
    ("Tape", &["tape", "verify", "stats", "export", "backfill"]),
    ("Maintenance", &["config", "scan", "reindex", "trust", "demo", "completions", "man"]),
];
/// How wide the names of commands are in the help.
const NAME_WIDTH: usize = 14;
const HELP: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}";

impl Cli {
    /// Returns the command line's definition, with its help in groups.
    pub(crate) fn grouped() -> clap::Command {
        let command = <Self as clap::CommandFactory>::command();
        let about = |name: &str| {
            let found = command.find_subcommand(name).and_then(clap::Command::get_about);
            found.map(ToString::to_string).unwrap_or_default()
        };
        let mut list = String::new();
        for (heading, names) in GROUPS {
            list.push_str(&format!("{heading}:\n"));
            for name in names {
                list.push_str(&format!("  {name:NAME_WIDTH$}{}\n", about(name)));
            }
            list.push('\n');
        }
        list.push_str("`memtape help COMMAND` explains a command.\n");
        command.before_help(list).help_template(HELP)
    }

    /// Parses the command line.
    ///
    /// # Errors
    /// What is wrong with it, or the help that was asked for.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let matches = Self::grouped().try_get_matches()?;
        Self::from_arg_matches(&matches)
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Create a workspace
    Init {
        /// The folder [default: -C, else the current one]
        dir: Option<PathBuf>,
    },
    /// Trust the tape of a directory, or list the trusted ones
    Trust {
        /// The folder
        dir: Option<PathBuf>,
        /// Trust it no longer
        #[arg(long, requires = "dir")]
        remove: bool,
    },
    /// Run a tour on a sample conversation in a temporary folder
    Demo {
        /// Keep the demo's workspace in this folder
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
    },
    /// Show what the workspace contains
    Status,
    /// Check every line of the tape against its hash chain
    Verify {
        /// A folder that holds a tape.jsonl [default: the workspace]
        dir: Option<PathBuf>,
    },
    /// Find passwords, keys and other secrets
    ///
    /// Searches the tape and the files of the workspace, and reports where each secret is.
    Scan {
        /// Take them out for good, also of earlier points: `[redacted:KIND]` stands there instead. Files that you
        /// edit, such as notes, are written anew, and so is the git history of files/: its stashes, git notes, remote
        /// branches and linked worktrees are dropped
        #[arg(long)]
        redact: bool,
    },
    /// Print the configuration and the source of each value
    Config {
        /// Only this key
        key: Option<String>,
    },
    /// Rebuild the index from the tape
    Reindex {
        /// Instead, make the vectors that are missing: what was said is then found in other words too. It can be
        /// interrupted, and goes on the next time
        #[arg(long)]
        vectors: bool,
    },
    /// Print shell completions
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one for each command
    Man {
        /// The directory to write the pages to [default: print the main page]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Import a conversation from JSON Lines
    ///
    /// Each line is {"role","content","name"?,"user"?,"session"?,"date"?,"image"?,"tool_calls"?}. A message of the role tool
    /// whose "tool_call_id" is the "id" of an earlier call is the result of that call.
    Ingest {
        /// The file, or - for standard input
        file: PathBuf,
        /// The session of messages that name none
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
        session: Session,
    },
    /// Run a turn: record a message, recall, capture
    Turn(TurnArgs),
    /// Print the prompt that a model would get
    ///
    /// Nothing is written.
    Prompt(PromptArgs),
    /// Find memories by words and by meaning
    Recall(RecallArgs),
    /// Find statements by words and by meaning
    Search(SearchArgs),
    /// Add a preference, fact, decision or event
    Add(AddArgs),
    /// Forget statements by ref or by words
    ///
    /// Earlier points still show them.
    Forget(ForgetArgs),
    /// Remove old statements, or doubtful or unused facts
    ///
    /// Selects statements by age, kind or scope, and facts by confidence or use. Earlier points still show them.
    Prune(PruneArgs),
    /// Report duplicates, contradictions and stale memories
    ///
    /// Each finding comes with the command that resolves it.
    Consolidate(ConsolidateArgs),
    /// Import older memory files, once each
    ///
    /// Reads MEMORY.md, HISTORY.md, YYYY-MM-DD.md, and the folders episodic, semantic and procedural.
    Backfill {
        /// The folder that holds them, or whose folder memory does [default: the workspace's]
        dir: Option<PathBuf>,
        /// Also files that were taken in before: what was forgotten since comes back
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        audience: ChatArgs,
    },
    /// Show the commits, newest first, and what each changed
    Log(LogArgs),
    /// Compare the memory at two points
    Diff(DiffArgs),
    /// Draw the commits of all branches
    ///
    /// Prints a Mermaid diagram or a timeline.
    Graph(GraphArgs),
    /// Print the facts of the branch by topic, surest first
    ///
    /// This is the context that a prompt of the persona gets.
    View(ViewArgs),
    /// Count entries, memories, commits and turns
    Stats {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Export the facts to a file
    Export(ExportArgs),
    /// Show a memory and where it came from, or a commit
    Show {
        /// FORM:KEY, or FORM:KEY@ENTRY for one version; a commit as @ENTRY, or by its id (at least 7 digits)
        #[arg(value_name = "REF|COMMIT")]
        reference: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Explain where a memory came from and where it was used
    ///
    /// Shows the message it was captured from, every change to it, and every turn it was recalled for.
    Why {
        /// FORM:KEY, or FORM:KEY@ENTRY for one version
        #[arg(value_name = "REF")]
        reference: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Report memories that were not used for a long time
    ///
    /// Shows how strong each one still is. Nothing is removed.
    Decay(DecayArgs),
    /// Print what happened, as JSON Lines
    ///
    /// Triggers, decisions, tool calls, messages, errors, costs and changes of memory.
    Journal(JournalArgs),
    /// Remember a text
    ///
    /// A line of long-term memory by default; --as keeps it as a statement instead, as `add` does.
    Remember(RememberArgs),
    /// Read and edit long-term memory and daily notes
    #[command(subcommand)]
    Zone(ZoneCommand),
    /// Read and edit the ledger of facts
    #[command(subcommand)]
    Fact(FactCommand),
    #[command(flatten)]
    Branch(BranchCommand),
    /// Read and edit notes: facts and episodes in Markdown files
    #[command(subcommand)]
    Note(NoteCommand),
    /// Read and edit blocks, the short texts of every prompt
    #[command(subcommand)]
    Block(BlockCommand),
    /// Read and edit long Markdown files below files/
    #[command(subcommand)]
    File(FileCommand),
    /// Inspect the tape: entries, anchors and segments
    #[command(subcommand)]
    Tape(TapeCommand),
    /// List and call the tools for agents
    #[command(subcommand)]
    Tool(ToolCommand),
}

#[derive(Args)]
pub(crate) struct RememberArgs {
    /// The text, or several lines; - for standard input
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) text: String,
    /// What to keep it as
    #[arg(long = "as", value_name = "KIND", default_value = "line")]
    pub(crate) kind: RememberedAs,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
    /// Who may see it: normal; private, that user or chat only; confidential, nobody unless asked for by its ref
    #[arg(long, value_name = "LEVEL", default_value = "normal")]
    pub(crate) sensitivity: Sensitivity,
}

/// What a remembered text is kept as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RememberedAs {
    /// A line of long-term memory, which every prompt shows
    Line,
    /// A preference of a person
    Preference,
    /// A fact about a person or a project
    Fact,
    /// A decision that was made
    Decision,
    /// Something that happened
    Event,
}

impl RememberedAs {
    /// Returns the category of the statement; `None` for a line.
    pub(crate) fn category(self) -> Option<Category> {
        match self {
            Self::Line => None,
            Self::Preference => Some(Category::Preference),
            Self::Fact => Some(Category::Fact),
            Self::Decision => Some(Category::Decision),
            Self::Event => Some(Category::Episodic),
        }
    }
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
    /// A tool that the agent called, with its arguments (repeatable)
    #[arg(long, value_name = "NAME[=JSON]")]
    pub(crate) tool: Vec<String>,
    /// What a tool gave: the first of these belongs to the first --tool, and so on; - for standard input
    #[arg(long, value_name = "TEXT", requires = "tool", allow_hyphen_values = true)]
    pub(crate) tool_result: Vec<String>,
    /// What the agent has still to do (repeatable)
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
    /// Only this form: blocks, files, ledger, messages, notes, statements or zone (repeatable)
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
    /// Print long-term memory as a prompt gets it
    ///
    /// Prints nothing if it is empty.
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
    /// Print matching lines, or the latest notes
    ///
    /// Without a query it prints long-term memory and the notes of the last days.
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
    /// Forget all of it
    ///
    /// Earlier points still show it.
    Clear {
        #[command(flatten)]
        audience: AudienceArgs,
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
    /// Remove daily notes past their retention
    ///
    /// The retention is 30 days, or what the configuration says.
    Prune,
    /// Restore long-term memory and daily notes of a point
    Restore {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Print long-term memory and every daily note as Markdown
    Export {
        #[command(flatten)]
        audience: AudienceArgs,
    },
}

#[derive(Args, Default)]
pub(crate) struct EntryFilter {
    /// Only this kind: message, system, tool_call, tool_result, anchor, event, error (repeatable)
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
    /// Print the entries that contain a text, newest first
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
    /// Print the entries between two anchors
    ///
    /// They are the last anchor END and the last anchor START before it.
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
    /// Mark where a model's context of a conversation begins
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
    /// Close tape.jsonl as a segment and begin a new one
    Archive {
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
    /// Remove a conversation's messages, or everything
    ///
    /// Earlier points still show it.
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
        /// Only the tools of this set: core, ledger, notes or blocks (repeatable)
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
        /// Allow only the tools of this set: core, ledger, notes or blocks (repeatable)
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
            | Self::Man { .. }
            | Self::Ingest { .. }
            | Self::Turn(_)
            | Self::Add(_)
            | Self::Forget(_)
            | Self::Prune(_)
            | Self::Backfill { .. }
            | Self::Remember(_) => true,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let command = <Cli as clap::CommandFactory>::command();
        let mut shown: Vec<&str> =
            command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(clap::Command::get_name).collect();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        shown.sort_unstable();
        listed.sort_unstable();
        assert_eq!(shown, listed);
    }

    #[test]
    fn the_help_of_a_command_begins_with_a_short_line() {
        fn check(command: &clap::Command) {
            for sub in command.get_subcommands() {
                let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
                assert!(!about.ends_with('.') && (1..=60).contains(&about.chars().count()), "{about:?}");
                check(sub);
            }
        }
        check(&<Cli as clap::CommandFactory>::command());
    }
}
