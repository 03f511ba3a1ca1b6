//! Queries the journal with jq and awk, using the commands as printed in document 3.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use memtape_tape::{
    Draft, Durability, Error, FileStorage, Floor, Kind, Position, Salt, Segments, Storage, Writer,
};
use serde_json::{Value, json};

use super::{passed, write};
use crate::memtape::Memtape;
use crate::run::{Result, succeed};

/// Returns entries of the two days that the commands ask about, each with its date.
fn happened() -> [(&'static str, Kind, Value); 9] {
    let event = |name: &str, data: Value| (Kind::Event, json!({"name": name, "data": data}));
    let said =
        |role: &str, text: &str| (Kind::Message, json!({"role": role, "name": "thunder", "content": text}));
    let focus = |text: &str| event("block.set", json!({"name": "current_focus", "value": text, "layer": 4}));
    let at = |date: &'static str, (kind, payload): (Kind, Value)| (date, kind, payload);
    [
        at("2025-12-25T08:00:00Z", said("user", "hey bud...")),
        at("2025-12-25T08:00:01.250Z", focus("holidays")),
        at(
            "2025-12-31T08:00:00Z",
            event("journal.decision", json!({"action": "too early", "reason": "asleep"})),
        ),
        at(
            "2025-12-31T10:00:02Z",
            event("journal.decision", json!({"action": "check_calendar", "reason": "goal"})),
        ),
        at(
            "2025-12-31T10:00:03Z",
            event("journal.error", json!({"tool": "github_prs", "error": "rate limited"})),
        ),
        at("2025-12-31T10:05:02Z", focus("memory architecture")),
        at(
            "2025-12-31T10:05:03Z",
            event("journal.cost", json!({"tokens_in": 1500, "tokens_out": 800, "model": "opus"})),
        ),
        at(
            "2025-12-31T10:05:04Z",
            event("journal.cost", json!({"tokens_in": 10, "tokens_out": 34, "model": "opus"})),
        ),
        at("2025-12-31T10:15:00Z", said("assistant", "Sure, let's...")),
    ]
}

/// The commands of the document, each with its expected output without spaces.
const COMMANDS: [(&str, &str); 5] = [
    (
        r#"jq 'select(.type=="error")' journal.jsonl | tail -10"#,
        r#"{"ts":"2025-12-31T10:00:03Z","type":"error","tool":"github_prs","error":"ratelimited","entry":5}"#,
    ),
    (
        r#"jq 'select(.type=="decision" and .ts > "2025-12-31T09:00:00Z")' journal.jsonl"#,
        r#"{"ts":"2025-12-31T10:00:02Z","type":"decision","action":"check_calendar","reason":"goal","entry":4}"#,
    ),
    (r#"jq 'select(.type=="cost") | .tokens_out' journal.jsonl | awk '{sum+=$1} END {print sum}'"#, "834"),
    (
        r#"jq 'select(.ts | startswith("2025-12-25"))' journal.jsonl"#,
        r#"{"ts":"2025-12-25T08:00:00Z","type":"trigger","source":"message","from":"thunder","preview":"heybud...","entry":1}{"ts":"2025-12-25T08:00:01.250Z","type":"focus_change","block":"current_focus","layer":4,"preview":"holidays","entry":2}"#,
    ),
    (
        r#"jq 'select(.type=="focus_change")' journal.jsonl | tail -20"#,
        r#"{"ts":"2025-12-25T08:00:01.250Z","type":"focus_change","block":"current_focus","layer":4,"preview":"holidays","entry":2}{"ts":"2025-12-31T10:05:02Z","type":"focus_change","block":"current_focus","layer":4,"preview":"memoryarchitecture","entry":6}"#,
    ),
];

/// Writes a tape with these entries, prints its journal to a file, and runs the commands on that file.
pub(super) fn check(memtape: &Memtape, scratch: &Path) -> Result<()> {
    let workspace = scratch.join("journal");
    std::fs::create_dir_all(&workspace).map_err(|e| format!("cannot make {}: {e}", workspace.display()))?;
    write_tape(&workspace).map_err(|e| format!("cannot write a tape in {}: {e}", workspace.display()))?;
    let printed = memtape.run(&workspace, &["journal", "--tail", "all"])?;
    write(&workspace.join("journal.jsonl"), &printed)?;
    for (command, expected) in COMMANDS {
        let found = succeed(Command::new("sh").args(["-c", command]).current_dir(&workspace))?;
        let found: String = found.split_whitespace().collect();
        if found != expected {
            return Err(format!(
                "document 3 prints\n    {command}\nwhich gives\n    {found}\ninstead of\n    {expected}"
            ));
        }
    }
    passed(&format!(
        "jq and awk answer the {} commands that document 3 prints, from its journal",
        COMMANDS.len()
    ));
    Ok(())
}

fn write_tape(workspace: &Path) -> std::result::Result<(), Error> {
    let files = FileStorage::new(workspace);
    files.create()?;
    let storage: Arc<dyn Storage> = Arc::new(files);
    let _lock = storage.lock(Duration::from_secs(10))?;
    let tail = Segments::open(&storage)?.scan(Position::START).run(|_| Ok::<(), Error>(()))?;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync)?;
    for (date, kind, payload) in happened() {
        let date: Timestamp = date.parse().unwrap_or(Timestamp::UNIX_EPOCH);
        let draft = Draft::new(kind, &payload, &json!({}), "main")?;
        writer.append(vec![draft], date, &mut || Salt::new([7; 16]))?;
    }
    Ok(())
}
