//! Which message "forget that" and "no, on Thursday" mean.

use memtape::turn::Reason;
use memtape::{At, Audience, FinishedTurn, Inbound, Recall, Reply, Workspace};
use memtape_testkit::TestWorkspace;

use super::{said, said_by, session, texts};

fn forgotten(turn: &FinishedTurn) -> Vec<&str> {
    turn.forgotten.iter().map(|memory| memory.text.as_str()).collect()
}

fn replied(workspace: &Workspace, user: &str, text: &str, reply_to: &str) -> FinishedTurn {
    let (user, reply_to) = (Some(user.to_owned()), Some(reply_to.to_owned()));
    let inbound = Inbound { user, reply_to, ..Inbound::new(text) };
    workspace.conversation(session("telegram:1")).turn(&inbound, |_| Ok(Reply::default())).unwrap()
}

#[test]
fn what_was_not_kept_is_not_passed_over_for_an_older_statement() {
    for (said_before, request) in [
        (vec!["I have asthma.", "Between you and me, my boss drinks."], "Forget that."),
        (vec!["I have asthma.", "I love tea.", "Forget what I just said."], "Forget what I just said."),
        (vec!["My flight is on Monday.", "Between you and me: my date is on Friday."], "No, on Thursday."),
        (
            vec!["My flight is on Monday.", "My appointment is on Friday.", "Forget what I just said."],
            "No, on Thursday.",
        ),
    ] {
        let test = TestWorkspace::new();
        for text in &said_before {
            said(&test.workspace, text);
        }
        let turn = said(&test.workspace, request);
        assert_eq!((forgotten(&turn), texts(&turn)), (vec![], vec![]), "{said_before:?} {request}");
    }
}

#[test]
fn a_reply_means_the_message_that_it_replies_to() {
    for (reply_to, expected) in [
        ("I have asthma.", vec!["I have asthma"]),
        ("So you have asthma.", vec!["I have asthma"]),
        ("I love cats.", vec![]),
        ("Noted.", vec![]),
        ("Something else", vec![]),
    ] {
        let test = TestWorkspace::new();
        let say = |user: &str, text: &str, reply: &str| {
            said_by(&test.workspace, "telegram:1", Some(user), text, reply);
        };
        say("42", "I have asthma.", "So you have asthma.");
        say("7", "I love cats.", "Noted.");
        say("42", "I love tea.", "Noted.");
        let turn = replied(&test.workspace, "42", "Forget that.", reply_to);
        assert_eq!(forgotten(&turn), expected, "{reply_to}");
        let is_reported = turn.dropped.iter().any(|dropped| dropped.why == Reason::NothingToForget);
        assert_eq!(is_reported, expected.is_empty(), "{reply_to}");
    }
    let test = TestWorkspace::new();
    said(&test.workspace, "My appointment is on Friday.");
    said(&test.workspace, "My flight is on Monday.");
    let turn = replied(&test.workspace, "42", "No, on Thursday.", "My appointment is on Friday.");
    assert!(forgotten(&turn)[0].starts_with("My appointment is on Friday"), "{turn:?}");
    let turn = replied(&test.workspace, "42", "No, on Sunday.", "Is it on Friday?");
    assert_eq!(forgotten(&turn), [""; 0]);
}

#[test]
fn a_message_without_a_statement_can_be_forgotten() {
    let test = TestWorkspace::new();
    let say = |text: &str, reply: &str| said_by(&test.workspace, "telegram:1", Some("42"), text, reply);
    say("I have asthma.", "");
    let turn = say("My boss Karl drinks.", "Karl drinks? Oh.");
    assert_eq!(texts(&turn), [""; 0]);
    let found = |at: &At| -> Vec<String> {
        let recall = Recall { audience: Audience::owner(), ..Recall::new("boss Karl drinks") };
        let hits = test.workspace.recall(&recall, at).unwrap().hits;
        hits.into_iter().map(|hit| hit.memory.text).filter(|text| text.contains("Karl")).collect()
    };
    assert_eq!(found(&At::head()).len(), 2);
    let entry = test.workspace.status(&At::head()).unwrap().entries;
    let turn = say("Forget what I just said.", "Done.");
    assert_eq!(forgotten(&turn), ["My boss Karl drinks."]);
    assert_eq!(found(&At::head()), [""; 0]);
    assert_eq!(found(&At::entry(entry)).len(), 2);
    let conversation = test.workspace.conversation(session("telegram:1"));
    let prompt = conversation.prompt(&Inbound::new("hello"), &memtape::Prompting::default(), &At::head());
    let prompt = prompt.unwrap();
    let shown = prompt.messages.iter().map(|message| &*message.content).collect::<String>();
    assert!(!shown.contains("Karl") && !prompt.system.contains("Karl"), "{shown}");
    assert!(
        conversation.context(&At::head()).unwrap().iter().all(|entry| !entry.payload.get().contains("Karl"))
    );
    assert_eq!(forgotten(&say("Forget what I just said.", "")), [""; 0]);
}

#[test]
fn what_a_message_says_itself_is_meant_and_no_older_one() {
    for text in ["Karl cheats on his wife. Forget what I just said.", "My boss Karl drinks. Forget that."] {
        let test = TestWorkspace::new();
        said(&test.workspace, "I have asthma.");
        let turn = said(&test.workspace, text);
        assert_eq!((forgotten(&turn), texts(&turn)), (vec![], vec![]), "{text}");
        assert!(!turn.dropped.is_empty(), "{text}");
        super::out_of_sight(&test.workspace);
        let recall = Recall { audience: Audience::owner(), ..Recall::new("Karl drinks, cheats on his wife") };
        let hits = test.workspace.recall(&recall, &At::head()).unwrap().hits;
        assert!(hits.iter().all(|hit| !hit.memory.text.contains("Karl")), "{text}");
    }
}

#[test]
fn one_person_forgets_by_one_id_what_they_said_before_by_another() {
    let mut config = memtape_testkit::config();
    config.users.insert("ana".into(), vec!["telegram:42".into(), "telegram:43".into()]);
    let test = TestWorkspace::configured(config);
    let say = |user: &str, text: &str| said_by(&test.workspace, "telegram:team", Some(user), text, "");
    say("42", "I have asthma.");
    say("43", "I love tea.");
    assert_eq!(forgotten(&say("42", "Forget that.")), ["I love tea"]);
}

#[test]
fn the_message_of_an_interrupted_turn_is_shown_no_longer_once_it_is_forgotten() {
    let test = TestWorkspace::new();
    let conversation = test.workspace.conversation(session("telegram:1"));
    let inbound = Inbound { user: Some("42".into()), ..Inbound::new("My boss Karl drinks.") };
    conversation.turn(&inbound, |_| Err(memtape::Error::Model("no answer".into()))).unwrap_err();
    let shown = || {
        let entries = conversation.context(&At::head()).unwrap();
        entries.iter().any(|entry| entry.payload.get().contains("Karl"))
    };
    assert!(shown());
    let turn = said(&test.workspace, "Forget what I just said.");
    assert_eq!(forgotten(&turn), ["My boss Karl drinks."]);
    assert!(!shown());
}
