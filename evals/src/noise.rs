//! What a turn shows of memories that nobody asked for, compared with what its answer needs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use memtape::{Added, Inbound, Options, Session, Workspace};
use memtape_core::{Category, MemoryId};
use serde::Deserialize;

use crate::Failure;
use crate::sets::{self, Part};

#[derive(Deserialize)]
struct Persona {
    id: String,
    lang: String,
    memories: Vec<Remembered>,
    turns: Vec<Asked>,
}

#[derive(Deserialize)]
struct Remembered {
    id: String,
    category: Category,
    text: String,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    pub(crate) text: String,
    pub(crate) needs: Vec<String>,
    kind: String,
}

/// Counts of turns and memories.
#[derive(Clone, Copy, Default)]
pub(crate) struct Given {
    /// Turns that need nothing, and those of them that are shown something.
    idle: (u32, u32),
    /// The same of small talk, commands and translations alone.
    chatter: (u32, u32),
    /// Memories that are needed, and those of them that are shown.
    needed: (u32, u32),
    /// The number of memories that are shown.
    shown: u32,
}

impl Given {
    /// Returns the share of turns that need nothing and are shown something.
    pub(crate) fn idle_share(self) -> f64 {
        share(self.idle)
    }

    /// Returns the share of needed memories that are shown.
    pub(crate) fn needed_share(self) -> f64 {
        share(self.needed)
    }

    fn add(&mut self, other: Given) {
        for (mine, theirs) in [
            (&mut self.idle, other.idle),
            (&mut self.chatter, other.chatter),
            (&mut self.needed, other.needed),
        ] {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
        self.shown += other.shown;
    }

    fn print(self, what: &str) {
        println!(
            "{what:8}  idle turns given something {:.3}   chatter {:.3}   needed memories given {:.3}   ({} of {} idle, {} of {} needed; {} shown)",
            share(self.idle),
            share(self.chatter),
            share(self.needed),
            self.idle.1,
            self.idle.0,
            self.needed.1,
            self.needed.0,
            self.shown
        );
    }
}

fn share((all, some): (u32, u32)) -> f64 {
    f64::from(some) / f64::from(all.max(1))
}

/// Returns the turns of a part, to train or measure the gate.
pub(crate) fn turns(folder: &Path, part: Part) -> Result<Vec<Asked>, Failure> {
    Ok(personas(folder, part)?.into_iter().flat_map(|persona| persona.turns).collect())
}

fn personas(folder: &Path, part: Part) -> Result<Vec<Persona>, Failure> {
    let mut personas = Vec::new();
    for path in sets::files(folder, part)? {
        for line in fs::read_to_string(path)?.lines() {
            personas.push(serde_json::from_str(line)?);
        }
    }
    Ok(personas)
}

/// Sends the turns of each persona of a part to a workspace with its memories, and prints what the prompts show.
///
/// `floor` replaces the default of `recall.floor`.
pub(crate) fn run(folder: &Path, part: Part, floor: Option<f64>) -> Result<Given, Failure> {
    let mut all = Given::default();
    let mut languages: BTreeMap<String, Given> = BTreeMap::new();
    for persona in personas(folder, part)? {
        let given = of_persona(&persona, floor)?;
        all.add(given);
        languages.entry(persona.lang.clone()).or_default().add(given);
    }
    for (language, given) in languages {
        given.print(&language);
    }
    all.print("all");
    Ok(all)
}

fn of_persona(persona: &Persona, floor: Option<f64>) -> Result<Given, Failure> {
    let dir = tempfile::tempdir()?;
    let mut options = Options::default();
    options.config.recall.floor = floor.unwrap_or(options.config.recall.floor);
    let workspace = Workspace::init(dir.path(), options)?;
    let conversation = workspace.conversation(Session::direct());
    let mut ids: BTreeMap<MemoryId, &str> = BTreeMap::new();
    for memory in &persona.memories {
        workspace.statements().add(&Added::new(&memory.text, memory.category))?;
        let newest = workspace.statements().holding(&memory.text)?;
        ids.extend(
            newest.into_iter().filter(|held| held.text == memory.text).map(|held| (held.id, &*memory.id)),
        );
    }
    let mut given = Given::default();
    for asked in &persona.turns {
        let turn = conversation.begin(&Inbound::new(&asked.text))?;
        let shown: Vec<&str> =
            turn.briefing().recalled.iter().filter_map(|hit| ids.get(&hit.memory.id).copied()).collect();
        given.shown += u32::try_from(shown.len())?;
        if asked.needs.is_empty() {
            let is_given = u32::from(!turn.briefing().recalled.is_empty());
            given.idle.0 += 1;
            given.idle.1 += is_given;
            if matches!(&*asked.kind, "smalltalk" | "command" | "translation") {
                given.chatter.0 += 1;
                given.chatter.1 += is_given;
            }
        }
        for needed in &asked.needs {
            given.needed.0 += 1;
            given.needed.1 += u32::from(shown.contains(&&**needed));
        }
    }
    if given.needed.0 == 0 {
        println!("{}: no turn needs anything", persona.id);
    }
    Ok(given)
}
