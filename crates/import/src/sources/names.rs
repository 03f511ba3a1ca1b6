//! Names of notes and files, made from the names that another program used.
//!
//! **Invariant.** A name is valid on every system, has no path in it, and is not hidden.

use std::collections::HashSet;

use crate::item::digest;

/// Maximum length of a name in bytes, with room for a number and an ending.
const NAME_BYTES: usize = 180;
/// The ending of Markdown.
const MARKDOWN: &str = ".md";
/// The endings that a file may have.
const ENDINGS: [&str; 14] = [
    ".md", ".txt", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".xml", ".html", ".org",
    ".rst", ".log",
];
/// Names that Windows reserves.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The paths that an import has given to notes and files.
#[derive(Default)]
pub(super) struct Taken(HashSet<String>);

impl Taken {
    /// Returns the path of the note for a file: `FOLDER/NAME.md`. The folders that the file is in are part of the name,
    /// since notes have no subfolders. A name that another file has is followed by a digest of the file's path.
    pub(super) fn note(&mut self, folder: &str, path: &str) -> String {
        let name = safe(if is_markdown(path) { &path[..path.len() - MARKDOWN.len()] } else { path });
        let plain = format!("{folder}/{name}.md");
        // Some systems take names for equal that differ in the case of letters.
        if self.0.insert(plain.to_lowercase()) {
            return plain;
        }
        format!("{folder}/{name}-{}.md", &digest(path)[..8])
    }

    /// Returns the path of a file in a folder. A name that another file has is followed by a digest of `id`.
    pub(super) fn file(&mut self, folder: &str, name: &str, id: &str) -> String {
        let plain = file(folder, name);
        if self.0.insert(plain.to_lowercase()) {
            return plain;
        }
        let (stem, ending) = plain.rsplit_once('.').unwrap_or((&plain, "txt"));
        format!("{stem}-{}.{ending}", &digest(id)[..8])
    }
}

/// Returns whether a name is that of a Markdown file.
pub(super) fn is_markdown(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(MARKDOWN)
}

/// Returns the path of a file in a folder.
fn file(folder: &str, name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let lower = name.to_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(*ending));
    match ending {
        Some(ending) => format!("{folder}/{}{ending}", safe(&name[..name.len() - ending.len()])),
        None => format!("{folder}/{}.txt", safe(name)),
    }
}

/// Returns a name that every system accepts.
fn safe(path: &str) -> String {
    let is_kept =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '(' | ')' | '+' | ',' | '&');
    let parts = path
        .split(['/', '\\'])
        .map(|part| part.trim_matches(['.', ' ', '-']))
        .filter(|part| !part.is_empty());
    let joined = parts.collect::<Vec<_>>().join("-");
    let mut name: String = joined.chars().map(|c| if is_kept(c) { c } else { '-' }).collect();
    let end = (0..=NAME_BYTES.min(name.len())).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    name.truncate(end);
    let name = name.trim_matches(['.', ' ', '-']);
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    match stem.as_str() {
        "" => "unnamed".to_owned(),
        stem if DEVICES
            .iter()
            .any(|device| stem.trim_end_matches(|c: char| c.is_ascii_digit()) == *device) =>
        {
            format!("_{name}")
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use memtape::{FilePath, NotePath};

    use super::*;

    #[test]
    fn every_name_becomes_a_path() {
        let long = "深".repeat(400);
        for (name, expected) in [
            ("user.md", "facts/user.md"),
            ("UP.MD", "facts/UP.md"),
            ("specs/search/SPEC 1.md", "facts/specs-search-SPEC 1.md"),
            ("../../etc/passwd", "facts/etc-passwd.md"),
            ("/etc/passwd", "facts/etc-passwd.md"),
            ("C:\\Users\\ana\\notes.md", "facts/C--Users-ana-notes.md"),
            (".claude/CLAUDE.md", "facts/claude-CLAUDE.md"),
            ("a\u{202e}b\0c", "facts/a-b-c.md"),
            ("con.md", "facts/_con.md"),
            ("CON.x.md", "facts/_CON.x.md"),
            ("用户 – é", "facts/用户 - é.md"),
            ("...", "facts/unnamed.md"),
            ("a.md#b", "facts/a.md-b.md"),
        ] {
            let path = Taken::default().note("facts", name);
            assert_eq!(path, expected, "{name:?}");
            assert!(NotePath::of_file(&path).is_some(), "{path:?}");
        }
        assert!(NotePath::of_file(&Taken::default().note("facts", &long)).is_some());
    }

    #[test]
    fn no_two_files_share_a_path() {
        let mut taken = Taken::default();
        assert_eq!(taken.note("facts", "a/b.md"), "facts/a-b.md");
        assert_eq!(taken.note("facts", "A-b.md"), "facts/A-b-4e9425fc.md");
        assert_eq!(taken.note("episodes", "a-b.md"), "episodes/a-b.md");
        assert_eq!(taken.file("research", "a.csv", "x/a.csv"), "research/a.csv");
        assert_eq!(taken.file("research", "A.csv", "y/A.csv"), "research/A-0a5112cc.csv");
    }

    #[test]
    fn a_file_keeps_the_ending_of_a_text() {
        for (name, expected) in [
            ("Report.MD", "research/Report.md"),
            ("data/table.csv", "research/table.csv"),
            ("scan.pdf", "research/scan.pdf.txt"),
            ("..\\..\\boot.ini", "research/boot.ini.txt"),
        ] {
            let path = Taken::default().file("research", name, name);
            assert_eq!(path, expected);
            assert!(FilePath::new(&path).is_ok(), "{name:?}");
        }
    }
}
