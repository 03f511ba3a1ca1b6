//! The journal as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use memtape::journal::Question;
use memtape::{EntryId, Line, Result, Workspace};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use super::Server;
use super::operations::{Kind, Pairs, Parameter, checked};
use crate::access::Access;
use crate::caller::Caller;

/// The path of the stream.
pub(super) const PATH: &str = "/v1/events";
/// Time between two looks at the tape.
const PERIOD: Duration = Duration::from_millis(500);
/// Maximum number of events that wait for a slow client.
const WAITING_MAX: usize = 256;

/// Ends when the server is asked to stop.
#[derive(Clone)]
pub(super) struct Stopped(pub(super) CancellationToken);

/// The parameters of the stream.
const QUERY: &[Parameter] =
    &[("after", Kind::Count, "The entry after which events are sent; without it only new ones are.")];

/// Sends every journal line as an event, with its entry as the id.
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
    let (sender, receiver) = mpsc::channel::<std::result::Result<Event, Infallible>>(WAITING_MAX);
    let mut after: Option<EntryId> = last_seen.or(after);
    tokio::spawn(async move {
        while !sender.is_closed() && !stopped.is_cancelled() {
            let caller = access.caller.clone();
            let read = access.node.read(move |workspace| lines(workspace, &caller, after)).await;
            if let Ok((lines, last)) = read {
                for line in lines {
                    let event = Event::default().id(line.entry.to_string()).data(line.to_json().to_string());
                    if sender.send(Ok(event)).await.is_err() {
                        return;
                    }
                }
                after = Some(last);
            }
            tokio::select! {
                () = stopped.cancelled() => return,
                () = sender.closed() => return,
                () = tokio::time::sleep(PERIOD) => {}
            }
        }
    });
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default()).into_response()
}

/// Returns the journal lines after an entry and the last entry that was read; of no entry, only the head.
fn lines(workspace: &Workspace, caller: &Caller, after: Option<EntryId>) -> Result<(Vec<Line>, EntryId)> {
    let journal =
        workspace.journal().for_audience(caller.audience(workspace)?).in_session(caller.session.clone());
    match after {
        Some(after) => journal.after(&Question::default(), after),
        None => Ok((Vec::new(), journal.head()?)),
    }
}
