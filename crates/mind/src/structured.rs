//! Answers in JSON: parsed strictly, and repaired once by asking.

use serde::de::DeserializeOwned;

use crate::chat::{Answer, Message, Request, Stop};
use crate::error::{Error, Result};
use crate::models::{Caller, Purpose};

/// Maximum length of a bad answer that the model is shown again, in characters.
const SHOWN_CHARS: usize = 4000;

/// Asks for a JSON value. If the answer does not have the requested format and `may_repair` is set, the model is asked
/// once to correct it.
///
/// # Errors
/// [`Error::CutOff`] if the answer is cut off at the maximum length; [`Error::Unusable`] if it cannot be used; otherwise see
/// [`Caller::call`].
pub(crate) fn ask<T: DeserializeOwned>(
    caller: &Caller<'_>,
    purpose: Purpose,
    request: &Request,
    may_repair: bool,
) -> Result<T> {
    // Asking again after an answer that is empty, cut off or a refusal would end in the same way.
    let text = text_of(caller.call(purpose, request, None)?)?;
    let why = match parse(&text) {
        Ok(value) => return Ok(value),
        Err(why) => why,
    };
    if !may_repair {
        return Err(Error::Unusable(why));
    }
    let mut repair = request.clone();
    repair.messages.push(Message::assistant(text.chars().take(SHOWN_CHARS).collect::<String>()));
    repair.messages.push(Message::user(format!(
        "That answer cannot be used: {why}. Answer again with nothing but the JSON object that was asked for."
    )));
    parse(&text_of(caller.call(purpose, &repair, None)?)?).map_err(Error::Unusable)
}

/// Returns the text of a complete answer.
pub(crate) fn text_of(answer: Answer) -> Result<String> {
    let answer = complete(answer)?;
    match answer.text.trim().is_empty() {
        true => Err(Error::Unusable("it is empty".into())),
        false => Ok(answer.text),
    }
}

/// Returns an answer that the model ended by itself, without the reasoning that some servers leave in its text.
///
/// # Errors
/// [`Error::CutOff`] if it is cut off at the maximum length; [`Error::Unusable`] if the model refuses to answer.
pub(crate) fn complete(answer: Answer) -> Result<Answer> {
    match answer.stop {
        Stop::Refusal => Err(Error::Unusable("the model refuses to answer".into())),
        Stop::Length => Err(Error::CutOff),
        Stop::End => Ok(Answer { text: without_reasoning(&answer.text).to_owned(), ..answer }),
    }
}

/// Returns an answer without the reasoning that some servers leave at its beginning.
fn without_reasoning(text: &str) -> &str {
    let reasoning = text.trim_start().strip_prefix("<think>");
    reasoning.and_then(|text| text.split_once("</think>")).map_or(text, |(_, answer)| answer)
}

/// Parses the JSON object of an answer. Text around it and a fence are ignored; an array counts only if there is no object.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let text = without_reasoning(text);
    let (mut object, mut array, mut failure) = (None, None, None);
    let (mut depth, mut end, mut has_object) = (0_usize, 0, false);
    for (at, bracket) in text.match_indices(['{', '[', '}', ']']) {
        // The brackets within a value are its own.
        if at < end {
            continue;
        }
        if matches!(bracket, "}" | "]") {
            depth = depth.saturating_sub(1);
            continue;
        }
        let is_object = bracket == "{";
        let begins_line = at == 0 || text[..at].ends_with('\n');
        // A part of a broken object is not what was asked for, but a bracket in the text before it may have no end.
        if depth == 0 || is_object && begins_line {
            has_object |= is_object;
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<T>();
            match values.next() {
                Some(Ok(_)) if is_object && object.is_some() => {
                    return Err("it contains several JSON objects".into());
                }
                Some(Ok(value)) => {
                    end = at + values.byte_offset();
                    *(if is_object { &mut object } else { &mut array }) = Some(value);
                    continue;
                }
                Some(Err(e)) => failure = failure.or(Some(e.to_string())),
                None => {}
            }
        }
        depth += 1;
    }
    let value = object.or(array.filter(|_| !has_object));
    value.ok_or_else(|| failure.unwrap_or_else(|| "it contains no JSON object".into()))
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

    #[test]
    fn brackets_before_the_object_are_ignored() {
        for before in ["Here they are [2 found]: ", "see [2]: ", "<think>{a}, or {\"a\": 2}?</think>"] {
            let parsed: serde_json::Value = parse(&format!("{before}{{\"a\": [1]}}\n")).unwrap();
            assert_eq!(parsed, serde_json::json!({"a": [1]}), "{before}");
        }
        // An object within a broken one is not the answer.
        for broken in ["{\"a\": [{\"b\": 1}, {c}]}", "{\"a\": [{\"b\": 1}"] {
            assert!(parse::<serde_json::Value>(broken).is_err(), "{broken}");
        }
    }
    #[test]
    fn text_after_the_object_is_ignored() {
        let object = "{\"events\": [{\"a\": 1}], \"message\": \"a ]} b\"}";
        for answer in [
            format!("{object}\n\nNo personas apply, so that list is [].\n"),
            format!("{object}\n(I kept [2b] because it is newer.)"),
            format!("{object}}}"),
            format!("<think>they wrote \":-[\" and {{\"a\": 1}}</think>{object}"),
            format!("They wrote :-[ at last.\n{object}"),
        ] {
            let parsed: serde_json::Value = parse(&answer).unwrap();
            assert_eq!(parsed, serde_json::from_str::<serde_json::Value>(object).unwrap(), "{answer}");
        }
        assert_eq!(parse::<Vec<u8>>("They are [1, 2].").unwrap(), [1, 2]);
        let several = format!("{object}\n{object}");
        assert_eq!(parse::<serde_json::Value>(&several).unwrap_err(), "it contains several JSON objects");
        // An array after a broken object is not the answer.
        assert!(parse::<serde_json::Value>("{\"events\": [{\"a\": 1},]}\nor []").is_err());
    }

    #[test]
    fn reasoning_is_no_part_of_an_answer() {
        for (said, kept) in [
            ("\n<think>\nlet me see</think>\n\nWe plan a garden.", "We plan a garden."),
            ("We wrote </think> in a text.", "We wrote </think> in a text."),
            ("<think>without an end", "<think>without an end"),
        ] {
            let answer = Answer { text: said.into(), ..Answer::default() };
            assert_eq!(text_of(answer).unwrap().trim(), kept);
        }
    }
}
