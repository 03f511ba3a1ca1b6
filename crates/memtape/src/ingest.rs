//! Taking in conversations from JSON Lines.

use std::collections::HashMap;
use std::io::BufRead;

use memtape_core::forms::messages::{self, Known, Message, Said};
use memtape_core::{Form, Origin, Session, calendar};
use memtape_store::{Confidential, Question};
use memtape_tape::EntryId;
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::workspace::Workspace;

/// How many messages go into one group: each group costs one sync, and an interruption loses at most one.
const GROUP_MESSAGES: usize = 500;

/// What an ingestion came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ingested {
    /// Messages that were added.
    pub added: u64,
    /// Messages that were already there.
    pub present: u64,
    /// Lines that were passed over.
    pub bad: Vec<BadLine>,
}

/// A line of the input that is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// Takes messages in, in groups. What an interruption leaves out is added by doing it again.
pub struct Ingester<'a> {
    workspace: &'a Workspace,
    default_session: Session,
    known: Known,
    /// Up to which entry each conversation is known.
    read_to: HashMap<Session, EntryId>,
    batch: Vec<(Session, Message)>,
    ingested: Ingested,
}

impl<'a> Ingester<'a> {
    /// An ingestion into a workspace; messages that name no session belong to this one.
    #[must_use]
    pub fn new(workspace: &'a Workspace, default_session: Session) -> Self {
        Self {
            workspace,
            default_session,
            known: Known::default(),
            read_to: HashMap::new(),
            batch: Vec::new(),
            ingested: Ingested::default(),
        }
    }

    /// Takes in every line of an input, and tells `progress` how many lines are done after each group.
    ///
    /// # Errors
    /// That the input cannot be read, or what the medium says. Groups before that stay.
    pub fn run(mut self, mut input: impl BufRead, mut progress: impl FnMut(u64)) -> Result<Ingested> {
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line).map_err(Error::Input)? == 0 {
                break;
            }
            number += 1;
            match self.read(&line) {
                Ok(Some(said)) => self.batch.push(said),
                Ok(None) => {}
                Err(why) => self.ingested.bad.push(BadLine { line: number, why }),
            }
            if self.batch.len() >= GROUP_MESSAGES {
                self.flush()?;
                progress(number);
            }
        }
        self.flush()?;
        Ok(self.ingested)
    }

    /// A line as a message; `None` for an empty line.
    fn read(&self, line: &[u8]) -> std::result::Result<Option<(Session, Message)>, String> {
        let text = std::str::from_utf8(line).map_err(|_| "not UTF-8")?;
        // Files from elsewhere may begin with a byte order mark.
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Ok(None);
        }
        let value: Value = serde_json::from_str(text).map_err(|e| {
            // The line within this one line says nothing.
            let why = e.to_string();
            format!("not JSON: {}", why.split(" at line ").next().unwrap_or(&why))
        })?;
        let Value::Object(fields) = value else { return Err("not a JSON object".into()) };
        let role = string(&fields, "role")?.filter(|role| !role.is_empty()).ok_or("it has no \"role\"")?;
        let content = content(&fields)?;
        let image = string(&fields, "image")?.filter(|image| !image.is_empty());
        if content.is_empty() && image.is_none() {
            return Err("it has no \"content\"".into());
        }
        let session = match string(&fields, "session")? {
            Some(label) => Session::parse(&label).map_err(|e| e.to_string())?,
            None => self.default_session.clone(),
        };
        let said_at = match fields.get("date") {
            None | Some(Value::Null) => None,
            Some(Value::String(date)) => Some(self.instant(date)?),
            Some(Value::Number(seconds)) => Some(self.instant(&seconds.to_string())?),
            Some(_) => return Err("its \"date\" is neither a text nor a number".into()),
        };
        let name = string(&fields, "name")?.filter(|name| !name.is_empty());
        let message = Message { role, content, name, image, said_at };
        Ok(Some((session, self.workspace.clean_message(message))))
    }

    fn instant(&self, date: &str) -> std::result::Result<jiff::Timestamp, String> {
        let instant = calendar::parse_instant(date, self.workspace.time_zone()).map_err(|e| e.to_string())?;
        // The index keeps microseconds, and the same message must read back as the same.
        jiff::Timestamp::from_microsecond(instant.as_microsecond()).map_err(|e| e.to_string())
    }

    /// Writes what was read as one group.
    fn flush(&mut self) -> Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let Self { workspace, known, read_to, batch, ingested, default_session } = self;
        let author = workspace.author(default_session, Origin::Import);
        let mut head = 0;
        let written = workspace.write(&author, |reader, point, given| {
            for (session, _) in batch.iter() {
                // Others may write the same conversation at the same time.
                if read_to.get(session).is_some_and(|read| *read >= point.entry()) {
                    continue;
                }
                let question = Question {
                    form: Some(Form::Messages),
                    confidential: Confidential::ToOwner,
                    session: Some(session.clone()),
                    from_entry: read_to.get(session).map(|read| read + 1),
                    ..Question::default()
                };
                for memory in reader.memories(&question, point)? {
                    known.on_tape(session, &Said::read(memory).message());
                }
                read_to.insert(session.clone(), point.entry());
            }
            head = point.entry();
            Ok(messages::take_in(batch, known, given)?)
        })?;
        let last = written.entries.last().map_or(head, |entry| entry.id);
        for (session, _) in batch.iter() {
            read_to.insert(session.clone(), last);
        }
        ingested.added += written.outcome.added;
        ingested.present += written.outcome.present;
        batch.clear();
        Ok(())
    }
}

fn string(fields: &Map<String, Value>, name: &str) -> std::result::Result<Option<String>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("its {name:?} is no text")),
    }
}

/// A content that is a text, or a list of parts of which some are texts.
fn content(fields: &Map<String, Value>) -> std::result::Result<String, String> {
    match fields.get("content") {
        None | Some(Value::Null | Value::String(_) | Value::Array(_)) => {
            Ok(messages::entry::parts(fields.get("content")))
        }
        Some(_) => Err("its \"content\" is no text".into()),
    }
}
