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
        &expect![[r#"
            $ memtape note list
            facts/user.md (34B): Likes
            $ memtape note show facts/user.md
            > Summary: Likes

            - Likes: coffee
            $ memtape note log facts/user.md
            @5 [NOW] note.write by user
            @4 [NOW] note.write by user
            $ memtape note log facts/user.md -n 1
            @5 [NOW] note.write by user
            $ memtape note diff facts/user.md
            --- a/facts/user.md
            +++ b/facts/user.md
            @@ -1,3 +1,3 @@
             > Summary: Likes
 
            -- Likes: tea
            +- Likes: coffee
            $ memtape note diff facts/user.md @4 @5
            --- a/facts/user.md
            +++ b/facts/user.md
            @@ -1,3 +1,3 @@
             > Summary: Likes
 
            -- Likes: tea
            +- Likes: coffee
            $ memtape note diff facts/user.md @5 @5
            No differences.
            $ memtape note restore facts/user.md
            ! error: name the version to restore, or a point with --at POINT (`memtape note log PATH` lists the versions)
            [exit 2]
            $ memtape note restore facts/user.md @4
            facts/user.md: restored (31B)
            $ memtape note restore facts/user.md @4 --at 4
            ! error: name the version to restore or a point with --at, not both
            [exit 2]
            $ memtape note show facts/user.md
            > Summary: Likes

            - Likes: tea
            $ memtape note restore facts/user.md --at 5
            facts/user.md: restored (34B)
            $ memtape note read facts/user.md
            > Summary: Likes

            - Likes: coffee
        "#]],
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
        &expect![[r#"
            $ memtape file list
            insights/tea.md ([TODAY])
            $ memtape file show insights/tea.md
            black
            $ memtape file log insights/tea.md -n 1
            @5 [NOW] file.write by user
            $ memtape file diff insights/tea.md
            --- a/insights/tea.md
            +++ b/insights/tea.md
            @@ -1 +1 @@
            -green
            +black
            $ memtape file diff insights/tea.md 3 4 --json
            {"path":"insights/tea.md","diff":"--- /dev/null\n+++ b/insights/tea.md\n@@ -0,0 +1 @@\n+green\n"}
            $ memtape file diff insights/none.md 3 4
            ! error: there is no file insights/none.md at either point
            [exit 3]
            $ memtape file restore insights/tea.md @4
            insights/tea.md: restored (6B)
            $ memtape file show insights/tea.md
            green
        "#]],
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
        &expect![[r#"
            $ memtape block list --layer 4
            layer 4 (working)
              current_focus: coffee
              goals (empty)
              recent_insights (computed): []
              recent_research (computed): []
              schedule (empty)
            $ memtape block show current_focus
            coffee
            $ memtape block log current_focus
            @5 [NOW] layer 4 by user (it changed): coffee
            @4 [NOW] layer 4 by user: tea
            $ memtape block diff current_focus
            --- a/current_focus
            +++ b/current_focus
            @@ -1 +1 @@
            -tea
            +coffee
            $ memtape block diff current_focus 3
            --- /dev/null
            +++ b/current_focus
            @@ -0,0 +1 @@
            +coffee
            $ memtape block diff nothing 3
            ! error: there is no block nothing
            ! hint: `memtape block list` lists the blocks
            [exit 3]
            $ memtape block restore current_focus @4 --reason 'it did not'
            current_focus: restored, layer 4 (working)
            $ memtape block get current_focus
            tea
            $ memtape block history current_focus -n 1
            @6 [NOW] layer 4 by user (it did not): tea
        "#]],
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
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
            ! No facts.
            $ memtape fact show Ana 'lives in'
            ! error: ledger:401cce7d4864a689 is not current
            ! hint: an earlier point may show it: --at POINT
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
            ! error: no fact about Ana works in
            [exit 3]
            $ memtape fact restore Ana 'lives in'
            ! error: name the version to restore, or a point with --at POINT (`memtape fact log REF` lists the versions)
            [exit 2]
            $ memtape fact restore Ana 'lives in' @3
            ! error: no fact about Ana lives in
            [exit 3]
            $ memtape fact restore Ana 'lives in' @5 --reason 'she moved back'
            1 fact restored
            ledger:401cce7d4864a689@10 · permanent · Ana lives in Porto (100%)
            $ memtape fact restore Ana 'lives in' --at 5
            nothing to restore
            $ memtape fact list
            ledger:401cce7d4864a689@10 · permanent · Ana lives in Porto (100%)
            $ memtape fact history Ana 'lives in' -n 1
            ledger:401cce7d4864a689@10 [NOW] add by user (she moved back): permanent · Ana lives in Porto (100%, source user_explicit; evidence: she said so)
            $ memtape log --oneline -n 1
            [COMMIT] @11 restore facts of @5
            ! … 3 commits before these: `-n all` prints them
            $ memtape undo
            undid @11 ([COMMIT] @13)
            - ledger:401cce7d4864a689 Ana lives in Porto
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
            format!("{} {}", fact["object"], fact["scope"].as_str().unwrap().starts_with("channel:telegram:"))
        })
        .collect();
    facts.sort();
    expect![[r#"
        "tea" true
        "wine" false"#]]
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
        &expect![[r##"
            $ memtape zone list
            zone:5f03cb71cf7dbfe4@11 [TODAY] long-term: Ana likes coffee
            zone:2024-02-10@8 [TODAY] note of 2024-02-10: # 2024-02-10 moved in
            $ memtape zone list --json
            [{"ref":"zone:5f03cb71cf7dbfe4@11","day":null,"text":"Ana likes coffee","scope":null,"updated_at":"[NOW]","origin":"user","quarantined":false},{"ref":"zone:2024-02-10@8","day":"2024-02-10","text":"# 2024-02-10\n\nmoved in","scope":null,"updated_at":"[NOW]","origin":"user","quarantined":false}]
            $ memtape zone log
            @12 [NOW] by user: remembered: Ana likes coffee (and 1 other change)
            @9 [NOW] by user: remembered: # 2024-02-10 moved in
            @6 [NOW] by user: remembered: Ana likes tea
            $ memtape zone log -n 1
            @12 [NOW] by user: remembered: Ana likes coffee (and 1 other change)
            $ memtape zone diff
            --- a/zone
            +++ b/zone
            @@ -1,6 +1,6 @@
             # Long-term Memory

            -Ana likes tea
            +Ana likes coffee

             # 2024-02-10

            $ memtape zone diff @3 @5
            --- /dev/null
            +++ b/zone
            @@ -0,0 +1,3 @@
            +# Long-term Memory
            +
            +Ana likes tea
            $ memtape zone restore
            ! error: name the version to restore, or a point with --at POINT (`memtape zone log` lists the versions)
            [exit 2]
            $ memtape zone restore @5
            1 memory restored, 2 memories removed
            $ memtape zone list
            zone:545e45e82a169b2f@15 [TODAY] long-term: Ana likes tea
            $ memtape -C . zone log --json --at 3
            []
        "##]],
    );
}

#[test]
fn without_points_diff_compares_with_the_state_before_the_last_commit() {
    let home = Home::new();
    home.check(
        &["diff"],
        &expect![[r#"
            $ memtape diff
            main@0 → main@3: no differences
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
            main@9 → main@9: no differences
        "#]],
    );
}
