//! The facts as a knowledge graph, in the file of the Model Context Protocol's reference server for memories:
//! one entity or relation a line.
//!
//! A subject is an entity. A fact whose value is the name of another entity is a relation; any other fact is an
//! observation of its subject. The graph cannot say whose a fact is.

use std::collections::BTreeMap;
use std::io::Write;

use memtape_core::Form;
use memtape_core::forms::ledger::entry::folded;
use serde_json::json;

use super::Exported;
use super::source::{Source, put};
use crate::error::Result;
use crate::ledger::Fact;
use crate::log::one_line;

/// The predicate of the facts that hold an observation as a sentence, without a predicate of its own.
const OBSERVED: &str = "observation";
/// The predicate of the facts that hold the type of an entity.
const TYPED: &str = "entity type";
/// The type of an entity of which no fact states one.
const TYPE: &str = "subject";

/// Writes the graph.
pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<Exported> {
    let facts: Vec<Fact> = source.own(Form::LEDGER)?.into_iter().filter_map(Fact::read).collect();
    // Subjects that differ only in case are one, named as it was first written.
    let mut entities: BTreeMap<String, (&str, Vec<&Fact>)> = BTreeMap::new();
    for fact in &facts {
        let subject = fact.data.subject.as_str();
        entities.entry(folded(subject)).or_insert_with(|| (subject, Vec::new())).1.push(fact);
    }
    let relation = |fact: &Fact| {
        let is_value = [OBSERVED, TYPED].contains(&fact.data.predicate.as_str());
        entities.get(&folded(&fact.data.object)).filter(|_| !is_value).map(|(name, _)| *name)
    };
    for (name, facts) in entities.values() {
        // An entity has one type; any other is an observation.
        let typed = facts.iter().position(|fact| fact.data.predicate == TYPED);
        let others = facts.iter().enumerate().filter(|(n, _)| Some(*n) != typed).map(|(_, fact)| *fact);
        let observations: Vec<String> =
            others.filter(|fact| relation(fact).is_none()).map(observation).collect();
        let entity = json!({
            "type": "entity",
            "name": name,
            "entityType": typed.map_or(TYPE, |n| facts[n].data.object.as_str()),
            "observations": observations,
        });
        put(out, format!("{entity}\n"))?;
    }
    for (name, facts) in entities.values() {
        for fact in facts {
            let Some(to) = relation(fact) else { continue };
            let relation =
                json!({"type": "relation", "from": name, "to": to, "relationType": fact.data.predicate});
            put(out, format!("{relation}\n"))?;
        }
    }
    Ok(Exported { other_forms: source.other_forms()?, ..source.exported() })
}

fn observation(fact: &Fact) -> String {
    let (predicate, object) = (one_line(&fact.data.predicate), one_line(&fact.data.object));
    match predicate == OBSERVED {
        true => object,
        false => format!("{predicate}: {object}"),
    }
}
