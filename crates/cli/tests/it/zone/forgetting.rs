//! `zone forget`, `zone clear` and `zone prune`.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn forget_takes_a_line_a_part_or_a_day() {
    let home = Home::new();
    home.command("zone save").arg("likes green tea\nlikes black tea\nlives in Porto\nhas a cat").run().raw();
    home.setup(&["zone daily '- met Ana' --date 2024-02-29", "zone daily '- met Rui' --date 2024-02-29"]);
    home.check(
        &[
            "zone forget 'lives in Porto'",
            "zone forget 'LIKES  GREEN TEA'",
            "zone forget cat",
            "zone forget cat",
            "zone forget 'met Ana'",
            "show zone:2024-02-29",
            "zone forget --date 2024-02-29 --json",
            "zone forget --date 2024-02-29",
            "zone forget --date soon",
            "zone forget ''",
            "zone forget",
            "zone forget tea --date 2024-02-29",
            "zone recall",
        ],
        &expect![[r#"
            $ memtape zone forget 'lives in Porto'
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape zone forget 'LIKES  GREEN TEA'
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape zone forget cat
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape zone forget cat
            ! error: no line of the zone contains "cat"
            [exit 3]
            $ memtape zone forget 'met Ana'
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape show zone:2024-02-29
            zone:2024-02-29@11
              - met Rui
            recorded  entry 11, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current

            zone:2024-02-29@23
              # 2024-02-29
            recorded  entry 23, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
            $ memtape zone forget --date 2024-02-29 --json
            {"removed":2,"other_scopes":[]}
            $ memtape zone forget --date 2024-02-29
            ! error: there is no daily note of 2024-02-29
            [exit 3]
            $ memtape zone forget --date soon
            ! error: invalid day "soon": expected 2026-02-10, yesterday or "2 days ago"
            [exit 2]
            $ memtape zone forget ''
            ! error: specify the line to forget
            [exit 2]
            $ memtape zone forget
            ! error: the following required arguments were not provided:
            !   <TEXT|--date <DATE>>
            !
            ! Usage: memtape zone forget <TEXT|--date <DATE>>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape zone forget tea --date 2024-02-29
            ! error: the argument '[TEXT]' cannot be used with '--date <DATE>'
            !
            ! Usage: memtape zone forget <TEXT|--date <DATE>>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape zone recall
            ## Long-term Memory
            likes black tea
        "#]],
    );
}

#[test]
fn an_ambiguous_text_is_not_guessed() {
    let home = Home::new();
    home.command("zone save").arg("likes green tea\nlikes black tea").run().raw();
    let before = home.tape();
    home.check(&["zone forget tea", "zone forget tea --json"], &expect![[r#"
        $ memtape zone forget tea
        ! error: 2 lines of the zone contain "tea"; pass one of them in full:
        !   likes green tea
        !   likes black tea
        [exit 4]
        $ memtape zone forget tea --json
        ! {"error":{"kind":"conflict","message":"2 lines of the zone contain \"tea\"; pass one of them in full:\n  likes green tea\n  likes black tea","hint":null}}
        [exit 4]
    "#]]);
    assert_eq!(home.tape(), before);
}

#[test]
fn clear_needs_a_yes() {
    let home = Home::new();
    home.setup(&["remember tea", "remember coffee", "zone daily 'a day'"]);
    let before = home.tape();
    home.check(&["zone clear", "zone clear --json"], &expect![[r#"
        $ memtape zone clear
        ! error: confirmation needed: Forget the workspace's long-term memory and daily notes?
        ! hint: pass --yes to confirm
        [exit 5]
        $ memtape zone clear --json
        ! {"error":{"kind":"refused","message":"confirmation needed: Forget the workspace's long-term memory and daily notes?","hint":"pass --yes to confirm"}}
        [exit 5]
    "#]]);
    home.command("zone clear").stdin("y\n").run().check(&expect![[r#"
        ! error: confirmation needed: Forget the workspace's long-term memory and daily notes?
        ! hint: pass --yes to confirm
        [exit 5]
    "#]]);
    assert_eq!(home.tape(), before, "without a yes nothing is written");
    home.check(
        &[
            "zone clear --yes",
            "zone recall",
            "zone clear -y",
            "zone recall --at 9",
            "zone clear --yes --json",
        ],
        &expect![[r#"
            $ memtape zone clear --yes
            3 memories forgotten (an earlier point still shows them: --at)
            $ memtape zone recall
            (no memories stored)
            $ memtape zone clear -y
            nothing to forget
            $ memtape zone recall --at 9
            ## Long-term Memory
            tea
            coffee
            $ memtape zone clear --yes --json
            {"removed":0,"other_scopes":[]}
        "#]],
    );
}

#[test]
fn prune_removes_notes_past_their_retention() {
    let home = Home::new();
    for days in [0, 29, 30, 31] {
        home.setup(&[&format!("zone daily 'a day' --date {}", home.days_ago(days))]);
    }
    home.setup(&["remember tea"]);
    home.check(
        &["zone prune", "zone prune", "zone prune --json", "status"],
        &expect![[r#"
            $ memtape zone prune
            removed 2 daily notes
            $ memtape zone prune
            removed 0 daily notes
            $ memtape zone prune --json
            {"pruned":0}
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    22, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 7: 3 bytes of long-term memory, 2 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none pending
        "#]],
    );
    let left = home.run("zone show --json").json();
    let left: Vec<_> = left["dailies"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(left, [home.days_ago(29), home.days_ago(0)]);
    home.setup(&["zone daily 'a day' --date 2024-02-29"]);
    home.run("zone prune").check(&expect![[r#"
        removed 1 daily note
    "#]]);
}

#[test]
fn the_owner_forgets_in_the_workspace_and_is_told_of_chats() {
    let home = Home::new();
    home.setup(&[
        "remember 'likes tea'",
        "remember 'likes tea' --session telegram:1",
        "remember 'likes rain' --session telegram:1",
        "zone daily 'a day' --user discord:ana",
    ]);
    home.check(
        &[
            "zone list",
            "zone forget 'likes tea'",
            "zone forget rain",
            "zone forget 'likes tea' --session telegram:1 --json",
            "zone clear --yes",
            "zone list",
        ],
        &expect![[r#"
            $ memtape zone list
            zone:50f5f279425da6b8@5 [TODAY] long-term: likes tea
            zone:fab221b16a04f2b1@8 [TODAY] long-term (chat telegram:1): likes tea
            zone:09474498290dad1a@11 [TODAY] long-term (chat telegram:1): likes rain
            zone:[TODAY]/channel:discord:user:ana@14 [TODAY] note of [TODAY] (user discord:ana): # [TODAY] a day
            $ memtape zone forget 'likes tea'
            1 memory forgotten (an earlier point still shows it: --at)
            ! note: chat telegram:1 has such lines (`--session telegram:1` forgets them there)
            $ memtape zone forget rain
            ! note: chat telegram:1 has such lines (`--session telegram:1` forgets them there)
            ! error: no line of the zone contains "rain"
            [exit 3]
            $ memtape zone forget 'likes tea' --session telegram:1 --json
            {"removed":1,"other_scopes":[]}
            $ memtape zone clear --yes
            nothing to forget
            ! note: user discord:ana has such lines (`--user discord:ana` forgets them there)
            ! note: chat telegram:1 has such lines (`--session telegram:1` forgets them there)
            $ memtape zone list
            zone:09474498290dad1a@11 [TODAY] long-term (chat telegram:1): likes rain
            zone:[TODAY]/channel:discord:user:ana@14 [TODAY] note of [TODAY] (user discord:ana): # [TODAY] a day
        "#]],
    );
}

#[test]
fn a_note_is_forgotten_by_the_words_for_its_day_and_a_query_looks_back_some_days() {
    let home = Home::new();
    home.setup(&[
        "zone daily tea",
        "zone daily coffee --date yesterday",
        "zone daily water --date '2 days ago'",
        "remember yesterday",
    ]);
    home.check(
        &[
            "zone recall e --days 1",
            "zone recall e --days 2",
            "zone forget '2 days ago'",
            "zone forget yesterday",
            "zone forget yesterday",
            "zone forget yesterday",
        ],
        &expect![[r#"
            $ memtape zone recall e --days 1
            [zone:9523d9fbe79bcf3e] yesterday
            [zone:[TODAY]] tea
            $ memtape zone recall e --days 2
            [zone:9523d9fbe79bcf3e] yesterday
            [zone:[YESTERDAY]] coffee
            [zone:[TODAY]] tea
            $ memtape zone forget '2 days ago'
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape zone forget yesterday
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape zone forget yesterday
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape zone forget yesterday
            ! error: there is no daily note of [YESTERDAY]
            [exit 3]
        "#]],
    );
}

/// Of a day with several pieces, only the one that was named is forgotten.
#[test]
fn forgetting_one_piece_of_a_day_keeps_the_others() {
    let home = Home::new();
    home.setup(&["zone daily one --date 2024-05-01", "zone daily two --date 2024-05-01"]);
    home.check(
        &["forget zone:2024-05-01@5 --yes", "show zone:2024-05-01@8"],
        &expect![[r#"
            $ memtape forget zone:2024-05-01@5 --yes
            zone:2024-05-01@5 · workspace:[ID]:global · # 2024-05-01 one
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape show zone:2024-05-01@8
            zone:2024-05-01@8
              two
            recorded  entry 8, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
        "#]],
    );
}
