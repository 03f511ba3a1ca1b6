//! Reading the fields of JSON objects, whose types are never sure.

use serde_json::{Map, Value};

use crate::item::label;

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
    let Some(content) = content else { return String::new() };
    if let Value::String(text) = content {
        return text.trim().to_owned();
    }
    let blocks = content.as_array().into_iter().flatten().filter_map(Value::as_object);
    let texts = blocks.filter(|block| filled(block, "type").is_some_and(|kind| types.contains(&kind)));
    let texts: Vec<_> = texts.filter_map(|block| filled(block, "text")).map(str::trim).collect();
    texts.join("\n\n")
}

/// Returns a number of things in words.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns the label of a thread of a chat. Only the characters that the hooks of memtape keep are kept of the id of
/// the thread, so that an imported conversation and a recorded one have one label.
pub(super) fn thread_label(channel: &str, chat: &str, thread: &str) -> String {
    let thread: String = thread.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
    let chat = label(channel, chat);
    if thread.is_empty() { chat } else { format!("{chat}:{thread}") }
}
