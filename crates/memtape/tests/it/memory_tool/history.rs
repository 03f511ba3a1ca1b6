//! What the memory tool leaves on the tape: versions, branches, moves and the journal.

use std::fs;

use expect_test::expect;
use memtape::journal::Question;
use memtape::{At, CommitQuestion, Config, FilePath, Origin, Session, Workspace};
use memtape_testkit::TestWorkspace;
use serde_json::Value;

use super::{check, content, create, delete, everything, insert, rename, replace, reply, run, view};

#[test]
fn a_file_contains_the_bytes_that_were_written() {
    let test = TestWorkspace::new();
    let path = "/memories/project/a.md";
    let cases: [(&str, &[Value], &str); 14] = [
        ("", &[], ""),
        ("no end", &[], "no end"),
        ("a\r\nb", &[], "a\r\nb"),
        ("a\nb", &[replace(path, "b", "c")], "a\nc"),
        ("a\nb", &[replace(path, "\nb", "")], "a"),
        // In a file with CRLF, a text with other line ends is found, and replaced by one with CRLF.
        ("a\r\nb\r\nc", &[replace(path, "a\nb\n", "x\ny\n")], "x\r\ny\r\nc"),
        ("a\r\nb\r\n", &[replace(path, "b\r\n", "c\n")], "a\r\nc\n"),
        ("", &[insert(path, 0, "a")], "a"),
        ("a\n", &[insert(path, 1, "b")], "a\nb"),
        // Lines that would be joined are kept apart.
        ("a", &[insert(path, 1, "b\n")], "a\nb\n"),
        ("a\r\nb", &[insert(path, 1, "x"), insert(path, 3, "y")], "a\r\nx\r\nb\r\ny"),
        ("a\nb\n", &[insert(path, 0, "x"), insert(path, 1, "")], "x\n\na\nb\n"),
        ("a $& b", &[replace(path, "$&", "$1 \\1")], "a $1 \\1 b"),
        ("茶é", &[replace(path, "é", "e\u{301}")], "茶e\u{301}"),
    ];
    for (text, commands, expected) in cases {
        run(&test.workspace, &[create(path, text)]);
        run(&test.workspace, commands);
        assert_eq!(content(&test, "files/project/a.md").unwrap(), expected, "{text:?} {commands:?}");
        run(&test.workspace, &[delete(path)]);
    }
    // Bytes that are not UTF-8 stay around an edit.
    fs::create_dir_all(test.path().join("files/project")).unwrap();
    fs::write(test.path().join("files/project/a.md"), b"\xFF one\ntwo\n").unwrap();
    run(&test.workspace, &[replace(path, "one", "1"), insert(path, 1, "and\n")]);
    assert_eq!(fs::read(test.path().join("files/project/a.md")).unwrap(), b"\xFF 1\nand\ntwo\n");
}

#[test]
fn a_note_keeps_its_summary_and_its_history() {
    let test = TestWorkspace::new();
    let path = "/memories/facts/ana.md";
    check(
        &test.workspace.tools(),
        &expect![[r##"
            > create "/memories/facts/ana.md" "# Ana\n\n> Summary: Name, Tea\n\n- Name: Ana\n- Tea: green"
            File created successfully at: /memories/facts/ana.md

            > create "/memories/facts/tea.md" "- green\n"
            File created successfully at: /memories/facts/tea.md

            > view "/memories/facts/tea.md"
            Here's the content of /memories/facts/tea.md with line numbers:
                 1	- green

            > view "/memories/facts/ana.md"
            Here's the content of /memories/facts/ana.md with line numbers:
                 1	# Ana
                 2	
                 3	> Summary: Name, Tea
                 4	
                 5	- Name: Ana
                 6	- Tea: green

            > str_replace "/memories/facts/ana.md" "- Tea: green" "- Tea: black\n- Cake: none"
            The memory file has been edited.
                 1	# Ana
                 2	
                 3	> Summary: Name, Tea, Cake
                 4	
                 5	- Name: Ana
                 6	- Tea: black
                 7	- Cake: none

            > insert "/memories/facts/ana.md" 5 "- Role: planner\n"
            The file /memories/facts/ana.md has been edited.

            > view "/memories/facts/ana.md"
            Here's the content of /memories/facts/ana.md with line numbers:
                 1	# Ana
                 2	
                 3	> Summary: Name, Role, Tea, Cake
                 4	
                 5	- Name: Ana
                 6	- Role: planner
                 7	- Tea: black
                 8	- Cake: none
        "##]],
    );
    let notes = test.workspace.notes();
    let log = notes.log(&notes.path("facts/ana.md").unwrap(), &At::head()).unwrap();
    let acts: Vec<_> = log.iter().map(|version| (version.act.as_str(), version.origin)).collect();
    let by = Some(Origin::Assistant);
    assert_eq!(acts, [("note.patch", by), ("note.patch", by), ("note.write", by)]);
    // An edit by a person is part of the note, as in every other command.
    let on_disk = test.path().join("facts/ana.md");
    fs::write(&on_disk, fs::read_to_string(&on_disk).unwrap() + "\n- Hat: red").unwrap();
    assert!(test.workspace.tools().memory_tool(view(path)).unwrap().ends_with("- Hat: red"));
}

#[test]
fn undo_reverses_each_command_as_one_change() {
    let commands = [
        create("/memories/project/new.md", "new"),
        create("/memories/facts/new.md", "- New: yes\n"),
        replace("/memories/project/a.md", "a", "b"),
        replace("/memories/facts/ana.md", "Name: Ana", "Name: Ben"),
        insert("/memories/project/a.md", 0, "first\n"),
        insert("/memories/facts/ana.md", 0, "first\n"),
        delete("/memories/project/a.md"),
        delete("/memories/facts/ana.md"),
        delete("/memories/project"),
        delete("/memories/facts"),
        rename("/memories/project/a.md", "/memories/other/a.md"),
        rename("/memories/facts/ana.md", "/memories/episodes/ana.md"),
        rename("/memories/facts/ana.md", "/memories/project/ana.md"),
        rename("/memories/project/a.md", "/memories/facts/a.md"),
        rename("/memories/project", "/memories/Project"),
        rename("/memories/project/deep", "/memories/project/deeper/and/deeper"),
        rename("/memories/facts", "/memories/old/facts"),
    ];
    for command in commands {
        let test = TestWorkspace::new();
        run(
            &test.workspace,
            &[
                create("/memories/project/a.md", "a"),
                create("/memories/project/deep/b.md", "b\n"),
                create("/memories/facts/ana.md", "# Ana\n\n- Name: Ana\n"),
                create("/memories/facts/empty.md", ""),
            ],
        );
        let (before, entries) = (everything(&test), test.workspace.status(&At::head()).unwrap().entries);
        run(&test.workspace, std::slice::from_ref(&command));
        let after = everything(&test);
        assert_ne!(after, before, "{command}");
        let last = test.workspace.status(&At::head()).unwrap().entries;
        let log = test.workspace.log(&CommitQuestion::default(), &At::head()).unwrap();
        assert!(log[0].entry == last && log[1].entry == entries, "{command}: one commit");
        test.workspace.branches().undo().unwrap();
        assert_eq!(everything(&test), before, "{command}");
        test.workspace.branches().redo().unwrap();
        assert_eq!(everything(&test), after, "{command}");
        let at = At::entry(entries);
        let then = test.workspace.tools().at(at).memory_tool(view("/memories/project/a.md")).unwrap();
        assert!(then.ends_with("     1\ta"), "{command}: {then}");
    }
}

#[test]
fn a_branch_has_its_own_memories_until_it_is_merged() {
    let test = TestWorkspace::new();
    let path = "/memories/project/a.md";
    run(&test.workspace, &[create(path, "one\ntwo\nthree\n")]);
    test.workspace.branches().create("planner", None, &At::head()).unwrap();
    let planner = test.again_on("planner");
    run(&planner, &[replace(path, "three", "3"), create("/memories/plans/b.md", "")]);
    run(&test.workspace, &[replace(path, "one", "1")]);
    let viewed = |workspace: &Workspace| {
        [path, "/memories/plans"].map(|path| reply(&workspace.tools(), view(path))).join("\n")
    };
    assert!(viewed(&planner).contains("one\n     2\ttwo\n     3\t3\n"));
    let ours = viewed(&test.workspace);
    assert!(ours.contains("1\n     2\ttwo\n     3\tthree\n") && ours.contains("does not exist"), "{ours}");
    test.workspace.branches().merge("planner").unwrap();
    let merged = viewed(&test.workspace);
    assert!(merged.contains("1\n     2\ttwo\n     3\t3\n") && merged.contains("plans/b.md"), "{merged}");
}

#[test]
fn files_keep_their_bytes_when_they_are_moved() {
    let test = TestWorkspace::new();
    run(
        &test.workspace,
        &[
            create("/memories/facts/ana.md", "# Ana\n\n- Name: Ana"),
            create("/memories/project/a.md", "- a: 1\r\n- b: 2"),
            create("/memories/project/b/c.md", ""),
            rename("/memories/facts/ana.md", "/memories/people/ana.md"),
            rename("/memories/project/a.md", "/memories/facts/a.md"),
            rename("/memories/project", "/memories/archive/project/"),
            create("/memories/drafts/a.md", "draft"),
            rename("/memories/drafts", "/memories/Drafts"),
        ],
    );
    assert_eq!(
        everything(&test),
        [
            ("facts/a.md", "- a: 1\r\n- b: 2"),
            ("files/Drafts/a.md", "draft"),
            ("files/archive/project/b/c.md", ""),
            ("files/people/ana.md", "# Ana\n\n- Name: Ana"),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
    );
    let people = FilePath::new("people/ana.md").unwrap();
    let log = test.workspace.files().log(&people, &At::head()).unwrap();
    assert_eq!(log[0].reason.as_deref(), Some("moved from facts/ana.md"));
    // Some systems take the names drafts and Drafts for one.
    check(
        &test.workspace.tools(),
        &expect![[r#"
            > rename "/memories/people/ana.md" "/memories/drafts/ana.md"
            ! cannot rename people/ana.md to drafts/ana.md: Drafts/a.md already exists

            > rename "/memories/people" "/memories/FACTS"
            ! invalid note path "FACTS/ana.md": FACTS is not a notes folder: expected one of facts, episodes (notes.folders adds more)

            > rename "/memories/people" "/memories/insights/people"
            ! invalid file path "insights/people/ana.md": insights have no subfolders: expected insights/NAME.md

            > rename "/memories/facts" "/memories/people"
            ! Error: The destination /memories/people already exists
        "#]],
    );
}

#[test]
fn moving_keeps_the_origin_of_tool_text() {
    let test = TestWorkspace::new();
    let page = test.workspace.tools().writing_as(Origin::Web);
    page.memory_tool(create("/memories/project/a.md", "a page\n")).unwrap();
    let origin = |path: &str| {
        let files = test.workspace.files();
        files.read(&FilePath::new(path).unwrap(), &At::head()).unwrap().origin
    };
    run(&test.workspace, &[rename("/memories/project", "/memories/other")]);
    assert_eq!(origin("other/a.md"), Some(Origin::Web));
    run(
        &test.workspace,
        &[
            rename("/memories/other/a.md", "/memories/facts/a.md"),
            rename("/memories/facts/a.md", "/memories/x/a.md"),
        ],
    );
    assert_eq!(origin("x/a.md"), Some(Origin::Web));
}

#[test]
fn an_earlier_point_is_viewed_and_not_written() {
    let test = TestWorkspace::new();
    let path = "/memories/project/a.md";
    run(&test.workspace, &[create(path, "one\n")]);
    let one = At::entry(test.workspace.status(&At::head()).unwrap().entries);
    run(&test.workspace, &[replace(path, "one", "two"), create("/memories/facts/b.md", "")]);
    let entries = test.workspace.status(&At::head()).unwrap().entries;
    let tools = test.workspace.tools().at(one);
    check(
        &tools,
        &expect![[r#"
        > view "/memories/project/a.md"
        Here's the content of /memories/project/a.md with line numbers:
             1	one

        > view "/memories"
        Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:
        4B	/memories
        0B	/memories/episodes
        0B	/memories/facts
        4B	/memories/project
        4B	/memories/project/a.md

        > create "/memories/project/b.md" "x"
        ! create writes: it cannot be called at an earlier point

        > str_replace "/memories/project/a.md" "one" "two"
        ! str_replace writes: it cannot be called at an earlier point

        > insert "/memories/project/a.md" 0 "x"
        ! insert writes: it cannot be called at an earlier point

        > delete "/memories/project/a.md"
        ! delete writes: it cannot be called at an earlier point

        > rename "/memories/project/a.md" "/memories/project/b.md"
        ! rename writes: it cannot be called at an earlier point
    "#]],
    );
    assert_eq!(test.workspace.status(&At::head()).unwrap().entries, entries);
}

#[test]
fn calls_are_in_the_journal() {
    let test = TestWorkspace::configured(Config { journal_reads: true, ..Config::default() });
    let path = "/memories/project/a.md";
    let session = Session::parse("telegram:1").unwrap();
    let tools = test.workspace.tools().for_session(session.clone());
    for command in [
        create(path, "the boat is blue\n"),
        replace(path, "blue", "red"),
        replace(path, "red", "red"),
        insert(path, 0, "a boat\n"),
        view(path),
        rename(path, "/memories/facts/boat.md"),
        delete("/memories/facts"),
    ] {
        tools.memory_tool(command).unwrap();
    }
    tools.memory_tool(view(path)).unwrap_err();
    let question = Question {
        types: vec!["tool_use".into(), "read".into()],
        session: Some(session),
        ..Question::default()
    };
    let lines = test.workspace.journal().lines(&question, &At::head()).unwrap();
    let said = |line: &memtape::journal::Line| {
        let text =
            |field: &str| line.fields.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        format!("{} {}{}\n", text("tool"), text("input"), text("target"))
    };
    expect![[r#"
        memory {"command":"create","path":"/memories/project/a.md","file_text":"17 characters"}
        memory {"command":"str_replace","path":"/memories/project/a.md","old_str":"4 characters","new_str":"3 characters"}
        memory {"command":"insert","path":"/memories/project/a.md","insert_line":0,"insert_text":"7 characters"}
        memory /memories/project/a.md
        memory {"command":"rename","old_path":"/memories/project/a.md","new_path":"/memories/facts/boat.md"}
        memory {"command":"delete","path":"/memories/facts"}
    "#]].assert_eq(&lines.iter().map(said).collect::<String>());
}
