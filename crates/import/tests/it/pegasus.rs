//! The memory folder of Pegasus.

use std::fs;

use expect_test::expect;
use memtape::At;
use memtape_import::Settings;

use crate::harness::{fixture, import, import_into, read_path, workspace};

#[test]
fn files_become_notes() {
    expect![[r###"
        notes -> notes: 3 added, 0 present, 0 left out
        left out memory/facts/notes.txt: its name does not end in .md
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
        left out memory/facts/notes.txt: its name does not end in .md
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

#[test]
fn names_that_differ_in_case_are_beside_each_other_and_others_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("facts");
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in [("A.md", "upper"), ("a.md", "lower"), ("b.txt", "text"), ("C.MD", "shouted")] {
        fs::write(folder.join(name), format!("{text}\n")).unwrap();
    }
    expect![[r#"
        notes -> notes: 2 added, 0 present, 0 left out
        left out facts/C.MD: its name does not end in .md
        left out facts/b.txt: its name does not end in .md
        beside facts/a.md: facts/a-pegasus.md
        quarantined 0, captured 0
        == main
        notes "upper"
        notes "lower"
    "#]]
    .assert_eq(&import_into(&workspace(), "pegasus", dir.path(), &Settings::default()));
}

#[test]
fn a_byte_order_mark_is_part_of_a_note() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("facts")).unwrap();
    fs::write(dir.path().join("facts/user.md"), "\u{feff}# User\n").unwrap();
    let listed = read_path("pegasus", dir.path());
    assert!(listed.contains(r##"text: "\u{feff}# User\n""##), "{listed}");
}
