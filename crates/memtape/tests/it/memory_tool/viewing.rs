//! What the memory tool shows: directories, ranges of lines and snippets.

use std::fs;

use expect_test::expect;
use memtape_testkit::TestWorkspace;
use serde_json::Value;

use super::{check, create, reply, run, view, view_range};

#[test]
fn a_directory_is_listed_two_levels_deep_with_sizes() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    run(
        workspace,
        &[
            create("/memories/a-b/x.md", &"x".repeat(1536)),
            create("/memories/a/x.md", ""),
            create("/memories/a/b/c/deep.md", &"x".repeat(2 << 20)),
            create("/memories/a/b/deep.md", "x"),
            create("/memories/node_modules/x.md", "x"),
            create("/memories/facts/ana.md", "- Name: Ana\n"),
        ],
    );
    // A file that is not UTF-8 has the size of its bytes.
    fs::write(test.path().join("files/a/bytes.md"), b"\xFF\xFE\xFF").unwrap();
    check(
        &workspace.tools(),
        &expect![[r#"
            > view "/memories"
            Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:
            2.0M	/memories
            2.0M	/memories/a
            2.0M	/memories/a/b
            3B	/memories/a/bytes.md
            0B	/memories/a/x.md
            1.5K	/memories/a-b
            1.5K	/memories/a-b/x.md
            0B	/memories/episodes
            12B	/memories/facts
            12B	/memories/facts/ana.md

            > view "/memories/a/b/"
            Here're the files and directories up to 2 levels deep in /memories/a/b, excluding hidden items and node_modules:
            2.0M	/memories/a/b
            2.0M	/memories/a/b/c
            2.0M	/memories/a/b/c/deep.md
            1B	/memories/a/b/deep.md

            > view "/memories/facts"
            Here're the files and directories up to 2 levels deep in /memories/facts, excluding hidden items and node_modules:
            12B	/memories/facts
            12B	/memories/facts/ana.md

            > view "/memories/node_modules"
            Here're the files and directories up to 2 levels deep in /memories/node_modules, excluding hidden items and node_modules:
            1B	/memories/node_modules
            1B	/memories/node_modules/x.md
        "#]],
    );
    let viewed = |path| reply(&workspace.tools(), view(path));
    assert_eq!(viewed("/memories/"), viewed("/memories"));
}

#[test]
fn a_range_of_lines_is_viewed() {
    let test = TestWorkspace::new();
    let (path, empty) = ("/memories/project/a.md", "/memories/project/empty.md");
    run(&test.workspace, &[create(path, "one\ntwo\n\nfour"), create(empty, "")]);
    check(
        &test.workspace.tools(),
        &expect![[r#"
        > view "/memories/project/a.md" [1,1]
        Here's the content of /memories/project/a.md with line numbers:
             1	one

        > view "/memories/project/a.md" [2,3]
        Here's the content of /memories/project/a.md with line numbers:
             2	two
             3	

        > view "/memories/project/a.md" [3,-1]
        Here's the content of /memories/project/a.md with line numbers:
             3	
             4	four

        > view "/memories/project/a.md" [4,99]
        Here's the content of /memories/project/a.md with line numbers:
             4	four

        > view "/memories/project/a.md" [0,1]
        Here's the content of /memories/project/a.md with line numbers:
             1	one

        > view "/memories/project/a.md" [-5,1]
        Here's the content of /memories/project/a.md with line numbers:
             1	one

        > view "/memories/project/a.md" [5,-1]
        ! Error: Invalid `view_range` parameter: [5, -1]. It should be within the range of lines of the file: [1, 4]

        > view "/memories/project/a.md" [3,2]
        ! Error: Invalid `view_range` parameter: [3, 2]. It should be within the range of lines of the file: [1, 4]

        > view "/memories/project/a.md" [1,0]
        ! Error: Invalid `view_range` parameter: [1, 0]. It should be within the range of lines of the file: [1, 4]

        > view "/memories/project/a.md" [1,-2]
        ! Error: Invalid `view_range` parameter: [1, -2]. It should be within the range of lines of the file: [1, 4]

        > view "/memories/project/empty.md"
        Here's the content of /memories/project/empty.md with line numbers:

        > view "/memories/project/empty.md" [1,-1]
        Here's the content of /memories/project/empty.md with line numbers:

        > view "/memories/project/empty.md" [2,-1]
        ! Error: Invalid `view_range` parameter: [2, -1]. It should be within the range of lines of the file: [1, 0]

        > view "/memories/project/a.md" null
        Here's the content of /memories/project/a.md with line numbers:
             1	one
             2	two
             3	
             4	four

        > view "/memories/project/a.md" [1]
        ! invalid arguments: invalid length 1, expected a list of length 2

        > view "/memories/project" [1,1]
        Here're the files and directories up to 2 levels deep in /memories/project, excluding hidden items and node_modules:
        13B	/memories/project
        13B	/memories/project/a.md
        0B	/memories/project/empty.md
    "#]],
    );
}

#[test]
fn a_long_file_is_viewed_in_parts() {
    let test = TestWorkspace::new();
    let path = "/memories/project/a.md";
    fs::create_dir_all(test.path().join("files/project")).unwrap();
    let write = |text: &str| fs::write(test.path().join("files/project/a.md"), text).unwrap();
    let viewed = |command: Value| test.workspace.tools().memory_tool(command).unwrap();
    let text: String = (1..=12_000).map(|n| format!("line {n} 茶\n")).collect();
    write(&text);
    let (mut lines, mut next) = (Vec::new(), 1);
    loop {
        let reply = viewed(view_range(path, next, -1));
        let shown = reply.lines().skip(1).filter_map(|line| line.split_once('\t'));
        lines.extend(shown.map(|(number, line)| (number.trim().to_owned(), line.to_owned())));
        let Some((_, rest)) = reply.split_once("\n… to read on, view with view_range [") else { break };
        next = rest.split_once(',').unwrap().0.parse().unwrap();
    }
    assert!(next > 1);
    let expected: Vec<_> = (1..=12_000).map(|n| (n.to_string(), format!("line {n} 茶"))).collect();
    assert!(lines == expected);
    // A line is never cut.
    write(&format!("{}\nend\n", "x".repeat(200_000)));
    assert!(viewed(view(path)).ends_with("x\n… to read on, view with view_range [2, -1]"));
    assert!(viewed(view_range(path, 2, -1)).ends_with(":\n     2\tend"));
}

#[test]
fn a_snippet_shows_what_changed() {
    let test = TestWorkspace::new();
    let path = "/memories/project/a.md";
    let text: String = (1..=12).map(|n| format!("line {n}\r\n")).collect();
    run(&test.workspace, &[create(path, &text)]);
    check(
        &test.workspace.tools(),
        &expect![[r#"
            > str_replace "/memories/project/a.md" "line 1\n" "first\n"
            The memory file has been edited.
                 1	first
                 2	line 2
                 3	line 3

            > str_replace "/memories/project/a.md" "line 7\nline 8" "7\n7.5\n8"
            The memory file has been edited.
                 5	line 5
                 6	line 6
                 7	7
                 8	7.5
                 9	8
                10	line 9
                11	line 10

            > str_replace "/memories/project/a.md" "line 12\n" ""
            The memory file has been edited.
                11	line 10
                12	line 11

            > str_replace "/memories/project/a.md" "line 6" "line 6"
            The memory file has been edited.

            > str_replace "/memories/project/a.md" "line" "l"
            ! No replacement was performed. Multiple occurrences of old_str `line` in lines: 2, 3, 4, 5, 6, 10, 11, 12. Please ensure it is unique
        "#]],
    );
}
