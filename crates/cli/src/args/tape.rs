//! The arguments of the `tape` commands.

use clap::{Args, Subcommand};
use memtape::{Kind, Session};

use super::values::{Limit, at_least_one, not_a_flag};

#[derive(Subcommand)]
pub(crate) enum TapeCommand {
    /// Print entries as they were written
    Log {
        #[command(flatten)]
        filter: EntryFilter,
        /// Not before: a date or time, "2 days ago"
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// Print only the last N entries, or all [default: all]
        #[arg(short = 'n', long, value_name = "N")]
        limit: Option<Limit>,
    },
    /// Print the anchors
    Anchors {
        /// Only those of this conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
        /// Include those of memtape itself (memory/*, branch/*)
        #[arg(long)]
        all: bool,
        /// Print only the last N entries, or all [default: all]
        #[arg(short = 'n', long, value_name = "N")]
        limit: Option<Limit>,
    },
    /// Print the entries that contain a text, newest first
    Search {
        /// The text, ignoring case
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        text: String,
        #[command(flatten)]
        filter: EntryFilter,
        /// Maximum number of entries
        #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = at_least_one)]
        limit: usize,
    },
    /// Print the entries after the last anchor of a name
    After {
        /// The anchor's name
        name: String,
        #[command(flatten)]
        filter: EntryFilter,
    },
    /// Print the entries between two anchors
    ///
    /// They are the last anchor END and the last anchor START before it.
    Between {
        /// The first anchor's name
        start: String,
        /// The second anchor's name
        end: String,
        #[command(flatten)]
        filter: EntryFilter,
    },
    /// Print the entries after the last anchor
    FromLastAnchor {
        #[command(flatten)]
        filter: EntryFilter,
    },
    /// Record an event
    Append {
        /// The event's name
        event: String,
        /// The data of the event, as JSON
        #[arg(long, value_name = "JSON")]
        data: Option<String>,
        /// The conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
        session: Session,
    },
    /// Mark where a model's context of a conversation begins
    Handoff {
        /// The anchor's name
        name: String,
        /// The state to hand over, as JSON
        #[arg(long, value_name = "JSON")]
        state: Option<String>,
        /// The conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
        session: Session,
    },
    /// Close tape.jsonl as a segment and begin a new one
    Archive {
        /// Do not ask for confirmation
        #[arg(short, long)]
        yes: bool,
    },
    /// Remove a conversation's messages, or everything
    ///
    /// Earlier points still show it.
    Reset {
        /// Close the tape's segment first
        #[arg(long)]
        archive: bool,
        /// Only this conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
        /// Do not ask for confirmation
        #[arg(short, long)]
        yes: bool,
    },
}

#[derive(Args, Default)]
pub(crate) struct EntryFilter {
    /// Only this kind: message, system, tool_call, tool_result, anchor, event, error (repeatable)
    #[arg(long, value_name = "KIND", value_parser = parse_kind)]
    pub(crate) kind: Vec<Kind>,
    /// Only this conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
}

fn parse_kind(text: &str) -> Result<Kind, String> {
    match Kind::from_name(text) {
        Kind::Other(_) => {
            Err("the kinds are message, system, tool_call, tool_result, anchor, event, error".into())
        }
        kind => Ok(kind),
    }
}
