//! Nothing else changes, and no removed memory becomes current.

use std::collections::BTreeSet;

use memtape::tape::LogQuestion;
use memtape::{At, Audience, Form, Session, Workspace};
use memtape_store::{Replacement, Store};
use memtape_tape::EntryId;
use memtape_testkit::workspace::store_options;
use memtape_testkit::{Step, TestWorkspace};
use proptest::prelude::*;
use proptest::sample::Index;

use super::secret::author;

/// The visible memories at a point, but for those that these entries bore.
pub(crate) fn memories(workspace: &Workspace, at: &At, without: &BTreeSet<EntryId>) -> Vec<(u64, String)> {
    let of = |form: Form| workspace.memories(form, &Audience::owner(), at).unwrap();
    let all = Form::all().flat_map(of);
    let kept = all.filter(|memory| !without.contains(&(memory.id.number() >> 20)));
    kept.map(|memory| (memory.id.number(), memory.text)).collect()
}

/// A reset removes memories by a rule; once its text is erased, the numbers have the same effect.
#[test]
fn memories_removed_by_a_reset_stay_removed() {
    let test = TestWorkspace::new();
    let session: Session = "telegram:7".parse().unwrap();
    let message = r#"{"role":"user","content":"hello"}"#;
    for _ in 0..2 {
        test.append("message", message, r#"{"session":"telegram:7"}"#);
        test.append("message", message, r#"{"session":"telegram:8"}"#);
    }
    let reset = test.workspace.tape().reset(Some(&session), false).unwrap().anchor;
    let store = Store::open(test.path(), store_options(&test.clock)).unwrap();
    let left = |workspace: &Workspace| memories(workspace, &At::head(), &BTreeSet::new());
    let before = left(&test.workspace);
    assert_eq!(before.len(), 2);
    let erase =
        |id| store.erase(&author(), "x", |_| Ok(vec![Replacement::Entry { id, with: None }])).unwrap();
    erase(reset);
    assert_eq!(left(&test.workspace), before);
    // A second erasure of the same entries has the same effect.
    let with = Some([r#"{"x":1}"#, "{}"].map(|text| serde_json::from_str(text).unwrap()).into());
    store.erase(&author(), "x", |_| Ok(vec![Replacement::Entry { id: reset, with: with.clone() }])).unwrap();
    assert_eq!(left(&test.workspace), before);
    erase(reset);
    assert_eq!(left(&test.workspace), before);
    // A reset of everything still hides the entries before it.
    let everything = test.workspace.tape().reset(None, false).unwrap().anchor;
    erase(everything);
    assert_eq!(left(&test.workspace), []);
    assert_eq!(test.workspace.tape().search("hello", None, &[], 9, &At::head()).unwrap().len(), 0);
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

proptest! {
    #![proptest_config(memtape_testkit::random(16))]

    /// Over every form: at every point, exactly the memories that the erased entries created are missing.
    #[test]
    fn no_older_version_becomes_current(
        steps in Step::many(14),
        chosen in prop::collection::vec(any::<Index>(), 1..6),
        later in Step::many(4),
    ) {
        let test = TestWorkspace::new();
        for step in &steps {
            step.run(&test.workspace, &test.clock).unwrap();
        }
        let head = test.workspace.status(&At::head()).unwrap().entries;
        let erased: BTreeSet<EntryId> =
            chosen.iter().map(|at| at.index(usize::try_from(head).unwrap()) as u64 + 1).collect();
        let points: Vec<At> = (1..=head).map(At::entry).collect();
        let before: Vec<_> = points.iter().map(|at| memories(&test.workspace, at, &erased)).collect();
        let store = Store::open(test.path(), store_options(&test.clock)).unwrap();
        let wanted = || erased.iter().map(|id| Replacement::Entry { id: *id, with: None }).collect();
        store.erase(&author(), "it was asked for", |_| Ok(wanted())).unwrap();
        for (at, before) in points.iter().zip(&before) {
            prop_assert_eq!(&memories(&test.workspace, at, &BTreeSet::new()), before, "at {:?}", at);
        }
        let log = test.workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
        for entry in log.iter().filter(|entry| entry.id <= head) {
            prop_assert_eq!(entry.is_erased(), erased.contains(&entry.id), "entry {}", entry.id);
        }
        for step in &later {
            step.run(&test.workspace, &test.clock).unwrap();
        }
        let shown = memories(&test.workspace, &At::head(), &BTreeSet::new());
        test.workspace.reindex().unwrap();
        prop_assert_eq!(memories(&test.workspace, &At::head(), &BTreeSet::new()), shown);
        let verified = Workspace::verify(test.path()).unwrap();
        prop_assert_eq!((verified.tape.bad, verified.missing_since), (vec![], None));
    }
}
