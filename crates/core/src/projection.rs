//! Projects an entry to the memories it creates and removes.
//!
//! **Invariant.** A projection depends on one entry only; it looks nothing up, so a rebuilt index equals the
//! original.

use std::borrow::Cow;

use jiff::Timestamp;
use memtape_tape::{Entry, Kind};

use crate::audience::Sensitivity;
use crate::branch;
use crate::category::Category;
use crate::commit::Commit;
use crate::created::Created;
use crate::forms;
use crate::journal;
use crate::lifetime::Lifetime;
use crate::meta::{Meta, Retire};
use crate::payload;
use crate::scope::Scope;
use crate::session::Session;
use crate::turn;

/// The meaning of an entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// The name of an anchor or event.
    pub name: Option<String>,
    /// The conversation it belongs to.
    pub session: Option<Session>,
    /// The scope that may see it: for messages, turn marks and foreign events it is that of their chat, for memtape's
    /// own entries that of their memories.
    pub scope: Scope,
    /// The visibility within its scope.
    pub sensitivity: Sensitivity,
    /// The category of the statements that it creates or removes.
    pub category: Option<Category>,
    /// The lifetime of its subject; one that lives as long as its conversation shows in that conversation
    /// only.
    pub lifetime: Lifetime,
    /// When that was, for its memories: the entry's date, or the time by the writer's clock if that was behind the tape.
    pub created_at: Timestamp,
    /// The memories it creates.
    pub creates: Vec<Created>,
    /// The memories it removes.
    pub retires: Vec<Retire>,
    /// The branch operation it records.
    pub branch: Option<branch::Mark>,
    /// The commit it records.
    pub commit: Option<Commit>,
    /// The id of the observation it records, which a later commit lists.
    pub observed: Option<String>,
    /// The part of a turn that it records.
    pub turn: Option<turn::Mark>,
    /// The type of its journal lines; `None` if it has none.
    pub journal: Option<String>,
}

/// Projects an entry. Unknown kinds and names project to nothing.
#[must_use]
pub fn project(entry: &Entry) -> Projection {
    let meta = Meta::read(entry.meta.get());
    let name = payload::event_name(entry);
    let owner = name.as_deref().and_then(forms::owner);
    let of_form = owner.zip(name.as_deref());
    let creates = match (&entry.kind, of_form) {
        (Kind::Message | Kind::System | Kind::ToolCall | Kind::ToolResult, _) => {
            forms::messages::entry::creates(entry, &meta)
        }
        (Kind::Event, Some((rules, name))) => rules.creates(name, entry, &meta),
        _ => Vec::new(),
    };
    let category = owner.and_then(|rules| rules.category(entry));
    let lifetime = owner.and_then(|rules| rules.lifetime(entry)).unwrap_or_else(|| {
        creates.iter().map(|created| created.lifetime).find(|l| *l == Lifetime::Session).unwrap_or_default()
    });
    let observed = of_form.and_then(|(rules, name)| rules.observed(name, entry, &meta));
    let branch = name.as_deref().and_then(|name| branch::mark(name, entry));
    let own = name.as_deref().and_then(forms::reserved_prefix).is_some();
    // A journal line belongs to the scope it names, and never to the workspace.
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
        created_at: meta.clock.map_or(entry.date, |clock| clock.min(entry.date)),
        creates,
        retires: meta.retires,
        branch,
        commit: Commit::read(entry),
        observed,
        turn,
    }
}
