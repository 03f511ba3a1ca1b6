//! The `graph` command.

use memtape::graph::Node;
use memtape::{At, Workspace};
use serde_json::{Value, json};

use super::audience;
use crate::args::{GraphArgs, GraphFormat};
use crate::output::{Output, Result};

pub(super) fn graph(workspace: &Workspace, output: &Output, at: &At, args: &GraphArgs) -> Result<()> {
    let graph = workspace.graph(&audience(workspace, &args.audience)?, args.limit, at)?;
    if output.json {
        let branches: Vec<_> = graph
            .branches
            .iter()
            .map(|branch| {
                let (parent, forked_at) = branch.parent.clone().unzip();
                json!({
                    "name": branch.name,
                    "parent": parent,
                    "forked_at": forked_at,
                    "persona": branch.persona,
                    "deleted": branch.deleted.is_some(),
                })
            })
            .collect();
        let commits: Vec<_> = graph.nodes.iter().map(node_json).collect();
        return output.value(&json!({"branches": branches, "commits": commits, "is_cut": graph.is_cut}));
    }
    output.text(&match args.format {
        GraphFormat::Mermaid => graph.mermaid(),
        GraphFormat::Timeline => graph.timeline(workspace.time_zone()),
    })
}

fn node_json(node: &Node) -> Value {
    json!({
        "id": node.id,
        "entry": node.entry,
        "branch": node.branch,
        "date": node.date.to_string(),
        "message": node.message,
        "merges": node.merges,
        "picks": node.picks,
    })
}
