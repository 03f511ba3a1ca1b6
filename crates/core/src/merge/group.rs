//! The group that a merge, cherry-pick, revert or resolution writes: its changes, and the commit that
//! explains them.
//!
//! **Invariants.** Changes are ordered by the name of the form, then key, then piece. A copied or restored
//! memory keeps its scope, origin, sensitivity and expiry, and the time when it was said; the commit records who copied
//! it. What has no such time, as a line, a note, a block or a file, has the date of the new entry. The commit
//! has the scope of its memories and branches. If they have several scopes, it belongs to the workspace and is
//! confidential: it counts the conflicts of all, and its reason may describe a memory of one.

use memtape_tape::Draft;
use serde::Deserialize;

use super::MergeKey;
use crate::audience::Sensitivity;
use crate::commit::{Commit, Metadata};
use crate::decision::Context;
use crate::error::Result;
use crate::form::{Recreation, RemovalCause};
use crate::forms::{ledger, zone};
use crate::memory::{Form, Memory};
use crate::meta::{Meta, Retire};
use crate::scope::Scope;

/// A change of one slot or piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The slot or piece.
    pub merge_key: MergeKey,
    /// The version that becomes current; `None` if none does.
    pub creates: Option<Creation>,
    /// The versions that were current.
    pub retires: Vec<Memory>,
    /// Why they are removed, if no version becomes current.
    pub cause: RemovalCause,
}

/// The version that a change creates.
#[derive(Clone, Debug, PartialEq)]
pub enum Creation {
    /// A copy of the current version on another branch.
    Copy(Memory),
    /// An earlier version of this branch.
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
    /// A fact under another topic, so that both are kept.
    Beside {
        /// The fact.
        of: Memory,
        /// The topic (document 1's scope).
        scope: String,
    },
}

impl Creation {
    /// Returns the memory that it is made from.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        match self {
            Self::Copy(memory) | Self::Restore(memory) | Self::Joined(memory) => memory,
            Self::Value { of, .. } | Self::Beside { of, .. } => of,
        }
    }

    /// Returns the new version as it will read; its other fields are those of its source.
    #[must_use]
    pub fn new_version(&self) -> Memory {
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
    /// Returns the memories it involves.
    fn memories(&self) -> impl Iterator<Item = &Memory> {
        self.retires.iter().chain(self.creates.as_ref().map(Creation::memory))
    }

    /// Returns the entry that records it; `None` if nothing changes.
    fn draft(&self, ctx: &Context) -> Result<Option<Draft>> {
        let retires = self.retires.iter().map(|memory| Retire::Memory(memory.id));
        let Some(creates) = &self.creates else {
            let Some(first) = self.retires.first() else { return Ok(None) };
            let meta = Meta { session: ctx.meta().session, origin: ctx.meta().origin, ..whose(first, ctx) };
            return first.form.rules().retire(first, &self.cause, &meta.retiring(retires), ctx).map(Some);
        };
        let memory = creates.memory();
        let rules = memory.form.rules();
        let meta = whose(memory, ctx).retiring(retires);
        Ok(Some(match creates {
            Creation::Copy(_) => {
                rules.recreate(memory, Recreation::Copy, Meta { from: Some(memory.id), ..meta }, ctx)
            }
            Creation::Restore(_) => {
                rules.recreate(memory, Recreation::Restore, Meta { restores: Some(memory.id), ..meta }, ctx)
            }
            Creation::Joined(_) => rules.recreate(memory, Recreation::Restore, meta, ctx),
            Creation::Value { value, .. } => ledger::merge::corrected(memory, value, &meta, ctx),
            Creation::Beside { scope, .. } => ledger::merge::beside(memory, scope, &meta, ctx),
        }?))
    }
}

/// Returns the `meta` of an entry that creates or removes a version of this memory.
fn whose(memory: &Memory, ctx: &Context) -> Meta {
    Meta {
        session: memory.session.clone(),
        origin: memory.origin,
        scope: label(memory),
        sensitivity: memory.sensitivity,
        quarantined: memory.quarantined.clone(),
        reason: ctx.reason.clone(),
        ..Meta::default()
    }
}

fn label(memory: &Memory) -> Option<String> {
    Scope::from_label(&memory.scope).and_then(|scope| scope.label())
}

/// The commit of a group, before its events are known.
#[derive(Clone, Debug, Default)]
pub struct Closing<'a> {
    /// The commit message. It contains no remembered text.
    pub message: String,
    /// The id of the previous commit on its lineage.
    pub parent_id: Option<String>,
    /// Its effects.
    pub metadata: Metadata,
    /// The memories it involves besides the changed ones: the sides of conflicts.
    pub about: Vec<&'a Memory>,
    /// The scopes of the branches that it names.
    pub homes: Vec<Scope>,
}

/// Returns the entries that make the changes, and the commit that closes them. `zone_version` is the zone's
/// current version.
///
/// # Errors
/// [`crate::Error::Invalid`] if a memory cannot be created again or removed; [`crate::Error::Tape`] if an
/// entry does not serialize as a JSON object.
pub fn drafts(
    mut changes: Vec<Change>,
    closing: Closing<'_>,
    zone_version: u64,
    ctx: &Context,
) -> Result<Vec<Draft>> {
    changes.sort_by(|one, other| one.merge_key.cmp(&other.merge_key));
    let meta = closing_meta(&changes, &closing, ctx);
    // The reason of a commit about several scopes is for its readers only, not for those of one of its changes.
    let is_hidden = meta.sensitivity == Sensitivity::Confidential;
    let ctx = &Context { reason: ctx.reason.clone().filter(|_| !is_hidden), ..ctx.clone() };
    let (mut drafts, mut of_zone) = (Vec::with_capacity(changes.len() + 3), Vec::new());
    for change in &changes {
        let Some(draft) = change.draft(ctx)? else { continue };
        match change.merge_key.form() {
            Form::ZONE => of_zone.push(draft),
            _ => drafts.push(draft),
        }
    }
    let events = drafts.iter().filter_map(event_id).collect();
    if !of_zone.is_empty() {
        drafts.extend(zone::merge::version(zone_version, of_zone, ctx)?);
    }
    let Closing { message, parent_id, metadata, .. } = closing;
    drafts.push(Commit::new(&ctx.branch, events, message, parent_id, ctx.now, metadata).draft(&meta)?);
    Ok(drafts)
}

/// Returns the `meta` of the commit, with its scope.
fn closing_meta(changes: &[Change], closing: &Closing<'_>, ctx: &Context) -> Meta {
    let memories = || changes.iter().flat_map(Change::memories).chain(closing.about.iter().copied());
    let homes = closing.homes.iter().filter_map(Scope::label).map(Some);
    let mut labels: Vec<Option<String>> = memories().map(label).chain(homes).collect();
    labels.sort_unstable();
    labels.dedup();
    let (scope, sensitivity) = match labels.len() {
        0 => (None, Sensitivity::Normal),
        1 => {
            let sensitivity = memories().map(|memory| memory.sensitivity).max().unwrap_or_default();
            (labels.pop().flatten(), sensitivity)
        }
        // An audience that sees one scope must not learn of the other.
        _ => (None, Sensitivity::Confidential),
    };
    Meta { scope, sensitivity, ..ctx.meta() }
}

/// Returns the id of the ledger event that a draft records.
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
