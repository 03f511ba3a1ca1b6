//! What a prompt ends with: the message, tick or job that the model is to answer.
//!
//! **Invariant.** It is never cut, and is a message of its own, whose end is its delimiter. What others than the owner
//! say is harmless in it and begins no second trigger.

use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::data::{harmless, label};
use super::recalled::quoted;
use crate::error::{Error, Result};

/// What makes the agent act (document 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TriggerKind {
    /// Somebody wrote.
    #[default]
    Message,
    /// It is time to look after things.
    Perch,
    /// A job's time has come.
    Cron,
}

impl TriggerKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Message, Self::Perch, Self::Cron];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Perch => "perch",
            Self::Cron => "cron",
        }
    }
}

impl FromStr for TriggerKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| {
            Error::Invalid(format!("there is no kind of trigger {text:?}: write message, perch or cron"))
        })
    }
}

/// A trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// What it is.
    pub kind: TriggerKind,
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
            TriggerKind::Message => format!("[Message from {}]", label(&self.from)),
            TriggerKind::Perch => "[Perch tick]".to_owned(),
            TriggerKind::Cron => "[Scheduled job]".to_owned(),
        };
        let reply_to = match &self.reply_to {
            Some(text) => format!("In reply to: \"{}\"\n", quoted(text)),
            None => String::new(),
        };
        let text = if self.is_the_owners { self.text.clone() } else { harmless(&self.text) };
        format!("It is {now} ({zone}).\n{reply_to}{head}: {text}")
    }
}
