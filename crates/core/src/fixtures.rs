//! An in-memory tape on which the tests of forms write, and the entries and memories of other tests.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape_tape::{Draft, Entry, EntryId, Hash, Salt, Seal};

use crate::created::Created;
use crate::decision::Context;
use crate::memory::{Form, Memory, MemoryId};
use crate::meta::Retire;
use crate::projection::project;
use crate::{Lifetime, MAIN, Origin, Scope, Sensitivity, Session};

/// Returns the context of a decision on the main branch.
pub(crate) fn context(now: &str, origin: Origin) -> Context {
    Context {
        now: now.parse().unwrap(),
        zone: TimeZone::UTC,
        branch: MAIN.into(),
        session: Session::direct(),
        origin,
        scope: Scope::Global,
        sensitivity: Sensitivity::Normal,
        reason: None,
    }
}

/// Returns a draft as an entry without a chain.
pub(crate) fn entry(id: EntryId, draft: Draft, date: Timestamp, more: u32) -> Entry {
    Entry {
        id,
        kind: draft.kind,
        payload: draft.payload,
        meta: draft.meta,
        branch: draft.branch,
        date,
        more,
        seal: Seal::Salt(Salt::new([0; 16])),
        prev: Hash::ZERO,
        hash: Hash::ZERO,
    }
}

/// Appends a draft to a tape, and updates the memories that are current on it.
pub(crate) fn append(
    draft: Draft,
    date: Timestamp,
    more: u32,
    entries: &mut Vec<Entry>,
    current: &mut Vec<Memory>,
) {
    let entry = entry(entries.len() as u64 + 1, draft, date, more);
    let projection = project(&entry);
    for retire in projection.retires {
        let Retire::Memory(id) = retire else { panic!("{retire:?} is not one memory") };
        let before = current.len();
        current.retain(|memory| memory.id != id);
        assert_eq!(current.len() + 1, before, "{id:?} was not current");
    }
    let session = projection.session.map(|session| session.to_string());
    let creates = projection.creates.into_iter();
    current.extend(creates.map(|created| created_memory(created, session.clone(), date)));
    entries.push(entry);
}

/// Returns the memory that an entry on the main branch creates.
pub(crate) fn created_memory(created: Created, session: Option<String>, date: Timestamp) -> Memory {
    Memory {
        id: created.id,
        form: created.form,
        key: created.key,
        branch: MAIN.into(),
        session,
        scope: created.scope.text("w"),
        sensitivity: created.sensitivity,
        origin: created.origin,
        category: created.category,
        lifetime: created.lifetime,
        importance: created.importance,
        confidence: created.confidence,
        expires_at: created.expires_at,
        quarantined: created.quarantined,
        copy_of: created.copy_of,
        previous: None,
        said_at: created.said_at,
        created_at: date,
        text: created.text,
        data: created.data,
    }
}

/// Returns a memory on the main branch of which only the text is known.
pub(crate) fn memory(id: MemoryId, form: Form, key: &str, text: &str) -> Memory {
    Memory {
        id,
        form,
        key: key.into(),
        branch: MAIN.into(),
        session: None,
        scope: String::new(),
        sensitivity: Sensitivity::Normal,
        origin: None,
        category: None,
        lifetime: Lifetime::Permanent,
        importance: None,
        confidence: None,
        expires_at: None,
        quarantined: None,
        copy_of: None,
        previous: None,
        said_at: None,
        created_at: Timestamp::UNIX_EPOCH,
        text: text.into(),
        data: None,
    }
}
