//! Reading the fields of JSON objects, whose types are never sure.

use serde_json::{Map, Value};

use crate::error::Result;
use crate::item::{Content, Item, Place, Statement, digest, label};
use crate::source::Sink;

/// Returns a text field that is not blank.
pub(super) fn filled<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f str> {
    fields.get(name)?.as_str().filter(|text| !text.trim().is_empty())
}

/// Returns whether a field is `true`.
pub(super) fn is_set(fields: &Map<String, Value>, name: &str) -> bool {
    fields.get(name) == Some(&Value::Bool(true))
}

/// Returns an id: a text that is not blank, or a number.
pub(super) fn id(fields: &Map<String, Value>, name: &str) -> Option<String> {
    match fields.get(name)? {
        Value::Number(number) => Some(number.to_string()),
        _ => filled(fields, name).map(str::to_owned),
    }
}

/// Returns the objects of a list field; none if it is no list.
pub(super) fn objects<'f>(
    fields: &'f Map<String, Value>,
    name: &str,
) -> impl Iterator<Item = &'f Map<String, Value>> {
    fields.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// Returns the texts of the blocks of some types in the content of a message, with a blank line between two. Content
/// that is one text is that text.
pub(super) fn text_of(content: Option<&Value>, types: &[&str]) -> String {
    texts_of(content, types, str::trim)
}

/// Returns what a person typed of the same texts, as a client of a coding agent records them.
pub(super) fn typed_of(content: Option<&Value>, types: &[&str]) -> String {
    texts_of(content, types, memtape::typed)
}

fn texts_of(content: Option<&Value>, types: &[&str], text: impl Fn(&str) -> &str) -> String {
    let Some(content) = content else { return String::new() };
    if let Value::String(content) = content {
        return text(content).to_owned();
    }
    let blocks = content.as_array().into_iter().flatten().filter_map(Value::as_object);
    let blocks = blocks.filter(|block| filled(block, "type").is_some_and(|kind| types.contains(&kind)));
    let texts = blocks.filter_map(|block| filled(block, "text")).map(text);
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns a number of things in words.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns the id of a version of a statement whose text, owner and end the other program may change.
pub(super) fn versioned(id: &str, statement: &Statement) -> String {
    let end = statement.expires_at.map(|end| end.to_string()).unwrap_or_default();
    let version = [statement.text.as_str(), statement.scope.label(), &end];
    format!("{id}@{}", digest(&version.join("\0")))
}

/// Passes a statement on that was deleted. One that no import has is left out.
pub(super) fn deleted(sink: &mut dyn Sink, id: &str, place: Place) -> Result<()> {
    if sink.is_known(id) {
        let id = format!("{id}@{}", digest("deleted"));
        return sink.item(Item { id, place, content: Content::Deleted });
    }
    sink.skip(place, "it is deleted");
    Ok(())
}

/// Returns the label of a thread of a chat. Only the characters that the hooks of memtape keep are kept of the id of
/// the thread, so that an imported conversation and a recorded one have one label.
pub(super) fn thread_label(channel: &str, chat: &str, thread: &str) -> String {
    let thread: String = thread.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
    let chat = label(channel, chat);
    if thread.is_empty() { chat } else { format!("{chat}:{thread}") }
}
