//! Statements and the messages that said them, after they were forgotten.

use memtape::{
    At, Audience, Category, ErrorKind, Inbound, Layer, Options, Recall, Ref, Reply, Selection, Session,
    Workspace,
};
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::options;

use super::{
    add, both, chat, in_each_scope, of, search, search_at, seen, selection, session, standing, texts,
};

#[test]
fn a_forgotten_statement_can_be_restated_and_forgotten() {
    let test = TestWorkspace::new();
    let mut keys = Vec::new();
    for _ in 0..3 {
        let reference = add(&test, "I like tea", Category::Preference, Audience::owner());
        test.workspace.statements().forget(std::slice::from_ref(&reference)).unwrap();
        assert_eq!(standing(&test, &reference).unwrap_err().kind(), ErrorKind::NotFound);
        keys.push(reference.key);
        test.clock.advance_days(1);
    }
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    add(&test, "I like tea", Category::Preference, Audience::owner());
    assert_eq!(test.workspace.statements().prune(&selection(&[Category::Preference])).unwrap(), 1);
    assert_eq!(texts(&seen(&test, &Audience::owner(), &At::head())), Vec::<&str>::new());
}

#[test]
fn an_earlier_point_shows_forgotten_statements() {
    let test = in_each_scope();
    let at = At::entry(test.workspace.status(&At::head()).unwrap().entries);
    let reference = seen(&test, &Audience::owner(), &at)[0].reference();
    let gone =
        test.workspace.statements().because(Some("wrong".into())).forget(std::slice::from_ref(&reference));
    assert_eq!(texts(&gone.unwrap()), ["the chat's tea"]);
    assert_eq!(search_at(&test, "chat", chat("telegram:1"), &at)[0].memory.text, "the chat's tea");
    assert_eq!(search(&test, "chat", chat("telegram:1")), Vec::<String>::new());
    let shown = test.workspace.show(&reference, &Audience::owner(), &at).unwrap();
    assert_eq!(shown[0].memory.text, "the chat's tea");
    let tape = std::fs::read_to_string(test.path().join("tape.jsonl")).unwrap();
    assert!(tape.contains(r#""reason":"wrong""#));
}

#[test]
fn forget_removes_only_own_statements_in_the_seen_version() {
    let test = in_each_scope();
    let all = seen(&test, &Audience::owner(), &At::head());
    for memory in &all {
        let own = ["the chat's tea", "the user's tea"].contains(&memory.text.as_str());
        let done = of(&test, both("telegram:1", "telegram:42")).forget(&[memory.reference()]);
        match done {
            Ok(gone) => assert!(own && texts(&gone) == [memory.text.as_str()]),
            // The chat sees what belongs to the workspace, and nothing of another chat.
            Err(e) if memory.text == "everybody's tea" => assert_eq!(e.kind(), ErrorKind::Refused, "{e}"),
            Err(e) => assert!(!own && e.kind() == ErrorKind::NotFound, "{e}"),
        }
    }
    let left = seen(&test, &Audience::owner(), &At::head());
    assert_eq!(texts(&left), ["the other chat's tea", "everybody's tea"]);
    // It was repeated in the meantime, so the listed version is not the current one.
    let old = left[1].version();
    let new = add(&test, "everybody's tea", Category::Fact, Audience::owner());
    let statements = test.workspace.statements();
    assert_eq!(statements.forget(&[old]).unwrap_err().kind(), ErrorKind::NotFound);
    // A statement that is named twice is removed once; if one of several does not exist, none is removed.
    let nothing = Ref { key: "9999999999999999".into(), ..new.clone() };
    assert!(statements.forget(&[new.clone(), nothing]).is_err());
    let plain = Ref { entry: None, ..new.clone() };
    assert_eq!(statements.forget(&[new, plain]).unwrap().len(), 1);
}

/// What was forgotten is neither recalled from the message that said it, nor from the request to forget it.
#[test]
fn a_message_is_recalled_only_as_long_as_what_it_says_is_not_forgotten() {
    let test = TestWorkspace::new();
    let conversation = test.workspace.conversation(Session::direct());
    let turn = |text: &str| conversation.turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap();
    let recalled = |query: &str, at: &At| -> Vec<String> {
        let hits = test.workspace.recall(&Recall::new(query), at).unwrap().hits;
        hits.into_iter().map(|hit| hit.memory.text).collect()
    };
    turn("I have a nut allergy");
    turn("As I said, I have a nut allergy, and I like jazz");
    let entry = test.workspace.status(&At::head()).unwrap().entries;
    turn("I drink coffee every morning");
    assert_eq!(turn("Forget that I have a nut allergy").forgotten.len(), 1);
    let says = |texts: &[String], word: &str| texts.iter().any(|text| text.contains(word));
    assert!(!says(&recalled("nut allergy", &At::head()), "allergy"));
    assert!(says(&recalled("coffee in the morning", &At::head()), "coffee"));
    assert!(says(&recalled("nut allergy", &At::entry(entry)), "allergy"));
    let other = test.workspace.conversation(Session::parse("cli:direct:other").unwrap());
    let prompt = other
        .prompt(&Inbound::new("What do you know?"), &memtape::Prompting::default(), &At::head())
        .unwrap();
    assert!(!prompt.system.contains("allergy"), "{}", prompt.system);
    turn("I no longer drink coffee");
    let of_coffee = recalled("do I drink coffee?", &At::head());
    assert!(says(&of_coffee, "no longer") && !says(&of_coffee, "every morning"), "{of_coffee:?}");
    test.workspace.branches().undo().unwrap();
    assert!(says(&recalled("coffee in the morning", &At::head()), "every morning"));
}

#[test]
fn a_removed_duplicate_leaves_its_message_in_recall() {
    let test = TestWorkspace::new();
    let inbound = Inbound {
        user: Some("7".into()),
        ..Inbound::new("I prefer window seats on planes. The shuttle to Faro leaves at 9:40 from dock seven.")
    };
    let conversation = test.workspace.conversation(session("telegram:42"));
    conversation.turn(&inbound, |_| Ok(Reply::default())).unwrap();
    let user = both("telegram:42", "telegram:7").only(Layer::User);
    test.workspace.zone().for_audience(user).remember("I prefer window seats on planes").unwrap();
    let recalled = || {
        let hits = test.workspace.recall(&Recall::new("shuttle to Faro dock"), &At::head()).unwrap().hits;
        hits.into_iter().any(|hit| hit.memory.text.contains("shuttle"))
    };
    assert!(recalled());
    assert_eq!(test.workspace.consolidate(&Audience::owner()).unwrap().duplicates, 1);
    assert!(recalled());
}

/// An agent may forget by a tool, before its reply, which says the same again. What others forget meanwhile, elsewhere, takes
/// nothing back here.
#[test]
fn what_is_forgotten_during_a_turn_takes_back_only_its_own_messages() {
    let test = TestWorkspace::new();
    let (here, away) = (session("telegram:1"), session("telegram:2"));
    let turn = |session: &Session, text: &str, reply: &str, forget: Option<&Session>| {
        let conversation = test.workspace.conversation(session.clone());
        let act = |_: &memtape::Briefing<'_>| {
            if let Some(by) = forget {
                let statements = test.workspace.statements().in_session(by.clone());
                let audience = Audience::of_chat(by);
                let held = statements.for_audience(audience);
                let listed = held.list(&Selection::default(), &At::head()).unwrap();
                held.forget(&[listed[0].memory.reference()]).unwrap();
            }
            Ok(Reply { text: Some(reply.to_owned()), ..Reply::default() })
        };
        conversation.turn(&Inbound::new(text), act).unwrap();
    };
    let recalled = |session: &Session, query: &str| -> Vec<String> {
        let recall = Recall { audience: Audience::of_chat(session), ..Recall::new(query) };
        let hits = test.workspace.recall(&recall, &At::head()).unwrap().hits;
        hits.into_iter().map(|hit| hit.memory.text).collect()
    };
    turn(&here, "I am allergic to cashews", "Noted.", None);
    turn(&away, "I prefer aisle seats", "Noted.", None);
    // The turn is open while somebody forgets something in another chat.
    turn(&here, "Can you check why the heron build fails?", "It passes now.", Some(&away));
    assert_eq!(recalled(&here, "heron build")[0], "Can you check why the heron build fails?");
    turn(
        &here,
        "Remove the entry about cashews",
        "You are no longer allergic to cashews for me.",
        Some(&here),
    );
    assert_eq!(recalled(&here, "cashews allergic"), [""; 0]);
    let prompt = test.workspace.conversation(here.clone());
    let prompt = prompt.prompt(&Inbound::new("hello"), &memtape::Prompting::default(), &At::head()).unwrap();
    assert!(!prompt.system.contains("cashews"), "{}", prompt.system);
    // The entry before a retracted reply is not the beginning of its turn.
    assert!(recalled(&away, "aisle seats").is_empty());
}

/// A message is taken back on the branch on which its statement is forgotten, and on no other.
#[test]
fn a_message_is_taken_back_on_one_branch() {
    let test = TestWorkspace::new();
    let on = |branch: &str| {
        let options = Options { branch: Some(branch.to_owned()), ..options(&test.clock) };
        Workspace::open(test.path(), options).unwrap()
    };
    let turn = |workspace: &Workspace, text: &str| {
        let conversation = workspace.conversation(Session::direct());
        conversation.turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap()
    };
    let recalled = |branch: &str, food: &str| {
        let at = test.workspace.at(&format!("{branch}@head")).unwrap();
        let hits = test.workspace.recall(&Recall::new(&format!("allergic to {food}")), &at).unwrap().hits;
        hits.iter().any(|hit| hit.memory.text == format!("I am allergic to {food}"))
    };
    let all = |food: &str| ["main", "b", "c"].map(|branch| recalled(branch, food));
    turn(&test.workspace, "I am allergic to peanuts");
    test.workspace.branches().create("b", None, &At::head()).unwrap();
    let b = on("b");
    assert_eq!(turn(&b, "Forget that I am allergic to peanuts").forgotten.len(), 1);
    assert_eq!((recalled("main", "peanuts"), recalled("b", "peanuts")), (true, false));
    // Forgotten on main, and on a branch from there; then main takes it back.
    b.branches().undo().unwrap();
    let memory = seen(&test, &Audience::owner(), &At::head()).remove(0);
    test.workspace.statements().forget(&[memory.reference()]).unwrap();
    test.workspace.branches().create("c", None, &At::head()).unwrap();
    assert_eq!(all("peanuts"), [false, true, false]);
    test.workspace.branches().undo().unwrap();
    assert_eq!(all("peanuts"), [true, true, false]);
    // What is said on a branch is judged there as long as the other branches do not know it.
    turn(&b, "I am allergic to cashews");
    assert_eq!(all("cashews"), [true; 3]);
    turn(&b, "Forget that I am allergic to cashews");
    assert_eq!(all("cashews"), [false; 3]);
    // A merge that takes the deletion takes the message back.
    test.workspace.branches().create("d", None, &At::head()).unwrap();
    let memory = seen(&test, &Audience::owner(), &At::head()).remove(0);
    on("d").statements().forget(&[memory.reference()]).unwrap();
    assert_eq!((recalled("main", "peanuts"), recalled("d", "peanuts")), (true, false));
    test.workspace.branches().merge("d").unwrap();
    assert!(!recalled("main", "peanuts"));
}

/// What is named is forgotten, whatever is said of it.
#[test]
fn what_is_named_can_be_forgotten() {
    for (said, request, other) in [
        ("my phone number is 555 1234", "Forget my phone number", "my sister's phone number is 555 9999"),
        ("my birthday is on 3 May", "Please forget my birthday", "my sister's birthday is on 4 June"),
        ("I'm allergic to nuts", "Forget everything about my allergies", "I live in Leeds with two cats"),
        ("Martin is my boss at work", "Forget about Martin", "my brother Marvin is a doctor"),
    ] {
        let test = TestWorkspace::new();
        let conversation = test.workspace.conversation(Session::direct());
        let turn = |text: &str| conversation.turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap();
        for text in [said, other] {
            turn(&format!("Please remember that {text}"));
        }
        let forgotten: Vec<_> = turn(request).forgotten.into_iter().map(|memory| memory.text).collect();
        assert_eq!(forgotten, [said], "{request}");
    }
}
