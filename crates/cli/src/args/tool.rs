//! The arguments of the `tool` commands.

use clap::Subcommand;
use memtape::Toolset;

use super::AudienceArgs;

#[derive(Subcommand)]
pub(crate) enum ToolCommand {
    /// List the tools with their arguments
    List {
        /// Include the owner's tools
        #[arg(long)]
        owner: bool,
        /// Only the tools of this set: core, ledger, notes or blocks (repeatable)
        #[arg(long, value_name = "TOOLSET")]
        toolset: Vec<Toolset>,
    },
    /// Call a tool
    Call {
        /// The tool's name
        name: String,
        /// Its arguments, as a JSON object
        #[arg(default_value = "{}")]
        arguments: String,
        #[command(flatten)]
        audience: AudienceArgs,
        /// Allow the owner's tools
        #[arg(long)]
        owner: bool,
        /// Allow only the tools of this set: core, ledger, notes or blocks (repeatable)
        #[arg(long, value_name = "TOOLSET")]
        toolset: Vec<Toolset>,
    },
}
