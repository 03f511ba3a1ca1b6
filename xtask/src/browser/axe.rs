//! axe-core, the accessibility checker, in the version that `xtask/browser` pins.

use std::fs;
use std::process::Command;

use crate::memtape::root;
use crate::run::{Result, succeed};

const PACKAGE: &str = include_str!("../../browser/package.json");
const LOCK: &str = include_str!("../../browser/package-lock.json");

/// Returns the source of the checker, and installs it into the target directory if it is not there.
pub(super) fn source() -> Result<String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let folder = target.join("browser");
    let cannot = |e: std::io::Error| format!("cannot write to {}: {e}", folder.display());
    fs::create_dir_all(&folder).map_err(cannot)?;
    let (lock, script) = (folder.join("package-lock.json"), folder.join("node_modules/axe-core/axe.min.js"));
    if !script.is_file() || fs::read_to_string(&lock).ok().as_deref() != Some(LOCK) {
        fs::write(folder.join("package.json"), PACKAGE).map_err(cannot)?;
        fs::write(&lock, LOCK).map_err(cannot)?;
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
        succeed(Command::new("npm").args(arguments).current_dir(&folder))?;
    }
    fs::read_to_string(&script).map_err(|e| format!("cannot read {}: {e}", script.display()))
}
