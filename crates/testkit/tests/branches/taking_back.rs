//! Steps that take back what a group did: a revert, an undo.

use memtape::ErrorKind;

use crate::known::{Did, Group, Item};
use crate::world::{World, session};

impl World {
    /// What brings back what was before a group; `None` where something was built on it.
    fn back(&self, group: &Group, branch: &str) -> Option<Vec<(String, Option<Item>)>> {
        let did = group.did.iter();
        did.map(|(thing, before, after)| {
            let is_so = self.sides[branch].get(thing).is_as_left(after);
            is_so.then(|| (thing.clone(), before.clone().filter(|item| item.says.is_some())))
        })
        .collect()
    }

    fn take_back(&mut self, branch: &str, back: Vec<(String, Option<Item>)>, undoes: bool) {
        let did = back.into_iter().map(|(thing, before)| -> Did {
            let restores = before.as_ref().map(|item| item.write);
            let did = self.write(branch, &thing, before.and_then(|item| item.says), None);
            let known = self.sides.get_mut(branch).unwrap().things.get_mut(&thing).unwrap();
            known.history.last_mut().unwrap().restores = restores;
            (did.0, did.1, known.history.last().unwrap().clone())
        });
        let did = did.collect();
        self.group(branch, did, undoes);
    }

    pub(crate) fn revert(&mut self, group: usize, branch: &str) {
        let Some((number, group)) = self.any_group(group) else { return };
        let at = self.test.workspace.at(&format!("@{}", group.entry)).unwrap();
        let done = self.test.workspace.branches().in_session(session(branch)).revert(&at);
        if !self.sides[branch].groups.contains(&number) || group.did.is_empty() {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
            return;
        }
        match self.back(&group, branch) {
            None => assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict),
            Some(back) => {
                assert_eq!(done.unwrap().changed.len(), back.len());
                self.take_back(branch, back, false);
            }
        }
    }

    pub(crate) fn undo(&mut self, branch: &str) {
        let last = self.groups.iter().rposition(|group| {
            group.branch == branch && !group.undoes && !group.undone && !group.did.is_empty()
        });
        let done = self.test.workspace.branches().in_session(session(branch)).undo();
        let Some(last) = last else {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::NotFound);
            return;
        };
        match self.back(&self.groups[last].clone(), branch) {
            None => assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict),
            Some(back) => {
                let done = done.unwrap();
                assert_eq!((done.entry, done.changed.len()), (self.groups[last].entry, back.len()));
                self.groups[last].undone = true;
                self.take_back(branch, back, true);
            }
        }
    }
}
