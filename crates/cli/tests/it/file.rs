//! `file`, and what the status and a recall say of files.

use std::fs;

use expect_test::expect;

use crate::harness::Home;

#[test]
fn long_texts_are_files_that_may_be_edited() {
    let home = Home::new();
    home.check(
        &[
            "file list",
            "file write insights/2025-12-31.md '# Check-ins\n\nThe owner prefers mornings.'",
            "file write insights/2025-12-31.md '# Check-ins\n\nThe owner prefers mornings.'",
            "file write research/tea/green.md 'sencha, matcha'",
            "file list",
            "file list research --json",
            "file show insights/2025-12-31.md --json --at 4",
            "file archive insights/2025-12-31.md",
            "file list insights",
            "file log archive/insights/2025-12-31.md",
            "file restore insights/2025-12-31.md --at 5",
            "file show insights/2025-12-31.md",
            "recall sencha --config recall.backend=sqlite_fts",
            "file delete research/tea/green.md",
            "status",
        ],
        &expect![[""]],
    );
}

#[test]
fn what_is_no_file_is_refused_with_a_reason() {
    let home = Home::new();
    home.check(
        &[
            "file write ../x.md text",
            "file write files/drafts/x.md text",
            "file write drafts/x.txt text",
            "file show drafts/none.md",
            "file log drafts/none.md",
            "file delete drafts/none.md",
            "file archive drafts/none.md",
            "file restore drafts/none.md",
            "file list elsewhere",
            "file write drafts/x.md text --at 3",
        ],
        &expect![[""]],
    );
}

#[test]
fn a_repository_of_somebody_else_is_named_in_the_status() {
    let home = Home::new();
    home.setup(&["file write drafts/a.md text"]);
    fs::rename(home.path(".git"), home.path("aside")).unwrap();
    fs::create_dir_all(home.path(".git/objects")).unwrap();
    home.check(&["file write drafts/a.md more", "status"], &expect![[""]]);
}
