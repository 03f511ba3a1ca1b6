//! The zone's steps.

use jiff::ToSpan as _;
use memtape::{Mode, Workspace};
use proptest::prelude::*;

use crate::clock::TestClock;
use memtape::{Clock, calendar};

/// A command of the zone.
#[derive(Clone, Debug)]
pub enum ZoneStep {
    /// Adds lines.
    Remember(String),
    /// Replaces long-term memory.
    Save(String),
    /// Adds to the note of a day, so many days ago.
    Daily(String, i64),
    /// Forgets a line by its text.
    Forget(String),
    /// Forgets the note of a day, so many days ago.
    ForgetDay(i64),
    /// Retires old notes.
    Prune,
    /// Forgets all.
    Clear,
}

/// Any command of the zone.
pub fn steps() -> BoxedStrategy<ZoneStep> {
    prop_oneof![
        4 => text().prop_map(ZoneStep::Remember),
        3 => proptest::collection::vec(line(), 1..6).prop_map(|lines| ZoneStep::Save(lines.join("\n"))),
        4 => (text(), -1_i64..40).prop_map(|(text, ago)| ZoneStep::Daily(text, ago)),
        2 => line().prop_map(ZoneStep::Forget),
        1 => (0_i64..5).prop_map(ZoneStep::ForgetDay),
        1 => Just(ZoneStep::Prune),
        1 => Just(ZoneStep::Clear),
    ]
    .boxed()
}

/// Lines that often meet: the same one is remembered, moved and forgotten.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0_u8..12).prop_map(|n| format!("- likes tea number {n}")),
        1 => Just(String::new()),
        1 => "[a-zA-Z äöü的茶☕'\"</>-]{0,12}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 1..3).prop_map(|lines| lines.join("\n"))
}

impl ZoneStep {
    /// Runs the command; what it refuses is an outcome like any other.
    ///
    /// # Errors
    /// What no command of the zone may answer.
    pub fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        let zone = workspace.zone();
        let day = |ago: i64| {
            let today = calendar::day(clock.now(), workspace.time_zone());
            today.saturating_sub(ago.days())
        };
        let done = match self {
            Self::Remember(text) => zone.remember(text).map(|_| ()),
            Self::Save(text) => zone.save(text, Mode::Replace).map(|_| ()),
            Self::Daily(text, ago) => zone.daily(text, Some(day(*ago))).map(|_| ()),
            Self::Forget(text) => zone.forget_text(text).map(|_| ()),
            Self::ForgetDay(ago) => zone.forget_day(day(*ago)).map(|_| ()),
            Self::Prune => zone.prune().map(|_| ()),
            Self::Clear => zone.clear().map(|_| ()),
        };
        crate::steps::allow_refusals(done)
    }
}
