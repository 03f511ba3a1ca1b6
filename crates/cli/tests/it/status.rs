//! `status` and `reindex`.

use std::fs;

use expect_test::expect;

use crate::harness::Home;

#[test]
fn status_counts_the_contents_of_the_workspace() {
    let home = Home::new();
    home.write(
        "talk.jsonl",
        r#"{"role":"user","content":"Hello"}
{"role":"user","content":"Hi","session":"telegram:1"}
{"role":"assistant","content":"Hi!","session":"telegram:1"}
"#,
    );
    home.setup(&["ingest talk.jsonl", "remember tea", "zone daily 'did a thing'"]);
    home.check(&["status", "status --json", "status --at 4", "status --at 2024-01-01"], &expect![[r#"
        $ memtape status
        workspace  [DIR] ([ID])
        branch     main
        entries    13, the last of [NOW] UTC
        messages   3 in 2 conversations
        zone       version 3: 3 bytes of long-term memory, 1 daily note
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 0
        vectors    none pending
        $ memtape status --json
        {"workspace":"[DIR]","id":"[ID]","upstream":null,"branch":"main","entries":13,"lost_entries":0,"last_date":"[NOW]","conversations":2,"memories":{"blocks":0,"files":0,"ledger":0,"messages":3,"notes":0,"statements":0,"zone":2},"statements":{"by_category":{},"expired":0},"blocks":{"waiting":0},"conflicts":0,"observations":{"waiting":0},"counters":{"memory_recall_hit":0,"memory_recall_miss":0,"memory_capture_saved":0,"memory_capture_dropped_low_conf":0,"memory_capture_dropped_safety":0,"memory_capture_deduped":0,"memory_prompt_chars":0},"notes":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"files":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"history":"none","vectors":{"waiting":{"known":0,"messages":0}},"zone":{"version":3,"long_term_bytes":3,"daily_notes":1}}
        $ memtape status --at 4
        workspace  [DIR] ([ID])
        branch     main
        entries    7, the last of [NOW] UTC
        messages   3 in 2 conversations
        zone       version 1: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 0
        vectors    none pending
        $ memtape status --at 2024-01-01
        workspace  [DIR] ([ID])
        branch     main
        entries    0
        messages   0 in 0 conversations
        zone       version 0: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 0
        vectors    none pending
    "#]]);
}

#[test]
fn an_index_is_rebuilt_whether_asked_for_lost_or_damaged() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    home.check(
        &["reindex", "reindex --json"],
        &expect![[r#"
            $ memtape reindex
            rebuilt the index from 6 entries
            $ memtape reindex --json
            {"entries":6}
        "#]],
    );
    // Delete the index that replaced the first one.
    for name in ["index-v17.2.db", "index-v17.2.db-wal", "index-v17.2.db-shm"] {
        let _ = fs::remove_file(home.path(name));
    }
    home.run("zone recall").check(&expect![[r#"
        ## Long-term Memory
        tea
    "#]]);
    for name in ["index-v17.db-wal", "index-v17.db-shm"] {
        let _ = fs::remove_file(home.path(name));
    }
    fs::write(home.path("index-v17.db"), "this is no database, whatever its name says".repeat(200)).unwrap();
    home.check(
        &["zone recall", "zone recall"],
        &expect![[r#"
        $ memtape zone recall
        ## Long-term Memory
        tea
        ! warning: the index was damaged (the index failed: file is not a database); rebuilt it from the tape
        $ memtape zone recall
        ## Long-term Memory
        tea
    "#]],
    );
}
