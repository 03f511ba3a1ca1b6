//! Removes what the speaker says has ended, asks to forget or corrects.

use std::collections::BTreeSet;

use jiff::Timestamp;
use memtape_capture::{Correction, Corrects, Ending, Forget, Left, Reading, Why};
use memtape_core::forms::messages::StoredMessage;
use memtape_core::forms::messages::entry::MessageData;
use memtape_core::forms::statements::entry::{CORRECTED, REST};
use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::forms::statements::{NewStatement, Statement};
use memtape_core::turn::message_of;
use memtape_core::{Audience, Category, Form, Layer, Memory, Origin, Point, Ref, Scope, calendar};
use memtape_index::{Confidential, Question, Reader};

use super::{Capture, Chosen, Ended};
use crate::recall::message_data;
use crate::turn::{NotKept, Reason};

/// Maximum number of messages of the conversation among which the one that is to be forgotten or corrected is looked for.
const EARLIER_MAX: usize = 400;

impl Capture<'_> {
    /// Returns the speaker's statements that hold no longer: those that a captured statement says have ended, and those
    /// that they ask to forget. If only a part of a statement is named, the rest of it is chosen as a new one. What is chosen
    /// only because it ends something is dropped if it ends nothing. Statements that were said after `until` hold. A message
    /// that they ask to forget, and from which nothing was captured, is removed itself.
    pub(in crate::turn) fn statements_to_remove(
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
        let own = self.own_message(reader)?;
        let spoken = self.spoken_before(reader, point)?;
        let corrects = self.correction(&spoken);
        let last = self.last_message(&spoken, own.as_ref(), corrects.is_some(), reader)?;
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
        let session = self.conversation.session.to_string();
        let kept: Vec<String> =
            (chosen.accepted.iter()).map(|new_statement| new_statement.slots(&session).visible).collect();
        let is_later = |memory: &Memory| until.zip(memory.said_at).is_some_and(|(until, at)| at > until);
        let mut removed = Vec::new();
        let mut of_last: Vec<Memory> = Vec::new();
        let mut was_captured = false;
        for memory in self.current_statements(reader, point)? {
            let is_of_last = match last {
                Some(last) => is_of_message(reader, &memory, last)?,
                None => false,
            };
            was_captured |= is_of_last;
            if kept.contains(&memory.key) || is_later(&memory) {
                continue;
            }
            let is_of_day = |at: Timestamp| calendar::day(at, &self.time_zone) == self.day;
            let is_of_today = is_today && memory.said_at.is_some_and(is_of_day);
            let left = match is_all || is_of_today || is_of_last || is_replaced(&memory.text) {
                true => Some((Left::Nothing, Vec::new())),
                false => left_by(&endings, &memory.text),
            };
            let Some((left, by)) = left else { continue };
            if !self.is_own(&memory, own.as_ref(), reader, point)? {
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
        drop_doubtful(doubtful, chosen);
        let last = last.filter(|last| !was_captured && !is_later(last));
        removed.extend(match (corrects, last) {
            (Some(correction), _) => self.correct(correction, of_last, chosen),
            (None, Some(last)) if self.withholds(last, reader, point)? => Some(last.clone()),
            (None, _) => None,
        });
        self.report_nothing_to_forget(&removed, chosen);
        Ok(removed)
    }

    /// Returns the current statements that the speaker sees.
    fn current_statements(&self, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Vec<Memory>> {
        let question = Question {
            audience: self.before.audience.clone(),
            confidential: Confidential::Hidden,
            form: Some(Form::STATEMENTS),
            ..Question::default()
        };
        reader.memories(&question, point)
    }

    /// Returns whether a statement is the speaker's, whose message is `own`. The user layer of an audience is theirs, by
    /// whatever name. In a chat, others speak too.
    fn is_own(
        &self,
        statement: &Memory,
        own: Option<&MessageData>,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<bool> {
        let Some(scope) = Scope::from_label(&statement.scope) else { return Ok(false) };
        match own {
            _ if scope.layer() == Layer::User => Ok(true),
            Some(own) if scope == Scope::of_chat(&self.conversation.session) => {
                let first = first_message(reader, statement, &self.before.audience, point)?;
                Ok(first.is_some_and(|first| self.is_of_speaker(&first, own)))
            }
            _ => Ok(false),
        }
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

    /// Returns the messages before this one, newest first, if the speaker asks to forget or may correct one of them. A message
    /// that is retracted is among them: "forget that" means it, and no older one.
    fn spoken_before(&self, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Vec<Memory>> {
        let concerns = |reading: &Reading| reading.forgets_last || reading.corrects != Corrects::Nothing;
        match self.before.message.filter(|_| self.of_user().any(concerns)) {
            Some(own) => reader.spoken_before(own, &self.conversation.session, EARLIER_MAX, point),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the messages that this one may be about, of those before it: if it replies to one, only those with its text.
    fn about<'s>(&self, spoken: &'s [Memory]) -> impl Iterator<Item = &'s Memory> {
        let is_meant = |text: &str| self.reply_to.as_deref().is_none_or(|reply_to| text.trim() == reply_to);
        spoken.iter().filter(move |memory| is_meant(&memory.text))
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

    /// Returns whether the message before this one, or that it replies to, is of the agent and ends with a question.
    fn answers(&self, spoken: &[Memory]) -> bool {
        let is_mark = |c: char| matches!(c, '?' | '？');
        self.about(spoken).next().is_some_and(|memory| {
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

    /// Returns the message of the speaker that they ask to forget or correct: the one before this one. If this one replies to
    /// a message, it is that one, or the one that it answered; `None` if that is somebody else's, or cannot be told.
    fn last_message<'s>(
        &self,
        spoken: &'s [Memory],
        own: Option<&MessageData>,
        is_corrected: bool,
        reader: &Reader<'_>,
    ) -> memtape_index::Result<Option<&'s Memory>> {
        let is_that = self.of_user().any(|reading| reading.forgets_that);
        let is_asked = is_corrected || self.of_user().any(|reading| reading.forgets_last);
        let Some(own) = own.filter(|_| is_asked) else { return Ok(None) };
        let is_own = |memory: &Memory| {
            memory.origin == Some(Origin::User) && self.is_of_speaker(&StoredMessage::data(memory), own)
        };
        let last = if self.reply_to.is_none() {
            spoken.iter().find(|memory| is_own(memory))
        } else {
            let mut meant = Vec::new();
            for memory in self.about(spoken) {
                meant.push(match memory.origin {
                    Some(Origin::User) => Some(memory),
                    _ => answered(memory, spoken, reader)?,
                });
            }
            let last = meant.first().copied().flatten();
            // Several messages may have the text: "Noted." answers many.
            let is_same = |memory: &Memory| last.is_some_and(|last| last.text == memory.text);
            last.filter(|_| meant.iter().all(|memory| memory.is_some_and(|one| is_own(one) && is_same(one))))
        };
        // "Forget that" after a question withdraws the question.
        Ok(last.filter(|last| !is_that || !memtape_capture::ends_with_request(&last.text)))
    }

    /// Returns whether a message from which nothing was captured is to be forgotten: what was said before, if it says more than
    /// "thanks" or the speaker asks for it in more words than "forget that". One that is retracted is forgotten already.
    fn withholds(&self, last: &Memory, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<bool> {
        let is_asked = |reading: &Reading| {
            reading.forgets_last && !(reading.forgets_that && memtape_capture::is_exclamation(&last.text))
        };
        Ok(self.of_user().any(is_asked) && !reader.retracted(point).includes(last.id.entry())?)
    }

    /// Returns whether a message is the speaker's, whose message is `own`, by any of the ids that the configuration declares
    /// for them.
    fn is_of_speaker(&self, said: &MessageData, own: &MessageData) -> bool {
        let channel = self.conversation.session.channel();
        let is_declared = |id: &str| {
            self.user_scopes().iter().any(
                |scope| matches!(scope, Scope::User(user) if user.channel() == channel && user.id() == id),
            )
        };
        said.is_of_same_speaker(own) || said.user.as_deref().is_some_and(is_declared)
    }

    /// Returns the data of the message, which tells its speaker; `None` if the message is not known.
    fn own_message(&self, reader: &Reader<'_>) -> memtape_index::Result<Option<MessageData>> {
        self.before.message.map_or(Ok(None), |message| message_data(reader, message))
    }
}

/// Returns a statement with another text, as a new one that a rule made; `None` if its data cannot be read.
fn with_text(memory: &Memory, text: String, rule: &str) -> Option<NewStatement> {
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
        signs: false,
    };
    let scope = Scope::from_label(&memory.scope)?;
    Some(NewStatement { statement, scope, origin: Origin::User, sensitivity: memory.sensitivity })
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

/// Drops the statements that were chosen only because they may end something.
fn drop_doubtful(doubtful: BTreeSet<usize>, chosen: &mut Chosen) {
    for number in doubtful.into_iter().rev() {
        let text = chosen.accepted.remove(number).statement.text;
        chosen.rules.remove(number);
        chosen.dropped.push(NotKept { text, why: Reason::Read(Why::LowConfidence) });
    }
}

/// Returns the message that a reply of the agent answers, of those in `spoken`.
fn answered<'s>(
    reply: &Memory,
    spoken: &'s [Memory],
    reader: &Reader<'_>,
) -> memtape_index::Result<Option<&'s Memory>> {
    let message = reader.turn_with(reply.id.entry())?.map(message_of);
    Ok(spoken.iter().find(|memory| Some(memory.id.entry()) == message))
}

/// Returns whether a statement was captured from a message, or corrected by it.
fn is_of_message(reader: &Reader<'_>, memory: &Memory, message: &Memory) -> memtape_index::Result<bool> {
    let message = message.id.entry();
    let Some(data) = StoredStatement::data(memory) else { return Ok(false) };
    let is_from = data.from.as_deref() == Some(&*Ref::of_message(message).to_string());
    if is_from || data.rule.as_deref() != Some(CORRECTED) {
        return Ok(is_from);
    }
    let turn = reader.turn_with(memory.id.entry())?;
    Ok(turn.is_some_and(|begin| message_of(begin) == message))
}

/// Returns the data of the message that a statement was first captured from; `None` if it is unknown. Who only repeats what
/// another said does not become its author.
fn first_message(
    reader: &Reader<'_>,
    memory: &Memory,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<Option<MessageData>> {
    let Some(since) = StoredStatement::data(memory).map(|data| data.since) else { return Ok(None) };
    let versions = reader.versions(&memory.reference(), audience, point)?;
    let mut said = versions.iter().filter_map(StoredStatement::data);
    let from = said.find(|data| data.since == since).and_then(|data| data.from);
    let message = from.and_then(|from| from.parse::<Ref>().ok()).and_then(|from| from.key.parse().ok());
    message.map_or(Ok(None), |entry| message_data(reader, entry))
}
