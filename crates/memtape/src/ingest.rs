//! Ingests conversations from JSON Lines.

use std::collections::HashMap;
use std::io::{self, BufRead};

use jiff::Timestamp;
use memtape_core::forms::messages::{self, Content, Item, Known, Message, StoredMessage, ToolUse};
use memtape_core::{Decision, Form, Origin, Session, calendar};
use memtape_index::{Confidential, Question};
use memtape_tape::EntryId;
use serde_json::{Map, Value, json};

use crate::conversation::opening;
use crate::error::{Error, Result};
use crate::lenient_json;
use crate::unwanted::{Unwanted, import_said};
use crate::workspace::Workspace;

/// Number of messages per group: each group costs one sync, and an interruption loses at most one.
const GROUP_MESSAGES: usize = 500;
/// Maximum length of a line, as a multiple of the maximum length of a message, to leave room for JSON escapes
/// and other fields.
const LINE_FACTOR: usize = 8;

/// The result of an ingestion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ingested {
    /// Number of messages that were added.
    pub added: u64,
    /// Number of messages that existed already.
    pub present: u64,
    /// Number of added messages that are not recalled: their speaker asked not to keep them, or they answer one that did.
    pub unwanted: u64,
    /// The lines that were skipped.
    pub bad: Vec<BadLine>,
}

/// A line of the input that is not a valid message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The line number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// Ingests messages in groups.
///
/// After an interruption, ingesting the same input again adds the missing messages.
pub struct Ingester<'a> {
    workspace: &'a Workspace,
    default_session: Session,
    known: Known,
    /// The entry up to which each conversation was read.
    read_to: HashMap<Session, EntryId>,
    /// The items of the next group, each with whether it is a message that is not to be kept.
    batch: Vec<(Item, bool)>,
    unwanted: Unwanted<Session>,
    /// Tool calls whose results may follow, in the order of the input.
    open: Vec<Open>,
    ingested: Ingested,
}

/// Tool calls that a model made at once.
struct Open {
    session: Session,
    said_at: Option<Timestamp>,
    uses: Vec<ToolUse>,
    /// The call ids, by which results refer to them.
    ids: Vec<Option<String>>,
    messages: u64,
}

impl<'a> Ingester<'a> {
    /// Returns an ingester for a workspace.
    ///
    /// Messages that name no session belong to `default_session`.
    #[must_use]
    pub fn new(workspace: &'a Workspace, default_session: Session) -> Self {
        Self {
            workspace,
            default_session,
            known: Known::default(),
            read_to: HashMap::new(),
            batch: Vec::new(),
            unwanted: Unwanted::default(),
            open: Vec::new(),
            ingested: Ingested::default(),
        }
    }

    /// Ingests every line of an input.
    ///
    /// After each group, `progress` is called with the number of lines done.
    ///
    /// Invalid lines are skipped and reported in the result.
    ///
    /// # Errors
    /// [`Error::Input`] if the input cannot be read; [`Error::Store`] as for [`Workspace::write`]. Groups
    /// that were written before the error are kept.
    pub fn run(mut self, mut input: impl BufRead, mut progress: impl FnMut(u64)) -> Result<Ingested> {
        let mut line = Vec::new();
        let mut number = 0;
        let max = self.workspace.config.max_message_bytes.saturating_mul(LINE_FACTOR);
        while let Some(is_whole) = read_line(&mut input, &mut line, max).map_err(Error::Input)? {
            number += 1;
            let taken = match is_whole {
                true => self.take(&line),
                false => Err(format!("it is longer than {max} bytes")),
            };
            if let Err(why) = taken {
                self.ingested.bad.push(BadLine { line: number, why });
            }
            if self.batch.len() >= GROUP_MESSAGES {
                self.flush()?;
                progress(number);
            }
        }
        let open = std::mem::take(&mut self.open);
        self.batch.extend(open.into_iter().map(|open| (open.into_item(), false)));
        self.flush()?;
        Ok(self.ingested)
    }

    /// Reads a line; an empty one is ignored.
    fn take(&mut self, line: &[u8]) -> std::result::Result<(), String> {
        let Some(fields) = object(line)? else { return Ok(()) };
        let role = string(&fields, "role")?.filter(|role| !role.is_empty()).ok_or("it has no \"role\"")?;
        let content = content(&fields)?;
        let session = match string(&fields, "session")? {
            Some(label) => Session::parse(&label).map_err(|e| e.to_string())?,
            None => self.default_session.clone(),
        };
        let said_at = self.said_at(&fields)?;
        let is_of_tool = matches!(role.as_str(), "tool" | "function");
        if is_of_tool && let Some(id) = string(&fields, "tool_call_id")? {
            let result = self.workspace.clean(&self.workspace.cut_to_length(&content)).into_owned();
            if self.answer(&session, &id, &result) {
                return Ok(());
            }
        }
        let uses = tool_calls(&fields)?;
        let image = string(&fields, "image")?.filter(|image| !image.is_empty());
        let is_said = !content.is_empty() || image.is_some();
        if !is_said && uses.is_empty() {
            return Err("it has no \"content\"".into());
        }
        let user = string(&fields, "user")?.filter(|user| !user.is_empty());
        let user = user.map(|user| session.user(&user)).transpose().map_err(|e| e.to_string())?;
        let name = string(&fields, "name")?.filter(|name| !name.is_empty());
        for text in [Some(&content), image.as_ref(), name.as_ref()].into_iter().flatten() {
            self.workspace.check_length("its text", text).map_err(|e| e.to_string())?;
        }
        // Calls before the next message have received all their results.
        self.close(&session);
        if is_said {
            let is_unwanted = self.unwanted.includes(session.clone(), &role, &content);
            let message = Message { role, content, name, image, said_at };
            let content = Content::Message(self.workspace.clean_message(message));
            self.batch.push((Item { session: session.clone(), user, content, messages: 1 }, is_unwanted));
        }
        if !uses.is_empty() {
            let (ids, uses) = uses.into_iter().map(|(id, used)| (id, self.clean_use(used))).unzip();
            self.open.push(Open { session, said_at, uses, ids, messages: u64::from(!is_said) });
        }
        Ok(())
    }

    /// Adds a result to the call with an id; `false` if no such call is open.
    fn answer(&mut self, session: &Session, id: &str, result: &str) -> bool {
        let of_session = self.open.iter_mut().filter(|open| open.session == *session);
        for open in of_session {
            let is_it = |(named, used): (&Option<String>, &ToolUse)| {
                named.as_deref() == Some(id) && used.result.is_none()
            };
            if let Some(n) = open.ids.iter().zip(&open.uses).position(is_it) {
                open.uses[n].result = Some(result.to_owned());
                open.messages += 1;
                return true;
            }
        }
        false
    }

    /// Closes the open calls of a conversation, with or without results.
    fn close(&mut self, session: &Session) {
        let closed = self.open.extract_if(.., |open| open.session == *session);
        self.batch.extend(closed.map(|open| (open.into_item(), false)));
    }

    fn clean_use(&self, used: ToolUse) -> ToolUse {
        let name = self.workspace.clean(&used.name).into_owned();
        ToolUse { name, arguments: self.workspace.clean_value(used.arguments), ..used }
    }

    fn said_at(&self, fields: &Map<String, Value>) -> std::result::Result<Option<Timestamp>, String> {
        match fields.get("date") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(date)) => self.instant(date).map(Some),
            Some(Value::Number(seconds)) => self.instant(&seconds.to_string()).map(Some),
            Some(_) => Err("its \"date\" is not a string or a number".into()),
        }
    }

    fn instant(&self, date: &str) -> std::result::Result<Timestamp, String> {
        let instant = calendar::parse_instant(date, self.workspace.time_zone()).map_err(|e| e.to_string())?;
        // The index stores microseconds, and the same message must compare as equal when it is read back.
        Timestamp::from_microsecond(instant.as_microsecond()).map_err(|e| e.to_string())
    }

    /// Writes the batch as one group.
    fn flush(&mut self) -> Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let Self { workspace, known, read_to, batch, ingested, default_session, .. } = self;
        let author = workspace.author(default_session, Origin::Import);
        let mut head = 0;
        let written = workspace.write(&author, |reader, point, ctx| {
            known.restart();
            for (Item { session, .. }, _) in batch.iter() {
                // Other processes may write to the same conversation at the same time.
                if read_to.get(session).is_some_and(|read| *read >= point.entry()) {
                    continue;
                }
                let question = Question {
                    form: Some(Form::MESSAGES),
                    confidential: Confidential::ToOwner,
                    session: Some(session.clone()),
                    from_entry: read_to.get(session).map(|read| read + 1),
                    ..Question::default()
                };
                for memory in reader.memories(&question, point)? {
                    known.on_tape(session, &StoredMessage::read(memory).message());
                }
                read_to.insert(session.clone(), point.entry());
            }
            head = point.entry();
            let (mut drafts, mut sessions, mut group) = (Vec::new(), Vec::new(), Ingested::default());
            for (item, is_unwanted) in batch.iter() {
                let taken = import_said(item, *is_unwanted, known, ctx)?;
                drafts.extend(taken.drafts);
                let messages::Imported { added, present, sessions: of } = taken.outcome;
                group.added += added;
                group.present += present;
                group.unwanted += if *is_unwanted { added } else { 0 };
                for session in of {
                    if !sessions.contains(&session) {
                        sessions.push(session);
                    }
                }
            }
            if !drafts.is_empty() {
                drafts.splice(..0, opening(workspace, &sessions, reader, point, ctx)?);
            }
            Ok(Decision { drafts, outcome: group })
        })?;
        known.settle();
        let last = written.entries.last().map_or(head, |entry| entry.id);
        for (Item { session, .. }, _) in batch.iter() {
            read_to.insert(session.clone(), last);
        }
        ingested.added += written.outcome.added;
        ingested.present += written.outcome.present;
        ingested.unwanted += written.outcome.unwanted;
        batch.clear();
        Ok(())
    }
}

impl Open {
    fn into_item(self) -> Item {
        let Self { session, said_at, uses, messages, .. } = self;
        // The text that came with the calls is counted already.
        Item { session, user: None, content: Content::Tools(uses, said_at), messages }
    }
}

/// Reads a line without its line end and keeps at most `max` bytes. `false` means that it is longer, `None`
/// the end of the input.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    max: usize,
) -> io::Result<Option<bool>> {
    line.clear();
    let (mut is_any, mut is_whole) = (false, true);
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(is_any.then_some(is_whole));
        }
        is_any = true;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let said = &chunk[..end.unwrap_or(chunk.len())];
        is_whole = is_whole && line.len() + said.len() <= max;
        if is_whole {
            line.extend_from_slice(said);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(is_whole));
        }
    }
}

/// Parses the JSON object of a line; `None` for an empty line.
fn object(line: &[u8]) -> std::result::Result<Option<Map<String, Value>>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "not UTF-8")?;
    // Files of other programs may begin with a byte order mark.
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Ok(None);
    }
    let value: Value = lenient_json::from_str(text).map_err(|e| {
        // The line number within this single line carries no information.
        let why = e.to_string();
        format!("not JSON: {}", why.split(" at line ").next().unwrap_or(&why))
    })?;
    match value {
        Value::Object(fields) => Ok(Some(fields)),
        _ => Err("not a JSON object".into()),
    }
}

/// Returns the tool calls of a model's message, each with its id: `{"id","function":{"name","arguments"}}` or
/// `{"name","arguments"}`. Arguments are JSON, or JSON in a string.
fn tool_calls(fields: &Map<String, Value>) -> std::result::Result<Vec<(Option<String>, ToolUse)>, String> {
    let calls = match fields.get("tool_calls") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(calls)) => calls,
        Some(_) => return Err("its \"tool_calls\" is not an array".into()),
    };
    let call = |call: &Value| {
        let function = call.get("function").unwrap_or(call);
        let name = function.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or("a call among its \"tool_calls\" has no \"name\"")?;
        let arguments = match function.get("arguments") {
            None | Some(Value::Null) => json!({}),
            Some(Value::String(text)) => {
                lenient_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
            }
            Some(arguments) => arguments.clone(),
        };
        let id = call.get("id").and_then(Value::as_str).map(str::to_owned);
        Ok((id, ToolUse { name: name.to_owned(), arguments, result: None }))
    };
    calls.iter().map(call).collect()
}

fn string(fields: &Map<String, Value>, name: &str) -> std::result::Result<Option<String>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("its {name:?} is not a string")),
    }
}

/// Returns a content that is a text, or a list of parts some of which are texts.
fn content(fields: &Map<String, Value>) -> std::result::Result<String, String> {
    match fields.get("content") {
        None | Some(Value::Null | Value::String(_) | Value::Array(_)) => {
            Ok(messages::entry::parts(fields.get("content")))
        }
        Some(_) => Err("its \"content\" is not a string".into()),
    }
}
