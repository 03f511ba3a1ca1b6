//! After any steps, the mirrors are the same whether they were updated or written anew.

use std::fs;

use jiff::SignedDuration;
use memtape::statements::{Added, Selection};
use memtape::{At, Config, Workspace};
use memtape_core::forms::ledger::EventType;
use memtape_core::forms::statements::Retention;
use memtape_core::{Audience, Category, Form, MAIN, Sensitivity, Session};
use memtape_testkit::TestWorkspace;
use proptest::prelude::*;

use super::{Fact, add, anew, author, begin_on, files, fork, lags, store};

/// A step in a random workspace.
#[derive(Clone, Debug)]
enum Step {
    Add {
        text: u8,
        category: usize,
        sensitivity: Sensitivity,
        user: bool,
        elsewhere: bool,
    },
    Forget(usize),
    Prune(usize),
    Expire,
    Tell {
        predicate: u8,
        object: u8,
        scope: usize,
        event_type: usize,
        hours: Option<i64>,
        hidden: bool,
    },
    /// Checks out one of the branches, which may not exist yet, for new conversations.
    Begin(usize),
    /// Forks a branch from another one.
    Fork(usize, usize),
    /// Merges a branch into the terminal's current one.
    Merge(usize),
    /// Undoes the last change.
    Undo,
    Reset,
    Remember,
    Wait(i64),
    /// Writes as a foreign program, which does not update mirrors.
    Foreign(u8),
    Damage(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let sensitivity = prop_oneof![4 => Just(Sensitivity::Normal), 1 => Just(Sensitivity::Confidential)];
    prop_oneof![
        8 => (0_u8..6, 0_usize..4, sensitivity, any::<bool>(), any::<bool>())
            .prop_map(|(text, category, sensitivity, user, elsewhere)| {
                Step::Add { text, category, sensitivity, user, elsewhere }
            }),
        3 => any::<usize>().prop_map(Step::Forget),
        1 => (0_usize..4).prop_map(Step::Prune),
        1 => Just(Step::Expire),
        6 => (0_u8..4, 0_u8..3, 0_usize..4, 0_usize..6, proptest::option::of(1_i64..50), prop::bool::weighted(0.2))
            .prop_map(|(predicate, object, scope, event_type, hours, hidden)| {
                Step::Tell { predicate, object, scope, event_type, hours, hidden }
            }),
        2 => (0_usize..3).prop_map(Step::Begin),
        2 => (1_usize..3, 0_usize..3).prop_map(|(name, parent)| Step::Fork(name, parent)),
        3 => (0_usize..3).prop_map(Step::Merge),
        1 => Just(Step::Undo),
        1 => Just(Step::Reset),
        1 => Just(Step::Remember),
        4 => prop_oneof![0_i64..3, 3000_i64..200_000].prop_map(Step::Wait),
        1 => (0_u8..9).prop_map(Step::Foreign),
        1 => (0_u8..8).prop_map(Step::Damage),
    ]
}

/// The branches of random workspaces.
const BRANCHES: [&str; 3] = [MAIN, "helper", "deep/helper"];

/// Applies a step. Returns `false` if the mirrors may be out of date until the next write that concerns them.
fn run(step: &Step, test: &TestWorkspace, other: &Workspace) -> bool {
    match step {
        Step::Add { text, category, sensitivity, user, elsewhere } => {
            let workspace = if *elsewhere { other } else { &test.workspace };
            let mut statements = workspace.statements().with_sensitivity(*sensitivity);
            if *user {
                statements = statements.for_audience(Audience::of(None, &["telegram:42".parse().unwrap()]));
            }
            let added = Added::new(&format!("I say {text}"), Category::ALL[*category]);
            let _ = statements.add(&added);
        }
        Step::Forget(n) => {
            let held = test.workspace.statements().list(&Selection::default(), &At::head()).unwrap();
            if !held.is_empty() {
                test.workspace.statements().forget(&[held[n % held.len()].memory.reference()]).unwrap();
            }
        }
        Step::Prune(category) => {
            let categories = vec![Category::ALL[*category]];
            let selection = Selection { older_than_days: Some(1), categories };
            other.statements().prune(&selection).unwrap();
        }
        Step::Expire => {
            let expired = store(test).write(&author(&Session::direct()), |reader, ctx| {
                let point = reader.head_of(&ctx.branch)?;
                let over = reader.expired(Form::STATEMENTS, &Audience::owner(), &point, 10)?;
                Ok(memtape_core::forms::statements::ops::expire(&over, true, ctx)?)
            });
            expired.unwrap();
        }
        Step::Tell { predicate, object, scope, event_type, hours, hidden } => {
            let sensitivity = if *hidden { Sensitivity::Confidential } else { Sensitivity::Normal };
            let fact = Fact {
                scope: [None, Some("temporary"), Some("session"), Some("Work")][*scope],
                confidence: f64::from(*object) / 2.0,
                sensitivity,
                hours: *hours,
                ..Fact::new(&format!("says {predicate}"), &format!("thing {object}"))
            };
            fact.tell(test, EventType::ALL[*event_type]);
        }
        Step::Begin(branch) => {
            let branch = BRANCHES[*branch];
            if store(test).read(|reader| reader.writable(branch)).is_ok() {
                begin_on(test, branch);
            }
        }
        Step::Fork(name, parent) => {
            let parent = BRANCHES[*parent];
            if store(test).read(|reader| reader.writable(parent)).is_ok() && parent != BRANCHES[*name] {
                fork(test, BRANCHES[*name], parent);
            }
        }
        Step::Merge(branch) => drop(test.workspace.branches().merge(BRANCHES[*branch])),
        Step::Undo => drop(test.workspace.branches().undo()),
        Step::Reset => drop(test.workspace.tape().reset(None, false).unwrap()),
        Step::Remember => drop(test.workspace.zone().remember("a line")),
        Step::Wait(seconds) => test.clock.advance(SignedDuration::from_secs(*seconds)),
        Step::Foreign(n) => {
            let data = format!(
                r#"{{"text":"foreign {n}","category":"fact","importance":0.5,"confidence":1,"source":"import","said_at":"2026-02-0{}T00:00:00Z"}}"#,
                n + 1
            );
            test.append("event", &format!(r#"{{"name":"statement.add","data":{data}}}"#), "{}");
            return false;
        }
        Step::Damage(kind) => {
            damage(*kind, test);
            return false;
        }
    }
    true
}

/// Damages the mirrors as a crash or an edit by hand does. Damage to a file is only detected when the file is
/// written.
fn damage(kind: u8, test: &TestWorkspace) {
    let path = test.path().join("mirror/semantic/preferences.md");
    let index = || rusqlite::Connection::open(memtape_index::current_index(test.path()).unwrap()).unwrap();
    match kind {
        0 => drop(fs::remove_dir_all(test.path().join("mirror"))),
        1 => drop(fs::remove_file(&path)),
        2 => drop(fs::read(&path).map(|text| fs::write(&path, &text[..text.len() / 2]).unwrap())),
        3 => {
            drop(
                fs::read(&path).map(|text| fs::write(&path, [text, b"- mine\n".to_vec()].concat()).unwrap()),
            );
        }
        4 => index().execute_batch("DELETE FROM mirrored").unwrap(),
        5 => index().execute_batch("DELETE FROM mirrored; DELETE FROM mirror_files").unwrap(),
        6 => index().execute_batch("UPDATE mirrored SET entry = entry - 1").unwrap(),
        _ => drop(test.reopened().reindex()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn updated_mirrors_equal_rewritten_mirrors(steps in proptest::collection::vec(step(), 1..40)) {
        let retention = Retention([(Category::Preference, 1), (Category::Episodic, 2)].into());
        let test = TestWorkspace::configured(Config { retention, ..Config::default() });
        let other = test.reopened();
        let mut follows = true;
        for step in &steps {
            follows &= run(step, &test, &other);
            if follows {
                prop_assert_eq!(files(test.path()), anew(&test), "{:?}", step);
            }
        }
        test.clock.advance(SignedDuration::from_secs(1));
        add(&test.workspace, "the last one", Category::Preference);
        prop_assert_eq!(files(test.path()), anew(&test));
        prop_assert_eq!(lags(&test.workspace), Vec::<String>::new());
        prop_assert_eq!(lags(&other), Vec::<String>::new());
    }
}
