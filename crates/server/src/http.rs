//! The HTTP server: MCP at `/mcp`, the library as JSON below `/v1`, and the inspector at `/inspect`.
//!
//! Every request passes [`guard`] first: it checks the host and the origin, finds out by the token who asks, and
//! counts. Only `/healthz` and `/openapi.json` need no token. The inspector
//! has a cookie instead ([`inspect`]).

pub mod answer;
mod events;
mod guard;
mod inspect;
mod metrics;
mod openapi;
mod operations;
mod rpc;
pub mod tokens;
mod turns;

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};

use self::inspect::Visits;
use self::metrics::Metrics;
use self::tokens::Tokens;
use self::turns::Turns;
use crate::mcp::Mcp;
use crate::workspace_pool::WorkspacePool;

/// Maximum size of a request's body, in bytes.
const BODY_MAX: usize = 4 << 20;
/// Maximum number of requests that are handled at once. Others are refused until one ends.
const CONCURRENT_MAX: usize = 64;
/// Maximum number of threads that call the library: one for each request, because a recall may wait for its turn and
/// must not keep a short call waiting.
const THREADS_MAX: usize = CONCURRENT_MAX;
/// Maximum time that open requests have to end after the server was asked to stop.
const GRACE: Duration = Duration::from_secs(5);

/// How often the size of a cache of replicas is checked.
const TRIM_EVERY: Duration = Duration::from_secs(60);

/// Maximum time that a write of a server waits for the writer lock: shorter than a request may take, so that a write that
/// is refused for this reason was not carried out.
pub const LOCK_WAIT_MAX: Duration = Duration::from_secs(20);

/// The options of a server: its workspaces and its clients.
pub struct Options {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The workspaces.
    pub workspaces: WorkspacePool,
    /// Host names besides those of the loopback interface by which clients may call the server.
    pub hosts: Vec<String>,
    /// The origins of web pages that may call the server, such as `https://app.example`.
    pub origins: Vec<String>,
    /// The text that opens the inspector once for the owner, without a token; `None` if a token is needed.
    pub ticket: Option<String>,
}

/// Returns a new text for [`Options::ticket`], which nobody can guess.
#[must_use]
pub fn ticket() -> String {
    inspect::random()
}

/// The state that all requests share.
pub(crate) struct Server {
    pub(crate) workspaces: WorkspacePool,
    pub(crate) tokens: Tokens,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
    pub(crate) room: Arc<Semaphore>,
    pub(crate) shares: guard::Shares,
    pub(crate) metrics: Metrics,
    pub(crate) turns: Turns,
    pub(crate) visits: Visits,
}

/// The event that ends a server.
#[derive(Debug)]
pub enum Stop {
    /// The process is interrupted or terminated.
    Signal,
    /// The other end sends, or is dropped.
    Told(oneshot::Receiver<()>),
}

/// Serves until the server is stopped. `ready` is called with the address once the server listens; if it fails, nothing
/// is served.
///
/// # Errors
/// [`io::Error`] if the address cannot be bound, for example because it is in use, or if the threads or the handlers of
/// signals cannot be set up; the error of `ready`.
pub fn serve(
    options: Options,
    stop: Stop,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(THREADS_MAX)
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(options.listen).await?;
        // The signals are caught before the server reports that it is ready.
        let told_to_stop: Pin<Box<dyn Future<Output = ()> + Send>> = match stop {
            Stop::Signal => Box::pin(signalled()?),
            Stop::Told(told) => Box::pin(async {
                let _ = told.await;
            }),
        };
        ready(listener.local_addr()?)?;
        let stopped = tokio_util::sync::CancellationToken::new();
        let app = router(options, stopped.clone());
        let stopping = stopped.clone();
        let server = axum::serve(listener, app).with_graceful_shutdown(async move {
            told_to_stop.await;
            stopping.cancel();
        });
        tokio::select! {
            served = server => served,
            () = async { stopped.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
        }
    });
    runtime.shutdown_timeout(GRACE);
    served
}

/// Returns a future that ends when the process is interrupted or terminated. Both are caught from this call on.
#[cfg(unix)]
fn signalled() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupted, mut terminated) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}

/// Returns a future that ends when the process is interrupted.
#[cfg(not(unix))]
fn signalled() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Returns the routes of a server.
fn router(options: Options, stopped: tokio_util::sync::CancellationToken) -> Router {
    let Options { workspaces, hosts, origins, ticket, .. } = options;
    let mut allowed: Vec<String> = guard::LOOPBACK.map(str::to_owned).to_vec();
    allowed.extend(hosts);
    let server = Arc::new(Server {
        tokens: Tokens::of(workspaces.dir()),
        workspaces,
        hosts: allowed.clone(),
        origins: origins.clone(),
        room: Arc::new(Semaphore::new(CONCURRENT_MAX)),
        shares: guard::Shares::default(),
        metrics: Metrics::default(),
        turns: Turns::default(),
        visits: Visits::new(ticket.as_deref()),
    });
    if server.workspaces.is_cache() {
        tokio::spawn(trim(Arc::clone(&server), stopped.clone()));
    }
    // Several clients lose session ids, so requests of older protocols are stateless as well.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(allowed)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_MAX)
        .with_cancellation_token(stopped.clone());
    let mcp = StreamableHttpService::new(
        || Ok(Mcp::of_request()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let routes = operations::routes()
        .merge(inspect::routes())
        .merge(
            Router::new().route_service("/mcp", mcp).layer(axum::middleware::from_fn(rpc::answer_malformed)),
        )
        .route(events::PATH, get(events::follow))
        .route("/metrics", get(metrics::show))
        .route("/openapi.json", get(openapi::show))
        .route("/healthz", get(healthy))
        .fallback(answer::no_route)
        .method_not_allowed_fallback(answer::no_method);
    routes
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&server), guard::guard))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(axum::Extension(events::Stopped(stopped)))
        .with_state(server)
}

/// Keeps the cache of replicas within its limit, until the server stops.
async fn trim(server: Arc<Server>, stopped: tokio_util::sync::CancellationToken) {
    while stopped.run_until_cancelled(tokio::time::sleep(TRIM_EVERY)).await.is_some() {
        let server = Arc::clone(&server);
        let _ = tokio::task::spawn_blocking(move || server.workspaces.trim()).await;
    }
}

/// Answers that the server runs. It opens no workspace.
async fn healthy(State(_): State<Arc<Server>>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain")], "ok\n").into_response()
}
