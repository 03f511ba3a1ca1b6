//! The tools of the library as MCP tools.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Tool, ToolAnnotations,
};
use serde_json::Value;

use super::error_text;
use crate::access::Access;
use crate::caller::Caller;

/// Returns the tools that a caller can call, always in the same order.
pub(super) fn list(caller: &Caller) -> Vec<Tool> {
    caller.definitions().map(definition).collect()
}

fn definition(tool: &memtape::toolbox::Tool) -> Tool {
    let schema = match tool.schema() {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    let hints =
        ToolAnnotations::new().read_only(tool.read_only).destructive(tool.destructive).open_world(false);
    Tool::new(tool.name, tool.description, Arc::new(schema)).with_annotations(hints)
}

/// Calls a tool. A failure of the tool is a result that the model reads, not an error of the protocol.
///
/// The reply is in `content` only: several clients show the model nothing else where `structuredContent` is
/// present.
pub(super) async fn call(
    access: &Access,
    request: CallToolRequestParams,
) -> Result<CallToolResponse, ErrorData> {
    let caller = access.caller.clone();
    let asking = caller.clone();
    let name = request.name.into_owned();
    let is_reading = caller.definitions().any(|tool| tool.name == name && tool.read_only);
    let arguments = request.arguments.map_or(Value::Null, Value::Object);
    let call = move |workspace: &memtape::Workspace| caller.tools(workspace)?.call(&name, arguments);
    let replied = if is_reading { access.node.read(call).await } else { access.node.write(call).await };
    let result = match replied {
        Ok(reply) => CallToolResult::success(vec![ContentBlock::text(reply)]),
        Err(e) => CallToolResult::error(vec![ContentBlock::text(error_text(&e, &asking))]),
    };
    Ok(result.into())
}
