//! The laws of workspaces with an upstream, in memory, in a real PostgreSQL and behind a real S3 server, and of several replicas of one.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use memtape::{At, Backend, Budget, Options, Upstream, Warning, Workspace};
use memtape_tape::{FileStorage, Segments, Storage};
use memtape_testkit::postgres::Server;
use memtape_testkit::proxy::{Cut, Direction, Proxy};
use memtape_testkit::{Step, TestWorkspace, conformance, isolation, laws, random, upstreams};
use memtape_upstream::{Freshness, MemoryUpstream};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::erase::secret::{SECRET, assert_gone, said};

/// The upstreams that the laws are tested with.
const KINDS: [&str; 3] = ["memory", "postgres", "s3"];

/// Returns those of them that this machine has.
fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().filter(|kind| *kind != "postgres" || !Server::is_missing())
}

/// Runs a test with workspaces that have an upstream, of each kind.
fn with_each(test: impl Fn(&'static str)) {
    for kind in kinds() {
        upstreams::with(move || upstreams::new(kind), || test(kind));
    }
}

fn laws_hold(cases: u32, law: impl Fn(&[Step]) -> laws::Verdict) {
    with_each(|kind| {
        let mut runner = TestRunner::new(random(cases));
        let holds = |steps: Vec<Step>| law(&steps).map_err(|e| TestCaseError::fail(format!("{kind}: {e}")));
        runner.run(&Step::many(15), holds).unwrap();
    });
}

#[test]
fn the_upstream_in_memory_conforms() {
    let tapes: Mutex<HashMap<String, Arc<MemoryUpstream>>> = Mutex::default();
    let open = |name: &str| -> Arc<dyn Upstream> {
        let mut tapes = tapes.lock().unwrap();
        Arc::clone(tapes.entry(name.to_owned()).or_insert_with(|| Arc::new(MemoryUpstream::new(name)))) as _
    };
    conformance::check(&open).unwrap();
}

#[test]
fn postgresql_conforms() {
    if Server::is_missing() {
        return;
    }
    let open = |name: &str| -> Arc<dyn Upstream> {
        memtape_remote::open(&Server::shared().url(&format!("conformance-{name}"))).unwrap()
    };
    conformance::check(&open).unwrap();
    conformance::check_completion(&open).unwrap();
}

#[test]
fn law_1_holds_with_an_upstream() {
    laws_hold(4, laws::rebuild);
}

#[test]
fn law_2_holds_with_an_upstream() {
    laws_hold(4, laws::reopened);
}

#[test]
fn law_4_holds_with_an_upstream() {
    with_each(|_| {
        for world in isolation::known_worlds() {
            isolation::isolation(&world, Backend::SqliteFts).unwrap();
        }
    });
}

#[test]
fn law_5_holds_with_an_upstream() {
    laws_hold(3, laws::time);
}

#[test]
fn law_8_holds_with_an_upstream() {
    laws_hold(3, |steps| laws::budget(steps, "tea", 3, Budget { total: 60, each: 30 }));
}

/// Every replica shows what the others show, and has the same tape.
#[test]
fn law_3_replicas_that_take_turns_are_one_memory() {
    with_each(|kind| {
        let mut runner = TestRunner::new(random(4));
        let holds = |steps: Vec<Step>| {
            let first = TestWorkspace::new();
            let replicas = [first.replica(), first.replica()];
            for (n, step) in steps.iter().enumerate() {
                let test = [&first, &replicas[0], &replicas[1]][n % 3];
                step.run(&test.workspace, &test.clock).map_err(|e| TestCaseError::fail(e.to_string()))?;
            }
            // A person's edit is taken in when its machine next looks at the files.
            for test in [&first, &replicas[0], &replicas[1]] {
                laws::view(&test.workspace, &At::head()).map_err(TestCaseError::fail)?;
            }
            let expected = laws::view(&first.workspace, &At::head()).map_err(TestCaseError::fail)?;
            for replica in &replicas {
                let shown = laws::view(&replica.workspace, &At::head()).map_err(TestCaseError::fail)?;
                prop_assert_eq!(&shown, &expected, "{}", kind);
                prop_assert_eq!(tape(replica), tape(&first), "{}", kind);
            }
            Ok(())
        };
        runner.run(&Step::many(20), holds).unwrap();
    });
}

fn tape(test: &TestWorkspace) -> Vec<u8> {
    tape_in(test.path())
}

/// The bytes of the tape in a directory, whatever its segments are.
fn tape_in(dir: &Path) -> Vec<u8> {
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
    let mut bytes = Vec::new();
    let read = Segments::open(&storage).unwrap().each_line(|line| {
        bytes.extend_from_slice(line.bytes);
        bytes.push(b'\n');
        Ok::<(), memtape_tape::Error>(())
    });
    read.unwrap();
    bytes
}

/// Text that is erased on one machine is on no other one after its next answer, and not in the upstream.
#[test]
fn law_9_erased_text_is_in_no_replica_that_answered() {
    with_each(|kind| {
        let test = TestWorkspace::new();
        test.older().remember(&said(1)).unwrap();
        let replicas = [test.replica(), test.replica(), test.replica()];
        for replica in &replicas {
            assert!(replica.workspace.zone().context(&At::head()).unwrap().contains(SECRET), "{kind}");
        }
        replicas[2].workspace.archive().unwrap();
        replicas[0].workspace.zone().remember("tea").unwrap();
        replicas[1].workspace.scan_and_redact().unwrap();
        // One machine asks, one writes, one is cloned afterwards.
        let shown = test.workspace.zone().context(&At::head()).unwrap();
        assert!(shown.contains("[redacted:password]") && shown.contains("tea"), "{kind}: {shown}");
        replicas[0].workspace.zone().remember("coffee").unwrap();
        let late = test.replica();
        replicas[2].workspace.zone().context(&At::entry(6)).unwrap();
        assert!(test.workspace.zone().context(&At::head()).unwrap().contains("coffee"), "{kind}");
        for replica in replicas.iter().chain([&test, &late]) {
            assert!(replica.workspace.zone().context(&At::head()).unwrap().contains("coffee"), "{kind}");
            assert_gone(replica.path());
            assert_eq!(Workspace::verify(replica.path()).unwrap().tape.bad, [], "{kind}");
            assert_eq!(tape(replica), tape(&test), "{kind}");
            assert_eq!(replica.workspace.take_warnings(), [], "{kind}");
        }
        let upstream = test.upstream.as_ref().unwrap();
        let lines = upstream.fetch(0, usize::MAX).unwrap().lines;
        assert_eq!(lines, tape(&test), "{kind}");
        assert!(!String::from_utf8(lines).unwrap().contains(SECRET), "{kind}");
    });
    let rows =
        Server::shared().sql(&format!("SELECT count(*) FROM memtape.entries WHERE line LIKE '%{SECRET}%'"));
    assert_eq!(rows, "0");
}

fn writer(dir: &Path, url: &str, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_memtape-testkit-writer"))
        .env("MEMTAPE_UPSTREAM", url)
        .arg(dir)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

/// Four machines, each a process with a replica of its own, write every form at once; some are killed and go on.
#[test]
fn law_3_four_machines_lose_and_double_nothing() {
    if Server::is_missing() {
        return;
    }
    let url = Server::shared().url(&upstreams::name());
    let upstream = memtape_remote::open(&url).unwrap();
    upstream.create().unwrap();
    let options = || Options { upstream: Some(Arc::clone(&upstream)), ..Options::default() };
    let dirs: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let first = Workspace::init(dirs[0].path(), options()).unwrap();
    first.branches().create("scout", None, &At::head()).unwrap();
    for dir in &dirs[1..] {
        Workspace::replica(dir.path(), options()).unwrap();
    }
    let works: [&[&str]; 4] =
        [&["ana", "60"], &["ben", "turn", "25"], &["cleo", "note", "25"], &["dan", "file", "25"]];
    let machines: Vec<_> = dirs.iter().zip(works).map(|(dir, work)| writer(dir.path(), &url, work)).collect();
    let archiver = writer(dirs[0].path(), &url, &["archivist", "archive", "20"]);
    let mut acknowledged = Vec::new();
    for machine in machines {
        let done = machine.wait_with_output().unwrap();
        assert!(done.status.success(), "{done:?}");
        acknowledged.push(String::from_utf8(done.stdout).unwrap());
    }
    assert!(archiver.wait_with_output().unwrap().status.success());
    let expected = {
        first.status(&At::head()).unwrap();
        upstream.fetch(0, usize::MAX).unwrap().lines
    };
    // The branch of a line is the one that a machine switched to.
    let text = String::from_utf8(expected.clone()).unwrap();
    let lines = acknowledged.iter().flat_map(|lines| lines.lines());
    for line in lines.filter(|line| !line.starts_with("I prefer")) {
        let times = text.matches(&format!("{line}\\n")).count() + text.matches(&format!("{line}\"")).count();
        assert!(times >= 1, "{line} is lost");
    }
    for dir in &dirs {
        let replica = Workspace::open(dir.path(), options()).unwrap();
        replica.status(&At::head()).unwrap();
        assert_eq!(tape_in(dir.path()), expected);
        let verified = Workspace::verify(dir.path()).unwrap();
        assert_eq!(verified.tape.bad, []);
        assert_eq!(verified.tape.entries, verified.tape.last_id, "ids have no gap");
    }
    let turns = acknowledged[1].lines().count();
    assert_eq!(turns, 25, "every turn is acknowledged");
}

/// A connection that is cut at any byte of a command loses and doubles nothing, and the program says what happened.
#[test]
fn a_cut_connection_leaves_no_doubt() {
    if Server::is_missing() {
        return;
    }
    let server = Server::shared();
    let name = upstreams::name();
    let direct = memtape_remote::open(&server.url(&name)).unwrap();
    direct.create().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let open = |proxy: &Proxy, wait: u64| {
        let url = server.url(&name).replace(&server.port().to_string(), &proxy.port().to_string());
        let mut config = memtape_testkit::config();
        config.upstream.wait = Duration::from_secs(wait);
        let upstream = Some(memtape_remote::open(&url).unwrap());
        Workspace::open(dir.path(), Options { config, upstream, ..Options::default() }).unwrap()
    };
    Workspace::init(dir.path(), Options { upstream: Some(Arc::clone(&direct)), ..Options::default() })
        .unwrap();
    let on_tape = |text: &str| {
        let lines = String::from_utf8(direct.fetch(0, usize::MAX).unwrap().lines).unwrap();
        lines.matches(&format!("{text}\"")).count()
    };
    // The bytes of a whole command: connecting, following, appending.
    let proxy = Proxy::before(server.port());
    open(&proxy, 0).zone().remember("everything passes").unwrap();
    let (requests, answers) = proxy.heal();
    let (mut known, mut unknown) = (0, 0);
    let all = [(Direction::Request, requests), (Direction::Answer, answers)];
    let moments = all.into_iter().flat_map(|(direction, bytes)| {
        let step = usize::try_from(bytes / 40).unwrap().max(1);
        (0..bytes + 1).step_by(step).map(move |after| (direction, after))
    });
    for (direction, after) in moments {
        for heals in [true, false] {
            let proxy = Proxy::before(server.port());
            let workspace = open(&proxy, if heals { 10 } else { 0 });
            proxy.cut(Cut { direction, after, heals });
            let text = format!("{direction:?} {after} {heals}");
            let done = workspace.zone().remember(&text);
            proxy.heal();
            let times = on_tape(&text);
            match done {
                // A connection that works again is used before the user hears of it.
                Ok(_) => assert_eq!(times, 1, "{text}"),
                Err(e) => {
                    assert!(!heals, "{text}: {e}");
                    let is_unknown = e.to_string().contains("it is unknown whether");
                    assert!(is_unknown || times == 0, "{text}: {e}");
                    // The next command that reaches the upstream says which.
                    workspace.zone().remember("a next command").unwrap();
                    let warnings = workspace.take_warnings();
                    let resolved = warnings.iter().find_map(|warning| match warning {
                        Warning::PendingResolved(resolved) => Some(resolved.is_written),
                        _ => None,
                    });
                    assert_eq!(resolved, is_unknown.then_some(times == 1), "{text}: {warnings:?}");
                    known += u32::from(!is_unknown);
                    unknown += u32::from(is_unknown);
                }
            }
        }
    }
    assert!(known > 10 && unknown > 5, "{known} failures were known, {unknown} were not");
    assert_eq!(tape_in(dir.path()), direct.fetch(0, usize::MAX).unwrap().lines);
}

/// Returns a replica that is behind a proxy and does not wait for its upstream; `None` without PostgreSQL.
fn behind_proxy() -> Option<(Proxy, tempfile::TempDir, Workspace)> {
    if Server::is_missing() {
        return None;
    }
    let server = Server::shared();
    let name = upstreams::name();
    let direct = memtape_remote::open(&server.url(&name)).unwrap();
    direct.create().unwrap();
    let proxy = Proxy::before(server.port());
    let url = server.url(&name).replace(&server.port().to_string(), &proxy.port().to_string());
    let dir = tempfile::tempdir().unwrap();
    let mut config = memtape_testkit::config();
    config.upstream.wait = Duration::ZERO;
    let upstream = Some(memtape_remote::open(&url).unwrap());
    let workspace = Workspace::init(dir.path(), Options { config, upstream, ..Options::default() }).unwrap();
    Some((proxy, dir, workspace))
}

/// A pooler reports the failure of the server's connection, although the server may have committed.
#[test]
fn a_pooler_whose_server_fails_leaves_no_doubt() {
    let Some((proxy, _dir, workspace)) = behind_proxy() else { return };
    workspace.zone().remember("Ana likes tea").unwrap();
    let fields = b"SFATAL\0VFATAL\0C08P01\0Mserver conn crashed?\0\0";
    let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
    let message = [b"E".as_slice(), &length, fields].concat();
    proxy.cut_saying(Cut { direction: Direction::Answer, after: 0, heals: false }, &message);
    let e = workspace.zone().remember("Ana likes coffee").unwrap_err().to_string();
    assert!(e.contains("server conn crashed") && e.contains("it is unknown whether"), "{e}");
    proxy.heal();
    workspace.zone().remember("Ana likes water").unwrap();
    let warnings = workspace.take_warnings();
    let [Warning::PendingResolved(resolved)] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(resolved.is_written);
    let lines = workspace.zone().view(&At::head()).unwrap().0.long_term_text();
    assert_eq!(lines, "Ana likes tea\nAna likes coffee\nAna likes water");
}

/// A memory can be read without its upstream, and says from when it is; nothing is written.
#[test]
fn a_replica_answers_without_its_upstream() {
    let Some((proxy, _dir, workspace)) = behind_proxy() else { return };
    workspace.zone().remember("Ana likes tea").unwrap();
    proxy.cut(Cut { direction: Direction::Request, after: 0, heals: false });
    assert!(workspace.zone().context(&At::head()).unwrap().contains("Ana likes tea"));
    let warnings = workspace.take_warnings();
    assert!(matches!(warnings[..], [Warning::Offline { since: Some(_), .. }]), "{warnings:?}");
    let refused = workspace.zone().remember("Ana likes coffee").unwrap_err();
    assert_eq!(refused.kind(), memtape::ErrorKind::Unavailable, "{refused}");
    proxy.heal();
    workspace.zone().remember("Ana likes coffee").unwrap();
    assert_eq!(workspace.take_warnings(), []);
}

/// A push that was interrupted goes on, and what was erased meanwhile is erased in the upstream too.
#[test]
fn a_push_after_an_erasure_leaves_no_erased_text() {
    for kind in kinds() {
        let test = TestWorkspace::new();
        test.older().remember(&said(1)).unwrap();
        let upstream = upstreams::new(kind);
        test.workspace.push(upstream.as_ref()).unwrap();
        // As if the process had ended before it marked the directory.
        std::fs::remove_file(test.path().join("upstream.json")).unwrap();
        test.workspace.scan_and_redact().unwrap();
        test.workspace.push(upstream.as_ref()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let options = Options { upstream: Some(upstream), ..Options::default() };
        let replica = Workspace::replica(dir.path(), options).unwrap();
        assert_eq!(tape_in(dir.path()), tape_in(test.path()), "{kind}");
        assert_eq!(Workspace::verify(dir.path()).unwrap().tape.bad, [], "{kind}");
        assert!(!String::from_utf8_lossy(&tape_in(dir.path())).contains(SECRET), "{kind}");
        replica.zone().remember("Ana likes tea").unwrap();
    }
}

/// What one machine erases leaves the files of the others that memtape wrote.
#[test]
fn an_erasure_reaches_the_files_of_other_replicas() {
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.older().file("insights/door.md", &said(1)).unwrap();
    let upstream = upstreams::new("memory");
    test.workspace.push(upstream.as_ref()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let options = || Options { upstream: Some(Arc::clone(&upstream)), ..Options::default() };
    let replica = Workspace::replica(dir.path(), options()).unwrap();
    let file = dir.path().join("files/insights/door.md");
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim_end(), said(1));
    Workspace::open(test.path(), options()).unwrap().scan_and_redact().unwrap();
    replica.status(&At::head()).unwrap();
    assert!(std::fs::read_to_string(&file).unwrap().contains("[redacted:"));
    assert_gone(dir.path());
}

/// A replica whose upstream has lost its tape answers, and nothing creates another tape there unasked.
#[test]
fn a_tape_that_was_lost_is_not_replaced_unasked() {
    let disk = tempfile::tempdir().unwrap();
    let (place, moved) = (disk.path().join("tape"), disk.path().join("moved"));
    let url = format!("file://{}", place.display());
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.workspace.zone().remember("Ana likes green tea").unwrap();
    test.workspace.push(memtape_remote::open(&url).unwrap().as_ref()).unwrap();
    std::fs::rename(&place, &moved).unwrap();
    let open = || {
        let mut config = memtape_testkit::config();
        config.upstream.wait = Duration::ZERO;
        let upstream = Some(memtape_remote::open(&url).unwrap());
        Workspace::open(test.path(), Options { config, upstream, ..Options::default() }).unwrap()
    };
    let replica = open();
    assert_eq!(replica.zone().view(&At::head()).unwrap().0.long_term_text(), "Ana likes green tea");
    let warnings = replica.take_warnings();
    assert!(
        matches!(&warnings[..], [Warning::Offline { why, .. }] if why.contains("not mounted")),
        "{warnings:?}"
    );
    let refused = replica.zone().remember("Ana likes coffee").unwrap_err();
    assert_eq!(refused.kind(), memtape::ErrorKind::Unavailable, "{refused}");
    assert!(refused.to_string().contains("upstream.freshness=offline"), "{refused}");
    assert!(replica.upstream_status().unwrap().unwrap().head.unwrap_err().contains("not mounted"));
    let refused = replica.push(memtape_remote::open(&url).unwrap().as_ref()).unwrap_err();
    assert!(refused.to_string().contains("push --anew"), "{refused}");
    assert!(!place.exists(), "nothing is created");
    std::fs::rename(&moved, &place).unwrap();
    let replica = open();
    replica.zone().remember("Ana likes coffee").unwrap();
    std::fs::remove_dir_all(&place).unwrap();
    replica.push_anew(memtape_remote::open(&url).unwrap().as_ref()).unwrap();
    open().zone().remember("Ana likes water").unwrap();
}

#[test]
fn a_workspace_is_pushed_and_cloned() {
    for kind in kinds() {
        let test = TestWorkspace::new();
        test.workspace.zone().remember("Ana likes green tea").unwrap();
        let upstream = upstreams::new(kind);
        let pushed = test.workspace.push(upstream.as_ref()).unwrap();
        assert_eq!(pushed, test.workspace.status(&At::head()).unwrap().entries, "{kind}");
        // The directory is a replica now, and writes to nothing else.
        let refused = test.workspace.zone().remember("Ana likes coffee").unwrap_err();
        assert!(refused.to_string().contains("is a replica of"), "{kind}: {refused}");
        let again = Workspace::open(
            test.path(),
            Options { upstream: Some(Arc::clone(&upstream)), ..Options::default() },
        )
        .unwrap();
        again.zone().remember("Ana likes coffee").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let options = Options { upstream: Some(upstream), ..Options::default() };
        let replica = Workspace::replica(dir.path(), options).unwrap();
        let text = replica.zone().view(&At::head()).unwrap().0.long_term_text();
        assert_eq!(text, "Ana likes green tea\nAna likes coffee", "{kind}");
    }
}

/// An import into a shared tape is several steps: the others see a beginning of it, after which it goes on.
#[test]
fn an_interrupted_import_into_a_shared_tape_goes_on() {
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    let remember = |text: &str| {
        test.workspace.zone().remember(text).unwrap();
    };
    remember("one");
    let [dir, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    std::fs::write(dir.path().join("tape.jsonl"), tape_in(test.path())).unwrap();
    let upstream = upstreams::new("memory");
    Workspace::open(dir.path(), Options::default()).unwrap().push(upstream.as_ref()).unwrap();
    let options = || Options { upstream: Some(Arc::clone(&upstream)), ..Options::default() };
    let one = Workspace::open(dir.path(), options()).unwrap();
    let other = Workspace::replica(other.path(), options()).unwrap();
    let text = || other.zone().view(&At::head()).unwrap().0.long_term_text();
    ["two", "three", "four"].into_iter().for_each(remember);
    let tape = tape_in(test.path());
    one.import_tape(&tape[..tape.len() - 10], |_| {}).unwrap_err();
    assert_eq!(text(), "one\ntwo\nthree");
    one.import_tape(&*tape, |_| {}).unwrap();
    assert_eq!(text(), "one\ntwo\nthree\nfour");
    // It does not go on after what another machine wrote meanwhile, and that is not lost.
    other.zone().remember("five").unwrap();
    remember("six");
    let refused = one.import_tape(&*tape_in(test.path()), |_| {}).unwrap_err();
    assert_eq!(refused.kind(), memtape::ErrorKind::Conflict, "{refused}");
    assert_eq!(text(), "one\ntwo\nthree\nfour\nfive");
}

/// An empty directory where the disk of an upstream was is none, even for a connection that knows the tape.
#[test]
fn nothing_is_written_where_the_disk_of_a_directory_is_not_mounted() {
    let disk = tempfile::tempdir().unwrap();
    let (place, moved) = (disk.path().join("tape"), disk.path().join("moved"));
    let url = format!("file://{}", place.display());
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.workspace.zone().remember("Ana likes green tea").unwrap();
    test.workspace.push(memtape_remote::open(&url).unwrap().as_ref()).unwrap();
    let mut config = memtape_testkit::config();
    config.upstream.wait = Duration::ZERO;
    config.upstream.freshness = Freshness::Within(Duration::from_secs(3600));
    let upstream = Some(memtape_remote::open(&url).unwrap());
    let replica = Workspace::open(test.path(), Options { config, upstream, ..Options::default() }).unwrap();
    replica.zone().remember("Ana likes water").unwrap();
    std::fs::rename(&place, &moved).unwrap();
    std::fs::create_dir(&place).unwrap();
    let refused = replica.zone().remember("Ana likes coffee").unwrap_err();
    assert_eq!(refused.kind(), memtape::ErrorKind::Unavailable, "{refused}");
    assert!(refused.to_string().contains("not mounted"), "{refused}");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "nothing is created");
    std::fs::remove_dir(&place).unwrap();
    std::fs::rename(&moved, &place).unwrap();
    replica.zone().remember("Ana likes coffee").unwrap();
    let upstream = memtape_remote::open(&url).unwrap();
    assert_eq!(tape_in(test.path()), upstream.fetch(0, usize::MAX).unwrap().lines);
}

/// Returns a workspace with an upstream in memory.
fn shared() -> TestWorkspace {
    upstreams::with(|| upstreams::new("memory"), TestWorkspace::new)
}

#[test]
fn a_clone_is_complete_whatever_its_freshness() {
    let test = shared();
    test.workspace.zone().remember("Ana likes tea").unwrap();
    for (freshness, has_failed) in [(Freshness::Offline, false), (Freshness::Latest, true)] {
        let dir = tempfile::tempdir().unwrap();
        if has_failed {
            std::fs::write(dir.path().join("upstream-failure"), "the network is down").unwrap();
        }
        let mut config = memtape_testkit::config();
        config.upstream.freshness = freshness;
        let options = Options { config, upstream: test.upstream.clone(), ..Options::default() };
        Workspace::replica(dir.path(), options).unwrap();
        assert_eq!(tape_in(dir.path()), tape(&test), "{freshness:?}");
    }
}

#[test]
fn a_replica_asks_its_upstream_after_the_clock_was_set_back() {
    let test = shared();
    test.workspace.zone().remember("Ana likes tea").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut config = memtape_testkit::config();
    config.upstream.freshness = Freshness::Within(Duration::from_secs(3600));
    let options = Options { config, upstream: test.upstream.clone(), ..Options::default() };
    let replica = Workspace::replica(dir.path(), options).unwrap();
    test.workspace.zone().remember("Ana likes coffee").unwrap();
    let text = || replica.zone().view(&At::head()).unwrap().0.long_term_text();
    assert_eq!(text(), "Ana likes tea");
    let contact = std::fs::File::options().write(true).open(dir.path().join("upstream-contact")).unwrap();
    contact.set_modified(SystemTime::now() + Duration::from_secs(30 * 24 * 3600)).unwrap();
    assert_eq!(text(), "Ana likes tea\nAna likes coffee");
}

/// A replica is not synced, so a power failure may cut it anywhere.
#[test]
fn a_replica_that_was_cut_writes() {
    for freshness in [Freshness::Latest, Freshness::Offline] {
        for cut in [1, 40] {
            let test = shared();
            test.workspace.zone().remember("Ana likes tea").unwrap();
            let dir = tempfile::tempdir().unwrap();
            let mut config = memtape_testkit::config();
            config.upstream.freshness = freshness;
            let options = Options { config, upstream: test.upstream.clone(), ..Options::default() };
            let replica = Workspace::replica(dir.path(), options).unwrap();
            let file = std::fs::File::options().write(true).open(dir.path().join("tape.jsonl")).unwrap();
            file.set_len(file.metadata().unwrap().len() - cut).unwrap();
            replica.zone().remember("Ana likes coffee").unwrap();
            let text = replica.zone().view(&At::head()).unwrap().0.long_term_text();
            assert_eq!(text, "Ana likes tea\nAna likes coffee", "{freshness:?}, {cut} bytes");
            let all = test.upstream.as_ref().unwrap().fetch(0, usize::MAX).unwrap().lines;
            assert_eq!(tape_in(dir.path()), all, "{freshness:?}, {cut} bytes");
        }
    }
}
