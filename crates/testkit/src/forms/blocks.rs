//! The random steps of blocks, by the owner and by an agent.

use memtape::{At, BlockLayer, BlockName, Origin, Workspace};
use proptest::prelude::*;

use crate::clock::TestClock;
use crate::step::Act;

/// The block names that steps use: of each layer, computed, and new.
pub const NAMES: [&str; 6] = ["persona", "patterns", "current_focus", "recent_insights", "motto", "inbox"];

/// A command of blocks.
#[derive(Clone, Debug)]
pub struct BlockStep {
    /// Whether the owner runs the command; otherwise an agent does.
    by_owner: bool,
    name: usize,
    what: What,
}

/// A command of blocks.
#[derive(Clone, Debug)]
enum What {
    Set(String, Option<BlockLayer>),
    Forget,
    /// Restores the value of this many entries ago.
    Restore(u64),
    Approve(bool),
    Reject,
}

/// Returns a strategy for commands of blocks.
pub fn steps() -> BoxedStrategy<BlockStep> {
    let layer = proptest::option::weighted(0.3, prop::sample::select(BlockLayer::ALL.to_vec()));
    let what = prop_oneof![
        8 => (value(), layer).prop_map(|(value, layer)| What::Set(value, layer)),
        1 => Just(What::Forget),
        2 => (1_u64..12).prop_map(What::Restore),
        3 => any::<bool>().prop_map(What::Approve),
        1 => Just(What::Reject),
    ];
    (any::<bool>(), 0..NAMES.len(), what)
        .prop_map(|(by_owner, name, what)| BlockStep { by_owner, name, what })
        .boxed()
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u8..4).prop_map(|n| format!("likes tea number {n}")),
        1 => Just(String::new()),
        1 => "[a-zA-Z äöü的茶☕'\"</>\n-]{0,12}",
    ]
}

impl Act for BlockStep {
    fn run(&self, workspace: &Workspace, _clock: &TestClock) -> memtape::Result<()> {
        let origin = if self.by_owner { Origin::User } else { Origin::Assistant };
        let blocks = workspace.blocks().writing_as(origin);
        let name = BlockName::new(NAMES[self.name])?;
        let done = match &self.what {
            What::Set(value, layer) => blocks.set(&name, value, *layer).map(drop),
            What::Forget => blocks.forget(&name),
            What::Restore(back) => {
                let head = workspace.status(&At::head())?.entries;
                blocks.restore(&name, &At::entry(head.saturating_sub(*back).max(1))).map(drop)
            }
            What::Approve(force) => blocks.approve(&name, None, *force).map(|_| ()),
            What::Reject => blocks.reject(&name),
        };
        crate::refusals::allow_refusals(done)
    }
}
