//! From an entry to the memories it bears and retires.
//!
//! **Invariant.** A function of one entry: nothing is looked up, so a rebuilt index is the index.

use std::borrow::Cow;

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
    pub creates: Vec<Created>,
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

/// What an entry means. Unknown kinds and names mean nothing.
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
        creates,
        retires: meta.retires,
        branch,
        commit: Commit::read(entry),
        observed,
        turn,
    }
}
