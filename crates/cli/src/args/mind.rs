//! The arguments of the commands that ask a language model.

use clap::Args;
use memtape::Session;

use super::SpeakerArgs;

#[derive(Args)]
pub(crate) struct AgentArgs {
    /// The message; - for standard input [default: a chat on the terminal]
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) message: Option<String>,
    /// The conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
    pub(crate) session: Session,
    #[command(flatten)]
    pub(crate) speaker: SpeakerArgs,
    /// Run a turn without a message: the agent does what is due, or stays silent. -m replaces its instructions
    #[arg(long, conflicts_with_all = ["user", "sender_id"])]
    pub(crate) perch: bool,
}

#[derive(Args)]
pub(crate) struct ReflectArgs {
    /// The conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
    pub(crate) session: Session,
}

#[derive(Args)]
pub(crate) struct HeartbeatArgs {
    /// Run once and exit
    #[arg(long, conflicts_with = "every")]
    pub(crate) once: bool,
    /// The time between two heartbeats: a number with s, m or h, such as 30m (m if omitted) [default: heartbeat.minutes]
    #[arg(long, value_name = "TIME")]
    pub(crate) every: Option<String>,
}
