//! Finds secrets in base64, hexadecimal or URL encoding by looking for secrets in the decoded text.

use std::ops::Range;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use regex::Regex;

use super::model::Weights;
use super::{holds_secret, holds_shaped};

/// Maximum length in bytes of an encoded text that is decoded. Longer ones are not decoded.
const LENGTH_MAX: usize = 16 * 1024;

/// Finds encoded texts that contain a secret.
pub(super) fn encoded(text: &str, weights: &Weights, add: &mut dyn FnMut(Range<usize>)) {
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/_-]{16,}={0,2}").expect("a pattern"));
    static ESCAPED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[^\s%]{0,64}%[0-9A-Fa-f]{2}[^\s]{0,512}").expect("a pattern"));
    for word in WORD.find_iter(text).filter(|word| word.len() <= LENGTH_MAX) {
        if decoded(word.as_str()).is_some_and(|decoded| is_pair(&decoded) || holds_secret(&decoded, weights))
        {
            add(word.range());
        }
    }
    if !text.contains('%') {
        return;
    }
    for escaped in ESCAPED.find_iter(text) {
        let decoded = percent_decode_str(escaped.as_str()).decode_utf8_lossy();
        if decoded != escaped.as_str() && !holds_shaped(escaped.as_str()) && holds_secret(&decoded, weights) {
            add(escaped.range());
        }
    }
}

/// Returns whether a decoded text is a user name and a password, as defined by RFC 7617.
fn is_pair(decoded: &str) -> bool {
    let mut parts = decoded.split(':');
    let (Some(user), Some(password), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    user.len() >= 2 && password.len() >= 4 && !decoded.contains(char::is_whitespace)
}

/// Returns the text that a word encodes, if it decodes to readable text.
fn decoded(word: &str) -> Option<String> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let of_base64 = || {
        let alphabet = if word.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
        readable(GeneralPurpose::new(alphabet, config).decode(word).ok()?)
    };
    readable(hex::decode(word).unwrap_or_default()).or_else(of_base64)
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_readable = text.len() >= 8 && !text.chars().any(|c| c.is_control() && !c.is_whitespace());
    is_readable.then_some(text)
}
