//! The messages of JSON-RPC that clients of MCP send, over HTTP and over standard input.
//!
//! **Invariant.** Who asks with an id is answered with that id, even if the message cannot be read: a client that gets no
//! answer waits for it. A text without a readable id is answered with the id null, unless it is a notification.

use std::borrow::Cow;
use std::fmt;

use memtape::lenient_json;
use rmcp::model::ClientJsonRpcMessage;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::error::Category;
use serde_json::{Value, json};

/// The codes of JSON-RPC for a text that is no JSON, and for JSON that is no request.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// The number below which a number that is no integer keeps its digits.
const FRACTION_MAX: f64 = 1e9;

/// A text that is no message of a client.
#[derive(Debug)]
pub(crate) struct Malformed {
    code: i32,
    message: String,
    /// The id of the request; null if it is not known.
    id: Value,
    /// Whether it is a notification, which JSON-RPC does not answer.
    pub(crate) is_notification: bool,
}

impl Malformed {
    /// Returns the answer.
    pub(crate) fn answer(&self) -> Value {
        let Self { code, message, id, .. } = self;
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
    }
}

/// Reads a message, and returns it with its text as JSON: what other programs write in place of JSON is replaced
/// ([`lenient_json::mended`]).
///
/// # Errors
/// [`Malformed`] if the text is no message of a client.
pub(crate) fn read(text: &[u8]) -> Result<(ClientJsonRpcMessage, Cow<'_, [u8]>), Malformed> {
    let text = memtape::without_mark(text);
    let error = match serde_json::from_slice(text) {
        Ok(message) => return Ok((message, text.into())),
        Err(e) => e,
    };
    let (error, text) = match lenient_json::mended(text) {
        None => (error, Cow::Borrowed(text)),
        Some(mended) => match serde_json::from_slice(&mended) {
            Ok(message) => return Ok((message, mended.into())),
            Err(e) => (e, mended.into()),
        },
    };
    let (code, message) = match error.classify() {
        Category::Data | Category::Io => (INVALID_REQUEST, "Invalid Request".to_owned()),
        Category::Syntax | Category::Eof => (PARSE_ERROR, format!("Parse error: {error}")),
    };
    let Head { id, method } = head_of(&text);
    let is_notification = id.is_null() && method.is_string();
    Err(Malformed { code, message, id: exact(id), is_notification })
}

/// Returns the error for a message that is too long to be read, from its beginning.
pub(crate) fn too_long(beginning: &[u8]) -> Malformed {
    let mut id = Value::Null;
    // It ends within the message, so that this fails once what is there was read.
    let _ = serde_json::Deserializer::from_slice(beginning).deserialize_map(IdOf(&mut id));
    let message = format!("Invalid Request: the message is longer than {} bytes", beginning.len());
    Malformed { code: INVALID_REQUEST, message, id: exact(id), is_notification: false }
}

/// Returns an id that the client recognizes in an answer; null for another one, such as a number that lost its last digits.
fn exact(id: Value) -> Value {
    let is_exact = id.is_string()
        || id.is_i64()
        || id.is_u64()
        || id.as_f64().is_some_and(|number| number.abs() < FRACTION_MAX);
    if is_exact { id } else { Value::Null }
}

/// Takes the id from the beginning of a message.
struct IdOf<'a>(&'a mut Value);

impl<'de> Visitor<'de> for IdOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            match name.as_str() {
                "id" => *self.0 = fields.next_value()?,
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The fields of a message that say who waits for an answer; null if they are not known.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    id: Value,
    method: Value,
}

/// Returns the head of a text that cannot be read otherwise, because of a number that is too large, lists that are nested
/// too deep, or broken characters; an empty one if there is none.
fn head_of(text: &[u8]) -> Head {
    let text = String::from_utf8_lossy(text);
    // A list would be read as the fields in their order.
    let object = Some(text.trim_start()).filter(|text| text.starts_with('{'));
    object.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_programs_write_in_place_of_json_is_replaced() {
        let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let (_, text) = read(ping).unwrap();
        assert_eq!(*text, *ping);
        let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"\ud83d"}}}"#;
        let (_, text) = read(call).unwrap();
        assert!(String::from_utf8_lossy(&text).contains(r"\ufffd"));
        assert!(read(&[&b"\xef\xbb\xbf"[..], ping].concat()).is_ok());
    }

    #[test]
    fn an_error_has_the_id_of_its_request() {
        let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let of = |arguments: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"x","arguments":{arguments}}}}}"#
            )
        };
        for (text, code, id) in [
            ("garbage".as_bytes(), PARSE_ERROR, json!(null)),
            (of(&format!(r#"{{"a":{nested}}}"#)).as_bytes(), PARSE_ERROR, json!(7)),
            (of(r#"{"a":1e400}"#).as_bytes(), PARSE_ERROR, json!(7)),
            (br#"{"id":7,"method":"ping""#, PARSE_ERROR, json!(null)),
            (&[&b"{\"id\":\"a\",\"x\":\"\xf0\x9f"[..], b"\"}"].concat(), PARSE_ERROR, json!("a")),
            (br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}"#, INVALID_REQUEST, json!(3)),
            (br#"{"id":6,"method":"ping"}"#, INVALID_REQUEST, json!(6)),
            (br#"{"id":{},"method":5}"#, INVALID_REQUEST, json!(null)),
            (br#"{"id":18446744073709551615,"method":5}"#, INVALID_REQUEST, json!(u64::MAX)),
            (br#"{"id":100000000000000000000,"method":5}"#, INVALID_REQUEST, json!(null)),
            (br#"{"id":1.5,"method":5}"#, INVALID_REQUEST, json!(1.5)),
            (b"[5]", INVALID_REQUEST, json!(null)),
        ] {
            let malformed = read(text).unwrap_err();
            let shown = String::from_utf8_lossy(text).into_owned();
            let answer = malformed.answer();
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{shown}: {answer}");
            assert!(!malformed.is_notification, "{shown}");
        }
    }

    #[test]
    fn a_message_that_is_too_long_has_the_id_at_its_beginning() {
        for (beginning, id) in [
            (&br#"{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"a":"xx"#[..], json!(70)),
            (br#"{"id":"a","params":[[1,{"#, json!("a")),
            (b"{\"params\":{\"id\":7,\"a\":\"\xf0\x9f", json!(null)),
            (br#"[{"id":7},"#, json!(null)),
            (b"xxx", json!(null)),
        ] {
            let answer = too_long(beginning).answer();
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(INVALID_REQUEST), &id), "{answer}");
        }
    }

    #[test]
    fn a_malformed_notification_is_one() {
        for params in ["[]", "5", r#"{"a":1e400}"#] {
            let text = format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#);
            assert!(read(text.as_bytes()).unwrap_err().is_notification, "{text}");
        }
    }
}
