//! The `tool` commands.

use memtape::{At, Toolset, Workspace};
use serde_json::{Value, json};

use super::{audience, json_argument};
use crate::args::ToolCommand;
use crate::output::{Failure, Output, Result};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &ToolCommand) -> Result<()> {
    match command {
        ToolCommand::List { owner, toolset } => list(workspace, output, *owner, toolset),
        ToolCommand::Call { name, arguments, audience: asking, owner, toolset } => {
            let session = asking.session();
            let asking = audience(workspace, asking)?;
            let toolbox = workspace
                .tools()
                .of(named(toolset, *owner)?)
                .for_session(session)
                .for_audience(asking)
                .at(at.clone());
            let toolbox = if *owner { toolbox.with_owner_tools() } else { toolbox };
            let reply = toolbox.call(name, json_argument(arguments, "ARGUMENTS")?).map_err(Failure::Tool)?;
            match output.json {
                true => output.value(&json!({"reply": reply})),
                false => output.line(reply),
            }
        }
    }
}

fn list(workspace: &Workspace, output: &Output, owner: bool, toolsets: &[Toolset]) -> Result<()> {
    let toolbox = workspace.tools().of(named(toolsets, owner)?);
    let toolbox = if owner { toolbox.with_owner_tools() } else { toolbox };
    if output.json {
        return output.value(&toolbox.list().map(memtape::json::tool).collect());
    }
    for tool in toolbox.list() {
        output.line(format_args!("{} {}", tool.name, signature(&tool.schema())))?;
        output.line(format_args!("  {}", tool.description))?;
    }
    Ok(())
}

/// Returns the toolsets that a command names. That of the owner needs `--owner`.
fn named(toolsets: &[Toolset], owner: bool) -> Result<&[Toolset]> {
    match toolsets.contains(&Toolset::Owner) && !owner {
        true => Err(Failure::Usage("the tools of the toolset owner are the owner's: pass --owner".into())),
        false => Ok(Toolset::or_usual(toolsets)),
    }
}

/// Formats the parameters of a tool: `{content, mode?}`.
fn signature(schema: &Value) -> String {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
    let fields: Vec<_> = fields
        .map(|name| if required.contains(&name.as_str()) { name.clone() } else { format!("{name}?") })
        .collect();
    format!("{{{}}}", fields.join(", "))
}
