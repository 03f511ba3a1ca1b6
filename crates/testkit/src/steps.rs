//! Steps: what a random user does, over every form that exists.

use jiff::SignedDuration;
use memtape::Workspace;
use proptest::prelude::*;

use crate::clock::TestClock;
use crate::forms::{blocks, files, ledger, messages, notes, statements, tape, turns, zone};

/// One thing a user does.
#[derive(Clone, Debug)]
pub enum Step {
    /// A command of the zone.
    Zone(zone::ZoneStep),
    /// A command of a conversation.
    Message(messages::MessageStep),
    /// A command of statements.
    Statement(statements::StatementStep),
    /// A command of the ledger.
    Fact(ledger::FactStep),
    /// A command of blocks.
    Block(blocks::BlockStep),
    /// A tool writes notes, or a person edits them.
    Note(notes::NoteStep),
    /// A tool writes files, or a person edits them.
    File(files::FileStep),
    /// A turn.
    Turn(turns::TurnStep),
    /// A command of the tape.
    Tape(tape::TapeStep),
    /// Hours pass; a clock can also be set back.
    Wait(i64),
}

impl Step {
    /// Any step of any form.
    pub fn any() -> BoxedStrategy<Self> {
        prop_oneof![
            5 => zone::steps().prop_map(Step::Zone),
            4 => messages::steps().prop_map(Step::Message),
            4 => statements::steps().prop_map(Step::Statement),
            5 => ledger::steps().prop_map(Step::Fact),
            4 => blocks::steps().prop_map(Step::Block),
            4 => notes::steps().prop_map(Step::Note),
            3 => files::steps().prop_map(Step::File),
            3 => turns::steps().prop_map(Step::Turn),
            2 => tape::steps().prop_map(Step::Tape),
            1 => (-30_i64..60).prop_map(Step::Wait),
        ]
        .boxed()
    }

    /// Several steps.
    pub fn many(at_most: usize) -> BoxedStrategy<Vec<Self>> {
        proptest::collection::vec(Self::any(), 1..at_most).boxed()
    }

    /// Does it; what a command refuses is an outcome like any other.
    ///
    /// # Errors
    /// What no command may answer.
    pub fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        match self {
            Self::Zone(step) => step.run(workspace, clock),
            Self::Message(step) => step.run(workspace),
            Self::Statement(step) => step.run(workspace, clock),
            Self::Fact(step) => step.run(workspace, clock),
            Self::Block(step) => step.run(workspace),
            Self::Note(step) => step.run(workspace),
            Self::File(step) => step.run(workspace),
            Self::Turn(step) => step.run(workspace),
            Self::Tape(step) => step.run(workspace),
            Self::Wait(hours) => {
                clock.advance(SignedDuration::from_hours(*hours));
                Ok(())
            }
        }
    }
}
