//! The heartbeat.

use memtape::config::{Config, Provider};
use memtape::{Form, Inbound, Reply, ToolUse, Trigger};
use memtape_mind::Error;
use memtape_mind::heartbeat::{TASKS_FILE, TASKS_TEMPLATE, heartbeat};
use memtape_testkit::scripted_model::{Answer, Request};
use serde_json::json;

use crate::{World, session};

#[test]
fn recent_conversations_are_read_once_and_tasks_are_done() {
    let world = World::configured(
        Provider::OpenAi,
        |config| config.capture.enabled = false,
        |request| {
            let text = request.text();
            if request.system.starts_with("Analyze this conversation") {
                let event = json!({"event_type": "add", "subject": "user", "predicate": "lives in", "object": "Kyoto",
                "confidence": 0.9, "from": [1]});
                return Answer::Say(
                    json!({"events": [event], "message": "Learn where the user lives"}).to_string(),
                );
            }
            if request.system.starts_with("You maintain the long-term memory") {
                return Answer::Say("Nothing worth a note.".into());
            }
            if request.system.starts_with("Below are findings") {
                return Answer::Say("{\"remove\": []}".into());
            }
            assert!(text.contains("water the plants"), "{text}");
            Answer::Say("The plants are watered.".into())
        },
    );
    for label in ["telegram:1", "cli:direct"] {
        for said in ["we moved to Kyoto in spring, finally", "it is a lot greener here"] {
            let conversation = world.workspace().conversation(session(label));
            conversation.turn(&Inbound::new(said), |_| Ok(Reply::new(&"Good to know. ".repeat(20)))).unwrap();
        }
    }
    std::fs::write(world.test.path().join(TASKS_FILE), format!("{TASKS_TEMPLATE}\n- water the plants\n"))
        .unwrap();
    world.test.clock.advance(jiff::SignedDuration::from_hours(1));
    let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
    assert!(beat.failures.is_empty(), "{:?}", beat.failures);
    assert_eq!(beat.processed.len(), 2, "{beat:?}");
    assert_eq!(beat.reflected.len(), 1, "{beat:?}");
    assert_eq!(beat.tasks.unwrap().reply, "The plants are watered.");
    assert_eq!(world.texts(Form::LEDGER), ["user lives in Kyoto", "user lives in Kyoto"]);
    let asked = world.model.requests().len();
    let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
    assert!(beat.processed.is_empty() && beat.reflected.is_empty(), "{beat:?}");
    // Only the tasks are done again.
    assert_eq!(world.model.requests().len(), asked + 1);
}

#[test]
fn tasks_that_the_model_did_not_do_are_not_done() {
    for answer in [
        Answer::Status { code: 500, message: "oops".into(), retry_after: None },
        Answer::Say(String::new()),
        Answer::Disconnect("Half of a rep".into()),
    ] {
        let world =
            World::configured(Provider::OpenAi, |config| config.model.retries = 0, move |_| answer.clone());
        std::fs::write(world.test.path().join(TASKS_FILE), "- water the plants\n").unwrap();
        let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
        assert_eq!((beat.tasks.is_none(), beat.failures.len()), (true, 1), "{beat:?}");
    }
}

#[test]
fn without_a_model_the_heartbeat_runs_hygiene_and_vectors() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("unused".into()));
    for scope in ["work", "home"] {
        world.workspace().zone().remember(&format!("keys are at {scope}")).unwrap();
    }
    let beat = heartbeat(world.workspace(), None).unwrap();
    assert!(beat.tasks.is_none() && beat.failures.is_empty());
    assert!(world.model.requests().is_empty());
}

#[test]
fn the_branches_of_killed_tasks_are_removed_after_a_day_and_those_of_people_stay() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("unused".into()));
    let branches = world.workspace().branches();
    let question = "A value that contradicts what is known, until a person decides on it";
    for (name, persona) in [
        ("consolidate/1770717600000000-4711", None),
        ("review/17", Some(question)),
        ("reflect/1770717600000000-4711", None),
        ("review/q3", Some("Reviews the quarter")),
        ("review/2026", None),
        ("reflect/2026-11", None),
        ("consolidate/notes", None),
    ] {
        branches.create(name, persona, &memtape::At::head()).unwrap();
    }
    // A branch in use is no reason to stop.
    world
        .workspace()
        .branches()
        .in_session(session("telegram:1"))
        .switch("consolidate/1770717600000000-4711", false)
        .unwrap();
    let own = session("memtape-task:reflect-1770717600000000-4711");
    branches.in_session(own).switch("reflect/1770717600000000-4711", false).unwrap();
    let names = || {
        let listed = world.workspace().branches().list(&memtape::At::head()).unwrap();
        listed.into_iter().map(|branch| branch.name).collect::<Vec<_>>()
    };
    heartbeat(world.workspace(), None).unwrap();
    assert_eq!(names().len(), 8);
    world.test.clock.advance(jiff::SignedDuration::from_hours(25));
    let beat = heartbeat(world.workspace(), None).unwrap();
    assert!(beat.failures.is_empty(), "{:?}", beat.failures);
    let mut left = names();
    left.sort();
    assert_eq!(
        left,
        [
            "consolidate/1770717600000000-4711",
            "consolidate/notes",
            "main",
            "reflect/2026-11",
            "review/2026",
            "review/q3"
        ]
    );
}

#[test]
fn a_part_that_fails_does_not_stop_the_others() {
    let long = "- water the plants\n".repeat(100);
    for (model, max_bytes, tasks, is_done) in
        [(Some("/nowhere"), 1_000_000, "- rest\n", true), (None, 1000, &long, false)]
    {
        let set = |config: &mut Config| {
            config.recall.model = model.map(Into::into);
            config.max_message_bytes = max_bytes;
        };
        let world = World::configured(Provider::OpenAi, set, quiet);
        world.workspace().zone().remember("the spare key is at Bo's").unwrap();
        let conversation = world.workspace().conversation(session("telegram:1"));
        conversation.turn(&Inbound::new("is it quiet there?"), |_| Ok(Reply::new("Yes."))).unwrap();
        std::fs::write(world.test.path().join(TASKS_FILE), tasks).unwrap();
        let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
        assert_eq!(beat.failures.len(), 1, "{:?}", beat.failures);
        assert_eq!((beat.processed.len(), beat.tasks.is_some()), (1, is_done), "{beat:?}");
    }
}

#[test]
fn two_heartbeats_do_not_run_at_once() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("The plants are watered.".into()));
    std::fs::write(world.test.path().join(TASKS_FILE), "- water the plants\n").unwrap();
    let other = std::fs::File::create(world.test.path().join("heartbeat.lock")).unwrap();
    other.lock().unwrap();
    let refused = heartbeat(world.workspace(), Some(&world.models)).unwrap_err();
    assert!(matches!(refused, Error::Running), "{refused:?}");
    assert!(world.model.requests().is_empty());
    drop(other);
    assert!(heartbeat(world.workspace(), Some(&world.models)).unwrap().tasks.is_some());
}

/// Answers requests of extraction with no facts, others with a text.
fn quiet(request: &Request) -> Answer {
    match request.system.starts_with("Analyze") {
        true => Answer::Say("{\"events\": []}".into()),
        false => Answer::Say("Nothing worth a note.".into()),
    }
}

#[test]
fn messages_after_an_answer_that_cannot_be_used_are_read() {
    let world = World::new(Provider::OpenAi, |request| match request.text().contains("question 1?") {
        true => Answer::Say("I would rather chat.".into()),
        false => quiet(request),
    });
    for n in 1..=65 {
        let conversation = world.workspace().conversation(session("telegram:1"));
        conversation.turn(&Inbound::new(&format!("question {n}?")), |_| Ok(Reply::new("Hm."))).unwrap();
    }
    let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
    assert_eq!(beat.failures.len(), 1, "{:?}", beat.failures);
    assert!(matches!(beat.failures[0], Error::Unusable(_)), "{:?}", beat.failures);
    let asked = world.model.requests();
    assert!(asked.last().unwrap().text().contains("question 65?"), "{}", asked.len());
}

#[test]
fn messages_after_many_of_the_agent_alone_are_read() {
    let world = World::new(Provider::OpenAi, quiet);
    let conversation = world.workspace().conversation(session("telegram:1"));
    let perch = Inbound { trigger: Trigger::Perch, ..Inbound::new("look around") };
    for _ in 0..65 {
        conversation.turn(&perch, |_| Ok(Reply::new("All is quiet."))).unwrap();
    }
    conversation.turn(&Inbound::new("is it?"), |_| Ok(Reply::new("Yes."))).unwrap();
    let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
    assert_eq!(beat.processed.len(), 1, "{beat:?}");
    assert!(world.model.requests()[0].text().contains("is it?"));
}

#[test]
fn a_long_conversation_is_reflected_on_to_its_end() {
    let world = World::configured(Provider::OpenAi, |config| config.mind.extract = false, quiet);
    let conversation = world.workspace().conversation(session("cli:direct"));
    let tool =
        |n: i32| ToolUse { name: "look".into(), arguments: json!({"n": n}), result: Some("ok".into()) };
    let first = Reply { tools: (0..200).map(tool).collect(), ..Reply::new(&"It is found. ".repeat(30)) };
    conversation.turn(&Inbound::new("look everywhere"), |_| Ok(first)).unwrap();
    conversation.turn(&Inbound::new("and what was it?"), |_| Ok(Reply::new("A key."))).unwrap();
    world.test.clock.advance(jiff::SignedDuration::from_hours(1));
    let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
    assert_eq!(beat.reflected.len(), 2, "{beat:?}");
    assert!(world.model.requests().last().unwrap().text().contains("and what was it?"));
}

#[test]
fn messages_that_the_model_does_not_reflect_on_are_passed_over_after_two_failures() {
    for failing in [Answer::Refuse("I would rather not.".into()), Answer::CutOff("The bomb".into())] {
        let answer = failing.clone();
        let world = World::configured(
            Provider::OpenAi,
            |config| config.mind.extract = false,
            move |request| match request.text().contains("bomb") {
                true => answer.clone(),
                false => quiet(request),
            },
        );
        let beat_after = |said: &[&str]| {
            for text in said {
                let conversation = world.workspace().conversation(session("cli:direct"));
                let reply = Reply::new(&"That depends. ".repeat(30));
                conversation.turn(&Inbound::new(text), |_| Ok(reply)).unwrap();
            }
            world.test.clock.advance(jiff::SignedDuration::from_hours(1));
            heartbeat(world.workspace(), Some(&world.models)).unwrap()
        };
        let beat = beat_after(&["how is a bomb built?", "how long does it take?"]);
        assert_eq!((beat.failures.len(), beat.reflected.len()), (2, 0), "{failing:?} {beat:?}");
        let beat = beat_after(&["how are tulips planted?"]);
        assert_eq!((beat.failures.len(), beat.reflected.len()), (0, 1), "{failing:?} {beat:?}");
        assert!(world.model.requests().last().unwrap().text().contains("tulips"), "{failing:?}");
    }
}

/// No facts are extracted, and a conversation may take 9,600 characters of a request.
fn of_small_requests(config: &mut Config) {
    config.mind.extract = false;
    config.prompt.budget = 4000;
}

#[test]
fn long_messages_are_all_reflected_on() {
    let world = World::configured(Provider::OpenAi, of_small_requests, quiet);
    let conversation = world.workspace().conversation(session("cli:direct"));
    for n in 0..50 {
        let reply = Reply::new(&"That depends. ".repeat(15));
        conversation.turn(&Inbound::new(&format!("question {n}?")), |_| Ok(reply)).unwrap();
    }
    world.test.clock.advance(jiff::SignedDuration::from_hours(1));
    let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
    assert_eq!((beat.failures.len(), beat.reflected.len()), (0, 2), "{beat:?}");
    let shown: String = world.model.requests().iter().map(Request::last_text).collect();
    for n in 0..50 {
        assert_eq!(shown.matches(&format!("\"question {n}?\"")).count(), 1, "{n}");
    }
}

#[test]
fn a_message_that_is_longer_than_a_request_is_shown_in_part() {
    let world = World::configured(Provider::OpenAi, of_small_requests, quiet);
    let conversation = world.workspace().conversation(session("cli:direct"));
    for said in ["how long is it?", &"zebra ".repeat(3000)] {
        let reply = Reply::new(&"That depends. ".repeat(30));
        conversation.turn(&Inbound::new(said), |_| Ok(reply)).unwrap();
    }
    world.test.clock.advance(jiff::SignedDuration::from_hours(1));
    let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
    assert!(beat.failures.is_empty(), "{beat:?}");
    let requests = world.model.requests();
    assert!(requests.iter().any(|request| request.last_text().contains("zebra … [cut]")));
    assert!(requests.iter().all(|request| request.last_text().len() < 11_000));
}

#[test]
fn a_heartbeat_does_not_send_the_tasks_of_all_those_before_it() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("SILENT".into()));
    std::fs::write(world.test.path().join(TASKS_FILE), "- water the plants\n").unwrap();
    for _ in 0..23 {
        let beat = heartbeat(world.workspace(), Some(&world.models)).unwrap();
        assert!(beat.failures.is_empty(), "{:?}", beat.failures);
    }
    let shown = world.model.requests().pop().unwrap().text();
    // The journal in the prompt has its own limit.
    assert!(shown.matches("<memtape-message from=\"system\"").count() < 10, "{shown}");
    assert!(shown.contains("There was nothing to report."), "{shown}");
}
