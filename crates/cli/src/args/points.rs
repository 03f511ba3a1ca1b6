//! The arguments of the commands that list, compare and restore versions.

use clap::Args;

use super::AudienceArgs;
use super::values::at_least_one;

/// The versions that `log` lists.
#[derive(Args)]
pub(crate) struct LogVersions {
    /// Maximum number of versions
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub(crate) limit: Option<usize>,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

/// The versions that `diff` compares.
#[derive(Args)]
pub(crate) struct DiffVersions {
    #[command(flatten)]
    pub(crate) points: DiffPoints,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

/// The two sides of a comparison.
#[derive(Args)]
pub(crate) struct DiffPoints {
    /// The first version or point [default: before the last change]
    #[arg(value_name = "A")]
    pub(crate) from: Option<String>,
    /// The second version or point [default: now]
    #[arg(value_name = "B")]
    pub(crate) to: Option<String>,
}

/// The version to restore, unless `--at` names a point.
#[derive(Args)]
pub(crate) struct RestoredVersion {
    /// The version to restore, as `log` prints it: @ENTRY [default: --at]
    // The id `version` is that of clap's own --version.
    #[arg(id = "restored", value_name = "VERSION")]
    pub(crate) version: Option<String>,
}
