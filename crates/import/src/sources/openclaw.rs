//! The workspace of an OpenClaw agent: Markdown that the agent and its owner write.
//!
//! The path is the workspace, or `~/.openclaw`, whose `workspace` is then read. What OpenClaw keeps beside the workspace,
//! such as credentials and the sessions of channels, is never read.

use jiff::civil::Date;
use memtape::calendar;

use super::names;
use crate::error::Result;
use crate::input::{Input, ListedKind};
use crate::item::{Content, Item, Place, digest};
use crate::markdown;
use crate::source::{About, Route, Sink, Source};

/// The default workspace in `~/.openclaw`.
const WORKSPACE: &str = "workspace";
/// The curated memory. Older workspaces may have both.
const CURATED: [&str; 2] = ["MEMORY.md", "memory.md"];
/// The folder of daily and other notes.
const MEMORY: &str = "memory";
/// The folder in which OpenClaw keeps the state of its dreaming.
const DREAMS: &str = ".dreams";
/// The texts that become blocks: the file, the name and the layer.
const BLOCKS: [(&str, &str, u8); 3] =
    [("SOUL.md", "persona", 2), ("IDENTITY.md", "identity", 2), ("USER.md", "owner_context", 3)];
/// The texts that become notes, with their folders.
const NOTES: [(&str, &str); 3] =
    [("TOOLS.md", "facts"), ("DREAMS.md", "episodes"), ("dreams.md", "episodes")];
/// The texts that are left out, and why.
const LEFT_OUT: [(&str, &str); 4] = [
    ("AGENTS.md", "it instructs the agent how to work, and stays with its program"),
    ("HEARTBEAT.md", "it is a list of what to do: copy it to HEARTBEAT.md in the workspace, if you use it"),
    ("BOOT.md", "it is a list of what to do at the start of OpenClaw"),
    ("BOOTSTRAP.md", "it is the script of the agent's first conversation"),
];

/// OpenClaw.
pub(crate) struct OpenClaw;

impl Source for OpenClaw {
    fn about(&self) -> &'static About {
        &About {
            name: "openclaw",
            reads: "the workspace of an OpenClaw agent",
            versions: "OpenClaw 2026.1 to 2026.4, and its predecessors Clawdbot and Moltbot",
            routes: &[
                Route { item: "MEMORY.md", form: "zone, a long-term line for each line" },
                Route { item: "memory/YYYY-MM-DD.md", form: "zone, daily note of that day" },
                Route { item: "memory/YYYY-MM-DD-TITLE.md, DREAMS.md", form: "note episodes/NAME.md" },
                Route { item: "any other Markdown in memory/, TOOLS.md", form: "note facts/NAME.md" },
                Route { item: "SOUL.md", form: "block persona, layer 2" },
                Route { item: "IDENTITY.md", form: "block identity, layer 2" },
                Route { item: "USER.md", form: "block owner_context, layer 3" },
                Route { item: "AGENTS.md, HEARTBEAT.md, BOOT.md, BOOTSTRAP.md", form: "left out" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let at = Workspace::of(input);
        let single = CURATED
            .iter()
            .chain(BLOCKS.iter().map(|(file, ..)| file))
            .chain(NOTES.iter().map(|(file, _)| file));
        // A file system that ignores case finds one file under two names, but lists it once.
        let listed: Vec<_> = input.list(at.folder)?.into_iter().map(|entry| entry.path).collect();
        let mut files: Vec<_> =
            single.map(|file| at.path(file)).filter(|file| listed.contains(file)).collect();
        files.extend(at.memory(input)?);
        Ok(files)
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        let at = Workspace::of(input);
        let is_agent = ["SOUL.md", "AGENTS.md"].iter().any(|file| input.has_file(&at.path(file)));
        Ok(is_agent && !self.files(input)?.is_empty())
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let at = Workspace::of(input);
        let mut paths = names::Taken::default();
        for file in self.files(input)? {
            let Some(text) = input.text_or_skip(&file, sink) else { continue };
            if text.trim().is_empty() {
                sink.skip(Place::file(&file), "it is empty");
                continue;
            }
            read_file(&at, &file, text, &mut paths, sink)?;
        }
        for (file, why) in LEFT_OUT {
            if input.has_file(&at.path(file)) {
                sink.skip(Place::file(&at.path(file)), why);
            }
        }
        input.report_passed_over(&at.path(MEMORY), sink)?;
        at.report_others(input, sink)
    }
}

/// The place of the workspace below the imported path.
struct Workspace {
    folder: &'static str,
}

impl Workspace {
    fn of(input: &Input) -> Self {
        let is_below =
            input.list(WORKSPACE).is_ok_and(|entries| !entries.is_empty()) && !input.has_file("SOUL.md");
        Self { folder: if is_below { WORKSPACE } else { "" } }
    }

    /// Returns the path of a file of the workspace.
    fn path(&self, file: &str) -> String {
        if self.folder.is_empty() { file.to_owned() } else { format!("{}/{file}", self.folder) }
    }

    /// Returns the path of a file within the workspace.
    fn within<'f>(&self, file: &'f str) -> &'f str {
        file.strip_prefix(self.folder).map_or(file, |rest| rest.trim_start_matches('/'))
    }

    fn memory(&self, input: &Input) -> Result<Vec<String>> {
        let files = input.files_below(&self.path(MEMORY), |entry| names::is_markdown(&entry.name))?;
        Ok(files.into_iter().filter(|file| !file.split('/').any(|part| part == DREAMS)).collect())
    }

    /// Reports the workspaces of other agents: their memories are not one.
    fn report_others(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        if self.folder.is_empty() {
            return Ok(());
        }
        for entry in input.list("")? {
            if entry.kind == ListedKind::Folder && entry.name.starts_with("workspace-") {
                let why =
                    "it is the workspace of another agent: import it into a workspace or a branch of its own";
                sink.skip(Place::file(&entry.name), why);
            }
        }
        Ok(())
    }
}

fn read_file(
    at: &Workspace,
    file: &str,
    text: String,
    paths: &mut names::Taken,
    sink: &mut dyn Sink,
) -> Result<()> {
    let within = at.within(file);
    if CURATED.contains(&within) {
        let lines = markdown::long_term(&text, None, |_| false);
        return markdown::lines(file, Place::file(file), None, lines, sink);
    }
    let id = format!("{file}@{}", digest(&text));
    let place = Place::file(file);
    if let Some((_, name, layer)) = BLOCKS.iter().find(|(block, ..)| *block == within) {
        let content = Content::Block {
            name: (*name).to_owned(),
            value: text.trim().to_owned(),
            layer: Some(*layer),
            said_at: None,
        };
        return sink.item(Item { id, place, content });
    }
    let in_memory = within.strip_prefix("memory/").unwrap_or(within);
    let folder = match (NOTES.iter().find(|(note, _)| *note == within), day_of(in_memory)) {
        (Some((_, folder)), _) => folder,
        (None, Some((day, true))) => {
            let pieces = markdown::daily(day, &text);
            return markdown::lines(file, Place::file(file), Some(day), pieces, sink);
        }
        (None, Some((_, false))) => "episodes",
        (None, None) => "facts",
    };
    let path = paths.note(folder, in_memory);
    sink.item(Item { id, place, content: Content::Note { path, text } })
}

/// Returns the day that the name of a file begins with, and whether it is the whole name and the file is directly in
/// the folder.
fn day_of(path: &str) -> Option<(Date, bool)> {
    let name = path.rsplit('/').next()?;
    let day = calendar::parse_day(name.get(..10)?).ok()?;
    Some((day, path.len() == "2026-02-10.md".len()))
}
