//! The heartbeat.

use memtape::config::Provider;
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
fn the_branch_of_a_killed_task_is_removed_after_a_day() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("unused".into()));
    let branches = world.workspace().branches();
    branches.create("reflect/17-4711", None, &memtape::At::head()).unwrap();
    branches.in_session(session("memtape-task:reflect-17-4711")).switch("reflect/17-4711", false).unwrap();
    let names = || {
        let listed = world.workspace().branches().list(&memtape::At::head()).unwrap();
        listed.into_iter().map(|branch| branch.name).collect::<Vec<_>>()
    };
    heartbeat(world.workspace(), None).unwrap();
    assert_eq!(names(), ["main", "reflect/17-4711"]);
    world.test.clock.advance(jiff::SignedDuration::from_hours(25));
    heartbeat(world.workspace(), None).unwrap();
    assert_eq!(names(), ["main"]);
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
