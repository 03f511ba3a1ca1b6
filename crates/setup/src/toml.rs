//! The server in Codex's `config.toml`: the table `[mcp_servers.memtape]`.
//!
//! As in `json`, the parser returns positions and the text is edited between them.

use std::ops::Range;

use toml_edit::{Array, Document, InlineTable, Item, Table, Value};

use crate::command::{Command, NAME};
use crate::error::Problem;
use crate::splice::{Removed, Splice, apply, newline, without_newline};

const SERVERS: &str = "mcp_servers";

/// Returns the text with the server, in which an earlier one is replaced.
pub(crate) fn add(text: &str, command: &Command) -> Result<String, Problem> {
    let document = parse(text)?;
    let program = quoted(&command.program);
    let server = server(&document)?;
    let old = server.and_then(|server| server.get("args")?.as_array()).map(words).unwrap_or_default();
    let wanted = command.server_arguments(&old);
    let arguments: Vec<String> = wanted.iter().map(|word| quoted(word)).collect();
    let arguments = format!("[{}]", arguments.join(", "));
    let newline = newline(text);
    let Some(server) = server else {
        let lines =
            [format!("[{SERVERS}.{NAME}]"), format!("command = {program}"), format!("args = {arguments}")];
        let lines = lines.join(newline);
        if text.trim().is_empty() {
            return Ok(format!("{lines}{newline}"));
        }
        let splice = match document.get(SERVERS).and_then(Item::as_inline_table).and_then(InlineTable::span) {
            // A table in braces cannot be continued elsewhere.
            Some(braces) => {
                let inside = text[..braces.end - 1].trim_end();
                let before = if inside.ends_with(['{', ',']) { " " } else { ", " };
                let after = if inside.len() == braces.start + 1 { " " } else { "" };
                let server = format!("{NAME} = {{ command = {program}, args = {arguments} }}");
                Splice::insert(inside.len(), format!("{before}{server}{after}"))
            }
            // Before the line end at the end of the file, so that a file without one gets none.
            None => Splice::insert(without_newline(text).len(), format!("{newline}{newline}{lines}")),
        };
        return Ok(apply(text, vec![splice]));
    };
    if !is_own(server, command) {
        return Err(Problem::foreign(span(server).start));
    }
    let mut splices = Vec::new();
    let found = server.get("command").and_then(Item::as_value);
    let end = found.and_then(Value::span).map_or(0, |span| {
        if found.and_then(Value::as_str) != Some(&command.program) {
            splices.push(Splice::replace(span.clone(), program));
        }
        span.end
    });
    match server.get("args").and_then(Item::as_value) {
        Some(found) => {
            if old != wanted {
                splices.extend(found.span().map(|span| Splice::replace(span, arguments)));
            }
        }
        None => {
            let arguments = format!("{}args = {arguments}", prefix(server, text));
            splices.push(match server.is_table() {
                true => Splice::insert(line_end(text, end), format!("{newline}{arguments}")),
                false => Splice::insert(end, format!(", {arguments}")),
            });
        }
    }
    Ok(apply(text, splices))
}

/// Returns the text without the server and the tables below it. Comments between tables stay.
pub(crate) fn remove(text: &str, command: &Command) -> Result<Removed, Problem> {
    let document = parse(text)?;
    let unchanged = |foreign| Ok(Removed { text: text.to_owned(), foreign });
    let Some(server) = server(&document)? else { return unchanged(None) };
    if !is_own(server, command) {
        return unchanged(Some(span(server).start));
    }
    let Some(table) = server.as_table() else {
        let Some(range) = inline(&document, text) else {
            let message =
                format!("\"{NAME}\" is not a table of its own, [{SERVERS}.{NAME}]: remove it by hand");
            return Err(Problem::malformed(span(server).start, message));
        };
        return Ok(Removed { text: apply(text, vec![Splice::delete(range)]), foreign: None });
    };
    let sections = sections(table, text);
    let is_first = sections.first().is_some_and(|section| text[..section.start].trim().is_empty());
    let splices = sections.into_iter().map(|section| Splice::delete(with_lines(text, &section)));
    let without = apply(text, splices.collect());
    // Nothing is above the line ends that separated the server from what follows.
    let rest = if is_first { without.trim_start_matches(['\n', '\r']) } else { &without };
    Ok(Removed { text: rest.to_owned(), foreign: None })
}

/// Returns the server and the tables below it; an empty text if there is none.
pub(crate) fn own_part(text: &str) -> Result<String, Problem> {
    let document = parse(text)?;
    let sections = match server(&document)?.and_then(Item::as_table) {
        Some(table) => sections(table, text),
        None => inline(&document, text).into_iter().collect(),
    };
    let parts: String = sections.into_iter().map(|section| &text[section]).collect();
    Ok(parts.trim_matches([',', ' ']).to_owned())
}

fn parse(text: &str) -> Result<Document<&str>, Problem> {
    Document::parse(text).map_err(|e| {
        let message = e.message().lines().next().unwrap_or_default().to_owned();
        Problem::malformed(e.span().map_or(0, |span| span.start), message)
    })
}

/// Returns the server, if there is one.
fn server<'d>(document: &'d Document<&str>) -> Result<Option<&'d Item>, Problem> {
    let Some(servers) = document.get(SERVERS) else { return Ok(None) };
    if !servers.is_table_like() {
        return Err(Problem::malformed(span(servers).start, format!("\"{SERVERS}\" is not a table")));
    }
    Ok(servers.get(NAME))
}

fn is_own(server: &Item, command: &Command) -> bool {
    let program = server.get("command").and_then(Item::as_str);
    program.is_some_and(|program| command.is_program(program))
}

fn span(item: &Item) -> Range<usize> {
    item.span().unwrap_or(0..0)
}

/// Returns the range of a server in braces, with the comma that separates it from another or as a line of its own.
fn inline(document: &Document<&str>, text: &str) -> Option<Range<usize>> {
    let servers = document.get(SERVERS)?;
    let (key, server) = servers.as_table_like()?.get_key_value(NAME)?;
    let (start, end) = (key.span()?.start, server.as_inline_table()?.span()?.end);
    let (before, after) = (text[..start].trim_end(), text[end..].trim_start());
    if servers.is_inline_table() {
        return Some(match (before.strip_suffix(','), after.strip_prefix(',')) {
            (Some(before), _) => before.len()..end,
            (None, Some(after)) => start..text.len() - after.trim_start().len(),
            (None, None) => before.len()..text.len() - after.len(),
        });
    }
    let line = without_newline(text[..start].trim_end_matches([' ', '\t']));
    let is_line = before.len() <= line.len() && text[end..line_end(text, end)].trim().is_empty();
    is_line.then(|| line.len()..line_end(text, end))
}

fn words(array: &Array) -> Vec<String> {
    array.iter().map(|word| word.as_str().unwrap_or_default().to_owned()).collect()
}

/// Returns what stands before the names of the server's values if they are written with it, as in
/// `mcp_servers.memtape.command`.
fn prefix<'t>(server: &Item, text: &'t str) -> &'t str {
    let command = server.as_table_like().and_then(|table| table.get_key_value("command")?.0.span());
    let before = &text[..command.map_or(0, |command| command.start)];
    before.rsplit(['\n', '{', ',']).next().unwrap_or_default().trim_start()
}

/// Returns the sections of a table and of the tables below it, in the order of the text.
fn sections(table: &Table, text: &str) -> Vec<Range<usize>> {
    let mut sections = Vec::new();
    collect(table, &mut sections);
    if table.is_dotted() {
        collect_dotted(table, text, &mut sections);
    }
    sections.sort_by_key(|section| section.start);
    sections
}

/// Collects the sections of a table and of the tables below it: each from its header to the end of its last value.
fn collect(table: &Table, sections: &mut Vec<Range<usize>>) {
    if let Some(header) = table.span().filter(|_| !table.is_dotted() && !table.is_implicit()) {
        let end = last_value(table).unwrap_or(header.end);
        sections.push(header.start..end);
    }
    for (_, item) in table {
        match item {
            Item::Table(table) => collect(table, sections),
            Item::ArrayOfTables(tables) => tables.iter().for_each(|table| collect(table, sections)),
            Item::None | Item::Value(_) => {}
        }
    }
}

/// Collects the lines of the values of a dotted table, which has no header.
fn collect_dotted(table: &Table, text: &str, sections: &mut Vec<Range<usize>>) {
    for (name, item) in table {
        let key = table.get_key_value(name).and_then(|(key, _)| key.span());
        match (item, key) {
            (Item::Value(value), Some(key)) => {
                let start = text[..key.start].rfind('\n').map_or(0, |at| at + 1);
                sections.extend(value.span().map(|value| start..value.end));
            }
            (Item::Table(below), _) if below.is_dotted() => collect_dotted(below, text, sections),
            _ => {}
        }
    }
}

/// Returns the end of the last value of a section.
fn last_value(table: &Table) -> Option<usize> {
    let ends = table.iter().filter_map(|(_, item)| match item {
        Item::Value(value) => Some(value.span()?.end),
        Item::Table(table) if table.is_dotted() => last_value(table),
        _ => None,
    });
    ends.max()
}

/// Widens a section to whole lines, with the line end and the blank line before it.
fn with_lines(text: &str, section: &Range<usize>) -> Range<usize> {
    let end = line_end(text, section.end);
    let before = &text[..section.start];
    let line = before.trim_end_matches([' ', '\t']);
    let above = without_newline(line);
    let start = if above.ends_with('\n') { without_newline(above).len() } else { above.len() };
    start..end
}

/// Returns the end of the line that contains a position, without its line end.
fn line_end(text: &str, at: usize) -> usize {
    let length = text[at..].find('\n').unwrap_or(text.len() - at);
    without_newline(&text[..(at + length + 1).min(text.len())]).len()
}

/// Writes a string: what JSON escapes, TOML escapes in the same way.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns whether the server is switched off.
pub(crate) fn is_off(text: &str) -> bool {
    let document = parse(text).ok();
    let server = document.as_ref().and_then(|document| server(document).ok().flatten());
    server.and_then(|server| server.get("enabled")?.as_bool()) == Some(false)
}

/// Returns whether Codex's `config.toml` has hooks, rather than only which hooks are trusted.
pub(crate) fn has_hooks(text: &str) -> bool {
    let document = parse(text).ok();
    let hooks = document.as_ref().and_then(|document| document.get("hooks")?.as_table_like());
    hooks.is_some_and(|hooks| hooks.iter().any(|(key, _)| key != "state"))
}
