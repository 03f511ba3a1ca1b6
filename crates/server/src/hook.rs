//! The hooks of coding agents: what they report about a conversation becomes turns of it.
//!
//! | event | what is done | what is printed |
//! |---|---|---|
//! | `SessionStart` | the conversation starts or goes on, and abandoned turns of others end | a brief |
//! | `UserPromptSubmit` | a turn begins with what the person typed | the memories that it recalls, if any |
//! | `Stop` | the turn ends with the reply, and captures | nothing |
//! | `PreCompact`, `SessionEnd` | turns that are still open end | nothing |
//!
//! The brief of a conversation that starts is the same each time. One that is resumed or was compacted gets a brief of what
//! is known by then.
//!
//! A turn may have ended before its reply is complete: when the client compacts its context meanwhile, or when another
//! hook lets the agent go on. `Stop` then records the reply alone.
//!
//! The events and their fields are those of Claude Code, which Codex shares. A transcript is never read: the
//! events contain everything that is kept.
//!
//! **Invariant.** Only what the person typed is captured.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use memtape::brief::{self, Briefed};
use memtape::{
    At, Conversation, Error, Inbound, Message, PROJECT_CHANNEL, PROJECT_USER, Reply, Result, Session,
    Toolset, Workspace, lenient_json, project_chat, repository_identity, typed_prompt,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Number of abandoned turns after which the start of a conversation ends no more of them.
const ABANDONED_MAX: usize = 8;

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
    /// Why the conversation starts, for `SessionStart`: `startup`, `resume`, `clear` or `compact`.
    source: String,
    /// What the person typed, for `UserPromptSubmit`.
    prompt: String,
    /// The reply, for `Stop`.
    last_assistant_message: Option<String>,
    /// Whether the agent went on because of an earlier `Stop` hook.
    stop_hook_active: bool,
    /// The subagent that the event belongs to, if it does.
    agent_id: Option<String>,
}

impl Input {
    /// Parses the JSON object that a client passes to a hook.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is no such object.
    pub fn parse(text: &str) -> Result<Self> {
        let invalid = |why: &dyn Display| Error::Invalid(format!("invalid hook input: {why}"));
        let event: Value = lenient_json::from_str(text).map_err(|e| invalid(&e))?;
        // A list would be read as the fields of the event in their order.
        let Value::Object(mut fields) = event else {
            return Err(invalid(&"expected a JSON object"));
        };
        // A field without a value is as good as none.
        fields.retain(|_, value| !value.is_null() && value != "");
        serde_json::from_value(fields.into()).map_err(|e| invalid(&e))
    }

    /// Returns the conversation: the client's conversation is the thread, and the project that it began in the chat.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if the client's id is too long or contains a control character,
    /// and any error of the index.
    fn session(&self, workspace: &Workspace) -> Result<Session> {
        let thread = self.session_id.as_str();
        // The agent may have changed its directory since.
        if !thread.is_empty()
            && let Some(begun) = workspace.conversation_of(PROJECT_CHANNEL, thread)?
        {
            return Ok(begun);
        }
        // A directory has one name, with or without a slash at the end.
        let directory =
            || Path::new(&self.cwd).components().collect::<PathBuf>().to_string_lossy().into_owned();
        let project = repository_identity(Path::new(&self.cwd)).unwrap_or_else(directory);
        let project = if project.is_empty() { "unknown" } else { &project };
        let chat = Session::of_chat(PROJECT_CHANNEL, &project_chat(project))?;
        Ok(match thread.is_empty() {
            true => chat,
            false => chat.in_thread(thread)?,
        })
    }
}

/// Handles an event and returns what the client adds to the model's context, if anything.
///
/// # Errors
/// [`Error::Store`] if the workspace cannot be read or written, and of kind `Invalid` if the input
/// names no valid session. A hook reports it on standard error and does not fail the client.
pub fn handle(event: Event, input: &Input, workspace: &Workspace) -> Result<Option<String>> {
    // What a subagent is asked comes from the agent.
    if input.agent_id.is_some() {
        return Ok(None);
    }
    let conversation = workspace.conversation(input.session(workspace)?);
    match event {
        Event::SessionStart => start(input, workspace, &conversation).map(Some),
        Event::UserPromptSubmit => {
            let typed = typed_prompt(&input.prompt);
            if typed.is_empty() {
                return Ok(None);
            }
            // The person interrupted the reply to an earlier message.
            end_open(&conversation)?;
            let inbound = Inbound { user: Some(PROJECT_USER.into()), ..Inbound::new(typed) };
            let turn = conversation.begin(&inbound)?;
            Ok(Some(turn.briefing().memory.to_owned()).filter(|memory| !memory.is_empty()))
        }
        Event::Stop | Event::PreCompact | Event::SessionEnd => {
            let mut open = conversation.open_turns(Some(PROJECT_USER))?;
            let last = open.pop();
            for turn in open {
                conversation.end(turn, &Reply::default())?;
            }
            let text = input.last_assistant_message.as_deref().filter(|_| event == Event::Stop);
            let text = text.map(|text| workspace.cut_to_length(text).into_owned());
            let has_ended = match last {
                Some(turn) => {
                    !conversation.end(turn, &Reply { text: text.clone(), ..Reply::default() })?.had_ended
                }
                None => false,
            };
            if let Some(text) = text.filter(|_| !has_ended) {
                record_reply(workspace, &conversation, text, input.stop_hook_active)?;
            }
            Ok(None)
        }
    }
}

/// Starts a conversation and returns its brief.
fn start(input: &Input, workspace: &Workspace, conversation: &Conversation<'_>) -> Result<String> {
    // What was typed before a client died is known from now on.
    let mut ended = 0;
    for session in workspace.abandoned(PROJECT_CHANNEL)? {
        match end_open(&workspace.conversation(session)) {
            Ok(turns) => ended += turns,
            Err(e) => {
                let _ = writeln!(io::stderr(), "memtape: warning: cannot end an abandoned turn: {e}");
            }
        }
        if ended >= ABANDONED_MAX {
            break;
        }
    }
    if conversation.started_at()?.is_none() {
        conversation.start()?;
    }
    let at = match input.source.as_str() {
        "" | "startup" => conversation.started_at()?.unwrap_or_else(At::head),
        _ => At::head(),
    };
    let audience = workspace.audience(Some(conversation.session()), Some(PROJECT_USER))?;
    let briefed = Briefed {
        audience: &audience,
        is_with_owner: true,
        toolsets: &[Toolset::Core],
        is_read_only: false,
        budget: brief::TOKENS,
    };
    conversation.brief(&briefed, &at)
}

/// Ends the open turns of a conversation, whose replies are not known, and returns their number.
fn end_open(conversation: &Conversation<'_>) -> Result<usize> {
    let turns = conversation.open_turns(Some(PROJECT_USER))?;
    let count = turns.len();
    for turn in turns {
        conversation.end(turn, &Reply::default())?;
    }
    Ok(count)
}

/// Records a reply that has no open turn, if it answers the last message or continues the last reply.
fn record_reply(
    workspace: &Workspace,
    conversation: &Conversation<'_>,
    text: String,
    is_continued: bool,
) -> Result<()> {
    let turns = &workspace.config().turn;
    if !turns.enabled || !turns.channels.hold(PROJECT_CHANNEL) {
        return Ok(());
    }
    let reply = Message { role: "assistant".into(), content: text, ..Message::default() };
    conversation.say_after(&reply, |last| match last.role.as_str() {
        "user" => true,
        _ => is_continued && last.content != reply.content,
    })?;
    Ok(())
}

/// Returns the text that a hook prints so that the client adds it to the model's context.
#[must_use]
pub fn output(event: Event, context: &str) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": event.as_str(), "additionalContext": context}})
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use memtape::Options;
    use memtape_testkit::TestWorkspace;

    use super::*;

    #[test]
    fn the_end_of_a_long_path_names_a_project_in_every_conversation() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let workspace = Workspace::init(dir.path(), Options::default()).expect("a workspace");
        let chat = |cwd: &str, id: &str| {
            let input = Input { cwd: cwd.into(), session_id: id.into(), ..Input::default() };
            let session = input.session(&workspace).expect("a label has room for it");
            session.chat().to_owned()
        };
        let long = |name: &str| format!("/nix/store/{}/{name}", "ü d".repeat(300));
        assert_ne!(chat(&long("one"), "t1"), chat(&long("other"), "t1"));
        assert!(chat(&long("one"), "t1").contains("d/one-"), "{}", chat(&long("one"), "t1"));
        let elsewhere = format!("/srv{}", long("one"));
        assert_ne!(chat(&long("one"), "t1"), chat(&elsewhere, "t1"), "the digest is of the whole path");
        // Some of these labels would have room for the path.
        let edge = format!("/{}", "d".repeat(480));
        for id in ["t1", "3f0d5f0e-0c3c-4b8e-9a54-2f6f6c9d1c11", &"i".repeat(100)] {
            assert_eq!(chat(&edge, id), chat(&edge, ""), "{id}");
        }
        assert_eq!(chat("/home/ana/garden", &"i".repeat(100)), "/home/ana/garden");
    }

    #[test]
    fn what_was_typed_before_a_client_died_is_captured_when_another_conversation_starts() {
        let test = TestWorkspace::new();
        let context = |event: Event, id: &str, prompt: &str| {
            let (cwd, session_id, prompt) = ("/home/ana/garden".into(), id.into(), prompt.into());
            let input = Input { cwd, session_id, prompt, ..Input::default() };
            handle(event, &input, &test.workspace).expect("the event is valid").unwrap_or_default()
        };
        context(Event::UserPromptSubmit, "t1", "I prefer tabs over spaces");
        assert!(!context(Event::SessionStart, "t2", "").contains("tabs"), "the turn may still be running");
        test.clock.advance(SignedDuration::from_mins(15));
        assert!(context(Event::SessionStart, "t3", "").contains("I prefer tabs over spaces"));
        assert!(test.workspace.abandoned(PROJECT_CHANNEL).expect("the workspace is readable").is_empty());
    }
}
