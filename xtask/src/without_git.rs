//! `cargo xtask without-git`: checks the build without the default features, above all without `git`.
//!
//! A workspace with a git history, made by the ordinary program, goes on with one that has no git support. That program
//! must not change the history, and must say what it does not do.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::memtape::{Memtape, root};
use crate::run::{Ran, Result, run, succeed};

/// What every message about the missing support says.
const WHY: &str = "this build of memtape has no git support";
/// A secret, which is not redacted because it comes on the tape by a damaged disk.
const SECRET: &str = "ghp_0123456789abcdefABCDEF0123456789abcd";
/// The text in its place before.
const BEFORE: &str = "0123456789abcdef0123456789abcdef01234567";

/// Runs the tests and a session without the feature.
pub(crate) fn check() -> Result<()> {
    let features = ["--locked", "--no-default-features", "--package"];
    succeed(cargo().arg("test").args(features).arg("memtape-worktree"))?;
    let tree = succeed(cargo().arg("tree").args(features).args(["memtape-cli", "--edges", "normal"]))?;
    if let Some(line) = tree.lines().find(|line| line.contains("git2")) {
        return Err(format!("memtape depends on libgit2 without the feature `git`: {line}"));
    }
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder cannot be made: {e}"))?;
    let home = scratch.path().join("home");
    let without = Memtape::build_without_features(&home)?;
    session(&Memtape::build(&home)?, &without, &scratch.path().join("memory"))
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    cargo.current_dir(root());
    cargo
}

fn session(with: &Memtape, without: &Memtape, workspace: &Path) -> Result<()> {
    with.run(workspace, &["init"])?;
    with.run(workspace, &["remember", BEFORE])?;
    with.run(workspace, &["file", "write", "drafts/a.md", "one"])?;
    let git = |arguments: &[&str]| succeed(Command::new("git").current_dir(workspace).args(arguments));
    let log = || git(&["log", "--format=%H %s"]);
    let before = log()?;
    // Files work as before, and nobody is warned at every command.
    let written = silent(run(&mut without.command(workspace, &["file", "write", "drafts/b.md", "two"]))?)?;
    expect("file write", &written, "drafts/b.md")?;
    expect(
        "file show",
        &silent(run(&mut without.command(workspace, &["file", "show", "drafts/b.md"]))?)?,
        "two",
    )?;
    warned(
        &run(&mut without.command(workspace, &["status"]))?,
        &["files/ is not committed to git", "stays as it is"],
    )?;
    expect("status", &without.run(workspace, &["status", "--json"])?, r#""history":"unsupported""#)?;
    // Who configures a history learns that there is none.
    let configured = ["status", "--config", "files.git=separate"];
    warned(&run(&mut without.command(workspace, &configured))?, &["files.git = \"separate\" has no effect"])?;
    let off = ["status", "--config", "files.git=off"];
    silent(run(&mut without.command(workspace, &off))?)?;
    // A search does not claim to have looked into the history, nor an erasure to have rewritten it.
    warned(&run(&mut without.command(workspace, &["scan"]))?, &[".git was not searched for secrets"])?;
    let tape = workspace.join("tape.jsonl");
    let failed = |e: std::io::Error| format!("{}: {e}", tape.display());
    let text = fs::read_to_string(&tape).map_err(failed)?;
    fs::write(&tape, text.replace(BEFORE, SECRET)).map_err(failed)?;
    warned(
        &run(&mut without.command(workspace, &["scan", "--redact"]))?,
        &["may still hold erased text", "remove .git;"],
    )?;
    let text = fs::read_to_string(&tape).map_err(failed)?;
    if text.contains(SECRET) {
        return Err("`memtape scan --redact` left the secret on the tape".to_owned());
    }
    if log()? != before || workspace.join("history.git").exists() {
        return Err("a build without git support changed a git history".to_owned());
    }
    // The ordinary program goes on with the history.
    with.run(workspace, &["file", "write", "drafts/c.md", "three"])?;
    let names = git(&["ls-tree", "-r", "--name-only", "HEAD"])?;
    expect("git ls-tree", &names, "files/drafts/a.md\nfiles/drafts/b.md\nfiles/drafts/c.md\n")?;
    let after = log()?;
    if !after.ends_with(&before) {
        return Err(format!("the history does not continue from before:\n{before}\nis now\n{after}"));
    }
    println!("ok   a build without git support leaves the history as it is, and says so");
    Ok(())
}

/// Returns the output of a command that succeeded and warned of nothing.
fn silent(ran: Ran) -> Result<String> {
    match ran.is_success() && ran.stderr.is_empty() {
        true => Ok(ran.stdout),
        false => Err(ran.report("a command without git support failed, or warned of something")),
    }
}

/// Checks that a command succeeded and warned with these words.
fn warned(ran: &Ran, words: &[&str]) -> Result<()> {
    let missing = words.iter().chain([&WHY]).find(|word| !ran.stderr.contains(**word));
    match missing {
        None if ran.is_success() => Ok(()),
        None => Err(ran.report("a command without git support failed")),
        Some(word) => {
            Err(ran.report(&format!("a command without git support does not warn: {word:?} is missing")))
        }
    }
}

fn expect(what: &str, text: &str, wanted: &str) -> Result<()> {
    match text.contains(wanted) {
        true => Ok(()),
        false => Err(format!("{what}: {text:?} does not contain {wanted:?}")),
    }
}
