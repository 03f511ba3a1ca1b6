//! Facts as commands and readers see them.
//!
//! **Invariant.** The text for a prompt is data: one line for each fact, without markup of another role,
//! without confidential facts, without facts from tools or pages, and within the character budget.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::entry::{Event, FactData, FactValue, about, folded, slot_of, topic};
use super::input::Named;
use crate::lifetime::Lifetime;
use crate::line::truncated;
use crate::memory::{Form, Memory, MemoryId, Ref};
use crate::recall::question::covered;
use crate::safety::render::neutral_line;

/// The confidence from which on a fact counts as certain (document 1).
pub const SURE: f64 = 0.8;
/// Maximum number of facts in a prompt (document 1).
pub const CONTEXT_FACTS: usize = 50;
/// Maximum number of characters of one fact or of a persona in a prompt.
const LINE_CHARS: usize = 400;
/// Maximum number of characters of one side of a conflict in a prompt.
const SIDE_CHARS: usize = 150;
/// The heading of facts without a topic.
const GENERAL: &str = "General";
/// The heading of open conflicts.
const CONFLICTS: &str = "\n## Open Conflicts (the first side is current until the owner resolves the \
                         conflict)\n";

/// A fact and its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The parsed data of the memory.
    pub data: FactData,
    /// The memory.
    pub memory: Memory,
}

impl Fact {
    /// Converts a memory of the form; `None` if it is of another form or cannot be read.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        let data = memory
            .data
            .as_deref()
            .filter(|_| memory.form == Form::LEDGER)
            .and_then(|data| serde_json::from_str(data).ok())?;
        Some(Self { data, memory })
    }

    /// Returns its confidence, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.memory.confidence.unwrap_or_default()
    }

    /// Returns whether it has expired.
    #[must_use]
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.memory.expires_at.is_some_and(|end| end <= now)
    }

    /// Returns its topic; `None` if it has none.
    #[must_use]
    pub fn topic(&self) -> Option<&str> {
        topic(self.data.scope.as_deref())
    }

    /// Returns what distinguishes it from other facts of the same subject and predicate: its topic, or its
    /// lifetime.
    #[must_use]
    pub fn place(&self) -> &str {
        self.topic().unwrap_or(self.memory.lifetime.as_str())
    }

    /// Returns its lifetime: a fact with an end is temporary, whatever its scope is.
    #[must_use]
    pub fn lifetime(&self) -> Lifetime {
        match (self.memory.lifetime, self.memory.expires_at) {
            (Lifetime::Permanent, Some(_)) => Lifetime::Temporary,
            (lifetime, _) => lifetime,
        }
    }

    /// Returns whether it matches `scope` of document 1: a lifetime, or a topic including those below it.
    #[must_use]
    pub fn is_of(&self, scope: &str) -> bool {
        match folded(scope).parse::<Lifetime>() {
            Ok(lifetime) => self.memory.lifetime == lifetime,
            Err(_) => self.is_of_topic(scope),
        }
    }

    /// Returns whether it belongs to a topic, or to one below it.
    #[must_use]
    pub fn is_of_topic(&self, topic: &str) -> bool {
        let asked = folded(topic);
        let own = self.topic().map(folded).unwrap_or_default();
        let below = own.strip_prefix(asked.trim_end_matches('/'));
        !own.is_empty() && below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Returns the part of its slot that its scope determines.
    #[must_use]
    pub fn slot(&self) -> (Lifetime, Option<String>) {
        slot_of(self.data.scope.as_deref())
    }

    /// Returns whether it and another fact of the same subject and predicate are in the slots of one place.
    pub(super) fn shares_place(&self, other: &Self) -> bool {
        let session =
            |fact: &Self| fact.memory.session.clone().filter(|_| fact.slot().0 == Lifetime::Session);
        self.memory.scope == other.memory.scope
            && self.slot() == other.slot()
            && session(self) == session(other)
    }

    /// Returns whether a prompt may include it unasked.
    #[must_use]
    pub fn may_be_prompted(&self) -> bool {
        self.memory.may_be_prompted()
    }

    /// Returns the event that created it, as recorded on the tape.
    #[must_use]
    pub(super) fn event(&self) -> Event {
        let FactData { event, parent_id, timestamp, since, observed, .. } = self.data.clone();
        let standing = self.value();
        let stands = observed.is_some().then(|| standing.clone());
        let FactValue { object, confidence, source, evidence } = observed.unwrap_or(standing);
        let recorded_at: Option<Timestamp> = timestamp.parse().ok();
        let is_first = recorded_at == Some(since);
        Event {
            id: event,
            object,
            confidence,
            source,
            evidence,
            parent_id,
            timestamp,
            said_at: self.memory.said_at.filter(|said_at| recorded_at.is_some_and(|at| at != *said_at)),
            since: (!is_first).then_some(since),
            stands,
            ..self.current_event()
        }
    }

    /// Returns an event that restates the current value, following the one that created it.
    ///
    /// The caller sets the event's id and time.
    #[must_use]
    pub(super) fn current_event(&self) -> Event {
        let FactValue { object, confidence, source, evidence } = self.value();
        Event {
            id: String::new(),
            subject: self.data.subject.clone(),
            predicate: self.data.predicate.clone(),
            object,
            scope: self.data.scope.clone(),
            confidence,
            source,
            evidence,
            parent_id: Some(self.data.event.clone()),
            timestamp: String::new(),
            expires_at: self.memory.expires_at,
            said_at: None,
            since: Some(self.data.since),
            stands: None,
        }
    }

    /// Returns the current value.
    #[must_use]
    pub(super) fn value(&self) -> FactValue {
        FactValue {
            object: self.data.object.clone(),
            confidence: self.confidence(),
            source: self.data.source.clone(),
            evidence: self.data.evidence.clone(),
        }
    }
}

/// An open conflict about a memory of any form, as a prompt shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictLine {
    /// The memory, with the entry of the commit that left the conflict open.
    pub reference: Ref,
    /// The current text and that of the other branch (`None` for a deleted side).
    ///
    /// `None` if a prompt may not include one of the sides unasked.
    pub sides: Option<[Option<String>; 2]>,
}

impl ConflictLine {
    /// Formats the line: `- ledger:0123456789abcdef@12: user lives in Lisbon | user lives in Utrecht`.
    fn line(&self) -> String {
        let reference = shown(&self.reference.to_string());
        let side = |side: &Option<String>| match side {
            Some(text) => cut(text, SIDE_CHARS),
            None => "(deleted)".to_owned(),
        };
        match &self.sides {
            Some([ours, theirs]) => format!("- {reference}: {} | {}\n", side(ours), side(theirs)),
            None => format!("- {reference}\n"),
        }
    }
}

/// Facts that were not removed, by slot. Expired ones are included until a newer fact supersedes them.
#[derive(Clone, Debug, Default)]
pub struct View {
    facts: BTreeMap<String, Fact>,
}

impl View {
    /// Folds the memories of the form, which may come in any order.
    #[must_use]
    pub fn fold(memories: Vec<Memory>) -> Self {
        let mut view = Self::default();
        for fact in memories.into_iter().filter_map(Fact::read) {
            let newer = |old: &Fact| old.memory.id < fact.memory.id;
            if view.facts.get(&fact.memory.key).is_none_or(newer) {
                view.facts.insert(fact.memory.key.clone(), fact);
            }
        }
        view
    }

    /// Returns the current fact of a slot; `None` if it is empty or its fact has expired.
    #[must_use]
    pub fn get(&self, key: &str, now: Timestamp) -> Option<&Fact> {
        self.facts.get(key).filter(|fact| !fact.has_ended(now))
    }

    /// Returns the fact of a slot that has expired and was not removed.
    #[must_use]
    pub fn ended(&self, key: &str, now: Timestamp) -> Option<&Fact> {
        self.facts.get(key).filter(|fact| fact.has_ended(now))
    }

    /// Returns every fact, sorted by the key of its slot.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.facts.values()
    }

    /// Returns the current facts of a subject and a predicate, in the named topic or lifetime or in all of
    /// them.
    ///
    /// `permanent` matches only facts without a topic.
    #[must_use]
    pub fn named(&self, named: &Named, now: Timestamp) -> Vec<&Fact> {
        let target = about(&named.subject, &named.predicate);
        let asked = named.scope.as_deref();
        self.iter()
            .filter(|fact| !fact.has_ended(now))
            .filter(|fact| about(&fact.data.subject, &fact.data.predicate) == target)
            .filter(|fact| asked.is_none() || slot_of(asked) == fact.slot())
            .collect()
    }
}

/// Sorts facts by descending confidence, then the newest first.
pub fn sort(facts: &mut [Fact]) {
    facts.sort_by(|a, b| b.confidence().total_cmp(&a.confidence()).then_with(|| newest(b).cmp(&newest(a))));
}

fn newest(fact: &Fact) -> (Timestamp, MemoryId) {
    (fact.memory.said_at.unwrap_or(fact.memory.created_at), fact.memory.id)
}

/// Returns the context string of document 1: the facts by topic, the most certain first.
///
/// It has at most `budget` characters, ends with the number of facts that do not fit, and is empty if there
/// is nothing to show.
#[must_use]
pub fn context(facts: &[Fact], branch: &str, persona: Option<&str>, budget: usize) -> String {
    context_of(facts, &[], branch, persona, budget).0
}

/// Returns the context string with a line for each open conflict before the facts, and the facts that it
/// shows.
#[must_use]
pub fn context_of(
    facts: &[Fact],
    conflicts: &[ConflictLine],
    branch: &str,
    persona: Option<&str>,
    budget: usize,
) -> (String, Vec<MemoryId>) {
    let mut facts: Vec<Fact> = facts.iter().filter(|fact| fact.may_be_prompted()).cloned().collect();
    sort(&mut facts);
    let persona = persona.map(shown).filter(|persona| !persona.is_empty());
    if facts.is_empty() && conflicts.is_empty() && persona.is_none() {
        return Default::default();
    }
    let persona = persona.map_or(String::new(), |persona| format!(" (persona: {persona})"));
    let mut room = Room { left: budget };
    let mut head = format!("# Memory [{}]{persona}\n", shown(branch));
    if !room.takes(&head) {
        return Default::default();
    }
    head.push_str(&conflict_lines(conflicts, &mut room));
    let title = "\n## Memory\n";
    // Room for the number of omitted facts is reserved at its maximum length.
    let note = |left: usize| format!("\n({left} more facts: search to find them)\n");
    let has_title = room.left >= title.chars().count() + note(facts.len()).chars().count();
    if facts.is_empty() || !has_title {
        return (head, Vec::new());
    }
    room.takes(title);
    room.takes(&note(facts.len()));
    // Topics are grouped by their normalized spelling; facts without a topic come first.
    let mut topics: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    let mut shown = Vec::new();
    for fact in &facts {
        let line = line(fact);
        let topic = fact.topic().map(folded).unwrap_or_default();
        let heading = if topics.contains_key(&topic) { String::new() } else { heading(fact) };
        if shown.len() < CONTEXT_FACTS && room.takes(&format!("{heading}{line}")) {
            topics.entry(topic).or_insert_with(|| (heading, Vec::new())).1.push(line);
            shown.push(fact.memory.id);
        }
    }
    let topics = topics.into_values().map(|(heading, lines)| heading + &lines.concat());
    let rest = facts.len() - shown.len();
    let left = if rest > 0 { note(rest) } else { String::new() };
    (head + title + &topics.collect::<String>() + &left, shown)
}

/// Formats the open conflicts in at most half of the room, so that there is room for facts.
fn conflict_lines(conflicts: &[ConflictLine], room: &mut Room) -> String {
    let mut half = Room { left: room.left / 2 };
    let note = |left: usize| format!("… {left} more\n");
    if conflicts.is_empty() || !half.takes(CONFLICTS) || !half.takes(&note(conflicts.len())) {
        return String::new();
    }
    let lines = conflicts.iter().map(ConflictLine::line).take_while(|line| half.takes(line));
    let lines: Vec<String> = lines.collect();
    let left = conflicts.len() - lines.len();
    let text = format!("{CONFLICTS}{}{}", lines.concat(), if left > 0 { note(left) } else { String::new() });
    room.takes(&text);
    text
}

/// The number of characters left.
struct Room {
    left: usize,
}

impl Room {
    /// Reserves room for a text; returns `false` if there is not enough.
    fn takes(&mut self, text: &str) -> bool {
        match self.left.checked_sub(text.chars().count()) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

/// Returns the heading of a fact's topic: `### Work/Technical`.
fn heading(fact: &Fact) -> String {
    let topic = fact.topic().map_or_else(|| GENERAL.to_owned(), titled);
    // A topic could turn the heading that contains it into the mark of a role.
    format!("\n{}\n", neutral_line(&format!("### {}", shown(&topic))))
}

/// Capitalizes the words of a topic.
fn titled(topic: &str) -> String {
    let mut begins = true;
    let mut out = String::with_capacity(topic.len());
    for c in topic.chars() {
        match begins {
            true => out.extend(c.to_uppercase()),
            false => out.push(c),
        }
        begins = !c.is_alphanumeric() && c != '\'';
    }
    out
}

/// Returns the line of a fact: `- ✓ user prefers dark mode (90%)`.
fn line(fact: &Fact) -> String {
    let mark = if fact.confidence() >= SURE { '✓' } else { '?' };
    format!("- {mark} {} ({}%)\n", shown(&fact.memory.text), percent(fact.confidence()))
}

/// Returns a confidence in percent.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
pub fn percent(confidence: f64) -> u8 {
    (confidence.clamp(0.0, 1.0) * 100.0).round() as u8
}

/// Puts a text on one line of a prompt: neutralised, and of limited length.
fn shown(text: &str) -> String {
    cut(text, LINE_CHARS)
}

/// Puts a text on one line of a prompt, with at most `chars` characters before an ellipsis.
fn cut(text: &str, chars: usize) -> String {
    truncated(&neutral_line(text), chars, "…").into_owned()
}

/// Returns whether a fact contains all of these words, as a search splits them.
#[must_use]
pub fn holds(fact: &Fact, words: &[String]) -> bool {
    let text = format!("{} {}", fact.memory.text, fact.topic().unwrap_or_default());
    words.is_empty() || covered(words, &text) >= 1.0
}

#[cfg(test)]
mod tests;
