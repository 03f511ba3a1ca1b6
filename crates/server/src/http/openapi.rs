//! The OpenAPI document, made from the table of operations.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::answer;
use super::events;
use super::operations::{self, Kind, Operation};

/// Answers with the document.
pub(super) async fn show() -> Response {
    answer::json(StatusCode::OK, &document())
}

/// Returns the document.
pub(super) fn document() -> Value {
    let mut paths = Map::new();
    for operation in operations::all() {
        let path = operation.path.replace("{*", "{");
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[operation.method.as_str()] = described(operation);
    }
    paths.insert(events::PATH.to_owned(), json!({"get": followed()}));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "memtape",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The memory of an agent. A token names the workspace and who asks; a gateway's token also \
                            takes the headers Memtape-Session and Memtape-User.",
        },
        "security": [{"token": []}, {"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "schemas": {"Error": {
                "type": "object",
                "properties": {"error": {
                    "type": "object",
                    "properties": {
                        "type": {"type": "string"},
                        "message": {"type": "string"},
                        "hint": {"type": "string"},
                    },
                    "required": ["type", "message"],
                }},
                "required": ["error"],
            }},
        },
    })
}

fn described(operation: &Operation) -> Value {
    let names = operation.path.split(['{', '}']).skip(1).step_by(2).map(|name| name.trim_start_matches('*'));
    let in_path =
        names.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let in_query = operation.query.iter().map(|(name, kind, description)| {
        let schema = match (kind, kind.bounds()) {
            (_, Some((least, most))) => json!({"type": "integer", "minimum": least, "maximum": most}),
            (Kind::OneOf(texts), None) => json!({"type": "string", "enum": texts}),
            _ => json!({"type": "string"}),
        };
        let mut described =
            json!({"name": name, "in": "query", "description": description, "schema": schema});
        if *kind == Kind::Required {
            described["required"] = true.into();
        }
        described
    });
    let mut described = json!({
        "summary": operation.summary,
        "operationId": id(operation),
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
        "responses": {"default": failed()},
    });
    if !operation.is_refused {
        described["responses"]["200"] = json!({
            "description": "The result.",
            "content": {"application/json": {"schema": {"type": "object"}}},
        });
    }
    if let Some(body) = operation.body {
        described["requestBody"] =
            json!({"required": true, "content": {"application/json": {"schema": body()}}});
    }
    described
}

/// Describes the stream of events, which has no end and is therefore no operation.
fn followed() -> Value {
    let after = "The entry after which events are sent; without it, only new ones are.";
    let last_seen = "The entry of the last event, as `after`; clients send it when they connect again.";
    let entry = json!({"type": "integer", "minimum": 0, "maximum": i64::MAX});
    json!({
        "summary": "Follow the journal as server-sent events; the id of each is its entry",
        "operationId": "get_events",
        "parameters": [
            {"name": "after", "in": "query", "description": after, "schema": entry},
            {"name": "Last-Event-ID", "in": "header", "description": last_seen, "schema": entry},
        ],
        "responses": {
            "200": {
                "description": "The events: lines of the journal, as /v1/journal returns them.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            "default": failed(),
        },
    })
}

/// Describes the response of a request that failed.
fn failed() -> Value {
    json!({
        "description": "The request failed.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    })
}

/// Returns the id of an operation: its method and the words of its path.
fn id(operation: &Operation) -> String {
    let path = operation.path.trim_start_matches("/v1/");
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(operation.method.as_str().to_owned(), |id, word| format!("{id}_{word}"))
}
