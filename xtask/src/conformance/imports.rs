//! Imports what other programs write themselves: the reference memory server, the storage of mem0, and Bub.

use std::path::Path;

use serde_json::Value;

use super::packages::{Packages, node_version, python_version};
use super::passed;
use crate::memtape::Memtape;
use crate::run::{Result, succeed};

/// Lets each program write, and imports the result twice.
pub(super) fn check(memtape: &Memtape, packages: &Packages, scratch: &Path) -> Result<()> {
    let graph = scratch.join("memory.jsonl");
    succeed(packages.node_script(memtape, "memory_server.mjs")?.arg(&graph))?;
    let facts = ["Is allergic to cashews", "喜欢绿茶", "Sitzt in Nynäshamn", "Nordkust AB"];
    import(memtape, scratch, "mcp-memory", &graph, 6, &["fact", "list"], &facts)?;
    let version = node_version("@modelcontextprotocol/server-memory");
    passed(&format!("the graph of the reference memory server {version} is imported"));

    let history = scratch.join("history.db");
    succeed(packages.python_script(memtape, "mem0_history.py").arg(&history))?;
    let memories = ["Ana lives in Leipzig", "下个月要续签护照", "Ich bin nach Leipzig gezogen"];
    import(memtape, scratch, "mem0", &history, 4, &["tape", "log"], &memories)?;
    passed(&format!("the history of mem0 {} is imported", python_version("mem0ai")));

    let tapes = scratch.join("tapes");
    succeed(packages.python_script(memtape, "bub_tape.py").arg(&tapes))?;
    let texts = ["Ich ziehe nach Leipzig", "记下了。", "- moves to Leipzig", "phase-2", "Be brief."];
    import(memtape, scratch, "bub", &tapes, 7, &["tape", "log"], &texts)?;
    passed(&format!("a tape of Bub {} is imported", python_version("bub")));
    Ok(())
}

/// Imports a file into a new workspace: the rehearsal says what the import does, a second import does nothing, and a
/// command shows the texts.
fn import(
    memtape: &Memtape,
    scratch: &Path,
    source: &str,
    file: &Path,
    items: u64,
    command: &[&str],
    texts: &[&str],
) -> Result<()> {
    let workspace = scratch.join(format!("imported-{source}"));
    memtape.run(&workspace, &["init"])?;
    let file = file.to_string_lossy();
    let run = |options: &[&str]| {
        let printed = memtape.run(&workspace, &[&["import", source, &file, "--json"], options].concat())?;
        serde_json::from_str::<Value>(&printed).map_err(|e| format!("import --json of {source}: {e}"))
    };
    let (rehearsed, imported, again) = (run(&["--dry-run"])?, run(&[])?, run(&[])?);
    if rehearsed["items"] != imported["items"] {
        return Err(format!("a dry run of {source} says {rehearsed}, but the import does {imported}"));
    }
    for (report, field) in [(&imported, "added"), (&again, "present")] {
        let counted = report["items"].as_array().into_iter().flatten();
        let sum: u64 = counted.filter_map(|kind| kind[field].as_u64()).sum();
        if sum != items {
            return Err(format!("{sum} items of {source} are {field}, not {items}: {report}"));
        }
    }
    let shown = memtape.run(&workspace, command)?;
    if let Some(text) = texts.iter().find(|text| !shown.contains(**text)) {
        return Err(format!("after an import of {source}, {command:?} does not show {text:?}:\n{shown}"));
    }
    memtape.run(&workspace, &["verify"]).map(drop)
}
