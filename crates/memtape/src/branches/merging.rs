//! Merging a branch, and picking one commit of another branch.
//!
//! [`memtape_core::merge`] contains the rule; this module reads its input from the index and writes its result.

use std::cell::RefCell;
use std::collections::BTreeMap;

use memtape_core::change;
use memtape_core::commit::{Conflict, Merge, Metadata, Reverses};
use memtape_core::merge::{
    Closing, Compared, Lives, Meeting, MergeKey, Merged, Outcome, Picking, Plan, Record, Reversal, outcome,
};
use memtape_core::point::COMMIT_DIGITS_MIN;
use memtape_core::{
    Audience, Decision, Error as CoreError, Hint, Lineage, Memory, MemoryId, Moment, Point, Ref, Scope, forms,
};
use memtape_index::{Reader, Span};
use memtape_store::Written;
use memtape_tape::EntryId;

use super::collisions;
use super::note_files::{self, Source};
use super::reverting::{already, is_there, remedy};
use super::writing::{as_written, changed, drafts, removal_cause, unerased};
use super::{Branches, Committed, committed};
use crate::error::{Error, Result};
use crate::workspace::{At, Workspace};

/// The result of a merge or a pick.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeOutcome {
    /// The branch that was changed.
    pub into: String,
    /// The commit; `None` if there was nothing to write.
    pub commit: Option<Committed>,
    /// The changes, in the order they were written.
    pub changed: Vec<change::Change>,
    /// The conflicts that it leaves open.
    pub conflicts: Vec<Contested>,
    /// The conflicts that were open before and still are.
    pub still_open: Vec<Contested>,
    /// Number of conflicts of earlier commits that it resolves: both sides agree by now, or it takes or joins them.
    pub resolved: usize,
    /// The merge or cherry-pick that brought the changes before, if there is nothing to take because they are known, but
    /// that commit was reverted.
    pub reverted: Option<RevertedTaking>,
}

impl MergeOutcome {
    fn of(workspace: &Workspace, written: Written<Self>) -> Result<Self> {
        let (commit, outcome) = (committed(&written), written.outcome);
        let changed = as_written(workspace, outcome.changed, &written.entries)?;
        Ok(Self { commit, changed, ..outcome })
    }
}

/// A merge or cherry-pick that was reverted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevertedTaking {
    /// The last entry of its commit.
    pub commit: EntryId,
    /// The last entry of the commit that reverted it.
    pub by: EntryId,
    hint: Hint,
}

impl RevertedTaking {
    /// Returns the error that says so, with how to bring the changes back. `taken` says what was done, such as `branch "a"
    /// was merged`.
    #[must_use]
    pub fn error(&self, taken: &str) -> Error {
        let Self { commit, by, hint } = self;
        let why = format!("{taken} by @{commit}, and @{by} reverted that");
        memtape_core::Error::Conflict(why).with_hint(hint.clone()).into()
    }
}

/// A memory that both sides changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Contested {
    /// Its reference.
    pub reference: Ref,
    /// The version that is current until the conflict is resolved; `None` if it was deleted.
    pub ours: Option<Memory>,
    /// The version of the other branch; `None` if it was deleted.
    pub theirs: Option<Memory>,
}

/// A plan and the memories that it refers to.
pub(super) struct Planned {
    pub(super) plan: Plan,
    pub(super) memories: BTreeMap<MemoryId, Memory>,
}

impl Planned {
    /// Completes the plan so that the files of notes stay whole, and sorts it.
    fn keep_files_whole(
        &mut self,
        reader: &Reader<'_>,
        point: &Point,
        theirs: &Lineage,
    ) -> memtape_index::Result<()> {
        let plan = &mut self.plan;
        note_files::keep_whole(reader, point, &mut plan.changes, &Source::Side(theirs))?;
        // A preamble that comes along with its sections is no conflict.
        let Plan { changes, conflicts, still_open, .. } = plan;
        let is_open = |(merge_key, conflict): &(MergeKey, Conflict)| {
            conflict.ours.is_some() || changes.iter().all(|change| change.merge_key != *merge_key)
        };
        conflicts.retain(is_open);
        still_open.retain(is_open);
        plan.sort();
        Ok(())
    }

    /// Returns the memories on both sides of conflicts.
    fn sides<'m>(&'m self, conflicts: impl Iterator<Item = &'m (MergeKey, Conflict)>) -> Vec<&'m Memory> {
        let ids = conflicts.flat_map(|(_, conflict)| [conflict.ours, conflict.theirs].into_iter().flatten());
        ids.filter_map(|id| self.memories.get(&id)).collect()
    }

    /// Returns the result, except for the commit.
    fn outcome(&self, point: &Point) -> MergeOutcome {
        let get = |id: Option<MemoryId>| id.and_then(|id| self.memories.get(&id)).cloned();
        let contested = |merge_keys: &[(MergeKey, Conflict)]| {
            let contested = merge_keys.iter().map(|(merge_key, conflict)| Contested {
                reference: merge_key.reference(),
                ours: get(conflict.ours),
                theirs: get(conflict.theirs),
            });
            contested.collect()
        };
        MergeOutcome {
            into: point.branch().to_owned(),
            commit: None,
            changed: changed(&self.plan.changes, point),
            conflicts: contested(&self.plan.conflicts),
            still_open: contested(&self.plan.still_open),
            resolved: self.plan.settles.len(),
            reverted: None,
        }
    }

    /// Returns the last merge of a branch, or the last merge or cherry-pick that brought a commit, if it was reverted and
    /// there is nothing to take.
    fn reverted(
        &self,
        reader: &Reader<'_>,
        point: &Point,
        taking: Taking<'_>,
    ) -> memtape_index::Result<Option<RevertedTaking>> {
        if !self.plan.is_empty() || !self.plan.still_open.is_empty() {
            return Ok(None);
        }
        let records = reader.records()?;
        let is_there = |merge: &&Merged| point.lineage.holds(&merge.branch, merge.entry);
        let last_merge = match taking {
            Taking::Merge(source) => {
                records.merges.iter().filter(is_there).rfind(|merge| merge.source == source)
            }
            Taking::CherryPick(..) => None,
        };
        let mut last: Option<&Reversal> = None;
        for (branch, end) in point.lineage.steps() {
            let reverts = records.reversals.in_force(branch, *end).filter(|by| by.how == Reverses::Revert);
            for reversal in reverts {
                let is_it = match taking {
                    // What a later merge of the branch brought is still there.
                    Taking::Merge(_) => last_merge.is_some_and(|merge| merge.entry == reversal.of),
                    Taking::CherryPick(picked, branch) => {
                        let brought = |merge: &Merged| {
                            let source = Lineage::new(&records.branches, &merge.source, merge.head);
                            records.knowledge(&source).holds(branch, picked)
                        };
                        records.picks.iter().any(|pick| pick.entry == reversal.of && pick.picked == picked)
                            || records.merges.iter().any(|it| it.entry == reversal.of && brought(it))
                    }
                };
                if is_it && last.is_none_or(|last| last.of < reversal.of) {
                    last = Some(reversal);
                }
            }
        }
        let Some(reversal) = last else { return Ok(None) };
        let by = reversal.group.last;
        let hint = remedy(reader, point, reversal, Hint::ApplyAgain(by))?;
        Ok(Some(RevertedTaking { commit: reversal.of, by, hint }))
    }
}

/// What a merge or a cherry-pick takes.
#[derive(Clone, Copy)]
enum Taking<'a> {
    /// A branch.
    Merge(&'a str),
    /// A commit, named by its last entry, of a branch.
    CherryPick(EntryId, &'a str),
}

impl Branches<'_> {
    /// Merges a branch into the branch of the conversation.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the audience is not the owner.
    /// - [`Error::Store`] of kind `NotFound` if there is no such branch, of kind
    ///   `Invalid` if it is the same branch, of kind `Refused` if it was deleted or if the merge changes the
    ///   identity layer and no person writes, of kind `Conflict` if a note or a file that it would create has the
    ///   name of another one, but for its spelling.
    /// - [`Error::Store`] as for [`Workspace::write`](crate::Workspace::write).
    pub fn merge(&self, source: &str) -> Result<MergeOutcome> {
        self.owner("merge branches")?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let planned = self.plan_merge(reader, point, source)?;
            let taken = planned.outcome(point);
            if planned.plan.is_empty() {
                let reverted = planned.reverted(reader, point, Taking::Merge(source))?;
                return Ok(Decision::nothing(MergeOutcome { reverted, ..taken }));
            }
            let plan = &planned.plan;
            let merge = Merge {
                source: source.to_owned(),
                head: reader.last_change(source, point.entry())?,
                into: reader.last_change(point.branch(), point.entry())?,
            };
            let metadata = Metadata {
                merge: Some(merge),
                conflicts: plan.left_open().map(|(_, conflict)| *conflict).collect(),
                settles: plan.settles.clone(),
                ..Metadata::default()
            };
            let closing = Closing {
                message: format!("merge {source} into {}", point.branch()),
                metadata,
                about: planned.sides(plan.left_open()),
                homes: [source, point.branch()]
                    .map(|name| home(reader, name))
                    .into_iter()
                    .collect::<memtape_index::Result<_>>()?,
                parent_id: None,
            };
            let drafts = drafts(reader, point, plan.changes.clone(), closing, ctx)?;
            Ok(Decision { drafts, outcome: taken })
        })?;
        MergeOutcome::of(self.workspace, written)
    }

    /// Returns what [`Branches::merge`] would do, without writing anything.
    ///
    /// # Errors
    /// [`Error::Refused`] if the audience is not the owner;
    /// [`Error::Store`] of kind `NotFound` if there is no such branch, of kind `Invalid`
    /// if it is the same branch, of kind `Refused` if it was deleted; [`Error::Store`]
    /// if the index cannot be read.
    pub fn would_merge(&self, source: &str) -> Result<MergeOutcome> {
        self.owner("merge branches")?;
        self.read_target(|reader, point| {
            let planned = self.plan_merge(reader, point, source)?;
            collisions::check(reader, point, &planned.plan.changes)?;
            let reverted = planned.reverted(reader, point, Taking::Merge(source))?;
            Ok(MergeOutcome { reverted, ..planned.outcome(point) })
        })
    }

    fn plan_merge(&self, reader: &Reader<'_>, point: &Point, source: &str) -> memtape_index::Result<Planned> {
        if source == point.branch() {
            let why = format!("cannot merge branch {source:?} into itself");
            return Err(memtape_core::Error::Invalid(why).with_hint(Hint::NameMerged).into());
        }
        self.known(reader, source)?;
        let records = reader.records()?;
        let theirs = Lineage::new(&records.branches, source, point.entry());
        let meeting = Meeting::new(&records, &point.lineage, &theirs);
        let mut merge_keys = reader.changed_beyond(meeting.our_knowledge(), meeting.their_knowledge())?;
        for [into, source] in meeting.decided() {
            let ours = reader.changed_beyond(&source, &into)?;
            merge_keys.extend(reader.changed_beyond(&into, &source)?.intersection(&ours).cloned());
        }
        for id in meeting.unsettled().flat_map(Record::versions) {
            merge_keys.extend(reader.merge_key_of(id)?);
        }
        let contents = Contents { reader, failed: RefCell::default() };
        let mut planned = Planned { plan: Plan::default(), memories: BTreeMap::new() };
        for merge_key in &merge_keys {
            let lives = reader.lives(merge_key)?;
            let compared = contents.compared(|content| meeting.compare(&lives, content))?;
            let outcome =
                decide(reader, point, merge_key, (&lives, &theirs), &compared, &mut planned.memories)?;
            planned.plan.add(merge_key, outcome, &meeting.open_with(source, &lives), &lives);
        }
        planned.keep_files_whole(reader, point, &theirs)?;
        Ok(planned)
    }

    /// Applies the changes of one commit of another branch.
    ///
    /// # Errors
    /// [`Error::Refused`] if the audience is not the owner;
    /// [`Error::Store`] of kind `Invalid` if the point is no commit, of kind `Refused`
    /// if the change concerns the identity layer and no person writes, and as for
    /// [`Workspace::write`](crate::Workspace::write).
    pub fn cherry_pick(&self, commit: &At) -> Result<MergeOutcome> {
        self.owner("cherry-pick commits")?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let (span, branch) = self.commit(reader, commit)?;
            let planned = plan_pick(reader, point, span, &branch)?;
            let taken = planned.outcome(point);
            if planned.plan.is_empty() {
                if planned.plan.still_open.is_empty()
                    && let Some(reversal) = reader.reversals()?.of(span.last, &point.lineage)
                    && !is_there(reader, point, span)?
                {
                    return Err(already(reader, point, span.last, reversal)?.into());
                }
                let reverted = planned.reverted(reader, point, Taking::CherryPick(span.last, &branch))?;
                return Ok(Decision::nothing(MergeOutcome { reverted, ..taken }));
            }
            let plan = &planned.plan;
            let metadata = Metadata {
                picks: Some(span.last),
                conflicts: plan.conflicts.iter().map(|(_, conflict)| *conflict).collect(),
                ..Metadata::default()
            };
            let closing = Closing {
                message: format!("cherry-pick @{}", span.last),
                metadata,
                about: planned.sides(plan.conflicts.iter()),
                ..Closing::default()
            };
            let drafts = drafts(reader, point, plan.changes.clone(), closing, ctx)?;
            Ok(Decision { drafts, outcome: taken })
        })?;
        MergeOutcome::of(self.workspace, written)
    }

    /// Returns the group that a point names as a commit, and its branch: the group that ends at the entry or,
    /// if the point names a branch without that group, the last one of the branch up to the entry. A moment names no commit.
    pub(super) fn commit(&self, reader: &Reader<'_>, at: &At) -> memtape_index::Result<(Span, String)> {
        if let Moment::At(_) = at.text.moment {
            let why = format!(
                "a date, a time or an age names no commit: expected @ENTRY, or at least {COMMIT_DIGITS_MIN} digits of a \
                 commit id"
            );
            return Err(CoreError::Invalid(why).with_hint(Hint::ListCommits).into());
        }
        let point =
            self.workspace.point(reader, at, &self.audience, &self.author.session).map_err(|e| match e {
                memtape_index::Error::NoEntry { asked, .. }
                    if asked.to_string().len() < COMMIT_DIGITS_MIN =>
                {
                    let why = format!("{e}, and a commit id needs at least {COMMIT_DIGITS_MIN} digits");
                    CoreError::NotFound(why).with_hint(Hint::ListCommits).into()
                }
                e => e,
            })?;
        let is_there = |found: &(Span, String)| point.lineage.holds(&found.1, found.0.last);
        let entry = match reader.commit_at(point.entry())?.is_some_and(|found| is_there(&found)) {
            // The name of the point's branch may be another one's by now.
            false if at.branch().is_some() => reader.last_change(point.branch(), point.entry())?,
            _ => point.entry(),
        };
        reader.commit_at(entry)?.ok_or_else(|| {
            // A number stands for the end of its group, which is not what was typed.
            let why = match (&at.text.moment, at.branch()) {
                (Moment::Entry(asked), None) => format!("entry {asked} is not part of a commit"),
                (_, None) => format!("no commit ends at entry {entry}"),
                (_, Some(branch)) => {
                    format!("branch {branch:?} has no commit of its own up to entry {}", point.entry())
                }
            };
            CoreError::Invalid(why).with_hint(Hint::ListCommits).into()
        })
    }
}

/// Returns what picking a commit changes.
fn plan_pick(reader: &Reader<'_>, point: &Point, span: Span, branch: &str) -> memtape_index::Result<Planned> {
    let records = reader.records()?;
    let knowledge = records.knowledge(&point.lineage);
    let picking = Picking::new(&records, &point.lineage, branch, span.first, span.last);
    let contents = Contents { reader, failed: RefCell::default() };
    let mut planned = Planned { plan: Plan::default(), memories: BTreeMap::new() };
    for merge_key in &reader.changed_by(span)? {
        let lives = reader.lives(merge_key)?;
        let compared = contents.compared(|content| picking.compare(&lives, content))?;
        let open = records.open(&lives, &point.lineage, &knowledge);
        let sides = (&lives, picking.theirs());
        match decide(reader, point, merge_key, sides, &compared, &mut planned.memories)? {
            // A pick resolves no conflict, because it knows of one commit only.
            outcome @ Outcome::Conflict(_) => planned.plan.add(merge_key, outcome, &open, &lives),
            outcome => planned.plan.add(merge_key, outcome, &[], &lives),
        }
    }
    planned.keep_files_whole(reader, point, picking.theirs())?;
    Ok(planned)
}

/// The contents of versions, which a comparison reads only for decisions of merges.
struct Contents<'r> {
    reader: &'r Reader<'r>,
    failed: RefCell<Option<memtape_index::Error>>,
}

impl Contents<'_> {
    fn compared(
        &self,
        compare: impl FnOnce(&dyn Fn(MemoryId) -> Option<String>) -> Compared,
    ) -> memtape_index::Result<Compared> {
        let content = |id| match self.reader.memory(id, &Audience::owner()) {
            Ok(memory) => memory.as_ref().map(forms::content),
            Err(e) => {
                self.failed.replace(Some(e));
                None
            }
        };
        let compared = compare(&content);
        self.failed.take().map_or(Ok(compared), Err)
    }
}

/// Decides about one memory, by its versions and the lineage of the other side, and collects the versions that took part.
fn decide(
    reader: &Reader<'_>,
    point: &Point,
    merge_key: &MergeKey,
    (lives, theirs): (&Lives, &Lineage),
    compared: &Compared,
    memories: &mut BTreeMap<MemoryId, Memory>,
) -> memtape_index::Result<Outcome> {
    if compared.is_known() {
        return Ok(Outcome::Nothing);
    }
    let current = lives.current(&point.lineage);
    for id in compared.versions().chain(current.iter().copied()) {
        if !memories.contains_key(&id) {
            memories.extend(unerased(reader, id)?.map(|memory| (id, memory)));
        }
    }
    let mut retired = Vec::with_capacity(current.len());
    for id in current {
        retired.extend(reader.memory(id, &Audience::owner())?);
    }
    let mut outcome = outcome(merge_key, compared, &retired, memories)?;
    if let Outcome::Changes(change) = &mut outcome
        && change.creates.is_none()
    {
        change.cause = removal_cause(reader, lives, theirs)?;
    }
    Ok(outcome)
}

/// Returns the scope that a branch belongs to.
pub(super) fn home(reader: &Reader<'_>, name: &str) -> memtape_index::Result<Scope> {
    let created = reader.branch(name)?.and_then(|branch| branch.created);
    created.map_or(Ok(Scope::Global), |entry| Ok(reader.written(entry)?.0))
}
