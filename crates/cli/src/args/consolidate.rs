//! The arguments of `consolidate`.

use clap::Args;

use super::AskingArgs;

#[derive(Args)]
pub(crate) struct ConsolidateArgs {
    /// Only report, which is the default
    #[arg(long, conflicts_with = "apply_safe")]
    pub(crate) report: bool,
    /// Remove exact duplicates of the same scope and sensitivity, and expired memories (earlier points still show them)
    #[arg(long)]
    pub(crate) apply_safe: bool,
    /// Let the configured language model judge the findings and summarise old episodes. It removes nothing: what it wants
    /// to remove becomes an open conflict
    #[arg(long, conflicts_with_all = ["apply_safe", "report", "session", "user", "sender_id"])]
    pub(crate) model: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}
