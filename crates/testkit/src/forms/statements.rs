//! The random steps of statements.

use memtape::{Added, At, Audience, Category, Form, Selection, Sensitivity, Workspace};
use proptest::prelude::*;

use super::zone::audiences;
use crate::clock::TestClock;
use crate::step::Act;

/// A command of statements for an audience.
#[derive(Clone, Debug)]
pub struct StatementStep {
    /// The audience, as an index into [`audiences`].
    audience: usize,
    sensitivity: Sensitivity,
    what: What,
}

/// A command of statements.
#[derive(Clone, Debug)]
pub enum What {
    /// Adds a statement, often one that was added before.
    Add {
        /// The text of the statement.
        text: String,
        /// The category of the statement.
        category: Category,
        /// The importance, in tenths.
        importance: u8,
    },
    /// Forgets a current statement of any scope.
    Forget(prop::sample::Index),
    /// Forgets the statements that contain some words.
    ForgetHolding(String),
    /// Prunes statements by age and category.
    Prune(Option<u32>, Vec<Category>),
    /// Advances the clock by days, so that some statements expire.
    Wait(i64),
}

/// Returns a strategy for commands of statements.
pub fn steps() -> BoxedStrategy<StatementStep> {
    let audience = prop_oneof![3 => Just(0), 4 => 0..audiences().len()];
    let sensitivity = prop_oneof![
        5 => Just(Sensitivity::Normal),
        1 => Just(Sensitivity::Private),
        1 => Just(Sensitivity::Confidential),
    ];
    (audience, sensitivity, what())
        .prop_map(|(audience, sensitivity, what)| StatementStep { audience, sensitivity, what })
        .boxed()
}

fn what() -> impl Strategy<Value = What> {
    let add = (text(), category(), 0_u8..=10);
    let prune = (proptest::option::of(0_u32..60), proptest::collection::vec(category(), 0..3));
    prop_oneof![
        8 => add.prop_map(|(text, category, importance)| What::Add { text, category, importance }),
        3 => any::<prop::sample::Index>().prop_map(What::Forget),
        1 => text().prop_map(What::ForgetHolding),
        1 => prune.prop_map(|(days, categories)| What::Prune(days, categories)),
        2 => (1_i64..100).prop_map(What::Wait),
    ]
}

fn category() -> impl Strategy<Value = Category> {
    prop::sample::select(Category::ALL.to_vec())
}

/// Returns a strategy for texts that are often the same statement in another spelling.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0_u8..4).prop_map(|n| format!("likes tea number {n}")),
        2 => (0_u8..4).prop_map(|n| format!("Likes  TEA number {n}.")),
        1 => "[a-zA-Z äöü的茶☕'\"</>-]{0,12}",
    ]
}

impl Act for StatementStep {
    fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        let audience = audiences()[self.audience].clone();
        let statements = workspace.statements().for_audience(audience).with_sensitivity(self.sensitivity);
        let done = match &self.what {
            What::Add { text, category, importance } => {
                let importance = f64::from(*importance) / 10.0;
                statements.add(&Added { importance, ..Added::new(text, *category) }).map(|_| ())
            }
            What::Forget(which) => {
                let standing = workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head())?;
                match standing.is_empty() {
                    true => Ok(()),
                    false => statements.forget(&[which.get(&standing).version()]).map(|_| ()),
                }
            }
            What::ForgetHolding(words) => statements.holding(words).and_then(|held| {
                let versions: Vec<_> = held.iter().map(memtape::Memory::version).collect();
                statements.forget(&versions).map(|_| ())
            }),
            What::Prune(older_than_days, categories) => {
                let selection =
                    Selection { older_than_days: *older_than_days, categories: categories.clone() };
                statements.prune(&selection).map(|_| ())
            }
            What::Wait(days) => {
                clock.advance_days(*days);
                Ok(())
            }
        };
        crate::refusals::allow_refusals(done)
    }
}
