//! The arguments of `turn`.

use clap::Args;
use memtape::{Session, Trigger};

use super::SpeakerArgs;

#[derive(Args)]
pub(crate) struct TurnArgs {
    /// The message; for --trigger perch or cron, the context; - for standard input
    #[arg(required_unless_present = "message")]
    text: Option<String>,
    /// The same, as an option
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "text")]
    message: Option<String>,
    /// What begins the turn: a message; perch, when time has passed; or cron, when a job is due. Only messages are
    /// captured from
    #[arg(long, value_name = "KIND", default_value = "message")]
    pub(crate) trigger: Trigger,
    /// The conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
    pub(crate) session: Session,
    #[command(flatten)]
    pub(crate) speaker: SpeakerArgs,
    /// The speaker's name, as the channel gives it
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// When it was said, where that is not now
    #[arg(long, value_name = "TIME")]
    pub(crate) date: Option<String>,
    /// The message it replies to
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reply_to: Option<String>,
    /// What the agent answers; - for standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reply: Option<String>,
    /// A tool that the agent called, with its arguments (repeatable)
    #[arg(long, value_name = "NAME[=JSON]")]
    pub(crate) tool: Vec<String>,
    /// What a tool gave: the first of these belongs to the first --tool, and so on; - for standard input
    #[arg(long, value_name = "TEXT", requires = "tool", allow_hyphen_values = true)]
    pub(crate) tool_result: Vec<String>,
    /// What the agent has still to do (repeatable)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) pending: Vec<String>,
}

impl TurnArgs {
    /// Returns what was said, as an argument or as an option.
    pub(crate) fn said(&self) -> &str {
        self.text.as_deref().or(self.message.as_deref()).unwrap_or_default()
    }
}
