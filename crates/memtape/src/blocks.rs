//! Blocks: the short texts that an agent has before it in every prompt.
//!
//! **Invariants.** Blocks are the workspace's: whoever sees its scope may read them, and the owner's audience alone
//! writes them. What stands in the identity layer was written by a person: everybody else's change of it waits until the
//! owner approves it.

use jiff::Timestamp;
use memtape_core::forms::blocks::index::Asked as IndexAsked;
use memtape_core::forms::blocks::ops::{self, Approval, Asked, is_stale};
use memtape_core::forms::blocks::view::layer_of;
use memtape_core::forms::blocks::{
    BlockLayer, BlockName, Computed, Limits, Listed, Outcome, Proposal, known,
};
use memtape_core::merge::Thing;
use memtape_core::{
    Audience, Decision, Error as CoreError, Form, Given, Memory, Meta, Origin, Point, Ref, Session,
};
use memtape_store::{Author, Reader};
use memtape_tape::EntryId;
use similar::TextDiff;

use crate::config::nearest;
use crate::error::Result;
use crate::handle::writes_for_all;
use crate::safety::admit;
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

/// The blocks of a workspace, for one audience.
pub struct Blocks<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// A version of a block, as its history tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockVersion {
    /// The entry that set it, or left nothing in its place.
    pub entry: EntryId,
    /// When.
    pub date: Timestamp,
    /// What it says; `None` from where nothing stood any more.
    pub value: Option<String>,
    /// Its layer.
    pub layer: BlockLayer,
    /// Who set it.
    pub origin: Option<Origin>,
    /// In which conversation.
    pub session: Option<String>,
    /// Why, where they said so.
    pub reason: Option<String>,
}

/// A change that waits for the owner, beside what stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// What is proposed.
    pub proposal: Proposal,
    /// What stands; `None` where nothing does.
    pub stands: Option<Memory>,
    /// Whether the block was changed since it was proposed.
    pub is_stale: bool,
    /// How it would differ, as a unified diff.
    pub diff: String,
}

crate::handle::told!(Blocks: for_audience, in_session, because, writing_as, called_by);

impl<'a> Blocks<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        session: &Session,
        origin: Origin,
        audience: Audience,
    ) -> Self {
        Self { workspace, author: workspace.author(session, origin), audience }
    }

    /// The blocks at a point, by layer, then name; with a layer only its own. Known names are there before they are
    /// set.
    ///
    /// # Errors
    /// What the medium says.
    pub fn list(&self, layer: Option<BlockLayer>, at: &At) -> Result<Vec<Listed>> {
        self.workspace.read(at, &self.author.session, |reader, point| {
            let view = reader.blocks(&self.audience, point)?;
            let mut listed = view.list(&self.computed(reader, point)?);
            listed.retain(|block| layer.is_none_or(|layer| block.layer == layer));
            Ok(listed)
        })
    }

    /// A block at a point. A known name is there before it is set, without a value.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] for another name that does not stand there; it names the nearest ones.
    pub fn get(&self, name: &BlockName, at: &At) -> Result<Listed> {
        self.workspace.read(at, &self.author.session, |reader, point| {
            let view = reader.blocks(&self.audience, point)?;
            if view.get(name).is_none() && known::find(name).is_none() {
                let listed = view.list(&Computed::default());
                let names = listed.into_iter().map(|block| block.name.to_string());
                return Err(not_found(name, names).into());
            }
            let computed = match known::index_of(name) {
                Some(_) => self.computed(reader, point)?,
                None => Computed::default(),
            };
            Ok(view.listed(name.clone(), &computed))
        })
    }

    /// Sets a block; a `layer` counts for a new name, and moves another where the owner writes. What is not the
    /// owner's to change is proposed.
    ///
    /// # Errors
    /// [`crate::Error::Refused`] for a name that is computed, for what would steer a model, and to who is not the
    /// owner's audience; that the value is too long; or what the medium says.
    pub fn set(&self, name: &BlockName, value: &str, layer: Option<BlockLayer>) -> Result<Outcome> {
        self.write(name, value, |value| Asked { value, layer, restores: None })
    }

    /// Makes a block say what it said at a point; its layer stays what it is.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] where it said nothing there; else as [`Blocks::set`].
    pub fn restore(&self, name: &BlockName, at: &At) -> Result<Outcome> {
        let before = self.workspace.read(at, &self.author.session, |reader, point| {
            let view = reader.blocks(&self.audience, point)?;
            view.get(name).map(|block| block.memory.clone()).ok_or_else(|| {
                let why = CoreError::NotFound(format!("the block {name} said nothing there"));
                why.with_hint(Hint::BlockHistory(name.to_string())).into()
            })
        })?;
        let restores = Some(before.id);
        self.write(name, &before.text, |value| Asked { value, layer: None, restores })
    }

    fn write(&self, name: &BlockName, value: &str, asked: impl Fn(&str) -> Asked<'_>) -> Result<Outcome> {
        self.owner()?;
        self.workspace.check_length("the value", value)?;
        admit(value, &self.audience, self.author.origin)?;
        let value = self.workspace.clean(value);
        let limits = Limits { chars_max: self.workspace.config.blocks.max_chars };
        self.decide(|reader, point, given| {
            let slot = reader.block_slot(name, point)?;
            Ok(ops::set(&slot, asked(&value), limits, given)?)
        })
    }

    /// Forgets a block: earlier points still show it, and its name keeps its layer.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] where nothing stands; [`crate::Error::Refused`] as [`Blocks::set`], and for the
    /// identity layer to who is not the owner.
    pub fn forget(&self, name: &BlockName) -> Result<()> {
        self.owner()?;
        self.decide(|reader, point, given| Ok(ops::forget(&reader.block_slot(name, point)?, given)?))
    }

    /// The same, by a ref; one with a version is that of what stands.
    ///
    /// # Errors
    /// As [`Blocks::forget`]; [`crate::Error::NotFound`] where another version stands.
    pub fn forget_ref(&self, reference: &Ref) -> Result<()> {
        self.owner()?;
        let name = BlockName::new(&reference.key)?;
        self.decide(|reader, point, given| {
            let slot = reader.block_slot(&name, point)?;
            let standing = slot.standing.as_ref().map(|block| block.memory.id.entry());
            if reference.entry.is_some() && reference.entry != standing {
                return Err(CoreError::NotFound(format!("{reference} does not stand there")).into());
            }
            Ok(ops::forget(&slot, given)?)
        })
    }

    /// The versions of a block up to a point, newest first, at most so many; also from when on nothing stood.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] for a name that was never set and is not known; or what the medium says.
    pub fn history(&self, name: &BlockName, limit: usize, at: &At) -> Result<Vec<BlockVersion>> {
        let reference = Ref { form: Form::BLOCKS, key: name.to_string(), entry: None };
        self.workspace.read(at, &self.author.session, |reader, point| {
            let mut memories = reader.versions(&reference, &self.audience, point)?;
            if memories.is_empty() && known::find(name).is_none() {
                let listed = reader.blocks(&self.audience, point)?.list(&Computed::default());
                return Err(not_found(name, listed.into_iter().map(|b| b.name.to_string())).into());
            }
            let lives = reader.lives(&Thing::new(Form::BLOCKS, name.to_string(), None))?;
            let mut versions = Vec::new();
            let mut next = None;
            while let Some(memory) = memories.pop().filter(|_| versions.len() < limit) {
                let Some(layer) = layer_of(&memory) else { continue };
                let end = lives.retired_by(memory.id, &point.lineage);
                if let Some(entry) = end.filter(|end| next != Some(*end)) {
                    versions.push(self.version(reader, entry, layer, None)?);
                }
                next = Some(memory.id.entry());
                versions.push(self.version(reader, memory.id.entry(), layer, Some(memory.text))?);
            }
            versions.truncate(limit);
            Ok(versions)
        })
    }

    fn version(
        &self,
        reader: &Reader<'_>,
        id: EntryId,
        layer: BlockLayer,
        value: Option<String>,
    ) -> memtape_store::Result<BlockVersion> {
        let entry = reader.entry(id)?;
        // What ended it may be somebody's whom the audience does not see.
        let meta = match reader.sees(id, &self.audience)? {
            true => Meta::read(entry.meta.get()),
            false => Meta::default(),
        };
        let Meta { origin, session, reason, .. } = meta;
        Ok(BlockVersion { entry: id, date: entry.date, value, layer, origin, session, reason })
    }

    /// The changes that wait for the owner at a point, by name.
    ///
    /// # Errors
    /// What the medium says.
    pub fn waiting(&self, at: &At) -> Result<Vec<Waiting>> {
        self.workspace.read(at, &self.author.session, |reader, point| {
            let view = reader.blocks(&self.audience, point)?;
            let proposals: Vec<_> = view.waiting().cloned().collect();
            proposals.into_iter().map(|proposal| waiting(reader, point, proposal)).collect()
        })
    }

    /// Approves what waits under a name: it stands from now on, and is what this gives. With `seen`, only what that
    /// entry proposed; with `force`, although the block was changed since it was proposed.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] where nothing waits; a conflict where the block was changed since;
    /// [`crate::Error::Refused`] to who is not the owner; or what the medium says.
    pub fn approve(&self, name: &BlockName, seen: Option<EntryId>, force: bool) -> Result<String> {
        self.owner()?;
        self.decide(|reader, point, given| {
            let slot = reader.block_slot(name, point)?;
            let before = proposed_over(reader, slot.waiting.as_ref())?;
            let decision = ops::approve(&slot, before.as_ref(), seen, force, given)?;
            match &decision.outcome {
                Approval::Approved => {
                    let value = slot.waiting.map(|waiting| waiting.memory.text).unwrap_or_default();
                    Ok(decision.map(|_| value))
                }
                Approval::Stale(proposal) => {
                    Err(stale(name, slot.standing.as_ref().map(|block| &block.memory), proposal).into())
                }
            }
        })
    }

    /// Rejects what waits under a name.
    ///
    /// # Errors
    /// As [`Blocks::approve`].
    pub fn reject(&self, name: &BlockName) -> Result<()> {
        self.owner()?;
        self.decide(|reader, point, given| Ok(ops::reject(&reader.block_slot(name, point)?, given)?))
    }

    fn decide<T>(
        &self,
        decide: impl FnMut(&Reader<'_>, &Point, &Given) -> memtape_store::Result<Decision<T>>,
    ) -> Result<T> {
        Ok(self.workspace.write(&self.author, decide)?.outcome)
    }

    /// What is computed, at a point.
    fn computed(&self, reader: &Reader<'_>, point: &Point) -> memtape_store::Result<Computed> {
        let config = &self.workspace.config;
        let asked = IndexAsked {
            items: config.blocks.index_items,
            days: config.blocks.index_days,
            now: point.instant,
            zone: config.time_zone.clone(),
        };
        let files = reader.file_list(&self.audience, point)?;
        Ok(Computed::read(files.iter().map(|file| (file.path.as_str(), file.updated_at)), &asked))
    }

    /// Refuses who does not write for the whole workspace.
    fn owner(&self) -> Result<()> {
        writes_for_all(&self.audience, &self.author, "blocks")
    }
}

/// That there is no such block, with the nearest name there is.
fn not_found(name: &BlockName, names: impl IntoIterator<Item = String>) -> CoreError {
    match nearest(name.as_str(), names) {
        Some(near) => CoreError::NotFound(format!("there is no block {name}: did you mean {near}?")),
        None => CoreError::NotFound(format!("there is no block {name}")).with_hint(Hint::ListBlocks),
    }
}

/// The version that a change was proposed over, where it can still be read.
fn proposed_over(reader: &Reader<'_>, proposal: Option<&Proposal>) -> memtape_store::Result<Option<Memory>> {
    let before = proposal.and_then(|proposal| proposal.before);
    Ok(before.map(|id| reader.memory(id, &Audience::owner())).transpose()?.flatten())
}

fn waiting(reader: &Reader<'_>, point: &Point, proposal: Proposal) -> memtape_store::Result<Waiting> {
    let slot = reader.block_slot(&proposal.name, point)?;
    let before = proposed_over(reader, Some(&proposal))?;
    let is_stale = is_stale(&slot, &proposal, before.as_ref());
    let stands = slot.standing.map(|block| block.memory);
    let text = |memory: &Memory| format!("{}\n", memory.text);
    let (old, new) = (stands.as_ref().map(text).unwrap_or_default(), text(&proposal.memory));
    let names = (format!("{} (stands)", proposal.name), format!("{} (proposed)", proposal.name));
    let diff = TextDiff::from_lines(&old, &new).unified_diff().header(&names.0, &names.1).to_string();
    Ok(Waiting { proposal, stands, is_stale, diff })
}

/// That a block was changed since its change was proposed.
fn stale(name: &BlockName, stands: Option<&Memory>, proposal: &Proposal) -> CoreError {
    let stands = stands.map_or_else(|| "nothing".to_owned(), |memory| format!("{:?}", memory.text));
    CoreError::Conflict(format!(
        "stale: the block {name} was changed since this was proposed; there stands {stands}, and proposed is {:?}",
        proposal.memory.text
    ))
    .with_hint(Hint::SettleStaleProposal(name.to_string()))
}

impl Workspace {
    /// The blocks.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
