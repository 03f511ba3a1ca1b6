//! A tape in object storage: over a directory, and over a server of S3.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use memtape_remote::objects::{Limits, Objects, open_store};
use memtape_testkit::conformance;
use memtape_testkit::secrets::files_with;
use memtape_upstream::{Appended, Error, Head, Upstream};
use tempfile::TempDir;

use crate::tape::{Group, entries, erased, group, read, texts};
use crate::watched::Watched;
use memtape_testkit::s3::Server;

/// A place for tapes.
pub(crate) enum Place {
    Files(TempDir),
    S3(Box<Server>),
}

impl Place {
    pub(crate) fn all() -> [Self; 2] {
        [Self::files(), Self::S3(Box::new(Server::start()))]
    }

    pub(crate) fn files() -> Self {
        Self::Files(TempDir::new().unwrap())
    }

    pub(crate) fn url(&self, name: &str) -> String {
        match self {
            Self::Files(dir) => format!("file://{}/{name}", dir.path().display()),
            Self::S3(_) => format!("s3://bucket/tapes/{name}"),
        }
    }

    pub(crate) fn open(&self, name: &str, limits: Limits) -> Objects {
        let options: &[(&str, &str)] = match self {
            Self::Files(_) => &[],
            Self::S3(server) => &server.options(),
        };
        Objects::open_with(&self.url(name), options, limits).unwrap()
    }

    /// Returns a watched store and a connection over it.
    pub(crate) fn watch(&self, name: &str, limits: Limits) -> (Arc<Watched>, Objects) {
        let store = open_store(&self.url(name), &[]).unwrap();
        let watched = Arc::new(Watched::new(store));
        let objects = Objects::new("watched", Arc::clone(&watched) as _, limits);
        (watched, objects)
    }

    fn root(&self) -> &Path {
        match self {
            Self::Files(dir) => dir.path(),
            Self::S3(server) => server.root(),
        }
    }

    /// Returns the files below the place that contain a text.
    pub(crate) fn files_with(&self, text: &str) -> Vec<String> {
        files_with(self.root(), text).unwrap()
    }

    /// Returns the directory that has the objects of a tape.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        match self {
            Self::Files(dir) => dir.path().join(name),
            Self::S3(server) => server.root().join("bucket/tapes").join(name),
        }
    }

    /// Returns the number of objects in a folder of a tape.
    pub(crate) fn count(&self, name: &str, folder: &str) -> usize {
        fs::read_dir(self.path(name).join(folder)).map_or(0, Iterator::count)
    }
}

/// Limits with which a few groups are compacted, and deleted soon after.
pub(crate) fn small() -> Limits {
    Limits {
        groups: 3,
        group_bytes: 1 << 20,
        segment_bytes: 20_000,
        grace: Duration::from_millis(1000),
        max_age: Duration::from_millis(100),
    }
}

/// Limits with which groups are deleted soon.
fn brief() -> Limits {
    Limits { grace: Duration::from_millis(50), max_age: Duration::from_millis(5), ..small() }
}

pub(crate) fn append(upstream: &dyn Upstream, head: Head, text: &str) -> Head {
    let Group { lines, end } = group(head, &[text, "and more"]);
    assert_eq!(upstream.append(head, &lines, b"").unwrap(), Appended::Done);
    end
}

#[test]
fn every_store_conforms() {
    for place in Place::all() {
        for (run, limits) in [Limits::default(), small()].into_iter().enumerate() {
            let open = |name: &str| {
                Arc::new(place.open(&format!("{run}-{name}"), limits.clone())) as Arc<dyn Upstream>
            };
            conformance::check(&open).unwrap();
            conformance::check_completion(&open).unwrap();
        }
    }
}

#[test]
fn compaction_under_writers_and_readers_loses_and_doubles_nothing() {
    const WRITERS: usize = 4;
    const EACH: usize = 30;
    for place in Place::all() {
        place.open("t", small()).create().unwrap();
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let readers: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let mut seen = Vec::new();
                        let upstream = place.open("t", small());
                        while !is_done.load(Ordering::SeqCst) {
                            let all = read(&upstream, 2000);
                            texts(&all);
                            assert!(all.starts_with(&seen), "what was read stays");
                            seen = all;
                        }
                    })
                })
                .collect();
            let write = |writer: usize| {
                let upstream = place.open("t", small());
                for n in 0..EACH {
                    loop {
                        let head = upstream.head().unwrap();
                        let text = format!("{writer}/{n}");
                        if upstream.append(head, &group(head, &[&text]).lines, b"").unwrap() == Appended::Done
                        {
                            break;
                        }
                    }
                }
            };
            let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
            let written: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
            is_done.store(true, Ordering::SeqCst);
            let read = readers.into_iter().map(thread::ScopedJoinHandle::join);
            assert!(written.into_iter().chain(read).all(|ended| ended.is_ok()));
        });
        let mut all = texts(&read(&place.open("t", small()), 2000));
        all.sort();
        let mut expected: Vec<_> =
            (0..WRITERS).flat_map(|writer| (0..EACH).map(move |n| format!("{writer}/{n}"))).collect();
        expected.sort();
        assert_eq!(all, expected);
        assert!(place.count("t", "segments") <= 6, "the segments are joined");
    }
}

#[test]
fn groups_are_deleted_a_while_after_they_were_compacted() {
    let place = Place::files();
    let upstream = place.open("t", Limits { grace: Duration::from_secs(3600), ..small() });
    upstream.create().unwrap();
    let mut head = Head::EMPTY;
    for n in 0..9 {
        head = append(&upstream, head, &n.to_string());
    }
    assert_eq!(place.count("t", "groups"), 9, "a reader may still need them");
    thread::sleep(brief().grace);
    append(&place.open("t", brief()), head, "9");
    assert_eq!(place.count("t", "groups"), 1, "those of before the pause are deleted");
    assert_eq!(texts(&read(&place.open("t", small()), 1)).len(), 20);
}

#[test]
fn a_writer_with_an_old_manifest_does_not_write_where_a_group_was_deleted() {
    let place = Place::files();
    let (stale, fast) = (place.open("t", brief()), place.open("t", brief()));
    stale.create().unwrap();
    assert_eq!(stale.head().unwrap(), Head::EMPTY);
    let mut head = Head::EMPTY;
    for round in 0..2 {
        for n in 0..3 {
            head = append(&fast, head, &format!("{round}/{n}"));
        }
        thread::sleep(brief().grace);
    }
    assert!(place.count("t", "groups") <= 3, "the first group is deleted");
    let late = group(Head::EMPTY, &["late"]);
    assert_eq!(stale.append(Head::EMPTY, &late.lines, b"").unwrap(), Appended::Moved);
    for upstream in [&stale, &fast, &place.open("t", small())] {
        assert_eq!(upstream.head().unwrap(), head);
        assert!(!texts(&read(upstream, 1)).contains(&"late".to_owned()));
    }
    head = append(&stale, head, "after all");
    assert_eq!(fast.head().unwrap(), head);
}

#[test]
fn an_erasure_leaves_the_text_in_no_object() {
    for place in Place::all() {
        for appended in [1, 2, 3, 8, 13] {
            let name = format!("t{appended}");
            let (upstream, reader) = (place.open(&name, small()), place.open(&name, small()));
            upstream.create().unwrap();
            let mut head = Head::EMPTY;
            for n in 0..appended {
                head = append(&upstream, head, if n == 0 { "hunter2" } else { "harmless" });
            }
            let before = read(&reader, 1);
            let old = entries(&before).swap_remove(0);
            // Erased twice: the first replacement still has a part that the second one removes.
            for (payload, text) in [(r#"{"content":"hun"}"#, "hunter2"), ("{}", "\"hun\"")] {
                let event = group(head, &["an erasure"]);
                assert!(!place.files_with(text).is_empty());
                let line = erased(&old, payload);
                assert_eq!(upstream.append(head, &event.lines, &line).unwrap(), Appended::Done);
                assert_eq!(place.files_with(text), Vec::<String>::new(), "{appended} groups");
                head = event.end;
                for connection in [&reader, &upstream, &place.open(&name, small())] {
                    assert_eq!(connection.lines(&[1]).unwrap(), line);
                    let all = read(connection, 1);
                    assert!(
                        all.starts_with(&line)
                            && !all.windows(text.len()).any(|bytes| bytes == text.as_bytes())
                    );
                }
            }
            let rest = &before[before.iter().position(|byte| *byte == b'\n').unwrap()..];
            assert!(read(&reader, 1).windows(rest.len()).any(|bytes| bytes == rest), "no other line changes");
        }
    }
}

#[test]
fn an_idle_fetch_is_two_requests_at_once() {
    let place = Place::files();
    let mut watched = Watched::new(open_store(&place.url("t"), &[]).unwrap());
    watched.delay = Duration::from_millis(30);
    let watched = Arc::new(watched);
    let reader = Objects::new("watched", Arc::clone(&watched) as _, Limits::default());
    let writer = place.open("t", Limits::default());
    writer.create().unwrap();
    let mut head = append(&writer, Head::EMPTY, "one");
    assert_eq!(texts(&reader.fetch(0, 1).unwrap().lines).len(), 2);
    watched.take();
    for _ in 0..3 {
        assert!(reader.fetch(head.id, 1).unwrap().lines.is_empty());
        assert_eq!(watched.take(), (vec!["read", "read"], 2));
    }
    head = append(&writer, head, "two");
    assert_eq!(reader.fetch(2, 1).unwrap().head, head);
    assert_eq!(watched.take().0, ["read", "read", "list"], "a new group");
    let next = group(head, &["three"]);
    assert_eq!(reader.append(head, &next.lines, b"").unwrap(), Appended::Done);
    assert_eq!(watched.take().0, ["create"], "an append after a fetch");
}

#[test]
fn a_failure_says_what_is_wrong() {
    let Place::S3(server) = &Place::all()[1] else { unreachable!() };
    let open = |url: &str, name: &str, value: &str| {
        let mut options = server.options();
        if let Some(option) = options.iter_mut().find(|option| option.0 == name) {
            option.1 = value;
        }
        Objects::open_with(url, &options, Limits::default()).unwrap()
    };
    let missing = open("s3://bucket/none", "", "");
    assert!(matches!(missing.head(), Err(Error::NoTape { upstream }) if upstream == "s3://bucket/none"));
    for (url, name, value, expected) in [
        ("s3://other/t", "", "", "the bucket \"other\" does not exist"),
        ("s3://bucket/t", "AWS_SECRET_ACCESS_KEY", "wrong", "SignatureDoesNotMatch"),
        ("s3://bucket/t", "AWS_ALLOW_HTTP", "false", "https"),
        ("s3://bucket/t", "AWS_ENDPOINT", "http://127.0.0.1:9", "efused"),
    ] {
        let upstream = open(url, name, value);
        for error in [upstream.head().unwrap_err(), upstream.create().unwrap_err()] {
            let text = error.to_string();
            assert!(text.contains(expected) && text.contains(url), "{text}");
            assert!(!text.contains("test-id") && !text.contains("test-secret"), "{text}");
            let is_unreachable = matches!(error, Error::Unreachable { .. });
            assert_eq!(is_unreachable, name == "AWS_ENDPOINT" || name == "AWS_ALLOW_HTTP", "{text}");
        }
    }
}

#[test]
fn a_connection_that_breaks_may_have_had_an_effect() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let _ = socket.read(&mut [0; 1024]);
        }
    });
    let options = [
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_ENDPOINT", &endpoint),
        ("AWS_ALLOW_HTTP", "true"),
    ];
    let upstream = Objects::open_with("s3://bucket/t", &options, Limits::default()).unwrap();
    assert!(matches!(upstream.head(), Err(Error::Unreachable { .. })), "a read has no effect");
    assert!(matches!(upstream.create(), Err(Error::Unknown { .. })));
}

/// What was created is on the tape, even if nobody can look any more.
#[test]
fn an_append_whose_end_is_not_known_may_have_had_an_effect() {
    let place = Place::files();
    let setup = place.open("t", Limits::default());
    setup.create().unwrap();
    let group = group(Head::EMPTY, &["one"]);
    let failures = [
        Error::Unreachable { upstream: "watched".into(), why: "no network".into() },
        // The disk of a directory is not mounted any more.
        Error::NoTape { upstream: "watched".into() },
        Error::Damaged { why: "the manifest is cut off".into() },
    ];
    // A manifest of before, and an answer that was lost: the object is there already.
    let ages = [Duration::ZERO, Duration::from_secs(600)];
    for (failure, max_age) in failures.iter().flat_map(|failure| ages.map(|age| (failure, age))) {
        let limits = Limits { max_age, ..Limits::default() };
        let mut watched = Watched::new(open_store(&place.url("t"), &[]).unwrap());
        watched.fails_after_creation = Some(failure.clone());
        let upstream = Objects::new("watched", Arc::new(watched), limits);
        upstream.head().unwrap();
        if !max_age.is_zero() {
            fs::copy(place.path("sent"), place.path("t").join("groups/00000000000000000001.jsonl")).unwrap();
        }
        let failed = upstream.append(Head::EMPTY, &group.lines, b"").unwrap_err();
        assert!(matches!(failed, Error::Unknown { .. }), "{failed:?}");
        assert_eq!(setup.head().unwrap(), group.end);
        let object = place.path("t").join("groups/00000000000000000001.jsonl");
        fs::rename(object, place.path("sent")).unwrap();
    }
}

/// The object is in its place before its directory is synced.
#[cfg(unix)]
#[test]
fn an_object_whose_directory_cannot_be_synced_may_be_there() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::files();
    let upstream = place.open("t", small());
    upstream.create().unwrap();
    upstream.head().unwrap();
    let folder = place.path("t").join("groups");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o300)).unwrap();
    // Root can open it all the same.
    if fs::read_dir(&folder).is_ok() {
        return;
    }
    let group = group(Head::EMPTY, &["one"]);
    let appended = upstream.append(Head::EMPTY, &group.lines, b"");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(matches!(appended, Err(Error::Unknown { .. })), "{appended:?}");
    assert_eq!(upstream.head().unwrap(), group.end);
}

#[test]
fn a_request_is_repeated_if_the_server_is_overloaded() {
    let place = Place::S3(Box::new(Server::start()));
    let Place::S3(server) = &place else { unreachable!() };
    let upstream = place.open("t", small());
    server.fail(2);
    assert!(upstream.create().unwrap());
    server.fail(2);
    let head = append(&upstream, Head::EMPTY, "one");
    server.fail(100);
    assert!(matches!(upstream.head(), Err(Error::Unreachable { .. })));
    server.fail(0);
    assert_eq!(upstream.head().unwrap(), head);
}

/// Returns the address of a server that gives the next of these answers to each connection. After an empty one, or the
/// last one, it closes it.
fn answering(answers: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for (socket, answer) in listener.incoming().zip(answers) {
            let mut socket = socket.unwrap();
            socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            while socket.read(&mut [0; 4096]).is_ok_and(|read| read > 0) {}
            if !answer.is_empty() {
                let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                socket.write_all(answer.as_bytes()).unwrap();
            }
        }
    });
    endpoint
}

/// What a server refuses may have been done by an earlier attempt, and a server that is busy may do it later.
#[test]
fn a_refusal_after_a_lost_answer_and_a_busy_server_are_none() {
    const BUSY: &str = "429 Too Many Requests";
    for (answers, reads, expected) in [
        (&["", "403 Forbidden"][..], false, "Unknown"),
        (&["", "403 Forbidden"], true, "Refused"),
        (&["403 Forbidden"], false, "Refused"),
        (&["", "412 Precondition Failed"], false, "Ok"),
        (&["", BUSY, BUSY, BUSY], false, "Unknown"),
        (&[BUSY; 4], false, "Unreachable"),
        (&[BUSY; 4], true, "Unreachable"),
        (&["408 Request Timeout"; 4], true, "Unreachable"),
    ] {
        let endpoint = answering(answers);
        let options = [
            ("AWS_ACCESS_KEY_ID", "id"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_ENDPOINT", &endpoint),
            ("AWS_ALLOW_HTTP", "true"),
        ];
        let upstream = Objects::open_with("s3://bucket/t", &options, Limits::default()).unwrap();
        let done = if reads { upstream.head().map(drop) } else { upstream.create().map(drop) };
        let found = match &done {
            Ok(()) => "Ok",
            Err(Error::Unknown { .. }) => "Unknown",
            Err(Error::Unreachable { .. }) => "Unreachable",
            Err(Error::Refused { .. }) => "Refused",
            Err(_) => "another one",
        };
        assert_eq!(found, expected, "{answers:?}: {done:?}");
    }
}

/// A directory may be on a disk of another machine, whose connection comes back.
#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_is_unreachable() {
    let place = Place::files();
    std::os::unix::fs::symlink(place.path("t"), place.path("t")).unwrap();
    let upstream = place.open("t", small());
    assert!(matches!(upstream.head(), Err(Error::Unreachable { .. })));
    fs::write(place.path("file"), "").unwrap();
    let upstream = place.open("file", small());
    assert!(matches!(upstream.head(), Err(Error::Refused { .. })));
    // Another machine may have written an object that cannot be looked at.
    let upstream = place.open("u", small());
    upstream.create().unwrap();
    assert_eq!(upstream.head().unwrap(), Head::EMPTY);
    let object = place.path("u").join("groups/00000000000000000001.jsonl");
    fs::create_dir(object.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&object, &object).unwrap();
    let appended = upstream.append(Head::EMPTY, &group(Head::EMPTY, &["one"]).lines, b"");
    assert!(matches!(appended, Err(Error::Unreachable { .. })), "{appended:?}");
    assert!(object.is_symlink(), "it is not replaced");
}

/// Another writer may have joined all groups, with a clock by which there is nothing to delete.
#[test]
fn a_compaction_without_groups_keeps_the_manifest_readable() {
    let place = Place::files();
    let fast = place.open("t", Limits { grace: Duration::from_secs(3600), ..small() });
    let slow = place.open("t", brief());
    fast.create().unwrap();
    let mut head = Head::EMPTY;
    for n in 0..5 {
        head = append(&fast, head, &n.to_string());
    }
    assert_eq!(slow.head().unwrap(), head);
    let last = group(head, &["last"]);
    assert_eq!(fast.append(head, &last.lines, b"").unwrap(), Appended::Done);
    thread::sleep(brief().grace);
    // The same group is sent again, as after an answer that was lost.
    assert_eq!(slow.append(head, &last.lines, b"").unwrap(), Appended::Done);
    assert_eq!(place.count("t", "groups"), 0, "the old groups are deleted");
    assert_eq!(place.open("t", small()).head().unwrap(), last.end);
    head = append(&fast, last.end, "after it");
    assert_eq!(slow.head().unwrap(), head);
}

#[test]
fn an_erasure_that_cannot_be_completed_is_reported_by_itself_alone() {
    let place = Place::files();
    let mut store = Watched::new(open_store(&place.url("t"), &[]).unwrap());
    store.keeps_objects = true;
    let upstream = Objects::new("watched", Arc::new(store), small());
    upstream.create().unwrap();
    let head = append(&upstream, Head::EMPTY, "hunter2");
    let old = entries(&read(&upstream, 1)).swap_remove(0);
    let event = group(head, &["an erasure"]);
    let remains = |done: Result<(), Error>| {
        let text = done.unwrap_err().to_string();
        assert!(text.contains("older objects still have the text"), "{text}");
    };
    remains(upstream.append(head, &event.lines, &erased(&old, "{}")).map(drop));
    let mut head = event.end;
    for n in 0..5 {
        head = append(&upstream, head, &n.to_string());
    }
    remains(upstream.complete_erasures());
    assert!(!place.files_with("hunter2").is_empty());
    let other = place.open("t", small());
    other.complete_erasures().unwrap();
    assert_eq!(place.files_with("hunter2"), Vec::<String>::new());
    assert_eq!(other.head().unwrap(), head);
}

#[test]
fn damaged_objects_are_reported() {
    let place = Place::files();
    let upstream = place.open("t", small());
    upstream.create().unwrap();
    (0..4).fold(Head::EMPTY, |head, n| append(&upstream, head, &n.to_string()));
    let last = place.path("t").join("groups").join(format!("{:020}.jsonl", 7));
    let segment = fs::read_dir(place.path("t").join("segments")).unwrap().next().unwrap().unwrap().path();
    let manifest = place.path("t").join("manifest.json");
    for (path, change) in [
        (&last, (|bytes: &mut Vec<u8>| bytes[40] ^= 1) as fn(&mut Vec<u8>)),
        (&last, |bytes| bytes.clear()),
        (&segment, |bytes| bytes.truncate(100)),
        // The last line has the id of an earlier one, so that the segment ends too early.
        (&segment, |bytes| {
            let line = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
            bytes[line + "{\"id\":".len()] = b'1';
        }),
        (&manifest, |bytes| bytes.truncate(20)),
    ] {
        let good = fs::read(path).unwrap();
        let mut bad = good.clone();
        change(&mut bad);
        fs::write(path, &bad).unwrap();
        let read = place.open("t", small()).fetch(0, usize::MAX);
        let Err(Error::Damaged { why }) = &read else { panic!("{}: {read:?}", path.display()) };
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(path == &manifest || why.contains(name), "{name}: {why}");
        fs::write(path, good).unwrap();
    }
    assert_eq!(texts(&read(&place.open("t", small()), 1)).len(), 8);
}
