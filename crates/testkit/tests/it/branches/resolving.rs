//! The step that resolves a conflict.

use std::collections::BTreeMap;

use memtape::{ErrorKind, OpenConflict, Resolution};

use super::known::{Changes, Left, Says, Source};
use super::shown::merge_key_of;
use super::world::{World, session};

impl World {
    /// Resolves conflicts by the group that is being written. Unless a merge does so, that decides.
    pub(crate) fn settled(&mut self, branch: &str, ids: &[u64], decides: bool) {
        let group = self.groups.len();
        let side = self.sides.get_mut(branch).unwrap();
        side.settled.extend(ids.iter().map(|id| (group, *id)));
        let mut brings: BTreeMap<String, Changes> = BTreeMap::new();
        for left in side.left.iter().filter(|left| ids.contains(&left.id)) {
            brings.entry(left.slot.clone()).or_default().extend(&left.brings);
        }
        for (slot, brings) in brings {
            self.include(branch, &slot, brings, decides);
        }
    }

    pub(crate) fn open(&self, branch: &str) -> Vec<OpenConflict> {
        let at = self.test.workspace.at(&format!("{branch}@head")).unwrap();
        self.test.workspace.branches().conflicts(&at).unwrap()
    }

    pub(crate) fn settle(&mut self, branch: &str, conflict: usize, how: u8) {
        let open = self.open(branch);
        let naive = self.sides[branch].open();
        assert_eq!(open.len(), naive.len(), "open on {branch}: {open:?} {naive:?}");
        if open.is_empty() {
            return;
        }
        let conflict = &open[conflict % open.len()];
        let side = conflict.theirs.as_ref().or(conflict.base.as_ref()).or(conflict.ours.as_ref()).unwrap();
        let slot = merge_key_of(side);
        let is_it =
            |(left, _): &(Left, _)| left.slot == slot && self.groups[left.group].entry == conflict.commit;
        let (left, ids) = naive.into_iter().find(is_it).unwrap();
        assert_eq!(Some(&left.source.0), conflict.source.as_ref());
        let ours = self.sides[branch].says(&slot);
        let is_fact = slot.starts_with("fact");
        let how = match how {
            1 => Resolution::Theirs,
            2 => Resolution::Both,
            3 if is_fact || slot.starts_with("block") => Resolution::Value(format!("settled{}", self.now)),
            _ => Resolution::Ours,
        };
        let reference = memtape::Ref { entry: Some(conflict.commit), ..conflict.reference.clone() };
        let done = self.test.workspace.branches().in_session(session(branch)).resolve(&reference, &how);
        let their_says = left.theirs.as_ref().and_then(|item| item.says.clone());
        let mut did = Vec::new();
        match how {
            Resolution::Ours => {}
            Resolution::Theirs if their_says == ours => {}
            Resolution::Theirs => {
                did.push(self.write(
                    branch,
                    &slot,
                    their_says,
                    Source::Other(left.theirs.map(|item| item.root)),
                ));
            }
            Resolution::Both if !is_fact => {
                assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
                return;
            }
            Resolution::Value(value) => {
                did.push(self.write(branch, &slot, Some(Says::Value(value)), Source::Decided));
            }
            Resolution::Both if their_says.is_none() || ours.is_none() => {
                assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
                return;
            }
            Resolution::Both => {
                let first = match slot.split_once(" in ") {
                    Some(_) => format!("{slot}/{}", left.source.0),
                    None => format!("{slot} in {}", left.source.0),
                };
                // Only what was kept of an earlier conflict with the branch is replaced.
                let kept = |root| (slot.clone(), left.source.0.clone(), root);
                let is_free = |beside: &String| {
                    let known = self.sides[branch].get(beside);
                    known.says().is_none()
                        || self.kept_beside.contains(&kept(known.history.last().unwrap().root))
                };
                let mut topics = std::iter::once(first.clone()).chain((2..).map(|n| format!("{first}~{n}")));
                let beside = topics.find(is_free).unwrap();
                let written = self.write(branch, &beside, their_says, Source::Own);
                self.kept_beside.insert(kept(written.2.root));
                did.push(written);
            }
        }
        done.unwrap();
        self.settled(branch, &ids, true);
        self.taking(branch, did);
    }
}
