//! The journal: what happened to the agent, as lines in the format of document 3 that are derived from the
//! tape.
//!
//! **Invariant.** The last lines of a long tape cost as much as those of a short one: nothing here reads more
//! of the tape than it returns, unless a text is searched for ([`Question::grep`]).

pub mod costs;

use std::collections::{HashSet, VecDeque};

use jiff::Timestamp;
use memtape_core::journal::{self, prompt, types};
use memtape_core::{Audience, Decision, Origin, Session};
use memtape_index::{Confidential, JournalQuestion, Order};
use memtape_store::Author;
use memtape_tape::EntryId;
use serde_json::Value;

pub use memtape_core::journal::types::all as types;
pub use memtape_core::journal::{Line, TAIL};
pub use memtape_core::line::LineType;

use crate::conversation::said_now;
use crate::error::{Error, Result};
use crate::handle::options;
use crate::workspace::{At, Workspace, conversation_of};

/// Number of lines held in memory at a time when all lines are read.
const PAGE: usize = 1000;

/// The journal of a workspace, for one audience.
pub struct Journal<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// A filter for journal lines.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Only lines of these types; empty means all.
    pub types: Vec<String>,
    /// Only lines from this instant on.
    pub since: Option<Timestamp>,
    /// Only lines up to this instant.
    pub until: Option<Timestamp>,
    /// Only this many lines, the last ones.
    pub tail: Option<usize>,
    /// Only lines of this conversation.
    pub session: Option<Session>,
    /// Only lines whose printed form contains this text, ignoring case.
    pub grep: Option<String>,
    /// Only lines of entries after this one.
    pub after: EntryId,
    /// Only lines of entries before this one.
    pub before: Option<EntryId>,
}

options!(Journal: new, for_audience, in_session, writing_as);

impl Workspace {
    /// Returns the journal, for the owner.
    #[must_use]
    pub fn journal(&self) -> Journal<'_> {
        Journal::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}

impl<'a> Journal<'a> {
    /// Returns the lines that match a question, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Invalid` if a type is not a valid name; [`Error::Store`] if `at` does not
    /// exist or the index cannot be read.
    pub fn lines(&self, question: &Question, at: &At) -> Result<Vec<Line>> {
        let mut lines = Vec::new();
        self.each(question, at, |line| {
            lines.push(line);
            Ok::<(), Error>(())
        })?;
        Ok(lines)
    }

    /// Calls `each` for every line that matches a question, oldest first.
    ///
    /// Only a limited number of lines is held in memory, however many there are.
    ///
    /// # Errors
    /// As [`Journal::lines`], and any error of `each`.
    pub fn each<E: From<Error>>(
        &self,
        question: &Question,
        at: &At,
        mut each: impl FnMut(Line) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(most) = question.tail {
            return self.read(question, Order::NewestFirst, at, most)?.into_iter().try_for_each(each);
        }
        let mut question = question.clone();
        loop {
            let page = self.read(&question, Order::OldestFirst, at, PAGE)?;
            let Some(last) = page.back().map(|line| line.entry) else { return Ok(()) };
            page.into_iter().try_for_each(&mut each)?;
            question.after = last;
        }
    }

    /// Returns the matching lines of the entries after `entry`, oldest first, and the last entry that was
    /// read.
    ///
    /// To follow the journal, call it again with that entry.
    ///
    /// # Errors
    /// See [`Journal::lines`].
    pub fn after(&self, question: &Question, entry: EntryId) -> Result<(Vec<Line>, EntryId)> {
        let question = Question { after: entry, tail: None, ..question.clone() };
        let head = self.head()?;
        match head > entry {
            // Entries that are appended in the meantime belong to the next call.
            true => Ok((self.lines(&question, &At::entry(head))?, head)),
            false => Ok((Vec::new(), entry)),
        }
    }

    /// Returns the id of the last acknowledged entry.
    ///
    /// # Errors
    /// [`Error::Store`] if the index cannot be read.
    pub fn head(&self) -> Result<EntryId> {
        self.workspace
            .read(&At::head(), &self.audience, &conversation_of(&self.audience), |_, point| Ok(point.entry()))
    }

    /// Returns the last 40 lines that a prompt shows, oldest first, except those of the entries in `without`,
    /// which it shows elsewhere.
    ///
    /// Confidential lines, lines before a reset of their conversation, and lines of tool calls, of costs and of erasures are
    /// left out. Lines about memories that were forgotten since are marked ([`Line::forgotten`]).
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn recent(&self, without: &HashSet<EntryId>, at: &At) -> Result<Vec<Line>> {
        let question = JournalQuestion {
            audience: self.audience.clone(),
            without: without.clone(),
            without_reset: true,
            without_forgotten: true,
            without_calls: true,
            without_upkeep: true,
            order: Order::NewestFirst,
            ..JournalQuestion::default()
        };
        self.collect(&question, None, at, TAIL).map(Vec::from)
    }

    /// Returns the lines of [`Journal::recent`] as a prompt shows them: at most 160 characters each, or a
    /// note that there are none.
    ///
    /// # Errors
    /// See [`Journal::recent`].
    pub fn tail(&self, without: &HashSet<EntryId>, at: &At) -> Result<String> {
        Ok(prompt::tail(&self.recent(without, at)?, self.workspace.time_zone()))
    }

    /// Adds a line to the journal, as part of its conversation, and returns the id of its entry. A line `cost` gets the time
    /// of the call, `at`, if the tape's last entry has a later date, which would be that of the line.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the data is longer than `ingest.max_message_bytes`.
    /// - [`Error::Store`] of kind `Invalid` if the type is not a valid name, or if the data is no JSON
    ///   object, is too long or is nested too deeply.
    /// - [`Error::Store`] of kind `Refused` if lines of this type are only written by memtape itself.
    /// - [`Error::Store`] as for [`Workspace::write`].
    pub fn add(&self, kind: &str, data: &Value) -> Result<EntryId> {
        self.workspace.check_length("the line", &data.to_string())?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let mut data = data.clone();
            if let (types::COST, Some(at), Some(fields)) =
                (kind, said_now(reader, point, ctx)?, data.as_object_mut())
            {
                fields.entry("at").or_insert_with(|| at.to_string().into());
            }
            Ok(Decision { drafts: vec![journal::event(kind, &data, ctx)?], outcome: () })
        })?;
        Ok(written.entries.first().map_or(0, |entry| entry.id))
    }

    /// Returns the number of entries with lines that match a question. [`Question::grep`] is ignored.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn count(&self, question: &Question, at: &At) -> Result<u64> {
        let asked = self.asked(question, Order::OldestFirst);
        self.workspace.read(at, &self.audience, &conversation_of(&self.audience), |reader, point| {
            reader.journal_count(&asked, point)
        })
    }

    /// Returns an error for a type that is unknown and has no line in the journal.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such type (the message lists the types); [`Error::Store`] of kind
    /// `Invalid` if it is not a valid name; [`Error::Store`] if `at` does not exist or the index cannot be
    /// read.
    pub fn check_types(&self, kinds: &[String], at: &At) -> Result<()> {
        for kind in kinds {
            types::check_name(kind)?;
            let asked = Question { types: vec![kind.clone()], ..Question::default() };
            let is_known = types::all().any(|known| known.name == kind);
            if !is_known && self.count(&asked, at)? == 0 {
                let names: Vec<_> = types::all().map(|known| known.name).collect();
                return Err(Error::NotFound(format!(
                    "the journal has no lines of type {kind:?}: expected one of {}, or the \
                     type of a line that was added",
                    names.join(", ")
                )));
            }
        }
        Ok(())
    }

    fn read(&self, question: &Question, order: Order, at: &At, most: usize) -> Result<VecDeque<Line>> {
        for kind in &question.types {
            types::check_name(kind)?;
        }
        let wanted = question.grep.as_deref().map(str::to_lowercase);
        self.collect(&self.asked(question, order), wanted.as_deref(), at, most)
    }

    fn asked(&self, question: &Question, order: Order) -> JournalQuestion {
        let Question { types, since, until, session, after, before, .. } = question.clone();
        JournalQuestion {
            audience: self.audience.clone(),
            confidential: Confidential::ToOwner,
            types,
            session,
            since,
            until,
            after,
            before,
            order,
            ..JournalQuestion::default()
        }
    }

    /// Returns the first `most` lines that are found, oldest first. In the order oldest first, the last entry
    /// is included with all of its lines.
    fn collect(
        &self,
        asked: &JournalQuestion,
        wanted: Option<&str>,
        at: &At,
        most: usize,
    ) -> Result<VecDeque<Line>> {
        let conversation = conversation_of(&self.audience);
        self.workspace.read(at, &self.audience, &conversation, |reader, point| {
            let mut found = VecDeque::new();
            if most == 0 {
                return Ok(found);
            }
            reader.journal(asked, point, |line| {
                let is_whole = found.back().is_none_or(|last: &Line| last.entry != line.entry);
                if asked.order == Order::OldestFirst && found.len() >= most && is_whole {
                    return Ok(false);
                }
                if wanted.is_none_or(|text| line.to_string().to_lowercase().contains(text)) {
                    match asked.order {
                        Order::OldestFirst => found.push_back(line),
                        Order::NewestFirst => found.push_front(line),
                    }
                }
                Ok(asked.order == Order::OldestFirst || found.len() < most)
            })?;
            Ok(found)
        })
    }
}
