//! Exports, as other programs read them: the tape by jq and sha256sum, the graph by the reference memory server.

use std::path::Path;

use serde_json::{Value, json};

use super::packages::{Packages, node_version};
use super::{passed, tape};
use crate::memtape::Memtape;
use crate::run::{Result, succeed};

/// Checks an export of the tape and one of the facts.
pub(super) fn check(memtape: &Memtape, packages: &Packages, scratch: &Path) -> Result<()> {
    let workspace = scratch.join("exported");
    memtape.run(&workspace, &["init"])?;
    for fact in
        [["Ana", "works at", "Nordkust"], ["Nordkust", "liegt in", "Nynäshamn"], ["Ana", "喜欢", "绿茶"]]
    {
        memtape.run(&workspace, &[&["fact", "add"][..], &fact].concat())?;
    }
    memtape.run(&workspace, &["fact", "add", "Ana", "fears", "spiders", "--sensitivity", "confidential"])?;
    let export = |format: &str, name: &str| -> Result<std::path::PathBuf> {
        let file = scratch.join(name);
        let to = file.to_string_lossy().into_owned();
        memtape.run(&workspace, &["export", "--format", format, "--out", &to])?;
        Ok(file)
    };
    let file = export("jsonl", "exported.jsonl")?;
    let entries = tape::recheck(&[file])?;
    passed(&format!("the {entries} lines of an export are a tape, say jq and sha256sum"));

    let file = export("mcp-memory", "exported-graph.jsonl")?;
    let printed = succeed(packages.node_script(memtape, "memory_graph.mjs")?.arg(&file))?;
    let graph: Value = serde_json::from_str(&printed).map_err(|e| format!("the graph is no JSON: {e}"))?;
    let expected = json!({
        "entities": [
            {"name": "Ana", "entityType": "subject", "observations": ["喜欢: 绿茶"]},
            {"name": "Nordkust", "entityType": "subject", "observations": ["liegt in: Nynäshamn"]},
        ],
        "relations": [{"from": "Ana", "to": "Nordkust", "relationType": "works at"}],
    });
    if graph != expected {
        return Err(format!("the reference memory server reads {graph}, not {expected}"));
    }
    let version = node_version("@modelcontextprotocol/server-memory");
    passed(&format!("the reference memory server {version} reads the exported facts"));
    Ok(())
}
