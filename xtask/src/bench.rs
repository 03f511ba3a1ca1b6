//! All goals of the benches, with what was measured.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::run::{Result, run, succeed};

/// The benches, in the order of the page, with sizes that take twenty minutes together.
const BENCHES: [&[&str]; 14] = [
    &["write"],
    &["open", "200000"],
    &["recall", "100000"],
    &["readers"],
    &["turn"],
    &["prompt"],
    &["ledger"],
    &["journal", "200000"],
    &["copy"],
    &["file"],
    &["faces"],
    &["inspect"],
    &["import", "200000"],
    &["upstream"],
];
const PAGE: &str = "docs/performance.md";
const HEAD: &str = "# Performance

Each figure is a ratio of two things that were measured in turn in one run, or the memory of a process.
The floor of a write is one bare write and `fdatasync` of the same bytes, or with an upstream one bare transaction; that of a search is the bare FTS5 query.
`cargo xtask bench` runs all benches, writes this page, and fails if a goal is missed; `benches/src` says what each one does.

";

/// Runs every bench, writes the page, and fails if a goal is missed.
pub(crate) fn run_all() -> Result<()> {
    let packages = ["-p", "memtape-cli", "-p", "memtape-benches"];
    succeed(Command::new("cargo").args(["build", "--locked", "--release"]).args(packages))?;
    let commit = succeed(Command::new("git").args(["rev-parse", "--short", "HEAD"]))?;
    let mut page = format!(
        "{HEAD}Measured at `{}`.\n\n| bench | what | figure | goal |\n|---|---|---|---|\n",
        commit.trim()
    );
    let mut missed = Vec::new();
    for bench in BENCHES {
        let name = bench[0];
        println!("== {name}");
        let ran = run(Command::new("target/release/memtape-benches").args(bench))?;
        print!("{}", ran.stdout);
        let goals = ran.stdout.lines().filter_map(goal).collect::<Vec<_>>();
        if goals.is_empty() {
            return Err(ran.report(&format!("{name} printed no goal")));
        }
        for (what, figure, limit) in goals {
            let _ = writeln!(page, "| {name} | {what} | {figure} | {limit} |");
        }
        missed.extend((!ran.is_success()).then_some(name));
    }
    fs::write(PAGE, page).map_err(|e| format!("{PAGE}: {e}"))?;
    println!("wrote {PAGE}");
    match missed.as_slice() {
        [] => Ok(()),
        missed => Err(format!("goals are missed by: {}", missed.join(", "))),
    }
}

/// Reads a line `WHAT   FIGURE   (goal: LIMIT)`.
fn goal(line: &str) -> Option<(&str, &str, &str)> {
    let (measured, limit) = line.split_once("(goal: ")?;
    let (what, figure) = measured.trim_end().split_once("  ").map(|(what, rest)| (what, rest.trim()))?;
    Some((what, figure, limit.split(')').next().unwrap_or_default()))
}
