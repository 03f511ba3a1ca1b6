//! The arguments of the commands of notes.

use clap::Subcommand;

use super::AudienceArgs;
use super::points::{DiffVersions, LogVersions, RestoredVersion};
use super::values::{ContentArg, NotAsked, not_a_flag};

const PATH_HELP: &str = "FOLDER/NAME.md";

#[derive(Subcommand)]
pub(crate) enum NoteCommand {
    /// List the notes with their size and summary
    List {
        /// Print the index that a prompt shows instead; nothing if there are no notes
        #[arg(long)]
        index: bool,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Print a note
    #[command(alias = "read")]
    Show {
        #[arg(help = PATH_HELP)]
        path: String,
        /// Show its sections with their refs and dates instead
        #[arg(long)]
        sections: bool,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Write or overwrite a note
    ///
    /// Its summary is kept up to date.
    Write {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        content: ContentArg,
    },
    /// Replace a text that occurs exactly once in a note
    Patch {
        #[arg(help = PATH_HELP)]
        path: String,
        /// The text to replace (repeatable with --new: either all are replaced, or none)
        #[arg(long, value_name = "TEXT", required = true, allow_hyphen_values = true)]
        old: Vec<String>,
        /// The new text
        #[arg(long, value_name = "TEXT", required = true, allow_hyphen_values = true)]
        new: Vec<String>,
    },
    /// Append an entry to a note
    ///
    /// A missing note is created.
    Append {
        #[arg(help = PATH_HELP)]
        path: String,
        /// The entry, as Markdown; - for standard input
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        entry: String,
        /// The file's summary [default: made of its entries]
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        summary: Option<String>,
    },
    /// Show the versions of a note, newest first
    Log {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        shown: LogVersions,
    },
    /// Compare two versions of a note
    Diff {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        sides: DiffVersions,
    },
    /// Restore an earlier version of a note
    Restore {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        version: RestoredVersion,
    },
    /// Split a long month's note into notes of its weeks
    Split {
        #[arg(help = PATH_HELP)]
        path: String,
    },
    /// Delete a note
    ///
    /// Earlier points still show it.
    Delete {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        not_asked: NotAsked,
    },
}

impl NoteCommand {
    /// Returns whether the command writes.
    pub(super) fn writes(&self) -> bool {
        !matches!(self, Self::List { .. } | Self::Show { .. } | Self::Log { .. } | Self::Diff { .. })
    }
}
