//! The arguments of `setup`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use memtape_setup::Client;

#[derive(Args)]
pub(crate) struct SetupArgs {
    /// The client
    #[arg(value_parser = PossibleValuesParser::new(Client::ALL.map(Client::id)).try_map(|id| id.parse::<Client>()))]
    pub(crate) client: Client,
    /// Change the files of the project in the current directory, instead of your own
    #[arg(long)]
    pub(crate) project: bool,
    /// Remove memtape from the client
    #[arg(long)]
    pub(crate) remove: bool,
    /// Print what to add to which file, and change nothing
    #[arg(long, conflicts_with_all = ["remove", "dry_run"])]
    pub(crate) print: bool,
    /// Print the changes as a diff, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write a plugin for Claude Code to this directory, and change no configuration
    #[arg(long, value_name = "DIR", conflicts_with_all = ["project", "remove"])]
    pub(crate) plugin: Option<PathBuf>,
}
