//! The hooks of coding agents: what they report about a conversation becomes turns of it.
//!
//! | event | what is done | what is printed |
//! |---|---|---|
//! | `SessionStart` | the conversation starts | a brief, the same each time for one conversation |
//! | `UserPromptSubmit` | a turn begins with what the person typed | the memories that it recalls, if any |
//! | `Stop` | the turn ends with the reply, and captures | nothing |
//! | `PreCompact`, `SessionEnd` | turns that are still open end | nothing |
//!
//! The events and their fields are those of Claude Code, which Codex shares. A transcript is never read: the
//! events contain everything that is kept.
//!
//! **Invariant.** Only what the person typed is captured.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use memtape::brief::{self, Briefed};
use memtape::{At, Error, Inbound, Reply, Result, Session, Toolset, Workspace, repository_identity, typed};
use serde::Deserialize;
use serde_json::{Value, json};

/// The channel of conversations with coding agents. It is the same for all of them, so that the memories of a
/// project do not depend on the agent.
const CHANNEL: &str = "project";
/// The user of these conversations: whoever sits at this machine.
const USER: &str = "project:owner";

/// An event of a coding agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A conversation starts, is resumed, or was compacted.
    SessionStart,
    /// The person sends a message.
    UserPromptSubmit,
    /// The agent has replied.
    Stop,
    /// The agent is about to compact its context.
    PreCompact,
    /// The conversation ends.
    SessionEnd,
}

impl Event {
    /// Every event.
    pub const ALL: [Self; 5] =
        [Self::SessionStart, Self::UserPromptSubmit, Self::Stop, Self::PreCompact, Self::SessionEnd];

    /// Returns the name of the event.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::Stop => "Stop",
            Self::PreCompact => "PreCompact",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// Returns how long the hook may take. The client itself gives `SessionEnd` 1.5 seconds.
    #[must_use]
    pub fn time_limit(self) -> Duration {
        match self {
            Self::SessionEnd => Duration::from_millis(1200),
            Self::UserPromptSubmit => Duration::from_secs(3),
            Self::SessionStart | Self::Stop | Self::PreCompact => Duration::from_secs(5),
        }
    }
}

impl FromStr for Event {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|event| event.as_str()).collect();
            Error::Invalid(format!("unknown event {text:?}: expected one of {}", names.join(", ")))
        })
    }
}

/// The fields of an event that are used. All others are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Input {
    /// The client's id of the conversation.
    session_id: String,
    /// The working directory of the agent.
    cwd: String,
    /// What the person typed, for `UserPromptSubmit`.
    prompt: String,
    /// The reply, for `Stop`.
    last_assistant_message: Option<String>,
    /// The subagent that the event belongs to, if it does.
    agent_id: Option<String>,
}

impl Input {
    /// Parses the JSON object that a client passes to a hook.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is no such object.
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|e| Error::Invalid(format!("invalid hook input: {e}")))
    }

    /// Returns the conversation: the project is the chat, and the client's conversation the thread.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if the label would be too long.
    pub fn session(&self) -> Result<Session> {
        let cwd = Path::new(&self.cwd);
        let project = repository_identity(cwd).unwrap_or_else(|| self.cwd.clone());
        let project = if project.is_empty() { "unknown" } else { &project };
        let chat = Session::of_chat(CHANNEL, project)?;
        let thread: String =
            self.session_id.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
        Ok(match thread.is_empty() {
            true => chat,
            false => Session::parse(&format!("{chat}:{thread}"))?,
        })
    }
}

/// Handles an event and returns what the client adds to the model's context, if anything.
///
/// # Errors
/// Any error of the workspace. A hook reports it on standard error and does not fail the client.
pub fn handle(event: Event, input: &Input, workspace: &Workspace) -> Result<Option<String>> {
    // What a subagent is asked comes from the agent.
    if input.agent_id.is_some() {
        return Ok(None);
    }
    let conversation = workspace.conversation(input.session()?);
    match event {
        Event::SessionStart => {
            let started = match conversation.started_at()? {
                Some(started) => Some(started),
                None => {
                    conversation.start()?;
                    conversation.started_at()?
                }
            };
            let audience = workspace.audience(Some(conversation.session()), Some(USER))?;
            let at = started.unwrap_or_else(At::head);
            let briefed = Briefed {
                audience: &audience,
                is_with_owner: true,
                toolsets: &[Toolset::Core],
                is_read_only: false,
                budget: brief::TOKENS,
            };
            conversation.brief(&briefed, &at).map(Some)
        }
        Event::UserPromptSubmit => {
            let typed = typed(&input.prompt);
            if typed.is_empty() {
                return Ok(None);
            }
            // The person interrupted the reply to an earlier message.
            for turn in conversation.open_turns(Some(USER))? {
                conversation.end(turn, &Reply::default())?;
            }
            let inbound = Inbound { user: Some(USER.into()), ..Inbound::new(&typed) };
            let turn = conversation.begin(&inbound)?;
            Ok(Some(turn.briefing().memory.to_owned()).filter(|memory| !memory.is_empty()))
        }
        Event::Stop | Event::PreCompact | Event::SessionEnd => {
            let mut open = conversation.open_turns(Some(USER))?;
            let last = open.pop();
            for turn in open {
                conversation.end(turn, &Reply::default())?;
            }
            if let Some(turn) = last {
                let text = input.last_assistant_message.clone().filter(|_| event == Event::Stop);
                conversation.end(turn, &Reply { text, ..Reply::default() })?;
            }
            Ok(None)
        }
    }
}

/// Returns the text that a hook prints so that the client adds it to the model's context.
#[must_use]
pub fn output(event: Event, context: &str) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": event.as_str(), "additionalContext": context}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_the_chat_and_the_conversation_the_thread() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let cwd = dir.path().to_string_lossy().into_owned();
        let input =
            |session_id: &str| Input { session_id: session_id.into(), cwd: cwd.clone(), ..Input::default() };
        let one = input("0a-1").session().expect("a session");
        assert_eq!(one.chat(), cwd);
        assert!(one.to_string().ends_with(":0a-1"), "{one}");
        assert_eq!(
            input("x:y/../z").session().expect("a session").to_string(),
            one.to_string().replace("0a-1", "xyz")
        );
        assert_eq!(input("").session().expect("a session").chat(), cwd);
    }
}
