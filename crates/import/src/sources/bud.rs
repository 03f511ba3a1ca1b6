//! The state of Bud: blocks in SQLite, and a journal (document 3's original).
//!
//! The path is the folder of the state, or one of its two files.

use serde_json::{Map, Value};

use super::fields::{filled, id};
use super::sniff;
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Item, Message, Place, ToolCall, digest};
use crate::source::{About, Route, Sink, Source};

const DATABASE: &str = "memory.db";
const JOURNAL: &str = "journal.jsonl";
const TABLE: &str = "memory_blocks";
/// The number of the identity layer before and since Bud of 3 January 2026.
const IDENTITY: [i64; 2] = [2, 1];
/// Types of lines that memtape derives from other entries, so that they cannot be written: they get a prefix.
const DERIVED: [&str; 13] = [
    "trigger",
    "message_sent",
    "system",
    "message",
    "insight",
    "focus_change",
    "session_start",
    "reset",
    "handoff",
    "event",
    "merge",
    "undo",
    "tool_use",
];

/// Bud.
pub(crate) struct Bud;

impl Source for Bud {
    fn about(&self) -> &'static About {
        &About {
            name: "bud",
            reads: "the state of Bud (memory.db, journal.jsonl)",
            versions: "vthunder/bud of December 2025 and January 2026, commits 23a2748 to 112a653 (layers 2 to 4, and 1 to 3)",
            routes: &[
                Route {
                    item: "a row of memory_blocks",
                    form: "block, a version; in the identity layer a proposal for the owner to approve",
                },
                Route { item: "journal: trigger of a message, message_sent", form: "messages" },
                Route { item: "journal: tool_use", form: "messages, a tool call" },
                Route { item: "journal: block_update", form: "nothing: the versions of the block say it" },
                Route {
                    item: "journal: any other type",
                    form: "journal, the same type; with the prefix bud_ if memtape derives the type itself",
                },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let mut files = Vec::new();
        for entry in input.list("")? {
            let is_only = input.only_file().is_some();
            let is_database = (is_only && !entry.name.ends_with(".jsonl")) || entry.name == DATABASE;
            let is_ours = if is_database {
                // One that is damaged is reported when it is read.
                input.sqlite(&entry.path).map_or(true, |database| !database.columns(TABLE).is_empty())
            } else {
                (is_only || entry.name == JOURNAL) && sniff::line(input, &entry.path, is_line)
            };
            if is_ours {
                files.push(entry.path);
            }
        }
        // Blocks first: what is always before the agent.
        files.sort_by_key(|file| file.ends_with(".jsonl"));
        Ok(files)
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        Ok(self.files(input)?.iter().any(|file| file.ends_with(".jsonl") || input.sqlite(file).is_ok()))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        for file in self.files(input)? {
            match file.ends_with(".jsonl") {
                true => journal(input, &file, sink)?,
                false => blocks(input, &file, sink)?,
            }
        }
        Ok(())
    }
}

fn is_line(line: &Map<String, Value>) -> bool {
    // The lines of memtape's own journal name their entry.
    filled(line, "ts").is_some() && filled(line, "type").is_some() && !line.contains_key("entry")
}

fn blocks(input: &Input, file: &str, sink: &mut dyn Sink) -> Result<()> {
    let Some(database) = input.sqlite_or_skip(file, sink) else { return Ok(()) };
    let mut lowest = IDENTITY[0];
    database.for_rows(TABLE, &["layer"], "id", &mut sniff::Nowhere, &mut |row, _| {
        lowest = lowest.min(row.integer("layer").unwrap_or(IDENTITY[0]));
        Ok(())
    })?;
    // The numbers of the layers moved by one.
    let shift = IDENTITY[0] - lowest.clamp(IDENTITY[1], IDENTITY[0]);
    let columns = ["id", "name", "value", "layer", "created_at"];
    database.for_rows(TABLE, &columns, "id", sink, &mut |row, sink| {
        let place = row.place.clone();
        let (Some(number), Some(name)) = (row.integer("id"), row.filled("name")) else {
            sink.skip(place, "it has no id or no name");
            return Ok(());
        };
        let Some(value) = row.filled("value") else {
            let what = if row.is_no_text("value") { "is not a text" } else { "is empty there" };
            sink.skip(place, &format!("block {name} {what}"));
            return Ok(());
        };
        let layer = row.integer("layer").map(|layer| (layer + shift).clamp(2, 4));
        let layer = layer.and_then(|layer| u8::try_from(layer).ok());
        let created_at = row.text("created_at").unwrap_or_default();
        // SQLite's datetime('now') is UTC and does not say so.
        let said_at = input.instant(&format!("{}Z", created_at.replacen(' ', "T", 1)));
        let id = format!("{TABLE}/{name}@{number}/{created_at}");
        let content = Content::Block { name: name.to_owned(), value: value.to_owned(), layer, said_at };
        sink.item(Item { id, place, content })
    })
}

fn journal(input: &Input, file: &str, sink: &mut dyn Sink) -> Result<()> {
    input.for_json_lines(file, sink, &mut |number, line, sink| {
        let place = Place::line(file, number);
        let [ts, kind] = ["ts", "type"].map(|name| filled(&line, name).map(str::to_owned));
        let (Some(ts), Some(kind)) = (ts, kind) else {
            sink.skip(place, "it has no ts or no type");
            return Ok(());
        };
        let said_at = input.instant(&ts);
        let digest = digest(&Value::Object(line.clone()).to_string());
        let item = |content| Item { id: format!("journal/{ts}/{digest}"), place, content };
        let text = filled(&line, "content").or_else(|| filled(&line, "preview")).map(str::to_owned);
        let is_message =
            !matches!(filled(&line, "trigger_type"), Some("perch" | "cron" | "job" | "scheduled"));
        let message = |role: &str, name: Option<String>, text| {
            Content::Message(Message { role: role.into(), text, name, said_at, ..Message::default() })
        };
        let content = match (kind.as_str(), text) {
            ("block_update", _) => return Ok(()),
            ("trigger", Some(text)) if is_message => message("user", id(&line, "from"), text),
            ("message_sent", Some(text)) => message("assistant", None, text),
            ("tool_use", _) if filled(&line, "tool").is_some() => {
                let name = filled(&line, "tool").unwrap_or_default().to_owned();
                let rest = line.iter().filter(|(name, _)| !matches!(name.as_str(), "ts" | "type" | "tool"));
                let arguments =
                    Value::Object(rest.map(|(name, value)| (name.clone(), value.clone())).collect());
                let calls = vec![ToolCall { name, arguments, result: None }];
                Content::ToolCalls { session: None, calls, said_at }
            }
            _ => {
                let is_derived = DERIVED.contains(&kind.as_str());
                let kind = if is_derived { format!("bud_{kind}") } else { kind };
                let data = line.into_iter().filter(|(name, _)| name != "type").collect();
                Content::Journal { kind, data, session: None, said_at }
            }
        };
        sink.item(item(content))
    })
}
