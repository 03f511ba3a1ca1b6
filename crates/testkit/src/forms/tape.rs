//! The random steps of the tape itself.

use memtape::Workspace;
use proptest::prelude::*;

use crate::clock::TestClock;
use crate::step::Act;
use serde_json::json;

use super::messages::session;

/// A command of the tape.
#[derive(Clone, Debug)]
pub enum TapeStep {
    /// Writes an anchor.
    Handoff(u8),
    /// Records an event of an unknown type.
    Event(String),
    /// Adds a line to the journal.
    Journal(String),
    /// Records a system message.
    System(u8),
    /// Resets a conversation or the whole workspace, optionally after archiving the segment.
    Reset {
        /// The conversation; `None` for the whole workspace.
        session: Option<u8>,
        /// Whether the segment is archived first.
        archive: bool,
    },
    /// Archives the active segment.
    Archive,
}

/// Returns a strategy for commands of the tape.
pub fn steps() -> BoxedStrategy<TapeStep> {
    prop_oneof![
        2 => (0_u8..3).prop_map(TapeStep::Handoff),
        1 => "[a-z]{1,8}".prop_map(TapeStep::Event),
        1 => "(decision|cost|trigger|[a-z_]{1,4})".prop_map(TapeStep::Journal),
        1 => (0_u8..3).prop_map(TapeStep::System),
        1 => (proptest::option::of(0_u8..3), any::<bool>())
            .prop_map(|(session, archive)| TapeStep::Reset { session, archive }),
        1 => Just(TapeStep::Archive),
    ]
    .boxed()
}

impl Act for TapeStep {
    fn run(&self, workspace: &Workspace, _clock: &TestClock) -> memtape::Result<()> {
        let tape = workspace.tape();
        let done = match self {
            Self::Handoff(n) => tape.handoff("phase", None, &session(*n)).map(|_| ()),
            Self::Event(name) => tape.append_event(name, None, &session(0)).map(|_| ()),
            Self::Journal(kind) => {
                let journal = workspace.journal().in_session(session(1));
                journal.add(kind, &json!({"n": 1, "ts": "never"})).map(|_| ())
            }
            Self::System(n) => tape.append_system("be kind", &session(*n)).map(|_| ()),
            Self::Reset { session: n, archive } => tape.reset(n.map(session).as_ref(), *archive).map(|_| ()),
            Self::Archive => workspace.archive().map(|_| ()),
        };
        crate::refusals::allow_refusals(done)
    }
}
