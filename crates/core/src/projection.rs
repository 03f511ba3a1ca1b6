//! From an entry to the memories it bears and retires.
//!
//! **Invariant.** A function of one entry: nothing is looked up, so a rebuilt index is the index.

use std::borrow::Cow;

use jiff::Timestamp;
use memtape_tape::{Draft, Entry, Kind};
use serde::Deserialize;

use crate::audience::Sensitivity;
use crate::branch;
use crate::category::Category;
use crate::commit::Commit;
use crate::forms;
use crate::journal;
use crate::lifetime::Lifetime;
use crate::memory::{Form, MemoryId, Origin};
use crate::meta::{Meta, Retire};
use crate::scope::Scope;
use crate::session::Session;
use crate::turn;

/// How the names of anchors and events begin that only memtape's own commands write.
pub const OWN_NAMES: [&str; 11] = [
    "memory/",
    "branch/",
    "memory.",
    "ledger.",
    "branch.",
    "note.",
    "block.",
    "file.",
    "statement.",
    "turn.",
    "tape.",
];

/// A memory as its entry bears it.
#[derive(Clone, Debug, PartialEq)]
pub struct Birth {
    /// Its number.
    pub id: MemoryId,
    /// Its form.
    pub form: Form,
    /// What names the thing within its form.
    pub key: String,
    /// Whose it is.
    pub scope: Scope,
    /// How far it may be shown.
    pub sensitivity: Sensitivity,
    /// Who it came from.
    pub origin: Option<Origin>,
    /// What a statement is about.
    pub category: Option<Category>,
    /// How long it should live.
    pub lifetime: Lifetime,
    /// How much it matters, from 0 to 1.
    pub importance: Option<f64>,
    /// How sure it is, from 0 to 1.
    pub confidence: Option<f64>,
    /// When it was said or happened.
    pub said_at: Option<Timestamp>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// By which rule it is never put into a prompt by itself.
    pub quarantined: Option<String>,
    /// The memory of another branch that it is a copy of.
    pub copy_of: Option<MemoryId>,
    /// What names all slots of the same subject and predicate, where the form has such.
    pub about: Option<String>,
    /// What is remembered.
    pub text: String,
    /// What else its form keeps of it, as JSON.
    pub data: Option<String>,
    /// What it is found by.
    pub search: Search,
}

impl Birth {
    /// What an entry's `meta` says of a memory it bears; the form adds the rest.
    #[must_use]
    pub fn of(form: Form, id: MemoryId, meta: &Meta) -> Self {
        Self {
            id,
            form,
            key: String::new(),
            scope: meta.scope(),
            sensitivity: meta.sensitivity,
            origin: meta.origin,
            category: None,
            lifetime: Lifetime::default(),
            importance: None,
            confidence: None,
            said_at: None,
            expires_at: None,
            quarantined: meta.quarantined.clone(),
            // An entry that is a copy bears one memory.
            copy_of: meta.from.filter(|_| id == MemoryId::new(id.entry(), 0)),
            about: None,
            text: String::new(),
            data: None,
            search: Search::default(),
        }
    }
}

/// What a memory is found by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Its own words.
    pub own: String,
    /// Whether the words of the message before it in its conversation help to find it.
    pub after_previous: bool,
    /// The words of its day.
    pub day: Option<String>,
}

/// What an entry means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// The name of an anchor or event.
    pub name: Option<String>,
    /// The conversation it belongs to.
    pub session: Option<Session>,
    /// Whose it is: a message, a mark or a foreign event its chat's, what memtape's own commands write that of the
    /// memories it is about.
    pub scope: Scope,
    /// How far it may be shown.
    pub sensitivity: Sensitivity,
    /// What the statements are about that it bears or retires.
    pub category: Option<Category>,
    /// How long what it tells of should live: what lives as long as its conversation shows in that one only.
    pub lifetime: Lifetime,
    /// The memories it bears.
    pub births: Vec<Birth>,
    /// The memories it retires.
    pub retires: Vec<Retire>,
    /// What it says of branches.
    pub branch: Option<branch::Mark>,
    /// The commit it records.
    pub commit: Option<Commit>,
    /// The id of the observation it records, which a commit is to list.
    pub observed: Option<String>,
    /// What it says of a turn.
    pub turn: Option<turn::Mark>,
    /// Of which type its lines in the journal are, where it has any.
    pub journal: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// The name of an anchor or event.
pub(crate) fn event_name(entry: &Entry) -> Option<String> {
    serde_json::from_str::<Named>(entry.payload.get()).ok().and_then(|named| named.name)
}

/// The name of an anchor or event that is to be written.
pub(crate) fn draft_name(draft: &Draft) -> Option<String> {
    let is_named = matches!(draft.kind, Kind::Anchor | Kind::Event);
    is_named.then(|| serde_json::from_str::<Named>(draft.payload.get()).ok()?.name).flatten()
}

/// What an entry means. Unknown kinds and names mean nothing.
#[must_use]
pub fn project(entry: &Entry) -> Projection {
    let meta = Meta::read(entry.meta.get());
    let name = matches!(entry.kind, Kind::Anchor | Kind::Event).then(|| event_name(entry)).flatten();
    let births = match (&entry.kind, name.as_deref()) {
        (Kind::Message | Kind::System | Kind::ToolCall | Kind::ToolResult, _) => {
            forms::messages::entry::births(entry, &meta)
        }
        (Kind::Event, Some(name)) => births(name, entry, &meta),
        _ => Vec::new(),
    };
    let category = match name.as_deref() {
        Some(name) if forms::statements::entry::is_ours(name) => forms::statements::entry::category(entry),
        _ => None,
    };
    let lifetime = match name.as_deref().and_then(forms::ledger::EventType::of_event) {
        Some(_) => forms::ledger::entry::told_lifetime(entry),
        None => {
            births.iter().map(|birth| birth.lifetime).find(|l| *l == Lifetime::Session).unwrap_or_default()
        }
    };
    let observed = name.as_deref().and_then(|name| forms::ledger::entry::observed(name, entry, &meta));
    let branch = name.as_deref().and_then(|name| branch::mark(name, entry));
    let own = name.as_deref().is_some_and(|name| OWN_NAMES.iter().any(|own| name.starts_with(own)));
    // Whose a line of the journal is: of who is named there, and never the workspace's.
    let is_line = name.as_deref().is_some_and(|name| name.starts_with(journal::PREFIX));
    let scope = Some(meta.scope()).filter(|scope| own || (is_line && *scope != Scope::Global));
    let turn = match (&entry.kind, name.as_deref()) {
        (Kind::Event, Some(name)) => turn::mark(name, entry),
        _ => None,
    };
    let journal = journal::types::of(entry, name.as_deref(), &meta).map(Cow::into_owned);
    Projection {
        journal,
        session: meta.session(),
        scope: scope.unwrap_or_else(|| meta.chat()),
        sensitivity: meta.sensitivity,
        category,
        lifetime,
        name,
        births,
        retires: meta.retires,
        branch,
        commit: Commit::read(entry),
        observed,
        turn,
    }
}

/// The memories that an event of this name bears.
fn births(name: &str, entry: &Entry, meta: &Meta) -> Vec<Birth> {
    if let Some(event_type) = forms::ledger::EventType::of_event(name) {
        return forms::ledger::entry::births(event_type, entry, meta);
    }
    match name {
        name if forms::blocks::entry::is_ours(name) => forms::blocks::entry::births(name, entry, meta),
        name if forms::zone::entry::is_ours(name) => forms::zone::entry::births(name, entry, meta),
        name if forms::files::entry::is_ours(name) => forms::files::entry::births(name, entry, meta),
        name if forms::notes::entry::is_ours(name) => forms::notes::entry::births(entry, meta),
        name if forms::statements::entry::is_ours(name) => {
            forms::statements::entry::births(name, entry, meta)
        }
        _ => Vec::new(),
    }
}

/// The `state` of an anchor, where it has the expected shape.
pub(crate) fn state<T: for<'a> Deserialize<'a>>(entry: &Entry) -> Option<T> {
    #[derive(Deserialize)]
    struct Anchor<T> {
        state: T,
    }
    serde_json::from_str::<Anchor<T>>(entry.payload.get()).ok().map(|anchor| anchor.state)
}

/// The `data` of an event, where it has the expected shape.
pub(crate) fn data<T: for<'a> Deserialize<'a>>(entry: &Entry) -> Option<T> {
    #[derive(Deserialize)]
    struct Event<T> {
        data: T,
    }
    serde_json::from_str::<Event<T>>(entry.payload.get()).ok().map(|event| event.data)
}
