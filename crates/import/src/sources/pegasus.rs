//! The memory folder of Pegasus: facts and episodes in Markdown (document 2's original).
//!
//! The path is the folder, the folder above it, or `~/.pegasus` if it has one agent.

use crate::error::Result;
use crate::input::{Input, Listed, ListedKind, NOT_FOLLOWED};
use crate::item::{Content, Item, Place, digest};
use crate::source::{About, Route, Sink, Source};

/// The folders of notes.
const FOLDERS: [&str; 2] = ["facts", "episodes"];
/// Where the memory is below the path.
const ROOTS: [&str; 3] = ["", "memory/", "data/memory/"];
const AGENTS: &str = "agents";

/// Pegasus.
pub(crate) struct Pegasus;

impl Source for Pegasus {
    fn about(&self) -> &'static About {
        &About {
            name: "pegasus",
            reads: "the memory folder of Pegasus (facts/, episodes/)",
            versions: "codetrek/pegasus of February 2026 and later, commits 4af8cc2 to 0d2f2f0",
            routes: &[
                Route { item: "facts/NAME.md", form: "note facts/NAME.md, byte for byte" },
                Route { item: "episodes/NAME.md", form: "note episodes/NAME.md, byte for byte" },
                Route { item: "any other file, folder", form: "left out" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let mut files = Vec::new();
        let root = root(input)?;
        for folder in FOLDERS {
            let entries = input.list(&format!("{root}{folder}"))?.into_iter();
            files.extend(entries.filter(is_note).map(|entry| entry.path));
        }
        Ok(files)
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let root = root(input)?;
        for file in self.files(input)? {
            let Some(text) = input.whole_text_or_skip(&file, sink) else { continue };
            let path = file[root.len()..].to_owned();
            let id = format!("{file}@{}", digest(&text));
            sink.item(Item { id, place: Place::file(&file), content: Content::Note { path, text } })?;
        }
        for folder in FOLDERS {
            for entry in input.list(&format!("{root}{folder}"))? {
                match entry.kind {
                    ListedKind::Folder => {
                        sink.skip(Place::file(&entry.path), "it is a folder within the notes");
                    }
                    ListedKind::Other => sink.skip(Place::file(&entry.path), NOT_FOLLOWED),
                    ListedKind::File if is_note(&entry) => {}
                    ListedKind::File => sink.skip(Place::file(&entry.path), "its name does not end in .md"),
                }
            }
        }
        report_agents(input, sink)
    }
}

/// Returns whether the program reads an entry of a folder of notes.
fn is_note(entry: &Listed) -> bool {
    entry.kind == ListedKind::File && entry.name.ends_with(".md")
}

/// Returns the folder that has the folders of notes, with a `/` at the end unless it is the imported path.
fn root(input: &Input) -> Result<String> {
    let has_notes = |root: &str| -> Result<bool> {
        for folder in FOLDERS {
            if !input.list(&format!("{root}{folder}"))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    };
    for root in ROOTS {
        if has_notes(root)? {
            return Ok(root.to_owned());
        }
    }
    let agents = input.list(AGENTS)?;
    Ok(match agents.as_slice() {
        [agent] => format!("{}/memory/", agent.path),
        _ => String::new(),
    })
}

/// Reports the memories of several agents: they are not one.
fn report_agents(input: &Input, sink: &mut dyn Sink) -> Result<()> {
    let agents = input.list(AGENTS)?;
    if agents.len() > 1 {
        for agent in agents {
            let why = "it is the memory of one of several agents: import it into a workspace or a branch of its own";
            sink.skip(Place::file(&agent.path), why);
        }
    }
    Ok(())
}
