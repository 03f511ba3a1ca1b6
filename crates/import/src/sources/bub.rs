//! Tapes of Bub: conversations, and the memory zone of those that have one.
//!
//! The path is a tape, the folder `tapes`, or `~/.bub`. A tape that was archived has the same entries as before, under
//! another file name: an entry is identified by its tape, its number and its content, not by its file.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use memtape::bulk::TapeEntry;
use memtape::{SESSION_START, Session, calendar, lenient_json};
use serde_json::{Map, Value};

use super::fields::{filled, text_of};
use super::sniff;
use crate::error::Result;
use crate::input::{Input, Limits};
use crate::item::{Content, Item, Line, Message, Place, ToolCall, digest, label};
use crate::markdown;
use crate::source::{About, Route, Sink, Source};

const NAME: &str = "bub";
/// The folder of the tapes in `~/.bub`.
const TAPES: &str = "tapes";
/// The part of a file name that marks what Bub keeps beside a tape.
const SIDECAR: &str = "__sidecar__";
/// Maximum number of zones that are open at once: each belongs to a writer that did not finish.
const OPEN_ZONES: usize = 8;

/// Bub.
pub(crate) struct Bub;

impl Source for Bub {
    fn about(&self) -> &'static About {
        &About {
            name: NAME,
            reads: "tapes of Bub (HASH__NAME.jsonl)",
            versions: "Bub of February to August 2026 (republic 0.3 to 0.5): entries without a date, with timestamp, with date",
            routes: &[
                Route { item: "message", form: "messages, in the conversation bub:NAME of the tape" },
                Route { item: "tool_call and tool_result", form: "messages, tool calls with their results" },
                Route { item: "system, anchor, event", form: "tape, the same entry" },
                Route { item: "error", form: "journal, type error" },
                Route {
                    item: "memory.long_term of the zone",
                    form: "zone, a long-term line for each line, of the highest complete version",
                },
                Route { item: "memory.daily of the zone", form: "zone, daily note of that day" },
                Route {
                    item: "anchors and events of the zone, handoff events",
                    form: "nothing: they are bookkeeping",
                },
            ],
        }
    }

    fn names_owners(&self) -> bool {
        true
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let mut files = Vec::new();
        for folder in ["", TAPES] {
            for entry in input.list(folder)? {
                let is_only = input.only_file().is_some();
                if (is_only || is_tape(&entry.name)) && sniff::line(input, &entry.path, is_entry) {
                    files.push(entry.path);
                }
            }
        }
        // Archives come before the tape that continues them.
        files.sort_by_key(|file| (tape_of(file).to_owned(), file.ends_with(".jsonl"), file.clone()));
        Ok(files)
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        for files in self.files(input)?.chunk_by(|one, other| tape_of(one) == tape_of(other)) {
            let mut last = None;
            for file in files {
                let mut tape = Tape::new(input, file);
                tape.read(sink)?;
                last = if tape.zone.is_some() { Some(tape) } else { last };
            }
            // The zone of an archive has become that of the tape that continues it.
            last.map_or(Ok(()), |tape| tape.read_zone(sink))?;
        }
        Ok(())
    }
}

/// Returns whether a file of this name is a tape, not a fork of one or a sidecar.
fn is_tape(name: &str) -> bool {
    let is_file = name.ends_with(".jsonl") || name.contains(".jsonl.") && name.ends_with(".bak");
    is_file && !name.contains(SIDECAR) && tape_of(name).matches("__").count() == 1
}

/// Returns the name of a file without the ending, also of an archive.
fn tape_of(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split(".jsonl").next().unwrap_or(name)
}

fn is_entry(line: &Map<String, Value>) -> bool {
    let has = |name: &str, is_it: fn(&Value) -> bool| line.get(name).is_some_and(is_it);
    // A tape of memtape has hashes.
    has("id", Value::is_u64)
        && has("kind", Value::is_string)
        && has("payload", Value::is_object)
        && !line.contains_key("hash")
}

/// A tape that is read.
struct Tape<'t> {
    input: &'t Input,
    file: &'t str,
    name: String,
    session: String,
    /// Calls whose results may follow.
    calls: Option<(Item, usize)>,
    /// The zones that were opened and not sealed, by version.
    open: BTreeMap<u64, Zone>,
    /// The zone with the highest version that is complete.
    zone: Option<(u64, Zone)>,
}

/// The content of a zone.
#[derive(Clone, Default)]
struct Zone {
    long_term: Vec<(String, Option<Timestamp>)>,
    daily: Vec<(String, String)>,
    /// The length of all of it. One that is too long is not kept.
    bytes: u64,
}

impl Zone {
    /// Adds to the length, and returns whether the zone is not too long.
    fn has_room(&mut self, text: &str, limits: &Limits) -> bool {
        // Something for each text, also an empty one.
        self.bytes += text.len() as u64 + 64;
        let has_room = self.bytes <= limits.text_bytes;
        if !has_room {
            (self.long_term, self.daily) = Default::default();
        }
        has_room
    }
}

impl<'t> Tape<'t> {
    fn new(input: &'t Input, file: &'t str) -> Self {
        let name = tape_of(file).to_owned();
        // HASH__bub%3AID in February, HASH__ID later.
        let chat = name.split_once("__").map_or(name.as_str(), |(_, chat)| chat);
        let chat = chat.strip_prefix("bub%3A").unwrap_or(chat);
        // A name that is percent-encoded stays as it is.
        let encoded = Session::parse(&format!("{NAME}:{chat}")).ok().filter(|_| !chat.contains(':'));
        let session = encoded.map_or_else(|| label(NAME, chat), |session| session.to_string());
        Self { input, file, name, session, calls: None, open: BTreeMap::new(), zone: None }
    }

    fn read(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let (input, file) = (self.input, self.file);
        input.for_json_lines(file, sink, &mut |number, line, sink| {
            let place = Place::line(file, number);
            match self.entry(&line, &place, sink)? {
                None => Ok(()),
                Some(why) => {
                    sink.unreadable(place, why);
                    Ok(())
                }
            }
        })?;
        self.end_calls(sink)
    }

    /// Yields the zone.
    fn read_zone(self, sink: &mut dyn Sink) -> Result<()> {
        let (name, file) = (self.name, self.file);
        let Some((_, zone)) = self.zone else { return Ok(()) };
        if zone.bytes > self.input.limits().text_bytes {
            sink.unreadable(Place::file(file), "its zone is too long");
            return Ok(());
        }
        let of = |(text, said_at): (String, _)| markdown::long_term(&text, said_at, |_| false);
        let lines = zone.long_term.into_iter().flat_map(of).collect();
        markdown::lines(&format!("{name}/long-term"), Place::file(file), None, lines, sink)?;
        let mut days: BTreeMap<Date, Vec<Line>> = BTreeMap::new();
        for (date, text) in zone.daily {
            match calendar::parse_day(&date) {
                Ok(day) => days.entry(day).or_default().extend(markdown::daily(day, &text)),
                Err(_) => sink.skip(Place::file(file), &format!("a daily note has the date {date:?}")),
            }
        }
        for (day, pieces) in days {
            markdown::lines(&format!("{name}/{day}"), Place::file(file), Some(day), pieces, sink)?;
        }
        Ok(())
    }

    /// Reads an entry, and returns why it is left out, if it is.
    fn entry(
        &mut self,
        line: &Map<String, Value>,
        place: &Place,
        sink: &mut dyn Sink,
    ) -> Result<Option<&'static str>> {
        let id = line.get("id").and_then(Value::as_u64);
        let kind = line.get("kind").and_then(Value::as_str);
        let payload = line.get("payload").and_then(Value::as_object);
        let (Some(id), Some(kind), Some(payload)) = (id, kind, payload) else {
            return Ok(Some("it is no entry: id, kind or payload is missing or of another type"));
        };
        let said_at = self.input.instant_of(line.get("date").or_else(|| line.get("timestamp")));
        let content = serde_json::to_string(payload).unwrap_or_default();
        let id = format!("{}/{id}/{kind}/{}", self.name, digest(&content));
        let item = |content| Item { id: id.clone(), place: place.clone(), content };
        if kind == "tool_result" {
            return self.results(payload, sink);
        }
        self.end_calls(sink)?;
        let session = Some(self.session.clone());
        let name = filled(payload, "name").unwrap_or_default().to_owned();
        let content = match kind {
            "message" => return self.message(payload, &id, place, said_at, sink),
            "tool_call" => {
                let calls = calls(payload.get("calls"));
                if calls.is_empty() {
                    return Ok(Some("it has no tool calls"));
                }
                self.calls = Some((item(Content::ToolCalls { session, calls, said_at }), 0));
                return Ok(None);
            }
            "system" => {
                let content = text_of(payload.get("content"), &["text"]);
                if content.is_empty() {
                    return Ok(Some("it is empty"));
                }
                Content::Entry { entry: TapeEntry::System { content }, session, said_at }
            }
            "error" => {
                let mut data = payload.clone();
                // The journal calls it by the name of its type.
                if let Some(message) = data.shift_remove("message") {
                    data.insert("error".into(), message);
                }
                Content::Journal { kind: "error".into(), data, session, said_at }
            }
            "anchor" | "event" if self.zone_entry(kind, &name, payload) => return Ok(None),
            // The conversation begins by itself, and the anchor of a handoff says all that its event says.
            "anchor" if name == SESSION_START => return Ok(None),
            "event" if name == "handoff" => return Ok(None),
            "anchor" => {
                let entry = TapeEntry::Anchor { name, state: payload.get("state").cloned() };
                Content::Entry { entry, session, said_at }
            }
            "event" => {
                let entry = TapeEntry::Event { name, data: payload.get("data").cloned() };
                Content::Entry { entry, session, said_at }
            }
            _ => return Ok(Some("its kind is not known")),
        };
        sink.item(item(content))?;
        Ok(None)
    }

    fn message(
        &mut self,
        payload: &Map<String, Value>,
        id: &str,
        place: &Place,
        said_at: Option<Timestamp>,
        sink: &mut dyn Sink,
    ) -> Result<Option<&'static str>> {
        let Some(role) = filled(payload, "role") else { return Ok(Some("it has no role")) };
        let text = text_of(payload.get("content"), &["text", "input_text", "output_text"]);
        let calls = calls(payload.get("tool_calls"));
        if text.is_empty() && calls.is_empty() {
            return Ok(Some("it is empty"));
        }
        let session = Some(self.session.clone());
        if !text.is_empty() {
            let name = filled(payload, "name").map(str::to_owned);
            let message =
                Message { session: session.clone(), user: None, role: role.to_owned(), text, name, said_at };
            sink.item(Item { id: id.to_owned(), place: place.clone(), content: Content::Message(message) })?;
        }
        if !calls.is_empty() {
            let content = Content::ToolCalls { session, calls, said_at };
            sink.item(Item { id: format!("{id}/calls"), place: place.clone(), content })?;
        }
        Ok(None)
    }

    /// Adds results to the open calls, in their order.
    fn results(&mut self, payload: &Map<String, Value>, sink: &mut dyn Sink) -> Result<Option<&'static str>> {
        let results = payload.get("results").and_then(Value::as_array);
        let (Some((item, answered)), Some(results)) = (&mut self.calls, results) else {
            return Ok(Some("it is the result of no tool call"));
        };
        let limit = self.input.limits().line_bytes;
        let mut bytes = item.content.bytes();
        let Content::ToolCalls { calls, .. } = &mut item.content else { return Ok(None) };
        for result in results {
            let Some(call) = calls.get_mut(*answered) else { break };
            let text = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
            bytes += text.len();
            if bytes > limit {
                self.end_calls(sink)?;
                return Ok(Some("the results of its tool calls are too long together"));
            }
            call.result = Some(text);
            *answered += 1;
        }
        if *answered >= calls.len() {
            self.end_calls(sink)?;
        }
        Ok(None)
    }

    fn end_calls(&mut self, sink: &mut dyn Sink) -> Result<()> {
        self.calls.take().map_or(Ok(()), |(item, _)| sink.item(item))
    }

    /// Takes an anchor or an event of the zone; `false` if it is another one.
    fn zone_entry(&mut self, kind: &str, name: &str, payload: &Map<String, Value>) -> bool {
        let version = || payload.get("state")?.get("version")?.as_u64().filter(|version| *version > 0);
        let data = payload.get("data").and_then(Value::as_object);
        let text = |name: &str| data.and_then(|data| filled(data, name)).unwrap_or_default().to_owned();
        match (kind, name) {
            ("anchor", "memory/open") => {
                if let Some(version) = version() {
                    self.open.insert(version, Zone::default());
                    while self.open.len() > OPEN_ZONES {
                        self.open.pop_first();
                    }
                }
            }
            ("anchor", "memory/seal") => {
                if let Some(version) = version()
                    && let Some(zone) = self.open.remove(&version)
                    // Of two writers with the same version, the first counts.
                    && self.zone.as_ref().is_none_or(|(highest, _)| version > *highest)
                {
                    self.zone = Some((version, zone));
                }
            }
            ("event", "memory.long_term") => {
                let updated_at = self.input.instant(&text("updated_at"));
                let content = text("content");
                for zone in self.open.values_mut() {
                    if zone.has_room(&content, self.input.limits()) {
                        zone.long_term.push((content.clone(), updated_at));
                    }
                }
            }
            ("event", "memory.daily") => {
                let (date, content) = (text("date"), text("content"));
                for zone in self.open.values_mut() {
                    if zone.has_room(&date, self.input.limits())
                        && zone.has_room(&content, self.input.limits())
                    {
                        zone.daily.push((date.clone(), content.clone()));
                    }
                }
            }
            _ => return false,
        }
        true
    }
}

/// Returns the tool calls of a list: `{"function":{"name","arguments"}}` or `{"name","arguments"}`.
fn calls(list: Option<&Value>) -> Vec<ToolCall> {
    let call = |call: &Value| {
        let function = call.get("function").unwrap_or(call);
        let arguments = match function.get("arguments") {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(Value::String(text)) => lenient_json::from_str(text).unwrap_or_else(|_| text.clone().into()),
            Some(arguments) => arguments.clone(),
        };
        let name = function.get("name")?.as_str()?.to_owned();
        Some(ToolCall { name, arguments, result: None })
    };
    list.and_then(Value::as_array).into_iter().flatten().filter_map(call).collect()
}
