//! `log`, `show` of a commit, `diff`, `view`, `stats` and `graph`.

use expect_test::expect;

use crate::harness::Home;

/// Returns a workspace in which memories of every form were created, changed and forgotten.
fn told() -> Home {
    let home = Home::new();
    home.setup(&[
        "remember 'Ana lives in Porto'",
        "add --text 'I like tea' --kind preference",
        "fact add user prefers Python --scope work/technical",
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
        (no commits)
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
        changed   1 thing
          + zone:945c50ea18f195a7@5
              + Ana lives in Porto
        $ memtape show @11
        commit [ID] @11 (main)
          update user prefers
        recorded  entries 10 to 11, [NOW] UTC, from user, in cli:direct
        because   it changed
        parent    [ID]
        changed   1 thing
          ~ ledger:2fe308a701196a63@10
              - user prefers Python
              + user prefers Rust
        $ memtape show @12
        commit [ID] @13 (main)
          add user fears
        recorded  entries 12 to 13, [NOW] UTC, from user, in cli:direct
        parent    [ID]
        changed   1 thing
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
        ! error: invalid point "nothing": expected an entry (42 or main@42), a commit id (at least its first 7 digits), a date or time (2026-02-10, 2026-02-10T10:00) or an age ("2 days ago")
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
        main@6 → main@16: 3 added, 1 retired
        + ledger:2fe308a701196a63 user prefers Rust
        + ledger:b7bbd1ee4e56c2bd user fears spiders
        + statements:b2de35bf184f1cb7 I like tea
        - zone:945c50ea18f195a7 Ana lives in Porto
        $ memtape diff 6 11 --form ledger
        main@6 → main@11: 1 added
        + ledger:2fe308a701196a63 user prefers Rust
        $ memtape diff main main
        main@16 → main@16: nothing differs
        $ memtape diff main 6
        main@16 → main@6: 1 added, 3 retired
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
            main@13 → main@16: 1 retired
            - zone:945c50ea18f195a7 Ana lives in Porto
        "#]],
    );
}

#[test]
fn a_view_contains_the_memories_of_the_persona() {
    let home = told();
    home.check(
        &[
            "view",
            "view --topic work",
            "view -n 1",
            "view --lifetime session",
            "--at 9 view",
            "view --lifetime short",
        ],
        &expect![[r#"
            $ memtape view
            # Memory [main]

            ## Memory

            ### General
            - ? user fears spiders (60%)

            ### Work/Technical
            - ✓ user prefers Rust (100%)
            $ memtape view --topic work
            # Memory [main]

            ## Memory

            ### Work/Technical
            - ✓ user prefers Rust (100%)
            $ memtape view -n 1
            # Memory [main]

            ## Memory

            ### Work/Technical
            - ✓ user prefers Rust (100%)
            ! 1 more fact: ask for them with -n
            $ memtape view --lifetime session
            (no facts)
            $ memtape --at 9 view
            # Memory [main]

            ## Memory

            ### Work/Technical
            - ✓ user prefers Python (100%)
            $ memtape view --lifetime short
            ! error: invalid value 'short' for '--lifetime <LIFETIME>': unknown lifetime "short": expected permanent, session or temporary
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
    let view = home.run("--json view --topic work").json();
    assert_eq!(view["facts"][0]["object"], "Rust");
}

#[test]
fn stats_count_everything() {
    let home = told();
    let stats = home.run("stats").stdout;
    let counts: String =
        stats.lines().filter(|line| !line.starts_with("bytes")).map(|line| format!("{line}\n")).collect();
    expect![[r#"
        branches   1: main
        entries    16 in 1 conversation
        commits    6
        facts      2: general 1, work/technical 1
          live     permanent 2
          are      sure 1, fair 0, doubtful 1
        statements 1: preference 1
        zone       version 3: 0 lines and notes, 0 days
        notes      0 sections
        files      0
        blocks     0
        events     ledger.add 2, ledger.modify 1
    "#]]
    .assert_eq(&counts);
    let json = home.run("--json stats").json();
    let size = std::fs::metadata(home.path("tape.jsonl")).map_or(0, |file| file.len());
    assert_eq!(json["bytes"]["tape"], size);
    assert!(json["bytes"]["index"].as_u64() > Some(0));
    assert_eq!(json["facts"]["confidence"], serde_json::json!({"sure": 1, "fair": 0, "doubtful": 1}));
}

#[test]
fn a_graph_is_a_diagram_or_a_timeline() {
    let home = told();
    home.check(
        &["graph", "graph -n 2", "graph --format timeline", "graph --format picture"],
        &expect![[r#"
        $ memtape graph
        gitGraph
            commit id: "@6: remembered: Ana lives in Porto"
            commit id: "@7: remembered: I like tea"
            commit id: "[COMMIT]: add user prefers"
            commit id: "[COMMIT]: update user prefers"
            commit id: "[COMMIT]: add user fears"
            commit id: "@16: forgot: Ana lives in Porto"
        $ memtape graph -n 2
        gitGraph
            commit id: "@0: earlier commits"
            commit id: "[COMMIT]: add user fears"
            commit id: "@16: forgot: Ana lives in Porto"
        $ memtape graph --format timeline
        *  @16 (main) [NOW] forgot: Ana lives in Porto
        *  [COMMIT] @13 (main) [NOW] add user fears
        *  [COMMIT] @11 (main) [NOW] update user prefers
        *  [COMMIT] @9 (main) [NOW] add user prefers
        *  @7 (main) [NOW] remembered: I like tea
        *  @6 (main) [NOW] remembered: Ana lives in Porto
        $ memtape graph --format picture
        ! error: invalid value 'picture' for '--format <FORMAT>'
        !   [possible values: mermaid, timeline]
        !
        ! For more information, try '--help'.
        [exit 2]
    "#]],
    );
    let bare = Home::new();
    bare.check(
        &["graph", "graph --format timeline", "log", "view"],
        &expect![[r#"
            $ memtape graph
            gitGraph
                commit id: "@0: start of the tape"
            $ memtape graph --format timeline
            $ memtape log
            (no commits)
            $ memtape view
            (no facts)
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
