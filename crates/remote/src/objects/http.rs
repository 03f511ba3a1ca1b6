//! The HTTP client of the object stores: ureq, on threads of the runtime.
//!
//! `object_store` comes without a client of its own here, so that the program has one HTTP client and one TLS
//! library. Retries are made here and not in `object_store`, because only here is it known whether an attempt may
//! have reached the server.

use std::io;
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use jiff::SignedDuration;
use object_store::ClientConfigKey;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use ureq::http::request::Parts;
use ureq::http::{Request, Response, StatusCode};
use ureq::{Agent, Timeout};

/// Maximum time until a connection is established, if the configuration of the store has none.
const CONNECT: Duration = Duration::from_secs(10);
/// Maximum time between a request and the head of its response.
const RESPOND: Duration = Duration::from_secs(60);
/// The same for a request that only reads, for which a person waits.
const RESPOND_TO_READ: Duration = Duration::from_secs(15);
/// Maximum time in which a body is sent or received.
const BODY: Duration = Duration::from_secs(600);
/// Maximum number of attempts of a request.
const ATTEMPTS: u32 = 4;
/// The pause after the first attempt; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(200);

/// Makes the HTTP client of a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connector {
    /// Whether the store answers a conditional request with 409 if it should be repeated. S3 does; to Azure, 409 is
    /// what 412 is to S3.
    pub(super) is_conflict_transient: bool,
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let allows_http = options.get_config_value(&ClientConfigKey::AllowHttp);
        // It is short for the service that gives machines in a cloud their credentials, which other machines lack.
        let connect = options.get_config_value(&ClientConfigKey::ConnectTimeout);
        let connect =
            connect.and_then(|text| text.parse().ok()).and_then(|time: SignedDuration| time.try_into().ok());
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .https_only(allows_http.as_deref() != Some("true"))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(connect.or(Some(CONNECT)))
            .timeout_recv_response(Some(RESPOND))
            .timeout_send_body(Some(BODY))
            .timeout_recv_body(Some(BODY))
            .user_agent(concat!("memtape/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        let is_conflict_transient = self.is_conflict_transient;
        Ok(HttpClient::new(Client { agent, is_conflict_transient, respond_to_read: RESPOND_TO_READ }))
    }
}

#[derive(Clone, Debug)]
struct Client {
    agent: Agent,
    is_conflict_transient: bool,
    respond_to_read: Duration,
}

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let client = self.clone();
        let sent = tokio::task::spawn_blocking(move || client.send(&parts, &body)).await;
        sent.map_err(|e| HttpError::new(HttpErrorKind::Unknown, e))?
    }
}

impl Client {
    /// Sends a request, repeatedly if the failure may pass. Every request of an upstream can be repeated: a conditional
    /// write that is repeated after it had its effect is refused, and the caller finds out that it had.
    fn send(&self, parts: &Parts, body: &[u8]) -> Result<HttpResponse, HttpError> {
        let mut pause = PAUSE;
        let mut may_have_arrived = false;
        for attempt in 1.. {
            match self.attempt(parts, body) {
                Ok(response) if attempt < ATTEMPTS && self.is_transient(response.status()) => {
                    may_have_arrived |= response.status().is_server_error();
                }
                // What is refused now may have been done before.
                Ok(response)
                    if may_have_arrived && !parts.method.is_safe() && is_refusal(response.status()) =>
                {
                    let why = format!("{} after an attempt without an answer", response.status());
                    return Err(HttpError::new(HttpErrorKind::Interrupted, io::Error::other(why)));
                }
                Ok(response) => return Ok(response.map(Into::into)),
                Err(error) => {
                    let kind = kind_of(&error);
                    // Without a connection, the caller learns it at once; a read that times out is not sent a third time.
                    let is_late =
                        attempt > 1 && parts.method.is_safe() && matches!(error, ureq::Error::Timeout(_));
                    let is_last = attempt == ATTEMPTS || kind == HttpErrorKind::Connect || is_late;
                    may_have_arrived |= kind != HttpErrorKind::Connect;
                    if is_last {
                        let kind = if may_have_arrived { HttpErrorKind::Interrupted } else { kind };
                        return Err(HttpError::new(kind, error));
                    }
                }
            }
            thread::sleep(pause);
            pause *= 2;
        }
        unreachable!("the last attempt returns")
    }

    fn attempt(&self, parts: &Parts, body: &[u8]) -> Result<Response<Vec<u8>>, ureq::Error> {
        let response = match body.is_empty() {
            true => {
                let request = self.agent.configure_request(Request::from_parts(parts.clone(), ()));
                let wait = if parts.method.is_safe() { self.respond_to_read } else { RESPOND };
                self.agent.run(request.timeout_recv_response(Some(wait)).build())?
            }
            false => self.agent.run(Request::from_parts(parts.clone(), body))?,
        };
        let (parts, body) = response.into_parts();
        let body = body.into_with_config().limit(u64::MAX).read_to_vec()?;
        Ok(Response::from_parts(parts, body))
    }

    fn is_transient(&self, status: StatusCode) -> bool {
        status.is_server_error()
            || status == StatusCode::TOO_MANY_REQUESTS
            || status == StatusCode::REQUEST_TIMEOUT
            || (status == StatusCode::CONFLICT && self.is_conflict_transient)
    }
}

/// Returns whether a response says nothing about the effect of earlier attempts. That an object exists or does not exist
/// does.
fn is_refusal(status: StatusCode) -> bool {
    let is_told =
        [StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::PRECONDITION_FAILED].contains(&status);
    status.is_client_error() && !is_told
}

/// Returns [`HttpErrorKind::Connect`] if the server certainly received nothing.
fn kind_of(error: &ureq::Error) -> HttpErrorKind {
    use std::io::ErrorKind::{AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkUnreachable};
    match error {
        ureq::Error::HostNotFound
        | ureq::Error::ConnectionFailed
        | ureq::Error::ConnectProxyFailed(_)
        | ureq::Error::InvalidProxyUrl
        | ureq::Error::BadUri(_)
        | ureq::Error::RequireHttpsOnly(_)
        | ureq::Error::Tls(_)
        | ureq::Error::Rustls(_)
        | ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => HttpErrorKind::Connect,
        ureq::Error::Io(e)
            if matches!(
                e.kind(),
                AddrNotAvailable | ConnectionRefused | HostUnreachable | NetworkUnreachable
            ) =>
        {
            HttpErrorKind::Connect
        }
        _ => HttpErrorKind::Interrupted,
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_read_that_is_not_answered_is_sent_twice() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let (agent, respond_to_read) = (Agent::new_with_defaults(), Duration::from_millis(50));
        let client = Client { agent, is_conflict_transient: false, respond_to_read };
        let (parts, ()) = Request::get(url).body(()).unwrap().into_parts();
        assert!(client.send(&parts, b"").is_err());
        listener.set_nonblocking(true).unwrap();
        let connections: Vec<_> = listener.incoming().map_while(Result::ok).collect();
        assert_eq!(connections.len(), 2);
    }
}
