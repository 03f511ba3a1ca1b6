//! Responses: JSON with an entity tag, and errors.

use axum::body::Body;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use memtape::error::shortened;
use memtape::{Error, ErrorKind, Stale, Surface};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::caller::Caller;

/// A request that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    status: StatusCode,
    kind: &'static str,
    message: String,
    hint: Option<String>,
    /// More fields of the error.
    fields: Vec<(&'static str, String)>,
}

impl Failure {
    /// Returns a failure. A long input that the message repeats is cut.
    pub(super) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        let message = shortened(&message.into()).into_owned();
        Self { status, kind, message, hint: None, fields: Vec::new() }
    }

    /// Returns the same failure with another field in its error.
    pub(super) fn with(mut self, field: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((field, value.into()));
        self
    }

    /// Returns the failure of a request that is malformed.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", message)
    }

    /// Returns the same failure without a hint that the caller cannot follow.
    pub(super) fn for_caller(mut self, caller: &Caller) -> Self {
        self.hint = self.hint.filter(|hint| caller.can_follow(hint));
        self
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }
}

impl From<BytesRejection> for Failure {
    fn from(rejection: BytesRejection) -> Self {
        match rejection.status() {
            status @ StatusCode::PAYLOAD_TOO_LARGE => Self::new(status, "invalid", "the body is too large"),
            _ => Self::invalid(rejection.body_text()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (status, kind) = match error.kind() {
            ErrorKind::Invalid => (StatusCode::BAD_REQUEST, "invalid"),
            ErrorKind::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            ErrorKind::Conflict => (StatusCode::CONFLICT, "conflict"),
            ErrorKind::Refused => (StatusCode::FORBIDDEN, "refused"),
            ErrorKind::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            ErrorKind::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            ErrorKind::Corrupt => (StatusCode::INTERNAL_SERVER_ERROR, "corrupt"),
            ErrorKind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        };
        Self { hint: error.hint(Surface::Tools), ..Self::new(status, kind, error.to_string()) }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut error = json!({"type": self.kind, "message": self.message});
        for (field, value) in &self.fields {
            error[field] = value.as_str().into();
        }
        if let Some(hint) = &self.hint {
            error["hint"] = hint.as_str().into();
        }
        let mut response = json(self.status, &json!({"error": error}));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns a response in which an error has the shape of Anthropic's API.
pub(super) fn as_anthropic(mut response: Response) -> Response {
    let Some(failure) = response.extensions_mut().remove::<Failure>() else { return response };
    let kind = match failure.status {
        _ if failure.kind.ends_with("_error") => failure.kind,
        StatusCode::UNAUTHORIZED => "authentication_error",
        StatusCode::FORBIDDEN => "permission_error",
        StatusCode::NOT_FOUND => "not_found_error",
        StatusCode::CONFLICT => "conflict_error",
        StatusCode::SERVICE_UNAVAILABLE => "overloaded_error",
        status if status.is_server_error() => "api_error",
        _ => "invalid_request_error",
    };
    let message = match failure.hint {
        Some(hint) => format!("{}: {hint}", failure.message),
        None => failure.message,
    };
    let mut error = json!({"type": kind, "message": message});
    for (field, value) in failure.fields {
        error[field] = value.into();
    }
    *response.body_mut() = Body::from(json!({"type": "error", "error": error}).to_string() + "\n");
    if failure.status == StatusCode::CONFLICT {
        // Anthropic's clients take a conflict for a lock and would send the same request again.
        response.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
    }
    response
}

/// Returns a JSON response.
pub(super) fn json(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string() + "\n").into_response()
}

/// Returns a value as a JSON response with an entity tag; without a body if the client has it already.
pub(super) fn read(value: &Value, headers: &HeaderMap) -> Response {
    let body = value.to_string() + "\n";
    let tag = format!("\"{}\"", &hex::encode(Sha256::digest(&body))[..32]);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let is_known = known.is_some_and(|known| {
        known.split(',').any(|one| matches!(one.trim(), "*") || one.trim().trim_start_matches("W/") == tag)
    });
    let fields = [(header::ETAG, tag), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, fields).into_response(),
        false => (fields, [(header::CONTENT_TYPE, "application/json")], body).into_response(),
    }
}

/// The header with the time at which a replica reached its upstream last.
pub(super) const AS_OF: &str = "memtape-as-of";

/// Returns a response that says how old it is, if it was read from a replica that did not reach its upstream.
pub(super) fn as_of(mut response: Response, stale: Option<Stale>) -> Response {
    if let Some(Stale { since }) = stale {
        let since = since.map_or_else(|| "unknown".to_owned(), |since| format!("{since:.0}"));
        let since = HeaderValue::try_from(since).unwrap_or(HeaderValue::from_static("unknown"));
        response.headers_mut().insert(AS_OF, since);
    }
    response
}

/// Answers a path that does not exist.
pub(super) async fn no_route(uri: Uri) -> Failure {
    let is_ref = uri.path().strip_prefix("/v1/memories/").is_some_and(|rest| rest.contains('/'));
    let message = match is_ref {
        true => "there is no such route: write the slashes of a ref as %2F",
        false => "there is no such route: /openapi.json lists them",
    };
    Failure::new(StatusCode::NOT_FOUND, "not_found", message)
}

/// Answers a method that a path does not have.
pub(super) async fn no_method(method: Method) -> Failure {
    let message = format!("this route has no method {method}: /openapi.json lists the routes");
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "invalid", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_of_a_stale_replica_says_how_old_it_is() {
        let since = |stale| as_of(json(StatusCode::OK, &json!({})), stale).headers().get(AS_OF).cloned();
        assert_eq!(since(None), None);
        assert_eq!(since(Some(Stale { since: None })).expect("a header"), "unknown");
        let epoch = Some(jiff::Timestamp::UNIX_EPOCH);
        assert_eq!(since(Some(Stale { since: epoch })).expect("a header"), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn a_long_input_is_cut_in_a_message() {
        let long = "x".repeat(300_000);
        let message = |text: String| Failure::invalid(text).message;
        let cut = format!("{}…", "x".repeat(100));
        assert_eq!(
            message(format!("unknown tool {long:?}: expected one of a, b")),
            format!("unknown tool \"{cut}\": expected one of a, b")
        );
        assert_eq!(
            message(format!("unknown field `{long}`, expected `a` or `b`")),
            format!("unknown field `{cut}`, expected `a` or `b`")
        );
        assert_eq!(
            message(format!("there is no note {long}; did you mean a.md?")),
            format!("there is no note {}… did you mean a.md?", "x".repeat(200))
        );
        let short = "the document says \"a \\\" b\" of `c`, and of \"d".repeat(4);
        assert_eq!(message(short.clone()), short);
    }

    #[test]
    fn a_message_that_consists_of_marks_is_short_too() {
        for part in ["\"", "`", "\\\"", "\"`", "a ", "ü", "\" \\"] {
            let message = Failure::invalid(format!("unknown {}", part.repeat(100_000))).message;
            assert!(message.chars().count() <= 2001, "{part}: {}", message.len());
        }
    }
}
