//! The arguments of the commands that tell what was done: `log`, `diff`, `graph`, `view`, `stats`, `export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use memtape::export::Format;
use memtape::{Form, Lifetime};

use super::AudienceArgs;
use super::values::{Limit, at_least_one};

#[derive(Args)]
pub(crate) struct LogArgs {
    /// Print one line for each commit
    #[arg(long)]
    pub(crate) oneline: bool,
    /// Only what changed this form: blocks, files, ledger, notes, statements or zone
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<Form>,
    /// Maximum number of commits, or all
    #[arg(short = 'n', long, value_name = "N|all", default_value_t = Limit(Some(memtape::log::LOG_COMMITS)))]
    pub(crate) limit: Limit,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

#[derive(Args)]
pub(crate) struct DiffArgs {
    /// The first point, or a branch for its head [default: before the last commit]
    #[arg(value_name = "A")]
    pub(crate) from: Option<String>,
    /// The second point or branch [default: now]
    #[arg(value_name = "B")]
    pub(crate) to: Option<String>,
    /// Only this form: blocks, files, ledger, notes, statements or zone
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<Form>,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

#[derive(Args)]
pub(crate) struct GraphArgs {
    /// The format
    #[arg(long, value_name = "FORMAT", default_value = "mermaid")]
    pub(crate) format: GraphFormat,
    /// Print only the last N commits
    #[arg(short = 'n', long, value_name = "N", default_value_t = memtape::graph::GRAPH_COMMITS, value_parser = at_least_one)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

/// How a graph is drawn.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Mermaid's gitGraph, the bare diagram
    Mermaid,
    /// A line a commit, newest first, and a column a branch
    Timeline,
}

#[derive(Args)]
pub(crate) struct ViewArgs {
    /// Only facts of this topic, or of one below it
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// Only facts of this lifetime: permanent, session or temporary
    #[arg(long, value_name = "LIFETIME")]
    pub(crate) lifetime: Option<Lifetime>,
    /// Print only the N surest facts
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub(crate) limit: Option<usize>,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The file, or a directory for the format files; - for standard output [default: a name by the format, such as
    /// memtape.jsonl]
    #[arg(short, long, value_name = "FILE|DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The format
    #[arg(short, long, value_name = "FORMAT", default_value = "jsonl")]
    pub(crate) format: ExportFormat,
    /// Only this form: blocks, files, ledger, messages, notes, statements or zone
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<Form>,
    /// Include the commits of facts, for json and markdown with --form ledger, and for files for an audience
    #[arg(long)]
    pub(crate) history: bool,
    /// Include confidential memories
    #[arg(long)]
    pub(crate) confidential: bool,
    /// Replace an existing file, or the directory of an earlier export
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

/// The shape of an export.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A tape, with all history, for `import memtape`; without history for an audience or a form
    Jsonl,
    /// One JSON document
    Json,
    /// Markdown, to read
    Markdown,
    /// A directory of Markdown files; facts as a file for each event, commit and branch
    Files,
    /// A tape for Bub: long-term memory, daily notes and messages
    Bub,
    /// A file for the MCP reference server `memory`: facts as entities and relations
    McpMemory,
}

impl ExportFormat {
    /// The same in the library's words.
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Jsonl => Format::Jsonl,
            Self::Json => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Files => Format::Files,
            Self::Bub => Format::Bub,
            Self::McpMemory => Format::McpMemory,
        }
    }
}
