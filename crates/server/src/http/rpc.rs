//! Answers what is no message of JSON-RPC before the library of MCP answers it with a plain text.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest as _, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::answer::{self, Failure};
use crate::rpc;

/// Answers a body that is no request of JSON-RPC, and passes on every other one.
pub(super) async fn answer_malformed(request: Request, next: Next) -> Response {
    if !is_json(request.headers()) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let body = match Bytes::from_request(Request::from_parts(parts.clone(), body), &()).await {
        Ok(body) => body,
        Err(e) => return Failure::from(e).into_response(),
    };
    match rpc::read(&body) {
        Ok((_, text)) => next.run(Request::from_parts(parts, Body::from(text.into_owned()))).await,
        Err(malformed) => answer::json(StatusCode::BAD_REQUEST, &malformed.answer()),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}
