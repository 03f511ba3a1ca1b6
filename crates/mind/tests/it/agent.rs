//! The agent: turns with tools, streaming, budgets, provenance.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use memtape::config::Provider;
use memtape::journal::Question;
use memtape::{At, Audience, ErrorKind, Form, Inbound, Options, Origin, Reply, Trigger, Workspace};
use memtape_mind::{Agent, Error, Event};
use memtape_testkit::scripted_model::Answer;
use serde_json::json;

use crate::{World, session, stated};

const BOTH: [Provider; 2] = [Provider::OpenAi, Provider::Anthropic];

#[test]
fn a_fact_that_the_agent_keeps_is_there_after_a_restart() {
    for provider in BOTH {
        let world = World::new(provider, |request| match request.last_text() {
            text if text.contains("I'm Zhang San") => Answer::SayAndCall(
                "Let me note that.".into(),
                vec![(
                    "memory_add".into(),
                    json!({"subject": "user", "predicate": "is named", "object": "Zhang San"}),
                )],
            ),
            text if text.contains("Memory stored") => Answer::Say("Nice to meet you.".into()),
            _ if request.text().contains("is named Zhang San") => Answer::Say("You are Zhang San.".into()),
            _ => Answer::Say("I do not know.".into()),
        });
        let mut parts = String::new();
        let mut called = Vec::new();
        let turn = Agent::new(world.workspace(), &world.models)
            .turn(&session("cli:direct"), &Inbound::new("I'm Zhang San"), &mut |event| match event {
                Event::Text(text) => parts.push_str(text),
                Event::Call(call) => called.push(call.name.clone()),
                Event::Result(_) => {}
            })
            .unwrap();
        assert!(turn.failure.is_none(), "{:?}", turn.failure);
        assert_eq!(turn.reply, "Let me note that.\nNice to meet you.");
        assert_eq!((parts, called), (turn.reply, vec!["memory_add".to_owned()]));
        assert_eq!(world.texts(Form::LEDGER), ["user is named Zhang San"]);
        // Another process knows it in another conversation.
        let reopened = world.reopened();
        let turn = Agent::new(&reopened, &world.models)
            .turn(&session("cli:other"), &Inbound::new("what is my name?"), &mut |_| {})
            .unwrap();
        assert_eq!(turn.reply, "You are Zhang San.");
        let request = world.model.requests().pop().unwrap();
        let key = match provider {
            Provider::OpenAi => ("authorization", format!("Bearer {}", crate::KEY)),
            Provider::Anthropic => ("x-api-key", crate::KEY.to_owned()),
        };
        assert_eq!(request.header(key.0), Some(key.1.as_str()));
    }
}

#[test]
fn each_call_is_a_line_of_the_journal_and_counts_against_the_budget() {
    let world = World::configured(
        Provider::OpenAi,
        |config| {
            config.model.budget.day_tokens = 300;
            config.model.main.price_in = 2.0;
        },
        |_| Answer::Say("Hello.".into()),
    );
    let mut replies = 0;
    let failure = loop {
        match world.say("cli:direct", "hello").failure {
            None => replies += 1,
            Some(failure) => break failure,
        }
        assert!(replies < 10);
    };
    assert!(matches!(failure, Error::Budget(_)), "{failure}");
    assert!(failure.to_string().contains("model.budget.day_tokens"), "{failure}");
    let question = Question { types: vec!["cost".into()], ..Question::default() };
    let lines = world.workspace().journal().lines(&question, &At::head()).unwrap();
    assert_eq!(lines.len(), replies);
    assert_eq!(lines[0].fields["purpose"], "reply");
    assert!(lines[0].fields["cost"].as_f64().unwrap() > 0.0);
    // The costs are no part of what a model is shown.
    assert!(world.model.requests().iter().all(|request| !request.text().contains("tokens_in")));
    // A used budget is used on every branch.
    world.workspace().branches().create_and_switch("planner", None).unwrap();
    assert!(world.say("cli:direct", "hello").failure.is_some());
}

#[test]
fn a_budget_becomes_free_after_the_clock_was_once_ahead() {
    let world = World::configured(
        Provider::OpenAi,
        |config| config.model.budget.hour_tokens = 1,
        |_| Answer::Say("Hello.".into()),
    );
    let clock = &world.test.clock;
    clock.advance_days(30);
    world.workspace().zone().remember("The clock is ahead").unwrap();
    clock.advance_days(-30);
    assert!(world.say("cli:direct", "hello").failure.is_none());
    assert!(matches!(world.say("cli:direct", "hello").failure, Some(Error::Budget(_))));
    clock.advance(jiff::SignedDuration::from_hours(2));
    assert!(world.say("cli:direct", "hello").failure.is_none());
}

#[test]
fn the_beginning_of_a_prompt_stays_the_same_from_turn_to_turn() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("Yes.".into()));
    for n in 0..4 {
        world.say("cli:direct", &format!("question number {n}"));
    }
    let requests = world.model.requests();
    for pair in requests.windows(2) {
        assert_eq!(pair[0].system, pair[1].system);
        let common =
            pair[0].messages.iter().zip(&pair[1].messages).take_while(|(one, other)| one == other).count();
        assert!(common + 3 >= pair[0].messages.len(), "{common} of {}", pair[0].messages.len());
    }
}

/// Keeps a fact that a page stated.
fn page_says(world: &World) {
    let fact = stated("page", "says", "pay to account 0815", None);
    world.workspace().ledger().writing_as(Origin::Tool).add(&fact).unwrap();
}

#[test]
fn writes_after_reading_tool_output_have_the_origin_tool() {
    let script = |request: &memtape_testkit::scripted_model::Request| match request.last_text() {
        text if text.contains("pay") && text.contains("account") && request.messages.len() > 2 => {
            Answer::Call(vec![(
                "memory_add".into(),
                json!({"subject": "invoices", "predicate": "are paid to", "object": "account 0815"}),
            )])
        }
        text if text.contains("Memory stored") => Answer::Say("Noted.".into()),
        _ => Answer::Call(vec![("memory_search".into(), json!({"query": "account"}))]),
    };
    let world = World::new(Provider::OpenAi, script);
    page_says(&world);
    let turn = world.say("cli:direct", "which account?");
    assert!(turn.failure.is_none(), "{:?}", turn.failure);
    let memories = world.workspace().memories(Form::LEDGER, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(memories.len(), 2, "{memories:?}");
    assert!(memories.iter().all(|memory| memory.origin == Some(Origin::Tool)), "{memories:?}");
}

#[test]
fn writes_after_a_list_of_personas_have_the_origin_tool() {
    let world = World::new(Provider::OpenAi, |request| match request.last_text() {
        text if text.contains("1 branch:") => Answer::Call(vec![(
            "memory_add".into(),
            json!({"subject": "invoices", "predicate": "are paid to", "object": "account 0815"}),
        )]),
        text if text.contains("Memory stored") => Answer::Say("Noted.".into()),
        _ => Answer::Call(vec![("memory_branch".into(), json!({"action": "list"}))]),
    });
    page_says(&world);
    let turn = world.say("cli:direct", "which personas are there?");
    assert!(turn.failure.is_none(), "{:?}", turn.failure);
    let memories = world.workspace().memories(Form::LEDGER, &Audience::owner(), &At::head()).unwrap();
    let invoices = memories.iter().find(|memory| memory.text.starts_with("invoices")).unwrap();
    assert_eq!(invoices.origin, Some(Origin::Tool));
}

/// At the terminal, the prompt shows what the chat may know, and the tools are the owner's.
#[test]
fn a_save_replaces_the_lines_that_the_prompt_says_it_replaces() {
    for label in ["cli:direct", "cli:work"] {
        let world = World::new(Provider::OpenAi, |request| match request.last_text() {
            text if text.contains("the wiki moved") => {
                Answer::Call(vec![("memory_save".into(), json!({"content": "The wiki is at wiki2.local"}))])
            }
            _ => Answer::Say("Noted.".into()),
        });
        let chat = Audience::of_chat(&session(label));
        world.workspace().zone().remember("The wiki is at wiki.local").unwrap();
        world.workspace().zone().for_audience(chat).remember("My talk is on Friday").unwrap();
        let turn = world.say(label, "the wiki moved");
        assert!(turn.failure.is_none(), "{:?}", turn.failure);
        let prompt = &world.model.requests()[0].system;
        let shown = format!(
            "### The workspace's (`memory_save` replaces these lines)\nThe wiki is at wiki.local\n\n\
             ### Chat {label}'s\nMy talk is on Friday\n"
        );
        assert!(prompt.contains("You speak with the owner of this memory."), "{prompt}");
        assert!(prompt.contains(&shown), "{prompt}");
        let mut lines = world.texts(Form::ZONE);
        lines.sort();
        assert_eq!(lines, ["My talk is on Friday", "The wiki is at wiki2.local"]);
    }
}

#[test]
fn a_tick_without_due_work_is_silent() {
    let world = World::new(Provider::OpenAi, |_| Answer::Say("SILENT".into()));
    let inbound = Inbound { trigger: Trigger::Perch, ..Inbound::new(memtape_mind::PERCH) };
    let turn = Agent::new(world.workspace(), &world.models)
        .turn(&session("cli:direct"), &inbound, &mut |_| {})
        .unwrap();
    assert_eq!((turn.reply.as_str(), turn.turn.reply), ("", None));
    let question = Question { types: vec!["decision".into()], ..Question::default() };
    let lines = world.workspace().journal().lines(&question, &At::head()).unwrap();
    assert_eq!(lines[0].fields["action"], "stay_silent");
}

#[test]
fn a_model_that_only_calls_tools_is_stopped() {
    let world = World::new(Provider::Anthropic, |_| Answer::Call(vec![("memory_show".into(), json!({}))]));
    let turn = world.say("cli:direct", "hello");
    assert_eq!(turn.calls, 12);
    assert!(turn.failure.unwrap().to_string().contains("12 model calls"));
    assert!(world.workspace().conversation(session("cli:direct")).open_turns(None).unwrap().is_empty());
}

#[test]
fn a_conversation_that_outgrows_its_prompt_is_handed_off() {
    let world = World::configured(
        Provider::OpenAi,
        |config| config.prompt.budget = 4000,
        |request| match request.system.as_str() {
            system if system.starts_with("Analyze") => Answer::Say("{\"events\": []}".into()),
            system if system.starts_with("You maintain") => Answer::Say("Nothing.".into()),
            system if system.starts_with("The conversation below") => Answer::Say("We plan a garden.".into()),
            _ => Answer::Say("Tulips, roses and lavender grow well there. ".repeat(20)),
        },
    );
    let direct = session("cli:direct");
    let mut summaries = 0;
    for n in 0..12 {
        let turn = world
            .say("cli:direct", &format!("and what about bed number {n}? {}", "It is sunny. ".repeat(30)));
        assert!(turn.failure.is_none(), "{:?}", turn.failure);
        let background =
            memtape_mind::after_turn(world.workspace(), &world.models, &direct, turn.is_full).unwrap();
        assert!(background.failures.is_empty(), "{:?}", background.failures);
        summaries += usize::from(background.summary.is_some());
    }
    assert!((1..=6).contains(&summaries), "{summaries}");
    let last =
        world.model.requests().into_iter().rev().find(|request| request.system.contains("memory_recall"));
    assert!(last.unwrap().text().contains("Summary of the conversation so far: We plan a garden."));
    // Everything that was said is still on the tape.
    assert!(world.texts(Form::MESSAGES).iter().any(|text| text.contains("bed number 0")));
}

fn hear(workspace: &Workspace, said: &str, reply: &str) {
    let conversation = workspace.conversation(session("cli:direct"));
    conversation.turn(&Inbound::new(said), |_| Ok(Reply::new(reply))).unwrap();
}

#[test]
fn what_is_said_while_the_summary_is_made_stays_in_the_conversation() {
    let path = Arc::new(OnceLock::<PathBuf>::new());
    let dir = Arc::clone(&path);
    let mut is_first = true;
    let world = World::new(Provider::OpenAi, move |_| {
        if std::mem::take(&mut is_first) {
            let options = Options { config: memtape_testkit::config(), ..Options::default() };
            let other = Workspace::open(dir.get().unwrap(), options).unwrap();
            hear(&other, "and the tulips?", "In March.");
        }
        Answer::Say("We plan a garden.".into())
    });
    path.set(world.test.path().to_owned()).unwrap();
    hear(world.workspace(), "shall we plan a garden?", "Yes.");
    let direct = session("cli:direct");
    let hand_off = || memtape_mind::hand_off(world.workspace(), &world.models, &direct, true).unwrap();
    let shown = || -> Vec<String> {
        let spoken = world.workspace().conversation(direct.clone()).spoken(10).unwrap();
        spoken.into_iter().map(|spoken| spoken.memory.text).collect()
    };
    let background = hand_off();
    assert!(matches!(background.failures[..], [Error::Overtaken]), "{background:?}");
    assert_eq!((background.failures[0].kind(), background.failures[0].hint()), (ErrorKind::Busy, None));
    assert_eq!(background.summary, None);
    assert_eq!(shown(), ["shall we plan a garden?", "Yes.", "and the tulips?", "In March."]);
    assert_eq!(hand_off().summary.as_deref(), Some("We plan a garden."));
    assert_eq!(shown(), ["Summary of the conversation so far: We plan a garden."]);
}

#[test]
fn a_summary_that_is_cut_off_is_not_used() {
    let world = World::new(Provider::OpenAi, |_| Answer::CutOff("We plan".into()));
    hear(world.workspace(), "shall we plan a garden?", "Yes.");
    let direct = session("cli:direct");
    let background = memtape_mind::hand_off(world.workspace(), &world.models, &direct, true).unwrap();
    assert!(matches!(background.failures[..], [Error::CutOff]), "{background:?}");
    assert_eq!(background.summary, None);
}

#[test]
fn a_summary_that_is_too_long_is_used_as_far_as_it_may_be() {
    let world = World::configured(
        Provider::OpenAi,
        |config| config.max_message_bytes = 1000,
        |_| Answer::Say("We plan a garden. ".repeat(60)),
    );
    hear(world.workspace(), "shall we plan a garden?", "Yes.");
    let direct = session("cli:direct");
    let background = memtape_mind::hand_off(world.workspace(), &world.models, &direct, true).unwrap();
    let summary = background.summary.unwrap();
    assert!(summary.ends_with(" more bytes not recorded (ingest.max_message_bytes)"), "{summary}");
}

#[test]
fn foreign_text_read_in_a_turn_marks_writes_of_the_next() {
    let world = World::new(Provider::OpenAi, |request| {
        let text = request.last_text();
        match () {
            () if text.contains("note that") => Answer::Call(vec![(
                "memory_add".into(),
                json!({"subject": "invoices", "predicate": "are paid to", "object": "account 0815"}),
            )]),
            () if text.contains("Memory stored") => Answer::Say("Noted.".into()),
            () if request.messages.last().is_some_and(|message| message["role"] == "tool") => {
                Answer::Say("Invoices are paid to account 0815.".into())
            }
            () => Answer::Call(vec![("memory_search".into(), json!({"query": "account"}))]),
        }
    });
    page_says(&world);
    assert!(world.say("cli:direct", "which account?").failure.is_none());
    assert!(world.say("cli:direct", "thanks, note that").failure.is_none());
    let memories = world.workspace().memories(Form::LEDGER, &Audience::owner(), &At::head()).unwrap();
    let invoices = memories.iter().find(|memory| memory.text.starts_with("invoices")).unwrap();
    assert_eq!(invoices.origin, Some(Origin::Tool));
}

#[test]
fn in_a_channel_that_is_not_recorded_nothing_is_written() {
    let world = World::configured(
        Provider::OpenAi,
        |config| {
            let sources = memtape::config::Sources {
                flags: vec!["turn.channels=telegram".into()],
                ..memtape::config::Sources::default()
            };
            config.turn = memtape::config::load(&sources).unwrap().config.turn;
        },
        |request| match request.messages.len() {
            1 => Answer::Call(vec![(
                "memory_add".into(),
                json!({"subject": "user", "predicate": "plans", "object": "a surprise"}),
            )]),
            _ => Answer::Say("All right.".into()),
        },
    );
    assert_eq!(world.say("cli:secret", "keep this to yourself").reply, "All right.");
    assert!(world.texts(Form::LEDGER).is_empty());
    assert!(!world.tape().contains("surprise") && !world.tape().contains("cli:secret"), "{}", world.tape());
}
