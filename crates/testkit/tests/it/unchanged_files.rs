//! Files that nobody changed are checked by their metadata, without reading them.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use memtape::{At, Audience, Form};
use memtape_testkit::TestWorkspace;
use memtape_testkit::forms::{files, notes::save};
use serde_json::Value;

use crate::in_git::committed;

const FILES: usize = 1000;
/// Maximum duration of a check of all files. It is for a build without optimisation and concurrent tests: the benches
/// measure the figure itself.
const CHECK_MAX: Duration = Duration::from_millis(200);

/// Follows the files until a manifest has the metadata of each. A file is read as long as another change within the same
/// tick of the file system's clock is possible.
fn wait_for_metadata(test: &TestWorkspace, manifest: &str) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        test.workspace.follow_files().unwrap();
        let manifest: Value = serde_json::from_slice(&fs::read(test.path().join(manifest)).unwrap()).unwrap();
        let mut files = manifest["files"].as_object().unwrap().values();
        if files.all(|file| file["stat"].is_object()) {
            return;
        }
        assert!(Instant::now() < deadline, "the metadata of the files is never recorded");
        thread::sleep(Duration::from_millis(100));
    }
}

/// Checks that a command that only looks at the files takes a moment.
fn assert_quick(test: &TestWorkspace, manifest: &str) {
    wait_for_metadata(test, manifest);
    let workspace = test.reopened();
    workspace.status(&At::head()).unwrap();
    let check = |_| {
        let since = Instant::now();
        workspace.branches().current(&At::head()).unwrap();
        since.elapsed()
    };
    let best = (0..20).map(check).min().unwrap();
    eprintln!("{FILES} unchanged files: {best:?} at best");
    assert!(best < CHECK_MAX, "{best:?}");
}

#[test]
fn a_thousand_unchanged_notes_are_checked_in_a_moment() {
    let test = TestWorkspace::new();
    for n in 0..FILES {
        save(&test.path().join(format!("facts/file{n}.md")), format!("- Key {n}: value\n").as_bytes());
    }
    test.workspace.follow_files().unwrap();
    assert_eq!(
        test.workspace.memories(Form::NOTES, &Audience::owner(), &At::head()).unwrap().len(),
        2 * FILES
    );
    assert_quick(&test, "working-copy.json");
}

#[test]
fn a_thousand_unchanged_files_are_checked_in_a_moment() {
    let test = TestWorkspace::new();
    for n in 0..FILES {
        let path = files::on_disk(&test.workspace, &format!("research/p{}/f{n}.md", n % 20));
        save(&path, format!("text {n}\n").as_bytes());
    }
    test.workspace.follow_files().unwrap();
    assert_eq!(test.workspace.memories(Form::FILES, &Audience::owner(), &At::head()).unwrap().len(), FILES);
    assert_eq!(committed(test.path()).len(), FILES);
    assert_quick(&test, "working-copy.files.json");
}
