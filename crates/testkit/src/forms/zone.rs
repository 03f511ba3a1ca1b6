//! The random steps of the zone.

use jiff::ToSpan as _;
use memtape::{Audience, Clock, Layer, Mode, Sensitivity, User, Workspace, calendar};
use proptest::prelude::*;

use super::messages::session;
use crate::clock::TestClock;
use crate::step::Act;

/// A command of the zone for an audience.
#[derive(Clone, Debug)]
pub struct ZoneStep {
    /// The audience, as an index into [`audiences`].
    audience: usize,
    sensitivity: Sensitivity,
    what: What,
}

/// A command of the zone.
#[derive(Clone, Debug)]
pub enum What {
    /// Adds lines to long-term memory.
    Remember(String),
    /// Replaces long-term memory.
    Save(String),
    /// Adds to the daily note of this many days ago.
    Daily(String, i64),
    /// Forgets lines by their text.
    Forget(String),
    /// Forgets the daily note of this many days ago.
    ForgetDay(i64),
    /// Prunes old daily notes.
    Prune,
    /// Forgets the whole zone.
    Clear,
}

/// Returns a strategy for commands of the zone.
pub fn steps() -> BoxedStrategy<ZoneStep> {
    let audience = prop_oneof![3 => Just(0), 2 => 0..audiences().len()];
    let sensitivity = prop_oneof![
        5 => Just(Sensitivity::Normal),
        1 => Just(Sensitivity::Private),
        1 => Just(Sensitivity::Confidential),
    ];
    (audience, sensitivity, what())
        .prop_map(|(audience, sensitivity, what)| ZoneStep { audience, sensitivity, what })
        .boxed()
}

/// Returns a few audiences, the owner first.
#[must_use]
pub fn audiences() -> Vec<Audience> {
    let users: Vec<User> = ["chat:ana", "cli:ana"].iter().filter_map(|user| user.parse().ok()).collect();
    vec![
        Audience::owner(),
        Audience::of_chat(&session(0)),
        Audience::of_chat(&session(1)),
        Audience::of_chat(&session(2)),
        Audience::of(Some(&session(1)), &users[..1]),
        Audience::of(None, &users),
        Audience::of(None, &[]),
        Audience::owner().only(Layer::Global),
        Audience::of(Some(&session(2)), &users).only(Layer::User),
    ]
}

fn what() -> impl Strategy<Value = What> {
    prop_oneof![
        4 => text().prop_map(What::Remember),
        3 => proptest::collection::vec(line(), 1..6).prop_map(|lines| What::Save(lines.join("\n"))),
        4 => (text(), -1_i64..40).prop_map(|(text, ago)| What::Daily(text, ago)),
        2 => line().prop_map(What::Forget),
        1 => (0_i64..5).prop_map(What::ForgetDay),
        1 => Just(What::Prune),
        1 => Just(What::Clear),
    ]
}

/// Returns a strategy for lines that often repeat: the same line is remembered, moved and forgotten.
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

impl Act for ZoneStep {
    fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        let zone = workspace
            .zone()
            .for_audience(audiences()[self.audience].clone())
            .with_sensitivity(self.sensitivity);
        let day = |ago: i64| {
            let today = calendar::day(clock.now(), workspace.time_zone());
            today.saturating_sub(ago.days())
        };
        let done = match &self.what {
            What::Remember(text) => zone.remember(text).map(|_| ()),
            What::Save(text) => zone.save(text, Mode::Replace).map(|_| ()),
            What::Daily(text, ago) => zone.daily(text, Some(day(*ago))).map(|_| ()),
            What::Forget(text) => zone.forget_text(text).map(|_| ()),
            What::ForgetDay(ago) => zone.forget_day(day(*ago)).map(|_| ()),
            What::Prune => zone.prune().map(|_| ()),
            What::Clear => zone.clear().map(|_| ()),
        };
        crate::refusals::allow_refusals(done)
    }
}
