//! The newest truth first: of memories that answer a question differently, the newer one.

use memtape::{Added, At, Category, Hit, Inbound, Recall, Reply, Session, Workspace};
use memtape_testkit::TestWorkspace;

fn workspace(texts: &[&str]) -> TestWorkspace {
    let test = TestWorkspace::configured(memtape::Config::default());
    for text in texts {
        test.workspace.statements().add(&Added::new(text, Category::Fact)).unwrap();
    }
    test.workspace.make_vectors(|_, _| {}).unwrap();
    test
}

fn ask(workspace: &Workspace, question: &str) -> Vec<Hit> {
    workspace.recall(&Recall::new(question), &At::head()).unwrap().hits
}

/// Returns the texts of the hits, those that are marked after `earlier:`.
fn shown(hits: &[Hit]) -> Vec<String> {
    let mark = |hit: &Hit| if hit.is_earlier() { "earlier: " } else { "" };
    hits.iter().map(|hit| format!("{}{}", mark(hit), hit.memory.text)).collect()
}

#[test]
fn what_changed_comes_first_and_what_only_looks_so_does_not() {
    for (older, newer, question, first, marked) in [
        (
            "Our database is MySQL",
            "We migrated everything to Postgres in May",
            "Which database do we use?",
            1,
            true,
        ),
        (
            "I drink coffee every morning",
            "I quit coffee, only green tea for me now",
            "What do I drink in the morning?",
            1,
            true,
        ),
        ("I live in Hamburg", "My sister moved to Dresden", "Where do I live?", 0, false),
        ("My phone is a Pixel", "I gave my mum an iPhone", "What phone do I have?", 0, false),
        (
            "Our database is MySQL",
            "We migrated everything to Postgres in May",
            "Which database did we use before?",
            0,
            false,
        ),
    ] {
        let test = workspace(&[older, newer, "The kitchen is painted yellow"]);
        let hits = ask(&test.workspace, question);
        let texts = [older, newer];
        assert_eq!(hits[0].memory.text, texts[first], "{question}: {:?}", shown(&hits));
        let older_hit = hits.iter().find(|hit| hit.memory.text == older).unwrap();
        assert_eq!(older_hit.is_earlier(), marked, "{question}: {:?}", older_hit.newer);
        assert!(hits.iter().filter(|hit| hit.memory.text != older).all(|hit| hit.newer.is_none()));
        if marked {
            assert_eq!(older_hit.newer.as_ref().unwrap().reference, hits[0].reference);
        }
    }
}

/// Lists of times and addresses are like no statement that was learned from, and neither are other scripts.
#[test]
fn what_is_about_something_else_does_not_come_first() {
    let plumber = "Clara is the plumber of the house";
    let password = "The Wi-Fi password of the house hangs on the fridge";
    let dentist = "The dentist of the house is at +49 30 1234-5678, open 8:00-12:00 and 14:00-18:00";
    let bus = "The house bus leaves at 7:30, 8:30, 9:30, 10:30, 11:30, 12:30, 13:30, 14:30, 15:30 and 16:30";
    let manual = "The manual is at https://docs.example.org/a/b/2026-03-04/v1.2.3/house_plumbing-guide.html";
    let script = "House script: `for f in *.log; do gzip -9 $f; mv $f.gz /var/log/old/; done`";
    let rain = "วันนี้ฝนตกหนักมากที่เชียงใหม่";
    for (older, newer, question) in [
        (password, dentist, "Where is the Wi-Fi password of the house?"),
        (plumber, dentist, "Who is the plumber of the house?"),
        (plumber, bus, "Who is the plumber of the house?"),
        (plumber, manual, "Who is the plumber of the house?"),
        (plumber, script, "Who is the plumber of the house?"),
        (plumber, rain, "Who is Clara?"),
    ] {
        let test = workspace(&[older, newer]);
        let hits = ask(&test.workspace, question);
        assert_eq!(hits[0].memory.text, older, "{question}: {:?}", shown(&hits));
        assert!(hits.iter().all(|hit| hit.newer.is_none()), "{question}: {:?}", shown(&hits));
    }
}

/// The statement that capture kept of a message is folded into it.
#[test]
fn a_message_does_not_come_before_what_changed_its_statement() {
    let test = workspace(&[]);
    let conversation = test.workspace.conversation(Session::direct());
    for text in ["I live in Berlin with my two cats", "I moved to Lisbon last week"] {
        conversation.turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap();
    }
    test.workspace.make_vectors(|_, _| {}).unwrap();
    let hits = ask(&test.workspace, "where do I live?");
    assert_eq!(hits[0].memory.text, "I moved to Lisbon last week", "{:?}", shown(&hits));
    assert!(hits[1].newer.is_some(), "{:?}", shown(&hits));
}

/// The same texts in the other order: what was said last counts.
#[test]
fn the_order_of_time_decides() {
    let test = workspace(&["We migrated everything to Postgres in May", "Our database is MySQL"]);
    let hits = ask(&test.workspace, "Which database do we use?");
    assert_eq!(shown(&hits)[0], "Our database is MySQL");
}

#[test]
fn a_prompt_shows_the_newer_memory_first_and_marks_the_older_one() {
    let test = workspace(&["I drink coffee every morning", "I quit coffee, only green tea for me now"]);
    let conversation = test.workspace.conversation(Session::direct());
    let turn = conversation.begin(&Inbound::new("What do I drink in the morning?")).unwrap();
    let lines: Vec<&str> = turn.briefing().memory.lines().filter(|line| line.starts_with("- ")).collect();
    assert!(lines[0].contains("fact: \"I quit coffee"), "{lines:?}");
    assert!(lines[1].contains("earlier fact: \"I drink coffee"), "{lines:?}");
}

/// However often a question was asked, it does not answer itself.
#[test]
fn a_question_that_was_asked_before_comes_after_what_may_answer_it() {
    let test = workspace(&["My sister lives in Lisbon"]);
    let conversation = test.workspace.conversation(Session::direct());
    for n in 0..12 {
        let text = ["Where does my sister live?", "where does my sister live, again?"][n % 2];
        conversation.turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap();
    }
    test.workspace.make_vectors(|_, _| {}).unwrap();
    for backend in [memtape::Backend::Hybrid, memtape::Backend::SqliteFts] {
        let question = Recall { backend: Some(backend), ..Recall::new("Where does my sister live?") };
        let hits = test.workspace.recall(&question, &At::head()).unwrap().hits;
        assert_eq!(hits[0].memory.text, "My sister lives in Lisbon", "{:?}", shown(&hits));
        assert!(hits.len() > 1, "{:?}", shown(&hits));
    }
}

/// What is asked most is not found less.
#[test]
fn a_question_that_was_asked_before_leaves_the_answer_as_relevant() {
    let test = workspace(&[]);
    let say = |session: &str, inbound: &Inbound| {
        let conversation = test.workspace.conversation(Session::parse(session).unwrap());
        conversation.turn(inbound, |_| Ok(Reply::default())).unwrap();
        test.workspace.make_vectors(|_, _| {}).unwrap();
    };
    let date = Some("2025-08-01T12:00:00Z".parse().unwrap());
    let bike = Inbound::new("My bike is parked in the cellar of the museum.");
    say("telegram:1", &Inbound { said_at: date, ..bike });
    say("telegram:1", &Inbound::new("My scooter is parked in the garage."));
    for _ in 0..2 {
        let hits = ask(&test.workspace, "Where is my bike parked?");
        assert!(hits[0].memory.text.contains("bike is parked"), "{:?}", shown(&hits));
        assert!(hits[0].terms.relevance > 0.9, "{:?}", hits[0].terms);
        say("telegram:2", &Inbound::new("Where is my bike parked?"));
    }
}

/// Alone, what does not hold any more would be taken for what holds.
#[test]
fn what_changed_is_left_out_with_the_newer_memory_that_does_not_fit() {
    let newer = "I work at Globex now, in the new building by the river since the first of March this year";
    let test = workspace(&["I work at Acme", newer]);
    let asked = |total| {
        let budget = Some(memtape::Budget { total, each: 400 });
        let question = Recall { budget, ..Recall::new("where do I work") };
        test.workspace.recall(&question, &At::head()).unwrap()
    };
    assert_eq!(shown(&asked(400).hits), [newer, "earlier: I work at Acme"]);
    let recalled = asked(30);
    assert_eq!((shown(&recalled.hits).len(), recalled.left.over_budget), (0, 2));
}

/// However many better matches a search excludes, it finds the rest.
#[test]
fn a_match_behind_many_that_are_excluded_is_found() {
    let test = TestWorkspace::new();
    let line = "{\"role\":\"user\",\"content\":\"the budget plan\",\"session\":\"chat:1\"}\n";
    let input = std::io::Cursor::new(line.repeat(450));
    memtape::Ingester::new(&test.workspace, Session::direct()).run(input, |_| ()).unwrap();
    test.workspace
        .zone()
        .remember("what the budget plan of the garden says about the roses and the shed")
        .unwrap();
    let question = Recall { forms: vec![memtape::Form::ZONE], ..Recall::new("budget plan") };
    assert_eq!(test.workspace.recall(&question, &At::head()).unwrap().hits.len(), 1);
}
