//! What a turn recalls.

use memtape::{Added, At, Category, Inbound, Recall, Reply};
use memtape_testkit::TestWorkspace;

use super::{out_of_sight, recalled, remembers, said, said_by, session, texts};

#[test]
fn what_the_conversation_shows_anyway_is_not_recalled() {
    let test = TestWorkspace::new();
    said(&test.workspace, "the boiler makes a strange noise");
    let turn = said(&test.workspace, "what about the boiler and its noise?");
    assert_eq!(recalled(&turn), Vec::<&str>::new());
    // A message that the prompt no longer shows is recalled.
    out_of_sight(&test.workspace);
    let turn = said(&test.workspace, "the boiler again: that strange noise!");
    assert!(recalled(&turn).contains(&"the boiler makes a strange noise"), "{:?}", recalled(&turn));
}

#[test]
fn what_is_replied_to_helps_to_recall() {
    let test = TestWorkspace::new();
    remembers(&test, "The garage opens at seven");
    let inbound =
        Inbound { reply_to: Some("when can I bring the car to the garage?".into()), ..Inbound::new("so?") };
    let turn =
        test.workspace.conversation(session("telegram:1")).turn(&inbound, |_| Ok(Reply::default())).unwrap();
    assert_eq!(recalled(&turn), ["The garage opens at seven"]);
    assert_eq!(turn.counters.recall_hit, 1);
    assert_eq!(turn.counters.prompt_chars, turn.memory.chars().count() as u64);
}

#[test]
fn a_turn_does_not_count_the_matches_that_nobody_asked_for() {
    let mut config = memtape_testkit::config();
    config.recall.floor = 0.0;
    let test = TestWorkspace::configured(config);
    for place in [
        "Faro", "Lagos", "Tavira", "Porto", "Braga", "Evora", "Setubal", "Coimbra", "Aveiro", "Leiria",
        "Viseu", "Beja",
    ] {
        let text = format!("The harbour of {place} has a kayak club");
        test.workspace.statements().add(&Added::new(&text, Category::Fact)).unwrap();
    }
    let query = "Which harbour has a kayak club?";
    let asked = test.workspace.recall(&Recall { limit: Some(2), ..Recall::new(query) }, &At::head()).unwrap();
    assert!(asked.left.over_results > 0, "{asked:?}");
    let turn = said(&test.workspace, query);
    assert!(!turn.recalled.hits.is_empty(), "{turn:?}");
    assert_eq!(turn.recalled.left.over_results, 0, "{turn:?}");
}

#[test]
fn a_message_s_memory_part_never_exceeds_its_characters() {
    let mut config = memtape_testkit::config();
    config.recall.max_prompt_chars = 300;
    let test = TestWorkspace::configured(config);
    for n in 0..8 {
        let text = format!("tea line {n} {}", "and so on ".repeat(n * 6));
        remembers(&test, &text);
    }
    let turn = said(&test.workspace, "what about the tea line?");
    assert!(!turn.memory.is_empty() && turn.memory.chars().count() <= 300, "{}", turn.memory);
    assert_eq!(turn.memory.lines().count(), turn.recalled.hits.len() + 3);
}

#[test]
fn a_group_sees_nothing_of_another_chat_that_is_not_about_the_message() {
    let test = TestWorkspace::new();
    let direct = said_by(
        &test.workspace,
        "telegram:dm",
        Some("42"),
        "I earn a fortune and I hate my brother Karl",
        "",
    );
    assert!(!texts(&direct).is_empty());
    said_by(&test.workspace, "telegram:family", Some("43"), "hi, it's Karl's wife", "");
    let turn = said_by(&test.workspace, "telegram:family", Some("42"), "who brings the cake on Sunday?", "");
    assert!(!turn.memory.contains("fortune"), "{}", turn.memory);
    // Nor does recall show what is only remotely about the message before others.
    assert_eq!(recalled(&turn), [""; 0]);
}

#[test]
fn what_others_are_not_to_know_stays_in_its_chat_and_what_changes_a_life_does_not() {
    let test = TestWorkspace::new();
    let scope = |text: &str| {
        let turn = said(&test.workspace, text);
        turn.captured.first().map(|captured| format!("{:?}", captured.scope).to_lowercase())
    };
    let chat = scope("I'm pregnant but nobody at work may know yet").unwrap();
    assert!(chat.contains("chat"), "{chat}");
    let user = scope("We moved to York last weekend").unwrap();
    assert!(user.contains("user"), "{user}");
}
