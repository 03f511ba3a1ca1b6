//! The random steps of the ledger.

use memtape::ledger::{Filter, Ledger, Named, NewFact, NewValue, Target};
use memtape::{At, Audience, Origin, Ref, Sensitivity, Workspace};
use proptest::prelude::*;

use super::zone::audiences;
use crate::clock::TestClock;
use crate::step::Act;

/// A command of the ledger for an audience.
#[derive(Clone, Debug)]
pub struct FactStep {
    /// The audience, as an index into [`audiences`].
    audience: usize,
    origin: Origin,
    sensitivity: Sensitivity,
    what: What,
}

/// A command of the ledger.
#[derive(Clone, Debug)]
pub enum What {
    /// Adds a fact, often in a slot that is in use.
    Add(NewFact),
    /// Observes a fact.
    Observe(NewFact),
    /// Updates the value of a fact.
    Update(Named, String),
    /// Forgets the facts with a name.
    Forget(Named),
    /// Forgets a current fact of any scope.
    ForgetRef(prop::sample::Index),
    /// Deprecates a fact.
    Deprecate(Named),
    /// Confirms a fact, which may be deprecated.
    Confirm(Named),
    /// Confirms a current fact of any scope.
    ConfirmRef(prop::sample::Index),
    /// Promotes a current fact of any scope to permanent.
    Promote(prop::sample::Index),
    /// Advances the clock by days, so that some facts expire.
    Wait(i64),
}

/// Returns a strategy for commands of the ledger.
pub fn steps() -> BoxedStrategy<FactStep> {
    let audience = prop_oneof![3 => Just(0), 4 => 0..audiences().len()];
    let origin = prop_oneof![5 => Just(Origin::User), 2 => Just(Origin::Assistant), 1 => Just(Origin::Tool)];
    let sensitivity = prop_oneof![
        6 => Just(Sensitivity::Normal),
        1 => Just(Sensitivity::Private),
        1 => Just(Sensitivity::Confidential),
    ];
    (audience, origin, sensitivity, what())
        .prop_map(|(audience, origin, sensitivity, what)| FactStep { audience, origin, sensitivity, what })
        .boxed()
}

fn what() -> impl Strategy<Value = What> {
    let any = any::<prop::sample::Index>;
    prop_oneof![
        8 => told().prop_map(What::Add),
        4 => told().prop_map(What::Observe),
        2 => (named(), object()).prop_map(|(named, object)| What::Update(named, object)),
        2 => named().prop_map(What::Forget),
        1 => any().prop_map(What::ForgetRef),
        1 => named().prop_map(What::Deprecate),
        2 => named().prop_map(What::Confirm),
        1 => any().prop_map(What::ConfirmRef),
        1 => any().prop_map(What::Promote),
        1 => (1_i64..10).prop_map(What::Wait),
    ]
}

fn told() -> impl Strategy<Value = NewFact> {
    let days = prop_oneof![6 => Just(None), 1 => (1_u32..10).prop_map(Some)];
    (named(), object(), 0_u8..=10, proptest::option::of(object()), days).prop_map(
        |(named, object, tenths, evidence, days)| NewFact {
            scope: named.scope,
            confidence: f64::from(tenths) / 10.0,
            evidence,
            days,
            ..NewFact::new(named.subject, named.predicate, object)
        },
    )
}

fn named() -> impl Strategy<Value = Named> {
    let subject = prop::sample::select(vec!["user", "USER ", "ana"]);
    let predicate = prop::sample::select(vec!["likes", "Likes", "lives in"]);
    let scopes = ["permanent", "session", "temporary", "work", "Work/tea"].map(Some);
    let scope = prop_oneof![3 => Just(None), 4 => prop::sample::select(scopes.to_vec())];
    (subject, predicate, scope).prop_map(|(subject, predicate, scope)| Named {
        subject: subject.into(),
        predicate: predicate.into(),
        scope: scope.map(str::to_owned),
    })
}

/// Returns a strategy for values that are often equal but for their spelling.
fn object() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0_u8..3).prop_map(|n| format!("tea number {n}")),
        1 => (0_u8..3).prop_map(|n| format!("TEA  number {n}")),
        1 => "[a-zA-Z äöü的茶☕\n'\"</>-]{0,12}",
    ]
}

impl Act for FactStep {
    fn run(&self, workspace: &Workspace, clock: &TestClock) -> memtape::Result<()> {
        let audience = audiences()[self.audience].clone();
        let ledger = workspace.ledger().for_audience(audience).writing_as(self.origin);
        let ledger = ledger.with_sensitivity(self.sensitivity);
        crate::refusals::allow_refusals(self.what.run(workspace, &ledger, clock))
    }
}

impl What {
    fn run(&self, workspace: &Workspace, ledger: &Ledger<'_>, clock: &TestClock) -> memtape::Result<()> {
        match self {
            Self::Add(told) => drop(ledger.add(told)?),
            Self::Observe(told) => drop(ledger.observe(told)?),
            Self::Update(named, object) => {
                let (object, source) = (object.clone(), "agent_tool".into());
                let new = NewValue { object, confidence: 0.9, source, quarantined: None };
                drop(ledger.update(named, &new)?);
            }
            Self::Forget(named) => drop(ledger.forget(named)?),
            Self::Deprecate(named) => drop(ledger.deprecate(&Target::Named(named.clone()))?),
            Self::Confirm(named) => drop(ledger.confirm(&Target::Named(named.clone()))?),
            Self::ForgetRef(which) => {
                if let Some(reference) = standing(workspace, which)? {
                    drop(ledger.forget_refs(&[reference])?);
                }
            }
            Self::ConfirmRef(which) => {
                if let Some(reference) = standing(workspace, which)? {
                    drop(ledger.confirm(&Target::Ref(reference))?);
                }
            }
            Self::Promote(which) => {
                if let Some(reference) = standing(workspace, which)? {
                    drop(ledger.promote(&reference)?);
                }
            }
            Self::Wait(days) => clock.advance_days(*days),
        }
        Ok(())
    }
}

/// Returns a current fact of any scope; `None` if there is none.
fn standing(workspace: &Workspace, which: &prop::sample::Index) -> memtape::Result<Option<Ref>> {
    let facts = workspace.ledger().for_audience(Audience::owner()).list(&Filter::default(), &At::head())?;
    Ok((!facts.is_empty()).then(|| which.get(&facts).memory.version()))
}
