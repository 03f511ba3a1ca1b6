//! Conflicts that merges and picks leave open, and resolving them.
//!
//! **Invariants.** Until a conflict is resolved, "ours" is current. Resolving a conflict also resolves the earlier ones
//! about the same memory with the same branch that took no more of it. An audience learns of a conflict only if it sees all
//! its sides.

use std::collections::{BTreeMap, HashSet};

use memtape_core::change;
use memtape_core::commit::{Conflict, ConflictId, Metadata};
use memtape_core::form::RemovalCause;
use memtape_core::forms::blocks::ops::{self, Limits};
use memtape_core::forms::{self, ledger};
use memtape_core::merge::{Change, Closing, Creation, Lives, MergeKey, Record, Records};
use memtape_core::safety::injection;
use memtape_core::{
    Audience, Context, Decision, Error as CoreError, Form, Hint, Lifetime, Lineage, Memory, Point, Ref,
    Scope, Sensitivity, Session,
};
use memtape_index::Reader;
use memtape_tape::EntryId;

use super::note_files::{self, Source};
use super::writing::{as_written, changed, drafts, removal_cause, unerased};
use super::{Branches, Committed, committed};
use crate::error::Result;
use crate::workspace::{At, Workspace, conversation_of};

/// A memory that was changed in two ways.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenConflict {
    /// The reference of the memory.
    pub reference: Ref,
    /// The current version; `None` if it was deleted.
    pub ours: Option<Memory>,
    /// The version of the other branch at that time; `None` if it was deleted there.
    pub theirs: Option<Memory>,
    /// The last common version, if there is one.
    pub base: Option<Memory>,
    /// The entry of the commit that left the conflict open.
    pub commit: EntryId,
    /// The name of the other branch; `None` if the audience may not know of it. Another branch may have its name by now.
    pub source: Option<String>,
    /// The branch on which the conflict is open.
    pub into: String,
    /// The unique name of the other branch.
    other: String,
    /// The last entry of the other branch that the commit took.
    head: EntryId,
    merge_key: MergeKey,
    lives: Lives,
    ids: Vec<ConflictId>,
}

impl OpenConflict {
    /// Returns the reference of the conflict: that of the memory, with the commit that left it open as its
    /// version.
    #[must_use]
    pub fn version(&self) -> Ref {
        Ref { entry: Some(self.commit), ..self.reference.clone() }
    }

    /// Returns the name of the other branch for a message.
    #[must_use]
    pub fn source_name(&self) -> &str {
        self.source.as_deref().unwrap_or("another branch")
    }

    /// Returns whether any side is confidential.
    pub(crate) fn is_confidential(&self) -> bool {
        let mut sides = self.ours.iter().chain(&self.theirs).chain(&self.base);
        sides.any(|memory| memory.sensitivity == Sensitivity::Confidential)
    }

    /// Returns whether both sides say the same by now.
    fn is_agreed(&self) -> bool {
        match (&self.ours, &self.theirs) {
            (Some(ours), Some(theirs)) => forms::is_agreed(self.base.as_ref(), ours, theirs),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        }
    }

    /// Returns whether a reference names the conflict: without a version, or with the entry of theirs or of
    /// the commit.
    #[must_use]
    pub fn is_named(&self, reference: &Ref) -> bool {
        let theirs = self.theirs.as_ref().map(|memory| memory.id.entry());
        let is_version = |entry: EntryId| Some(entry) == theirs || entry == self.commit;
        let is_thing = self.reference.form == reference.form && self.reference.key == reference.key;
        is_thing && reference.entry.is_none_or(is_version)
    }
}

/// How a conflict is resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Keep ours.
    Ours,
    /// Take theirs.
    Theirs,
    /// Keep ours, and add theirs in a topic that is named after the other branch: the first of `BRANCH`, `BRANCH~2` and so
    /// on that has no such fact. Only for facts.
    Both,
    /// Use this value: the object of a fact, or the text of a note section, a file or a block.
    Value(String),
}

/// A conflict that was resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The reference of the memory.
    pub reference: Ref,
    /// The commit that resolved it.
    pub commit: Option<Committed>,
    /// The changes it made.
    pub changed: Vec<change::Change>,
}

impl Workspace {
    /// Returns the conflicts that are open at a point and that an audience sees, by the reference of the
    /// memory.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn open_conflicts(
        &self,
        audience: &Audience,
        at: &At,
    ) -> Result<BTreeMap<String, Vec<OpenConflict>>> {
        let open = self
            .read(at, audience, &conversation_of(audience), |reader, point| open(reader, point, audience))?;
        let mut by_ref: BTreeMap<String, Vec<OpenConflict>> = BTreeMap::new();
        for conflict in open {
            by_ref.entry(conflict.reference.to_string()).or_default().push(conflict);
        }
        Ok(by_ref)
    }

    /// Returns the references of the memories with an open conflict at a point, as answers in a conversation mark them.
    /// See [`contested`].
    pub(crate) fn contested(&self, session: &Session, audience: &Audience, at: &At) -> Result<HashSet<Ref>> {
        self.read(at, audience, session, |reader, point| contested(reader, point, audience))
    }
}

impl Branches<'_> {
    /// Returns the conflicts that are open at a point and that the audience sees, in the order they were
    /// recorded.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn conflicts(&self, at: &At) -> Result<Vec<OpenConflict>> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            open(reader, point, &self.audience)
        })
    }

    /// Returns the command that resolves a conflict about `reference` on the branch `into`, without the option that
    /// selects a side or a value. It names the branch unless the conversation is on it.
    #[must_use]
    pub fn resolve_command(&self, reference: &str, into: &str) -> String {
        match self.checked_out() {
            Ok(branch) if branch == into => format!("memtape resolve {reference}"),
            _ => format!("memtape resolve {reference} --branch {into}"),
        }
    }

    /// Proposes to remove memories, each for a reason, in one commit that changes nothing: each stays current, with an open
    /// conflict, until somebody resolves it. Returns the commit and the references of the memories that it proposes to remove:
    /// those that are current and have no open conflict; `None` if there are none. The commit records their reasons.
    ///
    /// # Errors
    /// - [`Error::Refused`](crate::Error::Refused) if the audience is not the owner.
    /// - [`Error::Store`](crate::Error::Store) of kind `Refused` if a memory belongs to the identity layer and no person
    ///   writes; otherwise as for [`Workspace::write`].
    pub fn propose_removal(
        &self,
        removals: &[(Ref, String)],
        message: &str,
    ) -> Result<Option<(Committed, Vec<Ref>)>> {
        self.owner("propose to remove memories")?;
        let removals: Vec<(&Ref, String)> = removals
            .iter()
            .map(|(reference, why)| (reference, format!("{reference}: {}", self.workspace.clean(why))))
            .collect();
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let (mut current, mut taken, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
            let open = open(reader, point, &Audience::owner())?;
            for &(reference, ref reason) in &removals {
                let is_open =
                    open.iter().any(|conflict| conflict.is_named(&Ref { entry: None, ..reference.clone() }));
                if let Some(found) = reader.by_ref(reference, &Audience::owner(), point)?.pop()
                    && !is_open
                    && reader.is_current(found.id, point)?
                {
                    current.push(found);
                    taken.push(reference.clone());
                    reasons.push(reason.as_str());
                }
            }
            if current.is_empty() {
                return Ok(Decision::nothing(taken));
            }
            let conflict =
                |memory: &Memory| Conflict { ours: Some(memory.id), theirs: None, base: Some(memory.id) };
            let metadata =
                Metadata { conflicts: current.iter().map(conflict).collect(), ..Metadata::default() };
            let closing = Closing {
                message: message.to_owned(),
                metadata,
                about: current.iter().collect(),
                ..Closing::default()
            };
            let ctx = Context { reason: Some(reasons.join("; ")), ..ctx.clone() };
            Ok(Decision { drafts: drafts(reader, point, Vec::new(), closing, &ctx)?, outcome: taken })
        })?;
        Ok(committed(&written).map(|commit| (commit, written.outcome)))
    }

    /// Resolves the conflict about a memory.
    ///
    /// # Errors
    /// - [`Error::Refused`](crate::Error::Refused) if the audience is not the owner.
    /// - [`Error::Store`](crate::Error::Store) of kind `NotFound` if no such conflict is open, of kind
    ///   `Conflict` if several are.
    /// - [`Error::Store`](crate::Error::Store) of kind `Invalid` if the resolution does not apply, such as
    ///   [`Resolution::Both`] for a memory that is no fact, or a block value that is too long.
    /// - [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn resolve(&self, reference: &Ref, how: &Resolution) -> Result<Resolved> {
        self.owner("resolve conflicts")?;
        let how = match how {
            Resolution::Value(value) => Resolution::Value(self.workspace.clean(value).into_owned()),
            other => other.clone(),
        };
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let conflict = named(open(reader, point, &Audience::owner())?, reference)?;
            let limits = Limits { chars_max: self.workspace.config.blocks.max_chars };
            let mut changes = resolution_changes(reader, point, &conflict, &how, limits, ctx)?;
            let theirs = Lineage::new(reader.branches()?, &conflict.other, point.entry());
            for change in changes.iter_mut().filter(|change| change.creates.is_none()) {
                change.cause = removal_cause(reader, &conflict.lives, &theirs)?;
            }
            note_files::keep_whole(reader, point, &mut changes, &Source::Side(&theirs))?;
            let metadata = Metadata { settles: conflict.ids.clone(), ..Metadata::default() };
            let closing = Closing {
                message: format!("resolve a conflict: {}", how.name()),
                metadata,
                about: conflict.ours.iter().chain(&conflict.theirs).collect(),
                ..Closing::default()
            };
            let reference = conflict.reference.clone();
            let outcome = Resolved { reference, commit: None, changed: changed(&changes, point) };
            Ok(Decision { drafts: drafts(reader, point, changes, closing, ctx)?, outcome })
        })?;
        let (commit, outcome) = (committed(&written), written.outcome);
        let changed = as_written(self.workspace, outcome.changed, &written.entries)?;
        Ok(Resolved { commit, changed, ..outcome })
    }
}

impl Resolution {
    fn name(&self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Theirs => "theirs",
            Self::Both => "both",
            Self::Value(_) => "another value",
        }
    }
}

/// Returns the one conflict that a reference names.
fn named(open: Vec<OpenConflict>, reference: &Ref) -> memtape_core::Result<OpenConflict> {
    let mut named: Vec<OpenConflict> = open.into_iter().filter(|c| c.is_named(reference)).collect();
    if named.len() > 1 {
        let listed: Vec<_> = named
            .iter()
            .map(|conflict| format!("  {} with {}", conflict.version(), conflict.source_name()))
            .collect();
        let why =
            format!("{} open conflicts about {reference}; specify one:\n{}", named.len(), listed.join("\n"));
        return Err(CoreError::Ambiguous(why));
    }
    let missing =
        || CoreError::NotFound(format!("no open conflict about {reference}")).with_hint(Hint::ListConflicts);
    named.pop().ok_or_else(missing)
}

/// Returns the changes that resolve a conflict.
fn resolution_changes(
    reader: &Reader<'_>,
    point: &Point,
    conflict: &OpenConflict,
    how: &Resolution,
    limits: Limits,
    ctx: &Context,
) -> memtape_index::Result<Vec<Change>> {
    let mut current = Vec::new();
    for id in conflict.lives.current(&point.lineage) {
        current.extend(reader.memory(id, &Audience::owner())?);
    }
    let change = |creates: Option<Creation>| Change {
        merge_key: conflict.merge_key.clone(),
        creates,
        retires: current.clone(),
        cause: RemovalCause::Request,
    };
    let is_fact = conflict.merge_key.form() == Form::LEDGER;
    let invalid = |why: String| memtape_index::Error::from(CoreError::Invalid(why));
    let one_side = |why: String, value: bool| {
        memtape_index::Error::from(CoreError::Invalid(why).with_hint(Hint::KeepSide { value }))
    };
    Ok(match (how, &conflict.theirs) {
        (Resolution::Ours, _) => Vec::new(),
        (Resolution::Theirs, Some(theirs)) => {
            let stands = current.iter().any(|ours| forms::content(ours) == forms::content(theirs));
            if stands { Vec::new() } else { vec![change(Some(Creation::Copy(theirs.clone())))] }
        }
        (Resolution::Theirs, None) if current.is_empty() => Vec::new(),
        (Resolution::Theirs, None) => vec![change(None)],
        (Resolution::Both, _) if !is_fact => {
            return Err(one_side(
                format!("{} is not a fact: only one side can be kept", conflict.reference),
                true,
            ));
        }
        (Resolution::Value(value), theirs) => {
            let of = current.last().or(theirs.as_ref());
            let of = of.ok_or_else(|| invalid(format!("no version of {} is left", conflict.reference)))?;
            let of = &stated(of, current.iter().chain(theirs), value, ctx);
            vec![change(Some(match is_fact {
                true => Creation::Value { of: of.clone(), value: value.clone() },
                false => {
                    if of.form == Form::BLOCKS {
                        ops::check_value(value, limits)?;
                    }
                    Creation::Joined(of.form.rules().with_text(of, value)?)
                }
            }))]
        }
        (Resolution::Both, Some(theirs)) if !current.is_empty() => {
            vec![beside(reader, point, conflict, theirs)?]
        }
        (Resolution::Both, _) => {
            let why = format!("one side deleted {}: only one side can be kept", conflict.reference);
            return Err(one_side(why, false));
        }
    })
}

/// Returns a version as the author of another value for it: the origin and the conversation are the author's. A model's value
/// stays that of the tool or page that wrote one of the sides, and is checked for injections.
fn stated<'m>(of: &Memory, sides: impl Iterator<Item = &'m Memory>, value: &str, ctx: &Context) -> Memory {
    let (origin, quarantined) = match ctx.origin.is_person() {
        true => (ctx.origin, None),
        false => {
            let origins = sides.filter_map(|memory| memory.origin);
            (ctx.adopting(origins).origin, injection::is_suspicious(value).map(str::to_owned))
        }
    };
    // What belongs to a chat or a user, or lives as long as a conversation, stays in that conversation.
    let is_shared = Scope::from_label(&of.scope).is_none_or(|scope| scope == Scope::Global);
    let session = match is_shared && of.lifetime != Lifetime::Session {
        true => Some(ctx.session.to_string()),
        false => of.session.clone(),
    };
    Memory { origin: Some(origin), session, quarantined, ..of.clone() }
}

/// Returns the change that keeps theirs beside ours, under the first topic after the other branch that is free. That of an
/// earlier conflict about the same memory with the same branch is replaced.
fn beside(
    reader: &Reader<'_>,
    point: &Point,
    conflict: &OpenConflict,
    theirs: &Memory,
) -> memtape_index::Result<Change> {
    let records = reader.records()?;
    let mut resolutions = HashSet::new();
    for record in records.about(&conflict.lives) {
        if source(&records, record).0 == conflict.other {
            resolutions.extend(record.resolved_by.iter().map(|(_, by)| *by));
        }
    }
    // The topic of a branch is that of its name, whichever branch has the name by now.
    let other = records.branches.iter().find(|branch| branch.name == conflict.other);
    let name = other.map_or(&*conflict.other, |other| other.label());
    for scope in ledger::merge::scopes_beside(theirs, name)? {
        let merge_key = MergeKey::new(Form::LEDGER, ledger::merge::key_beside(theirs, &scope)?, None);
        let retires = reader.current_of(Form::LEDGER, &merge_key.key, point)?;
        let lives = reader.lives(&merge_key)?;
        let mut is_free = true;
        for memory in &retires {
            is_free &= resolutions.contains(&reader.group_with(lives.root(memory.id).entry())?.last);
        }
        if is_free {
            return Ok(Change {
                merge_key,
                creates: Some(Creation::Beside { of: theirs.clone(), scope }),
                retires,
                cause: RemovalCause::Request,
            });
        }
    }
    Err(CoreError::Invalid(format!("no topic is free beside {}", conflict.reference)).into())
}

/// Returns the conflicts that are open at a point and whose sides an audience all sees. If none is open, the merges are not
/// read, however many there are.
pub(crate) fn open(
    reader: &Reader<'_>,
    point: &Point,
    audience: &Audience,
) -> memtape_index::Result<Vec<OpenConflict>> {
    if !reader.has_conflicts()? {
        return Ok(Vec::new());
    }
    // A merge can only add to what is resolved, so without the merges at least as many conflicts are open.
    let own = reader.records_of_conflicts()?;
    let knowledge = own.knowledge(&point.lineage);
    if !own.conflicts.iter().any(|record| record.is_open(&point.lineage, &knowledge)) {
        return Ok(Vec::new());
    }
    let records = reader.records()?;
    let knowledge = records.knowledge(&point.lineage);
    let mut open: Vec<OpenConflict> = Vec::new();
    for record in records.conflicts.iter().filter(|record| record.is_open(&point.lineage, &knowledge)) {
        let Some(conflict) = read(reader, &records, record, point)? else { continue };
        // A commit that took all that an earlier one took of the same branch replaces its conflict. A cherry-pick of an older
        // commit does not: what it left out is still to be decided.
        let is_replaced = |earlier: &mut OpenConflict| {
            earlier.merge_key == conflict.merge_key
                && earlier.other == conflict.other
                && earlier.head <= conflict.head
        };
        let mut ids: Vec<_> = open.extract_if(.., is_replaced).flat_map(|earlier| earlier.ids).collect();
        ids.extend(conflict.ids);
        open.push(OpenConflict { ids, ..conflict });
    }
    let mut seen = Vec::with_capacity(open.len());
    // Once both sides say the same, there is nothing to resolve.
    for mut conflict in open.into_iter().filter(|conflict| !conflict.is_agreed()) {
        let mut is_seen = true;
        for memory in conflict.ours.iter().chain(&conflict.theirs).chain(&conflict.base) {
            is_seen &= *audience == Audience::owner() || reader.memory(memory.id, audience)?.is_some();
        }
        if is_seen {
            let other = records.branches.iter().find(|branch| branch.name == conflict.other);
            let is_known = match other {
                Some(other) => reader.knows(audience, other)?,
                None => audience.is_owner(),
            };
            let name = other.map_or(&*conflict.other, |other| other.label());
            conflict.source = is_known.then(|| name.to_owned());
            seen.push(conflict);
        }
    }
    Ok(seen)
}

/// Returns the references of the memories with an open conflict that an audience may learn of: it sees all sides, and none
/// is confidential.
pub(crate) fn contested(
    reader: &Reader<'_>,
    point: &Point,
    audience: &Audience,
) -> memtape_index::Result<HashSet<Ref>> {
    let open = open(reader, point, audience)?;
    Ok(open.into_iter().filter(|conflict| !conflict.is_confidential()).map(|it| it.reference).collect())
}

/// Returns the branch that was merged or picked from when a conflict was recorded, and its last entry that was taken. A
/// proposed removal comes from the branch itself.
fn source<'r>(records: &'r Records, record: &'r Record) -> (&'r str, EntryId) {
    records.source_of(record).unwrap_or((&record.branch, record.id.commit))
}

/// Returns a conflict with its sides; `None` if the memory was erased.
fn read(
    reader: &Reader<'_>,
    records: &Records,
    record: &Record,
    point: &Point,
) -> memtape_index::Result<Option<OpenConflict>> {
    let mut merge_key = None;
    for id in record.versions() {
        merge_key = merge_key.or(reader.merge_key_of(id)?);
    }
    let Some(merge_key) = merge_key else { return Ok(None) };
    let lives = reader.lives(&merge_key)?;
    let get = |id| unerased(reader, id);
    let Conflict { theirs, base, .. } = record.conflict;
    let ours = lives.current(&point.lineage).pop().map(|id| reader.memory(id, &Audience::owner()));
    let ours = ours.transpose()?.flatten();
    let theirs = theirs.map(get).transpose()?.flatten();
    if record.conflict.theirs.is_some() && theirs.is_none() {
        return Ok(None);
    }
    let (other, head) = source(records, record);
    Ok(Some(OpenConflict {
        reference: merge_key.reference(),
        ours,
        theirs,
        base: base.map(get).transpose()?.flatten(),
        commit: record.id.commit,
        source: None,
        into: point.branch().to_owned(),
        other: other.to_owned(),
        head,
        merge_key,
        lives,
        ids: vec![record.id],
    }))
}
