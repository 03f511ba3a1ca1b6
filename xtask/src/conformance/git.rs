//! The commands of document 3 on the history of the files, run with git.

use std::path::Path;
use std::process::Command;

use super::passed;
use crate::memtape::Memtape;
use crate::run::{Result, succeed};

/// The commands as printed in the document.
const SHOW: &str = "git show HEAD~10:files/insights/2025-12-25.md";
const RESTORE: &str = "git checkout HEAD~10 -- files/insights/2025-12-25.md";
const PATH: &str = "insights/2025-12-25.md";

/// Checks that git shows and restores earlier versions of files, and that memtape records the restored
/// version.
pub(super) fn check(memtape: &Memtape, scratch: &Path) -> Result<()> {
    let workspace = scratch.join("history");
    memtape.run(&workspace, &["init"])?;
    memtape.run(&workspace, &["file", "write", PATH, "the first\n"])?;
    for n in 2..=10 {
        memtape.run(&workspace, &["file", "write", PATH, &format!("version {n}\n")])?;
    }
    memtape.run(&workspace, &["file", "delete", PATH])?;
    let git = |line: &str| succeed(Command::new("sh").args(["-e", "-c", line]).current_dir(&workspace));
    expect(SHOW, &git(SHOW)?, "the first\n")?;
    git(RESTORE)?;
    let shown = memtape.run(&workspace, &["file", "show", PATH])?;
    expect("file show, after the file was restored with git", &shown, "the first\n")?;
    expect("git status --porcelain", &git("git status --porcelain")?, "")?;
    let count = git("git rev-list --count HEAD")?;
    expect("git rev-list --count HEAD", &count, "12\n")?;
    git("git fsck --strict --no-dangling")?;
    passed("git runs document 3's commands on files/, and memtape takes in what it restores");
    Ok(())
}

fn expect(what: &str, got: &str, wanted: &str) -> Result<()> {
    match got == wanted {
        true => Ok(()),
        false => Err(format!("{what}: {got:?}, and not {wanted:?}")),
    }
}
