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
    /// What the owner approved, where somebody else proposed it.
    pub proposal: Option<Ref>,
    /// The memory; its text is what the block says.
    pub memory: Memory,
}

impl Block {
    /// Reads a memory of the form; `None` for one of another, and for what only waits.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        let BlockData { layer, proposal, .. } = data(&memory)?;
        let name = BlockName::new(&memory.key).ok()?;
        Some(Self { name, layer, proposal: proposal.and_then(|proposal| proposal.parse().ok()), memory })
    }
}

/// A change of the identity layer that waits for the owner.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The block's name.
    pub name: BlockName,
    /// The layer it would have.
    pub layer: BlockLayer,
    /// The version it would replace; `None` where nothing stood.
    pub before: Option<MemoryId>,
    /// The memory; its text is what the block would say.
    pub memory: Memory,
}

impl Proposal {
    /// Reads a memory of the form; `None` for one of another, and for a block.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        let BlockData { layer, before, .. } = data(&memory)?;
        let name = BlockName::of_proposed(&memory.key)?;
        Some(Self { name, layer, before, memory })
    }
}

/// What the form keeps of a memory besides its text.
pub(super) fn data(memory: &Memory) -> Option<BlockData> {
    let data = memory.data.as_deref().filter(|_| memory.form == Form::BLOCKS)?;
    serde_json::from_str(data).ok()
}

/// The layer of a memory of the form; `None` for one of another.
#[must_use]
pub fn layer_of(memory: &Memory) -> Option<BlockLayer> {
    data(memory).map(|data| data.layer)
}

/// The name of the block that a memory is a version of, or that it would change.
#[must_use]
pub fn name_of(memory: &Memory) -> Option<BlockName> {
    let is_ours = memory.form == Form::BLOCKS;
    let name = || BlockName::of_proposed(&memory.key).or_else(|| BlockName::new(&memory.key).ok());
    is_ours.then(name).flatten()
}

/// Everything there is of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The name.
    pub name: BlockName,
    /// What stands.
    pub standing: Option<Block>,
    /// The layer of the last version there was, standing or not.
    pub last_layer: Option<BlockLayer>,
    /// What waits for the owner.
    pub waiting: Option<Proposal>,
}

impl Slot {
    /// The layer that the name has, and keeps: that of what stands, else of what last stood, else the one it is known by.
    #[must_use]
    pub fn layer(&self) -> Option<BlockLayer> {
        let standing = self.standing.as_ref().map(|block| block.layer);
        standing.or(self.last_layer).or_else(|| known::find(&self.name).map(|known| known.layer))
    }
}

/// A block as it is listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: BlockName,
    /// Its layer.
    pub layer: BlockLayer,
    /// What it says; `None` where nothing was ever set, or it was forgotten.
    pub value: Option<String>,
    /// Whether it is computed when it is read.
    pub is_computed: bool,
    /// The memory; `None` where there is none.
    pub id: Option<MemoryId>,
    /// What names the version; `None` where there is none.
    pub reference: Option<Ref>,
    /// When the version was set.
    pub updated_at: Option<Timestamp>,
    /// Who set it.
    pub origin: Option<Origin>,
    /// By which rule it is suspected of steering a model.
    pub quarantined: Option<String>,
    /// Whether a change of it waits for the owner.
    pub waits: bool,
}

/// The blocks at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlocksView {
    standing: BTreeMap<BlockName, Block>,
    waiting: BTreeMap<BlockName, Proposal>,
}

impl BlocksView {
    /// Folds memories of the form, in any order. Of two under one name the newer counts.
    #[must_use]
    pub fn fold(memories: Vec<Memory>) -> Self {
        let mut view = Self::default();
        let mut memories = memories;
        memories.sort_by_key(|memory| memory.id);
        for memory in memories {
            if let Some(proposal) = Proposal::read(memory.clone()) {
                view.waiting.insert(proposal.name.clone(), proposal);
            } else if let Some(block) = Block::read(memory) {
                view.standing.insert(block.name.clone(), block);
            }
        }
        view
    }

    /// The block of a name, where it stands.
    #[must_use]
    pub fn get(&self, name: &BlockName) -> Option<&Block> {
        self.standing.get(name)
    }

    /// The changes that wait for the owner, by name.
    pub fn waiting(&self) -> impl Iterator<Item = &Proposal> {
        self.waiting.values()
    }

    /// The change of a name that waits.
    #[must_use]
    pub fn proposal(&self, name: &BlockName) -> Option<&Proposal> {
        self.waiting.get(name)
    }

    /// Every block by layer, then name: those that stand, those that are known and empty, those that are computed.
    #[must_use]
    pub fn list(&self, computed: &Computed) -> Vec<Listed> {
        let known =
            KNOWN.iter().map(|known| BlockName::new(known.name).expect("a test reads every known name"));
        let names: std::collections::BTreeSet<BlockName> =
            known.chain(self.standing.keys().cloned()).collect();
        let mut listed: Vec<Listed> = names.into_iter().map(|name| self.listed(name, computed)).collect();
        listed.sort_by(|one, other| (one.layer, &one.name).cmp(&(other.layer, &other.name)));
        listed
    }

    /// A name as it is listed: empty where nothing stands.
    #[must_use]
    pub fn listed(&self, name: BlockName, computed: &Computed) -> Listed {
        let waits = self.waiting.contains_key(&name);
        let known = known::find(&name);
        let index = known.and_then(|known| known.index);
        let standing = self.get(&name);
        let layer = standing.map(|block| block.layer).or(known.map(|known| known.layer));
        let memory = standing.map(|block| &block.memory);
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
