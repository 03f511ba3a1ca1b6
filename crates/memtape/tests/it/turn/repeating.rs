//! What only repeats a prompt, and what is new although it resembles it.

use memtape::{At, Audience, FinishedTurn, Inbound, Recall, Reply};
use memtape_testkit::TestWorkspace;

use super::{said, said_by, session, texts};

#[test]
fn the_same_appointment_on_another_day_is_a_new_one() {
    let test = TestWorkspace::new();
    let said_on = |date: &str| -> FinishedTurn {
        let said_at = Some(date.parse().unwrap());
        let text = "I have a dentist appointment tomorrow.";
        let inbound = Inbound { user: Some("42".into()), said_at, ..Inbound::new(text) };
        let conversation = test.workspace.conversation(session("telegram:1"));
        conversation.turn(&inbound, |_| Ok(Reply::default())).unwrap()
    };
    let first = said_on("2026-01-08T10:00:00Z");
    assert_eq!(texts(&first), ["I have a dentist appointment tomorrow (2026-01-09)"]);
    let second = said_on("2026-02-09T10:00:00Z");
    assert_eq!(texts(&second), ["I have a dentist appointment tomorrow (2026-02-10)"]);
}

#[test]
fn a_new_value_that_the_old_one_begins_with_is_kept() {
    for (before, now) in [
        ("My office is in room 21", "My office is in room 2"),
        ("My cat is called Tommy", "My cat is called Tom"),
    ] {
        let test = TestWorkspace::new();
        assert_eq!(texts(&said(&test.workspace, &format!("{before}."))), [before]);
        assert_eq!(texts(&said(&test.workspace, &format!("{now}…"))), [""; 0], "{now}");
        assert_eq!(texts(&said(&test.workspace, &format!("{now}."))), [now]);
    }
}

/// A statement is one, whichever of their ids a person says it by.
#[test]
fn what_a_person_repeats_by_another_id_is_forgotten_with_it() {
    let mut config = memtape_testkit::config();
    config.users.insert("ana".into(), vec!["telegram:42".into(), "discord:ana".into()]);
    let test = TestWorkspace::configured(config);
    said(&test.workspace, "I have HIV.");
    let turn = said_by(&test.workspace, "discord:garden", Some("ana"), "I have HIV.", "Noted the HIV.");
    assert_eq!(turn.captured[0].outcome.as_str(), "repeated", "{turn:?}");
    assert_eq!(said(&test.workspace, "Please forget that I have HIV.").forgotten.len(), 1);
    let recall = Recall { audience: Audience::of_chat(&session("discord:garden")), ..Recall::new("HIV") };
    assert_eq!(test.workspace.recall(&recall, &At::head()).unwrap().hits, []);
}
