//! Notes, files and blocks of several folders, agents or accounts of one program.

use std::fs;
use std::path::{Path, PathBuf};

use memtape::{At, Audience, Form};
use memtape_import::Settings;
use memtape_testkit::TestWorkspace;
use serde_json::json;
use tempfile::TempDir;

use crate::harness::{run, workspace};

/// A program with a document that may have any text.
struct Program {
    source: &'static str,
    /// Writes the document into a folder, as the program does.
    write: fn(&Path, &str),
}

const PROGRAMS: [Program; 9] = [
    Program { source: "claude-code", write: |dir, text| put(dir, "CLAUDE.md", text) },
    Program { source: "basic-memory", write: |dir, text| put(dir, "Note.md", text) },
    Program { source: "pegasus", write: |dir, text| put(dir, "facts/user.md", text) },
    Program { source: "codex", write: |dir, text| put(dir, "memories/MEMORY.md", text) },
    Program { source: "openclaw", write: |dir, text| put(dir, "TOOLS.md", text) },
    Program { source: "openclaw", write: |dir, text| put(dir, "USER.md", text) },
    Program { source: "anthropic-chat", write: |dir, text| put(dir, "memories.json", &memories(dir, text)) },
    Program { source: "letta", write: |dir, text| put(dir, "agent.af", &agent(dir, text)) },
    Program { source: "letta", write: |dir, text| put(dir, "agents.af", &agents(dir, text)) },
];

fn put(dir: &Path, file: &str, text: &str) {
    fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
    fs::write(dir.join(file), text).unwrap();
}

/// The name of the account or the agent is that of the folder.
fn name(dir: &Path) -> &str {
    dir.file_name().unwrap().to_str().unwrap()
}

fn memories(dir: &Path, text: &str) -> String {
    json!([{"conversations_memory": text, "account_uuid": name(dir)}]).to_string()
}

fn agent(dir: &Path, text: &str) -> String {
    let block = json!({"label": "human", "value": text});
    json!({"agent_type": "x", "system": "", "name": name(dir), "core_memory": [block]}).to_string()
}

fn agents(dir: &Path, text: &str) -> String {
    let agent = json!({"agent_type": "x", "system": "", "name": name(dir), "source_ids": ["source-0"]});
    let file = json!({"source_id": "source-0", "file_name": "trip.md", "content": text});
    json!({"agents": [agent], "files": [file], "sources": [{"id": "source-0", "name": "trips"}]}).to_string()
}

/// A folder for each of three installations of a program.
fn folders() -> (TempDir, [PathBuf; 3]) {
    let dir = tempfile::tempdir().unwrap();
    let folders = ["ana", "ben", "carl"].map(|name| dir.path().join(name));
    (dir, folders)
}

/// Returns all current texts, sorted.
fn texts(test: &TestWorkspace) -> Vec<String> {
    let forms = [Form::NOTES, Form::FILES, Form::BLOCKS];
    let read = |form| test.workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
    let mut texts: Vec<_> = forms.into_iter().flat_map(read).map(|memory| memory.text).collect();
    texts.sort();
    texts
}

#[test]
fn no_document_replaces_another_ones() {
    for Program { source, write } in PROGRAMS {
        let test = workspace();
        let (_dir, [ana, ben, carl]) = folders();
        let import = |dir: &Path| run(&test.workspace, source, dir, &Settings::default());
        write(&ana, "tea");
        write(&ben, "mate");
        assert_eq!((import(&ana).added(), import(&ben).added()), (1, 1), "{source}");
        assert_eq!(texts(&test), ["mate", "tea"], "{source}");
        assert_eq!((import(&ana).added(), import(&ben).added()), (0, 0), "{source}");
        // Each is updated in its place.
        write(&ben, "coffee");
        assert_eq!((import(&ana).added(), import(&ben).added()), (0, 1), "{source}");
        assert_eq!(texts(&test), ["coffee", "tea"], "{source}");
        write(&ana, "water");
        assert_eq!((import(&ana).added(), import(&ben).added()), (1, 0), "{source}");
        assert_eq!(texts(&test), ["coffee", "water"], "{source}");
        write(&carl, "milk");
        assert_eq!(import(&carl).added(), 1, "{source}");
        assert_eq!(texts(&test), ["coffee", "milk", "water"], "{source}");
    }
}

/// Two documents with one text are kept once, until one of them changes.
#[test]
fn equal_documents_part_when_one_changes() {
    for Program { source, write } in PROGRAMS {
        let test = workspace();
        let (_dir, [ana, ben, _]) = folders();
        let import = |dir: &Path| run(&test.workspace, source, dir, &Settings::default());
        write(&ana, "tea");
        write(&ben, "tea");
        assert_eq!((import(&ana).added(), import(&ben).added()), (1, 0), "{source}");
        write(&ana, "water");
        import(&ana);
        import(&ben);
        assert_eq!(texts(&test), ["tea", "water"], "{source}");
    }
}

/// An export is unpacked into another folder every time.
#[test]
fn a_later_export_updates_the_earlier_one() {
    for Program { source, write } in PROGRAMS {
        if !["anthropic-chat", "letta"].contains(&source) {
            continue;
        }
        let test = workspace();
        let dir = tempfile::tempdir().unwrap();
        for (folder, text) in [("may/ana", "tea"), ("june/ana", "water")] {
            let folder = dir.path().join(folder);
            write(&folder, text);
            assert_eq!(run(&test.workspace, source, &folder, &Settings::default()).added(), 1, "{source}");
        }
        assert_eq!(texts(&test), ["water"], "{source}");
    }
}
