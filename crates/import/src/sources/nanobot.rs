//! The workspace of nanobot, in its three generations.
//!
//! The path is the workspace, its folder `memory`, or `~/.nanobot`, whose `workspace` is then read.

use jiff::Timestamp;
use memtape::calendar;
use serde_json::{Map, Value};

use super::fields::filled;
use super::sniff;
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Item, ItemScope, Place, digest, label};
use crate::markdown;
use crate::source::{About, Route, Sink, Source};

/// The history of the second generation, and its name after the third has read it.
const HISTORIES: [&str; 2] = ["HISTORY.md", "HISTORY.md.bak"];
/// The history of the third generation.
const HISTORY_LINES: &str = "history.jsonl";
const LONG_TERM: &str = "MEMORY.md";
/// The texts of the third generation that become blocks.
const BLOCKS: [(&str, &str, u8); 2] = [("SOUL.md", "persona", 2), ("USER.md", "owner_context", 3)];
/// What the template of `MEMORY.md` says.
const TEMPLATE: [&str; 7] = [
    "This file stores important information that should persist across sessions.",
    "*This file is automatically updated by nanobot when important information should be remembered.*",
    "---",
    "(Important facts about the user)",
    "(User preferences learned over time)",
    "(Information about ongoing projects)",
    "(Things to remember)",
];
/// How the list of facts begins that an export of facts contains as `MEMORY.md`.
const FACTS: &str = "# Memory Export\n\nExported at ";

/// Nanobot.
pub(crate) struct Nanobot;

impl Source for Nanobot {
    fn about(&self) -> &'static About {
        &About {
            name: "nanobot",
            reads: "a nanobot workspace (memory/MEMORY.md, HISTORY.md, history.jsonl)",
            versions: "nanobot of January 2026 (daily files), of February 2026 (HISTORY.md), of April 2026 (history.jsonl)",
            routes: &[
                Route {
                    item: "memory/MEMORY.md, without the placeholders of its template",
                    form: "zone, a long-term line for each line",
                },
                Route { item: "memory/YYYY-MM-DD.md", form: "zone, daily note of that day" },
                Route { item: "an entry of memory/HISTORY.md", form: "zone, daily note of the entry's day" },
                Route {
                    item: "a line of memory/history.jsonl",
                    form: "zone, daily note of the line's day, of its chat if it names one; if that day is past \
                       zone.retention_days, an episodic statement of the chat",
                },
                Route { item: "SOUL.md", form: "block persona, layer 2" },
                Route { item: "USER.md", form: "block owner_context, layer 3" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let at = At::of(input);
        let mut files: Vec<String> = BLOCKS
            .iter()
            .map(|(name, ..)| format!("{}{name}", at.root))
            .filter(|file| input.has_file_or_link(file))
            .collect();
        files.extend(at.memory_files(input)?);
        Ok(files)
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        let at = At::of(input);
        let has = |name: &str| input.has_file(&format!("{}{name}", at.memory));
        let is_line =
            |line: &Map<String, Value>| line.contains_key("cursor") && filled(line, "content").is_some();
        let lines = format!("{}{HISTORY_LINES}", at.memory);
        let is_its_own = HISTORIES.iter().any(|name| has(name))
            || has(HISTORY_LINES) && sniff::line(input, &lines, is_line);
        // The name MEMORY.md is common; in a folder memory beside an agent's files it is nanobot's.
        let is_inside = !at.root.is_empty() || !at.memory.is_empty();
        Ok(is_its_own || has(LONG_TERM) && is_inside)
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let at = At::of(input);
        for (name, block, layer) in BLOCKS {
            let file = format!("{}{name}", at.root);
            if !input.has_file_or_link(&file) {
                continue;
            }
            let Some(text) = input.text_or_skip(&file, sink) else { continue };
            let value = text.trim().to_owned();
            let id = format!("{file}@{}", digest(&value));
            let content = Content::Block { name: block.into(), value, layer: Some(layer), said_at: None };
            sink.item(Item { id, place: Place::file(&file), content })?;
        }
        for file in at.memory_files(input)? {
            read_memory_file(input, &file, sink)?;
        }
        let has = |name: &str| input.has_file(&format!("{}{name}", at.memory));
        if has(HISTORY_LINES) && has(HISTORIES[0]) {
            let file = format!("{}{}", at.memory, HISTORIES[0]);
            sink.skip(Place::file(&file), "history.jsonl has taken its place");
        }
        Ok(())
    }
}

/// Where the workspace and its memory are, each with a `/` at the end unless it is the imported path.
pub(super) struct At {
    root: String,
    /// The folder of the memory.
    pub(super) memory: String,
}

impl At {
    /// Finds the memory below a path.
    pub(super) fn of(input: &Input) -> Self {
        let has_memory = |folder: &str| input.list(folder).is_ok_and(|entries| !entries.is_empty());
        for root in ["", "workspace/"] {
            let memory = format!("{root}memory");
            if has_memory(&memory) {
                return Self { root: root.to_owned(), memory: format!("{memory}/") };
            }
        }
        Self { root: String::new(), memory: String::new() }
    }

    /// Returns the files of the memory, in the order of reading.
    pub(super) fn memory_files(&self, input: &Input) -> Result<Vec<String>> {
        let path = |name: &str| format!("{}{name}", self.memory);
        let mut files: Vec<String> =
            [path(LONG_TERM)].into_iter().filter(|file| input.has_file_or_link(file)).collect();
        let days = input.list(self.memory.trim_end_matches('/'))?;
        files
            .extend(days.into_iter().filter(|day| markdown::day_of(&day.path).is_some()).map(|day| day.path));
        // The third generation moved what the second wrote.
        let histories = [HISTORY_LINES].iter().chain(&HISTORIES).map(|name| path(name));
        files.extend(histories.filter(|file| input.has_file_or_link(file)).take(1));
        Ok(files)
    }
}

/// Reads a file of the memory.
pub(super) fn read_memory_file(input: &Input, file: &str, sink: &mut dyn Sink) -> Result<()> {
    let name = file.rsplit('/').next().unwrap_or(file);
    if name == HISTORY_LINES {
        return history_lines(input, file, sink);
    }
    let Some(text) = input.text_or_skip(file, sink) else { return Ok(()) };
    if let Some(day) = markdown::day_of(file) {
        return markdown::lines(file, Place::file(file), Some(day), markdown::daily(day, &text), sink);
    }
    if name == LONG_TERM && text.starts_with(FACTS) {
        sink.skip(Place::file(file), "it is a list of the facts, not long-term memory");
        return Ok(());
    }
    if name == LONG_TERM {
        let text = markdown::without_empty_sections(&text, is_template);
        let lines = markdown::long_term(&text, None, is_template);
        return markdown::lines(file, Place::file(file), None, lines, sink);
    }
    history(input, file, &text, sink)
}

/// Returns whether a line belongs to the template of `MEMORY.md`.
fn is_template(line: &str) -> bool {
    TEMPLATE.contains(&line.trim())
}

/// Reads `HISTORY.md`: entries that begin with `[YYYY-MM-DD HH:MM]` and end where the next one begins. A model writes
/// them, so there may be a day alone, or more behind the time.
fn history(input: &Input, file: &str, text: &str, sink: &mut dyn Sink) -> Result<()> {
    let mut entry: Option<(u64, Timestamp, String)> = None;
    let mut repeated = markdown::Repeated::default();
    for (n, line) in text.lines().enumerate() {
        let place = Place::line(file, n as u64 + 1);
        match (stamp(input, line), &mut entry) {
            (Some(said_at), _) => {
                end(file, entry.take(), input, &mut repeated, sink)?;
                entry = Some((n as u64 + 1, said_at, line.to_owned()));
            }
            (None, Some((_, _, text))) => {
                text.push('\n');
                text.push_str(line);
            }
            (None, None) if line.trim().is_empty() || line.starts_with('#') => {}
            (None, None) => sink.unreadable(place, "it is before the first entry with a date"),
        }
    }
    end(file, entry, input, &mut repeated, sink)
}

fn end(
    file: &str,
    entry: Option<(u64, Timestamp, String)>,
    input: &Input,
    repeated: &mut markdown::Repeated,
    sink: &mut dyn Sink,
) -> Result<()> {
    let Some((line, said_at, text)) = entry else { return Ok(()) };
    let text = text.trim_end().to_owned();
    let date = calendar::day(said_at, input.zone());
    let (id, nth) = history_id(&text, &ItemScope::Workspace, repeated);
    let content = Content::Daily { date, text, nth, said_at: Some(said_at), scope: ItemScope::Workspace };
    sink.item(Item { id, place: Place::line(file, line), content })
}

/// Returns the id of an entry of the history, and its number among the equal ones of its chat. The third generation took
/// over the entries of the second, so both have the same ids.
fn history_id(text: &str, scope: &ItemScope, repeated: &mut markdown::Repeated) -> (String, u32) {
    let chat = match scope {
        ItemScope::Chat(label) => label,
        ItemScope::Workspace | ItemScope::User(_) | ItemScope::Unknown => "",
    };
    let id = format!("history/{chat}/{}", digest(text));
    let nth = repeated.nth(&id);
    (format!("{id}~{nth}"), nth)
}

/// Reads the time at the beginning of an entry; of a day alone, its beginning.
fn stamp(input: &Input, line: &str) -> Option<Timestamp> {
    let (inner, _) = line.strip_prefix('[')?.split_once(']')?;
    let [day, minute] = ["YYYY-MM-DD", "YYYY-MM-DD HH:MM"].map(|form| inner.get(..form.len()));
    calendar::parse_day(day?).ok()?;
    [Some(inner), minute, day].into_iter().flatten().find_map(|text| input.instant(text))
}

/// Reads `history.jsonl`.
fn history_lines(input: &Input, file: &str, sink: &mut dyn Sink) -> Result<()> {
    let mut repeated = markdown::Repeated::default();
    input.for_json_lines(file, sink, &mut |number, line, sink| {
        let place = Place::line(file, number);
        let stamp = filled(&line, "timestamp").unwrap_or_default();
        let (Some(content), Some(said_at)) = (filled(&line, "content"), input.instant(stamp)) else {
            sink.unreadable(place, "it has no content, or no timestamp such as 2026-04-01 10:00");
            return Ok(());
        };
        let date = calendar::day(said_at, input.zone());
        // The entries of the second generation, which were taken over, begin with their time.
        let is_stamped = self::stamp(input, content).is_some();
        let text = if is_stamped { content.to_owned() } else { format!("[{stamp}] {content}") };
        let text = text.trim_end().to_owned();
        let scope = match line.get("session_key").unwrap_or(&Value::Null) {
            Value::Null => ItemScope::Workspace,
            // What names nobody must not become everybody's.
            key => match key.as_str().and_then(|key| key.split_once(':')) {
                Some((channel, chat)) => ItemScope::Chat(label(channel, chat)),
                None => {
                    sink.skip(place, "its session_key is not CHANNEL:CHAT");
                    return Ok(());
                }
            },
        };
        let (id, nth) = history_id(&text, &scope, &mut repeated);
        let content = Content::Daily { date, text, nth, said_at: Some(said_at), scope };
        sink.item(Item { id, place, content })
    })
}
