//! The command line: every command, its arguments and its help, in one place.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

mod audience;
mod backup;
mod blocks;
mod branches;
mod consolidate;
mod files;
mod history;
mod import;
mod ingest;
mod journal;
mod ledger;
mod memory_tool;
mod mind;
mod notes;
mod points;
mod prompt;
mod recall;
mod remember;
mod serving;
mod setup;
mod shared;
mod statements;
mod tape;
mod tool;
mod turn;
mod values;
mod zone;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ErrorKind};
use clap::{FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use self::audience::{AskingArgs, AudienceArgs, ChatArgs, ScopeArg, SpeakerArgs};
pub(crate) use self::backup::{BackupArgs, RestoreArgs};
pub(crate) use self::blocks::BlockCommand;
pub(crate) use self::branches::{
    BranchCommand, BranchVerb, CreateArgs, DeleteArgs, MergeArgs, ResolveArgs, SwitchArgs,
};
pub(crate) use self::consolidate::ConsolidateArgs;
pub(crate) use self::files::FileCommand;
pub(crate) use self::history::{DiffArgs, ExportArgs, GraphArgs, GraphFormat, LogArgs, ViewArgs};
pub(crate) use self::import::{ImportArgs, MEMTAPE, MEMTAPE_ABOUT};
pub(crate) use self::ingest::IngestArgs;
pub(crate) use self::journal::{DecayArgs, JournalArgs, JournalCommand, WhenArgs};
pub(crate) use self::ledger::{ChangeArgs, FactArgs, FactCommand, FactOrder};
pub(crate) use self::memory_tool::MemoryToolArgs;
pub(crate) use self::mind::{AgentArgs, HeartbeatArgs, ReflectArgs};
pub(crate) use self::notes::NoteCommand;
pub(crate) use self::points::DiffPoints;
pub(crate) use self::prompt::{PromptArgs, PromptShow};
pub(crate) use self::recall::RecallArgs;
pub(crate) use self::remember::RememberArgs;
pub(crate) use self::serving::{HookArgs, InspectArgs, McpArgs, ServeArgs, TokenCommand, TokensOf};
pub(crate) use self::setup::SetupArgs;
pub(crate) use self::shared::{SharedArgs, color_of};
pub(crate) use self::statements::{AddArgs, ForgetArgs, Forgotten, PruneArgs, SearchArgs};
pub(crate) use self::tape::TapeCommand;
pub(crate) use self::tool::ToolCommand;
pub(crate) use self::turn::TurnArgs;
pub(crate) use self::zone::ZoneCommand;

/// Version control for an AI agent's memory.
///
/// Every memory is a line in an append-only log: read it as of any moment, branch it, merge it, undo anything.
#[derive(Parser)]
#[command(name = "memtape", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    /// The values of the options that commands share.
    #[arg(skip)]
    pub(crate) shared: SharedArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands in the help, by heading. Document 1's own spellings work too, and are not listed.
const GROUPS: [(&str, &[&str]); 10] = [
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
            "inspect",
        ],
    ),
    ("Notes and files", &["note", "file", "zone"]),
    ("Facts", &["fact", "view", "add", "search", "prune", "consolidate", "decay"]),
    ("Blocks", &["block"]),
    ("Agents", &["agent", "reflect", "heartbeat", "turn", "prompt", "tool", "journal", "ingest"]),
    ("Connecting agents", &["setup", "mcp", "serve", "token", "hook", "memory-tool"]),
    ("Tape", &["tape", "verify", "stats", "export", "import", "backfill", "backup", "restore"]),
    ("Many machines", &["clone", "push"]),
    ("Maintenance", &["config", "doctor", "scan", "reindex", "trust", "demo", "completions", "man"]),
];
/// How wide the names of commands are in the help.
const NAME_WIDTH: usize = 14;
/// The command that never fails.
const HOOK: &str = "hook";
const HELP: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}";

impl Cli {
    /// Returns the command line's definition, with its help in groups.
    pub(crate) fn grouped() -> clap::Command {
        let command = shared::add(<Self as clap::CommandFactory>::command());
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
    /// [`clap::Error`] if the arguments do not match a command, and to print the help or the version that was asked for.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut command = Self::grouped().color(color_of(env::args_os()).choice());
        let matches = command.try_get_matches_from_mut(env::args_os()).map_err(without_tip)?;
        let shared = shared::values(&mut command, &matches)?;
        Ok(Self { shared, ..Self::from_arg_matches(&matches)? })
    }
}

/// Returns whether a command line that cannot be parsed is one of `hook`.
pub(crate) fn names_hook(line: impl Iterator<Item = OsString>) -> bool {
    let command = Cli::grouped();
    let option = |word: &str| {
        let is_named = |option: &&clap::Arg| match word.strip_prefix("--") {
            Some(long) => option.get_long() == Some(long),
            None => option.get_short().is_some_and(|short| word.chars().skip(1).eq([short])),
        };
        command.get_arguments().find(is_named)
    };
    // Whether the next word is the value of an option, and whether it may be: that of an unknown option.
    let (mut is_value, mut may_be_value) = (false, false);
    // An option without a value, as in `-C $DIR hook` with an empty variable, takes the command for its value.
    let mut is_swallowed = false;
    for word in line.skip(1) {
        let word = word.to_string_lossy();
        if is_value {
            is_swallowed |= word == HOOK;
            is_value = false;
        } else if word.starts_with('-') {
            let option = option(&word);
            is_value = option.is_some_and(|option| option.get_action().takes_values());
            may_be_value = option.is_none();
        } else if command.find_subcommand(&*word).is_some() {
            return word == HOOK;
        } else if !may_be_value {
            break;
        }
    }
    is_swallowed
}

/// Removes the advice to pass an unknown option as a value: nobody means the text `--at` as one.
fn without_tip(mut error: clap::Error) -> clap::Error {
    let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    if error.kind() == ErrorKind::UnknownArgument && unknown.is_some_and(|unknown| unknown.starts_with("--"))
    {
        error.remove(ContextKind::Suggested);
    }
    error
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Create a workspace
    Init {
        /// The directory [default: -C, else the current one]
        dir: Option<PathBuf>,
    },
    /// Trust the tape of a directory, or list the trusted ones
    Trust {
        /// The directory
        dir: Option<PathBuf>,
        /// Remove it from the trusted directories
        #[arg(long, requires = "dir")]
        remove: bool,
    },
    /// Run a tour on a sample conversation in a temporary directory
    Demo {
        /// Keep the demo's workspace in this directory
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
    },
    /// Copy the memory of an upstream into a new workspace
    ///
    /// The workspace is a replica of the upstream: other machines with a replica have the same memory. The address is kept
    /// in your own configuration, with its password. Use `memtape restore` for a backup: a replica would write into it.
    Clone {
        /// The address: postgres://USER:PASSWORD@HOST/DATABASE?workspace=NAME, s3://BUCKET/PREFIX, gs://, az:// or file://
        url: String,
        /// The directory, which has no workspace yet
        dir: PathBuf,
    },
    /// Copy the workspace to a new upstream, and make it a replica
    ///
    /// An interrupted push continues when you repeat it. A replica of another upstream leaves that one.
    Push {
        /// The address: postgres://USER:PASSWORD@HOST/DATABASE?workspace=NAME, s3://BUCKET/PREFIX, gs://, az:// or file://
        url: String,
        /// Create a new tape if the upstream of this replica has lost its own
        #[arg(long)]
        anew: bool,
    },
    /// Show what the workspace contains
    Status,
    /// Check every line of the tape against its hash chain
    Verify {
        /// A directory that contains a tape.jsonl [default: the workspace]
        dir: Option<PathBuf>,
    },
    /// Find passwords, keys and other secrets
    ///
    /// Searches the tape, notes, files/ and its git history, mirror/, archive/ and HEARTBEAT.md, and reports where each
    /// secret is. It does not search the configuration.
    Scan {
        /// Replace them by `[redacted:KIND]`, also at earlier points. Files that you edit, such as notes, and the git
        /// history of files/ are rewritten; its signatures, stashes, git notes, remote branches and linked worktrees are
        /// dropped
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
        /// Compute the missing vectors instead, so that recall finds messages by meaning. An interrupted run continues the
        /// next time
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
    Ingest(IngestArgs),
    /// Import the memory of another program
    ///
    /// Each item is imported once, however often you run it; an interrupted import continues. Nothing that exists is
    /// overwritten, secrets are redacted, and PATH is only read. docs/IMPORT.md lists what becomes of what. An export of
    /// memtape keeps its history, so it needs an empty workspace, or one with the beginning of the same tape.
    Import(ImportArgs),
    /// Chat with an agent that uses this memory
    ///
    /// The agent is the language model of the configuration (model.provider, model.name) with memtape's tools. Without -m
    /// it is a chat on the terminal. Afterwards, facts are extracted from the conversation.
    Agent(AgentArgs),
    /// Write notes about a conversation
    ///
    /// A language model reads what was said since the last reflection, and writes facts and episodes, in one commit.
    Reflect(ReflectArgs),
    /// Maintain the memory at regular intervals
    ///
    /// Extracts facts from recent conversations, writes notes about those that have paused, removes duplicates and expired
    /// memories, computes vectors, and gives the tasks in HEARTBEAT.md to the agent. Without a model, it only removes
    /// duplicates and expired memories and computes vectors. It runs until you stop it; use --once from cron.
    Heartbeat(HeartbeatArgs),
    /// Check the configured language models
    ///
    /// Sends each a short question.
    Doctor,
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
    /// Forget memories by ref or by words
    ///
    /// Statements, facts, blocks, and lines and notes of the zone. Earlier points still show them.
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
    /// Reads MEMORY.md, HISTORY.md, YYYY-MM-DD.md, and the folders episodic, semantic and procedural. A file that has
    /// changed since is imported as a whole, including what was forgotten.
    Backfill {
        /// The directory with these files, or the one above its directory memory [default: the workspace]
        dir: Option<PathBuf>,
        /// Import files again that were imported before, including what was forgotten since
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
    /// Count entries, messages, turns, commits and memories
    Stats {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Export the memory to a file or a directory
    ///
    /// Everything that the audience may see at the point is exported, without what is confidential. The owner's
    /// export in the format jsonl is the tape up to the point, with all branches; `import memtape` reads it.
    Export(ExportArgs),
    /// Back up the tape to object storage or a directory
    ///
    /// Each run adds what is new, and erases in the backup what was erased here. The tape has the whole memory with its
    /// history; the configuration is not on it. A damaged tape, or another tape than that of the backup, is refused.
    Backup(BackupArgs),
    /// Restore a workspace from a backup
    ///
    /// Writes the tape, byte for byte, and checks each line against the hash chain. An interrupted restoration continues
    /// when it is run again.
    Restore(RestoreArgs),
    /// Show a memory and where it came from, or a commit
    Show {
        /// FORM:KEY, or FORM:KEY@ENTRY for one version; a block's name; a commit as @ENTRY, or by its id (at least 7 digits)
        #[arg(value_name = "REF|COMMIT")]
        reference: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Explain where a memory came from and where it was used
    ///
    /// Shows the message it was captured from, every change to it, and every turn it was recalled for.
    Why {
        /// FORM:KEY, or FORM:KEY@ENTRY for one version; or a block's name
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
    /// Run commands of Claude's memory tool from standard input
    ///
    /// Each command is the input of a call of Anthropic's tool memory_20250818, as JSON: {"command":"view",
    /// "path":"/memories"}. /memories/facts and /memories/episodes contain the notes, other folders below /memories the
    /// files. Without --lines there is one command: its reply is printed, or its error, with exit code 1.
    MemoryTool(MemoryToolArgs),
    /// Add memtape to an MCP client, or remove it
    ///
    /// Adds the server to the client's own configuration, and hooks for Claude Code and Codex. Everything else in it stays
    /// as it is. With -C, the client uses that workspace; otherwise $MEMTAPE_WORKSPACE, else ~/.memtape.
    Setup(SetupArgs),
    /// Serve one agent over standard input and output (MCP)
    Mcp(McpArgs),
    /// Look at the memory in a browser, and take back what is wrong
    Inspect(InspectArgs),
    /// Serve agents over HTTP: MCP, JSON and the inspector
    Serve(ServeArgs),
    /// Manage the tokens of the HTTP server
    #[command(subcommand)]
    Token(TokenCommand),
    /// Handle an event of a coding agent, from its hooks
    Hook(HookArgs),
}

impl Command {
    /// Whether the command uses no pager although it has the option: it prints as much as it was asked for, or has no end.
    pub(crate) fn is_unpaged(&self) -> bool {
        match self {
            Self::Recall(args) => args.limit.is_some(),
            Self::Journal(args) => args.follow,
            _ => false,
        }
    }

    /// Whether the command may write, so that it needs a workspace that was chosen on purpose.
    pub(crate) fn may_write(&self) -> bool {
        match self {
            Self::Scan { redact } => *redact,
            // Only the tool itself reports whether it writes, once the workspace is open.
            Self::Tool(tool) => matches!(tool, ToolCommand::Call { .. }),
            Self::MemoryTool(_) => true,
            _ => self.writes(),
        }
    }

    /// Whether the command writes.
    pub(crate) fn writes(&self) -> bool {
        match self {
            Self::Status
            | Self::MemoryTool(_)
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
            | Self::Backup(_)
            | Self::Restore(_)
            | Self::Export(_) => false,
            Self::Import(args) => !args.dry_run && !args.detects(),
            // A tool says itself whether it writes.
            Self::Tool(tool) => !matches!(tool, ToolCommand::Call { .. }),
            Self::Zone(zone) => zone.writes(),
            Self::Journal(args) => args.command.as_ref().is_some_and(JournalCommand::writes),
            Self::Fact(fact) => fact.writes(),
            Self::Note(note) => note.writes(),
            Self::Block(block) => block.writes(),
            Self::File(file) => file.writes(),
            Self::Branch(branch) => branch.writes(),
            Self::Consolidate(args) => args.apply_safe || args.model,
            Self::Tape(tape) => matches!(
                tape,
                TapeCommand::Append { .. }
                    | TapeCommand::Handoff { .. }
                    | TapeCommand::Archive { .. }
                    | TapeCommand::Reset { .. }
            ),
            Self::Init { .. }
            | Self::Clone { .. }
            | Self::Push { .. }
            | Self::Trust { .. }
            | Self::Demo { .. }
            | Self::Verify { .. }
            | Self::Scan { .. }
            | Self::Config { .. }
            | Self::Reindex { .. }
            | Self::Completions { .. }
            | Self::Man { .. }
            | Self::Ingest(_)
            | Self::Agent(_)
            | Self::Reflect(_)
            | Self::Heartbeat(_)
            | Self::Doctor
            | Self::Turn(_)
            | Self::Add(_)
            | Self::Forget(_)
            | Self::Prune(_)
            | Self::Backfill { .. }
            | Self::Setup(_)
            | Self::Mcp(_)
            | Self::Inspect(_)
            | Self::Serve(_)
            | Self::Token(_)
            | Self::Hook(_)
            | Self::Remember(_) => true,
        }
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
