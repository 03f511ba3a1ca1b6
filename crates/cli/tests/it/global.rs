//! Behaviour that all commands share: global flags, exit statuses, errors and pipes.

use expect_test::expect;

use crate::harness::{Home, unread_pipe};

/// Every command that writes or reads no memory, which therefore takes no `--at`.
const WRITING: [&str; 21] = [
    "init",
    "init other",
    "trust",
    "trust .",
    "verify",
    "config",
    "reindex",
    "completions bash",
    "ingest -",
    "remember tea",
    "zone save tea",
    "zone daily tea",
    "zone forget tea",
    "zone clear --yes",
    "zone prune",
    "tape append built",
    "tape handoff built",
    "tape archive --yes",
    "tape reset --yes",
    "tool list",
    "journal add decision --data {}",
];

/// Every command that reads, with arguments that make it print something.
const READING: [&str; 17] = [
    "status",
    "recall tea",
    "show messages:4",
    "zone show",
    "zone recall",
    "tape log",
    "tape anchors",
    "tape search tea",
    "tape after session/start",
    "tape between session/start done",
    "tape from-last-anchor --kind message",
    "status --json",
    "tape log --json",
    "tool call memory_show",
    "journal",
    "journal costs",
    "decay --days 0",
];

/// Returns a workspace in which every reading command prints something.
fn home() -> Home {
    let home = Home::new();
    home.command("ingest -").stdin(r#"{"role":"user","content":"tea"}"#).run().raw();
    home.setup(&["tape handoff done", "remember tea"]);
    home.command("ingest -").stdin(r#"{"role":"user","content":"more tea"}"#).run().raw();
    home
}

#[test]
fn global_flags_may_stand_anywhere() {
    let home = home();
    home.setup(&["init ../other"]);
    let expected = home.run("-C . --at 8 --json --branch main zone show").stdout;
    expect![[r#"
        {"version":2,"long_term":"tea","dailies":{}}
    "#]]
    .assert_eq(&expected);
    for line in [
        "zone -C . --at 8 show --json --branch main",
        "zone show -C . --at 8 --json --branch=main",
        "zone --json show --at=main@8 --workspace .",
        "-C. zone --at main@6 show --json",
    ] {
        let ran = home.run(line);
        assert_eq!((ran.code, &ran.stdout), (0, &expected), "{line}: {}", ran.snapshot());
    }
    let expected = home.run("tape log -n 1 --at 5").stdout;
    assert_eq!(home.run("tape --at 5 log -n 1").stdout, expected);
    let expected = home.run("--at 3 zone recall tea").stdout;
    assert_eq!(home.run("zone recall tea --at 3").stdout, expected);
    // A flag between the command and its text must not become part of the text.
    let ran = home.run("remember --json -C ../other 'words of it'");
    ran.check(&expect![[r#"
        {"changed":true,"refs":["zone:7c4e995b3d85d25d@5"]}
    "#]]);
    assert_eq!(home.run("remember 'words of it' -C ../other --json").json()["changed"], false);
}

#[test]
fn a_tool_that_writes_takes_no_point() {
    let home = home();
    let before = home.tape();
    let ran = home.command("tool call memory_save --at 3").arg(r#"{"content":"x"}"#).run();
    assert_eq!(ran.code, 2, "{}", ran.snapshot());
    assert!(ran.stderr.contains("memory_save writes"), "{}", ran.snapshot());
    assert_eq!(home.tape(), before);
}

#[test]
fn a_point_is_for_reading_commands() {
    let home = home();
    let before = home.tape();
    for command in WRITING {
        let ran = home.command(command).arg("--at").arg("3").run();
        assert_eq!(ran.code, 2, "{command}");
        assert!(
            ran.stderr.starts_with("error: unexpected argument '--at' found\n"),
            "{command}: {}",
            ran.stderr
        );
        let ran = home.run(&format!("--at 3 {command}"));
        assert!(
            ran.stderr.starts_with("error: the option '--at' cannot be used with 'memtape "),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(home.tape(), before);
    assert!(!home.path("other").exists());
    for command in READING {
        let ran = home.command(command).arg("--at").arg("head").run();
        assert_eq!(ran.snapshot(), home.run(command).snapshot(), "{command}");
    }
}

#[test]
fn a_point_that_is_none_is_explained() {
    let home = home();
    home.check(
        &[
            "status --at 99",
            "status --at soon",
            "status --at ''",
            "status --at other@3",
            "status --at 2024-02-30",
            "status --at '-2 days ago'",
            "status --at 99999999999999999999",
        ],
        &expect![[r#"
            $ memtape status --at 99
            ! error: the tape ends at entry 9: there is no entry 99
            ! hint: entries are numbered from 1 to 9
            [exit 3]
            $ memtape status --at soon
            ! error: invalid point "soon": expected an entry (42 or main@42), a commit id (at least its first 7 digits), a date or time (2026-02-10, 2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
            $ memtape status --at ''
            ! error: invalid point "": expected an entry (42 or main@42), a commit id (at least its first 7 digits), a date or time (2026-02-10, 2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
            $ memtape status --at other@3
            ! error: there is no branch "other"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape status --at 2024-02-30
            ! error: invalid point "2024-02-30": expected an entry (42 or main@42), a commit id (at least its first 7 digits), a date or time (2026-02-10, 2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
            $ memtape status --at '-2 days ago'
            ! error: unexpected argument '-2' found
            !
            ! Usage: memtape status [OPTIONS]
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape status --at 99999999999999999999
            ! error: invalid point "99999999999999999999": expected an entry (42 or main@42), a commit id (at least its first 7 digits), a date or time (2026-02-10, 2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
        "#]],
    );
    for point in ["0", "1", "2024-01-01", "1 hour ago", "a week ago", "yesterday", "1970-01-01T00:00:00Z"] {
        for command in ["zone show", "zone recall", "recall tea", "status", "status --json", "tape log"] {
            let ran = home.command(command).arg("--at").arg(point).run();
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command} --at {point}");
        }
    }
}

#[test]
fn a_branch_that_is_not_there_is_an_error() {
    let home = home();
    let before = home.tape();
    home.check(
        &["status --branch work", "remember tea --branch work", "status --branch '' --json"],
        &expect![[r#"
            $ memtape status --branch work
            ! error: there is no branch "work"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape remember tea --branch work
            ! error: there is no branch "work"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape status --branch '' --json
            ! {"error":{"kind":"not_found","message":"there is no branch \"\"","hint":"`memtape branch list` lists the branches"}}
            [exit 3]
        "#]],
    );
    for command in READING {
        assert_eq!(home.command(command).arg("--branch").arg("work").run().code, 3, "{command}");
    }
    for command in ["zone daily x", "tape append x", "tape handoff x", "tape reset --yes", "zone clear --yes"]
    {
        assert_eq!(home.command(command).arg("--branch").arg("work").run().code, 3, "{command}");
    }
    let ingest = home.command("ingest - --branch work").stdin(r#"{"role":"user","content":"x"}"#).run();
    assert_eq!(ingest.code, 3);
    assert_eq!(home.tape(), before);
}

#[test]
fn the_exit_status_says_what_kind_of_failure_it_was() {
    let home = home();
    home.command("zone save").arg("green tea\nblack tea").run().raw();
    home.write("damaged/tape.jsonl", "nothing of a tape\n");
    let mut table = String::new();
    for line in [
        "status",
        "recall zebra",
        "--help",
        "nonsense",
        "remember ''",
        "tape append x --data {",
        "ingest missing.jsonl",
        "show messages:1",
        "-C nowhere status",
        "status --at 99",
        "zone forget tea",
        "zone clear",
        "tape append memory.x",
        "tool call memory_clear",
        "verify damaged",
    ] {
        let ran = home.run(line);
        // The findings of `verify` are data on standard output, not an error.
        let said = !ran.stderr.is_empty() || line.starts_with("verify");
        assert_eq!(ran.code != 0, said, "{line}: {}", ran.snapshot());
        table += &format!("{} {line}\n", ran.code);
    }
    expect![[r#"
        0 status
        0 recall zebra
        0 --help
        2 nonsense
        2 remember ''
        2 tape append x --data {
        3 ingest missing.jsonl
        3 show messages:1
        3 -C nowhere status
        3 status --at 99
        4 zone forget tea
        5 zone clear
        5 tape append memory.x
        5 tool call memory_clear
        8 verify damaged
    "#]]
    .assert_eq(&table);
}

#[test]
fn errors_are_json_where_json_is_asked_for() {
    let home = home();
    let mut table = String::new();
    for line in [
        "remember '' --json",
        "status --at 99 --json",
        "--json show messages:1",
        "zone clear --json",
        "tape append memory.x --json",
        "tool call nothing --json",
        "-C nowhere --json status",
        "--json nonsense",
        "--json",
        "tape --json",
        "--json note",
        "show --json",
        "recall tea --form x --json",
        "tape log --at 1 --nonsense --json",
        "remember tea --at 3 --json",
    ] {
        let ran = home.run(line);
        assert_eq!(ran.stderr.lines().count(), 1, "{line}: {}", ran.snapshot());
        let error = ran.json_error();
        let fields: Vec<_> = error.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["kind", "message", "hint"], "{line}");
        table +=
            &format!("{line}\n  {} {}: {}\n  {}\n", ran.code, error["kind"], error["message"], error["hint"]);
    }
    expect![[r#"
        remember '' --json
          2 "invalid": "cannot remember an empty text"
          "`memtape forget` and `memtape zone clear` remove memories"
        status --at 99 --json
          3 "not_found": "the tape ends at entry 9: there is no entry 99"
          "entries are numbered from 1 to 9"
        --json show messages:1
          3 "not_found": "messages:1 is not current"
          "an earlier point may show it: --at POINT"
        zone clear --json
          5 "refused": "confirmation needed: Forget the workspace's long-term memory and daily notes?"
          "pass --yes to confirm"
        tape append memory.x --json
          5 "refused": "names that start with \"memory.\" are reserved for memtape"
          null
        tool call nothing --json
          3 "not_found": "unknown tool \"nothing\": expected one of memory_recall, memory_save, memory_daily, memory_add, memory_forget, memory_show, memory_search, memory_update, memory_branch, memory_history, memory_consolidate, memory_list, memory_read, memory_write, memory_patch, memory_append, memory_get_block, memory_set_block, memory_list_blocks, memory_block_history, memory_journal, memory_file_read, memory_file_write, memory_skill"
          null
        -C nowhere --json status
          3 "not_found": "there is no workspace in nowhere"
          "create one with `memtape init nowhere`"
        --json nonsense
          2 "invalid": "unrecognized subcommand 'nonsense'"
          null
        --json
          2 "invalid": "'memtape' requires a subcommand but one was not provided [subcommands: init, trust, demo, clone, push, status, verify, scan, config, reindex, completions, man, ingest, import, agent, reflect, heartbeat, doctor, turn, prompt, recall, search, add, forget, prune, consolidate, backfill, log, diff, graph, view, stats, export, backup, restore, show, why, decay, journal, remember, zone, fact, branch, switch, checkout, branches, create-branch, delete-branch, merge, conflicts, resolve, cherry-pick, revert, undo, redo, note, block, file, tape, tool, memory-tool, setup, mcp, inspect, serve, token, hook, help]"
          null
        tape --json
          2 "invalid": "'memtape tape' requires a subcommand but one was not provided [subcommands: log, anchors, search, after, between, from-last-anchor, append, handoff, archive, reset, help]"
          null
        --json note
          2 "invalid": "'memtape note' requires a subcommand but one was not provided: `memtape note --help` lists them"
          null
        show --json
          2 "invalid": "the following required arguments were not provided: <REF|COMMIT>"
          null
        recall tea --form x --json
          2 "invalid": "invalid value 'x' for '--form <FORM>': unknown form \"x\": expected one of blocks, files, ledger, messages, notes, statements, zone"
          null
        tape log --at 1 --nonsense --json
          2 "invalid": "unexpected argument '--nonsense' found"
          null
        remember tea --at 3 --json
          2 "invalid": "unexpected argument '--at' found"
          null
    "#]].assert_eq(&table);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = home();
    let others = ["--help", "zone --help", "--version", "completions bash", "completions zsh", "verify"];
    let others =
        others.into_iter().chain(["trust", "tool list", "tool list --json", "tool call memory_show"]);
    for command in READING.into_iter().chain(others) {
        let ran = home.command(command).stdout(unread_pipe()).run();
        assert_eq!(ran.snapshot(), "", "{command}");
    }
}

#[test]
fn what_is_written_stays_although_nobody_reads_the_answer() {
    let home = home();
    let ran = home.command("remember coffee").stdout(unread_pipe()).run();
    assert_eq!(ran.snapshot(), "");
    assert!(home.run("zone show").raw().contains("\ncoffee\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_nothing_is_an_error() {
    let home = home();
    let full = |line: &str| home.command(line).stdout(crate::harness::full_disk()).run().snapshot();
    expect![[r#"
        ! error: cannot print: No space left on device (os error 28)
        [exit 7]
    "#]]
    .assert_eq(&full("status"));
    for command in READING.into_iter().chain(["completions bash", "verify", "tool list"]) {
        let json = if command.contains("--json") { "status --json" } else { "status" };
        assert_eq!(full(command), full(json), "{command}");
    }
}

#[cfg(unix)]
#[test]
fn a_trusted_directory_need_not_be_utf_8() {
    let home = Home::bare();
    home.write_own("trusted", b"/data/b\xffd\n");
    let trusted = home.run("trust --json").json();
    assert_eq!(trusted["trusted"][0], "/data/b\u{fffd}d");
}
