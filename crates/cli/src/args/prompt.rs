//! The arguments of `prompt`: what a model would be shown.

use clap::{Args, ValueEnum};
use memtape::{Session, Toolset, Trigger};

use super::SpeakerArgs;
use super::values::whole;

#[derive(Args)]
pub(crate) struct PromptArgs {
    /// The conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]", default_value = "cli:direct")]
    pub(crate) session: Session,
    #[command(flatten)]
    pub(crate) speaker: SpeakerArgs,
    /// The speaker's name, as the channel gives it
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// What the model is to answer, which is never cut; - for standard input
    #[arg(
        short = 'm',
        long = "message",
        visible_alias = "trigger",
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(crate) trigger: String,
    /// What the trigger is: a message; perch, when time has passed; or cron, when a job's time has come
    #[arg(long, value_name = "KIND", default_value = "message")]
    pub(crate) kind: Trigger,
    /// Maximum number of tokens [default: prompt.budget, which is 32000]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>)]
    pub(crate) budget: Option<usize>,
    /// Only the tools of this set: core, ledger, notes, blocks or owner (repeatable) [default: all but owner]
    #[arg(long, value_name = "SET")]
    pub(crate) toolset: Vec<Toolset>,
    /// What to print
    #[arg(long, value_name = "WHAT", default_value = "text")]
    pub(crate) show: PromptShow,
}

/// The part of a prompt to print.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PromptShow {
    /// The prompt, to read
    Text,
    /// What each section takes of the budget, and what was left out of it
    Sections,
    /// The messages as JSON Lines, the system part first
    Messages,
    /// All of it as one JSON document
    Json,
}
