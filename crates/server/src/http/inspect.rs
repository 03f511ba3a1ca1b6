//! The inspector over HTTP: signing in, the assets, and the pages of `memtape-inspect`.
//!
//! A browser signs in with a token, or with the ticket that `memtape inspect` opens it with, and gets a cookie with the
//! id of a visit. No other site can use it: the cookie is sent only with requests that the inspector's own pages cause
//! (`SameSite=Strict`), a script cannot read it (`HttpOnly`), and every form contains a text that only these pages know.

mod visits;

use std::io::{self, Write as _};
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::FormRejection;
use axum::extract::{Extension, Form, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::{get, post};
use memtape_inspect::{Answer, Fields, LIVE, ROOT, Request, Viewer, assets};

use self::visits::Visit;
pub(super) use self::visits::{Visits, random};
use super::Server;
use super::tokens::Holder;
use crate::access::Access;

/// What a page may load, and who may show it: everything comes from the server, and nothing is inline.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";
/// The name of the cookie, before the port: the ports of a host share its cookies.
const COOKIE: &str = "memtape_visit_";
/// What a page says if the list of tokens cannot be read.
const UNREADABLE: &str = "The tokens cannot be read.";

/// A visit of a person who has signed in.
#[derive(Clone)]
pub(super) struct Signed {
    id: String,
    visit: Visit,
}

/// Returns whether a path belongs to the inspector.
pub(super) fn is_ours(path: &str) -> bool {
    path.strip_prefix(ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the routes of the inspector.
pub(super) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route(ROOT, get(page))
        .route(&format!("{ROOT}/"), get(async || redirect(ROOT)))
        .route(&format!("{ROOT}/assets/{{name}}"), get(asset))
        .route(&format!("{ROOT}/login"), get(login_page).post(login))
        .route(&format!("{ROOT}/open"), get(open))
        .route(&format!("{ROOT}/leave"), post(leave))
        .route(&format!("{ROOT}/do/{{action}}"), post(act))
        .route(&format!("{ROOT}/{{*page}}"), get(page))
        .layer(axum::middleware::from_fn(with_headers))
}

/// Adds the headers that every response of the inspector has.
async fn with_headers(request: HttpRequest, next: Next) -> Response {
    let mut response = next.run(request).await;
    add_headers(response.headers_mut());
    response
}

fn add_headers(headers: &mut HeaderMap) {
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Checks a request of the inspector, whose host is allowed, and adds the visit and its access.
///
/// # Errors
/// The response if the request comes from another site, or from somebody who is not signed in: a page with the status 403,
/// or a redirect to the login.
#[allow(clippy::result_large_err, reason = "the caller returns it")]
pub(super) fn admit(server: &Server, request: &mut HttpRequest) -> Result<(), Response> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    // The pages send their forms with their own origin; a page of another site has another one.
    if let Some(origin) = request.headers().get(header::ORIGIN) {
        let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        if authority.is_none_or(|(_, authority)| !authority.eq_ignore_ascii_case(host)) {
            return Err(refused(StatusCode::FORBIDDEN, "The request comes from another site."));
        }
    }
    let id = cookie(request.headers(), &cookie_name(host));
    let path = request.uri().path();
    // An open timeline asks by itself, whether or not somebody is there.
    let is_use = path != format!("{ROOT}{LIVE}");
    let visit = id.as_deref().and_then(|id| server.visits.find(id, is_use));
    let is_open = ["/login", "/open"].iter().any(|open| path == format!("{ROOT}{open}"));
    let is_open = is_open || path.starts_with(&format!("{ROOT}/assets/"));
    if let Some(visit) = &visit {
        // Requests of those who are not signed in take no room from it.
        request.extensions_mut().insert(Holder(visit.name.clone()));
    }
    if is_open {
        return Ok(());
    }
    let access = match &visit {
        Some(visit) => visit.access(&server.tokens, &server.workspaces).map_err(|e| {
            report_unreadable(&e);
            refused(StatusCode::SERVICE_UNAVAILABLE, UNREADABLE)
        })?,
        None => None,
    };
    let (Some(id), Some(visit), Some(access)) = (id, visit, access) else {
        return Err(match *request.method() == Method::GET {
            true => redirect(&format!("{ROOT}/login")),
            false => refused(StatusCode::FORBIDDEN, "You are not signed in any more."),
        });
    };
    request.extensions_mut().insert::<Access>(access);
    request.extensions_mut().insert(Signed { id, visit });
    Ok(())
}

fn refused(status: StatusCode, message: &str) -> Response {
    let mut response = (status, Html(memtape_inspect::failure(None, message, None))).into_response();
    add_headers(response.headers_mut());
    response
}

fn redirect(path: &str) -> Response {
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, path.to_owned())]).into_response();
    add_headers(response.headers_mut());
    response
}

/// Returns the name of the cookie at a host.
fn cookie_name(host: &str) -> String {
    let port = host.rsplit_once(':').map_or("", |(_, port)| port);
    let port: String = port.chars().filter(char::is_ascii_digit).collect();
    format!("{COOKIE}{port}")
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
}

/// Answers with the first page and a cookie for a new visit.
fn signed_in(server: &Server, headers: &HeaderMap, visit: Visit) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let cookie = format!(
        "{}={}; Path={ROOT}; HttpOnly; SameSite=Strict",
        cookie_name(host),
        server.visits.begin(visit)
    );
    let mut response = redirect(ROOT);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn login_page() -> Response {
    Html(memtape_inspect::login(None)).into_response()
}

type Sent = Result<Form<Vec<(String, String)>>, FormRejection>;

fn fields(sent: Sent) -> Option<Fields> {
    Some(sent.ok()?.0.into_iter().collect())
}

async fn login(State(server): State<Arc<Server>>, headers: HeaderMap, sent: Sent) -> Response {
    let failed = |status, message| (status, Html(memtape_inspect::login(Some(message)))).into_response();
    let refuse = |message| failed(StatusCode::FORBIDDEN, message);
    let Some(fields) = fields(sent) else { return refuse("The form cannot be read.") };
    let token = fields.get("token").unwrap_or_default().trim().to_owned();
    match server.tokens.find(&token) {
        Ok(Some(token)) => match Visit::of_token(&token) {
            Some(visit) => signed_in(&server, &headers, visit),
            None => refuse("A gateway's token names no conversation, so it cannot open the inspector."),
        },
        Ok(None) => refuse("The token is not valid."),
        Err(e) => {
            report_unreadable(&e);
            failed(StatusCode::SERVICE_UNAVAILABLE, UNREADABLE)
        }
    }
}

fn report_unreadable(e: &io::Error) {
    let _ = writeln!(io::stderr(), "memtape: cannot read the tokens: {e}");
}

/// Signs in with a ticket, which counts once.
async fn open(State(server): State<Arc<Server>>, headers: HeaderMap, uri: Uri) -> Response {
    let ticket = uri.query().and_then(|query| query.strip_prefix("ticket=")).unwrap_or_default();
    match server.visits.take_ticket(ticket) {
        true => signed_in(&server, &headers, Visit::of_owner()),
        false => redirect(&format!("{ROOT}/login")),
    }
}

async fn leave(
    State(server): State<Arc<Server>>,
    Extension(signed): Extension<Signed>,
    sent: Sent,
) -> Response {
    match fields(sent) {
        Some(fields) if signed.visit.is_own(fields.get("csrf")) => {
            server.visits.end(&signed.id);
            redirect(&format!("{ROOT}/login"))
        }
        _ => forged(),
    }
}

fn forged() -> Response {
    refused(StatusCode::FORBIDDEN, "The form was not made by the inspector. Open the page again.")
}

async fn asset(uri: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = assets::find(uri.path()) else {
        return refused(StatusCode::NOT_FOUND, "There is no such file.");
    };
    let fields = [
        (header::ETAG, asset.tag.as_str()),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::CONTENT_TYPE, asset.media_type),
    ];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    match known.is_some_and(|known| known.contains(&asset.tag)) {
        true => (StatusCode::NOT_MODIFIED, fields).into_response(),
        false => (fields, asset.content).into_response(),
    }
}

async fn page(
    Extension(access): Extension<Access>,
    Extension(signed): Extension<Signed>,
    uri: Uri,
) -> Response {
    let query = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri);
    let fields = query.map(|query| query.0.into_iter().collect()).unwrap_or_default();
    let request = Request { path: path_below(&uri), is_post: false, fields };
    answered(access, signed.visit, request).await
}

async fn act(
    Extension(access): Extension<Access>,
    Extension(signed): Extension<Signed>,
    uri: Uri,
    sent: Sent,
) -> Response {
    let Some(fields) = fields(sent) else { return forged() };
    if !signed.visit.is_own(fields.get("csrf")) {
        return forged();
    }
    let request = Request { path: path_below(&uri), is_post: true, fields };
    answered(access, signed.visit, request).await
}

fn path_below(uri: &Uri) -> String {
    uri.path().strip_prefix(ROOT).unwrap_or_default().to_owned()
}

async fn answered(access: Access, visit: Visit, request: Request) -> Response {
    let Access { node, caller, .. } = access;
    let viewer = Viewer {
        name: visit.name.clone(),
        session: caller.session,
        is_owner: caller.is_owner,
        user: caller.user,
        is_read_only: caller.is_read_only,
        csrf: visit.csrf.clone(),
    };
    let is_post = request.is_post;
    let call =
        move |workspace: &memtape::Workspace| Ok(memtape_inspect::answer(workspace, &viewer, &request));
    let answer = if is_post { node.write(call).await } else { node.read(call).await };
    match answer {
        Ok(Answer::Html { status, html }) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, Html(html)).into_response()
        }
        Ok(Answer::Redirect(path)) => redirect(&path),
        Ok(Answer::Nothing) => StatusCode::NO_CONTENT.into_response(),
        Err(e) => refused(StatusCode::SERVICE_UNAVAILABLE, &e.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_of_one_port_is_not_that_of_another() {
        assert_eq!(cookie_name("127.0.0.1:7117"), "memtape_visit_7117");
        assert_eq!(cookie_name("localhost"), "memtape_visit_");
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("a=b; memtape_visit_1=x; memtape_visit_2=y"));
        assert_eq!(cookie(&headers, "memtape_visit_2").as_deref(), Some("y"));
        assert_eq!(cookie(&headers, "memtape_visit_"), None);
    }

    #[test]
    fn only_the_paths_below_the_root_are_ours() {
        for (path, is) in [
            ("/inspect", true),
            ("/inspect/", true),
            ("/inspect/memory", true),
            ("/inspector", false),
            ("/v1/log", false),
        ] {
            assert_eq!(is_ours(path), is, "{path}");
        }
    }
}
