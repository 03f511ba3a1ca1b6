//! The group that merging, picking, reverting or settling writes: what changes, and the commit that says why.
//!
//! **Invariants.** Changes stand in the order of their forms' names, then keys, then texts. What is born again keeps
//! whose it was, from whom, how far it may be shown, when it was said and when it ends; who brought that about stands in
//! the commit. The commit belongs to whom its things belong to. Where they are several people's it is everybody's, and
//! names branches only where everybody knows them.

use memtape_tape::Draft;
use serde::Deserialize;

use super::Thing;
use crate::audience::Sensitivity;
use crate::commit::{Commit, Metadata};
use crate::decision::Given;
use crate::error::Result;
use crate::form::Again;
use crate::forms::{self, ledger, zone};
use crate::memory::{Form, Memory};
use crate::meta::{Meta, Retire};
use crate::scope::Scope;

/// One thing that changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The thing.
    pub thing: Thing,
    /// What stands from now on; `None` where nothing does.
    pub bears: Option<Bears>,
    /// What stood until now.
    pub retires: Vec<Memory>,
}

/// What is born of a thing.
#[derive(Clone, Debug, PartialEq)]
pub enum Bears {
    /// A copy of what stands on another branch.
    Copy(Memory),
    /// What stood here before.
    Restore(Memory),
    /// A version that joins two.
    Joined(Memory),
    /// A fact with another value.
    Value {
        /// The fact.
        of: Memory,
        /// The value.
        value: String,
    },
    /// A fact in a scope beside the other.
    Beside {
        /// The fact.
        of: Memory,
        /// The scope, in document 1's sense.
        scope: String,
    },
}

impl Bears {
    /// The memory that it comes from.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        match self {
            Self::Copy(memory) | Self::Restore(memory) | Self::Joined(memory) => memory,
            Self::Value { of, .. } | Self::Beside { of, .. } => of,
        }
    }

    /// What stands then, as it reads: the rest of it is what it comes from.
    #[must_use]
    pub fn born(&self) -> Memory {
        match self {
            Self::Value { of, value } => ledger::merge::with_other(of, value),
            Self::Beside { of, scope } => {
                Memory { key: ledger::merge::key_beside(of, scope).unwrap_or_default(), ..of.clone() }
            }
            _ => self.memory().clone(),
        }
    }
}

impl Change {
    /// The memories it is about.
    fn memories(&self) -> impl Iterator<Item = &Memory> {
        self.retires.iter().chain(self.bears.as_ref().map(Bears::memory))
    }

    /// The entry that says it; `None` where nothing changes.
    fn draft(&self, given: &Given) -> Result<Option<Draft>> {
        let retires = self.retires.iter().map(|memory| Retire::Memory(memory.id));
        let Some(bears) = &self.bears else {
            let Some(first) = self.retires.first() else { return Ok(None) };
            let meta =
                Meta { session: given.meta().session, origin: given.meta().origin, ..whose(first, given) };
            return forms::retire(first, &meta.retiring(retires), given).map(Some);
        };
        let memory = bears.memory();
        let meta = whose(memory, given).retiring(retires);
        Ok(Some(match bears {
            Bears::Copy(_) => {
                forms::again(memory, Again::Copy, Meta { from: Some(memory.id), ..meta }, given)
            }
            Bears::Restore(_) => {
                forms::again(memory, Again::Restore, Meta { restores: Some(memory.id), ..meta }, given)
            }
            Bears::Joined(_) => forms::again(memory, Again::Restore, meta, given),
            Bears::Value { value, .. } => ledger::merge::corrected(memory, value, &meta, given),
            Bears::Beside { scope, .. } => ledger::merge::beside(memory, scope, &meta, given),
        }?))
    }
}

/// What an entry says of whose memory it bears or retires.
fn whose(memory: &Memory, given: &Given) -> Meta {
    Meta {
        session: memory.session.clone(),
        origin: memory.origin,
        scope: label(memory),
        sensitivity: memory.sensitivity,
        quarantined: memory.quarantined.clone(),
        reason: given.reason.clone(),
        ..Meta::default()
    }
}

fn label(memory: &Memory) -> Option<String> {
    Scope::from_label(&memory.scope).and_then(|scope| scope.label())
}

/// The commit of a group, before its events are known.
#[derive(Clone, Debug, Default)]
pub struct Closing<'a> {
    /// What is done, in words. It holds nothing of what is remembered.
    pub message: String,
    /// The id of the commit before it on its lineage.
    pub parent_id: Option<String>,
    /// What it does.
    pub metadata: Metadata,
    /// What it is about besides what changes: the sides of conflicts.
    pub about: Vec<&'a Memory>,
    /// Whose the branches are that it names.
    pub homes: Vec<Scope>,
}

/// The entries that make changes, and the commit that closes them. The zone's version is the last one before.
///
/// # Errors
/// That a memory cannot be born again.
pub fn drafts(
    mut changes: Vec<Change>,
    closing: Closing<'_>,
    zone_version: u64,
    given: &Given,
) -> Result<Vec<Draft>> {
    changes.sort_by(|one, other| one.thing.cmp(&other.thing));
    let meta = closing_meta(&changes, &closing, given);
    let (mut drafts, mut of_zone) = (Vec::with_capacity(changes.len() + 3), Vec::new());
    for change in &changes {
        let Some(draft) = change.draft(given)? else { continue };
        match change.thing.form() {
            Form::ZONE => of_zone.push(draft),
            _ => drafts.push(draft),
        }
    }
    let events = drafts.iter().filter_map(event_id).collect();
    if !of_zone.is_empty() {
        drafts.extend(zone::merge::version(zone_version, of_zone, given)?);
    }
    let Closing { message, parent_id, metadata, .. } = closing;
    drafts.push(Commit::new(&given.branch, events, message, parent_id, given.now, metadata).draft(&meta)?);
    Ok(drafts)
}

/// Whose the commit is.
fn closing_meta(changes: &[Change], closing: &Closing<'_>, given: &Given) -> Meta {
    let memories = || changes.iter().flat_map(Change::memories).chain(closing.about.iter().copied());
    let homes: Vec<String> = closing.homes.iter().filter_map(Scope::label).collect();
    let mut labels: Vec<Option<String>> =
        memories().map(label).chain(homes.iter().cloned().map(Some)).collect();
    labels.sort_unstable();
    labels.dedup();
    let (scope, sensitivity) = match (labels.len(), homes.is_empty()) {
        (0, _) => (None, Sensitivity::Normal),
        (1, _) => {
            let sensitivity = memories().map(|memory| memory.sensitivity).max().unwrap_or_default();
            (labels.pop().flatten(), sensitivity)
        }
        (_, true) => (None, Sensitivity::Normal),
        // Not everybody who sees the one knows of the other.
        (_, false) => (None, Sensitivity::Confidential),
    };
    Meta { scope, sensitivity, ..given.meta() }
}

/// The id of the ledger's event that a draft records.
fn event_id(draft: &Draft) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
        data: Id,
    }
    #[derive(Deserialize)]
    struct Id {
        id: Option<String>,
    }
    let named: Named = serde_json::from_str(draft.payload.get()).ok()?;
    ledger::EventType::of_event(&named.name)?;
    named.data.id
}
