//! `verify`, and the reaction of other commands to a damaged tape.

use std::fs;

use expect_test::expect;

use crate::harness::Home;

/// Returns a workspace with three groups whose lines have the same lengths in every run.
fn home() -> Home {
    let home = Home::new();
    for text in ["one", "two"] {
        home.command("ingest -").stdin(format!("{{\"role\":\"user\",\"content\":\"{text}\"}}")).run().raw();
    }
    home
}

/// Returns the tape with one line changed.
fn changed(home: &Home, number: usize, change: impl Fn(&str) -> String) -> String {
    let tape = String::from_utf8(home.tape()).expect("a tape is UTF-8");
    let lines = tape.lines().enumerate().map(|(n, line)| match n + 1 == number {
        true => change(line) + "\n",
        false => line.to_owned() + "\n",
    });
    lines.collect()
}

#[test]
fn a_sound_tape_is_counted() {
    let home = home();
    home.check(
        &["verify", "verify --json", "verify .", "-C . verify", "verify . -C nowhere"],
        &expect![[r#"
            $ memtape verify
            OK: 5 entries verified
            $ memtape verify --json
            {"entries":5,"groups":3,"segments":1,"bad":[],"torn":null,"missing_since":null}
            $ memtape verify .
            OK: 5 entries verified
            $ memtape -C . verify
            OK: 5 entries verified
            $ memtape verify . -C nowhere
            OK: 5 entries verified
        "#]],
    );
}

#[test]
fn a_changed_line_is_named() {
    let home = home();
    home.write("lone/tape.jsonl", changed(&home, 4, |line| line.replace("one", "ONE")));
    home.check(&["verify lone", "verify lone --json"], &expect![[r#"
        $ memtape verify lone
        line 4 (byte 1161): entry 4 does not match its hash
        4 entries can be read; 1 bad line
        [exit 8]
        $ memtape verify lone --json
        {"entries":4,"groups":2,"segments":1,"bad":["line 4 (byte 1161): entry 4 does not match its hash"],"torn":null,"missing_since":null}
        [exit 8]
    "#]]);
}

#[test]
fn lines_that_are_lost_added_or_no_entries_are_named() {
    let home = home();
    home.write("lost/tape.jsonl", changed(&home, 4, |_| String::new()).replace("\n\n", "\n"));
    home.write("cut/tape.jsonl", changed(&home, 4, |line| line[..50].to_owned()));
    home.write("text/tape.jsonl", changed(&home, 2, |line| format!("{line}\nhello")));
    let mut bytes = home.tape();
    let last = bytes.len() - 20;
    bytes[last] = 0xff;
    home.write("bits/tape.jsonl", bytes);
    home.check(
        &["verify lost", "verify cut", "verify text", "verify bits"],
        &expect![[r#"
            $ memtape verify lost
            line 4 (byte 1161): entry 4 is missing before entry 5
            4 entries can be read; 1 bad line
            [exit 8]
            $ memtape verify cut
            line 4 (byte 1161): not JSON
            4 entries can be read; 1 bad line
            [exit 8]
            $ memtape verify text
            line 3 (byte 776): not JSON
            5 entries can be read; 1 bad line
            [exit 8]
            $ memtape verify bits
            line 5 (byte 1534): not UTF-8
            4 entries can be read; 1 bad line
            [exit 8]
        "#]],
    );
}

#[test]
fn a_torn_tail_is_no_damage_and_the_next_writer_moves_it() {
    let home = home();
    home.setup(&["status"]);
    let whole = home.tape();
    let mut torn = whole.clone();
    torn.extend(br#"{"id":6,"kind":"message","payl"#);
    home.write("tape.jsonl", &torn);
    home.check(&["verify", "verify --json", "tape log -n 1"], &expect![[r#"
        $ memtape verify
        OK: 5 entries verified
        ! note: the last 30 bytes (from byte 1907) are an unfinished write, never acknowledged; the next writer moves them to archive/
        $ memtape verify --json
        {"entries":5,"groups":3,"segments":1,"bad":[],"torn":{"byte":1907,"bytes":30},"missing_since":null}
        $ memtape tape log -n 1
        #5 [NOW] [message] user: "two" (cli:direct)
    "#]]);
    assert_eq!(home.tape(), torn, "no reader changes the tape");
    home.command("ingest -").stdin(r#"{"role":"user","content":"three"}"#).run().check(&expect![[r#"
        1 message added
        ! warning: the tape ended in 30 bytes of an unfinished write, which was never acknowledged; they were moved to archive/torn-6
    "#]]);
    home.check(
        &["verify", "tape log -n 2"],
        &expect![[r#"
            $ memtape verify
            OK: 6 entries verified
            $ memtape tape log -n 2
            #5 [NOW] [message] user: "two" (cli:direct)
            #6 [NOW] [message] user: "three" (cli:direct)
        "#]],
    );
    assert!(home.tape().starts_with(&whole));
}

#[test]
fn a_folder_that_holds_nothing_but_a_tape_is_checked_and_left_so() {
    let home = home();
    home.write("lone/tape.jsonl", home.tape());
    home.write("empty/tape.jsonl", "");
    home.check(
        &["verify lone", "verify empty"],
        &expect![[r#"
            $ memtape verify lone
            OK: 5 entries verified
            $ memtape verify empty
            OK: 0 entries verified
        "#]],
    );
    for name in ["lone", "empty"] {
        assert_eq!(fs::read_dir(home.path(name)).unwrap().count(), 1, "{name}");
    }
}

#[test]
fn without_a_tape_there_is_nothing_to_check() {
    let home = Home::bare();
    fs::create_dir(home.path("bare")).unwrap();
    home.write("file", "no folder");
    home.check(&["verify bare", "verify nowhere", "verify file", "verify nowhere --json"], &expect![[r#"
        $ memtape verify bare
        ! error: there is no workspace in bare
        ! hint: create one with `memtape init bare`
        [exit 3]
        $ memtape verify nowhere
        ! error: there is no workspace in nowhere
        ! hint: create one with `memtape init nowhere`
        [exit 3]
        $ memtape verify file
        ! error: there is no workspace in file
        ! hint: it is a file: name the directory of the workspace
        [exit 3]
        $ memtape verify nowhere --json
        ! {"error":{"kind":"not_found","message":"there is no workspace in nowhere","hint":"create one with `memtape init nowhere`"}}
        [exit 3]
    "#]]);
}

#[test]
fn archived_segments_are_checked_too() {
    let home = home();
    home.setup(&["tape archive --yes", "tape append after"]);
    home.check(
        &["verify", "verify --json"],
        &expect![[r#"
            $ memtape verify
            OK: 6 entries in 2 segments verified
            $ memtape verify --json
            {"entries":6,"groups":4,"segments":2,"bad":[],"torn":null,"missing_since":null}
        "#]],
    );
    let segment = home.path("archive/tape-1-5.jsonl");
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replace("two", "TWO")).unwrap();
    home.run("verify").check(&expect![[r#"
        archive/tape-1-5.jsonl: line 5 (byte 1534): entry 5 does not match its hash
        5 entries in 2 segments can be read; 1 bad line
        [exit 8]
    "#]]);
}

#[test]
fn damage_is_skipped_and_reported() {
    let home = home();
    home.write("tape.jsonl", changed(&home, 4, |line| line.replace("one", "ONE")));
    fs::remove_file(home.path("index-v17.db")).unwrap();
    home.check(
        &["recall two", "recall one", "remember tea", "verify", "reindex", "tape log --kind message"],
        &expect![[r#"
            $ memtape recall two
            messages:5@5 · score [SCORE] · cli:direct · user · recorded [NOW]
              two
            ! warning: the tape is damaged: line 4 (byte 1161): entry 4 does not match its hash; the line is skipped (see `memtape verify`)
            $ memtape recall one
            No matches.
            $ memtape remember tea
            remembered (zone:a9f74d1ec36ebdeb@7)
            $ memtape verify
            line 4 (byte 1161): entry 4 does not match its hash
            7 entries can be read; 1 bad line
            [exit 8]
            $ memtape reindex
            rebuilt the index from 8 entries
            ! warning: the tape is damaged; the old index was moved to archive/index-until-8.db
            ! warning: the tape is damaged: line 4 (byte 1161): entry 4 does not match its hash; the line is skipped (see `memtape verify`)
            $ memtape tape log --kind message
            #5 [NOW] [message] user: "two" (cli:direct)
        "#]],
    );
}

#[test]
fn a_truncated_or_missing_tape_is_reported() {
    let home = home();
    let whole = home.tape();
    let three = whole.split_inclusive(|b| *b == b'\n').take(3).map(<[u8]>::len).sum::<usize>();
    home.write("tape.jsonl", &whole[..three]);
    home.check(&["verify", "verify --json", "status", "verify"], &expect![[r#"
        $ memtape verify
        the tape no longer holds what was read from it up to entry 5: it was cut, edited or replaced
        3 entries can be read
        [exit 8]
        $ memtape verify --json
        {"entries":3,"groups":1,"segments":1,"bad":[],"torn":null,"missing_since":5}
        [exit 8]
        $ memtape status
        workspace  [DIR] ([ID])
        branch     main
        entries    3, the last of [NOW] UTC
        messages   0 in 0 conversations
        zone       version 1: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 0
        vectors    none pending
        ! warning: the tape no longer holds what was read from it up to entry 5 (it was cut, edited or replaced); rebuilt the index, and moved the old one to archive/index-until-5.db
        $ memtape verify
        the tape no longer holds what was read from it up to entry 5: it was cut, edited or replaced
        3 entries can be read
        [exit 8]
    "#]]);
    fs::remove_file(home.path("tape.jsonl")).unwrap();
    home.check(&["-C . status", "-C . remember tea", "verify ."], &expect![[r#"
        $ memtape -C . status
        ! error: . has an index but no tape.jsonl: the tape is missing
        ! hint: restore tape.jsonl from a backup, or start a new tape with `memtape init .` (which moves the old index to archive/)
        [exit 8]
        $ memtape -C . remember tea
        ! error: . has an index but no tape.jsonl: the tape is missing
        ! hint: restore tape.jsonl from a backup, or start a new tape with `memtape init .` (which moves the old index to archive/)
        [exit 8]
        $ memtape verify .
        ! error: . has an index but no tape.jsonl: the tape is missing
        ! hint: restore tape.jsonl from a backup, or start a new tape with `memtape init .` (which moves the old index to archive/)
        [exit 8]
    "#]]);
}

#[test]
fn status_keeps_reporting_lost_entries() {
    let home = home();
    home.write("tape.jsonl", changed(&home, 4, |line| line.replace("one", "ONE")));
    home.setup(&["reindex", "recall one"]);
    let status = home.run("status");
    assert_eq!(
        status.stderr,
        "warning: the tape is damaged: 1 entry is lost (run `memtape verify`)\n",
        "{}",
        status.snapshot()
    );
    assert_eq!(home.run("status --json").json()["lost_entries"], 1);
    assert_eq!(home.run("status --at 3").stderr, "");
}
