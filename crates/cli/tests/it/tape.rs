//! The `tape` commands.

use expect_test::expect;

use crate::harness::Home;

/// Returns a workspace with two conversations, anchors, an event and a line of the zone.
fn home() -> Home {
    let home = Home::new();
    home.command("ingest -").stdin(r#"{"role":"user","content":"first, before the anchor"}"#).run().raw();
    home.setup(&["tape handoff plan --state '{\"task\":\"move\"}'"]);
    home.command("ingest -")
        .stdin(
            r#"{"role":"user","content":"second, about \"tea\""}
{"role":"user","content":"elsewhere","session":"telegram:1"}"#,
        )
        .run()
        .raw();
    home.setup(&[
        "remember 'User likes tea.'",
        "tape append journal.decision --data '{\"what\":\"tea\"}'",
        "tape handoff done",
        "tape handoff plan --session telegram:1",
    ]);
    home.command("ingest -").stdin(r#"{"role":"assistant","content":"last, after the anchor"}"#).run().raw();
    home
}

#[test]
fn log_prints_entries_as_they_were_written() {
    let home = home();
    home.run("tape log").check(&expect![[r##"
        #1 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
        #2 [NOW] [anchor] memory/open state={"version":1} (cli:direct)
        #3 [NOW] [anchor] memory/seal state={"version":1} (cli:direct)
        #4 [NOW] [message] user: "first, before the anchor" (cli:direct)
        #5 [NOW] [anchor] plan state={"task":"move"} (cli:direct)
        #6 [NOW] [anchor] session/start state={"owner":"human"} (telegram:1)
        #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
        #8 [NOW] [message] user: "elsewhere" (telegram:1)
        #9 [NOW] [anchor] memory/open state={"version":2} (cli:direct)
        #10 [NOW] [event] memory.long_term data={"content":"User likes tea.","updated_at":"[NOW]"} (cli:direct)
        #11 [NOW] [anchor] memory/seal state={"version":2} (cli:direct)
        #12 [NOW] [event] journal.decision data={"what":"tea"} (cli:direct)
        #13 [NOW] [anchor] done (cli:direct)
        #14 [NOW] [anchor] plan (telegram:1)
        #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
    "##]]);
    home.check(
        &[
            "tape log --kind message --kind event",
            "tape log --session telegram:1",
            "tape log -n 2",
            "tape log --limit 0",
            "tape log --kind anchor --session cli:direct --limit 1",
            "tape log --since tomorrow",
            "tape log --since '1 hour ago' -n 1",
            "tape log --since 2024-01-01 --at 4 --kind message",
            "tape log --kind note",
            "tape log --since 4",
            "tape log --session a::b",
        ],
        &expect![[r#"
            $ memtape tape log --kind message --kind event
            #4 [NOW] [message] user: "first, before the anchor" (cli:direct)
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            #8 [NOW] [message] user: "elsewhere" (telegram:1)
            #10 [NOW] [event] memory.long_term data={"content":"User likes tea.","updated_at":"[NOW]"} (cli:direct)
            #12 [NOW] [event] journal.decision data={"what":"tea"} (cli:direct)
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape log --session telegram:1
            #6 [NOW] [anchor] session/start state={"owner":"human"} (telegram:1)
            #8 [NOW] [message] user: "elsewhere" (telegram:1)
            #14 [NOW] [anchor] plan (telegram:1)
            $ memtape tape log -n 2
            #14 [NOW] [anchor] plan (telegram:1)
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape log --limit 0
            ! error: invalid value '0' for '--limit <N>': expected a whole number from 1, or all
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape tape log --kind anchor --session cli:direct --limit 1
            #13 [NOW] [anchor] done (cli:direct)
            $ memtape tape log --since tomorrow
            ! error: invalid date "tomorrow": expected a day (2026-02-10), a time (2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
            $ memtape tape log --since '1 hour ago' -n 1
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape log --since 2024-01-01 --at 4 --kind message
            #4 [NOW] [message] user: "first, before the anchor" (cli:direct)
            $ memtape tape log --kind note
            ! error: invalid value 'note' for '--kind <KIND>': the kinds are message, system, tool_call, tool_result, anchor, event, error
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape tape log --since 4
            ! error: invalid date "4": expected a day (2026-02-10), a time (2026-02-10T10:00) or an age ("2 days ago")
            [exit 2]
            $ memtape tape log --session a::b
            ! error: invalid value 'a::b' for '--session <CHANNEL:CHAT[:THREAD]>': invalid session "a::b" (a part is empty): expected CHANNEL:CHAT or CHANNEL:CHAT:THREAD
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn anchors_are_the_conversations_own_unless_all_are_asked_for() {
    let home = home();
    home.check(
        &[
            "tape anchors",
            "tape anchors --session telegram:1",
            "tape anchors --limit 1",
            "tape anchors --all -n 3",
            "tape anchors --at 4",
            "tape anchors --session nobody",
        ],
        &expect![[r#"
            $ memtape tape anchors
            #1 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            #5 [NOW] [anchor] plan state={"task":"move"} (cli:direct)
            #6 [NOW] [anchor] session/start state={"owner":"human"} (telegram:1)
            #13 [NOW] [anchor] done (cli:direct)
            #14 [NOW] [anchor] plan (telegram:1)
            $ memtape tape anchors --session telegram:1
            #6 [NOW] [anchor] session/start state={"owner":"human"} (telegram:1)
            #14 [NOW] [anchor] plan (telegram:1)
            $ memtape tape anchors --limit 1
            #14 [NOW] [anchor] plan (telegram:1)
            $ memtape tape anchors --all -n 3
            #11 [NOW] [anchor] memory/seal state={"version":2} (cli:direct)
            #13 [NOW] [anchor] done (cli:direct)
            #14 [NOW] [anchor] plan (telegram:1)
            $ memtape tape anchors --at 4
            #1 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            $ memtape tape anchors --session nobody
        "#]],
    );
}

#[test]
fn search_finds_text_and_the_newest_comes_first() {
    let home = home();
    home.check(
        &[
            "tape search TEA",
            "tape search tea --limit 1",
            "tape search tea --kind message",
            "tape search 'about \"tea\"'",
            "tape search elsewhere --session cli:direct",
            "tape search tea --at 5",
            "tape search nothing-like-it",
            "tape search ''",
        ],
        &expect![[r#"
            $ memtape tape search TEA
            #12 [NOW] [event] journal.decision data={"what":"tea"} (cli:direct)
            #10 [NOW] [event] memory.long_term data={"content":"User likes tea.","updated_at":"[NOW]"} (cli:direct)
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            $ memtape tape search tea --limit 1
            #12 [NOW] [event] journal.decision data={"what":"tea"} (cli:direct)
            $ memtape tape search tea --kind message
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            $ memtape tape search 'about "tea"'
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            $ memtape tape search elsewhere --session cli:direct
            $ memtape tape search tea --at 5
            $ memtape tape search nothing-like-it
            $ memtape tape search ''
        "#]],
    );
}

#[test]
fn entries_after_and_between_anchors() {
    let home = home();
    home.check(
        &[
            "tape after plan --kind message",
            "tape after plan --session cli:direct --kind message",
            "tape between plan done --session cli:direct",
            "tape between session/start plan --session cli:direct --kind message",
            "tape from-last-anchor",
            "tape from-last-anchor --session cli:direct",
            "tape from-last-anchor --session telegram:1",
            "tape from-last-anchor --session cli:direct --at 7",
            "tape from-last-anchor --session nobody",
        ],
        &expect![[r#"
            $ memtape tape after plan --kind message
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape after plan --session cli:direct --kind message
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape between plan done --session cli:direct
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            #9 [NOW] [anchor] memory/open state={"version":2} (cli:direct)
            #10 [NOW] [event] memory.long_term data={"content":"User likes tea.","updated_at":"[NOW]"} (cli:direct)
            #11 [NOW] [anchor] memory/seal state={"version":2} (cli:direct)
            #12 [NOW] [event] journal.decision data={"what":"tea"} (cli:direct)
            $ memtape tape between session/start plan --session cli:direct --kind message
            #4 [NOW] [message] user: "first, before the anchor" (cli:direct)
            $ memtape tape from-last-anchor
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape from-last-anchor --session cli:direct
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape from-last-anchor --session telegram:1
            $ memtape tape from-last-anchor --session cli:direct --at 7
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            $ memtape tape from-last-anchor --session nobody
        "#]],
    );
}

#[test]
fn a_missing_anchor_is_an_error() {
    let home = home();
    home.check(
        &[
            "tape after lunch",
            "tape after done --session telegram:1",
            "tape after done --at 5",
            "tape between lunch done",
            "tape between done plan --session cli:direct",
            "tape after lunch --json",
        ],
        &expect![[r#"
            $ memtape tape after lunch
            ! error: there is no anchor "lunch"
            ! hint: `memtape tape anchors` lists the anchors
            [exit 3]
            $ memtape tape after done --session telegram:1
            ! error: there is no anchor "done" in telegram:1
            ! hint: `memtape tape anchors` lists the anchors
            [exit 3]
            $ memtape tape after done --at 5
            ! error: there is no anchor "done"
            ! hint: `memtape tape anchors` lists the anchors
            [exit 3]
            $ memtape tape between lunch done
            ! error: there is no anchor "lunch" before entry 13
            ! hint: `memtape tape anchors` lists the anchors
            [exit 3]
            $ memtape tape between done plan --session cli:direct
            ! error: there is no anchor "done" in cli:direct before entry 5
            ! hint: `memtape tape anchors` lists the anchors
            [exit 3]
            $ memtape tape after lunch --json
            ! {"error":{"kind":"not_found","message":"there is no anchor \"lunch\"","hint":"`memtape tape anchors` lists the anchors"}}
            [exit 3]
        "#]],
    );
}

#[test]
fn events_and_handoffs_are_recorded() {
    let home = Home::new();
    home.check(
        &[
            "tape append build.done",
            "tape append build.done --data '{\"ok\":true,\"n\":[1,2]}' --session ci:7",
            "tape append build.done --data '\"text\"' --json",
            "tape append build.done --data '{oops'",
            "tape append ''",
            "tape handoff phase-2",
            "tape handoff phase-2 --state '{\"next\":\"test\"}' --json",
            "tape handoff phase-2 --state oops",
            "tape log -n 5",
        ],
        &expect![[r#"
            $ memtape tape append build.done
            entry 4
            $ memtape tape append build.done --data '{"ok":true,"n":[1,2]}' --session ci:7
            entry 5
            $ memtape tape append build.done --data '"text"' --json
            {"id":6}
            $ memtape tape append build.done --data '{oops'
            ! error: --data is not JSON: key must be a string at line 1 column 2
            [exit 2]
            $ memtape tape append ''
            ! error: a name has 1 to 200 bytes and no control characters
            [exit 2]
            $ memtape tape handoff phase-2
            entry 7
            $ memtape tape handoff phase-2 --state '{"next":"test"}' --json
            {"id":8}
            $ memtape tape handoff phase-2 --state oops
            ! error: --state is not JSON: expected value at line 1 column 1
            [exit 2]
            $ memtape tape log -n 5
            #4 [NOW] [event] build.done (cli:direct)
            #5 [NOW] [event] build.done data={"ok":true,"n":[1,2]} (ci:7)
            #6 [NOW] [event] build.done data="text" (cli:direct)
            #7 [NOW] [anchor] phase-2 (cli:direct)
            #8 [NOW] [anchor] phase-2 state={"next":"test"} (cli:direct)
        "#]],
    );
    home.command("tape append").arg("a\nb").run().check(&expect![[r#"
        ! error: a name has 1 to 200 bytes and no control characters
        [exit 2]
    "#]]);
    home.command("tape handoff").arg("x".repeat(201)).run().check(&expect![[r#"
        ! error: a name has 1 to 200 bytes and no control characters
        [exit 2]
    "#]]);
}

#[test]
fn names_of_memtapes_own_entries_are_refused() {
    let home = Home::new();
    let before = home.tape();
    home.check(
        &[
            "tape handoff memory/open",
            "tape handoff memory/mine",
            "tape handoff branch/fork",
            "tape append memory.long_term --data '{\"content\":\"forged\"}'",
            "tape append branch.switch",
            "tape append note.write --json",
        ],
        &expect![[r#"
            $ memtape tape handoff memory/open
            ! error: names that start with "memory/" are reserved for memtape
            [exit 5]
            $ memtape tape handoff memory/mine
            ! error: names that start with "memory/" are reserved for memtape
            [exit 5]
            $ memtape tape handoff branch/fork
            ! error: names that start with "branch/" are reserved for memtape
            [exit 5]
            $ memtape tape append memory.long_term --data '{"content":"forged"}'
            ! error: names that start with "memory." are reserved for memtape
            [exit 5]
            $ memtape tape append branch.switch
            ! error: names that start with "branch." are reserved for memtape
            [exit 5]
            $ memtape tape append note.write --json
            ! {"error":{"kind":"refused","message":"names that start with \"note.\" are reserved for memtape","hint":null}}
            [exit 5]
        "#]],
    );
    for event in ["ledger.add", "block.set", "file.write", "statement.add"] {
        assert_eq!(home.run(&format!("tape append {event}")).code, 5, "{event}");
    }
    assert_eq!(home.tape(), before);
}

#[test]
fn archive_closes_a_segment_and_ids_run_on() {
    let home = home();
    let before = home.tape();
    home.check(&["tape archive", "tape archive --json"], &expect![[r#"
        $ memtape tape archive
        ! error: confirmation needed: Close tape.jsonl as a segment of archive/?
        ! hint: pass --yes to confirm
        [exit 5]
        $ memtape tape archive --json
        ! {"error":{"kind":"refused","message":"confirmation needed: Close tape.jsonl as a segment of archive/?","hint":"pass --yes to confirm"}}
        [exit 5]
    "#]]);
    assert_eq!(home.tape(), before);
    home.check(
        &[
            "tape archive --yes",
            "tape archive --yes",
            "tape archive --yes --json",
            "remember coffee",
            "tape archive -y --json",
            "tape log --kind message -n 1",
            "zone recall --at 8",
            "verify",
            "reindex",
            "zone recall",
        ],
        &expect![[r#"
            $ memtape tape archive --yes
            closed as archive/tape-1-15.jsonl
            $ memtape tape archive --yes
            there is nothing to close: tape.jsonl is empty
            $ memtape tape archive --yes --json
            {"archived":null}
            $ memtape remember coffee
            remembered (zone:37290d74ac4d186e@17)
            $ memtape tape archive -y --json
            {"archived":"tape-16-18.jsonl"}
            $ memtape tape log --kind message -n 1
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape zone recall --at 8
            (no memories stored)
            $ memtape verify
            OK: 18 entries in 3 segments verified
            $ memtape reindex
            rebuilt the index from 18 entries
            $ memtape zone recall
            ## Long-term Memory
            User likes tea.
            coffee
        "#]],
    );
}

/// The process was killed after it closed the segment and before it began the next one.
#[test]
fn a_workspace_whose_active_segment_is_missing_is_found() {
    let home = home();
    home.setup(&["tape archive --yes"]);
    std::fs::remove_file(home.path("tape.jsonl")).unwrap();
    home.check(
        &["zone recall", "remember coffee", "zone recall", "verify"],
        &expect![[r#"
            $ memtape zone recall
            ## Long-term Memory
            User likes tea.
            $ memtape remember coffee
            remembered (zone:37290d74ac4d186e@17)
            $ memtape zone recall
            ## Long-term Memory
            User likes tea.
            coffee
            $ memtape verify
            OK: 18 entries in 2 segments verified
        "#]],
    );
}

#[test]
fn resetting_a_session_removes_only_its_messages() {
    let home = home();
    home.check(
        &[
            "tape reset --session cli:direct",
            "tape reset --session cli:direct --yes",
            "recall anchor --form messages",
            "recall elsewhere",
            "recall anchor --form messages --at 14",
            "zone recall",
            "tape from-last-anchor --session cli:direct",
            "tape anchors",
            "tape after done",
            "tape log --kind message",
            "tape reset --session cli:direct --yes --json",
        ],
        &expect![[r#"
            $ memtape tape reset --session cli:direct
            ! error: confirmation needed: Reset the messages of cli:direct?
            ! hint: pass --yes to confirm
            [exit 5]
            $ memtape tape reset --session cli:direct --yes
            reset at entry 16 (an earlier point still shows what was: --at 15)
            $ memtape recall anchor --form messages
            messages:8@8 · score [SCORE] · telegram:1 · user · recorded [NOW]
              elsewhere
            $ memtape recall elsewhere
            messages:8@8 · score [SCORE] · telegram:1 · user · recorded [NOW]
              elsewhere
            $ memtape recall anchor --form messages --at 14
            messages:4@4 · score [SCORE] · cli:direct · user · recorded [NOW]
              first, before the anchor
            messages:7@7 · score [SCORE] · cli:direct · user · recorded [NOW]
              second, about "tea"
            messages:8@8 · score [SCORE] · telegram:1 · user · recorded [NOW]
              elsewhere
            $ memtape zone recall
            ## Long-term Memory
            User likes tea.
            $ memtape tape from-last-anchor --session cli:direct
            $ memtape tape anchors
            #6 [NOW] [anchor] session/start state={"owner":"human"} (telegram:1)
            #14 [NOW] [anchor] plan (telegram:1)
            #16 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            $ memtape tape after done
            ! error: there is no anchor "done"
            ! hint: `memtape tape anchors` lists the anchors
            [exit 3]
            $ memtape tape log --kind message
            #4 [NOW] [message] user: "first, before the anchor" (cli:direct)
            #7 [NOW] [message] user: "second, about \"tea\"" (cli:direct)
            #8 [NOW] [message] user: "elsewhere" (telegram:1)
            #15 [NOW] [message] assistant: "last, after the anchor" (cli:direct)
            $ memtape tape reset --session cli:direct --yes --json
            {"id":17,"zone_kept":null,"archived":null}
        "#]],
    );
}

#[test]
fn reset_of_everything_keeps_the_zones_text() {
    let home = home();
    let before = home.tape();
    home.check(&["tape reset", "tape reset --archive --json"], &expect![[r#"
        $ memtape tape reset
        ! error: confirmation needed: Reset everything?
        ! hint: pass --yes to confirm
        [exit 5]
        $ memtape tape reset --archive --json
        ! {"error":{"kind":"refused","message":"confirmation needed: Reset everything?","hint":"pass --yes to confirm"}}
        [exit 5]
    "#]]);
    assert_eq!(home.tape(), before);
    home.check(
        &[
            "tape reset --yes --archive",
            "status",
            "zone recall",
            "zone recall --at 9",
            "recall elsewhere",
            "tape anchors",
            "remember 'a new life'",
            "tape reset --yes --json",
            "verify",
        ],
        &expect![[r#"
            $ memtape tape reset --yes --archive
            the tape was closed as archive/tape-1-15.jsonl
            the zone's text is kept in archive/memory-until-15.md
            reset at entry 16 (an earlier point still shows what was: --at 15)
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    18, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 3: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none pending
            $ memtape zone recall
            (no memories stored)
            $ memtape zone recall --at 9
            ## Long-term Memory
            User likes tea.
            $ memtape recall elsewhere
            No matches.
            $ memtape tape anchors
            #16 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            $ memtape remember 'a new life'
            remembered (zone:92dfcca11f369bbd@20)
            $ memtape tape reset --yes --json
            {"id":22,"zone_kept":"archive/memory-until-21.md","archived":null}
            $ memtape verify
            OK: 24 entries in 2 segments verified
        "#]],
    );
    let kept = std::fs::read_dir(home.path("archive")).unwrap();
    let mut kept: Vec<_> = kept.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    kept.sort();
    expect![[r#"
        memory-until-15.md
        memory-until-21.md
        tape-1-15.jsonl"#]]
    .assert_eq(&kept.join("\n"));
}

#[test]
fn an_entry_in_json_is_its_line_on_the_tape() {
    let home = home();
    home.setup(&["remember 'café is open'", "turn -m hello --reply 'good morning'"]);
    let tape = String::from_utf8(home.tape()).unwrap();
    assert_eq!(home.run("tape log -n 1000 --json").raw(), tape);
    let last = tape.lines().rfind(|line| line.contains(r#""kind":"anchor""#)).unwrap();
    assert_eq!(home.run("tape log --json --kind anchor -n 1").raw().trim_end(), last);
}
