//! Steps between two branches: a fork, a merge, a pick.

use std::collections::BTreeSet;

use memtape::{At, ErrorKind};

use super::known::{Did, Item, Known, Left, Node, Source};
use super::rule::{Verdict, pick_verdict, verdict};
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
            let open: Vec<_> = ours
                .left
                .iter()
                .filter(|left| {
                    left.slot == *slot && left.source == source && !ours.settled.contains(&left.id)
                })
                .collect();
            let verdict = verdict(&ours.get(slot), &theirs.get(slot));
            if let Verdict::Conflict(item) = &verdict {
                let node = item.as_ref().map(|item| item.node);
                is_new |= !open.iter().any(|left| left.theirs.as_ref().map(|item| item.node) == node);
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
        assert_eq!(
            (would.changed, would.conflicts, would.still_open),
            (done.changed, done.conflicts, done.still_open)
        );
        let is_empty = changes.is_empty() && settles.is_empty() && !is_new;
        assert_eq!(done.commit.is_none(), is_empty);
        if is_empty {
            assert_eq!(self.head(), before);
            return;
        }
        let did = changes.into_iter().map(|(slot, verdict)| self.take(into, &slot, verdict)).collect();
        self.group(into, did, None);
        self.settled(into, &settles);
        for (slot, item) in &left {
            let brings = theirs.get(slot);
            self.leave(into, (source, true), slot, item.clone(), brings);
        }
        let side = self.sides.get_mut(into).unwrap();
        side.settled.extend(theirs.settled.iter().copied());
        for slot in slots.iter().filter(|slot| left.iter().all(|(other, _)| other != *slot)) {
            let known = side.slots.entry(slot.clone()).or_default();
            known.knows.extend(theirs.get(slot).knows);
            known.seen.extend(theirs.get(slot).seen);
        }
        self.learned(into, &ours);
    }

    fn take(&mut self, into: &str, slot: &str, verdict: Verdict) -> Did {
        match verdict {
            Verdict::Takes(Some(item)) => {
                let did = self.write(into, slot, item.says, Source::Other(Some(item.node)));
                assert_eq!(did.2.place, item.place, "{slot} is where it was");
                did
            }
            Verdict::Takes(None) => self.write(into, slot, None, Source::Other(None)),
            Verdict::Joins(says) => self.write(into, slot, Some(says), Source::Own),
            other => panic!("{other:?} changes nothing"),
        }
    }

    fn leave(&mut self, into: &str, source: (&str, bool), slot: &str, theirs: Option<Item>, brings: Known) {
        self.writes += 1;
        let left = Left {
            id: self.writes,
            slot: slot.to_owned(),
            source: (source.0.to_owned(), source.1),
            theirs,
            brings,
        };
        self.sides.get_mut(into).unwrap().left.push(left);
    }

    pub(crate) fn pick(&mut self, group: usize, into: &str) {
        let Some((_, group)) = self.any_group(group) else { return };
        let ours = self.sides[into].clone();
        let (mut changes, mut left, mut still_open) = (Vec::new(), Vec::new(), 0);
        for (slot, before, after) in &group.did {
            match pick_verdict(&ours.get(slot), before.as_ref(), after) {
                Verdict::Nothing => {}
                Verdict::Conflict(item) => {
                    let node = item.as_ref().map(|item| item.node);
                    let mut open =
                        ours.left.iter().filter(|l| l.slot == *slot && !ours.settled.contains(&l.id));
                    match open.any(|left| left.theirs.as_ref().map(|item| item.node) == node) {
                        true => still_open += 1,
                        false => left.push((slot.clone(), item, after.node)),
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
        let done = done.unwrap();
        let count = (done.changed.len(), done.conflicts.len(), done.still_open.len());
        assert_eq!(count, (changes.len(), left.len(), still_open), "@{} into {into}: {done:?}", group.entry);
        if changes.is_empty() && left.is_empty() {
            assert_eq!(done.commit, None);
            return;
        }
        let did = changes.into_iter().map(|(slot, verdict)| self.take(into, &slot, verdict)).collect();
        self.group(into, did, None);
        for (slot, item, node) in left {
            // Whoever deleted the same version has resolved the conflict in the same way.
            let node = Node { is_taken: !node.is_current, ..node };
            let brings = Known { knows: BTreeSet::from([node]), ..Known::default() };
            self.leave(into, (&group.branch, false), &slot, item, brings);
        }
        self.learned(into, &ours);
    }
}
