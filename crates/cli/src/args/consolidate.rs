//! The arguments of `consolidate`.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use clap::Args;

use super::AskingArgs;

#[derive(Args)]
pub(crate) struct ConsolidateArgs {
    /// Only say what there is to do; that is what it does without being told
    #[arg(long, conflicts_with = "apply_safe")]
    pub(crate) report: bool,
    /// Retire what says exactly the same as something that stays, of one scope and sensitivity, and what has had its time
    /// (earlier points still show it)
    #[arg(long)]
    pub(crate) apply_safe: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}
