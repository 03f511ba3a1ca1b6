//! The inspector over HTTP: who gets in, what a form may do, and texts that try to become a part of a page.

use std::collections::BTreeSet;

use memtape::ledger::{NewFact, NewValue};
use memtape::{At, Audience, BlockName, CommitQuestion, FilePath, Form, Origin, Session, Toolset, Workspace};
use memtape_server::http::tokens::{Kind, Tokens};
use memtape_testkit::inspected::{self, HOSTILE};
use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Response, Server, options};

/// A browser that has signed in.
struct Visitor<'s> {
    server: &'s Server,
    /// The header line with the cookie.
    cookie: String,
}

fn signed_in<'s>(server: &'s Server, token: &str) -> Visitor<'s> {
    let response = login(server, token);
    assert_eq!(response.status, 303, "{}", response.text);
    Visitor { server, cookie: cookie_of(&response) }
}

fn login(server: &Server, token: &str) -> Response {
    form(server, "/inspect/login", "", &[("token", token)])
}

fn cookie_of(response: &Response) -> String {
    let line = response.head.lines().find(|line| line.to_lowercase().starts_with("set-cookie:")).unwrap();
    let value = line.split_once(": ").unwrap().1;
    format!("Cookie: {}\r\n", value.split(';').next().unwrap())
}

/// Sends a form as a browser does.
fn form(server: &Server, path: &str, headers: &str, fields: &[(&str, &str)]) -> Response {
    let body: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let headers = format!("Content-Type: application/x-www-form-urlencoded\r\n{headers}");
    server.send_text("POST", path, &headers, &body.join("&"))
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Visitor<'_> {
    fn get(&self, path: &str) -> Response {
        self.server.send_text("GET", path, &self.cookie, "")
    }

    /// Returns the text of this visit that every form contains.
    fn csrf(&self) -> String {
        let page = self.get("/inspect").text;
        page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    }

    fn act(&self, action: &str, fields: &[(&str, &str)]) -> Response {
        let csrf = self.csrf();
        let own = [("csrf", csrf.as_str()), ("on", "main"), ("back", "/inspect")];
        form(self.server, &format!("/inspect/do/{action}"), &self.cookie, &[&own, fields].concat())
    }
}

fn sample() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    inspected::sample(dir.path()).unwrap();
    dir
}

fn head_of(server: &Server) -> u64 {
    Workspace::open(server.dir.path(), options()).unwrap().journal().head().unwrap()
}

/// Returns the reference and the version of the first current memory of a form.
fn first(server: &Server, form: Form) -> (String, String) {
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let memories = workspace.memories(form, &Audience::owner(), &At::head()).unwrap();
    (memories[0].reference().to_string(), memories[0].id.entry().to_string())
}

/// Returns the hidden fields of the first form of an action on a page.
fn fields_of(page: &str, action: &str) -> Vec<(String, String)> {
    let form = page.split(&format!("action=\"/inspect/do/{action}\"")).nth(1);
    let form = form.unwrap_or_else(|| panic!("no {action}: {page}")).split("</form>").next().unwrap();
    let hidden = form.split("type=\"hidden\" name=\"").skip(1);
    let value = |text: &str| text.split('"').nth(2).unwrap().replace("&amp;", "&");
    hidden.map(|text| (text.split('"').next().unwrap().to_owned(), value(text))).collect()
}

#[test]
fn a_memory_that_was_changed_after_the_page_was_opened_is_not_acted_upon() {
    let server = Server::start();
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let fact = |subject: &str, object: &str| NewFact {
        subject: subject.into(),
        predicate: "lives in".into(),
        object: object.into(),
        scope: None,
        confidence: 1.0,
        source: "user_explicit".into(),
        evidence: None,
        days: None,
        quarantined: None,
    };
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
    workspace.branches().propose_removal(&[reference(Form::LEDGER, "Bo")], "doubtful").unwrap();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let page_of = |reference: &str| format!("/inspect/memory?ref={}", encoded(reference));
    let cases: [(String, &str, &dyn Fn()); 7] = [
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
fn a_token_is_exchanged_for_a_cookie_that_only_the_inspector_gets() {
    let server = Server::of(sample());
    let token = server.token("ana", Kind::Owner, false);
    let response = login(&server, &token);
    let cookie = response.head.lines().find(|line| line.to_lowercase().starts_with("set-cookie:")).unwrap();
    for part in ["Path=/inspect", "HttpOnly", "SameSite=Strict"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains(&token), "the cookie does not contain the token");
    assert_eq!(login(&server, "mt_ana_0000").status, 403);
    assert_eq!(login(&server, "").status, 403);
    let gateway = server.token("gate", Kind::Gateway { prefix: "telegram:".into() }, false);
    assert_eq!(login(&server, &gateway).status, 403);
    // The cookie is for the inspector only.
    let visitor = signed_in(&server, &token);
    assert_eq!(server.send_text("GET", "/v1/log", &visitor.cookie, "").status, 401);
}

#[test]
fn a_ticket_opens_the_inspector_once() {
    let server = Server::with_ticket(sample(), "once");
    assert_eq!(server.send_text("GET", "/inspect/open?ticket=guess", "", "").status, 303);
    let response = server.send_text("GET", "/inspect/open?ticket=once", "", "");
    let visitor = Visitor { server: &server, cookie: cookie_of(&response) };
    assert_eq!(visitor.get("/inspect").status, 200);
    let again = server.send_text("GET", "/inspect/open?ticket=once", "", "");
    assert!(!again.head.to_lowercase().contains("set-cookie"), "{}", again.head);
}

#[test]
fn without_a_visit_there_is_only_the_way_in() {
    let server = Server::of(sample());
    for cookie in ["", "Cookie: memtape_visit_=guess\r\n", "Cookie: memtape_visit_=\r\n"] {
        for path in ["/inspect", "/inspect/memories", "/inspect/live?after=0", "/inspect/health"] {
            let response = server.send_text("GET", path, cookie, "");
            assert_eq!(response.status, 303, "{path}");
            assert!(response.head.contains("/inspect/login"), "{}", response.head);
        }
        let forget = form(&server, "/inspect/do/forget", cookie, &[("ref", "zone:x"), ("on", "main")]);
        assert_eq!(forget.status, 403);
        assert_eq!(form(&server, "/inspect/leave", cookie, &[]).status, 403);
    }
    assert_eq!(server.send_text("GET", "/inspect/login", "", "").status, 200);
}

#[test]
fn every_path_of_the_inspector_leads_to_a_page() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let slash = visitor.get("/inspect/");
    assert_eq!(slash.status, 303);
    assert!(slash.head.to_lowercase().contains("location: /inspect\r\n"), "{}", slash.head);
    for path in ["/inspect/nothing", "/inspect/nothing/here", "/inspect/memories/x/y"] {
        let page = visitor.get(path);
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text.contains("there is no such page"), "{path}: {}", page.text);
    }
}

#[test]
fn the_memories_of_a_change_are_found_on_its_branch() {
    let server = Server::of(sample());
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    workspace.branches().create("apart", None, &At::entry(1)).unwrap();
    workspace.zone().remember("Ana keeps bees").unwrap();
    let entry = workspace.journal().head().unwrap();
    drop(workspace);
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    for branch in ["main", "apart"] {
        let page = visitor.get(&format!("/inspect/change?entry={entry}&branch={branch}"));
        assert!(page.text.contains("Ana keeps bees"), "{branch}: {}", page.text);
        let link = page.text.split('"').find(|text| text.starts_with("/inspect/memory?")).unwrap();
        let memory = visitor.get(&link.replace("&amp;", "&"));
        assert_eq!(memory.status, 200, "{branch}: {link}");
    }
}

#[test]
fn a_removed_token_and_a_sign_out_end_the_visit_at_once() {
    let server = Server::of(sample());
    let token = server.token("ana", Kind::Owner, false);
    let (one, other) = (signed_in(&server, &token), signed_in(&server, &token));
    let csrf = one.csrf();
    assert_eq!(form(&server, "/inspect/leave", &one.cookie, &[("csrf", &csrf)]).status, 303);
    assert_eq!(one.get("/inspect").status, 303);
    assert_eq!(other.get("/inspect").status, 200);
    assert!(Tokens::of(server.dir.path()).remove("ana").unwrap());
    assert_eq!(other.get("/inspect").status, 303);
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

#[test]
fn a_page_of_what_did_not_exist_yet_keeps_the_slider() {
    let server = Server::of(sample());
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let (reference, _) = &first(&server, Form::ZONE);
    let page = visitor.get(&format!("/inspect/memory?ref={}&at=1", encoded(reference)));
    assert_eq!(page.status, 404);
    for part in ["type=\"range\" name=\"at\"", &format!("name=\"ref\" value=\"{reference}\""), "Back to now"]
    {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
}

#[test]
fn another_tenant_and_another_chat_are_as_if_they_did_not_exist() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        std::fs::create_dir(dir.path().join(name)).unwrap();
        inspected::sample(&dir.path().join(name)).unwrap();
    }
    let two = Workspace::open(&dir.path().join("two"), options()).unwrap();
    let (_, secrets) = two.zone().remember("the vault opens at nine").unwrap();
    let server = Server::of_many(dir);
    let owner = signed_in(&server, &server.token_of(Some("one"), "one", Kind::Owner, false));
    let secret = format!("/inspect/memory?ref={}", encoded(&secrets[0].to_string()));
    assert_eq!(owner.get(&secret).status, 404);
    let zoe = Kind::Fixed { session: "telegram:zoe".into(), user: Some("zoe".into()) };
    let zoe = signed_in(&server, &server.token_of(Some("two"), "zoe", zoe, false));
    // Ana's chat has captured statements, and turns with prompts.
    let workspace = Workspace::open(&server.dir.path().join("two"), options()).unwrap();
    let anas: Vec<_> = workspace
        .memories(Form::STATEMENTS, &Audience::owner(), &At::head())
        .unwrap()
        .into_iter()
        .filter(|memory| memory.scope.contains(":ana"))
        .collect();
    assert!(!anas.is_empty());
    for memory in &anas {
        let page = zoe.get(&format!("/inspect/memory?ref={}", encoded(&memory.reference().to_string())));
        assert_eq!(page.status, 404, "{}", memory.text);
    }
    let recall = "/inspect/recall?q=seats+flights+faro&session=telegram%3Aana&user=ana";
    for path in [
        "/inspect",
        "/inspect/memories",
        "/inspect/memories?form=messages",
        "/inspect/branches",
        "/inspect/review",
        recall,
        "/inspect/turns",
        "/inspect/health",
        "/inspect?session=telegram%3Aana",
        "/inspect/memories?q=window",
        "/inspect/live?after=0",
    ] {
        let page = zoe.get(path);
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        for text in ["window seats", "night train to Faro", "Utrecht at the end"] {
            assert!(!page.text.contains(text), "{path} shows {text:?}");
        }
    }
    let turns =
        workspace.turns(&memtape::TurnQuestion { limit: 50, ..Default::default() }, &At::head()).unwrap();
    for turn in turns {
        let page = zoe.get(&format!("/inspect/turn?begin={}", turn.turn.begin));
        assert!([403, 404].contains(&page.status), "a prompt shows what its speaker sees");
    }
}

/// The elements that the pages use.
const ELEMENTS: [&str; 70] = [
    "!doctype",
    "a",
    "article",
    "blockquote",
    "body",
    "button",
    "circle",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "head",
    "header",
    "html",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "line",
    "link",
    "main",
    "meta",
    "nav",
    "ol",
    "option",
    "output",
    "p",
    "path",
    "pre",
    "rect",
    "script",
    "section",
    "select",
    "small",
    "span",
    "strong",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "textarea",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "ul",
    "em",
    "g",
    "hr",
    "dfn",
    "b",
    "i",
    "sub",
    "sup",
    "var",
];

/// Fails if a page has an element, an attribute or a link that the inspector does not make.
fn check_markup(path: &str, html: &str) {
    for tag in html.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name = tag.trim_start_matches('/').split([' ', '>', '/']).next().unwrap().to_lowercase();
        assert!(ELEMENTS.contains(&name.as_str()), "{path} has the element {name:?}: <{tag}>");
        // Between the values of attributes there are only names.
        let outside: String = tag.split('"').step_by(2).collect();
        for attribute in outside.split(' ').filter(|attribute| attribute.contains('=')) {
            let is_own = !attribute.starts_with("on") && !attribute.starts_with("style");
            assert!(is_own, "{path} has the attribute {attribute}: <{tag}>");
        }
        if name == "script" && !tag.starts_with('/') {
            assert!(tag.starts_with("script src=\"/inspect/assets/"), "{path}: <{tag}>");
        }
        for link in ["href=\"", "action=\"", "src=\"", "hx-get=\""] {
            for value in tag.split(link).skip(1) {
                let is_own = value.starts_with("/inspect") || value.starts_with('#');
                assert!(is_own, "{path} leads to another place: <{tag}>");
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[test]
fn every_stored_text_is_shown_as_text() {
    let dir = tempfile::tempdir().unwrap();
    let texts = inspected::hostile(dir.path()).unwrap();
    assert!(texts.len() >= 200, "{}", texts.len());
    let server = Server::of(dir);
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let mut paths: Vec<String> =
        ["", "/branches", "/review", "/health", "/live?after=0", "/turns", "/recall"]
            .map(|path| format!("/inspect{path}"))
            .to_vec();
    for reference in inspected::references(&workspace).unwrap() {
        paths.push(format!("/inspect/memory?ref={}", encoded(&reference)));
    }
    let head = workspace.journal().head().unwrap();
    paths.extend((1..=head / 50 + 1).map(|n| format!("/inspect?before={}", (n * 50).min(head + 1))));
    paths.extend((1..=head).step_by(3).map(|entry| format!("/inspect/change?entry={entry}")));
    let question = CommitQuestion { limit: Some(200), ..CommitQuestion::default() };
    let commits = workspace.log(&question, &At::head()).unwrap();
    paths.extend(commits.iter().map(|commit| format!("/inspect/change?entry={}", commit.entry)));
    let turns =
        workspace.turns(&memtape::TurnQuestion { limit: 50, ..Default::default() }, &At::head()).unwrap();
    paths.extend(turns.iter().map(|turn| format!("/inspect/turn?begin={}", turn.turn.begin)));
    for text in texts.iter().step_by(9) {
        // A text is hostile wherever a page repeats what it was asked for.
        for field in
            ["memories?q", "recall?q", "memory?ref", "memories?scope", "turns?session", "memories?form"]
        {
            paths.push(format!("/inspect/{field}={}", encoded(text)));
        }
        paths.push(format!("/inspect?type={0}&session={0}&when={0}&branch={0}&done={0}", encoded(text)));
    }
    let mut seen = BTreeSet::new();
    for path in &paths {
        let page = visitor.get(path);
        assert!(page.status < 500, "{path}: {} {}", page.status, page.text);
        let policy = "content-security-policy: default-src 'self'; base-uri 'none'";
        assert!(page.head.contains(policy), "{path}: {}", page.head);
        check_markup(path, &page.text);
        seen.extend(
            texts.iter().enumerate().filter(|(_, text)| page.text.contains(&escaped(text))).map(|(n, _)| n),
        );
        assert!(page.text.len() < 150_000, "{path} has {} bytes", page.text.len());
    }
    // No page shows the texts that only a prompt has, in which they are neutralised.
    assert!(seen.len() >= 200, "only {} of {} texts are on a page", seen.len(), texts.len());
    assert!(texts.iter().all(|text| text.contains(HOSTILE)));
}

#[test]
fn assets_have_a_digest_in_their_name_and_an_entity_tag() {
    let server = Server::of(sample());
    let page = server.send_text("GET", "/inspect/login", "", "").text;
    let paths: Vec<_> = page.split("=\"").filter_map(|part| part.strip_prefix("/inspect/assets/")).collect();
    assert_eq!(paths.len(), 4, "{page}");
    for path in paths {
        let path = format!("/inspect/assets/{}", path.split('"').next().unwrap());
        let response = server.send_text("GET", &path, "", "");
        assert_eq!(response.status, 200, "{path}");
        assert!(response.head.contains("immutable"), "{}", response.head);
        let tag = response.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
        let known = server.send_text("GET", &path, &format!("If-None-Match: {tag}\r\n"), "");
        assert_eq!((known.status, known.text.len()), (304, 0));
    }
    assert_eq!(server.send_text("GET", "/inspect/assets/inspect.0000000000000000.css", "", "").status, 404);
}

#[test]
fn those_who_are_not_signed_in_take_no_room_from_those_who_are() {
    use std::io::Write as _;
    let server = Server::of(sample());
    let token = server.token("ana", Kind::Owner, false);
    let visitor = signed_in(&server, &token);
    let is_busy = || login(&server, "guess").status == 503;
    let mut streams = Vec::new();
    while !is_busy() {
        assert!(streams.len() < 500, "the requests are not limited");
        let mut stream = std::net::TcpStream::connect(server.address()).unwrap();
        let head = "POST /inspect/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n";
        write!(stream, "{head}Content-Type: application/x-www-form-urlencoded\r\n\r\nt").unwrap();
        streams.push(stream);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(visitor.get("/inspect").status, 200);
    let bearer = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(server.send("GET", "/metrics", &bearer, None).status, 200);
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

#[test]
fn a_timeline_that_was_left_far_behind_is_replaced() {
    let server = Server::start();
    let visitor = signed_in(&server, &server.token("ana", Kind::Owner, false));
    let workspace = Workspace::open(server.dir.path(), options()).unwrap();
    let before = head_of(&server);
    for (count, swap) in [(2, "afterbegin"), (60, "innerHTML")] {
        for n in 0..count {
            workspace.zone().daily(&format!("saw bird {n} of {count}"), None).unwrap();
        }
        let live = visitor.get(&format!("/inspect/live?after={before}"));
        assert!(live.text.contains(&format!("hx-swap-oob=\"{swap}\"")), "{}", live.text);
        assert_eq!(live.text.contains(">Older<"), swap == "innerHTML", "{}", live.text);
    }
}
