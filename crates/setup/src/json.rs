//! Edits of JSON text: a value is set, appended or removed, and every other byte is unchanged.
//!
//! The parser returns the positions of values, commas and comments; the edits are insertions and deletions between
//! them. Removing an inserted value restores the earlier text, except for the white space of an empty object or array.

use std::ops::Range;

use jsonc_parser::ast::{self, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::Value as Json;

use crate::error::Problem;
use crate::splice::{Splice, apply, indentation, newline};

/// One level of indentation, if the file shows none.
const INDENT: &str = "  ";

/// A step from a value to a value inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// A parsed text.
pub(crate) struct Document<'a> {
    text: &'a str,
    root: Option<Value<'a>>,
    /// All tokens, comments included.
    tokens: Vec<TokenAndRange<'a>>,
}

/// An object or an array: its positions, and those of its content.
struct Container {
    open: usize,
    close: usize,
    items: Vec<Range<usize>>,
}

/// The layout of a written value.
struct Layout<'a> {
    newline: &'a str,
    unit: String,
    /// The indentation of the line on which the value begins.
    indent: String,
    is_multiline: bool,
}

impl<'a> Document<'a> {
    /// Parses JSON with comments and trailing commas, or JSON5. A text without a value is valid.
    pub(crate) fn parse(text: &'a str, is_json5: bool) -> Result<Self, Problem> {
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_missing_commas: false,
            allow_loose_object_property_names: is_json5,
            allow_single_quoted_strings: is_json5,
            allow_hexadecimal_numbers: is_json5,
            allow_unary_plus_numbers: is_json5,
            allow_bare_decimal_point_numbers: is_json5,
            allow_non_finite_numbers: is_json5,
            allow_extended_string_escapes: is_json5,
        };
        let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let parsed = parse_to_ast(text, &collect, &options).map_err(|e| {
            let mut message = e.kind().to_string();
            if let Some(first) = message.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            Problem::malformed(e.range().start, message)
        })?;
        Ok(Self { text, root: parsed.value, tokens: parsed.tokens.unwrap_or_default() })
    }

    /// Returns the value at a path. `None` if a key or an index on the way does not exist.
    ///
    /// A value on the way that is no object or no array, and a key that appears twice, are problems: the client would
    /// read something else than what an edit writes.
    pub(crate) fn get(&self, path: &[Step<'_>]) -> Result<Option<&Value<'a>>, Problem> {
        let Some(mut value) = self.root.as_ref() else { return Ok(None) };
        for (depth, step) in path.iter().enumerate() {
            let inner = match (step, value) {
                (Step::Key(key), Value::Object(object)) => property(object, key)?.map(|found| &found.value),
                (Step::Index(index), Value::Array(array)) => array.elements.get(*index),
                (Step::Key(_), _) => return Err(wrong_kind(value, &path[..depth], "an object")),
                (Step::Index(_), _) => return Err(wrong_kind(value, &path[..depth], "an array")),
            };
            match inner {
                Some(inner) => value = inner,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    /// Returns the elements of the array at a path; none if it does not exist.
    pub(crate) fn elements(&self, path: &[Step<'_>]) -> Result<&[Value<'a>], Problem> {
        match self.get(path)? {
            None => Ok(&[]),
            Some(Value::Array(array)) => Ok(&array.elements),
            Some(other) => Err(wrong_kind(other, path, "an array")),
        }
    }

    /// Returns the string at a path; `None` if there is none.
    pub(crate) fn text(&self, path: &[Step<'_>]) -> Option<String> {
        Some(self.get(path).ok()??.as_string_lit()?.value.to_string())
    }

    /// Returns the strings of the array at a path; none if there is no array.
    pub(crate) fn texts(&self, path: &[Step<'_>]) -> Vec<String> {
        let elements = self.elements(path).unwrap_or_default().iter();
        elements.filter_map(|element| Some(element.as_string_lit()?.value.to_string())).collect()
    }

    /// Returns the keys of the object at a path; none if it does not exist.
    pub(crate) fn keys(&self, path: &[Step<'_>]) -> Result<Vec<&str>, Problem> {
        match self.get(path)? {
            None => Ok(Vec::new()),
            Some(Value::Object(object)) => Ok(object.properties.iter().map(|p| p.name.as_str()).collect()),
            Some(other) => Err(wrong_kind(other, path, "an object")),
        }
    }

    /// Returns whether the value at a path is an object or an array that has nothing, not even a comment.
    pub(crate) fn is_empty(&self, path: &[Step<'_>]) -> Result<bool, Problem> {
        let Some(value @ (Value::Object(_) | Value::Array(_))) = self.get(path)? else { return Ok(false) };
        let Container { open, close, .. } = container(value);
        Ok(self.text[open + 1..close].trim().is_empty())
    }

    /// Returns the text with a value at a path of keys. Objects on the way that do not exist are created; a new
    /// property becomes the last of its object.
    pub(crate) fn set(&self, path: &[Step<'_>], value: &Json) -> Result<String, Problem> {
        let Some(root) = &self.root else { return Ok(self.with_root(path, value)) };
        let mut around: Vec<Container> = Vec::new();
        let mut current = root;
        for (depth, step) in path.iter().enumerate() {
            let Some(inner) = self.get(&path[..=depth])? else {
                let Step::Key(key) = step else { return Ok(self.text.to_owned()) };
                let value = nested(&path[depth + 1..], value);
                around.push(container(current));
                return Ok(apply(self.text, self.append(&around, Some(key), &value)));
            };
            around.push(container(current));
            current = inner;
        }
        let range = current.range();
        let layout = self.layout(&around, indentation(self.text, range.start));
        Ok(apply(self.text, vec![Splice::replace(range.start..range.end, layout.render(value))]))
    }

    /// Returns the text with a value at the end of the array at a path, which is created if it does not exist.
    pub(crate) fn push(&self, path: &[Step<'_>], value: &Json) -> Result<String, Problem> {
        if self.get(path)?.is_none() {
            return self.set(path, &Json::Array(vec![value.clone()]));
        }
        self.elements(path)?;
        let mut around = Vec::new();
        for depth in 0..=path.len() {
            around.extend(self.get(&path[..depth])?.map(container));
        }
        Ok(apply(self.text, self.append(&around, None, value)))
    }

    /// Returns the text without the value at a path, and without its key. The path leads to a value.
    pub(crate) fn remove(&self, path: &[Step<'_>]) -> Result<String, Problem> {
        let Some((last, parent)) = path.split_last() else { return Ok(String::new()) };
        let index = match (last, self.get(parent)?) {
            (Step::Key(key), Some(Value::Object(object))) => {
                object.properties.iter().position(|found| found.name.as_str() == *key)
            }
            (Step::Index(index), Some(Value::Array(_))) => Some(*index),
            _ => None,
        };
        let (Some(index), Some(parent)) = (index, self.get(parent)?) else { return Ok(self.text.to_owned()) };
        Ok(apply(self.text, self.take(&container(parent), index)))
    }

    /// Returns the text with a first value, after the comments that it has.
    fn with_root(&self, path: &[Step<'_>], value: &Json) -> String {
        let newline = newline(self.text);
        let layout = Layout { newline, unit: INDENT.to_owned(), indent: String::new(), is_multiline: true };
        let value = layout.render(&nested(path, value));
        match self.text.trim_end() {
            "" => format!("{value}{newline}"),
            comments => format!("{comments}{newline}{value}{newline}"),
        }
    }

    /// Returns the edits that append an item to the last of nested containers.
    fn append(&self, around: &[Container], key: Option<&str>, value: &Json) -> Vec<Splice> {
        let Some(container) = around.last() else { return Vec::new() };
        let base = indentation(self.text, container.open);
        let layout = self.layout(around, base);
        let layout = Layout { indent: self.item_indent(container, &layout), ..layout };
        let Layout { newline, indent, is_multiline, .. } = &layout;
        let item = match key {
            Some(key) => format!("{}: {}", quoted(key), layout.render(value)),
            None => layout.render(value),
        };
        if let Some(last) = container.items.last() {
            let comma = self.comma_after(last.end);
            // An item after a trailing comma gets one too.
            let (before, after) = if comma.is_some() { ("", ",") } else { (",", "") };
            let end = comma.map_or(last.end, |comma| comma.end);
            return match is_multiline {
                true => vec![
                    Splice::insert(last.end, before),
                    Splice::insert(self.comments_end(end), format!("{newline}{indent}{item}{after}")),
                ],
                false => vec![Splice::insert(end, format!("{before} {item}{after}"))],
            };
        }
        let inside = container.open + 1..container.close;
        let comment = self.tokens.iter().rev().find(|token| inside.contains(&token.range.start));
        match (comment.map(|comment| comment.range.end), is_multiline) {
            (Some(end), _) if self.text[end..container.close].contains('\n') => {
                vec![Splice::insert(end, format!("{newline}{indent}{item}"))]
            }
            (Some(end), _) => {
                let rest = end..container.close;
                vec![Splice::replace(rest, format!("{newline}{indent}{item}{newline}{base}"))]
            }
            (None, true) => vec![Splice::replace(inside, format!("{newline}{indent}{item}{newline}{base}"))],
            (None, false) => vec![Splice::replace(inside, item)],
        }
    }

    /// Returns the edits that remove an item and its comma. All comments stay.
    fn take(&self, container: &Container, index: usize) -> Vec<Splice> {
        let Some(item) = container.items.get(index) else { return Vec::new() };
        let inside = container.open + 1..container.close;
        let comma = self.comma_after(item.end);
        let end = comma.as_ref().map_or(item.end, |comma| comma.end);
        if container.items.len() == 1 {
            let rest = [&self.text[inside.start..item.start], &self.text[item.end..inside.end]].concat();
            if rest.chars().all(|c| c.is_whitespace() || c == ',') {
                return vec![Splice::delete(inside)];
            }
        }
        let mut start = item.start;
        let mut splices = Vec::new();
        if let Some(line_end) = self.line_end_before(item.start).filter(|at| self.may_join_lines(*at, end)) {
            start = line_end;
        } else if comma.is_none() {
            start = inside.start + self.text[inside.start..item.start].trim_end_matches([' ', '\t']).len();
        }
        splices.push(Splice::delete(start..item.end));
        match comma {
            Some(comma) => {
                let spaces = self.text[comma.end..].bytes().take_while(|byte| *byte == b' ').count();
                let spaces = if start == item.start { spaces } else { 0 };
                splices.push(Splice::delete(comma.start..comma.end + spaces));
            }
            None => {
                let before = index.checked_sub(1).and_then(|n| self.comma_after(container.items[n].end));
                splices.extend(before.map(Splice::delete));
            }
        }
        splices
    }

    /// Returns the layout for values inside nested containers.
    fn layout(&self, around: &[Container], indent: &str) -> Layout<'a> {
        let is_multiline = around.iter().rev().find(|container| !container.items.is_empty());
        let is_multiline = is_multiline.is_none_or(|container| self.is_multiline(container));
        let unit = around.iter().rev().find_map(|container| {
            let first = self.first_on_own_line(container)?;
            let unit = indentation(self.text, first).strip_prefix(indentation(self.text, container.open))?;
            (!unit.is_empty()).then(|| unit.to_owned())
        });
        Layout {
            newline: newline(self.text),
            unit: unit.unwrap_or_else(|| INDENT.to_owned()),
            indent: indent.to_owned(),
            is_multiline,
        }
    }

    /// Returns the indentation of a container's items.
    fn item_indent(&self, container: &Container, layout: &Layout<'_>) -> String {
        match self.first_on_own_line(container) {
            Some(first) => indentation(self.text, first).to_owned(),
            None => format!("{}{}", layout.indent, layout.unit),
        }
    }

    /// Returns whether the items of a container are on lines of their own.
    fn is_multiline(&self, container: &Container) -> bool {
        self.first_on_own_line(container).is_some()
    }

    fn first_on_own_line(&self, container: &Container) -> Option<usize> {
        container.items.iter().map(|item| item.start).find(|start| self.line_end_before(*start).is_some())
    }

    /// Returns the position of the line end before a position, if only white space is between them.
    fn line_end_before(&self, at: usize) -> Option<usize> {
        let before = self.text[..at].trim_end_matches([' ', '\t']).strip_suffix('\n')?;
        Some(before.strip_suffix('\r').unwrap_or(before).len())
    }

    /// Returns whether the rest of a line may follow the text before it, which must not be a comment up to the line's
    /// end.
    fn may_join_lines(&self, before: usize, rest: usize) -> bool {
        let previous = self.tokens.partition_point(|token| token.range.start < before);
        let previous = previous.checked_sub(1).map(|n| &self.tokens[n].token);
        let rest = self.text[rest..].trim_start_matches([' ', '\t']);
        !matches!(previous, Some(Token::CommentLine(_))) || rest.is_empty() || rest.starts_with(['\n', '\r'])
    }

    /// Returns the comma that follows a value.
    fn comma_after(&self, at: usize) -> Option<Range<usize>> {
        let next = self.tokens.partition_point(|token| token.range.start < at);
        let next = self.tokens[next..].iter().find(|token| !is_comment(token))?;
        (next.token == Token::Comma).then_some(next.range.start..next.range.end)
    }

    /// Returns the end of the comments that begin on the same line as a position, and follow it.
    fn comments_end(&self, at: usize) -> usize {
        let next = self.tokens.partition_point(|token| token.range.start < at);
        let mut end = at;
        for comment in self.tokens[next..].iter().take_while(|token| is_comment(token)) {
            if self.text[end..comment.range.start].contains('\n') {
                break;
            }
            end = comment.range.end;
        }
        end
    }
}

impl Layout<'_> {
    fn render(&self, value: &Json) -> String {
        self.render_at(value, &self.indent)
    }

    fn render_at(&self, value: &Json, indent: &str) -> String {
        let inner = format!("{indent}{}", self.unit);
        let items: Vec<String> = match value {
            Json::Object(fields) if !fields.is_empty() => {
                let field = |(key, value): (&String, &Json)| {
                    format!("{}: {}", quoted(key), self.render_at(value, &inner))
                };
                fields.iter().map(field).collect()
            }
            Json::Array(items) if items.iter().any(|item| item.is_array() || item.is_object()) => {
                items.iter().map(|item| self.render_at(item, &inner)).collect()
            }
            Json::Array(items) => {
                let items: Vec<String> = items.iter().map(Json::to_string).collect();
                return format!("[{}]", items.join(", "));
            }
            scalar => return scalar.to_string(),
        };
        let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
        let newline = self.newline;
        match self.is_multiline {
            true => {
                let items = items.join(&format!(",{newline}{inner}"));
                format!("{open}{newline}{inner}{items}{newline}{indent}{close}")
            }
            false => format!("{open}{}{close}", items.join(", ")),
        }
    }
}

/// Returns whether a parsed value equals a value.
pub(crate) fn is_equal(parsed: &Value<'_>, value: &Json) -> bool {
    match (parsed, value) {
        (Value::StringLit(parsed), Json::String(text)) => parsed.value == *text,
        (Value::BooleanLit(parsed), Json::Bool(value)) => parsed.value == *value,
        (Value::Array(parsed), Json::Array(items)) => {
            parsed.elements.len() == items.len()
                && parsed.elements.iter().zip(items).all(|(parsed, item)| is_equal(parsed, item))
        }
        _ => false,
    }
}

/// Returns the property with a key.
fn property<'o, 'a>(
    object: &'o ast::Object<'a>,
    key: &str,
) -> Result<Option<&'o ast::ObjectProp<'a>>, Problem> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == key);
    let first = found.next();
    match found.next() {
        Some(second) => {
            Err(Problem::malformed(second.range.start, format!("the key \"{key}\" appears twice")))
        }
        None => Ok(first),
    }
}

fn wrong_kind(value: &Value<'_>, path: &[Step<'_>], expected: &str) -> Problem {
    let keys = path.iter().filter_map(|step| match step {
        Step::Key(key) => Some(*key),
        Step::Index(_) => None,
    });
    let name = keys.collect::<Vec<_>>().join(".");
    let message = match name.as_str() {
        "" => format!("the file does not contain {expected}"),
        _ => format!("\"{name}\" is not {expected}"),
    };
    Problem::malformed(value.range().start, message)
}

fn container(value: &Value<'_>) -> Container {
    let items = match value {
        Value::Object(object) => object.properties.iter().map(|item| item.range).collect(),
        Value::Array(array) => array.elements.iter().map(Ranged::range).collect(),
        _ => Vec::new(),
    };
    let items = items.into_iter().map(|range| range.start..range.end).collect();
    let range = value.range();
    Container { open: range.start, close: range.end - 1, items }
}

/// Returns a value inside objects with these keys.
fn nested(path: &[Step<'_>], value: &Json) -> Json {
    path.iter().rev().fold(value.clone(), |value, step| match step {
        Step::Key(key) => Json::Object([((*key).to_owned(), value)].into_iter().collect()),
        Step::Index(_) => Json::Array(vec![value]),
    })
}

fn is_comment(token: &TokenAndRange<'_>) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
