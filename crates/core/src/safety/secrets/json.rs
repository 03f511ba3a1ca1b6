//! Redacts secrets in a JSON value: in its strings, field names and numbers.
//!
//! A field name is context for its value: `{"password": "tangerine"}` contains a secret, although neither text alone
//! does. So a string or a number is also searched after its field name, as in JSON source, if the name suggests a secret.
//!
//! **Invariant:** a redacted string keeps its number of non-blank lines, because other code counts them.
//! **Invariant:** redacting a value twice has the same effect as once.

use serde_json::{Map, Value};

use super::words::{Word, words};
use super::{Found, PASSES_MAX, TANGLE, find, marker};

/// Redacts the secrets in a value and calls `tell` with the kind of each. Returns whether the value changed.
///
/// A number that is a secret becomes a string.
pub fn redact_value_telling(value: &mut Value, tell: &mut dyn FnMut(&'static str)) -> bool {
    match value {
        Value::String(text) => match redact_lines(text, tell) {
            Some(redacted) => {
                *text = redacted;
                true
            }
            None => false,
        },
        Value::Number(_) => match number(value).and_then(|digits| find(&digits).pop()) {
            Some(Found { kind, .. }) => {
                tell(kind);
                *value = Value::String(marker(kind));
                true
            }
            None => false,
        },
        Value::Array(values) => {
            values.iter_mut().fold(false, |changed, value| redact_value_telling(value, tell) | changed)
        }
        Value::Object(fields) => redact_fields(fields, tell),
        Value::Null | Value::Bool(_) => false,
    }
}

fn redact_fields(fields: &mut Map<String, Value>, tell: &mut dyn FnMut(&'static str)) -> bool {
    let mut changed = false;
    let mut redacted = Map::with_capacity(fields.len());
    for (name, mut value) in std::mem::take(fields) {
        changed |= redact_value_telling(&mut value, tell);
        if let Some((kind, instead)) = named(&name, &value) {
            tell(kind);
            value = instead;
            changed = true;
        }
        let mut name = match redact_lines(&name, tell) {
            Some(other) => {
                changed = true;
                other
            }
            None => name,
        };
        // Field names can become equal by redaction; rename them so that no field is lost.
        while redacted.contains_key(&name) {
            name.push('\'');
        }
        redacted.insert(name, value);
    }
    *fields = redacted;
    changed
}

/// Returns the kind of secret that a field name makes of its value, and the replacement for the value.
fn named(name: &str, value: &Value) -> Option<(&'static str, Value)> {
    if !matches!(value, Value::String(_) | Value::Number(_)) || !words(name).iter().any(Word::is_speaking) {
        return None;
    }
    let before = format!("{}: ", Value::from(name));
    let text = format!("{before}{value}");
    // The name applies only to the start of the value; the rest of it was already searched alone.
    let begins_value = |found: &Found| {
        found.range.end > before.len()
            && text
                .get(before.len()..found.range.start)
                .is_none_or(|between| between.trim() == "\"" || between.is_empty())
    };
    let found = find(&text).into_iter().find(begins_value)?;
    let instead = Value::String(by_line(value.as_str().unwrap_or("."), &marker(found.kind)));
    (instead != *value).then_some((found.kind, instead))
}

/// Returns the digits of a whole number. `None` for a fraction, which is never an issued number.
fn number(value: &Value) -> Option<String> {
    // Above 2⁵³ an `f64` no longer has the digits that were written.
    #[allow(clippy::cast_possible_truncation, reason = "it is small enough to be whole")]
    let whole = |number: f64| {
        (number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0).then_some(number as i64)
    };
    match value {
        Value::Number(number) if number.is_f64() => {
            number.as_f64().and_then(whole).map(|number| number.unsigned_abs().to_string())
        }
        Value::Number(number) => Some(number.to_string().trim_start_matches('-').to_owned()),
        _ => None,
    }
}

/// Returns the redacted text; `None` if it contains no secret. A secret of several lines keeps its number of
/// lines.
fn redact_lines(text: &str, tell: &mut dyn FnMut(&'static str)) -> Option<String> {
    let mut redacted: Option<String> = None;
    for _ in 0..PASSES_MAX {
        let current = redacted.as_deref().unwrap_or(text);
        let finds = find(current);
        if finds.is_empty() {
            return redacted;
        }
        finds.iter().for_each(|found| tell(found.kind));
        redacted = Some(replace_lines(current, &finds));
    }
    let rest = redacted.as_deref().filter(|rest| !find(rest).is_empty()).map(|rest| by_line(rest, TANGLE));
    rest.or(redacted)
}

fn replace_lines(text: &str, finds: &[Found]) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut end = 0;
    for Found { range, kind } in finds {
        redacted.push_str(&text[end..range.start]);
        redacted.push_str(&by_line(&text[range.clone()], &marker(kind)));
        end = range.end;
    }
    redacted.push_str(&text[end..]);
    redacted
}

/// Replaces each non-blank line with the marker.
fn by_line(text: &str, marker: &str) -> String {
    let line = |line: &str| if line.trim().is_empty() { String::new() } else { marker.to_owned() };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn becomes(mut value: Value, expected: &Value) {
        let before = value.clone();
        let mut kinds = 0;
        assert_eq!(redact_value_telling(&mut value, &mut |_| kinds += 1), before != *expected);
        assert_eq!(value, *expected);
        assert_eq!(kinds > 0, before != *expected);
        assert!(!redact_value_telling(&mut value, &mut |_| {}), "{value}");
    }

    #[test]
    fn secrets_are_redacted_at_any_position() {
        becomes(
            json!({"a": ["my pin is 9032", {"b": "password: hunter2"}], "c": null, "d": true, "e": 4111}),
            &json!({
                "a": ["my pin is [redacted:pin]", {"b": "password: [redacted:password]"}], "c": null, "d": true,
                "e": 4111
            }),
        );
        becomes(json!("talk of a password"), &json!("talk of a password"));
    }

    #[test]
    fn the_name_of_a_field_makes_a_secret() {
        becomes(
            json!({"password": "tangerine dream", "api_key": "8f14e45fceea167a", "pin": 9032, "pins": [1]}),
            &json!({
                "password": "[redacted:password]", "api_key": "[redacted:secret]", "pin": "[redacted:pin]",
                "pins": [1]
            }),
        );
        becomes(
            json!({"role": "user", "content": "the key is under the mat", "name": "token"}),
            &json!({"role": "user", "content": "the key is under the mat", "name": "token"}),
        );
        // A name that suggests no secret is no context, so the value is searched alone.
        let names = json!({"content": "Summer Sounds, Matt Patterson", "note": "Horse, sunset, sunrise"});
        becomes(names.clone(), &names);
    }

    #[test]
    fn names_of_fields_are_redacted_and_no_field_is_lost() {
        let token = |n| format!("ghp_{n}{}", "0".repeat(35));
        becomes(
            json!({token(1): 1, token(2): 2, "x": 3}),
            &json!({"[redacted:github-token]": 1, "[redacted:github-token]'": 2, "x": 3}),
        );
    }

    #[test]
    fn a_number_of_a_card_is_one_as_a_number_too() {
        becomes(json!([4111111111111111_u64]), &json!(["[redacted:card-number]"]));
        becomes(json!([-4111111111111111_i64]), &json!(["[redacted:card-number]"]));
        becomes(json!([4111111111111111.0]), &json!(["[redacted:card-number]"]));
        // The same digits after a decimal point, and a time in milliseconds.
        becomes(
            json!([0.4111111111111111, 1700000000000_u64]),
            &json!([0.4111111111111111, 1700000000000_u64]),
        );
    }

    #[test]
    fn a_secret_of_several_lines_leaves_as_many() {
        becomes(
            json!("a\n-----BEGIN PRIVATE KEY-----\nabc\n\n-----END PRIVATE KEY----- and\nb"),
            &json!("a\n[redacted:private-key]\n[redacted:private-key]\n\n[redacted:private-key] and\nb"),
        );
    }

    proptest! {
        #[test]
        fn any_value_is_safe(bits in prop::collection::vec(prop::sample::select(vec![
            "password", " is ", ": ", "\n", "\n\n", " ", "\"", "hunter2", "[redacted:password]", "4111 1111 1111 1111",
            "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "ü", "://", "a:b@", "abcdefgh1234567890",
        ]), 0..24), name in "\\PC{0,8}|password|token") {
            let text = bits.concat();
            let mut value = json!({name: text});
            redact_value_telling(&mut value, &mut |_| {});
            let once = value.clone();
            prop_assert!(!redact_value_telling(&mut value, &mut |_| {}), "{once} became {value}");
            let mut separate = Value::from(text.as_str());
            redact_value_telling(&mut separate, &mut |_| {});
            let said = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
            prop_assert_eq!(said(&text), said(separate.as_str().unwrap()), "{:?} became {:?}", text, separate);
        }
    }
}
