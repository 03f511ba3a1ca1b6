//! Runs the SQL of document 3 about blocks on the index of the built memtape, as printed there, with sqlite3.

use std::path::Path;

use super::index::{ask_anything, query};
use super::passed;
use crate::memtape::Memtape;
use crate::run::Result;

/// The first query of the document's part "Recovery".
const WHAT_WAS_FOCUS: &str = "
-- What was focus on Dec 25?
SELECT value FROM memory_blocks
WHERE name = 'current_focus'
AND created_at < '2025-12-26'
ORDER BY id DESC LIMIT 1;";
/// The same query for a day in the future.
const WHAT_IS_FOCUS: &str = "
SELECT value FROM memory_blocks
WHERE name = 'current_focus'
AND created_at < '9999-12-31'
ORDER BY id DESC LIMIT 1;";
/// The second query of that part, which restores a value.
const RESTORE: &str = "
-- Restore to that state
INSERT INTO memory_blocks (name, value, layer)
VALUES ('current_focus', 'tea', 4);";
/// The query of the document's program for one block.
const GET_BLOCK: &str =
    "SELECT value FROM memory_blocks WHERE name = 'current_focus' ORDER BY id DESC LIMIT 1";
/// The query of the document's program for all blocks.
const ALL_BLOCKS: &str = "
    SELECT name, value FROM memory_blocks
    WHERE id IN (SELECT MAX(id) FROM memory_blocks GROUP BY name)
    ORDER BY layer, name";

/// Checks the view `memory_blocks` in a new workspace.
pub(super) fn check(memtape: &Memtape, scratch: &Path) -> Result<()> {
    let workspace = &scratch.join("blocks");
    let path = workspace.display().to_string();
    memtape.run(workspace, &["init", &path])?;
    let database = &workspace.join("memory.db");
    memtape.run(workspace, &["block", "set", "current_focus", "tea"])?;
    let tea = memtape.run(workspace, &["block", "history", "current_focus", "--json"])?;
    let tea: serde_json::Value = serde_json::from_str(&tea).map_err(|e| format!("block history: {e}"))?;
    let point = tea[0]["entry"].to_string();
    memtape.run(workspace, &["block", "set", "current_focus", "coffee"])?;
    memtape.run(workspace, &["block", "set", "persona", "Calm"])?;
    says(memtape, workspace, WHAT_WAS_FOCUS, "")?;
    says(memtape, workspace, WHAT_IS_FOCUS, "coffee\n")?;
    says(memtape, workspace, GET_BLOCK, "coffee\n")?;
    says(memtape, workspace, ALL_BLOCKS, "persona|Calm\ncurrent_focus|coffee\n")?;
    let ran = ask_anything(database, RESTORE)?;
    let command = "memtape block restore NAME --at POINT";
    if ran.is_success() || !ran.stderr.contains(command) {
        return Err(ran.report(&format!("the INSERT of document 3 must be refused with {command:?}")));
    }
    // The command that the error names does what the INSERT was meant to do.
    memtape.run(workspace, &["block", "restore", "current_focus", "--at", &point])?;
    says(memtape, workspace, GET_BLOCK, "tea\n")?;
    passed("document 3's SELECTs run as printed, its INSERT names a command, and that restores");
    branches(memtape, workspace)
}

/// Checks that the view shows the branch that is checked out.
fn branches(memtape: &Memtape, workspace: &Path) -> Result<()> {
    memtape.run(workspace, &["create-branch", "work"])?;
    memtape.run(workspace, &["checkout", "work"])?;
    memtape.run(workspace, &["block", "set", "current_focus", "the branch"])?;
    says(memtape, workspace, GET_BLOCK, "the branch\n")?;
    memtape.run(workspace, &["checkout", "main"])?;
    says(memtape, workspace, GET_BLOCK, "tea\n")?;
    passed("memory_blocks shows the branch that is checked out");
    Ok(())
}

fn says(memtape: &Memtape, workspace: &Path, sql: &str, expected: &str) -> Result<()> {
    // A reading command updates the index from the tape.
    memtape.run(workspace, &["status"])?;
    let ran = query(&workspace.join("memory.db"), sql)?;
    match ran.stdout == expected {
        true => Ok(()),
        false => Err(ran.report(&format!("sqlite3 must say {expected:?}"))),
    }
}
