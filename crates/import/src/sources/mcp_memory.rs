//! The knowledge graph of the reference memory server of the Model Context Protocol.
//!
//! It is JSON Lines of entities, with observations, and relations. An entity may have several observations, and several
//! relations of one type, but a slot of the ledger has one value. So the topic of each fact distinguishes them:
//! that of an observation names the type of its entity and a digest of its text, that of a relation the other entity.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::fields::filled;
use super::sniff;
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Fact, Item, Place, digest};
use crate::source::{About, Route, Sink, Source};

/// The names of the file: the older server wrote the same lines as `memory.json`.
const NAMES: [&str; 2] = ["memory.jsonl", "memory.json"];
/// Maximum length of a name in a topic, in characters.
const TOPIC_CHARS: usize = 150;
/// Maximum length of a name in the ledger, in characters.
const NAME_CHARS: usize = 200;
/// The predicate of the type of an entity.
const TYPE: &str = "entity type";
/// The predicate of an observation.
const OBSERVATION: &str = "observation";

/// The memory file of `@modelcontextprotocol/server-memory`.
pub(crate) struct McpMemory;

impl Source for McpMemory {
    fn about(&self) -> &'static About {
        &About {
            name: "mcp-memory",
            reads: "the memory file of the MCP reference server",
            versions: "@modelcontextprotocol/server-memory 0.6 to 2026.8.31: memory.jsonl, before that memory.json",
            routes: &[
                Route { item: "type of an entity, of its last line", form: "ledger fact NAME, entity type" },
                Route {
                    item: "observation of an entity",
                    form: "ledger fact NAME, observation; topic TYPE/DIGEST",
                },
                Route { item: "relation", form: "ledger fact FROM, TYPE, TO; topic to/TO" },
            ],
        }
    }

    fn repeats_documents(&self) -> bool {
        true
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        if let Some(file) = input.only_file() {
            return Ok(vec![file.to_owned()]);
        }
        Ok(NAMES.iter().filter(|name| input.has_file(name)).map(|name| (*name).to_owned()).collect())
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        Ok(self.files(input)?.iter().any(|file| is_graph(input, file)))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        for file in self.files(input)? {
            let names = Names::read(input, &file, sink)?;
            input.for_json_lines(&file, sink, &mut |number, line, sink| {
                let place = Place::line(&file, number);
                let facts = match facts_of(&line, &names, &place, sink) {
                    Ok(facts) => facts,
                    Err(why) => {
                        sink.unreadable(place, why);
                        return Ok(());
                    }
                };
                for fact in facts {
                    let (id, content) = (id_of(&fact), Content::Fact(fact));
                    sink.item(Item { id, place: place.clone(), content })?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Returns whether a file has a line of a graph among its first lines.
fn is_graph(input: &Input, file: &str) -> bool {
    sniff::line(input, file, |line| {
        filled(line, "type").is_some_and(|kind| match kind {
            "entity" => line.contains_key("entityType"),
            "relation" => line.contains_key("relationType"),
            _ => false,
        })
    })
}

fn facts_of(
    line: &Map<String, Value>,
    names: &Names,
    place: &Place,
    sink: &mut dyn Sink,
) -> Result<Vec<Fact>, &'static str> {
    match line.get("type").and_then(Value::as_str) {
        Some("entity") => entity(line, names, place, sink),
        Some("relation") => relation(line, names),
        _ => Err("its type is neither entity nor relation"),
    }
}

fn id_of(fact: &Fact) -> String {
    let Fact { subject, predicate, object, .. } = fact;
    match predicate.as_str() {
        // The server keeps one type of an entity, and may change it.
        TYPE => format!("{}@{}", [subject, TYPE].map(digest).join("-"), digest(object)),
        _ => [subject, predicate, object].map(|part| digest(part)).join("-"),
    }
}

/// The names of entities in the ledger. The ledger takes names for equal that differ in case only, but the graph does
/// not: all spellings but one have a digest behind them. A name stays what an earlier import made it.
#[derive(Default)]
struct Names {
    /// The spellings of each name, by its lower case.
    spellings: HashMap<String, Spellings>,
    /// Whether other names have a digest.
    have_digest: bool,
    /// The type of each entity, by its name: that of its last line.
    types: HashMap<String, String>,
}

/// The spellings of a name.
#[derive(Default)]
struct Spellings {
    /// The first one in order.
    first: String,
    /// The one that was imported without a digest.
    plain: Option<String>,
    /// Whether one was imported with a digest.
    has_other: bool,
}

impl Names {
    /// Reads the names of a file. `known` tells which facts were imported before.
    fn read(input: &Input, file: &str, known: &dyn Sink) -> Result<Self> {
        let mut names = Self::default();
        let hypotheses = [false, true].map(|have_digest| Self { have_digest, ..Self::default() });
        // The ledger refuses names that are longer.
        let named = |line: &Map<String, Value>, field| {
            filled(line, field).map(one_line).filter(|name| name.chars().count() <= NAME_CHARS)
        };
        input.for_json_lines(file, &mut sniff::Nowhere, &mut |number, line, sink| {
            if let Some((name, kind)) = named(&line, "name").zip(named(&line, "entityType")) {
                names.types.insert(name, kind);
            }
            for name in ["name", "from", "to"].into_iter().filter_map(|field| named(&line, field)) {
                let spellings = names.spellings.entry(name.to_lowercase()).or_default();
                if spellings.first.is_empty() || name < spellings.first {
                    spellings.first = name;
                }
            }
            let name = ["name", "from"].into_iter().find_map(|field| named(&line, field));
            let Some(name) = name else { return Ok(()) };
            for hypothesis in &hypotheses {
                let facts = facts_of(&line, hypothesis, &Place::line(file, number), sink);
                if !facts.into_iter().flatten().any(|fact| known.is_known(&id_of(&fact))) {
                    continue;
                }
                let spellings = names.spellings.entry(name.to_lowercase()).or_default();
                match hypothesis.have_digest {
                    true => spellings.has_other = true,
                    false => spellings.plain = Some(name.clone()),
                }
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// Returns whether a later line gives an entity another type.
    fn has_other_type(&self, name: &str, kind: &str) -> bool {
        self.types.get(&one_line(name)).is_some_and(|last| last != kind)
    }

    /// Returns the name of an entity in the ledger.
    fn of(&self, name: &str) -> String {
        let name = one_line(name);
        let has_digest = self.spellings.get(&name.to_lowercase()).map_or(self.have_digest, |spellings| {
            match &spellings.plain {
                Some(plain) => *plain != name,
                None => spellings.has_other || spellings.first != name,
            }
        });
        if has_digest { format!("{name} ({})", &digest(&name)[..4]) } else { name }
    }
}

fn entity(
    line: &Map<String, Value>,
    names: &Names,
    place: &Place,
    sink: &mut dyn Sink,
) -> Result<Vec<Fact>, &'static str> {
    let own_name = filled(line, "name").ok_or("the entity has no name")?;
    let name = names.of(own_name);
    let kind = filled(line, "entityType").map(one_line);
    let mut facts = Vec::new();
    if let Some(kind) = &kind {
        let fact =
            Fact { subject: name.clone(), predicate: TYPE.into(), object: kind.clone(), ..Fact::default() };
        match names.has_other_type(own_name, kind) {
            true => sink.skip(place.clone(), "a later line gives the entity another type"),
            false => facts.push(fact),
        }
    }
    let observations = match line.get("observations") {
        Some(Value::Array(observations)) => observations.as_slice(),
        Some(one @ Value::String(_)) => std::slice::from_ref(one),
        _ => &[],
    };
    for observation in observations {
        let Some(text) = observation.as_str().filter(|text| !text.trim().is_empty()) else {
            sink.skip(place.clone(), "an observation is not a text");
            continue;
        };
        let topic = format!("{}/{}", kind.as_deref().unwrap_or("entity"), &digest(text)[..8]);
        let fact = Fact {
            subject: name.clone(),
            predicate: OBSERVATION.into(),
            object: text.to_owned(),
            topic: Some(topic),
            ..Fact::default()
        };
        facts.push(fact);
    }
    Ok(facts)
}

fn relation(line: &Map<String, Value>, names: &Names) -> Result<Vec<Fact>, &'static str> {
    let ends = filled(line, "from").zip(filled(line, "to")).ok_or("the relation has not two ends")?;
    let (from, to) = (names.of(ends.0), names.of(ends.1));
    let kind = filled(line, "relationType").map(one_line).ok_or("the relation has no type")?;
    Ok(vec![edge(from, kind, to)])
}

/// Returns the fact for an edge of a graph. Its topic leaves room for other edges of the same type.
pub(super) fn edge(from: String, kind: String, to: String) -> Fact {
    let named = if to.chars().count() > TOPIC_CHARS { digest(&to) } else { to.clone() };
    let topic = Some(format!("to/{named}"));
    Fact { subject: from, predicate: kind, object: to, topic, ..Fact::default() }
}

/// Returns a name on one line: the ledger shows each fact on one.
pub(super) fn one_line(name: &str) -> String {
    name.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
