//! The actions of the pages: who is offered them, and what a form does that was opened before a change.

use memtape::ledger::{NewFact, NewValue};
use memtape::{At, Audience, BlockName, FilePath, Form, Origin, Session, Toolset, Workspace};
use memtape_server::http::tokens::Kind;
use serde_json::json;

use super::{Visitor, encoded, fields_of, first, form, head_of, sample, signed_in};
use crate::harness::{Response, Server, options};

#[test]
fn a_memory_that_was_changed_after_the_page_was_opened_is_not_acted_upon() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let fact = |subject: &str, object: &str| NewFact::new(subject, "lives in", object);
    let reference = |form: Form, text: &str| {
        let memories = workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
        let found = memories.iter().find(|memory| memory.text.contains(text));
        found.unwrap_or_else(|| panic!("{text}: {memories:?}")).reference()
    };
    let propose = |value: &str| {
        let tools = workspace.tools().of(&Toolset::USUAL).writing_as(Origin::Assistant);
        tools.call("memory_set_block", json!({"name": "persona", "value": value})).unwrap();
    };
    let move_to = |subject: &str, object: &str| {
        let value = NewValue {
            object: object.into(),
            confidence: 1.0,
            source: "user_explicit".into(),
            quarantined: None,
        };
        workspace.ledger().update_ref(&reference(Form::LEDGER, subject), &value).unwrap();
    };
    let (plan, note) =
        (FilePath::new("plans/x.md").unwrap(), workspace.notes().path("facts/user.md").unwrap());
    let focus = BlockName::new("current_focus").unwrap();
    workspace.ledger().add(&fact("Ana", "Porto")).unwrap();
    workspace.ledger().add(&fact("Bo", "Utrecht")).unwrap();
    workspace.files().write(&plan, "one").unwrap();
    workspace.blocks().set(&focus, "the journey", None).unwrap();
    workspace.notes().write(&note, "# User\n\n- likes tea\n\n## Work\n\n- at the mill\n").unwrap();
    workspace.zone().daily("booked flights", None).unwrap();
    propose("I book whatever.");
    let removals = [(reference(Form::LEDGER, "Bo"), "doubtful".to_owned())];
    workspace.branches().propose_removal(&removals, "propose it").unwrap();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let page_of = |reference: &str| format!("/inspect/memory?ref={}", encoded(reference));
    let cases: [(String, &str, &dyn Fn()); 10] = [
        (page_of(&reference(Form::LEDGER, "Ana").to_string()), "forget", &|| move_to("Ana", "Lisbon")),
        (page_of("files:plans/x.md"), "forget", &|| {
            workspace.files().write(&plan, "TWO CHANGED").unwrap();
        }),
        (page_of("blocks:current_focus"), "forget", &|| {
            workspace.blocks().set(&focus, "the wedding", None).unwrap();
        }),
        (page_of(&reference(Form::NOTES, "at the mill").to_string()), "forget", &|| {
            workspace.notes().write(&note, "# User\n\n- likes tea\n\n## Work\n\n- at sea\n").unwrap();
        }),
        (page_of(&reference(Form::ZONE, "booked").to_string()), "forget", &|| {
            workspace.zone().daily("doctor at five", None).unwrap();
        }),
        ("/inspect/review".into(), "reject", &|| propose("I steal.")),
        ("/inspect/review".into(), "resolve", &|| move_to("Bo", "Berlin")),
        // They are forgotten by now.
        (page_of(&reference(Form::LEDGER, "Ana").to_string()), "restore", &|| {
            workspace.ledger().add(&fact("Ana", "Oslo")).unwrap();
        }),
        (page_of("files:plans/x.md"), "restore", &|| {
            workspace.files().write(&plan, "THREE").unwrap();
        }),
        (page_of(&reference(Form::NOTES, "at the mill").to_string()), "restore", &|| {
            workspace.notes().write(&note, "# User\n\n- likes tea\n\n## Play\n\n- chess\n").unwrap();
        }),
    ];
    for (path, action, change) in &cases {
        let send = |fields: &[(String, String)]| {
            let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            form(&server, &format!("/inspect/do/{action}"), &visitor.cookie, &fields)
        };
        let opened = fields_of(&visitor.get(path).text, action);
        change();
        let before = head_of(&server);
        let refused = send(&opened);
        assert_eq!(refused.status, 403, "{path} {action}: {}", refused.text);
        assert!(refused.text.contains("changed after the page was opened"), "{}", refused.text);
        assert_eq!(head_of(&server), before, "{path} {action}");
        let again = send(&fields_of(&visitor.get(path).text, action));
        assert_eq!(again.status, 303, "{path} {action}: {}", again.text);
        assert!(head_of(&server) > before, "{path} {action}");
    }
}

#[test]
fn a_token_of_a_chat_is_offered_only_what_it_may_do() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    workspace.blocks().set(&BlockName::new("persona").unwrap(), "I plan ahead.", None).unwrap();
    workspace
        .notes()
        .write(&workspace.notes().path("facts/user.md").unwrap(), "# User\n\n- likes tea\n")
        .unwrap();
    workspace.files().write(&FilePath::new("plans/x.md").unwrap(), "one").unwrap();
    let chat = Session::parse("telegram:42").unwrap();
    let audience = workspace.audience(Some(&chat), Some("7")).unwrap();
    workspace.zone().remember("the owner's line").unwrap();
    workspace.zone().for_audience(audience.clone()).in_session(chat).remember("the chat's line").unwrap();
    let token = Kind::Fixed { session: "telegram:42".into(), user: Some("7".into()) };
    let visitor = signed_in(&server, &server.token("chat", token, false));
    let mut seen = Vec::new();
    for form in [Form::BLOCKS, Form::NOTES, Form::FILES, Form::ZONE] {
        for memory in workspace.memories(form, &audience, &At::head()).unwrap() {
            let path = format!("/inspect/memory?ref={}", encoded(&memory.reference().to_string()));
            let page = visitor.get(&path);
            assert_eq!(page.status, 200, "{}: {}", memory.text, page.text);
            let is_own = memory.text.contains("the chat's line");
            assert_eq!(page.text.contains("/inspect/do/"), is_own, "{}: {}", memory.text, page.text);
            if is_own {
                let fields = fields_of(&page.text, "forget");
                let fields: Vec<_> =
                    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                assert_eq!(self::form(&server, "/inspect/do/forget", &visitor.cookie, &fields).status, 303);
            }
            seen.push(form);
        }
    }
    assert!(seen.len() >= 5, "{seen:?}");
}

#[test]
fn a_forged_form_is_refused_and_changes_nothing() {
    let server = Server::of(sample());
    let token = server.token("ana", Kind::Owner, false);
    let (visitor, other) = (signed_in(&server, &token), signed_in(&server, &token));
    let (reference, seen) = &first(&server, Form::ZONE);
    let (before, others) = (head_of(&server), other.csrf());
    let own = visitor.csrf();
    for csrf in ["", "guess", &others] {
        let fields = [("csrf", csrf), ("on", "main"), ("ref", reference.as_str()), ("seen", seen.as_str())];
        assert_eq!(form(&server, "/inspect/do/forget", &visitor.cookie, &fields).status, 403, "{csrf}");
    }
    let fields =
        [("csrf", own.as_str()), ("on", "main"), ("ref", reference.as_str()), ("seen", seen.as_str())];
    for origin in ["https://evil.example", "null", "http://localhost:81"] {
        let headers = format!("{}Origin: {origin}\r\n", visitor.cookie);
        assert_eq!(form(&server, "/inspect/do/forget", &headers, &fields).status, 403, "{origin}");
    }
    // An action is never a link, whoever asks.
    assert_ne!(
        visitor.get(&format!("/inspect/do/forget?ref={}&csrf={own}&on=main", encoded(reference))).status,
        200
    );
    assert_eq!(head_of(&server), before);
    let headers = format!("{}Origin: http://localhost\r\n", visitor.cookie);
    assert_eq!(form(&server, "/inspect/do/forget", &headers, &fields).status, 303);
    assert!(head_of(&server) > before);
}

#[test]
fn a_token_that_may_only_read_is_offered_no_action_and_can_do_none() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("reader", Kind::Owner, true));
    let (reference, seen) = first(&server, Form::ZONE);
    let page = visitor.get(&format!("/inspect/memory?ref={}", encoded(&reference))).text;
    assert!(!page.contains("/inspect/do/"), "{page}");
    let before = head_of(&server);
    assert_eq!(visitor.act("forget", &[("ref", &reference), ("seen", &seen)]).status, 403);
    assert_eq!(head_of(&server), before);
}

#[test]
fn a_page_of_another_branch_is_not_acted_upon() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let (reference, seen) = first(&server, Form::LEDGER);
    let (csrf, before) = (visitor.csrf(), head_of(&server));
    let fields = [
        ("csrf", csrf.as_str()),
        ("on", "travel-planner"),
        ("ref", reference.as_str()),
        ("seen", seen.as_str()),
    ];
    assert_eq!(form(&server, "/inspect/do/forget", &visitor.cookie, &fields).status, 400);
    assert_eq!(head_of(&server), before);
}

#[test]
fn an_action_returns_only_to_the_inspector() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let (csrf, (reference, seen)) = (visitor.csrf(), first(&server, Form::ZONE));
    let fields = [
        ("csrf", csrf.as_str()),
        ("on", "main"),
        ("ref", reference.as_str()),
        ("seen", seen.as_str()),
        ("back", "https://evil.example/"),
    ];
    let response = form(&server, "/inspect/do/forget", &visitor.cookie, &fields);
    assert!(response.head.contains("location: /inspect?done="), "{}", response.head);
}

/// Sends the first form of an action on a page, with other fields besides.
fn send_form(visitor: &Visitor<'_>, path: &str, action: &str, more: &[(&str, &str)]) -> Response {
    let fields = fields_of(&visitor.get(path).text, action);
    let mut fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.extend(more);
    form(visitor.server, &format!("/inspect/do/{action}"), &visitor.cookie, &fields)
}

#[test]
fn an_edit_keeps_the_line_ends_and_refuses_what_is_not_utf_8() {
    let server = Server::start();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let write = |path: &str, bytes: &[u8]| {
        let path = server.dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let read = |path: &str| std::fs::read(server.dir.path().join(path)).unwrap();
    write("facts/user.md", b"# User\r\n\r\n## Tea\r\n\r\nlikes tea\r\n\r\n## Work\r\n\r\nat the mill\r\n");
    write("files/plan.txt", b"one\r\ntwo\r\n");
    write("files/old.txt", b"Gr\xfc\xdfe\n");
    write("facts/old.md", b"# Old\n\nGr\xfc\xdfe\n");
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let memory_of = |form: Form, text: &str| {
        let memories = workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
        let found = memories.iter().find(|memory| memory.text.contains(text));
        found.unwrap_or_else(|| panic!("{text}: {memories:?}")).clone()
    };
    let page_of = |memory: &memtape::Memory| {
        format!("/inspect/memory?ref={}", encoded(&memory.reference().to_string()))
    };
    // A browser sends every line end as two characters, whatever the page had.
    let text = "# User\r\n\r\n## Tea\r\n\r\nlikes tea\r\n\r\n## Work\r\n\r\nat sea\r\n";
    let tea = memory_of(Form::NOTES, "likes tea");
    let sent = send_form(&visitor, &page_of(&tea), "note", &[("text", text)]);
    assert_eq!(sent.status, 303, "{}", sent.text);
    let note = String::from_utf8(read("facts/user.md")).unwrap();
    assert!(
        note.contains("at sea\r\n") && note.matches('\n').count() == note.matches("\r\n").count(),
        "{note:?}"
    );
    assert_eq!(memory_of(Form::NOTES, "likes tea").id, tea.id, "a section that did not change stays");
    let sent = send_form(&visitor, "/inspect/memory?ref=files:plan.txt", "file", &[("text", "one\r\n2\r\n")]);
    assert_eq!(sent.status, 303, "{}", sent.text);
    assert_eq!(read("files/plan.txt"), b"one\r\n2\r\n");
    for (path, action) in [
        ("/inspect/memory?ref=files:old.txt".to_owned(), "file"),
        (page_of(&memory_of(Form::NOTES, "Gr")), "note"),
    ] {
        let page = visitor.get(&path);
        assert!(page.text.contains("The text is not UTF-8"), "{}", page.text);
        assert!(!page.text.contains(&format!("/inspect/do/{action}\"")), "{}", page.text);
    }
}

#[test]
fn a_section_whose_text_occurs_elsewhere_can_be_forgotten() {
    let server = Server::start();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let path = workspace.notes().path("facts/user.md").unwrap();
    workspace.notes().write(&path, "# User\n\n- Knows Python\n- Knows Python 3.12\n").unwrap();
    let memories = workspace.memories(Form::NOTES, &Audience::owner(), &At::head()).unwrap();
    let memory = memories.iter().find(|memory| memory.text == "- Knows Python").unwrap();
    let page = format!("/inspect/memory?ref={}", encoded(&memory.reference().to_string()));
    let sent = send_form(&visitor, &page, "forget", &[]);
    assert_eq!(sent.status, 303, "{}", sent.text);
    let note = workspace.notes().read(&path, &At::head()).unwrap().text();
    assert!(note.contains("- Knows Python 3.12\n") && !note.contains("- Knows Python\n"), "{note}");
}
