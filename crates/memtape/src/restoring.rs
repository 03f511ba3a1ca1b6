//! The changes that restore memories to their state at a point.

use std::collections::{BTreeMap, HashMap};

use memtape_core::form::RemovalCause;
use memtape_core::merge::{Change, Creation, MergeKey};
use memtape_core::{Form, Memory, forms};
use memtape_index::Reader;

/// The changes that make the current memories those of an earlier point.
pub(crate) struct Restoration {
    /// The changes, one for each slot that differs.
    pub(crate) changes: Vec<Change>,
    /// The number of memories that are created anew.
    pub(crate) added: usize,
    /// The number of current memories that are removed, for which none is created in the same slot.
    pub(crate) retired: usize,
}

/// Compares the memories of an earlier point with the current ones.
///
/// Memories that did not change stay as they are, so their references keep their versions.
pub(crate) fn restoration(
    reader: &Reader<'_>,
    before: &[Memory],
    now: &[Memory],
) -> memtape_index::Result<Restoration> {
    let is_same = |one: &Memory, other: &Memory| {
        // The data of a fact names the event that created it, which a restored fact does not share.
        let has_same_data = match one.form {
            Form::LEDGER => forms::content(one) == forms::content(other),
            _ => one.data == other.data,
        };
        one.id == other.id || one.key == other.key && one.text == other.text && has_same_data
    };
    let (before_by_key, now_by_key) = (by_key(before), by_key(now));
    let is_among = |memory: &Memory, others: &HashMap<&str, Vec<&Memory>>| {
        others.get(&*memory.key).is_some_and(|others| others.iter().any(|other| is_same(memory, other)))
    };
    let mut changes: BTreeMap<MergeKey, Change> = BTreeMap::new();
    let mut added = 0;
    let of = |memory: &Memory| -> memtape_index::Result<Change> {
        let merge_key = reader.merge_key_of(memory.id)?;
        let merge_key = merge_key.unwrap_or_else(|| MergeKey::new(memory.form, memory.key.clone(), None));
        Ok(Change { merge_key, creates: None, retires: Vec::new(), cause: RemovalCause::Request })
    };
    for memory in now.iter().filter(|memory| !is_among(memory, &before_by_key)) {
        let change = of(memory)?;
        changes.entry(change.merge_key.clone()).or_insert(change).retires.push(memory.clone());
    }
    for memory in before.iter().filter(|memory| !is_among(memory, &now_by_key)) {
        let change = of(memory)?;
        let change = changes.entry(change.merge_key.clone()).or_insert(change);
        change.creates = Some(Creation::Restore(memory.clone()));
        added += 1;
    }
    let changes: Vec<_> = changes.into_values().collect();
    let removals = changes.iter().filter(|change| change.creates.is_none());
    let retired = removals.map(|change| change.retires.len()).sum();
    Ok(Restoration { changes, added, retired })
}

fn by_key(memories: &[Memory]) -> HashMap<&str, Vec<&Memory>> {
    let mut by_key: HashMap<&str, Vec<&Memory>> = HashMap::new();
    for memory in memories {
        by_key.entry(&memory.key).or_default().push(memory);
    }
    by_key
}
