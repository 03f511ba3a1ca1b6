//! The `export` command.

use expect_test::expect;
use serde_json::Value;

use crate::harness::Home;

fn told() -> Home {
    let home = Home::new();
    home.setup(&[
        "fact add user 'prefers backend' Python --scope work/technical --confidence 0.9",
        "fact add user is 'café ☕'",
        "fact add user fears spiders --sensitivity confidential",
    ]);
    home
}

#[test]
fn an_export_says_what_it_wrote_and_what_it_left_out() {
    let home = told();
    home.check(
        &[
            "export",
            "export --history",
            "export --format markdown --history",
            "export --format files",
            "export --format files --confidential",
            "export --out elsewhere/here.json",
            "export --format files --out -",
            "export --confidential --session telegram:1",
            "--at 5 export --out early.json",
        ],
        &expect![[r#"
            $ memtape export
            ✓ Exported 2 memories to memories.json
            ! 1 confidential fact was left out: --confidential exports them
            $ memtape export --history
            ✓ Exported 2 memories and 2 commits to memories.json
            ! 1 confidential fact was left out: --confidential exports them
            $ memtape export --format markdown --history
            ✓ Exported 2 memories and 2 commits to memories.md
            ! 1 confidential fact was left out: --confidential exports them
            $ memtape export --format files
            ✓ Exported 2 memories, 2 events and 2 commits to memory
            ! 1 confidential fact was left out: --confidential exports them
            $ memtape export --format files --confidential
            ✓ Exported 3 memories, 3 events and 3 commits to memory
            $ memtape export --out elsewhere/here.json
            ! 1 confidential fact was left out: --confidential exports them
            ! error: cannot write elsewhere/here.json: No such file or directory (os error 2)
            [exit 7]
            $ memtape export --format files --out -
            ! 1 confidential fact was left out: --confidential exports them
            ! error: a folder of files does not go to standard output: name it with --out
            [exit 2]
            $ memtape export --confidential --session telegram:1
            ! error: only the owner can export confidential memories
            [exit 5]
            $ memtape --at 5 export --out early.json
            ✓ Exported 1 memory to early.json
        "#]],
    );
    let text = std::fs::read_to_string(home.path("memories.json")).unwrap_or_default();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    assert_eq!(value["memories"][0]["object"], "Python");
    assert_eq!(value_without_time(home.run("export --history --out -").raw()), value_without_time(&text));
    assert_eq!(home.path("memory/HEAD").metadata().map(|file| file.len()).unwrap_or_default(), 4);
}

/// Returns a document without the line that contains its date.
fn value_without_time(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("exported_at"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_file_that_is_no_export_stays() {
    let home = told();
    home.write("memories.json", "{\"mine\": true}");
    home.write("memory/notes.txt", "mine");
    home.check(
        &["export", "export --force", "export", "export --format files", "export --format files --force"],
        &expect![[r#"
            $ memtape export
            ! 1 confidential fact was left out: --confidential exports them
            ! error: memories.json exists and is not an export of memtape
            ! hint: --force replaces it
            [exit 5]
            $ memtape export --force
            ✓ Exported 2 memories to memories.json
            ! 1 confidential fact was left out: --confidential exports them
            $ memtape export
            ✓ Exported 2 memories to memories.json
            ! 1 confidential fact was left out: --confidential exports them
            $ memtape export --format files
            ! 1 confidential fact was left out: --confidential exports them
            ! error: memory exists and is not an export of memtape: name a new or an empty directory
            [exit 5]
            $ memtape export --format files --force
            ! 1 confidential fact was left out: --confidential exports them
            ! error: memory exists and is not an export of memtape: name a new or an empty directory
            [exit 5]
        "#]],
    );
}
