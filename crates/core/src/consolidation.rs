//! Consolidation without a model: finds duplicates, contradictions, and doubtful or stale memories.
//!
//! This module examines the current facts, statements and long-term lines, and reports what a person should
//! review. It also decides which duplicates may be removed without review ([`covers`]).
//!
//! **Invariants.** Two texts are the same only if they are equal after [`same::said`]. Memories private to
//! two different people never contradict each other. Confidential memories are compared only with
//! confidential ones, so that a report by refs reveals nothing about them. A duplicate that is removed
//! automatically leaves an equal memory: in the same scope and sensitivity, as trusted, for as long, and a
//! fact of the same subject, predicate and topic. A long-term line is never removed, since its meaning may depend
//! on its position in the text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;

use crate::audience::{Sensitivity, USER_CATEGORIES};
use crate::forms::ledger::FactData;
use crate::forms::ledger::entry::{about, folded, topic};
use crate::lifetime::Lifetime;
use crate::memory::{Form, Memory, MemoryId, Origin};
use crate::same;
use crate::scope::{Layer, Scope};

#[cfg(test)]
mod tests;

/// Memories with less confidence than this are doubtful (document 1).
pub const LOW_CONFIDENCE: f64 = 0.7;

/// The findings, each list from the oldest memory to the newest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings<'m> {
    /// Groups of memories with the same text, the most widely shown first, then the most trusted.
    pub duplicates: Vec<Vec<&'m Memory>>,
    /// The duplicates whose removal hides the text from nobody.
    pub removable: Vec<&'m Memory>,
    /// The duplicates that may be removed without review.
    pub needless: Vec<&'m Memory>,
    /// Facts of one subject and predicate with different objects that one audience sees together.
    pub contradictions: Vec<Vec<&'m Memory>>,
    /// Memories with less confidence than [`LOW_CONFIDENCE`].
    pub low_confidence: Vec<&'m Memory>,
    /// Memories that were not stated, changed or recalled for a long time.
    pub stale: Vec<&'m Memory>,
}

/// Examines current memories. A memory is stale if it was created and last said before `stale_before` and is
/// not in `recalled`; `None` skips this check.
#[must_use]
pub fn find<'m>(
    memories: &'m [Memory],
    stale_before: Option<Timestamp>,
    recalled: &HashSet<MemoryId>,
) -> Findings<'m> {
    let considered: Vec<Read<'m>> = memories.iter().filter_map(Read::of).collect();
    let duplicates = duplicates(&considered);
    let removable = duplicates.iter().flat_map(|group| redundant(group, reaches)).collect();
    let mut needless: Vec<&Memory> = duplicates.iter().flat_map(|group| redundant(group, covers)).collect();
    needless.sort_by_key(|memory| memory.id);
    let is_doubtful = |memory: &Memory| memory.confidence.is_some_and(|sure| sure < LOW_CONFIDENCE);
    let is_stale = |memory: &Memory| {
        stale_before.is_some_and(|before| {
            memory.created_at < before
                && memory.said_at.is_none_or(|said| said < before)
                && !recalled.contains(&memory.id)
        })
    };
    let all = || considered.iter().map(|read| read.memory);
    Findings {
        duplicates: duplicates
            .into_iter()
            .map(|group| group.into_iter().map(|read| read.memory).collect())
            .collect(),
        removable,
        needless,
        contradictions: contradictions(&considered),
        low_confidence: all().filter(|memory| is_doubtful(memory)).collect(),
        stale: all().filter(|memory| is_stale(memory)).collect(),
    }
}

/// A memory with its parsed parts.
struct Read<'m> {
    memory: &'m Memory,
    data: Option<FactData>,
    topic: Option<String>,
    scope: Scope,
}

impl<'m> Read<'m> {
    /// Reads a memory to examine: a fact, a statement, or a long-term line with text; `None` for others.
    fn of(memory: &'m Memory) -> Option<Self> {
        if !memory.form.rules().is_compared(memory) {
            return None;
        }
        let is_fact = memory.form == Form::LEDGER;
        let data = memory.data.as_deref().filter(|_| is_fact);
        let data: Option<FactData> = data.and_then(|data| serde_json::from_str(data).ok());
        let topic = data.as_ref().and_then(|data| topic(data.scope.as_deref())).map(folded);
        let scope = Scope::from_label(&memory.scope).unwrap_or_default();
        Some(Self { memory, data, topic, scope })
    }

    /// Returns whether it lives as long as its conversation.
    fn is_of_session(&self) -> bool {
        self.memory.lifetime == Lifetime::Session
    }

    /// Returns whether it is confidential; a pair with one that is not would reveal its content.
    fn is_hidden(&self) -> bool {
        self.memory.sensitivity == Sensitivity::Confidential
    }

    /// Returns whether everybody who sees its scope sees it.
    fn is_wide(&self) -> bool {
        self.scope.layer() != Layer::User
            || self.memory.category.is_none_or(|category| USER_CATEGORIES.contains(&category))
    }
}

fn duplicates<'r, 'm>(considered: &'r [Read<'m>]) -> Vec<Vec<&'r Read<'m>>> {
    let mut groups: HashMap<(String, bool), Vec<&Read<'_>>> = HashMap::with_capacity(considered.len());
    for read in considered {
        groups.entry((same::said(&read.memory.text), read.is_hidden())).or_default().push(read);
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_by_key(|read| rank(read));
    }
    groups.sort_by_key(|group| group.iter().map(|read| read.memory.id).min());
    groups
}

/// Returns the order of memories with the same text: more widely shown, more trusted and longer lived first;
/// then lines before facts before statements; then the older one. A memory comes after those that cover it.
fn rank(read: &Read<'_>) -> impl Ord {
    let memory = read.memory;
    let form = match memory.form {
        Form::ZONE => 0,
        Form::LEDGER => 1,
        _ => 2,
    };
    let is_hidden_somewhere =
        read.scope.layer() != Layer::Global || memory.sensitivity != Sensitivity::Normal;
    let narrow = (memory.quarantined.is_some(), read.is_of_session(), is_hidden_somewhere, !read.is_wide());
    (narrow, distrust(memory), Reverse(end(memory)), form, memory.id)
}

/// Returns how little an origin is trusted; an unknown one is trusted least.
fn distrust(memory: &Memory) -> usize {
    let place = |origin| Origin::ALL.iter().position(|known| *known == origin);
    memory.origin.and_then(place).unwrap_or(Origin::ALL.len())
}

fn end(memory: &Memory) -> Timestamp {
    memory.expires_at.unwrap_or(Timestamp::MAX)
}

/// Returns the memories of a group, ordered by [`rank`], in whose place a kept one can be.
fn redundant<'m>(group: &[&Read<'m>], replaces: fn(&Read<'_>, &Read<'_>) -> bool) -> Vec<&'m Memory> {
    let mut kept: Vec<&Read<'_>> = Vec::new();
    let mut redundant = Vec::new();
    for read in group {
        match kept.iter().any(|kept| replaces(kept, read)) {
            true => redundant.push(read.memory),
            false => kept.push(read),
        }
    }
    redundant
}

/// Returns whether everybody who is shown `other` is shown `kept`, which has the same text.
fn reaches(kept: &Read<'_>, other: &Read<'_>) -> bool {
    let (a, b) = (kept.memory, other.memory);
    (a.scope == b.scope || kept.scope.layer() == Layer::Global)
        && (a.sensitivity == b.sensitivity || a.sensitivity == Sensitivity::Normal)
        && (kept.is_wide() || a.category == b.category)
        && (a.quarantined.is_none() || b.quarantined.is_some())
        && (!kept.is_of_session() || (other.is_of_session() && a.session == b.session))
}

/// Returns whether nothing is lost if `other` is removed: `kept` has the same text, is at least as trusted,
/// and is visible to the same people, for as long. A long-term line is never covered, and a fact only by one of
/// the same subject, predicate and topic: a text cannot be updated, and contradicts nothing.
fn covers(kept: &Read<'_>, other: &Read<'_>) -> bool {
    let (a, b) = (kept.memory, other.memory);
    reaches(kept, other)
        && a.scope == b.scope
        && a.sensitivity == b.sensitivity
        && distrust(a) <= distrust(b)
        && end(a) >= end(b)
        && b.form != Form::ZONE
        && other.data.as_ref().is_none_or(|fact| {
            let is_of_slot = |kept: &FactData| {
                about(&kept.subject, &kept.predicate) == about(&fact.subject, &fact.predicate)
            };
            kept.topic == other.topic && kept.data.as_ref().is_some_and(is_of_slot)
        })
}

/// The objects stated for one subject and predicate, by who sees them.
#[derive(Default)]
struct Objects {
    everywhere: HashSet<String>,
    /// Visible to everybody.
    global: HashSet<String>,
    /// The objects in any chat or user scope.
    chats: HashSet<String>,
    users: HashSet<String>,
    /// The objects in one scope: permanent ones, and those of its conversations.
    scopes: HashMap<String, HashSet<String>>,
    in_sessions: HashMap<String, HashSet<String>>,
    /// The objects in one conversation only.
    sessions: HashMap<String, HashSet<String>>,
}

impl Objects {
    fn add(&mut self, read: &Read<'_>, object: &str) {
        let memory = read.memory;
        let own = match read.is_of_session() {
            true => {
                let session = memory.session.clone().unwrap_or_default();
                self.sessions.entry(session).or_default().insert(object.to_owned());
                &mut self.in_sessions
            }
            false => &mut self.scopes,
        };
        own.entry(memory.scope.clone()).or_default().insert(object.to_owned());
        let layer = match read.scope.layer() {
            Layer::Chat => &mut self.chats,
            Layer::User => &mut self.users,
            Layer::Global if !read.is_of_session() => &mut self.global,
            Layer::Global => &mut self.everywhere,
        };
        layer.insert(object.to_owned());
        self.everywhere.insert(object.to_owned());
    }

    /// Returns whether an audience that sees a fact also sees another object.
    fn contradict(&self, read: &Read<'_>, object: &str) -> bool {
        let differs = |objects: &HashSet<String>| objects.len() > usize::from(objects.contains(object));
        let memory = read.memory;
        let beside = match read.scope.layer() {
            // Every audience sees it together with the facts in its own scope.
            Layer::Global => return differs(&self.everywhere),
            // Any user may be in the chat.
            Layer::Chat => &self.users,
            Layer::User => &self.chats,
        };
        let passing = match read.is_of_session() {
            true => memory.session.as_ref().and_then(|session| self.sessions.get(session)),
            false => self.in_sessions.get(&memory.scope),
        };
        let own = self.scopes.get(&memory.scope);
        [Some(&self.global), Some(beside), own, passing].into_iter().flatten().any(differs)
    }
}

fn contradictions<'m>(considered: &[Read<'m>]) -> Vec<Vec<&'m Memory>> {
    let mut groups: BTreeMap<(String, bool), Vec<(&Read<'_>, String)>> = BTreeMap::new();
    for read in considered {
        if let Some(data) = &read.data {
            let about = (about(&data.subject, &data.predicate), read.is_hidden());
            groups.entry(about).or_default().push((read, same::folded(&data.object)));
        }
    }
    let mut found = Vec::new();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let mut objects = Objects::default();
        group.iter().for_each(|(read, object)| objects.add(read, object));
        let in_it = group.iter().filter(|(read, object)| objects.contradict(read, object));
        let mut contradicting: Vec<&Memory> = in_it.map(|(read, _)| read.memory).collect();
        contradicting.sort_by_key(|memory| memory.id);
        if contradicting.len() > 1 {
            found.push(contradicting);
        }
    }
    found.sort_by_key(|group: &Vec<&Memory>| group.first().map(|memory| memory.id));
    found
}
