//! The cost of facts and branches: a slot ten forks deep compared to one on main, a view of few slots with a
//! long history, a fork of a long tape compared to one of an empty tape, and a merge compared to writing the
//! changes that it merges.

use std::path::Path;
use std::time::Duration;

use memtape::{At, Options, Workspace};
use memtape_core::branch::Fork;
use memtape_core::commit::timestamp;
use memtape_core::forms::ledger::entry::{event_id, slot_key};
use memtape_core::forms::ledger::{Event, EventType};
use memtape_core::{
    Audience, Decision, Form, MAIN, MemoryId, Meta, Moment, Origin, PointText, Retire, Scope, Sensitivity,
    Session,
};
use memtape_index::Question;
use memtape_store::{Author, Store};
use rusqlite::Connection;

use crate::recall::open_store;
use crate::{Failure, Series, ratio};

/// Number of branches besides main. Half of them form a chain of forks; the others are forked from main.
const BRANCHES: u64 = 20;
/// Number of facts that one group writes.
const GROUP: u64 = 1000;
/// Number of reads of each slot.
const RUNS: u64 = 400;
/// Number of slots in the view with a long history.
const SLOTS: u64 = 60;
/// Number of versions of each of these slots.
const VERSIONS: u64 = 5000;
/// Number of merges.
const MERGES: u64 = 9;
/// Maximum cost of a view of the slots with a long history.
const VIEW_MAX: Duration = Duration::from_millis(5);

pub(crate) fn run(facts: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    println!("{facts} facts on {BRANCHES} branches, ten forks deep");
    let store = open_store(dir.path())?;
    let first_fork = fork(&store, MAIN, "first")?;
    let deep = fill(&store, facts)?;
    one_slot(dir.path(), &store, facts, &deep)?;
    let mut late = Series::default();
    for n in 0..20 {
        late.time(|| fork(&store, MAIN, &format!("late-{n}")))?;
    }
    late.print("a fork on the long tape");
    ratio("a fork, long tape / empty tape", late.percentile(50), first_fork, 2.0);
    a_long_history()?;
    a_merge(facts)
}

/// Writes the facts, half of them on main, and returns the branch that is ten forks deep.
fn fill(store: &Store, facts: u64) -> Result<String, Failure> {
    let mut chain = vec![MAIN.to_owned()];
    let mut branches = chain.clone();
    let mut n = 0;
    write_facts(store, MAIN, &mut n, facts / 2)?;
    let each = facts / 2 / BRANCHES;
    for branch in 1..=BRANCHES {
        let is_deep = branch % 2 == 1;
        let name = format!("branch-{branch}");
        fork(store, if is_deep { chain.last().map_or(MAIN, String::as_str) } else { MAIN }, &name)?;
        write_facts(store, &name, &mut n, each)?;
        if is_deep {
            chain.push(name.clone());
        }
        branches.push(name);
    }
    Ok(chain.pop().unwrap_or_default())
}

fn write_facts(store: &Store, branch: &str, n: &mut u64, count: u64) -> Result<(), Failure> {
    let end = *n + count;
    while *n < end {
        let numbers: Vec<u64> = (*n..end.min(*n + GROUP)).collect();
        *n += numbers.len() as u64;
        store.write(&author(branch), |_, given| {
            let draft = |n: &u64| Ok(fact(*n, 0, given.now).draft(EventType::Add, &given.meta(), branch)?);
            let drafts = numbers.iter().map(draft).collect::<memtape_index::Result<_>>()?;
            Ok(Decision { drafts, outcome: () })
        })?;
    }
    Ok(())
}

/// Compares reading a slot by its key on main and ten forks deep, and the bare SQL query.
fn one_slot(dir: &Path, store: &Store, facts: u64, deep: &str) -> Result<(), Failure> {
    let bare = Connection::open(dir.join("memory.db"))?;
    let mut series: [Series; 3] = Default::default();
    let [floor, main, forks] = &mut series;
    for n in 0..RUNS {
        let key = key(n * 97 % (facts / 2));
        let sql = "SELECT max(id) FROM memories WHERE form = 'ledger' AND form <> 'messages' AND key = ?1 AND branch = 1";
        floor.time(|| bare.prepare_cached(sql)?.query_row([&key], |row| row.get::<_, u64>(0)))?;
        main.time(|| read(store, MAIN, Some(&key)))?;
        forks.time(|| read(store, deep, Some(&key)))?;
    }
    floor.print("the bare probe of one slot");
    main.print("a slot on main");
    forks.print("a slot ten forks deep");
    ratio("a slot ten forks deep / main", forks.percentile(50), main.percentile(50), 3.0);
    Ok(())
}

/// Measures the view of few slots with many versions: at the head, at an earlier point and on a branch.
fn a_long_history() -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let store = open_store(dir.path())?;
    println!("\n{SLOTS} slots with {VERSIONS} versions each");
    // Each version supersedes the one before. Its ID is remembered here, so that nothing is looked up.
    let mut held: Vec<Option<MemoryId>> = vec![None; usize::try_from(SLOTS)?];
    let mut forked = false;
    for version in 0..VERSIONS {
        if version == VERSIONS / 2 && !forked {
            fork(&store, MAIN, "half-way")?;
            forked = true;
        }
        let written = store.write(&author(MAIN), |_, given| {
            let mut drafts = Vec::with_capacity(held.len());
            for (slot, before) in (0..).zip(&held) {
                let retires = before.iter().copied().map(Retire::Memory).collect();
                let meta = Meta { retires, ..given.meta() };
                drafts.push(fact(slot, version, given.now).draft(EventType::Modify, &meta, MAIN)?);
            }
            Ok(Decision { drafts, outcome: () })
        })?;
        held = written.entries.iter().map(|entry| Some(MemoryId::new(entry.id, 0))).collect();
    }
    for (what, branch, moment) in [
        ("the view at the head", MAIN, Moment::Head),
        ("the view half way back", MAIN, Moment::Entry(SLOTS * VERSIONS / 2)),
        ("the view on a branch forked half way", "half-way", Moment::Head),
    ] {
        let mut view = Series::default();
        for _ in 0..RUNS / 10 {
            let shown = view.time(|| read_at(&store, branch, moment.clone(), None))?;
            assert_eq!(shown as u64, SLOTS, "{what}");
        }
        view.print(what);
        ratio(&format!("{what} / 5 ms"), view.percentile(50), VIEW_MAX, 1.0);
    }
    Ok(())
}

/// Compares merging a branch that changed [`GROUP`] facts into main with writing these changes.
fn a_merge(facts: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let store = open_store(dir.path())?;
    println!("\n{GROUP} facts changed on a branch, of {facts}");
    write_facts(&store, MAIN, &mut 0, facts)?;
    let (mut write, mut merge) = (Series::default(), Series::default());
    for n in 0..MERGES {
        let branch = format!("round-{n}");
        fork(&store, MAIN, &branch)?;
        write.time(|| change_facts(&store, &branch, n))?;
        let main = Workspace::open(dir.path(), Options::default())?;
        // Read the entries that were written through the other store before the measurement.
        main.status(&At::head())?;
        let taken = merge.time(|| main.branches().merge(&branch))?;
        assert_eq!(taken.changed.len() as u64, GROUP, "every changed fact is taken");
    }
    write.print("writing the changes");
    merge.print("merging them");
    ratio("a merge of changed facts / writing them", merge.percentile(50), write.percentile(50), 2.0);
    Ok(())
}

/// Writes a new version of each fact of a round on a branch, in one group.
fn change_facts(store: &Store, branch: &str, round: u64) -> Result<(), Failure> {
    store.write(&author(branch), |reader, given| {
        let point = reader.head_of(branch)?;
        let mut drafts = Vec::new();
        for n in round * GROUP..(round + 1) * GROUP {
            let question = Question { form: Some(Form::LEDGER), key: Some(key(n)), ..Question::default() };
            let held = reader.memories(&question, &point)?;
            let retires = held.iter().map(|memory| Retire::Memory(memory.id)).collect();
            let meta = Meta { retires, ..given.meta() };
            drafts.push(fact(n, round + 1, given.now).draft(EventType::Modify, &meta, branch)?);
        }
        Ok(Decision { drafts, outcome: () })
    })?;
    Ok(())
}

fn read(store: &Store, branch: &str, key: Option<&str>) -> Result<usize, Failure> {
    read_at(store, branch, Moment::Head, key)
}

fn read_at(store: &Store, branch: &str, moment: Moment, key: Option<&str>) -> Result<usize, Failure> {
    let text = PointText { branch: Some(branch.to_owned()), moment };
    let question = Question { form: Some(Form::LEDGER), key: key.map(str::to_owned), ..Question::default() };
    let found = store.read(|reader| {
        let point = reader.point(&text, None, &Audience::owner(), &Session::direct())?;
        reader.memories(&question, &point)
    })?;
    Ok(found.len())
}

/// Creates a branch and returns how long that took.
fn fork(store: &Store, parent: &str, name: &str) -> Result<Duration, Failure> {
    let start = std::time::Instant::now();
    store.write(&author(parent), |reader, given| {
        let fork = Fork { parent: parent.to_owned(), at: reader.head(), persona: None };
        Ok(Decision { drafts: vec![fork.draft(name, &given.meta())?], outcome: () })
    })?;
    Ok(start.elapsed())
}

fn author(branch: &str) -> Author {
    Author { branch: Some(branch.to_owned()), ..Author::new(Session::direct(), Origin::User) }
}

fn subject(n: u64) -> String {
    format!("thing {n}")
}

fn key(n: u64) -> String {
    slot_key(&Scope::Global, None, &subject(n), "is", None, Sensitivity::Normal)
}

fn fact(n: u64, version: u64, now: jiff::Timestamp) -> Event {
    let (subject, object, timestamp) = (subject(n), format!("value {version} of {n}"), timestamp(now));
    Event {
        id: event_id(EventType::Add, &subject, "is", &object, None, &timestamp),
        subject,
        predicate: "is".into(),
        object,
        confidence: 0.9,
        source: "bench".into(),
        timestamp,
        ..Event::default()
    }
}
