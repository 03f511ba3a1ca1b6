//! What pages keep from one to the next, and what a page of the past shows.

use memtape::journal::Question;
use memtape::ledger::NewFact;
use memtape::{At, Audience, BlockName, Form, Inbound, Options, Ref, Reply, Sensitivity, Session, Workspace};
use memtape_server::http::tokens::Kind;

use super::{encoded, fields_of, form, head_of, login, sample, signed_in};
use crate::harness::{Server, options};

/// Returns the fields that the form of the place sends, but those that are chosen from a list.
fn place_of(page: &str) -> Vec<(String, String)> {
    let form = page.split("<form class=\"place\"").nth(1).unwrap().split("</form>").next().unwrap();
    let attribute = |input: &str, name: &str| {
        let value = input.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
        Some(value.replace("&amp;", "&"))
    };
    let inputs = form.split("<input").skip(1).map(|input| input.split('>').next().unwrap());
    inputs.filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value")?))).collect()
}

/// Returns the link "Back to now" of a page.
fn back_to_now(page: &str) -> String {
    let before = page.split("\">Back to now").next().unwrap();
    before.rsplit("href=\"").next().unwrap().replace("&amp;", "&")
}

#[test]
fn a_page_of_the_head_stays_there_whatever_was_written_since() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let opened = place_of(&visitor.get("/inspect").text);
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    workspace.zone().remember("Ana keeps bees").unwrap();
    for (steps_back, is_now) in [(0, true), (1, false)] {
        let value = |name: &str, value: &str| match name {
            "at" => (value.parse::<u64>().unwrap() - steps_back).to_string(),
            _ => encoded(value),
        };
        let sent: Vec<_> =
            opened.iter().map(|(name, sent)| format!("{name}={}", value(name, sent))).collect();
        let page = visitor.get(&format!("/inspect?branch=travel-planner&{}", sent.join("&")));
        assert_eq!(page.status, 200, "{sent:?}: {}", page.text);
        assert_eq!(page.text.contains("Back to now"), !is_now, "{sent:?}: {}", page.text);
    }
}

#[test]
fn another_place_shows_what_was_asked_for() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    for path in [
        "/inspect?type=trigger&session=telegram%3Aana",
        "/inspect/memories?special=quarantined&form=notes",
        "/inspect/recall?q=tea&a_backend=words&a_limit=3&b_backend=words&b_chars=500&b_for=prompt",
    ] {
        let page = visitor.get(&format!("{path}&at=9&verify=1")).text;
        let sent: Vec<_> = place_of(&page)
            .into_iter()
            .map(|(name, value)| format!("{name}={}", value.replace(':', "%3A")))
            .filter(|field| !field.starts_with("at=") && !field.starts_with("of="))
            .collect();
        assert_eq!(sent, path.split_once('?').unwrap().1.split('&').collect::<Vec<_>>());
        assert_eq!(back_to_now(&page), path);
    }
}

#[test]
fn a_page_of_the_past_has_the_branches_of_that_time() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    workspace.zone().remember("Ana keeps bees").unwrap();
    let before = head_of(&server);
    workspace.branches().create("apart", None, &At::head()).unwrap();
    let between = head_of(&server);
    workspace.branches().delete("apart").unwrap();
    workspace.branches().create("later", None, &At::head()).unwrap();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    for (at, expected) in
        [(before, [false, false]), (between, [true, false]), (head_of(&server), [false, true])]
    {
        let page = visitor.get(&format!("/inspect/branches?at={at}")).text;
        let is_listed = ["apart", "later"].map(|name| page.contains(&format!(">{name}</a>")));
        let is_offered = ["apart", "later"].map(|name| page.contains(&format!("<option value=\"{name}\"")));
        assert_eq!((is_listed, is_offered), (expected, expected), "{at}: {page}");
    }
    let page = visitor.get(&format!("/inspect/branches?at={between}")).text;
    let row = page.split("\">apart</a>").next().unwrap();
    let memories = visitor.get(&row.rsplit("href=\"").next().unwrap().replace("&amp;", "&"));
    assert!(memories.text.contains("Ana keeps bees"), "{}", memories.text);
    assert_eq!(visitor.get(&back_to_now(&memories.text)).status, 200, "{}", memories.text);
    assert_eq!(visitor.get("/inspect/memories?branch=apart").status, 404);
    // Before its fork, a branch shows what it was forked from.
    let page = visitor.get(&format!("/inspect/memories?branch=later&at={before}")).text;
    assert!(page.contains("Ana keeps bees") && page.contains("value=\"later\" selected"), "{page}");
}

#[test]
fn another_value_for_a_conflict_keeps_the_line_ends_and_is_offered_where_the_page_has_the_whole_text() {
    let server = Server::start();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let file = |name: &str| server.dir.path().join("files").join(name);
    std::fs::create_dir_all(file("")).unwrap();
    std::fs::write(file("plan.txt"), b"one\r\ntwo\r\n").unwrap();
    std::fs::write(file("old.txt"), b"Gr\xfc\xdfe\n").unwrap();
    std::fs::write(file("long.txt"), "many words\n".repeat(6_000)).unwrap();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let salary = NewFact {
        subject: "Ana".into(),
        predicate: "earns".into(),
        object: "ninety".into(),
        scope: None,
        confidence: 1.0,
        source: "user_explicit".into(),
        evidence: None,
        days: None,
        quarantined: None,
    };
    workspace.ledger().with_sensitivity(Sensitivity::Confidential).add(&salary).unwrap();
    let current = |form: Form| workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
    let removals: Vec<(Ref, String)> = [Form::FILES, Form::LEDGER]
        .into_iter()
        .flat_map(|form| current(form).into_iter().map(|memory| (memory.reference(), "doubtful".into())))
        .collect();
    workspace.branches().propose_removal(&removals, "propose it").unwrap();
    let page = visitor.get("/inspect/review").text;
    assert!(!page.contains("ninety"), "{page}");
    let cards: Vec<_> = page.split("<article class=\"card\">").skip(1).collect();
    let card =
        |text: &str| *cards.iter().find(|card| card.contains(text)).unwrap_or_else(|| panic!("{page}"));
    for (text, obstacle) in [
        ("files:plan.txt", None),
        ("files:old.txt", Some("The text is not UTF-8: ")),
        ("files:long.txt", Some("The text is too long to edit here: ")),
        ("[confidential]", Some("The text is confidential: ")),
    ] {
        let card = card(text);
        assert_eq!(card.contains("<textarea"), obstacle.is_none(), "{card}");
        assert!(obstacle.is_none_or(|obstacle| card.contains(obstacle)), "{card}");
    }
    let fields = fields_of(card("files:plan.txt"), "resolve");
    let fields = fields.iter().map(|(name, value)| match name.as_str() {
        "how" => ("how", "value"),
        name => (name, value.as_str()),
    });
    let fields: Vec<_> = fields.chain([("text", "one\r\nthree")]).collect();
    let sent = form(&server, "/inspect/do/resolve", &visitor.cookie, &fields);
    assert_eq!(sent.status, 303, "{}", sent.text);
    assert_eq!(std::fs::read(file("plan.txt")).unwrap(), b"one\r\nthree\r\n");
}

#[test]
fn a_list_of_tokens_that_cannot_be_read_signs_nobody_out() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let file = server.dir.path().join("tokens.json");
    let tokens = std::fs::read(&file).unwrap();
    std::fs::write(&file, "{").unwrap();
    assert_eq!(visitor.get("/inspect").status, 503);
    let login = login(&server, "guess");
    assert_eq!(login.status, 503);
    assert!(login.text.contains("The tokens cannot be read."), "{}", login.text);
    std::fs::write(&file, tokens).unwrap();
    assert_eq!(visitor.get("/inspect").status, 200);
}

#[test]
fn a_timeline_is_read_to_its_beginning() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let conversation = workspace.conversation(Session::parse("telegram:42").unwrap());
    for n in 0..45 {
        let message = format!("I prefer seat number {n} by the window.");
        let inbound = Inbound { user: Some("7".into()), ..Inbound::new(&message) };
        let reply = Reply { text: Some(format!("Noted {n}")), ..Reply::default() };
        conversation.turn(&inbound, |_| Ok(reply)).unwrap();
    }
    let lines = workspace.journal().lines(&Question::default(), &At::head()).unwrap();
    let mut expected: Vec<_> = lines.iter().map(|line| line.entry).collect();
    expected.reverse();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let (mut shown, mut pages) = (Vec::new(), 0);
    let mut next = Some("/inspect".to_owned());
    while let Some(path) = next {
        let page = visitor.get(&path).text;
        let entries = page.split("<span class=\"where\">@").skip(1);
        let entry = |text: &str| text.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok();
        shown.extend(entries.filter_map(entry));
        let older = page.split("\" rel=\"next\"").next().filter(|before| before.len() < page.len());
        next = older.map(|before| before.rsplit("href=\"").next().unwrap().replace("&amp;", "&"));
        pages += 1;
    }
    assert_eq!(shown, expected);
    assert!(pages > 2, "{pages}");
}

#[test]
fn a_point_on_another_branch_shows_that_branch() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    workspace.branches().create("apart", None, &At::head()).unwrap();
    let apart = Options { branch: Some("apart".into()), ..options() };
    Workspace::open(server.dir.path(), apart).unwrap().zone().remember("Ana keeps bees").unwrap();
    let then = head_of(&server);
    workspace.zone().remember("Ana swims").unwrap();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    for (when, has) in
        [(format!("apart@{then}"), true), (format!("@{then}"), false), (then.to_string(), false)]
    {
        let page = visitor.get(&format!("/inspect/memories?when={}", encoded(&when)));
        assert_eq!(page.status, 200, "{when}: {}", page.text);
        assert_eq!(page.text.contains("Ana keeps bees"), has, "{when}: {}", page.text);
        assert!(page.text.contains("Back to now"), "{when}: {}", page.text);
    }
}

#[test]
fn a_server_that_is_set_to_a_branch_offers_no_switch() {
    for (set, has) in [(None, true), (Some("main".to_owned()), false)] {
        let server = Server::on_branch(sample(), set);
        let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
        let page = visitor.get("/inspect/branches?branch=travel-planner");
        assert_eq!(page.status, 200, "{}", page.text);
        assert_eq!(page.text.contains("action=\"/inspect/do/switch\""), has, "{}", page.text);
    }
}

#[test]
fn of_two_edits_of_one_version_one_is_refused() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    workspace.blocks().set(&BlockName::new("current_focus").unwrap(), "bees", None).unwrap();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    for round in 0..8 {
        let page = visitor.get("/inspect/memory?ref=blocks%3Acurrent_focus").text;
        let hidden = fields_of(&page, "block");
        let edit = &|text: &str| {
            let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let fields: Vec<_> = hidden.chain([("text", text)]).collect();
            form(&server, "/inspect/do/block", &visitor.cookie, &fields).status
        };
        let texts = ["one", "other"].map(|text| format!("{text} {round}"));
        let sent = std::thread::scope(|scope| {
            let sent = texts.each_ref().map(|text| scope.spawn(move || edit(text)));
            sent.map(|sent| sent.join().unwrap())
        });
        assert_eq!(sent.iter().filter(|status| **status == 303).count(), 1, "{sent:?}");
    }
}
