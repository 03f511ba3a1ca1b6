//! Erasures concurrent with other stores and processes: these detect it, lose nothing, and finish it if it was killed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use memtape::{At, Workspace};
use memtape_index::INDEX_FILE;
use memtape_store::Warning;
use memtape_testkit::{Older, TestWorkspace};

use super::secret::{SECRET, assert_gone, said};

/// Two stores on one directory, as two processes have: one erases, the other reads and writes on.
#[test]
fn another_store_detects_an_erasure() {
    let test = TestWorkspace::new();
    test.older().remember(&said(1)).unwrap();
    let other = test.reopened();
    assert!(other.zone().context(&At::head()).unwrap().contains(SECRET));
    test.workspace.scan_and_redact().unwrap();
    let before = At::entry(6);
    for at in [At::head(), before] {
        let shown = other.zone().context(&at).unwrap();
        assert!(!shown.contains(SECRET) && shown.contains("the password of door 1 is [redacted:password]"));
    }
    other.zone().remember("tea").unwrap();
    assert!(test.workspace.zone().context(&At::head()).unwrap().contains("tea"));
    assert_eq!((other.take_warnings(), test.workspace.take_warnings()), (vec![], vec![]));
    assert_gone(test.path());
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
}

fn writer(dir: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_memtape-testkit-writer"))
        .arg(dir)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

/// A process that erases is killed, at another moment each time: a little earlier where it was done before, a little
/// later where it had not begun.
#[test]
fn a_killed_erasure_is_finished_by_the_next_command() {
    const ROUNDS: u32 = 40;
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), memtape::Options::default()).unwrap();
    let older = Older::open(dir.path(), memtape::Options::default()).unwrap();
    let mut unfinished = BTreeSet::new();
    for round in 0..ROUNDS {
        for n in 0..4 {
            older.remember(&format!("{round}.{n}: {}", said(n))).unwrap();
        }
        let text = format!("{round}: {}", said(4));
        older.add(&text).unwrap();
        older.turn(&text, &format!("{text}, it was said"), "I see.").unwrap();
        if round % 7 == 0 {
            workspace.archive().unwrap();
        }
        let mut child = writer(dir.path(), &["eraser", "redact", "1"]);
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        out.next().transpose().unwrap();
        // Killed once it has begun, a little later each time.
        while !dir.path().join("erase.json").exists() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(u64::from(round) * 100));
        child.kill().unwrap();
        child.wait().unwrap();
        let done = out.next().is_some();
        let begun = dir.path().join("erase.json").exists();
        if begun {
            // The progress: which of these files exist, and whether the event is on the tape.
            let left = ["tape.jsonl.new", INDEX_FILE].map(|name| dir.path().join(name).exists());
            let tape = fs::read_to_string(dir.path().join("tape.jsonl")).unwrap();
            unfinished.insert((left, tape.contains(SECRET), tape.matches("tape.erase").count() % 2));
        }
        let (view, _) = workspace.zone().view(&At::head()).unwrap();
        assert_eq!(view.long_term.len() as u32, 4 * (round + 1), "round {round}");
        if begun || done {
            assert_gone(dir.path());
        }
        workspace.scan_and_redact().unwrap();
        assert_gone(dir.path());
        let verified = Workspace::verify(dir.path()).unwrap();
        assert_eq!((verified.tape.bad, verified.missing_since), (vec![], None), "round {round}");
    }
    assert!(!unfinished.is_empty(), "none of {ROUNDS} erasures was cut off in its middle");
    eprintln!("cut off at {} different moments: {unfinished:?}", unfinished.len());
}

/// Concurrent writers and readers lose nothing, and no reader sees less than before.
#[test]
fn writers_race_an_erasure_and_lose_nothing() {
    const WRITES: u32 = 60;
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), memtape::Options::default()).unwrap();
    Older::open(dir.path(), memtape::Options::default()).unwrap().remember(&said(0)).unwrap();
    let count = WRITES.to_string();
    let mut children: Vec<_> =
        ["ana", "ben"].iter().map(|name| writer(dir.path(), &[name, &count])).collect();
    children.push(writer(dir.path(), &["cleo", "secret", "30"]));
    children.push(writer(dir.path(), &["archivist", "archive", "20"]));
    children.push(writer(dir.path(), &["eraser", "redact", "30"]));
    let mut seen = 0;
    for _ in 0..60 {
        let (view, _) = workspace.zone().view(&At::head()).unwrap();
        assert!(view.long_term.len() >= seen, "a line vanished");
        seen = view.long_term.len();
    }
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    workspace.scan_and_redact().unwrap();
    assert_gone(dir.path());
    let verified = Workspace::verify(dir.path()).unwrap();
    assert_eq!((verified.tape.bad, verified.missing_since), (vec![], None));
    assert_eq!(verified.tape.entries, verified.tape.last_id, "ids have no gap");
    let text = workspace.zone().view(&At::head()).unwrap().0.long_term_text();
    let lines: BTreeSet<&str> = text.lines().collect();
    for name in ["ana", "ben"] {
        for n in 0..WRITES {
            assert!(lines.contains(format!("{name} remembers {n}").as_str()), "{name} {n} is lost");
        }
    }
    assert_eq!(text.matches("[redacted:password]").count(), 31);
    // A concurrent reader may get a warning about it, and no other.
    let warnings = workspace.take_warnings();
    assert!(warnings.iter().all(|warning| matches!(warning, Warning::ErasureRunning)), "{warnings:?}");
}
