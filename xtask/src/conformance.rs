//! `cargo xtask conformance`: checks docs/FORMAT.md and the built memtape with programs that share no code
//! with it: tools that read its files, and clients that call its servers.
//!
//! No check is skipped silently: a missing program is a failure that states how to install it, and a disk
//! condition that cannot be created on this machine is replaced by a similar one, which the check's output
//! line names.

mod blocks;
mod clients;
mod document;
mod example;
mod exports;
mod git;
mod imports;
mod index;
mod journal;
mod media;
mod medium;
mod memory_tool;
mod mermaid;
mod openapi;
mod packages;
mod tape;

use std::path::Path;

use crate::memtape::{Memtape, root};
use crate::run::Result;
use document::Document;
use packages::Packages;

/// The programs that the checks use, and how to install each.
const PROGRAMS: [(&str, &str); 11] = [
    ("sh", "a POSIX shell: on Windows, use WSL"),
    ("cat", "apt-get install coreutils"),
    ("sha256sum", "apt-get install coreutils, or brew install coreutils"),
    ("tail", "apt-get install coreutils"),
    ("awk", "apt-get install mawk"),
    ("jq", "apt-get install jq, or brew install jq"),
    ("sqlite3", "apt-get install sqlite3, or brew install sqlite"),
    ("git", "apt-get install git, or brew install git"),
    ("node", "apt-get install nodejs (20 or later), or brew install node"),
    ("npm", "apt-get install npm, or brew install node"),
    ("python3", "apt-get install python3-venv (3.10 or later), or brew install python"),
];

/// Runs all checks and stops at the first that fails.
pub(crate) fn run() -> Result<()> {
    find_programs()?;
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder cannot be made: {e}"))?;
    let scratch = scratch.path();
    let document = Document::read(&root().join("docs/FORMAT.md"))?;
    let memtape = Memtape::build(&scratch.join("home"))?;
    example::check(&document, &memtape, scratch)?;
    let workspace = scratch.join("workspace");
    tape::check(&memtape, &workspace)?;
    index::check(&document, &memtape, &workspace)?;
    blocks::check(&memtape, scratch)?;
    journal::check(&memtape, scratch)?;
    git::check(&memtape, scratch)?;
    mermaid::check(&memtape, &workspace, scratch)?;
    let packages = Packages::install()?;
    clients::check(&memtape, &packages, scratch)?;
    memory_tool::check(&memtape, &packages, scratch)?;
    openapi::check(&memtape, &packages, scratch)?;
    exports::check(&memtape, &packages, scratch)?;
    imports::check(&memtape, &packages, scratch)?;
    media::check(&memtape, scratch)
}

/// Reports that a check has passed.
fn passed(what: &str) {
    println!("ok   {what}");
}

/// Installs the packages that the checks use.
pub(crate) fn install() -> Result<()> {
    find_programs()?;
    mermaid::install()?;
    Packages::install().map(drop)
}

fn find_programs() -> Result<()> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let is_missing = |name: &str| !folders.iter().any(|folder| folder.join(name).is_file());
    let missing: String = PROGRAMS
        .iter()
        .filter(|(name, _)| is_missing(name))
        .map(|(name, install)| format!("\n  {name}: {install}"))
        .collect();
    if !missing.is_empty() {
        return Err(format!("programs are missing that the checks need:{missing}"));
    }
    passed("every program that the checks need is here");
    Ok(())
}

/// Reads a file as UTF-8 text.
fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// Writes a file.
fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
