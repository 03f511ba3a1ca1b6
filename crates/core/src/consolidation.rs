//! Consolidation without a model: what stands twice, what contradicts, what is doubtful, stale, or over.
//!
//! *Purpose.* Looks once over what stands of facts, statements and long-term lines, and says what a person should look
//! at. It decides too what may go without anybody looking ([`covers`]).
//!
//! **Invariants.** Texts are the same only where they are equal after [`normalised`]. What is private to two people never
//! contradicts. What is confidential stands beside its like only, so that a report by refs says nothing of it.
//! What goes by itself leaves somebody's equal word standing: in the same scope and sensitivity, of whom is
//! trusted as much, for as long, a fact in the same topic. A long-term line never goes: what it means may hang on its
//! place in the text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;

use crate::audience::{Sensitivity, USER_CATEGORIES};
use crate::forms::ledger::FactData;
use crate::forms::ledger::entry::{about, folded, topic};
use crate::forms::statements::entry::normalised;
use crate::lifetime::Lifetime;
use crate::memory::{Form, Memory, MemoryId, Origin};
use crate::scope::{Layer, Scope};

#[cfg(test)]
mod tests;

/// What is less sure than this is doubtful (document 1).
pub const LOW_CONFIDENCE: f64 = 0.7;

/// What was found, each list from the oldest memory to the newest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings<'m> {
    /// Memories that say the same, the most trusted of each first.
    pub duplicates: Vec<Vec<&'m Memory>>,
    /// Those of the duplicates that may go by themselves.
    pub needless: Vec<&'m Memory>,
    /// Facts of one subject and predicate that say different things, and that somebody sees together.
    pub contradictions: Vec<Vec<&'m Memory>>,
    /// What is less sure than [`LOW_CONFIDENCE`].
    pub low_confidence: Vec<&'m Memory>,
    /// What nobody told, changed or recalled for long.
    pub stale: Vec<&'m Memory>,
}

/// Looks over memories that stand. What was told before `stale_before` and was not `recalled` since is stale; `None`
/// asks for nothing stale.
#[must_use]
pub fn find<'m>(
    memories: &'m [Memory],
    stale_before: Option<Timestamp>,
    recalled: &HashSet<MemoryId>,
) -> Findings<'m> {
    let considered: Vec<Read<'m>> = memories.iter().filter_map(Read::of).collect();
    let duplicates = duplicates(&considered);
    let mut needless: Vec<&Memory> = duplicates.iter().flat_map(|group| needless(group)).collect();
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
        needless,
        contradictions: contradictions(&considered),
        low_confidence: all().filter(|memory| is_doubtful(memory)).collect(),
        stale: all().filter(|memory| is_stale(memory)).collect(),
    }
}

/// A memory, with what is compared of it.
struct Read<'m> {
    memory: &'m Memory,
    data: Option<FactData>,
    topic: Option<String>,
    scope: Scope,
}

impl<'m> Read<'m> {
    /// What is looked over: facts, statements, and long-term lines that say something.
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

    /// Whether it lives as long as its conversation.
    fn is_of_session(&self) -> bool {
        self.memory.lifetime == Lifetime::Session
    }

    /// Whether it is confidential: then it is no company for what is not, for that would tell what it says.
    fn is_hidden(&self) -> bool {
        self.memory.sensitivity == Sensitivity::Confidential
    }

    /// Whether whoever sees its scope sees it.
    fn is_wide(&self) -> bool {
        self.scope.layer() != Layer::User
            || self.memory.category.is_none_or(|category| USER_CATEGORIES.contains(&category))
    }
}

fn duplicates<'r, 'm>(considered: &'r [Read<'m>]) -> Vec<Vec<&'r Read<'m>>> {
    let mut groups: HashMap<(String, bool), Vec<&Read<'_>>> = HashMap::with_capacity(considered.len());
    for read in considered {
        groups.entry((normalised(&read.memory.text), read.is_hidden())).or_default().push(read);
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_by_key(|read| rank(read));
    }
    groups.sort_by_key(|group| group.iter().map(|read| read.memory.id).min());
    groups
}

/// Which of several that say the same comes first: whose origin is trusted more; what lives longer and shows more
/// widely; a line before a fact before a statement; the older one. What covers another comes before it.
fn rank(read: &Read<'_>) -> impl Ord {
    let memory = read.memory;
    let form = match memory.form {
        Form::ZONE => 0,
        Form::LEDGER => 1,
        _ => 2,
    };
    let narrow = (memory.quarantined.is_some(), read.is_of_session(), !read.is_wide());
    (distrust(memory), Reverse(end(memory)), narrow, form, memory.id)
}

/// How little an origin's word counts; one that is not known counts least.
fn distrust(memory: &Memory) -> usize {
    let place = |origin| Origin::ALL.iter().position(|known| *known == origin);
    memory.origin.and_then(place).unwrap_or(Origin::ALL.len())
}

fn end(memory: &Memory) -> Timestamp {
    memory.expires_at.unwrap_or(Timestamp::MAX)
}

/// Those of a group, the most trusted first, that another one covers which stays.
fn needless<'m>(group: &[&Read<'m>]) -> Vec<&'m Memory> {
    let mut kept: Vec<&Read<'_>> = Vec::new();
    let mut needless = Vec::new();
    for read in group {
        match read.memory.form != Form::ZONE && kept.iter().any(|kept| covers(kept, read)) {
            true => needless.push(read.memory),
            false => kept.push(read),
        }
    }
    needless
}

/// Whether nothing is lost where one goes that says the same as another: that is as much trusted, shown to the same
/// people at the same times, and found in the same places.
fn covers(kept: &Read<'_>, other: &Read<'_>) -> bool {
    let (a, b) = (kept.memory, other.memory);
    a.scope == b.scope
        && a.sensitivity == b.sensitivity
        && (kept.is_wide() || a.category == b.category)
        && distrust(a) <= distrust(b)
        && (a.quarantined.is_none() || b.quarantined.is_some())
        && end(a) >= end(b)
        && (!kept.is_of_session() || (other.is_of_session() && a.session == b.session))
        && (kept.topic == other.topic || (other.topic.is_none() && other.data.is_none()))
}

/// The objects that are told of one subject and predicate, by where they are seen.
#[derive(Default)]
struct Objects {
    everywhere: HashSet<String>,
    /// By everybody.
    global: HashSet<String>,
    /// In any chat, and by any user.
    chats: HashSet<String>,
    users: HashSet<String>,
    /// In one scope: always, and in one conversation or another.
    scopes: HashMap<String, HashSet<String>>,
    in_sessions: HashMap<String, HashSet<String>>,
    /// In one conversation only.
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

    /// Whether somebody who sees a fact sees another object beside it.
    fn contradict(&self, read: &Read<'_>, object: &str) -> bool {
        let differs = |objects: &HashSet<String>| objects.len() > usize::from(objects.contains(object));
        let memory = read.memory;
        let beside = match read.scope.layer() {
            // Everybody sees it beside what is their own.
            Layer::Global => return differs(&self.everywhere),
            // Whose chat it is in may be any user.
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
            groups.entry(about).or_default().push((read, folded(&data.object)));
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
