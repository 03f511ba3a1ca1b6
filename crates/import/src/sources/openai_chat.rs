//! The export of chats from ChatGPT: `conversations.json`, or since 2026 `conversations-000.json` and so on.
//!
//! A conversation is a tree, because a message can be edited and a reply made again. The path from the root to
//! `current_node` is what the person sees in the end; only that is read.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::fields::{counted, filled, is_set};
use super::sniff;
use crate::error::Result;
use crate::input::{Input, Listed, ListedKind};
use crate::item::{Content, Item, Message, Place, label};
use crate::source::{About, Route, Sink, Source};

const CHANNEL: &str = "chatgpt";

/// The chats of ChatGPT.
pub(crate) struct OpenAiChat;

impl Source for OpenAiChat {
    fn about(&self) -> &'static About {
        &About {
            name: "openai-chat",
            reads: "the data export of ChatGPT, unpacked",
            versions: "exports of ChatGPT from 2023 to 2026, in one file or in several",
            routes: &[
                Route {
                    item: "message on the current path",
                    form: "message of the conversation chatgpt:CONVERSATION",
                },
                Route { item: "message on an abandoned path", form: "left out" },
                Route { item: "system message, tool, reasoning, image, hidden message", form: "left out" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        conversation_files(input)
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        let is_conversation = |element: &Map<String, Value>| element.contains_key("mapping");
        Ok(self.files(input)?.iter().any(|file| sniff::element(input, file, &[], is_conversation)))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        for file in self.files(input)? {
            let mut left = Left::default();
            input.for_json_items(&file, &[], sink, &mut |number, value, sink| {
                let place = Place::line(&file, number);
                match value.as_object().filter(|element| element.contains_key("mapping")) {
                    Some(conversation) => read_conversation(input, conversation, &place, &mut left, sink),
                    None => {
                        sink.unreadable(place, "it is not a conversation with a mapping");
                        Ok(())
                    }
                }
            })?;
            left.report(&file, sink);
        }
        Ok(())
    }
}

/// Returns the files of conversations of a chat export.
pub(super) fn conversation_files(input: &Input) -> Result<Vec<String>> {
    if let Some(file) = input.only_file() {
        return Ok(vec![file.to_owned()]);
    }
    conversation_files_in(input, &export_folder(input)?)
}

/// Returns the folder of a chat export, with a slash: the imported path itself (`""`), or the one folder below it that
/// has conversations, since some programs unpack an archive into a folder of its own.
pub(super) fn export_folder(input: &Input) -> Result<String> {
    if input.only_file().is_some() || !conversation_files_in(input, "")?.is_empty() {
        return Ok(String::new());
    }
    let mut found = Vec::new();
    for entry in input.list("")?.into_iter().filter(|entry| entry.kind == ListedKind::Folder) {
        if !conversation_files_in(input, &entry.path)?.is_empty() {
            found.push(format!("{}/", entry.path));
        }
    }
    Ok(if found.len() == 1 { found.remove(0) } else { String::new() })
}

fn conversation_files_in(input: &Input, folder: &str) -> Result<Vec<String>> {
    let is_part = |name: &str| {
        let part = name.strip_prefix("conversations-").and_then(|rest| rest.strip_suffix(".json"));
        part.is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let listed = input.list(folder.trim_end_matches('/'))?.into_iter();
    let is_wanted = |entry: &Listed| entry.name == "conversations.json" || is_part(&entry.name);
    Ok(listed.filter(is_wanted).map(|entry| entry.path).collect())
}

/// Numbers of what is left out of a file.
#[derive(Default)]
struct Left {
    abandoned: u64,
    wordless: u64,
}

impl Left {
    fn report(&self, file: &str, sink: &mut dyn Sink) {
        let reasons = [
            (self.wordless, "of the system, of tools, or of reasoning"),
            (self.abandoned, "on abandoned paths"),
        ];
        for (number, why) in reasons.into_iter().filter(|(number, _)| *number > 0) {
            let what = counted(number, "message", "messages");
            sink.skip_several(Place::file(file), number, &format!("{what} {why}"));
        }
    }
}

fn read_conversation(
    input: &Input,
    conversation: &Map<String, Value>,
    place: &Place,
    left: &mut Left,
    sink: &mut dyn Sink,
) -> Result<()> {
    let id = filled(conversation, "conversation_id").or_else(|| filled(conversation, "id"));
    let (Some(id), Some(mapping)) = (id, conversation.get("mapping").and_then(Value::as_object)) else {
        sink.skip(place.clone(), "the conversation has no id, or its mapping is not an object");
        return Ok(());
    };
    let session = label(CHANNEL, id);
    let (path, is_cyclic) = current_path(mapping, filled(conversation, "current_node"));
    if is_cyclic {
        sink.skip(place.clone(), "the messages of the conversation form a cycle: it is read as far as that");
    }
    let all = mapping.values().filter(|node| node.get("message").is_some_and(Value::is_object)).count();
    let messages =
        path.iter().filter_map(|(node, fields)| Some((*node, fields.get("message")?.as_object()?)));
    let mut on_path = 0;
    let mut said_at = input.instant_of(conversation.get("create_time"));
    for (node, message) in messages {
        on_path += 1;
        let Some((role, text)) = spoken(message) else {
            left.wordless += 1;
            continue;
        };
        // Some messages have no time: they are as old as the one before.
        said_at = input.instant_of(message.get("create_time")).or(said_at);
        let spoken = Message {
            session: Some(session.clone()),
            user: (role == "user").then(|| "owner".to_owned()),
            role: role.to_owned(),
            text,
            name: None,
            said_at,
        };
        let id = format!("{id}/{}", filled(message, "id").unwrap_or(node));
        sink.item(Item { id, place: place.clone(), content: Content::Message(spoken) })?;
    }
    left.abandoned += (all - on_path) as u64;
    Ok(())
}

type Node<'m> = (&'m str, &'m Map<String, Value>);

/// Returns the nodes from the root to the current one, and whether the way up ends in a cycle.
fn current_path<'m>(mapping: &'m Map<String, Value>, current: Option<&'m str>) -> (Vec<Node<'m>>, bool) {
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut at = current.filter(|node| mapping.contains_key(*node)).or_else(|| newest_leaf(mapping));
    while let Some((node, fields)) = at.and_then(|node| Some((node, mapping.get(node)?.as_object()?))) {
        if !seen.insert(node) {
            path.reverse();
            return (path, true);
        }
        path.push((node, fields));
        at = filled(fields, "parent");
    }
    path.reverse();
    (path, false)
}

/// Returns the last of the nodes without children, by time and then by position, if a conversation names no current one.
fn newest_leaf(mapping: &Map<String, Value>) -> Option<&str> {
    let is_leaf = |node: &Value| node.get("children").and_then(Value::as_array).is_none_or(Vec::is_empty);
    let time = |node: &Value| {
        node.get("message")
            .and_then(|message| message.get("create_time"))
            .and_then(Value::as_f64)
            .unwrap_or_default()
    };
    let leaves = mapping.iter().filter(|(_, node)| is_leaf(node));
    leaves.max_by(|(_, a), (_, b)| time(a).total_cmp(&time(b))).map(|(node, _)| node.as_str())
}

/// Returns the role and the words of a message that the person or the model said to the other.
fn spoken(message: &Map<String, Value>) -> Option<(&'static str, String)> {
    let role = match message.get("author")?.get("role")?.as_str()? {
        "user" => "user",
        "assistant" => "assistant",
        _ => return None,
    };
    let is_hidden = message
        .get("metadata")
        .and_then(Value::as_object)
        .is_some_and(|metadata| is_set(metadata, "is_visually_hidden_from_conversation"));
    let is_to_tool = filled(message, "recipient").is_some_and(|recipient| recipient != "all");
    let is_dropped = message.get("weight").and_then(Value::as_f64) == Some(0.0);
    if is_hidden || is_to_tool || is_dropped {
        return None;
    }
    let content = message.get("content")?.as_object()?;
    if !matches!(filled(content, "content_type")?, "text" | "multimodal_text") {
        return None;
    }
    let parts = content.get("parts")?.as_array()?.iter();
    let texts: Vec<_> = parts.filter_map(words).map(without_marks).collect();
    let texts: Vec<_> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| (role, texts.join("\n\n")))
}

/// Returns a text without the marks of citations and of other things that the client renders. A mark is the text from
/// U+E200 to U+E201, with U+E202 between its parts; that of an entity becomes the name of the entity.
fn without_marks(text: &str) -> Cow<'_, str> {
    let is_mark = |c: char| ('\u{e200}'..='\u{e20f}').contains(&c);
    if !text.contains(is_mark) {
        return text.into();
    }
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{e200}') {
        shown.push_str(before);
        // A mark that does not end loses its sign alone.
        let (mark, after) = after.split_once('\u{e201}').unwrap_or(("", after));
        shown.push_str(&name_of_entity(mark).unwrap_or_default());
        rest = after;
    }
    shown.push_str(rest);
    shown.retain(|c| !is_mark(c));
    shown.into()
}

/// Returns the name that the client shows for a mark of an entity, `entity` with `[KIND, NAME, ...]`.
fn name_of_entity(mark: &str) -> Option<String> {
    let values = mark.strip_prefix("entity\u{e202}")?;
    let values: Vec<Value> = serde_json::from_str(values).ok()?;
    values.get(1)?.as_str().map(str::to_owned)
}

/// Returns the words of a part: a text, or the transcription of what was spoken.
fn words(part: &Value) -> Option<&str> {
    match part {
        Value::String(text) => Some(text),
        Value::Object(part) if filled(part, "content_type") == Some("audio_transcription") => {
            filled(part, "text")
        }
        _ => None,
    }
}
