//! What happens while a model works: what a person forgets then is not recorded after all.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use memtape::config::Provider;
use memtape::{Form, Inbound, Options, Reply, Session, Workspace};
use memtape_mind::{Controller, Error, Reflect, Reflector, When};
use memtape_testkit::scripted_model::{Answer, Request};
use serde_json::json;

use crate::World;

/// A world whose model gives these answers in turn, and in which a person forgets where they live during the first call.
fn world(answers: Vec<Answer>) -> World {
    let path = Arc::new(OnceLock::<PathBuf>::new());
    let dir = Arc::clone(&path);
    let mut answers = answers.into_iter();
    let mut is_first = true;
    let world = World::new(Provider::OpenAi, move |_: &Request| {
        if std::mem::take(&mut is_first) {
            let options = Options { config: memtape_testkit::config(), ..Options::default() };
            let other = Workspace::open(dir.get().unwrap(), options).unwrap();
            let kept = other.statements().list(&memtape::Selection::default(), &memtape::At::head()).unwrap();
            assert_eq!(kept.len(), 1, "{kept:?}");
            other.statements().forget(&[kept[0].memory.reference()]).unwrap();
        }
        answers.next().unwrap_or(Answer::Say("Done.".into()))
    });
    path.set(world.test.path().to_owned()).unwrap();
    for (said, reply) in [
        ("I live in Porto", "It is warm there."),
        ("which crate suits the backend?", "It depends."),
        ("and the tests?", "That depends, too."),
    ] {
        let conversation = world.workspace().conversation(Session::direct());
        conversation.turn(&Inbound::new(said), |_| Ok(Reply::new(reply))).unwrap();
    }
    world
}

#[test]
fn a_fact_of_a_retracted_message_is_not_recorded() {
    let fact = |predicate: &str, object: &str, from: u8| {
        json!({"event_type": "add", "subject": "user", "predicate": predicate, "object": object, "confidence": 0.9,
            "from": [from]})
    };
    let events = [fact("lives in", "Porto", 1), fact("asks about", "crates", 3)];
    let answer = json!({"events": events, "message": "Learn that the user lives in Porto"}).to_string();
    let world = world(vec![Answer::Say(answer)]);
    let controller = Controller::new(world.workspace(), &world.models);
    let done = controller.process_conversation(&Session::direct(), When::Now).unwrap();
    assert_eq!(world.texts(Form::LEDGER), ["user asks about crates"], "{done:?}");
    assert_eq!(done.skipped[0].why, "the message was retracted meanwhile", "{done:?}");
    assert!(!world.tape().contains("Learn that"), "{}", world.tape());
}

#[test]
fn notes_about_a_retracted_message_are_not_kept() {
    let note = json!({"path": "facts/user.md", "content": "# User\n\n- Lives in: Porto\n"});
    let world = world(vec![Answer::Call(vec![("memory_write".into(), note)])]);
    let reflector = Reflector::new(world.workspace(), &world.models);
    let reflected = reflector.reflect(&Session::direct(), Reflect::Now).unwrap();
    assert_eq!(
        (reflected.assessment.as_str(), reflected.commit),
        ("a message was retracted meanwhile", None)
    );
    assert!(world.texts(Form::NOTES).is_empty());
    // The others are reflected on the next time.
    assert_eq!(reflector.reflect(&Session::direct(), Reflect::Now).unwrap().assessment, "Done.");
    assert!(!world.model.requests().last().unwrap().text().contains("Porto"));
}

#[test]
fn a_summary_of_a_retracted_message_is_not_used() {
    let world = world(vec![Answer::Say("The user lives in Porto.".into())]);
    let conversation = world.workspace().conversation(Session::direct());
    // Only the summary is left to be made.
    let through = conversation.spoken(1).unwrap()[0].memory.id.entry();
    let state = json!({"turns": 3, "calls": 3, "reflected": through});
    let progress = memtape::TaskProgress { task: "extraction".into(), through, state };
    conversation.record_progress(&progress).unwrap();
    let hand_off =
        || memtape_mind::hand_off(world.workspace(), &world.models, &Session::direct(), true).unwrap();
    let background = hand_off();
    assert!(matches!(background.failures[..], [Error::Overtaken]), "{background:?}");
    assert_eq!(hand_off().summary.as_deref(), Some("Done."));
}
