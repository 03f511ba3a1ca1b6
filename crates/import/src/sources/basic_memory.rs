//! The Markdown notes of Basic Memory, with their observations and relations.
//!
//! A note is imported as it is: its observations are bullets, so each of them is a memory. Its relations also become
//! facts, because a note alone does not answer which notes refer to which.

use super::mcp_memory::{edge, one_line};
use super::{front_matter, names};
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Fact, Item, Place, digest};
use crate::source::{About, Route, Sink, Source};

/// Number of notes that are looked at to recognise a folder.
const LOOKED_AT: usize = 50;
/// Marks a relation that its author writes out as a plain link.
const DIRECTIVE: &str = "#bm:links_to";

/// A project of Basic Memory.
pub(crate) struct BasicMemory;

impl Source for BasicMemory {
    fn about(&self) -> &'static About {
        &About {
            name: "basic-memory",
            reads: "a project folder of Basic Memory",
            versions: "basic-memory 0.1 to 0.24.1; relations whose type is one word or quoted, as the newest reads them",
            routes: &[
                Route { item: "note, with its observations", form: "note facts/NAME.md" },
                Route { item: "relation", form: "ledger fact TITLE, TYPE, TARGET; topic to/TARGET" },
                Route { item: "link in a sentence", form: "stays in its note" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let files = input.files_below("", |entry| entry.name.ends_with(".md"))?;
        Ok(files.into_iter().filter(|path| !path.split('/').any(|part| part.starts_with('.'))).collect())
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        let files = self.files(input)?;
        let mut texts = files.iter().take(LOOKED_AT).filter_map(|file| input.text(file).ok());
        Ok(texts.any(|text| front_matter::of(&text).0.contains_key("permalink")))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let mut paths = names::Taken::default();
        for file in self.files(input)? {
            if let Some(text) = input.text_or_skip(&file, sink) {
                read_note(input, &file, text, &mut paths, sink)?;
            }
        }
        input.report_passed_over("", sink)
    }
}

fn read_note(
    input: &Input,
    file: &str,
    text: String,
    paths: &mut names::Taken,
    sink: &mut dyn Sink,
) -> Result<()> {
    if text.trim().is_empty() {
        sink.skip(Place::file(file), "it is empty");
        return Ok(());
    }
    let (fields, body_line) = front_matter::of(&text);
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".md");
    let title = fields.get("title").map_or_else(|| one_line(stem), |title| one_line(title));
    let said_at = ["modified", "created"].iter().find_map(|name| input.instant(fields.get(*name)?));
    let relations = match fields.get("bm_parse_semantics").is_some_and(|value| value == "false") {
        true => Vec::new(),
        false => relations(&text, body_line),
    };
    let path = paths.note("facts", file);
    let id = format!("{file}@{}", digest(&text));
    sink.item(Item { id, place: Place::file(file), content: Content::Note { path, text } })?;
    for Relation { line, kind, target, context } in relations {
        let edge = edge(title.clone(), one_line(&kind), one_line(&target));
        // A permalink is unique in its project only. A relation is the fact that it states.
        let id = [&edge.subject, &edge.predicate, &edge.object].map(|text| digest(text)).join("-");
        let fact = Fact { evidence: context, said_at, ..edge };
        sink.item(Item { id, place: Place::line(file, line), content: Content::Fact(fact) })?;
    }
    Ok(())
}

/// A relation that a line states.
#[derive(Debug, PartialEq)]
struct Relation {
    /// The number of the line in the file.
    line: u64,
    kind: String,
    target: String,
    context: Option<String>,
}

/// Returns the relations that bullets state outside of code and quotations.
fn relations(text: &str, body_line: usize) -> Vec<Relation> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for (n, line) in text.lines().enumerate().skip(body_line) {
        let trimmed = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|marker| trimmed.starts_with(marker));
        match (fence, marker) {
            (None, Some(marker)) => fence = Some(marker),
            (Some(open), Some(marker)) if open == marker => fence = None,
            _ => {}
        }
        if fence.is_some() || marker.is_some() {
            continue;
        }
        let bullet = ["- ", "* ", "+ "].iter().find_map(|bullet| trimmed.strip_prefix(bullet));
        if let Some((kind, target, context)) = bullet.and_then(relation) {
            found.push(Relation { line: n as u64 + 1, kind, target, context });
        }
    }
    found
}

/// Reads `TYPE [[TARGET]] (CONTEXT)`. A type of several words is quoted; text after the target makes the line a
/// sentence.
fn relation(line: &str) -> Option<(String, String, Option<String>)> {
    let line = line.trim();
    let line = line.strip_suffix(DIRECTIVE).unwrap_or(line).trim_end();
    let (kind, rest) = line.split_once("[[")?;
    let kind = kind.trim();
    let is_quoted = |quote: char| kind.len() > 2 && kind.starts_with(quote) && kind.ends_with(quote);
    let kind = match is_quoted('"') || is_quoted('\'') {
        true => kind[1..kind.len() - 1].trim(),
        false if kind.chars().any(char::is_whitespace) => return None,
        false => kind,
    };
    let (target, after) = rest.split_once("]]")?;
    let (target, after) = (target.trim(), after.trim());
    if kind.is_empty() || kind.contains('`') || target.is_empty() || target.contains("[[") {
        return None;
    }
    let context = match after {
        "" => None,
        after => Some(in_parentheses(after)?.trim().to_owned()).filter(|context| !context.is_empty()),
    };
    Some((kind.to_owned(), target.to_owned(), context))
}

/// Returns what is between parentheses that enclose the whole text.
fn in_parentheses(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    (depth == 0).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_is_a_type_and_a_link_and_nothing_else() {
        let some = |kind: &str, target: &str, context: Option<&str>| {
            Some((kind.to_owned(), target.to_owned(), context.map(str::to_owned)))
        };
        for (line, expected) in [
            ("depends_on [[Cache layer]]", some("depends_on", "Cache layer", None)),
            (
                "depends_on [[Cache layer]] (since (about) May)",
                some("depends_on", "Cache layer", Some("since (about) May")),
            ),
            ("\"is part of\" [[Search]] #bm:links_to", some("is part of", "Search", None)),
            ("'gehört zu' [[Suche]]", some("gehört zu", "Suche", None)),
            ("属于 [[搜索]]", some("属于", "搜索", None)),
            ("see also [[Search]]", None),
            ("[[Search]]", None),
            ("uses [[A]] and [[B]]", None),
            ("uses [[A]] (x) and (y)", None),
            ("`uses [[A]]`", None),
            ("uses [[]]", None),
            ("uses [[A", None),
            ("plain text", None),
        ] {
            assert_eq!(relation(line), expected, "{line}");
        }
    }
}
