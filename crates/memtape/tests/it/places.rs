//! What is edited in place stays where it is: a merge does not take it for moved.

use memtape::{At, Mode, Options, Workspace};
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::options;

const NOTE: &str = "facts/people.md";

/// A file of lines, or of sections.
#[derive(Clone, Copy, Debug)]
enum Text {
    Zone,
    Note,
}

impl Text {
    fn save(self, workspace: &Workspace, text: &str) {
        match self {
            Self::Zone => drop(workspace.zone().save(text, Mode::Replace).unwrap()),
            Self::Note => {
                drop(workspace.notes().write(&workspace.notes().path(NOTE).unwrap(), text).unwrap());
            }
        }
    }

    /// Returns the bullets.
    fn read(self, workspace: &Workspace) -> String {
        let notes = workspace.notes();
        let text = match self {
            Self::Zone => workspace.zone().view(&At::head()).unwrap().0.long_term_text(),
            Self::Note => notes.read(&notes.path(NOTE).unwrap(), &At::head()).unwrap().text(),
        };
        text.lines().filter(|line| line.starts_with("- ")).map(|line| format!("{line}\n")).collect()
    }
}

/// Saves texts in turn on a new branch and on `main`.
fn both(text: Text, base: &str, theirs: &[&str], ours: &[&str]) -> TestWorkspace {
    let test = TestWorkspace::new();
    text.save(&test.workspace, base);
    test.workspace.branches().create("dev", None, &At::head()).unwrap();
    let dev =
        Workspace::open(test.path(), Options { branch: Some("dev".into()), ..options(&test.clock) }).unwrap();
    theirs.iter().for_each(|version| text.save(&dev, version));
    ours.iter().for_each(|version| text.save(&test.workspace, version));
    test
}

#[test]
fn a_line_that_one_branch_adds_stays_below_the_one_that_the_other_edits() {
    for text in [Text::Zone, Text::Note] {
        for (base, theirs, ours, merged) in [
            // The last line is edited, and another one added after it.
            ("- a\n- b\n", "- a\n- b\n- new\n", &["- a\n- B\n"][..], "- a\n- B\n- new\n"),
            // The first one, and one added after it.
            ("- a\n- b\n", "- a\n- new\n- b\n", &["- A\n- b\n"], "- A\n- new\n- b\n"),
            // Each line in turn.
            (
                "- a\n- b\n- c\n- d\n",
                "- a\n- b\n- new\n- c\n- d\n",
                &["- A\n- b\n- c\n- d\n", "- A\n- B\n- c\n- d\n", "- A\n- B\n- C\n- d\n"],
                "- A\n- B\n- new\n- C\n- d\n",
            ),
            // Neighbours at once.
            (
                "- a\n- b\n- c\n- d\n",
                "- a\n- b\n- new\n- c\n- d\n",
                &["- a\n- B\n- C\n- d\n"],
                "- a\n- B\n- new\n- C\n- d\n",
            ),
            // More lines than before, and fewer.
            (
                "- a\n- b\n- c\n",
                "- a\n- new\n- b\n- c\n",
                &["- a\n- b\n- C\n- D\n"],
                "- a\n- new\n- b\n- C\n- D\n",
            ),
            (
                "- a\n- b\n- c\n- d\n",
                "- a\n- new\n- b\n- c\n- d\n",
                &["- a\n- B\n- d\n"],
                "- a\n- new\n- B\n- d\n",
            ),
        ] {
            let test = both(text, base, &[theirs], ours);
            let taken = test.workspace.branches().merge("dev").unwrap();
            assert_eq!(taken.conflicts, [], "{text:?}: {theirs:?}, {ours:?}");
            assert_eq!(text.read(&test.workspace), merged, "{text:?}: {ours:?}");
        }
    }
}

#[test]
fn a_picked_edit_stays_in_its_place() {
    for text in [Text::Zone, Text::Note] {
        let edits = ["- A\n- b\n- c\n", "- A\n- B\n- c\n"];
        let test = both(text, "- a\n- b\n- c\n", &edits, &[]);
        let commit = test.workspace.at("dev@head").unwrap();
        test.workspace.branches().cherry_pick(&commit).unwrap();
        assert_eq!(text.read(&test.workspace), "- a\n- B\n- c\n", "{text:?}");
    }
}
