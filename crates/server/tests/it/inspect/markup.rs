//! Texts that try to become a part of a page.

use std::collections::BTreeSet;

use memtape::{At, CommitQuestion, Workspace};
use memtape_server::http::tokens::Kind;
use memtape_testkit::inspected::{self, HOSTILE};

use super::{encoded, signed_in};
use crate::harness::{Server, options};

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
