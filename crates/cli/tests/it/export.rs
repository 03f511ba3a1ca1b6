//! The `export` and `import memtape` commands.

use expect_test::expect;
use serde_json::Value;

use crate::harness::Home;

fn told() -> Home {
    let home = Home::new();
    home.setup(&[
        "fact add user 'prefers backend' Python --topic work/technical --confidence 0.9",
        "fact add user is 'café ☕'",
        "fact add user fears spiders --sensitivity confidential",
        "remember 'Alice likes green tea'",
    ]);
    home
}

#[test]
fn an_export_says_what_it_wrote_and_what_it_left_out() {
    let home = told();
    home.check(
        &[
            "export",
            "export --confidential --out whole.jsonl",
            "export --format json",
            "export --format markdown",
            "export --format files",
            "export --format bub",
            "export --format mcp-memory",
            "export --form zone --out zone.jsonl",
            "export --session telegram:1 --out chat.jsonl --json",
            "--at 5 export --out early.jsonl",
        ],
        &expect![[r#"
            $ memtape export
            ✓ Exported 3 memories in 13 entries to memtape.jsonl
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --confidential --out whole.jsonl
            ✓ Exported 4 memories in 12 entries to whole.jsonl
            $ memtape export --format json
            ✓ Exported 3 memories to memories.json
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --format markdown
            ✓ Exported 3 memories to memories.md
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --format files
            ✓ Exported 3 memories, 2 events, 2 commits to memory
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --format bub
            ✓ Exported 1 memory in 4 entries to bub.jsonl
            ! 2 memories of other forms were left out: jsonl, json, markdown and files hold every form
            $ memtape export --format mcp-memory
            ✓ Exported 2 memories to memory.jsonl
            ! 1 confidential memory was left out: --confidential exports them
            ! 1 memory of another form was left out: jsonl, json, markdown and files hold every form
            $ memtape export --form zone --out zone.jsonl
            ✓ Exported 1 memory in 4 entries to zone.jsonl
            $ memtape export --session telegram:1 --out chat.jsonl --json
            {"out":"chat.jsonl","memories":3,"entries":6,"commits":0,"events":0,"left_out":0,"other_forms":0,"of_others":0}
            $ memtape --at 5 export --out early.jsonl
            ✓ Exported 1 memory in 5 entries to early.jsonl
        "#]],
    );
    let text = std::fs::read_to_string(home.path("memories.json")).unwrap_or_default();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    assert_eq!(value["memories"][0]["fact"]["object"], "Python");
    assert_eq!(home.path("memory/memory/HEAD").metadata().map(|file| file.len()).unwrap_or_default(), 4);
}

#[test]
fn facts_are_exported_in_the_formats_of_document_1() {
    let home = told();
    home.check(
        &[
            "export --form ledger --format json",
            "export --form ledger --format json --history --out history.json",
            "export --form ledger --format markdown --history",
            "export --form ledger --format files",
        ],
        &expect![[r#"
            $ memtape export --form ledger --format json
            ✓ Exported 2 memories to memories.json
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --form ledger --format json --history --out history.json
            ✓ Exported 2 memories, 2 events, 2 commits to history.json
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --form ledger --format markdown --history
            ✓ Exported 2 memories, 2 events, 2 commits to memories.md
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --form ledger --format files
            ✓ Exported 2 memories, 2 events, 2 commits to memory
            ! 1 confidential memory was left out: --confidential exports them
        "#]],
    );
    let text = std::fs::read_to_string(home.path("history.json")).unwrap_or_default();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    assert_eq!(value["memories"][0]["object"], "Python");
    let printed = home.run("export --form ledger --format json --history --out -");
    assert_eq!(value_without_time(printed.raw()), value_without_time(&text));
    assert_eq!(home.path("memory/HEAD").metadata().map(|file| file.len()).unwrap_or_default(), 4);
}

/// Returns a document without the line that contains its date.
fn value_without_time(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("exported_at"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn nothing_is_replaced_unasked() {
    let home = told();
    home.write("memtape.jsonl", "{\"mine\": true}");
    home.write("memory/notes.txt", "mine");
    // Another program writes a file of this name, too.
    home.write("memory/export.json", "{\"format\": \"another one\"}");
    home.check(
        &[
            "export",
            "export --force --confidential",
            "export --confidential",
            "export --format files",
            "export --format files --force",
            "export --format files --out folder",
            "export --format files --out folder",
            "export --format files --out folder --force",
        ],
        &expect![[r#"
            $ memtape export
            ! error: memtape.jsonl exists
            ! hint: --force replaces it
            [exit 5]
            $ memtape export --force --confidential
            ✓ Exported 4 memories in 12 entries to memtape.jsonl
            $ memtape export --confidential
            ! error: memtape.jsonl exists
            ! hint: --force replaces it
            [exit 5]
            $ memtape export --format files
            ! error: memory exists and is not an export of memtape: name a new or an empty directory
            [exit 5]
            $ memtape export --format files --force
            ! error: memory exists and is not an export of memtape: name a new or an empty directory
            [exit 5]
            $ memtape export --format files --out folder
            ✓ Exported 3 memories, 2 events, 2 commits to folder
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --format files --out folder
            ! error: folder exists
            ! hint: --force replaces it
            [exit 5]
            $ memtape export --format files --out folder --force
            ✓ Exported 3 memories, 2 events, 2 commits to folder
            ! 1 confidential memory was left out: --confidential exports them
        "#]],
    );
}

#[test]
fn what_is_not_of_an_export_stays() {
    const OWN: [&str; 4] =
        ["folder/.git/HEAD", "folder/notes.txt", "folder/memory/mine.md", "folder/own/a.md"];
    let home = told();
    home.setup(&["export --format files --out folder"]);
    for file in OWN {
        home.write(file, "mine");
    }
    home.setup(&["block set focus tea", "export --format files --out folder --force"]);
    assert_eq!(
        std::fs::read_to_string(home.path("folder/blocks/current_focus.md")).unwrap_or_default(),
        "tea"
    );
    for file in OWN {
        assert_eq!(std::fs::read_to_string(home.path(file)).unwrap_or_default(), "mine", "{file}");
    }
    // A file of the person is not replaced by one of the export either.
    home.write("folder/blocks/mood.md", "mine");
    home.setup(&["block set mood calm"]);
    home.check(
        &["export --format files --out folder --force"],
        &expect![[r#"
            $ memtape export --format files --out folder --force
            ! error: folder/blocks/mood.md is not of the earlier export: move it, or name another directory
            [exit 5]
        "#]],
    );
}

#[test]
fn an_export_that_cannot_be_is_refused() {
    told().check(
        &[
            "export --out elsewhere/here.jsonl",
            "export --format files --out -",
            "export --confidential --session telegram:1",
            "export --history",
            "export --format bub --form notes",
            "export --form poems",
            "export --format yaml",
        ],
        &expect![[r#"
            $ memtape export --out elsewhere/here.jsonl
            ! error: cannot write elsewhere/here.jsonl: No such file or directory (os error 2)
            [exit 7]
            $ memtape export --format files --out -
            ! error: a directory of files does not go to standard output: name it with --out
            [exit 2]
            $ memtape export --confidential --session telegram:1
            ! error: only the owner can export confidential memories
            [exit 5]
            $ memtape export --history
            ! error: --history is for facts alone: add --form ledger, and --format json or markdown
            [exit 2]
            $ memtape export --format bub --form notes
            ! error: this format cannot hold memories of the form notes
            ! hint: the formats jsonl, json, markdown and files hold every form
            [exit 2]
            $ memtape export --form poems
            ! error: invalid value 'poems' for '--form <FORM>': unknown form "poems": expected one of blocks, files, ledger, messages, notes, statements, zone
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape export --format yaml
            ! error: invalid value 'yaml' for '--format <FORMAT>'
            !   [possible values: jsonl, json, markdown, files, bub, mcp-memory]
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn an_export_is_imported_into_an_empty_workspace() {
    let home = told();
    home.setup(&["note write facts/user.md 'Name: Alice'", "export --confidential", "init other"]);
    home.write("cut.jsonl", cut(&home));
    home.check(
        &[
            "-C other import memtape cut.jsonl",
            "-C other import memtape memtape.jsonl",
            "-C other import memtape memtape.jsonl",
            "-C other import memtape memtape.jsonl --json",
            "-C other fact list",
            "-C other note show facts/user.md",
            "-C other --at 10 fact list",
            "-C other verify",
            "-C other remember 'it goes on'",
        ],
        &expect![[r#"
            $ memtape -C other import memtape cut.jsonl
            ✓ Imported 12 entries
            $ memtape -C other import memtape memtape.jsonl
            ✓ Imported 1 entry, 12 were there already
            $ memtape -C other import memtape memtape.jsonl
            ✓ Imported 0 entries, 13 were there already
            $ memtape -C other import memtape memtape.jsonl --json
            {"added":0,"present":13,"erased":0,"redacted":0,"dry_run":false}
            $ memtape -C other fact list
            ledger:c4c4bb7b76e21bb9@8 · permanent · (confidential) (100%)
            ledger:370737ec86809ee0@6 · permanent · user is café ☕ (100%)
            ledger:1bd55b1c56bb8f73@4 · work/technical · user prefers backend Python (90%)
            $ memtape -C other note show facts/user.md
            Name: Alice
            $ memtape -C other --at 10 fact list
            ledger:c4c4bb7b76e21bb9@8 · permanent · (confidential) (100%)
            ledger:370737ec86809ee0@6 · permanent · user is café ☕ (100%)
            ledger:1bd55b1c56bb8f73@4 · work/technical · user prefers backend Python (90%)
            $ memtape -C other verify
            OK: 13 entries verified
            $ memtape -C other remember 'it goes on'
            remembered (zone:e9d308b57471437d@15)
        "#]],
    );
    assert!(home.path("other/facts/user.md").exists());
}

/// Returns an export without its last line, which ends a group.
fn cut(home: &Home) -> String {
    let text = std::fs::read_to_string(home.path("memtape.jsonl")).unwrap_or_default();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines[..lines.len() - 1].concat()
}

#[test]
fn an_import_that_cannot_be_is_refused() {
    let home = told();
    home.setup(&["export", "init other", "init mine", "-C mine remember mine"]);
    home.write("memory.jsonl", "{\"type\":\"entity\",\"name\":\"x\"}\n");
    home.write("empty.jsonl", "");
    home.setup(&["export --format json --out out.json"]);
    home.check(
        &[
            "-C other import memtape out.json",
            "-C mine import memtape memtape.jsonl",
            "-C other import memtape memory.jsonl",
            "-C other import memtape empty.jsonl",
            "-C other import memtape none.jsonl",
            "-C other import memtape mine",
            "-C none import memtape memtape.jsonl",
            "import",
        ],
        &expect![[r#"
            $ memtape -C other import memtape out.json
            ! error: line 1 is not a line of a tape: not JSON
            ! hint: only an export in the format jsonl, or a tape.jsonl, can be imported: `memtape export --format jsonl`
            [exit 2]
            $ memtape -C mine import memtape memtape.jsonl
            ! error: the workspace has memories of its own: entry 1 is not an entry of the import
            ! hint: import it into a new workspace: `memtape init DIR`, then `memtape -C DIR import memtape FILE`
            [exit 4]
            $ memtape -C other import memtape memory.jsonl
            ! error: line 1 is not a line of a tape: unknown field `type`
            ! hint: only an export in the format jsonl, or a tape.jsonl, can be imported: `memtape export --format jsonl`
            [exit 2]
            $ memtape -C other import memtape empty.jsonl
            ! error: the import has no entry
            [exit 2]
            $ memtape -C other import memtape none.jsonl
            ! error: cannot read none.jsonl: No such file or directory (os error 2)
            [exit 3]
            $ memtape -C other import memtape mine
            ! error: cannot read mine: it is a directory; name the tape in it
            [exit 2]
            $ memtape -C none import memtape memtape.jsonl
            ! error: there is no workspace in none
            ! hint: create one with `memtape init none`
            [exit 3]
            $ memtape import
            ! error: the following required arguments were not provided:
            !   <SOURCE>
            !   <PATH>
            !
            ! Usage: memtape import <SOURCE> <PATH>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

/// Files that memtape keeps in the directory of a workspace, or would take for its own.
const OWN: &[&str] = &[
    "tape.jsonl",
    "TAPE.jsonl",
    "./facts/../tape.jsonl",
    "tape.jsonl.new",
    "lock",
    "memory.db",
    "index-v17.db",
    "index-v17.7.db-wal",
    "archive/tape-1-9.jsonl",
    "erase.json",
    "memtape.json",
    "memtape.toml",
    "upstream.json",
    "working-copy.json",
    "working-copy.files.json",
    "mirror/MEMORY.md",
    "facts/user.md",
    "facts/new.md",
    "episodes/new.md",
    "files/research/a.md",
    ".git/config",
    ".gitignore",
    "other/tape.jsonl",
    "other/facts/a.md",
    #[cfg(unix)]
    "link.jsonl",
];

#[test]
fn no_export_replaces_or_creates_a_file_of_a_workspace() {
    let home = told();
    home.setup(&["note write facts/user.md 'Name: Alice'", "init other"]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.path("tape.jsonl"), home.path("link.jsonl")).expect("a link can be made");
    let before = home.tape();
    let formats = ["jsonl", "json", "markdown", "files", "bub", "mcp-memory"];
    let each =
        OWN.iter().zip(formats.iter().cycle()).chain(formats.iter().map(|format| (&"tape.jsonl", format)));
    for (name, format) in each {
        for command in ["export", "export --force", "--at 5 export --force"] {
            let ran = home.run(&format!("{command} --format {format} --out {name}"));
            let is_refused = ran.code == 5 && ran.stderr.contains("belongs to the workspace");
            assert!(is_refused, "{command} {format} {name}: {}", ran.snapshot());
        }
    }
    assert_eq!(home.tape(), before);
    for name in ["memtape.json", "memtape.toml"] {
        assert!(!home.path(name).exists(), "{name}");
    }
}

#[test]
fn what_writes_to_a_workspace_says_so() {
    let home = told();
    home.setup(&["note write facts/user.md 'Name: Alice'", "init other"]);
    home.check(
        &[
            "export --force --out tape.jsonl",
            "export --format files --out .",
            "-C other export --format files --out mirror",
            "backup file://[DIR]",
            "backup file://[DIR]/archive",
            "push file://[DIR]/mirror",
            "export --out export.jsonl",
            "export --out other/export.jsonl",
            "verify",
        ],
        &expect![[r#"
            $ memtape export --force --out tape.jsonl
            ! error: tape.jsonl belongs to the workspace [DIR]
            ! hint: choose another path
            [exit 5]
            $ memtape export --format files --out .
            ! error: . belongs to the workspace [DIR]
            ! hint: choose another path
            [exit 5]
            $ memtape -C other export --format files --out mirror
            ! error: mirror belongs to the workspace [DIR]
            ! hint: choose another path
            [exit 5]
            $ memtape backup file://[DIR]
            ! error: [DIR] belongs to the workspace [DIR]
            ! hint: choose another path
            [exit 5]
            $ memtape backup file://[DIR]/archive
            ! error: [DIR]/archive belongs to the workspace [DIR]
            ! hint: choose another path
            [exit 5]
            $ memtape push file://[DIR]/mirror
            ! error: [DIR]/mirror belongs to the workspace [DIR]
            ! hint: choose another path
            [exit 5]
            $ memtape export --out export.jsonl
            ✓ Exported 4 memories in 14 entries to export.jsonl
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape export --out other/export.jsonl
            ✓ Exported 4 memories in 14 entries to other/export.jsonl
            ! 1 confidential memory was left out: --confidential exports them
            $ memtape verify
            OK: 13 entries verified
        "#]],
    );
}

#[test]
fn an_import_stops_where_lines_are_missing_or_there_twice() {
    let home = told();
    home.setup(&["export --confidential"]);
    let text = std::fs::read_to_string(home.path("memtape.jsonl")).unwrap_or_default();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    home.write("gap.jsonl", [&lines[..6], &lines[7..]].concat().concat());
    home.write("twice.jsonl", [&lines[..6], &lines[5..]].concat().concat());
    home.setup(&["init gap", "init twice", "init dry"]);
    home.check(
        &[
            "-C twice import memtape twice.jsonl",
            "-C twice status --json",
            "-C gap import memtape gap.jsonl",
            "-C gap import memtape gap.jsonl --allow-gaps",
            "-C gap verify",
            "-C dry import memtape memtape.jsonl --dry-run",
            "-C dry import memtape memtape.jsonl --dry-run --json",
            "-C dry import memtape gap.jsonl --dry-run",
            "-C dry fact list",
            "-C dry import memtape memtape.jsonl --capture",
            "-C dry import bub . --allow-gaps",
            "import detect memtape.jsonl",
            "import detect twice",
            "import detect memtape.jsonl --json",
        ],
        &expect![[r#"
            $ memtape -C twice import memtape twice.jsonl
            ! error: line 7 is entry 6 again; what is before it is imported
            [exit 2]
            $ memtape -C twice status --json
            {"workspace":"[DIR]/twice","id":"[ID]","upstream":null,"branch":"main","entries":5,"lost_entries":0,"last_date":"[NOW]","conversations":0,"memories":{"blocks":0,"files":0,"ledger":1,"messages":0,"notes":0,"statements":0,"zone":0},"statements":{"by_category":{},"expired":0},"blocks":{"waiting":0},"conflicts":0,"observations":{"waiting":0},"counters":{"memory_recall_hit":0,"memory_recall_miss":0,"memory_capture_saved":0,"memory_capture_dropped_low_conf":0,"memory_capture_dropped_safety":0,"memory_capture_deduped":0,"memory_prompt_chars":0},"notes":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"files":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"history":"none","vectors":{"waiting":{"known":1,"messages":0}},"zone":{"version":1,"long_term_bytes":0,"daily_notes":0}}
            $ memtape -C gap import memtape gap.jsonl
            ! error: entry 7 is missing before line 7; what is before it is imported
            ! hint: --allow-gaps imports what comes after them, too
            [exit 2]
            $ memtape -C gap import memtape gap.jsonl --allow-gaps
            ✓ Imported 6 entries, 5 were there already
            ! warning: the tape is damaged: byte 2897: entry 7 is missing before entry 8 (see `memtape verify`)
            $ memtape -C gap verify
            line 7 (byte 2897): entry 7 is missing before entry 8
            11 entries can be read; 1 bad line
            [exit 8]
            $ memtape -C dry import memtape memtape.jsonl --dry-run
            Would import 12 entries
            $ memtape -C dry import memtape memtape.jsonl --dry-run --json
            {"added":12,"present":0,"erased":0,"redacted":0,"dry_run":true}
            $ memtape -C dry import memtape gap.jsonl --dry-run
            ! error: entry 7 is missing before line 7
            ! hint: --allow-gaps imports what comes after them, too
            [exit 2]
            $ memtape -C dry fact list
            ! No facts.
            $ memtape -C dry import memtape memtape.jsonl --capture
            ! error: import memtape has no --capture
            [exit 2]
            $ memtape -C dry import bub . --allow-gaps
            ! error: import bub has no --allow-gaps
            [exit 2]
            $ memtape import detect memtape.jsonl
            memtape: an export in the format jsonl, or the tape of another workspace, 1 file
            $ memtape import detect twice
            memtape: an export in the format jsonl, or the tape of another workspace, 1 file
            $ memtape import detect memtape.jsonl --json
            [{"source":"memtape","about":"an export in the format jsonl, or the tape of another workspace","files":1}]
        "#]],
    );
}

#[test]
fn an_import_of_messages_says_how_they_are_found_by_meaning() {
    let home = Home::new();
    home.command("ingest -").stdin("{\"role\":\"user\",\"content\":\"hello\"}").run().raw();
    home.setup(&["export", "init other"]);
    home.check(
        &["-C other import memtape memtape.jsonl", "-C other import memtape memtape.jsonl"],
        &expect![[r#"
            $ memtape -C other import memtape memtape.jsonl
            ✓ Imported 4 entries
            ! The messages are found by their words. To find them by meaning, too: memtape reindex --vectors
            $ memtape -C other import memtape memtape.jsonl
            ✓ Imported 0 entries, 4 were there already
        "#]],
    );
}
