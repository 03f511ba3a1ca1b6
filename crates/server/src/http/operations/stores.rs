//! Memory stores, in the shape of Anthropic's API (`/v1/memory_stores`, beta), so that its clients can use them.
//!
//! The workspace of the token is the only store, and its notes and files are the memories ([`Documents`]). All
//! versions are kept. Errors have the shape of that API as well ([`super::super::answer`]).
//!
//! | id | means |
//! |---|---|
//! | `memstore_ID` | the workspace with this id |
//! | `mem_N` | the note or file that entry N created; a move does not change it |
//! | `memver_N_M` | its version that the group ending with entry M made |

use axum::http::StatusCode;
use jiff::Timestamp;
use memtape::documents::{
    Condition, Document, DocumentFilter, DocumentOrFolder, DocumentVersion, Operation as Act, Saved, Update,
    VersionId,
};
use memtape::{Documents, EntryId, Error, ErrorKind, Origin};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::super::answer::Failure;
use super::{Answer, Input, Kind, Method, Operation, Parameter, get};

const BETA: Parameter = ("beta", Kind::Text, "Ignored: clients of Anthropic's API send it.");
const VIEW: Parameter = (
    "view",
    Kind::OneOf(&["basic", "full"]),
    "Whether the answer has the content (`full`) or not (`basic`).",
);
const LIMIT: Parameter = (
    "limit",
    Kind::Range(1, ITEMS_MAX),
    "Maximum number of items, 20 by default; at most 20 with their contents.",
);
const PAGE: Parameter = ("page", Kind::Text, "The `next_page` of the page before.");
const SINCE: Parameter = ("created_at[gte]", Kind::Text, "Only items of this time or later.");
const UNTIL: Parameter = ("created_at[lte]", Kind::Text, "Only items of this time or earlier.");

/// Default number of items on a page, and the maximum number with their contents.
const ITEMS: u64 = 20;
/// Maximum number of items on a page.
const ITEMS_MAX: u64 = 100;
/// The beginning of the conversations of owners' tokens; the rest is the token's name.
const OF_TOKEN: &str = "http:";

/// The operations.
pub(super) const OPERATIONS: &[Operation] = &[
    get(
        "/v1/memory_stores",
        "The memory stores: the workspace",
        &[
            LIMIT,
            PAGE,
            SINCE,
            UNTIL,
            ("include_archived", Kind::Text, "Ignored: no store is archived."),
            BETA,
        ],
        stores,
    ),
    refusing(Method::Post, "/v1/memory_stores", "Refused: the workspace is the only memory store"),
    get("/v1/memory_stores/{memory_store_id}", "The memory store", &[BETA], store),
    refusing(Method::Post, "/v1/memory_stores/{memory_store_id}", "Refused: a memory store has no settings"),
    refusing(Method::Delete, "/v1/memory_stores/{memory_store_id}", "Refused: the workspace is not deleted"),
    refusing(
        Method::Post,
        "/v1/memory_stores/{memory_store_id}/archive",
        "Refused: the workspace is not archived",
    ),
    get(
        "/v1/memory_stores/{memory_store_id}/memories",
        "The memories (notes and files), by path",
        &[
            ("path_prefix", Kind::Text, "Only memories below this path, which begins and ends with `/`."),
            (
                "depth",
                Kind::Range(0, 1),
                "1 for memories and folders directly below the prefix, 0 for all memories.",
            ),
            VIEW,
            LIMIT,
            PAGE,
            BETA,
        ],
        memories,
    ),
    Operation {
        method: Method::Post,
        path: "/v1/memory_stores/{memory_store_id}/memories",
        summary: "Create a memory",
        query: &[VIEW, BETA],
        body: Some(|| {
            json!({
                "type": "object",
                "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
                "required": ["path", "content"],
                "additionalProperties": false,
            })
        }),
        writes: true,
        is_refused: false,
        run: create,
    },
    get("/v1/memory_stores/{memory_store_id}/memories/{memory_id}", "A memory", &[VIEW, BETA], memory),
    Operation {
        method: Method::Post,
        path: "/v1/memory_stores/{memory_store_id}/memories/{memory_id}",
        summary: "Change the content or the path of a memory",
        query: &[VIEW, BETA],
        body: Some(|| {
            json!({
                "type": "object",
                "properties": {
                    "path": {"type": ["string", "null"]},
                    "content": {"type": ["string", "null"]},
                    "precondition": {
                        "type": ["object", "null"],
                        "properties": {
                            "type": {"const": "content_sha256"},
                            "content_sha256": {"type": "string"},
                        },
                        "required": ["type", "content_sha256"],
                    },
                },
                "additionalProperties": false,
            })
        }),
        writes: true,
        is_refused: false,
        run: update,
    },
    Operation {
        method: Method::Delete,
        path: "/v1/memory_stores/{memory_store_id}/memories/{memory_id}",
        summary: "Delete a memory; its versions are kept",
        query: &[
            ("expected_content_sha256", Kind::Text, "Only if this is the SHA-256 digest of the content."),
            BETA,
        ],
        body: None,
        writes: true,
        is_refused: false,
        run: delete,
    },
    get(
        "/v1/memory_stores/{memory_store_id}/memory_versions",
        "The versions of memories, newest first",
        &[
            ("memory_id", Kind::Text, "Only versions of this memory."),
            ("operation", Kind::OneOf(&["created", "modified", "deleted"]), "Only versions that did this."),
            ("api_key_id", Kind::Text, "Only versions that were written with this token."),
            ("session_id", Kind::Text, "Only versions that were written in this conversation."),
            ("service_account_id", Kind::Text, "No version: there are no service accounts."),
            SINCE,
            UNTIL,
            VIEW,
            LIMIT,
            PAGE,
            BETA,
        ],
        versions,
    ),
    get(
        "/v1/memory_stores/{memory_store_id}/memory_versions/{memory_version_id}",
        "A version of a memory",
        &[VIEW, BETA],
        version,
    ),
    Operation {
        method: Method::Post,
        path: "/v1/memory_stores/{memory_store_id}/memory_versions/{memory_version_id}/redact",
        summary: "Remove the text of a version that is not the current one",
        query: &[BETA],
        body: None,
        writes: true,
        is_refused: false,
        run: redact,
    },
];

/// Returns an operation of Anthropic's API that a workspace does not have.
const fn refusing(method: Method, path: &'static str, summary: &'static str) -> Operation {
    Operation {
        method,
        path,
        summary,
        query: &[BETA],
        body: None,
        writes: true,
        is_refused: true,
        run: refuse,
    }
}

/// The store of a request.
struct Store<'a> {
    input: &'a Input<'a>,
    id: String,
    documents: Documents<'a>,
}

impl<'a> Store<'a> {
    /// Returns the store that the path names.
    fn of(input: &'a Input<'a>) -> Result<Self, Failure> {
        let store = Self::only(input)?;
        match input.path("memory_store_id") {
            id if id == store.id => Ok(store),
            id => Err(missing("memory store", id)),
        }
    }

    fn only(input: &'a Input<'a>) -> Result<Self, Failure> {
        let documents = input
            .workspace
            .documents()
            .for_audience(input.caller.audience(input.workspace)?)
            .in_session(input.caller.session.clone())
            .writing_as(Origin::Assistant);
        Ok(Self { input, id: format!("memstore_{}", input.workspace.identity()?.0), documents })
    }

    /// Returns the store as JSON.
    fn json(&self) -> Answer {
        let created = self.input.workspace.identity()?.1.to_string();
        let name = self.input.workspace.dir().file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(json!({
            "type": "memory_store",
            "id": self.id,
            "name": name.unwrap_or_else(|| "memtape".to_owned()),
            "description": "The notes and files of a memtape workspace",
            "metadata": {},
            "created_at": created,
            "updated_at": created,
            "archived_at": null,
        }))
    }

    /// Returns a memory as JSON.
    fn memory(&self, document: &Document, view: View) -> Value {
        let version = VersionId { entry: document.version, document: document.id };
        json!({
            "type": "memory",
            "id": memory_id(document.id),
            "memory_store_id": self.id,
            "memory_version_id": version_id(version),
            "path": document.path,
            "content": view.content(&document.bytes),
            "content_sha256": digest(&document.bytes),
            "content_size_bytes": document.bytes.len(),
            "created_at": document.created_at.to_string(),
            "updated_at": document.updated_at.to_string(),
        })
    }

    /// Returns a version as JSON.
    fn version(&self, version: &DocumentVersion, view: View) -> Value {
        let bytes = version.bytes.as_deref();
        json!({
            "type": "memory_version",
            "id": version_id(version.id),
            "memory_id": memory_id(version.id.document),
            "memory_store_id": self.id,
            "operation": operation(version.operation),
            "path": version.path,
            "content": bytes.and_then(|bytes| view.content(bytes)),
            "content_sha256": bytes.map(digest),
            "content_size_bytes": bytes.map(<[u8]>::len),
            "created_at": version.change.date.to_string(),
            "created_by": actor(&version.change),
            "redacted_at": version.redaction.as_ref().map(|redaction| redaction.date.to_string()),
            "redacted_by": version.redaction.as_ref().and_then(actor),
        })
    }

    /// Returns the answer to a write of the memory with an id, or of a new one.
    fn saved(&self, saved: Saved, id: &str, view: View) -> Answer {
        match saved {
            Saved::Done(document) => Ok(self.memory(&document, view)),
            Saved::Mismatch => Err(mismatch(id)),
            Saved::Occupied { id, path } => {
                let id = memory_id(id);
                let message = format!("the memory {id} has the path {path} already");
                let failure = Failure::new(StatusCode::CONFLICT, "memory_path_conflict_error", message);
                Err(failure.with("conflicting_memory_id", id).with("conflicting_path", path))
            }
        }
    }
}

/// Whether an answer has contents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Basic,
    Full,
}

impl View {
    /// Returns the view that the query names.
    fn of(input: &Input<'_>, default: Self) -> Result<Self, Failure> {
        match input.text("view") {
            None => Ok(default),
            Some("basic") => Ok(Self::Basic),
            Some("full") => Ok(Self::Full),
            Some(other) => Err(Failure::invalid(format!("invalid view {other:?}: expected basic or full"))),
        }
    }

    /// Returns a content as an answer has it. One that is not UTF-8 has no text: another text would not have its digest.
    fn content(self, bytes: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(bytes).ok()?;
        (self == Self::Full).then(|| text.to_owned())
    }

    /// Returns the maximum number of items on a page.
    fn limit(self, input: &Input<'_>) -> usize {
        let limit = input.count("limit").unwrap_or(ITEMS);
        let limit = if self == Self::Full { limit.min(ITEMS) } else { limit };
        usize::try_from(limit).unwrap_or(usize::MAX)
    }
}

fn stores(input: &Input<'_>) -> Answer {
    if let Some(page) = input.text("page") {
        return Err(unknown_page(page));
    }
    let created = input.workspace.identity()?.1;
    let (since, until) = period(input)?;
    let is_wanted = since.is_none_or(|since| created >= since) && until.is_none_or(|until| created <= until);
    let found = if is_wanted { vec![Store::only(input)?.json()?] } else { Vec::new() };
    Ok(json!({"data": found, "next_page": null}))
}

fn store(input: &Input<'_>) -> Answer {
    Store::of(input)?.json()
}

fn refuse(input: &Input<'_>) -> Answer {
    let id = match input.path("memory_store_id") {
        "" => Store::only(input)?.id,
        _ => Store::of(input)?.id,
    };
    Err(Failure::invalid(format!(
        "the workspace of this token is one memory store, {id}: it cannot be changed, archived or deleted over HTTP, \
         and no other one can be created"
    )))
}

fn memories(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let view = View::of(input, View::Basic)?;
    let after = input.text("page").map(|page| {
        let path = hex::decode(page).ok().and_then(|path| String::from_utf8(path).ok());
        path.ok_or_else(|| unknown_page(page))
    });
    let after = after.transpose()?;
    let is_shallow = input.count("depth") == Some(1);
    let listing = DocumentFilter {
        prefix: input.text("path_prefix").filter(|prefix| !prefix.is_empty()).unwrap_or("/"),
        is_shallow,
        after: after.as_deref(),
        limit: view.limit(input),
    };
    let (listed, has_more) = store.documents.list(&listing)?;
    let next = listed.last().filter(|_| has_more).map(|last| hex::encode(last.path()));
    let item = |listed: &DocumentOrFolder| match listed {
        DocumentOrFolder::Document(document) => store.memory(document, view),
        DocumentOrFolder::Folder(path) => json!({"type": "memory_prefix", "path": path}),
    };
    Ok(json!({"data": listed.iter().map(item).collect::<Vec<_>>(), "next_page": next}))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Create {
    path: String,
    content: String,
}

fn create(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let view = View::of(input, View::Basic)?;
    let Create { path, content } = input.body()?;
    store.saved(store.documents.create(&path, &content)?, "", view)
}

fn memory(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let view = View::of(input, View::Full)?;
    let (name, id) = memory_of(input)?;
    let document = store.documents.get(id).map_err(|e| unless_missing(e, "memory", name))?;
    Ok(store.memory(&document, view))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    path: Option<String>,
    content: Option<String>,
    precondition: Option<Precondition>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Precondition {
    ContentSha256 { content_sha256: String },
}

fn update(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let view = View::of(input, View::Basic)?;
    let (name, id) = memory_of(input)?;
    let Change { path, content, precondition } = input.body()?;
    if path.is_none() && content.is_none() {
        return Err(Failure::invalid("expected content or path"));
    }
    let expected = precondition.map(|Precondition::ContentSha256 { content_sha256 }| content_sha256);
    let holds = |current: &[u8]| expected.as_ref().is_none_or(|expected| digest(current) == *expected);
    let condition: Condition<'_> = &holds;
    let update = Update { path: path.as_deref(), content: content.as_deref() };
    let saved = store.documents.update(id, update, Some(condition));
    store.saved(saved.map_err(|e| unless_missing(e, "memory", name))?, name, view)
}

fn delete(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let (name, id) = memory_of(input)?;
    let expected = input.text("expected_content_sha256");
    let holds = |current: &[u8]| expected.is_none_or(|expected| digest(current) == *expected);
    let condition: Condition<'_> = &holds;
    match store.documents.delete(id, Some(condition)).map_err(|e| unless_missing(e, "memory", name))? {
        true => Ok(json!({"type": "memory_deleted", "id": name})),
        false => Err(mismatch(name)),
    }
}

fn versions(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let view = View::of(input, View::Basic)?;
    let limit = view.limit(input);
    let (since, until) = period(input)?;
    let act = input.text("operation");
    if let Some(act) = act.filter(|act| !["created", "modified", "deleted"].contains(act)) {
        return Err(Failure::invalid(format!(
            "invalid operation {act:?}: expected created, modified or deleted"
        )));
    }
    let after = input.text("page").map(|page| parsed_version(page).ok_or_else(|| unknown_page(page)));
    let document = match input.text("memory_id").map(parsed_memory) {
        // No version is that of an unknown memory.
        Some(None) => return Ok(json!({"data": [], "next_page": null})),
        known => known.flatten(),
    };
    let by = ["api_key_id", "service_account_id"].map(|field| (field, input.text(field)));
    let session = input.text("session_id");
    let is_wanted = |version: &DocumentVersion| {
        let date = version.change.date;
        let actor = actor(&version.change).unwrap_or_default();
        since.is_none_or(|since| date >= since)
            && until.is_none_or(|until| date <= until)
            && act.is_none_or(|act| act == operation(version.operation))
            && session.is_none_or(|session| version.change.session.as_deref() == Some(session))
            && by.iter().all(|(field, wanted)| wanted.is_none_or(|wanted| actor[field] == wanted))
    };
    let (found, has_more) = match store.documents.versions(document, after.transpose()?, limit, is_wanted) {
        Err(e) if document.is_some() && e.kind() == ErrorKind::NotFound => (Vec::new(), false),
        found => found?,
    };
    let next = found.last().filter(|_| has_more).map(|last| version_id(last.id));
    let found: Vec<_> = found.iter().map(|version| store.version(version, view)).collect();
    Ok(json!({"data": found, "next_page": next}))
}

fn version(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let view = View::of(input, View::Full)?;
    let (name, id) = version_of(input)?;
    let version = store.documents.version(id).map_err(|e| unless_missing(e, "memory version", name))?;
    Ok(store.version(&version, view))
}

fn redact(input: &Input<'_>) -> Answer {
    let store = Store::of(input)?;
    let (name, id) = version_of(input)?;
    let version = store.documents.redact(id).map_err(|e| unless_missing(e, "memory version", name))?;
    Ok(store.version(&version, View::Full))
}

/// Returns the failure of a request for something that does not exist, or that the caller may not see.
fn missing(what: &str, id: &str) -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "not_found", format!("there is no {what} {id:?}"))
}

/// Returns the failure of an error, which names what the request named.
fn unless_missing(error: Error, what: &str, id: &str) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => missing(what, id),
        _ => error.into(),
    }
}

fn mismatch(id: &str) -> Failure {
    let message = format!("the content of the memory {id} has another digest than expected: read it again");
    Failure::new(StatusCode::CONFLICT, "memory_precondition_failed_error", message)
}

fn unknown_page(page: &str) -> Failure {
    Failure::invalid(format!("invalid page {page:?}: expected the next_page of the page before"))
}

/// Returns the period that the query names.
fn period(input: &Input<'_>) -> Result<(Option<Timestamp>, Option<Timestamp>), Failure> {
    let since = input.text("created_at[gte]").map(|text| input.workspace.since(text)).transpose()?;
    let until = input.text("created_at[lte]").map(|text| input.workspace.until(text)).transpose()?;
    Ok((since, until))
}

/// Returns the name and the id of the memory in the path.
fn memory_of<'i>(input: &'i Input<'_>) -> Result<(&'i str, EntryId), Failure> {
    let name = input.path("memory_id");
    Ok((name, parsed_memory(name).ok_or_else(|| missing("memory", name))?))
}

/// Returns the name and the id of the version in the path.
fn version_of<'i>(input: &'i Input<'_>) -> Result<(&'i str, VersionId), Failure> {
    let name = input.path("memory_version_id");
    Ok((name, parsed_version(name).ok_or_else(|| missing("memory version", name))?))
}

fn memory_id(id: EntryId) -> String {
    format!("mem_{id}")
}

fn version_id(id: VersionId) -> String {
    format!("memver_{}_{}", id.document, id.entry)
}

fn parsed_memory(text: &str) -> Option<EntryId> {
    let id = text.strip_prefix("mem_")?.parse().ok()?;
    // A number has one spelling.
    (memory_id(id) == text).then_some(id)
}

fn parsed_version(text: &str) -> Option<VersionId> {
    let (document, entry) = text.strip_prefix("memver_")?.split_once('_')?;
    let id = VersionId { document: document.parse().ok()?, entry: entry.parse().ok()? };
    (version_id(id) == text).then_some(id)
}

fn operation(act: Act) -> &'static str {
    match act {
        Act::Created => "created",
        Act::Modified => "modified",
        Act::Deleted => "deleted",
    }
}

/// Returns who made a change: a token, a person, or a conversation; `None` if that is not recorded.
fn actor(change: &memtape::FileVersion) -> Option<Value> {
    let session = change.session.as_deref()?;
    Some(match (session.strip_prefix(OF_TOKEN), change.origin) {
        (Some(name), _) => json!({"type": "api_actor", "api_key_id": name}),
        (None, Some(Origin::User | Origin::Editor)) => json!({"type": "user_actor", "user_id": session}),
        (None, _) => json!({"type": "session_actor", "session_id": session}),
    })
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
