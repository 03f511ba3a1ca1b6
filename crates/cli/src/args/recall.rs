//! The arguments of `recall`.

use clap::Args;
use memtape::Form;

use super::AudienceArgs;
use super::values::{at_least_one, not_a_flag};

#[derive(Args)]
pub(crate) struct RecallArgs {
    /// Words, in any language
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
    /// Only this form: blocks, files, ledger, messages, notes, statements or zone (repeatable)
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Vec<Form>,
    /// Maximum number of hits [default: recall.max_results, which is 8]
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub(crate) limit: Option<usize>,
    /// Explain how each score is computed
    #[arg(long)]
    pub(crate) explain: bool,
}
