//! Texts that are merged line by line: long-term memory, and the notes of days.

use std::fs;
use std::path::Path;

use memtape::{At, Mode, NotePath};
use memtape_import::Settings;
use memtape_testkit::TestWorkspace;

use crate::harness::{run, workspace};

const LIKES: &str = "## Ana likes\n- tea\n";
const ALLERGIC: &str = "\n## Ana is allergic to\n- nuts\n";

fn put(dir: &Path, file: &str, text: &str) {
    fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
    fs::write(dir.join(file), text).unwrap();
}

/// Imports a version of a file, and returns the numbers of added and of removed lines.
fn import(test: &TestWorkspace, source: &str, dir: &Path, file: &str, text: &str) -> (u64, u64) {
    put(dir, file, text);
    let report = run(&test.workspace, source, dir, &Settings::default());
    (report.added(), report.removed())
}

/// Returns the long-term memory, or the note of a day, or the note of a month.
fn text(test: &TestWorkspace, file: &str) -> String {
    let (zone, _) = test.workspace.zone().view(&At::head()).unwrap();
    match file.strip_prefix("memory/").and_then(|name| name.strip_suffix(".md")?.parse().ok()) {
        None => zone.long_term_text(),
        Some(day) => zone.daily_text(day).unwrap_or_else(|| {
            let path = NotePath::of_file("episodes/2026-02.md").unwrap();
            test.workspace.notes().read(&path, &At::head()).unwrap().text()
        }),
    }
}

fn position(text: &str, line: &str) -> usize {
    text.find(line).unwrap_or_else(|| panic!("{line} is not in {text}"))
}

/// Long-term memory, a day of the zone, and a day that is in the note of its month.
const FILES: [&str; 3] = ["MEMORY.md", "memory/2026-06-01.md", "memory/2026-02-01.md"];

#[test]
fn a_new_line_is_below_its_heading() {
    for file in FILES {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        let version =
            |likes: &str| import(&test, "openclaw", dir.path(), file, &format!("{likes}{ALLERGIC}"));
        assert_eq!(version(LIKES), (4, 0), "{file}");
        assert_eq!(version("## Ana likes\n- tea\n- strawberries\n"), (1, 0), "{file}");
        let shown = text(&test, file);
        let places =
            ["- tea", "- strawberries", "## Ana is allergic to", "- nuts"].map(|line| position(&shown, line));
        assert!(places.is_sorted(), "{file}: {shown}");
        // An edited line takes the place of the earlier one.
        assert_eq!(version("## Ana likes\n- coffee\n- strawberries\n"), (1, 1), "{file}");
        let shown = text(&test, file);
        let places =
            ["- coffee", "- strawberries", "## Ana is allergic to"].map(|line| position(&shown, line));
        assert!(places.is_sorted() && !shown.contains("- tea"), "{file}: {shown}");
        // The program may return to an earlier version.
        assert_eq!(version(LIKES), (1, 2), "{file}");
        assert_eq!(version(LIKES), (0, 0), "{file}");
    }
}

#[test]
fn what_was_removed_or_changed_here_stays_so() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let version =
        |likes: &str| import(&test, "openclaw", dir.path(), FILES[0], &format!("{likes}{ALLERGIC}"));
    version("## Ana likes\n- tea\n- rice\n");
    test.workspace.zone().forget_text("tea").unwrap();
    let lines = text(&test, FILES[0]).replace("- rice", "- brown rice");
    test.workspace.zone().save(&lines, Mode::Replace).unwrap();
    assert_eq!(version("## Ana likes\n- tea\n- rice\n- soup\n"), (1, 0));
    assert_eq!(version("## Ana likes\n- soup\n"), (0, 0));
    let shown = text(&test, FILES[0]);
    assert_eq!(shown, "## Ana likes\n- soup\n- brown rice\n\n## Ana is allergic to\n- nuts");
}

/// What a line means depends on its heading.
#[test]
fn an_equal_line_below_another_heading_is_another_one() {
    for file in FILES {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        import(&test, "openclaw", &dir.path().join("a"), file, "## Ana likes\n- nuts\n");
        let added = import(&test, "openclaw", &dir.path().join("b"), file, "## Ana is allergic to\n- nuts\n");
        assert_eq!(added, (2, 0), "{file}");
        let shown = text(&test, file);
        assert!(shown.rfind("- nuts") > Some(position(&shown, "## Ana is allergic to")), "{file}: {shown}");
    }
}

/// Two agents may have the same line.
#[test]
fn a_line_that_another_folder_has_stays() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let version =
        |folder: &str, text: &str| import(&test, "openclaw", &dir.path().join(folder), FILES[0], text);
    assert_eq!(version("a", "## Ana likes\n- tea\n- rice\n"), (3, 0));
    assert_eq!(version("b", "## Ana likes\n- tea\n- soup\n"), (1, 0));
    assert_eq!(version("a", "## Ana owns\n- a bike\n"), (2, 1));
    assert_eq!(text(&test, FILES[0]), "## Ana likes\n- tea\n- soup\n## Ana owns\n- a bike");
}

/// Each insertion halves the room between two ranks.
#[test]
fn lines_are_placed_as_often_as_they_come() {
    for file in &FILES[..2] {
        let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
        let mut likes = String::from("## Ana likes\n- tea\n");
        for n in 0..60 {
            import(
                &test,
                "nanobot",
                dir.path(),
                &file.replacen("MEMORY", "memory/MEMORY", 1),
                &format!("{likes}{ALLERGIC}"),
            );
            likes += &format!("- dish {n}\n");
        }
        let shown = text(&test, file);
        let mut heading = "";
        for line in shown.lines() {
            match line.starts_with('#') {
                true => heading = line,
                false if line.starts_with("- dish") => assert_eq!(heading, "## Ana likes", "{shown}"),
                false => {}
            }
        }
        assert_eq!(shown.matches("- dish").count(), 59, "{shown}");
    }
}

#[test]
fn a_version_is_undone_and_repeated() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let version = |text: &str| import(&test, "openclaw", dir.path(), FILES[0], text);
    version("## Ana likes\n- tea\n- rice\n");
    let before = text(&test, FILES[0]);
    let later = "## Ana likes\n- soup\n- rice\n";
    assert_eq!(version(later), (1, 1));
    test.workspace.branches().undo().unwrap();
    assert_eq!(text(&test, FILES[0]), before);
    assert_eq!(version(later), (1, 1));
    assert_eq!(text(&test, FILES[0]), later.trim_end());
}

/// The heading of a day is part of its first piece.
#[test]
fn a_day_keeps_its_heading() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let version = |text: &str| import(&test, "openclaw", dir.path(), FILES[1], text);
    version("# 2026-06-01\n\n- bought bread\n- called Ana\n");
    assert_eq!(version("# 2026-06-01\n\n- bought bread and milk\n- ate\n- called Ana\n- slept\n"), (3, 1));
    let shown = text(&test, FILES[1]);
    assert!(shown.starts_with("# 2026-06-01\n\n- bought bread and milk\n"), "{shown}");
    assert_eq!(shown.matches("# 2026-06-01").count(), 1, "{shown}");
}

/// The number of a line among equal ones is found at once.
#[test]
fn many_equal_lines_are_imported() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let lines = "- a\n".repeat(20_000);
    assert_eq!(import(&test, "openclaw", dir.path(), FILES[0], &lines), (20_000, 0));
    assert_eq!(import(&test, "openclaw", dir.path(), FILES[0], &lines), (0, 0));
}

/// A note has a maximum length, also that of a month.
#[test]
fn what_does_not_fit_into_the_note_of_a_month_is_left_out() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    let entry = |n: usize| format!("[2025-02-01 10:0{n}] {}\n", "x".repeat(990_000));
    put(dir.path(), "memory/HISTORY.md", &(0..6).map(entry).collect::<String>());
    for added in [5, 0] {
        let report = run(&test.workspace, "nanobot", dir.path(), &Settings::default());
        assert_eq!((report.added(), report.left_out.count), (added, 1));
        let why = "the note episodes/2025-02.md would be longer than the limit of a note";
        assert_eq!(report.left_out.listed[0].1, why);
    }
}
