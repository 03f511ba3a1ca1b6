//! The arguments of `memory-tool`.

use clap::Args;

use super::AudienceArgs;

#[derive(Args)]
pub(crate) struct MemoryToolArgs {
    /// Read one command from each line until the input ends, and answer each with a line
    /// {"content":TEXT,"is_error":BOOL}
    #[arg(long)]
    pub(crate) lines: bool,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}
