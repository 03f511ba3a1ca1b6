//! Cherry-picks, reverts and undo.

use expect_test::expect;

use super::forked;
use crate::harness::Home;

#[test]
fn a_commit_is_picked_reverted_and_undone() {
    let home = forked();
    home.check(
        &[
            "cherry-pick @12",
            "cherry-pick @12",
            "cherry-pick @14",
            "cherry-pick @14",
            "cherry-pick planner@head",
            "cherry-pick 1",
            "undo",
            "undo",
            "undo",
            "revert @9999",
            "revert @14",
            "revert @5",
            "fact add user 'lives in' Faro",
            "revert @7 --reason 'it was wrong'",
            "fact list",
        ],
        &expect![[r#"
            $ memtape cherry-pick @12
            picked @12 into main ([COMMIT] @24)
            + ledger:7f1cac56ec9d4db3 user flies from Rotterdam
            $ memtape cherry-pick @12
            nothing to take: main already has the change of @12
            $ memtape cherry-pick @14
            picked @14 into main ([COMMIT] @25)
            1 conflict; our side is current until it is resolved:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape cherry-pick @14
            nothing to take from @14, but 1 conflict that is still open:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape cherry-pick planner@head
            picked planner@head into main ([COMMIT] @27)
            - ledger:c8cd02e8a340cb88 user prefers tea
            $ memtape cherry-pick 1
            ! error: entry 1 is not part of a commit
            ! hint: `memtape log` lists the commits
            [exit 2]
            $ memtape undo
            undid @27 ([COMMIT] @29)
            + ledger:c8cd02e8a340cb88 user prefers tea (restored)
            $ memtape undo
            undid @25 ([COMMIT] @30)
            $ memtape undo
            undid @24 ([COMMIT] @32)
            - ledger:7f1cac56ec9d4db3 user flies from Rotterdam
            $ memtape revert @9999
            ! error: the tape ends at entry 32: there is no entry 9999, and a commit id needs at least 7 digits
            ! hint: `memtape log` lists the commits
            [exit 3]
            $ memtape revert @14
            ! error: commit @15 of branch "planner" is not part of branch "main"
            ! hint: `memtape cherry-pick @15` applies it
            [exit 2]
            $ memtape revert @5
            reverted @5 ([COMMIT] @34)
            - ledger:c8cd02e8a340cb88 user prefers tea
            $ memtape fact add user 'lives in' Faro
            replaced: user lives in Faro (100%)
            before: user lives in Lisbon (100%)
            ledger:63c0cfd9d1ead1f9@35, commit [ID]
            $ memtape revert @7 --reason 'it was wrong'
            ! error: cannot revert commit @7: ledger:63c0cfd9d1ead1f9 changed later; revert @36 first
            [exit 4]
            $ memtape fact list
            ledger:63c0cfd9d1ead1f9@35 · permanent · user lives in Faro (100%)
        "#]],
    );
}

#[test]
fn a_hint_to_revert_is_given_only_if_that_works() {
    let home = Home::new();
    home.setup(&["block set focus one", "block set focus two", "undo", "block set focus three"]);
    home.check(&["redo", "revert @5", "undo", "revert @7", "block show focus"], &expect![[r#"
        $ memtape redo
        ! error: nothing to redo: commit @8 follows the last undo @7
        ! hint: revert what changed later first (`memtape log` lists the commits), then `memtape revert @7` reverts it
        [exit 4]
        $ memtape revert @5
        ! error: commit @5 is already undone by @7
        ! hint: revert what changed later first (`memtape log` lists the commits), then `memtape revert @7` reverts it
        [exit 4]
        $ memtape undo
        undid @8 ([COMMIT] @10)
        ~ blocks:current_focus one (was: three; restored)
        $ memtape revert @7
        reverted @7 ([COMMIT] @12)
        ~ blocks:current_focus two (was: one; restored)
        $ memtape block show focus
        two
    "#]]);
    let home = Home::new();
    home.setup(&["fact add user prefers tea", "undo", "fact add user likes milk"]);
    home.check(
        &["redo", "revert @6", "view"],
        &expect![[r#"
        $ memtape redo
        ! error: nothing to redo: commit @9 follows the last undo @7
        ! hint: `memtape revert @7` reverts it
        [exit 4]
        $ memtape revert @6
        reverted @7 ([COMMIT] @11)
        + ledger:c8cd02e8a340cb88 user prefers tea (restored)
        $ memtape view
        # Memory [main]

        ## Memory

        ### General
        - ✓ user likes milk (100%)
        - ✓ user prefers tea (100%)
    "#]],
    );
}

#[test]
fn a_merge_that_was_reverted_is_named() {
    let home = Home::new();
    home.setup(&["branch create b", "fact add user prefers tea --branch b", "merge b", "revert main@head"]);
    home.check(
        &["merge b --dry-run", "merge b", "revert @10", "merge b", "fact list"],
        &expect![[r#"
        $ memtape merge b --dry-run
        ! error: branch "b" was merged by @8, and @10 reverted that
        ! hint: `memtape revert @10` brings it back
        [exit 4]
        $ memtape merge b
        ! error: branch "b" was merged by @8, and @10 reverted that
        ! hint: `memtape revert @10` brings it back
        [exit 4]
        $ memtape revert @10
        reverted @10 ([COMMIT] @12)
        + ledger:c8cd02e8a340cb88 user prefers tea (restored)
        $ memtape merge b
        b is already merged into main
        $ memtape fact list
        ledger:c8cd02e8a340cb88@11 · permanent · user prefers tea (100%)
    "#]],
    );
    let home = Home::new();
    home.setup(&[
        "branch create b",
        "fact add user prefers tea --branch b",
        "cherry-pick @6",
        "revert main@head",
    ]);
    home.check(&["cherry-pick @6", "cherry-pick @6 --json"], &expect![[r#"
        $ memtape cherry-pick @6
        ! error: @6 was taken by @8, and @10 reverted that
        ! hint: `memtape revert @10` brings it back
        [exit 4]
        $ memtape cherry-pick @6 --json
        ! {"error":{"kind":"conflict","message":"@6 was taken by @8, and @10 reverted that","hint":"`memtape revert @10` brings it back"}}
        [exit 4]
    "#]]);
}

#[test]
fn a_commit_that_was_taken_back_is_not_there_already() {
    let home = Home::new();
    home.setup(&["fact add user prefers tea", "undo"]);
    home.check(
        &["cherry-pick @5", "revert @7", "cherry-pick @5"],
        &expect![[r#"
        $ memtape cherry-pick @5
        ! error: commit @5 is already undone by @7
        ! hint: `memtape revert @7` reverts it
        [exit 4]
        $ memtape revert @7
        reverted @7 ([COMMIT] @9)
        + ledger:c8cd02e8a340cb88 user prefers tea (restored)
        $ memtape cherry-pick @5
        nothing to take: main already has the change of @5
    "#]],
    );
    // It was stated again.
    let home = Home::new();
    home.setup(&["fact add user prefers tea", "undo", "fact add user prefers tea"]);
    home.check(
        &["cherry-pick @5"],
        &expect![[r#"
        $ memtape cherry-pick @5
        nothing to take: main already has the change of @5
    "#]],
    );
    // A merge brought it.
    let home = Home::new();
    home.setup(&["branch create b", "fact add user prefers tea --branch b", "merge b", "revert main@head"]);
    home.check(
        &["cherry-pick @6"],
        &expect![[r#"
        $ memtape cherry-pick @6
        ! error: @6 was taken by @8, and @10 reverted that
        ! hint: `memtape revert @10` brings it back
        [exit 4]
    "#]],
    );
}

/// JSON hides what the same command hides without it: nobody named the ref.
#[test]
fn confidential_texts_are_not_in_the_json_of_a_change() {
    let home = Home::new();
    let add = |object: &str| format!("fact add Ana hates {object} --sensitivity confidential");
    home.setup(&[
        "remember 'Ana hates zebrawood' --as fact --sensitivity confidential",
        &add("zebrawood-1"),
        "branch create b",
        &add("zebrawood-2"),
        &format!("{} --branch b", add("zebrawood-3")),
    ]);
    for line in ["undo", "redo", "merge b", "conflicts", "merge b", "log", "diff 1 head"] {
        let ran = home.run(&format!("{line} --json"));
        assert!(ran.code < 2 && ran.stdout.contains("confidential"), "{line}: {}", ran.snapshot());
        assert!(!ran.stdout.contains("zebrawood"), "{line}: {}", ran.snapshot());
    }
    let reference = home.run("conflicts --json").json()[0]["ref"].as_str().unwrap().to_owned();
    let resolved = home.run(&format!("resolve {reference} --theirs --json"));
    assert!(!resolved.stdout.contains("zebrawood"), "{}", resolved.snapshot());
}
