//! The journal as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use memtape::journal::Question;
use memtape::{At, EntryId, Error, Line, Result, Workspace};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use super::Server;
use super::answer::Failure;
use super::operations::{Kind, Pairs, Parameter, checked};
use crate::access::Access;
use crate::caller::Caller;

/// The path of the stream.
pub(super) const PATH: &str = "/v1/events";
/// Time between two looks at the tape.
const PERIOD: Duration = Duration::from_millis(500);
/// Maximum number of events that wait for a slow client, and of lines that are read at once, except further ones of the
/// last entry.
const WAITING_MAX: usize = 256;

/// Ends when the server is asked to stop.
#[derive(Clone)]
pub(super) struct Stopped(pub(super) CancellationToken);

/// The parameters of the stream.
const QUERY: &[Parameter] =
    &[("after", Kind::Count, "The entry after which events are sent; without it only new ones are.")];

/// Sends every journal line as an event, with its entry as the id. A workspace that cannot be read at the beginning is a
/// failure, not a stream without events.
pub(super) async fn follow(
    State(_): State<Arc<Server>>,
    Extension(access): Extension<Access>,
    Extension(Stopped(stopped)): Extension<Stopped>,
    headers: HeaderMap,
    query: Pairs,
) -> Response {
    let after = match checked(query, QUERY) {
        Ok(query) => query.get("after").and_then(|after| after.parse().ok()),
        Err(failure) => return failure.into_response(),
    };
    let last_seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let mut page = match read(&access, last_seen.or(after)).await {
        Ok(page) => page,
        Err(e) => return Failure::from(e).into_response(),
    };
    let (sender, receiver) = mpsc::channel::<std::result::Result<Event, Infallible>>(WAITING_MAX);
    tokio::spawn(async move {
        while !sender.is_closed() && !stopped.is_cancelled() {
            for line in std::mem::take(&mut page.lines) {
                let event = Event::default().id(line.entry.to_string()).data(line.to_json().to_string());
                if sender.send(Ok(event)).await.is_err() {
                    return;
                }
            }
            if !page.has_more {
                tokio::select! {
                    () = stopped.cancelled() => return,
                    () = sender.closed() => return,
                    () = tokio::time::sleep(PERIOD) => {}
                }
            }
            match read(&access, Some(page.last)).await {
                Ok(next) => page = next,
                Err(_) => page.has_more = false,
            }
        }
    });
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default()).into_response()
}

/// Some lines of the journal.
struct Page {
    lines: Vec<Line>,
    /// The last entry that was read.
    last: EntryId,
    /// Whether entries after it have lines already.
    has_more: bool,
}

/// Why the reading of lines stops.
enum Stop {
    Full,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(e: Error) -> Self {
        Self::Failed(e)
    }
}

async fn read(access: &Access, after: Option<EntryId>) -> Result<Page> {
    let caller = access.caller.clone();
    access.node.read(move |workspace| lines(workspace, &caller, after)).await
}

/// Returns the next journal lines after an entry; of no entry, only the head.
fn lines(workspace: &Workspace, caller: &Caller, after: Option<EntryId>) -> Result<Page> {
    let journal =
        workspace.journal().for_audience(caller.audience(workspace)?).in_session(caller.session.clone());
    let head = journal.head()?;
    let after = after.unwrap_or(head);
    let mut page = Page { lines: Vec::new(), last: after.max(head), has_more: false };
    if after >= head {
        return Ok(page);
    }
    let question = Question { after, ..Question::default() };
    let at = At::entry(head).in_session(caller.session.clone());
    let read = journal.each(&question, &at, |line| {
        let is_of_next = page.lines.last().is_some_and(|last| last.entry != line.entry);
        if is_of_next && page.lines.len() >= WAITING_MAX {
            return Err(Stop::Full);
        }
        page.lines.push(line);
        Ok(())
    });
    match read {
        Ok(()) => Ok(page),
        Err(Stop::Failed(e)) => Err(e),
        Err(Stop::Full) => {
            page.last = page.lines.last().map_or(after, |line| line.entry);
            Ok(Page { has_more: true, ..page })
        }
    }
}

#[cfg(test)]
mod tests {
    use memtape::{Options, Session};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_journal_is_read_by_pages() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let workspace = Workspace::init(dir.path(), Options::default()).expect("a workspace");
        let before = workspace.journal().head().expect("a head");
        for n in 0..300 {
            workspace.journal().add("sight", &json!({"bird": n})).expect("a line");
        }
        let caller = Caller::owner(Session::direct());
        let first = lines(&workspace, &caller, Some(before)).expect("a page");
        assert_eq!((first.lines.len(), first.has_more), (WAITING_MAX, true));
        let second = lines(&workspace, &caller, Some(first.last)).expect("a page");
        assert_eq!((second.lines.len(), second.has_more), (300 - WAITING_MAX, false));
        let none = lines(&workspace, &caller, Some(second.last)).expect("a page");
        assert_eq!((none.lines.len(), none.last), (0, second.last));
    }
}
