//! `remember` and the `zone` commands.

mod forgetting;
mod history;

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
fn a_byte_order_mark_before_piped_text_is_no_part_of_it() {
    let home = Home::new();
    home.command("remember -").stdin("\u{FEFF}Ana likes tea").run().raw();
    assert_eq!(home.run("zone show --json").json()["long_term"], "Ana likes tea");
}

#[test]
fn the_owner_gets_the_refs_of_confidential_lines_without_their_text() {
    let home = Home::new();
    home.setup(&["remember 'the safe is open' --sensitivity confidential"]);
    let listed = home.run("zone list").stdout;
    assert!(listed.starts_with("zone:") && listed.ends_with(" long-term: (confidential)\n"), "{listed}");
    assert!(home.run("zone list --json").json()[0]["text"].is_null());
    assert_eq!(home.run("zone list --session telegram:1").stdout, "");
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
