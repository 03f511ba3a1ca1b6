//! The end of a prompt: the message, tick or job that the model answers.
//!
//! **Invariant.** It is never cut, and is a separate message. Text by anyone but the owner is enclosed in delimiters
//! that it cannot contain, and their names are quoted.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::data::{close, harmless, label, open};
use super::recalled::quoted;
use crate::turn;

/// The delimiter of text by anyone but the owner.
const TAG: &str = "trigger";

/// A trigger of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// Its kind.
    pub kind: turn::Trigger,
    /// The author of a message.
    pub from: String,
    /// Its text.
    pub text: String,
    /// The message it replies to.
    pub reply_to: Option<String>,
    /// Its time.
    pub at: Timestamp,
    /// Whether the owner wrote it; it is then shown verbatim.
    pub is_the_owners: bool,
}

impl Trigger {
    /// Renders the trigger for a prompt.
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
