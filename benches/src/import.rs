//! The cost of an import, beside that of writing the same bytes to a tape without an index.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use memtape::{Options, Workspace};
use memtape_import::{Input, Settings, sources};
use memtape_tape::{Draft, Durability, FileStorage, Floor, Kind, Position, Salt, Segments, Storage, Writer};
use serde_json::json;

use crate::write::words;
use crate::{Failure, at_most, kilobytes_at_most, ratio};

/// Number of entries per group, as in an import.
const GROUP: u64 = 500;
/// Number of messages per conversation.
const CONVERSATION: u64 = 200;
/// Maximum peak memory in megabytes: it must not grow with the text.
const MEGABYTES_MAX: f64 = 512.0;

pub(crate) fn run(count: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let tapes = dir.path().join("tapes");
    std::fs::create_dir(&tapes)?;
    for (number, first) in (0..count).step_by(usize::try_from(CONVERSATION)?).enumerate() {
        conversation(
            &tapes.join(format!("0__{number:016x}.jsonl")),
            first..(first + CONVERSATION).min(count),
        )?;
    }
    let start = Instant::now();
    tape_only(&dir.path().join("bare"), count)?;
    let bare = start.elapsed();
    let workspace = Workspace::init(&dir.path().join("workspace"), Options::default())?;
    let source = sources::find("bub").map_err(|e| e.to_string())?;
    let input = Input::open(&tapes, workspace.time_zone()).map_err(|e| e.to_string())?;
    let start = Instant::now();
    let report = memtape_import::import(&workspace, source, &input, &Settings::default(), &mut |_, _| {});
    let whole = start.elapsed();
    let report = report.map_err(|e| e.to_string())?;
    if report.added() != count {
        return Err(format!("{} of {count} messages were imported", report.added()).into());
    }
    let each = |all: std::time::Duration| all.as_secs_f64() * 1e6 / count as f64;
    println!("{count} messages: tape alone {:.1} µs each, import {:.1} µs each", each(bare), each(whole));
    ratio("import / grouped entries of the same bytes, no index", whole, bare, 3.0);
    at_most("peak memory of an import", kilobytes_at_most()? as f64 / 1024.0, MEGABYTES_MAX, " MB");
    Ok(())
}

/// Writes a conversation as Bub does.
fn conversation(path: &Path, messages: std::ops::Range<u64>) -> Result<(), Failure> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut line = String::new();
    for (id, n) in messages.enumerate() {
        line.clear();
        let role = if n % 2 == 0 { "user" } else { "assistant" };
        let payload = json!({"role": role, "content": words(n)});
        let date = "2026-03-01T08:00:00.000000+00:00";
        let entry = json!({"id": id + 1, "kind": "message", "payload": payload, "meta": {}, "date": date});
        writeln!(line, "{entry}")?;
        file.write_all(line.as_bytes())?;
    }
    Ok(file.flush()?)
}

/// Writes the entries that the import writes, in groups, without an index.
fn tape_only(dir: &Path, count: u64) -> Result<(), Failure> {
    std::fs::create_dir(dir)?;
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
    storage.create()?;
    let tail = Segments::open(&storage)?.scan(Position::START).run(|_| Ok::<_, memtape_tape::Error>(()))?;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Sync)?;
    let mut n = 0;
    let mut salt = 0_u128;
    while n < count {
        let mut drafts = Vec::new();
        for n in n..(n + GROUP).min(count) {
            let role = if n % 2 == 0 { "user" } else { "assistant" };
            let payload = json!({"role": role, "content": words(n), "said_at": "2026-03-01T08:00:00Z"});
            let meta = json!({"session": format!("bub:{:016x}", n / CONVERSATION), "origin": role});
            drafts.push(Draft::new(Kind::Message, &payload, &meta, "main")?);
        }
        let mut salts = || {
            salt += 1;
            Salt::new(salt.to_le_bytes())
        };
        writer.append(drafts, memtape::Clock::now(&memtape::SystemClock), &mut salts)?;
        n += GROUP;
    }
    Ok(())
}
