//! Captures statements from a turn: what is said, whose it is, and what is only an echo of the prompt.

mod removing;

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_capture::{Candidate, Corrects, Ending, Limits, Reading, Role, Why};
use memtape_core::echo::{Said, Shown};
use memtape_core::forms::statements::{NewStatement, Outcome, Retention, Source, Statement, View};
use memtape_core::turn::Trigger;
use memtape_core::{
    Category, Context, Form, Layer, Lifetime, Origin, Point, Ref, Scope, Sensitivity, User, calendar, prompt,
};
use memtape_index::Reader;

use super::place::{Place, is_of_person};
use super::{Before, Captured, FinishedTurn, Inbound, NotKept, Reason, Reply};
use crate::conversation::Conversation;
use crate::project::PROJECT_CHANNEL;
use crate::statements::held;

/// Maximum number of clauses of a message that are looked up.
const CANDIDATES_MAX: usize = 100;

/// What capture found in a turn: in the user's message and, if configured, in the agent's reply.
pub(super) struct Capture<'a> {
    conversation: &'a Conversation<'a>,
    before: &'a Before,
    /// The message, without secrets.
    text: String,
    /// The same of the message that it replies to.
    reply_to: Option<String>,
    /// The day of the message.
    day: Date,
    /// The time zone of that day.
    time_zone: TimeZone,
    spoken: Vec<Spoken>,
    /// The message, if the configuration excludes it from capture.
    withheld: Option<NotKept>,
}

/// What capture found in one side of a turn.
struct Spoken {
    reading: Reading,
    origin: Origin,
}

/// The statements to write, each with the rule that found it, and the clauses that are dropped.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) accepted: Vec<NewStatement>,
    pub(super) rules: Vec<String>,
    /// What the statements say has ended.
    ended: Vec<Ended>,
    /// The numbers of the statements that are kept only if they end others: they are less certain than the configuration
    /// demands.
    doubtful: BTreeSet<usize>,
    /// The texts of the statements that announce a correction.
    pub(super) corrections: Vec<String>,
    pub(super) dropped: Vec<NotKept>,
}

/// What a statement says has ended.
struct Ended {
    ending: Ending,
    /// The number of the statement; `None` if the speaker asks to forget it.
    by: Option<usize>,
}

impl Chosen {
    /// Drops the statements that were said so long ago that they have expired since.
    pub(super) fn drop_expired(&mut self, retention: &Retention, said_at: Timestamp, now: Timestamp) {
        let chosen = std::mem::take(&mut self.accepted).into_iter().zip(std::mem::take(&mut self.rules));
        for (new, rule) in chosen {
            let Statement { category, lifetime, expires_at, .. } = new.statement;
            let end = expires_at.or_else(|| retention.end(category, lifetime, said_at));
            if end.is_some_and(|end| end <= now) {
                self.dropped.push(NotKept { text: new.statement.text, why: Reason::Expired });
            } else {
                self.accepted.push(new);
                self.rules.push(rule);
            }
        }
    }
}

impl<'a> Capture<'a> {
    /// Reads a turn, as far as its channel and the configuration allow.
    pub(super) fn read(
        conversation: &'a Conversation<'a>,
        inbound: &Inbound,
        before: &'a Before,
        reply: &Reply,
        spoken_by: Origin,
    ) -> Self {
        let workspace = conversation.workspace;
        let config = &workspace.config.capture;
        let text = workspace.clean(inbound.text.trim()).into_owned();
        let reply_to = inbound.reply_to.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let reply_to = reply_to.map(|text| workspace.clean(text).into_owned());
        let own = inbound.offset.map(jiff::tz::Offset::to_time_zone);
        let time_zone = own.unwrap_or_else(|| workspace.time_zone().clone());
        let day = calendar::day(before.said_at, &time_zone);
        let mut read =
            Self { conversation, before, text, reply_to, day, time_zone, spoken: Vec::new(), withheld: None };
        // A perch or a job is not a message of a person.
        let is_said = inbound.trigger == Trigger::Message;
        let withheld = withholding(conversation);
        // The limit applies only to new statements, and which are new is not known yet.
        let limits = Limits {
            min_confidence: config.min_confidence,
            min_importance: config.min_importance,
            max_entries: CANDIDATES_MAX,
        };
        if is_said {
            let reading = memtape_capture::read(&inbound.text, Role::User, day, &workspace.meaning);
            let mut reading = memtape_capture::select(reading, &limits);
            if let Some(why) = withheld {
                // What people ask to forget, or not to keep, does not depend on what is captured.
                let is_request = reading.candidates.is_empty() && (reading.is_unwanted || forgets(&reading));
                let not_kept = || NotKept { text: memtape_capture::shown(&inbound.text), why };
                read.withheld = (!is_request).then(not_kept);
                reading.candidates.clear();
                reading.corrects = Corrects::Nothing;
                reading.dropped.retain(|dropped| matches!(dropped.why, Why::Unwanted | Why::UnclearRequest));
            }
            read.spoken.push(Spoken { reading, origin: Origin::User });
        }
        let captures_reply = config.assistant && withheld.is_none();
        if let Some(text) = reply.text.as_deref().filter(|_| captures_reply) {
            let reading = memtape_capture::read(text, Role::Assistant, day, &workspace.meaning);
            let reading = memtape_capture::select(reading, &limits);
            read.spoken.push(Spoken { reading, origin: spoken_by });
        }
        read
    }

    /// Returns whether there is nothing to write, whatever is remembered.
    pub(super) fn is_empty(&self) -> bool {
        let says_nothing = |spoken: &Spoken| {
            let Reading { candidates, is_unwanted, corrects, .. } = &spoken.reading;
            let corrects = *corrects != Corrects::Nothing;
            candidates.is_empty() && !forgets(&spoken.reading) && !is_unwanted && !corrects
        };
        self.spoken.iter().all(says_nothing)
    }

    /// Returns what the prompt contained: its system part, the recalled memories, the message replied to, and
    /// the conversation. It stays empty if there is nothing to capture, as in most turns.
    pub(super) fn shown(&self, inbound: &Inbound, turn: &FinishedTurn) -> Shown {
        let mut shown = Shown::default();
        if self.spoken.iter().all(|spoken| spoken.reading.candidates.is_empty()) {
            return shown;
        }
        shown.add(prompt::OPEN);
        shown.add(&self.before.system);
        let recalled = turn.recalled.hits.iter().map(|hit| &hit.memory);
        // The message itself is what is captured from.
        let own = self.before.message;
        let spoken = self.before.spoken.iter().filter(|memory| Some(memory.id.entry()) != own);
        for memory in recalled.chain(spoken) {
            match (memory.form, memory.origin) {
                (Form::MESSAGES, Some(Origin::User)) => shown.add_of_user(&memory.text),
                _ => shown.add(&memory.text),
            }
        }
        match inbound.trigger {
            Trigger::Message => shown.add_of_user(&inbound.text),
            Trigger::Perch | Trigger::Cron => shown.add(&inbound.text),
        }
        if let Some(reply_to) = &inbound.reply_to {
            shown.add(reply_to);
        }
        shown
    }

    /// Chooses the candidates to write: those that are no echo of the prompt and, of the new ones, the most
    /// important.
    pub(super) fn choose(
        &self,
        shown: &Shown,
        reader: &Reader<'_>,
        point: &Point,
        ctx: &Context,
    ) -> memtape_index::Result<Chosen> {
        let (candidates, held) = self.candidates(reader, point, ctx)?;
        let session = ctx.session.to_string();
        let stands = |new_statement: &NewStatement| new_statement.repeated(&held, &session).is_some();
        let is_echo = |candidate: &Candidate, new_statement: &NewStatement| {
            let said = Said { text: &candidate.text, date: candidate.date, is_cut: candidate.is_cut };
            match new_statement.origin {
                // A user who repeats a current statement confirms it; a repetition by an agent proves nothing.
                Origin::User => shown.holds_for_user(&said) && !stands(new_statement),
                _ => shown.holds(&said),
            }
        };
        let (echoes, candidates): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|(candidate, new_statement)| is_echo(candidate, new_statement));
        // A candidate that exists already does not count towards the limit.
        let new = candidates
            .iter()
            .filter(|(_, new_statement)| !stands(new_statement))
            .map(|(candidate, _)| *candidate);
        let config = &self.conversation.workspace.config.capture;
        let mut kept = memtape_capture::most_important(new, config.max_entries).into_iter();
        let mut chosen = Chosen::default();
        chosen.dropped.extend(self.withheld.clone());
        for (candidate, new_statement) in candidates {
            let is_doubtful = candidate.confidence < config.min_confidence;
            let ending = candidate.ended.as_deref().and_then(Ending::ended);
            if stands(&new_statement) || kept.next().unwrap_or(false) {
                let number = chosen.accepted.len();
                chosen.accepted.push(new_statement);
                chosen.rules.push(candidate.rule.clone());
                chosen.ended.extend(ending.map(|ending| Ended { ending, by: Some(number) }));
                chosen.doubtful.extend(is_doubtful.then_some(number));
                chosen
                    .corrections
                    .extend((candidate.corrects && !is_doubtful).then(|| candidate.text.clone()));
            } else {
                // What has ended holds no longer, whether or not there is room for the statement that says so.
                let ending = ending.filter(|_| !is_doubtful);
                chosen.ended.extend(ending.map(|ending| Ended { ending, by: None }));
                chosen
                    .dropped
                    .push(NotKept { text: new_statement.statement.text, why: Reason::Read(Why::TooMany) });
            }
        }
        let echoes =
            echoes.into_iter().map(|(_, new_statement)| (new_statement.statement.text, Reason::Echo));
        let dropped = self.spoken.iter().flat_map(|spoken| &spoken.reading.dropped);
        let dropped = dropped.map(|dropped| (dropped.text.clone(), Reason::Read(dropped.why)));
        chosen.dropped.extend(echoes.chain(dropped).map(|(text, why)| NotKept { text, why }));
        Ok(chosen)
    }

    /// Returns the candidates as statements, and the current statements in their slots. One that the person has said by another
    /// id that the configuration declares for them has the scope of that id.
    fn candidates(
        &self,
        reader: &Reader<'_>,
        point: &Point,
        ctx: &Context,
    ) -> memtape_index::Result<(Vec<(&Candidate, NewStatement)>, View)> {
        let mut candidates = Vec::new();
        for spoken in &self.spoken {
            let new_statement = |candidate| (candidate, self.new_statement(candidate, spoken.origin, ctx));
            candidates.extend(spoken.reading.candidates.iter().map(new_statement));
        }
        let scopes = self.user_scopes();
        let by_each_id = |new_statement: &NewStatement| -> Vec<NewStatement> {
            let is_other =
                |scope: &&Scope| new_statement.scope.layer() == Layer::User && **scope != new_statement.scope;
            let others = scopes.iter().filter(is_other).cloned();
            let others = others.map(|scope| NewStatement { scope, ..new_statement.clone() });
            std::iter::once(new_statement.clone()).chain(others).collect()
        };
        let all: Vec<_> =
            candidates.iter().flat_map(|(_, new_statement)| by_each_id(new_statement)).collect();
        let held = held(reader, point, &all, self.before.audience.is_owner(), ctx)?;
        let session = ctx.session.to_string();
        for (_, new_statement) in &mut candidates {
            let mut same = by_each_id(new_statement).into_iter();
            if let Some(standing) = same.find(|same| same.repeated(&held, &session).is_some()) {
                *new_statement = standing;
            }
        }
        Ok((candidates, held))
    }

    /// Returns the scopes of the speaker: one for each id that the configuration declares for them.
    fn user_scopes(&self) -> Vec<Scope> {
        self.before.audience.clone().only(Layer::User).scopes().unwrap_or_default()
    }

    /// Returns what was read in the messages of the speaker.
    fn of_user(&self) -> impl Iterator<Item = &Reading> {
        self.spoken.iter().filter(|spoken| spoken.origin == Origin::User).map(|spoken| &spoken.reading)
    }

    /// Returns whether the speaker asks not to keep what the message says.
    pub(super) fn is_unwanted(&self) -> bool {
        self.of_user().any(|reading| reading.is_unwanted)
    }

    /// Returns where the message was said.
    fn place(&self) -> Place {
        let session = &self.conversation.session;
        let is_own = |user: &User| user.channel() == session.channel() && user.id() == session.chat();
        match session.channel() {
            PROJECT_CHANNEL => Place::Project,
            _ if session.is_terminal() || self.before.audience.user().is_some_and(is_own) => Place::Own,
            _ => Place::Shared,
        }
    }

    /// Returns a candidate as a statement. Wishes for this once and decisions belong to the chat, and so does what others
    /// are not to be told, and what is said of a group or of the project of a chat; what people say of themselves belongs to
    /// them if they are known.
    fn new_statement(&self, candidate: &Candidate, origin: Origin, ctx: &Context) -> NewStatement {
        let chat = Scope::of_chat(&self.conversation.session);
        // What changes a life is a fact of it: it outdates others, which follow the person.
        let changes = candidate.category == Category::Episodic
            && !candidate.is_confided
            && origin == Origin::User
            && memtape_capture::changes_life(&candidate.text);
        let category = if changes { Category::Fact } else { candidate.category };
        let of_user = matches!(category, Category::Preference | Category::Fact)
            && !candidate.session_only
            && !candidate.is_confided
            && origin == Origin::User
            && (changes && self.place() != Place::Project
                || is_of_person(&candidate.text, category, self.place()));
        let user = self.before.audience.clone().only(Layer::User).home().ok();
        let scope = if of_user { user.unwrap_or(chat) } else { chat };
        let lifetime = if candidate.session_only { Lifetime::Session } else { Lifetime::Permanent };
        NewStatement {
            statement: Statement {
                text: candidate.text.clone(),
                category,
                importance: candidate.importance,
                confidence: candidate.confidence,
                source: Source::AutoHeuristic,
                lifetime,
                said_at: if origin == Origin::User { self.before.said_at } else { ctx.now },
                since: None,
                expires_at: None,
                date: candidate.date,
                from: self.before.message.map(|message| Ref::of_message(message).to_string()),
                place: None,
                rule: Some(candidate.rule.clone()),
                signs: false,
            },
            scope,
            origin,
            sensitivity: Sensitivity::Normal,
        }
    }
}

/// Returns whether a message asks to forget something.
fn forgets(reading: &Reading) -> bool {
    let Reading { forgets, forgets_last, forgets_all, forgets_today, .. } = reading;
    !forgets.is_empty() || *forgets_last || *forgets_all || *forgets_today
}

/// Returns why the configuration excludes a conversation from capture; `None` if it does not.
fn withholding(conversation: &Conversation<'_>) -> Option<Reason> {
    let config = &conversation.workspace.config.capture;
    match () {
        () if !config.enabled => Some(Reason::Off),
        () if !config.channels.hold(conversation.session.channel()) => Some(Reason::Channel),
        () => None,
    }
}

impl Captured {
    /// Returns the outcome of a statement that was written.
    pub(super) fn of(new_statement: NewStatement, rule: String, outcome: Outcome) -> Self {
        let NewStatement { statement, scope, .. } = new_statement;
        Self {
            outcome,
            text: statement.text,
            category: statement.category,
            scope,
            lifetime: statement.lifetime,
            importance: statement.importance,
            confidence: statement.confidence,
            rule,
        }
    }
}
