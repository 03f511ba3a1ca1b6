//! `remember` and the `zone` commands.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn remembering_a_text_twice_keeps_one_memory() {
    let home = Home::new();
    home.check(
        &[
            "remember 'User likes tea.'",
            "remember 'User likes tea.'",
            "remember '  User likes tea.  '",
            "remember 'User lives in Porto.' --json",
            "remember 'User lives in Porto.' --json",
            "remember ''",
            "remember '   '",
        ],
        &expect![[r#"
            $ memtape remember 'User likes tea.'
            remembered (zone:73e258d02bf7ff96@5)
            $ memtape remember 'User likes tea.'
            it was there already (zone:73e258d02bf7ff96)
            $ memtape remember '  User likes tea.  '
            it was there already (zone:73e258d02bf7ff96)
            $ memtape remember 'User lives in Porto.' --json
            {"changed":true,"refs":["zone:751f43d66e7c4181@8"]}
            $ memtape remember 'User lives in Porto.' --json
            {"changed":false,"refs":["zone:751f43d66e7c4181"]}
            $ memtape remember ''
            ! error: cannot remember an empty text
            ! hint: `memtape forget` and `memtape zone clear` remove memories
            [exit 2]
            $ memtape remember '   '
            ! error: cannot remember an empty text
            ! hint: `memtape forget` and `memtape zone clear` remove memories
            [exit 2]
        "#]],
    );
    let two = home.command("remember").arg("User likes tea.\nUser has a cat.").run();
    two.check(&expect![[r#"
        remembered (zone:e5bfe2ac2162ba8c@11)
    "#]]);
    home.run("zone show").check(&expect![[r#"
        <memory>
        Use `memory_save` to update long-term memory, `memory_daily` to append to
        daily notes, and `memory_recall` to search past memories.

        ## Long-term Memory
        User likes tea.
        User lives in Porto.
        User has a cat.
        </memory>
    "#]]);
}

#[test]
fn save_replaces_and_keeps_order_and_gaps() {
    let home = Home::new();
    home.setup(&["remember 'gone soon'"]);
    let text = "# About the user\n\n- likes tea\n- lives in Porto\n\n\nThe last line";
    home.command("zone save").arg(text).run().check(&expect![[r#"
        saved (zone:7a273ddf17c4e5d9@8, zone:ed47e37dd9b251e4@9, zone:68da65d3349d761d@9, zone:d9027739c7f1b5e8@9)
    "#]]);
    home.command("zone save").arg(text).run().check(&expect![[r#"
        it was there already (zone:7a273ddf17c4e5d9, zone:ed47e37dd9b251e4, zone:68da65d3349d761d, zone:d9027739c7f1b5e8)
    "#]]);
    let other = text.replace("Porto", "Utrecht");
    home.command("zone save").arg(&other).run().check(&expect![[r#"
        saved (zone:0da1097d77eb7319@12)
    "#]]);
    assert_eq!(home.run("zone show --json").json()["long_term"], other);
    home.check(
        &["zone show", "zone save ''"],
        &expect![[r#"
            $ memtape zone show
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            # About the user

            - likes tea
            - lives in Utrecht


            The last line
            </memory>
            $ memtape zone save ''
            ! error: cannot remember an empty text
            ! hint: `memtape forget` and `memtape zone clear` remove memories
            [exit 2]
        "#]],
    );
}

#[test]
fn the_memory_block_is_the_documents_to_the_byte() {
    let home = Home::new();
    assert_eq!(home.run("zone show").raw(), "", "an empty zone takes no room in a prompt");
    let yesterday = home.days_ago(1);
    home.setup(&["zone save 'User likes tea.'", "zone daily '- built the zone'", "zone daily '- tested it'"]);
    home.setup(&[&format!("zone daily '- designed it' --date {yesterday}")]);
    home.setup(&["zone daily 'long ago' --date 2024-01-01"]);
    let first = home.run("zone show");
    first.check(&expect![[r#"
        <memory>
        Use `memory_save` to update long-term memory, `memory_daily` to append to
        daily notes, and `memory_recall` to search past memories.

        ## Long-term Memory
        User likes tea.

        ## Today's Notes
        # [TODAY]

        - built the zone
        - tested it

        ## Recent Notes
        ### [YESTERDAY]
        # [YESTERDAY]

        - designed it
        </memory>
    "#]]);
    assert_eq!(home.run("zone show").raw(), first.raw());
    home.run("zone show --json").check(&expect![[r##"
        {"version":6,"long_term":"User likes tea.","dailies":{"2024-01-01":"# 2024-01-01\n\nlong ago","[YESTERDAY]":"# [YESTERDAY]\n\n- designed it","[TODAY]":"# [TODAY]\n\n- built the zone\n- tested it"}}
    "##]]);
}

#[test]
fn a_daily_note_grows() {
    let home = Home::new();
    home.check(
        &[
            "zone daily '- did this'",
            "zone daily '- did that'",
            "zone daily '- back then' --date 2024-02-29",
            "zone daily '- more' --date 2024-02-29 --json",
            "zone daily x --date 2023-02-29",
            "zone daily x --date tomorrow",
            "zone daily ''",
            "show zone:2024-02-29",
        ],
        &expect![[r#"
            $ memtape zone daily '- did this'
            noted (zone:[TODAY]@5)
            $ memtape zone daily '- did that'
            noted (zone:[TODAY]@8)
            $ memtape zone daily '- back then' --date 2024-02-29
            noted (zone:2024-02-29@11)
            $ memtape zone daily '- more' --date 2024-02-29 --json
            {"changed":true,"refs":["zone:2024-02-29@14"]}
            $ memtape zone daily x --date 2023-02-29
            ! error: invalid day "2023-02-29": expected 2026-02-10, yesterday or "2 days ago"
            [exit 2]
            $ memtape zone daily x --date tomorrow
            ! error: invalid day "tomorrow": expected 2026-02-10, yesterday or "2 days ago"
            [exit 2]
            $ memtape zone daily ''
            ! error: cannot add an empty text to the daily notes
            [exit 2]
            $ memtape show zone:2024-02-29
            zone:2024-02-29@11
              # 2024-02-29

              - back then
            recorded  entry 11, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current

            zone:2024-02-29@14
              - more
            recorded  entry 14, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
        "#]],
    );
}

#[test]
fn recall_gives_lines_with_a_query_and_days_without() {
    let home = Home::new();
    home.run("zone recall").check(&expect![[r#"
        (no memories stored)
    "#]]);
    home.setup(&["zone save 'User likes green tea.'"]);
    home.setup(&["remember 'User lives in Porto.'", "zone daily '- bought tea'"]);
    home.setup(&[&format!("zone daily '- drank tea' --date {}", home.days_ago(1))]);
    home.setup(&["zone daily '- tea, long ago' --date 2024-02-29"]);
    home.check(
        &[
            "zone recall tea",
            "zone recall 'TEA green'",
            "zone recall coffee",
            "zone recall",
            "zone recall --days 1",
            "zone recall tea --json",
        ],
        &expect![[r#"
            $ memtape zone recall tea
            [zone:2024-02-29] - tea, long ago
            [zone:[YESTERDAY]] - drank tea
            [zone:[TODAY]] - bought tea
            [zone:ce39c1f2ebd9a740] User likes green tea.
            $ memtape zone recall 'TEA green'
            [zone:ce39c1f2ebd9a740] User likes green tea.
            $ memtape zone recall coffee
            (no matches for 'coffee')
            $ memtape zone recall
            ## Long-term Memory
            User likes green tea.
            User lives in Porto.

            ### [TODAY]
            # [TODAY]

            - bought tea

            ### [YESTERDAY]
            # [YESTERDAY]

            - drank tea
            $ memtape zone recall --days 1
            ## Long-term Memory
            User likes green tea.
            User lives in Porto.

            ### [TODAY]
            # [TODAY]

            - bought tea
            $ memtape zone recall tea --json
            {"text":"[zone:2024-02-29] - tea, long ago\n[zone:[YESTERDAY]] - drank tea\n[zone:[TODAY]] - bought tea\n[zone:ce39c1f2ebd9a740] User likes green tea."}
        "#]],
    );
    home.setup(&["zone clear --yes", "zone daily 'only this' --date 2024-02-29"]);
    home.run("zone recall").check(&expect![[r#"
        (no notes of the last 7 days)
    "#]]);
}

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
fn an_earlier_point_shows_the_memories_of_that_time() {
    let home = Home::new();
    home.setup(&["remember tea", "zone save coffee", "zone daily 'a day'"]);
    home.check(
        &[
            "zone recall --at 3",
            "zone recall --at 5",
            "zone recall --at 8",
            "zone recall --at main@11",
            "zone show --at 6",
            "zone show --at 6 --json",
            "zone recall --at today",
            "zone recall --at 2024-02-29",
            "zone recall --at '1 day ago'",
            "zone recall --at 12",
            "zone recall --at 13",
            "zone recall --at soon",
        ],
        &expect![[r#"
            $ memtape zone recall --at 3
            (no memories stored)
            $ memtape zone recall --at 5
            ## Long-term Memory
            tea
            $ memtape zone recall --at 8
            ## Long-term Memory
            coffee
            $ memtape zone recall --at main@11
            ## Long-term Memory
            coffee

            ### [TODAY]
            # [TODAY]

            a day
            $ memtape zone show --at 6
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            tea
            </memory>
            $ memtape zone show --at 6 --json
            {"version":2,"long_term":"tea","dailies":{}}
            $ memtape zone recall --at today
            ## Long-term Memory
            coffee

            ### [TODAY]
            # [TODAY]

            a day
            $ memtape zone recall --at 2024-02-29
            (no memories stored)
            $ memtape zone recall --at '1 day ago'
            (no memories stored)
            $ memtape zone recall --at 12
            ## Long-term Memory
            coffee

            ### [TODAY]
            # [TODAY]

            a day
            $ memtape zone recall --at 13
            ! error: the tape ends at entry 12: there is no entry 13
            ! hint: entries are numbered from 1 to 12
            [exit 3]
            $ memtape zone recall --at soon
            ! error: invalid point "soon": expected an entry (42 or main@42), a commit id (at least its first 7 digits), a date or time (2026-02-10, 2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
        "#]],
    );
}

#[test]
fn a_big_long_term_memory_is_whole_and_warned_of() {
    let home = Home::new();
    let text = (1..=200).map(|n| format!("line {n} of what is remembered\n")).collect::<String>();
    let saved = home.command("zone save -").stdin(&text).run();
    expect![[r#"
        warning: long-term memory has 6091 bytes; more than 4096 cost too much in every prompt: shorten it with `memtape zone save`
    "#]].assert_eq(&saved.stderr);
    for line in ["zone show", "zone show --json", "status", "remember 'one more'"] {
        assert_eq!(home.run(line).stderr.matches("warning: long-term memory has").count(), 1, "{line}");
    }
    let show = home.run("zone show");
    assert!(show.raw().contains("line 200 of") && !show.raw().contains("warning"));
    let small = "x".repeat(4096);
    assert_eq!(home.command("zone save").arg(small).run().stderr, "");
}

#[test]
fn a_text_comes_from_standard_input() {
    let home = Home::new();
    home.command("remember -").stdin("likes tea\nlikes coffee\n").run().check(&expect![[r#"
        remembered (zone:50f5f279425da6b8@5, zone:f737382be6e75611@5)
    "#]]);
    home.command("zone daily -").stdin("- did this\n- did that\n").run().check(&expect![[r#"
        noted (zone:[TODAY]@8)
    "#]]);
    home.command("zone save -").stdin("only this\r\nand that\r\n").run().check(&expect![[r#"
        saved (zone:27302dbb23bccb58@11, zone:877bd491f913f8ee@11)
    "#]]);
    home.command("zone save -").stdin("").run().check(&expect![[r#"
        ! error: cannot remember an empty text
        ! hint: `memtape forget` and `memtape zone clear` remove memories
        [exit 2]
    "#]]);
    home.command("remember -").stdin(b"caf\xe9").run().check(&expect![[r#"
        ! error: standard input is not UTF-8: incomplete utf-8 byte sequence from index 3
        [exit 2]
    "#]]);
    home.run("zone recall").check(&expect![[r#"
        ## Long-term Memory
        only this
        and that

        ### [TODAY]
        # [TODAY]

        - did this
        - did that
    "#]]);
}

#[test]
fn a_text_may_look_like_an_option() {
    let home = Home::new();
    home.check(
        &["remember '- likes tea'", "remember -- --json", "zone recall"],
        &expect![[r#"
            $ memtape remember '- likes tea'
            remembered (zone:ed47e37dd9b251e4@5)
            $ memtape remember -- --json
            remembered (zone:2903d237c8474e8b@8)
            $ memtape zone recall
            ## Long-term Memory
            - likes tea
            --json
        "#]],
    );
}

#[test]
fn any_text_is_kept_as_it_is() {
    let home = Home::new();
    let texts = [
        "日本語 ☕",
        "\"quoted\" and \\ back",
        "</memory> ignore this",
        "e\u{301}t\u{e9}",
        "a\tb",
        "${HOME} `id`",
    ];
    for text in texts {
        home.command("remember").arg(text).run().raw();
    }
    assert_eq!(home.run("zone show --json").json()["long_term"], texts.join("\n"));
    home.run("zone recall").check(&expect![[r###"
        ## Long-term Memory
        日本語 ☕
        "quoted" and \ back
        </memory> ignore this
        été
        a	b
        ${HOME} `id`
    "###]]);
}

#[test]
fn a_day_is_named_as_people_name_it() {
    let home = Home::new();
    home.setup(&["zone daily '- packed' --date yesterday", "zone daily '- drove' --date '2 days ago'"]);
    let shown = home.run("zone show --json").json();
    let days: Vec<_> = shown["dailies"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(days, [home.days_ago(2), home.days_ago(1)]);
    // A text that is only a date names the note of that day.
    home.run(&format!("zone forget {}", home.days_ago(2))).check(&expect![[r#"
        1 memory forgotten (an earlier point still shows it: --at)
    "#]]);
    home.run("zone forget --date yesterday").check(&expect![[r#"
        1 memory forgotten (an earlier point still shows it: --at)
    "#]]);
    home.check(
        &["zone forget 2024-01-01", "zone daily x --date soon"],
        &expect![[r#"
            $ memtape zone forget 2024-01-01
            ! error: there is no daily note of 2024-01-01
            [exit 3]
            $ memtape zone daily x --date soon
            ! error: invalid day "soon": expected 2026-02-10, yesterday or "2 days ago"
            [exit 2]
        "#]],
    );
}

#[test]
fn many_lines_are_counted() {
    let home = Home::new();
    let text: String = (1..=150).map(|n| format!("line {n}\n")).collect();
    home.command("zone save").arg(&text).run().check(&expect![[r#"
        saved (150 lines)
    "#]]);
    home.command("zone save").arg(&text).run().check(&expect![[r#"
        it was there already (150 lines)
    "#]]);
}

#[test]
fn an_undo_gives_back_repeated_and_blank_lines() {
    let home = Home::new();
    let text = "alpha\n\nbeta\nalpha";
    home.setup(&[&format!("zone save '{text}'"), "zone save new", "undo"]);
    assert_eq!(home.run("zone show --json").json()["long_term"], text);
}

#[test]
fn the_zone_is_exported_and_restored() {
    let home = Home::new();
    home.setup(&["zone save 'Ana likes tea'", "zone daily '- booked the flights' --date 2026-02-09"]);
    home.check(
        &[
            "zone export",
            "zone export --json",
            "zone save 'Ana likes coffee'",
            "zone restore",
            "zone restore --at 9",
            "zone restore --at 9",
            "zone export",
            "tape anchors --all -n all",
        ],
        &expect![[r##"
            $ memtape zone export
            # Long-term Memory

            Ana likes tea

            # 2026-02-09

            - booked the flights
            $ memtape zone export --json
            {"version":3,"long_term":"Ana likes tea","dailies":{"2026-02-09":"# 2026-02-09\n\n- booked the flights"}}
            $ memtape zone save 'Ana likes coffee'
            saved (zone:5f03cb71cf7dbfe4@11)
            $ memtape zone restore
            ! error: name the version to restore, or a point with --at POINT (`memtape zone log` lists the versions)
            [exit 2]
            $ memtape zone restore --at 9
            1 memory restored, 1 memory removed
            $ memtape zone restore --at 9
            nothing to restore
            $ memtape zone export
            # Long-term Memory

            Ana likes tea

            # 2026-02-09

            - booked the flights
            $ memtape tape anchors --all -n all
            #1 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            #2 [NOW] [anchor] memory/open state={"version":1} (cli:direct)
            #3 [NOW] [anchor] memory/seal state={"version":1} (cli:direct)
            #4 [NOW] [anchor] memory/open state={"version":2} (cli:direct)
            #6 [NOW] [anchor] memory/seal state={"version":2} (cli:direct)
            #7 [NOW] [anchor] memory/open state={"version":3} (cli:direct)
            #9 [NOW] [anchor] memory/seal state={"version":3} (cli:direct)
            #10 [NOW] [anchor] memory/open state={"version":4} (cli:direct)
            #12 [NOW] [anchor] memory/seal state={"version":4} (cli:direct)
            #13 [NOW] [anchor] memory/open state={"version":5} (cli:direct)
            #16 [NOW] [anchor] memory/seal state={"version":5} (cli:direct)
            #17 [NOW] [anchor] memory/commit state={"id":"[ID]","branch":"main","events":[],"message":"restore the zone of @9","parent_id":null,"timestamp":"[NOW]+00:00"} (cli:direct)
        "##]],
    );
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
