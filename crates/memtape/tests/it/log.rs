//! Logs, commits and diffs report exactly what happened, for every form and on every branch.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use memtape::ledger::{Named, NewFact, NewValue};
use memtape::log::{describe, message, name};
use memtape::{
    Added, At, Audience, Category, Change, ChangeKind, CommitQuestion, ErrorKind, FilePath, Form,
    LoggedCommit, Memory, MemoryId, Sensitivity, Session, Workspace,
};
use memtape_core::change::without_confidential_text;
use memtape_testkit::{Step, TestWorkspace};
use proptest::prelude::*;

const BRANCHES: [&str; 4] = ["main", "coding", "writing", "team/ana"];
const PREDICATES: [&str; 3] = ["prefers", "lives in", "works on"];
const OBJECTS: [&str; 4] = ["tea", "Porto", "memtape", "Python"];

/// An event of a random history.
#[derive(Clone, Debug)]
enum Event {
    Step(Step),
    Add(usize, usize, Option<&'static str>, Sensitivity),
    Update(usize, usize),
    Forget(usize),
    Observe(usize, usize),
    Fork(usize),
    Switch(usize),
    Merge(usize),
    Pick(usize),
    Revert(usize),
    Undo,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let (p, o, b) = (0..PREDICATES.len(), 0..OBJECTS.len(), 0..BRANCHES.len());
    let scope = prop::sample::select(vec![None, None, Some("work"), Some("temporary"), Some("session")]);
    let sensitivity =
        prop::sample::select(vec![Sensitivity::Normal, Sensitivity::Normal, Sensitivity::Confidential]);
    let one = prop_oneof![
        5 => Step::any().prop_map(Event::Step),
        5 => (p.clone(), o.clone(), scope, sensitivity).prop_map(|(p, o, s, how)| Event::Add(p, o, s, how)),
        3 => (p.clone(), o.clone()).prop_map(|(p, o)| Event::Update(p, o)),
        2 => p.clone().prop_map(Event::Forget),
        2 => (p, o).prop_map(|(p, o)| Event::Observe(p, o)),
        2 => b.clone().prop_map(Event::Fork),
        3 => b.clone().prop_map(Event::Switch),
        3 => b.prop_map(Event::Merge),
        1 => (0..30_usize).prop_map(Event::Pick),
        1 => (0..30_usize).prop_map(Event::Revert),
        1 => Just(Event::Undo),
    ];
    proptest::collection::vec(one, 1..30)
}

fn fact(predicate: usize, object: usize, scope: Option<&str>) -> NewFact {
    NewFact {
        scope: scope.map(str::to_owned),
        confidence: 0.9,
        ..NewFact::new("user", PREDICATES[predicate], OBJECTS[object])
    }
}

fn named(predicate: usize) -> Named {
    Named { subject: "user".into(), predicate: PREDICATES[predicate].into(), scope: None }
}

/// Applies an event. An operation may be refused.
fn run(test: &TestWorkspace, event: &Event) {
    let workspace = &test.workspace;
    let (ledger, branches) = (workspace.ledger(), workspace.branches());
    let done = match event {
        Event::Step(step) => step.run(workspace, &test.clock),
        Event::Add(p, o, scope, how) => ledger.with_sensitivity(*how).add(&fact(*p, *o, *scope)).map(|_| ()),
        Event::Update(p, o) => {
            let new = NewValue {
                object: OBJECTS[*o].into(),
                confidence: 0.8,
                source: "user_explicit".into(),
                quarantined: None,
            };
            ledger.update(&named(*p), &new).map(|_| ())
        }
        Event::Forget(p) => ledger.forget(&named(*p)).map(|_| ()),
        Event::Observe(p, o) => {
            ledger.observe(&NewFact { confidence: 0.6, ..fact(*p, *o, None) }).map(|_| ())
        }
        Event::Fork(b) => branches.create(BRANCHES[*b], Some("a persona"), &At::head()).map(drop),
        Event::Switch(b) => branches.switch(BRANCHES[*b], true).map(|_| ()),
        Event::Merge(b) => branches.merge(BRANCHES[*b]).map(|_| ()),
        Event::Pick(n) => nth(workspace, *n).map_or(Ok(()), |at| branches.cherry_pick(&at).map(|_| ())),
        Event::Revert(n) => nth(workspace, *n).map_or(Ok(()), |at| branches.revert(&at).map(|_| ())),
        Event::Undo => branches.undo().map(|_| ()),
    };
    if let Err(e) = done {
        let refused = [ErrorKind::Invalid, ErrorKind::NotFound, ErrorKind::Conflict, ErrorKind::Refused];
        assert!(refused.contains(&e.kind()), "{event:?}: {e}");
    }
}

/// Returns one of the commits of all branches.
fn nth(workspace: &Workspace, n: usize) -> Option<At<'static>> {
    let question = CommitQuestion { everywhere: true, ..CommitQuestion::default() };
    let commits = workspace.log(&question, &At::head()).unwrap();
    commits.get(n % commits.len().max(1)).map(|commit| At::entry(commit.entry))
}

fn standing(workspace: &Workspace, at: &At) -> Vec<Memory> {
    let known = Form::all().filter(|form| form.is_known());
    known.flat_map(|form| workspace.memories(form, &Audience::owner(), at).unwrap()).collect()
}

fn at(workspace: &Workspace, branch: &str) -> Option<At<'static>> {
    let at = workspace.at(&format!("{branch}@head")).unwrap();
    workspace.status(&at).ok().map(|_| at)
}

/// Applies changes to the visible memories, by their IDs.
fn replay(shown: &mut BTreeMap<MemoryId, Memory>, changes: &[Change]) -> Result<(), String> {
    for change in changes {
        if let Some(before) = &change.before
            && shown.remove(&before.id).is_none()
        {
            return Err(format!("{} was not there: {shown:?}", describe(change)));
        }
    }
    for change in changes {
        if let Some(after) = &change.after
            && shown.insert(after.id, after.clone()).is_some()
        {
            return Err(format!("{} was there already", describe(change)));
        }
    }
    Ok(())
}

fn whole_log(workspace: &Workspace, at: &At) -> Vec<LoggedCommit> {
    workspace.log(&CommitQuestion::default(), at).unwrap()
}

/// Returns the content of a memory without its ID.
fn said(memory: &Memory) -> String {
    let m = without_confidential_text(memory.clone());
    let judged = (m.importance, m.confidence, m.expires_at);
    format!("{:?}", (m.form, m.key, m.text, m.scope, m.sensitivity, m.category, m.lifetime, judged))
}

fn bag<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> BTreeMap<String, usize> {
    let mut bag = BTreeMap::new();
    for memory in memories {
        *bag.entry(said(memory)).or_default() += 1;
    }
    bag
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Replaying the log gives the view, at its end and at every commit; a limited log is the end of the
    /// whole one.
    #[test]
    fn the_log_replayed_is_the_view(events in events()) {
        let test = TestWorkspace::new();
        for event in &events {
            run(&test, event);
        }
        let workspace = &test.workspace;
        for branch in BRANCHES {
            let Some(at) = at(workspace, branch) else { continue };
            let log = whole_log(workspace, &at);
            let mut shown = BTreeMap::new();
            for commit in log.iter().rev() {
                replay(&mut shown, &commit.changes).map_err(TestCaseError::fail)?;
                let whole = workspace.show_commit(&format!("@{}", commit.entry), &Audience::owner(), &At::head());
                prop_assert_eq!(&whole.unwrap().commit, commit);
            }
            let now = memtape::Clock::now(&test.clock);
            shown.retain(|_, memory| memory.expires_at.is_none_or(|end| end > now));
            let stands: BTreeSet<_> = standing(workspace, &at).iter().map(|memory| memory.id).collect();
            prop_assert_eq!(shown.keys().copied().collect::<BTreeSet<_>>(), stands, "{}", branch);
            for limit in [1, 3] {
                let question = CommitQuestion { limit: Some(limit), ..CommitQuestion::default() };
                prop_assert_eq!(&workspace.log(&question, &at).unwrap()[..], &log[..limit.min(log.len())]);
            }
            if let Some(middle) = log.get(log.len() / 2) {
                let question = CommitQuestion { before: Some(middle.entry), ..CommitQuestion::default() };
                prop_assert_eq!(&workspace.log(&question, &at).unwrap()[..], &log[log.len() / 2 + 1..]);
            }
        }
    }

    /// Applying the diff between any two points to the first view gives the second.
    #[test]
    fn a_diff_leads_from_one_view_to_the_other(events in events(), picks in proptest::collection::vec(any::<prop::sample::Index>(), 6)) {
        let test = TestWorkspace::new();
        let mut points = vec!["main".to_owned()];
        for event in &events {
            run(&test, event);
            let status = test.workspace.status(&At::head()).unwrap();
            points.push(format!("{}@{}", status.branch, status.entries));
        }
        points.extend(BRANCHES.iter().filter(|b| at(&test.workspace, b).is_some()).map(|b| (*b).to_owned()));
        for pair in picks.chunks(2) {
            let [from, to] = [pair[0].get(&points), pair[1].get(&points)];
            let diff = test.workspace.diff(from, to, &Audience::owner(), None).unwrap();
            let at = |point: &str| {
                test.workspace.at(point).or_else(|_| test.workspace.at(&format!("{point}@head"))).unwrap()
            };
            let mut bag_from = bag(&standing(&test.workspace, &at(from)));
            for change in &diff.changes {
                if let Some(before) = &change.before {
                    let n = bag_from.get_mut(&said(before)).ok_or_else(|| TestCaseError::fail(describe(change)))?;
                    *n -= 1;
                }
                if let Some(after) = &change.after {
                    *bag_from.entry(said(after)).or_default() += 1;
                }
            }
            bag_from.retain(|_, n| *n > 0);
            prop_assert_eq!(bag_from, bag(&standing(&test.workspace, &at(to))), "{} {}", from, to);
            // Of confidential memories only refs are compared, because their texts are hidden.
            let shown = diff.changes.iter().filter(|change| {
                let sides = [&change.before, &change.after];
                !sides.into_iter().flatten().any(|side| side.sensitivity == Sensitivity::Confidential)
            });
            prop_assert!(shown.clone().all(|change| !change.is_nothing() || change.is_placed_anew()), "{:?}", diff.changes);
        }
    }
}

/// Formats a log as text.
fn listed(commits: &[LoggedCommit]) -> String {
    let mut out = String::new();
    for commit in commits {
        let id = commit.id.as_ref().map_or("no id", |_| "id");
        out += &format!("@{} ({}) {id}: {}\n", commit.entry, commit.branch, message(commit));
        for change in &commit.changes {
            out += &format!("    {}\n", describe(change));
        }
    }
    out
}

#[test]
fn a_log_describes_changes_of_every_form() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace.zone().remember("Ana lives in Porto").unwrap();
    let tea = Added::new("I like tea", Category::Preference);
    workspace.statements().add(&tea).unwrap();
    workspace.ledger().add(&fact(0, 0, None)).unwrap();
    workspace.ledger().add(&fact(0, 3, None)).unwrap();
    workspace.ledger().add(&NewFact { confidence: 1.0, ..fact(0, 3, None) }).unwrap();
    workspace.ledger().with_sensitivity(Sensitivity::Confidential).add(&fact(1, 1, None)).unwrap();
    workspace.ledger().forget(&named(0)).unwrap();
    workspace.branches().undo().unwrap();
    expect![[r#"
        @19 (main) id: undo @17
            + ledger:c8cd02e8a340cb88 user prefers Python (restored)
        @17 (main) id: forget user prefers
            - ledger:c8cd02e8a340cb88 user prefers Python
        @15 (main) id: add a confidential fact
            + ledger:3542b5f7af414e18 [confidential]
        @13 (main) id: confirm user prefers
            ~ ledger:c8cd02e8a340cb88 user prefers Python (confidence 0.90 → 1.00)
        @11 (main) id: update user prefers
            ~ ledger:c8cd02e8a340cb88 user prefers Python (was: user prefers tea)
        @9 (main) id: add user prefers
            + ledger:c8cd02e8a340cb88 user prefers tea
        @7 (main) no id: remembered: I like tea
            + statements:b2de35bf184f1cb7 I like tea
        @6 (main) no id: remembered: Ana lives in Porto
            + zone:945c50ea18f195a7 Ana lives in Porto
    "#]]
    .assert_eq(&listed(&whole_log(workspace, &At::head())));
    let only = CommitQuestion { form: Some(Form::ZONE), ..CommitQuestion::default() };
    expect![[r#"
        @6 (main) no id: remembered: Ana lives in Porto
            + zone:945c50ea18f195a7 Ana lives in Porto
    "#]]
    .assert_eq(&listed(&workspace.log(&only, &At::head()).unwrap()));
}

#[test]
fn a_log_is_limited_to_the_audience() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let chat = |id: &str| Audience::of_chat(&Session::parse(id).unwrap());
    let ledger = |audience: &Audience| workspace.ledger().for_audience(audience.clone());
    ledger(&chat("telegram:1")).add(&fact(0, 0, None)).unwrap();
    ledger(&chat("telegram:2")).add(&fact(0, 1, None)).unwrap();
    workspace.ledger().with_sensitivity(Sensitivity::Confidential).add(&fact(2, 2, None)).unwrap();
    let asked = |audience: Audience| CommitQuestion { audience, ..CommitQuestion::default() };
    let one = workspace.log(&asked(chat("telegram:1")), &At::head()).unwrap();
    expect![[r#"
        @5 (main) id: add user prefers
            + ledger:1d95c22e1ea4cb7d user prefers tea
    "#]]
    .assert_eq(&listed(&one));
    // The error does not even reveal that there is a commit of another chat.
    let theirs = workspace.log(&asked(chat("telegram:2")), &At::head()).unwrap();
    let error =
        |text: &str| workspace.show_commit(text, &chat("telegram:1"), &At::head()).unwrap_err().to_string();
    let hidden = format!("@{}", theirs[0].entry);
    assert_eq!(error(&hidden).replace(&hidden, "X"), error("@1").replace("@1", "X"));
    let diff = workspace.diff("@1", "head", &chat("telegram:1"), None).unwrap();
    assert_eq!((diff.changes.len(), diff.count(ChangeKind::Added)), (1, 1));
}

#[test]
fn a_commit_is_named_by_its_entry_its_id_or_the_beginning_of_it() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace.ledger().add(&fact(0, 0, None)).unwrap();
    let commit = whole_log(workspace, &At::head()).remove(0);
    let id = commit.id.clone().unwrap();
    assert_eq!(name(&commit), format!("{} @{}", &id[..8], commit.entry));
    let first = commit.first;
    for text in
        [format!("@{first}"), first.to_string(), format!("@{}", commit.entry), id.clone(), id[..7].into()]
    {
        let shown = workspace.show_commit(&text, &Audience::owner(), &At::head()).unwrap();
        assert_eq!(shown.commit, commit, "{text}");
    }
    let before = At::entry(first - 1);
    for (text, at) in
        [("@1", At::head()), ("@9999", At::head()), ("ffffffff", At::head()), (&id[..8], before)]
    {
        let kind = workspace.show_commit(text, &Audience::owner(), &at).unwrap_err().kind();
        assert_eq!(kind, ErrorKind::NotFound, "{text}");
    }
}

#[test]
fn a_merge_is_logged_with_its_open_conflicts() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let branches = || workspace.branches();
    workspace.ledger().add(&fact(0, 0, None)).unwrap();
    branches().create("coding", Some("writes code"), &At::head()).unwrap();
    branches().switch("coding", true).unwrap();
    workspace.ledger().add(&fact(0, 1, None)).unwrap();
    workspace.ledger().add(&fact(1, 1, None)).unwrap();
    branches().switch("main", true).unwrap();
    workspace.ledger().add(&fact(0, 2, None)).unwrap();
    branches().merge("coding").unwrap();
    let shown = workspace.show_commit("head", &Audience::owner(), &At::head()).unwrap();
    expect![[r#"
        @16 (main) id: merge coding into main
            + ledger:63c0cfd9d1ead1f9 user lives in Porto
    "#]]
    .assert_eq(&listed(std::slice::from_ref(&shown.commit)));
    let sides: Vec<_> = shown
        .conflicts
        .iter()
        .map(|c| [&c.ours, &c.theirs].map(|m| m.as_ref().unwrap().text.clone()))
        .collect();
    assert_eq!(sides, [["user prefers memtape", "user prefers Porto"]]);
    let diff = workspace.diff("main", "coding", &Audience::owner(), None).unwrap();
    let lines: Vec<_> = diff.changes.iter().map(describe).collect();
    expect!["~ ledger:c8cd02e8a340cb88 user prefers Porto (was: user prefers memtape)"]
        .assert_eq(&lines.join("\n"));
    assert!(workspace.diff("main", "main@head", &Audience::owner(), None).unwrap().changes.is_empty());
    expect![[r#"
        gitGraph
            commit id: "95482fab: add user prefers"
            branch coding
            commit id: "97844ab2: update user prefers"
            commit id: "15119d47: add user lives in"
            checkout main
            commit id: "8d052c75: update user prefers"
            merge coding id: "8e483c40: merge coding into main"
    "#]]
    .assert_eq(&workspace.graph(&Audience::owner(), 50, &At::head()).unwrap().mermaid());
    expect![[r#"
        *-.  8e483c40 @16 (main) 2026-02-10 10:00 merge coding into main
        * |  8d052c75 @14 (main) 2026-02-10 10:00 update user prefers
        | *  15119d47 @11 (coding) 2026-02-10 10:00 add user lives in
        | *  97844ab2 @9 (coding) 2026-02-10 10:00 update user prefers
        |-'  branch coding from main@5: writes code
        *    95482fab @5 (main) 2026-02-10 10:00 add user prefers
    "#]]
    .assert_eq(
        &workspace.graph(&Audience::owner(), 50, &At::head()).unwrap().timeline(workspace.time_zone()),
    );
}

/// A change is not called one of nothing because its texts are hidden, or differ in blank lines alone.
#[test]
fn a_change_of_a_confidential_text_or_of_blank_lines_is_named() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let ledger = workspace.ledger().with_sensitivity(Sensitivity::Confidential);
    ledger.add(&fact(1, 1, None)).unwrap();
    ledger.add(&fact(1, 2, None)).unwrap();
    ledger.add(&NewFact { confidence: 1.0, ..fact(1, 2, None) }).unwrap();
    let file = FilePath::new("a.md").unwrap();
    workspace.files().write(&file, "x\ny\n").unwrap();
    workspace.files().write(&file, "x\n\ny\n").unwrap();
    let log = workspace.log(&CommitQuestion::default(), &At::head()).unwrap();
    let changes: Vec<String> = log.iter().map(|commit| describe(&commit.changes[0])).collect();
    assert!(changes[0].ends_with("(blank lines changed)"), "{changes:?}");
    assert!(changes[2].ends_with("[confidential] (confidence 0.90 → 1.00)"), "{changes:?}");
    assert!(changes[3].ends_with("[confidential] (was: [confidential])"), "{changes:?}");
    assert!(changes[4].ends_with("[confidential]"), "{changes:?}");
}
