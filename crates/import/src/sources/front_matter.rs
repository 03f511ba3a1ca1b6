//! The front matter of Markdown: the fields of one line that a note begins with.

use std::collections::HashMap;

const FENCE: &str = "---";

/// Returns the fields of the front matter that have a value on their line, and the number of lines that it takes; no
/// fields and 0 without front matter.
pub(super) fn of(text: &str) -> (HashMap<String, String>, usize) {
    let mut fields = HashMap::new();
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some(FENCE) {
        return (fields, 0);
    }
    for (n, line) in lines.enumerate() {
        if line.trim_end() == FENCE {
            return (fields, n + 2);
        }
        // Indented lines belong to a list or an object.
        if let Some((name, value)) = line.split_once(':').filter(|_| !line.starts_with([' ', '\t', '#', '-']))
        {
            let value = unquoted(value.trim());
            if !value.is_empty() {
                fields.entry(name.trim().to_owned()).or_insert(value);
            }
        }
    }
    // It never ends: the text only begins with a line.
    (HashMap::new(), 0)
}

fn unquoted(value: &str) -> String {
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    match (inner('"'), inner('\'')) {
        (Some(inner), _) => inner.replace("\\\"", "\"").replace("\\\\", "\\"),
        (_, Some(inner)) => inner.replace("''", "'"),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_one_line_are_read() {
        let text = "---\ntitle: \"A \\\"b\\\": c\"\ntags:\n- x\npermalink: notes/a\nmetadata: \n  type: user\n---\nbody: no\n";
        let (fields, lines) = of(text);
        assert_eq!((fields["title"].as_str(), fields["permalink"].as_str()), ("A \"b\": c", "notes/a"));
        assert_eq!((fields.len(), lines), (2, 8));
        for text in ["", "---", "---\ntitle: x\n", "title: x\n---\n", "# ---\n"] {
            assert_eq!(of(text).1, 0, "{text:?}");
        }
    }
}
