//! The `note` commands, and notes in `status` and `recall`.

use std::fs;

use expect_test::expect;

use crate::harness::Home;

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn facts_and_episodes_are_files_that_may_be_edited() {
    let home = Home::new();
    home.check(
        &[
            "note list",
            "note write facts/user.md '# User Facts\n\n- Name: Zhang San\n- Role: Developer'",
            "note write facts/user.md '# User Facts\n\n- Name: Zhang San\n- Role: Developer'",
            "note append episodes/2024-02.md '## Logger fix\n- Summary: leak → transport\n- Date: 2024-02-24'",
            "note append episodes/2024-02.md '## Short ID\n- Summary: UUID → short ID\n- Date: 2024-02-25'",
            "note patch facts/user.md --old Developer --new 'Architect ($&)'",
            "note patch facts/user.md --old Nobody --new Somebody",
            "note patch facts/user.md --old a --new b",
            "note list",
            "note list --index",
            "note list --json",
            "note read facts/user.md",
            "note read facts/nobody.md",
            "note read ../secret.md",
            "note show episodes/2024-02.md",
            "recall 'short ID' --config recall.backend=sqlite_fts",
            "tool call --owner memory_list '{}'",
        ],
        &expect![[r#"
            $ memtape note list
            ! No notes: `memtape note append episodes/YYYY-MM.md ENTRY` adds one, or put a file into facts/.
            $ memtape note write facts/user.md '# User Facts

            - Name: Zhang San
            - Role: Developer'
            facts/user.md: written (73B)
            $ memtape note write facts/user.md '# User Facts

            - Name: Zhang San
            - Role: Developer'
            already there
            $ memtape note append episodes/2024-02.md '## Logger fix
            - Summary: leak → transport
            - Date: 2024-02-24'
            episodes/2024-02.md: appended (114B)
            $ memtape note append episodes/2024-02.md '## Short ID
            - Summary: UUID → short ID
            - Date: 2024-02-25'
            episodes/2024-02.md: appended (194B)
            $ memtape note patch facts/user.md --old Developer --new 'Architect ($&)'
            facts/user.md: patched (78B)
            $ memtape note patch facts/user.md --old Nobody --new Somebody
            ! error: string not found in facts/user.md: the file does not contain "Nobody"; read the file again, and pass the text exactly as it is there
            [exit 3]
            $ memtape note patch facts/user.md --old a --new b
            ! error: string appears multiple times in facts/user.md - provide more context: "a" occurs 4 times
            [exit 4]
            $ memtape note list
            facts/user.md (78B): Name, Role
            episodes/2024-02.md (194B): leak → transport, UUID → short ID
            $ memtape note list --index
            Available memory:
            - facts/user.md (78B): Name, Role
            - episodes/2024-02.md (194B): leak → transport, UUID → short ID

            Use memory_read to load relevant files before responding.
            $ memtape note list --json
            [{"path":"facts/user.md","summary":"Name, Role","size":78},{"path":"episodes/2024-02.md","summary":"leak → transport, UUID → short ID","size":194}]
            $ memtape note read facts/user.md
            # User Facts

            > Summary: Name, Role

            - Name: Zhang San
            - Role: Architect ($&)
            $ memtape note read facts/nobody.md
            ! error: there is no note facts/nobody.md
            ! hint: `memtape note list` lists the notes
            [exit 3]
            $ memtape note read ../secret.md
            ! error: invalid note path "../secret.md": it escapes the workspace with ..
            [exit 2]
            $ memtape note show episodes/2024-02.md
            # 2024-02 Episodes

            > Summary: leak → transport, UUID → short ID

            ## Logger fix
            - Summary: leak → transport
            - Date: 2024-02-24

            ## Short ID
            - Summary: UUID → short ID
            - Date: 2024-02-25
            $ memtape recall 'short ID' --config recall.backend=sqlite_fts
            notes:episodes/2024-02.md#Short ID@7 · score [SCORE] · cli:direct · 2024-02-25 12:00
              ## Short ID - Summary: UUID → short ID - Date: 2024-02-25
            notes:episodes/2024-02.md#@6 · score [SCORE] · cli:direct · recorded [NOW]
              # 2024-02 Episodes > Summary: leak → transport, UUID → short ID
            $ memtape tool call --owner memory_list '{}'
            [{"path":"facts/user.md","summary":"Name, Role","size":78},{"path":"episodes/2024-02.md","summary":"leak → transport, UUID → short ID","size":194}]
        "#]],
    );
}

#[test]
fn the_next_command_records_edits_of_files() {
    let home = Home::new();
    home.setup(&["note write facts/user.md '- Name: Ana'"]);
    fs::write(home.path("facts/user.md"), "- Name: Ana\n- Tea: green\n").unwrap();
    fs::write(home.path("facts/.user.md.swp"), "x").unwrap();
    fs::write(home.path("facts/readme.txt"), "x").unwrap();
    fs::write(home.path("facts/a?.md"), "x").unwrap();
    fs::write(home.path("facts/token.md"), "- ghp_0123456789abcdefABCDEF0123456789abcd\n").unwrap();
    fs::write(home.path("facts/token.md.kept2"), "x").unwrap();
    home.check(
        &[
            "note read facts/user.md",
            "note log facts/user.md --json",
            "note diff facts/user.md",
            "status",
            "note read facts/user.md --at 4",
            "note restore facts/user.md",
            "note restore facts/user.md --at 4",
            "note write facts/user.md x --at 4",
            "note delete facts/user.md",
            "note split facts/token.md",
        ],
        &expect![[r#"
            $ memtape note read facts/user.md
            - Name: Ana
            - Tea: green
            $ memtape note log facts/user.md --json
            [{"entry":7,"date":"[NOW]","act":"note.edit","origin":"editor","session":"cli:direct","reason":null},{"entry":4,"date":"[NOW]","act":"note.write","origin":"user","session":"cli:direct","reason":null}]
            $ memtape note diff facts/user.md
            --- a/facts/user.md
            +++ b/facts/user.md
            @@ -1,3 +1,2 @@
            -> Summary: Name
            -
             - Name: Ana
            +- Tea: green
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    7, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      2 files, 51B, of main
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    5 memories pending: `memtape reindex --vectors`
            ! warning: facts/a?.md is left alone: its name contains '?', which some systems forbid
            ! note: not recorded: facts/readme.txt (notes are files that end in .md, directly in their folder)
            ! warning: facts/token.md contains a secret, which the tape does not: remove it, or run `memtape scan --redact`
            ! warning: facts/token.md.kept2 was kept because of a secret, which the tape does not have: copy what you need from it, and delete it
            $ memtape note read facts/user.md --at 4
            > Summary: Name

            - Name: Ana
            $ memtape note restore facts/user.md
            ! error: name the version to restore, or a point with --at POINT (`memtape note log PATH` lists the versions)
            [exit 2]
            $ memtape note restore facts/user.md --at 4
            facts/user.md: restored (29B)
            $ memtape note write facts/user.md x --at 4
            ! error: unexpected argument '--at' found
            !
            ! Usage: memtape note write <PATH> <TEXT>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape note delete facts/user.md
            facts/user.md: deleted (an earlier point still shows it: --at)
            $ memtape note split facts/token.md
            ! error: cannot split facts/token.md by week: no section has a line `- Date: YYYY-MM-DD` in another week
            [exit 2]
        "#]],
    );
}

#[test]
fn a_printed_time_shows_the_version_of_that_time() {
    let home = Home::new();
    home.setup(&["note write facts/a.md one"]);
    home.setup(&["note write facts/a.md two"]);
    let log = home.run("note log facts/a.md");
    let line = log.raw().lines().next().expect("the note has versions").to_owned();
    let time = line.split_whitespace().skip(1).take(2).collect::<Vec<_>>().join(" ");
    let shown = home.command("note show facts/a.md --at").arg(&time).run();
    assert_eq!(shown.raw(), "two\n");
    home.command("note restore facts/a.md").arg(&time).run().check(&expect![[r#"
        already there
    "#]]);
}

#[test]
fn a_note_is_found_by_the_composed_name() {
    let home = Home::new();
    let (composed, decomposed) = ("\u{DC}", "U\u{308}");
    home.write(&format!("facts/{decomposed}.md"), "- one\n");
    home.write(&format!("files/drafts/{decomposed}.md"), "plan\n");
    for (line, path) in [
        ("note show", "facts"),
        ("note log --limit 1", "facts"),
        ("file show", "drafts"),
        ("file log -n 1", "drafts"),
    ] {
        for name in [composed, decomposed] {
            assert_eq!(home.command(line).arg(format!("{path}/{name}.md")).run().code, 0, "{line} {name}");
        }
    }
    home.command("note append").arg(format!("facts/{composed}.md")).arg("- two").run().raw();
    assert_eq!(
        fs::read_to_string(home.path(&format!("facts/{decomposed}.md"))).unwrap(),
        "> Summary: one, two\n\n- one\n- two\n"
    );
    assert!(!home.path(&format!("facts/{composed}.md")).exists());
    assert_eq!(home.command("note delete -y").arg(format!("facts/{composed}.md")).run().code, 0);
    assert_eq!(home.command("note show").arg(format!("facts/{composed}.md")).run().code, 3);
    let shown = home.command("note show --at 6").arg(format!("facts/{composed}.md")).run();
    assert!(shown.raw().contains("- one\n"), "{}", shown.snapshot());
}

#[test]
fn messages_about_notes_name_what_happened() {
    let home = Home::new();
    fs::create_dir_all(home.path("facts/dir.md")).unwrap();
    home.setup(&["remember tea", "note write facts/a.md one", "file write a.txt one"]);
    home.check(
        &[
            "note restore facts/a.md @2",
            "note restore facts/none.md @2",
            "file restore a.txt @2",
            "file show a:b.md",
            "file show C:/b.md",
            "note append episodes/2024-02.md '## A\n- Date: 2024-02-24\n- Summary: a'",
            "note split episodes/2024-02.md",
            "status",
            "tape reset --yes",
            "note log facts/a.md",
        ],
        &expect![[r#"
            $ memtape note restore facts/a.md @2
            ! error: there is no note facts/a.md at @2
            ! hint: `memtape note log facts/a.md` lists its versions
            [exit 3]
            $ memtape note restore facts/none.md @2
            ! error: there is no note facts/none.md
            ! hint: `memtape note list` lists the notes
            [exit 3]
            $ memtape file restore a.txt @2
            ! error: there is no file a.txt at @2
            ! hint: `memtape file log a.txt` lists its versions
            [exit 3]
            $ memtape file show a:b.md
            ! error: invalid file path "a:b.md": its name contains ':', which some systems forbid
            [exit 2]
            $ memtape file show C:/b.md
            ! error: invalid file path "C:/b.md": it is relative to files/, as a path such as drafts/plan.md
            [exit 2]
            $ memtape note append episodes/2024-02.md '## A
            - Date: 2024-02-24
            - Summary: a'
            episodes/2024-02.md: appended (71B)
            $ memtape note split episodes/2024-02.md
            split into episodes/2024-W08.md; removed episodes/2024-02.md, which is empty now
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    11, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 2: 3 bytes of long-term memory, 0 daily notes
            notes      2 files, 76B, of main
            files      1 file, 4B, of main
            blocks     0 set
            statements 0
            vectors    none pending
            ! warning: facts/dir.md is left alone: it is a folder with the name of a file
            $ memtape tape reset --yes
            the zone's text is kept in archive/memory-until-11.md
            reset at entry 12 (an earlier point still shows what was: --at 11)
            $ memtape note log facts/a.md
            @14 [NOW] tape.reset by user
            @7 [NOW] note.write by user
        "#]],
    );
}
