//! The bytes of files as the tape stores them: UTF-8 as text, anything else as base64.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::safety::secrets;

/// Returns bytes in stored form: as text, or as base64 after redaction, since no scan finds a secret in
/// base64.
#[must_use]
pub(crate) fn written(bytes: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(encoded(&redacted(bytes)))),
    }
}

/// Returns the bytes that [`written`] stored.
#[must_use]
pub(crate) fn read(text: Option<String>, base64: Option<&str>) -> Vec<u8> {
    base64.and_then(decoded).unwrap_or_else(|| text.unwrap_or_default().into_bytes())
}

/// Returns the line ending of a file, which is that of its first line.
pub(crate) fn line_end(bytes: &[u8]) -> &'static str {
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

/// Returns bytes with the secrets in their readable parts redacted: no scan would find them in base64.
#[must_use]
pub fn redacted(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return match secrets::redact(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
    }
    let mut clean = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        clean.extend_from_slice(secrets::redact(chunk.valid()).as_bytes());
        clean.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(clean)
}
