//! The random steps of conversations.

use std::io::Cursor;

use memtape::{Ingester, Message, Session, Workspace};
use proptest::prelude::*;

use crate::clock::TestClock;
use crate::step::Act;

/// A command of a conversation.
#[derive(Clone, Debug)]
pub enum MessageStep {
    /// Records a message.
    Say {
        /// The conversation, as the argument of [`session`].
        session: u8,
        /// The role of the speaker.
        role: &'static str,
        /// The text of the message.
        text: String,
    },
    /// Ingests lines, some of which are invalid or already recorded.
    Ingest(Vec<String>),
    /// Starts or continues a conversation.
    Start(u8),
}

/// Returns a strategy for commands of conversations.
pub fn steps() -> BoxedStrategy<MessageStep> {
    let role = prop_oneof![Just("user"), Just("assistant"), Just("tool")];
    let text = prop_oneof![3 => "[a-z ]{1,30}", 1 => "\\PC{0,20}"];
    prop_oneof![
        4 => (0_u8..3, role, text).prop_map(|(session, role, text)| MessageStep::Say { session, role, text }),
        2 => proptest::collection::vec(input_line(), 1..5).prop_map(MessageStep::Ingest),
        1 => (0_u8..3).prop_map(MessageStep::Start),
    ]
    .boxed()
}

fn input_line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u8..6, 0_u8..3).prop_map(|(n, s)| {
            format!(r#"{{"role":"user","content":"message {n}","session":"chat:{s}","date":"2026-01-0{}"}}"#, n + 1)
        }),
        1 => Just(r#"{"role":"user","image":"a cat on a mat"}"#.to_owned()),
        1 => Just("not json".to_owned()),
    ]
}

/// Returns one of three conversations.
#[must_use]
pub fn session(n: u8) -> Session {
    Session::parse(["cli:direct", "chat:1", "chat:2:thread"][usize::from(n) % 3])
        .unwrap_or_else(|_| Session::direct())
}

impl Act for MessageStep {
    fn run(&self, workspace: &Workspace, _clock: &TestClock) -> memtape::Result<()> {
        let done = match self {
            Self::Say { session: n, role, text } => {
                let message = Message::new(*role, text.clone());
                workspace.conversation(session(*n)).say(&message).map(|_| ())
            }
            Self::Ingest(lines) => {
                Ingester::new(workspace, session(1)).run(Cursor::new(lines.join("\n")), |_| ()).map(|_| ())
            }
            Self::Start(n) => workspace.conversation(session(*n)).start().map(|_| ()),
        };
        crate::refusals::allow_refusals(done)
    }
}
