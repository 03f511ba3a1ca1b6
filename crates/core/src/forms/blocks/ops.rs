//! What the commands of blocks decide.
//!
//! **Invariant.** What a writer may do depends on whose hand it is ([`Given::origin`]) and on the layer that the *name*
//! has, never on the layer that is passed.

use memtape_tape::EntryId;

use super::entry::{self, FORGET, PROPOSE, REJECT, SET, Set};
use super::known;
use super::layer::BlockLayer;
use super::merge;
use super::name::BlockName;
use super::view::{Proposal, Slot};
use crate::audience::Sensitivity;
use crate::decision::{Decision, Given};
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::memory::{Memory, MemoryId};
use crate::meta::{Meta, Retire};
use crate::safety::secrets;

/// What a block may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many characters.
    pub chars_max: usize,
}

/// What became of a block that was to be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A new version stands, in this layer.
    Set(BlockLayer),
    /// It stood there already.
    Unchanged,
    /// It waits for the owner.
    Waits,
}

/// What became of a proposal that was to be approved.
#[derive(Clone, Debug, PartialEq)]
pub enum Approval {
    /// It stands now.
    Approved,
    /// The block was changed since it was proposed: nothing is written.
    Stale(Box<Proposal>),
}

/// A value for a block, and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The value.
    pub value: &'a str,
    /// The layer, where one is named.
    pub layer: Option<BlockLayer>,
    /// The older version that it brings back.
    pub restores: Option<MemoryId>,
}

/// Sets a block, or proposes to where the writer may not.
///
/// # Errors
/// [`Error::Invalid`] for a value that is too long or holds what no text holds, and for another layer than the name has;
/// [`Error::Refused`] for a name that is computed.
pub fn set(slot: &Slot, asked: Asked<'_>, limits: Limits, given: &Given) -> Result<Decision<Outcome>> {
    let name = &slot.name;
    check_settable(name)?;
    check_value(asked.value, limits)?;
    let (held, is_person) = (slot.layer(), given.origin.is_person());
    let layer = match (held, asked.layer) {
        (Some(held), Some(asked)) if held != asked && !is_person => {
            return Err(Error::Invalid(format!(
                "the block {name} is of layer {held}, and a name keeps its layer: leave `layer` out"
            )));
        }
        (_, Some(asked)) if is_person => asked,
        (held, asked) => held.or(asked).unwrap_or(BlockLayer::Working),
    };
    let says_so = |memory: &Memory, is: BlockLayer| memory.text == asked.value && is == layer;
    if slot.standing.as_ref().is_some_and(|block| says_so(&block.memory, block.layer)) {
        return Ok(Decision::nothing(Outcome::Unchanged));
    }
    let data = Set { name: name.to_string(), value: asked.value.into(), layer, proposal: None, before: None };
    let standing = slot.standing.as_ref().map(|block| block.memory.id);
    if layer == BlockLayer::Identity && !is_person {
        let waiting = slot.waiting.as_ref();
        if waiting.is_some_and(|waiting| says_so(&waiting.memory, waiting.layer)) {
            return Ok(Decision::nothing(Outcome::Waits));
        }
        let retires = waiting.map(|waiting| Retire::Memory(waiting.memory.id));
        let data = Set { before: standing, ..data };
        // Until it is approved it is the owner's alone: no prompt, and nobody else, is told of it.
        let meta = Meta { sensitivity: Sensitivity::Confidential, ..given.meta().retiring(retires) };
        let draft = data.draft(PROPOSE, &meta, &given.branch)?;
        return Ok(Decision { drafts: vec![draft], outcome: Outcome::Waits });
    }
    // What was proposed and is set by the owner's own hand waits no longer.
    let settled = slot.waiting.as_ref().filter(|waiting| says_so(&waiting.memory, waiting.layer));
    let retires = standing.into_iter().chain(settled.map(|waiting| waiting.memory.id)).map(Retire::Memory);
    let meta = Meta { restores: asked.restores, ..given.meta().retiring(retires) };
    Ok(Decision { drafts: vec![data.draft(SET, &meta, &given.branch)?], outcome: Outcome::Set(layer) })
}

/// Refuses a name that nobody sets.
fn check_settable(name: &BlockName) -> Result<()> {
    if known::index_of(name).is_some() {
        return Err(Error::Refused(format!(
            "{name} is computed from the files whenever it is read: write a file into insights/ or research/ instead"
        )));
    }
    // A name stands on the tape as it is: nothing could be taken out of it.
    match secrets::find(name.as_str()).first() {
        Some(found) => Err(Error::Invalid(format!("the name of the block holds a secret ({})", found.kind))),
        None => Ok(()),
    }
}

/// Checks that a block may have a value.
///
/// # Errors
/// [`Error::Invalid`] for a value that is too long, or holds a control character other than a line feed or a tab.
pub fn check_value(value: &str, limits: Limits) -> Result<()> {
    let count = value.chars().count();
    if count > limits.chars_max {
        return Err(Error::Invalid(format!(
            "the value is {} characters too long: at most {}",
            count - limits.chars_max,
            limits.chars_max
        )));
    }
    match value.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        Some(c) => Err(Error::Invalid(format!(
            "the value holds a control character ({}): leave it out",
            c.escape_unicode()
        ))),
        None => Ok(()),
    }
}

/// Approves what waits under a name. `before` is the version that it was proposed over, where that can still be read;
/// `seen` is the entry that proposed what was looked at; `force` approves it although the block was changed since.
///
/// # Errors
/// [`Error::NotFound`] where nothing waits, or something else than was seen; [`Error::Refused`] to whoever is no person.
pub fn approve(
    slot: &Slot,
    before: Option<&Memory>,
    seen: Option<EntryId>,
    force: bool,
    given: &Given,
) -> Result<Decision<Approval>> {
    let proposal = settled_by_owner(slot, given)?;
    let waits = proposal.memory.id.entry();
    if let Some(seen) = seen.filter(|seen| *seen != waits) {
        return Err(Error::NotFound(format!(
            "what entry {seen} proposed of {0} does not wait any more: what waits is {0}@{waits}",
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
    let standing = slot.standing.as_ref().map(|block| block.memory.id);
    let retires = standing.into_iter().chain([proposal.memory.id]).map(Retire::Memory);
    // It was suspected of nothing when it was proposed, or is the owner's word now.
    let draft = data.draft(SET, &given.meta().retiring(retires), &given.branch)?;
    Ok(Decision { drafts: vec![draft], outcome: Approval::Approved })
}

/// Whether the block says something else than when its change was proposed.
#[must_use]
pub fn is_stale(slot: &Slot, proposal: &Proposal, before: Option<&Memory>) -> bool {
    let standing = slot.standing.as_ref().map(|block| &block.memory);
    match (standing, proposal.before) {
        (None, None) => false,
        (Some(standing), Some(id)) if standing.id == id => false,
        // Another version may say the same: a copy from another branch, or one that was brought back.
        (Some(standing), Some(_)) => {
            before.is_none_or(|before| merge::content(before) != merge::content(standing))
        }
        (Some(_), None) | (None, Some(_)) => true,
    }
}

/// Rejects what waits under a name.
///
/// # Errors
/// As [`approve`].
pub fn reject(slot: &Slot, given: &Given) -> Result<Decision<()>> {
    let proposal = settled_by_owner(slot, given)?;
    let meta = given.meta().retiring([Retire::Memory(proposal.memory.id)]);
    let draft = entry::retiring(REJECT, &slot.name, &meta, &given.branch)?;
    Ok(Decision { drafts: vec![draft], outcome: () })
}

fn settled_by_owner<'s>(slot: &'s Slot, given: &Given) -> Result<&'s Proposal> {
    if !given.origin.is_person() {
        let hint = Hint::SettleProposal(slot.name.to_string());
        return Err(Error::Refused("what waits for the owner is settled by the owner".into()).with_hint(hint));
    }
    slot.waiting.as_ref().ok_or_else(|| {
        Error::NotFound(format!("no change of the block {} waits", slot.name)).with_hint(Hint::ListProposals)
    })
}

/// Forgets a block. Earlier points still show it, and its name keeps its layer.
///
/// # Errors
/// [`Error::NotFound`] where nothing stands; [`Error::Refused`] for a name that is computed, and for one of the identity
/// layer to whoever is no person.
pub fn forget(slot: &Slot, given: &Given) -> Result<Decision<()>> {
    let name = &slot.name;
    check_settable(name)?;
    if slot.layer() == Some(BlockLayer::Identity) && !given.origin.is_person() {
        return Err(identity_is_the_owners(&format!("forget blocks:{name}")));
    }
    let Some(standing) = &slot.standing else {
        return Err(Error::NotFound(format!("the block {name} is empty: there is nothing to forget")));
    };
    let meta = given.meta().retiring([Retire::Memory(standing.memory.id)]);
    let draft = entry::retiring(FORGET, name, &meta, &given.branch)?;
    Ok(Decision { drafts: vec![draft], outcome: () })
}

/// Why something is not done, with the command that the owner does it by.
#[must_use]
pub fn identity_is_the_owners(command: &str) -> Error {
    Error::Refused(format!(
        "blocks of the identity layer are the owner's to change: on the command line, `memtape {command}`"
    ))
}
