//! Reads the payloads of anchors and events: their names, and their `state` or `data`.

use memtape_tape::{Draft, Entry, Kind};
use serde::Deserialize;

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// Returns the name of an anchor or event; `None` for another kind of entry.
#[must_use]
pub fn event_name(entry: &Entry) -> Option<String> {
    name(&entry.kind, entry.payload.get())
}

/// Returns the name of an anchor or event before it is written.
#[must_use]
pub fn draft_name(draft: &Draft) -> Option<String> {
    name(&draft.kind, draft.payload.get())
}

fn name(kind: &Kind, payload: &str) -> Option<String> {
    let has_name = matches!(kind, Kind::Anchor | Kind::Event);
    has_name.then(|| serde_json::from_str::<Named>(payload).ok()?.name).flatten()
}

/// Returns the `state` of an anchor; `None` if it does not have the expected shape.
#[must_use]
pub fn state<T: for<'a> Deserialize<'a>>(entry: &Entry) -> Option<T> {
    #[derive(Deserialize)]
    struct Anchor<T> {
        state: T,
    }
    serde_json::from_str::<Anchor<T>>(entry.payload.get()).ok().map(|anchor| anchor.state)
}

/// Returns the `data` of an event; `None` if it does not have the expected shape.
#[must_use]
pub fn data<T: for<'a> Deserialize<'a>>(entry: &Entry) -> Option<T> {
    #[derive(Deserialize)]
    struct Event<T> {
        data: T,
    }
    serde_json::from_str::<Event<T>>(entry.payload.get()).ok().map(|event| event.data)
}
