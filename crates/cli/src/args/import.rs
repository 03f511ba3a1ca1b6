//! The arguments of `import`.

use std::path::PathBuf;

use clap::Args;
use memtape::Session;
use memtape_import::sources;

/// The word in place of a source that asks what a path holds.
const DETECT: &str = "detect";
/// The word in place of a source for an export of memtape.
pub(crate) const MEMTAPE: &str = "memtape";
/// What it reads.
pub(crate) const MEMTAPE_ABOUT: &str = "an export in the format jsonl, or the tape of another workspace";
/// How wide the names of sources are in the help.
const NAME_WIDTH: usize = 16;

#[derive(Args)]
#[command(after_help = list_of_sources())]
pub(crate) struct ImportArgs {
    /// The program that wrote the memory, `memtape` for an export with its history, or `detect` to list the programs
    /// whose memory PATH looks like
    pub(crate) source: String,
    /// The file or directory, which is only read; with `memtape`, - is standard input
    pub(crate) path: PathBuf,
    /// Report what the import would do, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The session of messages that name none [default: cli:direct]
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
    /// Capture statements from what people said, as of the time when they said it
    #[arg(long)]
    pub(crate) capture: bool,
    /// With `memtape`, import a tape in which entries are missing, such as the export of a damaged workspace
    #[arg(long)]
    pub(crate) allow_gaps: bool,
}

impl ImportArgs {
    /// Whether it only asks what a path holds.
    pub(crate) fn detects(&self) -> bool {
        self.source == DETECT
    }

    /// Whether it imports an export of memtape.
    pub(crate) fn is_memtape(&self) -> bool {
        self.source == MEMTAPE
    }

    /// Returns an option that was given and does not apply to the source.
    pub(crate) fn option_of_other_sources(&self) -> Option<&'static str> {
        let (detects, is_memtape) = (self.detects(), self.is_memtape());
        let options = [
            ("--session", self.session.is_some(), !detects && !is_memtape),
            ("--capture", self.capture, !detects && !is_memtape),
            ("--allow-gaps", self.allow_gaps, is_memtape),
            ("--dry-run", self.dry_run, !detects),
        ];
        options.into_iter().find_map(|(option, is_given, applies)| (is_given && !applies).then_some(option))
    }
}

fn list_of_sources() -> String {
    let mut list = format!("Sources:\n  {MEMTAPE:NAME_WIDTH$}{MEMTAPE_ABOUT}\n");
    for source in sources::all() {
        list.push_str(&format!("  {:NAME_WIDTH$}{}\n", source.name(), source.about().reads));
    }
    list
}
