//! The arguments of the commands of files.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use clap::Subcommand;

use super::AudienceArgs;
use super::points::{DiffPoints, RestoredVersion};
use super::values::{NotAsked, at_least_one, not_a_flag};

#[derive(Subcommand)]
pub(crate) enum FileCommand {
    /// List the files with the day of their last change
    List {
        /// Only those in this folder, such as insights or research/tea
        folder: Option<String>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Write a file, or overwrite one
    Write {
        /// The path below files/, such as drafts/plan.md
        path: String,
        /// The text [default: standard input]
        #[arg(default_value = "-", hide_default_value = true, allow_hyphen_values = true, value_parser = not_a_flag)]
        text: String,
    },
    /// Print a file
    Show {
        /// The path below files/, such as drafts/plan.md
        path: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Show the versions of a file, newest first
    Log {
        /// The path below files/, such as drafts/plan.md
        path: String,
        /// Maximum number of versions
        #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
        limit: Option<usize>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Compare two versions of a file
    Diff {
        /// The path below files/, such as drafts/plan.md
        path: String,
        #[command(flatten)]
        points: DiffPoints,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Restore an earlier version of a file
    Restore {
        /// The path below files/, such as drafts/plan.md
        path: String,
        #[command(flatten)]
        version: RestoredVersion,
    },
    /// Move a file to archive/, where no index lists it
    Archive {
        /// The path below files/, such as drafts/plan.md
        path: String,
    },
    /// Delete a file
    ///
    /// Earlier points still show it.
    Delete {
        /// The path below files/, such as drafts/plan.md
        path: String,
        #[command(flatten)]
        not_asked: NotAsked,
    },
}

impl FileCommand {
    /// Returns whether the command writes.
    pub(super) fn writes(&self) -> bool {
        !matches!(self, Self::List { .. } | Self::Show { .. } | Self::Log { .. } | Self::Diff { .. })
    }
}
