//! The plugin for Claude Code: a folder with the server, the hooks and a skill.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Part, Platform, Shape};
use crate::command::{Command, NAME};
use crate::error::{Error, Result};
use crate::files;
use crate::parts::Editor;
use crate::plan::{Change, Plan};

const MANIFEST: &str = ".claude-plugin/plugin.json";
const SKILL: &str = include_str!("skill.md");

/// Plans to write the plugin for Claude Code into a folder, which is created if it does not exist.
///
/// # Errors
/// [`Error::NotAPlugin`] if the folder has other content than an earlier plugin of memtape, and [`Error::Io`] if it
/// cannot be read.
pub fn plugin(dir: &Path, command: &Command, platform: Platform) -> Result<Plan> {
    let is_empty = match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(e) if e.kind() == io::ErrorKind::NotFound => true,
        Err(source) => return Err(Error::Io { action: "read", path: dir.to_owned(), source }),
    };
    if !is_empty && !is_own(dir)? {
        return Err(Error::NotAPlugin { dir: dir.to_owned() });
    }
    let part = |part| Editor { part, command, platform, is_json5: false }.add("");
    let server = part(Part::Server { keys: &["mcpServers"], shape: Shape::Stdio });
    let hooks = part(Part::Hooks(&crate::client::EVENTS));
    let contents = [
        (MANIFEST, Ok(format!("{:#}\n", manifest()))),
        ("hooks/hooks.json", hooks),
        (".mcp.json", server),
        ("skills/memtape/SKILL.md", Ok(SKILL.to_owned())),
    ];
    let change = |(name, content): (&str, std::result::Result<String, _>)| {
        let path = dir.join(name);
        let after =
            Some(content.map_err(|problem: crate::error::Problem| problem.in_file(path.clone(), ""))?);
        // A file of an earlier plugin was written by memtape.
        Ok(Change { before: files::read(&path)?, after, needs_backup: false, path })
    };
    let changes = contents.into_iter().map(change).collect::<Result<_>>()?;
    Ok(Plan { changes, notes: Vec::new() })
}

fn manifest() -> Value {
    json!({
        "name": NAME,
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Version-controlled memory: recalls what is known, and remembers what was said",
        "author": {"name": "memtape"},
        "repository": env!("CARGO_PKG_REPOSITORY"),
        "license": env!("CARGO_PKG_LICENSE"),
    })
}

/// Returns whether a folder has an earlier plugin of memtape.
fn is_own(dir: &Path) -> Result<bool> {
    let manifest = files::read(&dir.join(MANIFEST))?.unwrap_or_default();
    let manifest: Value = serde_json::from_str(&manifest).unwrap_or_default();
    Ok(manifest["name"] == NAME)
}
