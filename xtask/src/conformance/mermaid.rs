//! Parses the diagrams of `memtape graph` with Mermaid.
//!
//! Mermaid's parser needs a DOM, which the package `jsdom` provides. Both are installed into the target
//! directory, in the versions pinned below.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{passed, write};
use crate::memtape::{Memtape, root};
use crate::run::{Result, succeed};

const MERMAID: &str = "11.12.0";
const JSDOM: &str = "26.1.0";
/// Number of random graphs.
const GRAPHS: &str = "600";

/// A script that parses the diagrams in a file, and reports those that Mermaid rejects.
const READ: &str = r#"
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
const diagrams = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const diagram of diagrams) {
    try {
        const { diagramType } = await mermaid.parse(diagram);
        if (diagramType !== "gitGraph") throw new Error(`it is read as ${diagramType}`);
    } catch (e) {
        console.error(`${e.message}\n${diagram}`);
        process.exit(1);
    }
}
console.log(diagrams.length);
"#;

/// Checks random graphs and the graph of a workspace.
pub(super) fn check(memtape: &Memtape, workspace: &Path, scratch: &Path) -> Result<()> {
    let packages = install()?;
    let graphs = memtape.beside("memtape-testkit", "memtape-testkit-graphs")?;
    let random = succeed(Command::new(graphs).arg(GRAPHS))?;
    let count = read(&packages, scratch, &random)?;
    passed(&format!("Mermaid {MERMAID} reads {count} diagrams of random graphs"));
    let own = memtape.run(workspace, &["graph"])?;
    read(&packages, scratch, &json!([own]).to_string())?;
    passed("Mermaid reads what `memtape graph` prints");
    // Make sure that the check can fail.
    let wrong = json!(["gitGraph\n    commit id: \"a\"\n    merge main\n"]).to_string();
    match read(&packages, scratch, &wrong) {
        Err(_) => Ok(()),
        Ok(_) => Err("Mermaid must refuse the merge of a branch into itself".into()),
    }
}

fn read(packages: &Path, scratch: &Path, diagrams: &str) -> Result<String> {
    let list = scratch.join("diagrams.json");
    write(&list, diagrams)?;
    let count = succeed(Command::new("node").arg("read.mjs").arg(&list).current_dir(packages))?;
    Ok(count.trim().to_owned())
}

/// Installs the packages if they are missing, and returns their directory.
pub(super) fn install() -> Result<std::path::PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let folder = target.join(format!("conformance/mermaid-{MERMAID}-jsdom-{JSDOM}"));
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let package = json!({"private": true, "dependencies": {"mermaid": MERMAID, "jsdom": JSDOM}});
    write(&folder.join("package.json"), &package.to_string())?;
    write(&folder.join("read.mjs"), READ)?;
    if !folder.join("node_modules/.package-lock.json").is_file() {
        let arguments = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
        succeed(Command::new("npm").args(arguments).current_dir(&folder))?;
    }
    Ok(folder)
}
