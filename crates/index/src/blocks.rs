//! Queries of blocks: those at a point, and the state of one name.

use memtape_core::forms::blocks::view::layer_of;
use memtape_core::forms::blocks::{Block, BlockName, BlocksView, Proposal, Slot};
use memtape_core::{Audience, Form, Point, Ref};

use crate::audience::Confidential;
use crate::error::Result;
use crate::reader::{Question, Reader};

impl Reader<'_> {
    /// Returns the blocks that an audience sees, and the proposals that wait for the owner.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn blocks(&self, audience: &Audience, point: &Point) -> Result<BlocksView> {
        let question = Question {
            audience: audience.clone(),
            confidential: Confidential::ToOwner,
            form: Some(Form::BLOCKS),
            ..Question::default()
        };
        Ok(BlocksView::fold(self.memories(&question, point)?))
    }

    /// Returns the state of one name, whoever may see it: its current block, the layer of its last version,
    /// and a pending proposal.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn block_slot(&self, name: &BlockName, point: &Point) -> Result<Slot> {
        let owner = Audience::owner();
        let named = |key: String| Ref { form: Form::BLOCKS, key, entry: None };
        let current = |reference: &Ref| Ok::<_, crate::Error>(self.by_ref(reference, &owner, point)?.pop());
        let reference = named(name.to_string());
        let last = self.last_version(&reference, &owner, point)?;
        Ok(Slot {
            name: name.clone(),
            current: current(&reference)?.and_then(Block::read),
            last_layer: last.as_ref().and_then(layer_of),
            proposal: current(&named(name.proposed()))?.and_then(Proposal::read),
        })
    }
}
