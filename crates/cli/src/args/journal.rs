//! The arguments of `journal` and `decay`: what happened, and what fades.

use clap::{Args, Subcommand, ValueEnum};
use memtape::journal::costs::By;
use memtape::{Form, Session};

use super::AudienceArgs;
use super::values::{Limit, at_least_one, whole};

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct JournalArgs {
    #[command(subcommand)]
    pub(crate) command: Option<JournalCommand>,
    /// Only these types, such as trigger, decision or error; several with commas between
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',')]
    pub(crate) types: Vec<String>,
    #[command(flatten)]
    pub(crate) when: WhenArgs,
    /// Print only the last N lines, or all [default: all; on a terminal without a filter, 40]
    #[arg(short = 'n', long, alias = "tail", value_name = "N")]
    pub(crate) limit: Option<Limit>,
    /// Keep printing lines as they are added, until interrupted
    #[arg(short, long, conflicts_with = "until")]
    pub(crate) follow: bool,
    /// Only this conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
    /// Only lines that contain this text, ignoring case
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) grep: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum JournalCommand {
    /// Add a line to the journal
    ///
    /// A decision, an error, what was read, what a call cost, or a type of your own.
    Add {
        /// Its type: lower-case letters, digits and _
        #[arg(value_name = "TYPE")]
        kind: String,
        /// Its data, as a JSON object
        #[arg(long, value_name = "JSON")]
        data: String,
        /// The conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
        session: Session,
    },
    /// Sum up the costs of model calls
    Costs {
        /// By what
        #[arg(long, value_name = "WHAT", default_value = "model")]
        by: CostsBy,
        #[command(flatten)]
        when: WhenArgs,
        /// Only this conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
    },
}

impl JournalArgs {
    /// Returns whether a filter is set.
    pub(crate) fn is_filtered(&self) -> bool {
        let Self { types, when, session, grep, .. } = self;
        !types.is_empty()
            || when.since.is_some()
            || when.until.is_some()
            || session.is_some()
            || grep.is_some()
    }
}

impl JournalCommand {
    /// Returns whether the command writes.
    pub(crate) fn writes(&self) -> bool {
        matches!(self, Self::Add { .. })
    }
}

/// From when to when.
#[derive(Args)]
pub(crate) struct WhenArgs {
    /// Not before: how long ago ("1h", "2 days"), a day, or a time
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Not after: how long ago, a day, or a time
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
}

/// What costs are summed up by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostsBy {
    /// The model
    Model,
    /// The day
    Day,
    /// The conversation
    Session,
}

impl CostsBy {
    /// The same in the library's words.
    pub(crate) fn by(self) -> By {
        match self {
            Self::Model => By::Model,
            Self::Day => By::Day,
            Self::Session => By::Session,
        }
    }
}

/// Parses the form of memories that decay.
fn decaying(text: &str) -> Result<Form, String> {
    let expected = || "expected blocks, files, ledger, notes, statements or zone".to_owned();
    text.parse().ok().filter(|form| *form != Form::MESSAGES).ok_or_else(expected)
}

#[derive(Args)]
pub(crate) struct DecayArgs {
    /// Number of days without use
    #[arg(long, value_name = "N", default_value_t = memtape::decay::DAYS, value_parser = whole::<u32>)]
    pub(crate) days: u32,
    /// Only this form: blocks, files, ledger, notes, statements or zone
    #[arg(long, value_name = "FORM", value_parser = decaying)]
    pub(crate) form: Option<Form>,
    /// Print only the N weakest memories
    #[arg(short = 'n', long, value_name = "N", default_value_t = memtape::decay::LISTED, value_parser = at_least_one)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}
