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
fn a_replica_that_is_pushed_elsewhere_leaves_its_upstream() {
    let home = Home::new();
    home.setup(&["remember 'Ana likes tea'", "push file://[DIR]/a"]);
    home.check(
        &["push file://[DIR]/b", "push file://[DIR]/b"],
        &expect![[r#"
            $ memtape push file://[DIR]/b
            Pushed 6 entries to file://[DIR]/b. This workspace is a replica of it from now on.
            It has left file://[DIR]/a: writes here and writes of the replicas there do not reach each other any more.
            $ memtape push file://[DIR]/b
            Pushed 0 entries to file://[DIR]/b. This workspace is a replica of it from now on.
        "#]],
    );
}

#[test]
fn two_machines_share_a_memory() {
    if postgres::Server::is_missing() {
        return;
    }
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
        &expect![[r#"
            $ memtape remember 'Ana likes green tea'
            remembered (zone:bceebaa20b337993@5)
            $ memtape clone URL other
            ! error: [URL] has no tape: `memtape push` creates one
            [exit 3]
            $ memtape push URL
            Pushed 6 entries to [URL]. This workspace is a replica of it from now on.
            $ memtape push URL --json
            {"upstream":"[URL]","entries":0}
            $ memtape clone URL other
            Cloned [URL] into [DIR]/other: 6 entries.
            $ memtape -C other remember 'Ana has a dog'
            remembered (zone:d9ae28dc357b2ba0@8)
            $ memtape recall dog
            zone:d9ae28dc357b2ba0@8 · score [SCORE] · cli:direct · recorded [NOW]
              Ana has a dog
            $ memtape undo
            undid @9 ([COMMIT] @13)
            - zone:d9ae28dc357b2ba0 Ana has a dog
            $ memtape -C other zone show
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            Ana likes green tea
            </memory>
            $ memtape status
            workspace  [DIR] ([ID])
            upstream   [URL]: up to date
            branch     main
            entries    13, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 4: 19 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none pending
            $ memtape -C other verify
            OK: 13 entries verified
            $ memtape clone URL .
            Cloned [URL] into [DIR]: 13 entries.
        "#]],
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
    if postgres::Server::is_missing() {
        return;
    }
    let (home, url) = (Home::new(), new_url());
    check(
        &home,
        &url,
        &["remember 'Ana likes tea'", "push URL"],
        &expect![[r#"
        $ memtape remember 'Ana likes tea'
        remembered (zone:545e45e82a169b2f@5)
        $ memtape push URL
        Pushed 6 entries to [URL]. This workspace is a replica of it from now on.
    "#]],
    );
    // Somebody else's copy of the directory: its mark connects nowhere.
    let copy = Home::bare();
    for file in ["tape.jsonl", "upstream.json"] {
        copy.write(file, std::fs::read(home.path(file)).unwrap());
    }
    check(
        &copy,
        &url,
        &["-C . recall tea -n 1", "-C . remember 'Ana likes coffee'", "-C . status"],
        &expect![[r#"
            $ memtape -C . recall tea -n 1
            zone:545e45e82a169b2f@5 · score [SCORE] · cli:direct · recorded [NOW]
              Ana likes tea
            $ memtape -C . remember 'Ana likes coffee'
            ! error: this workspace is a replica of [URL], which is not connected: nothing is written
            ! hint: set MEMTAPE_UPSTREAM to its address with the credentials, or `memtape clone` it into another directory, which keeps the address
            [exit 5]
            $ memtape -C . status
            workspace  [DIR] ([ID])
            branch     main
            entries    6, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 2: 13 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none pending
        "#]],
    );
    let connected = copy.command("-C . remember 'Ana likes coffee'").env("MEMTAPE_UPSTREAM", &url).run();
    assert_eq!(connected.code, 0, "{}", connected.stderr);
}

#[test]
fn what_is_wrong_with_an_upstream_is_said() {
    if postgres::Server::is_missing() {
        return;
    }
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
        &expect![[r#"
            $ memtape push URL
            ! error: [URL] has another tape: its entry 3 is not one of this workspace
            [exit 4]
            $ memtape clone mysql://localhost other
            ! error: cannot use the address: it begins with none of postgres://, s3://, gs://, az:// and file://
            [exit 2]
            $ memtape clone postgres://h/d?workspace= other
            ! error: cannot use the address: the workspace "" is no name of 1 to 200 bytes
            [exit 2]
        "#]],
    );
    check(
        &home,
        &nobody,
        &["clone URL other", "push URL"],
        &expect![[r#"
        $ memtape clone URL other
        ! error: cannot reach [URL]: error connecting to server: Connection refused (os error 111)
        [exit 7]
        $ memtape push URL
        ! error: cannot reach [URL]: error connecting to server: Connection refused (os error 111)
        [exit 7]
    "#]],
    );
    assert!(!Path::new(&home.path("other")).exists());
}

#[test]
fn any_node_serves_any_workspace() {
    if postgres::Server::is_missing() {
        return;
    }
    let (home, url) = (Home::new(), new_url() + "%2Fnotes");
    home.setup(&["remember 'Ana likes tea'", &format!("push {url}")]);
    let (database, encoded) = url.split_once("?workspace=").unwrap();
    let name = encoded.replace("%2F", "/");
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
    assert!(home.path("two").join(encoded).join("tape.jsonl").is_file());
}
