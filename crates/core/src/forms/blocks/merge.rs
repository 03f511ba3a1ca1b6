//! Copying, restoring, removing and merging blocks and proposals.

use memtape_tape::Draft;

use super::entry::{self, FORGET, PROPOSE, REJECT, SET, Set};
use super::layer::BlockLayer;
use super::view::{Block, Proposal, data, layer_of, name_of};
use crate::decision::Context;
use crate::error::{Error, Result};
use crate::form::{Recreation, RemovalCause};
use crate::memory::Memory;
use crate::meta::Meta;

/// Returns what distinguishes two versions of a block: its value and its layer.
#[must_use]
pub fn content(memory: &Memory) -> String {
    format!("{:?}\n{}", layer_of(memory), memory.text)
}

/// Returns whether a memory is a block of the identity layer, which only the owner sets.
#[must_use]
pub fn is_identity(memory: &Memory) -> bool {
    Block::read(memory.clone()).is_some_and(|block| block.layer == BlockLayer::Identity)
}

/// Returns whether a memory is a pending proposal.
#[must_use]
pub fn is_proposal(memory: &Memory) -> bool {
    Proposal::read(memory.clone()).is_some()
}

fn unreadable(memory: &Memory) -> Error {
    Error::Invalid(format!("{} is not a readable block", memory.version()))
}

/// Returns the event that copies or restores a block or a proposal. On another tape, it names neither the
/// proposal that was approved nor the version that a proposal would supersede.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a block or a proposal.
pub fn recreate(memory: &Memory, how: Recreation, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let data = data(memory).ok_or_else(|| unreadable(memory))?;
    let name = name_of(memory).ok_or_else(|| unreadable(memory))?;
    let is_alone = how == Recreation::Extract;
    let set = Set {
        name: name.to_string(),
        value: memory.text.clone(),
        layer: data.layer,
        proposal: data.proposal.filter(|_| !is_alone),
        before: data.before.filter(|_| !is_alone),
    };
    Ok(set.draft(if is_proposal(memory) { PROPOSE } else { SET }, meta, &ctx.branch)?)
}

/// Returns the event that removes the blocks or proposals that `meta` names. Only a proposal that somebody rejected is
/// rejected.
///
/// # Errors
/// [`Error::Invalid`] if the memory cannot be read as a block or a proposal.
pub fn retire(memory: &Memory, cause: &RemovalCause, meta: &Meta, ctx: &Context) -> Result<Draft> {
    let name = name_of(memory).ok_or_else(|| unreadable(memory))?;
    let is_request = *cause == RemovalCause::Request || cause.is_event(REJECT);
    let event = if is_proposal(memory) && is_request { REJECT } else { FORGET };
    Ok(entry::retiring(event, &name, meta, &ctx.branch)?)
}

/// Returns whether their proposal is newer than ours and replaces it; `None` for blocks, which conflict.
#[must_use]
pub fn takes_over(ours: &Memory, theirs: &Memory) -> Option<bool> {
    (is_proposal(ours) && is_proposal(theirs)).then(|| theirs.id > ours.id)
}
