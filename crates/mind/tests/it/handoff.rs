//! What a summary is made of, and what continues without one.

use memtape::config::Provider;
use memtape::{Inbound, Origin, Reply, ToolUse, Trigger};
use memtape_mind::{Agent, after_turn, hand_off};
use memtape_testkit::scripted_model::{Answer, Request};
use serde_json::json;

use crate::{World, session};

/// Answers the first request for a summary with one, and later ones with another.
fn summaries() -> impl FnMut(&Request) -> Answer + Send + 'static {
    let mut is_first = true;
    move |request| match request.system.as_str() {
        system if system.starts_with("Analyze") => Answer::Say("{\"events\": []}".into()),
        system if system.starts_with("The conversation below") && std::mem::take(&mut is_first) => {
            Answer::Say("We plan a garden.".into())
        }
        _ => Answer::Say("We plant tulips.".into()),
    }
}

fn hear(world: &World, said: &str, reply: &Reply) {
    let conversation = world.workspace().conversation(session("cli:direct"));
    conversation.turn(&Inbound::new(said), |_| Ok(reply.clone())).unwrap();
}

#[test]
fn a_summary_takes_the_summary_before_it_into_account() {
    let world = World::configured(Provider::OpenAi, |config| config.prompt.budget = 8000, summaries());
    let direct = session("cli:direct");
    hear(&world, "shall we plan a garden?", &Reply::new("Yes."));
    let background = hand_off(world.workspace(), &world.models, &direct, true).unwrap();
    assert_eq!(background.summary.as_deref(), Some("We plan a garden."));
    for n in 0..40 {
        hear(&world, &format!("and bed number {n}?"), &Reply::new(&"It is sunny. ".repeat(50)));
    }
    let background = hand_off(world.workspace(), &world.models, &direct, true).unwrap();
    assert_eq!(background.summary.as_deref(), Some("We plant tulips."), "{background:?}");
    let shown = world.model.requests().pop().unwrap().last_text();
    assert!(shown.contains("so far: We plan a garden.") && shown.contains("(the beginning is left out)"));
    assert!(shown.contains("bed number 39?") && !shown.contains("bed number 0?"));
}

#[test]
fn replies_after_the_output_of_a_tool_are_summed_up_with_its_origin() {
    let world = World::new(Provider::OpenAi, summaries());
    let direct = session("cli:direct");
    let tool = ToolUse { name: "fetch".into(), arguments: json!({}), result: Some("account 0815".into()) };
    hear(&world, "what does it cost?", &Reply { tools: vec![tool], ..Reply::new("I promise to find out.") });
    hand_off(world.workspace(), &world.models, &direct, true).unwrap();
    let shown = world.model.requests().pop().unwrap().last_text();
    assert!(shown.contains("I promise to find out.") && !shown.contains("0815"), "{shown}");
    let conversation = world.workspace().conversation(direct);
    let spoken = conversation.spoken(10).unwrap();
    assert_eq!((spoken.len(), spoken[0].memory.origin), (1, Some(Origin::Tool)), "{spoken:?}");
    // What is written after it keeps the origin.
    let turn = conversation.begin(&Inbound::new("and then?")).unwrap();
    assert_eq!(turn.briefing().seen, Some(Origin::Tool));
}

#[test]
fn a_conversation_without_people_continues_with_the_last_replies() {
    let world = World::configured(
        Provider::OpenAi,
        |config| config.prompt.budget = 4000,
        |_| Answer::Say("Tulips, roses and lavender grow well there. ".repeat(20)),
    );
    let perch = session("cli:perch");
    let tick = format!("look around. {}", "It is sunny. ".repeat(30));
    let inbound = Inbound { trigger: Trigger::Perch, ..Inbound::new(&tick) };
    let mut summaries = Vec::new();
    for _ in 0..12 {
        let turn = Agent::new(world.workspace(), &world.models).turn(&perch, &inbound, &mut |_| {}).unwrap();
        assert!(turn.failure.is_none(), "{:?}", turn.failure);
        let background = after_turn(world.workspace(), &world.models, &perch, turn.is_full).unwrap();
        assert!(background.failures.is_empty(), "{:?}", background.failures);
        summaries.extend(background.summary);
    }
    assert!(summaries.first().is_some_and(|summary| summary.starts_with("Tulips")), "{summaries:?}");
    assert_eq!(world.model.requests().len(), 12);
}
