//! Several values for one fact: in what is known, in an answer, of several people, of two processes.

use super::*;

#[test]
fn contradictions_are_kept_replaced_put_beside_or_asked() {
    let choices = ["keep_old", "use_new", "both_valid", "ask_user"];
    for choice in choices {
        let world = World::new(Provider::OpenAi, move |request: &Request| {
            if request.system.starts_with("Analyze") {
                return events(&[event("Rust", json!({"scope_for_new": "work/hobby", "conflict": choice}))]);
            }
            unreachable!("nothing is left to ask");
        });
        let fact = stated("user", "prefers backend", "Python", Some("work/technical"));
        world.workspace().ledger().add(&fact).unwrap();
        hear(&world, "cli:direct", &["hm, what about Rust for the server"]);
        let done = process(&world, "cli:direct");
        let mut texts = world.texts(Form::LEDGER);
        texts.sort();
        let open = world.workspace().branches().conflicts(&At::head()).unwrap();
        match choice {
            "keep_old" => {
                assert_eq!((texts, done.skipped.len()), (vec!["user prefers backend Python".to_owned()], 1));
            }
            "use_new" => assert_eq!(texts, ["user prefers backend Rust"]),
            "both_valid" => assert_eq!(texts, ["user prefers backend Python", "user prefers backend Rust"]),
            _ => {
                assert_eq!(texts, ["user prefers backend Python"]);
                assert_eq!((done.questions.len(), open.len()), (1, 1), "{done:?}");
                world.workspace().branches().resolve(&open[0].reference, &Resolution::Theirs).unwrap();
                assert_eq!(world.texts(Form::LEDGER), ["user prefers backend Rust"]);
            }
        }
    }
}

#[test]
fn a_contradiction_without_a_decision_is_asked_about() {
    let world = World::new(Provider::OpenAi, |request: &Request| {
        if request.system.starts_with("Analyze") {
            let object = if request.text().contains("Zig") { "Zig" } else { "Python" };
            return events(&[event(object, json!({}))]);
        }
        assert!(request.last_text().contains("\"known\""));
        Answer::Say("{\"decisions\": [{\"n\": 1, \"action\": \"use_new\"}]}".into())
    });
    hear(&world, CHAT, &["for servers? Python, of course!", "as always"]);
    process(&world, CHAT);
    hear(&world, CHAT, &["for servers? Zig, of course!", "since today"]);
    let done = process(&world, CHAT);
    assert_eq!(done.recorded.len(), 1, "{done:?}");
    assert_eq!(world.texts(Form::LEDGER), ["user prefers backend Zig"]);
    assert_eq!(world.model.requests().len(), 3);
}

#[test]
fn a_second_question_about_a_fact_is_asked_too_and_the_same_one_is_not_asked_twice() {
    let objects = std::sync::Mutex::new(vec!["Rust", "Zig", "Zig"].into_iter());
    let world = World::new(Provider::OpenAi, move |_| {
        let object = objects.lock().unwrap().next().unwrap();
        events(&[event(object, json!({"conflict": "ask_user"}))])
    });
    // A branch of a person does not get in the way.
    world.workspace().branches().create("review", None, &At::head()).unwrap();
    fact_of(&world, "Python", Sensitivity::Normal);
    hear(&world, "cli:direct", &["hm, what about another one?"]);
    assert_eq!(process(&world, "cli:direct").questions.len(), 1);
    let branches = world.workspace().branches();
    let open = branches.conflicts(&At::head()).unwrap().remove(0);
    branches.resolve(&open.reference, &Resolution::Theirs).unwrap();
    assert_eq!(world.texts(Form::LEDGER), ["user prefers backend Rust"]);
    hear(&world, "cli:direct", &["hm, or this one?"]);
    assert_eq!(process(&world, "cli:direct").questions.len(), 1);
    assert_eq!(world.texts(Form::LEDGER), ["user prefers backend Rust"]);
    hear(&world, "cli:direct", &["hm, or this one again?"]);
    assert_eq!(process(&world, "cli:direct").questions.len(), 0);
    assert_eq!(branches.conflicts(&At::head()).unwrap().len(), 1);
    assert_eq!(branches.list(&At::head()).unwrap().len(), 2);
}

#[test]
fn a_question_about_a_value_that_a_rule_forbids_is_skipped() {
    let world = World::new(Provider::OpenAi, |_| events(&[event("", json!({"conflict": "ask_user"}))]));
    fact_of(&world, "Python", Sensitivity::Normal);
    hear(&world, "cli:direct", &["hm, what about another one?"]);
    let done = process(&world, "cli:direct");
    assert_eq!((done.questions.len(), done.skipped.len()), (0, 1), "{done:?}");
    assert!(done.skipped[0].why.contains("the object is empty"), "{done:?}");
    assert_eq!(world.workspace().branches().list(&At::head()).unwrap().len(), 1);
    // The messages are not read again.
    assert_eq!(process(&world, "cli:direct"), Processed::default());
}

#[test]
fn a_new_value_is_kept_despite_other_answers_for_its_slot() {
    let world = World::new(Provider::OpenAi, |_| {
        let plain = |object: &str, more: Value| {
            let mut event = event(object, more);
            event["predicate"] = "lives in".into();
            event
        };
        events(&[
            plain("Berlin", json!({"event_type": "forget", "scope": null})),
            plain("Munich", json!({"event_type": "modify", "scope": "permanent"})),
            plain("Hamburg", json!({"scope": null})),
        ])
    });
    let fact = stated("user", "lives in", "Berlin", None);
    world.workspace().ledger().add(&fact).unwrap();
    hear(&world, "cli:direct", &["I moved from Berlin to Munich last week", "so"]);
    let done = process(&world, "cli:direct");
    assert_eq!(world.texts(Form::LEDGER), ["user lives in Munich"], "{done:?}");
}

#[test]
fn a_confidential_value_is_not_sent_and_a_person_decides() {
    let world = World::new(Provider::OpenAi, |_| events(&[event("Rust", json!({}))]));
    fact_of(&world, "zebra", Sensitivity::Confidential);
    hear(&world, "cli:direct", &["hm, what about another one?"]);
    process(&world, "cli:direct");
    assert!(world.model.requests().iter().all(|request| !request.text().contains("zebra")));
    assert_eq!(world.texts(Form::LEDGER).len(), 1);
}

#[test]
fn the_same_question_in_another_chat_is_another_question() {
    let world = World::new(Provider::OpenAi, |_| events(&[event("Rust", json!({"conflict": "ask_user"}))]));
    for chat in ["telegram:7", "telegram:8"] {
        let audience = world.workspace().audience(Some(&session(chat)), None).unwrap();
        let known = stated("user", "prefers backend", "Python", Some("work/technical"));
        world.workspace().ledger().for_audience(audience).add(&known).unwrap();
        hear(&world, chat, &["hm, what about another one?"]);
        assert_eq!(process(&world, chat).questions.len(), 1, "{chat}");
    }
}

#[test]
fn the_later_of_a_fact_and_a_request_to_forget_it_counts() {
    for (stated, forgotten, texts) in [(1, 3, &[][..]), (3, 1, &["user prefers backend Rust"][..])] {
        let world = World::new(Provider::OpenAi, move |_| {
            events(&[
                event("Rust", json!({"from": [stated]})),
                event("", json!({"event_type": "forget", "from": [forgotten]})),
            ])
        });
        hear(&world, CHAT, &["hm, what about the server", "or something else after all"]);
        process(&world, CHAT);
        assert_eq!(world.texts(Form::LEDGER), texts, "{stated} {forgotten}");
    }
}

#[test]
fn of_two_values_for_a_fact_the_one_of_the_latest_message_is_recorded() {
    let add = |object: &str, from: u8| event(object, json!({"from": [from]}));
    let observed = |object: &str, from: u8| event(object, json!({"event_type": "observe", "from": [from]}));
    let kept = |object: &str, from: u8| event(object, json!({"conflict": "keep_old", "from": [from]}));
    for (answer, object) in [
        ([add("Rust", 1), add("Zig", 3)], "Zig"),
        ([add("Zig", 3), add("Rust", 1)], "Zig"),
        ([add("Rust", 1), add("Zig", 1)], "Rust"),
        ([observed("Rust", 1), add("Zig", 3)], "Zig"),
        ([observed("Rust", 1), observed("Zig", 3)], "Zig"),
        // What is only inferred, or leaves the known value as it is, does not replace what is stated.
        ([add("Rust", 1), observed("Zig", 3)], "Rust"),
        ([add("Rust", 1), kept("Zig", 3)], "Rust"),
    ] {
        let world = World::new(Provider::OpenAi, {
            let answer = answer.clone();
            move |_| events(&answer)
        });
        hear(&world, CHAT, &["hm, what about the server", "or something else after all"]);
        let done = process(&world, CHAT);
        assert_eq!(
            world.texts(Form::LEDGER),
            [format!("user prefers backend {object}")],
            "{answer:?} {done:?}"
        );
    }
}

#[test]
fn of_the_values_of_two_people_for_a_fact_of_their_chat_the_latest_is_recorded() {
    let add = |object: &str, from: u8| event(object, json!({"subject": "the team", "from": [from]}));
    for users in [["ana", "bo"], ["bo", "ana"]] {
        let answer = [add("Rust", 1), add("Zig", 3)];
        let world = World::new(Provider::OpenAi, move |_| events(&answer));
        for (user, text) in users.into_iter().zip(["what about the server?", "or something else after all?"])
        {
            let conversation = world.workspace().conversation(session(CHAT));
            let inbound = Inbound { user: Some(user.into()), ..Inbound::new(text) };
            conversation.turn(&inbound, |_| Ok(Reply::new("I see."))).unwrap();
        }
        let done = process(&world, CHAT);
        assert_eq!(world.texts(Form::LEDGER), ["the team prefers backend Zig"], "{users:?} {done:?}");
    }
}

#[test]
fn what_another_process_has_extracted_meanwhile_is_not_recorded_twice() {
    let path = Arc::new(OnceLock::<PathBuf>::new());
    let dir = Arc::clone(&path);
    let world = World::new(Provider::OpenAi, move |_| {
        let other = Workspace::open(dir.get().unwrap(), Options::default()).unwrap();
        let conversation = other.conversation(session(CHAT));
        let through = conversation.spoken_after(0, 10).unwrap().pop().unwrap().memory.id.entry();
        let state = json!({"turns": 2, "calls": 1, "reflected": 0});
        let progress = TaskProgress { task: "extraction".into(), through, state };
        conversation.record_progress(&progress).unwrap();
        events(&[event("Rust", json!({"event_type": "observe"}))])
    });
    path.set(world.test.path().to_owned()).unwrap();
    hear(&world, CHAT, &["which crate suits the Rust backend?", "and the tests?"]);
    assert_eq!(process(&world, CHAT), Processed { calls: 1, has_more: true, ..Processed::default() });
    assert!(world.texts(Form::LEDGER).is_empty());
    let progress = world.workspace().conversation(session(CHAT)).progress("extraction").unwrap().unwrap();
    assert_eq!(progress.state, json!({"turns": 2, "calls": 2, "reflected": 0}));
    assert_eq!(process(&world, CHAT), Processed::default());
}
