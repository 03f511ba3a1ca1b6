//! Who sees a statement.

use memtape::{
    Added, At, Audience, Category, ErrorKind, Inbound, Layer, Lifetime, Origin, Reply, Sensitivity, Session,
};
use memtape_testkit::TestWorkspace;

use super::{DAY_HOURS, add, both, capture, chat, in_each_scope, of, search, standing, texts};

#[test]
fn each_sees_their_chat_s_their_own_and_the_workspace_s() {
    let test = in_each_scope();
    let found = |audience| {
        let mut found = search(&test, "tea", audience);
        found.sort();
        found
    };
    assert_eq!(found(chat("telegram:1")), ["everybody's tea", "the chat's tea"]);
    assert_eq!(found(chat("telegram:1:thread")), ["everybody's tea", "the chat's tea"]);
    assert_eq!(
        found(both("telegram:2", "telegram:42")),
        ["everybody's tea", "the other chat's tea", "the user's tea"]
    );
    assert_eq!(found(both("telegram:1", "telegram:42").only(Layer::User)), ["the user's tea"]);
    assert_eq!(found(chat("discord:1")), ["everybody's tea"]);
    assert_eq!(found(Audience::owner()).len(), 4);
}

#[test]
fn a_users_decision_is_hidden_in_their_other_chats() {
    let test = TestWorkspace::new();
    let user = || both("telegram:1", "telegram:42").only(Layer::User);
    for category in Category::ALL {
        add(&test, &format!("a {category} about tea"), category, user());
    }
    for audience in [user(), both("telegram:2", "telegram:42"), both("telegram:1", "telegram:42")] {
        let mut found = search(&test, "tea", audience.clone());
        found.sort();
        assert_eq!(found, ["a fact about tea", "a preference about tea"]);
        let log = test.workspace.tape().for_audience(audience);
        let log = format!("{:?}", log.log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap());
        assert!(!log.contains("a decision about") && !log.contains("a episodic about"), "{log}");
    }
}

#[test]
fn private_is_scoped_and_confidential_is_shown_by_ref_only() {
    let test = TestWorkspace::new();
    let tell = |text: &str, sensitivity, audience| {
        let statements = of(&test, audience).with_sensitivity(sensitivity);
        statements.add(&Added::new(text, Category::Fact)).unwrap().reference().clone()
    };
    tell("the tea of a chat", Sensitivity::Private, chat("telegram:1"));
    tell("the tea of the terminal", Sensitivity::Private, Audience::owner());
    let secret = tell("the tea of nobody", Sensitivity::Confidential, chat("telegram:1"));
    assert_eq!(search(&test, "tea", chat("telegram:1")), ["the tea of a chat"]);
    assert_eq!(search(&test, "tea", chat("telegram:2")), Vec::<String>::new());
    assert_eq!(search(&test, "tea", Audience::owner()).len(), 2);
    assert_eq!(texts(&test.workspace.statements().holding("tea").unwrap()).len(), 2);
    assert_eq!(standing(&test, &secret).unwrap().text, "the tea of nobody");
    let asked = test.workspace.show(&secret, &chat("telegram:1"), &At::head());
    assert_eq!(asked.unwrap_err().kind(), ErrorKind::NotFound);
    // Repeating it without a sensitivity does not make it public.
    tell("the tea of nobody", Sensitivity::Normal, chat("telegram:1"));
    assert_eq!(standing(&test, &secret).unwrap().sensitivity, Sensitivity::Confidential);
}

#[test]
fn an_episodic_statement_is_limited_to_its_conversation_and_a_day() {
    let test = TestWorkspace::new();
    capture(&test, "telegram:1:a", "answer by voice", Lifetime::Session, Origin::User);
    let found = |label: &str| search(&test, "voice", chat(label));
    assert_eq!(found("telegram:1:a"), ["answer by voice"]);
    assert_eq!(found("telegram:1:b"), Vec::<String>::new());
    assert_eq!(found("telegram:1"), Vec::<String>::new());
    test.clock.advance(jiff::SignedDuration::from_hours(DAY_HOURS));
    assert_eq!(found("telegram:1:a"), Vec::<String>::new());
    // A statement that is added explicitly is permanent.
    add(&test, "answer by voice", Category::Preference, chat("telegram:1"));
    test.clock.advance_days(30);
    assert_eq!(found("telegram:1:b"), ["answer by voice"]);
}

/// The chat of a project keeps what is said of the project; what is said of oneself is known in every project.
#[test]
fn facts_of_a_project_stay_in_its_chat() {
    let test = TestWorkspace::new();
    let alpha = test.workspace.conversation(Session::parse("project:alpha").unwrap());
    for (text, is_of_user) in [
        ("I prefer tabs to spaces", true),
        ("I live in Leeds", true),
        ("We use Postgres 16 for the orders", false),
        ("Our client contact is Maria Lopez", false),
    ] {
        let inbound = Inbound { user: Some("project:owner".to_owned()), ..Inbound::new(text) };
        let captured = alpha.turn(&inbound, |_| Ok(Reply::default())).unwrap().captured;
        let scopes: Vec<_> = captured.iter().map(|captured| captured.scope.layer()).collect();
        assert_eq!(scopes, [if is_of_user { Layer::User } else { Layer::Chat }], "{text} {captured:?}");
    }
}
