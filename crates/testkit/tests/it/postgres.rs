//! What PostgreSQL alone does: roles, and replication to a standby.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use memtape::Upstream;
use memtape_remote::postgres::Postgres;
use memtape_testkit::conformance;
use memtape_testkit::postgres::Server;
use memtape_testkit::upstreams;
use memtape_upstream::{Appended, Error, Head, ends};

fn open(url: &str) -> Arc<dyn Upstream> {
    memtape_remote::open(url).unwrap()
}

/// A group of one entry, from a tape that another upstream has.
fn group() -> Vec<u8> {
    let test = memtape_testkit::TestWorkspace::new();
    test.workspace.zone().remember("tea").unwrap();
    std::fs::read(test.path().join("tape.jsonl")).unwrap()
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Refused { why, .. }) => why,
        other => panic!("{other:?} is no refusal"),
    }
}

/// Creates the tables and a role that may log in, and runs another statement.
fn with_role(name: &str, then: &str) -> &'static Server {
    let server = Server::shared();
    open(&server.url(&upstreams::name())).create().unwrap();
    for sql in [&format!("CREATE ROLE {name} LOGIN"), then] {
        let _ = server.sql(sql);
    }
    server
}

#[test]
fn a_tenant_does_everything_with_its_own_workspaces() {
    if Server::is_missing() {
        return;
    }
    let server = with_role("cleo", "GRANT memtape_tenant TO cleo");
    let own = |name: &str| open(&server.url_of("cleo", &format!("cleo%2F{name}")));
    conformance::check(&own).unwrap();
}

#[test]
fn a_tenant_reaches_no_other_workspace() {
    if Server::is_missing() {
        return;
    }
    let server = with_role("ana", "GRANT memtape_tenant TO ana");
    let lines = group();
    let (_, last) = ends(&lines).unwrap();
    open(&server.url_of("ana", "ana%2Fnotes")).create().unwrap();
    for name in ["ben/notes", "ana", "anabel/notes", "/ana/notes", "Ana/notes"] {
        let theirs = open(&server.url(&name.replace('/', "%2F")));
        theirs.create().unwrap();
        assert_eq!(theirs.append(Head::EMPTY, &lines, b"").unwrap(), Appended::Done);
        let seen = open(&server.url_of("ana", &name.replace('/', "%2F")));
        let is_hidden = |result: Result<(), Error>| matches!(result, Err(Error::NoTape { .. }));
        assert!(is_hidden(seen.head().map(drop)), "{name}");
        assert!(is_hidden(seen.fetch(0, usize::MAX).map(drop)), "{name}");
        assert!(is_hidden(seen.append(last, &lines, b"").map(drop)), "{name}");
        assert!(is_hidden(seen.append(last, &lines, &lines).map(drop)), "{name}");
        assert_eq!(seen.lines(&[1, 2, 3]).unwrap(), b"", "{name}");
        assert!(refusal(seen.create()).contains("memtape_tenant"), "{name}");
        // Nor can it make one that does not exist yet.
        let new = open(&server.url_of("ana", &format!("{}-2", name.replace('/', "%2F"))));
        assert!(refusal(new.create()).contains("row-level security"), "{name}");
        assert_eq!(theirs.fetch(0, usize::MAX).unwrap().lines, lines, "{name}");
    }
    let listed = Postgres::open(&server.url_of("ana", "any")).unwrap().workspaces("", 1000).unwrap();
    assert_eq!(listed, ["ana/notes"]);
    // Row-level security is checked by the table of all partitions, so nobody may use them by themselves.
    let can = "SELECT count(*) FROM generate_series(0, 15) AS n
               WHERE has_table_privilege('ana', 'memtape.entries_' || n, 'SELECT, INSERT, UPDATE, DELETE')";
    assert_eq!(server.sql(can), "0");
}

#[test]
fn a_service_reaches_every_workspace() {
    if Server::is_missing() {
        return;
    }
    let server = with_role("node", "GRANT memtape_service TO node");
    let name = upstreams::name();
    let own = |of: &str| open(&server.url_of("node", &format!("{name}%2F{of}")));
    conformance::check(&own).unwrap();
}

#[test]
fn a_role_without_rights_is_told_what_it_needs() {
    if Server::is_missing() {
        return;
    }
    let server = with_role("eve", "CREATE DATABASE bare");
    let seen = open(&server.url_of("eve", "notes"));
    for refused in [refusal(seen.head()), refusal(seen.create()), refusal(seen.fetch(0, 1))] {
        assert_eq!(
            refused,
            "permission denied for schema memtape: the role needs memtape_service, or memtape_tenant, with which it \
             reaches the workspaces whose names begin with the role's and a slash"
        );
    }
    // Another database has no tables yet.
    let bare = open(&server.url_of("eve", "notes").replace("/postgres?", "/bare?"));
    for _ in 0..2 {
        assert_eq!(
            refusal(bare.create()),
            "permission denied for database bare: its tables are missing, and this role may not create them; run \
             `memtape push` once as the owner of the database"
        );
        // The failure leaves nothing behind in the connection.
        assert!(matches!(bare.head(), Err(Error::NoTape { .. })));
    }
}

/// An append whose answer was lost counts as done only if the standby has it: the line can be seen before.
#[test]
fn a_repeated_append_waits_for_the_standby() {
    if Server::is_missing() {
        return;
    }
    let server = Server::start(&["fsync=off"]);
    let url = server.url("notes");
    open(&url).create().unwrap();
    let set_standby = |name: &str| {
        let _ = server.sql(&format!("ALTER SYSTEM SET synchronous_standby_names = '{name}'"));
        let _ = server.sql("SELECT pg_reload_conf()");
    };
    set_standby("nobody");
    let lines = group();
    let (sender, answers) = mpsc::channel();
    let append = || {
        let (url, lines, sender) = (url.clone(), lines.clone(), sender.clone());
        thread::spawn(move || sender.send(open(&url).append(Head::EMPTY, &lines, b"")));
    };
    append();
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while server.sql(waiting) != "1" {
        thread::sleep(Duration::from_millis(10));
    }
    let ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    assert_eq!(server.sql(ended), "t");
    assert!(matches!(answers.recv().unwrap(), Err(Error::Unknown { .. })));
    let written = "SELECT head_id > 0 FROM memtape.tapes WHERE workspace = 'notes'";
    assert_eq!(server.sql(written), "t");
    append();
    assert_eq!(answers.recv_timeout(Duration::from_secs(1)).unwrap_err(), RecvTimeoutError::Timeout);
    set_standby("");
    assert_eq!(answers.recv().unwrap().unwrap(), Appended::Done);
    assert_eq!(open(&url).fetch(0, usize::MAX).unwrap().lines, lines);
}
