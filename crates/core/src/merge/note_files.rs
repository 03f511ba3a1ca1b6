//! Keeps note files whole when a merge, cherry-pick, resolution, revert or undo changes their sections.
//!
//! **The rule.** Sections are decided one by one ([`super`]). Then, for each changed file:
//!
//! - A file with a section keeps its preamble, which holds the title. If sections remain or return and the
//!   preamble would be deleted or missing, the current one stays; else the other side's is taken, else the
//!   last one.
//! - If the other side has deleted the preamble, it is removed with the last section.
//! - A computed summary is computed again; a summary by a person or caller stays
//!   ([`crate::forms::notes::summary`]). A file that returns to its previous content keeps all its bytes.

use super::MergeKey;
use super::group::{Change, Creation};
use crate::error::Result;
use crate::form::RemovalCause;
use crate::forms::notes::{NotePath, NotesView, merge as sections};
use crate::memory::{Form, Memory, MemoryId};

/// The state of a file that changes.
#[derive(Clone, Debug)]
pub struct NoteFile {
    /// Its path.
    pub path: NotePath,
    /// Its current sections.
    pub current: Vec<Memory>,
    /// The source of its preamble if none is current.
    pub preamble: Option<Creation>,
    /// Whether the other side has deleted its preamble.
    pub is_deleted_there: bool,
    /// Its text before the reversed commit.
    pub before: Option<Vec<u8>>,
}

/// Returns the note files that changes affect.
#[must_use]
pub fn paths(changes: &[Change]) -> Vec<NotePath> {
    let mut paths: Vec<NotePath> =
        changes.iter().filter_map(|change| sections::path_of(&change.merge_key)).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Returns the item that the preamble of a note file is.
#[must_use]
pub fn preamble_key(path: &NotePath) -> MergeKey {
    MergeKey::new(Form::NOTES, path.key(""), None)
}

impl NoteFile {
    /// Adds the changes that keep the file whole.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] if a section's data cannot be parsed.
    pub fn keep_whole(&self, changes: &mut Vec<Change>) -> Result<()> {
        self.keep_preamble(changes);
        let after = self.after(changes);
        let view = NotesView::fold(&after);
        let Some(file) = view.get(&self.path) else { return Ok(()) };
        if self.before.as_ref() == Some(&file.bytes()) {
            return Ok(());
        }
        let Some((id, summary)) = file.outdated_summary() else { return Ok(()) };
        let Some(section) = after.iter().find(|memory| memory.id == id) else { return Ok(()) };
        let creates = Some(Creation::Joined(sections::with_summary(section, &summary)?));
        match changes.iter_mut().find(|change| change.merge_key == MergeKey::of(section)) {
            Some(change) => change.creates = creates,
            None => {
                changes.push(Change {
                    merge_key: MergeKey::of(section),
                    creates,
                    retires: vec![section.clone()],
                    cause: RemovalCause::Request,
                });
            }
        }
        Ok(())
    }

    fn keep_preamble(&self, changes: &mut Vec<Change>) {
        let merge_key = preamble_key(&self.path);
        let (preambles, sections): (Vec<_>, Vec<_>) =
            self.after(changes).into_iter().partition(|memory| memory.key == merge_key.key);
        match (preambles.is_empty(), sections.is_empty()) {
            (true, false) => {
                let is_kept = self.current.iter().any(|memory| memory.key == merge_key.key);
                changes.retain(|change| change.merge_key != merge_key);
                if !is_kept && let Some(creates) = self.preamble.clone() {
                    let cause = RemovalCause::Request;
                    changes.push(Change { merge_key, creates: Some(creates), retires: Vec::new(), cause });
                }
            }
            (false, true) if self.is_deleted_there && self.current.len() > preambles.len() => {
                changes.retain(|change| change.merge_key != merge_key);
                let retires =
                    self.current.iter().filter(|memory| memory.key == merge_key.key).cloned().collect();
                changes.push(Change { merge_key, creates: None, retires, cause: RemovalCause::Request });
            }
            _ => {}
        }
    }

    /// Returns the sections that are current after the changes.
    fn after(&self, changes: &[Change]) -> Vec<Memory> {
        let mut after = self.current.clone();
        for change in
            changes.iter().filter(|change| sections::path_of(&change.merge_key).as_ref() == Some(&self.path))
        {
            let is_retired = |id: MemoryId| change.retires.iter().any(|memory| memory.id == id);
            after.retain(|memory| !is_retired(memory.id));
            after.extend(change.creates.as_ref().map(Creation::new_version));
        }
        after
    }
}
