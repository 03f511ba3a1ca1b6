//! `log`, `show` of a commit, `diff`, `view`, `stats`, `graph`.

use expect_test::expect;

use crate::harness::Home;

/// A home in which something of every form was told, changed and forgotten.
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
    home.check(&["log", "log --oneline -n 2", "log --form zone", "log --form ledger --oneline"], &expect![]);
    home.check(&["log --session telegram:1 --oneline", "--at 6 log --oneline", "--at 3 log"], &expect![]);
    let commits = home.run("--json log").json();
    assert_eq!(commits.as_array().map(Vec::len), Some(6));
    assert_eq!(commits[2]["changes"][0]["before"]["text"], "user prefers Python");
}

#[test]
fn a_commit_is_shown_whole_by_any_of_its_names() {
    let home = told();
    home.check(&["show @6", "show @11", "show @12"], &expect![]);
    let commit = home.run("--json log --form ledger -n 1").json()[0].clone();
    let id = commit["id"].as_str().unwrap_or_default();
    let by_id = home.run(&format!("show {}", &id[..8]));
    assert_eq!(by_id.stdout, home.run(&format!("show @{}", commit["entry"])).stdout);
    assert_eq!(home.run(&format!("--json show {id}")).json()["id"], id);
    home.check(&["show @1", "show @99", "show abcdef0", "show nothing", "--at 6 show @11"], &expect![]);
}

#[test]
fn a_diff_leads_from_one_point_to_another() {
    let home = told();
    home.check(&["diff 6", "diff 6 11 --form ledger", "diff main main", "diff main 6"], &expect![]);
    home.check(&["diff nowhere main", "--at 6 diff 3", "diff"], &expect![]);
}

#[test]
fn a_view_is_what_the_persona_knows() {
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
        &expect![],
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
    expect![].assert_eq(&counts);
    let json = home.run("--json stats").json();
    let size = std::fs::metadata(home.path("tape.jsonl")).map_or(0, |file| file.len());
    assert_eq!(json["bytes"]["tape"], size);
    assert!(json["bytes"]["index"].as_u64() > Some(0));
    assert_eq!(json["facts"]["confidence"], serde_json::json!({"sure": 1, "fair": 0, "doubtful": 1}));
}

#[test]
fn a_graph_is_a_diagram_or_a_timeline() {
    let home = told();
    home.check(&["graph", "graph -n 2", "graph --format timeline", "graph --format picture"], &expect![]);
    let bare = Home::new();
    bare.check(
        &["graph", "graph --format timeline", "log", "view", "stats --session telegram:1"],
        &expect![],
    );
}
