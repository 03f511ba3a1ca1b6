//! The tools that an agent can call: one registry for all surfaces.
//!
//! [`Toolbox::memory_tool`] is outside of the registry: its commands and replies are defined by Anthropic.
//!
//! **Invariants.** A reply of a tool is never longer than [`REPLY_CHARS_MAX`], apart from what it says of the age of a
//! replica. The name, the arguments and the description of a tool are defined in its [`Tool`] only. The examples are run
//! as tests.

mod blocks;
mod branch;
mod consolidate;
mod files;
mod history;
mod journal;
mod ledger;
pub(crate) mod memory_tool;
mod notes;
mod schema;
mod skill;
mod zone;

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;

use memtape_core::journal::call as journal_call;
use memtape_core::safety::render::neutralise;
use memtape_core::safety::secrets;
use memtape_core::{Audience, Decision, Origin, Scope, Session};
use memtape_store::{Author, Expected, ToolCall, Warning};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::upstream::Stale;
use crate::workspace::{At, Workspace};

pub use schema::{Parameter, ParameterType};

/// Maximum length of a tool's reply, in characters.
pub const REPLY_CHARS_MAX: usize = 8000;

/// Marks a memory of which another version is waiting for a decision.
const CONTESTED: &str = " (open conflict)";
/// The part of a reply that is reserved for the note on how to read the rest, without names, in characters.
const NOTE_CHARS: usize = 400;

/// The group of agents that a tool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toolset {
    /// For every agent.
    Core,
    /// For an agent that keeps a ledger.
    Ledger,
    /// For an agent that keeps notes.
    Notes,
    /// For an agent that keeps blocks, files and a journal.
    Blocks,
    /// For the owner, who must enable it.
    Owner,
}

impl Toolset {
    /// Every toolset.
    pub const ALL: [Self; 5] = [Self::Core, Self::Ledger, Self::Notes, Self::Blocks, Self::Owner];
    /// The default toolsets of an agent.
    pub const USUAL: [Self; 4] = [Self::Core, Self::Ledger, Self::Notes, Self::Blocks];

    /// Returns the name of the toolset.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Ledger => "ledger",
            Self::Notes => "notes",
            Self::Blocks => "blocks",
            Self::Owner => "owner",
        }
    }

    /// Returns these toolsets, or [`Toolset::USUAL`] if none is named.
    #[must_use]
    pub fn or_usual(named: &[Self]) -> &[Self] {
        if named.is_empty() { &Self::USUAL } else { named }
    }
}

impl FromStr for Toolset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|toolset| toolset.as_str() == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|toolset| toolset.as_str()).collect();
            Error::Invalid(format!("unknown toolset {text:?}: expected one of {}", names.join(", ")))
        })
    }
}

/// A call with its expected reply.
///
/// Each example runs after the previous examples of its tool, in a new workspace on 10 February 2026.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Calls of other tools that precede it, with their arguments.
    pub after: &'static [(&'static str, &'static str)],
    /// The arguments, as JSON.
    pub arguments: &'static str,
    /// The reply.
    pub reply: &'static str,
}

/// A tool that an agent can call.
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// The description, by which a model chooses the tool.
    pub description: &'static str,
    /// The toolset it belongs to.
    pub toolset: Toolset,
    /// Whether it writes nothing, except a journal line if `journal.reads` is set.
    pub read_only: bool,
    /// Whether later points no longer show what it removes.
    pub destructive: bool,
    /// Whether its reply is an unchanged text, which a model edits by parts. In every other reply prompt
    /// markup is neutralised.
    pub is_verbatim: bool,
    /// Examples of calls with their replies.
    pub examples: &'static [Example],
    /// The parameters, in the order that a model reads them.
    pub parameters: &'static [Parameter],
    run: fn(&Call<'_>, Value) -> Result<String>,
}

impl Tool {
    /// Returns whether its reply may show what others wrote: it only reads, or lists the personas of branches.
    #[must_use]
    pub fn shows_others(&self) -> bool {
        self.read_only || self.name == branch::BRANCH.name
    }

    /// Returns the JSON Schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> Value {
        schema::object(self.parameters)
    }
}

/// The context of a tool call.
struct Call<'a> {
    workspace: &'a Workspace,
    call: Arc<ToolCall>,
    session: &'a Session,
    audience: &'a Audience,
    origin: Origin,
    at: &'a At<'a>,
}

/// Every tool.
pub const TOOLS: &[&Tool] = &[
    &zone::RECALL,
    &zone::SAVE,
    &zone::DAILY,
    &ledger::ADD,
    &zone::FORGET,
    &zone::SHOW,
    &ledger::SEARCH,
    &ledger::UPDATE,
    &branch::BRANCH,
    &history::HISTORY,
    &consolidate::CONSOLIDATE,
    &notes::LIST,
    &notes::READ,
    &notes::WRITE,
    &notes::PATCH,
    &notes::APPEND,
    &blocks::GET,
    &blocks::SET,
    &blocks::LIST,
    &blocks::HISTORY,
    &journal::JOURNAL,
    &files::READ,
    &files::WRITE,
    &skill::SKILL,
    &zone::CLEAR,
];

/// The tools of a workspace, as one agent can call them.
pub struct Toolbox<'a> {
    workspace: &'a Workspace,
    session: Session,
    audience: Audience,
    origin: Origin,
    at: At<'a>,
    listed: Vec<Toolset>,
    is_read_only: bool,
    expected: Option<Expected>,
}

impl Workspace {
    /// Returns the tools that an agent can call, with the default toolsets.
    #[must_use]
    pub fn tools(&self) -> Toolbox<'_> {
        Toolbox::new(self)
    }
}

impl<'a> Toolbox<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            session: Session::direct(),
            audience: Audience::owner(),
            origin: Origin::Assistant,
            at: At::head(),
            listed: Toolset::USUAL.to_vec(),
            is_read_only: false,
            expected: None,
        }
    }

    /// Returns the same tools together with those that the owner must enable.
    #[must_use]
    pub fn with_owner_tools(mut self) -> Self {
        self.listed.push(Toolset::Owner);
        self
    }

    /// Returns the same handle with the tools of these toolsets only.
    #[must_use]
    pub fn of(mut self, toolsets: &[Toolset]) -> Self {
        self.listed = toolsets.to_vec();
        self
    }

    /// Returns the same tools without those that write.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Returns the same tools. Their writes fail as those of [`Blocks::only_if`](crate::Blocks::only_if) do.
    #[must_use]
    pub fn only_if(mut self, expected: Expected) -> Self {
        self.expected = Some(expected);
        self
    }

    /// Returns the same tools for a conversation.
    #[must_use]
    pub fn for_session(mut self, session: Session) -> Self {
        self.session = session;
        self
    }

    /// Returns the same tools for an audience: no tool shows or changes what the audience may not see.
    ///
    /// The default is the owner.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Returns the same tools, writing with another origin: an agent that has seen tool output writes as a
    /// tool.
    ///
    /// The default is the agent.
    #[must_use]
    pub fn writing_as(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// Returns the same tools, reading at a point.
    ///
    /// Tools that write can then be called only at the head.
    #[must_use]
    pub fn at(mut self, at: At<'a>) -> Self {
        self.at = at;
        self
    }

    /// Returns the tools that can be called.
    pub fn list(&self) -> impl Iterator<Item = &'static Tool> {
        TOOLS
            .iter()
            .copied()
            .filter(|tool| self.listed.contains(&tool.toolset) && (tool.read_only || !self.is_read_only))
    }

    /// Calls a tool and returns its reply.
    ///
    /// The dotted names of the documents (`memory.save`) are accepted as well.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if there is no such tool.
    /// - [`Error::Refused`] if it is not among the listed tools or is reserved for the owner, or if the
    ///   arguments are longer than `ingest.max_message_bytes`.
    /// - [`Error::Invalid`] if the arguments do not match its schema, or if it writes and the point is not
    ///   the head.
    /// - Any error of the tool itself.
    ///
    /// A long input is cut in the message ([`shortened`](crate::error::shortened)), because a model reads it.
    pub fn call(&self, name: &str, arguments: Value) -> Result<String> {
        self.called(name, arguments).map_err(Error::with_short_message)
    }

    fn called(&self, name: &str, arguments: Value) -> Result<String> {
        let underscored = name.replace('.', "_");
        let Some(tool) = self.list().find(|tool| tool.name == underscored) else {
            let names: Vec<_> = self.list().map(|tool| tool.name).collect();
            let names = names.join(", ");
            return Err(match TOOLS.iter().find(|tool| tool.name == underscored) {
                None => Error::NotFound(format!("unknown tool {name:?}: expected one of {names}")),
                Some(tool) if tool.toolset == Toolset::Owner => Error::Refused(format!(
                    "{underscored} is a tool for the owner: it can be called only where the owner \
                     allows it"
                )),
                Some(_) => Error::Refused(format!(
                    "{underscored} is not one of the listed tools: expected one of {names}"
                )),
            });
        };
        let mut arguments = if arguments.is_null() { json!({}) } else { arguments };
        let Some(fields) = arguments.as_object_mut() else {
            return Err(Error::Invalid("the arguments of a tool must be a JSON object".into()));
        };
        tool.parameters.iter().try_for_each(|parameter| parameter.normalise(fields))?;
        // Notes and files can be written by parts and have limits of their own.
        if !matches!(tool.toolset, Toolset::Notes | Toolset::Blocks) {
            self.workspace.check_length("the call", &arguments.to_string())?;
        }
        if !tool.read_only && !self.at.is_head() {
            return Err(Error::Invalid(format!(
                "{underscored} writes: it cannot be called at an earlier point"
            )));
        }
        // The arguments are consumed by the call, so they are copied only if the journal needs them.
        let recorded = (tool.read_only && self.workspace.config.journal_reads).then(|| arguments.clone());
        let call = Call {
            workspace: self.workspace,
            call: Arc::new(ToolCall::new(tool.name, journal_call::input(&arguments), self.expected.clone())),
            session: &self.session,
            audience: &self.audience,
            origin: self.origin,
            at: &self.at,
        };
        let redacted = if tool.read_only { BTreeSet::new() } else { secrets_in(&arguments) };
        let reply = (tool.run)(&call, arguments)?;
        // A model reads the reply, so prompt markup in it is neutralised.
        let reply = if tool.is_verbatim { reply } else { neutralise(&reply).into_owned() };
        let stale = self.workspace.stale().filter(|_| tool.read_only && !tool.is_verbatim);
        // A part of a text has the maximum length, and ends with the call that returns the next one.
        let reply = with_stale(bounded(&with_redacted(reply, &redacted)), stale);
        if let Some(recorded) = recorded {
            self.record_reading(tool.name, &recorded, &reply);
        }
        Ok(reply)
    }

    /// Records a call that wrote nothing in the journal. The reply is ready already, so it does not wait for
    /// other writers, and a failure does not fail the call.
    fn record_reading(&self, tool: &str, arguments: &Value, reply: &str) {
        // A call for the owner is recorded in the conversation's scope, not in the workspace's.
        let home = self.audience.home().ok().filter(|home| *home != Scope::Global);
        let scope = home.unwrap_or_else(|| Scope::of_chat(&self.session));
        let author = Author { scope, ..self.workspace.author(&self.session, self.origin) };
        let written = self.workspace.write_if_free(&author, |_, _, ctx| {
            let draft = journal_call::reading(tool, arguments, reply, ctx)?;
            Ok(Decision { drafts: vec![draft], outcome: () })
        });
        if let Err(e) = written {
            self.workspace.store.note(Warning::CallNotRecorded { why: e.to_string() });
        }
    }
}

impl<'a> Call<'a> {
    fn zone(&self) -> crate::zone::Zone<'a> {
        crate::zone::Zone::new(self.workspace, self.session, self.origin, self.audience.clone())
            .called_by(&self.call)
    }

    fn blocks(&self) -> crate::blocks::Blocks<'a> {
        crate::blocks::Blocks::new(self.workspace, self.session, self.origin, self.audience.clone())
            .called_by(&self.call)
    }

    fn ledger(&self) -> crate::ledger::Ledger<'a> {
        crate::ledger::Ledger::new(self.workspace, self.session, self.origin, self.audience.clone())
            .called_by(&self.call)
    }

    fn notes(&self) -> crate::notes::Notes<'a> {
        crate::notes::Notes::new(self.workspace, self.session, self.origin, self.audience.clone())
            .called_by(&self.call)
    }

    fn files(&self) -> crate::files::Files<'a> {
        crate::files::Files::new(self.workspace, self.session, self.origin, self.audience.clone())
            .called_by(&self.call)
    }

    /// A journal line records the call itself, so the call is not recorded again.
    fn journal(&self) -> crate::journal::Journal<'a> {
        crate::journal::Journal::new(self.workspace, self.session, self.origin, self.audience.clone())
    }

    fn branches(&self) -> crate::branches::Branches<'a> {
        crate::branches::Branches::new(self.workspace, self.session, self.origin, self.audience.clone())
            .called_by(&self.call)
    }

    fn statements(&self) -> crate::statements::Statements<'a> {
        crate::statements::Statements::new(self.workspace, self.session, self.origin, self.audience.clone())
            .called_by(&self.call)
    }
}

/// Parses the arguments of a tool.
fn arguments<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_path_to_error::deserialize(value).map_err(|e| {
        let (place, why) = (e.path().to_string(), in_words_of_json(&e.inner().to_string()));
        Error::Invalid(match place.as_str() {
            // The message about an unknown argument names it.
            _ if why.starts_with("unknown field") => format!("invalid arguments: {why}"),
            "." => format!("invalid arguments: {why}"),
            place => format!("invalid argument {place}: {why}"),
        })
    })
}

/// Types as serde calls them, and as JSON calls them. A longer word is before one that it begins with.
const TYPES: [(&str, &str); 14] = [
    ("a map", "an object"),
    ("map", "object"),
    ("struct ", "an object"),
    ("a sequence", "a list"),
    ("sequence", "list"),
    ("an array", "a list"),
    ("floating point", "number"),
    ("u32", "an integer that is not negative"),
    ("u64", "an integer that is not negative"),
    ("usize", "an integer that is not negative"),
    ("i32", "an integer"),
    ("i64", "an integer"),
    ("f64", "a number"),
    ("bool", "a boolean"),
];

/// Returns a message of serde about a value with the types of JSON: `invalid type: map, expected a sequence`.
fn in_words_of_json(message: &str) -> String {
    const INVALID: &str = "invalid type: ";
    let word = |text: &str| -> String {
        let known = TYPES.iter().find(|(word, _)| text.starts_with(word));
        match known {
            // The name of a structure of the program follows.
            Some(("struct ", object)) => (*object).to_owned(),
            Some((word, json)) => format!("{json}{}", &text[word.len()..]),
            None => text.to_owned(),
        }
    };
    match message.rsplit_once(", expected ") {
        Some((found, expected)) => {
            let found = match found.strip_prefix(INVALID) {
                Some(found) => format!("{INVALID}{}", word(found)),
                None => found.to_owned(),
            };
            format!("{found}, expected {}", word(expected))
        }
        None => message.to_owned(),
    }
}

/// Returns the kinds of the secrets in the arguments of a tool.
fn secrets_in(arguments: &Value) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    secrets::redact_value_telling(&mut arguments.clone(), &mut |kind| {
        kinds.insert(kind);
    });
    kinds
}

/// Adds to a reply that it is from a replica that did not reach its upstream. A long reply is cut at its end, so it comes
/// first.
fn with_stale(reply: String, stale: Option<Stale>) -> String {
    let Some(stale) = stale else { return reply };
    match serde_json::from_str(&reply) {
        Ok(Value::Object(mut fields)) => {
            fields.insert("warning".to_owned(), json!(stale.to_string()));
            Value::Object(fields).to_string()
        }
        _ => format!("({stale})\n{reply}"),
    }
}

/// Returns the reply of a tool that writes, with the kinds of the secrets that it did not store.
fn with_redacted(reply: String, kinds: &BTreeSet<&str>) -> String {
    if kinds.is_empty() {
        return reply;
    }
    match serde_json::from_str(&reply) {
        Ok(Value::Object(mut fields)) => {
            fields.insert("redacted".to_owned(), json!(kinds));
            Value::Object(fields).to_string()
        }
        _ => {
            let kinds: Vec<_> = kinds.iter().copied().collect();
            format!("{reply}\n(secrets are not stored; redacted: {})", kinds.join(", "))
        }
    }
}

/// Returns a part of a text from an offset in characters, with a note on reading the next part by another call of the
/// tool with the same arguments.
fn part(tool: &str, mut arguments: Value, text: &str, offset: usize) -> Result<String> {
    let count = text.chars().count();
    if offset > count {
        return Err(Error::Invalid(format!(
            "the text has {count} characters: offset {offset} is past its end"
        )));
    }
    if count - offset <= REPLY_CHARS_MAX {
        return Ok(text.chars().skip(offset).collect());
    }
    let most = REPLY_CHARS_MAX - NOTE_CHARS - arguments.to_string().chars().count();
    let part: String = text.chars().skip(offset).take(most).collect();
    let next = offset + most;
    arguments["offset"] = json!(next);
    Ok(format!("{part}\n… {} more characters: {tool} {arguments}", count - next))
}

/// Returns a reply cut to the maximum length, with the number of characters left out.
fn bounded(reply: &str) -> String {
    let count = reply.chars().count();
    if count <= REPLY_CHARS_MAX {
        return reply.to_owned();
    }
    let note = |left: usize| format!("\n… {left} more characters: ask for fewer results, or read one ref");
    let kept = REPLY_CHARS_MAX - note(count).chars().count();
    let text: String = reply.chars().take(kept).collect();
    text + &note(count - kept)
}
