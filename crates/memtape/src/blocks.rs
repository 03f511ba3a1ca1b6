//! Blocks: the short texts that an agent sees in every prompt.
//!
//! **Invariants.** Blocks belong to the workspace: every audience that sees its scope may read them, and only
//! the owner writes them. The identity layer contains only what a person wrote or approved: any other change
//! of it is a proposal until the owner approves it.

use jiff::Timestamp;
use memtape_core::forms::blocks::index::Asked as IndexAsked;
use memtape_core::forms::blocks::ops::{self, Approval, Asked, is_stale};
use memtape_core::forms::blocks::view::{Slot, layer_of};
use memtape_core::forms::blocks::{
    BlockLayer, BlockName, Computed, Limits, Listed, Outcome, Proposal, known,
};
use memtape_core::merge::MergeKey;
use memtape_core::{
    Audience, Context, Decision, Error as CoreError, Form, Memory, Meta, Origin, Point, Ref, Session,
};
use memtape_index::Reader;
use memtape_store::Author;
use memtape_tape::EntryId;
use similar::TextDiff;

use crate::config::nearest;
use crate::error::Result;
use crate::handle::writes_for_all;
use crate::safety::{admit, admit_name};
use crate::unified_diff::unified_diff;
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

/// The blocks of a workspace, for one audience.
pub struct Blocks<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// A version of a block in its history.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockVersion {
    /// The entry that set the block or removed its value.
    pub entry: EntryId,
    /// The date of the change.
    pub date: Timestamp,
    /// The value; `None` if the block was empty from then on.
    pub value: Option<String>,
    /// The layer.
    pub layer: BlockLayer,
    /// The origin of the change.
    pub origin: Option<Origin>,
    /// The conversation of the change.
    pub session: Option<String>,
    /// The recorded reason, if any.
    pub reason: Option<String>,
}

/// A proposed change that is pending, next to the current value.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingProposal {
    /// The proposal.
    pub proposal: Proposal,
    /// The current version; `None` if the block is empty.
    pub current: Option<Memory>,
    /// Whether the block changed since the proposal.
    pub is_stale: bool,
    /// The difference between the two as a unified diff.
    pub diff: String,
}

crate::handle::options!(Blocks: new, for_audience, in_session, because, writing_as, called_by, only_if);

impl<'a> Blocks<'a> {
    /// Lists the blocks at a point, by layer, then by name.
    ///
    /// With a layer, only those of that layer.
    ///
    /// Well-known names are listed even before they are set.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn list(&self, layer: Option<BlockLayer>, at: &At) -> Result<Vec<Listed>> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let view = reader.blocks(&self.audience, point)?;
            let mut listed = view.list(&self.computed(reader, point)?);
            listed.retain(|block| layer.is_none_or(|layer| block.layer == layer));
            Ok(listed)
        })
    }

    /// Returns a block at a point.
    ///
    /// A well-known name that is not set has no value.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if the block does not exist (the message
    /// suggests the nearest name); [`Error::Store`](crate::Error::Store) if `at` does not exist or the index
    /// cannot be read.
    pub fn get(&self, name: &BlockName, at: &At) -> Result<Listed> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
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

    /// Sets a block, or proposes the change if only the owner may make it.
    ///
    /// `layer` applies to a new name; the owner can also move an existing block with it. Secrets in the value are
    /// redacted, including a value that its name makes a secret (`wifi_password`).
    ///
    /// # Errors
    /// - [`Error::Refused`](crate::Error::Refused) if the audience is not the owner, if the value is longer
    ///   than `ingest.max_message_bytes`, or if it reads like an instruction to a model and does not come
    ///   from the owner.
    /// - [`Error::Store`](crate::Error::Store) of kind `Refused` if the block is computed.
    /// - [`Error::Store`](crate::Error::Store) of kind `Invalid` if the value is longer than
    ///   `blocks.max_chars` or has control characters, if the name contains a secret, or if a tool names
    ///   another layer than the block has.
    /// - [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn set(&self, name: &BlockName, value: &str, layer: Option<BlockLayer>) -> Result<Outcome> {
        self.write(name, value, (layer, None))
    }

    /// Restores a block to its value at a point.
    ///
    /// Its layer does not change.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if the block had no value at that point;
    /// otherwise see [`Blocks::set`].
    pub fn restore(&self, name: &BlockName, at: &At) -> Result<Outcome> {
        let before = self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let view = reader.blocks(&self.audience, point)?;
            view.get(name).map(|block| block.memory.clone()).ok_or_else(|| {
                let why = CoreError::NotFound(format!("block {name} was empty at that point"));
                why.with_hint(Hint::BlockHistory(name.to_string())).into()
            })
        })?;
        self.write(name, &before.text, (None, Some(&before)))
    }

    fn write(
        &self,
        name: &BlockName,
        value: &str,
        (layer, restores): (Option<BlockLayer>, Option<&Memory>),
    ) -> Result<Outcome> {
        self.owner()?;
        self.workspace.check_length("the value", value)?;
        admit(value, &self.audience, self.author.origin)?;
        // A name can make its value a secret: `wifi_password`. A name that is a secret itself is refused below.
        let clean = self.workspace.clean_after(&format!("{name}: "), value);
        let value = clean.unwrap_or_else(|| self.workspace.clean(value).into_owned());
        let limits = Limits { chars_max: self.workspace.config.blocks.max_chars };
        self.decide(|reader, point, ctx| {
            let slot = reader.block_slot(name, point)?;
            let decision = ops::set(&slot, Asked { value: &value, layer, restores }, limits, ctx)?;
            if slot.layer().is_none() {
                admit_name(name.as_str(), &self.audience, self.author.origin)?;
            }
            Ok(decision)
        })
    }

    /// Forgets a block.
    ///
    /// Earlier points still show it, and its name keeps its layer.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the audience is not the owner;
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if the block is empty, of kind `Refused` if
    /// it is computed, or is in the identity layer and no person writes, and as for [`Workspace::write`].
    pub fn forget(&self, name: &BlockName) -> Result<()> {
        self.owner()?;
        self.decide(|reader, point, ctx| Ok(ops::forget(&reader.block_slot(name, point)?, ctx)?))
    }

    /// Forgets a block by its reference.
    ///
    /// A version, if there is one, must be the current one.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if another version is current; otherwise see
    /// [`Blocks::forget`].
    pub fn forget_ref(&self, reference: &Ref) -> Result<()> {
        self.owner()?;
        let name = BlockName::new(&reference.key)?;
        self.decide(|reader, point, ctx| {
            let slot = reader.block_slot(&name, point)?;
            if reference.entry.is_some() {
                current_of(slot.clone(), reference)?;
            }
            Ok(ops::forget(&slot, ctx)?)
        })
    }

    /// Returns the current blocks of some references, as [`Blocks::forget_ref`] forgets them.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if there is a reference and the audience is not the owner;
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if one is not current;
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn current(&self, references: &[Ref]) -> Result<Vec<Memory>> {
        if references.is_empty() {
            return Ok(Vec::new());
        }
        self.owner()?;
        self.workspace.read(&At::head(), &self.audience, &self.author.session, |reader, point| {
            let mut named: Vec<Memory> = Vec::new();
            for reference in references {
                let slot = reader.block_slot(&BlockName::new(&reference.key)?, point)?;
                let memory = current_of(slot, reference)?;
                if named.iter().all(|other| other.id != memory.id) {
                    named.push(memory);
                }
            }
            Ok(named)
        })
    }

    /// Returns up to `limit` versions of a block up to a point, newest first, including the times from which
    /// it was empty.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if the name was never set and is not well
    /// known; [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn history(&self, name: &BlockName, limit: usize, at: &At) -> Result<Vec<BlockVersion>> {
        let reference = Ref { form: Form::BLOCKS, key: name.to_string(), entry: None };
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let mut memories = reader.versions(&reference, &self.audience, point)?;
            if memories.is_empty() && known::find(name).is_none() {
                let listed = reader.blocks(&self.audience, point)?.list(&Computed::default());
                return Err(not_found(name, listed.into_iter().map(|b| b.name.to_string())).into());
            }
            let lives = reader.lives(&MergeKey::new(Form::BLOCKS, name.to_string(), None))?;
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

    /// Returns the difference between a block at two points as a unified diff; empty if there is none.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if the name has a value at neither point and
    /// is not well known; [`Error::Store`](crate::Error::Store) if a point does not exist or the index cannot
    /// be read.
    pub fn diff(&self, name: &BlockName, from: &At, to: &At) -> Result<String> {
        let [before, after] = self.workspace.read_both(
            [from, to],
            &self.audience,
            &self.author.session,
            |reader, [from, to]| {
                // Blocks have no final newline, but the lines of a diff need one. An empty block has no line.
                let text = |point| -> memtape_index::Result<Option<String>> {
                    let view = reader.blocks(&self.audience, point)?;
                    let lines =
                        |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
                    Ok(view.get(name).map(|block| lines(&block.memory.text)))
                };
                let texts = [text(from)?, text(to)?];
                if texts.iter().all(Option::is_none) && known::find(name).is_none() {
                    let listed = reader.blocks(&self.audience, to)?.list(&Computed::default());
                    return Err(not_found(name, listed.into_iter().map(|b| b.name.to_string())).into());
                }
                Ok(texts)
            },
        )?;
        Ok(unified_diff(name.as_str(), before.as_deref(), after.as_deref()))
    }

    fn version(
        &self,
        reader: &Reader<'_>,
        id: EntryId,
        layer: BlockLayer,
        value: Option<String>,
    ) -> memtape_index::Result<BlockVersion> {
        let entry = reader.entry(id)?;
        // The entry that ended a version may belong to a scope that the audience does not see.
        let meta = match reader.sees(id, &self.audience)? {
            true => Meta::read(entry.meta.get()),
            false => Meta::default(),
        };
        let Meta { origin, session, reason, .. } = meta;
        Ok(BlockVersion { entry: id, date: entry.date, value, layer, origin, session, reason })
    }

    /// Returns the proposals that are pending at a point, by name.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn waiting(&self, at: &At) -> Result<Vec<PendingProposal>> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let view = reader.blocks(&self.audience, point)?;
            let proposals: Vec<_> = view.proposals().cloned().collect();
            proposals.into_iter().map(|proposal| waiting(reader, point, proposal)).collect()
        })
    }

    /// Approves the pending proposal for a block and returns the value, which is current from now on.
    ///
    /// With `seen`, only the proposal of that entry is approved. With `force`, it is approved even if the
    /// block changed since.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the audience is not the owner;
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if there is no such proposal, of kind
    /// `Conflict` if the block changed since, of kind `Refused` if no person writes, and as for
    /// [`Workspace::write`].
    pub fn approve(&self, name: &BlockName, seen: Option<EntryId>, force: bool) -> Result<String> {
        self.owner()?;
        self.decide(|reader, point, ctx| {
            let slot = reader.block_slot(name, point)?;
            let before = proposed_over(reader, slot.proposal.as_ref())?;
            let decision = ops::approve(&slot, before.as_ref(), seen, force, ctx)?;
            match &decision.outcome {
                Approval::Approved => {
                    let value = slot.proposal.map(|proposal| proposal.memory.text).unwrap_or_default();
                    Ok(decision.map(|_| value))
                }
                Approval::Stale(proposal) => {
                    Err(stale(name, slot.current.as_ref().map(|block| &block.memory), proposal).into())
                }
            }
        })
    }

    /// Rejects the pending proposal for a block.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the audience is not the owner;
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if there is no proposal, of kind `Refused` if
    /// no person writes, and as for [`Workspace::write`].
    pub fn reject(&self, name: &BlockName) -> Result<()> {
        self.owner()?;
        self.decide(|reader, point, ctx| Ok(ops::reject(&reader.block_slot(name, point)?, ctx)?))
    }

    fn decide<T>(
        &self,
        decide: impl FnMut(&Reader<'_>, &Point, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<T> {
        Ok(self.workspace.write(&self.author, decide)?.outcome)
    }

    /// Returns the computed blocks at a point.
    fn computed(&self, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Computed> {
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

    /// Refuses an audience that does not write for the whole workspace.
    fn owner(&self) -> Result<()> {
        writes_for_all(&self.audience, &self.author, "blocks")
    }
}

/// Returns the error that there is no such block, with the nearest name.
fn not_found(name: &BlockName, names: impl IntoIterator<Item = String>) -> CoreError {
    match nearest(name.as_str(), names) {
        Some(near) => CoreError::NotFound(format!("there is no block {name}: did you mean {near}?")),
        None => CoreError::NotFound(format!("there is no block {name}")).with_hint(Hint::ListBlocks),
    }
}

/// Returns the current version of a block, if a reference names it.
fn current_of(slot: Slot, reference: &Ref) -> Result<Memory, CoreError> {
    let current = slot.current.map(|block| block.memory);
    let is_named = |memory: &Memory| reference.entry.is_none_or(|entry| memory.id.entry() == entry);
    current.filter(is_named).ok_or_else(|| reference.not_current().with_hint(Hint::EarlierPoint))
}

/// Returns the version that a change was proposed over, if it can still be read.
fn proposed_over(reader: &Reader<'_>, proposal: Option<&Proposal>) -> memtape_index::Result<Option<Memory>> {
    let before = proposal.and_then(|proposal| proposal.before);
    Ok(before.map(|id| reader.memory(id, &Audience::owner())).transpose()?.flatten())
}

fn waiting(reader: &Reader<'_>, point: &Point, proposal: Proposal) -> memtape_index::Result<PendingProposal> {
    let slot = reader.block_slot(&proposal.name, point)?;
    let before = proposed_over(reader, Some(&proposal))?;
    let is_stale = is_stale(&slot, &proposal, before.as_ref());
    let current = slot.current.map(|block| block.memory);
    let text = |memory: &Memory| format!("{}\n", memory.text);
    let (old, new) = (current.as_ref().map(text).unwrap_or_default(), text(&proposal.memory));
    let names = (format!("{} (current)", proposal.name), format!("{} (proposed)", proposal.name));
    let diff = TextDiff::from_lines(&old, &new).unified_diff().header(&names.0, &names.1).to_string();
    Ok(PendingProposal { proposal, current, is_stale, diff })
}

/// Returns the error that a block changed since the proposal.
fn stale(name: &BlockName, current: Option<&Memory>, proposal: &Proposal) -> CoreError {
    let current = current.map_or_else(|| "nothing".to_owned(), |memory| format!("{:?}", memory.text));
    CoreError::Conflict(format!(
        "stale: block {name} changed after the proposal; it now contains {current}, and the proposal is \
         {:?}",
        proposal.memory.text
    ))
    .with_hint(Hint::SettleStaleProposal(name.to_string()))
}

impl Workspace {
    /// Returns the blocks, for the owner.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
