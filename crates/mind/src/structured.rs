//! Answers in JSON: parsed strictly, and repaired once by asking.

use serde::de::DeserializeOwned;

use crate::chat::{Message, Request, Stop};
use crate::error::{Error, Result};
use crate::models::{Caller, Purpose};

/// Maximum length of a bad answer that the model is shown again, in characters.
const SHOWN_CHARS: usize = 4000;

/// Asks for a JSON value. If the answer does not have the requested format and `may_repair` is set, the model is asked
/// once to correct it.
///
/// # Errors
/// [`Error::Unusable`] if the answer cannot be used; otherwise see [`Caller::call`].
pub(crate) fn ask<T: DeserializeOwned>(
    caller: &Caller<'_>,
    purpose: Purpose,
    request: &Request,
    may_repair: bool,
) -> Result<T> {
    let answer = caller.call(purpose, request, None)?;
    if answer.stop == Stop::Refusal {
        return Err(Error::Unusable("the model refuses to answer".into()));
    }
    if answer.stop == Stop::Length || answer.text.trim().is_empty() {
        // Asking again would end in the same way.
        return Err(Error::Unusable("it is empty or cut off at the maximum length".into()));
    }
    let why = match parse(&answer.text) {
        Ok(value) => return Ok(value),
        Err(why) => why,
    };
    if !may_repair {
        return Err(Error::Unusable(why));
    }
    let mut repair = request.clone();
    repair.messages.push(Message::assistant(answer.text.chars().take(SHOWN_CHARS).collect::<String>()));
    repair.messages.push(Message::user(format!(
        "That answer cannot be used: {why}. Answer again with nothing but the JSON object that was asked for."
    )));
    let answer = caller.call(purpose, &repair, None)?;
    parse(&answer.text).map_err(Error::Unusable)
}

/// Parses the JSON object of an answer. Text around it and a fence are ignored.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let (open, close) = (text.find(['{', '[']), text.rfind(['}', ']']));
    let json = match (open, close) {
        (Some(open), Some(close)) if open < close => &text[open..=close],
        _ => return Err("it contains no JSON object".into()),
    };
    serde_json::from_str(json).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_found_in_a_fence() {
        let parsed: serde_json::Value = parse("Sure!\n```json\n{\"a\": [1]}\n```").unwrap();
        assert_eq!(parsed, serde_json::json!({"a": [1]}));
        assert_eq!(parse::<serde_json::Value>("no").unwrap_err(), "it contains no JSON object");
        assert!(parse::<serde_json::Value>("{\"a\": }").is_err());
    }
}
