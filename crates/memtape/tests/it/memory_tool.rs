//! Anthropic's memory tool: the documented replies, the changes of notes and files, and the permissions.

mod history;
mod permissions;
mod viewing;

use std::fs;

use expect_test::{Expect, expect};
use memtape::{At, Config, ErrorKind, FilePath, Toolbox, Workspace};
use memtape_testkit::TestWorkspace;
use serde_json::{Value, json};

const TOKEN: &str = "ghp_0123456789abcdefABCDEF0123456789abcd";

fn create(path: &str, text: &str) -> Value {
    json!({"command": "create", "path": path, "file_text": text})
}

fn view(path: &str) -> Value {
    json!({"command": "view", "path": path})
}

fn view_range(path: &str, start: i64, end: i64) -> Value {
    json!({"command": "view", "path": path, "view_range": [start, end]})
}

fn replace(path: &str, old: &str, new: &str) -> Value {
    json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new})
}

fn insert(path: &str, line: i64, text: &str) -> Value {
    json!({"command": "insert", "path": path, "insert_line": line, "insert_text": text})
}

fn delete(path: &str) -> Value {
    json!({"command": "delete", "path": path})
}

fn rename(old: &str, new: &str) -> Value {
    json!({"command": "rename", "old_path": old, "new_path": new})
}

/// Runs commands that must succeed.
fn run(workspace: &Workspace, commands: &[Value]) {
    for command in commands {
        workspace.tools().memory_tool(command.clone()).unwrap();
    }
}

/// Runs a command, and returns its reply, or `!` and its error.
fn reply(tools: &Toolbox<'_>, command: Value) -> String {
    tools.memory_tool(command).unwrap_or_else(|e| format!("! {e}"))
}

/// Runs the commands of a transcript, each in a line after `> `, and checks that its other lines are their replies.
fn check(tools: &Toolbox<'_>, transcript: &Expect) {
    let mut actual = String::new();
    for line in transcript.data().lines().filter_map(|line| line.trim_start().strip_prefix("> ")) {
        actual += &format!("> {line}\n{}\n\n", reply(tools, command(line)));
    }
    actual.truncate(actual.trim_end().len() + 1);
    transcript.assert_eq(&actual);
}

/// Returns the command of a line: its name and the values of its fields, or an object.
fn command(line: &str) -> Value {
    let (name, values) = line.split_once(' ').unwrap_or((line, ""));
    let fields: &[&str] = match name {
        "view" => &["path", "view_range"],
        "create" => &["path", "file_text"],
        "str_replace" => &["path", "old_str", "new_str"],
        "insert" => &["path", "insert_line", "insert_text"],
        "delete" => &["path"],
        "rename" => &["old_path", "new_path"],
        _ => return serde_json::from_str(line).unwrap(),
    };
    let values: Vec<Value> =
        serde_json::Deserializer::from_str(values).into_iter().collect::<Result<_, _>>().unwrap();
    assert!(values.len() <= fields.len(), "{line}");
    let mut command = json!({"command": name});
    for (field, value) in fields.iter().zip(values) {
        command[*field] = value;
    }
    command
}

fn refused(workspace: &Workspace, command: Value) -> (ErrorKind, String) {
    let e = workspace.tools().memory_tool(command).unwrap_err();
    (e.kind(), e.to_string())
}

/// Returns every note and file of the workspace, on the tape and on the disk.
fn everything(test: &TestWorkspace) -> Vec<(String, String)> {
    let workspace = &test.workspace;
    let mut all = Vec::new();
    for note in workspace.notes().view(&At::head()).unwrap().files() {
        all.push((note.path.to_string(), note.bytes()));
    }
    for listed in workspace.files().list(None, &At::head()).unwrap() {
        let file = workspace.files().read(&listed.path, &At::head()).unwrap();
        assert_eq!(listed.size, file.bytes.len(), "{}", listed.path);
        all.push((format!("files/{}", listed.path), file.bytes));
    }
    for (path, bytes) in &all {
        assert_eq!(fs::read(test.path().join(path)).ok().as_ref(), Some(bytes), "{path}");
    }
    all.into_iter().map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned())).collect()
}

fn content(test: &TestWorkspace, path: &str) -> Option<String> {
    everything(test).into_iter().find(|(name, _)| name == path).map(|(_, text)| text)
}

#[test]
fn commands_get_the_documented_replies() {
    let test = TestWorkspace::new();
    check(
        &test.workspace.tools(),
        &expect![[r##"
            > view "/memories"
            Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:
            0B	/memories
            0B	/memories/episodes
            0B	/memories/facts

            > create "/memories/project/todo.md" "- one\n- two\n- three\n- two\n"
            File created successfully at: /memories/project/todo.md

            > create "/memories/project/todo.md" "again"
            ! Error: File /memories/project/todo.md already exists

            > view "/memories/project/todo.md"
            Here's the content of /memories/project/todo.md with line numbers:
                 1	- one
                 2	- two
                 3	- three
                 4	- two

            > str_replace "/memories/project/todo.md" "three" "3"
            The memory file has been edited.
                 1	- one
                 2	- two
                 3	- 3
                 4	- two

            > str_replace "/memories/project/todo.md" "three" "3"
            ! No replacement was performed, old_str `three` did not appear verbatim in /memories/project/todo.md.

            > str_replace "/memories/project/todo.md" "two" "2"
            ! No replacement was performed. Multiple occurrences of old_str `two` in lines: 2, 4. Please ensure it is unique

            > str_replace "/memories/project/todo.md" "" "2"
            ! No replacement was performed. old_str is empty: pass the text to replace

            > insert "/memories/project/todo.md" 0 "# Todo\n"
            The file /memories/project/todo.md has been edited.

            > insert "/memories/project/todo.md" 5 "- five\n"
            The file /memories/project/todo.md has been edited.

            > insert "/memories/project/todo.md" 7 "- seven\n"
            ! Error: Invalid `insert_line` parameter: 7. It should be within the range of lines of the file: [0, 6]

            > insert "/memories/project/todo.md" -1 "- none\n"
            ! Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 6]

            > view "/memories/project/todo.md" [1,2]
            Here's the content of /memories/project/todo.md with line numbers:
                 1	# Todo
                 2	- one

            > rename "/memories/project/todo.md" "/memories/project/done.md"
            Successfully renamed /memories/project/todo.md to /memories/project/done.md

            > view "/memories/project"
            Here're the files and directories up to 2 levels deep in /memories/project, excluding hidden items and node_modules:
            36B	/memories/project
            36B	/memories/project/done.md

            > delete "/memories/project/done.md"
            Successfully deleted /memories/project/done.md

            > view "/memories/project"
            ! The path /memories/project does not exist. Please provide a valid path.
        "##]],
    );
}

#[test]
fn a_path_that_does_not_exist_is_refused_as_documented() {
    let test = TestWorkspace::new();
    run(&test.workspace, &[create("/memories/project/todo.md", "x")]);
    check(
        &test.workspace.tools(),
        &expect![[r#"
            > view "/memories/none.md"
            ! The path /memories/none.md does not exist. Please provide a valid path.

            > view "/memories/project/none.md"
            ! The path /memories/project/none.md does not exist. Please provide a valid path.

            > view "/memories/none"
            ! The path /memories/none does not exist. Please provide a valid path.

            > str_replace "/memories/project/none.md" "a" "b"
            ! Error: The path /memories/project/none.md does not exist. Please provide a valid path.

            > str_replace "/memories/project" "a" "b"
            ! Error: The path /memories/project does not exist. Please provide a valid path.

            > insert "/memories/project/none.md" 0 "a"
            ! Error: The path /memories/project/none.md does not exist

            > insert "/memories/project" 0 "a"
            ! Error: The path /memories/project does not exist

            > delete "/memories/project/none.md"
            ! Error: The path /memories/project/none.md does not exist

            > delete "/memories/none"
            ! Error: The path /memories/none does not exist

            > delete "/memories"
            ! Error: The directory /memories cannot be deleted or renamed

            > delete "/memories/facts"
            ! Error: The directory /memories/facts is empty, and it always exists: it is a folder of notes

            > rename "/memories/project/none.md" "/memories/project/some.md"
            ! Error: The path /memories/project/none.md does not exist

            > rename "/memories" "/memories/project"
            ! Error: The directory /memories cannot be deleted or renamed

            > rename "/memories/project/todo.md" "/memories/project/todo.md"
            ! Error: The destination /memories/project/todo.md already exists

            > rename "/memories/project" "/memories/facts"
            ! Error: The destination /memories/facts already exists

            > rename "/memories/project" "/memories/project/old"
            ! Error: The path /memories/project cannot be renamed to a path below it

            > create "/memories" "x"
            ! Error: File /memories already exists

            > create "/memories/facts/a/b.md" "x"
            ! invalid note path "facts/a/b.md": notes have no subfolders: expected FOLDER/NAME.md

            > create "/memories/project/Todo.md" "x"
            ! project/Todo.md collides with project/todo.md on some systems: use the existing name
        "#]],
    );
    let todo = "/memories/project/todo.md";
    for (command, path) in [
        (create("/memories/todo", "x"), "todo"),
        (create("/memories/project/todo.exe", "x"), "project/todo.exe"),
        (create("/memories/project", "x"), "project"),
        (rename(todo, "/memories/todo"), "todo"),
    ] {
        let endings =
            ".md, .txt, .json, .jsonl, .yaml, .yml, .toml, .csv, .tsv, .xml, .html, .org, .rst or .log";
        let says = format!("invalid file path {path:?}: the names of files must end in {endings}");
        assert_eq!(refused(&test.workspace, command), (ErrorKind::Invalid, says));
    }
}

#[test]
fn no_path_leads_out_of_the_memories() {
    let test = TestWorkspace::new();
    fs::write(test.path().join("secret.md"), "the secret\n").unwrap();
    run(&test.workspace, &[create("/memories/project/a.md", "x")]);
    let before = everything(&test);
    for path in [
        "",
        "/",
        "memories/project/a.md",
        "/memoriesX/project/a.md",
        "/etc/passwd",
        "/memories/../secret.md",
        "/memories/project/../../secret.md",
        "/memories/project/..",
        "/memories/./project/a.md",
        "/memories//project/a.md",
        "/memories/project//",
        "/memories/%2e%2e/secret.md",
        "/memories/%2E%2e%2Fsecret.md",
        "/memories/%252e%252e/secret.md",
        "/memories/..%5csecret.md",
        "/memories\\project\\a.md",
        "/memories/project\\a.md",
        "/memories/project/a.md\0",
        "/memories/project/a\n.md",
    ] {
        let says = |command: Value| refused(&test.workspace, command);
        let missing =
            (ErrorKind::NotFound, format!("The path {path} does not exist. Please provide a valid path."));
        assert_eq!(says(view(path)), missing, "{path:?}");
        assert_eq!(says(replace(path, "x", "y")).1, format!("Error: {}", missing.1), "{path:?}");
        let missing = (ErrorKind::NotFound, format!("Error: The path {path} does not exist"));
        assert_eq!(says(insert(path, 0, "y")), missing, "{path:?}");
        assert_eq!(says(delete(path)), missing, "{path:?}");
        assert_eq!(says(rename(path, "/memories/project/b.md")), missing, "{path:?}");
        let invalid =
            format!("Error: The path {path} is not valid: expected a path such as /memories/progress.md");
        for command in [create(path, "x"), rename("/memories/project/a.md", path)] {
            assert_eq!(says(command), (ErrorKind::Invalid, invalid.clone()), "{path:?}");
        }
    }
    assert_eq!(everything(&test), before);
}

#[test]
fn files_lie_at_the_root_and_have_the_endings_of_texts() {
    let test = TestWorkspace::new();
    let tools = test.workspace.tools();
    run(
        &test.workspace,
        &[
            create("/memories/progress.md", "- done\n"),
            create("/memories/notes.txt", "one\n"),
            create("/memories/state/data.json", "{}\n"),
            rename("/memories/notes.txt", "/memories/state/notes.xml"),
        ],
    );
    let said = reply(&tools, view("/memories"));
    assert!(said.contains("/memories/progress.md\n") && said.contains("/memories/state/notes.xml"), "{said}");
    assert_eq!(fs::read_to_string(test.path().join("files/progress.md")).unwrap(), "- done\n");
    assert_eq!(fs::read_to_string(test.path().join("files/state/notes.xml")).unwrap(), "one\n");
    // A file that a person creates there can be read.
    fs::write(test.path().join("files/state/data.json"), "{\"a\":1}\n").unwrap();
    let said = reply(&tools, view("/memories/state/data.json"));
    assert!(said.contains("     1\t{\"a\":1}"), "{said}");
}

#[test]
fn create_replaces_a_file_only_if_that_is_configured() {
    let test = TestWorkspace::configured(Config { memory_tool_overwrite: true, ..Config::default() });
    let (file, note) = ("/memories/project/a.md", "/memories/facts/a.md");
    for path in [file, note] {
        run(&test.workspace, &[create(path, "one\n"), create(path, "two\n")]);
        let entries = test.workspace.status(&At::head()).unwrap().entries;
        run(&test.workspace, &[create(path, "two\n")]);
        assert_eq!(test.workspace.status(&At::head()).unwrap().entries, entries, "nothing changed");
    }
    assert_eq!(content(&test, "files/project/a.md").unwrap(), "two\n");
    test.workspace.branches().undo().unwrap();
    assert_eq!(content(&test, "facts/a.md").unwrap(), "one\n");
    assert_eq!(refused(&test.workspace, create("/memories", "x")).1, "Error: File /memories already exists");
}

#[test]
fn folders_are_those_of_the_configuration() {
    let folders = ["facts", "people"].map(str::to_owned);
    let mut config = Config::default();
    config.notes.folders = memtape_core::forms::notes::Folders::new(folders).unwrap();
    let test = TestWorkspace::configured(config);
    // Files below files/ whose folder has the name of a folder of notes cannot be reached, so they are not listed.
    for path in ["people/ana.md", "FACTS/ben.md", "episodes/a.md"] {
        test.workspace.files().write(&FilePath::new(path).unwrap(), "a file\n").unwrap();
    }
    check(
        &test.workspace.tools(),
        &expect![[r#"
            > create "/memories/people/ana.md" "a note"
            File created successfully at: /memories/people/ana.md

            > create "/memories/People/eva.md" "a note"
            ! invalid note path "People/eva.md": People is not a notes folder: expected one of facts, people (notes.folders adds more)

            > view "/memories"
            Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:
            13B	/memories
            7B	/memories/episodes
            7B	/memories/episodes/a.md
            0B	/memories/facts
            6B	/memories/people
            6B	/memories/people/ana.md

            > view "/memories/FACTS/ben.md"
            ! The path /memories/FACTS/ben.md does not exist. Please provide a valid path.

            > view "/memories/people/ana.md"
            Here's the content of /memories/people/ana.md with line numbers:
                 1	a note
        "#]],
    );
}

#[test]
fn an_unknown_command_is_refused() {
    let test = TestWorkspace::new();
    check(
        &test.workspace.tools(),
        &expect![[r#"
            > {"command": "undo"}
            ! invalid argument command: unknown variant `undo`, expected one of `view`, `create`, `str_replace`, `insert`, `delete`, `rename`

            > {"path": "/memories"}
            ! invalid arguments: missing field `command`

            > view
            ! invalid arguments: missing field `path`

            > create "/memories/a/b.md"
            ! invalid arguments: missing field `file_text`

            > insert "/memories/a/b.md" "1" "x"
            ! invalid arguments: invalid type: string "1", expected an integer
        "#]],
    );
    for value in [json!(null), json!("view"), json!([{"command": "view", "path": "/memories"}])] {
        assert_eq!(refused(&test.workspace, value).0, ErrorKind::Invalid);
    }
}
