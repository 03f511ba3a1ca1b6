//! Faults of a model: in each case the turn ends, the tape has the message and the partial reply, and one line states
//! the reason.

use std::time::Duration;

use memtape::config::Provider;
use memtape::journal::Question;
use memtape::{At, Form, Session};
use memtape_mind::{Agent, Error};
use memtape_testkit::scripted_model::Answer;
use memtape_testkit::secrets::files_with;
use serde_json::json;

use crate::{KEY, World};

/// Every fault: its name, the model's answer, the recorded reply, and a part of the message.
fn faults() -> Vec<(&'static str, Answer, &'static str, &'static str)> {
    let status = |code, message: &str| Answer::Status { code, message: message.into(), retry_after: None };
    vec![
        (
            "rate limit",
            Answer::Status { code: 429, message: "slow down".into(), retry_after: Some(99) },
            "",
            "reached (429): slow down",
        ),
        (
            "rate limit without an end",
            Answer::Status { code: 429, message: "slow down".into(), retry_after: Some(u64::MAX) },
            "",
            "reached (429): slow down",
        ),
        ("server error", status(500, "oops"), "", "failed (500): oops"),
        ("overloaded", status(529, "overloaded"), "", "failed (529): overloaded"),
        (
            "bad key",
            status(401, &format!("Incorrect API key provided: {KEY}")),
            "",
            "rejected the API key (401): Incorrect API key provided: [redacted:api_key]",
        ),
        ("no access", status(403, "not in your region"), "", "refused access (403): not in your region"),
        ("moved", status(302, "x"), "", "redirects to another address, which is not followed (302): x"),
        ("no such model", status(404, "no model"), "", "model or path not found (404)"),
        ("cut stream", Answer::Disconnect("The answer is fort".into()), "The answer is fort", "connection"),
        (
            "error in the stream",
            Answer::StreamError("The answer".into(), "try later".into()),
            "The answer",
            "the model's server reported an error: try later",
        ),
        (
            "error without words in the stream",
            Answer::StreamError("The answer".into(), String::new()),
            "The answer",
            "the model's server reported an error",
        ),
        ("garbage", Answer::Garbage("<html>gateway</html>".into()), "", ": <html>gateway</html>"),
        ("cut at once", Answer::CutOff(String::new()), "", "cut off at model.max_tokens"),
        ("silence", Answer::Hang, "", "did not answer within 4 s"),
        (
            "slow drip",
            Answer::Drip("x".repeat(200), Duration::from_millis(100)),
            "xxx",
            "did not answer within 4 s",
        ),
    ]
}

#[test]
fn every_fault_ends_the_turn() {
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        for (name, answer, kept, message) in faults() {
            let world =
                World::configured(provider, |config| config.model.retries = 1, move |_| answer.clone());
            let turn = world.say("cli:direct", "what is the answer?");
            let failure = turn.failure.unwrap().to_string();
            assert!(failure.contains(message), "{name} ({provider:?}): {failure}");
            assert_eq!(failure.lines().count(), 1, "{name}: {failure}");
            assert!(turn.reply.starts_with(kept), "{name} ({provider:?}): {:?}", turn.reply);
            let said = world.texts(Form::MESSAGES);
            assert_eq!(said[0], "what is the answer?", "{name}");
            assert_eq!(said.get(1).cloned().unwrap_or_default(), turn.reply, "{name}");
            let conversation = world.workspace().conversation(Session::direct());
            assert!(conversation.open_turns(None).unwrap().is_empty(), "{name}");
            assert!(!failure.contains(KEY) && !world.tape().contains(KEY), "{name}");
        }
    }
}

#[test]
fn a_transient_failure_is_retried() {
    let mut failures = 2;
    let world = World::new(Provider::OpenAi, move |_| {
        failures -= 1;
        match failures {
            0.. => Answer::Status { code: 503, message: String::new(), retry_after: Some(0) },
            _ => Answer::Say("Here I am.".into()),
        }
    });
    let turn = world.say("cli:direct", "hello?");
    assert_eq!((turn.reply.as_str(), world.model.requests().len()), ("Here I am.", 3));
}

#[test]
fn every_attempt_that_was_answered_in_part_is_paid() {
    // The stream ends in the arguments of a call, before any text.
    let delta =
        json!({"tool_calls": [{"index": 0, "id": "1", "function": {"name": "a", "arguments": "{\"x\": "}}]});
    let begun = format!("data: {}\n\n", json!({"choices": [{"delta": delta}]}));
    let world = World::configured(
        Provider::OpenAi,
        |config| config.model.retries = 1,
        move |_| Answer::Garbage(begun.clone()),
    );
    let turn = world.say("cli:direct", "write a long note");
    assert!(matches!(turn.failure, Some(Error::Model(_))), "{:?}", turn.failure);
    let question = Question { types: vec!["cost".into()], ..Question::default() };
    let lines = world.workspace().journal().lines(&question, &At::head()).unwrap();
    assert_eq!((world.model.requests().len(), lines.len()), (2, 2));
    assert!(lines.iter().all(|line| line.fields["tokens_in"].as_u64() > Some(0)), "{lines:?}");
}

#[test]
fn an_error_that_a_server_reports_with_status_200_is_retried() {
    let mut failures = 1;
    let world = World::new(Provider::OpenAi, move |_| {
        failures -= 1;
        match failures {
            0.. => Answer::Garbage(json!({"error": {"message": "the provider failed"}}).to_string()),
            _ => Answer::Say("Here I am.".into()),
        }
    });
    let turn = world.say("cli:direct", "hello?");
    assert_eq!((turn.reply.as_str(), world.model.requests().len()), ("Here I am.", 2));
}

#[test]
fn a_refusal_is_a_reply_and_one_that_is_cut_off_is_not_complete() {
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let world = World::new(provider, |request| match request.last_text().contains("long") {
            true => Answer::CutOff("Once upon".into()),
            false => Answer::Refuse("I cannot help with that.".into()),
        });
        let turn = world.say("cli:direct", "do it");
        assert_eq!((turn.reply.as_str(), turn.failure.is_none()), ("I cannot help with that.", true));
        let turn = world.say("cli:direct", "a long story");
        assert_eq!(turn.reply, "Once upon\n[The reply was cut off at model.max_tokens.]");
        assert!(matches!(turn.failure, Some(Error::CutOff)), "{:?}", turn.failure);
    }
}

#[test]
fn a_reply_that_is_too_long_is_recorded_as_far_as_it_may_be() {
    let said = "So it goes. ".repeat(125);
    let reply = said.clone();
    let set = |config: &mut memtape::config::Config| config.max_message_bytes = 1000;
    let world = World::configured(Provider::OpenAi, set, move |_| Answer::Say(reply.clone()));
    let turn = world.say("cli:direct", "I prefer tea");
    assert_eq!((turn.reply, turn.failure.is_none(), turn.turn.captured.len()), (said, true, 1));
    let texts = world.texts(Form::MESSAGES);
    assert!(texts[1].ends_with(" more bytes not recorded (ingest.max_message_bytes)"), "{}", texts[1]);
    assert!((900..=1000).contains(&texts[1].len()), "{}", texts[1].len());
}

#[test]
fn an_answer_that_is_not_streamed_is_an_answer() {
    for (provider, body) in [
        (
            Provider::OpenAi,
            json!({"choices": [{"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}]}),
        ),
        (
            Provider::Anthropic,
            json!({"type": "message", "content": [{"type": "text", "text": "Hi."}], "stop_reason": "end_turn"}),
        ),
    ] {
        let world = World::new(provider, move |_| Answer::Garbage(body.to_string()));
        let turn = world.say("cli:direct", "hello");
        assert_eq!((turn.reply.as_str(), turn.failure.is_none()), ("Hi.", true), "{:?}", turn.failure);
    }
}

#[test]
fn bad_arguments_of_a_tool_are_shown_to_the_model() {
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let world = World::new(provider, |request| match request.last_text() {
            text if text.contains("not a JSON object") || text.contains("invalid arguments") => {
                Answer::Call(vec![("memory_save".into(), json!({"content": "likes tea"}))])
            }
            text if text.contains("saved") => Answer::Say("Done.".into()),
            _ => Answer::BadToolArguments("memory_save".into(), "{\"content\": ".into()),
        });
        let turn = world.say("cli:direct", "I like tea");
        assert_eq!(turn.reply, "Done.", "{:?}", turn.failure);
        assert_eq!(world.texts(Form::ZONE), ["likes tea"]);
    }
}

#[test]
fn the_key_is_in_no_file_below_the_workspace() {
    let world = World::new(Provider::OpenAi, |request| match request.last_text().contains("key") {
        true => Answer::Status { code: 401, message: format!("wrong key {KEY}"), retry_after: None },
        false => Answer::Say("Hello.".into()),
    });
    world.say("cli:direct", "hello");
    let failure = world.say("cli:direct", "what about the key?").failure.unwrap();
    assert!(!format!("{failure:?} {failure}").contains(KEY));
    assert!(!format!("{:?}", world.workspace().config()).contains(KEY));
    let files_with = |text| files_with(world.test.path(), text).unwrap();
    assert!(!files_with("what about the key?").is_empty());
    assert_eq!(files_with(KEY), Vec::<String>::new());
}

#[test]
fn a_turn_that_the_library_refuses_calls_no_model() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("Hello.".into()));
    let agent = Agent::new(world.workspace(), &world.models);
    assert!(agent.turn(&Session::direct(), &memtape::Inbound::new(" "), &mut |_| {}).is_err());
    assert!(world.model.requests().is_empty());
}
