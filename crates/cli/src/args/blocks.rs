//! The arguments of the commands of blocks.

use clap::Subcommand;
use memtape::BlockLayer;

use super::AudienceArgs;
use super::points::{DiffVersions, LogVersions, RestoredVersion};
use super::values::not_a_flag;

const NAME_HELP: &str = "The block's name";

#[derive(Subcommand)]
pub(crate) enum BlockCommand {
    /// List the blocks by layer, including empty known ones
    List {
        /// Only this layer: 2 (identity), 3 (semantic) or 4 (working)
        #[arg(long, value_name = "N", value_parser = layer)]
        layer: Option<BlockLayer>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Print a block
    #[command(alias = "get")]
    Show {
        #[arg(help = NAME_HELP)]
        name: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Set a block; every version is kept
    Set {
        #[arg(help = NAME_HELP)]
        name: String,
        /// The text; - for standard input, without its last line end
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        value: String,
        /// The layer of a new block [default: 4], or the layer to move a block to: 2 (identity), 3 (semantic) or 4 (working)
        #[arg(long, value_name = "N", value_parser = layer)]
        layer: Option<BlockLayer>,
        /// The reason, which is recorded
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Show the versions of a block, newest first
    #[command(alias = "history")]
    Log {
        #[arg(help = NAME_HELP)]
        name: String,
        #[command(flatten)]
        shown: LogVersions,
    },
    /// Compare two versions of a block
    Diff {
        #[arg(help = NAME_HELP)]
        name: String,
        #[command(flatten)]
        sides: DiffVersions,
    },
    /// Restore an earlier version of a block
    Restore {
        #[arg(help = NAME_HELP)]
        name: String,
        #[command(flatten)]
        version: RestoredVersion,
        /// The reason, which is recorded
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Approve a proposed change of the identity layer
    ///
    /// Without a name it shows the pending proposals.
    Approve {
        /// The block's name; with @ENTRY, only what that entry proposed
        name: Option<String>,
        /// Approve even if the block changed since the proposal
        #[arg(long, requires = "name")]
        force: bool,
        /// The reason, which is recorded
        #[arg(long, value_name = "TEXT", requires = "name", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Reject a proposed change of the identity layer
    Reject {
        #[arg(help = NAME_HELP)]
        name: String,
        /// The reason, which is recorded
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
}

impl BlockCommand {
    /// Returns whether the command writes.
    pub(super) fn writes(&self) -> bool {
        match self {
            Self::List { .. } | Self::Show { .. } | Self::Log { .. } | Self::Diff { .. } => false,
            Self::Approve { name, .. } => name.is_some(),
            Self::Set { .. } | Self::Restore { .. } | Self::Reject { .. } => true,
        }
    }
}

fn layer(text: &str) -> Result<BlockLayer, String> {
    let layer = BlockLayer::ALL.into_iter().find(|layer| layer.number().to_string() == text);
    layer.ok_or_else(|| "the layers of blocks are 2 (identity), 3 (semantic) and 4 (working)".into())
}
