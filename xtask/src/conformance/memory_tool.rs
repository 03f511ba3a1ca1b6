//! Runs the commands of Claude's memory tool through the Anthropic SDK.

use std::path::Path;

use super::packages::{Packages, python_version};
use super::passed;
use crate::memtape::Memtape;
use crate::run::{Result, succeed};

/// Checks that the model gets the documented replies, and in which words the SDK's own memory differs.
pub(super) fn check(memtape: &Memtape, packages: &Packages, scratch: &Path) -> Result<()> {
    let workspace = scratch.join("memory-tool");
    memtape.run(&workspace, &["init"])?;
    let tool = memtape.command(&workspace, &["memory-tool", "--lines"]);
    let mut client = packages.python_script(memtape, "memory_tool.py");
    client.arg(scratch.join("memory-of-the-sdk")).arg(tool.get_program()).args(tool.get_args());
    let count = succeed(&mut client)?;
    memtape.run(&workspace, &["verify"])?;
    passed(&format!(
        "the Anthropic SDK {} gets the documented replies to {} commands of the memory tool",
        python_version("anthropic"),
        count.trim()
    ));
    Ok(())
}
