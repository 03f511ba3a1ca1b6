//! `backup` and `restore`.

use std::fs;

use expect_test::expect;
use memtape::Options;
use memtape_testkit::Older;
use memtape_testkit::secrets::{SAMPLES, files_with};

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
    let url = format!("file://{}", home.path("backup").display());
    home.check(
        &[&format!("backup {url}"), &format!("backup {url} --json")],
        &expect![[r#"
        "#]],
    );
    home.setup(&["remember 'Ana is allergic to cashews'"]);
    home.check(
        &[
            &format!("backup {url}"),
            &format!("backup {url}"),
            &format!("restore {url} copy"),
            &format!("restore {url} copy"),
            &format!("restore {url} other --json"),
            "-C copy verify",
            "-C copy recall cashews",
        ],
        &expect![[r#"
        "#]],
    );
    assert_eq!(fs::read(home.path("copy/tape.jsonl")).unwrap(), home.tape());
}

#[test]
fn what_was_erased_is_erased_in_the_backup() {
    let home = home();
    let sample = &SAMPLES[0];
    Older::open(&home.path(""), Options::default()).unwrap().remember(sample.text).unwrap();
    let url = format!("file://{}", home.path("backup").display());
    let with_secret = || files_with(&home.path("backup"), sample.secret).unwrap().len();
    home.setup(&[&format!("backup {url}")]);
    assert!(with_secret() > 0);
    assert_eq!(home.run("scan --redact").code, 0);
    home.check(
        &[&format!("backup {url}")],
        &expect![[r#"
        "#]],
    );
    assert_eq!(with_secret(), 0);
}

#[test]
fn a_failure_says_what_to_do() {
    let home = home();
    let url = format!("file://{}", home.path("backup").display());
    home.setup(&["init other", "-C other remember 'another tape'", &format!("-C other backup {url}")]);
    home.write("damaged/tape.jsonl", String::from_utf8(home.tape()).unwrap().replace("one", "ONE"));
    home.check(
        &[
            &format!("backup {url}"),
            &format!("restore {url} other"),
            &format!("restore {url}/none new"),
            "backup s3://id:secret@bucket/a",
            "backup ftp://bucket/a",
            "backup file://a/b --json",
            &format!("-C damaged backup {url}"),
            "backup",
            "restore file:///nothing",
            "restore file:///nothing --branch x dir",
        ],
        &expect![[r#"
        "#]],
    );
    assert!(!home.path("new").exists(), "nothing is created");
}
