//! The tools an agent may call: one registry, from which every face takes them.
//!
//! **Invariants.** A reply is never longer than [`REPLY_CHARS_MAX`]. What a tool is called by, takes and says
//! of itself stands in its [`Tool`] alone. The examples run as tests.

mod blocks;
mod branch;
mod consolidate;
mod files;
mod history;
mod journal;
mod ledger;
mod notes;
mod skill;
mod zone;

use std::str::FromStr;
use std::sync::Arc;

use memtape_core::journal::call as journal_call;
use memtape_core::safety::render::neutralise;
use memtape_core::{Audience, Decision, Origin, Scope, Session};
use memtape_store::{Author, Notice, ToolCall};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::workspace::{At, Workspace};

/// The longest reply of a tool, in characters.
pub const REPLY_CHARS_MAX: usize = 8000;

/// What is kept of a reply for the words that say how to read the rest, besides names.
const NOTE_CHARS: usize = 400;

/// Whom a tool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toolset {
    /// What every agent gets.
    Core,
    /// For an agent that keeps a ledger.
    Ledger,
    /// For an agent that keeps notes.
    Notes,
    /// For an agent that keeps blocks, files and a journal.
    Blocks,
    /// What the owner must ask for.
    Owner,
}

impl Toolset {
    /// Every toolset.
    pub const ALL: [Self; 5] = [Self::Core, Self::Ledger, Self::Notes, Self::Blocks, Self::Owner];
    /// The toolsets of an agent, unless it is given fewer or more.
    pub const USUAL: [Self; 4] = [Self::Core, Self::Ledger, Self::Notes, Self::Blocks];

    /// Its name.
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
}

impl FromStr for Toolset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|toolset| toolset.as_str() == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|toolset| toolset.as_str()).collect();
            Error::Invalid(format!("there is no toolset {text:?}: the toolsets are {}", names.join(", ")))
        })
    }
}

/// A call and the reply it gets, each after the tool's examples before it, in a new workspace on 10 February 2026.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Calls of other tools that come before it, with their arguments.
    pub after: &'static [(&'static str, &'static str)],
    /// The arguments, as JSON.
    pub arguments: &'static str,
    /// The reply.
    pub reply: &'static str,
}

/// A tool.
pub struct Tool {
    /// What it is called by.
    pub name: &'static str,
    /// What it does, for who chooses among tools.
    pub description: &'static str,
    /// Whom it is for.
    pub toolset: Toolset,
    /// Whether it writes nothing, but for a line of the journal where `journal.reads` is set.
    pub read_only: bool,
    /// Whether what it takes away shows at no later point.
    pub destructive: bool,
    /// Whether its reply is a text as it stands, for a model that changes parts of it. Every other reply is neutralised.
    pub is_verbatim: bool,
    /// Calls and their replies.
    pub examples: &'static [Example],
    schema: fn() -> Value,
    run: fn(&Call<'_>, Value) -> Result<String>,
}

impl Tool {
    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn schema(&self) -> Value {
        (self.schema)()
    }
}

/// What a running tool has before it.
struct Call<'a> {
    workspace: &'a Workspace,
    call: Arc<ToolCall>,
    session: &'a Session,
    audience: &'a Audience,
    origin: Origin,
    at: &'a At<'a>,
}

/// Every tool there is.
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

/// The tools of a workspace.
pub struct Toolbox<'a> {
    workspace: &'a Workspace,
    session: Session,
    audience: Audience,
    origin: Origin,
    at: At<'a>,
    listed: Vec<Toolset>,
}

impl Workspace {
    /// The tools an agent may call.
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
        }
    }

    /// The same, with the tools that the owner must ask for.
    #[must_use]
    pub fn with_owner_tools(mut self) -> Self {
        self.listed.push(Toolset::Owner);
        self
    }

    /// The same, with the tools of these sets alone; with the usual ones ([`Toolset::USUAL`]) where none is given.
    #[must_use]
    pub fn of(mut self, toolsets: &[Toolset]) -> Self {
        self.listed = if toolsets.is_empty() { Toolset::USUAL.to_vec() } else { toolsets.to_vec() };
        self
    }

    /// The same, for a conversation.
    #[must_use]
    pub fn for_session(mut self, session: Session) -> Self {
        self.session = session;
        self
    }

    /// The same, for an audience: what is not for it no tool shows or changes. Without one, the owner is asking.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// The same, writing what comes from there: an agent that has seen what a tool gave writes as a tool. Without, as the
    /// agent.
    #[must_use]
    pub fn writing_as(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// The same, for tools that read, at a point.
    #[must_use]
    pub fn at(mut self, at: At<'a>) -> Self {
        self.at = at;
        self
    }

    /// The tools that can be called.
    pub fn list(&self) -> impl Iterator<Item = &'static Tool> {
        TOOLS.iter().copied().filter(|tool| self.listed.contains(&tool.toolset))
    }

    /// Calls a tool by its name; the documents' dotted names (`memory.save`) mean the same.
    ///
    /// # Errors
    /// That there is no such tool, or that it is the owner's; that the arguments are not what its schema
    /// says; or what the tool itself refuses.
    pub fn call(&self, name: &str, arguments: Value) -> Result<String> {
        let underscored = name.replace('.', "_");
        let Some(tool) = self.list().find(|tool| tool.name == underscored) else {
            let names: Vec<_> = self.list().map(|tool| tool.name).collect();
            let names = names.join(", ");
            return Err(match TOOLS.iter().find(|tool| tool.name == underscored) {
                None => Error::NotFound(format!("there is no tool {name:?}: the tools are {names}")),
                Some(tool) if tool.toolset == Toolset::Owner => Error::Refused(format!(
                    "{underscored} is the owner's tool: it can be called only where the owner allows it"
                )),
                Some(_) => Error::Refused(format!(
                    "{underscored} is not among the tools that were listed: the tools are {names}"
                )),
            });
        };
        let arguments = if arguments.is_null() { json!({}) } else { arguments };
        if !arguments.is_object() {
            return Err(Error::Invalid("a tool's arguments are a JSON object".into()));
        }
        // Notes and files are written by parts, and have no other limit.
        if !matches!(tool.toolset, Toolset::Notes | Toolset::Blocks) {
            self.workspace.check_length("the call", &arguments.to_string())?;
        }
        if !tool.read_only && !self.at.is_head() {
            return Err(Error::Invalid(format!(
                "{underscored} writes: it cannot be called at an earlier point"
            )));
        }
        // Only then are they still there after the call.
        let given = (tool.read_only && self.workspace.config.journal_reads).then(|| arguments.clone());
        let call = Call {
            workspace: self.workspace,
            call: Arc::new(ToolCall::new(tool.name, journal_call::input(&arguments))),
            session: &self.session,
            audience: &self.audience,
            origin: self.origin,
            at: &self.at,
        };
        let reply = (tool.run)(&call, arguments)?;
        // A model reads it: nothing in it speaks in another role.
        let reply = bounded(&if tool.is_verbatim { reply } else { neutralise(&reply).into_owned() });
        if let Some(given) = given {
            self.record_reading(tool.name, &given, &reply);
        }
        Ok(reply)
    }

    /// Puts a call that wrote nothing into the journal. It has its reply already: it waits for no other writer, and
    /// whatever fails here does not fail the call.
    fn record_reading(&self, tool: &str, arguments: &Value, reply: &str) {
        // What is nobody's but the owner's is the terminal's.
        let home = self.audience.home().ok().filter(|home| *home != Scope::Global);
        let scope = home.unwrap_or_else(|| Scope::of_chat(&self.session));
        let author = Author { scope, ..self.workspace.author(&self.session, self.origin) };
        let written = self.workspace.write_if_free(&author, |_, _, given| {
            let draft = journal_call::reading(tool, arguments, reply, given)?;
            Ok(Decision { drafts: vec![draft], outcome: () })
        });
        if let Err(e) = written {
            self.workspace.store.note(Notice::CallNotRecorded { why: e.to_string() });
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

    /// What is put into the journal is itself what it says of the call.
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

/// Reads a tool's arguments.
fn arguments<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value)
        .map_err(|e| Error::Invalid(format!("the arguments do not fit the tool: {e}")))
}

/// The schema of a tool's arguments, without what only tells schemas apart.
fn schema_of<T: schemars::JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("$schema");
        fields.remove("title");
    }
    schema
}

/// A part of a file's text, from a character on, with how to read the next one.
fn part(tool: &str, path: &str, text: &str, offset: usize) -> Result<String> {
    let count = text.chars().count();
    if offset > count {
        return Err(Error::Invalid(format!(
            "{path} has {count} characters: the offset {offset} is behind its end"
        )));
    }
    if count - offset <= REPLY_CHARS_MAX {
        return Ok(text.chars().skip(offset).collect());
    }
    let most = REPLY_CHARS_MAX - NOTE_CHARS - path.chars().count();
    let part: String = text.chars().skip(offset).take(most).collect();
    let next = offset + most;
    Ok(format!(
        "{part}\n… {} characters more: {tool} {}",
        count - next,
        json!({"path": path, "offset": next})
    ))
}

/// A reply within its limit; what was left out is counted.
fn bounded(reply: &str) -> String {
    let count = reply.chars().count();
    if count <= REPLY_CHARS_MAX {
        return reply.to_owned();
    }
    let note = |left: usize| format!("\n… {left} characters more: ask for less at a time, or read one ref");
    let kept = REPLY_CHARS_MAX - note(count).chars().count();
    let text: String = reply.chars().take(kept).collect();
    text + &note(count - kept)
}
