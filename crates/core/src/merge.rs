//! Merging: the changes that one branch takes from another, and the conflicts that a person must resolve.
//!
//! **The rule** applies to one [`MergeKey`] at a time: a slot of a form, or, of a daily note with several pieces
//! under one key, a piece. On each side it has a history of [`State`]s: one of its versions is current, it is
//! deleted, or it never existed.
//!
//! - *Identity.* A copy counts as the root version that it copies. A deletion is identified by the root of
//!   the version that was removed: two deletions of one version are the same. A group that supersedes a
//!   version with another of the same slot deletes nothing, also if it does so by several entries. A restored
//!   version is a new one.
//! - *Knowledge* ([`knowledge`]): a side knows every version on its lineage, all that each branch knew when
//!   it was merged into it, and the roots of copies among those (so a cherry-picked commit is known). If such
//!   a merge left a slot in conflict, the merge counts for that slot once the side knows that the conflict is
//!   resolved.
//! - *Outcome* ([`Compared::verdict`]). If both sides have the same content, nothing changes. If ours knows
//!   the state of theirs, or theirs is back at the last common state, theirs has not changed: nothing
//!   changes. If the same holds of ours, ours takes theirs: a copy, or a deletion. Otherwise both have
//!   changed. The form may join them ([`crate::forms::merge`]); a deletion is never joined with a change.
//!   Anything else is a conflict: it is recorded, and ours stays current until somebody resolves it.
//! - *What nobody chose.* Blank lines at the ends of a text and what memtape computes ([`crate::forms::substance`])
//!   are taken like the rest, but are in conflict with nothing. A conflict counts as open only as long as the
//!   two sides differ.
//! - *Places* ([`crate::forms::position`]) of versions with the same content are decided by the same rule, and conflict
//!   with nothing: if only theirs moved since the common version, theirs is taken; if both did, ours stays where it is.
//! - *Equal deletions.* If both sides deleted a version, and neither took that from the other, the version is
//!   the common state first: a side on which it is back, with the same content, has not changed.
//! - *Undo* ([`reversals`]): an undone merge, cherry-pick or resolution is no part of its branch's history.
//!   Its states are skipped, it adds no knowledge, and it neither left nor resolved a conflict, so its source
//!   can be merged again. The undo of any other commit, and every revert, is an ordinary change that other
//!   branches take. A redo is the undo of an undo. Changes that another branch took in between stay there. A
//!   branch that was forked in between has not changed the states it inherited, so merging it brings nothing
//!   back; a branch that merged in between made those states its own.
//!
//! In a note file each section is decided by itself; then the file is kept whole ([`note_files`]).
//!
//! The last common state is the last state of one side that the other knows. There may be one for each side.
//! "Never existed" is one only if neither side knows a state of the other: a side that knows of a version without
//! ever having had it learned of it together with its removal, so it counts as having removed it. Thus a deletion
//! also travels through a branch that never had the version.
//!
//! **Invariants.** Merging is pure: the same histories and records yield the same verdict, and the same
//! changes, ids, dates and salts the same bytes. Expired versions count as current here: reads decide about
//! expiry. Merging the same branch again changes nothing.
//!
//! Reading order: [`knowledge`], [`lives`], [`verdict`], [`plan`], [`group`]; [`reversals`] for undone
//! commits.

pub mod group;
pub mod knowledge;
pub mod lives;
pub mod note_files;
pub mod plan;
pub mod reversals;
pub mod state;
pub mod verdict;

#[cfg(test)]
mod tests;

pub use group::{Change, Closing, Creation};
pub use knowledge::{Knowledge, Merged, Record, Records};
pub use lives::{Life, Lives, Removal};
pub use plan::{Meeting, Outcome, Plan, outcome};
pub use reversals::{Group, Reversal, Reversals};
pub use state::{Moment, State};
pub use verdict::{Common, Compared, Side, Verdict};

use crate::forms;
use crate::memory::Memory;
pub use crate::merge_key::MergeKey;

impl MergeKey {
    /// Returns the slot or piece that a memory is a version of.
    #[must_use]
    pub fn of(memory: &Memory) -> Self {
        Self::new(memory.form, memory.key.clone(), forms::piece(memory))
    }
}
