//! The `backfill` command.

use std::path::Path;

use memtape::{BackfilledFile, Error, FileOutcome, Workspace};
use serde_json::{Value, json};

use super::statements::{asking, statements};
use crate::args::ChatArgs;
use crate::output::{Output, Result, counted};

pub(super) fn run(
    workspace: &Workspace,
    output: &Output,
    dir: Option<&Path>,
    force: bool,
    args: &ChatArgs,
) -> Result<()> {
    let done = statements(workspace, &asking(args)?)?.backfill(dir, force)?;
    for BackfilledFile { file, outcome } in &done.files {
        if let FileOutcome::Unreadable(why) = outcome {
            output.note(format_args!("skipped {file}: {why}"));
        }
    }
    let is_unreadable = |file: &BackfilledFile| matches!(file.outcome, FileOutcome::Unreadable(_));
    if done.files.iter().all(is_unreadable) {
        return Err(Error::Invalid("nothing was imported: no file could be read".into()).into());
    }
    let totals = done.files.iter().fold((0, 0), |(a, p), file| match file.outcome {
        FileOutcome::Read { added, present } => (a + added, p + present),
        FileOutcome::Before | FileOutcome::Unreadable(_) => (a, p),
    });
    if output.json {
        let files: Vec<_> = done.files.iter().map(file_json).collect();
        return output.value(&json!({"files": files, "added": totals.0, "present": totals.1}));
    }
    for BackfilledFile { file, outcome } in &done.files {
        match outcome {
            FileOutcome::Read { added, present } => {
                output.line(format_args!("{file}: {}", counts(*added, *present)))?;
            }
            FileOutcome::Before => {
                output.line(format_args!("{file}: already imported (--force imports it again)"))?;
            }
            FileOutcome::Unreadable(_) => {}
        }
    }
    output.line(format_args!("in all: {}", counts(totals.0, totals.1)))
}

/// Formats counts: `3 statements added, 1 was there already`.
fn counts(added: u64, present: u64) -> String {
    let present = match present {
        0 => String::new(),
        n => format!(", {} there already", counted(n, "was", "were")),
    };
    format!("{} added{present}", counted(added, "statement", "statements"))
}

fn file_json(file: &BackfilledFile) -> Value {
    let name = &file.file;
    match &file.outcome {
        FileOutcome::Read { added, present } => json!({"file": name, "added": added, "present": present}),
        FileOutcome::Before => json!({"file": name, "before": true}),
        FileOutcome::Unreadable(why) => json!({"file": name, "why": why}),
    }
}
