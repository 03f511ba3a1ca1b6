//! The journal: what happened to the agent, in lines of document 3's shape, read off the tape.
//!
//! **Invariant.** The last lines of a long tape cost what those of a short one do: nothing here reads more of the tape
//! than it shows, but where a text is looked for ([`Question::grep`]).

pub mod costs;

use std::collections::{HashSet, VecDeque};

use jiff::Timestamp;
use memtape_core::journal::{self, prompt, types};
use memtape_core::{Audience, Decision, Origin, Session};
use memtape_store::{Author, Confidential, JournalQuestion, Order};
use memtape_tape::EntryId;
use serde_json::Value;

pub use memtape_core::journal::types::all as types;
pub use memtape_core::journal::{Line, TAIL};
pub use memtape_core::line::LineType;

use crate::error::{Error, Result};
use crate::handle::told;
use crate::workspace::{At, Workspace, conversation_of};

/// How many lines are held at a time where all are wanted.
const PAGE: usize = 1000;

/// The journal of a workspace.
pub struct Journal<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// Which lines are wanted.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Of one of these types; of any, where there are none.
    pub types: Vec<String>,
    /// Not before this instant.
    pub since: Option<Timestamp>,
    /// Not after this instant.
    pub until: Option<Timestamp>,
    /// At most so many, the last ones.
    pub tail: Option<usize>,
    /// Of this conversation.
    pub session: Option<Session>,
    /// That hold this text as they are printed, whatever its case.
    pub grep: Option<String>,
    /// Of entries after this one.
    pub after: EntryId,
}

told!(Journal: for_audience, in_session, writing_as);

impl Workspace {
    /// What happened to the agent, line by line.
    #[must_use]
    pub fn journal(&self) -> Journal<'_> {
        Journal::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}

impl<'a> Journal<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        session: &Session,
        origin: Origin,
        audience: Audience,
    ) -> Self {
        Self { workspace, author: workspace.author(session, origin), audience }
    }

    /// The lines that answer a question, oldest first.
    ///
    /// # Errors
    /// That a type is none, or what the medium says.
    pub fn lines(&self, question: &Question, at: &At) -> Result<Vec<Line>> {
        let mut lines = Vec::new();
        self.each(question, at, |line| {
            lines.push(line);
            Ok::<(), Error>(())
        })?;
        Ok(lines)
    }

    /// Passes the lines that answer a question to `each`, oldest first. However many they are, only some are held at a
    /// time.
    ///
    /// # Errors
    /// That a type is none, what the medium says, or `each` does.
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

    /// The lines of the entries after one of them, oldest first, and the last entry that was looked at: to follow the
    /// journal, ask again from there.
    ///
    /// # Errors
    /// That a type is none, or what the medium says.
    pub fn after(&self, question: &Question, entry: EntryId) -> Result<(Vec<Line>, EntryId)> {
        let question = Question { after: entry, tail: None, ..question.clone() };
        let head = self.head()?;
        match head > entry {
            // What is appended meanwhile is of the next time.
            true => Ok((self.lines(&question, &At::entry(head))?, head)),
            false => Ok((Vec::new(), entry)),
        }
    }

    /// The last entry that is acknowledged.
    ///
    /// # Errors
    /// What the medium says.
    pub fn head(&self) -> Result<EntryId> {
        self.workspace.read(&At::head(), &conversation_of(&self.audience), |_, point| Ok(point.entry()))
    }

    /// The last 40 lines, without those of these entries, which a prompt shows elsewhere; oldest first. Nothing that is
    /// confidential is among them, nor what a reset put behind its conversation; and lines say so that tell of what was
    /// forgotten since.
    ///
    /// # Errors
    /// What the medium says.
    pub fn recent(&self, without: &HashSet<EntryId>, at: &At) -> Result<Vec<Line>> {
        let question = JournalQuestion {
            audience: self.audience.clone(),
            without: without.clone(),
            without_reset: true,
            without_forgotten: true,
            without_calls: true,
            order: Order::NewestFirst,
            ..JournalQuestion::default()
        };
        self.collect(&question, None, at, TAIL).map(Vec::from)
    }

    /// The same as a prompt shows them: a line each of at most 160 characters, or that there are none.
    ///
    /// # Errors
    /// What the medium says.
    pub fn tail(&self, without: &HashSet<EntryId>, at: &At) -> Result<String> {
        Ok(prompt::tail(&self.recent(without, at)?, self.workspace.time_zone()))
    }

    /// Puts a line of a type into the journal. It is its conversation's.
    ///
    /// # Errors
    /// That the type is none, or that its lines come from what is done; that the data is no object or too much; or what
    /// the medium says.
    pub fn add(&self, kind: &str, data: &Value) -> Result<EntryId> {
        self.workspace.check_length("the line", &data.to_string())?;
        let written = self.workspace.write(&self.author, |_, _, given| {
            Ok(Decision { drafts: vec![journal::event(kind, data, given)?], outcome: () })
        })?;
        Ok(written.entries.first().map_or(0, |entry| entry.id))
    }

    /// How many entries have lines that answer a question, whatever text is looked for in them.
    ///
    /// # Errors
    /// What the medium says.
    pub fn count(&self, question: &Question, at: &At) -> Result<u64> {
        let asked = self.asked(question, Order::OldestFirst);
        self.workspace
            .read(at, &conversation_of(&self.audience), |reader, point| reader.journal_count(&asked, point))
    }

    /// Refuses types that the journal does not know and has no line of.
    ///
    /// # Errors
    /// That a type is none, with those there are; or what the medium says.
    pub fn check_types(&self, kinds: &[String], at: &At) -> Result<()> {
        for kind in kinds {
            types::check_name(kind)?;
            let asked = Question { types: vec![kind.clone()], ..Question::default() };
            let is_known = types::all().any(|known| known.name == kind);
            if !is_known && self.count(&asked, at)? == 0 {
                let names: Vec<_> = types::all().map(|known| known.name).collect();
                return Err(Error::NotFound(format!(
                    "the journal has no line of the type {kind:?}: the types are {}, and what `journal add` was given",
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
        let Question { types, since, until, session, after, .. } = question.clone();
        JournalQuestion {
            audience: self.audience.clone(),
            confidential: Confidential::ToOwner,
            types,
            session,
            since,
            until,
            after,
            order,
            ..JournalQuestion::default()
        }
    }

    /// The first lines that are found, as many as are wanted, oldest first; where they come oldest first, the last entry
    /// with all of its lines.
    fn collect(
        &self,
        asked: &JournalQuestion,
        wanted: Option<&str>,
        at: &At,
        most: usize,
    ) -> Result<VecDeque<Line>> {
        let conversation = conversation_of(&self.audience);
        self.workspace.read(at, &conversation, |reader, point| {
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
