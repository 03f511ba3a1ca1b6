//! The errors of JSON-RPC for what the library of MCP answers with a plain text.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest as _, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use super::answer::{self, Failure};

/// The codes of JSON-RPC for a text that is no JSON, and for JSON that is no request.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

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
    let message: Value = match serde_json::from_slice(&body) {
        Ok(message) => message,
        Err(e) => return error(PARSE_ERROR, &format!("Parse error: {e}"), &Value::Null),
    };
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    // The type of the body is supported, so this is about its content.
    match response.status() {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => error(INVALID_REQUEST, "Invalid Request", &message["id"]),
        _ => response,
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// Returns an error about the request with an id, which is null if it is not known.
fn error(code: i32, message: &str, id: &Value) -> Response {
    let id = if id.is_string() || id.is_number() { id } else { &Value::Null };
    let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    answer::json(StatusCode::BAD_REQUEST, &error)
}
