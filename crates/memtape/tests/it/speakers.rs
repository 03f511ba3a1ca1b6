//! Speakers: which user an ID on a channel belongs to, and which name is shown.
use memtape::journal::Question;
use memtape::{At, Audience, Config, Inbound, Prompting, Recall, Reply, Session, Workspace};
use memtape_testkit::TestWorkspace;

fn session(label: &str) -> Session {
    Session::parse(label).unwrap()
}

/// Returns a workspace that declares Ana on Telegram and on IRC, where users choose their own IDs.
fn workspace() -> TestWorkspace {
    let mut config = Config::default();
    config.users.insert("ana".into(), vec!["telegram:42".into(), "irc:ana_m".into()]);
    TestWorkspace::configured(config)
}

fn scopes(workspace: &Workspace, label: Option<&str>, user: &str) -> Vec<String> {
    let audience = workspace.audience(label.map(session).as_ref(), Some(user)).unwrap();
    audience.scopes().unwrap().iter().map(|scope| scope.text("w")).collect()
}

fn says(workspace: &Workspace, label: &str, user: Option<&str>, name: Option<&str>, text: &str) {
    let (user, name) = (user.map(str::to_owned), name.map(str::to_owned));
    let inbound = Inbound { user, name, ..Inbound::new(text) };
    workspace.conversation(session(label)).turn(&inbound, |_| Ok(Reply::default())).unwrap();
}

#[test]
fn no_id_that_a_stranger_chooses_is_a_declared_person_s() {
    let test = workspace();
    for nick in ["ana", "@ana", "telegram:42", "ANA", "%61na_m", "irc%3Aana_m", "ana:server.org"] {
        let seen = scopes(&test.workspace, Some("irc:room"), nick);
        assert_eq!(seen.len(), 3, "{nick} sees {seen:?}");
        assert!(
            !seen.iter().any(|scope| scope.contains("user:42")
                || scope.contains("ana_m")
                    && scope != "channel:irc:user:%2561na_m"
                    && scope != "channel:irc:user:irc%253Aana_m"),
            "{seen:?}"
        );
        assert!(seen[1].starts_with("channel:irc:user:"), "{seen:?}");
    }
    // It does not write to her memories either.
    says(&test.workspace, "irc:room", Some("ana"), None, "I prefer green tea");
    let ana = test.workspace.audience(None, Some("@ana")).unwrap();
    let recall = Recall { audience: ana, ..Recall::new("green tea") };
    assert!(test.workspace.recall(&recall, &At::head()).unwrap().hits.is_empty());
}

#[test]
fn an_id_of_a_declared_person_applies_on_every_channel() {
    let test = workspace();
    let both = ["channel:telegram:user:42", "channel:irc:user:ana_m"];
    for (label, user) in [
        (Some("telegram:1"), "42"),
        (Some("telegram:1"), "telegram:42"),
        (Some("irc:room"), "ana_m"),
        (None, "telegram:42"),
        (None, "@ana"),
        (Some("cli:direct"), "@ana"),
        (Some("cli:direct"), "irc:ana_m"),
    ] {
        let seen = scopes(&test.workspace, label, user);
        assert!(both.iter().all(|scope| seen.iter().any(|other| other == scope)), "{user}: {seen:?}");
    }
}

#[test]
fn an_ambiguous_user_error_explains_the_syntax() {
    let test = workspace();
    let told = |label: Option<&str>, user: &str| {
        test.workspace.audience(label.map(session).as_ref(), Some(user)).unwrap_err().to_string()
    };
    for label in [None, Some("cli:direct")] {
        let said = told(label, "ana");
        assert!(said.contains("@ana") && said.contains("CHANNEL:ana"), "{said}");
        assert!(told(label, "@bob").contains("declares no user \"bob\""));
        assert!(told(label, "@ana:server.org").contains("CHANNEL:@ana:server.org"));
    }
    let seen = scopes(&test.workspace, Some("matrix:%21room%3Aserver.org"), "@ana:server.org");
    assert_eq!(seen[1], "channel:matrix:user:%40ana%3Aserver.org");
    assert_eq!(scopes(&test.workspace, None, "matrix:@ana:server.org")[0], seen[1]);
}

#[test]
fn an_escape_is_no_second_name_of_a_chat() {
    let test = workspace();
    says(&test.workspace, "telegram:B", None, None, "the blue door");
    for label in ["telegram:%42", "tele%67ram:B", "telegram:B%00"] {
        let recall = Recall { audience: Audience::of_chat(&session(label)), ..Recall::new("blue door") };
        assert!(test.workspace.recall(&recall, &At::head()).unwrap().hits.is_empty(), "{label}");
    }
}

#[test]
fn who_spoke_is_on_the_tape_and_shown_by_name() {
    let test = workspace();
    let group = "telegram:-100";
    says(&test.workspace, group, Some("42"), Some("Anita"), "the boat is red");
    says(&test.workspace, group, Some("7"), Some("Bert"), "the boat is blue");
    says(&test.workspace, group, Some("tom"), None, "the boat is green");
    let conversation = test.workspace.conversation(session(group));
    let inbound = Inbound { user: Some("42".into()), ..Inbound::new("which boat?") };
    let prompt = conversation.prompt(&inbound, &Prompting::default(), &At::head()).unwrap();
    let shown: Vec<&str> = prompt
        .messages
        .iter()
        .filter_map(|message| message.content.split_once("from=\"")?.1.split_once('"').map(|(from, _)| from))
        .collect();
    // The declared name takes precedence over the name in the message, and that over the ID.
    assert_eq!(shown, ["ana", "Bert", "tom"]);
    assert!(prompt.messages.last().unwrap().content.contains("[Message from \"ana\"]"));
    let question = Question { types: vec!["trigger".into()], ..Question::default() };
    let lines = test.workspace.journal().lines(&question, &At::head()).unwrap();
    let from: Vec<_> = lines.iter().map(|line| line.fields["from"].as_str().unwrap().to_owned()).collect();
    assert_eq!(from, ["ana", "Bert", "tom"]);
    let recalled = test.workspace.recall(&Recall::new("boat green"), &At::head()).unwrap();
    assert_eq!(recalled.hits[0].speaker.as_deref(), Some("tom"));
    let tape = std::fs::read_to_string(test.path().join("tape.jsonl")).unwrap();
    assert!(tape.contains(r#""user":"telegram:tom""#));
    let mirror =
        std::fs::read_to_string(test.path().join("mirror/session-state/telegram%3A-100.md")).unwrap();
    assert!(mirror.contains("- from: tom\n- user: the boat is green"), "{mirror}");
}

#[test]
fn a_statement_in_a_group_has_its_speaker() {
    let test = workspace();
    says(&test.workspace, "irc:room", Some("tom"), Some("Tom"), "I'll bring the cake on Sunday");
    says(&test.workspace, "irc:room", Some("eva"), Some("Eva"), "good, see you all there then");
    test.workspace.tape().handoff("another task", None, &session("irc:room")).unwrap();
    says(&test.workspace, "irc:room", Some("tom"), Some("Tom"), "hello again");
    let asked = Inbound {
        user: Some("eva".into()),
        name: Some("Eva".into()),
        ..Inbound::new("what do I have to bring on Sunday?")
    };
    let mut shown = String::new();
    let conversation = test.workspace.conversation(session("irc:room"));
    conversation
        .turn(&asked, |context| {
            shown.push_str(&format!("{context:?}"));
            Ok(Reply::default())
        })
        .unwrap();
    assert!(shown.contains("episodic of Tom: "), "{shown}");
}
