//! The worked example of docs/FORMAT.md: checks that its commands print the documented output, and that its
//! lines are a valid tape.

use std::path::Path;
use std::process::Command;

use super::document::{Block, Document};
use super::{passed, tape, write};
use crate::memtape::Memtape;
use crate::run::{Result, indented, run, succeed};

/// The heading of the worked example.
const SECTION: &str = "Worked example";
/// Minimum number of shell blocks: a digest and a hash for each of two lines.
const COMMANDS_MIN: usize = 4;

/// Checks the worked example.
pub(super) fn check(document: &Document, memtape: &Memtape, scratch: &Path) -> Result<()> {
    let printed = run_commands(document)?;
    let (lines, file) = lines(document, scratch)?;
    same_hashes(&lines, &printed)?;
    let entries = tape::recheck(&[file])?;
    let verified = memtape.run(&scratch.join("example"), &["verify"])?;
    passed(&format!(
        "the worked example's {entries} lines are a tape, say sha256sum and memtape ({})",
        verified.trim()
    ));
    Ok(())
}

/// Runs every shell block, compares its output with the following text block, and returns the outputs.
fn run_commands(document: &Document) -> Result<Vec<String>> {
    let mut printed = Vec::new();
    let mut blocks = document.blocks.iter().peekable();
    while let Some(block) = blocks.next() {
        if block.language != "sh" {
            continue;
        }
        let expected = blocks.next_if(|next| next.language == "text" && next.section == block.section);
        let expected = expected.ok_or_else(|| at(block, "has no ```text block with its output after it"))?;
        let ran = run(Command::new("sh").args(["-e", "-c", &block.text]))?;
        if !ran.is_success() || ran.stdout != expected.text {
            let why = at(block, &format!("must print:\n{}", indented(&expected.text)));
            return Err(ran.report(&why));
        }
        printed.push(ran.stdout);
    }
    if printed.len() < COMMANDS_MIN {
        return Err(format!(
            "docs/FORMAT.md has {} ```sh blocks: at least {COMMANDS_MIN} are needed",
            printed.len()
        ));
    }
    passed(&format!("the {} commands of docs/FORMAT.md print what it says", printed.len()));
    Ok(printed)
}

/// Returns the lines of the example, and the tape of a new workspace that contains them.
fn lines(document: &Document, scratch: &Path) -> Result<(Vec<String>, std::path::PathBuf)> {
    let block = document
        .blocks_in("json")
        .find(|block| block.section.ends_with(SECTION))
        .ok_or_else(|| format!("docs/FORMAT.md has no ```json block under {SECTION:?}"))?;
    let workspace = scratch.join("example");
    std::fs::create_dir_all(&workspace).map_err(|e| format!("cannot make {}: {e}", workspace.display()))?;
    let file = workspace.join("tape.jsonl");
    write(&file, &block.text)?;
    Ok((block.text.lines().map(str::to_owned).collect(), file))
}

/// Checks the hashes: the commands print a digest and a hash per line, and each hash must be the one in its
/// line.
fn same_hashes(lines: &[String], printed: &[String]) -> Result<()> {
    for (line, output) in lines.iter().zip(printed.iter().skip(1).step_by(2)) {
        let hash = succeed(Command::new("jq").args(["-n", "-r", "--argjson", "line", line, "$line.hash"]))?;
        let computed = output.split_whitespace().next().unwrap_or_default();
        if hash.trim() != computed {
            return Err(format!(
                "the worked example computes the hash {computed}, but its line says otherwise:\n{}",
                indented(line)
            ));
        }
    }
    passed("the hashes of the worked example are those of its lines");
    Ok(())
}

fn at(block: &Block, why: &str) -> String {
    format!("docs/FORMAT.md, line {}: the ```{} block {why}", block.line, block.language)
}
