//! Blocks as commands and readers see them.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::entry::BlockData;
use super::index::Computed;
use super::known::{self, KNOWN};
use super::layer::BlockLayer;
use super::name::BlockName;
use crate::memory::{Form, Memory, MemoryId, Origin, Ref};

/// A version of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its name.
    pub name: BlockName,
    /// Its layer.
    pub layer: BlockLayer,
    /// The proposal that the owner approved; `None` if the version was not proposed.
    pub proposal: Option<Ref>,
    /// The memory. Its text is the value of the block.
    pub memory: Memory,
}

impl Block {
    /// Converts a memory of the form; `None` if it is of another form or a proposal.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        let BlockData { layer, proposal, .. } = data(&memory)?;
        let name = BlockName::new(&memory.key).ok()?;
        Some(Self { name, layer, proposal: proposal.and_then(|proposal| proposal.parse().ok()), memory })
    }
}

/// A pending change of a block of the identity layer, which the owner can approve or reject.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The block's name.
    pub name: BlockName,
    /// The layer that the block would have.
    pub layer: BlockLayer,
    /// The version that it would replace; `None` if the block was empty.
    pub before: Option<MemoryId>,
    /// The memory. Its text is the proposed value.
    pub memory: Memory,
}

impl Proposal {
    /// Converts a memory of the form; `None` if it is of another form or a block.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        let BlockData { layer, before, .. } = data(&memory)?;
        let name = BlockName::of_proposed(&memory.key)?;
        Some(Self { name, layer, before, memory })
    }
}

/// Returns the data of a memory; `None` if it is of another form or cannot be read.
pub(super) fn data(memory: &Memory) -> Option<BlockData> {
    let data = memory.data.as_deref().filter(|_| memory.form == Form::BLOCKS)?;
    serde_json::from_str(data).ok()
}

/// Returns the layer of a memory; `None` if it is of another form or cannot be read.
#[must_use]
pub fn layer_of(memory: &Memory) -> Option<BlockLayer> {
    data(memory).map(|data| data.layer)
}

/// Returns the name of the block that a memory is a version or a proposal of; `None` for another form.
#[must_use]
pub fn name_of(memory: &Memory) -> Option<BlockName> {
    let is_ours = memory.form == Form::BLOCKS;
    let name = || BlockName::of_proposed(&memory.key).or_else(|| BlockName::new(&memory.key).ok());
    is_ours.then(name).flatten()
}

/// Everything that exists under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The name.
    pub name: BlockName,
    /// The current version of the block; `None` if the block is empty.
    pub current: Option<Block>,
    /// The layer of the last version, current or not; `None` if there never was one.
    pub last_layer: Option<BlockLayer>,
    /// The pending proposal; `None` if there is none.
    pub proposal: Option<Proposal>,
}

impl Slot {
    /// Returns the layer of the name: that of the current version, the last version, or the one that document
    /// 3 defines.
    ///
    /// `None` if the name is new.
    #[must_use]
    pub fn layer(&self) -> Option<BlockLayer> {
        let current = self.current.as_ref().map(|block| block.layer);
        current.or(self.last_layer).or_else(|| known::find(&self.name).map(|known| known.layer))
    }
}

/// A block in a listing.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: BlockName,
    /// Its layer.
    pub layer: BlockLayer,
    /// Its value; `None` if it was never set or was removed.
    pub value: Option<String>,
    /// Whether it is computed on reading.
    pub is_computed: bool,
    /// The memory; `None` if the block is empty or computed.
    pub id: Option<MemoryId>,
    /// The ref of the current version; `None` if the block is empty or computed.
    pub reference: Option<Ref>,
    /// When the current version was set.
    pub updated_at: Option<Timestamp>,
    /// The origin of its last change.
    pub origin: Option<Origin>,
    /// The injection rule that quarantined it; `None` if it is not quarantined.
    pub quarantined: Option<String>,
    /// Whether a proposal is pending for it.
    pub waits: bool,
}

/// The blocks and the pending proposals at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlocksView {
    blocks: BTreeMap<BlockName, Block>,
    proposals: BTreeMap<BlockName, Proposal>,
}

impl BlocksView {
    /// Folds the memories of the form, which may come in any order. The newest of a name counts.
    #[must_use]
    pub fn fold(memories: Vec<Memory>) -> Self {
        let mut view = Self::default();
        let mut memories = memories;
        memories.sort_by_key(|memory| memory.id);
        for memory in memories {
            if let Some(proposal) = Proposal::read(memory.clone()) {
                view.proposals.insert(proposal.name.clone(), proposal);
            } else if let Some(block) = Block::read(memory) {
                view.blocks.insert(block.name.clone(), block);
            }
        }
        view
    }

    /// Returns the current block with this name; `None` if it is empty.
    #[must_use]
    pub fn get(&self, name: &BlockName) -> Option<&Block> {
        self.blocks.get(name)
    }

    /// Returns the pending proposals, sorted by name.
    pub fn proposals(&self) -> impl Iterator<Item = &Proposal> {
        self.proposals.values()
    }

    /// Returns the pending proposal for a name; `None` if there is none.
    #[must_use]
    pub fn proposal(&self, name: &BlockName) -> Option<&Proposal> {
        self.proposals.get(name)
    }

    /// Returns every block sorted by layer and name, including the empty and computed ones of document 3.
    #[must_use]
    pub fn list(&self, computed: &Computed) -> Vec<Listed> {
        let known =
            KNOWN.iter().map(|known| BlockName::new(known.name).expect("a test reads every known name"));
        let names: std::collections::BTreeSet<BlockName> = known.chain(self.blocks.keys().cloned()).collect();
        let mut listed: Vec<Listed> = names.into_iter().map(|name| self.listed(name, computed)).collect();
        listed.sort_by(|one, other| (one.layer, &one.name).cmp(&(other.layer, &other.name)));
        listed
    }

    /// Returns the listing of one name. Its value is `None` if the block is empty.
    #[must_use]
    pub fn listed(&self, name: BlockName, computed: &Computed) -> Listed {
        let waits = self.proposals.contains_key(&name);
        let known = known::find(&name);
        let index = known.and_then(|known| known.index);
        let current = self.get(&name);
        let layer = current.map(|block| block.layer).or(known.map(|known| known.layer));
        let memory = current.map(|block| &block.memory);
        Listed {
            layer: layer.unwrap_or(BlockLayer::Working),
            value: match index {
                Some(index) => Some(computed.of(index).to_owned()),
                None => memory.map(|memory| memory.text.clone()),
            },
            is_computed: index.is_some(),
            id: memory.map(|memory| memory.id),
            reference: memory.map(Memory::version),
            updated_at: memory.map(|memory| memory.created_at),
            origin: memory.and_then(|memory| memory.origin),
            quarantined: memory.and_then(|memory| memory.quarantined.clone()),
            waits,
            name,
        }
    }
}
