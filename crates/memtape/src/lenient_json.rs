//! Reads what other programs write in place of JSON.
//!
//! A text that is cut within a character leaves half of an escaped pair (`"\ud83d"`), and Python writes `NaN` and
//! `Infinity`. Neither is JSON, and neither is worth the loss of the message that contains it. Nor is a byte order mark.

use memtape_core::bytes::without_mark;
use serde::de::DeserializeOwned;

/// The words that Python writes for numbers that JSON does not have.
const NO_NUMBERS: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];

/// Parses JSON, without a byte order mark before it. If it is invalid, parses it again as [`mended`] returns it.
///
/// # Errors
/// [`serde_json::Error`] of the first attempt if the text is not JSON even when it is mended, or is not JSON of a `T`.
pub fn from_slice<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    let json = without_mark(json);
    serde_json::from_slice(json).or_else(|e| {
        let mended = mended(json).and_then(|mended| serde_json::from_slice(&mended).ok());
        mended.ok_or(e)
    })
}

/// Parses JSON as [`from_slice`] does.
///
/// # Errors
/// See [`from_slice`].
pub fn from_str<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    from_slice(json.as_bytes())
}

/// Returns JSON with U+FFFD in place of each half of an escaped surrogate pair that lacks the other half, and with `null`
/// in place of `NaN` and `Infinity`; `None` if there are none.
#[must_use]
pub fn mended(json: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(json.len());
    let (mut at, mut in_string, mut is_mended) = (0, false, false);
    while let Some(byte) = json.get(at) {
        let rest = &json[at..];
        let word = NO_NUMBERS.iter().find(|word| !in_string && rest.starts_with(word));
        let (length, instead): (usize, Option<&[u8]>) = match (byte, surrogate(rest)) {
            (b'\\', Some(Half::High)) if rest.get(6..).and_then(surrogate) == Some(Half::Low) => (12, None),
            (b'\\', Some(_)) => (6, Some(br"\ufffd")),
            (b'\\', None) => (2, None),
            _ => word.map_or((1, None), |word| (word.len(), Some(b"null"))),
        };
        in_string ^= *byte == b'"';
        is_mended |= instead.is_some();
        let end = json.len().min(at + length);
        out.extend_from_slice(instead.unwrap_or(&json[at..end]));
        at = end;
    }
    is_mended.then_some(out)
}

/// A half of a surrogate pair.
#[derive(PartialEq)]
enum Half {
    High,
    Low,
}

/// Returns which half of a pair the escape is with which a text begins; `None` if it is another escape or none.
fn surrogate(text: &[u8]) -> Option<Half> {
    let digits = std::str::from_utf8(text.strip_prefix(br"\u")?.get(..4)?).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{from_str, mended};

    #[test]
    fn halves_of_pairs_and_numbers_that_are_none_are_replaced() {
        for (text, expected) in [
            (r#""cut \ud83d""#, json!("cut \u{fffd}")),
            (r#""\ude00\ud83d\ud83d\ude00\uDE00x""#, json!("\u{fffd}\u{fffd}😀\u{fffd}x")),
            (r#"{"\ud83d":[NaN,-Infinity,Infinity,"NaN"]}"#, json!({"\u{fffd}": [null, null, null, "NaN"]})),
            (r#""\\ud83d \"\ud83d\"""#, json!("\\ud83d \"\u{fffd}\"")),
            ("\u{feff}[1]", json!([1])),
            ("\u{feff}[NaN]", json!([null])),
        ] {
            assert_eq!(from_str::<Value>(text).unwrap(), expected, "{text}");
        }
        for text in [r#"{"a": NaNa}"#, r#""\ud83"#, r"\", r#"["#, r#"{"a" "b"}"#] {
            assert!(from_str::<Value>(text).is_err(), "{text}");
        }
        assert_eq!(mended(br#"["\ud83d\ude00", "Infinity"]"#), None);
    }
}
