//! The arguments of `import`.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use std::path::PathBuf;

use clap::Args;
use memtape::Session;
use memtape_import::sources;

/// The word in place of a source that asks what a path holds.
const DETECT: &str = "detect";
/// How wide the names of sources are in the help.
const NAME_WIDTH: usize = 16;

#[derive(Args)]
#[command(after_help = list_of_sources())]
pub(crate) struct ImportArgs {
    /// The program that wrote the memory, or `detect` to list those whose memory PATH looks like
    pub(crate) source: String,
    /// The file or folder; it is only read
    pub(crate) path: PathBuf,
    /// Report what the import would do, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The session of messages that name none
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
    pub(crate) session: Session,
    /// Capture statements from what people said, as of the time when they said it
    #[arg(long)]
    pub(crate) capture: bool,
}

impl ImportArgs {
    /// Whether it only asks what a path holds.
    pub(crate) fn detects(&self) -> bool {
        self.source == DETECT
    }
}

fn list_of_sources() -> String {
    let mut list = String::from("Sources:\n");
    for source in sources::all() {
        list.push_str(&format!("  {:NAME_WIDTH$}{}\n", source.name(), source.about()));
    }
    list
}
