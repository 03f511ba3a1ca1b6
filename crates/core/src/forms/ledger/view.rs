//! Facts as commands and readers see them.
//!
//! **Invariant.** What a prompt is given is data: one line a fact, nothing that speaks in a role, nothing confidential,
//! nothing that a tool or a page said, within its characters.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::entry::{Event, FactData, Standing, about, folded, slot_of, topic};
use super::told::Named;
use crate::lifetime::Lifetime;
use crate::memory::{Form, Memory, MemoryId, Ref};
use crate::recall::question::covered;
use crate::safety::render::neutral_line;

/// From here on a fact counts as sure (document 1).
pub const SURE: f64 = 0.8;
/// How many facts a prompt is given at most (document 1).
pub const CONTEXT_FACTS: usize = 50;
/// How much of one fact or of a persona a prompt is given, in characters.
const LINE_CHARS: usize = 400;
/// How much of a side of a conflict a prompt is given, in characters.
const SIDE_CHARS: usize = 150;
/// What facts without a topic stand under.
const GENERAL: &str = "General";
/// What open conflicts stand under.
const CONFLICTS: &str = "\n## Open Conflicts (the first side stands until the owner resolves it)\n";

/// A fact, with what the form keeps of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What the form keeps of it.
    pub data: FactData,
    /// The memory.
    pub memory: Memory,
}

impl Fact {
    /// Reads a memory of the form; `None` for one of another.
    #[must_use]
    pub fn read(memory: Memory) -> Option<Self> {
        let data = memory
            .data
            .as_deref()
            .filter(|_| memory.form == Form::LEDGER)
            .and_then(|data| serde_json::from_str(data).ok())?;
        Some(Self { data, memory })
    }

    /// How sure it is, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.memory.confidence.unwrap_or_default()
    }

    /// Whether it has had its time.
    #[must_use]
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.memory.expires_at.is_some_and(|end| end <= now)
    }

    /// Its topic.
    #[must_use]
    pub fn topic(&self) -> Option<&str> {
        topic(self.data.scope.as_deref())
    }

    /// What is told apart from other facts of the same subject and predicate: its topic, or how long it lives.
    #[must_use]
    pub fn place(&self) -> &str {
        self.topic().unwrap_or(self.memory.lifetime.as_str())
    }

    /// How long it lives: what was given an end is temporary, whatever its scope.
    #[must_use]
    pub fn lifetime(&self) -> Lifetime {
        match (self.memory.lifetime, self.memory.expires_at) {
            (Lifetime::Permanent, Some(_)) => Lifetime::Temporary,
            (lifetime, _) => lifetime,
        }
    }

    /// Whether it is of a lifetime, or of a topic or one below it, as document 1's `scope` says either.
    #[must_use]
    pub fn is_of(&self, scope: &str) -> bool {
        match folded(scope).parse::<Lifetime>() {
            Ok(lifetime) => self.memory.lifetime == lifetime,
            Err(_) => self.is_of_topic(scope),
        }
    }

    /// Whether it is of a topic, or of one below it.
    #[must_use]
    pub fn is_of_topic(&self, topic: &str) -> bool {
        let asked = folded(topic);
        let own = self.topic().map(folded).unwrap_or_default();
        let below = own.strip_prefix(asked.trim_end_matches('/'));
        !own.is_empty() && below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// What tells its slot apart from others of the same subject and predicate.
    #[must_use]
    pub fn slot(&self) -> (Lifetime, Option<String>) {
        slot_of(self.data.scope.as_deref())
    }

    /// Whether it may be put into a prompt by itself.
    #[must_use]
    pub fn may_be_prompted(&self) -> bool {
        self.memory.may_be_prompted()
    }

    /// The event that bore it, as it stands on the tape.
    #[must_use]
    pub(super) fn event(&self) -> Event {
        let FactData { event, parent_id, timestamp, since, observed, .. } = self.data.clone();
        let standing = self.standing();
        let stands = observed.is_some().then(|| standing.clone());
        let Standing { object, confidence, source, evidence } = observed.unwrap_or(standing);
        let is_first = timestamp.parse().ok() == Some(since);
        Event {
            id: event,
            object,
            confidence,
            source,
            evidence,
            parent_id,
            timestamp,
            since: (!is_first).then_some(since),
            stands,
            ..self.standing_event()
        }
    }

    /// An event that says what stands, after the one that bore it. Its id and time are still to be set.
    #[must_use]
    pub(super) fn standing_event(&self) -> Event {
        let Standing { object, confidence, source, evidence } = self.standing();
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
            since: Some(self.data.since),
            stands: None,
        }
    }

    /// The value that stands.
    #[must_use]
    pub(super) fn standing(&self) -> Standing {
        Standing {
            object: self.data.object.clone(),
            confidence: self.confidence(),
            source: self.data.source.clone(),
            evidence: self.data.evidence.clone(),
        }
    }
}

/// An open conflict, about whatever form, as a prompt names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictLine {
    /// The thing, with the commit that left the conflict open.
    pub reference: Ref,
    /// What stands and what stands on the other branch, `None` for a side that was deleted; nothing where one of the
    /// sides may not stand in a prompt by itself.
    pub sides: Option<[Option<String>; 2]>,
}

impl ConflictLine {
    /// `- ledger:0123456789abcdef@12: user lives in Lisbon | user lives in Utrecht`
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

/// Facts that nobody retired, by their slots; also those that have had their time, which a newer one retires.
#[derive(Clone, Debug, Default)]
pub struct View {
    facts: BTreeMap<String, Fact>,
}

impl View {
    /// Folds memories of the form, in any order.
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

    /// The fact that stands in a slot.
    #[must_use]
    pub fn get(&self, key: &str, now: Timestamp) -> Option<&Fact> {
        self.facts.get(key).filter(|fact| !fact.has_ended(now))
    }

    /// The fact of a slot that has had its time, and that nobody retired.
    #[must_use]
    pub fn ended(&self, key: &str, now: Timestamp) -> Option<&Fact> {
        self.facts.get(key).filter(|fact| fact.has_ended(now))
    }

    /// Every fact, by its slot's key.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.facts.values()
    }

    /// The facts of a subject and a predicate that stand: of the topic or lifetime that is named, else of every one. What is
    /// `permanent` has no topic here, for a topic is named by itself.
    #[must_use]
    pub fn named(&self, named: &Named, now: Timestamp) -> Vec<&Fact> {
        let meant = about(&named.subject, &named.predicate);
        let asked = named.scope.as_deref();
        self.iter()
            .filter(|fact| !fact.has_ended(now))
            .filter(|fact| about(&fact.data.subject, &fact.data.predicate) == meant)
            .filter(|fact| asked.is_none() || slot_of(asked) == fact.slot())
            .collect()
    }
}

/// The surest facts first, of those that are as sure the newest.
pub fn sort(facts: &mut [Fact]) {
    facts.sort_by(|a, b| b.confidence().total_cmp(&a.confidence()).then_with(|| newest(b).cmp(&newest(a))));
}

fn newest(fact: &Fact) -> (Timestamp, MemoryId) {
    (fact.memory.said_at.unwrap_or(fact.memory.created_at), fact.memory.id)
}

/// Document 1's context string: what a persona knows, by topic, the surest first, in at most so many characters. What
/// does not fit is counted. Empty where there is nothing to say.
#[must_use]
pub fn context(facts: &[Fact], branch: &str, persona: Option<&str>, budget: usize) -> String {
    context_of(facts, &[], branch, persona, budget).0
}

/// The same, with a line for each open conflict before the facts, and with the facts that it shows.
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
    // The count of what is left out must fit whatever it is.
    let note = |left: usize| format!("\n({left} more facts: a search finds them)\n");
    let has_title = room.left >= title.chars().count() + note(facts.len()).chars().count();
    if facts.is_empty() || !has_title {
        return (head, Vec::new());
    }
    room.takes(title);
    room.takes(&note(facts.len()));
    // By what they are compared by, so that two spellings of a topic are one; what has no topic comes first.
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

/// The open conflicts, in at most half of the room: facts are to show beside them.
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

/// How many characters are left.
struct Room {
    left: usize,
}

impl Room {
    /// Takes the characters of a text, where there are as many.
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

/// `### Work/Technical`
fn heading(fact: &Fact) -> String {
    let topic = fact.topic().map_or_else(|| GENERAL.to_owned(), titled);
    // A topic may make a role's mark of the heading that it stands in.
    format!("\n{}\n", neutral_line(&format!("### {}", shown(&topic))))
}

/// A topic with its words in capitals.
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

/// `- ✓ user prefers dark mode (90%)`
fn line(fact: &Fact) -> String {
    let mark = if fact.confidence() >= SURE { '✓' } else { '?' };
    format!("- {mark} {} ({}%)\n", shown(&fact.memory.text), percent(fact.confidence()))
}

/// A confidence as people read it.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
pub fn percent(confidence: f64) -> u8 {
    (confidence.clamp(0.0, 1.0) * 100.0).round() as u8
}

/// A text on one line of a prompt: without power over it, and not too long.
fn shown(text: &str) -> String {
    cut(text, LINE_CHARS)
}

/// The same, in at most so many characters.
fn cut(text: &str, chars: usize) -> String {
    let line = neutral_line(text);
    match line.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Whether a fact holds every one of these words, as a search cuts them.
#[must_use]
pub fn holds(fact: &Fact, words: &[String]) -> bool {
    let text = format!("{} {}", fact.memory.text, fact.topic().unwrap_or_default());
    words.is_empty() || covered(words, &text) >= 1.0
}

#[cfg(test)]
mod tests;
