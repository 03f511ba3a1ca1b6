//! Captures statements from a turn: what is said, whose it is, and what is only an echo of the prompt.

use std::borrow::Cow;
use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_capture::{Candidate, Correction, Corrects, Ending, Forget, Left, Limits, Reading, Role, Why};
use memtape_core::echo::Shown;
use memtape_core::forms::messages::StoredMessage;
use memtape_core::forms::statements::entry::{CORRECTED, REST};
use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::forms::statements::{NewFact, Outcome, Source, Statement};
use memtape_core::turn::{Trigger, message_of};
use memtape_core::{
    Audience, Category, Context, Form, Layer, Lifetime, Memory, Origin, Point, Ref, Scope, Sensitivity, User,
    calendar, prompt,
};
use memtape_index::{Confidential, Question, Reader};

use super::place::{PROJECT_CHANNEL, Place, is_of_person};
use super::{Before, Captured, FinishedTurn, Inbound, NotKept, Reason, Reply};
use crate::conversation::Conversation;
use crate::inbound::CONVERSATION_MESSAGES;
use crate::recall::speaker;
use crate::statements::held;

/// Maximum number of clauses of a message that are looked up.
const CANDIDATES_MAX: usize = 100;

/// What capture found in a turn: in the user's message and, if configured, in the agent's reply.
pub(super) struct Capture<'a> {
    conversation: &'a Conversation<'a>,
    before: &'a Before,
    /// The message, without secrets.
    text: String,
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
    pub(super) accepted: Vec<NewFact>,
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
        let own = inbound.offset.map(jiff::tz::Offset::to_time_zone);
        let time_zone = own.unwrap_or_else(|| workspace.time_zone().clone());
        let day = calendar::day(before.said_at, &time_zone);
        let mut read =
            Self { conversation, before, text, day, time_zone, spoken: Vec::new(), withheld: None };
        // A perch or a job is not a message of a person.
        let is_said = inbound.trigger == Trigger::Message;
        if let Some(why) = withholding(conversation) {
            read.withheld = is_said.then(|| NotKept { text: memtape_capture::shown(&inbound.text), why });
            return read;
        }
        // The limit applies only to new statements, and which are new is not known yet.
        let limits = Limits {
            min_confidence: config.min_confidence,
            min_importance: config.min_importance,
            max_entries: CANDIDATES_MAX,
        };
        if is_said {
            let reading = memtape_capture::read(&inbound.text, Role::User, day, &workspace.meaning);
            let reading = memtape_capture::select(reading, &limits);
            read.spoken.push(Spoken { reading, origin: Origin::User });
        }
        if let Some(text) = reply.text.as_deref().filter(|_| config.assistant) {
            let reading = memtape_capture::read(text, Role::Assistant, day, &workspace.meaning);
            let reading = memtape_capture::select(reading, &limits);
            read.spoken.push(Spoken { reading, origin: spoken_by });
        }
        read
    }

    /// Returns whether there is nothing to write, whatever is remembered.
    pub(super) fn is_empty(&self) -> bool {
        let says_nothing = |spoken: &Spoken| {
            let Reading { candidates, forgets, is_unwanted, corrects, .. } = &spoken.reading;
            let Reading { forgets_last, forgets_all, forgets_today, .. } = &spoken.reading;
            let corrects = *corrects != Corrects::Nothing;
            let forgets = !forgets.is_empty() || *forgets_last || *forgets_all || *forgets_today;
            candidates.is_empty() && !forgets && !is_unwanted && !corrects
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
        let mut candidates = Vec::new();
        for spoken in &self.spoken {
            let new_fact = |candidate| (candidate, self.new_fact(candidate, spoken.origin, ctx));
            candidates.extend(spoken.reading.candidates.iter().map(new_fact));
        }
        let all: Vec<NewFact> = candidates.iter().map(|(_, new_fact)| new_fact.clone()).collect();
        let held = held(reader, point, &all, self.before.audience.is_owner(), ctx)?;
        let session = ctx.session.to_string();
        let stands = |new_fact: &NewFact| new_fact.repeated(&held, &session).is_some();
        let is_echo = |new_fact: &NewFact| match new_fact.origin {
            // A user who repeats a current statement confirms it; a repetition by an agent proves nothing.
            Origin::User => shown.holds_for_user(&new_fact.statement.text) && !stands(new_fact),
            _ => shown.holds(&new_fact.statement.text),
        };
        let (echoes, candidates): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|(_, new_fact)| is_echo(new_fact));
        // A candidate that exists already does not count towards the limit.
        let new =
            candidates.iter().filter(|(_, new_fact)| !stands(new_fact)).map(|(candidate, _)| *candidate);
        let config = &self.conversation.workspace.config.capture;
        let mut kept = memtape_capture::most_important(new, config.max_entries).into_iter();
        let mut chosen = Chosen::default();
        chosen.dropped.extend(self.withheld.clone());
        for (candidate, new_fact) in candidates {
            if stands(&new_fact) || kept.next().unwrap_or(false) {
                let number = chosen.accepted.len();
                let is_doubtful = candidate.confidence < config.min_confidence;
                let ending = candidate.ended.as_deref().and_then(Ending::ended);
                chosen.accepted.push(new_fact);
                chosen.rules.push(candidate.rule.clone());
                chosen.ended.extend(ending.map(|ending| Ended { ending, by: Some(number) }));
                chosen.doubtful.extend(is_doubtful.then_some(number));
                chosen
                    .corrections
                    .extend((candidate.corrects && !is_doubtful).then(|| candidate.text.clone()));
            } else {
                chosen
                    .dropped
                    .push(NotKept { text: new_fact.statement.text, why: Reason::Read(Why::TooMany) });
            }
        }
        let echoes = echoes.into_iter().map(|(_, new_fact)| (new_fact.statement.text, Reason::Echo));
        let dropped = self.spoken.iter().flat_map(|spoken| &spoken.reading.dropped);
        let dropped = dropped.map(|dropped| (dropped.text.clone(), Reason::Read(dropped.why)));
        chosen.dropped.extend(echoes.chain(dropped).map(|(text, why)| NotKept { text, why }));
        Ok(chosen)
    }

    /// Returns the speaker's statements that hold no longer: those that a captured statement says have ended, and those
    /// that they ask to forget. If only a part of a statement is named, the rest of it is chosen as a new one. What is chosen
    /// only because it ends something is dropped if it ends nothing. Statements that were said after `until` hold.
    pub(super) fn statements_to_remove(
        &self,
        chosen: &mut Chosen,
        until: Option<Timestamp>,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Vec<Memory>> {
        let forgets = self.of_user().flat_map(|reading| &reading.forgets).filter_map(Ending::asked);
        let forgets = forgets.map(|ending| Ended { ending, by: None });
        let endings: Vec<Ended> = std::mem::take(&mut chosen.ended).into_iter().chain(forgets).collect();
        let mut doubtful = std::mem::take(&mut chosen.doubtful);
        let spoken = self.spoken_before(reader, point)?;
        let corrects = self.correction(&spoken);
        let last = self.last_message(&spoken, corrects.is_some(), reader)?;
        let is_all = self.of_user().any(|reading| reading.forgets_all);
        let is_today = self.of_user().any(|reading| reading.forgets_today);
        let is_asked = is_all || is_today || self.of_user().any(|reading| reading.forgets_last);
        if endings.is_empty()
            && doubtful.is_empty()
            && chosen.corrections.is_empty()
            && last.is_none()
            && !is_asked
        {
            return Ok(Vec::new());
        }
        let corrections: Vec<Correction> =
            chosen.corrections.iter().map(|correction| Correction::of(correction)).collect();
        let is_replaced = |text: &str| corrections.iter().any(|correction| correction.replaces(text));
        let audience = &self.before.audience;
        let chat = Scope::of_chat(&self.conversation.session);
        let question = Question {
            audience: audience.clone(),
            confidential: Confidential::Hidden,
            form: Some(Form::STATEMENTS),
            ..Question::default()
        };
        let session = self.conversation.session.to_string();
        let kept: Vec<String> =
            (chosen.accepted.iter()).map(|new_fact| new_fact.slots(&session).visible).collect();
        let speaker = self.speaker(reader)?;
        let is_later = |memory: &Memory| until.zip(memory.said_at).is_some_and(|(until, at)| at > until);
        let mut removed = Vec::new();
        let mut of_last: Vec<Memory> = Vec::new();
        for memory in reader.memories(&question, point)? {
            if kept.contains(&memory.key) || is_later(&memory) {
                continue;
            }
            let is_of_last = match &last {
                Some(last) => is_of_message(reader, &memory, last)?,
                None => false,
            };
            let is_of_day = |at: Timestamp| calendar::day(at, &self.time_zone) == self.day;
            let is_of_today = is_today && memory.said_at.is_some_and(is_of_day);
            let left = match is_all || is_of_today || is_of_last || is_replaced(&memory.text) {
                true => Some((Left::Nothing, Vec::new())),
                false => left_by(&endings, &memory.text),
            };
            let Some((left, by)) = left else { continue };
            let scope = Scope::from_label(&memory.scope);
            // The user layer of an audience is the speaker's, by whatever name. In a chat, others speak too.
            let is_own = scope.as_ref().is_some_and(|scope| scope.layer() == Layer::User)
                || scope == Some(chat.clone())
                    && speaker.is_some()
                    && first_said_by(reader, &memory, audience, point)? == speaker;
            if !is_own {
                continue;
            }
            if is_of_last && corrects.is_some() {
                of_last.push(memory);
                continue;
            }
            if let Left::Rest(rest) = left {
                let Some(rest) = with_text(&memory, rest, REST) else { continue };
                chosen.accepted.push(rest);
                chosen.rules.push(REST.to_owned());
            }
            removed.push(memory);
            doubtful.retain(|number| !by.contains(number));
        }
        for number in doubtful.into_iter().rev() {
            let text = chosen.accepted.remove(number).statement.text;
            chosen.rules.remove(number);
            chosen.dropped.push(NotKept { text, why: Reason::Read(Why::LowConfidence) });
        }
        let corrected = corrects.and_then(|correction| self.correct(correction, of_last, chosen));
        removed.extend(corrected);
        self.report_nothing_to_forget(&removed, chosen);
        Ok(removed)
    }

    /// Chooses the statement that a correction means, with the correction, and returns the one without it.
    fn correct(&self, correction: &str, of_last: Vec<Memory>, chosen: &mut Chosen) -> Option<Memory> {
        let memory = self.corrected(correction, of_last)?;
        let date = StoredStatement::data(&memory).and_then(|data| data.date);
        let (text, date) = memtape_capture::corrected(&memory.text, date, correction, self.day);
        let mut corrected = with_text(&memory, text, CORRECTED)?;
        corrected.statement.date = date;
        chosen.accepted.push(corrected);
        chosen.rules.push(CORRECTED.to_owned());
        Some(memory)
    }

    /// Reports the requests to forget that remove nothing. A request may have been read in two ways, as a whole and in parts:
    /// if none removes anything, only the first is reported, and otherwise none that overlaps one that does.
    fn report_nothing_to_forget(&self, removed: &[Memory], chosen: &mut Chosen) {
        let asked = || self.of_user().flat_map(|reading| &reading.forgets);
        let removes = |forget: &&Forget| {
            let ending = Ending::asked(forget);
            ending.is_some_and(|ending| removed.iter().any(|memory| ending.left_of(&memory.text).is_some()))
        };
        let done: Vec<&Forget> = asked().filter(removes).collect();
        let is_other = |forget: &&Forget| {
            let overlaps =
                |other: &&Forget| other.text.contains(&forget.text) || forget.text.contains(&other.text);
            !done.iter().any(overlaps)
        };
        let wide = self.of_user().find_map(|reading| match reading {
            Reading { forgets_all: true, .. } => Some("everything"),
            Reading { forgets_today: true, .. } => Some("what was said today"),
            reading => reading.forgets_last.then_some("what was said before"),
        });
        let open: Vec<&str> = match removed.is_empty() {
            true => asked().next().map(|forget| &*forget.text).or(wide).into_iter().collect(),
            false => asked().filter(is_other).map(|forget| &*forget.text).collect(),
        };
        chosen.dropped.extend(
            open.into_iter()
                .map(|text| NotKept { text: memtape_capture::shown(text), why: Reason::NothingToForget }),
        );
    }

    /// Returns the messages before this one, if the speaker asks to forget or may correct one of them.
    fn spoken_before(&self, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Cow<'_, [Memory]>> {
        let concerns = |reading: &Reading| reading.forgets_last || reading.corrects != Corrects::Nothing;
        let Some(own) = self.before.message.filter(|_| self.of_user().any(concerns)) else {
            return Ok(Cow::Borrowed(&[]));
        };
        // An imported message has no prompt.
        if self.before.begin == 0 {
            let session = &self.conversation.session;
            return Ok(Cow::Owned(reader.spoken_before(own, session, CONVERSATION_MESSAGES, point)?));
        }
        Ok(Cow::Borrowed(&self.before.spoken))
    }

    /// Returns the message, if it is nothing but a correction of the one before it, or may be: "no, 24". What may be one is none
    /// if it answers a question of the agent.
    fn correction(&self, spoken: &[Memory]) -> Option<&str> {
        let is_correction = match self.of_user().next()?.corrects {
            Corrects::Nothing => false,
            Corrects::Perhaps => !self.answers(spoken),
            Corrects::Certainly => true,
        };
        is_correction.then_some(&*self.text)
    }

    /// Returns whether the message before this one is of the agent and ends with a question.
    fn answers(&self, spoken: &[Memory]) -> bool {
        let own = self.before.message;
        let earlier = spoken.iter().filter(|memory| own.is_none_or(|own| memory.id.entry() < own));
        let last = earlier.max_by_key(|memory| memory.id.entry());
        let is_mark = |c: char| matches!(c, '?' | '？');
        last.is_some_and(|memory| {
            let text = memory.text.trim_end_matches(|c: char| !c.is_alphanumeric() && !is_mark(c));
            memory.origin != Some(Origin::User) && text.ends_with(is_mark)
        })
    }

    /// Returns the one of the statements of the message before that a correction means: that with a value like the corrected
    /// one, or the only one.
    fn corrected(&self, correction: &str, statements: Vec<Memory>) -> Option<Memory> {
        let is_certain = self.of_user().any(|reading| reading.corrects == Corrects::Certainly);
        let is_only = statements.len() == 1;
        let like = |statement: &Memory| {
            memtape_capture::may_correct(&statement.text, correction, is_only && is_certain)
        };
        let mut meant = statements.into_iter().filter(like);
        let one = meant.next()?;
        meant.next().is_none().then_some(one)
    }

    /// Returns what was read in the messages of the speaker.
    fn of_user(&self) -> impl Iterator<Item = &Reading> {
        self.spoken.iter().filter(|spoken| spoken.origin == Origin::User).map(|spoken| &spoken.reading)
    }

    /// Returns the message of the speaker before this one, if the speaker asks to forget or corrects it.
    fn last_message(
        &self,
        spoken: &[Memory],
        is_corrected: bool,
        reader: &Reader<'_>,
    ) -> memtape_index::Result<Option<String>> {
        if !self.of_user().any(|reading| reading.forgets_last) && !is_corrected {
            return Ok(None);
        }
        let (Some(own), Some(speaker)) = (self.before.message, self.speaker(reader)?) else {
            return Ok(None);
        };
        let earlier = spoken.iter().filter(|memory| memory.id.entry() < own);
        let own = earlier
            .filter(|memory| memory.origin == Some(Origin::User))
            .filter(|memory| StoredMessage::data(memory).speaker() == speaker);
        let last = own.max_by_key(|memory| memory.id.entry());
        // "Forget that" after a question withdraws the question.
        let is_that = self.of_user().any(|reading| reading.forgets_that);
        let last = last.filter(|last| !is_that || !memtape_capture::ends_with_request(&last.text));
        Ok(last.map(|last| Ref::of_message(last.id.entry()).to_string()))
    }

    /// Returns the speaker of the message; `None` if the message is not known.
    fn speaker(&self, reader: &Reader<'_>) -> memtape_index::Result<Option<String>> {
        self.before.message.map_or(Ok(None), |message| speaker(reader, message))
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
    fn new_fact(&self, candidate: &Candidate, origin: Origin, ctx: &Context) -> NewFact {
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
        NewFact {
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
            },
            scope,
            origin,
            sensitivity: Sensitivity::Normal,
        }
    }
}

/// Returns a statement with another text, as a new one that a rule made; `None` if its data cannot be read.
fn with_text(memory: &Memory, text: String, rule: &str) -> Option<NewFact> {
    let StoredStatement { data, memory } = StoredStatement::read(memory.clone())?;
    let statement = Statement {
        text,
        category: memory.category.unwrap_or(Category::Fact),
        importance: memory.importance.unwrap_or_default(),
        confidence: memory.confidence.unwrap_or_default(),
        source: data.source,
        lifetime: memory.lifetime,
        said_at: memory.said_at.unwrap_or(data.since),
        since: Some(data.since),
        expires_at: memory.expires_at,
        date: data.date,
        from: data.from,
        place: None,
        rule: Some(rule.to_owned()),
    };
    let scope = Scope::from_label(&memory.scope)?;
    Some(NewFact { statement, scope, origin: Origin::User, sensitivity: memory.sensitivity })
}

/// Returns what a message's endings leave of a statement, and the numbers of the new statements that they are from; `None`
/// if all of it still holds.
fn left_by(endings: &[Ended], statement: &str) -> Option<(Left, Vec<usize>)> {
    let (mut left, mut by) = (None, Vec::new());
    for Ended { ending, by: number } in endings {
        let text = match &left {
            Some(Left::Nothing) => break,
            Some(Left::Rest(rest)) => rest,
            None => statement,
        };
        if let Some(remains) = ending.left_of(text) {
            left = Some(remains);
            by.extend(*number);
        }
    }
    left.map(|left| (left, by))
}

/// Returns whether a statement was captured from a message, or corrected by it.
fn is_of_message(reader: &Reader<'_>, memory: &Memory, message: &str) -> memtape_index::Result<bool> {
    let Some(data) = StoredStatement::data(memory) else { return Ok(false) };
    if data.from.as_deref() == Some(message) || data.rule.as_deref() != Some(CORRECTED) {
        return Ok(data.from.as_deref() == Some(message));
    }
    let turn = reader.turn_with(memory.id.entry())?;
    Ok(turn.is_some_and(|begin| Ref::of_message(message_of(begin)).to_string() == message))
}

/// Returns the speaker of the message that a statement was first captured from; `None` if it is unknown. Who only repeats what
/// another said does not become its author.
fn first_said_by(
    reader: &Reader<'_>,
    memory: &Memory,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<Option<String>> {
    let Some(since) = StoredStatement::data(memory).map(|data| data.since) else { return Ok(None) };
    let versions = reader.versions(&memory.reference(), audience, point)?;
    let mut said = versions.iter().filter_map(StoredStatement::data);
    let from = said.find(|data| data.since == since).and_then(|data| data.from);
    let message = from.and_then(|from| from.parse::<Ref>().ok()).and_then(|from| from.key.parse().ok());
    message.map_or(Ok(None), |entry| speaker(reader, entry))
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
    pub(super) fn of(new_fact: NewFact, rule: String, outcome: Outcome) -> Self {
        let NewFact { statement, scope, .. } = new_fact;
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
