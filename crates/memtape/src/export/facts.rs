//! The facts of an export, with their history, as document 1 knows them.

use std::collections::{HashMap, HashSet};

use memtape_core::commit::{self, COMMIT, Commit};
use memtape_core::forms::ledger::{Event, EventType, Fact};
use memtape_core::{Branch, Form, Lineage, MAIN, Meta, Point, Sensitivity};
use memtape_index::{EntryQuestion, Reader};
use memtape_tape::{Entry, EntryId, Kind};

use super::source::Source;
use super::{Export, Format, HISTORY_COMMITS};
use crate::error::Result;

/// The name that document 1 gives the persona of main.
const DEFAULT_PERSONA: &str = "default";

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
    /// Number of its events that were left out.
    pub(super) left_out: usize,
    /// The id of the last commit of the merged branch.
    pub(super) merged_head: Option<String>,
    /// The id of the picked commit.
    pub(super) picked: Option<String>,
}

pub(super) struct ExportedEvent {
    pub(super) event_type: EventType,
    pub(super) event: Event,
    pub(super) sensitivity: Sensitivity,
    /// Whether the event is on the lineage of the point.
    pub(super) is_on_lineage: bool,
}

/// Reads the facts of an export.
pub(super) fn gather(source: &Source<'_>) -> Result<Content> {
    let Source { reader, point, export, .. } = *source;
    let facts = source.all(Form::LEDGER)?.into_iter().filter_map(Fact::read).collect();
    let with_commits = export.history || export.format == Format::Files;
    let events = if with_commits { events(reader, point, export)? } else { Vec::new() };
    let commits = if with_commits { commits(reader, point, export, &events)? } else { Vec::new() };
    Ok(Content {
        exported_at: commit::timestamp(reader.now()),
        branch: point.branch().to_owned(),
        branches: branches(reader, point, export)?,
        has_history: with_commits,
        facts,
        commits,
        events,
    })
}

/// Returns the entries with a name that the audience sees, oldest first. Confidential ones are included only
/// if they were asked for.
fn entries(
    reader: &Reader<'_>,
    point: &Point,
    export: &Export,
    name: &str,
    kind: Kind,
) -> memtape_index::Result<Vec<(Entry, Meta)>> {
    let question = EntryQuestion {
        audience: export.audience.clone(),
        kinds: vec![kind],
        name: Some(name.to_owned()),
        ..EntryQuestion::default()
    };
    let entries = reader.entries(&question, point)?.into_iter().map(|entry| {
        let meta = Meta::read(entry.meta.get());
        (entry, meta)
    });
    let may_show =
        |(_, meta): &(Entry, Meta)| export.confidential || meta.sensitivity != Sensitivity::Confidential;
    Ok(entries.filter(may_show).collect())
}

fn events(reader: &Reader<'_>, point: &Point, export: &Export) -> memtape_index::Result<Vec<ExportedEvent>> {
    let mut found: Vec<(EntryId, ExportedEvent)> = Vec::new();
    for event_type in EventType::ALL {
        for (entry, meta) in entries(reader, point, export, &event_type.event_name(), Kind::Event)? {
            let is_on_lineage = reader.counts_at(&entry, point)?;
            // A single file contains the history of its branch, a directory the whole store.
            if !is_on_lineage && export.format != Format::Files {
                continue;
            }
            if let Some((event_type, event)) = Event::read(&entry) {
                let sensitivity = meta.sensitivity;
                found.push((entry.id, ExportedEvent { event_type, event, sensitivity, is_on_lineage }));
            }
        }
    }
    found.sort_by_key(|(id, _)| *id);
    // A copy has the id of its original event, which is on the lineage if either of them is.
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut events: Vec<ExportedEvent> = Vec::with_capacity(found.len());
    for (_, event) in found {
        match places.get(&event.event.id) {
            Some(n) => events[*n].is_on_lineage |= event.is_on_lineage,
            None => {
                places.insert(event.event.id.clone(), events.len());
                events.push(event);
            }
        }
    }
    Ok(events)
}

fn commits(
    reader: &Reader<'_>,
    point: &Point,
    export: &Export,
    events: &[ExportedEvent],
) -> memtape_index::Result<Vec<ExportedCommit>> {
    let known: HashSet<&str> = events.iter().map(|event| event.event.id.as_str()).collect();
    let branches = reader.branches()?;
    let mut commits = Vec::new();
    for (entry, _) in entries(reader, point, export, COMMIT, Kind::Anchor)?.into_iter().rev() {
        let is_whole = export.format == Format::Files;
        if !is_whole && (!reader.counts_at(&entry, point)? || commits.len() == HISTORY_COMMITS) {
            continue;
        }
        let Some(mut commit) = Commit::read(&entry) else { continue };
        let all = commit.events.len();
        commit.events.retain(|id| known.contains(id.as_str()));
        let is_owner = export.audience.is_owner();
        // A commit of which an audience sees nothing does not exist for it.
        if !is_owner && commit.events.is_empty() {
            continue;
        }
        let merged_head = match &commit.metadata.merge {
            Some(merge) if is_owner => {
                let source = reader.branch_called(&merge.source, merge.head)?;
                let lineage = Lineage::new(&branches, &source, merge.head);
                reader.last_commit(&Point { lineage, instant: point.instant })?
            }
            _ => None,
        };
        let picked = match commit.metadata.picks {
            Some(picked) if is_owner => reader.commit(picked, &export.audience)?.and_then(|picked| picked.id),
            _ => None,
        };
        if !is_owner {
            commit.metadata = commit::Metadata::default();
        }
        let left_out = all - commit.events.len();
        commits.push(ExportedCommit { left_out, merged_head, picked, commit });
    }
    Ok(commits)
}

/// Returns the branches that exist at the point and whose fork the audience sees, and the branch of the
/// point.
fn branches(
    reader: &Reader<'_>,
    point: &Point,
    export: &Export,
) -> memtape_index::Result<Vec<ExportedBranch>> {
    let all = reader.branches()?;
    let mut shown = Vec::new();
    for Branch { name, persona, created, deleted, .. } in &all {
        let is_there = created.is_none_or(|created| created <= point.entry())
            && deleted.is_none_or(|deleted| deleted > point.entry());
        let is_seen = name == point.branch()
            || created.map_or(Ok(name == MAIN || export.audience.is_owner()), |created| {
                reader.sees(created, &export.audience)
            })?;
        if !is_there || !is_seen {
            continue;
        }
        let lineage = Lineage::new(&all, name, point.entry());
        let head = reader.last_commit(&Point { lineage, instant: point.instant })?;
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
