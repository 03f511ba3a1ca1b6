//! `backup` and `restore`.

use std::fs;

use expect_test::expect;
use memtape::Options;
use memtape_testkit::Older;
use memtape_testkit::secrets::{SAMPLES, files_with};
use serde_json::json;

use crate::harness::Home;

/// Returns a home whose workspace has two messages.
fn home() -> Home {
    let home = Home::new();
    for text in ["one", "two"] {
        home.command("ingest -").stdin(format!("{{\"role\":\"user\",\"content\":\"{text}\"}}")).run().raw();
    }
    home
}

#[test]
fn a_backup_adds_what_is_new_and_is_restored() {
    let home = home();
    home.check(
        &["backup file://[DIR]/backup", "backup file://[DIR]/backup --json"],
        &expect![[r#"
            $ memtape backup file://[DIR]/backup
            Backed up 5 entries to file://[DIR]/backup.
            $ memtape backup file://[DIR]/backup --json
            {"created":false,"added":0,"present":5,"erased":0,"bytes":0}
        "#]],
    );
    home.setup(&["remember 'Ana is allergic to cashews'"]);
    home.check(
        &[
            "backup file://[DIR]/backup",
            "backup file://[DIR]/backup",
            "restore file://[DIR]/backup copy",
            "restore file://[DIR]/backup copy",
            "-C copy verify",
            "-C copy recall cashews",
        ],
        &expect![[r#"
            $ memtape backup file://[DIR]/backup
            Backed up 3 entries to file://[DIR]/backup, which had 5.
            $ memtape backup file://[DIR]/backup
            Nothing new: file://[DIR]/backup ends as the tape does, after 8 entries.
            $ memtape restore file://[DIR]/backup copy
            Restored 8 entries to [DIR]/copy.
            `memtape trust [DIR]/copy` lets commands inside it use this workspace.
            $ memtape restore file://[DIR]/backup copy
            ! error: copy is not empty
            ! hint: restore into a new directory
            [exit 5]
            $ memtape -C copy verify
            OK: 8 entries verified
            $ memtape -C copy recall cashews
            zone:37499f9f7a5e09b5@7 · score [SCORE] · cli:direct · recorded [NOW]
              Ana is allergic to cashews
        "#]],
    );
    assert_eq!(fs::read(home.path("copy/tape.jsonl")).unwrap(), home.tape());
    let restored = home.run("restore file://[DIR]/backup other --json").json();
    assert_eq!(restored, json!({"entries": 8, "present": 0, "bytes": home.tape().len()}));
}

#[test]
fn a_backup_contains_what_a_person_edited_just_before() {
    let home = Home::new();
    home.setup(&["note write facts/a.md '- a: 1'", "backup file://[DIR]/backup"]);
    home.write("facts/a.md", "- a: 2\n");
    home.setup(&["backup file://[DIR]/backup", "restore file://[DIR]/backup copy"]);
    assert!(fs::read_to_string(home.path("copy/tape.jsonl")).unwrap().contains("a: 2"));
}

#[test]
fn what_was_erased_is_erased_in_the_backup() {
    let home = home();
    let sample = &SAMPLES[0];
    Older::open(&home.path(""), Options::default()).unwrap().remember(sample.text).unwrap();
    let with_secret = || files_with(&home.path("backup"), sample.secret).unwrap().len();
    home.setup(&["backup file://[DIR]/backup"]);
    assert!(with_secret() > 0);
    assert_eq!(home.run("scan --redact").code, 0);
    home.check(
        &["backup file://[DIR]/backup"],
        &expect![[r#"
            $ memtape backup file://[DIR]/backup
            Backed up 1 entry to file://[DIR]/backup, which had 8.
            Erased the text of 1 earlier entry there.
        "#]],
    );
    assert_eq!(with_secret(), 0);
}

#[test]
fn a_failure_says_what_to_do() {
    let home = home();
    home.setup(&["init other", "-C other remember 'another tape'", "-C other backup file://[DIR]/backup"]);
    home.write("damaged/tape.jsonl", String::from_utf8(home.tape()).unwrap().replace("one", "ONE"));
    home.check(
        &[
            "backup file://[DIR]/backup",
            "restore file://[DIR]/backup other",
            "restore file://[DIR]/backup/none new",
            "backup s3://id:secret@bucket/a",
            "backup ftp://bucket/a",
            "backup file://a/b --json",
            "-C damaged backup file://[DIR]/backup",
            "backup",
            "restore file:///nothing",
            "restore file:///nothing --branch x dir",
        ],
        &expect![[r#"
            $ memtape backup file://[DIR]/backup
            ! error: the backup in file://[DIR]/backup is not of this tape: entry 6 is another one, or missing here
            ! hint: back up to another prefix: a backup is never overwritten
            [exit 4]
            $ memtape restore file://[DIR]/backup other
            ! error: other is not empty
            ! hint: restore into a new directory
            [exit 5]
            $ memtape restore file://[DIR]/backup/none new
            ! error: there is no backup in file://[DIR]/backup/none
            ! hint: check the address; `memtape backup` creates a backup
            [exit 3]
            $ memtape backup s3://id:secret@bucket/a
            ! error: s3://…: credentials are read from the environment, not from the address
            [exit 2]
            $ memtape backup ftp://bucket/a
            ! error: ftp://…: it must begin with s3://, gs://, az:// or, for a directory, file:///
            [exit 2]
            $ memtape backup file://a/b --json
            ! {"error":{"kind":"invalid","message":"file://a/b: write it as file:///path, with three slashes","hint":null}}
            [exit 2]
            $ memtape -C damaged backup file://[DIR]/backup
            ! warning: the tape is damaged: line 4 (byte 1161): entry 4 does not match its hash; the line is skipped (see `memtape verify`)
            ! error: the tape is damaged and is not backed up: line 4 (byte 1161): entry 4 does not match its hash
            ! hint: `memtape verify` names each damaged line
            [exit 8]
            $ memtape backup
            ! error: the following required arguments were not provided:
            !   <URL>
            !
            ! Usage: memtape backup <URL>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape restore file:///nothing
            ! error: the following required arguments were not provided:
            !   <DIR>
            !
            ! Usage: memtape restore <URL> <DIR>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape restore file:///nothing --branch x dir
            ! error: unexpected argument '--branch' found
            !
            ! Usage: memtape restore <URL> <DIR>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
    assert!(!home.path("new").exists(), "nothing is created");
}
