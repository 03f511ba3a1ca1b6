//! The prompt of a turn: everything that a model is shown, read at one point and fitted into a budget.
//!
//! **Invariants.** The prompt is read for an audience and shows nothing that the audience may not see;
//! nothing confidential, quarantined or foreign is included unasked. Reading it writes nothing and counts no
//! recall. All of it is read at one point, which is resolved once, and what it already shows is not recalled
//! again. [`memtape_core::prompt`] documents how it is assembled.

pub mod brief;

use std::collections::{BTreeSet, HashSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape_core::forms::blocks::view::Listed;
use memtape_core::forms::ledger::view::{ConflictLine, context_of};
use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::journal::prompt::shown as journal_line;
use memtape_core::prompt::recalled::lines;
use memtape_core::prompt::{
    self, Block, Contract, MEMORY_CHARS, Material, Prompt, Rendered, ShownMessage, Skill, TooSmall, ToolLine,
    Volatile,
};
use memtape_core::turn::Trigger;
use memtape_core::{
    Audience, Form, Memory, MemoryId, Origin, Point, Ref, Scope, Sensitivity, Session, calendar,
};
use memtape_embed::Counter;
use memtape_index::{Confidential, Question, Reader};
use memtape_store::Warning;
use memtape_tape::EntryId;

use crate::branches::{OpenConflict, open_conflicts};
use crate::conversation::Conversation;
use crate::counting::Counting;
use crate::error::{Error, Result};
use crate::inbound::{CONVERSATION_MESSAGES, Inbound, check_lengths, kind_of, what};
use crate::ledger::Fact;
use crate::recall::{Recall, Recalled, message_data, said};
use crate::skills::Found;
use crate::toolbox::{Tool, Toolset};
use crate::workspace::{At, Workspace};

/// Minimum number of messages that are read of a conversation.
const MESSAGES: usize = 400;
/// In a longer conversation, the start moves forward in steps of this many messages, so that it seldom
/// changes.
const MESSAGES_STEP: usize = 200;

/// The options of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompting {
    /// Maximum size in tokens; `None` uses the configured one.
    pub budget: Option<usize>,
    /// The toolsets whose tools it names.
    pub toolsets: Vec<Toolset>,
    /// Whether it names only tools that read.
    pub is_read_only: bool,
}

/// The configured size, and the tools of [`Toolset::USUAL`].
impl Default for Prompting {
    fn default() -> Self {
        Self { budget: None, toolsets: Toolset::USUAL.to_vec(), is_read_only: false }
    }
}

impl Prompting {
    /// Returns the tools that the prompt names.
    fn tools(&self, workspace: &Workspace) -> Vec<&'static Tool> {
        let tools = workspace.tools().of(&self.toolsets);
        let tools = if self.is_read_only { tools.read_only() } else { tools };
        tools.list().collect()
    }
}

/// The input for assembling a prompt.
pub(crate) struct Assembling<'a> {
    pub(crate) inbound: &'a Inbound,
    pub(crate) asking: &'a Prompting,
    pub(crate) audience: &'a Audience,
    /// The entries of the turn itself, which are shown as the trigger.
    pub(crate) own: &'a [EntryId],
    /// The date of the message; `None` means that of the point.
    pub(crate) said_at: Option<Timestamp>,
    /// Set for a brief, which is assembled before the first message: whether it is for the owner's agent.
    pub(crate) brief: Option<bool>,
    /// The memories that were recalled, if the turn is on the tape: nothing is searched for.
    pub(crate) recorded: Option<&'a [Memory]>,
}

/// A prompt, or the budget it would need, together with what was recalled for it.
pub(crate) type Assembled = (Result<Prompt, TooSmall>, Recalled);

impl Workspace {
    /// Returns the token counter.
    pub(crate) fn counting(&self) -> Result<&Counting> {
        let counting = self.counting.get_or_init(|| match &self.config.prompt.tokenizer {
            None => Ok(Counting::Estimated),
            Some(path) => Counter::from_file(path)
                .map(|counter| Counting::Counted(Box::new(counter)))
                .map_err(|e| format!("prompt.tokenizer: {e}")),
        });
        counting.as_ref().map_err(|why| Error::Invalid(why.clone()))
    }
}

impl Conversation<'_> {
    /// Returns the prompt that a turn of this conversation would have at a point.
    ///
    /// Nothing is written.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the budget is too small (the message names the smallest one that works) or if
    ///   the message is longer than `ingest.max_message_bytes`.
    /// - [`Error::Invalid`] if the configured tokenizer cannot be read or if the user is ambiguous.
    /// - [`Error::NotFound`] if the user is an `@NAME` that the configuration does not declare.
    /// - [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn prompt(&self, inbound: &Inbound, asking: &Prompting, at: &At) -> Result<Prompt> {
        check_lengths(self.workspace, inbound)?;
        let audience = self.workspace.audience(Some(&self.session), inbound.user.as_deref())?;
        let assembling = Assembling {
            inbound,
            asking,
            audience: &audience,
            own: &[],
            said_at: inbound.said_at,
            brief: None,
            recorded: None,
        };
        let (prompt, _) = self.workspace.with_snapshot(&self.session, &audience, at, |snapshot| {
            self.assemble(&assembling, &snapshot.at())
        })?;
        prompt.map_err(|too_small| Error::Refused(too_small.to_string()))
    }

    /// Assembles a prompt from one snapshot.
    pub(crate) fn assemble(&self, assembling: &Assembling<'_>, at: &At<'_>) -> Result<Assembled> {
        let Assembling { inbound, asking, audience, own, said_at, brief, .. } = *assembling;
        let is_brief = brief.is_some();
        let is_with_owner = brief.unwrap_or_else(|| self.is_the_owners(inbound));
        let workspace = self.workspace;
        let tokens = workspace.counting()?;
        let read = workspace.read(at, audience, &self.session, |reader, point| {
            Read::new(reader, point, &self.session, audience, own)
        })?;
        let (mut zone, today) =
            workspace.zone().for_audience(audience.clone()).in_session(self.session.clone()).view(at)?;
        // The prompt is what the chat may know; the tools of the turn are the owner's.
        if is_with_owner {
            zone.home = Scope::Global;
        }
        let tools = asking.tools(workspace);
        let names: Vec<_> = tools.iter().map(|tool| tool.name).collect();
        let chars_max = workspace.config.ledger.max_context_chars;
        let rendered = |(text, shows)| Rendered { text, shows };
        let ledger = |most: usize| {
            let (branch, persona) = (read.point.branch(), read.persona.as_deref());
            rendered(context_of(&read.facts, &read.conflicts, branch, persona, most.min(chars_max)))
        };
        let notes = workspace.notes().for_audience(audience.clone()).in_session(self.session.clone());
        let indexing = notes.indexing(read.begin, at)?;
        let notes = |most: usize| rendered(indexing.message(most, &names));
        let material = Material {
            contract: Contract {
                session: (!is_with_owner).then(|| self.session.to_string()),
                user: self.user(audience).filter(|_| brief != Some(true)),
                name: inbound.name.clone().filter(|_| self.workspace.declared_name(audience).is_none()),
                today,
                is_brief,
            },
            blocks: self.blocks(audience, at)?,
            tools: tools
                .iter()
                .map(|tool| ToolLine { name: tool.name.into(), description: tool.description.into() })
                .collect(),
            skills: if is_brief { Vec::new() } else { self.skills() },
            memory: zone.context_parts(today, &names),
            ledger: Some(&ledger),
            notes: Some(&notes),
            conversation: if is_brief { Vec::new() } else { read.said },
            before: if is_brief { 0 } else { read.before },
            trigger: self.trigger(inbound, audience, said_at.unwrap_or(read.point.instant)),
            time_zone: workspace.time_zone().clone(),
        };
        let said = material.conversation.iter().map(|said| said.id).collect();
        // Others take part if somebody else is among the last speakers.
        let speaker = audience.user().map(memtape_core::User::id);
        let is_other = |said: &ShownMessage| {
            let is_same = match (said.data.user.as_deref(), speaker) {
                (Some(one), Some(other)) => one == other,
                _ => said.data.name == inbound.name,
            };
            said.data.role == "user" && !is_same
        };
        let is_group = !is_with_owner && material.conversation.iter().any(is_other);
        let recalled = Recalled::default();
        let mut finding = Finding { conversation: self, assembling, at, said, is_group, recalled };
        let budget = asking.budget.unwrap_or(workspace.config.prompt.budget);
        let prompt = prompt::assemble(&material, budget, tokens, &mut finding)?;
        if prompt.is_err() {
            // Without a prompt, the caller shows the conversation and the recalled memories only.
            let last = material.conversation.iter().rev().take(CONVERSATION_MESSAGES);
            finding.recall(&last.map(|said| said.id).collect())?;
        }
        let mut recalled = finding.recalled;
        if let Ok(prompt) = &prompt {
            recalled.left.over_budget += recalled.hits.len() - prompt.recalled.min(recalled.hits.len());
            recalled.hits.truncate(prompt.recalled);
        }
        Ok((prompt, recalled))
    }

    /// Returns whether the owner speaks, under no other name: as the caller says, otherwise at the terminal.
    fn is_the_owners(&self, inbound: &Inbound) -> bool {
        inbound.user.is_none() && inbound.is_owner.unwrap_or_else(|| self.session.is_terminal())
    }

    /// Returns the skills; those that cannot be used are reported as warnings.
    fn skills(&self) -> Vec<Skill> {
        let Found { skills, odd } = self.workspace.skills().find();
        for why in odd {
            self.workspace.store.note(Warning::SkillPassedOver { why });
        }
        skills.into_values().map(|(skill, _)| skill).collect()
    }

    /// Returns the known user who speaks: by the declared name, otherwise by the id, which users cannot
    /// choose.
    fn user(&self, audience: &Audience) -> Option<String> {
        let user = audience.user()?;
        Some(self.workspace.declared_name(audience).unwrap_or(user.id()).to_owned())
    }

    fn trigger(&self, inbound: &Inbound, audience: &Audience, at: Timestamp) -> prompt::Trigger {
        let is_the_owners = self.is_the_owners(inbound);
        let nameless = if is_the_owners { "the owner" } else { "somebody" };
        let declared = self.workspace.declared_name(audience);
        let name = declared.or(inbound.name.as_deref()).map(str::to_owned).or_else(|| self.user(audience));
        prompt::Trigger {
            kind: inbound.trigger,
            from: name.unwrap_or_else(|| nameless.to_owned()),
            text: inbound.text.clone(),
            reply_to: inbound.reply_to.clone(),
            at,
            is_the_owners,
        }
    }

    fn blocks(&self, audience: &Audience, at: &At) -> Result<Vec<Block>> {
        let blocks = self.workspace.blocks().for_audience(audience.clone()).in_session(self.session.clone());
        let shown = |listed: Listed| {
            // An empty index has no information for the model.
            if listed.is_computed && listed.value.as_deref() == Some("[]") {
                return None;
            }
            Some(Block {
                id: listed.id.filter(|_| !listed.is_computed),
                name: listed.name.to_string(),
                layer: listed.layer.number(),
                text: listed.value?,
                is_the_owners: !listed.is_computed && listed.origin.is_some_and(Origin::is_person),
                is_for_prompts: listed.quarantined.is_none()
                    && !listed.origin.is_some_and(Origin::is_foreign),
            })
        };
        Ok(blocks.list(None, at)?.into_iter().filter_map(shown).collect())
    }
}

/// The result of reading the index for a prompt.
struct Read {
    said: Vec<ShownMessage>,
    before: usize,
    /// The entry of the conversation's last anchor or of its first message, as of which the notes are shown.
    begin: Option<EntryId>,
    facts: Vec<Fact>,
    conflicts: Vec<ConflictLine>,
    persona: Option<String>,
    point: Point,
}

impl Read {
    fn new(
        reader: &Reader<'_>,
        point: &Point,
        session: &Session,
        audience: &Audience,
        own: &[EntryId],
    ) -> memtape_index::Result<Self> {
        let count = reader.spoken_count(session, point)?;
        let before = count.saturating_sub(MESSAGES) / MESSAGES_STEP * MESSAGES_STEP;
        let mut spoken = reader.spoken(session, count - before, point)?;
        spoken.reverse();
        let first = spoken.first().map(|memory| memory.id.entry());
        let retracted = reader.retracted(point);
        let mut said = Vec::with_capacity(spoken.len());
        for memory in spoken {
            let entry = memory.id.entry();
            let is_hidden = memory.sensitivity == Sensitivity::Confidential || own.contains(&entry);
            if !is_hidden && !retracted.includes(entry)? {
                said.push(ShownMessage::of(memory));
            }
        }
        let question = Question {
            audience: audience.clone(),
            confidential: Confidential::Hidden,
            form: Some(Form::LEDGER),
            ..Question::default()
        };
        let facts = reader.memories(&question, point)?.into_iter().filter_map(Fact::read).collect();
        let conflicts = open_conflicts(reader, point, audience)?;
        let branch = reader.branch(point.branch())?;
        Ok(Self {
            said,
            before,
            begin: reader.last_place(session, point)?.or(first),
            facts,
            conflicts: conflicts.iter().filter_map(conflict_line).collect(),
            persona: branch.and_then(|branch| branch.persona.clone()),
            point: point.clone(),
        })
    }
}

/// Returns an open conflict as the prompt names it; `None` if any side is confidential.
fn conflict_line(conflict: &OpenConflict) -> Option<ConflictLine> {
    let OpenConflict { ours, theirs, .. } = conflict;
    if conflict.is_confidential() {
        return None;
    }
    let may_show = ours.iter().chain(theirs).all(Memory::may_be_prompted);
    let sides = || [ours, theirs].map(|side| side.as_ref().map(|memory| memory.text.clone()));
    Some(ConflictLine { reference: conflict.version(), sides: may_show.then(sides) })
}

/// Reads the parts of a prompt that depend on what it already shows.
struct Finding<'a> {
    conversation: &'a Conversation<'a>,
    assembling: &'a Assembling<'a>,
    at: &'a At<'a>,
    /// The messages of the conversation, which are excluded from recall because there are many.
    said: BTreeSet<MemoryId>,
    /// Whether others take part in the conversation.
    is_group: bool,
    recalled: Recalled,
}

impl Volatile for Finding<'_> {
    type Error = Error;

    fn journal(&mut self, shown: &BTreeSet<MemoryId>) -> Result<Vec<String>> {
        if self.assembling.brief.is_some() {
            return Ok(Vec::new());
        }
        let workspace = self.conversation.workspace;
        let own = self.assembling.own.iter().copied();
        let without: HashSet<EntryId> = shown.iter().map(|id| id.entry()).chain(own).collect();
        // The reply is for all who take part: what somebody said elsewhere is for recall, which asks whether it matters.
        let audience = match self.assembling.audience.is_owner() {
            true => self.assembling.audience.clone(),
            false => Audience::of_chat(&self.conversation.session),
        };
        let journal =
            workspace.journal().for_audience(audience).in_session(self.conversation.session.clone());
        let mut before = None;
        let mut line = |line: &memtape_core::journal::Line| {
            let text = journal_line(line, before, workspace.time_zone());
            before = Some(calendar::day(line.date, workspace.time_zone()));
            text
        };
        Ok(journal.recent(&without, self.at)?.iter().map(&mut line).collect())
    }

    fn recall(&mut self, shown: &BTreeSet<MemoryId>) -> Result<Vec<String>> {
        let workspace = self.conversation.workspace;
        if self.assembling.brief.is_some() {
            return brief::statements(workspace, self.assembling.audience, self.at);
        }
        let max_chars = workspace.config.recall.max_prompt_chars;
        if let Some(recorded) = self.assembling.recorded {
            let unshown: Vec<_> = recorded.iter().filter(|memory| !shown.contains(&memory.id)).collect();
            let speakers = self.speakers(&unshown)?;
            return Ok(lines_of(&unshown, &speakers, workspace.time_zone(), max_chars));
        }
        let own = self.assembling.own.iter().map(|entry| MemoryId::new(*entry, 0));
        let asked = asked(self.assembling.inbound);
        // The message and the message it replies to may each be as long as a query may be.
        let query = &asked[..asked.floor_char_boundary(workspace.config.max_message_bytes)];
        // Small talk, commands and general questions recall nothing, whatever words they share with a memory.
        let needs = workspace.needs_memory(query);
        let floor = workspace.config.recall.floor;
        let is_gated = self.assembling.inbound.trigger == Trigger::Message && needs < floor;
        if is_gated
            && !workspace.knows_a_name(
                &self.assembling.inbound.text,
                &self.conversation.session,
                self.assembling.audience,
                self.at,
            )?
        {
            let note =
                format!("The message needs no memory (probability {needs:.2}, recall.floor is {floor}).");
            self.recalled = Recalled { note: Some(note), ..Recalled::default() };
            return Ok(Vec::new());
        }
        let recall = Recall {
            audience: self.assembling.audience.clone(),
            session: Some(self.conversation.session.clone()),
            budget: Some(crate::Budget { total: max_chars, each: MEMORY_CHARS }),
            unasked: true,
            without: shown.intersection(&self.said).copied().chain(own).collect(),
            // A memory that the prompt shows elsewhere is counted as recalled too.
            shown: shown.difference(&self.said).copied().collect(),
            ..Recall::new(query)
        };
        let mut recalled = workspace.recall(&recall, self.at)?;
        // Before others, what somebody said elsewhere must be about the message.
        let session = self.conversation.session.to_string();
        let is_from_elsewhere = |memory: &Memory| memory.session.as_deref() != Some(&*session);
        recalled.hits.retain(|hit| !(self.is_group && hit.terms.is_weak() && is_from_elsewhere(&hit.memory)));
        let memories: Vec<&Memory> = recalled.hits.iter().map(|hit| &hit.memory).collect();
        let speakers = self.speakers(&memories)?;
        for (hit, speaker) in recalled.hits.iter_mut().zip(speakers) {
            hit.speaker = speaker;
        }
        let lines = with_shown(&recalled, |memories| lines(memories, workspace.time_zone(), max_chars));
        recalled.left.over_budget += recalled.hits.len() - lines.len();
        recalled.hits.truncate(lines.len());
        self.recalled = recalled;
        Ok(lines)
    }
}

impl Finding<'_> {
    /// Returns the speakers of messages and, if several people take part, of the statements that were captured here: "I'll
    /// bring the cake" is not everybody's.
    fn speakers(&self, memories: &[&Memory]) -> Result<Vec<Option<String>>> {
        let spoken = memories.iter().map(|memory| said(memory).0);
        if !self.is_group {
            return Ok(spoken.collect());
        }
        let session = self.conversation.session.to_string();
        self.conversation.workspace.read(
            self.at,
            self.assembling.audience,
            &self.conversation.session,
            |reader, _| {
                let speaker = |memory: &Memory| -> memtape_index::Result<Option<String>> {
                    let data = StoredStatement::data(memory);
                    let from = data.and_then(|data| data.from?.parse::<Ref>().ok());
                    let is_here = memory.session.as_deref() == Some(&*session);
                    let entry = from.filter(|_| is_here).and_then(|from| from.key.parse().ok());
                    let Some(entry) = entry else { return Ok(said(memory).0) };
                    Ok(message_data(reader, entry)?.map(|data| data.speaker().to_owned()))
                };
                memories.iter().map(|memory| speaker(memory)).collect()
            },
        )
    }
}

/// Returns the lines of memories that a turn recorded as recalled.
fn lines_of(
    memories: &[&Memory],
    speakers: &[Option<String>],
    zone: &TimeZone,
    max_chars: usize,
) -> Vec<String> {
    let labels: Vec<_> = memories
        .iter()
        .zip(speakers)
        .map(|(memory, speaker)| (kind_of(memory, speaker.as_deref()), memory.version()))
        .collect();
    let shown = memories.iter().zip(&labels).map(|(memory, (what, reference))| prompt::Recalled {
        what,
        said_at: memory.said_at.unwrap_or(memory.created_at),
        reference,
        text: &memory.text,
    });
    lines(&shown.collect::<Vec<_>>(), zone, max_chars)
}

/// Calls a closure with memories in the form that a prompt shows.
pub(crate) fn with_shown<T>(recalled: &Recalled, act: impl FnOnce(&[prompt::Recalled<'_>]) -> T) -> T {
    let whats: Vec<String> = recalled.hits.iter().map(what).collect();
    let shown = recalled.hits.iter().zip(&whats).map(|(hit, what)| prompt::Recalled {
        what,
        said_at: hit.memory.said_at.unwrap_or(hit.memory.created_at),
        reference: &hit.reference,
        text: &hit.memory.text,
    });
    act(&shown.collect::<Vec<_>>())
}

/// Returns the query of a turn: the message and the message it replies to.
fn asked(inbound: &Inbound) -> String {
    match &inbound.reply_to {
        Some(reply_to) => format!("{}\n{reply_to}", inbound.text),
        None => inbound.text.clone(),
    }
}
