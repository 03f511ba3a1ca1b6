//! The arguments of the commands that tell what was done: `log`, `diff`, `graph`, `view`, `stats`, `export`.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use clap::{Args, ValueEnum};
use memtape::Form;

use super::{AudienceArgs, at_least_one};

#[derive(Args)]
pub(crate) struct LogArgs {
    /// A line for each commit
    #[arg(long)]
    pub(crate) oneline: bool,
    /// Only what changed this form: ledger, statements or zone
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<Form>,
    /// At most so many commits
    #[arg(short = 'n', long, value_name = "N", default_value_t = memtape::log::LOG_COMMITS, value_parser = at_least_one)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

#[derive(Args)]
pub(crate) struct DiffArgs {
    /// A point, or a branch: its head
    #[arg(value_name = "A")]
    pub(crate) from: String,
    /// Another [default: the head]
    #[arg(value_name = "B", default_value = "head")]
    pub(crate) to: String,
    /// Only this form: ledger, statements or zone
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<Form>,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

#[derive(Args)]
pub(crate) struct GraphArgs {
    /// As what
    #[arg(long, value_name = "FORMAT", default_value = "mermaid")]
    pub(crate) format: GraphFormat,
    /// At most so many commits, the last ones
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
