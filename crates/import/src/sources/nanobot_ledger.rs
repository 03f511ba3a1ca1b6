//! The git-like memory of nanobot: events, commits and branches as JSON files (document 1's original).
//!
//! The path is the workspace or its folder `memory`. Its facts are replayed in the order of the commits, with what the
//! tools meant: `modify` changes a fact, and `forget` forgets it in every topic, although the original's own view ignored
//! the one and missed the other.

use std::collections::{BTreeMap, HashSet};

use memtape::lenient_json;
use serde_json::{Map, Value};

use super::fields::filled;
use super::nanobot::{At, read_memory_file};
use crate::error::{Error, Result};
use crate::input::Input;
use crate::item::{Content, Fact, FactChange, Item, Place};
use crate::source::{About, Route, Sink, Source};

/// The topic that the original's tool for forgetting always writes.
const ANY_TOPIC: &str = "permanent";
/// The branch that the original begins with.
const MAIN: &str = "main";

/// The git-like memory of nanobot.
pub(crate) struct NanobotLedger;

impl Source for NanobotLedger {
    fn about(&self) -> &'static About {
        &About {
            name: "nanobot-ledger",
            reads: "the git-like memory of nanobot (memory/branches, memory/ledger)",
            versions: "lichman0405/nanobot of February 2026, commits 09d2aa7 to 56057ec",
            routes: &[
                Route { item: "event add, update, modify, confirm", form: "ledger, the value with its time" },
                Route { item: "event observe", form: "ledger, an observation of the value" },
                Route {
                    item: "event deprecate, forget",
                    form: "ledger, the fact is deprecated or forgotten",
                },
                Route { item: "the branch in HEAD", form: "the branch of the import" },
                Route {
                    item: "any other branch",
                    form: "a branch of the same name from their common commit on, with its persona",
                },
                Route { item: "MEMORY.md, YYYY-MM-DD.md", form: "zone, as for nanobot" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let memory = At::of(input).memory;
        let branches = input.list(&format!("{memory}branches"))?;
        let branches = branches.into_iter().map(|entry| entry.path).filter(|path| path.ends_with(".json"));
        let branches: Vec<String> = branches.collect();
        if branches.is_empty() || input.list(&format!("{memory}ledger"))?.is_empty() {
            return Ok(Vec::new());
        }
        let events = input.files_below(&format!("{memory}ledger"), |entry| entry.name.ends_with(".json"))?;
        let notes = At::of(input).memory_files(input)?;
        Ok(branches.into_iter().chain(events).chain(notes).collect())
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let at = At::of(input);
        let mut ledger = Ledger { input, memory: at.memory.clone(), reported: HashSet::new() };
        let mut branches: BTreeMap<String, Branch> = BTreeMap::new();
        for entry in input.list(&format!("{}branches", at.memory))? {
            let Some(branch) = ledger.object(&entry.path, sink) else { continue };
            let name = entry.name.trim_end_matches(".json");
            let name = filled(&branch, "name").unwrap_or(name).to_owned();
            let [head, persona] = ["head", "persona"].map(|field| filled(&branch, field).map(str::to_owned));
            branches.insert(name, Branch { place: Place::file(&entry.path), head, persona });
        }
        let current = input.text(&format!("{}HEAD", at.memory)).map(|text| text.trim().to_owned());
        let current =
            current.ok().filter(|name| branches.contains_key(name)).unwrap_or_else(|| MAIN.to_owned());
        let head = branches.remove(&current).and_then(|branch| branch.head);
        let trunk = ledger.commits(head, sink);
        let mut forks: BTreeMap<usize, Vec<(String, Branch, Vec<Commit>)>> = BTreeMap::new();
        for (name, branch) in branches {
            let mut commits = ledger.commits(branch.head.clone(), sink);
            let is_shared = |(own, other): &(&Commit, &Commit)| own.id == other.id;
            let shared = commits.iter().zip(&trunk).take_while(is_shared).count();
            forks.entry(shared).or_default().push((name, branch, commits.split_off(shared)));
        }
        // A branch begins with what the importer has taken before.
        let mut seen = HashSet::new();
        for number in 0..=trunk.len() {
            for (name, branch, commits) in forks.remove(&number).unwrap_or_default() {
                sink.branch(branch.place, &name, branch.persona.as_deref())?;
                let mut seen = seen.clone();
                for commit in &commits {
                    ledger.events(Some(&name), commit, &mut seen, sink)?;
                }
            }
            if let Some(commit) = trunk.get(number) {
                ledger.events(None, commit, &mut seen, sink)?;
            }
        }
        for file in at.memory_files(input)? {
            read_memory_file(input, &file, sink)?;
        }
        Ok(())
    }
}

/// A branch.
struct Branch {
    place: Place,
    /// The id of its last commit.
    head: Option<String>,
    /// The description of its persona.
    persona: Option<String>,
}

/// A commit.
struct Commit {
    id: String,
    /// The ids of its events.
    events: Vec<String>,
}

/// The ledger that is read.
struct Ledger<'l> {
    input: &'l Input,
    memory: String,
    /// The files that were reported.
    reported: HashSet<String>,
}

impl Ledger<'_> {
    /// Returns the commits of a branch, oldest first.
    fn commits(&mut self, head: Option<String>, sink: &mut dyn Sink) -> Vec<Commit> {
        let mut commits = Vec::new();
        let mut seen = HashSet::new();
        let mut next = head;
        while let Some(id) = next {
            if !seen.insert(id.clone()) {
                let place = Place::file(&self.path("commits", &id));
                sink.skip(place, "the commits are a circle: it is its own ancestor");
                break;
            }
            let Some(commit) = self.stored("commits", &id, sink) else { break };
            next = filled(&commit, "parent_id").map(str::to_owned);
            let events = commit.get("events").and_then(Value::as_array).into_iter().flatten();
            let events = events.filter_map(Value::as_str).map(str::to_owned).collect();
            commits.push(Commit { id, events });
        }
        commits.reverse();
        commits
    }

    /// Yields the events of a commit that were not seen before.
    fn events(
        &mut self,
        branch: Option<&str>,
        commit: &Commit,
        seen: &mut HashSet<String>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        for id in &commit.events {
            if seen.insert(id.clone())
                && let Some(event) = self.stored("events", id, sink)
            {
                self.event(branch, id, &event, sink)?;
            }
        }
        Ok(())
    }

    fn event(
        &self,
        branch: Option<&str>,
        id: &str,
        event: &Map<String, Value>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let place = Place::file(&self.path("events", id));
        let change = match filled(event, "event_type").unwrap_or_default() {
            "add" | "update" | "modify" | "confirm" => FactChange::Record,
            "observe" => FactChange::Observe,
            "deprecate" => FactChange::Deprecate,
            "forget" => FactChange::Forget,
            other => {
                sink.skip(place, &format!("its type {other:?} is not known"));
                return Ok(());
            }
        };
        let text = |name: &str| filled(event, name).unwrap_or_default().to_owned();
        let scope = filled(event, "scope").map(str::to_owned);
        let topic = match change {
            FactChange::Record | FactChange::Observe => scope,
            FactChange::Deprecate | FactChange::Forget => scope.filter(|scope| scope != ANY_TOPIC),
        };
        let object = match event.get("object") {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            // A model may write a number where the original declares a text.
            Some(other) => other.to_string(),
        };
        let fact = Fact {
            change,
            subject: text("subject"),
            predicate: text("predicate"),
            object,
            topic,
            confidence: event.get("confidence").and_then(Value::as_f64).map(|share| share.clamp(0.0, 1.0)),
            source: filled(event, "source").map(str::to_owned),
            evidence: filled(event, "evidence").map(str::to_owned),
            said_at: self.input.instant_of(event.get("timestamp")),
            branch: branch.map(str::to_owned),
            ..Fact::default()
        };
        let id = branch.map_or_else(|| id.to_owned(), |branch| format!("{branch}:{id}"));
        sink.item(Item { id, place, content: Content::Fact(fact) })
    }

    fn path(&self, folder: &str, id: &str) -> String {
        format!("{}ledger/{folder}/{id}.json", self.memory)
    }

    /// Reads a commit or an event; `None` if that is not possible, which is reported once.
    fn stored(&mut self, folder: &str, id: &str, sink: &mut dyn Sink) -> Option<Map<String, Value>> {
        let is_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if id.is_empty() || !id.chars().all(is_id) {
            sink.skip(Place::file(&format!("{}ledger/{folder}", self.memory)), &format!("{id:?} is no id"));
            return None;
        }
        self.object(&self.path(folder, id), sink)
    }

    fn object(&mut self, path: &str, sink: &mut dyn Sink) -> Option<Map<String, Value>> {
        let read = self.input.text(path).and_then(|text| {
            lenient_json::from_str(&text).map_err(|_| Error::unreadable(path, "it is not a JSON object"))
        });
        match read {
            Ok(object) => Some(object),
            Err(e) => {
                if self.reported.insert(path.to_owned()) {
                    let why = e.to_string();
                    let prefix = format!("cannot read {path}: ");
                    sink.skip(Place::file(path), why.strip_prefix(&prefix).unwrap_or(&why));
                }
                None
            }
        }
    }
}
