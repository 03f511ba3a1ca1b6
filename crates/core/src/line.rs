//! The parts of journal lines: their types, and the fields of one line.
//!
//! **Invariant.** `preview` shows the first characters of a text on one line; `content` holds the whole text
//! and is present only if the text is longer.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::bytes;

/// The number of characters in a preview (document 3).
pub const PREVIEW_CHARS: usize = 100;

/// The fields of a line, in order.
pub type Fields = Map<String, Value>;

/// A type of journal line that memtape defines.
#[derive(Debug)]
pub struct LineType {
    /// Its name.
    pub name: &'static str,
    /// The entries that it reports, as worded in `docs/FORMAT.md`.
    pub tells: &'static str,
    /// The fields of its lines.
    pub fields: &'static str,
    /// The command that creates such entries; `None` if callers may write the type directly.
    pub made_by: Option<&'static str>,
}

/// Returns a text that `data` stores as text, or as base64 if it is not UTF-8.
#[must_use]
pub fn written(data: &Value) -> String {
    let base64 = data.get("base64").and_then(Value::as_str);
    let bytes = bytes::read(Some(text(data, "text").to_owned()), base64);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds the start of a text under a name, and the whole text as `content` if it was cut.
pub fn shorten(fields: &mut Fields, name: &str, text: &str, chars: usize) {
    let shown = start(text, chars);
    let is_cut = text.trim().chars().nth(chars).is_some();
    fields.extend([field(name, &shown)]);
    if is_cut {
        fields.extend([field("content", text)]);
    }
}

/// Returns the first `chars` characters of a text on one line.
#[must_use]
pub fn start(text: &str, chars: usize) -> String {
    let one_line = |c: char| if c.is_control() { ' ' } else { c };
    text.trim().chars().take(chars).map(one_line).collect::<String>().trim_end().to_owned()
}

/// Returns the first `chars` characters of a text, and a mark if these are not all.
#[must_use]
pub fn truncated<'t>(text: &'t str, chars: usize, mark: &str) -> Cow<'t, str> {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}{mark}", &text[..end]).into(),
        None => text.into(),
    }
}

/// Returns a text field.
#[must_use]
pub fn field(name: &str, text: &str) -> (String, Value) {
    (name.to_owned(), text.into())
}

/// Returns the text under a name; empty if there is none.
#[must_use]
pub fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Copies the fields that are present and not null.
pub fn copy(fields: &mut Fields, from: &Value, names: &[&str]) {
    for name in names {
        copy_as(fields, from, name, name);
    }
}

/// Copies a field under another name if it is present and not null.
pub fn copy_as(fields: &mut Fields, from: &Value, name: &str, to: &str) {
    if let Some(value) = from.get(name).filter(|value| !value.is_null()) {
        fields.insert(to.to_owned(), value.clone());
    }
}
