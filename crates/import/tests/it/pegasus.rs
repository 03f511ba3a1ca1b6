//! The memory folder of Pegasus.

use std::fs;

use expect_test::expect;
use memtape::At;
use memtape_import::Settings;

use crate::harness::{fixture, import, import_into, workspace};

#[test]
fn files_become_notes() {
    expect![[r###"
        notes -> notes: 3 added, 0 present, 0 left out
        quarantined 0, captured 0
        == main
        notes "# Memory"
        notes "- API token: [redacted:github-token]"
        notes "# User\n\n> Summary: who the user is"
        notes "- Name: Noor"
        notes "- Idioma: español"
        notes "- Updated: 2026-02-09"
        notes "# 2026-02 Episodes\n\n>Summary: pump, roof"
        notes 2026-02-08T12:00:00Z "## The pump\n- Summary: pump fixed\n- Date: 2026-02-08\n- Lesson: order the seal first"
    "###]].assert_eq(&import("pegasus/data"));
}

#[test]
fn a_note_that_exists_is_kept() {
    let test = workspace();
    let notes = test.workspace.notes();
    let path = notes.path("facts/user.md").unwrap();
    notes.write(&path, "# Mine\n\n- stays\n").unwrap();
    let before = notes.read(&path, &At::head()).unwrap().text();
    expect![[r###"
        notes -> notes: 3 added, 0 present, 0 left out
        beside memory/facts/user.md: facts/user-pegasus.md
        quarantined 0, captured 0
        == main
        notes "# Mine\n\n> Summary: stays"
        notes "- stays"
        notes "# Memory"
        notes "- API token: [redacted:github-token]"
        notes "# User\n\n> Summary: who the user is"
        notes "- Name: Noor"
        notes "- Idioma: español"
        notes "- Updated: 2026-02-09"
        notes "# 2026-02 Episodes\n\n>Summary: pump, roof"
        notes 2026-02-08T12:00:00Z "## The pump\n- Summary: pump fixed\n- Date: 2026-02-08\n- Lesson: order the seal first"
    "###]].assert_eq(&import_into(&test, "pegasus", &fixture("pegasus/data"), &Settings::default()));
    assert_eq!(notes.read(&path, &At::head()).unwrap().text(), before);
    assert!(fs::read_to_string(test.path().join("facts/user-pegasus.md")).unwrap().contains("Noor"));
}
