//! The inspector over HTTP: who gets in, what a form may do, and texts that try to become a part of a page.

mod actions;
mod markup;
mod pages;

use memtape::{At, Audience, Form, Workspace};
use memtape_server::http::tokens::{Kind, Tokens};
use memtape_testkit::inspected;
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
