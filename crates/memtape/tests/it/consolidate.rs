//! Consolidation, pruning of facts, and observations of a conversation.

use expect_test::expect;
use jiff::SignedDuration;
use memtape::Inbound;
use memtape::consolidate::ReportPart;
use memtape::ledger::{Filter, NewFact, Unwanted};
use memtape::{
    Added, At, Audience, Category, Config, Consolidated, ErrorKind, Form, Reply, Sensitivity, Session,
    Workspace,
};
use memtape_core::commit::Commit;
use memtape_testkit::TestWorkspace;
use proptest::prelude::*;

use crate::branches;

fn told(subject: &str, predicate: &str, object: &str) -> NewFact {
    NewFact { subject: subject.into(), ..branches::told(predicate, object) }
}

fn report(workspace: &Workspace) -> String {
    workspace.consolidation(&Audience::owner(), &At::head()).unwrap().render(&ReportPart::ALL)
}

fn facts(workspace: &Workspace) -> Vec<String> {
    let facts = workspace.ledger().list(&Filter::default(), &At::head()).unwrap();
    let mut texts: Vec<String> = facts.into_iter().map(|fact| fact.memory.text).collect();
    texts.sort();
    texts
}

/// Returns the messages of the commits on the tape, each with the number of its events.
fn commits(workspace: &Workspace) -> Vec<String> {
    let entries = workspace.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
    let commits = entries.iter().filter_map(Commit::read);
    commits.map(|commit| format!("{} [{}]", commit.message, commit.events.len())).collect()
}

fn entries(workspace: &Workspace) -> u64 {
    workspace.status(&At::head()).unwrap().entries
}

fn session(label: &str) -> Session {
    Session::parse(label).unwrap()
}

#[test]
fn a_report_lists_findings_and_commands() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace
        .statements()
        .add(&Added { confidence: 0.5, ..Added::new("The office is in Porto", Category::Fact) })
        .unwrap();
    workspace.ledger().add(&NewFact { days: Some(3), ..told("Ana", "is in", "Lisbon") }).unwrap();
    test.clock.advance_days(100);
    workspace.zone().remember("# Notes\n- User prefers tea.").unwrap();
    workspace.ledger().add(&told("user", "prefers", "tea")).unwrap();
    workspace
        .ledger()
        .add(&NewFact { scope: Some("work".into()), confidence: 0.6, ..told("user", "prefers", "coffee") })
        .unwrap();
    workspace
        .statements()
        .with_sensitivity(Sensitivity::Confidential)
        .add(&Added::new("user prefers tea", Category::Preference))
        .unwrap();
    expect![[r#"
        2 facts (2 permanent), average confidence 75%; 2 statements; 2 lines and notes

        Duplicates: 1
        - zone:453732f5796838a9@8 - User prefers tea.
          ledger:c8cd02e8a340cb88@10 user prefers tea [90%]
              memtape forget ledger:c8cd02e8a340cb88@10

        Contradictions: 1
        - ledger:c8cd02e8a340cb88@10 user prefers tea [90%]
              memtape fact deprecate ledger:c8cd02e8a340cb88@10
          ledger:9a45279d72fcd916@12 user prefers coffee [work, 60%]
              memtape fact deprecate ledger:9a45279d72fcd916@12

        Low confidence (below 70%): 2
        - statements:81e0d7cf1deb7906@4 The office is in Porto [50%]
              memtape forget statements:81e0d7cf1deb7906@4
        - ledger:9a45279d72fcd916@12 user prefers coffee [work, 60%]
              memtape fact confirm ledger:9a45279d72fcd916@12
              memtape fact deprecate ledger:9a45279d72fcd916@12

        Not used for 90 days: 1
        - statements:81e0d7cf1deb7906@4 The office is in Porto [50%]
              memtape forget statements:81e0d7cf1deb7906@4

        Expired: 1
        - ledger:70ca4ef1e3f9064c@5 Ana is in Lisbon [90%]
              memtape consolidate --apply-safe
    "#]]
    .assert_eq(&report(workspace));
}

#[test]
fn the_safe_part_is_one_commit_and_earlier_points_keep_it() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    assert_eq!(workspace.consolidate(&Audience::owner()).unwrap(), Consolidated::default());
    let empty = entries(workspace);
    workspace.ledger().add(&told("user", "prefers", "tea")).unwrap();
    workspace.ledger().add(&NewFact { days: Some(1), ..told("user", "is in", "Porto") }).unwrap();
    workspace.statements().add(&Added::new("User prefers tea!", Category::Preference)).unwrap();
    let ana = Audience::of(None, &["telegram:ana".parse().unwrap()]);
    workspace
        .statements()
        .for_audience(ana.clone())
        .add(&Added::new("user prefers tea", Category::Preference))
        .unwrap();
    test.clock.advance_days(2);
    let before = entries(workspace);
    let e = workspace.consolidate(&ana).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Refused);
    let done = workspace.consolidate(&Audience::owner()).unwrap();
    assert_eq!(done, Consolidated { duplicates: 1, expired: 1 });
    assert_eq!(commits(workspace).pop().unwrap(), "consolidate: 1 duplicate, 1 expired [1]");
    assert_eq!(facts(workspace), ["user prefers tea"]);
    // A user's memory is not a duplicate of the workspace's.
    let statements = workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(
        statements.iter().map(|memory| memory.text.as_str()).collect::<Vec<_>>(),
        ["user prefers tea"]
    );
    assert_eq!(
        workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::entry(before)).unwrap().len(),
        2
    );
    // A second consolidation finds nothing and writes nothing.
    let after = entries(workspace);
    assert_eq!(workspace.consolidate(&Audience::owner()).unwrap(), Consolidated::default());
    assert_eq!(entries(workspace), after);
    assert!(empty < before && before < after);
}

#[test]
fn undo_takes_back_what_removed_statements_alone() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace.ledger().add(&told("user", "prefers", "tea")).unwrap();
    workspace.statements().add(&Added::new("User prefers tea!", Category::Preference)).unwrap();
    let shown = || {
        let memories = workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        memories.into_iter().map(|memory| memory.text).collect::<Vec<_>>()
    };
    let before = shown();
    assert_eq!(workspace.consolidate(&Audience::owner()).unwrap().duplicates, 1);
    assert!(shown().is_empty());
    workspace.branches().undo().unwrap();
    assert_eq!(shown(), before);
    assert_eq!(facts(workspace), ["user prefers tea"]);
}

#[test]
fn a_report_is_limited_to_the_audience() {
    let test = TestWorkspace::new();
    let (ana, ben) = (session("telegram:ana"), session("telegram:ben"));
    let add = |session: &Session, object: &str| {
        let ledger = test.workspace.ledger().for_audience(Audience::of_chat(session));
        ledger.add(&NewFact { confidence: 0.5, ..told("user", "lives in", object) }).unwrap();
    };
    add(&ana, "Lisbon");
    add(&ben, "Berlin");
    let hers = test.workspace.consolidation(&Audience::of_chat(&ana), &At::head()).unwrap();
    expect![[r#"
        1 fact (1 permanent), average confidence 50%; 0 statements; 0 lines and notes

        Low confidence (below 70%): 1
        - ledger:05072c3dfde2e2d4@4 user lives in Lisbon [50%, channel:telegram:chat:ana]
              memtape fact confirm ledger:05072c3dfde2e2d4@4 --session telegram:ana
              memtape fact deprecate ledger:05072c3dfde2e2d4@4 --session telegram:ana
    "#]]
    .assert_eq(&hers.render(&ReportPart::ALL));
    // Facts of different users do not contradict each other, even when the owner asks.
    let found = test.workspace.consolidation(&Audience::owner(), &At::head()).unwrap();
    assert_eq!((found.contradictions.total(), found.low_confidence.total()), (0, 2));
}

#[test]
fn a_finding_does_not_reveal_confidential_text() {
    let test = TestWorkspace::new();
    let hidden = || test.workspace.ledger().with_sensitivity(Sensitivity::Confidential);
    test.workspace.zone().remember("the vault opens with a smile").unwrap();
    hidden().add(&told("the vault", "opens with", "a smile")).unwrap();
    hidden()
        .add(&NewFact { scope: Some("home".into()), ..told("the vault", "opens with", "a song") })
        .unwrap();
    test.workspace
        .ledger()
        .add(&NewFact { scope: Some("work".into()), ..told("the vault", "opens with", "a key") })
        .unwrap();
    let said = report(&test.workspace);
    assert!(!said.contains("smile") && !said.contains("vault") && !said.contains("home"), "{said}");
    let memory = std::fs::read_to_string(test.path().join("mirror/MEMORY.md")).unwrap();
    assert!(
        memory.contains("a key") && !memory.contains("a smile") && !memory.contains("a song"),
        "{memory}"
    );
    // Another chat does not see it at all.
    let chat =
        test.workspace.consolidation(&Audience::of_chat(&session("telegram:42")), &At::head()).unwrap();
    assert_eq!((chat.considered["ledger"], chat.contradictions.total()), (1, 0));
}

#[test]
fn a_long_report_is_counted() {
    let test = TestWorkspace::new();
    for n in 0..25 {
        test.workspace
            .ledger()
            .add(&NewFact { confidence: 0.1, ..told("user", &format!("says {n}"), "yes") })
            .unwrap();
    }
    let found = test.workspace.consolidation(&Audience::owner(), &At::head()).unwrap();
    assert_eq!((found.low_confidence.shown.len(), found.low_confidence.more), (20, 5));
    assert!(found.render(&[ReportPart::LowConfidence]).ends_with("\nand 5 more\n"));
}

#[test]
fn facts_are_pruned_that_are_not_sure_or_not_used() {
    let test = TestWorkspace::new();
    let ledger = || test.workspace.ledger();
    assert_eq!(ledger().prune(&Unwanted::default()).unwrap_err().kind(), ErrorKind::Invalid);
    let below = Unwanted { below: Some(0.5), ..Unwanted::default() };
    let unused = Unwanted { unused_days: Some(30), ..Unwanted::default() };
    assert_eq!(
        ledger().prune(&Unwanted { below: Some(1.5), ..below }).unwrap_err().kind(),
        ErrorKind::Invalid
    );
    ledger().add(&NewFact { confidence: 0.4, ..told("user", "may like", "tea") }).unwrap();
    ledger().add(&told("user", "likes", "coffee")).unwrap();
    ledger().add(&told("user", "lives in", "Porto")).unwrap();
    let e = entries(&test.workspace);
    assert_eq!(ledger().prunable(&below).unwrap().len(), 1);
    assert_eq!(ledger().prune(&below).unwrap().facts.len(), 1);
    assert_eq!(ledger().prune(&below).unwrap().facts.len(), 0);
    assert_eq!(entries(&test.workspace), e + 2);
    test.clock.advance_days(20);
    ledger().add(&NewFact { evidence: Some("said so".into()), ..told("user", "lives in", "Porto") }).unwrap();
    test.clock.advance_days(20);
    assert_eq!(ledger().prune(&unused).unwrap().facts[0].memory.text, "user likes coffee");
    assert_eq!(facts(&test.workspace), ["user lives in Porto"]);
    expect![[r#"
        add user may like [1]
        add user likes [1]
        add user lives in [1]
        prune 1 fact [1]
        confirm user lives in [1]
        prune 1 fact [1]"#]]
    .assert_eq(&commits(&test.workspace).join("\n"));
    let history = ledger()
        .history(
            &memtape::ledger::Target::Named(memtape::ledger::Named {
                subject: "user".into(),
                predicate: "likes".into(),
                scope: None,
            }),
            &At::head(),
        )
        .unwrap();
    assert_eq!(history[0].end.as_ref().unwrap().reason.as_deref(), Some("not used for 30 days"));
}

#[test]
fn an_audience_prunes_only_its_own_facts() {
    let test = TestWorkspace::new();
    let ledger = |label: &str| test.workspace.ledger().for_audience(Audience::of_chat(&session(label)));
    let doubtful = NewFact { confidence: 0.1, ..told("user", "likes", "tea") };
    test.workspace.ledger().add(&doubtful).unwrap();
    for label in ["telegram:1", "telegram:2"] {
        ledger(label).add(&doubtful).unwrap();
    }
    let below = Unwanted { below: Some(0.5), ..Unwanted::default() };
    // A chat sees the workspace's facts but does not prune them.
    let pruned = ledger("telegram:1").prune(&below).unwrap();
    assert_eq!(
        pruned.facts.iter().map(|fact| fact.memory.scope.as_str()).collect::<Vec<_>>(),
        ["channel:telegram:chat:1"]
    );
    assert_eq!(facts(&test.workspace).len(), 2);
    assert_eq!(test.workspace.ledger().prune(&below).unwrap().facts.len(), 2);
    // A commit over facts of several scopes names none of them.
    assert_eq!(commits(&test.workspace).pop().unwrap(), "prune 2 facts [2]");
}

fn turn(test: &TestWorkspace, session: &Session, text: &str) {
    let turned =
        test.workspace.conversation(session.clone()).turn(&Inbound::new(text), |_| Ok(Reply::new("ok")));
    turned.unwrap();
}

#[test]
fn a_fact_shown_in_a_prompt_counts_as_used() {
    let test = TestWorkspace::new();
    let ledger = || test.workspace.ledger();
    ledger().add(&told("Ana", "is allergic to", "hazelnuts")).unwrap();
    ledger().add(&told("Ben", "plays", "chess")).unwrap();
    test.clock.advance_days(80);
    turn(&test, &session("cli:direct"), "what is Ana allergic to, hazelnuts?");
    test.clock.advance_days(20);
    let unused = Unwanted { unused_days: Some(90), ..Unwanted::default() };
    assert_eq!(
        ledger().prunable(&unused).unwrap().iter().map(|f| f.memory.text.as_str()).collect::<Vec<_>>(),
        ["Ben plays chess"]
    );
    assert_eq!(report(&test.workspace).matches("Ben plays chess").count(), 1);
    assert!(!report(&test.workspace).contains("hazelnuts"));
}

#[test]
fn a_turn_removes_expired_and_unwanted_memories() {
    let mut config = Config::default();
    config.ledger.prune_below = 0.3;
    config.ledger.prune_unused_days = 30;
    let test = TestWorkspace::configured(config);
    let add = |told: &NewFact| test.workspace.ledger().add(told).unwrap();
    let direct = session("cli:direct");
    add(&told("user", "likes", "coffee"));
    turn(&test, &direct, "hello");
    add(&NewFact { confidence: 0.2, ..told("user", "may like", "tea") });
    add(&NewFact { days: Some(1), ..told("user", "is in", "Porto") });
    turn(&test, &direct, "hello again");
    assert_eq!(facts(&test.workspace).len(), 3, "it is the same hour");
    test.clock.advance_days(31);
    let temporary = |scope: &str| NewFact { scope: Some(scope.into()), ..told("user", "wants", "milk") };
    add(&temporary("temporary"));
    turn(&test, &direct, "good morning");
    assert_eq!(facts(&test.workspace), ["user wants milk"]);
    expect![[r#"
        add user likes [1]
        add user may like [1]
        add user is in [1]
        add user wants [1]
        1 expired; prune 2 facts [3]"#]]
    .assert_eq(&commits(&test.workspace).join("\n"));
    let found = test.workspace.consolidation(&Audience::owner(), &At::head()).unwrap();
    assert_eq!(found.expired.total(), 0);
}

#[test]
fn observations_of_a_conversation_are_committed_together() {
    let mut config = Config::default();
    config.ledger.commit_turns = 3;
    let test = TestWorkspace::configured(config);
    let chat = session("telegram:42");
    let observe = |predicate: &str, object: &str| {
        let ledger = test.workspace.ledger().for_audience(Audience::of_chat(&chat));
        let done = ledger.observe(&NewFact { confidence: 0.6, ..told("user", predicate, object) }).unwrap();
        assert_eq!(done.commit, None);
    };
    let waiting = || test.workspace.status(&At::head()).unwrap().observations;
    // At the terminal, an observation is committed at once.
    assert!(test.workspace.ledger().observe(&told("user", "drinks", "tea")).unwrap().commit.is_some());
    assert_eq!(waiting(), 0);
    observe("likes", "milk");
    observe("likes", "milk");
    assert_eq!((waiting(), facts(&test.workspace).len()), (2, 2));
    let before = entries(&test.workspace);
    turn(&test, &chat, "hello");
    turn(&test, &session("telegram:43"), "somebody else");
    turn(&test, &chat, "hello");
    assert_eq!(waiting(), 2);
    turn(&test, &chat, "hello");
    assert_eq!(waiting(), 0);
    assert_eq!(test.workspace.status(&At::entry(before)).unwrap().observations, 2, "as it was then");
    // The end of a conversation commits its observations.
    observe("likes", "honey");
    test.workspace.tape().handoff("done", None, &chat).unwrap();
    observe("likes", "milk");
    test.workspace.tape().reset(Some(&chat), false).unwrap();
    observe("likes", "bread");
    test.workspace.conversation(chat.clone()).start().unwrap();
    observe("likes", "salt");
    test.workspace.tape().reset(Some(&session("telegram:43")), false).unwrap();
    assert_eq!(waiting(), 1);
    test.workspace.tape().reset(None, false).unwrap();
    assert_eq!(waiting(), 0);
    expect![[r#"
        observe user drinks [1]
        observations of telegram:42: 2 [2]
        observations of telegram:42: 1 [1]
        observations of telegram:42: 1 [1]
        observations of telegram:42: 1 [1]
        observations of telegram:42: 1 [1]"#]]
    .assert_eq(&commits(&test.workspace).join("\n"));
    // A rebuilt index returns the same result.
    test.workspace.reindex().unwrap();
    assert_eq!(test.workspace.status(&At::entry(before)).unwrap().observations, 2);
}

/// An observation that was undone counts as committed or waiting no more, until the undo is undone.
#[test]
fn an_undone_observation_is_not_committed() {
    let test = TestWorkspace::new();
    let chat = session("telegram:42");
    let ledger = test.workspace.ledger().for_audience(Audience::of_chat(&chat));
    let branches = test.workspace.branches().in_session(chat.clone());
    let waiting = || test.workspace.status(&At::head()).unwrap().observations;
    ledger.observe(&told("user", "likes", "milk")).unwrap();
    let then = entries(&test.workspace);
    branches.undo().unwrap();
    assert_eq!(waiting(), 0);
    assert_eq!(test.workspace.status(&At::entry(then)).unwrap().observations, 1);
    let before = commits(&test.workspace).len();
    test.workspace.tape().handoff("done", None, &chat).unwrap();
    assert_eq!(commits(&test.workspace).len(), before);
    branches.redo().unwrap();
    assert_eq!(waiting(), 1);
}

#[test]
fn many_duplicates_go_at_once() {
    let test = TestWorkspace::new();
    let text: String = (0..3000).map(|n| format!("user likes {n}\n")).collect();
    test.workspace.zone().save(&text, memtape::Mode::Replace).unwrap();
    for n in 0..30 {
        test.workspace
            .statements()
            .add(&Added::new(&format!("User likes {n}."), Category::Preference))
            .unwrap();
    }
    let found = test.workspace.consolidation(&Audience::owner(), &At::head()).unwrap();
    assert_eq!((found.duplicates.total(), found.safe), (30, 30));
    test.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(test.workspace.consolidate(&Audience::owner()).unwrap().duplicates, 30);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Consolidation removes no text from any scope, and leaves nothing for a second run.
    #[test]
    fn the_safe_part_loses_no_text(steps in memtape_testkit::Step::many(30)) {
        let test = TestWorkspace::new();
        for step in &steps {
            step.run(&test.workspace, &test.clock).unwrap();
        }
        let texts = || -> Vec<(String, String)> {
            let forms = [Form::LEDGER, Form::STATEMENTS, Form::ZONE];
            let all = forms.map(|form| test.workspace.memories(form, &Audience::owner(), &At::head()).unwrap());
            let mut texts: Vec<_> = all.into_iter().flatten().map(|memory| {
                (memory.scope, memtape_core::same::said(&memory.text))
            }).collect();
            texts.sort();
            texts.dedup();
            texts
        };
        let before = texts();
        test.workspace.consolidate(&Audience::owner()).unwrap();
        prop_assert_eq!(texts(), before);
        prop_assert_eq!(test.workspace.consolidate(&Audience::owner()).unwrap(), Consolidated::default());
        let left = test.workspace.consolidation(&Audience::owner(), &At::head()).unwrap();
        prop_assert_eq!((left.safe, left.expired.total()), (0, 0));
    }
}
