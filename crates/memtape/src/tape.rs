//! Questions to the tape and the anchors and events that callers append (document 0).
//!
//! Questions about a conversation cover the entries since its last reset; [`Tape::log`] covers all entries.
//! Anchors of memtape itself (`memory/*`, `branch/*`) do not count as places in a conversation.

use jiff::Timestamp;
use memtape_core::forms;
use memtape_core::forms::zone::ops;
use memtape_core::journal;
use memtape_core::{Audience, Decision, Hint, Origin, Retire, Rule, Session};
use memtape_index::{EntryQuestion, Order};
use memtape_tape::{Draft, Entry, EntryId, Kind};
use serde_json::{Map, Value, json};

use crate::error::{Error, Result};
use crate::ledger::upkeep;
use crate::reading::{session_start, whole_zone, zone_view};
use crate::workspace::{At, Workspace};

/// The maximum length of the name of an anchor or event, in bytes.
const NAME_BYTES_MAX: usize = 200;

/// The tape of a workspace, for one audience.
pub struct Tape<'a> {
    workspace: &'a Workspace,
    audience: Audience,
}

/// A filter for the log.
#[derive(Clone, Debug, Default)]
pub struct LogQuestion {
    /// Only entries of these kinds; empty means all kinds.
    pub kinds: Vec<Kind>,
    /// Only entries of this conversation.
    pub session: Option<Session>,
    /// Only entries from this instant on.
    pub since: Option<Timestamp>,
    /// Only this many entries, the last ones.
    pub limit: Option<usize>,
}

/// The result of a reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The anchor that removes the reset messages or memories.
    pub anchor: EntryId,
    /// The last entry before the reset: a point there still shows what was.
    pub before: EntryId,
    /// The file in the archive that holds the previous text of the zone; `None` if the zone was empty or was
    /// not reset.
    pub zone_kept: Option<String>,
    /// The file name of the tape segment that was archived before the reset, if that was asked for and there
    /// was one.
    pub archived: Option<String>,
}

impl Workspace {
    /// Returns the tape, for the owner.
    #[must_use]
    pub fn tape(&self) -> Tape<'_> {
        Tape::new(self)
    }
}

impl<'a> Tape<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, audience: Audience::owner() }
    }

    /// Returns the same tape for another audience.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Returns entries in the order they were written.
    ///
    /// With [`LogQuestion::limit`] they are the last ones.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` names no entry or branch, or if the index cannot be read.
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

    /// Returns the anchors of a conversation, or of all, oldest first.
    ///
    /// With `own` the anchors of memtape itself are included. With `limit` only the last ones are returned.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` names no entry or branch, or if the index cannot be read.
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

    /// Returns the entries after the last anchor of a conversation; all entries if it has no anchor.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` names no entry or branch, or if the index cannot be read.
    pub fn from_last_anchor(&self, session: Option<&Session>, kinds: &[Kind], at: &At) -> Result<Vec<Entry>> {
        let last = self.anchors(session, false, Some(1), at)?.pop();
        self.between(session, kinds, last.map_or(0, |anchor| anchor.id), None, at)
    }

    /// Returns the entries after the last anchor with a name.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such anchor; [`Error::Store`] if `at` names no entry or branch, or
    /// if the index cannot be read.
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

    /// Returns the entries between two anchors: the last one named `end`, and the last one named `start`
    /// before it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if one of them does not exist; [`Error::Store`] if `at` names no entry or branch,
    /// or if the index cannot be read.
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

    /// Returns up to `limit` entries that contain a text in their payload or meta, or have it as their kind,
    /// newest first.
    ///
    /// The comparison ignores case. An empty text matches nothing.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` names no entry or branch, or if the index cannot be read.
    pub fn search(
        &self,
        text: &str,
        session: Option<&Session>,
        kinds: &[Kind],
        limit: usize,
        at: &At,
    ) -> Result<Vec<Entry>> {
        let wanted = text.to_lowercase();
        // Quotes, backslashes and line ends are escaped inside JSON, so the text is compared in its escaped
        // form.
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
        self.workspace.read(at, &self.audience, &Session::direct(), |reader, point| {
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

    /// Appends an event and returns the id of its entry.
    ///
    /// # Errors
    /// - [`Error::Invalid`] if the name is empty, too long or has control characters, or if `data` is nested
    ///   too deeply.
    /// - [`Error::Refused`] if the name is reserved for memtape itself, or if the payload is longer than
    ///   `ingest.max_message_bytes`.
    /// - [`Error::Store`] of kind `Invalid` if the name is a malformed journal type, of kind `Refused` if
    ///   only memtape itself writes lines of that type.
    /// - [`Error::Store`] as for [`Workspace::write`].
    pub fn append_event(&self, name: &str, data: Option<&Value>, session: &Session) -> Result<EntryId> {
        check_name(name)?;
        self.append(&Kind::Event, &named(name, "data", data), session)
    }

    /// Appends a system message to a conversation and returns the id of its entry.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is longer than `ingest.max_message_bytes`; [`Error::Store`] as for
    /// [`Workspace::write`].
    pub fn append_system(&self, content: &str, session: &Session) -> Result<EntryId> {
        self.append(&Kind::System, &json!({"content": content}), session)
    }

    /// Appends an anchor to a conversation, with an optional state.
    ///
    /// The context of a model begins after it.
    ///
    /// # Errors
    /// See [`Tape::append_event`].
    pub fn handoff(&self, name: &str, state: Option<&Value>, session: &Session) -> Result<EntryId> {
        check_name(name)?;
        let payload = named(name, "state", state);
        self.check(&payload)?;
        let author = self.workspace.author(session, Origin::User);
        let written = self.workspace.write(&author, |reader, point, ctx| {
            let mut drafts = vec![Draft::new(Kind::Anchor, &payload, &ctx.meta(), &ctx.branch)?];
            drafts.extend(upkeep::end(&self.workspace.config, Some(session), reader, point, ctx)?);
            Ok(Decision { drafts, outcome: () })
        })?;
        Ok(written.entries.first().map_or(0, |entry| entry.id))
    }

    /// Resets a conversation, or the whole workspace if `session` is `None`.
    ///
    /// A reset appends an anchor that removes the messages of the conversation, or all memories. Earlier
    /// points still show them. Before the whole workspace is reset, the text of the zone is saved in the
    /// archive. With `archive` the tape is archived as well.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the conversation has no entries; [`Error::Store`] as for [`Workspace::write`], or if the
    /// archive cannot be written.
    pub fn reset(&self, session: Option<&Session>, archive: bool) -> Result<Reset> {
        if let Some(session) = session {
            self.check_exists(session)?;
        }
        let zone_kept = match session {
            Some(_) => None,
            None => self.keep_zone()?,
        };
        let archived = match archive {
            true => self.workspace.archive()?.map(|segment| segment.file_name()),
            false => None,
        };
        let author = self.workspace.author(session.unwrap_or(&Session::direct()), Origin::User);
        let written = self.workspace.write(&author, |reader, point, ctx| {
            let rule = session.map_or_else(Rule::everything, Rule::conversation);
            let meta = ctx.meta().retiring([Retire::Rule(rule)]);
            // The observations of the conversation must be committed before the anchor ends it.
            let mut drafts = upkeep::end(&self.workspace.config, session, reader, point, ctx)?;
            let anchor = drafts.len();
            drafts.push(session_start(&meta, &ctx.branch)?);
            if session.is_none() {
                // The version number of the new zone continues that of the old one.
                let view = zone_view(reader, point, &whole_zone())?;
                drafts.extend(ops::renew(&view, ctx)?.drafts);
            }
            Ok(Decision { drafts, outcome: anchor })
        })?;
        let anchor = written.entries.get(written.outcome).map_or(0, |entry| entry.id);
        // Observations that the same group commits precede the anchor.
        let before = written.entries.first().map_or(0, |entry| entry.id - 1);
        Ok(Reset { anchor, before, zone_kept, archived })
    }

    /// Refuses a conversation without entries: its name may be mistyped.
    fn check_exists(&self, session: &Session) -> Result<()> {
        let question = EntryQuestion {
            audience: Audience::owner(),
            session: Some(session.clone()),
            limit: Some(1),
            ..EntryQuestion::default()
        };
        let entries = self.workspace.read(&At::head(), &Audience::owner(), session, |reader, point| {
            reader.entries(&question, point)
        })?;
        match entries.is_empty() {
            true => Err(Error::NotFound(format!("nothing to reset: {session} has no entries"))),
            false => Ok(()),
        }
    }

    fn keep_zone(&self) -> Result<Option<String>> {
        let (view, entry) =
            self.workspace.read(&At::head(), &Audience::owner(), &Session::direct(), |reader, point| {
                Ok((zone_view(reader, point, &whole_zone())?, point.entry()))
            })?;
        match view.export() {
            text if text.is_empty() => Ok(None),
            text => Ok(Some(self.workspace.store.keep(&format!("memory-until-{entry}"), "md", &text)?)),
        }
    }

    /// Refuses a payload that is nested too deeply or is too long.
    fn check(&self, payload: &Value) -> Result<()> {
        check_depth(payload)?;
        self.workspace.check_length("the entry", &payload.to_string())
    }

    fn append(&self, kind: &Kind, payload: &Value, session: &Session) -> Result<EntryId> {
        self.check(payload)?;
        let author = self.workspace.author(session, Origin::User);
        let written = self.workspace.write(&author, |_, _, ctx| {
            Ok(Decision {
                drafts: vec![Draft::new(kind.clone(), payload, &ctx.meta(), &ctx.branch)?],
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
        self.workspace
            .read(at, &self.audience, &Session::direct(), |reader, point| reader.entries(&question, point))
    }
}

/// Refuses JSON that is nested more deeply than it could be parsed again.
pub(crate) fn check_depth(payload: &Value) -> Result<()> {
    match serde_json::from_str::<Value>(&payload.to_string()) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::Invalid("the JSON is nested too deeply: the limit is about 120 levels".into())),
    }
}

/// Returns `{name}`, with a second field if there is a value.
pub(crate) fn named(name: &str, field: &str, value: Option<&Value>) -> Value {
    let mut payload = Map::new();
    payload.insert("name".into(), name.into());
    if let Some(value) = value {
        payload.insert(field.into(), value.clone());
    }
    Value::Object(payload)
}

pub(crate) fn check_name(name: &str) -> Result<()> {
    if let Some(kind) = name.strip_prefix(journal::PREFIX) {
        return Ok(journal::types::check(kind)?);
    }
    if name.is_empty() || name.len() > NAME_BYTES_MAX || name.chars().any(char::is_control) {
        return Err(Error::Invalid(format!(
            "a name has 1 to {NAME_BYTES_MAX} bytes and no control characters"
        )));
    }
    match forms::reserved_prefix(name) {
        Some(prefix) => {
            Err(Error::Refused(format!("names that start with {prefix:?} are reserved for memtape")))
        }
        None => Ok(()),
    }
}
