//! Agent files (`.af`) of Letta: the memory blocks and the messages of agents, and the files that they may open.
//!
//! The ids in an agent file are made for that file, so items are known by what they contain. Secrets, the system
//! prompt, tools and the settings of models are never read. The passages of archival memory are in no agent file.

use std::collections::{HashMap, HashSet};
use std::mem;

use memtape::lenient_json;
use serde_json::{Map, Value};

use super::fields::{counted, filled, objects, text_of, typed_of};
use super::{names, sniff};
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Item, Message, Place, digest, label};
use crate::markdown::Repeated;
use crate::source::{About, Route, Sink, Source};

const CHANNEL: &str = "letta";
/// The tool by which the older kinds of agents reply.
const SEND_MESSAGE: &str = "send_message";
/// The kinds of agents whose text beside a tool call is a thought, which nobody was shown.
const THINKING: [&str; 2] = ["memgpt_agent", "memgpt_v2_agent"];
/// Maximum length of the name of a block.
const NAME_CHARS: usize = 64;

/// Letta's agent file.
pub(crate) struct Letta;

impl Source for Letta {
    fn about(&self) -> &'static About {
        &About {
            name: "letta",
            reads: "agent files of Letta (.af)",
            versions: "agent files of Letta of 2025 and 2026: those of one agent (Letta 0.6.47), and those of several with shared blocks",
            routes: &[
                Route { item: "block persona", form: "block persona, layer 2" },
                Route { item: "block human", form: "block human, layer 3" },
                Route { item: "any other block", form: "block LABEL" },
                Route {
                    item: "message of a person or the agent",
                    form: "message of the conversation letta:AGENT",
                },
                Route { item: "text of an attached file", form: "file research/NAME" },
                Route { item: "system prompt, tool, secret, setting, heartbeat", form: "left out" },
            ],
        }
    }

    fn names_owners(&self) -> bool {
        true
    }

    fn repeats_documents(&self) -> bool {
        true
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        if let Some(file) = input.only_file() {
            return Ok(vec![file.to_owned()]);
        }
        let listed = input.list("")?.into_iter().map(|entry| entry.name);
        let mut files: Vec<_> = listed.filter(|name| name.ends_with(".af")).collect();
        // Of two exports of an agent, the later one counts.
        files.sort_by_cached_key(|file| input.changed_at(file));
        Ok(files)
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        Ok(self.files(input)?.iter().any(|file| sniff::element(input, file, &["agents"], is_agent)))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        for file in self.files(input)? {
            AgentFile {
                input,
                file: &file,
                owners: HashMap::new(),
                blocks: HashSet::new(),
                names: HashSet::new(),
                sources: HashMap::new(),
                paths: names::Taken::default(),
            }
            .read(sink)?;
        }
        Ok(())
    }
}

fn is_agent(agent: &Map<String, Value>) -> bool {
    agent.contains_key("agent_type") && agent.contains_key("system")
}

/// A sink that takes one report of what is wrong with the file as a whole.
struct Once<'s> {
    sink: &'s mut dyn Sink,
    is_reported: bool,
}

impl Sink for Once<'_> {
    fn item(&mut self, item: Item) -> Result<()> {
        self.sink.item(item)
    }

    fn skip_several(&mut self, place: Place, number: u64, why: &str) {
        self.sink.skip_several(place, number, why);
    }

    fn is_known(&self, id: &str) -> bool {
        self.sink.is_known(id)
    }

    fn unreadable(&mut self, place: Place, why: &str) {
        if place.number.is_some() || !mem::replace(&mut self.is_reported, true) {
            self.sink.unreadable(place, why);
        }
    }
}

/// The reading of an agent file.
struct AgentFile<'f> {
    input: &'f Input,
    file: &'f str,
    /// The name of the first agent that has a block or a source of files, by the id of that.
    owners: HashMap<String, String>,
    /// The blocks so far, each with whose it is.
    blocks: HashSet<String>,
    /// The names of the blocks so far.
    names: HashSet<String>,
    /// The name of each source of files, by its id.
    sources: HashMap<String, String>,
    /// The paths of the files so far.
    paths: names::Taken,
}

impl AgentFile<'_> {
    fn read(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let (input, file) = (self.input, self.file);
        // The file is read several times.
        let sink = &mut Once { sink, is_reported: false };
        input.for_json_items(file, &["agents"], sink, &mut |number, value, sink| {
            let place = Place::line(file, number);
            match value.as_object().filter(|agent| is_agent(agent)) {
                Some(agent) => self.agent(agent, &place, sink),
                None => {
                    sink.unreadable(place, "it is not an agent");
                    Ok(())
                }
            }
        })?;
        input.for_json_lists(
            file,
            &["blocks"],
            sink,
            &mut |number, value, sink| match value.as_object() {
                Some(block) => self.block(block, None, &Place::line(file, number), sink),
                None => Ok(()),
            },
        )?;
        input.for_json_lists(file, &["sources"], sink, &mut |_, value, _| {
            let source = value.as_object();
            self.sources.extend(source.and_then(|source| {
                Some((filled(source, "id")?.to_owned(), filled(source, "name")?.to_owned()))
            }));
            Ok(())
        })?;
        input.for_json_lists(file, &["files"], sink, &mut |number, value, sink| match value.as_object() {
            Some(attached) => self.attached(attached, &Place::line(file, number), sink),
            None => Ok(()),
        })
    }

    fn agent(&mut self, agent: &Map<String, Value>, place: &Place, sink: &mut dyn Sink) -> Result<()> {
        let name = filled(agent, "name").unwrap_or("agent");
        let ids = ["block_ids", "source_ids"].map(|ids| agent.get(ids).and_then(Value::as_array));
        for id in ids.into_iter().flatten().flatten().filter_map(Value::as_str) {
            self.owners.entry(id.to_owned()).or_insert_with(|| name.to_owned());
        }
        for block in objects(agent, "core_memory").chain(objects(agent, "memory_blocks")) {
            self.block(block, Some(name), place, sink)?;
        }
        let session = label(CHANNEL, name);
        let kind = filled(agent, "agent_type").unwrap_or_default();
        let mut left_out = 0;
        let mut repeated = Repeated::default();
        for message in objects(agent, "messages") {
            let Some((role, text)) = spoken(message, kind) else {
                left_out += 1;
                continue;
            };
            let said_at = self.input.instant_of(message.get("created_at"));
            let at = said_at.map(|at| at.to_string()).unwrap_or_default();
            let id = format!("{session}/{at}/{role}/{}", digest(&text));
            let nth = repeated.nth(&id);
            let id = if nth > 1 { format!("{id}~{nth}") } else { id };
            let message = Message {
                session: Some(session.clone()),
                user: (role == "user").then(|| "owner".to_owned()),
                role: role.to_owned(),
                text,
                name: filled(message, "name").map(str::to_owned),
                said_at,
            };
            sink.item(Item { id, place: place.clone(), content: Content::Message(message) })?;
        }
        if left_out > 0 {
            let what = counted(left_out, "message", "messages");
            sink.skip_several(
                place.clone(),
                left_out,
                &format!("{what} of the system, of tools, or of thoughts"),
            );
        }
        Ok(())
    }

    /// Returns whose something is that is not within an agent: an agent's, or the file's.
    fn owner(&self, id: Option<&str>) -> String {
        let agent = id.and_then(|id| self.owners.get(id));
        agent.map_or_else(|| format!("{}/{}", self.input.folder(), self.file), |agent| label(CHANNEL, agent))
    }

    fn block(
        &mut self,
        block: &Map<String, Value>,
        agent: Option<&str>,
        place: &Place,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let (Some(title), Some(value)) = (filled(block, "label"), filled(block, "value")) else {
            sink.skip(place.clone(), "the block has no label, or no value");
            return Ok(());
        };
        let Some(name) = block_name(title) else {
            sink.skip(place.clone(), "the label of the block has no letter from a to z");
            return Ok(());
        };
        let id = filled(block, "id");
        let whose = agent.map_or_else(|| self.owner(id), |agent| label(CHANNEL, agent));
        let owner = id.and_then(|id| self.owners.get(id));
        // The order of the agents decides the name of a block, and neither its id nor its layer.
        let (document, layer) = (format!("{whose}/block/{name}"), layer(&name));
        // Several agents of one file may each have a block of this name.
        let name = match (self.blocks.insert(document.clone()), self.names.insert(name.clone()), owner) {
            (true, true, _) => name,
            (true, false, Some(owner)) => block_name(&format!("{name}.{owner}")).unwrap_or(name),
            (false, ..) | (_, false, None) => {
                sink.skip(place.clone(), "there is another block with this label");
                return Ok(());
            }
        };
        let id = format!("{document}@{}", digest(value));
        let said_at = self.input.instant_of(block.get("updated_at"));
        let content = Content::Block { name, value: value.trim().to_owned(), layer, said_at };
        sink.item(Item { id, place: place.clone(), content })
    }

    fn attached(&mut self, attached: &Map<String, Value>, place: &Place, sink: &mut dyn Sink) -> Result<()> {
        let name = filled(attached, "original_file_name").or_else(|| filled(attached, "file_name"));
        let (Some(name), Some(text)) = (name, filled(attached, "content")) else {
            sink.skip(place.clone(), "the file has no name, or its text is not in the agent file");
            return Ok(());
        };
        // Each source of files may have a file of this name.
        let source = filled(attached, "source_id");
        let whose = self.owner(source);
        let source = source.and_then(|id| self.sources.get(id)).map_or("", String::as_str);
        let file = format!("{source}/{name}");
        let path = self.paths.file("research", name, &file);
        let id = format!("{whose}/file/{file}@{}", digest(text));
        sink.item(Item { id, place: place.clone(), content: Content::File { path, text: text.to_owned() } })
    }
}

/// Returns the role and the words of a message that a person or the agent said to the other.
fn spoken(message: &Map<String, Value>, kind: &str) -> Option<(&'static str, String)> {
    let content = message.get("content");
    let (role, text) = match filled(message, "role")? {
        "user" => ("user", unpacked(typed_of(content, &["text"]))?),
        "assistant" => {
            let sent: Vec<_> = objects(message, "tool_calls").filter_map(sent).collect();
            let is_thought = THINKING.contains(&kind);
            let said = if is_thought { String::new() } else { text_of(content, &["text"]) };
            ("assistant", if sent.is_empty() { said } else { sent.join("\n\n") })
        }
        _ => return None,
    };
    (!text.is_empty()).then_some((role, text))
}

/// Returns what a person wrote. Older agents receive it in a JSON object, as they do heartbeats and other events.
fn unpacked(text: String) -> Option<String> {
    let Ok(Value::Object(packed)) = lenient_json::from_str(&text) else { return Some(text) };
    match filled(&packed, "type") {
        Some("user_message") => filled(&packed, "message").map(|text| text.trim().to_owned()),
        Some("heartbeat" | "login" | "system_alert" | "package_message") => None,
        _ => Some(text),
    }
}

/// Returns the text of a call of [`SEND_MESSAGE`].
fn sent(call: &Map<String, Value>) -> Option<String> {
    let function = call.get("function")?.as_object()?;
    if filled(function, "name") != Some(SEND_MESSAGE) {
        return None;
    }
    let arguments: Value = lenient_json::from_str(filled(function, "arguments")?).ok()?;
    filled(arguments.as_object()?, "message").map(|text| text.trim().to_owned())
}

/// Returns the name of a block for a label; `None` if the label has no letter that a name may begin with.
fn block_name(label: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.');
    let name: String = label.trim().to_lowercase().chars().map(|c| if fits(c) { c } else { '_' }).collect();
    let words: Vec<_> = name.split('_').filter(|word| !word.is_empty()).collect();
    let name = words.join("_");
    let name = &name[name.find(|c: char| c.is_ascii_lowercase())?..];
    Some(name.chars().take(NAME_CHARS).collect())
}

fn layer(name: &str) -> Option<u8> {
    match name {
        "persona" => Some(2),
        "human" => Some(3),
        _ => None,
    }
}
