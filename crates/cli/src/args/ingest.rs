//! The arguments of `ingest`.

use std::path::PathBuf;

use clap::Args;
use memtape::Session;

#[derive(Args)]
pub(crate) struct IngestArgs {
    /// The file, or - for standard input
    pub(crate) file: PathBuf,
    /// The session of messages that name none
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
    pub(crate) session: Session,
    /// Leave the vectors to `reindex --vectors`
    ///
    /// Until then, the messages are found by their words only.
    #[arg(long)]
    pub(crate) no_vectors: bool,
}
