//! What branches need of blocks: a version born anew or retired, on whichever branch.

use memtape_tape::Draft;

use super::entry::{self, FORGET, PROPOSE, REJECT, SET, Set};
use super::layer::BlockLayer;
use super::view::{Block, Proposal, data, layer_of, name_of};
use crate::decision::Given;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::meta::Meta;

/// What tells two versions of a block apart: what it says, and in which layer.
#[must_use]
pub fn content(memory: &Memory) -> String {
    format!("{:?}\n{}", layer_of(memory), memory.text)
}

/// Whether a memory is a block of the identity layer: what stands there is the owner's.
#[must_use]
pub fn is_identity(memory: &Memory) -> bool {
    Block::read(memory.clone()).is_some_and(|block| block.layer == BlockLayer::Identity)
}

/// Whether a memory is a change that waits for the owner.
#[must_use]
pub fn is_proposal(memory: &Memory) -> bool {
    Proposal::read(memory.clone()).is_some()
}

fn unreadable(memory: &Memory) -> Error {
    Error::Invalid(format!("{} cannot be read as a block", memory.version()))
}

/// The event that bears a block or a proposal anew.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn again(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    let data = data(memory).ok_or_else(|| unreadable(memory))?;
    let name = name_of(memory).ok_or_else(|| unreadable(memory))?;
    let set = Set {
        name: name.to_string(),
        value: memory.text.clone(),
        layer: data.layer,
        proposal: data.proposal,
        before: data.before,
    };
    Ok(set.draft(if is_proposal(memory) { PROPOSE } else { SET }, meta, &given.branch)?)
}

/// The event that retires a block or a proposal: what `meta` says it retires.
///
/// # Errors
/// [`Error::Invalid`] for a memory that cannot be read.
pub fn retire(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    let name = name_of(memory).ok_or_else(|| unreadable(memory))?;
    let event = if is_proposal(memory) { REJECT } else { FORGET };
    Ok(entry::retiring(event, &name, meta, &given.branch)?)
}

/// Of two proposals whether theirs is the newer one, which takes over; `None` for blocks, which contradict each other.
#[must_use]
pub fn takes_over(ours: &Memory, theirs: &Memory) -> Option<bool> {
    (is_proposal(ours) && is_proposal(theirs)).then(|| theirs.id > ours.id)
}
