//! The facts of an export, with their history, as document 1 knows them.
//!
//! **Invariant.** The history is that of what is exported: a commit lists the exported events, its parent is the
//! exported commit before it, and its id is computed from these. So no reader misses a commit, and no id depends on
//! what is left out.

use std::collections::{HashMap, HashSet};

use memtape_core::commit::{self, COMMIT, Commit};
use memtape_core::forms::ledger::{Event, EventType, Fact};
use memtape_core::{Audience, Branch, Form, Lineage, MAIN, Meta, Point, Sensitivity};
use memtape_index::{EntryQuestion, Reader};
use memtape_tape::{Entry, EntryId, Kind};
use serde_json::json;

use super::source::Source;
use super::{Export, Format, HISTORY_COMMITS};
use crate::error::Result;

/// The name that document 1 gives the persona of main.
const DEFAULT_PERSONA: &str = "default";
/// The message of a commit whose own message is left out: the one that document 1's program writes without a model.
const DEFAULT_MESSAGE: &str = "Update memories";

/// The content of an export.
pub(super) struct Content {
    /// The date of the export, in the format of document 1.
    pub(super) exported_at: String,
    /// The branch that was exported.
    pub(super) branch: String,
    pub(super) branches: Vec<ExportedBranch>,
    /// The current facts, in the order of their creation.
    pub(super) facts: Vec<Fact>,
    /// Whether the commits were asked for.
    pub(super) has_history: bool,
    /// The commits, newest first; empty if they were not asked for.
    pub(super) commits: Vec<ExportedCommit>,
    /// The events of the ledger, oldest first, each id once.
    pub(super) events: Vec<ExportedEvent>,
}

pub(super) struct ExportedBranch {
    pub(super) name: String,
    pub(super) head: Option<String>,
    pub(super) persona: Option<String>,
    pub(super) created_at: String,
}

pub(super) struct ExportedCommit {
    pub(super) commit: Commit,
    /// Whether the commit is on the lineage of the point.
    is_on_lineage: bool,
    /// The id of the last commit of the merged branch.
    pub(super) merged_head: Option<String>,
    /// The id of the picked commit.
    pub(super) picked: Option<String>,
}

pub(super) struct ExportedEvent {
    /// The type in the words of the export.
    pub(super) event_type: &'static str,
    pub(super) event: Event,
    pub(super) sensitivity: Sensitivity,
    /// Whether the event is on the lineage of the point.
    pub(super) is_on_lineage: bool,
    /// The id of the event on the tape.
    pub(super) recorded: String,
}

/// The commits of an export by the names of their branches, each with its entry and its id, oldest first.
#[derive(Default)]
struct Chains(HashMap<String, Vec<(EntryId, String)>>);

impl Chains {
    /// Returns the last commit of a lineage.
    fn last(&self, lineage: &Lineage) -> Option<String> {
        let last = |(branch, last): &(String, EntryId)| {
            let commits = self.0.get(branch)?;
            commits[..commits.partition_point(|(entry, _)| entry <= last)].last()
        };
        lineage.steps().iter().filter_map(last).max_by_key(|(entry, _)| *entry).map(|(_, id)| id.clone())
    }

    /// Returns the commit of a group, from its first to its last entry.
    fn between(&self, first: EntryId, last: EntryId) -> Option<String> {
        let commits = self.0.values().flatten();
        commits.filter(|(entry, _)| (first..=last).contains(entry)).map(|(_, id)| id.clone()).next()
    }
}

/// Reads the facts of an export.
pub(super) fn gather(source: &Source<'_>) -> Result<Content> {
    let Source { reader, point, export, .. } = *source;
    // The storage of document 1's program cannot say whose a fact is.
    let facts = match export.format {
        Format::Files => source.own(Form::LEDGER)?,
        _ => source.all(Form::LEDGER)?,
    };
    let facts: Vec<Fact> = facts.into_iter().filter_map(Fact::read).collect();
    let mut events = events(source)?;
    if !export.history && !export.audience.is_owner() {
        keep_current(&mut events, &facts);
    }
    let (mut commits, chains) = commits(reader, point, export, &events)?;
    let branches = branches(reader, point, export, &chains)?;
    // A single file contains the history of its branch, a directory the whole store.
    let has_history = export.history || export.format == Format::Files;
    if export.format != Format::Files {
        events.retain(|event| has_history && event.is_on_lineage);
        commits.retain(|commit| has_history && commit.is_on_lineage);
        commits.truncate(HISTORY_COMMITS);
    }
    let exported_at = commit::timestamp(reader.now());
    Ok(Content {
        exported_at,
        branch: point.branch().to_owned(),
        branches,
        has_history,
        facts,
        commits,
        events,
    })
}

/// Returns the entries with a name that an audience sees, oldest first.
fn entries(
    reader: &Reader<'_>,
    point: &Point,
    audience: &Audience,
    name: &str,
    kind: Kind,
) -> memtape_index::Result<Vec<(Entry, Meta)>> {
    let question = EntryQuestion {
        audience: audience.clone(),
        kinds: vec![kind],
        name: Some(name.to_owned()),
        ..EntryQuestion::default()
    };
    let with_meta = |entry: Entry| {
        let meta = Meta::read(entry.meta.get());
        (entry, meta)
    };
    Ok(reader.entries(&question, point)?.into_iter().map(with_meta).collect())
}

/// Returns whether what is this sensitive is exported.
fn may_show(export: &Export, meta: &Meta) -> bool {
    export.confidential || meta.sensitivity != Sensitivity::Confidential
}

/// Returns the exported events of every branch, oldest first.
fn events(source: &Source<'_>) -> memtape_index::Result<Vec<ExportedEvent>> {
    let Source { reader, point, export, .. } = *source;
    let is_exported = |meta: &Meta| {
        may_show(export, meta) && (export.format != Format::Files || source.is_own(&meta.scope()))
    };
    let mut found: Vec<(EntryId, ExportedEvent)> = Vec::new();
    for event_type in EventType::ALL {
        for (entry, meta) in entries(reader, point, &export.audience, &event_type.event_name(), Kind::Event)?
        {
            let Some((event_type, event)) = Event::read(&entry).filter(|_| is_exported(&meta)) else {
                continue;
            };
            let is_on_lineage = reader.counts_at(&entry, point)?;
            let (sensitivity, recorded) = (meta.sensitivity, event.id.clone());
            let event_type = event_type.as_str();
            let event = ExportedEvent { event_type, event, sensitivity, is_on_lineage, recorded };
            found.push((entry.id, event));
        }
    }
    found.sort_by_key(|(id, _)| *id);
    // A copy has the id of its original event, which is on the lineage if either of them is.
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut events: Vec<ExportedEvent> = Vec::with_capacity(found.len());
    for (_, event) in found {
        match places.get(&event.recorded) {
            Some(n) => events[*n].is_on_lineage |= event.is_on_lineage,
            None => {
                places.insert(event.recorded.clone(), events.len());
                events.push(event);
            }
        }
    }
    if export.format == Format::Files {
        events.iter_mut().for_each(translate);
    }
    let ids: HashMap<String, String> =
        events.iter().map(|event| (event.recorded.clone(), event.event.id.clone())).collect();
    for ExportedEvent { event, .. } in &mut events {
        event.parent_id = event.parent_id.as_ref().and_then(|parent| ids.get(parent).cloned());
    }
    Ok(events)
}

/// Keeps the events that state current values: the events of an audience must not contain what was forgotten, nor what is
/// on other branches.
fn keep_current(events: &mut Vec<ExportedEvent>, facts: &[Fact]) {
    let values = facts
        .iter()
        .map(|Fact { data, .. }| (&*data.subject, &*data.predicate, data.scope.as_deref(), &*data.object));
    let current: HashSet<_> = values.collect();
    events.retain(|ExportedEvent { event, is_on_lineage, .. }| {
        let value = (&*event.subject, &*event.predicate, event.scope.as_deref(), &*event.object);
        *is_on_lineage && current.contains(&value)
    });
    let ids: HashSet<String> = events.iter().map(|exported| exported.event.id.clone()).collect();
    for ExportedEvent { event, .. } in events {
        event.parent_id = event.parent_id.take().filter(|parent| ids.contains(parent));
    }
}

/// Gives an event the type that document 1's program reads, and the id that the type makes. The id is always computed,
/// since it becomes the name of a file.
///
/// That program replaces a value at `update`, and ignores `modify` and `observe`. An observation that left the value
/// stays one.
fn translate(exported: &mut ExportedEvent) {
    let ExportedEvent { event_type, event, .. } = exported;
    if *event_type == "modify" || *event_type == "observe" && event.stands.is_none() {
        *event_type = "update";
    }
    event.id = commit::id_of(&[
        ("event_type", json!(event_type)),
        ("object", json!(event.object)),
        ("predicate", json!(event.predicate)),
        ("scope", json!(event.scope)),
        ("subject", json!(event.subject)),
        ("timestamp", json!(event.timestamp)),
    ]);
}

/// Returns the exported commits of every branch, newest first.
fn commits(
    reader: &Reader<'_>,
    point: &Point,
    export: &Export,
    events: &[ExportedEvent],
) -> memtape_index::Result<(Vec<ExportedCommit>, Chains)> {
    let ids: HashMap<&str, &str> =
        events.iter().map(|event| (event.recorded.as_str(), event.event.id.as_str())).collect();
    let seen = entries(reader, point, &export.audience, COMMIT, Kind::Anchor)?.into_iter();
    let seen: HashSet<EntryId> =
        seen.filter(|(_, meta)| may_show(export, meta)).map(|(entry, _)| entry.id).collect();
    let branches = reader.branches()?;
    let is_owner = export.audience.is_owner();
    let (mut commits, mut chains) = (Vec::new(), Chains::default());
    // A commit that an audience does not see may have events that it sees, beside others.
    for (entry, _) in entries(reader, point, &Audience::owner(), COMMIT, Kind::Anchor)? {
        let Some(recorded) = Commit::read(&entry) else { continue };
        let Commit { branch, events: of, message, timestamp, metadata, .. } = recorded;
        let shown: Vec<String> =
            of.iter().filter_map(|id| ids.get(id.as_str())).map(|id| (*id).to_owned()).collect();
        let is_seen = seen.contains(&entry.id);
        // A commit of which nothing is exported does not exist for its readers.
        if shown.is_empty() && !(is_owner && is_seen && of.is_empty()) {
            continue;
        }
        let metadata = if is_owner && is_seen { metadata } else { commit::Metadata::default() };
        let merged_head = match &metadata.merge {
            Some(merge) => {
                let source = reader.branch_called(&merge.source, merge.head)?;
                chains.last(&Lineage::new(branches, &source, merge.head))
            }
            None => None,
        };
        let picked = match metadata.picks {
            Some(picked) => chains.between(reader.group_with(picked)?.first, picked),
            None => None,
        };
        let current = reader.branch_called(&entry.branch, entry.id)?;
        let parent_id = chains.last(&Lineage::new(branches, &current, entry.id));
        let id = commit::commit_id(&branch, &shown, parent_id.as_deref(), &timestamp);
        let message = if is_seen { message } else { DEFAULT_MESSAGE.to_owned() };
        chains.0.entry(current).or_default().push((entry.id, id.clone()));
        let commit = Commit { id, branch, events: shown, message, parent_id, timestamp, metadata };
        let is_on_lineage = reader.counts_at(&entry, point)?;
        commits.push(ExportedCommit { commit, is_on_lineage, merged_head, picked });
    }
    commits.reverse();
    Ok((commits, chains))
}

/// Returns the branches that exist at the point and whose fork the audience sees, and the branch of the
/// point.
fn branches(
    reader: &Reader<'_>,
    point: &Point,
    export: &Export,
    chains: &Chains,
) -> memtape_index::Result<Vec<ExportedBranch>> {
    let all = reader.branches()?;
    let mut shown = Vec::new();
    for branch in all {
        let Branch { name, persona, created, .. } = branch;
        let is_seen = name == point.branch()
            || created.map_or(Ok(name == MAIN || export.audience.is_owner()), |created| {
                reader.sees(created, &export.audience)
            })?;
        if !branch.is_open_at(point.entry()) || !is_seen {
            continue;
        }
        let head = chains.last(&Lineage::new(all, name, point.entry()));
        let is_main = name == MAIN;
        shown.push(ExportedBranch {
            name: name.clone(),
            head,
            persona: persona.clone().or_else(|| is_main.then(|| DEFAULT_PERSONA.to_owned())),
            created_at: commit::timestamp(reader.date(created.unwrap_or(1))?),
        });
    }
    Ok(shown)
}
