//! Merging: what one branch takes from another, and what it leaves to a person.
//!
//! **The rule.** It is told of one [`Thing`] at a time: a slot of a form; of a daily note, which has several pieces
//! under one key, a piece. On each side a thing has a history of [`State`]s: it stands, as one of its versions, or is
//! deleted, or never was.
//!
//! - *What is the same.* A copy, followed to its root, is what it copies. A deletion is that of the root of the version
//!   that was retired: two deletions of one version are one. An entry that retires a version and bears another of the
//!   same thing deletes nothing. What is restored is new.
//! - *What a side knows* ([`knowledge`]): all that stands on its lineage, all that each branch knew that was merged into
//!   it, and the roots of the copies among that (so a commit that was picked is known). Of a thing that such a merge left
//!   in conflict, that merge counts once the conflict is settled, within what the side knows.
//! - *What happens* ([`Compared::verdict`]). Where both say the same, nothing. Where theirs is known to ours, or is back
//!   at what both last had in common, theirs has not changed: nothing. Where that holds of ours, ours takes theirs: a
//!   copy, or a deletion. Else both have changed. The form may join them ([`crate::forms::merge`]); a deletion is never
//!   joined with a change. What is left is a conflict: it is recorded, and ours stands until somebody settles it.
//!
//! - *What is undone* ([`reversals`]): an undone merge, cherry-pick or resolve is no part of its branch's history. Its
//!   states are skipped, nothing is known by it, and it neither left nor resolved a conflict: so its source can be merged
//!   again. The undo of any other commit, and every revert, is a change like others, which other branches take. A redo is
//!   the undo of an undo. What another branch took in between stays there. A branch that was forked in between has not
//!   changed what stands on it, so merging it brings nothing back; one that merged in between made it its own.
//!
//! Of a note's file the sections are such things; then the file is kept whole ([`note_files`]).
//!
//! What both last had in common is the last state of one side that the other knows. There may be one for each side, and
//! a thing that never was is one too.
//!
//! **Invariants.** Pure: the same lives and records give the same verdict, and the same changes, ids, dates and salts the
//! same bytes. What has ended stands: expiry is judged where memories are read. Merging again what was merged changes
//! nothing.
//!
//! In reading order: [`knowledge`], [`lives`], [`verdict`], [`plan`], [`group`]; [`reversals`] when
//! something was taken back.

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

pub use group::{Bears, Change, Closing};
pub use knowledge::{Knowledge, Merged, Record, Records};
pub use lives::{Life, Lives};
pub use plan::{Meeting, Outcome, Plan, outcome};
pub use reversals::{Group, Reversal, Reversals};
pub use state::{Moment, State};
pub use verdict::{Compared, Side, Verdict};

use crate::forms;
use crate::memory::Memory;
pub use crate::thing::Thing;

impl Thing {
    /// Returns the thing that a memory is a version of.
    #[must_use]
    pub fn of(memory: &Memory) -> Self {
        Self::new(memory.form, memory.key.clone(), forms::piece(memory))
    }
}
