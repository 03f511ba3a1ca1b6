//! What a message states has ended, takes back or corrects.

use memtape::StatementOutcome;
use memtape::statements::Selection;
use memtape::turn::Reason;
use memtape::{
    At, Audience, CommitQuestion, Config, FinishedTurn, Inbound, Origin, Prompting, Recall, Reply, Workspace,
};
use memtape_capture::Why;
use memtape_testkit::TestWorkspace;
use serde_json::json;

use super::{out_of_sight, recalled, said, said_by, session, texts};

fn forgotten(turn: &FinishedTurn) -> Vec<String> {
    turn.forgotten.iter().map(|memory| memory.text.clone()).collect()
}

fn said_on(workspace: &Workspace, text: &str, date: &str) -> FinishedTurn {
    let said_at = Some(date.parse().unwrap());
    let inbound = Inbound { user: Some("42".into()), said_at, ..Inbound::new(text) };
    workspace.conversation(session("telegram:1")).turn(&inbound, |_| Ok(Reply::default())).unwrap()
}

#[test]
fn what_the_speaker_says_has_ended_or_asks_to_forget_is_forgotten() {
    let test = TestWorkspace::new();
    let gone = |text: &str| -> Vec<String> {
        said(&test.workspace, text).forgotten.into_iter().map(|memory| memory.text).collect()
    };
    said(&test.workspace, "I eat meat. I live in Leeds. I hate it when people smoke. We use Jira");
    said_by(&test.workspace, "telegram:9", Some("99"), "I eat meat and I live in Leeds", "");
    assert_eq!(gone("I no longer eat meat"), ["I eat meat"]);
    assert_eq!(gone("I don't smoke any more"), [""; 0]);
    assert_eq!(gone("please forget that I live in Leeds"), ["I live in Leeds"]);
    // Nor does it end what is said of somebody else, or by somebody else in the chat.
    said(&test.workspace, "my sister lives in Cork");
    assert_eq!(gone("forget that I live in Cork"), [""; 0]);
    // What a statement says besides is not lost.
    said(&test.workspace, "please remember that I work as a nurse and I live in Hull");
    assert_eq!(gone("I no longer live in Hull"), ["I work as a nurse and I live in Hull"]);
    let texts = || -> Vec<String> {
        let listed = test.workspace.statements().list(&Selection::default(), &At::head()).unwrap();
        listed.into_iter().map(|statement| statement.memory.text).collect()
    };
    assert!(texts().contains(&"I work as a nurse".to_owned()));
    // The statement itself stays.
    assert!(texts().contains(&"I no longer eat meat".to_owned()));
    assert_eq!(texts().iter().filter(|text| text.contains("live in Leeds")).count(), 1, "{:?}", texts());
}

#[test]
fn what_the_speaker_says_of_themselves_and_another_is_theirs_too() {
    let test = TestWorkspace::new();
    said(&test.workspace, "please remember that Ana and I live in Porto");
    assert_eq!(forgotten(&said(&test.workspace, "I no longer live in Porto")), ["Ana and I live in Porto"]);
    said(&test.workspace, "please remember that Ana and I have a boat");
    let turn = said(&test.workspace, "please forget that Ana and I have a boat");
    assert_eq!(forgotten(&turn), ["Ana and I have a boat"]);
}

#[test]
fn who_leaves_for_good_can_have_all_forgotten() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I live in Leeds. I'm allergic to nuts");
    said_by(&test.workspace, "telegram:9", Some("99"), "I live in Hull", "");
    let turn = said(&test.workspace, "Forget everything I told you (except my allergy).");
    assert_eq!(forgotten(&turn), [""; 0]);
    let mut gone = forgotten(&said(&test.workspace, "I'm done here, please delete all you know about me."));
    gone.sort();
    assert_eq!(gone, ["I live in Leeds", "I'm allergic to nuts"]);
}

#[test]
fn what_an_agent_wrote_of_a_forgotten_statement_is_named() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let saves = |label: &str, lines: &str| {
        let audience = Audience::of_chat(&session(label));
        let tools = workspace.tools().for_session(session(label)).for_audience(audience);
        tools.call("memory_save", json!({"content": lines})).unwrap();
    };
    said(workspace, "I live in Porto. I have a dog");
    saves("telegram:1", "User lives in Porto.\nUser works in Porto.");
    saves("telegram:9", "Their user lives in Porto, too.");
    let turn = said(workspace, "please forget that I live in Porto");
    assert_eq!(forgotten(&turn), ["I live in Porto"]);
    let copies: Vec<&str> = turn.copies.iter().map(|hit| hit.memory.text.as_str()).collect();
    assert_eq!(copies, ["User lives in Porto."]);
    assert!(said(workspace, "please forget that I have a dog").copies.is_empty());
}

#[test]
fn the_summary_of_a_handoff_that_says_what_was_forgotten_is_named() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I work at Acme");
    let conversation = test.workspace.conversation(session("telegram:1"));
    assert!(conversation.hand_off("The user works at Acme and plans a garden.", u64::MAX, &[]).unwrap());
    let turn = said(&test.workspace, "please forget that I work at Acme");
    assert_eq!(forgotten(&turn), ["I work at Acme"]);
    let copies: Vec<&str> = turn.copies.iter().map(|hit| hit.memory.text.as_str()).collect();
    assert_eq!(copies, ["Summary of the conversation so far: The user works at Acme and plans a garden."]);
    // The request to forget is not shown.
    let context = conversation.context(&At::head()).unwrap();
    let shown: Vec<&str> = context.iter().map(|entry| entry.payload.get()).collect();
    assert!(shown.len() == 1 && shown[0].contains("plans a garden"), "{shown:?}");
}

#[test]
fn a_summary_is_found_among_many_messages_that_say_as_much() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I work at Acme");
    let conversation = test.workspace.conversation(session("telegram:1"));
    assert!(conversation.hand_off("The user works at Acme and plans a garden.", u64::MAX, &[]).unwrap());
    for day in 1..=25 {
        said(&test.workspace, &format!("Is there work at Acme on day {day}?"));
    }
    let turn = said(&test.workspace, "please forget that I work at Acme");
    let copies: Vec<&str> = turn.copies.iter().map(|hit| hit.memory.text.as_str()).collect();
    assert_eq!(copies, ["Summary of the conversation so far: The user works at Acme and plans a garden."]);
}

#[test]
fn each_request_that_removes_nothing_is_reported() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I'm allergic to nuts. I take sertraline every morning");
    let turn = said(&test.workspace, "forget my allergy and my medication");
    assert_eq!(forgotten(&turn), ["I'm allergic to nuts"]);
    let open: Vec<_> = turn.dropped.iter().map(|dropped| (&*dropped.text, dropped.why)).collect();
    assert_eq!(open, [("my medication", Reason::NothingToForget)]);
}

#[test]
fn what_is_not_named_of_a_statement_remains() {
    let test = TestWorkspace::new();
    said(&test.workspace, "please remember that I am allergic to peanuts and penicillin");
    let turn = said(&test.workspace, "forget that I'm allergic to peanuts");
    assert_eq!(turn.forgotten[0].text, "I am allergic to peanuts and penicillin");
    assert_eq!(texts(&turn), ["I am allergic to penicillin"]);
    out_of_sight(&test.workspace);
    let turn = said(&test.workspace, "what am I allergic to?");
    assert_eq!(recalled(&turn), ["I am allergic to penicillin"]);
    // The person asked for it, not the agent.
    let forgotten = test.workspace.log(&CommitQuestion::default(), &At::head()).unwrap();
    assert_eq!(forgotten[0].origin, Some(Origin::User));
    // The request that finds nothing says so.
    let turn = said(&test.workspace, "forget that I play the banjo");
    assert_eq!((turn.forgotten.len(), turn.dropped[0].why), (0, Reason::NothingToForget));
}

#[test]
fn two_requests_forget_two_parts_of_a_statement() {
    for request in [
        "Forget that I have epilepsy. Forget that I take lamotrigine.",
        "Forget that I take lamotrigine. Forget that I have epilepsy.",
    ] {
        let test = TestWorkspace::new();
        said(&test.workspace, "please remember that I have epilepsy and I take lamotrigine");
        let turn = said(&test.workspace, request);
        assert_eq!(forgotten(&turn), ["I have epilepsy and I take lamotrigine"], "{request}");
        assert_eq!(texts(&turn), [""; 0], "{request}");
    }
}

#[test]
fn what_is_not_to_be_kept_is_not_recalled_either() {
    let test = TestWorkspace::new();
    let turn = said(&test.workspace, "please don't save that I'm pregnant");
    assert_eq!(texts(&turn), [""; 0]);
    out_of_sight(&test.workspace);
    let recall = Recall { audience: Audience::owner(), ..Recall::new("pregnant") };
    assert_eq!(test.workspace.recall(&recall, &At::head()).unwrap().hits, []);
    let turn = said_by(&test.workspace, "telegram:9", Some("42"), "am I pregnant?", "");
    assert!(!turn.memory.contains("I'm pregnant"), "{}", turn.memory);
}

#[test]
fn what_was_said_just_before_is_forgotten_or_corrected() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I am allergic to peanuts");
    let turn = said(&test.workspace, "forget what I just said");
    assert_eq!(forgotten(&turn), ["I am allergic to peanuts"]);
    assert_eq!(said(&test.workspace, "forget that").dropped[0].why, Reason::NothingToForget);

    // "That" is the question.
    said(&test.workspace, "I'm vegan. Can you suggest a restaurant in Rome?");
    assert_eq!(forgotten(&said(&test.workspace, "Forget that.")), [""; 0]);
    said(&test.workspace, "I'm diabetic. Can you suggest a restaurant in Rome?");
    assert_eq!(forgotten(&said(&test.workspace, "Forget what I just said.")), ["I'm diabetic"]);

    said(&test.workspace, "My sister is called Hanna");
    let turn = said(&test.workspace, "no sorry, I meant Anna");
    assert_eq!(texts(&turn), ["My sister is called Hanna (corrected: no sorry, I meant Anna)"]);
    said(&test.workspace, "Please remember that my locker number is 42");
    let turn = said(&test.workspace, "no, 24");
    assert_eq!(texts(&turn), ["my locker number is 42 (corrected: no, 24)"]);
    // "No" before something without a number may mean anything.
    said(&test.workspace, "I live in Leeds");
    assert_eq!(texts(&said(&test.workspace, "no, thanks")), [""; 0]);
}

#[test]
fn a_part_is_forgotten_of_what_was_said_and_the_rest_stays() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I live in Lyon and work in Geneva");
    let turn = said(&test.workspace, "Forget that I live in Lyon");
    assert_eq!(texts(&turn), ["I work in Geneva"]);
    said(&test.workspace, "I am allergic to milk");
    let turn = said(&test.workspace, "my wife said: forget that I am allergic to milk");
    assert_eq!(turn.forgotten.len(), 0);
    let turn = said(&test.workspace, "forget the milk, I'll buy it myself");
    assert_eq!(turn.forgotten.len(), 0);
}

#[test]
fn a_person_takes_back_by_one_name_what_was_said_by_another() {
    let mut config = Config::default();
    config.users.insert("ana".into(), vec!["telegram:42".into(), "discord:ana".into()]);
    let test = TestWorkspace::configured(config);
    said_by(&test.workspace, "telegram:42", Some("42"), "I prefer window seats", "");
    let turn =
        said_by(&test.workspace, "discord:garden", Some("ana"), "Forget that I prefer window seats", "");
    assert_eq!(turn.forgotten.len(), 1);
}

#[test]
fn the_reply_to_what_was_taken_back_is_recalled_no_longer() {
    let test = TestWorkspace::new();
    let say = |text: &str, reply: &str| said_by(&test.workspace, "telegram:1", Some("42"), text, reply);
    say("I have epilepsy", "Thanks, noted: you have epilepsy.");
    say("I live in Leeds", "Leeds is nice.");
    say("forget that I have epilepsy", "I have forgotten your epilepsy.");
    out_of_sight(&test.workspace);
    let found = |words: &str| -> Vec<String> {
        let audience = test.workspace.audience(Some(&session("telegram:1")), Some("42")).unwrap();
        let recall = Recall { audience, ..Recall::new(words) };
        let hits = test.workspace.recall(&recall, &At::head()).unwrap().hits;
        hits.into_iter().map(|hit| hit.memory.text).collect()
    };
    let all = found("epilepsy");
    assert!(all.iter().all(|text| !text.contains("epilepsy")), "{all:?}");
    assert!(found("nice Leeds").contains(&"Leeds is nice.".to_owned()));
    let turn = said(&test.workspace, "which illness do I have? epilepsy?");
    assert!(!recalled(&turn).iter().any(|text| text.contains("noted")), "{:?}", recalled(&turn));
}

#[test]
fn all_that_its_speaker_said_is_forgotten_if_they_ask_for_it() {
    let test = TestWorkspace::new();
    let say = |user: &str, text: &str| said_by(&test.workspace, "telegram:-1", Some(user), text, "");
    say("42", "I live in Leeds");
    say("42", "I'm allergic to nuts");
    say("7", "I'm allergic to eggs");
    let turn = say("42", "Forget everything I told you");
    assert_eq!(forgotten(&turn), ["I live in Leeds", "I'm allergic to nuts"]);
    let turn = say("7", "which allergies do I have? eggs?");
    assert!(recalled(&turn).iter().any(|text| text.contains("eggs")), "{:?}", recalled(&turn));
    assert_eq!(say("42", "forget everything I told you").dropped[0].why, Reason::NothingToForget);
}

/// Anybody can choose a name, and change it.
#[test]
fn the_id_of_a_speaker_tells_what_is_theirs() {
    let test = TestWorkspace::new();
    let by = |user: Option<&str>, name: &str, text: &str| {
        let user = user.map(str::to_owned);
        let inbound = Inbound { user, name: Some(name.into()), ..Inbound::new(text) };
        let conversation = test.workspace.conversation(session("telegram:team"));
        forgotten(&conversation.turn(&inbound, |_| Ok(Reply::default())).unwrap())
    };
    by(Some("1"), "Alex", "We decided to use Postgres for the billing service.");
    by(Some("2"), "Alex", "We decided to use Redis for caching.");
    assert_eq!(by(None, "1", "Forget everything I said."), [""; 0]);
    assert_eq!(by(Some("3"), "Alex", "Forget that."), [""; 0]);
    assert_eq!(by(Some("3"), "Alex", "Forget everything I said."), [""; 0]);
    assert_eq!(by(Some("2"), "Sam", "Forget that."), ["We decided to use Redis for caching"]);
    let all = by(Some("1"), "Alex K", "Forget everything I said.");
    assert_eq!(all, ["We decided to use Postgres for the billing service"]);
}

#[test]
fn a_correction_is_of_the_statement_that_it_resembles() {
    let test = TestWorkspace::new();
    said(&test.workspace, "My sister is called Anna. I live in Leeds.");
    let turn = said(&test.workspace, "I meant Hanna");
    assert_eq!(texts(&turn), ["My sister is called Anna (corrected: I meant Hanna)"]);
    said(&test.workspace, "My dog is called Rex");
    let turn = said(&test.workspace, "actually it's raining");
    assert!(turn.forgotten.is_empty(), "{:?}", turn.forgotten);
}

#[test]
fn an_answer_to_a_question_of_the_agent_corrects_nothing() {
    for (statement, question, answer) in [
        ("I have a dentist appointment on Friday at 10", "Noted. Shall I remind you at 9? 🙂", "No, at 8."),
        ("My flight is on Friday", "Shall I book the taxi for Thursday?", "No, on Wednesday."),
    ] {
        let test = TestWorkspace::new();
        let say = |text: &str, reply: &str| said_by(&test.workspace, "telegram:1", Some("42"), text, reply);
        say(statement, question);
        let turn = say(answer, "");
        assert_eq!((texts(&turn), forgotten(&turn)), (vec![], vec![]), "{answer}");
    }
    // What is certainly a correction stays one.
    let test = TestWorkspace::new();
    let say = |text: &str, reply: &str| said_by(&test.workspace, "telegram:1", Some("42"), text, reply);
    say("My sister is called Hanna", "Is she older than you?");
    let turn = say("no sorry, I meant Anna", "");
    assert_eq!(forgotten(&turn), ["My sister is called Hanna"]);
}

#[test]
fn a_correction_of_something_else_changes_nothing() {
    for (statement, correction) in [
        ("Soy alérgica a la penicilina.", "No, quise decir el informe de ayer."),
        ("I am allergic to penicillin", "No, I meant the report you wrote"),
        ("Ich esse kein Fleisch", "Nein, ich meinte den Bericht"),
        ("Nunca toques la carpeta legacy/", "Nein, ich meinte Postgres 17."),
    ] {
        let test = TestWorkspace::new();
        said(&test.workspace, statement);
        let turn = said(&test.workspace, correction);
        assert!(turn.forgotten.is_empty(), "{correction}: {:?}", turn.forgotten);
        assert_eq!(texts(&turn), [""; 0], "{correction}");
    }
}

#[test]
fn the_day_of_a_corrected_appointment_is_the_new_one() {
    // The clock of the test begins on a day that does not matter: both days are relative to it.
    for (statement, correction) in [
        ("La cita de la señora Ruiz es el miércoles a las 10.", "No, quise decir el jueves a las 11."),
        ("My dentist appointment is on Wednesday at 10.", "Sorry, I meant on Thursday at 11."),
    ] {
        let test = TestWorkspace::new();
        let withdrawn = said(&test.workspace, statement);
        let turn = said(&test.workspace, correction);
        let text = &turn.captured[0].text;
        let first = &withdrawn.captured[0].text;
        assert_eq!(forgotten(&turn), [&**first]);
        let (_, correction) = text.split_once(" (corrected: ").unwrap();
        assert!(first.contains(" (20") && correction.contains(" (20"), "{text}");
        assert_eq!(text.matches(" (20").count(), 1, "{text}");
    }
}

#[test]
fn why_names_the_message_that_made_a_correction() {
    let test = TestWorkspace::new();
    for (statement, change, rule) in [
        ("My sister is called Hanna", "no sorry, I meant Anna", "corrected"),
        ("I live in Lyon and work in Geneva", "Forget that I live in Lyon", "rest"),
    ] {
        said(&test.workspace, statement);
        let turn = said(&test.workspace, change);
        let StatementOutcome::Saved(reference) = &turn.captured[0].outcome else {
            panic!("{:?}", turn.captured)
        };
        let audience = test.workspace.audience(Some(&session("telegram:1")), Some("42")).unwrap();
        let why = test.workspace.why(reference, &audience, &At::head()).unwrap();
        let version = &why.versions[0];
        assert_eq!(version.rule.as_deref(), Some(rule));
        assert_ne!(version.rule_in_words(), Some("rest"));
        assert_eq!(version.from.as_ref().map(|from| &*from.text), Some(statement));
        assert_eq!(version.changed_by.as_ref().map(|by| &*by.text), Some(change));
    }
}

#[test]
fn a_statement_that_is_not_certain_is_kept_if_it_ends_another_one() {
    let ended = "Jonas arbeitet nicht mehr bei Siemens.";
    let test = TestWorkspace::new();
    let turn = said(&test.workspace, ended);
    assert_eq!(texts(&turn), [""; 0]);
    assert_eq!(turn.dropped[0].why, Reason::Read(Why::LowConfidence));
    said(&test.workspace, "Merk dir: Jonas arbeitet bei Siemens.");
    let turn = said(&test.workspace, ended);
    assert_eq!(forgotten(&turn), ["Jonas arbeitet bei Siemens"]);
    assert_eq!(texts(&turn).len(), 1);
}

#[test]
fn what_only_shares_words_with_what_has_ended_stays() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I'm allergic to penicillin");
    let turn = said(&test.workspace, "I'm no longer on penicillin, they switched me to doxycycline");
    assert!(turn.forgotten.is_empty(), "{:?}", turn.forgotten);
    said(&test.workspace, "Je suis allergique aux noix");
    let turn = said(&test.workspace, "Je ne suis plus allergique aux noix");
    assert_eq!(forgotten(&turn), ["Je suis allergique aux noix"]);
}

#[test]
fn the_rest_of_what_has_ended_is_kept() {
    for (statement, ended, rest) in [
        (
            "Tomo lamotrigina para la epilepsia y no tolero la aspirina.",
            "Ya no tomo lamotrigina.",
            Some("no tolero la aspirina"),
        ),
        (
            "Remember that I work at Acme as an engineer and I'm allergic to penicillin.",
            "Forget that I work at Acme.",
            Some("I'm allergic to penicillin"),
        ),
        (
            "Merk dir, dass ich an MS erkrankt bin und in Ulm wohne.",
            "Vergiss, dass ich an MS erkrankt bin.",
            Some("ich in Ulm wohne"),
        ),
        ("I live in Lisbon.", "I live in Utrecht now, not in Lisbon any more.", None),
        ("My favourite colour is blue.", "Actually, my favourite colour is green.", None),
        ("My office is on floor 3.", "Actually, my office is on floor 5.", None),
    ] {
        let test = TestWorkspace::new();
        said(&test.workspace, statement);
        let turn = said(&test.workspace, ended);
        assert_eq!(turn.forgotten.len(), 1, "{ended}");
        let kept = texts(&turn);
        assert!(rest.is_none_or(|rest| kept.contains(&rest)), "{ended}: {kept:?}");
    }
    for (statement, text) in [
        ("Soy alérgica a las nueces.", "Olvidé que soy alérgica a las nueces."),
        (
            "Ich bin allergisch gegen Nüsse.",
            "Wenn ich nicht mehr allergisch gegen Nüsse bin, esse ich Nutella.",
        ),
        ("My dog is brown.", "Actually, my dog is called Rex."),
    ] {
        let test = TestWorkspace::new();
        said(&test.workspace, statement);
        let turn = said(&test.workspace, text);
        assert!(turn.forgotten.is_empty(), "{text}: {:?}", turn.forgotten);
    }
}

#[test]
fn a_prompt_shows_no_message_that_was_taken_back() {
    let test = TestWorkspace::new();
    said_by(&test.workspace, "telegram:1", Some("42"), "I have epilepsy", "Noted: epilepsy.");
    said_by(&test.workspace, "telegram:1", Some("42"), "I live in Leeds", "Leeds is nice.");
    said_by(&test.workspace, "telegram:1", Some("42"), "forget that I have epilepsy", "Done.");
    let conversation = test.workspace.conversation(session("telegram:1"));
    let inbound = Inbound::new("which illness do I have?");
    let prompt = conversation.prompt(&inbound, &Prompting::default(), &At::head()).unwrap();
    let text = prompt.messages.iter().map(|message| &*message.content).collect::<Vec<_>>().join("\n");
    assert!(text.contains("Leeds is nice.") && !text.contains("epilepsy"), "{text}");
}

/// Two people speak at once.
#[test]
fn what_another_turn_forgets_takes_back_nothing_of_this_one() {
    let test = TestWorkspace::new();
    let conversation = test.workspace.conversation(session("telegram:team"));
    let ana = |text: &str| said_by(&test.workspace, "telegram:team", Some("1"), text, "");
    let ben = |text: &str| Inbound { user: Some("2".into()), ..Inbound::new(text) };
    let meanwhile = |question: &str, answer: &str, of_ana: &str| {
        let turn = conversation.begin(&ben(question)).unwrap();
        let said = ana(of_ana);
        conversation.end(turn, &Reply::new(answer)).unwrap();
        said
    };
    ana("I prefer aisle seats on planes.");
    let said = meanwhile(
        "Who can help with the Kafka migration?",
        "Carl can help with Kafka.",
        "Please forget that I prefer aisle seats on planes.",
    );
    assert_eq!(forgotten(&said), ["I prefer aisle seats on planes"]);
    let said = meanwhile(
        "Who can help with the Hadoop migration?",
        "Dora can help with Hadoop.",
        "I prefer balcony seats.",
    );
    assert_eq!(texts(&said), ["I prefer balcony seats"]);
    assert_eq!(forgotten(&ana("Please forget that I prefer balcony seats.")), texts(&said));
    let prompt = conversation.prompt(&ben("hello"), &Prompting::default(), &At::head()).unwrap();
    let text = prompt.messages.iter().map(|message| &*message.content).collect::<Vec<_>>().join("\n");
    for shown in ["the Kafka migration?", "Carl can", "the Hadoop migration?", "Dora can"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert!(!text.contains("seats"), "{text}");
}

#[test]
fn a_request_to_forget_that_means_what_its_message_says_before_it() {
    let test = TestWorkspace::new();
    said(&test.workspace, "I live in Leeds.");
    for text in [
        "My salary is 5000 euros. Forget that.",
        "Ich verdiene 5000 Euro. Vergiss das bitte.",
        "Gano 5000 euros al mes. Olvida eso.",
        "Je gagne 5000 euros par mois. Oublie ça.",
    ] {
        let turn = said(&test.workspace, text);
        assert_eq!((texts(&turn), forgotten(&turn)), (vec![], vec![]), "{text}");
    }
    let turn = said(&test.workspace, "Forget everything you know about me.");
    assert_eq!(forgotten(&turn), ["I live in Leeds"]);
}

#[test]
fn a_date_is_forgotten_as_a_whole() {
    for (text, request) in [
        ("Please remember that the wedding is on June 5, 2027.", "Forget that the wedding is on June 5."),
        ("I'm pregnant, due in May.", "Forget that I'm pregnant."),
    ] {
        let test = TestWorkspace::new();
        assert_eq!(texts(&said(&test.workspace, text)).len(), 1, "{text}");
        let turn = said(&test.workspace, request);
        assert_eq!((texts(&turn), forgotten(&turn).len()), (vec![], 1), "{text}");
    }
}

#[test]
fn what_was_told_in_confidence_is_forgotten() {
    for (statement, request) in [
        ("I'm pregnant, but don't tell anyone.", "Forget that I'm pregnant."),
        ("Ich bin schwanger, aber sag es niemandem.", "Vergiss, dass ich schwanger bin."),
        ("Je suis enceinte, mais ne le dis à personne.", "Oublie que je suis enceinte."),
    ] {
        let test = TestWorkspace::new();
        let told = said(&test.workspace, statement);
        assert_eq!(forgotten(&said(&test.workspace, request)), texts(&told), "{request}");
        assert_eq!(texts(&told).len(), 1, "{statement}");
    }
}

#[test]
fn a_second_correction_corrects_the_first() {
    for (statement, first, second, expected) in [
        (
            "My daughter is called Mia",
            "I meant Mina",
            "I meant Nina",
            "My daughter is called Mia (corrected: I meant Mina) (corrected: I meant Nina)",
        ),
        (
            "Please remember that my locker number is 42",
            "no, 24",
            "sorry, 34",
            "my locker number is 42 (corrected: no, 24) (corrected: sorry, 34)",
        ),
    ] {
        let test = TestWorkspace::new();
        said(&test.workspace, statement);
        said(&test.workspace, first);
        let turn = said(&test.workspace, second);
        assert_eq!(texts(&turn), [expected]);
        assert_eq!(turn.forgotten.len(), 1, "{statement}");
        assert_eq!(texts(&said(&test.workspace, "I meant the report of Monday")), [""; 0]);
    }
}

#[test]
fn who_repeats_what_another_said_in_a_group_cannot_take_it_back() {
    let test = TestWorkspace::new();
    let by = |user: &str, text: &str| said_by(&test.workspace, "telegram:team", Some(user), text, "");
    let decided = "We decided to use Postgres for the new service";
    assert_eq!(texts(&by("46", decided)), [decided]);
    assert_eq!(by("47", decided).captured[0].outcome.as_str(), "repeated");
    assert_eq!(forgotten(&by("47", "Forget that.")), [""; 0]);
    by("47", decided);
    assert_eq!(forgotten(&by("47", "Forget that we decided to use Postgres.")), [""; 0]);
    assert_eq!(forgotten(&by("46", "Forget what we decided about Postgres.")), [decided]);
    // Said again by another afterwards, it is theirs.
    test.clock.advance(jiff::SignedDuration::from_secs(1));
    by("47", decided);
    assert_eq!(forgotten(&by("46", "Forget what we decided about Postgres.")), [""; 0]);
    assert_eq!(forgotten(&by("47", "Forget what we decided about Postgres.")), [decided]);
}

#[test]
fn a_late_message_ends_nothing_that_was_said_after_it() {
    let test = TestWorkspace::new();
    let said_on = |text: &str, date: &str| said_on(&test.workspace, text, date);
    said_on("I live in Leeds.", "2025-11-20T10:00:00Z");
    assert_eq!(forgotten(&said_on("I no longer live in Leeds.", "2025-10-01T10:00:00Z")), [""; 0]);
    assert_eq!(
        forgotten(&said_on("I no longer live in Leeds.", "2025-11-21T10:00:00Z")),
        ["I live in Leeds"]
    );
}

#[test]
fn what_was_said_on_a_day_is_forgotten_without_what_was_said_before() {
    let test = TestWorkspace::new();
    let said_on = |text: &str, date: &str| said_on(&test.workspace, text, date);
    said_on("I live in Leeds.", "2025-11-20T10:00:00Z");
    said_on("I'm allergic to nuts.", "2025-11-21T10:00:00Z");
    let turn = said_on("Forget everything I said today.", "2025-11-21T11:00:00Z");
    assert_eq!(forgotten(&turn), ["I'm allergic to nuts"]);
    let turn = said_on("Forget everything I said today.", "2025-11-21T12:00:00Z");
    assert_eq!(turn.dropped[0].text, "what was said today");
}
