//! Bytes of files as the tape has them: text where they are UTF-8, base64 where they are not.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::safety::secrets;

/// Bytes as they are written: as text, or else as base64, without the secrets that nobody would find in it again.
#[must_use]
pub(crate) fn written(bytes: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(encoded(&redacted(bytes)))),
    }
}

/// The bytes that were written so.
#[must_use]
pub(crate) fn read(text: Option<String>, base64: Option<&str>) -> Vec<u8> {
    base64.and_then(decoded).unwrap_or_else(|| text.unwrap_or_default().into_bytes())
}

/// What ends the lines of a file: what ends its first one.
pub(crate) fn line_end(bytes: &[u8]) -> &'static str {
    let first = bytes.iter().position(|&byte| byte == b'\n');
    if first.is_some_and(|at| bytes[..at].ends_with(b"\r")) { "\r\n" } else { "\n" }
}

/// A text whose last line is ended as its first one is; an empty text stays empty.
#[must_use]
pub(crate) fn with_last_line_ended(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes.last() {
        None | Some(b'\n') => Cow::Borrowed(bytes),
        Some(_) => Cow::Owned([bytes, line_end(bytes).as_bytes()].concat()),
    }
}

/// Bytes as base64.
#[must_use]
pub(crate) fn encoded(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Bytes that are no text as base64; `None` for a text.
#[must_use]
pub fn encoded_unless_text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).is_err().then(|| encoded(bytes))
}

/// The bytes of base64; `None` for what is none.
#[must_use]
pub(crate) fn decoded(base64: &str) -> Option<Vec<u8>> {
    BASE64.decode(base64).ok()
}

/// Bytes without the secrets in what can be read of them: as base64 nobody would find them again.
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
