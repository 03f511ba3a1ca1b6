//! `log`, `show` of a commit, `diff`, `view`, `stats` and `graph`.

mod overviews;

use expect_test::expect;

use crate::harness::Home;

/// Returns a workspace in which memories of every form were created, changed and forgotten.
fn told() -> Home {
    let home = Home::new();
    home.setup(&[
        "remember 'Ana lives in Porto'",
        "add --text 'I like tea' --kind preference",
        "fact add user prefers Python --topic work/technical",
        "fact update user prefers Rust --reason 'it changed'",
        "fact add user fears spiders --confidence 0.6",
        "zone forget 'Ana lives in Porto'",
    ]);
    home
}

#[test]
fn a_log_names_each_commit_and_what_it_changed() {
    let home = told();
    home.check(
        &["log", "log --oneline -n 2", "log --form zone", "log --form ledger --oneline"],
        &expect![[r#"
            $ memtape log
            commit @16 (main) · [NOW] · user
              forgot: Ana lives in Porto
                - zone:945c50ea18f195a7 Ana lives in Porto

            commit [COMMIT] @13 (main) · [NOW] · user
              add user fears
                + ledger:b7bbd1ee4e56c2bd user fears spiders

            commit [COMMIT] @11 (main) · [NOW] · user
              update user prefers
                ~ ledger:2fe308a701196a63 user prefers Rust (was: user prefers Python)

            commit [COMMIT] @9 (main) · [NOW] · user
              add user prefers
                + ledger:2fe308a701196a63 user prefers Python

            commit @7 (main) · [NOW] · user
              remembered: I like tea
                + statements:b2de35bf184f1cb7 I like tea

            commit @6 (main) · [NOW] · user
              remembered: Ana lives in Porto
                + zone:945c50ea18f195a7 Ana lives in Porto
            $ memtape log --oneline -n 2
            @16 forgot: Ana lives in Porto
            [COMMIT] @13 add user fears
            ! … 4 commits before these: `-n all` prints them
            $ memtape log --form zone
            commit @16 (main) · [NOW] · user
              forgot: Ana lives in Porto
                - zone:945c50ea18f195a7 Ana lives in Porto

            commit @6 (main) · [NOW] · user
              remembered: Ana lives in Porto
                + zone:945c50ea18f195a7 Ana lives in Porto
            $ memtape log --form ledger --oneline
            [COMMIT] @13 add user fears
            [COMMIT] @11 update user prefers
            [COMMIT] @9 add user prefers
        "#]],
    );
    home.check(
        &["log --session telegram:1 --oneline", "--at 6 log --oneline", "--at 3 log"],
        &expect![[r#"
            $ memtape log --session telegram:1 --oneline
            @16 forgot: Ana lives in Porto
            [COMMIT] @13 add user fears
            [COMMIT] @11 update user prefers
            [COMMIT] @9 add user prefers
            @7 remembered: I like tea
            @6 remembered: Ana lives in Porto
            $ memtape --at 6 log --oneline
            @6 remembered: Ana lives in Porto
            $ memtape --at 3 log
            No commits.
        "#]],
    );
    let commits = home.run("--json log").json();
    assert_eq!(commits.as_array().map(Vec::len), Some(6));
    assert_eq!(commits[2]["changes"][0]["before"]["text"], "user prefers Python");
}

#[test]
fn show_accepts_every_name_of_a_commit() {
    let home = told();
    home.check(
        &["show @6", "show @11", "show @12"],
        &expect![[r#"
            $ memtape show @6
            commit @6 (main)
              remembered: Ana lives in Porto
            recorded  entries 4 to 6, [NOW] UTC, from user, in cli:direct
            changed   1 memory
              + zone:945c50ea18f195a7@5
                  + Ana lives in Porto
            $ memtape show @11
            commit [ID] @11 (main)
              update user prefers
            recorded  entries 10 to 11, [NOW] UTC, from user, in cli:direct
            because   it changed
            parent    [ID]
            changed   1 memory
              ~ ledger:2fe308a701196a63@10
                  - user prefers Python
                  + user prefers Rust
            $ memtape show @12
            commit [ID] @13 (main)
              add user fears
            recorded  entries 12 to 13, [NOW] UTC, from user, in cli:direct
            parent    [ID]
            changed   1 memory
              + ledger:b7bbd1ee4e56c2bd@12
                  + user fears spiders
        "#]],
    );
    let commit = home.run("--json log --form ledger -n 1").json()[0].clone();
    let id = commit["id"].as_str().unwrap_or_default();
    // Digits alone are the number of an entry.
    let letter = id.find(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
    let by_id = home.run(&format!("show {}", &id[..(letter + 1).max(8)]));
    assert_eq!(by_id.stdout, home.run(&format!("show @{}", commit["entry"])).stdout);
    assert_eq!(home.run(&format!("--json show {id}")).json()["id"], id);
    home.check(&["show @1", "show @99", "show abcdef0", "show nothing", "--at 6 show @11"], &expect![[r#"
        $ memtape show @1
        ! error: @1 is not a commit
        ! hint: `memtape log` lists the commits
        [exit 3]
        $ memtape show @99
        ! error: the tape ends at entry 16: there is no entry 99
        ! hint: entries are numbered from 1 to 16
        [exit 3]
        $ memtape show abcdef0
        ! error: there is no commit whose id begins with abcdef0
        [exit 3]
        $ memtape show nothing
        ! error: "nothing" names no memory or commit: expected FORM:KEY, the name of a block, @ENTRY, or at least 7 digits of a commit id
        [exit 2]
        $ memtape --at 6 show @11
        ! error: @11 is not a commit
        ! hint: `memtape log` lists the commits
        [exit 3]
    "#]]);
}

#[test]
fn a_diff_leads_from_one_point_to_another() {
    let home = told();
    home.check(
        &["diff 6", "diff 6 11 --form ledger", "diff main main", "diff main 6"],
        &expect![[r#"
            $ memtape diff 6
            main@6 → main@16: 3 added, 1 removed
            + ledger:2fe308a701196a63 user prefers Rust
            + ledger:b7bbd1ee4e56c2bd user fears spiders
            + statements:b2de35bf184f1cb7 I like tea
            - zone:945c50ea18f195a7 Ana lives in Porto
            $ memtape diff 6 11 --form ledger
            main@6 → main@11: 1 added
            + ledger:2fe308a701196a63 user prefers Rust
            $ memtape diff main main
            main@16 → main@16: no differences
            $ memtape diff main 6
            main@16 → main@6: 1 added, 3 removed
            - ledger:2fe308a701196a63 user prefers Rust
            - ledger:b7bbd1ee4e56c2bd user fears spiders
            - statements:b2de35bf184f1cb7 I like tea
            + zone:945c50ea18f195a7 Ana lives in Porto
        "#]],
    );
    home.check(
        &["diff nowhere main", "--at 6 diff 3", "diff"],
        &expect![[r#"
            $ memtape diff nowhere main
            ! error: "nowhere" is not a branch or a point
            [exit 3]
            $ memtape --at 6 diff 3
            ! error: the option '--at' cannot be used with 'memtape diff'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape diff
            main@13 → main@16: 1 removed
            - zone:945c50ea18f195a7 Ana lives in Porto
        "#]],
    );
}

#[test]
fn a_changed_file_shows_the_lines_that_changed() {
    let home = Home::new();
    home.check(
        &[
            "file write a.txt 'one\ntwo\nthree'",
            "file write a.txt 'one\nzwei\nthree'",
            "file write a.txt 'one\nthree'",
            "file write a.txt 'one\nthree\nfour'",
            "log",
            "undo",
        ],
        &expect![[r#"
            $ memtape file write a.txt 'one
            two
            three'
            a.txt: written (14B)
            $ memtape file write a.txt 'one
            zwei
            three'
            a.txt: written (15B)
            $ memtape file write a.txt 'one
            three'
            a.txt: written (10B)
            $ memtape file write a.txt 'one
            three
            four'
            a.txt: written (15B)
            $ memtape log
            commit @7 (main) · [NOW] · user
              changed: one three four
                ~ files:a.txt four (added)

            commit @6 (main) · [NOW] · user
              changed: one three
                ~ files:a.txt (removed: zwei)

            commit @5 (main) · [NOW] · user
              changed: one zwei three
                ~ files:a.txt zwei (was: two)

            commit @4 (main) · [NOW] · user
              remembered: one two three
                + files:a.txt one two three
            $ memtape undo
            undid @7 ([COMMIT] @9)
            ~ files:a.txt (removed: four; restored)
        "#]],
    );
}

#[test]
fn an_undone_approval_is_named_in_the_log() {
    let home = Home::new();
    home.setup(&[
        r#"tool call memory_set_block '{"name":"persona","value":"neu"}'"#,
        "block approve persona",
        "undo",
        "redo",
    ]);
    home.check(&["log", "log --oneline --json"], &expect![[r#"
        $ memtape log
        commit [COMMIT] @12 (main) · [NOW] · user
          redo @6
            + blocks:persona neu (restored)
            - blocks:proposed/persona [proposal for block persona]

        commit [COMMIT] @9 (main) · [NOW] · user
          undo @6
            + blocks:proposed/persona [proposal for block persona] (restored)
            - blocks:persona neu

        commit @6 (main) · [NOW] · user
          remembered: neu (and 1 other change)
            + blocks:persona neu
            - blocks:proposed/persona [proposal for block persona]

        commit @5 (main) · [NOW] · assistant
          remembered: [proposal for block persona]
            + blocks:proposed/persona [proposal for block persona]
        $ memtape log --oneline --json
        [{"id":"[ID]","entry":12,"first":10,"branch":"main","session":"cli:direct","date":"[NOW]","origin":"user","message":"redo @6","reason":null,"parent_id":"[ID]","events":[],"metadata":{"redoes":9},"changes":[{"kind":"restored","ref":"blocks:persona","before":null,"after":{"ref":"blocks:persona@10","form":"blocks","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":null,"date":"[NOW]","text":"neu"}},{"kind":"removed","ref":"blocks:proposed/persona","before":{"ref":"blocks:proposed/persona@8","form":"blocks","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"confidential","speaker":null,"origin":"assistant","branch":"main","said_at":null,"date":"[NOW]","text":""},"after":null}],"more":0},{"id":"[ID]","entry":9,"first":7,"branch":"main","session":"cli:direct","date":"[NOW]","origin":"user","message":"undo @6","reason":null,"parent_id":null,"events":[],"metadata":{"undoes":6},"changes":[{"kind":"restored","ref":"blocks:proposed/persona","before":null,"after":{"ref":"blocks:proposed/persona@8","form":"blocks","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"confidential","speaker":null,"origin":"assistant","branch":"main","said_at":null,"date":"[NOW]","text":""}},{"kind":"removed","ref":"blocks:persona","before":{"ref":"blocks:persona@6","form":"blocks","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":null,"date":"[NOW]","text":"neu"},"after":null}],"more":0},{"id":null,"entry":6,"first":6,"branch":"main","session":"cli:direct","date":"[NOW]","origin":"user","message":"remembered: neu (and 1 other change)","reason":null,"parent_id":null,"events":null,"metadata":null,"changes":[{"kind":"added","ref":"blocks:persona","before":null,"after":{"ref":"blocks:persona@6","form":"blocks","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":null,"date":"[NOW]","text":"neu"}},{"kind":"removed","ref":"blocks:proposed/persona","before":{"ref":"blocks:proposed/persona@5","form":"blocks","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"confidential","speaker":null,"origin":"assistant","branch":"main","said_at":null,"date":"[NOW]","text":""},"after":null}],"more":0},{"id":null,"entry":5,"first":4,"branch":"main","session":"cli:direct","date":"[NOW]","origin":"assistant","message":"remembered: [proposal for block persona]","reason":null,"parent_id":null,"events":null,"metadata":null,"changes":[{"kind":"added","ref":"blocks:proposed/persona","before":null,"after":{"ref":"blocks:proposed/persona@5","form":"blocks","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"confidential","speaker":null,"origin":"assistant","branch":"main","said_at":null,"date":"[NOW]","text":""}}],"more":0}]
    "#]]);
    let home = Home::new();
    home.setup(&["fact add user prefers tea --sensitivity confidential", "undo"]);
    home.check(
        &["log", "log --scope user"],
        &expect![[r#"
            $ memtape log
            commit [COMMIT] @7 (main) · [NOW] · user
              undo @5
                - ledger:3013a4a8b998ba68 [confidential]

            commit [COMMIT] @5 (main) · [NOW] · user
              add a confidential fact
                + ledger:3013a4a8b998ba68 [confidential]
            $ memtape log --scope user
            No commits.
        "#]],
    );
}

#[test]
fn a_log_reports_the_commits_that_it_leaves_out() {
    let home = Home::new();
    for n in 1..=23 {
        home.command("zone daily").arg(format!("note {n}")).run().raw();
    }
    home.check(
        &["log --oneline", "log --oneline -n 23", "log --form zone --oneline -n 1", "log --form blocks -n 1"],
        &expect![[r#"
            $ memtape log --oneline
            @72 remembered: note 23
            @69 remembered: note 22
            @66 remembered: note 21
            @63 remembered: note 20
            @60 remembered: note 19
            @57 remembered: note 18
            @54 remembered: note 17
            @51 remembered: note 16
            @48 remembered: note 15
            @45 remembered: note 14
            @42 remembered: note 13
            @39 remembered: note 12
            @36 remembered: note 11
            @33 remembered: note 10
            @30 remembered: note 9
            @27 remembered: note 8
            @24 remembered: note 7
            @21 remembered: note 6
            @18 remembered: note 5
            @15 remembered: note 4
            ! … 3 commits before these: `-n all` prints them
            $ memtape log --oneline -n 23
            @72 remembered: note 23
            @69 remembered: note 22
            @66 remembered: note 21
            @63 remembered: note 20
            @60 remembered: note 19
            @57 remembered: note 18
            @54 remembered: note 17
            @51 remembered: note 16
            @48 remembered: note 15
            @45 remembered: note 14
            @42 remembered: note 13
            @39 remembered: note 12
            @36 remembered: note 11
            @33 remembered: note 10
            @30 remembered: note 9
            @27 remembered: note 8
            @24 remembered: note 7
            @21 remembered: note 6
            @18 remembered: note 5
            @15 remembered: note 4
            @12 remembered: note 3
            @9 remembered: note 2
            @6 remembered: # [TODAY] note 1
            $ memtape log --form zone --oneline -n 1
            @72 remembered: note 23
            ! … 22 commits before these: `-n all` prints them
            $ memtape log --form blocks -n 1
            No commits.
        "#]],
    );
    assert_eq!(home.run("log --oneline -n all").stdout.lines().count(), 23);
    assert_eq!(home.run("log -n all --json").json().as_array().map(Vec::len), Some(23));
    home.check(
        &["log -n none"],
        &expect![[r#"
            $ memtape log -n none
            ! error: invalid value 'none' for '--limit <N|all>': expected a whole number from 1, or all
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn only_the_owner_is_told_the_version_of_the_zone_and_the_end_of_the_tape() {
    let home = Home::new();
    home.setup(&["remember tea", "remember milk --session telegram:2"]);
    let stats = home.run("stats --session telegram:1").stdout;
    assert!(stats.contains("zone       1 line or note, 0 days\n"), "{stats}");
    for command in ["zone show --json", "zone export --json"] {
        assert!(home.run(command).json()["version"].is_u64(), "{command}");
        assert!(home.run(&format!("{command} --session telegram:1")).json().get("version").is_none());
    }
    home.check(
        &["view --at 99999", "view --at 99999 --session telegram:1"],
        &expect![[r#"
            $ memtape view --at 99999
            ! error: the tape ends at entry 9: there is no entry 99999
            ! hint: entries are numbered from 1 to 9
            [exit 3]
            $ memtape view --at 99999 --session telegram:1
            ! error: there is no entry 99999
            [exit 3]
        "#]],
    );
}

#[test]
fn a_renamed_or_deleted_file_is_named_in_the_log() {
    let home = Home::new();
    home.write("facts/a.md", "- one\n- two\n");
    home.write("files/drafts/plan.md", "plan\n");
    home.setup(&["status"]);
    std::fs::rename(home.path("facts/a.md"), home.path("facts/b.md")).unwrap();
    home.setup(&["status"]);
    std::fs::remove_file(home.path("facts/b.md")).unwrap();
    home.setup(&["status", "file archive drafts/plan.md", "file delete archive/drafts/plan.md --yes"]);
    home.check(
        &["log", "undo"],
        &expect![[r#"
        $ memtape log
        commit @11 (main) · [NOW] · user
          deleted files/archive/drafts/plan.md
            - files:archive/drafts/plan.md plan

        commit @10 (main) · [NOW] · user
          renamed files/drafts/plan.md to files/archive/drafts/plan.md
            + files:archive/drafts/plan.md plan
            - files:drafts/plan.md plan

        commit @8 (main) · [NOW] · editor
          deleted facts/b.md
            - notes:facts/b.md#
            - notes:facts/b.md#one - one
            - notes:facts/b.md#two - two

        commit @7 (main) · [NOW] · editor
          renamed facts/a.md to facts/b.md
            + notes:facts/b.md#
            + notes:facts/b.md#one - one
            + notes:facts/b.md#two - two
            - notes:facts/a.md#
            - notes:facts/a.md#one - one
            - notes:facts/a.md#two - two

        commit @5 (main) · [NOW] · editor
          remembered: - one (and 3 more)
            + notes:facts/a.md#
            + notes:facts/a.md#one - one
            + notes:facts/a.md#two - two
            + files:drafts/plan.md plan
        $ memtape undo
        undid @11 ([COMMIT] @13)
        + files:archive/drafts/plan.md plan (restored)
    "#]],
    );
}

#[test]
fn a_change_of_order_is_named() {
    let home = Home::new();
    home.write("facts/a.md", "- one\n- two\n- three\n");
    home.setup(&["status"]);
    home.write("facts/a.md", "- two\n\n- one\n- three\n");
    home.check(
        &["log -n 1", "undo"],
        &expect![[r#"
        $ memtape log -n 1
        commit @6 (main) · [NOW] · editor
          changed: - one
            ~ notes:facts/a.md#one - one (order or blank lines changed)
        ! … 1 commit before these: `-n all` prints them
        $ memtape undo
        undid @6 ([COMMIT] @8)
        ~ notes:facts/a.md#one - one (order or blank lines changed; restored)
    "#]],
    );
}
