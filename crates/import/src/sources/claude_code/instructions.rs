//! Instructions: `CLAUDE.md` and rules, with the files that they import by `@PATH`.
//!
//! Each file becomes a note of its own; the imports stay in the text. As in Claude Code, an import is not read inside of
//! code, and not more than five imports deep. Imports of files outside of the imported path are reported.

use std::collections::HashSet;

use super::super::names;
use crate::error::Result;
use crate::input::Input;
use crate::item::{Content, Item, Place, digest};
use crate::source::Sink;

/// Number of imports that may follow from one another.
const DEPTH: usize = 5;

/// Reads instructions and everything that they import.
pub(super) fn read(
    input: &Input,
    files: &[String],
    paths: &mut names::Taken,
    sink: &mut dyn Sink,
) -> Result<()> {
    let mut seen: HashSet<String> = files.iter().cloned().collect();
    for file in files {
        // What a file imports follows it, and each file is read once, so a cycle ends.
        let mut open = vec![(file.clone(), 0)];
        while let Some((file, depth)) = open.pop() {
            let Some(text) = input.text_or_skip(&file, sink) else { continue };
            let mut imported = Vec::new();
            for (line, import) in imports(&text) {
                let mut skip = |why: &str| {
                    sink.skip(Place::line(&file, line), &format!("it imports {import}, which {why}"));
                };
                let resolved = resolve(&file, import);
                let is_missing = resolved.as_ref().is_some_and(|path| input.is_missing(path));
                match resolved.filter(|path| input.has_file(path)) {
                    // Most of what names no file is no import: a person, a package, an address.
                    None if is_path(import) && is_missing => skip("does not exist"),
                    None if is_path(import) => skip("is not below the imported path"),
                    None => {}
                    Some(path) if seen.contains(&path) => {}
                    Some(_) if depth == DEPTH => skip("is too deep"),
                    Some(path) => {
                        seen.insert(path.clone());
                        imported.push((path, depth + 1));
                    }
                }
            }
            open.extend(imported.into_iter().rev());
            if text.trim().is_empty() {
                sink.skip(Place::file(&file), "it is empty");
                continue;
            }
            let path = paths.note("facts", &file);
            let id = format!("{file}@{}", digest(&text));
            sink.item(Item { id, place: Place::file(&file), content: Content::Note { path, text } })?;
        }
    }
    Ok(())
}

/// Returns the imports of a text outside of code, with the numbers of their lines.
fn imports(text: &str) -> Vec<(u64, &str)> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for (n, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|marker| trimmed.starts_with(marker));
        match (fence, marker) {
            (None, Some(marker)) => fence = Some(marker),
            (Some(open), Some(marker)) if open == marker => fence = None,
            (None, None) => {
                // The parts at odd places are between backticks.
                let outside = line.split('`').step_by(2);
                let words = outside.flat_map(str::split_whitespace);
                let paths = words.filter_map(|word| word.strip_prefix('@')).filter(|path| !path.is_empty());
                found.extend(
                    paths.map(|path| (n as u64 + 1, path.trim_end_matches([',', ';', ':', ')', '.']))),
                );
            }
            _ => {}
        }
    }
    found
}

/// Returns the path that an import means; `None` if it cannot be below the imported path.
fn resolve(file: &str, import: &str) -> Option<String> {
    if import.starts_with(['/', '~', '\\']) || import.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns whether an import is the path of a file, as against a person or a package.
fn is_path(import: &str) -> bool {
    let name = import.rsplit('/').next().unwrap_or(import);
    let has_ending =
        name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty());
    has_ending || import.starts_with(['/', '~'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_outside_of_code() {
        let text = "See @README.md and @docs/git.md, too.\n```\n@in/fence.md\n```\nmail ana@example.org, `@in/code.md`\n\
                    ~~~\n```\n@still.md\n~~~\n- @~/.claude/me.md\n@\n";
        assert_eq!(imports(text), [(1, "README.md"), (1, "docs/git.md"), (10, "~/.claude/me.md")]);
    }

    #[test]
    fn an_import_is_relative_to_its_file() {
        for (file, import, expected) in [
            ("CLAUDE.md", "docs/a.md", Some("docs/a.md")),
            (".claude/CLAUDE.md", "../docs/./a.md", Some("docs/a.md")),
            (".claude/CLAUDE.md", "a.md", Some(".claude/a.md")),
            ("CLAUDE.md", "../a.md", None),
            ("CLAUDE.md", "docs/../../a.md", None),
            ("CLAUDE.md", "/etc/passwd", None),
            ("CLAUDE.md", "~/.ssh/id_ed25519", None),
            ("CLAUDE.md", "C:/a.md", None),
            ("CLAUDE.md", "\\\\host\\a.md", None),
        ] {
            assert_eq!(resolve(file, import).as_deref(), expected, "{import}");
        }
    }
}
