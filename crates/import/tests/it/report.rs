//! What is left out is reported.

use std::fs;
use std::path::Path;

use expect_test::expect;
use memtape_import::{Place, Settings};

use crate::harness::{read_path, run, workspace};

fn put(dir: &Path, files: &[(&str, &str)]) {
    for (file, text) in files {
        fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
        fs::write(dir.join(file), text).unwrap();
    }
}

/// Returns what is skipped of a path.
fn skipped(source: &str, dir: &Path) -> String {
    let listed = read_path(source, dir);
    listed.split_inclusive('\n').filter(|line| line.contains(" skipped: ")).collect()
}

#[test]
fn attachments_and_projects_of_claude() {
    let dir = tempfile::tempdir().unwrap();
    let message = r#"{"uuid":"m","sender":"human","text":"see","attachments":[{"file_name":"a.txt","extracted_content":"x"},{"file_name":"b.png","extracted_content":""}]}"#;
    let conversation = format!(r#"[{{"uuid":"c","chat_messages":[{message}]}}]"#);
    put(dir.path(), &[("conversations.json", &conversation), ("projects.json", "[]")]);
    expect![[r#"
        conversations.json skipped: 1 attachment with its text
        projects.json skipped: the instructions and documents of projects are not read
    "#]]
    .assert_eq(&skipped("anthropic-chat", dir.path()));
}

#[test]
fn a_history_of_nanobot_that_another_one_follows() {
    let dir = tempfile::tempdir().unwrap();
    let line = r#"{"cursor":1,"timestamp":"2026-04-01 10:00","content":"x"}"#;
    put(dir.path(), &[("memory/HISTORY.md", "[2026-02-12 09:30] y\n"), ("memory/history.jsonl", line)]);
    expect![[r#"
        memory/HISTORY.md skipped: history.jsonl has taken its place
    "#]]
    .assert_eq(&skipped("nanobot", dir.path()));
}

#[test]
#[cfg(unix)]
fn links_and_folders() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let deep = format!("memory/{}deep.md", "a/".repeat(17));
    put(dir.path(), &[("SOUL.md", "x"), ("memory/UP.MD", "up"), (&deep, "x")]);
    put(dir.path(), &[("facts/a.md", "x"), ("facts/folder/b.md", "x")]);
    for folder in ["memory", "facts"] {
        symlink("/nowhere", dir.path().join(folder).join("dangling.md")).unwrap();
        symlink("..", dir.path().join(folder).join("link")).unwrap();
    }
    expect![[r#"
        memory/dangling.md skipped: it is no file: a link to a folder, to nothing, or out of the imported path is not followed
        memory/link skipped: it is no file: a link to a folder, to nothing, or out of the imported path is not followed
        memory/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a skipped: it is in too many folders
    "#]]
    .assert_eq(&skipped("openclaw", dir.path()));
    assert!(read_path("openclaw", dir.path()).contains("facts/UP.md"));
    expect![[r#"
        facts/dangling.md skipped: it is no file: a link to a folder, to nothing, or out of the imported path is not followed
        facts/folder skipped: it is a folder within the notes
        facts/link skipped: it is no file: a link to a folder, to nothing, or out of the imported path is not followed
    "#]]
    .assert_eq(&skipped("pegasus", dir.path()));
}

/// Nothing behind a link that leads out of the path is left out without a word, or reported twice.
#[test]
#[cfg(unix)]
fn links_that_lead_out_are_reported() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    put(outside.path(), &[("file", "x"), ("folder/a.md", "x")]);
    // Each with a file that can be read.
    let cases: [(&str, &str, &[&str], &[&str]); 5] = [
        (
            "claude-code",
            "projects/p/memory/own.md",
            &["CLAUDE.md", ".claude/rules/a.md", "projects/p/memory/a.md", "projects/p/s.jsonl"],
            &["projects/q/memory", "rules"],
        ),
        ("claude-code", "MEMORY.md", &["a.md", "b.md"], &["link"]),
        (
            "nanobot",
            "memory/2026-01-31.md",
            &["SOUL.md", "memory/MEMORY.md", "memory/2026-01-30.md", "memory/history.jsonl"],
            &[],
        ),
        ("basic-memory", "own.md", &["a.md", "b/c.md"], &["link"]),
        (
            "codex",
            "sessions/x.md",
            &["memories/MEMORY.md", "sessions/2026/rollout-1.jsonl"],
            &["sessions/link"],
        ),
    ];
    for (source, readable, files, folders) in cases {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), &[(readable, "x")]);
        for (file, to) in
            files.iter().map(|file| (file, "file")).chain(folders.iter().map(|file| (file, "folder")))
        {
            fs::create_dir_all(dir.path().join(file).parent().unwrap()).unwrap();
            symlink(outside.path().join(to), dir.path().join(file)).unwrap();
        }
        let skipped = skipped(source, dir.path());
        for line in skipped.lines() {
            assert!(line.contains(" skipped: it is no file: a link"), "{source}: {line}");
        }
        assert_eq!(skipped.lines().count(), files.len() + folders.len(), "{source}: {skipped}");
    }
}

/// An element that is not JSON costs no other one, in any of the programs whose files are JSON.
#[test]
fn half_characters_and_numbers_that_are_none() {
    let cases = [
        (
            "openai-chat",
            "conversations.json",
            r#"[{"id":"c","x":NaN,"current_node":"n","mapping":{"n":{"message":{"id":"m","create_time":1700000000,"author":{"role":"user"},"content":{"content_type":"text","parts":["TEXT"]}}}}}]"#,
        ),
        (
            "anthropic-chat",
            "conversations.json",
            r#"[{"uuid":"c","chat_messages":[{"uuid":"m","sender":"human","text":"TEXT","x":-Infinity}]}]"#,
        ),
        ("mem0", "export.json", r#"{"results":[{"id":"m","memory":"TEXT","score":NaN,"user_id":"u"}]}"#),
        (
            "mcp-memory",
            "memory.jsonl",
            r#"{"type":"entity","name":"Ana","entityType":"person","observations":["TEXT"],"x":Infinity}"#,
        ),
        (
            "letta",
            "a.af",
            r#"{"blocks":[],"sources":[],"files":[],"agents":[{"id":"a","name":"a","agent_type":"m","system":"","x":NaN,"messages":[{"id":"m","role":"user","content":[{"type":"text","text":"TEXT"}]}]}]}"#,
        ),
        (
            "bub",
            "a__b.jsonl",
            r#"{"id":1,"kind":"message","payload":{"role":"user","content":"TEXT","x":NaN},"meta":{}}"#,
        ),
    ];
    for (source, name, json) in cases {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), &[(name, &json.replace("TEXT", r"cut \ud83d"))]);
        let path = if source == "bub" { dir.path().to_owned() } else { dir.path().join(name) };
        let listed = read_path(source, &path);
        assert!(listed.contains("cut \u{fffd}") && !listed.contains("skipped"), "{source}: {listed}");
    }
}

/// What may not be read is left out with the real reason, and the rest is imported.
#[test]
#[cfg(unix)]
fn what_may_not_be_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let cases: [(&str, &str, &str); 5] = [
        ("claude-code", "CLAUDE.md", "projects/p/s.jsonl"),
        ("mem0", "memories.json", "history.db"),
        ("codex", "memories/MEMORY.md", "sessions/rollout-1.jsonl"),
        ("basic-memory", "own.md", "sub/"),
        ("pegasus", "facts/a.md", "episodes/"),
    ];
    for (source, readable, closed) in cases {
        let dir = tempfile::tempdir().unwrap();
        let memories = r#"[{"id":"1","memory":"x","user_id":"ana"}]"#;
        let inside = if closed.ends_with('/') { format!("{closed}b.md") } else { closed.to_owned() };
        put(dir.path(), &[(readable, memories), (&inside, "x")]);
        let path = dir.path().join(closed);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read(&path).is_ok() || fs::read_dir(&path).is_ok() {
            // The superuser reads everything.
            continue;
        }
        let report = run(&workspace().workspace, source, dir.path(), &Settings::default());
        let left_out = &report.left_out.listed;
        let expected = (Place::file(closed.trim_end_matches('/')), "permission denied".to_owned());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(left_out.contains(&expected), "{source}: {left_out:?}");
        assert_eq!(report.added(), 1, "{source}: {report:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_not_utf_8_is_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), &[("facts/a.md", "x"), ("facts/b.md", "y")]);
    let name = OsStr::from_bytes(b"caf\xe9.md");
    fs::rename(dir.path().join("facts/b.md"), dir.path().join("facts").join(name)).unwrap();
    let report = run(&workspace().workspace, "pegasus", dir.path(), &Settings::default());
    let expected = (Place::file("facts/caf\u{fffd}.md"), "its name is not UTF-8".to_owned());
    assert_eq!(report.left_out.listed, [expected]);
    assert_eq!(report.added(), 1);
}
