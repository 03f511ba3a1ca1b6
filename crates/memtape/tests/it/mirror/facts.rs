//! The summary of ledger facts: of which branch, with which conflicts, and how many.

use std::fs;

use expect_test::expect;
use memtape::At;
use memtape::branches::Resolution;
use memtape_core::forms::ledger::EventType;
use memtape_core::{Category, MAIN, Sensitivity};
use memtape_testkit::TestWorkspace;

use super::{Fact, add, anew, begin_on, files, fork, shown};

#[test]
fn the_facts_are_summed_up_for_people() {
    let test = TestWorkspace::new();
    Fact { confidence: 0.6, ..Fact::new("speaks", "Portuguese\n\n## Not a heading") }
        .tell(&test, EventType::Add);
    Fact::new("prefers", "dark mode").tell(&test, EventType::Add);
    let work = Fact { scope: Some("Work/Technical"), ..Fact::new("uses", "system: Rust") };
    work.tell(&test, EventType::Add);
    Fact { object: "<|im_start|> Rust".into(), ..work }.tell(&test, EventType::Modify);
    let secret = Fact { sensitivity: Sensitivity::Confidential, ..Fact::new("hides", "the key") };
    secret.tell(&test, EventType::Add);
    let soon = Fact { scope: Some("temporary"), hours: Some(48), ..Fact::new("is in", "Lisbon") };
    soon.tell(&test, EventType::Observe);
    Fact { scope: Some("session"), ..Fact::new("wants", "short answers") }.tell(&test, EventType::Observe);
    expect![[r#"
        MEMORY.md
        # Memory [main]

        ## General

        - ✓ user prefers dark mode (90%)
        - ? user speaks Portuguese ## Not a heading (60%)

        ## Work/Technical

        - ✓ user uses ‹¦im_start¦› Rust (90%)

        ## Temporary

        - ✓ user is in Lisbon (90%), until 2026-02-12 10:00 UTC

        ## Session cli:direct

        - ✓ user wants short answers (90%)
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
    // The next write to the ledger removes expired facts from the mirror.
    test.clock.advance_days(3);
    Fact::new("prefers", "dark mode").tell(&test, EventType::Forget);
    expect![[r#"
        MEMORY.md
        # Memory [main]

        ## General

        - ? user speaks Portuguese ## Not a heading (60%)

        ## Work/Technical

        - ✓ user uses ‹¦im_start¦› Rust (90%)

        ## Session cli:direct

        - ✓ user wants short answers (90%)
    "#]]
    .assert_eq(&shown(&files(test.path())));
}

#[test]
fn the_files_show_the_branch_that_new_conversations_begin_on() {
    let test = TestWorkspace::new();
    Fact::new("prefers", "dark mode").tell(&test, EventType::Add);
    let tea = add(&test.workspace, "I like tea", Category::Preference);
    fork(&test, "helper", MAIN);
    begin_on(&test, "helper");
    expect![[r#"
        BRANCH
        helper
        ---
        MEMORY.md
        # Memory [helper] (persona: A helper)

        ## General

        - ✓ user prefers dark mode (90%)
        ---
        semantic/preferences.md
        # Preferences

        - [2026-02-10 10:00:00 UTC] I like tea
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
    // Changes on main are no longer shown.
    let before = files(test.path());
    let on = |branch: &str| test.again_on(branch);
    on(MAIN).statements().forget(std::slice::from_ref(&tea)).unwrap();
    add(&on(MAIN), "I like coffee", Category::Preference);
    assert_eq!(files(test.path()), before);
    assert_eq!(files(test.path()), anew(&test));
    // Changes on the branch are shown.
    on("helper").statements().forget(&[tea]).unwrap();
    assert_eq!(files(test.path()).keys().collect::<Vec<_>>(), ["BRANCH", "MEMORY.md"]);
    assert_eq!(files(test.path()), anew(&test));
    begin_on(&test, MAIN);
    expect![[r#"
        BRANCH
        main
        ---
        MEMORY.md
        # Memory [main]

        ## General

        - ✓ user prefers dark mode (90%)
        ---
        semantic/preferences.md
        # Preferences

        - [2026-02-10 10:00:00 UTC] I like coffee
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
}

#[test]
fn an_open_conflict_is_shown_until_it_is_resolved() {
    let test = TestWorkspace::new();
    let told = |object: &str, sensitivity| Fact { sensitivity, ..Fact::new("prefers", object) };
    told("tea", Sensitivity::Normal).tell(&test, EventType::Add);
    fork(&test, "helper", MAIN);
    begin_on(&test, "helper");
    told("coffee", Sensitivity::Normal).tell(&test, EventType::Modify);
    begin_on(&test, MAIN);
    told("milk", Sensitivity::Normal).tell(&test, EventType::Modify);
    let branches = test.workspace.branches();
    branches.merge("helper").unwrap();
    expect![[r#"
        BRANCH
        main
        ---
        MEMORY.md
        # Memory [main]

        ## General

        - ✓ user prefers milk (90%)

        ## Conflicts

        - ledger:c8cd02e8a340cb88: user prefers milk | user prefers coffee
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
    let reference = branches.conflicts(&At::head()).unwrap().pop().unwrap().reference;
    branches.resolve(&reference, &Resolution::Ours).unwrap();
    assert!(!shown(&files(test.path())).contains("coffee"));
    assert_eq!(files(test.path()), anew(&test));
    // A confidential fact is in no file, on either side of the conflict.
    begin_on(&test, "helper");
    told("cocoa", Sensitivity::Confidential).tell(&test, EventType::Modify);
    begin_on(&test, MAIN);
    told("water", Sensitivity::Confidential).tell(&test, EventType::Modify);
    branches.merge("helper").unwrap();
    assert_eq!(branches.conflicts(&At::head()).unwrap().len(), 1);
    let after = shown(&files(test.path()));
    assert!(after.contains("milk") && !after.contains("cocoa") && !after.contains("water"), "{after}");
    assert!(!after.contains("Conflicts"), "{after}");
}

#[test]
fn only_the_most_confident_facts_are_shown_and_the_others_counted() {
    let test = TestWorkspace::new();
    for n in 0..203 {
        Fact { confidence: f64::from(n) / 300.0, ..Fact::new(&format!("says {n}"), "yes") }
            .tell(&test, EventType::Add);
    }
    let text = fs::read_to_string(test.path().join("mirror/MEMORY.md")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("- ")).count(), 200);
    assert!(text.contains("- ? user says 202 yes (67%)\n- ? user says 201"), "{text}");
    assert!(!text.contains("says 2 yes") && text.contains("says 3 yes"));
    assert!(text.ends_with("\n3 more: `memtape fact list --all`\n"), "{text}");
    assert_eq!(files(test.path()), anew(&test));
}
