//! `view`, `stats` and `graph`.

use expect_test::expect;

use super::told;
use crate::harness::Home;

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
            No facts.
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
        messages   0
        turns      0
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
            No commits.
            $ memtape view
            No facts.
        "#]],
    );
}

#[test]
fn stats_count_one_line() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    let stats = home.run("stats").stdout;
    assert!(stats.contains("zone       version 2: 1 line or note, 0 days\n"), "{stats}");
}
