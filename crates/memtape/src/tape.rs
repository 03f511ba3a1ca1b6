//! The tape's own questions and marks (document 0).
//!
//! A session's questions see what stands since its last reset; [`Tape::log`] sees everything. Memory's own
//! anchors (`memory/*`, `branch/*`) mark no place in a conversation.

use jiff::Timestamp;
use memtape_core::forms;
use memtape_core::forms::zone::ops;
use memtape_core::journal;
use memtape_core::{Audience, Decision, Hint, Origin, Retire, Rule, Session};
use memtape_store::{EntryQuestion, Order};
use memtape_tape::{Draft, Entry, EntryId, Kind};
use serde_json::{Map, Value, json};

use crate::error::{Error, Result};
use crate::ledger::upkeep;
use crate::reading::{session_start, whole_zone, zone_view};
use crate::workspace::{At, Workspace};

/// The longest name of an anchor or event, in bytes.
const NAME_BYTES_MAX: usize = 200;

/// The tape of a workspace.
pub struct Tape<'a> {
    workspace: &'a Workspace,
    audience: Audience,
}

/// Which entries of the log are wanted.
#[derive(Clone, Debug, Default)]
pub struct LogQuestion {
    /// Of one of these kinds; of any, where there are none.
    pub kinds: Vec<Kind>,
    /// Of this conversation.
    pub session: Option<Session>,
    /// Not before this instant.
    pub since: Option<Timestamp>,
    /// At most so many, the last ones.
    pub limit: Option<usize>,
}

/// What a reset came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The anchor that retires what it resets.
    pub anchor: EntryId,
    /// Where the zone's text was kept before; `None` where it was empty or not concerned.
    pub zone_kept: Option<String>,
    /// The name of the segment that was closed before, where asked.
    pub archived: Option<String>,
}

impl Workspace {
    /// The tape's own questions.
    #[must_use]
    pub fn tape(&self) -> Tape<'_> {
        Tape::new(self)
    }
}

impl<'a> Tape<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, audience: Audience::owner() }
    }

    /// The same, as an audience reads it.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Entries in the order they were written: all of them, or the last ones.
    ///
    /// # Errors
    /// What the medium says.
    pub fn log(&self, question: &LogQuestion, at: &At) -> Result<Vec<Entry>> {
        let LogQuestion { kinds, session, since, limit } = question.clone();
        let order = if limit.is_some() { Order::NewestFirst } else { Order::OldestFirst };
        let question = EntryQuestion { kinds, session, since, limit, order, ..EntryQuestion::default() };
        let mut entries = self.entries(&question, at)?;
        if order == Order::NewestFirst {
            entries.reverse();
        }
        Ok(entries)
    }

    /// The anchors of a conversation, or of all; memory's own only where asked.
    ///
    /// # Errors
    /// What the medium says.
    pub fn anchors(
        &self,
        session: Option<&Session>,
        own: bool,
        limit: Option<usize>,
        at: &At,
    ) -> Result<Vec<Entry>> {
        let mut anchors = self.entries(
            &EntryQuestion {
                kinds: vec![Kind::Anchor],
                session: session.cloned(),
                without_reset: true,
                without_own_anchors: !own,
                order: Order::NewestFirst,
                limit,
                ..EntryQuestion::default()
            },
            at,
        )?;
        anchors.reverse();
        Ok(anchors)
    }

    /// The entries after a conversation's last anchor; all of them where it has none.
    ///
    /// # Errors
    /// What the medium says.
    pub fn from_last_anchor(&self, session: Option<&Session>, kinds: &[Kind], at: &At) -> Result<Vec<Entry>> {
        let last = self.anchors(session, false, Some(1), at)?.pop();
        self.between(session, kinds, last.map_or(0, |anchor| anchor.id), None, at)
    }

    /// The entries after the last anchor of a name.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such anchor, or what the medium says.
    pub fn after_anchor(
        &self,
        name: &str,
        session: Option<&Session>,
        kinds: &[Kind],
        at: &At,
    ) -> Result<Vec<Entry>> {
        let anchor = self.last_named(name, session, None, at)?;
        self.between(session, kinds, anchor, None, at)
    }

    /// The entries between two anchors: the last one named `end`, and the last one named `start` before it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where one of them is missing, or what the medium says.
    pub fn between_anchors(
        &self,
        (start, end): (&str, &str),
        session: Option<&Session>,
        kinds: &[Kind],
        at: &At,
    ) -> Result<Vec<Entry>> {
        let end = self.last_named(end, session, None, at)?;
        let start = self.last_named(start, session, Some(end), at)?;
        self.between(session, kinds, start, Some(end), at)
    }

    /// The entries that hold a text in their payload, meta or kind, whatever its case; the newest first.
    ///
    /// # Errors
    /// What the medium says.
    pub fn search(
        &self,
        text: &str,
        session: Option<&Session>,
        kinds: &[Kind],
        limit: usize,
        at: &At,
    ) -> Result<Vec<Entry>> {
        let wanted = text.to_lowercase();
        // A text inside JSON has its quotes, backslashes and line ends escaped.
        let escaped = Value::from(wanted.as_str()).to_string();
        let escaped = escaped.trim_matches('"');
        let holds = |text: &str| text.to_lowercase().contains(escaped);
        let question = EntryQuestion {
            kinds: kinds.to_vec(),
            audience: self.audience.clone(),
            session: session.cloned(),
            without_reset: true,
            order: Order::NewestFirst,
            ..EntryQuestion::default()
        };
        self.workspace.read(at, &Session::direct(), |reader, point| {
            let mut found = Vec::new();
            if limit == 0 || wanted.is_empty() {
                return Ok(found);
            }
            reader.each_entry(&question, point, |entry| {
                if holds(entry.payload.get()) || holds(entry.meta.get()) || entry.kind.as_str() == wanted {
                    found.push(entry);
                }
                Ok(found.len() < limit)
            })?;
            Ok(found)
        })
    }

    /// Records an event.
    ///
    /// # Errors
    /// [`Error::Refused`] for a name that only memtape's own commands write, or what the medium says.
    pub fn append_event(&self, name: &str, data: Option<&Value>, session: &Session) -> Result<EntryId> {
        check_name(name)?;
        self.append(&Kind::Event, &named(name, "data", data), session)
    }

    /// Records a system message of a conversation.
    ///
    /// # Errors
    /// What the medium says.
    pub fn append_system(&self, content: &str, session: &Session) -> Result<EntryId> {
        self.append(&Kind::System, &json!({"content": content}), session)
    }

    /// Marks a place in a conversation, with an optional state; what a model is shown begins there.
    ///
    /// # Errors
    /// [`Error::Refused`] for a name that only memtape's own commands write, or what the medium says.
    pub fn handoff(&self, name: &str, state: Option<&Value>, session: &Session) -> Result<EntryId> {
        check_name(name)?;
        let payload = named(name, "state", state);
        self.check(&payload)?;
        let author = self.workspace.author(session, Origin::User);
        let written = self.workspace.write(&author, |reader, point, given| {
            let mut drafts = vec![Draft::new(Kind::Anchor, &payload, &given.meta(), &given.branch)?];
            drafts.extend(upkeep::end(&self.workspace.config, Some(session), reader, point, given)?);
            Ok(Decision { drafts, outcome: () })
        })?;
        Ok(written.entries.first().map_or(0, |entry| entry.id))
    }

    /// Resets a conversation, or everything: an anchor that retires its messages, or all memories. Nothing is
    /// removed: an earlier point still shows it. Before everything is reset, the zone's text is kept in the
    /// archive.
    ///
    /// # Errors
    /// What the medium says.
    pub fn reset(&self, session: Option<&Session>, archive: bool) -> Result<Reset> {
        let zone_kept = match session {
            Some(_) => None,
            None => self.keep_zone()?,
        };
        let archived = match archive {
            true => self.workspace.archive()?.map(|segment| segment.file_name()),
            false => None,
        };
        let author = self.workspace.author(session.unwrap_or(&Session::direct()), Origin::User);
        let written = self.workspace.write(&author, |reader, point, given| {
            let rule = session.map_or_else(Rule::everything, Rule::conversation);
            let meta = given.meta().retiring([Retire::Rule(rule)]);
            // What the conversation observed is committed before it is over.
            let mut drafts = upkeep::end(&self.workspace.config, session, reader, point, given)?;
            let anchor = drafts.len();
            drafts.push(session_start(&meta, &given.branch)?);
            if session.is_none() {
                // The new zone goes on counting where the old one ended.
                let view = zone_view(reader, point, &whole_zone())?;
                drafts.extend(ops::renew(&view, given)?.drafts);
            }
            Ok(Decision { drafts, outcome: anchor })
        })?;
        let anchor = written.entries.get(written.outcome).map_or(0, |entry| entry.id);
        Ok(Reset { anchor, zone_kept, archived })
    }

    fn keep_zone(&self) -> Result<Option<String>> {
        let (view, entry) = self.workspace.read(&At::head(), &Session::direct(), |reader, point| {
            Ok((zone_view(reader, point, &whole_zone())?, point.entry()))
        })?;
        match view.export() {
            text if text.is_empty() => Ok(None),
            text => Ok(Some(self.workspace.store.keep(&format!("memory-until-{entry}"), "md", &text)?)),
        }
    }

    /// Refuses a payload that is nested too deeply or too long.
    fn check(&self, payload: &Value) -> Result<()> {
        check_depth(payload)?;
        self.workspace.check_length("the entry", &payload.to_string())
    }

    fn append(&self, kind: &Kind, payload: &Value, session: &Session) -> Result<EntryId> {
        self.check(payload)?;
        let author = self.workspace.author(session, Origin::User);
        let written = self.workspace.write(&author, |_, _, given| {
            Ok(Decision {
                drafts: vec![Draft::new(kind.clone(), payload, &given.meta(), &given.branch)?],
                outcome: (),
            })
        })?;
        Ok(written.entries.first().map_or(0, |entry| entry.id))
    }

    fn last_named(
        &self,
        name: &str,
        session: Option<&Session>,
        before: Option<EntryId>,
        at: &At,
    ) -> Result<EntryId> {
        let question = EntryQuestion {
            kinds: vec![Kind::Anchor],
            name: Some(name.to_owned()),
            session: session.cloned(),
            before,
            without_reset: true,
            order: Order::NewestFirst,
            limit: Some(1),
            ..EntryQuestion::default()
        };
        let anchor = self.entries(&question, at)?.pop();
        anchor.map(|anchor| anchor.id).ok_or_else(|| {
            let of = session.map_or(String::new(), |session| format!(" in {session}"));
            let before = before.map_or(String::new(), |id| format!(" before entry {id}"));
            Error::NotFound(format!("there is no anchor {name:?}{of}{before}")).with_hint(Hint::ListAnchors)
        })
    }

    fn between(
        &self,
        session: Option<&Session>,
        kinds: &[Kind],
        after: EntryId,
        before: Option<EntryId>,
        at: &At,
    ) -> Result<Vec<Entry>> {
        let question = EntryQuestion {
            kinds: kinds.to_vec(),
            session: session.cloned(),
            after,
            before,
            without_reset: true,
            ..EntryQuestion::default()
        };
        self.entries(&question, at)
    }

    fn entries(&self, question: &EntryQuestion, at: &At) -> Result<Vec<Entry>> {
        let question = EntryQuestion { audience: self.audience.clone(), ..question.clone() };
        self.workspace.read(at, &Session::direct(), |reader, point| reader.entries(&question, point))
    }
}

/// What is nested too deeply would be kept and never be read again.
fn check_depth(payload: &Value) -> Result<()> {
    match serde_json::from_str::<Value>(&payload.to_string()) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::Invalid("the JSON is nested too deeply: at most about 120 levels".into())),
    }
}

/// `{name}`, with a second field where there is something to say.
fn named(name: &str, field: &str, value: Option<&Value>) -> Value {
    let mut payload = Map::new();
    payload.insert("name".into(), name.into());
    if let Some(value) = value {
        payload.insert(field.into(), value.clone());
    }
    Value::Object(payload)
}

fn check_name(name: &str) -> Result<()> {
    if let Some(kind) = name.strip_prefix(journal::PREFIX) {
        return Ok(journal::types::check(kind)?);
    }
    if name.is_empty() || name.len() > NAME_BYTES_MAX || name.chars().any(char::is_control) {
        return Err(Error::Invalid(format!(
            "a name has 1 to {NAME_BYTES_MAX} bytes and no control characters"
        )));
    }
    match forms::reserved_prefix(name) {
        Some(prefix) => Err(Error::Refused(format!(
            "names that begin with {prefix:?} are memory's own: only memtape's commands write them"
        ))),
        None => Ok(()),
    }
}
