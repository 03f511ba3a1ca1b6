//! Commands of blocks.
//!
//! **Invariant.** What a writer may do depends on its origin ([`Context::origin`]) and on the layer of the
//! *name*, never on the layer that it passes.

use memtape_tape::EntryId;

use super::entry::{self, FORGET, PROPOSE, REJECT, SET, Set};
use super::known;
use super::layer::BlockLayer;
use super::merge;
use super::name::BlockName;
use super::view::{Proposal, Slot};
use crate::audience::Sensitivity;
use crate::decision::{Context, Decision};
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::memory::Memory;
use crate::meta::{Meta, Retire};
use crate::safety::names::secret_in_name;

/// Limits of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum length of a value in characters.
    pub chars_max: usize,
}

/// The result of setting a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A new version was written in this layer.
    Set(BlockLayer),
    /// Nothing was written: the block already has this value and layer.
    Unchanged,
    /// A proposal is pending: it was written now, or existed already.
    Waits,
}

/// The result of approving a proposal.
#[derive(Clone, Debug, PartialEq)]
pub enum Approval {
    /// The proposal was approved and its value is now the block's.
    Approved,
    /// Nothing was written, because the block changed since it was proposed.
    Stale(Box<Proposal>),
}

/// A value for a block, and options.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The value.
    pub value: &'a str,
    /// The layer; `None` keeps the layer of the name, or uses [`BlockLayer::Working`] for a new one.
    pub layer: Option<BlockLayer>,
    /// The older version that this restores, if any: what a tool or a page wrote stays theirs.
    pub restores: Option<&'a Memory>,
}

/// Sets a block, or writes a proposal if only the owner may set it.
///
/// # Errors
/// - [`Error::Invalid`] if the value is too long or contains a control character, if a tool or a model passes another
///   layer than the name has, or if the name contains a secret.
/// - [`Error::Refused`] if the block is computed.
pub fn set(slot: &Slot, asked: Asked<'_>, limits: Limits, ctx: &Context) -> Result<Decision<Outcome>> {
    let name = &slot.name;
    check_settable(name)?;
    check_value(asked.value, limits)?;
    let (known_layer, is_person) = (slot.layer(), ctx.origin.is_person());
    let layer = match (known_layer, asked.layer) {
        (Some(layer), Some(asked)) if layer != asked && !is_person => {
            return Err(Error::Invalid(format!(
                "block {name} belongs to layer {layer}, which cannot change: omit `layer`"
            )));
        }
        (_, Some(asked)) if is_person => asked,
        (known_layer, asked) => known_layer.or(asked).unwrap_or(BlockLayer::Working),
    };
    let is_same = |memory: &Memory, is: BlockLayer| memory.text == asked.value && is == layer;
    // A person who states what is untrusted makes it theirs.
    let is_adopted = |memory: &Memory| is_person && asked.restores.is_none() && memory.is_untrusted();
    if slot
        .current
        .as_ref()
        .is_some_and(|block| is_same(&block.memory, block.layer) && !is_adopted(&block.memory))
    {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    let data = Set { name: name.to_string(), value: asked.value.into(), layer, proposal: None, before: None };
    let current = slot.current.as_ref().map(|block| block.memory.id);
    if layer == BlockLayer::Identity && !is_person {
        let proposal = slot.proposal.as_ref();
        if proposal.is_some_and(|proposal| is_same(&proposal.memory, proposal.layer)) {
            return Ok(Decision::nothing(Outcome::Waits));
        }
        let retires = proposal.map(|proposal| Retire::Memory(proposal.memory.id));
        let data = Set { before: current, ..data };
        // A proposal is visible to the owner only until it is approved, and never included in a prompt.
        let meta = Meta { sensitivity: Sensitivity::Confidential, ..ctx.meta().retiring(retires) };
        let draft = data.draft(PROPOSE, &meta, &ctx.branch)?;
        return Ok(Decision { drafts: vec![draft], outcome: Outcome::Waits });
    }
    // A pending proposal with the same content is resolved by the owner setting the block directly.
    let resolved = slot.proposal.as_ref().filter(|proposal| is_same(&proposal.memory, proposal.layer));
    let retires = current.into_iter().chain(resolved.map(|proposal| proposal.memory.id)).map(Retire::Memory);
    let restored = asked.restores;
    let ctx = &ctx.adopting(restored.and_then(|memory| memory.origin));
    let meta = Meta {
        restores: restored.map(|memory| memory.id),
        quarantined: restored.and_then(|memory| memory.quarantined.clone()),
        ..ctx.meta().retiring(retires)
    };
    Ok(Decision { drafts: vec![data.draft(SET, &meta, &ctx.branch)?], outcome: Outcome::Set(layer) })
}

/// Refuses names of computed blocks, and names that contain a secret.
fn check_settable(name: &BlockName) -> Result<()> {
    if known::index_of(name).is_some() {
        return Err(Error::Refused(format!(
            "block {name} is computed from the files: write a file in insights/ or research/ instead"
        )));
    }
    // Names are never redacted on the tape, so a secret in one could not be removed.
    match secret_in_name(name.as_str()) {
        Some(kind) => Err(Error::Invalid(format!("the name of the block contains a secret ({kind})"))),
        None => Ok(()),
    }
}

/// Checks whether a block may have a value.
///
/// # Errors
/// [`Error::Invalid`] if the value is too long, or contains a control character other than a line break or a
/// tab.
pub fn check_value(value: &str, limits: Limits) -> Result<()> {
    let count = value.chars().count();
    if count > limits.chars_max {
        return Err(Error::Invalid(format!(
            "the value is {} characters over the limit of {}",
            count - limits.chars_max,
            limits.chars_max
        )));
    }
    match value.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        Some(c) => Err(Error::Invalid(format!(
            "the value contains a control character ({}): remove it",
            c.escape_unicode()
        ))),
        None => Ok(()),
    }
}

/// Approves the pending proposal of a name.
///
/// `before` is the version that the proposal was to replace, if it can still be read. `seen` is the entry of
/// the proposal that the owner reviewed. `force` approves the proposal even if the block changed since.
///
/// # Errors
/// [`Error::NotFound`] if no proposal is pending, or another one than `seen`; [`Error::Refused`] if the
/// caller is not a person.
pub fn approve(
    slot: &Slot,
    before: Option<&Memory>,
    seen: Option<EntryId>,
    force: bool,
    ctx: &Context,
) -> Result<Decision<Approval>> {
    let proposal = pending_proposal(slot, ctx)?;
    let pending = proposal.memory.id.entry();
    if let Some(seen) = seen.filter(|seen| *seen != pending) {
        return Err(Error::NotFound(format!(
            "the proposal of entry {seen} for {0} is no longer pending: the pending one is {0}@{pending}",
            slot.name
        ))
        .with_hint(Hint::ListProposals));
    }
    if !force && is_stale(slot, proposal, before) {
        return Ok(Decision::nothing(Approval::Stale(Box::new(proposal.clone()))));
    }
    let data = Set {
        name: slot.name.to_string(),
        value: proposal.memory.text.clone(),
        layer: proposal.layer,
        proposal: Some(proposal.memory.version().to_string()),
        before: None,
    };
    let current = slot.current.as_ref().map(|block| block.memory.id);
    let retires = current.into_iter().chain([proposal.memory.id]).map(Retire::Memory);
    // The quarantine mark of the proposal is dropped, because the value is now the owner's.
    let draft = data.draft(SET, &ctx.meta().retiring(retires), &ctx.branch)?;
    Ok(Decision { drafts: vec![draft], outcome: Approval::Approved })
}

/// Returns whether the block changed since the proposal was made.
#[must_use]
pub fn is_stale(slot: &Slot, proposal: &Proposal, before: Option<&Memory>) -> bool {
    let current = slot.current.as_ref().map(|block| &block.memory);
    match (current, proposal.before) {
        (None, None) => false,
        (Some(current), Some(id)) if current.id == id => false,
        // A version with another id can have the same content: a copy from another branch, or a restored one.
        (Some(current), Some(_)) => {
            before.is_none_or(|before| merge::content(before) != merge::content(current))
        }
        (Some(_), None) | (None, Some(_)) => true,
    }
}

/// Rejects the pending proposal of a name.
///
/// # Errors
/// [`Error::NotFound`] if no proposal is pending; [`Error::Refused`] if the caller is not a person.
pub fn reject(slot: &Slot, ctx: &Context) -> Result<Decision<()>> {
    withdraw(slot, pending_proposal(slot, ctx)?, ctx)
}

/// Withdraws a pending proposal, for its author: the block stays as it is.
///
/// # Errors
/// [`Error::Tape`] if an entry cannot be serialized.
pub fn withdraw(slot: &Slot, proposal: &Proposal, ctx: &Context) -> Result<Decision<()>> {
    let meta = ctx.meta().retiring([Retire::Memory(proposal.memory.id)]);
    let draft = entry::retiring(REJECT, &slot.name, &meta, &ctx.branch)?;
    Ok(Decision { drafts: vec![draft], outcome: () })
}

fn pending_proposal<'s>(slot: &'s Slot, ctx: &Context) -> Result<&'s Proposal> {
    if !ctx.origin.is_person() {
        let hint = Hint::SettleProposal(slot.name.to_string());
        return Err(Error::Refused("only the owner can approve or reject a proposal".into()).with_hint(hint));
    }
    slot.proposal.as_ref().ok_or_else(|| {
        Error::NotFound(format!("no proposal for block {} is pending", slot.name))
            .with_hint(Hint::ListProposals)
    })
}

/// Removes a block. Earlier points still show it, and its name keeps its layer.
///
/// # Errors
/// - [`Error::NotFound`] if the block is empty.
/// - [`Error::Refused`] if it is computed, or of the identity layer and the caller is not a person.
/// - [`Error::Invalid`] if the name contains a secret.
pub fn forget(slot: &Slot, ctx: &Context) -> Result<Decision<()>> {
    let name = &slot.name;
    check_settable(name)?;
    if slot.layer() == Some(BlockLayer::Identity) && !ctx.origin.is_person() {
        return Err(identity_is_the_owners(&format!("forget blocks:{name}")));
    }
    let Some(current) = &slot.current else {
        return Err(Error::NotFound(format!("block {name} is empty: nothing to forget")));
    };
    let meta = ctx.meta().retiring([Retire::Memory(current.memory.id)]);
    let draft = entry::retiring(FORGET, name, &meta, &ctx.branch)?;
    Ok(Decision { drafts: vec![draft], outcome: () })
}

/// Returns the error that refuses a change of the identity layer and names the owner's command for it.
#[must_use]
pub fn identity_is_the_owners(command: &str) -> Error {
    Error::Refused(format!(
        "only the owner can change blocks of the identity layer: on the command line, run `memtape \
         {command}`"
    ))
}
