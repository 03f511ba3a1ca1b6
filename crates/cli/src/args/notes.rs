//! The arguments of the commands of notes.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use clap::Subcommand;

use super::AudienceArgs;
use super::values::not_a_flag;

#[derive(Subcommand)]
pub(crate) enum NoteCommand {
    /// List the notes with their size and summary
    List {
        /// Print what a prompt is told of them instead; nothing when there are none
        #[arg(long)]
        index: bool,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Print a note
    Read {
        /// FOLDER/NAME.md
        path: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Write or overwrite a note
    ///
    /// Its summary is kept up to date.
    Write {
        /// FOLDER/NAME.md
        path: String,
        /// The text [default: standard input]
        #[arg(default_value = "-", hide_default_value = true, allow_hyphen_values = true, value_parser = not_a_flag)]
        text: String,
    },
    /// Replace a text that occurs exactly once in a note
    Patch {
        /// FOLDER/NAME.md
        path: String,
        /// The text that stands there (with --new, may be given more than once: all are replaced, or none)
        #[arg(long, value_name = "TEXT", required = true, allow_hyphen_values = true)]
        old: Vec<String>,
        /// The text that is to stand there
        #[arg(long, value_name = "TEXT", required = true, allow_hyphen_values = true)]
        new: Vec<String>,
    },
    /// Append an entry to a note
    ///
    /// A missing note is created.
    Append {
        /// FOLDER/NAME.md
        path: String,
        /// The entry, as Markdown; - for standard input
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        entry: String,
        /// The file's summary [default: made of its entries]
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        summary: Option<String>,
    },
    /// Show the changes of a note, newest first
    Log {
        /// FOLDER/NAME.md
        path: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Show the sections of a note with their refs and dates
    Show {
        /// FOLDER/NAME.md
        path: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Compare a note at two points
    Diff {
        /// FOLDER/NAME.md
        path: String,
        /// The first point [default: before the last change]
        from: Option<String>,
        /// The second point [default: --at, else now]
        to: Option<String>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Restore a note as it was at a point
    Restore {
        /// FOLDER/NAME.md
        path: String,
    },
    /// Split a long month's note into notes of its weeks
    Split {
        /// FOLDER/NAME.md
        path: String,
    },
    /// Delete a note
    ///
    /// Earlier points still show it.
    Delete {
        /// FOLDER/NAME.md
        path: String,
    },
}

impl NoteCommand {
    /// Whether it writes.
    pub(super) fn writes(&self) -> bool {
        !matches!(
            self,
            Self::List { .. } | Self::Read { .. } | Self::Log { .. } | Self::Show { .. } | Self::Diff { .. }
        )
    }
}
