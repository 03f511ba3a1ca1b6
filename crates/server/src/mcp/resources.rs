//! Resources as MCP lists and reads them.

use memtape::{Result, Workspace, encoded_unless_text};
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::invalid_cursor;
use crate::caller::Caller;
use crate::resources::{self, Resources};

/// Maximum number of resources on a page.
const PAGE: usize = 100;
/// The media type of a content that is no text.
const BYTES: &str = "application/octet-stream";

/// Returns a page of the resources. The cursor is the URI of the last resource before it.
pub(super) fn list(
    workspace: &Workspace,
    caller: &Caller,
    cursor: Option<&str>,
) -> Result<ListResourcesResult> {
    let mut listed = Resources::of(workspace, caller)?.list()?;
    if let Some(cursor) = cursor {
        listed = resources::after(listed, cursor).ok_or_else(|| invalid_cursor(cursor))?;
    }
    let more = listed.len() > PAGE;
    listed.truncate(PAGE);
    let next = listed.last().filter(|_| more).map(|last| last.uri.clone());
    let resource = |resource: resources::Resource| {
        let listed = Resource::new(resource.uri, resource.name).with_mime_type(resource.mime);
        match resource.description {
            Some(description) => listed.with_description(description),
            None => listed,
        }
    };
    let mut page = ListResourcesResult::with_all_items(listed.into_iter().map(resource).collect());
    page.next_cursor = next;
    Ok(page)
}

/// Returns the templates of resources that are not listed one by one.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, description: &str| {
        ResourceTemplate::new(uri, name).with_description(description)
    };
    vec![
        template("memtape://blocks/{name}", "block", "A block by its name"),
        template("memtape://notes/{+path}", "note", "A note by its path, such as facts/user.md"),
        template("memtape://files/{+path}", "file", "A file by its path below files/"),
        template("memtape://memories/{ref}", "memory", "A memory by the ref that memory_recall returns"),
    ]
}

/// Returns the content of a resource, in base64 if it is not UTF-8.
pub(super) fn read(workspace: &Workspace, caller: &Caller, uri: &str) -> Result<ReadResourceResult> {
    let (bytes, mime) = Resources::of(workspace, caller)?.content(uri)?;
    let contents = match encoded_unless_text(&bytes) {
        Some(base64) => ResourceContents::blob(base64, uri).with_mime_type(BYTES),
        None => ResourceContents::text(String::from_utf8_lossy(&bytes), uri).with_mime_type(mime),
    };
    Ok(ReadResourceResult::new(vec![contents]))
}
