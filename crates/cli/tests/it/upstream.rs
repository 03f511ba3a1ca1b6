//! `clone` and `push`: one memory on several machines, in a real PostgreSQL.

use std::path::Path;

use expect_test::{Expect, expect};
use memtape_testkit::{postgres, upstreams};
use serde_json::{Value, json};

use crate::harness::Home;
use crate::serve::{Server, added};

/// Runs commands, in which `URL` is the address of a new upstream. In what they print it is `[URL]`.
fn check(home: &Home, url: &str, lines: &[&str], expect: &Expect) {
    let label = url.replace("memtape@", "");
    let mut said = String::new();
    for line in lines {
        let ran = home.run(&line.replace("URL", url)).snapshot().replace(&label, "[URL]");
        said += &format!("$ memtape {line}\n{ran}");
    }
    expect.assert_eq(&said);
}

fn new_url() -> String {
    postgres::Server::shared().url(&upstreams::name())
}

#[test]
fn two_machines_share_a_memory() {
    let home = Home::new();
    check(
        &home,
        &new_url(),
        &[
            "remember 'Ana likes green tea'",
            "clone URL other",
            "push URL",
            "push URL --json",
            "clone URL other",
            "-C other remember 'Ana has a dog'",
            "recall dog",
            "undo",
            "-C other zone show",
            "status",
            "-C other verify",
            "clone URL .",
        ],
        &expect![[r#""#]],
    );
    let tape = |dir: &str| std::fs::read(home.path(dir).join("tape.jsonl")).unwrap();
    assert_eq!(tape("."), tape("other"));
    // The password stays in the owner's configuration.
    let known = std::fs::read_to_string(home.own("upstreams")).unwrap();
    assert!(known.contains("memtape@"), "{known}");
    let mark = std::fs::read_to_string(home.path("upstream.json")).unwrap();
    assert!(!mark.contains("memtape@"), "{mark}");
}

#[test]
fn a_replica_that_is_not_connected_is_only_read() {
    let (home, url) = (Home::new(), new_url());
    check(&home, &url, &["remember 'Ana likes tea'", "push URL"], &expect![[r#""#]]);
    // Somebody else's copy of the directory: its mark connects nowhere.
    let copy = Home::bare();
    for file in ["tape.jsonl", "upstream.json"] {
        copy.write(file, std::fs::read(home.path(file)).unwrap());
    }
    check(
        &copy,
        &url,
        &["-C . recall tea -n 1", "-C . remember 'Ana likes coffee'", "-C . status"],
        &expect![[r#""#]],
    );
    let connected = copy.command("-C . remember 'Ana likes coffee'").env("MEMTAPE_UPSTREAM", &url).run();
    assert_eq!(connected.code, 0, "{}", connected.stderr);
}

#[test]
fn what_is_wrong_with_an_upstream_is_said() {
    let (home, url) = (Home::new(), new_url());
    let nobody =
        url.replace(&postgres::Server::shared().port().to_string(), &postgres::free_port().to_string());
    let other = Home::new();
    let pushed = other.run(&format!("push {url}"));
    assert_eq!(pushed.code, 0, "{}", pushed.stderr);
    check(
        &home,
        &url,
        &["push URL", "clone mysql://localhost other", "clone postgres://h/d?workspace= other"],
        &expect![[r#""#]],
    );
    check(&home, &nobody, &["clone URL other", "push URL"], &expect![[r#""#]]);
    assert!(!Path::new(&home.path("other")).exists());
}

#[test]
fn any_node_serves_any_workspace() {
    let (home, url) = (Home::new(), new_url());
    home.setup(&["remember 'Ana likes tea'", &format!("push {url}")]);
    let (database, name) = url.split_once("?workspace=").unwrap();
    let start = |cache: &str| {
        let server = Server::start(&home, &format!("--workspaces {database} --cache {cache}"));
        (server, added(&home, &format!("token add t --workspaces {cache} --opens {name}")))
    };
    let ((one, token), (two, other)) = (start("one"), start("two"));
    let told = json!({"content": "Ana has a dog", "mode": "append"});
    let saved = one.with(&token, &[], "POST", "/v1/tools/memory_save", &told);
    assert_eq!(saved.status, 200, "{:?}", saved.json());
    let found = two.with(&other, &[], "GET", "/v1/recall?query=dog", &Value::Null);
    assert_eq!(found.json()["hits"][0]["text"], "Ana has a dog");
    assert!(home.path("two").join(name).join("tape.jsonl").is_file());
}
