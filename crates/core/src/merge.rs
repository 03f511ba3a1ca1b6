//! Merging: the changes that one branch takes from another, and the conflicts that a person must resolve.
//!
//! **The rule** applies to one [`MergeKey`] at a time: a slot of a form, or, of a daily note with several pieces
//! under one key, a piece. On each side it has a history of [`State`]s: one of its versions is current, it is
//! deleted, or it never existed.
//!
//! - *Changes* (`changes`). A side is the set of changes that it includes: commits, by whichever branch, that wrote or
//!   removed the slot, and decisions of merges, cherry-picks and resolutions. A merge includes the changes of its source.
//!   If it left the slot in conflict, it does so once the conflict is resolved. A cherry-pick includes the changes up to the
//!   picked commit.
//! - *Outcome* ([`Compared::verdict`]). If both sides have the same content, or ours includes all changes of theirs, nothing
//!   changes. If theirs includes all changes of ours, ours takes theirs: a copy, or a removal. Otherwise they are compared
//!   with the last common state: what any branch read with as many as possible of the changes that both sides include. If
//!   only theirs is back at it, nothing changes; if only ours is, ours takes theirs. Otherwise, or if there are several last
//!   common states and these differ, both have changed.
//!   The form may join them ([`crate::forms::merge`]), without a common state only if both branches get the same; a removal
//!   is never joined with a change. Anything else is a conflict: it is recorded, and ours stays current until somebody
//!   resolves it.
//! - *What nobody chose.* Blank lines at the ends of a text and what memtape computes ([`crate::forms::substance`])
//!   are taken like the rest, but are in conflict with nothing. A conflict counts as open only as long as the
//!   two sides differ.
//! - *Places* ([`crate::form::Rules::position`]) of versions with the same content are decided by the same rule, and
//!   conflict with nothing: if only theirs moved since the common version, theirs is taken; if both did, ours stays where it is.
//! - *Erased texts.* A version whose text was erased is no common state: without another, the form joins the two sides only if
//!   both branches get the same. It is not taken either: that is an error.
//! - *Equal removals* of one version on both sides are two changes first: a side on which the version is back has not
//!   changed. If that leaves both changed, they count as one change that both include.
//! - *Decisions.* A merge of two sides of which each has changes that the other does not include is a change itself,
//!   whatever it decided, and so is a cherry-pick or a resolution. It is the same change as a decision of another branch about
//!   the same changes that reads the same. So the same changes, merged in another order, cannot read otherwise elsewhere
//!   without a conflict, and two branches that merged the same with the same result are equal.
//! - *Undo* ([`reversals`]): an undone merge, cherry-pick or resolution is no part of its branch's history: it adds no
//!   changes, and it neither left nor resolved a conflict, so its source can be merged again. The undo of any other commit,
//!   and every revert, is an ordinary change that other branches take. A redo is the undo of an undo. Changes that another
//!   branch took in between stay there. A branch that was forked in between has not changed the states it inherited, so
//!   merging it brings nothing back; a branch that merged in between made those states its own.
//!
//! In a note file each section is decided by itself; then the file is kept whole ([`note_files`]).
//!
//! Which slots are compared is decided by entries, without looking at slots ([`knowledge`]): those that a side changed
//! beyond the last entry of each branch that the other has seen.
//!
//! **Invariants.** Merging is pure: the same histories and records yield the same verdict, and the same
//! changes, ids, dates and salts the same bytes. Expired versions count as current here: reads decide about
//! expiry. Merging the same branch again changes nothing. What a side reads depends only on the changes that it includes,
//! not on the way they took to it.
//!
//! Reading order: [`lives`], `history`, `changes`, [`verdict`], [`plan`], [`group`]; [`knowledge`] for what is compared,
//! [`reversals`] for undone commits.

mod bit_set;
mod changes;
pub mod group;
mod history;
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
pub use knowledge::{Knowledge, Merged, Picked, Record, Records};
pub use lives::{Life, Lives, Removal};
pub use plan::{Meeting, Outcome, Picking, Plan, outcome};
pub use reversals::{Group, Reversal, Reversals};
pub use state::State;
pub use verdict::{Compared, Verdict};

use crate::memory::Memory;
pub use crate::merge_key::MergeKey;

impl MergeKey {
    /// Returns the slot or piece that a memory is a version of.
    #[must_use]
    pub fn of(memory: &Memory) -> Self {
        Self::new(memory.form, memory.key.clone(), memory.form.rules().piece(memory))
    }
}
