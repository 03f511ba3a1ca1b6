//! The `import` command.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use memtape::{Imported, Workspace};
use serde_json::json;

use super::Waiting;
use crate::args::ImportCommand;
use crate::output::{Failure, Output, Result, counted};

pub(super) fn run(workspace: &Workspace, output: &Output, command: &ImportCommand) -> Result<()> {
    match command {
        ImportCommand::Memtape { file } => memtape(workspace, output, file),
    }
}

/// Imports an export of memtape.
fn memtape(workspace: &Workspace, output: &Output, file: &Path) -> Result<()> {
    let waiting = Waiting::new("entries imported");
    let imported = if file == Path::new("-") {
        workspace.import_tape(io::stdin().lock(), |lines| waiting.tick(lines, None))
    } else if file.is_dir() {
        return Err(Failure::Usage(format!("cannot read {}: it is a folder", file.display())));
    } else {
        let open =
            || File::open(file).map_err(|e| Failure::Usage(format!("cannot read {}: {e}", file.display())));
        // A pipe cannot be read twice, so its lines are not counted.
        let all = match file.is_file() {
            true => super::ingest::count_lines(open()?).ok(),
            false => None,
        };
        workspace.import_tape(BufReader::new(open()?), |lines| waiting.tick(lines, all))
    };
    drop(waiting);
    let Imported { added, present, redacted } = imported?;
    if output.json {
        return output.value(&json!({"added": added, "present": present, "redacted": redacted}));
    }
    let present = match present {
        0 => String::new(),
        n => format!(", {} there already", counted(n, "was", "were")),
    };
    output.line(format_args!("✓ Imported {}{present}", counted(added, "entry", "entries")))
}
