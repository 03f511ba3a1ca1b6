//! The verbs that notes, files, blocks, facts and the zone share: list, show, log, diff and restore.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn a_note_is_listed_shown_logged_compared_and_restored() {
    let home = Home::new();
    home.setup(&["note write facts/user.md '- Likes: tea'", "note write facts/user.md '- Likes: coffee'"]);
    home.check(
        &[
            "note list",
            "note show facts/user.md",
            "note log facts/user.md",
            "note log facts/user.md -n 1",
            "note diff facts/user.md",
            "note diff facts/user.md @4 @5",
            "note diff facts/user.md @5 @5",
            "note restore facts/user.md",
            "note restore facts/user.md @4",
            "note restore facts/user.md @4 --at 4",
            "note show facts/user.md",
            "note restore facts/user.md --at 5",
            "note read facts/user.md",
        ],
        &expect![[r#""#]],
    );
}

#[test]
fn a_file_is_listed_shown_logged_compared_and_restored() {
    let home = Home::new();
    home.setup(&["file write insights/tea.md green", "file write insights/tea.md black"]);
    home.check(
        &[
            "file list",
            "file show insights/tea.md",
            "file log insights/tea.md -n 1",
            "file diff insights/tea.md",
            "file diff insights/tea.md 3 4 --json",
            "file diff insights/none.md 3 4",
            "file restore insights/tea.md @4",
            "file show insights/tea.md",
        ],
        &expect![[r#""#]],
    );
}

#[test]
fn a_block_is_listed_shown_logged_compared_and_restored() {
    let home = Home::new();
    home.setup(&["block set current_focus tea", "block set current_focus coffee --reason 'it changed'"]);
    home.check(
        &[
            "block list --layer 4",
            "block show current_focus",
            "block log current_focus",
            "block diff current_focus",
            "block diff current_focus 3",
            "block diff nothing 3",
            "block restore current_focus @4 --reason 'it did not'",
            "block get current_focus",
            "block history current_focus -n 1",
        ],
        &expect![[r#""#]],
    );
}

#[test]
fn a_fact_is_listed_shown_logged_compared_and_restored() {
    let home = Home::new();
    home.setup(&[
        "fact add Ana 'lives in' Porto --evidence 'she said so'",
        "fact update Ana 'lives in' Utrecht",
        "fact forget Ana 'lives in' --reason 'unknown now'",
    ]);
    home.check(
        &[
            "fact list",
            "fact show Ana 'lives in'",
            "fact log Ana 'lives in'",
            "fact log Ana 'lives in' -n 1",
            "fact diff Ana 'lives in'",
            "fact diff Ana 'lives in' @5 @7",
            "fact diff Ana 'lives in' @5 @7 @9",
            "fact diff Ana 'works in'",
            "fact restore Ana 'lives in'",
            "fact restore Ana 'lives in' @3",
            "fact restore Ana 'lives in' @5 --reason 'she moved back'",
            "fact restore Ana 'lives in' --at 5",
            "fact list",
            "fact history Ana 'lives in' -n 1",
            "log --oneline -n 1",
            "undo",
        ],
        &expect![[r#"
            $ memtape fact list
            ! no facts
            $ memtape fact show Ana 'lives in'
            ! error: ledger:401cce7d4864a689 does not stand there
            ! hint: an earlier point may show it: --at
            [exit 3]
            $ memtape fact log Ana 'lives in'
            ledger:401cce7d4864a689@8 [NOW] forget by user (unknown now): permanent · (removed)
            ledger:401cce7d4864a689@6 [NOW] modify by user: permanent · Ana lives in Utrecht (100%, source user_explicit)
            ledger:401cce7d4864a689@4 [NOW] add by user: permanent · Ana lives in Porto (100%, source user_explicit; evidence: she said so)
            $ memtape fact log Ana 'lives in' -n 1
            ledger:401cce7d4864a689@8 [NOW] forget by user (unknown now): permanent · (removed)
            $ memtape fact diff Ana 'lives in'
            --- a/Ana lives in
            +++ /dev/null
            @@ -1 +0,0 @@
            -permanent · Ana lives in Utrecht (100%)
            $ memtape fact diff Ana 'lives in' @5 @7
            --- a/Ana lives in
            +++ b/Ana lives in
            @@ -1 +1 @@
            -permanent · Ana lives in Porto (100%)
            +permanent · Ana lives in Utrecht (100%)
            $ memtape fact diff Ana 'lives in' @5 @7 @9
            ! error: unexpected value '@9' for '[PREDICATE] [A] [B]...' found; no more were expected
            !
            ! Usage: memtape fact diff [OPTIONS] <REF|SUBJECT> [PREDICATE] [A] [B]...
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape fact diff Ana 'works in'
            ! error: nothing is known of Ana works in
            [exit 3]
            $ memtape fact restore Ana 'lives in'
            ! error: name the version to restore, or a point with --at POINT (`memtape fact log REF` lists the versions)
            [exit 2]
            $ memtape fact restore Ana 'lives in' @3
            ! error: nothing is known of Ana lives in
            [exit 3]
            $ memtape fact restore Ana 'lives in' @5 --reason 'she moved back'
            ! error: unexpected value 'she moved back' for '[PREDICATE] [VERSION]...' found; no more were expected
            !
            ! Usage: memtape fact restore [OPTIONS] <REF|SUBJECT> [PREDICATE] [VERSION]...
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape fact restore Ana 'lives in' --at 5
            ! error: unexpected value '5' for '[PREDICATE] [VERSION]...' found; no more were expected
            !
            ! Usage: memtape fact restore [OPTIONS] <REF|SUBJECT> [PREDICATE] [VERSION]...
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape fact list
            ! no facts
            $ memtape fact history Ana 'lives in' -n 1
            ledger:401cce7d4864a689@8 [NOW] forget by user (unknown now): permanent · (removed)
            $ memtape log --oneline -n 1
            [COMMIT] @9 forget Ana lives in
            $ memtape undo
            took back @9 ([COMMIT] @11)
            + ledger:401cce7d4864a689 Ana lives in Utrecht (restored)
        "#]],
    );
}

/// A chat's fact is restored into its chat, and other facts are left as they are.
#[test]
fn a_restored_fact_keeps_its_scope() {
    let home = Home::new();
    home.setup(&[
        "fact add Ana likes tea --session telegram:1",
        "fact add Ana likes wine",
        "fact update Ana likes coffee --session telegram:1",
    ]);
    let list = home.run("fact list --json").json();
    let of_chat = list["facts"].as_array().unwrap().iter().find(|fact| fact["object"] == "coffee").unwrap();
    let reference = of_chat["ref"].as_str().unwrap().split('@').next().unwrap().to_owned();
    let ran = home.run(&format!("fact restore {reference} @5"));
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    let list = home.run("fact list --json").json();
    let mut facts: Vec<_> = list["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| {
            format!("{} {}", fact["object"], fact["whose"].as_str().unwrap().starts_with("channel:telegram:"))
        })
        .collect();
    facts.sort();
    expect![[r#"
        "tea" "channel:telegram:chat:1"
        "wine" "workspace:a1e03d64f2822845:global""#]]
    .assert_eq(&facts.join("\n"));
}

#[test]
fn the_zone_is_listed_shown_logged_compared_and_restored() {
    let home = Home::new();
    home.setup(&[
        "remember 'Ana likes tea'",
        "zone daily --date 2024-02-10 'moved in'",
        "zone save 'Ana likes coffee'",
    ]);
    home.check(
        &[
            "zone list",
            "zone list --json",
            "zone log",
            "zone log -n 1",
            "zone diff",
            "zone diff @3 @5",
            "zone restore",
            "zone restore @5",
            "zone list",
            "-C . zone log --json --at 3",
        ],
        &expect![[r#""#]],
    );
}

#[test]
fn without_points_diff_compares_with_the_state_before_the_last_commit() {
    let home = Home::new();
    home.check(
        &["diff"],
        &expect![[r#"
        $ memtape diff
        main@0 → main@3: nothing differs
    "#]],
    );
    home.setup(&["remember tea", "remember coffee"]);
    home.check(
        &["diff", "diff 5", "diff head"],
        &expect![[r#"
        $ memtape diff
        main@6 → main@9: 1 added
        + zone:37290d74ac4d186e coffee
        $ memtape diff 5
        main@6 → main@9: 1 added
        + zone:37290d74ac4d186e coffee
        $ memtape diff head
        main@9 → main@9: nothing differs
    "#]],
    );
}
