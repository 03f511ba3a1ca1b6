//! The arguments of the commands of blocks.

use clap::Subcommand;
use memtape::BlockLayer;

use super::AudienceArgs;
use super::values::{at_least_one, not_a_flag};

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
    Get {
        /// Its name
        name: String,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Set a block; every version is kept
    Set {
        /// Its name
        name: String,
        /// What it is to say; - for standard input, without the end of its last line
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        value: String,
        /// The layer of a new name [default: 4], or the one that an old name is moved to: 2 (identity), 3 (semantic) or 4
        /// (working)
        #[arg(long, value_name = "N", value_parser = layer)]
        layer: Option<BlockLayer>,
        /// Why; it is kept beside
        #[arg(long)]
        reason: Option<String>,
    },
    /// Show the versions of a block, newest first
    History {
        /// Its name
        name: String,
        /// At most so many
        #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
        limit: Option<usize>,
        #[command(flatten)]
        audience: AudienceArgs,
    },
    /// Restore a block as it was at a point
    Restore {
        /// Its name
        name: String,
        /// Why; it is kept beside
        #[arg(long)]
        reason: Option<String>,
    },
    /// Approve a proposed change of the identity layer
    ///
    /// Without a name it shows the pending proposals.
    Approve {
        /// The block's name; with @ENTRY, only what that entry proposed
        name: Option<String>,
        /// Although the block was changed since it was proposed
        #[arg(long, requires = "name")]
        force: bool,
        /// Why; it is kept beside
        #[arg(long, requires = "name")]
        reason: Option<String>,
    },
    /// Reject a proposed change of the identity layer
    Reject {
        /// The block's name
        name: String,
        /// Why; it is kept beside
        #[arg(long)]
        reason: Option<String>,
    },
}

impl BlockCommand {
    /// Whether it writes.
    pub(super) fn writes(&self) -> bool {
        match self {
            Self::List { .. } | Self::Get { .. } | Self::History { .. } => false,
            Self::Approve { name, .. } => name.is_some(),
            Self::Set { .. } | Self::Restore { .. } | Self::Reject { .. } => true,
        }
    }
}

fn layer(text: &str) -> Result<BlockLayer, String> {
    let layer = BlockLayer::ALL.into_iter().find(|layer| layer.number().to_string() == text);
    layer.ok_or_else(|| "the layers of blocks are 2 (identity), 3 (semantic) and 4 (working)".into())
}
