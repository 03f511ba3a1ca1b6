//! Damage to the tape of a replica, and to a tape that becomes one: nothing that was acknowledged is lost, and no erased
//! text stays.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use memtape::{At, ErrorKind, Options, Warning, Workspace};
use memtape_tape::{FileStorage, Storage as _};
use memtape_testkit::{TestWorkspace, upstreams};

use crate::erase::secret::{SECRET, assert_gone, said};

/// Returns a workspace with an upstream in memory.
fn shared() -> TestWorkspace {
    upstreams::with(|| upstreams::new("memory"), TestWorkspace::new)
}

/// Cuts some bytes from the end of a file.
fn cut(path: &Path, bytes: u64) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() - bytes).unwrap();
}

/// Some editors save a file without its last newline.
#[test]
fn a_push_copies_a_last_entry_without_its_newline() {
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.workspace.zone().remember("Ana likes tea").unwrap();
    cut(&test.path().join("tape.jsonl"), 1);
    let upstream = upstreams::new("memory");
    test.workspace.push(upstream.as_ref()).unwrap();
    let tape = || fs::read(test.path().join("tape.jsonl")).unwrap();
    assert_eq!(upstream.fetch(0, usize::MAX).unwrap().lines, tape());
    let options = Options { upstream: Some(upstream), ..Options::default() };
    let replica = Workspace::open(test.path(), options).unwrap();
    assert_eq!(replica.zone().view(&At::head()).unwrap().0.long_term_text(), "Ana likes tea");
}

#[test]
fn a_tape_whose_last_group_is_damaged_is_not_pushed() {
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.workspace.zone().remember("Ana likes tea").unwrap();
    cut(&test.path().join("tape.jsonl"), 40);
    let upstream = upstreams::new("memory");
    let refused = test.workspace.push(upstream.as_ref()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Corrupt, "{refused}");
    assert!(fs::read_to_string(test.path().join("tape.jsonl")).unwrap().contains("Ana likes tea"));
    assert!(!test.path().join("upstream.json").exists());
}

#[test]
fn a_replica_whose_closed_segment_ends_in_damage_says_so() {
    let test = shared();
    test.workspace.zone().remember("Ana likes tea").unwrap();
    test.workspace.archive().unwrap();
    let entries = fs::read_dir(test.path().join("archive")).unwrap();
    let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let closed = names.find(|name| name.starts_with("tape-")).unwrap();
    cut(&test.path().join("archive").join(&closed), 1);
    let failed = test.workspace.zone().context(&At::head()).unwrap_err();
    let refused = test.workspace.zone().remember("Ana likes coffee").unwrap_err();
    for e in [failed, refused] {
        assert_eq!(e.kind(), ErrorKind::Corrupt, "{e}");
        assert!(e.to_string().contains(&format!("archive/{closed} ends in damage")), "{e}");
    }
}

/// Some editors save a file without its last newline.
#[test]
fn a_replica_without_its_last_newline_keeps_its_last_entry() {
    let disk = tempfile::tempdir().unwrap();
    let (place, moved) = (disk.path().join("tape"), disk.path().join("moved"));
    let url = format!("file://{}", place.display());
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.workspace.zone().remember("Ana likes tea").unwrap();
    test.workspace.push(memtape_remote::open(&url).unwrap().as_ref()).unwrap();
    fs::rename(&place, &moved).unwrap();
    let tape = test.path().join("tape.jsonl");
    let whole = fs::read(&tape).unwrap();
    cut(&tape, 1);
    let mut config = memtape_testkit::config();
    config.upstream.wait = Duration::ZERO;
    let upstream = Some(memtape_remote::open(&url).unwrap());
    let replica = Workspace::open(test.path(), Options { config, upstream, ..Options::default() }).unwrap();
    assert_eq!(replica.zone().view(&At::head()).unwrap().0.long_term_text(), "Ana likes tea");
    let warnings = replica.take_warnings();
    assert!(matches!(&warnings[..], [Warning::Offline { .. }]), "{warnings:?}");
    assert_eq!(fs::read(&tape).unwrap(), whole);
    fs::rename(&moved, &place).unwrap();
    replica.zone().remember("Ana likes coffee").unwrap();
}

#[test]
fn a_replica_answers_while_another_process_writes_for_long() {
    let test = shared();
    test.workspace.zone().remember("Ana likes tea").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut config = memtape_testkit::config();
    config.lock_wait = Duration::from_millis(20);
    let options = Options { config, upstream: test.upstream.clone(), ..Options::default() };
    let replica = Workspace::replica(dir.path(), options).unwrap();
    test.workspace.zone().remember("Ana likes coffee").unwrap();
    let text = || replica.zone().view(&At::head()).unwrap().0.long_term_text();
    let lock = FileStorage::new(dir.path()).lock(Duration::ZERO).unwrap();
    assert_eq!(text(), "Ana likes tea");
    let warnings = replica.take_warnings();
    let is_busy =
        |warning: &Warning| matches!(warning, Warning::Offline { why, .. } if why.contains("writer lock"));
    assert!(warnings.iter().any(is_busy), "{warnings:?}");
    drop(lock);
    assert_eq!(text(), "Ana likes tea\nAna likes coffee");
    assert_eq!(replica.take_warnings(), []);
}

/// A damaged line does not count, but its text can still be read in the file.
#[test]
fn an_erasure_replaces_a_damaged_line_of_another_replica() {
    let test = shared();
    test.older().remember(&said(1)).unwrap();
    test.workspace.zone().remember("Ana likes tea").unwrap();
    let replica = test.replica();
    let path = replica.path().join("tape.jsonl");
    let tape = fs::read_to_string(&path).unwrap();
    let damaged: String = tape
        .split_inclusive('\n')
        .map(|line| match line.contains(SECRET) {
            true => line.replace("\"branch\":\"main\"", "\"branch\":\"mane\""),
            false => line.to_owned(),
        })
        .collect();
    assert_ne!(damaged, tape);
    fs::write(&path, damaged).unwrap();
    test.workspace.scan_and_redact().unwrap();
    replica.workspace.zone().context(&At::head()).unwrap();
    assert_gone(replica.path());
    let expected = fs::read(test.path().join("tape.jsonl")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected, "the damaged line is the upstream's again");
    assert_eq!(Workspace::verify(replica.path()).unwrap().tape.bad, []);
}
