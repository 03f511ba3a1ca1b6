//! The bytes of files as the tape stores them: UTF-8 as text, anything else as base64.

use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::error::{Error, Result};
use crate::safety::secrets;

/// What some programs write before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns a text without the byte order mark before it.
#[must_use]
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Refuses to change parts of a text in UTF-16: the change would be in UTF-8, and no editor could read the two.
///
/// # Errors
/// [`Error::Invalid`] if the text is in UTF-16.
pub fn check_editable(path: &impl fmt::Display, text: &[u8]) -> Result<()> {
    match secrets::is_utf16(text) {
        true => Err(Error::Invalid(format!("{path} is encoded in UTF-16: save it as UTF-8 first"))),
        false => Ok(()),
    }
}

/// Returns bytes in stored form: as text, or as base64.
#[must_use]
pub(crate) fn written(bytes: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(encoded(bytes))),
    }
}

/// Returns the bytes that [`written`] stored. Base64 that is damaged is returned as it is: an empty text would replace a
/// file of a person.
#[must_use]
pub(crate) fn read(text: Option<String>, base64: Option<&str>) -> Vec<u8> {
    match base64 {
        Some(base64) => decoded(base64).unwrap_or_else(|| base64.as_bytes().to_vec()),
        None => text.unwrap_or_default().into_bytes(),
    }
}

/// The places of a text in a file, and the replacement, with the line ends of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrences<'t> {
    /// The offsets in bytes, including overlapping occurrences.
    pub at: Vec<usize>,
    /// The text that occurs there.
    pub old: Cow<'t, str>,
    /// The replacement text.
    pub new: Cow<'t, str>,
}

impl<'t> Occurrences<'t> {
    /// Finds a text in a file, which need not be UTF-8. The text must not be empty.
    ///
    /// In a file with CRLF, a text with other line ends is found as well, and the replacement gets CRLF: a caller that
    /// read the file line by line does not know them. The replacement of a text that has CRLF itself is as given.
    #[must_use]
    pub fn find(bytes: &[u8], old: &'t str, new: &'t str) -> Self {
        let at = places(bytes, old);
        if line_end(bytes) == "\n" || (!at.is_empty() && old.contains("\r\n")) {
            return Self { at, old: old.into(), new: new.into() };
        }
        let new = with_line_ends(new, "\r\n").into();
        if !at.is_empty() {
            return Self { at, old: old.into(), new };
        }
        let old = with_line_ends(old, "\r\n");
        Self { at: places(bytes, &old), old: old.into(), new }
    }

    /// Returns the file with the occurrence at an offset replaced.
    #[must_use]
    pub fn replaced(&self, bytes: &[u8], at: usize) -> Vec<u8> {
        [&bytes[..at], self.new.as_bytes(), &bytes[at + self.old.len()..]].concat()
    }
}

/// Returns the offsets at which a text occurs in bytes, including overlapping occurrences.
fn places(bytes: &[u8], text: &str) -> Vec<usize> {
    let step = text.chars().next().map_or(1, char::len_utf8);
    let mut found = Vec::new();
    let mut start = 0;
    // A UTF-8 text can only occur within a valid UTF-8 chunk.
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        let mut at = 0;
        while let Some(next) = valid[at..].find(text) {
            found.push(start + at + next);
            at += next + step;
        }
        start += valid.len() + chunk.invalid().len();
    }
    found
}

/// Returns a text with these line ends.
#[must_use]
pub fn with_line_ends(text: &str, end: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', end)
}

/// Returns bytes with these line ends.
pub(crate) fn bytes_with_line_ends(bytes: &[u8], end: &str) -> Vec<u8> {
    let lines = bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.collect::<Vec<_>>().join(end.as_bytes())
}

/// Returns the line ending of a file, which is that of its first line.
#[must_use]
pub fn line_end(bytes: &[u8]) -> &'static str {
    let first = bytes.iter().position(|&byte| byte == b'\n');
    if first.is_some_and(|at| bytes[..at].ends_with(b"\r")) { "\r\n" } else { "\n" }
}

/// Returns a text whose last line ends as its first one does; an empty text stays empty.
#[must_use]
pub(crate) fn with_last_line_ended(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes.last() {
        None | Some(b'\n') => Cow::Borrowed(bytes),
        Some(_) => Cow::Owned([bytes, line_end(bytes).as_bytes()].concat()),
    }
}

/// Returns bytes as base64.
#[must_use]
pub(crate) fn encoded(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Returns bytes that are not UTF-8 as base64; `None` for UTF-8 text.
#[must_use]
pub fn encoded_unless_text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).is_err().then(|| encoded(bytes))
}

/// Decodes base64; `None` if it is invalid.
#[must_use]
pub(crate) fn decoded(base64: &str) -> Option<Vec<u8>> {
    BASE64.decode(base64).ok()
}

/// Returns bytes with their secrets redacted, whatever their encoding.
#[must_use]
pub fn redacted(bytes: &[u8]) -> Cow<'_, [u8]> {
    secrets::redact_bytes(bytes)
}

/// Returns a text that is different for different bytes: they themselves, or their hexadecimal digits if they are not UTF-8.
///
/// Two byte strings can have the same lossy text.
pub(crate) fn distinct(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| format!("\u{0}{}", hex::encode(e.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bytes_are_read_and_damage_is_no_empty_text() {
        for bytes in [&b""[..], b"a\n", b"\xFF\x00"] {
            let (text, base64) = written(bytes);
            assert_eq!(read(text, base64.as_deref()), bytes);
        }
        assert_eq!(read(None, Some("TGlz[redacted:password]")), b"TGlz[redacted:password]");
    }
}
