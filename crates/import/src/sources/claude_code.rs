//! What Claude Code remembers: instructions (`CLAUDE.md` with its imports, and rules), auto memory, and transcripts.
//!
//! The path is `~/.claude`, a project below `~/.claude/projects`, its folder `memory`, a repository, or one file of
//! these. Of a transcript only what the person typed and the replies are read: no tool calls and results, no reminders,
//! no subagents, no summaries.

mod instructions;
mod transcript;

use super::{front_matter, names, sniff};
use crate::error::Result;
use crate::input::{Input, ListedKind, NOT_FOLLOWED};
use crate::item::{Content, Item, Place, digest};
use crate::source::{About, Route, Sink, Source};

/// The instructions of a repository or of a person.
const INSTRUCTIONS: [&str; 3] = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
/// The folders of rules.
const RULES: [&str; 2] = ["rules", ".claude/rules"];
/// The folder of projects in `~/.claude`.
const PROJECTS: &str = "projects";
/// The folder of auto memory in a project.
const MEMORY: &str = "memory";
/// The index of auto memory.
const INDEX: &str = "MEMORY.md";

/// Claude Code.
pub(crate) struct ClaudeCode;

impl Source for ClaudeCode {
    fn about(&self) -> &'static About {
        &About {
            name: "claude-code",
            reads: "Claude Code: ~/.claude, one of its projects, or a repository",
            versions: "Claude Code 1.0 to 2.1: CLAUDE.md, auto memory with and without front matter, transcripts",
            routes: &[
                Route { item: "CLAUDE.md, each file that it imports, rule", form: "note facts/NAME.md" },
                Route { item: "file of auto memory", form: "note facts/PROJECT-NAME.md" },
                Route { item: "index of auto memory that only links to the other files", form: "left out" },
                Route {
                    item: "prompt and reply of a transcript",
                    form: "message of the conversation project:FOLDER:SESSION",
                },
                Route { item: "tool call, tool result, reminder, subagent, summary", form: "left out" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let Found { instructions, memory, transcripts, .. } = find(input)?;
        Ok([instructions, memory, transcripts].concat())
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        let Found { instructions, memory, transcripts, .. } = find(input)?;
        // Other programs have a `MEMORY.md` too.
        let is_memory = |file: &String| {
            file.starts_with(PROJECTS)
                || input
                    .text(file)
                    .is_ok_and(|text| front_matter::of(&text).0.contains_key("originSessionId"))
        };
        Ok(!instructions.is_empty()
            || transcripts.iter().any(|file| is_transcript(input, file))
            || memory.iter().any(is_memory))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let Found { instructions, memory, transcripts, walked, links } = find(input)?;
        let mut paths = names::Taken::default();
        instructions::read(input, &instructions, &mut paths, sink)?;
        for file in &memory {
            if let Some(text) = input.text_or_skip(file, sink) {
                read_memory(input, file, text, &mut paths, sink)?;
            }
        }
        for file in &transcripts {
            match is_transcript(input, file) {
                true => transcript::read(input, file, sink)?,
                false => sink.unreadable(Place::file(file), "it is not a transcript of Claude Code"),
            }
        }
        links.iter().for_each(|link| sink.skip(Place::file(link), NOT_FOLLOWED));
        walked.iter().try_for_each(|folder| input.report_passed_over(folder, sink))
    }
}

/// The files of the program, by what they contain.
#[derive(Default)]
struct Found {
    instructions: Vec<String>,
    memory: Vec<String>,
    transcripts: Vec<String>,
    /// The folders all of whose Markdown was found.
    walked: Vec<String>,
    /// Links in place of transcripts and of folders, which are not followed.
    links: Vec<String>,
}

impl Found {
    /// Finds the Markdown of a folder.
    fn walk(&mut self, input: &Input, folder: &str) -> Result<Vec<String>> {
        match input.is_link(folder) {
            true => self.links.push(folder.to_owned()),
            false => self.walked.push(folder.to_owned()),
        }
        input.files_below(folder, is_markdown)
    }
}

fn find(input: &Input) -> Result<Found> {
    let mut found = Found::default();
    if let Some(file) = input.only_file() {
        let files = match (file.ends_with(".jsonl"), INSTRUCTIONS.contains(&file)) {
            (true, _) => &mut found.transcripts,
            (_, true) => &mut found.instructions,
            _ => &mut found.memory,
        };
        files.push(file.to_owned());
        return Ok(found);
    }
    found.instructions.extend(
        INSTRUCTIONS.iter().filter(|file| input.has_file_or_link(file)).map(|file| (*file).to_owned()),
    );
    let is_repository = !found.instructions.is_empty()
        || input.list("")?.iter().any(|entry| [".git", PROJECTS].contains(&&*entry.name));
    for folder in RULES {
        let rules = found.walk(input, folder)?;
        found.instructions.extend(rules);
    }
    for project in input.list(PROJECTS)?.into_iter().filter(|entry| entry.kind == ListedKind::Folder) {
        find_project(input, &project.path, &mut found)?;
    }
    find_project(input, "", &mut found)?;
    if input.has_file(INDEX) && !is_repository {
        // The path is a folder of auto memory: all of it is walked.
        (found.walked, found.links) = Default::default();
        let memory = found.walk(input, "")?;
        found.memory.extend(memory);
    }
    Ok(found)
}

/// Finds the auto memory and the transcripts of a project. The transcripts of its subagents are in folders.
fn find_project(input: &Input, project: &str, found: &mut Found) -> Result<()> {
    let below = |name: &str| if project.is_empty() { name.to_owned() } else { format!("{project}/{name}") };
    let memory = found.walk(input, &below(MEMORY))?;
    found.memory.extend(memory);
    let is_named = |name: &str| name.ends_with(".jsonl") && !name.starts_with("agent-");
    for entry in input.list(project)?.into_iter().filter(|entry| is_named(&entry.name)) {
        match entry.kind {
            ListedKind::File if is_transcript(input, &entry.path) => found.transcripts.push(entry.path),
            ListedKind::Other => found.links.push(entry.path),
            ListedKind::File | ListedKind::Folder => {}
        }
    }
    Ok(())
}

fn is_transcript(input: &Input, file: &str) -> bool {
    sniff::line(input, file, transcript::is_line)
}

fn is_markdown(entry: &crate::input::Listed) -> bool {
    entry.name.ends_with(".md")
}

fn read_memory(
    input: &Input,
    file: &str,
    text: String,
    paths: &mut names::Taken,
    sink: &mut dyn Sink,
) -> Result<()> {
    let place = Place::file(file);
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    if text.trim().is_empty() {
        sink.skip(place, "it is empty");
        return Ok(());
    }
    if name == INDEX && is_index(input, folder, &text) {
        sink.skip(place, "it is the index of the files beside it");
        return Ok(());
    }
    // `projects/-home-ana-app/memory/tabs.md` is the note `home-ana-app-tabs`.
    let parts = file.split('/').filter(|part| ![PROJECTS, MEMORY].contains(part));
    let path = paths.note("facts", &parts.collect::<Vec<_>>().join("/"));
    let id = format!("{file}@{}", digest(&text));
    sink.item(Item { id, place, content: Content::Note { path, text } })
}

/// Returns whether every bullet links to a file in the same folder.
fn is_index(input: &Input, folder: &str, text: &str) -> bool {
    let mut links = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(linked) = line.split_once("](").and_then(|(_, rest)| rest.split_once(')')) else {
            return false;
        };
        let path = if folder.is_empty() { linked.0.to_owned() } else { format!("{folder}/{}", linked.0) };
        if !input.has_file(&path) {
            return false;
        }
        links += 1;
    }
    links > 0
}
