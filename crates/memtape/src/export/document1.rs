//! The formats of document 1. Its JSON is indented by two spaces, has its fields in the order of the
//! document's program, does not escape non-ASCII characters, and has no final line end.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::{io, iter};

use memtape_core::Scope;
use memtape_core::forms::ledger::Fact;
use memtape_core::forms::ledger::entry::folded;
use memtape_core::forms::ledger::view::percent;
use serde_json::{Map, Value, json};

use super::facts::{self, Content, ExportedBranch, ExportedCommit, ExportedEvent};
use super::source::{Source, put};
use super::{Exported, Format};
use crate::error::{Error, Result};
use crate::log::{one_line, short};

/// Maximum number of commits in the Markdown (document 1).
const MARKDOWN_COMMITS: usize = 50;
/// The first line of a Markdown export.
pub(super) const MARKDOWN_TITLE: &str = "# Memory Export";

/// Writes the facts as one file.
pub(super) fn write(source: &Source<'_>, out: &mut dyn io::Write) -> Result<Exported> {
    let content = facts::gather(source)?;
    put(out, if source.export.format == Format::Json { json(&content)? } else { markdown(&content) })?;
    Ok(Exported { commits: content.commits.len(), events: content.events.len(), ..source.exported() })
}

/// Renders one JSON document.
fn json(content: &Content) -> Result<String> {
    let branch = |branch: &ExportedBranch| {
        json!({
            "name": branch.name,
            "persona": branch.persona,
            "head": branch.head,
            "created_at": branch.created_at,
        })
    };
    let mut document = json!({
        "exported_at": content.exported_at,
        "current_branch": content.branch,
        "branches": content.branches.iter().map(branch).collect::<Vec<_>>(),
        "memories": content.facts.iter().map(memory).collect::<Vec<_>>(),
    });
    if content.has_history {
        let commits = content.commits.iter().map(|commit| {
            let commit = &commit.commit;
            json!({
                "id": commit.id,
                "message": commit.message,
                "branch": commit.branch,
                "events": commit.events,
                "parent_id": commit.parent_id,
                "timestamp": commit.timestamp,
            })
        });
        document["history"] = commits.collect();
    }
    pretty(&document)
}

fn memory(fact: &Fact) -> Value {
    let mut value = json!({
        "id": fact.data.event,
        "subject": fact.data.subject,
        "predicate": fact.data.predicate,
        "object": fact.data.object,
        "scope": fact.data.scope,
        "confidence": fact.confidence(),
        "source": fact.data.source,
        "evidence": fact.data.evidence,
        "timestamp": fact.data.timestamp,
    });
    if let Some(whose) = whose(fact) {
        value["whose"] = json!(whose);
    }
    value
}

/// Returns the label of the chat or the user that a fact belongs to; `None` if it is the workspace's.
fn whose(fact: &Fact) -> Option<String> {
    Scope::from_label(&fact.memory.scope)?.label()
}

fn pretty(value: &Value) -> Result<String> {
    serde_json::to_string_pretty(value).map_err(|e| Error::Invalid(format!("cannot write it as JSON: {e}")))
}

/// Renders Markdown for people.
fn markdown(content: &Content) -> String {
    let mut out = format!("{MARKDOWN_TITLE}\n\nExported at {}\n\n## Branches\n\n", content.exported_at);
    for branch in &content.branches {
        let current = if branch.name == content.branch { " (current)" } else { "" };
        let persona =
            branch.persona.as_deref().map_or(String::new(), |p| format!(", persona: {}", one_line(p)));
        let head = branch.head.as_deref().map_or("none", short);
        let _ = writeln!(out, "- **{}**{current}: head {head}{persona}", branch.name);
    }
    out.push_str("\n## Memories\n\n");
    out.push_str(&facts_by_subject(&content.facts));
    if content.has_history {
        out.push_str("\n## History\n\n");
        for ExportedCommit { commit, .. } in content.commits.iter().take(MARKDOWN_COMMITS) {
            let (id, message) = (short(&commit.id), one_line(&commit.message));
            let _ = writeln!(out, "- `{id}` {} [{}] {message}", commit.timestamp, commit.branch);
        }
    }
    out
}

/// Renders facts as lists below the names of their subjects.
pub(super) fn facts_by_subject(facts: &[Fact]) -> String {
    let mut out = String::new();
    // Subjects that differ only in case are the same; each is shown as it was first written.
    let mut subjects: Vec<(String, Vec<&Fact>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for fact in facts {
        let place = *places.entry(folded(&fact.data.subject)).or_insert(subjects.len());
        if place == subjects.len() {
            subjects.push((one_line(&fact.data.subject), Vec::new()));
        }
        subjects[place].1.push(fact);
    }
    for (n, (subject, facts)) in subjects.iter().enumerate() {
        let _ = write!(out, "{}### {subject}\n\n", if n == 0 { "" } else { "\n" });
        for fact in facts {
            let scope =
                fact.data.scope.as_deref().map_or(String::new(), |scope| format!(" ({})", one_line(scope)));
            let whose = whose(fact).map_or_else(String::new, |whose| format!(" ({whose})"));
            let (predicate, object) = (one_line(&fact.data.predicate), one_line(&fact.data.object));
            let _ =
                writeln!(out, "- {predicate}: **{object}** [{}%]{scope}{whose}", percent(fact.confidence()));
        }
    }
    out
}

/// Renders the files of document 1's storage, each with its path.
pub(super) fn files(content: &Content) -> Result<Vec<(String, String)>> {
    let mut files = vec![("HEAD".to_owned(), content.branch.clone())];
    for branch in &content.branches {
        let value = json!({
            "name": branch.name,
            "head": branch.head,
            "persona": branch.persona,
            "created_at": branch.created_at,
            "metadata": {},
        });
        // A name may contain a slash, which must not create a directory.
        files.push((format!("branches/{}.json", branch.name.replace('/', "%2F")), pretty(&value)?));
    }
    for event in &content.events {
        files.push((format!("ledger/events/{}.json", event.event.id), pretty(&stored(event))?));
    }
    for commit in &content.commits {
        files.push((format!("ledger/commits/{}.json", commit.commit.id), pretty(&committed(commit))?));
    }
    files.push(("view/current.json".to_owned(), pretty(&view(content))?));
    files.push(("MEMORY.md".to_owned(), markdown(content)));
    Ok(files)
}

/// Returns an event with its fields in the order of document 1.
fn stored(exported: &ExportedEvent) -> Value {
    let ExportedEvent { event_type, event, sensitivity, .. } = exported;
    json!({
        "event_type": event_type,
        "subject": event.subject,
        "predicate": event.predicate,
        "object": event.object,
        "scope": event.scope,
        "confidence": event.confidence,
        "source": event.source,
        "evidence": event.evidence,
        "sensitivity": sensitivity.as_str(),
        "parent_id": event.parent_id,
        "timestamp": event.timestamp,
        "id": event.id,
    })
}

fn committed(exported: &ExportedCommit) -> Value {
    let ExportedCommit { commit, merged_head, picked, .. } = exported;
    let mut metadata = Map::new();
    if let Some(merge) = &commit.metadata.merge {
        metadata.insert("merge_source".into(), json!(merge.source));
        metadata.insert("merge_source_head".into(), json!(merged_head));
    }
    if commit.metadata.picks.is_some() {
        metadata.insert("cherry_pick_from".into(), json!(picked));
    }
    json!({
        "branch": commit.branch,
        "events": commit.events,
        "message": commit.message,
        "parent_id": commit.parent_id,
        "timestamp": commit.timestamp,
        "metadata": metadata,
        "id": commit.id,
    })
}

/// Returns the slots of the view, each with its current fact and the ids of all its events, oldest first.
fn view(content: &Content) -> Value {
    let slot = |parts: [&str; 3]| parts.map(folded).join("|");
    let mut histories: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for ExportedEvent { event, .. } in content.events.iter().filter(|event| event.is_on_lineage) {
        let scope = event.scope.as_deref().unwrap_or_default();
        histories.entry(slot([&event.subject, &event.predicate, scope])).or_default().push(&event.id);
    }
    let recorded: HashMap<&str, &ExportedEvent> =
        content.events.iter().map(|event| (event.recorded.as_str(), event)).collect();
    let events: HashMap<&str, &ExportedEvent> =
        content.events.iter().map(|event| (event.event.id.as_str(), event)).collect();
    let parent = |event: &&ExportedEvent| events.get(event.event.parent_id.as_deref()?).copied();
    let mut slots = Map::new();
    for Fact { data, .. } in &content.facts {
        // After an observation that left the value, the event that set it is current.
        let chain = iter::successors(recorded.get(data.event.as_str()).copied(), parent);
        let Some(current) = chain.take(content.events.len()).find(|event| event.event.stands.is_none())
        else {
            continue;
        };
        let scope = data.scope.as_deref().unwrap_or_default();
        let key = format!("{}|{}|{scope}", data.subject, data.predicate);
        let history = histories.get(&slot([&data.subject, &data.predicate, scope]));
        slots.insert(key.clone(), json!({"key": key, "current": stored(current), "history": history}));
    }
    let head = content.branches.iter().find(|branch| branch.name == content.branch);
    json!({"head": head.and_then(|branch| branch.head.clone()), "slots": slots})
}
