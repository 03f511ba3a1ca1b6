//! Reversing commits: `revert` names a commit, `undo` reverses the conversation's last change, `redo`
//! reverses an undo.
//!
//! **Invariant.** Previous versions are created anew and the versions of the reversed commit are superseded;
//! nothing is removed from the tape. A commit is not reversed if later changes build on it, unless those were
//! reversed too, or changed only what memtape maintains itself in a note, such as its computed summary.
//! [`memtape_core::merge`] defines what a reversal means for merging.

use memtape_core::change;
use memtape_core::commit::{Metadata, Reverses};
use memtape_core::form::RemovalCause;
use memtape_core::forms::{self, blocks, notes};
use memtape_core::merge::note_files::preamble_key;
use memtape_core::merge::{Change, Closing, Creation, Group, Lives, MergeKey, Records, Reversal, State};
use memtape_core::{
    Audience, Context, Decision, Error as CoreError, Hint, Lineage, Memory, MemoryId, Meta, Point, Session,
};
use memtape_index::{Reader, Span};
use memtape_tape::EntryId;

use super::note_files::{self, Source};
use super::writing::{as_written, changed, drafts, removal_cause, unerased};
use super::{Branches, Committed, committed};
use crate::error::Result;
use crate::workspace::At;

/// Number of memories that an error names.
const NAMED: usize = 5;

/// A commit that was reversed, or an undo that was.
#[derive(Clone, Debug, PartialEq)]
pub struct Reverted {
    /// The last entry of the reversed commit; for a redo, of the commit that counts again.
    pub entry: EntryId,
    /// The commit that reverses it.
    pub commit: Option<Committed>,
    /// The changes it made, in the order they were written.
    pub changed: Vec<change::Change>,
    /// The last entry at which the messages are visible that the reversed commit removed, if it is a reset: a reversal
    /// restores no messages.
    pub messages_at: Option<EntryId>,
}

/// The effect of a group on one memory.
struct Done {
    merge_key: MergeKey,
    lives: Lives,
    before: State,
    after: State,
}

impl Branches<'_> {
    /// Reverses a commit on the branch of the conversation by a change like any other.
    ///
    /// Reverting an undo redoes it.
    ///
    /// # Errors
    /// - [`Error::Refused`](crate::Error::Refused) if the audience is not the owner.
    /// - [`Error::Store`](crate::Error::Store) of kind `Invalid` if the point is no commit of the branch, or
    ///   the commit changed no memory.
    /// - [`Error::Store`](crate::Error::Store) of kind `Conflict` if the commit is reversed already, or later
    ///   changes build on it.
    /// - [`Error::Store`](crate::Error::Store) of kind `NotFound` if a version to restore was erased.
    /// - [`Error::Store`](crate::Error::Store) as for [`Workspace::write`](crate::Workspace::write).
    pub fn revert(&self, commit: &At) -> Result<Reverted> {
        self.owner("revert commits")?;
        self.take_back(|reader, point, ctx| {
            let (span, branch) = self.commit(reader, commit)?;
            let records = reader.records()?;
            if !point.lineage.holds(&branch, span.last) {
                return Err(not_part(reader, point, &records, span, &branch)?.into());
            }
            if let Some(reversal) = records.reversals.of(span.last, &point.lineage) {
                return Err(already(reader, point, span.last, reversal)?.into());
            }
            let changes = back(reader, point, span)?;
            // A commit that only opened or resolved a conflict left no version that a revert could change.
            let is_undo = records.reversals.by(span.last).is_some_and(|by| by.how != Reverses::Revert);
            if changes.is_empty() && !is_undo {
                let why = format!("commit @{} changed no memories", span.last);
                return Err(CoreError::Invalid(why).into());
            }
            let metadata = Metadata { reverts: Some(span.last), ..Metadata::default() };
            Reversing { span, entry: span.last, how: Reverses::Revert, metadata }
                .decide(reader, point, &records, changes, ctx)
        })
    }

    /// Undoes the last change of the conversation on its branch; the next call undoes the one before.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the audience is not the owner;
    /// [`Error::Store`](crate::Error::Store) of kind `Refused` if the conversation, or at the terminal any conversation, was
    /// reset since the change, of kind `NotFound` if there is nothing to undo or a version to restore was erased, of kind `Conflict` if later changes
    /// build on it, and as for [`Workspace::write`](crate::Workspace::write).
    pub fn undo(&self) -> Result<Reverted> {
        self.owner("undo commits")?;
        self.take_back(|reader, point, ctx| {
            let records = reader.records()?;
            let is_reversed = |commit| records.reversals.of(commit, &point.lineage).is_some();
            let origin = |commit| records.reversals.origin(commit);
            let mut last = None;
            reader.each_of_session(&ctx.session, point.branch(), |span| {
                let counts = match records.reversals.by(span.last) {
                    Some(by) if by.how == Reverses::Undo && !by.is_revert => false,
                    Some(by) if by.how == Reverses::Redo => {
                        !is_reversed(span.last) && !is_reversed(origin(span.last))
                    }
                    _ => !is_reversed(span.last),
                };
                last = (counts && is_change(reader, point, &records, span)?).then_some(span);
                Ok(last.is_none())
            })?;
            let passed = last.map_or(0, |span: Span| span.last);
            // The terminal resets other conversations, too.
            let of = Some(&ctx.session).filter(|session| **session != Session::direct());
            if let Some((reset, session)) = reader.reset_after(passed, of, point.branch())? {
                let why = format!(
                    "cannot undo the reset @{reset} of {session}: the messages before it stay removed"
                );
                return Err(CoreError::Refused(why).with_hint(Hint::RevertOfOthers).into());
            }
            let span = last.ok_or_else(|| {
                CoreError::NotFound(format!(
                    "nothing to undo: {} has no change on branch {:?} that is not already undone",
                    ctx.session,
                    point.branch()
                ))
                .with_hint(Hint::RevertOfOthers)
            })?;
            check_not_merged_again(&records, point, span)?;
            let changes = back(reader, point, span)?;
            let metadata = Metadata { undoes: Some(span.last), ..Metadata::default() };
            Reversing { span, entry: span.last, how: Reverses::Undo, metadata }
                .decide(reader, point, &records, changes, ctx)
        })
    }

    /// Reverses the last undo of the conversation on its branch; the next call reverses the one before.
    ///
    /// # Errors
    /// [`Error::Refused`](crate::Error::Refused) if the audience is not the owner;
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if there is no undo to reverse, of kind
    /// `Conflict` if the conversation changed something since, and as for
    /// [`Workspace::write`](crate::Workspace::write).
    pub fn redo(&self) -> Result<Reverted> {
        self.owner("redo commits")?;
        self.take_back(|reader, point, ctx| {
            let records = reader.records()?;
            let undo = last_undo(reader, point, &records, ctx)?;
            let group = &undo.group;
            let span = Span { first: group.first, last: group.last };
            let changes = back(reader, point, span)?;
            let metadata = Metadata { redoes: Some(span.last), ..Metadata::default() };
            Reversing { span, entry: undo.of, how: Reverses::Redo, metadata }
                .decide(reader, point, &records, changes, ctx)
        })
    }

    fn take_back(
        &self,
        decide: impl Fn(&Reader<'_>, &Point, &Context) -> memtape_index::Result<Decision<Reverted>>,
    ) -> Result<Reverted> {
        let written = self.workspace.write(&self.author, |reader, point, ctx| decide(reader, point, ctx))?;
        let (commit, outcome) = (committed(&written), written.outcome);
        let changed = as_written(self.workspace, outcome.changed, &written.entries)?;
        Ok(Reverted { commit, changed, ..outcome })
    }
}

/// A commit that is about to be reversed.
struct Reversing {
    span: Span,
    /// The commit that the command refers to.
    entry: EntryId,
    how: Reverses,
    metadata: Metadata,
}

impl Reversing {
    /// Returns the group that reverses the commit.
    fn decide(
        self,
        reader: &Reader<'_>,
        point: &Point,
        records: &Records,
        changes: Vec<Change>,
        ctx: &Context,
    ) -> memtape_index::Result<Decision<Reverted>> {
        // The sides of the conflicts that the reversal opens or closes decide who may do it.
        let commit = records.reversals.origin(self.span.last);
        let mut sides = Vec::new();
        for record in records.conflicts.iter().filter(|record| {
            record.id.commit == commit || record.resolved_by.iter().any(|(_, by)| *by == commit)
        }) {
            for id in record.versions() {
                sides.extend(reader.memory(id, &Audience::owner())?);
            }
        }
        let closing = Closing {
            message: format!("{} @{}", self.how.as_str(), self.entry),
            metadata: self.metadata,
            about: sides.iter().collect(),
            ..Closing::default()
        };
        let outcome = Reverted {
            entry: self.entry,
            commit: None,
            changed: changed(&changes, point),
            messages_at: reader.resets(self.span)?.then_some(self.span.first - 1),
        };
        Ok(Decision { drafts: drafts(reader, point, changes, closing, ctx)?, outcome })
    }
}

/// Returns why a commit of another branch cannot be reverted: its changes are those of the merge or cherry-pick that
/// brought them, or are not on the branch at all.
fn not_part(
    reader: &Reader<'_>,
    point: &Point,
    records: &Records,
    span: Span,
    branch: &str,
) -> memtape_index::Result<CoreError> {
    let (commit, into) = (span.last, point.branch());
    let undone = records.undone(&point.lineage);
    let is_undone = |branch: &str, entry: EntryId| undone.iter().any(|group| group.holds(branch, entry));
    let merge = records.merges.iter().find(|merge| {
        let brought = || records.knowledge(&Lineage::new(&records.branches, &merge.source, merge.head));
        point.lineage.holds(&merge.branch, merge.entry)
            && !is_undone(&merge.branch, merge.entry)
            && brought().holds(branch, commit)
    });
    let mut by = merge.map(|merge| merge.entry);
    for merge_key in reader.changed_by(span)?.iter().filter(|_| merge.is_none()) {
        let lives = reader.lives(merge_key)?;
        let is_of_it = |id: MemoryId| (span.first..=span.last).contains(&lives.root(id).entry());
        let picked =
            lives.on(&point.lineage).filter(|life| is_of_it(life.id) && !is_undone(&life.branch, life.group));
        by = by.or(picked.map(|life| life.group).next());
    }
    Ok(match by {
        Some(by) => CoreError::Invalid(format!(
            "commit @{commit} of branch {branch:?} came to branch {into:?} with commit @{by}"
        ))
        .with_hint(Hint::Revert(by)),
        None => CoreError::Invalid(format!(
            "commit @{commit} of branch {branch:?} is not part of branch {into:?}"
        ))
        .with_hint(Hint::TakeCommit(commit)),
    })
}

/// Returns why a commit cannot be reverted, and why there is nothing to pick of it.
pub(super) fn already(
    reader: &Reader<'_>,
    point: &Point,
    commit: EntryId,
    reversal: &Reversal,
) -> memtape_index::Result<CoreError> {
    let by = reversal.group.last;
    let conflict = |what: &str| CoreError::Conflict(format!("{what} by @{by}"));
    let remedy = || remedy(reader, point, reversal, Hint::Revert(by));
    Ok(match reversal.how {
        Reverses::Undo => conflict(&format!("commit @{commit} is already undone")).with_hint(remedy()?),
        Reverses::Redo => conflict(&format!("undo @{commit} is already redone")),
        Reverses::Revert => conflict(&format!("commit @{commit} is already reverted")).with_hint(remedy()?),
    })
}

/// Returns the hint to revert a reversal, or what must be done first if later changes build on it.
pub(super) fn remedy(
    reader: &Reader<'_>,
    point: &Point,
    reversal: &Reversal,
    hint: Hint,
) -> memtape_index::Result<Hint> {
    let Group { first, last, .. } = reversal.group;
    match back(reader, point, Span { first, last }) {
        Ok(_) => Ok(hint),
        Err(memtape_index::Error::Core(_)) => Ok(Hint::RevertLater(last)),
        Err(e) => Err(e),
    }
}

/// Returns an error if a later merge contains the same changes as the merge to undo, so that they would stay known.
fn check_not_merged_again(records: &Records, point: &Point, span: Span) -> memtape_core::Result<()> {
    let origin = records.reversals.origin(span.last);
    let Some(merge) = records.merges.iter().find(|merge| merge.entry == origin) else { return Ok(()) };
    match records.merged_again(merge, span.first, &point.lineage) {
        Some(later) => Err(CoreError::Conflict(format!(
            "cannot undo merge @{}: the later merge @{} of {:?} depends on it; undo that first",
            span.last, later.entry, later.source
        ))),
        None => Ok(()),
    }
}

/// Returns whether a group changed anything that an undo could reverse.
fn is_change(
    reader: &Reader<'_>,
    point: &Point,
    records: &Records,
    span: Span,
) -> memtape_index::Result<bool> {
    Ok(reader.takes(records.reversals.origin(span.last))? || !done(reader, point, span)?.is_empty())
}

/// Returns the undo that a redo reverses: the conversation's last one that is in effect, with nothing changed
/// since.
fn last_undo<'r>(
    reader: &Reader<'_>,
    point: &Point,
    records: &'r Records,
    ctx: &Context,
) -> memtape_index::Result<&'r Reversal> {
    let (reversals, branch) = (&records.reversals, point.branch());
    let nothing = || {
        CoreError::NotFound(format!(
            "nothing to redo: {} has no undone change on branch {branch:?}",
            ctx.session
        ))
    };
    if !reversals.in_force(branch, point.entry()).any(|reversal| reversal.how == Reverses::Undo) {
        return Err(nothing().into());
    }
    let (mut found, mut since) = (None, None);
    reader.each_of_session(&ctx.session, branch, |span| {
        let by = reversals.by(span.last);
        match by.map(|by| by.how) {
            Some(Reverses::Undo) => found = by.filter(|_| reversals.of(span.last, &point.lineage).is_none()),
            Some(Reverses::Redo) => {}
            Some(Reverses::Revert) | None if since.is_none() => {
                since = is_change(reader, point, records, span)?.then_some(span.last);
            }
            Some(Reverses::Revert) | None => {}
        }
        Ok(found.is_none())
    })?;
    let undo = found.ok_or_else(nothing)?;
    match since {
        None => Ok(undo),
        Some(since) => {
            let last = undo.group.last;
            let why = format!("nothing to redo: commit @{since} follows the last undo @{last}");
            let hint = remedy(reader, point, undo, Hint::Revert(last))?;
            Err(CoreError::Conflict(why).with_hint(hint).into())
        }
    }
}

/// Returns the visible effects of a group on each memory.
fn done(reader: &Reader<'_>, point: &Point, span: Span) -> memtape_index::Result<Vec<Done>> {
    let branches = reader.branches()?;
    let [before, after] =
        [span.first - 1, span.last].map(|entry| Lineage::new(branches, point.branch(), entry));
    let (_, date) = reader.written(span.last)?;
    let mut all = Vec::new();
    for merge_key in reader.changed_by(span)? {
        let lives = reader.lives(&merge_key)?;
        let done = Done { before: lives.state(&before), after: lives.state(&after), merge_key, lives };
        // Removing an expired memory has no visible effect.
        let is_nothing = match (done.before, done.after) {
            (State::Current(id), State::Deleted(_)) => {
                let memory = reader.memory(id, &Audience::owner())?;
                memory.and_then(|memory| memory.expires_at).is_some_and(|end| end <= date)
            }
            (before, after) => before == after,
        };
        if !is_nothing && (done.before.current().is_some() || done.after.current().is_some()) {
            all.push(done);
        }
    }
    Ok(all)
}

/// Returns whether a memory is as a group left it: absent in both cases, or the same version, or one that
/// restores it.
fn is_as_left(reader: &Reader<'_>, now: State, after: State) -> memtape_index::Result<bool> {
    let (Some(mut id), Some(left)) = (now.current(), after.current()) else {
        return Ok(now.current() == after.current());
    };
    while id > left {
        // A restored version is older than the version that restores it.
        let restores = Meta::read(reader.entry(id.entry())?.meta.get()).restores;
        let Some(restored) = restores.filter(|restored| *restored < id) else { return Ok(false) };
        id = restored;
    }
    Ok(id == left)
}

/// Returns whether two versions of a section of a note differ only in what memtape maintains itself. Preambles also may be
/// equal: the same summary was computed again.
fn differs_in_upkeep(
    reader: &Reader<'_>,
    merge_key: &MergeKey,
    one: State,
    other: State,
) -> memtape_index::Result<bool> {
    let Some(path) = notes::merge::path_of(merge_key) else { return Ok(false) };
    let read = |state: State| -> memtape_index::Result<Option<Memory>> {
        Ok(state.current().map(|id| reader.memory(id, &Audience::owner())).transpose()?.flatten())
    };
    let (Some(one), Some(other)) = (read(one)?, read(other)?) else { return Ok(false) };
    let may_be_equal = *merge_key == preamble_key(&path);
    Ok(forms::substance(&one) == forms::substance(&other)
        && (may_be_equal || forms::content(&one) != forms::content(&other)))
}

/// Returns whether what a group did is there, whatever made it.
pub(super) fn is_there(reader: &Reader<'_>, point: &Point, span: Span) -> memtape_index::Result<bool> {
    let content = |state: State| -> memtape_index::Result<Option<String>> {
        let memory = state.current().map(|id| reader.memory(id, &Audience::owner())).transpose()?;
        Ok(memory.flatten().map(|memory| forms::content(&memory)))
    };
    for Done { lives, after, .. } in done(reader, point, span)? {
        if content(after)? != content(lives.state(&point.lineage))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the changes that restore the state before a group.
fn back(reader: &Reader<'_>, point: &Point, span: Span) -> memtape_index::Result<Vec<Change>> {
    let get = |id: MemoryId| -> memtape_index::Result<Memory> {
        unerased(reader, id)?.ok_or_else(|| {
            CoreError::NotFound(format!("cannot restore the memory of entry {}: it was erased", id.entry()))
                .into()
        })
    };
    let before_group = Lineage::new(reader.branches()?, point.branch(), span.first - 1);
    let (mut changes, mut built_on, mut newest) = (Vec::new(), Vec::new(), None);
    for Done { merge_key, lives, before, after } in done(reader, point, span)? {
        let now = lives.state(&point.lineage);
        if !is_as_left(reader, now, after)? {
            if !differs_in_upkeep(reader, &merge_key, now, after)? {
                built_on.push(merge_key.reference().to_string());
                newest = newest.max(lives.last_change(&point.lineage));
                continue;
            }
            // The commit did not choose what differs either.
            if differs_in_upkeep(reader, &merge_key, before, after)? {
                continue;
            }
        }
        let mut retires = Vec::new();
        for id in lives.current(&point.lineage) {
            retires.extend(reader.memory(id, &Audience::owner())?);
        }
        let creates = before.current().map(get).transpose()?.map(Creation::Restore);
        let cause = match (before, after, retires.first()) {
            // The rejection of an earlier proposal is none of this one.
            (State::Deleted(old), State::Current(_), Some(proposal))
                if blocks::merge::is_proposal(proposal)
                    && !is_as_left(reader, after, State::Current(old))? =>
            {
                RemovalCause::Reversal
            }
            (State::Nothing, ..) => RemovalCause::Reversal,
            _ => removal_cause(reader, &lives, &before_group)?,
        };
        changes.push(Change { merge_key, creates, retires, cause });
    }
    if built_on.is_empty() {
        note_files::keep_whole(reader, point, &mut changes, &Source::Before(&before_group))?;
        return Ok(changes);
    }
    let more = built_on.len().saturating_sub(NAMED);
    built_on.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let first = newest.map_or_else(|| "that".to_owned(), |commit| format!("@{commit}"));
    Err(CoreError::Conflict(format!(
        "cannot revert commit @{}: {}{more} changed later; revert {first} first",
        span.last,
        built_on.join(", ")
    ))
    .into())
}
