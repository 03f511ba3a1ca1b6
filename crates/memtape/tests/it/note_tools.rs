//! The note tools: the rules of document 2, the test cases of its original implementation, and its defects.

use std::fs;

use memtape::toolbox::REPLY_CHARS_MAX;
use memtape::{At, ErrorKind, Workspace};
use memtape_testkit::TestWorkspace;
use serde_json::{Value, json};

fn call(workspace: &Workspace, name: &str, arguments: Value) -> memtape::Result<String> {
    workspace.tools().call(name, arguments)
}

fn read(workspace: &Workspace, path: &str) -> String {
    call(workspace, "memory_read", json!({"path": path})).unwrap()
}

fn write(workspace: &Workspace, path: &str, content: &str) {
    let reply = call(workspace, "memory_write", json!({"path": path, "content": content})).unwrap();
    assert_eq!(reply, r#"{"success":true}"#);
}

fn append(workspace: &Workspace, path: &str, entry: &str, summary: Option<&str>) -> String {
    let mut arguments = json!({"path": path, "entry": entry});
    if let Some(summary) = summary {
        arguments["summary"] = summary.into();
    }
    assert_eq!(call(workspace, "memory_append", arguments).unwrap(), r#"{"success":true}"#);
    read(workspace, path)
}

fn refused(workspace: &Workspace, name: &str, arguments: Value) -> (ErrorKind, String) {
    let e = call(workspace, name, arguments).unwrap_err();
    (e.kind(), e.to_string())
}

fn listed(workspace: &Workspace) -> Vec<(String, String, u64)> {
    let list: Vec<Value> = serde_json::from_str(&call(workspace, "memory_list", json!({})).unwrap()).unwrap();
    list.iter()
        .map(|file| {
            let text = |field: &str| file[field].as_str().unwrap().to_owned();
            (text("path"), text("summary"), file["size"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn list_names_notes_and_nothing_else() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    assert_eq!(listed(workspace), []);
    for (path, text) in [
        ("facts/user.md", "no summary here, 茶\n"),
        ("episodes/2026-02.md", "# E\n\n>   Summary:   logger fix  \n> Summary: not this one\n"),
        ("episodes/notes.txt", "x"),
        ("README.md", "> Summary: root files are none"),
    ] {
        let path = test.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // Sizes are in bytes, not characters. Facts come before episodes, and summaries are unchanged.
    let expected = [("facts/user.md", "", 21), ("episodes/2026-02.md", "logger fix", 57)];
    assert_eq!(listed(workspace), expected.map(|(path, summary, size)| (path.into(), summary.into(), size)));
    // Both folders may be deleted.
    fs::remove_dir_all(test.path().join("facts")).unwrap();
    fs::remove_dir_all(test.path().join("episodes")).unwrap();
    assert_eq!(listed(workspace), []);
}

#[test]
fn paths_stay_in_their_folders() {
    let test = TestWorkspace::new();
    let long = format!("facts/{}.md", "x".repeat(300));
    for path in [
        "../secret.md",
        "facts/../../secret.md",
        "/etc/passwd",
        "",
        "facts",
        "facts/",
        "./facts/x.md",
        "user.md",
        "facts/a/b.md",
        "facts/a\0.md",
        "facts/CON.md",
        "FACTS/x.md",
        "facts/x.txt",
        "C:\\x.md",
        &long,
    ] {
        for (name, arguments) in [
            ("memory_read", json!({"path": path})),
            ("memory_write", json!({"path": path, "content": "x"})),
            ("memory_patch", json!({"path": path, "old_str": "x", "new_str": "y"})),
            ("memory_append", json!({"path": path, "entry": "x"})),
        ] {
            assert_eq!(refused(&test.workspace, name, arguments).0, ErrorKind::Invalid, "{name} {path:?}");
        }
    }
    // These names are the same file on some systems.
    write(&test.workspace, "facts/user.md", "x\n");
    let other = json!({"path": "facts/User.md", "content": "y"});
    assert_eq!(refused(&test.workspace, "memory_write", other).0, ErrorKind::Invalid);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    let test = TestWorkspace::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "the secret\n").unwrap();
    write(&test.workspace, "facts/user.md", "- Name: Ana\n");
    // A link in place of a file, and one in place of a folder.
    std::os::unix::fs::symlink(outside.path().join("secret.md"), test.path().join("facts/link.md")).unwrap();
    std::os::unix::fs::symlink(outside.path(), test.path().join("episodes")).unwrap();
    assert_eq!(
        refused(&test.workspace, "memory_read", json!({"path": "facts/link.md"})).0,
        ErrorKind::NotFound
    );
    assert_eq!(
        refused(&test.workspace, "memory_read", json!({"path": "episodes/secret.md"})).0,
        ErrorKind::NotFound
    );
    let before = fs::read_dir(outside.path()).unwrap().count();
    append(&test.workspace, "episodes/2026-02.md", "## X\n- x", None);
    write(&test.workspace, "facts/link.md", "mine\n");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), before);
    assert_eq!(fs::read_to_string(outside.path().join("secret.md")).unwrap(), "the secret\n");
    let odd: Vec<_> = test
        .workspace
        .files_status(memtape::Form::NOTES)
        .unwrap()
        .odd
        .into_iter()
        .map(|odd| odd.path)
        .collect();
    assert_eq!(odd, ["facts/link.md", "episodes"]);
    // Once the link is removed, the file is written.
    fs::remove_file(test.path().join("facts/link.md")).unwrap();
    fs::remove_file(test.path().join("episodes")).unwrap();
    assert!(read(&test.workspace, "episodes/2026-02.md").contains("## X"));
    assert!(fs::read_to_string(test.path().join("facts/link.md")).unwrap().contains("mine"));
}

#[test]
fn write_makes_overwrites_and_keeps_the_summary() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    write(workspace, "facts/user.md", "# U\n\n- Name: Ana\n- Updated: 2024-01-01\n");
    assert_eq!(
        read(workspace, "facts/user.md"),
        "# U\n\n> Summary: Name\n\n- Name: Ana\n- Updated: 2026-02-10\n"
    );
    assert!(test.path().join("facts/user.md").exists(), "the folder is made");
    write(workspace, "facts/user.md", "# U\n\n>Summary: old\n\n- Role: dev\n");
    let text = read(workspace, "facts/user.md");
    // The summary is replaced, so there is only one.
    assert_eq!(text.matches("Summary:").count(), 1, "{text}");
    // Neither the names nor the size of facts are limited as in the original.
    write(workspace, "facts/anything.md", &"- fact: ok\n".repeat(3000));
    let huge = json!({"path": "facts/user.md", "content": "x".repeat(6 << 20)});
    assert_eq!(refused(workspace, "memory_write", huge).0, ErrorKind::Invalid);
    assert_eq!(read(workspace, "facts/user.md"), text);
}

#[test]
fn patches_are_literal_and_all_or_nothing() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    write(workspace, "facts/user.md", "- Name: Ana\n- Tea: green\n- Too: green\n");
    let patch = |patches: Value| {
        call(workspace, "memory_patch", json!({"path": "facts/user.md", "patches": patches}))
    };
    let both = json!([{"oldText": "Ana", "newText": "$& $1 $`"}, {"oldText": "Tea: green", "newText": "Tea: white"}]);
    assert_eq!(patch(both).unwrap(), r#"{"success":true,"appliedCount":2}"#);
    let text = read(workspace, "facts/user.md");
    assert!(text.contains("- Name: $& $1 $`\n- Tea: white\n"), "{text}");
    for (patches, kind, says) in [
        (
            json!([{"oldText": "white", "newText": "black"}, {"oldText": "nobody", "newText": "x"}]),
            ErrorKind::NotFound,
            "String not found in facts/user.md",
        ),
        (
            json!([{"oldText": "white", "newText": "black"}, {"oldText": "e", "newText": "x"}]),
            ErrorKind::Conflict,
            "String appears multiple times in facts/user.md - provide more context",
        ),
        (json!([{"oldText": "", "newText": "x"}]), ErrorKind::Invalid, "empty"),
        (json!([]), ErrorKind::Invalid, "the patch is empty"),
    ] {
        let e = patch(patches).unwrap_err();
        assert_eq!(e.kind(), kind, "{e}");
        assert!(e.to_string().contains(says), "{e}");
        assert_eq!(read(workspace, "facts/user.md"), text);
    }
    let missing = json!({"path": "facts/nobody.md", "old_str": "a", "new_str": "b"});
    assert_eq!(refused(workspace, "memory_patch", missing).0, ErrorKind::NotFound);
    let neither = json!({"path": "facts/user.md", "old_str": "a"});
    assert_eq!(refused(workspace, "memory_patch", neither).0, ErrorKind::Invalid);
}

#[test]
fn append_separates_entries_and_makes_the_month() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let path = "episodes/2026-02.md";
    let first = append(workspace, path, "## One\n- Summary: one thing", None);
    assert_eq!(first, "# 2026-02 Episodes\n\n> Summary: one thing\n\n## One\n- Summary: one thing\n");
    let second = append(workspace, path, "## Two\n- Summary: two things\n\n\n", None);
    assert_eq!(
        second,
        first.replace("> Summary: one thing", "> Summary: one thing, two things")
            + "\n## Two\n- Summary: two things\n"
    );
    let third = append(workspace, path, "## Three", Some("my own words"));
    assert!(
        third.contains("> Summary: my own words\n") && third.matches("> Summary").count() == 1,
        "{third}"
    );
    // Without a heading, the summary is at the top and is kept.
    fs::write(test.path().join("episodes/bare.md"), "just words").unwrap();
    let bare = append(workspace, "episodes/bare.md", "## More", Some("words"));
    assert_eq!(bare, "> Summary: words\n\njust words\n\n## More\n");
    let nothing = json!({"path": path, "entry": " \n"});
    assert_eq!(refused(workspace, "memory_append", nothing).0, ErrorKind::Invalid);
    let long = json!({"path": path, "entry": "x".repeat(70_000)});
    assert_eq!(refused(workspace, "memory_append", long).0, ErrorKind::Invalid);
}

#[test]
fn a_long_file_and_a_long_list_are_read_in_parts() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let text: String = (0..3000).map(|n| format!("- Key {n}: välue {n}\n")).collect();
    fs::create_dir_all(test.path().join("facts")).unwrap();
    fs::write(test.path().join("facts/long.md"), &text).unwrap();
    let (mut whole, mut offset) = (String::new(), 0);
    loop {
        let reply =
            call(workspace, "memory_read", json!({"path": "facts/long.md", "offset": offset})).unwrap();
        assert!(reply.chars().count() <= REPLY_CHARS_MAX);
        let Some((part, rest)) = reply.rsplit_once("\n… ") else {
            whole.push_str(&reply);
            break;
        };
        whole.push_str(part);
        let next: Value = serde_json::from_str(&rest[rest.find('{').unwrap()..]).unwrap();
        offset = next["offset"].as_u64().unwrap();
    }
    assert_eq!(whole, text);
    for n in 0..300 {
        fs::write(test.path().join(format!("facts/file-{n:03}-with-a-long-name.md")), "x\n").unwrap();
    }
    let (mut count, mut after) = (0, Value::Null);
    loop {
        let reply = call(workspace, "memory_list", json!({"after": after})).unwrap();
        assert!(reply.chars().count() <= REPLY_CHARS_MAX);
        let (list, rest) = reply.split_once('\n').unwrap_or((&reply, ""));
        count += serde_json::from_str::<Vec<Value>>(list).unwrap().len();
        if rest.is_empty() {
            break;
        }
        let next: Value = serde_json::from_str(&rest[rest.find('{').unwrap()..]).unwrap();
        after = next["after"].clone();
    }
    assert_eq!(count, 301);
}

#[test]
fn hand_made_files_are_kept_byte_for_byte_where_they_are_not_touched() {
    let test = TestWorkspace::new();
    fs::create_dir_all(test.path().join("facts")).unwrap();
    let long = "- a line of a long file\n".repeat(40_000);
    let files: [(&str, &[u8]); 8] = [
        ("empty", b""),
        ("crlf", b"# T\r\n\r\n- a: 1\r\n- b: 2"),
        ("bom", b"\xEF\xBB\xBF- a: 1\n"),
        ("front", b"---\ntags: [x]\n---\n\ntext\n"),
        ("bytes", b"- a: \xFF\xFE\n- b: ok\n"),
        ("fence", b"```\n## no block\n- no bullet\n```\n"),
        ("blank", b"\n\n\n"),
        ("long", long.as_bytes()),
    ];
    for (name, bytes) in files {
        fs::write(test.path().join(format!("facts/{name}.md")), bytes).unwrap();
    }
    let notes = test.workspace.notes();
    for (name, bytes) in files {
        let file = notes.read(&notes.path(&format!("facts/{name}.md")).unwrap(), &At::head()).unwrap();
        assert!(file.bytes() == bytes, "{name}");
        assert!(fs::read(test.path().join(format!("facts/{name}.md"))).unwrap() == bytes, "{name}");
    }
    append(&test.workspace, "facts/bytes.md", "- c: 3", None);
    assert!(fs::read(test.path().join("facts/bytes.md")).unwrap().windows(2).any(|pair| pair == b"\xFF\xFE"));
    let crlf = append(&test.workspace, "facts/crlf.md", "- c: 3\n- d: 4", None);
    assert!(crlf.contains("- b: 2\r\n- c: 3\r\n- d: 4\r\n"), "{crlf:?}");
    assert_eq!(test.workspace.take_warnings(), []);
}

#[test]
fn processes_that_write_one_file_lose_nothing() {
    let test = TestWorkspace::new();
    let threads: Vec<_> = (0..4)
        .map(|n| {
            let workspace = test.reopened();
            std::thread::spawn(move || {
                for m in 0..10 {
                    append(&workspace, "facts/user.md", &format!("- Key {n}-{m}: x"), None);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let text = fs::read_to_string(test.path().join("facts/user.md")).unwrap();
    assert_eq!(text.matches("- Key ").count(), 40, "{text}");
}

#[test]
fn memories_survive_a_restart() {
    let test = TestWorkspace::new();
    append(&test.workspace, "facts/user.md", "- Name: Zhang San", None);
    append(
        &test.workspace,
        "episodes/2026-02.md",
        "## Logger leak\n- Summary: pino leak → transport\n- Date: 2026-02-09",
        None,
    );
    let again = test.reopened();
    let index = again.notes().index(&At::head()).unwrap();
    assert!(index.contains("facts/user.md") && index.contains("pino leak → transport"), "{index}");
    assert!(read(&again, "facts/user.md").contains("Zhang San"));
    let ask = |query: &str| {
        let recall =
            memtape::Recall { backend: Some(memtape::Backend::SqliteFts), ..memtape::Recall::new(query) };
        again.recall(&recall, &At::head()).unwrap().hits
    };
    let hits = ask("what is the name of the user?");
    assert!(
        hits.iter().any(|hit| hit.reference.to_string().starts_with("notes:facts/user.md#Name")),
        "{hits:?}"
    );
    let hits = ask("which leak did we fix in the logger?");
    assert!(
        hits.iter().any(|hit| hit.reference.to_string().starts_with("notes:episodes/2026-02.md#Logger leak"))
    );
}

/// One long summary takes no place of the other notes.
#[test]
fn a_long_summary_is_cut_in_the_listing() {
    let test = TestWorkspace::new();
    let notes = test.workspace.notes();
    let write = |path: &str, text: &str| notes.write(&notes.path(path).unwrap(), text).unwrap();
    write("facts/a.md", &format!("> Summary: {}\n\n- A: 1\n", "tea ".repeat(3000)));
    write("facts/b.md", "- B: 2\n");
    let listed = test.workspace.tools().call("memory_list", json!({})).unwrap();
    assert!(listed.contains("facts/a.md") && listed.contains("facts/b.md"), "{listed}");
}
