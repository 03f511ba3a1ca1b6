//! Steps that take back what a group did: a revert, an undo, a redo.

use memtape::ErrorKind;

use super::known::{Did, Group, How, Item, Source};
use super::world::{World, session};

impl World {
    /// Returns the versions that restore the state before a group; `None` if a later change builds on it.
    fn back(&self, group: &Group, branch: &str) -> Option<Vec<(String, Option<Item>)>> {
        let did = group.did.iter();
        did.map(|(slot, before, after)| {
            let is_so = self.sides[branch].get(slot).is_as_left(after);
            is_so.then(|| (slot.clone(), before.clone().filter(|item| item.says.is_some())))
        })
        .collect()
    }

    fn take_back(&mut self, branch: &str, back: Vec<(String, Option<Item>)>, how: How, of: usize) {
        let is_of_taking = how != How::Revert && self.origin(of).1.is_taking;
        let source = if is_of_taking { Source::Back } else { Source::Own };
        let did = back.into_iter().map(|(slot, before)| -> Did {
            let restores = before.as_ref().map(|item| item.write);
            let did = self.write(branch, &slot, before.and_then(|item| item.says), source);
            let known = self.sides.get_mut(branch).unwrap().slots.get_mut(&slot).unwrap();
            known.history.last_mut().unwrap().restores = restores;
            (did.0, did.1, known.history.last().unwrap().clone())
        });
        let did = did.collect();
        self.group(branch, did, Some((how, of)));
        if is_of_taking {
            let side = &self.sides[branch];
            let is_undone = |n: &&usize| {
                let counts = self.groups[**n].is_taking || self.is_undo_or_redo(**n);
                counts && self.origin(**n).1.is_taking && self.is_back(branch, **n)
            };
            let undone = side.groups.iter().filter(is_undone).copied().collect();
            self.sides.get_mut(branch).unwrap().undone = undone;
            self.note_included();
        }
    }

    /// Returns whether a group is reversed on a branch, by a group that is not itself reversed.
    fn is_back(&self, branch: &str, n: usize) -> bool {
        let mut later = self.sides[branch].groups.iter().filter(|later| **later > n);
        later.any(|later| {
            let is_it = self.groups[*later].back.is_some_and(|(_, of)| of == n);
            is_it && !self.is_back(branch, *later)
        })
    }

    /// The group that a chain of undos and redos is about. A revert is a change like any other.
    fn origin(&self, mut n: usize) -> (usize, &Group) {
        while let Some((_, of)) = self.groups[n].back.filter(|(how, _)| *how != How::Revert) {
            n = of;
        }
        (n, &self.groups[n])
    }

    fn is_undo_or_redo(&self, n: usize) -> bool {
        self.groups[n].back.is_some_and(|(how, _)| how != How::Revert)
    }

    pub(crate) fn revert(&mut self, number: usize, branch: &str) {
        let Some((number, group)) = self.any_group(number) else { return };
        let at = self.test.workspace.at(&format!("@{}", group.entry)).unwrap();
        let done = self.test.workspace.branches().in_session(session(branch)).revert(&at);
        if !self.sides[branch].groups.contains(&number) {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
            return;
        }
        if self.is_back(branch, number) {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict);
            return;
        }
        let is_redo = self.is_undo_or_redo(number);
        match self.back(&group, branch) {
            None => assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict),
            Some(back) if back.is_empty() && !is_redo => {
                assert_eq!(done.unwrap_err().kind(), ErrorKind::Invalid);
            }
            Some(back) => {
                assert_eq!(done.unwrap().changed.len(), back.len());
                let how = match group.back {
                    Some((How::Undo, _)) if group.branch == branch => How::Redo,
                    Some((How::Redo, _)) if group.branch == branch => How::Undo,
                    _ => How::Revert,
                };
                self.take_back(branch, back, how, number);
                self.groups.last_mut().unwrap().is_revert = true;
            }
        }
    }

    pub(crate) fn undo(&mut self, branch: &str) {
        let last = self.groups.iter().enumerate().rposition(|(n, group)| {
            let is_change = !group.did.is_empty() || self.origin(n).1.is_taking;
            let is_undo = group.back.is_some_and(|(how, _)| how == How::Undo) && !group.is_revert;
            // A redo counts as long as what it brought back is there.
            let is_redo = group.back.is_some_and(|(how, _)| how == How::Redo);
            let is_gone = self.is_back(branch, n) || is_redo && self.is_back(branch, self.origin(n).0);
            group.branch == branch && is_change && !is_undo && !is_gone
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
                self.take_back(branch, back, How::Undo, last);
            }
        }
    }

    pub(crate) fn redo(&mut self, branch: &str) {
        let on_it = || self.groups.iter().enumerate().rev().filter(|(_, group)| group.branch == branch);
        let is_undo = |n: usize, group: &Group| {
            group.back.is_some_and(|(how, _)| how == How::Undo) && !self.is_back(branch, n)
        };
        let last = on_it().find(|(n, group)| is_undo(*n, group)).map(|(n, _)| n);
        let is_change = |n: usize, group: &Group| {
            let counts = !group.did.is_empty() || self.origin(n).1.is_taking;
            counts && group.back.is_none_or(|(how, _)| how == How::Revert)
        };
        let done = self.test.workspace.branches().in_session(session(branch)).redo();
        let Some(last) = last else {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::NotFound);
            return;
        };
        if on_it().take_while(|(n, _)| *n > last).any(|(n, group)| is_change(n, group)) {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict);
            return;
        }
        match self.back(&self.groups[last].clone(), branch) {
            None => assert_eq!(done.unwrap_err().kind(), ErrorKind::Conflict),
            Some(back) => {
                assert_eq!(done.unwrap().changed.len(), back.len());
                self.take_back(branch, back, How::Redo, last);
            }
        }
    }
}
