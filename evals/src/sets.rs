//! The parts of an evaluation set: folders with a file for each author.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;

/// A part of a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// What is learned from.
    Train,
    /// What settings are chosen by.
    Dev,
    /// What is measured once a release, and nothing is chosen by.
    Sealed,
    /// Messages of many statements, beside `dev`.
    Lists,
}

impl Part {
    /// Parses the name of a part.
    pub(crate) fn parse(name: &str) -> Result<Part, Failure> {
        match name {
            "train" => Ok(Part::Train),
            "dev" => Ok(Part::Dev),
            "sealed" => Ok(Part::Sealed),
            "lists" => Ok(Part::Lists),
            _ => Err(format!("{name} is no part of a set: use train, dev, sealed or lists").into()),
        }
    }

    const fn folder(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Dev => "dev",
            Part::Sealed => "sealed",
            Part::Lists => "lists",
        }
    }
}

/// Returns the files of a part, in the order of their names.
pub(crate) fn files(set: &Path, part: Part) -> Result<Vec<PathBuf>, Failure> {
    let folder = set.join(part.folder());
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    Ok(files)
}
