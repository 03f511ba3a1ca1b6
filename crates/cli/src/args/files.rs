//! The arguments of the commands of files.

use clap::Subcommand;

use super::AudienceArgs;
use super::points::{DiffVersions, LogVersions, RestoredVersion};
use super::values::{ContentArg, NotAsked};

const PATH_HELP: &str = "The path below files/, such as drafts/plan.md";

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
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        content: ContentArg,
    },
    /// Print a file
    Show {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Show the versions of a file, newest first
    Log {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        shown: LogVersions,
    },
    /// Compare two versions of a file
    Diff {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        sides: DiffVersions,
    },
    /// Restore an earlier version of a file
    Restore {
        #[arg(help = PATH_HELP)]
        path: String,
        #[command(flatten)]
        version: RestoredVersion,
    },
    /// Move a file to archive/, where no index lists it
    Archive {
        #[arg(help = PATH_HELP)]
        path: String,
    },
    /// Delete a file
    ///
    /// Earlier points still show it.
    Delete {
        #[arg(help = PATH_HELP)]
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
