//! The changes of a commit and the differences of two views: the versions before and after, side by side.
//!
//! **Invariant.** Applying the changes to the memories visible before yields those visible after:
//! [`Change::before`] is removed, [`Change::after`] is added.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use crate::audience::Sensitivity;
use crate::form::Position;
use crate::forms::blocks;
use crate::memory::{Form, Memory, MemoryId, Ref};
use crate::merge_key::MergeKey;

/// The change of one memory. At least one of its sides is present.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The visible version before; `None` if there was none.
    pub before: Option<Memory>,
    /// The visible version after; `None` if there is none.
    pub after: Option<Memory>,
    /// Whether the version after restores an older one.
    pub restores: bool,
    /// Whether the version after has expired, so that it is not visible after all.
    pub has_ended: bool,
}

/// The kinds of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It did not exist before.
    Added,
    /// Another version superseded it.
    Changed,
    /// It is no longer visible.
    Retired,
    /// An older version was restored.
    Restored,
}

impl ChangeKind {
    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Retired => "removed",
            Self::Restored => "restored",
        }
    }
}

impl Change {
    /// Returns the kind of change.
    #[must_use]
    pub fn kind(&self) -> ChangeKind {
        match (&self.before, &self.after) {
            (_, Some(_)) if self.restores => ChangeKind::Restored,
            (Some(_), Some(_)) => ChangeKind::Changed,
            (Some(_), None) => ChangeKind::Retired,
            (None, _) => ChangeKind::Added,
        }
    }

    /// Returns the version to report: the one after, else the one before.
    #[must_use]
    pub fn shown(&self) -> Option<&Memory> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// Returns the ref of the changed memory.
    #[must_use]
    pub fn reference(&self) -> Option<Ref> {
        self.shown().map(Memory::reference)
    }

    /// Returns whether both sides have the same content and differ only in their entry.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => has_same_content(before, after),
            _ => false,
        }
    }

    /// Returns whether it concerns only what memtape maintains itself, such as the computed summary of a note.
    #[must_use]
    pub fn is_upkeep(&self) -> bool {
        let content = |memory: &Memory| memory.form.rules().content(memory);
        let substance = |memory: &Memory| memory.form.rules().substance(memory);
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => {
                content(before) != content(after) && substance(before) == substance(after)
            }
            // A confidential memory has no text here.
            _ => self
                .shown()
                .is_some_and(|memory| content(memory) != substance(memory) && substance(memory).is_empty()),
        }
    }

    /// Returns whether the two sides are ranked differently, or have other empty lines before them.
    #[must_use]
    pub fn is_placed_anew(&self) -> bool {
        let position =
            |side: &Option<Memory>| side.as_ref().and_then(|memory| memory.form.rules().position(memory));
        self.before.is_some() && self.after.is_some() && position(&self.before) != position(&self.after)
    }

    /// Returns the same change without the text of confidential memories, which show by their ref only.
    #[must_use]
    pub fn without_confidential_text(self) -> Self {
        Self {
            before: self.before.map(without_confidential_text),
            after: self.after.map(without_confidential_text),
            ..self
        }
    }
}

/// Returns a memory without its text if it is confidential: it then shows by its ref only.
#[must_use]
pub fn without_confidential_text(memory: Memory) -> Memory {
    match memory.sensitivity {
        Sensitivity::Confidential => Memory { text: String::new(), data: None, ..memory },
        _ => memory,
    }
}

/// Returns whether two versions have the same content, whenever and wherever each was created.
fn has_same_content(one: &Memory, other: &Memory) -> bool {
    let content = |memory: &Memory| {
        let Memory { text, scope, sensitivity, category, lifetime, quarantined, .. } = memory.clone();
        // A block's layer is part of its content.
        let layer = blocks::view::layer_of(memory);
        (text, scope, sensitivity, category, lifetime, quarantined, layer)
    };
    let judged = |memory: &Memory| (memory.importance, memory.confidence, memory.expires_at);
    content(one) == content(other) && judged(one) == judged(other)
}

/// Pairs the memories visible before and after: first those after, in their order, then the removed ones.
#[must_use]
pub fn pair(before: Vec<Memory>, after: Vec<Memory>) -> Vec<Change> {
    let mut waiting: HashMap<_, VecDeque<usize>> = HashMap::new();
    for (n, memory) in before.iter().enumerate() {
        waiting.entry(MergeKey::of(memory)).or_default().push_back(n);
    }
    let partners: Vec<_> = after
        .iter()
        .map(|memory| waiting.get_mut(&MergeKey::of(memory)).and_then(VecDeque::pop_front))
        .collect();
    let mut before: Vec<_> = before.into_iter().map(Some).collect();
    let mut changes: Vec<_> = after
        .into_iter()
        .zip(partners)
        .map(|(after, partner)| Change {
            before: partner.and_then(|n| before[n].take()),
            after: Some(after),
            restores: false,
            has_ended: false,
        })
        .collect();
    let removed = before.into_iter().flatten();
    changes.extend(removed.map(|removed| Change {
        before: Some(removed),
        after: None,
        restores: false,
        has_ended: false,
    }));
    changes
}

/// Returns the memories visible after whose place in their text may differ from before: all of a text in which those
/// that were there before have another order, and those that have other empty lines before them.
#[must_use]
pub fn moved(before: &[Memory], after: &[Memory]) -> BTreeSet<MemoryId> {
    let before = in_order(before);
    let mut moved = BTreeSet::new();
    for (text, now) in in_order(after) {
        let empty = Vec::new();
        let then = before.get(&text).unwrap_or(&empty);
        let gaps = |placed: &[Placed]| -> HashMap<MergeKey, u32> {
            placed.iter().map(|placed| (placed.merge_key.clone(), placed.gap)).collect()
        };
        let (gaps_then, gaps_now) = (gaps(then), gaps(&now));
        let old = then.iter().map(|placed| &placed.merge_key);
        let old: Vec<_> = old.filter(|merge_key| gaps_now.contains_key(merge_key)).collect();
        let now: Vec<_> = now.iter().filter(|placed| gaps_then.contains_key(&placed.merge_key)).collect();
        let new: Vec<_> = now.iter().map(|placed| &placed.merge_key).collect();
        let is_reordered = old != new;
        let is_moved =
            |placed: &&&Placed| is_reordered || gaps_then.get(&placed.merge_key) != Some(&placed.gap);
        moved.extend(now.iter().filter(is_moved).map(|placed| placed.id));
    }
    moved
}

/// A memory with a place in a text.
struct Placed {
    merge_key: MergeKey,
    id: MemoryId,
    gap: u32,
}

/// Returns the memories that have a place in a text, by text and in their order.
fn in_order(memories: &[Memory]) -> BTreeMap<(Form, String), Vec<Placed>> {
    let mut texts: BTreeMap<_, Vec<(f64, &Memory, Placed)>> = BTreeMap::new();
    for memory in memories {
        let Some(Position { of, rank, gap }) = memory.form.rules().position(memory) else { continue };
        let placed = Placed { merge_key: MergeKey::of(memory), id: memory.id, gap };
        texts.entry((memory.form, of)).or_default().push((rank, memory, placed));
    }
    let ordered = texts.into_iter().map(|(text, mut memories)| {
        memories.sort_by(|(one, a, _), (other, b, _)| {
            one.total_cmp(other).then_with(|| (&a.text, &a.key).cmp(&(&b.text, &b.key)))
        });
        (text, memories.into_iter().map(|(_, _, placed)| placed).collect())
    });
    ordered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::memory::{Form, MemoryId};

    fn memory(entry: u64, key: &str, text: &str) -> Memory {
        fixtures::memory(MemoryId::new(entry, 0), Form::ZONE, key, text)
    }

    fn summary(changes: &[Change]) -> Vec<(ChangeKind, &str, bool)> {
        let of = |change: &Change| change.kind();
        changes.iter().map(|c| (of(c), c.shown().unwrap().text.as_str(), c.is_nothing())).collect()
    }

    #[test]
    fn changes_pair_the_old_and_new_version_of_a_memory() {
        use ChangeKind::{Added, Changed, Retired};
        let before = vec![memory(1, "aa", "old"), memory(2, "bb", "removed"), memory(3, "cc", "same")];
        let after = vec![memory(4, "dd", "new"), memory(5, "aa", "newer"), memory(6, "cc", "same")];
        assert_eq!(
            summary(&pair(before, after)),
            [
                (Added, "new", false),
                (Changed, "newer", false),
                (Changed, "same", true),
                (Retired, "removed", false)
            ]
        );
    }

    #[test]
    fn a_memory_is_moved_if_the_order_of_its_text_differs() {
        let line = |entry: u64, rank: u64| {
            let data = Some(format!(r#"{{"rank":{rank}}}"#));
            Memory { data, ..memory(entry, &format!("line {rank}"), "line") }
        };
        let at = |entry: u64, key: u64, rank: u64| Memory { key: format!("line {key}"), ..line(entry, rank) };
        let before = [line(1, 1), line(2, 2), line(3, 3)];
        let entries =
            |after: &[Memory]| moved(&before, after).iter().map(|id| id.entry()).collect::<Vec<_>>();
        assert_eq!(entries(&[at(4, 1, 5), at(5, 2, 6), at(6, 9, 7)]), [0; 0]);
        assert_eq!(entries(&[at(4, 1, 9), line(2, 2), at(6, 8, 1)]), [2, 4]);
    }

    #[test]
    fn the_pieces_of_a_day_merge_separately() {
        use ChangeKind::{Added, Changed, Retired};
        let day = "2026-02-10";
        let piece = |entry: u64, text: &str| {
            let data = format!(r#"{{"rank":{entry},"date":"{day}"}}"#);
            Memory { data: Some(data), ..memory(entry, day, text) }
        };
        let before = vec![piece(1, "tea"), piece(2, "tea"), piece(3, "milk")];
        let after = vec![piece(4, "tea"), piece(5, "rain")];
        assert_eq!(
            summary(&pair(before, after)),
            [
                (Changed, "tea", true),
                (Added, "rain", false),
                (Retired, "tea", false),
                (Retired, "milk", false)
            ]
        );
    }
}
