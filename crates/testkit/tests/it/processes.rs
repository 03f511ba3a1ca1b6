//! Laws 2 and 3 with real processes: several write at once, one archives meanwhile, and some are killed.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use memtape::tape::LogQuestion;
use memtape::{At, Audience, Form, Inbound, Options, Reply, Session, Workspace};

fn writer(dir: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_memtape-testkit-writer"))
        .arg(dir)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

/// Every line of the zone, long-term and daily.
fn lines(workspace: &Workspace) -> BTreeSet<String> {
    let (view, _) = workspace.zone().view(&At::head()).unwrap();
    let notes = view.dailies.keys().filter_map(|date| view.daily_text(*date)).collect::<Vec<_>>().join("\n");
    view.long_term_text().lines().chain(notes.lines()).map(str::to_owned).collect()
}

fn assert_whole(dir: &Path) {
    let verified = Workspace::verify(dir).unwrap();
    assert_eq!(verified.tape.bad, []);
    assert_eq!(verified.missing_since, None);
    assert_eq!(verified.tape.entries, verified.tape.last_id, "ids have no gap");
}

fn written(name: &str, count: u32) -> impl Iterator<Item = String> {
    (0..count).flat_map(move |n| [format!("{name} remembers {n}"), format!("- {name} notes {n}")])
}

#[test]
fn law_3_four_processes_lose_no_write() {
    const WRITES: u32 = 250;
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    let names = ["ana", "ben", "cleo", "dan"];
    let count = WRITES.to_string();
    let children: Vec<_> = names.iter().map(|name| writer(dir.path(), &[name, &count])).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    assert_whole(dir.path());
    let lines = lines(&workspace);
    for line in names.iter().flat_map(|name| written(name, WRITES)) {
        assert!(lines.contains(&line), "{line:?} is lost");
    }
    // Four processes, each with two commands of three entries a turn, after the three of `init`.
    let entries = workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
    let expected = 3 + 4 * u64::from(WRITES) * 2 * 3;
    assert_eq!(entries.len() as u64, expected);
    let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
    assert_eq!(ids, (1..=expected).collect::<Vec<_>>());
}

#[test]
fn appenders_race_an_archive_and_lose_nothing() {
    const WRITES: u32 = 60;
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    let count = WRITES.to_string();
    let appenders: Vec<_> = ["ana", "ben"].iter().map(|name| writer(dir.path(), &[name, &count])).collect();
    let archiver = writer(dir.path(), &["archivist", "archive", "80"]);
    // A reader in between never sees less than it saw before.
    let mut seen = 0;
    for _ in 0..50 {
        let (view, _) = workspace.zone().view(&At::head()).unwrap();
        assert!(view.long_term.len() >= seen, "a line vanished");
        seen = view.long_term.len();
    }
    for child in appenders.into_iter().chain([archiver]) {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    assert_whole(dir.path());
    assert!(Workspace::verify(dir.path()).unwrap().tape.segments > 1, "the race closed some segments");
    let lines = lines(&workspace);
    for line in ["ana", "ben"].iter().flat_map(|name| written(name, WRITES)) {
        assert!(lines.contains(&line), "{line:?} is lost");
    }
}

#[test]
fn law_2_acknowledged_entries_survive_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    let mut acknowledged = BTreeSet::new();
    for round in 0..30_u64 {
        let name = format!("round{round}");
        let mut child = writer(dir.path(), &[&name, "100000"]);
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        // It is killed after a few acknowledgements, at another moment of its work each time.
        for _ in 0..=(round % 5) {
            acknowledged.extend(out.next().transpose().unwrap());
        }
        std::thread::sleep(Duration::from_micros(370 * (round % 7)));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(out.map_while(Result::ok));
        let lines = lines(&workspace);
        for line in &acknowledged {
            assert!(lines.contains(line), "{line:?} was acknowledged and is lost");
        }
    }
    workspace.zone().remember("and it goes on").unwrap();
    assert_whole(dir.path());
}

/// Every statement there is.
fn statements(workspace: &Workspace) -> Vec<String> {
    let memories = workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
    memories.into_iter().map(|memory| memory.text).collect()
}

#[test]
fn law_3_three_processes_take_turns_in_one_chat_and_lose_nothing() {
    const TURNS: u32 = 40;
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    let names = ["ana", "ben", "cleo"];
    let count = TURNS.to_string();
    let children: Vec<_> = names.iter().map(|name| writer(dir.path(), &[name, "turn", &count])).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    assert_whole(dir.path());
    let statements = statements(&workspace);
    for (name, n) in names.iter().flat_map(|name| (0..TURNS).map(move |n| (name, n))) {
        let text = format!("I prefer {name} number {n}");
        assert_eq!(statements.iter().filter(|statement| **statement == text).count(), 1, "{text}");
    }
    // A sentence that a process repeats in every turn is one statement.
    assert_eq!(statements.iter().filter(|statement| *statement == "I like tea").count(), names.len());
    let counters = workspace.status(&At::head()).unwrap().counters;
    let turns = u64::from(TURNS) * names.len() as u64;
    assert_eq!(counters.recall_hit + counters.recall_miss, turns);
    assert_eq!(counters.capture_saved + counters.capture_deduped, 2 * turns);
}

#[test]
fn law_2_a_killed_turn_is_whole_or_unfinished() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    let mut acknowledged = BTreeSet::new();
    for round in 0..12_u64 {
        let mut child = writer(dir.path(), &[&format!("round{round}"), "turn", "100000"]);
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..=(round % 3) {
            acknowledged.extend(out.next().transpose().unwrap());
        }
        std::thread::sleep(Duration::from_micros(530 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(out.map_while(Result::ok));
        let statements: BTreeSet<_> = statements(&workspace).into_iter().collect();
        for text in &acknowledged {
            assert!(statements.contains(text), "{text:?} was acknowledged and is lost");
        }
        // At most one turn was interrupted, and it is reported once.
        let conversation = workspace.conversation(Session::parse("telegram:1").unwrap());
        let next =
            || conversation.turn(&Inbound::new("and now?"), |_| Ok(Reply::default())).unwrap().unfinished;
        let unfinished = next();
        assert!(unfinished.len() <= 1, "{unfinished:?}");
        assert!(
            unfinished.iter().all(|cut| cut.text.as_ref().is_some_and(|text| text.starts_with("I prefer")))
        );
        assert_eq!(next(), []);
    }
    assert_whole(dir.path());
}
