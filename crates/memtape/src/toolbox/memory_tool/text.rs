//! The text of a file, line by line: numbered for a model to read, and edited.
//!
//! A line end belongs to the line before it, so a file has as many lines whether its last line ends or not, and
//! an empty file has none.

use std::fmt::Write as _;

use memtape_core::bytes::{Occurrences, line_end, with_line_ends, without_mark};
use memtape_core::{Error, Result};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Maximum number of lines of a file that is shown, by Anthropic's definition.
const LINES_MAX: usize = 999_999;
/// Maximum length of the lines that are shown at once, in characters. A single line may be longer.
const CHARS_MAX: usize = 100_000;
/// Number of lines that a snippet shows before and after each change.
const AROUND: usize = 2;

/// Shows the lines of a file, or only a range of them; the end −1 is that of the file.
///
/// # Errors
/// [`Error::Invalid`] if the file has more than [`LINES_MAX`] lines, or the range contains none of them.
pub(super) fn view(path: &str, text: &str, range: Option<[i64; 2]>) -> Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let count = lines.len();
    if count > LINES_MAX {
        return Err(Error::Invalid(format!("File {path} exceeds maximum line limit of 999,999 lines.")));
    }
    let [start, end] = range.unwrap_or([1, -1]);
    let first = usize::try_from(start).unwrap_or(0).max(1);
    let last = if end == -1 { count } else { usize::try_from(end).unwrap_or(0).min(count) };
    // All lines of an empty file are none.
    if first > count.max(1) || (last < first && count > 0) {
        return Err(Error::Invalid(format!(
            "Error: Invalid `view_range` parameter: [{start}, {end}]. It should be within the range of lines of \
             the file: [1, {count}]"
        )));
    }
    let shown = numbered((first..=last).map(|number| (number, lines[number - 1])));
    Ok(format!("Here's the content of {path} with line numbers:{shown}"))
}

/// Returns lines with their numbers, each after a line feed. If they are too long, a last line names the first one
/// that is left out.
fn numbered<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> String {
    let mut text = String::new();
    let mut chars = 0;
    let mut lines = lines.peekable();
    while let Some((number, line)) = lines.next() {
        chars += line.chars().count();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{number:6}\t{line}");
        if let Some((next, following)) = lines.peek()
            && chars + following.chars().count() > CHARS_MAX
        {
            let _ = write!(text, "\n… to read on, view with view_range [{next}, -1]");
            break;
        }
    }
    text
}

/// Returns the lines of a text that differ from those before a change and [`AROUND`] lines around them, each
/// after a line feed and with its number.
pub(super) fn snippet(before: &str, after: &str) -> String {
    let [before, after] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let mut is_shown = vec![false; after.len()];
    for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
        if !matches!(op, DiffOp::Equal { .. }) {
            let changed = op.new_range();
            let end = after.len().min(changed.end + AROUND);
            is_shown[changed.start.saturating_sub(AROUND)..end].fill(true);
        }
    }
    let lines = (1..).zip(&after).zip(is_shown).filter(|(_, is_shown)| *is_shown);
    numbered(lines.map(|((number, line), _)| (number, line.lines().next().unwrap_or_default())))
}

/// Returns a file with the one occurrence of a text replaced.
///
/// # Errors
/// [`Error::Invalid`] if the text is empty, [`Error::NotFound`] if it does not occur, [`Error::Ambiguous`] if it
/// occurs more than once.
pub(super) fn replaced(path: &str, bytes: &[u8], old: &str, new: &str) -> Result<Vec<u8>> {
    if old.is_empty() {
        return Err(Error::Invalid(
            "No replacement was performed. old_str is empty: pass the text to replace".into(),
        ));
    }
    let found = Occurrences::find(bytes, old, new);
    match found.at[..] {
        [] => Err(Error::NotFound(format!(
            "No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
        ))),
        [at] => Ok(found.replaced(bytes, at)),
        _ => {
            let line = |at: &usize| 1 + bytes[..*at].iter().filter(|byte| **byte == b'\n').count();
            let mut lines: Vec<usize> = found.at.iter().map(line).collect();
            lines.dedup();
            let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
            Err(Error::Ambiguous(format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. Please \
                 ensure it is unique",
                lines.join(", ")
            )))
        }
    }
}

/// Returns a file with a text inserted after a line; 0 is the beginning of the file.
///
/// The text begins and ends as given, except that a line end is added where it would be joined with the line
/// before or after it. It gets the line ends of a file with CRLF. A byte order mark stays first.
///
/// # Errors
/// [`Error::Invalid`] if there is no such line.
pub(super) fn inserted(bytes: &[u8], line: i64, text: &str) -> Result<Vec<u8>> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let Some(count) = usize::try_from(line).ok().filter(|count| *count <= lines.len()) else {
        return Err(Error::Invalid(format!(
            "Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: \
             [0, {}]",
            lines.len()
        )));
    };
    let mark = bytes.len() - without_mark(bytes).len();
    let at = lines[..count].iter().map(|line| line.len()).sum::<usize>().max(mark);
    let (before, after) = bytes.split_at(at);
    let end = line_end(bytes);
    let text = if end == "\r\n" { with_line_ends(text, end) } else { text.to_owned() };
    let end = end.as_bytes();
    let is_joined_before = before.len() > mark && !before.ends_with(b"\n");
    let is_joined_after = !text.ends_with('\n') && (!after.is_empty() || text.is_empty());
    let between = |is_joined| if is_joined { end } else { b"" };
    Ok([before, between(is_joined_before), text.as_bytes(), between(is_joined_after), after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inserted_text_gets_the_line_ends_of_the_file_and_comes_after_its_mark() {
        for (file, line, text, then) in [
            ("a\r\nb\r\n", 1, "x\ny\n", "a\r\nx\r\ny\r\nb\r\n"),
            ("a\r\nb\r\n", 2, "x\ny", "a\r\nb\r\nx\r\ny"),
            ("a\nb\n", 1, "x\r\ny\n", "a\nx\r\ny\nb\n"),
            ("\u{FEFF}- a\n", 0, "- x\n", "\u{FEFF}- x\n- a\n"),
            ("\u{FEFF}- a", 1, "- x", "\u{FEFF}- a\n- x"),
            ("\u{FEFF}", 0, "- x\n", "\u{FEFF}- x\n"),
            ("", 0, "- x", "- x"),
        ] {
            let bytes = inserted(file.as_bytes(), line, text).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), then, "{file:?} {line} {text:?}");
        }
    }

    #[test]
    fn a_replacement_gets_the_line_ends_of_the_file_and_is_found_again() {
        let file = b"# U\r\n\r\n- A: 1\r\n- B: 2\r\n- C: 3\r\n";
        let file = replaced("facts/u.md", file, "- B: 2", "- B: 2\n- B2: 22").unwrap();
        let file = replaced("facts/u.md", &file, "- A: 1\n- B: 2\n- B2: 22\n- C: 3", "- D: 4").unwrap();
        assert_eq!(String::from_utf8(file).unwrap(), "# U\r\n\r\n- D: 4\r\n");
    }

    #[test]
    fn a_file_has_at_most_999_999_lines() {
        let says = "File /memories/a/b.md exceeds maximum line limit of 999,999 lines.";
        let long = view("/memories/a/b.md", &"\n".repeat(LINES_MAX + 1), Some([1, 1]));
        assert_eq!(long.map_err(|e| e.to_string()), Err(says.to_owned()));
        assert!(view("/memories/a/b.md", &"\n".repeat(LINES_MAX), Some([999_999, -1])).is_ok());
    }
}
