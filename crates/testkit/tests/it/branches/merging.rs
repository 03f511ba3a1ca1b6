//! Steps between two branches: a fork, a merge, a pick.

use std::collections::BTreeSet;

use memtape::{At, ErrorKind};

use super::known::{Did, Item, Known, Left};
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
        let things: BTreeSet<String> = ours.things.keys().chain(theirs.things.keys()).cloned().collect();
        let (mut changes, mut left, mut settles, mut is_new) = (Vec::new(), Vec::new(), Vec::new(), false);
        for thing in &things {
            let source = (source.to_owned(), true);
            let open: Vec<_> = ours
                .left
                .iter()
                .filter(|left| {
                    left.thing == *thing && left.source == source && !ours.settled.contains(&left.id)
                })
                .collect();
            let verdict = verdict(&ours.get(thing), &theirs.get(thing));
            if let Verdict::Conflict(item) = &verdict {
                let node = item.as_ref().map(|item| item.node);
                is_new |= !open.iter().any(|left| left.theirs.as_ref().map(|item| item.node) == node);
                left.push((thing.clone(), item.clone()));
                continue;
            }
            settles.extend(open.iter().map(|left| left.id));
            if verdict != Verdict::Nothing {
                changes.push((thing.clone(), verdict));
            }
        }
        let would = branches.would_merge(source).unwrap();
        let before = self.head();
        let done = branches.merge(source).unwrap();
        let count = (done.changed.len(), done.conflicts.len() + done.still_open.len(), done.settled);
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
        let did = changes.into_iter().map(|(thing, verdict)| self.take(into, &thing, verdict)).collect();
        self.group(into, did, None);
        self.settled(into, &settles);
        for (thing, item) in &left {
            let brings = theirs.get(thing);
            self.leave(into, (source, true), thing, item.clone(), brings);
        }
        let side = self.sides.get_mut(into).unwrap();
        side.settled.extend(theirs.settled.iter().copied());
        for thing in things.iter().filter(|thing| left.iter().all(|(other, _)| other != *thing)) {
            let known = side.things.entry(thing.clone()).or_default();
            known.knows.extend(theirs.get(thing).knows);
            known.seen.extend(theirs.get(thing).seen);
        }
        self.learned(into, &ours);
    }

    fn take(&mut self, into: &str, thing: &str, verdict: Verdict) -> Did {
        match verdict {
            Verdict::Takes(Some(item)) => self.write(into, thing, item.says, Some(item.node)),
            Verdict::Takes(None) => self.write(into, thing, None, None),
            Verdict::Joins(says) => self.write(into, thing, Some(says), None),
            other => panic!("{other:?} changes nothing"),
        }
    }

    fn leave(&mut self, into: &str, source: (&str, bool), thing: &str, theirs: Option<Item>, brings: Known) {
        self.writes += 1;
        let left = Left {
            id: self.writes,
            thing: thing.to_owned(),
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
        for (thing, before, after) in &group.did {
            let before = before.as_ref().and_then(|item| item.says.as_ref());
            match pick_verdict(&ours.get(thing), before, after) {
                Verdict::Nothing => {}
                Verdict::Conflict(item) => {
                    let node = item.as_ref().map(|item| item.node);
                    let mut open =
                        ours.left.iter().filter(|l| l.thing == *thing && !ours.settled.contains(&l.id));
                    match open.any(|left| left.theirs.as_ref().map(|item| item.node) == node) {
                        true => still_open += 1,
                        false => left.push((thing.clone(), item, after.node)),
                    }
                }
                verdict => changes.push((thing.clone(), verdict)),
            }
        }
        let at = self.test.workspace.at(&format!("@{}", group.entry)).unwrap();
        let done = self.test.workspace.branches().in_session(session(into)).cherry_pick(&at);
        if group.did.is_empty() {
            // It settled something only: it is a commit, and has nothing to give.
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
        let did = changes.into_iter().map(|(thing, verdict)| self.take(into, &thing, verdict)).collect();
        self.group(into, did, None);
        for (thing, item, node) in left {
            let brings = Known { knows: BTreeSet::from([node]), ..Known::default() };
            self.leave(into, (&group.branch, false), &thing, item, brings);
        }
        self.learned(into, &ours);
    }
}
