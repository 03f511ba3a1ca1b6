//! The export of chats from Claude: `conversations.json`, and `memories.json` with what Claude remembers of them.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::fields::{counted, filled, objects, text_of};
use super::openai_chat::{conversation_files, export_folder};
use super::{names, sniff};
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Item, Message, Place, digest, label};
use crate::source::{About, Route, Sink, Source};

const CHANNEL: &str = "claude";
/// The file of memories.
const MEMORIES: &str = "memories.json";

/// The file of projects.
const PROJECTS: &str = "projects.json";

/// Numbers of what is left out of a file.
#[derive(Default)]
struct Left {
    wordless: u64,
    abandoned: u64,
    attachments: u64,
}

impl Left {
    fn report(&self, file: &str, sink: &mut dyn Sink) {
        for (number, one, many) in [
            (self.wordless, "message without words", "messages without words"),
            (self.abandoned, "message on an abandoned path", "messages on abandoned paths"),
            (self.attachments, "attachment with its text", "attachments with their texts"),
        ] {
            if number > 0 {
                sink.skip_several(Place::file(file), number, &counted(number, one, many));
            }
        }
    }
}

/// The chats of Claude.
pub(crate) struct AnthropicChat;

impl Source for AnthropicChat {
    fn about(&self) -> &'static About {
        &About {
            name: "anthropic-chat",
            reads: "the data export of Claude, unpacked",
            versions: "exports of claude.ai from 2024 to 2026: messages with text alone, and with blocks; memories.json",
            routes: &[
                Route {
                    item: "message on the current path",
                    form: "message of the conversation claude:CONVERSATION",
                },
                Route { item: "message on an abandoned path", form: "left out" },
                Route { item: "memory of all conversations", form: "note facts/claude-memory.md" },
                Route { item: "memory of a project", form: "note facts/claude-memory-PROJECT.md" },
                Route { item: "thought, tool call, attachment, project, account", form: "left out" },
            ],
        }
    }

    fn names_owners(&self) -> bool {
        true
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let memories = beside_conversations(input, MEMORIES)?;
        Ok(memories.into_iter().chain(conversation_files(input)?).collect())
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        let is_conversation = |element: &Map<String, Value>| element.contains_key("chat_messages");
        let is_either = |element: &Map<String, Value>| {
            is_conversation(element) || element.contains_key("conversations_memory")
        };
        Ok(self.files(input)?.iter().any(|file| sniff::element(input, file, &[], is_either)))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let mut paths = names::Taken::default();
        for file in self.files(input)? {
            let mut left = Left::default();
            input.for_json_items(&file, &[], sink, &mut |number, value, sink| {
                let place = Place::line(&file, number);
                match value.as_object() {
                    Some(fields) if fields.contains_key("chat_messages") => {
                        read_conversation(input, fields, &place, &mut left, sink)
                    }
                    Some(fields) if fields.contains_key("conversations_memory") => {
                        read_memories(input, fields, &place, &mut paths, sink)
                    }
                    _ => {
                        sink.unreadable(place, "it is neither a conversation nor a memory");
                        Ok(())
                    }
                }
            })?;
            left.report(&file, sink);
        }
        if let Some(projects) = beside_conversations(input, PROJECTS)? {
            sink.skip(Place::file(&projects), "the instructions and documents of projects are not read");
        }
        Ok(())
    }
}

/// Returns the path of another file of the export, if it has one.
fn beside_conversations(input: &Input, name: &str) -> Result<Option<String>> {
    let path = export_folder(input)? + name;
    Ok(Some(path).filter(|path| input.only_file().is_none() && input.has_file(path)))
}

fn read_conversation(
    input: &Input,
    conversation: &Map<String, Value>,
    place: &Place,
    left: &mut Left,
    sink: &mut dyn Sink,
) -> Result<()> {
    let Some(id) = filled(conversation, "uuid") else {
        sink.skip(place.clone(), "the conversation has no uuid");
        return Ok(());
    };
    let session = label(CHANNEL, id);
    let messages: Vec<_> = objects(conversation, "chat_messages").collect();
    let path = current_path(input, &messages, filled(conversation, "current_leaf_message_uuid"));
    for message in messages {
        if filled(message, "uuid").is_some_and(|uuid| !path.contains(uuid)) {
            left.abandoned += 1;
            continue;
        }
        let has_text = |attached: &&Map<String, Value>| filled(attached, "extracted_content").is_some();
        left.attachments += objects(message, "attachments").filter(has_text).count() as u64;
        let role = match filled(message, "sender") {
            Some("human") => "user",
            Some("assistant") => "assistant",
            _ => {
                left.wordless += 1;
                continue;
            }
        };
        let text = words(message);
        let Some(uuid) = filled(message, "uuid").filter(|_| !text.is_empty()) else {
            left.wordless += 1;
            continue;
        };
        let spoken = Message {
            session: Some(session.clone()),
            user: (role == "user").then(|| "owner".to_owned()),
            role: role.to_owned(),
            text,
            name: None,
            said_at: input.instant_of(message.get("created_at")),
        };
        let id = format!("{id}/{uuid}");
        sink.item(Item { id, place: place.clone(), content: Content::Message(spoken) })?;
    }
    Ok(())
}

/// Returns the messages from the first one to the current one, or to the newest that has no reply if none is named. A
/// message can be edited and a reply made again, which begins another path. Messages of older exports do not name the one
/// before them.
fn current_path<'m>(
    input: &Input,
    messages: &[&'m Map<String, Value>],
    current: Option<&'m str>,
) -> HashSet<&'m str> {
    let mut before: HashMap<&str, Option<&str>> = HashMap::new();
    let mut last = None;
    for message in messages {
        let Some(uuid) = filled(message, "uuid") else { continue };
        before.insert(uuid, filled(message, "parent_message_uuid").or(last));
        last = Some(uuid);
    }
    let has_reply: HashSet<&str> = before.values().flatten().copied().collect();
    let leaves = messages.iter().filter_map(|message| {
        let uuid = filled(message, "uuid").filter(|uuid| !has_reply.contains(uuid))?;
        Some((input.instant_of(message.get("created_at")), uuid))
    });
    let newest = || leaves.max_by_key(|(created_at, _)| *created_at).map(|(_, uuid)| uuid);
    let mut path = HashSet::new();
    let mut at = current.filter(|uuid| before.contains_key(uuid)).or_else(newest);
    while let Some(uuid) = at.filter(|uuid| before.contains_key(uuid) && path.insert(*uuid)) {
        at = before[uuid];
    }
    path
}

/// Returns the words of a message. Where there are blocks, the text beside them also shows tools and thoughts.
fn words(message: &Map<String, Value>) -> String {
    match message.get("content").and_then(Value::as_array) {
        Some(blocks) if !blocks.is_empty() => text_of(message.get("content"), &["text"]),
        _ => text_of(message.get("text"), &[]),
    }
}

fn read_memories(
    input: &Input,
    memories: &Map<String, Value>,
    place: &Place,
    paths: &mut names::Taken,
    sink: &mut dyn Sink,
) -> Result<()> {
    let of_projects = memories.get("project_memories").and_then(Value::as_object).into_iter().flatten();
    let of_projects =
        of_projects.filter_map(|(project, text)| Some((format!("claude-memory-{project}"), text.as_str()?)));
    let of_all = filled(memories, "conversations_memory").map(|text| ("claude-memory".to_owned(), text));
    let account = filled(memories, "account_uuid").map_or_else(|| input.folder(), str::to_owned);
    for (name, text) in of_all.into_iter().chain(of_projects).filter(|(_, text)| !text.trim().is_empty()) {
        let id = format!("{account}/{name}@{}", digest(text));
        let content =
            Content::Note { path: paths.note("facts", &name), text: format!("{}\n", text.trim_end()) };
        sink.item(Item { id, place: place.clone(), content })?;
    }
    Ok(())
}
