//! The arguments of the `zone` commands.

use clap::{ArgGroup, Subcommand};

use super::AudienceArgs;
use super::points::{DiffVersions, RestoredVersion};
use super::values::{NotAsked, at_least_one, not_a_flag, whole};

#[derive(Subcommand)]
pub(crate) enum ZoneCommand {
    /// Print long-term memory as a prompt gets it
    ///
    /// Prints nothing if it is empty.
    Show {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// List the lines and daily notes with their refs and dates
    List {
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Show the changes of long-term memory, newest first
    ///
    /// Changes of daily notes are included.
    Log {
        /// Maximum number of changes
        #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
        limit: Option<usize>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Compare long-term memory and daily notes at two points
    Diff {
        #[command(flatten)]
        sides: DiffVersions,
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
        #[arg(long, allow_negative_numbers = true)]
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
        /// Number of days to look back, today included [default: 7 days of notes; with QUERY, everything]
        #[arg(long, value_name = "N", value_parser = whole::<u32>)]
        days: Option<u32>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Forget a line by its text, or the note of a day
    ///
    /// Only those of the workspace, or of the chat or user that the options name. Earlier points still show them.
    #[command(group = ArgGroup::new("what").required(true))]
    Forget {
        /// A whole line, a part that only one line holds, or the day of a note: a date, yesterday, "2 days ago"
        #[arg(group = "what", allow_hyphen_values = true, value_parser = not_a_flag)]
        text: Option<String>,
        /// The day: a date, yesterday, "2 days ago"
        #[arg(group = "what", long, allow_negative_numbers = true)]
        date: Option<String>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Forget all lines and daily notes
    ///
    /// Only those of the workspace, or of the chat or user that the options name. Earlier points still show them.
    Clear {
        #[command(flatten)]
        audience: AudienceArgs,
        /// Do not ask for confirmation
        #[arg(short, long)]
        yes: bool,
    },
    /// Remove daily notes past their retention
    ///
    /// The retention is 30 days, or what the configuration says.
    Prune {
        #[command(flatten)]
        not_asked: NotAsked,
    },
    /// Restore long-term memory and daily notes of a point
    Restore {
        #[command(flatten)]
        version: RestoredVersion,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Print long-term memory and every daily note as Markdown
    Export {
        #[command(flatten)]
        audience: AudienceArgs,
    },
}

impl ZoneCommand {
    /// Returns whether the command writes.
    pub(super) fn writes(&self) -> bool {
        match self {
            Self::Show { .. }
            | Self::List { .. }
            | Self::Log { .. }
            | Self::Diff { .. }
            | Self::Recall { .. }
            | Self::Export { .. } => false,
            Self::Save { .. }
            | Self::Daily { .. }
            | Self::Forget { .. }
            | Self::Clear { .. }
            | Self::Prune { .. }
            | Self::Restore { .. } => true,
        }
    }
}
