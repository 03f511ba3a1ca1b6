//! The controller of document 1: extracts facts from a conversation, compares them with the known facts, and commits
//! them; and finds the persona that fits the conversation.
//!
//! One call of a model does both. The model reads the messages of people and of the agent, never the output of tools,
//! recalled memories or system text, and every fact must name the messages of a person that state it.
//!
//! **Invariant.** No conversation causes more calls in the background than it has messages of people. If two
//! processes read the same messages at the same time, both call the model, and one records what they say.
//!
//! In reading order: this file, `extraction` (the request and the parsing of its answer), `contradictions` (facts that
//! have another value already), `persona`.

mod contradictions;
mod extraction;
mod persona;

use std::collections::{BTreeMap, HashSet};

use memtape::ledger::{Applying, Filter, Named, NewFact, Step, StepOutcome};
use memtape::{
    At, Audience, Conversation, ConversationMessage, Fact, Layer, Origin, Ref, Sensitivity, Session,
    TaskProgress, Workspace,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::contradictions::Decision;
pub(crate) use self::contradictions::is_of_question;
use self::extraction::{Event, EventKind, Extraction, PersonaOf, key, without_overridden};
use crate::audience::audience_of;
use crate::error::{Error, Result};
use crate::models::{Caller, Models};
use crate::structured;
use crate::transcript::{UNREAD_MAX, entries_now, fitting, is_readable};

/// The task under which progress is recorded.
const TASK: &str = "extraction";
/// Maximum number of messages that one call reads.
const MESSAGES_MAX: usize = 60;
/// Maximum length of the evidence of a fact, in characters (document 1).
const EVIDENCE_CHARS: usize = 500;
/// The source of a fact that a person stated, in the words of document 1.
const STATED: &str = "user_implicit";
/// The source of a fact that the agent observed, in the words of document 1.
const OBSERVED: &str = "agent_inferred";
/// The subjects that stand for the person who speaks.
const SPEAKER: [&str; 2] = ["user", "the user"];
/// The minimum length of a word that distinguishes two facts, in characters.
const WORD_CHARS_MIN: usize = 3;
/// The minimum length of the part that two forms of a word share, in characters.
const STEM_CHARS_MIN: usize = 4;
/// The maximum length of what one form of a word has after that, in characters.
const ENDING_CHARS_MAX: usize = 3;

/// The recorded state of a conversation between two calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct State {
    /// Number of messages of people that were read.
    pub(crate) turns: u64,
    /// Number of calls in the background.
    pub(crate) calls: u64,
    /// The branch whose persona fitted the last message, if it is not the current one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) persona: Option<String>,
    /// The last entry that the reflector has read.
    pub(crate) reflected: u64,
    /// The last entry before the messages whose answer was cut off, or which the server refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_off: Option<u64>,
    /// The last entry before the messages whose reflection was cut off or refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reflect_failed: Option<u64>,
}

impl State {
    /// Reads the state of a conversation, and the last entry that the controller has read.
    pub(crate) fn read(conversation: &Conversation<'_>) -> Result<(Self, u64)> {
        let progress = conversation.progress(TASK)?.unwrap_or_default();
        Ok((serde_json::from_value(progress.state).unwrap_or_default(), progress.through))
    }

    /// Updates the recorded state, which another process may have changed during a call of a model.
    pub(crate) fn update(
        conversation: &Conversation<'_>,
        change: impl FnOnce(&mut Self, &mut u64),
    ) -> Result<()> {
        let (mut state, mut through) = Self::read(conversation)?;
        change(&mut state, &mut through);
        let state = serde_json::to_value(state).unwrap_or(Value::Null);
        Ok(conversation.record_progress(&TaskProgress { task: TASK.into(), through, state })?)
    }

    /// Counts calls in the background that changed nothing else.
    pub(crate) fn count_calls(conversation: &Conversation<'_>, calls: u64) -> Result<()> {
        match calls {
            0 => Ok(()),
            calls => Self::update(conversation, |state, _| state.calls += calls),
        }
    }
}

/// When a conversation is processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Now, if it has a new message of a person.
    Now,
    /// If enough messages are new (`mind.turns`).
    Due,
}

/// The result of processing a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Processed {
    /// Number of new messages that were read.
    pub messages: usize,
    /// The facts that were recorded, changed or confirmed.
    pub recorded: Vec<Recorded>,
    /// The facts that were forgotten, as they were.
    pub forgotten: Vec<String>,
    /// The facts that the model named and that were not recorded.
    pub skipped: Vec<Skipped>,
    /// The parts of the model's answer that cannot be read, in JSON.
    pub unreadable: Vec<Skipped>,
    /// The facts that a person must decide on; each is an open conflict.
    pub questions: Vec<Ref>,
    /// The commits.
    pub commits: Vec<String>,
    /// The branch that the conversation changed to.
    pub switched: Option<String>,
    /// Number of calls of the model.
    pub calls: u64,
    /// Whether messages after those that were read are left.
    pub has_more: bool,
}

/// A fact that was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The reference.
    pub reference: Ref,
    /// The text.
    pub text: String,
}

/// A fact that was not recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The text.
    pub text: String,
    /// The reason.
    pub why: String,
}

/// Extracts facts from conversations.
pub struct Controller<'a> {
    workspace: &'a Workspace,
    models: &'a Models,
}

/// One run over a conversation.
struct Run<'r> {
    workspace: &'r Workspace,
    caller: Caller<'r>,
    session: Session,
    said: Vec<ConversationMessage>,
    /// The last entry before these messages.
    through: u64,
    state: State,
    done: Processed,
}

impl<'a> Controller<'a> {
    /// Returns the controller of a workspace.
    #[must_use]
    pub fn new(workspace: &'a Workspace, models: &'a Models) -> Self {
        Self { workspace, models }
    }

    /// Reads what is new in a conversation, records the facts that are worth remembering in one commit for each
    /// person and scope, and changes the conversation to another persona if that fits it better.
    ///
    /// One call reads at most 60 messages, and as many as the prompt's budget allows. Each is read once: the next call
    /// continues after them, also in another process. If the model does not answer, they are read again the next time, and
    /// once more if its answer is cut off or its server refuses them. If another process has read them during the calls,
    /// nothing is recorded, nor what a person has made it forget meanwhile.
    ///
    /// # Errors
    /// [`Error::Model`] if the model does not answer; [`Error::CutOff`] if its answer is cut off at the maximum length;
    /// [`Error::Unusable`] if it cannot be used, also after one repair; [`Error::Budget`] if a budget is used up;
    /// [`Error::Memtape`] if the library fails.
    pub fn process_conversation(&self, session: &Session, when: When) -> Result<Processed> {
        let conversation = self.workspace.conversation(session.clone());
        let (mut state, through) = State::read(&conversation)?;
        let unread = conversation.spoken_after(through, UNREAD_MAX)?;
        let Some(mut last) = unread.last().map(|spoken| spoken.memory.id.entry()) else {
            return Ok(Processed::default());
        };
        let has_more = unread.len() == UNREAD_MAX;
        let mut said: Vec<ConversationMessage> = unread.into_iter().filter(is_readable).collect();
        let fitting = fitting(said.iter().map(extraction::length), self.workspace).min(MESSAGES_MAX);
        let is_full = has_more || said.len() > fitting;
        if said.len() > fitting {
            said.truncate(fitting);
            last = said.last().map_or(last, |spoken| spoken.memory.id.entry());
        }
        let people = said.iter().filter(|spoken| is_of_person(spoken)).count();
        let wanted = if when == When::Now || is_full { 1 } else { self.workspace.config().mind.turns };
        if people < wanted.max(1) {
            if is_full {
                // These messages contain no text by people or the agent.
                State::update(&conversation, |_, through| *through = last.max(*through))?;
            }
            return Ok(Processed { has_more: is_full, ..Processed::default() });
        }
        let people = people as u64;
        state.turns += people;
        if state.calls >= state.turns {
            return Ok(Processed::default());
        }
        let caller = self.models.caller(self.workspace, session);
        let messages = said.len();
        let mut run = Run {
            workspace: self.workspace,
            caller,
            session: session.clone(),
            said,
            through,
            state,
            done: Processed { messages, has_more: is_full, ..Processed::default() },
        };
        let outcome = run.run();
        let calls = run.caller.count();
        let is_tried_twice = |e: &Error| matches!(e, Error::CutOff) || e.is_of_request();
        match &outcome {
            Err(e) if is_tried_twice(e) && run.state.cut_off != Some(through) => {
                State::update(&conversation, |state, _| {
                    state.calls += calls;
                    state.cut_off = Some(through);
                })?;
            }
            // The messages wait for the next time.
            Err(e) if !is_tried_twice(e) && !matches!(e, Error::Unusable(_)) => {
                State::count_calls(&conversation, calls)?;
            }
            _ => {
                let persona = run.state.persona.clone();
                State::update(&conversation, |state, read| {
                    state.calls += calls;
                    // Otherwise, another process has counted these messages.
                    if *read == through {
                        *read = last;
                        state.turns += people;
                        state.persona = persona;
                    }
                })?;
            }
        }
        run.done.calls = calls;
        outcome.map(|()| run.done)
    }
}

impl Run<'_> {
    fn run(&mut self) -> Result<()> {
        let known = self.known()?;
        // Personas of other chats are not visible here.
        let personas =
            self.workspace.branches().in_session(self.session.clone()).writing_as(Origin::Assistant);
        let personas = personas.for_audience(self.everybody()?);
        let mut branches = personas.list(&At::head())?;
        branches.retain(|branch| !contradictions::is_review(&branch.name));
        let policy = self.workspace.config().mind.personas;
        let request = extraction::request(&self.said, &known, &branches, policy);
        let extraction: Extraction =
            structured::ask(&self.caller, crate::Purpose::Extract, &request, self.may_call(2))?;
        self.done.unreadable = extraction.unreadable;
        let mut by_home: BTreeMap<Option<String>, Vec<_>> = BTreeMap::new();
        for event in extraction.events {
            let Some(user) = self.speaker(&event) else {
                self.skip(&event, "it names no message of a person");
                continue;
            };
            let is_theirs = user.is_some() && SPEAKER.contains(&key(&event.subject).as_str());
            let home = self.audience_for(user.as_deref(), is_theirs)?.home().map_err(memtape::Error::from)?;
            by_home.entry(home.label()).or_default().push(((user, is_theirs), event));
        }
        // What one person says of this chat may override what another one said before.
        let mut by_scope: BTreeMap<(Option<String>, bool), Vec<Event>> = BTreeMap::new();
        for (author, event) in by_home.into_values().flat_map(without_overridden) {
            by_scope.entry(author).or_default().push(event);
        }
        // The message describes all facts, so in one scope it would reveal those of another.
        let message = if by_scope.len() == 1 { extraction.message } else { String::new() };
        let mut decided = Vec::with_capacity(by_scope.len());
        for ((user, is_theirs), events) in by_scope {
            let audience = self.audience_for(user.as_deref(), is_theirs)?;
            let decisions = self.decided(&audience, events)?;
            decided.push((audience, decisions));
        }
        // The model has answered, which takes minutes: another process may have read these messages meanwhile.
        let conversation = self.workspace.conversation(self.session.clone());
        if State::read(&conversation)?.1 != self.through {
            self.done = Processed { has_more: true, ..Processed::default() };
            return Ok(());
        }
        let readable = entries_now(&conversation, self.through, is_readable)?;
        let is_readable = |spoken: &ConversationMessage| readable.contains(&spoken.memory.id.entry());
        // The message may describe what was retracted.
        let message = if self.said.iter().all(is_readable) { message } else { String::new() };
        for (audience, mut decisions) in decided {
            decisions.retain(|Decision { event, .. }| {
                let is_kept = cited(&self.said, event).all(is_readable);
                if !is_kept {
                    self.done.skipped.push(skipped(event, "the message was retracted meanwhile"));
                }
                is_kept
            });
            self.record(&audience, decisions, &message)?;
        }
        self.done.switched = persona::switch(
            &personas,
            policy,
            &self.personas(extraction.personas),
            &branches,
            &mut self.state,
        )?;
        Ok(())
    }

    /// Returns the first persona that the answer names for each message of a person, in their order.
    fn personas(&self, named: Vec<PersonaOf>) -> Vec<PersonaOf> {
        let mut by_message: BTreeMap<usize, PersonaOf> = BTreeMap::new();
        for persona in named {
            let said = persona.message.checked_sub(1).and_then(|n| self.said.get(n));
            if said.is_some_and(is_of_person) {
                by_message.entry(persona.message).or_insert(persona);
            }
        }
        by_message.into_values().collect()
    }

    /// Returns whether the run may make this many more calls.
    fn may_call(&self, calls: u64) -> bool {
        self.state.calls + self.caller.count() + calls <= self.state.turns
    }

    /// Returns the user who states an event; `None` if it is no person, or more than one.
    #[allow(clippy::option_option, reason = "the inner one is a person without an id")]
    fn speaker(&self, event: &Event) -> Option<Option<String>> {
        let cited = cited(&self.said, event);
        let mut users = cited.filter(|spoken| is_of_person(spoken)).map(|spoken| spoken.user.clone());
        let first = users.next()?;
        users.all(|other| other == first).then_some(first)
    }

    fn audience(&self, user: Option<&str>) -> Result<Audience> {
        audience_of(self.workspace, &self.session, user)
    }

    /// Returns the audience of the facts that a user states. One about the speaker belongs to their user scope; any other
    /// fact belongs to this chat.
    fn audience_for(&self, user: Option<&str>, is_theirs: bool) -> Result<Audience> {
        let audience = self.audience(user)?;
        Ok(if is_theirs { audience.only(Layer::User) } else { audience })
    }

    /// Returns the audience of the whole conversation: the owner's only if no other person speaks in it.
    fn everybody(&self) -> Result<Audience> {
        match self.said.iter().any(|spoken| spoken.user.is_some()) {
            true => Ok(self.workspace.audience(Some(&self.session), None)?),
            false => self.audience(None),
        }
    }

    /// Returns the facts that everyone in the conversation may know, those that share words with it first. Facts from
    /// other chats are excluded, because the model could repeat them here.
    fn known(&self) -> Result<Vec<Fact>> {
        let text: Vec<String> = self.said.iter().map(|spoken| spoken.memory.text.to_lowercase()).collect();
        let text = text.join("\n");
        // The owner sees all chats, but speaks in this one.
        let audience = match self.everybody()? {
            audience if audience.is_owner() => audience.only(Layer::Global),
            audience => audience,
        };
        let ledger = self.workspace.ledger().in_session(self.session.clone()).for_audience(audience);
        let mut facts = ledger.list(&Filter::default(), &At::head())?;
        facts.retain(Fact::may_be_prompted);
        let touched =
            |fact: &Fact| words(&fact.memory.text).iter().filter(|word| text.contains(*word)).count();
        facts.sort_by_key(|fact| std::cmp::Reverse(touched(fact)));
        facts.truncate(extraction::KNOWN_MAX);
        Ok(facts)
    }

    /// Records facts of one scope, in one commit.
    fn record(&mut self, audience: &Audience, decisions: Vec<Decision>, message: &str) -> Result<()> {
        let ledger = self
            .workspace
            .ledger()
            .in_session(self.session.clone())
            .for_audience(audience.clone())
            .writing_as(Origin::Assistant);
        let captured = self.captured(audience)?;
        let mut steps: Vec<Applying> = Vec::new();
        let mut slots = HashSet::new();
        let mut questions = Vec::new();
        for Decision { event, asks, is_replacing } in decisions {
            if let Some(statement) = captured.iter().find(|text| !is_replacing && says(text, &event)) {
                self.skip(&event, &format!("already kept: {statement}"));
                continue;
            }
            if !slots.insert(event.slot()) {
                self.skip(&event, "the answer names it twice");
                continue;
            }
            let applying = self.applying(&event, audience);
            if asks { questions.push(applying) } else { steps.push(applying) }
        }
        let reason = self.sources(&steps);
        let applied = ledger.because(reason).apply(&steps, message)?;
        self.done.commits.extend(applied.commit);
        for (step, outcome) in steps.iter().zip(applied.outcomes) {
            match outcome {
                StepOutcome::Recorded(done) => {
                    self.done.recorded.push(Recorded { reference: done.reference, text: done.text });
                }
                StepOutcome::Forgotten(facts) => {
                    self.done.forgotten.extend(facts.into_iter().map(|fact| fact.memory.text));
                }
                StepOutcome::Refused(why) => {
                    self.done.skipped.push(Skipped { text: text_of(&step.step), why });
                }
            }
        }
        for question in questions {
            match contradictions::ask_person(self.workspace, &self.session, audience, &question)? {
                Ok(asked) => self.done.questions.extend(asked),
                Err(why) => self.done.skipped.push(Skipped { text: text_of(&question.step), why }),
            }
        }
        Ok(())
    }

    /// Returns the statements that capture kept of these messages.
    fn captured(&self, audience: &Audience) -> Result<Vec<String>> {
        let said: HashSet<String> =
            self.said.iter().map(|spoken| spoken.memory.reference().to_string()).collect();
        let statements =
            self.workspace.statements().in_session(self.session.clone()).for_audience(audience.clone());
        let statements = statements.list(&memtape::Selection::default(), &At::head())?;
        let is_of_these = |statement: &memtape::StoredStatement| {
            statement.data.from.as_ref().is_some_and(|from| said.contains(from))
        };
        Ok(statements.into_iter().filter(is_of_these).map(|statement| statement.memory.text).collect())
    }

    fn applying(&self, event: &Event, audience: &Audience) -> Applying {
        let cited = cited(&self.said, event).filter(|spoken| is_of_person(spoken));
        let cited: Vec<&str> = cited.map(|spoken| spoken.memory.text.as_str()).collect();
        let quoted: String = cited.join("\n").chars().take(EVIDENCE_CHARS).collect();
        // A message belongs to its chat, and a fact of its speaker is shown in other chats too.
        let evidence = Some(quoted).filter(|_| audience.layer() != Some(Layer::User));
        let named = Named {
            subject: event.subject.clone(),
            predicate: event.predicate.clone(),
            scope: event.scope.clone(),
        };
        let fact = |source: &str| NewFact {
            subject: event.subject.clone(),
            predicate: event.predicate.clone(),
            object: event.object.clone(),
            scope: event.scope.clone(),
            confidence: event.confidence,
            source: source.into(),
            evidence,
            days: None,
            quarantined: None,
        };
        let step = match event.event_type {
            EventKind::Forget => Step::Forget(named),
            EventKind::Observe => Step::Observe(fact(OBSERVED)),
            EventKind::Add | EventKind::Modify => Step::Add(fact(STATED)),
        };
        let sensitivity = match event.sensitivity {
            extraction::Sensitivity::Normal => Sensitivity::Normal,
            extraction::Sensitivity::Private => Sensitivity::Private,
            extraction::Sensitivity::Confidential => Sensitivity::Confidential,
        };
        Applying { step, sensitivity }
    }

    /// Returns the reason that is recorded with facts: the messages that were read.
    fn sources(&self, steps: &[Applying]) -> Option<String> {
        let first = self.said.first()?.memory.reference();
        let last = self.said.last()?.memory.reference();
        (!steps.is_empty()).then(|| format!("extracted from {first} to {last}"))
    }

    fn skip(&mut self, event: &Event, why: &str) {
        self.done.skipped.push(skipped(event, why));
    }
}

fn skipped(event: &Event, why: &str) -> Skipped {
    let text = format!("{} {} {}", event.subject, event.predicate, event.object);
    Skipped { text: text.trim().to_owned(), why: why.to_owned() }
}

/// Returns the messages that an event names.
fn cited<'s>(
    said: &'s [ConversationMessage],
    event: &'s Event,
) -> impl Iterator<Item = &'s ConversationMessage> {
    event.from.iter().filter_map(|n| said.get(n.checked_sub(1)?))
}

/// Returns whether a person said a message.
fn is_of_person(spoken: &ConversationMessage) -> bool {
    spoken.role == "user" && spoken.memory.origin.is_none_or(Origin::is_person)
}

/// Returns whether a statement contains an event: all words of its value, and at least one, and those of its subject unless
/// that is the speaker.
fn says(statement: &str, event: &Event) -> bool {
    let statement = words(statement);
    let contains = |text: &str| {
        let words = words(text);
        !words.is_empty() && words.iter().all(|word| statement.iter().any(|other| is_same_word(word, other)))
    };
    let subject = key(&event.subject);
    event.event_type != EventKind::Forget
        && contains(&event.object)
        && (SPEAKER.contains(&subject.as_str())
            || contains(subject.strip_prefix("user's ").unwrap_or(&subject)))
}

/// Returns whether two words are the same, perhaps in another form: "seat" and "seats".
fn is_same_word(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let Some(ending) = long.strip_prefix(short) else { return false };
    ending.is_empty() || short.chars().count() >= STEM_CHARS_MIN && ending.chars().count() <= ENDING_CHARS_MAX
}

/// Returns the words of a text that are long enough to mean something, in lower case.
fn words(text: &str) -> Vec<String> {
    let words =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= WORD_CHARS_MIN);
    words.map(str::to_lowercase).collect()
}

fn text_of(step: &Step) -> String {
    match step {
        Step::Add(fact) | Step::Observe(fact) => {
            format!("{} {} {}", fact.subject, fact.predicate, fact.object)
        }
        Step::Forget(named) | Step::Deprecate(named) => format!("{} {}", named.subject, named.predicate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_says_an_event_if_it_has_its_value_and_its_subject() {
        for (statement, subject, object, is_said) in [
            ("I prefer window seats", "user", "a window seat", true),
            ("I'm vegan", "the user", "Vegan", true),
            ("I'm vegan", "Ana", "vegan", false),
            ("I'm vegan", "Al", "vegan", false),
            ("My sister Ana is vegan", "Ana", "vegan", true),
            ("My sister is vegan", "user's sister", "vegan", true),
            ("I read articles at night", "user", "art", false),
            ("I write JavaScript", "user", "Java", false),
        ] {
            let event = serde_json::json!({
                "event_type": "add", "subject": subject, "predicate": "is", "object": object,
            });
            let event: Event = serde_json::from_value(event).unwrap();
            assert_eq!(says(statement, &event), is_said, "{statement}: {subject} {object}");
        }
    }
}
