//! Which source a path is detected as.

use std::fs;

use jiff::tz::TimeZone;
use memtape_import::{Input, sources};

use crate::harness::{fixture, read_path};

#[test]
fn each_fixture_is_detected_as_the_memory_of_its_program() {
    for (path, expected) in [
        ("anthropic-chat/export", vec!["anthropic-chat"]),
        ("anthropic-chat/export/conversations.json", vec!["anthropic-chat"]),
        ("basic-memory/project", vec!["basic-memory"]),
        ("basic-memory/written", vec!["basic-memory"]),
        ("bub/home", vec!["bub"]),
        ("bub/oddities", vec!["bub"]),
        ("bud/state", vec!["bud"]),
        ("claude-code/home", vec!["claude-code"]),
        // Nanobot keeps a `memory/MEMORY.md` too.
        ("claude-code/home/projects/-home-ana-app", vec!["claude-code", "nanobot"]),
        ("claude-code/home/projects/-home-ana-app/memory", vec!["claude-code"]),
        ("claude-code/repo", vec!["claude-code"]),
        ("claude-code/repo/CLAUDE.md", vec!["claude-code"]),
        ("codex/home", vec!["codex"]),
        ("codex/home/sessions/2025", vec!["codex"]),
        ("letta/agents.af", vec!["letta"]),
        ("letta/memgpt-2025.af", vec!["letta"]),
        ("letta", vec!["letta"]),
        ("mcp-memory/graph", vec!["mcp-memory"]),
        ("mcp-memory/broken/memory.json", vec!["mcp-memory"]),
        ("mem0/platform.json", vec!["mem0"]),
        ("mem0/array.json", vec!["mem0"]),
        ("mem0", vec!["mem0"]),
        ("nanobot/first", vec!["nanobot"]),
        ("nanobot/second", vec!["nanobot"]),
        // OpenClaw has a SOUL.md too.
        ("nanobot/third", vec!["nanobot", "openclaw"]),
        ("nanobot-ledger/workspace", vec!["nanobot", "nanobot-ledger"]),
        ("openai-chat/export", vec!["openai-chat"]),
        ("openai-chat/parts", vec!["openai-chat"]),
        ("openclaw/workspace", vec!["openclaw"]),
        ("openclaw/home", vec!["openclaw"]),
        ("pegasus/data", vec!["pegasus"]),
    ] {
        let input = Input::open(&fixture(path), &TimeZone::UTC).unwrap();
        let found: Vec<_> =
            sources::detect(&input).unwrap().iter().map(|(source, _)| source.name()).collect();
        assert_eq!(found, expected, "{path}");
    }
}

/// Some editors and shells of Windows begin each file with a byte order mark.
#[test]
fn a_byte_order_mark_changes_nothing() {
    for (path, source) in [
        ("anthropic-chat/export/conversations.json", "anthropic-chat"),
        ("openai-chat/export/conversations.json", "openai-chat"),
        ("mem0/array.json", "mem0"),
        ("letta/agents.af", "letta"),
        ("mcp-memory/graph/memory.jsonl", "mcp-memory"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(path.rsplit('/').next().unwrap());
        let json = fs::read_to_string(fixture(path)).unwrap();
        fs::write(&file, format!("\u{feff}{json}")).unwrap();
        let input = Input::open(&file, &TimeZone::UTC).unwrap();
        let found = sources::detect(&input).unwrap();
        assert_eq!(found.first().map(|(source, _)| source.name()), Some(source), "{path}");
        assert_eq!(read_path(source, &file), read_path(source, &fixture(path)), "{path}");
    }
}

/// A repository may hold more files than one source lists.
#[test]
fn a_source_that_finds_too_many_files_hides_no_other_one() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("CLAUDE.md"), "Use tabs.\n").unwrap();
    fs::create_dir(dir.path().join("node_modules")).unwrap();
    for n in 0..30 {
        fs::write(dir.path().join(format!("node_modules/{n}.md")), "x").unwrap();
    }
    let limits = memtape_import::input::Limits { entries: 20, ..Default::default() };
    let input = Input::open_within(dir.path(), &TimeZone::UTC, limits).unwrap();
    let found: Vec<_> = sources::detect(&input).unwrap().iter().map(|(source, _)| source.name()).collect();
    assert_eq!(found, ["claude-code"]);
    fs::remove_file(dir.path().join("CLAUDE.md")).unwrap();
    assert!(sources::detect(&input).is_err());
}
