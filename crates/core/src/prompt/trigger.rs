//! What a prompt ends with: the message, tick or job that the model is to answer.
//!
//! **Invariant.** It is never cut, and is a message of its own. What others than the owner say stands in it between
//! delimiters that it cannot contain, and their names between quotation marks.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::data::{close, harmless, label, open};
use super::recalled::quoted;
use crate::turn;

/// The delimiters of what others than the owner say.
const TAG: &str = "trigger";

/// A trigger, as a prompt shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// What it is.
    pub kind: turn::Trigger,
    /// Who wrote it, where it is a message.
    pub from: String,
    /// What it says.
    pub text: String,
    /// The message it replies to.
    pub reply_to: Option<String>,
    /// When.
    pub at: Timestamp,
    /// Whether the owner wrote it: then it stands as it is.
    pub is_the_owners: bool,
}

impl Trigger {
    /// The trigger as a prompt shows it.
    #[must_use]
    pub fn text(&self, zone: &TimeZone) -> String {
        let now = zone.to_datetime(self.at).strftime("%A, %-d %B %Y, %H:%M").to_string();
        let zone = zone.iana_name().unwrap_or("UTC");
        let head = match self.kind {
            turn::Trigger::Message if self.is_the_owners => format!("[Message from {}]", quoted(&self.from)),
            turn::Trigger::Message => format!("[Message from \"{}\"]", label(&self.from)),
            turn::Trigger::Perch => "[Perch tick]".to_owned(),
            turn::Trigger::Cron => "[Scheduled job]".to_owned(),
        };
        let reply_to = match &self.reply_to {
            Some(text) => format!("In reply to: \"{}\"\n", quoted(text)),
            None => String::new(),
        };
        let head = format!("It is {now} ({zone}).\n{reply_to}{head}:");
        match self.is_the_owners {
            true => format!("{head} {}", self.text),
            false => format!("{head}\n{}{}\n{}", open(TAG, &[]), harmless(&self.text), close(TAG)),
        }
    }
}
