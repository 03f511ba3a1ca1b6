//! Reads a tape that memtape wrote with jq and sha256sum.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use memtape_tape::{
    Draft, Durability, Error, FileStorage, Floor, Kind, Position, Salt, Segments, Storage, Writer,
};
use serde_json::json;

use super::{passed, read, write};
use crate::memtape::{Memtape, root};
use crate::run::{Result, run};

/// A script that checks a tape line by line without memtape's code.
const RECHECK: &str = "xtask/src/recheck.sh";

/// The text that is remembered and later searched for.
pub(super) const REMEMBERED: &str = "Alice likes green tea";

/// A conversation with everything that makes a line hard to parse: quotes, backslashes, line breaks, other
/// scripts, and the very text that separates payload and meta.
const CONVERSATION: &str = r#"
{"role":"user","content":"\"quoted\" \\ back\nslash\ttab \u0001 \u007f","session":"telegram:1"}
{"role":"assistant","content":"你好 émigré 👩‍🚀 \u2028 ok","name":"Bóbr","date":"2026-02-10T10:00:00+01:00"}
{"role":"user","content":",\"meta\":{} ,\"branch\":\"main\"","session":"odd chat:a/b:c"}
"#;

/// Event data whose numbers and nesting other programs would serialize differently.
const EVENT: &str =
    r#"{"b":1e2,"a":[{"meta":{"k":5.0},"x":1},{"x":0,"meta":{"y":",\"meta\":{}"}}],"tiny":1e-9}"#;

/// Writes a tape and checks it.
pub(super) fn check(memtape: &Memtape, workspace: &Path) -> Result<()> {
    write_tape(memtape, workspace)?;
    let files = segments(workspace)?;
    let entries = recheck(&files)?;
    let lines = count_lines(&files)?;
    let verified = entries_by_verify(memtape, workspace)?;
    if entries != lines || entries != verified {
        return Err(format!(
            "the tape has {lines} lines, {entries} checked ones, {verified} for `memtape verify`"
        ));
    }
    passed(&format!("jq and sha256sum recompute all {entries} hashes over {} segments", files.len()));

    let accepted = run(Command::new("jq").args(["-c", "-e", "."]).args(&files))?;
    if !accepted.is_success() || accepted.stdout.lines().count() as u64 != lines {
        return Err(accepted.report(&format!("jq must accept each of the {lines} lines")));
    }
    passed(&format!("jq accepts each of the {lines} lines"));
    see_a_change(memtape, workspace)
}

/// Writes a tape in several segments with every kind of entry that a command writes.
fn write_tape(memtape: &Memtape, workspace: &Path) -> Result<()> {
    let conversation = workspace.with_extension("conversation.jsonl");
    write(&conversation, CONVERSATION)?;
    let conversation = conversation.to_string_lossy().into_owned();
    let commands: [&[&str]; 9] = [
        &["init"],
        &["remember", REMEMBERED],
        &["remember", "one\n\ntwo\nfour"],
        &["zone", "save", &format!("{REMEMBERED}\none\n\ntwo\nthree\nfour")],
        &["zone", "daily", "went \"out\" – 茶", "--date", "2026-02-10"],
        &["ingest", &conversation],
        &["tape", "append", "x.event", "--data", EVENT, "--session", "odd chat:a/b:c"],
        &["tape", "handoff", "phase \"two\"", "--state", r#"{"summary":"é"}"#],
        &["tool", "call", "memory_forget", r#"{"text":"three","reason":"it was \\ wrong"}"#],
    ];
    run_all(memtape, workspace, &commands)?;
    plant(workspace)?;
    let commands: [&[&str]; 11] = [
        &["tape", "archive", "--yes"],
        &["remember", "after the archive"],
        &["scan", "--redact"],
        &["zone", "forget", "four"],
        &["tape", "reset", "--session", "telegram:1", "--yes"],
        &["tape", "archive", "--yes"],
        &["zone", "daily", "home again"],
        &["add", "--text", REMEMBERED, "--kind", "preference"],
        &["add", "--text", "went out", "--kind", "episodic", "--channel", "odd chat", "--chat-id", "a/b:c"],
        &["add", "--text", &format!("{REMEMBERED}!"), "--kind", "preference"],
        &["status"],
    ];
    run_all(memtape, workspace, &commands)
}

fn run_all(memtape: &Memtape, workspace: &Path, commands: &[&[&str]]) -> Result<()> {
    commands.iter().try_for_each(|arguments| memtape.run(workspace, arguments).map(drop))
}

/// Writes a secret directly to the tape, which no command does.
fn plant(workspace: &Path) -> Result<()> {
    let planted = || {
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(workspace));
        let _lock = storage.lock(Duration::from_secs(10))?;
        let tail = Segments::open(&storage)?.scan(Position::START).run(|_| Ok::<(), Error>(()))?;
        let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync)?;
        let payload = json!({"role": "user", "content": "the password of the door is tangerine-Falcon-88"});
        let draft = Draft::new(Kind::Message, &payload, &json!({"session": "cli:direct"}), "main")?;
        writer.append(vec![draft], Timestamp::now(), &mut || Salt::new([7; 16])).map(drop)
    };
    planted().map_err(|e: Error| format!("cannot plant a secret in {}: {e}", workspace.display()))
}

/// Returns the segments of a tape, oldest first.
pub(super) fn segments(workspace: &Path) -> Result<Vec<PathBuf>> {
    let archive = workspace.join("archive");
    let mut closed: Vec<(u64, PathBuf)> = Vec::new();
    if archive.is_dir() {
        let names =
            std::fs::read_dir(&archive).map_err(|e| format!("cannot list {}: {e}", archive.display()))?;
        for name in names {
            let path = name.map_err(|e| format!("cannot list {}: {e}", archive.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let first = name.strip_prefix("tape-").and_then(|rest| rest.split('-').next()?.parse().ok());
            closed.extend(first.map(|first| (first, path)));
        }
    }
    closed.sort();
    let active = workspace.join("tape.jsonl");
    Ok(closed.into_iter().map(|(_, path)| path).chain([active]).collect())
}

/// Recomputes every digest and hash of these segments, and returns the ID of the last entry.
pub(super) fn recheck(files: &[PathBuf]) -> Result<u64> {
    number(&mut recheck_command(files))
}

fn recheck_command(files: &[PathBuf]) -> Command {
    let mut command = Command::new("sh");
    command.arg(root().join(RECHECK)).args(files);
    command
}

/// Returns the total number of lines of these files, counted by `wc`.
pub(super) fn count_lines(files: &[PathBuf]) -> Result<u64> {
    number(Command::new("sh").args(["-c", r#"cat "$@" | wc -l"#, "sh"]).args(files))
}

fn entries_by_verify(memtape: &Memtape, workspace: &Path) -> Result<u64> {
    let verified = run(&mut memtape.command(workspace, &["verify", "--json"]))?;
    let report: Option<serde_json::Value> = serde_json::from_str(&verified.stdout).ok();
    let entries = report.and_then(|report| report["entries"].as_u64()).filter(|_| verified.is_success());
    entries.ok_or_else(|| verified.report("verify must pass and say how many entries there are"))
}

/// Runs a command that prints a number, and returns the number.
fn number(command: &mut Command) -> Result<u64> {
    let ran = run(command)?;
    let printed = ran.stdout.trim().parse().ok().filter(|_| ran.is_success());
    printed.ok_or_else(|| ran.report("a command must succeed and print a number"))
}

/// Makes sure that the check can fail: both the script and memtape must detect one changed letter, at its
/// line.
fn see_a_change(memtape: &Memtape, workspace: &Path) -> Result<()> {
    let changed = workspace.with_extension("changed");
    std::fs::create_dir_all(&changed).map_err(|e| format!("cannot make {}: {e}", changed.display()))?;
    let files = segments(workspace)?;
    let text = files.first().map(|first| read(first)).transpose()?.unwrap_or_default();
    let line = text.lines().position(|line| line.contains(REMEMBERED)).map_or(0, |n| n + 1);
    let file = changed.join("tape.jsonl");
    write(&file, &text.replacen(REMEMBERED, &REMEMBERED.replace("green", "greem"), 1))?;
    let here = format!("line {line}");
    let rechecked = run(&mut recheck_command(std::slice::from_ref(&file)))?;
    if !rechecked.ended_with(1) || !rechecked.stderr.contains(&format!("{here}: its hash is")) {
        return Err(rechecked.report(&format!("a letter of {here} was changed: recheck.sh must name it")));
    }
    let verified = run(&mut memtape.command(&changed, &["verify"]))?;
    if !verified.ended_with(8)
        || verified.stdout.matches("line ").count() != 1
        || !verified.stdout.contains(&here)
    {
        return Err(
            verified.report(&format!("a letter of {here} was changed: verify must name that line alone"))
        );
    }
    passed(&format!("a letter changed in {here} is seen there, by sha256sum and by memtape"));
    Ok(())
}
