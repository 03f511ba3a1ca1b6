//! Finds the older files, and decides by its name what each one contains.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use memtape_core::{Category, calendar};
use memtape_tape::Hash;

use crate::error::{Error, Result};

/// The directory in which nanobot keeps them.
const WITHIN: &str = "memory";
const LONG_TERM: &str = "MEMORY.md";
const HISTORY: &str = "HISTORY.md";
/// The sentences that nanobot writes into a new `MEMORY.md`, besides headings and placeholders.
const TEMPLATE: [&str; 2] = [
    "This file stores important information that should persist across sessions.",
    "*This file is automatically updated by nanobot when important information should be remembered.*",
];

/// An older file.
pub(super) struct Older {
    /// The path within the directory, with `/` as separator.
    pub(super) file: String,
    path: PathBuf,
    /// The category of its statements.
    pub(super) category: Category,
    /// Whether a heading can change the category.
    pub(super) by_heading: bool,
    /// The day that it is about.
    pub(super) day: Option<Date>,
    /// Whether its entries begin with stamps.
    pub(super) is_history: bool,
    /// Whether it was created from nanobot's template.
    has_template: bool,
}

impl Older {
    /// Returns the digest of the bytes and the text, or why the file cannot be read.
    pub(super) fn read(&self) -> Result<(String, String), String> {
        let bytes = fs::read(&self.path).map_err(|e| e.to_string())?;
        let digest = Hash::of(&bytes).to_string();
        let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8")?;
        Ok((digest, text))
    }

    /// Returns whether a text is part of the template: one of its sentences, or a placeholder `(…)`.
    pub(super) fn is_template(&self, text: &str) -> bool {
        let within = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let is_placeholder = within.is_some_and(|within| !within.contains(['(', ')']));
        self.has_template && (is_placeholder || TEMPLATE.contains(&text))
    }
}

/// Returns the older files of a directory and of its `memory/`.
pub(super) fn find(dir: &Path) -> Result<Vec<Older>> {
    if !dir.is_dir() {
        return Err(Error::NotFound(format!("there is no folder {}", dir.display())));
    }
    let mut found = Vec::new();
    for base in ["", WITHIN] {
        for name in names(dir, base)? {
            found.extend(at_top(&join(base, &name)));
        }
        for folder in ["semantic", "procedural", "episodic"] {
            let within = join(base, folder);
            found
                .extend(names(dir, &within)?.iter().filter_map(|name| of_kind(folder, &join(&within, name))));
        }
    }
    for older in &mut found {
        older.path = dir.join(&older.file);
    }
    // A link may lead anywhere, so it is not followed.
    found.retain(|older| !leads_elsewhere(dir, &older.file) && older.path.is_file());
    Ok(found)
}

/// Returns whether a path within a directory goes through a symbolic link.
fn leads_elsewhere(dir: &Path, file: &str) -> bool {
    let mut path = dir.to_owned();
    file.split('/').any(|part| {
        path.push(part);
        path.is_symlink()
    })
}

fn join(base: &str, name: &str) -> String {
    if base.is_empty() { name.to_owned() } else { format!("{base}/{name}") }
}

/// Returns the names in a directory, sorted; empty if it does not exist.
fn names(dir: &Path, within: &str) -> Result<Vec<String>> {
    let folder = dir.join(within);
    let read = |folder: &Path| -> io::Result<Vec<String>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    };
    match read(&folder) {
        Ok(mut names) => {
            names.sort();
            Ok(names)
        }
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        Err(e) => Err(Error::Input(io::Error::new(e.kind(), format!("{}: {e}", folder.display())))),
    }
}

/// Returns a file of the directory itself.
fn at_top(file: &str) -> Option<Older> {
    let name = file.rsplit('/').next()?;
    Some(match name {
        LONG_TERM => Older { by_heading: true, has_template: true, ..older(file, Category::Fact) },
        HISTORY => Older { is_history: true, ..older(file, Category::Episodic) },
        _ => Older { day: Some(day(name)?), ..older(file, Category::Episodic) },
    })
}

/// Returns a file of a directory for one kind of memory.
fn of_kind(folder: &str, file: &str) -> Option<Older> {
    let name = file.rsplit('/').next()?;
    let stem = name.strip_suffix(".md")?;
    Some(match folder {
        "episodic" => Older { day: day(name), ..older(file, Category::Episodic) },
        "procedural" => older(file, Category::Decision),
        _ => older(file, category_of(stem).unwrap_or(Category::Fact)),
    })
}

fn older(file: &str, category: Category) -> Older {
    Older {
        file: file.to_owned(),
        path: PathBuf::new(),
        category,
        by_heading: false,
        day: None,
        is_history: false,
        has_template: false,
    }
}

/// Parses `YYYY-MM-DD.md`.
fn day(name: &str) -> Option<Date> {
    calendar::parse_day(name.strip_suffix(".md")?).ok()
}

/// Returns the category that a name or a heading means.
pub(super) fn category_of(name: &str) -> Option<Category> {
    let name = name.to_lowercase();
    if name.contains("preference") {
        Some(Category::Preference)
    } else if name.contains("decision") {
        Some(Category::Decision)
    } else {
        None
    }
}
