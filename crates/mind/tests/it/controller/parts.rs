//! A long conversation is read in parts, and a part whose answer fails once more.

use memtape::config::Provider;
use memtape_mind::{Controller, Error, Processed, When};
use memtape_testkit::scripted_model::{Answer, Request};
use serde_json::json;

use super::{CHAT, event, events, hear, process};
use crate::{World, session};

#[test]
fn a_long_conversation_is_read_in_parts() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("{\"events\": []}".into()));
    let texts: Vec<String> = (0..80).map(|n| format!("remark {n}")).collect();
    hear(&world, CHAT, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut read = 0;
    while let Processed { messages: messages @ 1.., .. } = process(&world, CHAT) {
        read += messages;
    }
    assert_eq!(read, 160);
    let shown: String = world.model.requests().iter().map(Request::last_text).collect();
    assert!(texts.iter().all(|text| shown.matches(&format!("\"{text}\"")).count() == 1));
}

#[test]
fn messages_whose_answer_is_cut_off_or_which_are_refused_are_read_once_more() {
    let cut = Answer::CutOff("{\"events\": [".into());
    let refused = Answer::Status { code: 400, message: "too long".into(), retry_after: None };
    for (cuts, answer) in [(1, cut.clone()), (2, cut), (1, refused.clone()), (2, refused)] {
        let mut left = cuts;
        let world = World::new(Provider::OpenAi, move |_| match left {
            0 => events(&[event("Rust", json!({}))]),
            _ => {
                left -= 1;
                answer.clone()
            }
        });
        hear(&world, CHAT, &["which crate suits the Rust backend?", "and the tests?", "and the docs?"]);
        let controller = Controller::new(world.workspace(), &world.models);
        for _ in 0..cuts {
            let failed = controller.process_conversation(&session(CHAT), When::Now);
            assert!(matches!(failed, Err(Error::CutOff | Error::Model(_))), "{failed:?}");
        }
        let done = process(&world, CHAT);
        assert_eq!((done.recorded.len(), done.messages), if cuts == 1 { (1, 6) } else { (0, 0) }, "{done:?}");
    }
}

#[test]
fn a_conversation_of_long_messages_is_read_in_parts_that_fit() {
    let world = World::configured(Provider::OpenAi, |config| config.prompt.budget = 4000, |_| events(&[]));
    let texts: Vec<String> = (0..30).map(|n| format!("remark {n}: {}", "so. ".repeat(240))).collect();
    hear(&world, CHAT, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut read = 0;
    while let Processed { messages: messages @ 1.., .. } = process(&world, CHAT) {
        read += messages;
    }
    assert_eq!(read, 60);
    // The share of the budget, and the rest of the request.
    let longest = world.model.requests().iter().map(|request| request.last_text().len()).max();
    assert!(longest.is_some_and(|longest| (8_000..11_000).contains(&longest)), "{longest:?}");
}
