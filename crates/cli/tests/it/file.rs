//! The `file` commands, and files in `status` and `recall`.

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
        &expect![[r##"
            $ memtape file list
            ! No files: `memtape file write insights/YYYY-MM-DD.md TEXT` adds one, or put one into files/.
            $ memtape file write insights/2025-12-31.md '# Check-ins

            The owner prefers mornings.'
            insights/2025-12-31.md: written (41B)
            $ memtape file write insights/2025-12-31.md '# Check-ins

            The owner prefers mornings.'
            already there
            $ memtape file write research/tea/green.md 'sencha, matcha'
            research/tea/green.md: written (15B)
            $ memtape file list
            insights/2025-12-31.md ([TODAY])
            research/tea/green.md ([TODAY])
            $ memtape file list research --json
            [{"path":"research/tea/green.md","updated_at":"[NOW]"}]
            $ memtape file show insights/2025-12-31.md --json --at 4
            {"path":"insights/2025-12-31.md","text":"# Check-ins\n\nThe owner prefers mornings.\n","base64":null,"size":41,"updated_at":"[NOW]","origin":"user","from":null,"quarantined":null,"conflicts":[]}
            $ memtape file archive insights/2025-12-31.md
            archive/insights/2025-12-31.md: archived (41B)
            $ memtape file list insights
            ! No files: `memtape file write insights/YYYY-MM-DD.md TEXT` adds one, or put one into files/.
            $ memtape file log archive/insights/2025-12-31.md
            @7 [NOW] file.write by user (moved from insights/2025-12-31.md)
            $ memtape file restore insights/2025-12-31.md --at 5
            insights/2025-12-31.md: restored (41B)
            $ memtape file show insights/2025-12-31.md
            # Check-ins

            The owner prefers mornings.
            $ memtape recall sencha --config recall.backend=sqlite_fts
            files:research/tea/green.md@5 · score [SCORE] · cli:direct · recorded [NOW]
              sencha, matcha
            $ memtape file delete research/tea/green.md
            research/tea/green.md: deleted (an earlier point still shows it: --at)
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    9, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      2 files, 82B, of main
            blocks     0 set
            statements 0
            vectors    none pending
        "##]],
    );
}

#[test]
fn an_invalid_file_is_refused_with_a_reason() {
    let home = Home::new();
    home.check(
        &[
            "file write ../x.md text",
            "file write files/drafts/x.md text",
            "file write drafts/x.exe text",
            "file show drafts/none.md",
            "file log drafts/none.md",
            "file delete drafts/none.md",
            "file archive drafts/none.md",
            "file restore drafts/none.md",
            "file list elsewhere",
            "forget files:drafts/none.md --yes",
            "journal --follow --until 1h",
            "file write drafts/x.md text --at 3",
        ],
        &expect![[r#"
            $ memtape file write ../x.md text
            ! error: invalid file path "../x.md": it escapes files/ with ..
            [exit 2]
            $ memtape file write files/drafts/x.md text
            ! error: invalid file path "files/drafts/x.md": it is relative to files/: omit files/
            [exit 2]
            $ memtape file write drafts/x.exe text
            ! error: invalid file path "drafts/x.exe": the names of files must end in .md, .txt, .json, .jsonl, .yaml, .yml, .toml, .csv, .tsv, .xml, .html, .org, .rst or .log
            [exit 2]
            $ memtape file show drafts/none.md
            ! error: there is no file drafts/none.md
            ! hint: `memtape file list` lists the files
            [exit 3]
            $ memtape file log drafts/none.md
            ! error: file drafts/none.md never existed
            ! hint: `memtape file list` lists the files
            [exit 3]
            $ memtape file delete drafts/none.md
            ! error: there is no file drafts/none.md
            ! hint: `memtape file list` lists the files
            [exit 3]
            $ memtape file archive drafts/none.md
            ! error: there is no file drafts/none.md
            ! hint: `memtape file list` lists the files
            [exit 3]
            $ memtape file restore drafts/none.md
            ! error: name the version to restore, or a point with --at POINT (`memtape file log PATH` lists the versions)
            [exit 2]
            $ memtape file list elsewhere
            ! No files: `memtape file write insights/YYYY-MM-DD.md TEXT` adds one, or put one into files/.
            $ memtape forget files:drafts/none.md --yes
            ! error: files:drafts/none.md is text of a file: `memtape file delete drafts/none.md` deletes the file; edit the file to remove a part
            [exit 2]
            $ memtape journal --follow --until 1h
            ! error: the argument '--follow' cannot be used with '--until <TIME>'
            !
            ! Usage: memtape journal --follow
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape file write drafts/x.md text --at 3
            ! error: unexpected argument '--at' found
            !
            ! Usage: memtape file write <PATH> <TEXT>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn status_names_a_foreign_repository() {
    let home = Home::new();
    home.write(".git/HEAD", "ref: refs/heads/main\n");
    assert!(!home.run("status").snapshot().contains("git"), "there is no file that could be committed");
    home.setup(&["file write drafts/a.md text"]);
    home.check(&["status"], &expect![[r#"
        $ memtape status
        workspace  [DIR] ([ID])
        branch     main
        entries    4, the last of [NOW] UTC
        messages   0 in 0 conversations
        zone       version 1: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      1 file, 5B, of main
        blocks     0 set
        statements 0
        vectors    none pending
        ! note: files/ is not committed to git: [DIR]/.git is not memtape's repository (set files.git = "separate" in memtape.toml to keep a history in history.git)
    "#]]);
    home.write("memtape.toml", "files.git = \"separate\"\n");
    home.setup(&["file write drafts/a.md more"]);
    assert!(!home.run("status").snapshot().contains("git"));
    assert_eq!(home.run("status --json").json()["history"], "memtape");
    assert_eq!(home.run("status --json --config files.git=off").json()["history"], "off");
}

#[test]
fn status_names_what_blocks_a_separate_history() {
    let home = Home::new();
    home.write("memtape.toml", "files.git = \"separate\"\n");
    home.write("history.git", "mine\n");
    home.setup(&["file write drafts/a.md text"]);
    home.check(&["status"], &expect![[r#"
        $ memtape status
        workspace  [DIR] ([ID])
        branch     main
        entries    4, the last of [NOW] UTC
        messages   0 in 0 conversations
        zone       version 1: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      1 file, 5B, of main
        blocks     0 set
        statements 0
        vectors    none pending
        ! warning: files/ is not committed to git: [DIR]/history.git is not memtape's repository (move it away)
    "#]]);
}

#[test]
fn bytes_that_are_not_text_are_printed_in_full_as_json() {
    let home = Home::new();
    home.write("files/insights/b.md", b"a\xffb\n");
    home.write("facts/b.md", b"- a\xffb\n");
    home.check(
        &["file show insights/b.md --json", "note read facts/b.md --json", "note show facts/b.md --json"],
        &expect![[r#"
            $ memtape file show insights/b.md --json
            {"path":"insights/b.md","text":"a�b\n","base64":"Yf9iCg==","size":4,"updated_at":"[NOW]","origin":"editor","from":null,"quarantined":null,"conflicts":[]}
            $ memtape note read facts/b.md --json
            {"path":"facts/b.md","text":"- a�b\n","base64":"LSBh/2IK","conflicts":[]}
            $ memtape note show facts/b.md --json
            {"path":"facts/b.md","text":"- a�b\n","base64":"LSBh/2IK","conflicts":[]}
        "#]],
    );
}
