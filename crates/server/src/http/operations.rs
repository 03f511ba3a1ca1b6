//! The operations below `/v1`: one table from which the routes and the OpenAPI document are made.
//!
//! An operation is a function of the library with its input parsed and its result rendered. It runs on a blocking
//! thread.

mod reading;
mod stores;
mod turning;
mod writing;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection, RawPathParamsRejection};
use axum::extract::{Extension, Query, RawPathParams, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter};
use memtape::{At, Workspace, lenient_json};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Server;
use super::answer::{self, Failure};
use super::tokens::Holder;
use crate::access::Access;
use crate::caller::Caller;

/// The greatest number of a query: the integers of SQLite have a sign.
pub(super) const NUMBER_MAX: u64 = i64::MAX as u64;

/// The result of an operation.
pub(super) type Answer = Result<Value, Failure>;

/// The method of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Delete,
}

impl Method {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Delete => "delete",
        }
    }

    fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}

/// One operation.
pub(super) struct Operation {
    pub(super) method: Method,
    /// The path, with parameters in braces.
    pub(super) path: &'static str,
    pub(super) summary: &'static str,
    /// The parameters of the query, each with its description.
    pub(super) query: &'static [Parameter],
    /// The JSON Schema of the body; `None` if there is none.
    pub(super) body: Option<fn() -> Value>,
    /// Whether it may write.
    pub(super) writes: bool,
    /// Whether every request is refused, because a workspace does not have this operation of another API.
    pub(super) is_refused: bool,
    pub(super) run: fn(&Input<'_>) -> Answer,
}

/// Returns an operation that reads.
const fn get(
    path: &'static str,
    summary: &'static str,
    query: &'static [Parameter],
    run: fn(&Input<'_>) -> Answer,
) -> Operation {
    Operation { method: Method::Get, path, summary, query, body: None, writes: false, is_refused: false, run }
}

/// A parameter of a query, with its description.
pub(super) type Parameter = (&'static str, Kind, &'static str);

/// The parameters of a query, before they are checked.
pub(super) type Pairs = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// The type of a parameter of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text.
    Text,
    /// A text without which the request is refused.
    Required,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// An integer that is not negative.
    Count,
    /// An integer from the first to the second.
    Range(u64, u64),
}

impl Kind {
    /// Returns the least and the greatest number; `None` if it is not a number.
    pub(super) fn bounds(self) -> Option<(u64, u64)> {
        match self {
            Self::Text | Self::Required | Self::OneOf(_) => None,
            Self::Count => Some((0, NUMBER_MAX)),
            Self::Range(least, most) => Some((least, most)),
        }
    }
}

/// The input of an operation.
pub(super) struct Input<'a> {
    pub(super) server: &'a Server,
    pub(super) workspace: &'a Workspace,
    pub(super) caller: &'a Caller,
    /// The name of the caller's token.
    pub(super) token: &'a str,
    path: &'a BTreeMap<String, String>,
    query: &'a BTreeMap<String, String>,
    body: &'a [u8],
}

impl Input<'_> {
    /// Returns a parameter of the path.
    pub(super) fn path(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// Returns a parameter of the query.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// Returns a number of the query, which has been checked already.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        self.query.get(name).and_then(|text| text.parse().ok())
    }

    /// Returns the point to read at.
    pub(super) fn at(&self) -> memtape::Result<At<'static>> {
        self.caller.at(self.workspace, self.text("at"))
    }

    /// Parses the body.
    pub(super) fn body<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        // A list would be read as the fields of the object in their order.
        if !memtape::without_mark(self.body).trim_ascii_start().starts_with(b"{") {
            return Err(Failure::invalid("invalid body: expected a JSON object"));
        }
        let text = std::str::from_utf8(self.body);
        let text = text.map_err(|e| Failure::invalid(format!("invalid body: {e}")))?;
        lenient_json::from_str(text).map_err(|e| Failure::invalid(format!("invalid body: {e}")))
    }
}

/// Every operation.
pub(super) fn all() -> impl Iterator<Item = &'static Operation> {
    reading::OPERATIONS.iter().chain(writing::OPERATIONS).chain(turning::OPERATIONS).chain(stores::OPERATIONS)
}

/// Returns the routes of the operations.
pub(super) fn routes() -> Router<Arc<Server>> {
    let mut paths: BTreeMap<&str, MethodRouter<Arc<Server>>> = BTreeMap::new();
    for operation in all() {
        let handler = move |State(server): State<Arc<Server>>,
                            Extension(access): Extension<Access>,
                            Extension(Holder(token)): Extension<Holder>,
                            headers: HeaderMap,
                            path: Result<RawPathParams, RawPathParamsRejection>,
                            query: Pairs,
                            body: Result<Bytes, BytesRejection>| async move {
            let request = Request { server, access, token, headers, operation };
            request.answered(path, query, body).await.unwrap_or_else(Failure::into_response)
        };
        let methods = paths.remove(operation.path).unwrap_or_default();
        paths.insert(operation.path, methods.on(operation.method.filter(), handler));
    }
    paths.into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods))
}

/// A request of an operation.
struct Request {
    server: Arc<Server>,
    access: Access,
    token: String,
    headers: HeaderMap,
    operation: &'static Operation,
}

impl Request {
    async fn answered(
        self,
        path: Result<RawPathParams, RawPathParamsRejection>,
        query: Pairs,
        body: Result<Bytes, BytesRejection>,
    ) -> Result<Response, Failure> {
        let Self { server, access: Access { node, caller, .. }, token, headers, operation } = self;
        if operation.writes && caller.is_read_only {
            return Err(Failure::new(StatusCode::FORBIDDEN, "refused", "this token may only read"));
        }
        let path = path.map_err(|e| Failure::invalid(e.body_text()))?;
        let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let query = checked(query, operation.query)?;
        let (body, asking) = (body?, caller.clone());
        let called = move |workspace: &Workspace| {
            let input = Input {
                server: &server,
                workspace,
                caller: &caller,
                token: &token,
                path: &path,
                query: &query,
                body: &body,
            };
            let answer = (operation.run)(&input);
            Ok(answer.map(|value| (value, workspace.stale())))
        };
        // A call of a tool may write, too.
        let answer = match operation.method == Method::Get || asking.is_read_only {
            true => node.read(called).await,
            false => node.write(called).await,
        };
        let (value, stale) =
            answer.map_err(Failure::from).flatten().map_err(|failure| failure.for_caller(&asking))?;
        let response = match operation.method {
            Method::Get => answer::read(&value, &headers),
            Method::Post | Method::Delete => answer::json(StatusCode::OK, &value),
        };
        Ok(answer::as_of(response, stale))
    }
}

/// Returns the parameters of a query by their names.
///
/// # Errors
/// [`Failure`] if there is an unknown one or one that occurs twice, or a number that is malformed or out of its range.
pub(super) fn checked(query: Pairs, known: &[Parameter]) -> Result<BTreeMap<String, String>, Failure> {
    let Query(pairs) = query.map_err(|e| Failure::invalid(e.body_text()))?;
    let mut query = BTreeMap::new();
    for (name, value) in pairs {
        let Some((_, kind, _)) = known.iter().find(|(known, ..)| *known == name) else {
            let known: Vec<_> = known.iter().map(|(name, ..)| *name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(Failure::invalid(format!("unknown parameter {name:?}: expected {known}")));
        };
        if let Some((least, most)) = kind.bounds() {
            let number = value.parse().ok().filter(|n| *n <= NUMBER_MAX);
            let n = number.ok_or_else(|| {
                Failure::invalid(format!("invalid parameter {name}: {value:?} is not a number"))
            })?;
            if !(least..=most).contains(&n) {
                let expected = if most == NUMBER_MAX {
                    format!("at least {least}")
                } else {
                    format!("{least} to {most}")
                };
                return Err(Failure::invalid(format!("invalid {name} {n}: expected {expected}")));
            }
        }
        if query.contains_key(&name) {
            return Err(Failure::invalid(format!("the parameter {name} occurs more than once")));
        }
        query.insert(name, value);
    }
    Ok(query)
}

/// Returns a page of a list: at most `limit` items after the one that `after` names.
///
/// `next` is the id of the last item on the page after its number in the list, so that the list can be read on if that
/// item has changed or was removed since: where it was.
///
/// # Errors
/// [`Failure`] if `after` is neither the `next` of a page nor the id of an item.
fn page(input: &Input<'_>, items: Vec<(String, Value)>) -> Answer {
    /// Default number of items on a page.
    const LIMIT: u64 = 100;
    /// Maximum number of items on a page.
    const LIMIT_MAX: u64 = 1000;
    let limit = usize::try_from(input.count("limit").unwrap_or(LIMIT).min(LIMIT_MAX)).unwrap_or(usize::MAX);
    let start = match input.text("after") {
        None => 0,
        Some(after) => {
            let numbered = after.split_once(':').and_then(|(number, id)| Some((number.parse().ok()?, id)));
            let (number, name): (Option<usize>, &str) =
                numbered.map_or((None, after), |(number, id)| (Some(number), id));
            match (items.iter().position(|(id, _)| id == name), number) {
                (Some(at), _) => at + 1,
                // The item after it has its place now.
                (None, Some(number)) => number.saturating_sub(1),
                (None, None) => {
                    let why = "there is no such item in the list: pass the `next` of the page before";
                    return Err(Failure::new(StatusCode::NOT_FOUND, "not_found", why));
                }
            }
        }
    };
    let more = items.len() > start.saturating_add(limit);
    let items: Vec<_> = items.into_iter().skip(start).take(limit).collect();
    let next = items.last().filter(|_| more).map(|(id, _)| format!("{}:{id}", start + items.len()));
    let items: Vec<_> = items.into_iter().map(|(_, item)| item).collect();
    Ok(serde_json::json!({"items": items, "next": next}))
}
