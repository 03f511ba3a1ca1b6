//! Workspaces that the user may read but not write.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;

const NOBODY: u32 = 65534;

use crate::harness::Home;

/// Sets the permissions of all directories and files in a tree.
fn set_modes(path: &Path, folders: u32, files: u32) {
    let is_folder = fs::symlink_metadata(path).unwrap().is_dir();
    if is_folder {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        for entry in fs::read_dir(path).unwrap() {
            set_modes(&entry.unwrap().path(), folders, files);
        }
    }
    if !path.is_symlink() {
        fs::set_permissions(path, fs::Permissions::from_mode(if is_folder { folders } else { files }))
            .unwrap();
    }
}

#[test]
fn a_read_only_copy_is_read_without_warnings() {
    let home = Home::new();
    home.write("facts/ana.md", "# Ana\n\n- likes tea\n");
    home.setup(&[
        "remember 'tea is nice'",
        "turn -m 'I like cheese' --reply Noted.",
        "block set persona Calm",
        "fact add ana likes tea",
        "status",
    ]);
    set_modes(&home.path(""), 0o555, 0o444);
    for line in [
        "zone show",
        "status",
        "recall cheese",
        "log",
        "journal",
        "note list",
        "note read facts/ana.md",
        "fact list",
        "block list",
        "prompt",
        "tape log",
        "verify",
        "scan",
    ] {
        let ran = home.command(&format!("-C . {line}")).unprivileged().run();
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{line}: {}", ran.snapshot());
    }
    let ran = home.command("-C . remember more").unprivileged().run();
    assert_eq!(ran.code, 7, "{}", ran.snapshot());
    assert!(ran.stderr.contains("Permission denied"), "{}", ran.stderr);
    set_modes(&home.path(""), 0o755, 0o644);
}

#[test]
fn a_copy_with_the_git_history_of_another_user_is_read() {
    // Only root can change the owner of a file.
    let home = Home::new();
    home.setup(&["file write drafts/a.md 'the code of the door'", "file write drafts/b.md two", "status"]);
    let is_given = chown(home.path(".git"), Some(NOBODY), Some(NOBODY)).is_ok();
    if !is_given {
        return;
    }
    chown(home.path(".git"), Some(0), Some(0)).unwrap();
    set_modes(&home.path(""), 0o555, 0o444);
    for line in [
        "zone show",
        "recall code",
        "log",
        "journal",
        "file list",
        "file show drafts/a.md",
        "prompt",
        "verify",
    ] {
        let ran = home.command(&format!("-C . {line}")).unprivileged().run();
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{line}: {}", ran.snapshot());
    }
    for line in ["status", "scan"] {
        let ran = home.command(&format!("-C . {line}")).unprivileged().run();
        assert_eq!(ran.code, 0, "{line}: {}", ran.snapshot());
        assert!(ran.stderr.contains("belongs to another user"), "{line}: {}", ran.stderr);
    }
    // The folder that git asks for, not the repository in it.
    let ran = home.command("-C . status").unprivileged().run();
    assert!(ran.stderr.contains("safe.directory [DIR]`"), "{}", ran.stderr);
    set_modes(&home.path(""), 0o755, 0o644);
}

#[test]
fn the_history_of_another_user_is_not_changed() {
    let home = Home::new();
    home.setup(&["file write drafts/a.md one"]);
    if chown(home.path(".git"), Some(NOBODY), Some(NOBODY)).is_err() {
        return;
    }
    let ran = home.run("file write drafts/b.md two");
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    assert!(ran.stderr.contains("belongs to another user"), "{}", ran.stderr);
    assert!(home.path(".git/HEAD").exists() && !home.path("archive").exists());
    // A redaction does not delete it either, and reports that it may still contain the text.
    let removed = home.run("scan --redact");
    assert_eq!(removed.code, 0, "{}", removed.snapshot());
    assert!(home.path(".git/HEAD").exists());
    chown(home.path(".git"), Some(0), Some(0)).unwrap();
    home.setup(&["file write drafts/c.md three"]);
}

#[test]
fn an_unwritable_tape_is_reported() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    set_modes(&home.path(""), 0o777, 0o666);
    fs::set_permissions(home.path("tape.jsonl"), fs::Permissions::from_mode(0o444)).unwrap();
    let ran = home.command("-C . remember more").unprivileged().run();
    assert_eq!(ran.code, 7, "{}", ran.snapshot());
    assert!(ran.stderr.contains("tape.jsonl: Permission denied"), "{}", ran.stderr);
    // If the tests run as root, the next command runs as root too.
    let _ = chown(home.path("tape.jsonl"), None, None);
    home.run("verify").raw();
}
