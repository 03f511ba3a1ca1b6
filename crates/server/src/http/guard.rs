//! The checks that every request passes before it reaches the library.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest as _, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use memtape::{Session, User};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::{self, Failure};
use super::tokens::{Holder, Kind, Token};
use super::{CONCURRENT_MAX, Server, inspect};
use crate::access::Access;
use crate::caller::Caller;

/// The host names of the loopback interface.
pub(super) const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// The headers by which a gateway names the conversation and the user of a request.
const SESSION: &str = "memtape-session";
const USER: &str = "memtape-user";
/// Maximum duration of a request.
const TIME_MAX: Duration = Duration::from_secs(30);
/// How often it is checked whether the token of an open stream still exists.
const TOKEN_CHECK: Duration = Duration::from_secs(1);
/// The routes that need no token.
const OPEN: [&str; 2] = ["/healthz", "/openapi.json"];
/// The route with the counters of the whole server, which no token of a chat may read.
const METRICS: &str = "/metrics";
/// The headers that decide who asks and from where. A proxy may read another one of two than the server does.
const SINGLE: [&str; 6] = ["host", "origin", "authorization", API_KEY, SESSION, USER];
/// The headers that a page of an allowed origin may send, if the browser names none.
const PAGE_SENDS: &str = "authorization, content-type, if-none-match, last-event-id, x-api-key, memtape-session, \
                          memtape-user, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, \
                          anthropic-version, anthropic-beta";
/// The headers of a response that a page of an allowed origin may read, besides those that any page may.
const PAGE_READS: &str = "etag, memtape-as-of, retry-after, www-authenticate, x-should-retry, \
                          mcp-protocol-version, mcp-session-id";
/// The beginning of the routes whose errors have the shape of Anthropic's API.
const ANTHROPIC: &str = "/v1/memory_stores";
/// The header by which clients of Anthropic's API pass their token.
const API_KEY: &str = "x-api-key";

/// Checks a request, finds out who asks, and counts it.
pub(super) async fn guard(State(server): State<Arc<Server>>, mut request: Request, next: Next) -> Response {
    let since = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let is_anthropic = request.uri().path().starts_with(ANTHROPIC);
    let admitted = match inspect::is_ours(request.uri().path()) {
        true => match allow_head(&server, request.headers()) {
            Ok(()) => inspect::admit(&server, &mut request),
            Err(failure) => Err(failure.into_response()),
        },
        false => admit(&server, &mut request, &path).map_err(refused),
    };
    let origin = request.headers().get(header::ORIGIN).cloned();
    let asked = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let is_preflight = method == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
        && allow_head(&server, request.headers()).is_ok();
    let mut response = match admitted {
        Err(_) if is_preflight && is_allowed(&server, origin.as_ref()) => preflight(asked.as_ref()),
        Ok(()) => handled(&server, request, next, &path).await,
        Err(response) => response,
    };
    if let Some(origin) = origin.filter(|origin| is_allowed(&server, Some(origin))) {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let reads = HeaderValue::from_static(PAGE_READS);
        response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, reads);
        response.headers_mut().append(header::VARY, HeaderValue::from_static("origin"));
    }
    let response = if is_anthropic { answer::as_anthropic(response) } else { response };
    server.metrics.count(method.as_str(), &path, response.status().as_u16(), since.elapsed());
    response
}

fn refused(failure: Failure) -> Response {
    let is_unknown = failure.status() == StatusCode::UNAUTHORIZED;
    let mut response = failure.into_response();
    if is_unknown {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

async fn handled(server: &Arc<Server>, request: Request, next: Next, path: &str) -> Response {
    if OPEN.contains(&path) {
        return next.run(request).await;
    }
    let token = bearer(request.headers()).or_else(|| api_key(request.headers()));
    let token = token.unwrap_or_default().to_owned();
    let holder = request.extensions().get::<Holder>().map(|Holder(name)| name.clone()).unwrap_or_default();
    let busy = |why| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "busy", why);
    let answered = async {
        let why = match holder.as_str() {
            "" => "too many requests without a token at once",
            _ => "too many requests of this token at once",
        };
        let share = server.shares.enter(&holder).ok_or_else(|| busy(why))?;
        // While its body arrives, a request takes no room from those of other tokens.
        let request = received(request).await?;
        let room = Arc::clone(&server.room).try_acquire_owned();
        let room = room.map_err(|_| busy("too many requests at once"))?;
        Ok(to_the_end((share, room), next.run(request)).await)
    };
    let answered = tokio::time::timeout(TIME_MAX, answered).await;
    let answered = answered.unwrap_or_else(|_| Err(busy("the request took too long")));
    let response = answered.unwrap_or_else(Failure::into_response);
    if !is_stream(&response) {
        return response;
    }
    // A stream, which has begun within that time, takes as long as the client wants, and no room. No token has a space in
    // its name.
    let Some(share) = server.shares.enter(&format!("{holder} streams")) else {
        return busy("too many streams of this token at once").into_response();
    };
    let (parts, body) = until_removed(server, token, response).into_parts();
    // The share is free when the stream ends.
    let body = body.into_data_stream().inspect(move |_| {
        let _share = &share;
    });
    Response::from_parts(parts, Body::from_stream(body))
}

/// Returns whether a response follows changes.
fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// Runs a request to its end, also if nobody waits for the answer any more: a call of the library cannot be stopped. What
/// it holds is released only then.
async fn to_the_end<T: Send + 'static>(
    held: impl Send + 'static,
    request: impl Future<Output = T> + Send + 'static,
) -> T {
    let running = tokio::spawn(async move {
        let _held = held;
        request.await
    });
    running.await.unwrap_or_else(|e| std::panic::resume_unwind(e.into_panic()))
}

/// The requests of each token that arrive or are handled at once.
#[derive(Default)]
pub(crate) struct Shares(Mutex<HashMap<String, Arc<Semaphore>>>);

impl Shares {
    /// Adds a request of a token; `None` if there are [`CONCURRENT_MAX`].
    fn enter(&self, token: &str) -> Option<OwnedSemaphorePermit> {
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let share = shares.entry(token.to_owned());
        let share = share.or_insert_with(|| Arc::new(Semaphore::new(CONCURRENT_MAX)));
        Arc::clone(share).try_acquire_owned().ok()
    }
}

/// Reads the whole body of a request, which is limited in size.
async fn received(request: Request) -> Result<Request, Failure> {
    let (parts, body) = request.into_parts();
    let body = Bytes::from_request(Request::from_parts(parts.clone(), body), &()).await?;
    Ok(Request::from_parts(parts, Body::from(body)))
}

/// Refuses a request of a foreign host or origin or without a token, and adds the [`Access`] of all others.
fn admit(server: &Server, request: &mut Request, path: &str) -> Result<(), Failure> {
    let headers = request.headers();
    allow_head(server, headers)?;
    // Only a web page's script sends an origin, and a page of any site can call a loopback address.
    if headers.contains_key(header::ORIGIN) && !is_allowed(server, headers.get(header::ORIGIN)) {
        return Err(Failure::new(StatusCode::FORBIDDEN, "refused", "the origin is not allowed"));
    }
    if OPEN.contains(&path) {
        return Ok(());
    }
    let unknown = || {
        let message = "a valid token is required: Authorization: Bearer TOKEN, or X-Api-Key: TOKEN";
        Failure::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
    };
    let token = bearer(headers).or_else(|| api_key(headers)).ok_or_else(unknown)?;
    let found = server.tokens.find(token).map_err(|e| {
        let _ = writeln!(io::stderr(), "memtape: cannot read the tokens: {e}");
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the tokens cannot be read")
    })?;
    let token = found.ok_or_else(unknown)?;
    if path == METRICS {
        if matches!(token.kind, Kind::Fixed { .. }) {
            let message = "this token may not read the metrics of the server";
            return Err(Failure::new(StatusCode::FORBIDDEN, "refused", message));
        }
        // They belong to no conversation, so that a gateway need not name one.
        let owner = Caller::owner(Session::direct());
        server.workspaces.access(token.workspace.as_deref(), owner).map_err(|_| unknown())?;
        request.extensions_mut().insert(Holder(token.name));
        return Ok(());
    }
    let caller = caller(&token, headers)?;
    let holder = Holder(token.name.clone());
    // A token of a workspace that is not served here reveals as little as an unknown token.
    let access = server.workspaces.access(token.workspace.as_deref(), caller).map_err(|_| unknown())?;
    request.extensions_mut().insert::<Access>(access);
    request.extensions_mut().insert(holder);
    Ok(())
}

/// Returns whether web pages of an origin may call the server.
fn is_allowed(server: &Server, origin: Option<&HeaderValue>) -> bool {
    let origin = origin.and_then(|origin| origin.to_str().ok());
    origin.is_some_and(|origin| server.origins.iter().any(|allowed| allowed == origin))
}

/// Answers the question of a browser what a page of an allowed origin may send. The browser sends no token with it.
///
/// The page may send every header that the browser names: its origin is trusted with the token, and the headers of a
/// client change from version to version.
fn preflight(asked: Option<&HeaderValue>) -> Response {
    let named = asked.and_then(|asked| asked.to_str().ok()).filter(|names| are_header_names(names));
    let sends = named.unwrap_or(PAGE_SENDS).to_owned();
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE".to_owned()),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, sends),
        (header::ACCESS_CONTROL_MAX_AGE, "600".to_owned()),
        (header::VARY, header::ACCESS_CONTROL_REQUEST_HEADERS.to_string()),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// Returns whether a text is a list of names of headers.
fn are_header_names(list: &str) -> bool {
    list.split(',').all(|name| HeaderName::from_bytes(name.trim().as_bytes()).is_ok())
}

/// Ends a response that follows changes as soon as its token is removed.
fn until_removed(server: &Arc<Server>, token: String, response: Response) -> Response {
    let server = Arc::clone(server);
    let removed = async move {
        while server.tokens.find(&token).is_ok_and(|found| found.is_some()) {
            tokio::time::sleep(TOKEN_CHECK).await;
        }
    };
    let (parts, body) = response.into_parts();
    Response::from_parts(parts, Body::from_stream(body.into_data_stream().take_until(Box::pin(removed))))
}

/// Refuses a request that was sent to a host name which does not belong to the server, or that has a header twice which
/// decides who asks, or two tokens.
fn allow_head(server: &Server, headers: &HeaderMap) -> Result<(), Failure> {
    if let Some(name) = SINGLE.into_iter().find(|name| headers.get_all(*name).iter().nth(1).is_some()) {
        return Err(Failure::invalid(format!("the request has more than one header {name}")));
    }
    if bearer(headers).is_some() && api_key(headers).is_some() {
        return Err(Failure::invalid("the request has more than one token: Authorization and X-Api-Key"));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    match server.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(name_of(host))) {
        true => Ok(()),
        false => Err(Failure::new(StatusCode::FORBIDDEN, "refused", "the host is not allowed")),
    }
}

/// Returns the name in a `Host` header, without the port.
fn name_of(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn api_key(headers: &HeaderMap) -> Option<&str> {
    Some(headers.get(API_KEY)?.to_str().ok()?.trim())
}

/// Returns who asks with a token.
fn caller(token: &Token, headers: &HeaderMap) -> Result<Caller, Failure> {
    let named = |name: &str| match headers.get(name).map(|value| std::str::from_utf8(value.as_bytes())) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(text.to_owned())),
        Some(Err(_)) => Err(Failure::invalid(format!("the header {name} must be UTF-8"))),
    };
    let (session, user) = (named(SESSION)?, named(USER)?);
    let parsed = |text: &str| Session::parse(text).map_err(|e| Failure::from(memtape::Error::from(e)));
    let is_gateway = matches!(token.kind, Kind::Gateway { .. });
    if !is_gateway && (session.is_some() || user.is_some()) {
        let message = "only a gateway's token may name the conversation and the user";
        return Err(Failure::new(StatusCode::FORBIDDEN, "refused", message));
    }
    let (session, is_owner, user) = match &token.kind {
        Kind::Owner => (parsed(&format!("http:{}", token.name))?, true, None),
        Kind::Fixed { session, user } => (parsed(session)?, false, user.clone()),
        Kind::Gateway { prefix } => {
            let Some(session) = session else {
                return Err(Failure::invalid(format!("name the conversation in the header {SESSION}")));
            };
            if !session.starts_with(prefix.as_str()) {
                let message = "the conversation is not one of this gateway";
                return Err(Failure::new(StatusCode::FORBIDDEN, "refused", message));
            }
            let session = parsed(&session)?;
            // The channel's people may choose their ids: the id of one is never the name of another.
            let user = user.map(|id| User::new(session.channel(), &id)).transpose();
            let user = user.map_err(|e| Failure::from(memtape::Error::from(e)))?;
            (session, false, user.map(|user| user.to_string()))
        }
    };
    Ok(Caller { session, is_owner, user, toolsets: token.toolsets(), is_read_only: token.read_only })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_nobody_waits_for_keeps_its_room_until_its_end() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let room = Arc::new(Semaphore::new(1));
            let held = Arc::clone(&room).try_acquire_owned().expect("there is room");
            let (end, ended) = tokio::sync::oneshot::channel::<()>();
            let request = to_the_end(held, ended);
            assert!(tokio::time::timeout(Duration::from_millis(10), request).await.is_err());
            assert_eq!(room.available_permits(), 0);
            end.send(()).expect("the request runs");
            let _room = room.acquire().await.expect("the room is free again");
        });
    }

    #[test]
    fn the_names_of_headers_have_no_spaces_and_no_line_ends() {
        for names in ["mcp-method", "authorization, x-stainless-os,Content-Type"] {
            assert!(are_header_names(names), "{names}");
        }
        for names in ["", "a b", "a,,b", "a: b", "a\r\nb", "*, ü"] {
            assert!(!are_header_names(names), "{names}");
        }
    }

    #[test]
    fn the_name_of_a_host_is_without_its_port() {
        for (host, name) in [
            ("localhost:8080", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]:80", "::1"),
            ("", ""),
            ("evil.example:80", "evil.example"),
        ] {
            assert_eq!(name_of(host), name);
        }
    }
}
