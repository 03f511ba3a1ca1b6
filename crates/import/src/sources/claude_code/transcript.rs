//! Transcripts: JSON Lines of everything that happened in a conversation.

use memtape::{PROJECT_CHANNEL, project_chat};
use serde_json::{Map, Value};

use super::super::fields::{counted, filled, is_set, text_of, thread_label, typed_of};
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Item, Message, Place};
use crate::source::Sink;

/// Marks of lines that are not part of the conversation that the person sees.
const HIDDEN: [&str; 5] =
    ["isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage"];
/// The model that is named in lines that no model wrote.
const SYNTHETIC: &str = "<synthetic>";
/// How the line begins that records an interruption.
const INTERRUPTED: &str = "[Request interrupted by user";

/// Returns whether a line is one of a transcript.
pub(super) fn is_line(line: &Map<String, Value>) -> bool {
    let is_of_session = line.contains_key("sessionId") && line.contains_key("type");
    is_of_session || line.contains_key("leafUuid")
}

/// Reads a transcript.
pub(super) fn read(input: &Input, file: &str, sink: &mut dyn Sink) -> Result<()> {
    let mut folder: Option<String> = None;
    let mut left_out: u64 = 0;
    input.for_json_lines(file, sink, &mut |number, line, sink| {
        let Some((role, text)) = spoken(&line) else {
            left_out += 1;
            return Ok(());
        };
        let place = Place::line(file, number);
        let (Some(id), Some(session)) = (filled(&line, "uuid"), filled(&line, "sessionId")) else {
            sink.skip(place, "the line has no uuid or no sessionId");
            return Ok(());
        };
        // An agent may change its folder; the conversation stays that of the one where it began.
        let folder = folder.get_or_insert_with(|| filled(&line, "cwd").unwrap_or("unknown").to_owned());
        let message = Message {
            session: Some(thread_label(PROJECT_CHANNEL, &project_chat(folder), session)),
            user: (role == "user").then(|| "owner".to_owned()),
            role: role.to_owned(),
            text,
            name: None,
            said_at: input.instant_of(line.get("timestamp")),
        };
        sink.item(Item { id: id.to_owned(), place, content: Content::Message(message) })
    })?;
    if left_out > 0 {
        let what = counted(left_out, "line", "lines");
        sink.skip_several(Place::file(file), left_out, &format!("{what} without a prompt or a reply"));
    }
    Ok(())
}

/// Returns the role and the words of a line that is a prompt of the person or a reply.
fn spoken(line: &Map<String, Value>) -> Option<(&'static str, String)> {
    if HIDDEN.iter().any(|mark| is_set(line, mark)) || filled(line, "agentId").is_some() {
        return None;
    }
    let (role, text) = match filled(line, "type")? {
        "user" if is_human(line) && !line.contains_key("toolUseResult") => {
            ("user", prompt(line.get("message")?.get("content")?)?)
        }
        // What the person types while the agent works.
        "attachment" => {
            let attached = line.get("attachment")?.as_object()?;
            let is_prompt = filled(attached, "type") == Some("queued_command")
                && filled(attached, "commandMode") == Some("prompt")
                && !is_set(attached, "isMeta")
                && is_human(attached);
            ("user", prompt(attached.get("prompt").filter(|_| is_prompt)?)?)
        }
        "assistant" => {
            let message = line.get("message")?.as_object()?;
            let is_model = filled(message, "model") != Some(SYNTHETIC);
            ("assistant", text_of(message.get("content").filter(|_| is_model), &["text"]))
        }
        _ => return None,
    };
    (!text.is_empty()).then_some((role, text))
}

/// Returns whether a line comes from a person: newer versions say so, older ones say nothing.
fn is_human(line: &Map<String, Value>) -> bool {
    let kind = line.get("origin").and_then(|origin| origin.get("kind"));
    kind.and_then(Value::as_str).is_none_or(|kind| kind == "human")
}

/// Returns what the person typed; `None` for a text beside the result of a tool, which the client wrote.
fn prompt(content: &Value) -> Option<String> {
    let is_result = |block: &Value| block.get("type").and_then(Value::as_str) == Some("tool_result");
    if content.as_array().is_some_and(|blocks| blocks.iter().any(is_result)) {
        return None;
    }
    Some(typed_of(Some(content), &["text"])).filter(|text| !text.starts_with(INTERRUPTED))
}
