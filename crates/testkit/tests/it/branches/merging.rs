//! Steps between two branches: a fork, a merge, a pick.

use std::collections::BTreeSet;

use memtape::{At, ErrorKind};

use super::known::{Did, Item, Learned, Left, Node, Source};
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
        let node = |slot: &str| theirs.get(slot).last().map(|item| item.node);
        let did =
            changes.into_iter().map(|(slot, verdict)| self.take(into, &slot, verdict, node(&slot))).collect();
        let is_left = |slot: &String| left.iter().any(|(other, _)| other == slot);
        let learned = Learned {
            theirs: slots.iter().filter(|slot| !is_left(slot)).map(|s| (s.clone(), theirs.get(s))).collect(),
            settled: settles.iter().chain(&theirs.settled).copied().collect(),
            resolved: settles,
            left: left
                .iter()
                .map(|(slot, item)| {
                    self.leave((source, true), slot, item.clone(), node(slot), theirs.get(slot).knows)
                })
                .collect(),
        };
        self.group_of(into, did, None, Some(learned));
    }

    fn take(&mut self, into: &str, slot: &str, verdict: Verdict, node: Option<Node>) -> Did {
        match verdict {
            Verdict::Takes(Some(item)) => {
                let did = self.write(into, slot, item.says, Source::Other(Some(item.node)));
                assert_eq!(did.2.place, item.place, "{slot} is where it was");
                did
            }
            Verdict::Takes(None) => self.write(into, slot, None, Source::Other(node)),
            Verdict::Joins(says) => self.write(into, slot, Some(says), Source::Own),
            other => panic!("{other:?} changes nothing"),
        }
    }

    fn leave(
        &mut self,
        source: (&str, bool),
        slot: &str,
        theirs: Option<Item>,
        node: Option<Node>,
        brings: BTreeSet<Node>,
    ) -> Left {
        self.writes += 1;
        let source = (source.0.to_owned(), source.1);
        Left { id: self.writes, slot: slot.to_owned(), source, theirs, node, brings }
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
                verdict => changes.push((slot.clone(), verdict, after.node)),
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
        let changes = changes.into_iter();
        let did = changes.map(|(slot, verdict, node)| self.take(into, &slot, verdict, Some(node))).collect();
        let left = left.into_iter().map(|(slot, item, node)| {
            self.leave((&group.branch, false), &slot, item, Some(node), BTreeSet::from([node]))
        });
        let learned = Learned { left: left.collect(), ..Learned::default() };
        self.group_of(into, did, None, Some(learned));
    }
}
