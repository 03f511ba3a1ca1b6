//! Unified diffs of a text at two points.

use std::borrow::Cow;
use std::fmt::Write as _;

use similar::TextDiff;

/// Returns the unified diff of two versions of a file, as [`unified_diff`] does. Bytes that are not UTF-8 are written as
/// `\xNN`, so that versions which differ only there have a difference.
pub(crate) fn unified_diff_of_bytes(name: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let [before, after] = [before, after].map(|bytes| bytes.map(escaped));
    unified_diff(name, before.as_deref(), after.as_deref())
}

/// Returns a text with `\xNN` for each byte that is not UTF-8.
fn escaped(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    Cow::Owned(text)
}

/// Returns the unified diff of two versions of a text; empty if they are equal.
///
/// `None` stands for a version that does not exist, which the diff names `/dev/null`.
pub(crate) fn unified_diff(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let header = |text: Option<&str>, side: &str| match text {
        Some(_) => format!("{side}/{name}"),
        None => "/dev/null".to_owned(),
    };
    let names = (header(before, "a"), header(after, "b"));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    if before == after {
        return String::new();
    }
    TextDiff::from_lines(before, after).unified_diff().header(&names.0, &names.1).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf_8_differ() {
        let diff = unified_diff_of_bytes("n.md", Some(b"M\xfcn\n"), Some(b"M\xe4n\n"));
        assert!(diff.ends_with("-M\\xfcn\n+M\\xe4n\n"), "{diff}");
        assert_eq!(unified_diff_of_bytes("n.md", Some(b"\xff"), Some(b"\xff")), "");
    }
}
