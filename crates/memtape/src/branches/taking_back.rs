//! Taking back what one commit did: `revert` names it, `undo` takes the conversation's last one.
//!
//! **Invariant.** What was there before is born anew, and what was born is retired: nothing is removed. Nothing is taken
//! back where somebody has built on it; what was built on it and taken back since does not count.

use memtape_core::change;
use memtape_core::commit::Metadata;
use memtape_core::merge::{Bears, Change, Closing, Lives, State, Thing};
use memtape_core::{Audience, Decision, Error as CoreError, Lineage, Memory, MemoryId, Meta, Point};
use memtape_store::{Reader, Span};
use memtape_tape::EntryId;

use super::merging::{changed, drafts};
use super::{Branches, Committed, committed};
use crate::error::Result;
use crate::workspace::At;

/// How many of the things that were built on are named.
const NAMED: usize = 5;

/// A commit that was taken back.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenBack {
    /// The last entry of the commit that was taken back.
    pub entry: EntryId,
    /// The commit that does it.
    pub commit: Option<Committed>,
    /// What changed by it, in the order it was written.
    pub changed: Vec<change::Change>,
}

/// What a group did to one thing.
struct Done {
    thing: Thing,
    lives: Lives,
    before: State,
    after: State,
}

impl Branches<'_> {
    /// Takes back what a commit did on the branch that the conversation is on.
    ///
    /// # Errors
    /// That it is not the owner who asks; [`crate::Error::Invalid`] for what is no commit of the branch; a conflict where
    /// something was built on it; or what the medium says.
    pub fn revert(&self, commit: &At) -> Result<TakenBack> {
        self.owner("commits are reverted")?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let (span, branch) = self.commit(reader, commit)?;
            if point.lineage.last(&branch).is_none_or(|last| span.last > last) {
                return Err(CoreError::Invalid(format!(
                    "the commit @{} is no part of {:?}: `cherry-pick` takes what {branch:?} did",
                    span.last,
                    point.branch()
                ))
                .into());
            }
            let changes = back(reader, point, span)?;
            if changes.is_empty() {
                let why = format!("the commit @{} changed nothing that is remembered", span.last);
                return Err(CoreError::Invalid(why).into());
            }
            let metadata = Metadata { reverts: Some(span.last), ..Metadata::default() };
            let closing =
                Closing { message: format!("revert @{}", span.last), metadata, ..Closing::default() };
            let outcome = TakenBack { entry: span.last, commit: None, changed: changed(&changes) };
            Ok(Decision { drafts: drafts(reader, point, changes, closing, given)?, outcome })
        })?;
        let commit = committed(&written);
        Ok(TakenBack { commit, ..written.outcome })
    }

    /// Takes back the last thing that the conversation changed on its branch; asked again, the one before.
    ///
    /// # Errors
    /// That it is not the owner who asks; [`memtape_core::Error::NotFound`] where there is nothing to take back; a
    /// conflict where something was built on it; or what the medium says.
    pub fn undo(&self) -> Result<TakenBack> {
        self.owner("changes are taken back")?;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let mut last = None;
            reader.each_of_session(&given.session, point.branch(), |span| {
                let is_change = !done(reader, point, span)?.is_empty();
                last = is_change.then_some(span);
                Ok(!is_change)
            })?;
            let span = last.ok_or_else(|| {
                CoreError::NotFound(format!(
                    "{} has changed nothing on {:?} that is not taken back already",
                    given.session,
                    point.branch()
                ))
            })?;
            let changes = back(reader, point, span)?;
            let metadata = Metadata { undoes: Some(span.last), ..Metadata::default() };
            let closing = Closing { message: format!("undo @{}", span.last), metadata, ..Closing::default() };
            let outcome = TakenBack { entry: span.last, commit: None, changed: changed(&changes) };
            Ok(Decision { drafts: drafts(reader, point, changes, closing, given)?, outcome })
        })?;
        let commit = committed(&written);
        Ok(TakenBack { commit, ..written.outcome })
    }
}

/// What a group did to each thing, as far as it shows.
fn done(reader: &Reader<'_>, point: &Point, span: Span) -> memtape_store::Result<Vec<Done>> {
    let branches = reader.branches()?;
    let [before, after] =
        [span.first - 1, span.last].map(|entry| Lineage::new(&branches, point.branch(), entry));
    let (_, date) = reader.written(span.last)?;
    let mut all = Vec::new();
    for thing in reader.changed_by(span)? {
        let lives = reader.lives(&thing)?;
        let done = Done { before: lives.state(&before), after: lives.state(&after), thing, lives };
        // That what has had its time is retired changes nothing that anybody sees.
        let is_nothing = match (done.before, done.after) {
            (State::Stands(id), State::Deleted(_)) => {
                let memory = reader.memory(id, &Audience::owner())?;
                memory.and_then(|memory| memory.expires_at).is_some_and(|end| end <= date)
            }
            (before, after) => before == after,
        };
        if !is_nothing && (done.before.standing().is_some() || done.after.standing().is_some()) {
            all.push(done);
        }
    }
    Ok(all)
}

/// Whether a thing is as a group left it: it is gone in both cases, or the same version stands, or one that restores it.
fn is_as_left(reader: &Reader<'_>, now: State, after: State) -> memtape_store::Result<bool> {
    let (Some(mut id), Some(left)) = (now.standing(), after.standing()) else {
        return Ok(now.standing() == after.standing());
    };
    while id > left {
        // What is restored is older than what restores it.
        let restores = Meta::read(reader.entry(id.entry())?.meta.get()).restores;
        let Some(restored) = restores.filter(|restored| *restored < id) else { return Ok(false) };
        id = restored;
    }
    Ok(id == left)
}

/// What brings back what was before a group.
fn back(reader: &Reader<'_>, point: &Point, span: Span) -> memtape_store::Result<Vec<Change>> {
    let get = |id: MemoryId| -> memtape_store::Result<Memory> {
        let memory = reader.memory(id, &Audience::owner())?;
        memory.ok_or_else(|| {
            CoreError::NotFound(format!("what entry {} bore is erased: it cannot be restored", id.entry()))
                .into()
        })
    };
    let (mut changes, mut built_on) = (Vec::new(), Vec::new());
    for Done { thing, lives, before, after } in done(reader, point, span)? {
        if !is_as_left(reader, lives.state(&point.lineage), after)? {
            built_on.push(thing.reference().to_string());
            continue;
        }
        let standing = lives.standing(&point.lineage).into_iter();
        let retires = standing.map(get).collect::<memtape_store::Result<Vec<_>>>()?;
        let bears = before.standing().map(get).transpose()?.map(Bears::Restore);
        changes.push(Change { thing, bears, retires });
    }
    if built_on.is_empty() {
        return Ok(changes);
    }
    let more = built_on.len().saturating_sub(NAMED);
    built_on.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Err(CoreError::Conflict(format!(
        "the commit @{} cannot be taken back: {}{more} changed since; take that back first",
        span.last,
        built_on.join(", ")
    ))
    .into())
}
