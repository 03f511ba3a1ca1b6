//! The current memory of a slot, on any branch and at any point, after any number of versions.

use std::collections::BTreeMap;
use std::path::Path;

use memtape_core::branch::Fork;
use memtape_core::forms::ledger::entry::slot_key;
use memtape_core::forms::ledger::{Event, EventType};
use memtape_core::{
    Audience, Decision, Form, Meta, Moment, Origin, PointText, Retire, Scope, Sensitivity, Session,
};
use memtape_index::Question;
use memtape_store::{Author, Store};
use memtape_testkit::TestClock;
use proptest::prelude::*;

/// The view of a branch: the object in each slot, by its key.
type Shown = BTreeMap<String, String>;

/// An operation on a slot, on a branch.
#[derive(Clone, Debug)]
enum Act {
    Set(u8),
    Retire(u8),
    Fork,
}

fn acts() -> impl Strategy<Value = Vec<(prop::sample::Index, Act)>> {
    let act = prop_oneof![
        12 => (0_u8..3).prop_map(Act::Set),
        2 => (0_u8..3).prop_map(Act::Retire),
        1 => Just(Act::Fork),
    ];
    proptest::collection::vec((any::<prop::sample::Index>(), act), 1..150)
}

fn store(dir: &Path) -> Store {
    let clock = TestClock::at(memtape_testkit::workspace::START);
    Store::create(dir, memtape_testkit::workspace::store_options(&clock)).unwrap()
}

fn author(branch: &str) -> Author {
    Author { branch: Some(branch.to_owned()), ..Author::new(Session::direct(), Origin::User) }
}

fn key(slot: u8) -> String {
    slot_key(&Scope::Global, None, &format!("slot {slot}"), "holds", None, Sensitivity::Normal)
}

fn event(slot: u8, object: String) -> Event {
    Event {
        subject: format!("slot {slot}"),
        predicate: "holds".into(),
        object,
        confidence: 1.0,
        source: "test".into(),
        timestamp: "2026-02-10T10:00:00Z".into(),
        ..Event::default()
    }
}

/// Runs an operation, and returns the last entry.
fn act(store: &Store, branch: &str, act: &Act, forked: &str, n: usize) -> u64 {
    let written = store
        .write(&author(branch), |reader, ctx| {
            let slot = match act {
                Act::Set(slot) | Act::Retire(slot) => *slot,
                Act::Fork => {
                    let fork = Fork { parent: branch.to_owned(), at: reader.head(), persona: None };
                    let drafts = vec![fork.draft(forked, &ctx.meta())?];
                    return Ok(Decision { drafts, outcome: () });
                }
            };
            let question = Question { form: Some(Form::LEDGER), key: Some(key(slot)), ..Question::default() };
            let held = reader.memories(&question, &reader.head_of(branch)?)?;
            let meta =
                Meta { retires: held.iter().map(|memory| Retire::Memory(memory.id)).collect(), ..ctx.meta() };
            let event_type = match act {
                Act::Set(_) => EventType::Add,
                _ => EventType::Forget,
            };
            let draft = event(slot, n.to_string()).draft(event_type, &meta, branch)?;
            Ok(Decision { drafts: vec![draft], outcome: () })
        })
        .unwrap();
    written.entries.last().unwrap().id
}

fn shown(store: &Store, branch: &str, entry: u64, key: Option<String>) -> Shown {
    let question = Question { form: Some(Form::LEDGER), key, ..Question::default() };
    let text = PointText { branch: Some(branch.to_owned()), moment: Moment::Entry(entry) };
    let memories = store
        .read(|reader| {
            reader.memories(&question, &reader.point(&text, None, &Audience::owner(), &Session::direct())?)
        })
        .unwrap();
    memories
        .into_iter()
        .map(|memory| (memory.key, memory.text.rsplit(' ').next().unwrap().to_owned()))
        .collect()
}

proptest! {
    #![proptest_config(memtape_testkit::random(12))]

    #[test]
    fn the_newest_memory_of_each_slot_is_current(acts in acts(), at in any::<prop::sample::Index>()) {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let mut branches: BTreeMap<String, Shown> = [("main".to_owned(), Shown::new())].into();
        // The view of every branch after every command.
        let mut seen: Vec<(u64, BTreeMap<String, Shown>)> = Vec::new();
        for (n, (which, what)) in acts.iter().enumerate() {
            let names: Vec<String> = branches.keys().cloned().collect();
            let branch = which.get(&names);
            let forked = format!("b{n}");
            let entry = act(&store, branch, what, &forked, n);
            match what {
                Act::Set(slot) => {
                    branches.get_mut(branch).unwrap().insert(key(*slot), n.to_string());
                }
                Act::Retire(slot) => {
                    branches.get_mut(branch).unwrap().remove(&key(*slot));
                }
                Act::Fork => {
                    branches.insert(forked, branches[branch].clone());
                }
            }
            seen.push((entry, branches.clone()));
        }
        for (entry, branches) in [at.get(&seen), seen.last().unwrap()] {
            for (branch, expected) in branches {
                prop_assert_eq!(&shown(&store, branch, *entry, None), expected, "{} at {}", branch, entry);
                for slot in 0..3 {
                    let one = shown(&store, branch, *entry, Some(key(slot)));
                    prop_assert_eq!(one.get(&key(slot)), expected.get(&key(slot)));
                }
            }
        }
    }
}
