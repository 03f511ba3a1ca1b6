//! Steps between two branches: a fork, a merge, a pick.

use std::collections::BTreeSet;

use memtape::{At, Change, ErrorKind, Memory};

use super::known::{Changes, Did, Item, Left, Source};
use super::rule::{Verdict, pick_verdict};
use super::steps::BRANCHES;
use super::world::{World, session};

impl World {
    pub(crate) fn fork(&mut self, parent: &str) {
        if self.names.len() == BRANCHES {
            return;
        }
        let name = format!("b{}", self.names.len());
        let branches = self.test.workspace.branches().in_session(session(parent));
        branches.create(&name, None, &At::head()).unwrap();
        self.test.workspace.branches().in_session(session(&name)).switch(&name, false).unwrap();
        let side = self.sides[parent].clone();
        self.sides.insert(name.clone(), side);
        self.names.push(name);
    }

    pub(crate) fn merge(&mut self, source: &str, into: &str) {
        let branches = self.test.workspace.branches().in_session(session(into));
        if source == into {
            assert_eq!(branches.merge(source).unwrap_err().kind(), ErrorKind::Invalid);
            return;
        }
        let (ours, theirs) = (self.sides[into].clone(), self.sides[source].clone());
        let slots: BTreeSet<String> = ours.slots.keys().chain(theirs.slots.keys()).cloned().collect();
        let (mut changes, mut left, mut settles, mut is_new) = (Vec::new(), Vec::new(), Vec::new(), false);
        for slot in &slots {
            let source = (source.to_owned(), true);
            let open: Vec<_> =
                ours.unsettled().filter(|left| left.slot == *slot && left.source == source).collect();
            let verdict = self.met(into, &source.0, slot).verdict();
            if let Verdict::Conflict(item) = &verdict {
                let root = item.as_ref().map(|item| item.root);
                is_new |= !open.iter().any(|left| left.theirs.as_ref().map(|item| item.root) == root);
                left.push((slot.clone(), item.clone()));
                continue;
            }
            settles.extend(open.iter().map(|left| left.id));
            if verdict != Verdict::Nothing {
                changes.push((slot.clone(), verdict));
            }
        }
        let would = branches.would_merge(source).unwrap();
        let before = self.head();
        let done = branches.merge(source).unwrap();
        let count = (done.changed.len(), done.conflicts.len() + done.still_open.len(), done.resolved);
        assert_eq!(count, (changes.len(), left.len(), settles.len()), "{source} into {into}: {done:?}");
        // A trial cannot know the versions that the merge writes.
        let changed = |changes: &[Change]| -> Vec<_> {
            let after = |memory: &Memory| (memory.form, memory.key.clone(), memory.text.clone());
            let change = |change: &Change| (change.before.clone(), change.after.as_ref().map(after));
            changes.iter().map(change).collect()
        };
        assert_eq!(
            (changed(&would.changed), would.conflicts, would.still_open),
            (changed(&done.changed), done.conflicts, done.still_open)
        );
        let is_empty = changes.is_empty() && settles.is_empty() && !is_new;
        assert_eq!(done.commit.is_none(), is_empty);
        if is_empty {
            assert_eq!(self.head(), before);
            return;
        }
        let met: Vec<_> = slots.iter().map(|slot| (slot, self.met(into, source, slot))).collect();
        let did = changes.into_iter().map(|(slot, verdict)| self.take(into, &slot, verdict)).collect();
        self.settled(into, &settles, false);
        let group = self.groups.len();
        // What both inherited is part of our own history.
        let counts = |group: &usize| !theirs.undone.contains(group) && !ours.groups.contains(group);
        for (slot, met) in met {
            let known = theirs.get(slot);
            let brings = known.includes.into_iter().filter(|(group, _)| counts(group));
            let brings: Changes = brings.flat_map(|(_, changes)| changes).collect();
            match left.iter().find(|(other, _)| other == slot) {
                Some((_, item)) => self.leave(into, (source, true), before, slot, item.clone(), brings),
                None => self.include(into, slot, brings, met.is_apart()),
            }
        }
        let settled = theirs.settled.iter().filter(|(group, _)| counts(group)).map(|(_, id)| (group, *id));
        self.sides.get_mut(into).unwrap().settled.extend(settled);
        self.taking(into, did);
    }

    fn take(&mut self, into: &str, slot: &str, verdict: Verdict) -> Did {
        match verdict {
            Verdict::Takes(Some(item)) => {
                let did = self.write(into, slot, item.says, Source::Other(Some(item.root)));
                assert_eq!(did.2.place, item.place, "{slot} is where it was");
                did
            }
            Verdict::Takes(None) => self.write(into, slot, None, Source::Other(None)),
            Verdict::Joins(says) => self.write(into, slot, Some(says), Source::Decided),
            other => panic!("{other:?} changes nothing"),
        }
    }

    fn leave(
        &mut self,
        into: &str,
        source: (&str, bool),
        head: u64,
        slot: &str,
        theirs: Option<Item>,
        brings: Changes,
    ) {
        self.writes += 1;
        let left = Left {
            id: self.writes,
            slot: slot.to_owned(),
            source: (source.0.to_owned(), source.1),
            head,
            theirs,
            brings,
            group: self.groups.len(),
        };
        self.sides.get_mut(into).unwrap().left.push(left);
    }

    pub(crate) fn pick(&mut self, group: usize, into: &str) {
        let Some((_, group)) = self.any_group(group) else { return };
        let ours = self.sides[into].clone();
        let (mut changes, mut left, mut still_open) = (Vec::new(), Vec::new(), 0);
        for (slot, before, after) in &group.did {
            match pick_verdict(&ours, slot, before.as_ref(), after, &group.includes[slot]) {
                Verdict::Nothing => {}
                Verdict::Conflict(item) => {
                    let root = item.as_ref().map(|item| item.root);
                    let mut open = ours.unsettled().filter(|left| left.slot == *slot);
                    match open.any(|left| left.theirs.as_ref().map(|item| item.root) == root) {
                        true => still_open += 1,
                        false => left.push((slot.clone(), item)),
                    }
                }
                verdict => changes.push((slot.clone(), verdict)),
            }
        }
        let at = self.test.workspace.at(&format!("@{}", group.entry)).unwrap();
        let done = self.test.workspace.branches().in_session(session(into)).cherry_pick(&at);
        if group.did.is_empty() {
            // A commit that only resolved a conflict has no change to pick.
            assert_eq!(done.unwrap().commit, None);
            return;
        }
        let expected = (changes.len(), left.len(), still_open);
        let done = match done {
            // What was taken back on the branch is refused.
            Err(refused) if refused.kind() == ErrorKind::Conflict => {
                assert_eq!(expected, (0, 0, 0), "@{} into {into}: {refused}", group.entry);
                return;
            }
            done => done.unwrap(),
        };
        let count = (done.changed.len(), done.conflicts.len(), done.still_open.len());
        assert_eq!(count, expected, "@{} into {into}: {done:?}", group.entry);
        if changes.is_empty() && left.is_empty() {
            assert_eq!(done.commit, None);
            return;
        }
        let did: Vec<Did> =
            changes.into_iter().map(|(slot, verdict)| self.take(into, &slot, verdict)).collect();
        for (slot, ..) in &did {
            self.include(into, slot, group.includes[slot].clone(), true);
        }
        for (slot, item) in left {
            let brings = group.includes[&slot].clone();
            self.leave(into, (&group.branch, false), group.entry, &slot, item, brings);
        }
        self.taking(into, did);
    }
}
