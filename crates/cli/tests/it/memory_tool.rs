//! `memory-tool`: Claude's memory tool on standard input and output.

use expect_test::expect;
use serde_json::json;

use crate::harness::{Home, Ran};

fn run(home: &Home, options: &str, input: &str) -> Ran {
    home.command(&format!("memory-tool {options}")).stdin(input).run()
}

#[test]
fn one_command_gets_its_reply() {
    let home = Home::new();
    let create =
        json!({"command": "create", "path": "/memories/project/todo.md", "file_text": "- one\n- two\n"});
    run(&home, "", &create.to_string()).check(&expect![[r#"
        File created successfully at: /memories/project/todo.md
    "#]]);
    assert_eq!(std::fs::read_to_string(home.path("files/project/todo.md")).unwrap(), "- one\n- two\n");
    // A document may span lines.
    let view = "{\n  \"command\": \"view\",\n  \"path\": \"/memories/project/todo.md\"\n}\n";
    run(&home, "", view).check(&expect![[r#"
        Here's the content of /memories/project/todo.md with line numbers:
             1	- one
             2	- two
    "#]]);
    run(&home, "--at 3", view).check(&expect![[r#"
        The path /memories/project/todo.md does not exist. Please provide a valid path.
        [exit 1]
    "#]]);
    run(&home, "--json", view).check(&expect![[r#"
        {"content":"Here's the content of /memories/project/todo.md with line numbers:\n     1\t- one\n     2\t- two","is_error":false}
    "#]]);
    home.check(
        &["note list", "undo", "file list", "journal --type tool_use", "log --oneline"],
        &expect![[r#"
            $ memtape note list
            ! No notes: `memtape note append episodes/YYYY-MM.md ENTRY` adds one, or put a file into facts/.
            $ memtape undo
            undid @5 ([COMMIT] @7)
            - files:project/todo.md - one - two
            $ memtape file list
            ! No files: `memtape file write insights/YYYY-MM-DD.md TEXT` adds one, or put one into files/.
            $ memtape journal --type tool_use
            {"ts":"[NOW]","type":"tool_use","tool":"memory","input":"{\"command\":\"create\",\"path\":\"/memories/project/todo.md\",\"file_text\":\"12 characters\"}","entry":4,"session":"cli:direct"}
            $ memtape log --oneline
            [COMMIT] @7 undo @5
            @5 remembered: - one - two
        "#]],
    );
}

#[test]
fn an_error_is_a_result_too() {
    let home = Home::new();
    let again = json!({"command": "create", "path": "/memories/a/b.md", "file_text": ""}).to_string();
    let _ = run(&home, "", &again);
    run(&home, "", &again).check(&expect![[r#"
        Error: File /memories/a/b.md already exists
        [exit 1]
    "#]]);
    run(&home, "--json", &again).check(&expect![[r#"
        {"content":"Error: File /memories/a/b.md already exists","is_error":true}
        [exit 1]
    "#]]);
    run(&home, "--config memory_tool.overwrite=true", &again).check(&expect![[r#"
        File created successfully at: /memories/a/b.md
    "#]]);
    run(&home, "--session telegram:1", &again).check(&expect![[r#"
        only the owner can write notes and files, which belong to the whole workspace
        [exit 1]
    "#]]);
    run(&home, "", "").check(&expect![[r#"
        Error: the command is not JSON: EOF while parsing a value at line 1 column 0
        [exit 1]
    "#]]);
    run(&home, "", "{} {}").check(&expect![[r#"
        Error: the command is not JSON: trailing characters at line 1 column 4
        [exit 1]
    "#]]);
    run(&home, "", r#"{"command":"undo"}"#).check(&expect![[r#"
        invalid argument command: unknown variant `undo`, expected one of `view`, `create`, `str_replace`, `insert`, `delete`, `rename`
        [exit 1]
    "#]]);
    // An input that is no command is reported as for every other command.
    run(&Home::bare(), "", &again).check(&expect![[r#"
        ! error: there is no workspace in [DIR] or above it
        ! hint: `memtape init` creates one here, `--global` uses ~/.memtape
        [exit 3]
    "#]]);
    run(&home, "--branch nowhere", &again).check(&expect![[r#"
        there is no branch "nowhere"
        [exit 1]
    "#]]);
}

#[test]
fn lines_get_a_line_each() {
    let home = Home::new();
    let input = concat!(
        r#"{"command":"create","path":"/memories/facts/ana.md","file_text":"- Name: Ana\n"}"#,
        "\n\n",
        r#"{"command":"create","path":"/memories/facts/ana.md","file_text":"- Name: Ben\n"}"#,
        "\r\nnonsense\n",
        r#"{"command":"insert","path":"/memories/facts/ana.md","insert_line":0,"insert_text":"- Token: ghp_0123456789abcdefABCDEF0123456789abcd\n"}"#,
        "\n",
        r#"{"command":"view","path":"/memories/facts/ana.md"}"#,
    );
    run(&home, "--lines", input).check(&expect![[r#"
        {"content":"File created successfully at: /memories/facts/ana.md","is_error":false}
        {"content":"Error: File /memories/facts/ana.md already exists","is_error":true}
        {"content":"Error: the command is not JSON: expected ident at line 1 column 2","is_error":true}
        {"content":"The file /memories/facts/ana.md has been edited.\nWarning: a secret was redacted before writing (github-token)","is_error":false}
        {"content":"Here's the content of /memories/facts/ana.md with line numbers:\n     1\t- Token: [redacted:github-token]\n     2\t- Name: Ana","is_error":false}
        ! warning: a secret was redacted before writing (github-token)
    "#]]);
    run(&home, "--lines", "").check(&expect![[r#""#]]);
}

#[test]
fn each_line_is_answered_before_the_next_one_is_read() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};

    let home = Home::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_memtape"))
        .args(["memory-tool", "--lines", "-C"])
        .arg(home.path(""))
        .env_clear()
        .env("HOME", home.at_home(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut commands, mut replies) =
        (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for n in 0..3 {
        let path = format!("/memories/project/{n}.md");
        writeln!(commands, "{}", json!({"command": "create", "path": path, "file_text": ""})).unwrap();
        let mut reply = String::new();
        replies.read_line(&mut reply).unwrap();
        let expected = json!({"content": format!("File created successfully at: {path}"), "is_error": false});
        assert_eq!(reply, format!("{expected}\n"));
    }
    drop(commands);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_byte_order_mark_and_half_of_a_character_do_not_lose_a_command() {
    let home = Home::new();
    let create = "\u{feff}{\"command\":\"create\",\"path\":\"/memories/a.md\",\"file_text\":\"cut \\ud83d\"}";
    run(&home, "", create).check(&expect![[r#"
        File created successfully at: /memories/a.md
    "#]]);
    assert_eq!(std::fs::read_to_string(home.path("files/a.md")).unwrap(), "cut \u{fffd}");
    let line = create.replace("a.md", "b.md");
    assert_eq!(run(&home, "--lines", &line).json()["is_error"], false);
}
