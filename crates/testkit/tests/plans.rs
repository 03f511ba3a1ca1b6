//! No statement of a turn, a prompt, a question or a write reads a whole table that grows with the tape.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use memtape::{At, Audience, Backend, BlockName, Ref, Resolution};
use memtape_index::trace;
use memtape_testkit::{Step, TestWorkspace, isolation, laws};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

static STATEMENTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

thread_local! {
    /// The statements that this thread ran.
    static OWN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Whether all statements are passed to [`STATEMENTS`] and [`OWN`].
static TRACED: LazyLock<bool> = LazyLock::new(|| {
    trace::trace_sql(|sql| {
        STATEMENTS.lock().unwrap().insert(sql.to_owned());
        OWN.with_borrow_mut(|own| own.insert(sql.to_owned()));
    })
});

/// Tables that do not grow with the tape: of one row, with a row for each branch or file, or kept short by whoever writes.
const SMALL: [&str; 5] = ["applied", "branches", "model", "mirrored", "mirror_files"];

/// The statements that read a whole table by design, as their beginning with every number as `0`.
const WHOLE: [(&str, &str); 15] = [
    ("SELECT 0 FROM conflicts LIMIT 0", "one row"),
    ("SELECT count(*) FROM memories m WHERE m.form = 'messages' AND", "`status` and `stats` count messages"),
    ("SELECT count(*) FROM sessions s WHERE", "`status` counts conversations"),
    ("SELECT count(DISTINCT e.session) FROM entries e WHERE", "`stats` counts conversations"),
    ("SELECT coalesce(sum(e.length), 0) FROM entries e WHERE", "`stats` sums up the lines that are seen"),
    (
        "SELECT s.name FROM switches w JOIN sessions s ON",
        "`branch list` counts the conversations on each branch",
    ),
    ("SELECT DISTINCT s.name FROM turns t JOIN sessions s", "`reindex` writes all mirrors anew"),
    ("SELECT r.entry, s.name FROM resets r LEFT JOIN sessions s", "`reindex` writes all mirrors anew"),
    ("SELECT id FROM memories m WHERE CASE", "resetting everything retires everything"),
    ("SELECT id FROM scopes ORDER BY id", "the owner's question compares the vectors of all scopes"),
    ("SELECT f.entry, f.n, b.name, f.ours, f.theirs, f.base FROM conflicts f", "merging knows all merges"),
    ("SELECT DISTINCT t.entry, b.name FROM commits c INDEXED BY c_reverses", "merging knows all undos"),
    ("SELECT c.entry, b.name, c.reverses, c.how FROM commits c", "merging knows all undos"),
    ("SELECT g.entry, b.name, g.source, g.head FROM merges g", "merging knows all merges"),
    ("SELECT p.entry, b.name, s.name, p.picked FROM picks p", "merging knows all cherry-picks"),
];

/// Listing every memory, or every message, as `export` does: how the statement begins, and how it can end.
const EVERYTHING: (&str, [&str; 2]) =
    ("SELECT m.id, m.form, m.key,", ["AND m.form = ?0 ORDER BY m.id", "AND 0 ORDER BY m.id"]);

/// Runs many commands and reads, and passes each statement they run to [`STATEMENTS`].
fn exercise() {
    assert!(*TRACED);
    let mut runner = TestRunner::deterministic();
    for backend in [Backend::SqliteFts, Backend::Hybrid] {
        let world = isolation::worlds().new_tree(&mut runner).unwrap().current();
        isolation::isolation(&world, backend).unwrap();
    }
    let steps = Step::many(60).new_tree(&mut runner).unwrap().current();
    laws::rebuild(&steps).unwrap();
}

/// Returns whether a statement is the store's own and touches rows. FTS5 runs its own statements, whose plans are its
/// concern.
fn is_question(sql: &str) -> bool {
    let begin = sql.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("--"));
    let begin = begin.and_then(|line| line.split([' ', ';']).next()).unwrap_or_default();
    let is_dml = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].contains(&begin);
    is_dml && !sql.contains("memories_fts_") && !sql.contains("'main'.'memories_fts'")
}

/// A statement on one line, with every number as `0`.
fn normal(sql: &str) -> String {
    let mut out = String::new();
    for c in sql.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match c {
            '0'..='9' if out.ends_with('0') => {}
            '0'..='9' => out.push('0'),
            other => out.push(other),
        }
    }
    out
}

/// The tables of a statement, by the names that its plan has for them.
fn tables(sql: &str) -> BTreeMap<String, String> {
    let mut tables = BTreeMap::new();
    let words: Vec<&str> =
        sql.split([' ', '\n', '(', ')', ',', ';']).filter(|word| !word.is_empty()).collect();
    for (n, word) in words.iter().enumerate() {
        if ["FROM", "JOIN", "UPDATE", "INTO"].contains(word)
            && let Some(table) = words.get(n + 1)
        {
            let alias = words.get(n + 2).filter(|word| word.chars().all(|c| c.is_ascii_lowercase()));
            tables.insert(alias.unwrap_or(table).to_string(), table.to_string());
            tables.insert(table.to_string(), table.to_string());
        }
    }
    tables
}

/// The tables that a statement reads whole, of those that are in the index and grow.
fn scanned(conn: &Connection, growing: &BTreeSet<String>, sql: &str) -> Vec<String> {
    let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let nothing = vec![Value::Null; statement.parameter_count()];
    let plan = statement.query_map(params_from_iter(nothing), |row| row.get(3)).unwrap();
    let plan: Vec<String> = plan.collect::<Result<_, _>>().unwrap();
    let names = tables(sql);
    let whole = plan.into_iter().filter(|step| {
        // A search that uses nothing is the least or greatest of all rows.
        let reads_all =
            step.starts_with("SCAN ") || (step.starts_with("SEARCH ") && !step.contains(" USING "));
        let table = step.split(' ').nth(1).and_then(|name| names.get(name));
        reads_all && table.is_some_and(|table| growing.contains(table))
    });
    whole.collect()
}

fn index_of(dir: &Path) -> Connection {
    let conn = Connection::open(memtape_index::current_index(dir).unwrap()).unwrap();
    // The store sets the same option: plans do not depend on bound values.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).unwrap();
    conn
}

#[test]
fn no_statement_scans_a_table_that_grows_with_the_tape() {
    exercise();
    let test = TestWorkspace::new();
    test.workspace.status(&At::head()).unwrap();
    let conn = index_of(test.path());
    let mut all = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let all = all.query_map([], |row| row.get(0)).unwrap().collect::<Result<BTreeSet<String>, _>>().unwrap();
    let growing =
        all.into_iter().filter(|name| !name.contains("fts") && !SMALL.contains(&name.as_str())).collect();
    let statements = STATEMENTS.lock().unwrap();
    let mut found = BTreeMap::new();
    for sql in statements.iter().filter(|sql| is_question(sql)) {
        let (steps, text) = (scanned(&conn, &growing, sql), normal(sql));
        let is_by_nature = WHOLE.iter().any(|(begin, _)| text.starts_with(begin))
            || (text.starts_with(EVERYTHING.0) && EVERYTHING.1.iter().any(|end| text.ends_with(end)));
        if !steps.is_empty() && !is_by_nature {
            found.insert(text, steps);
        }
    }
    for (sql, steps) in &found {
        println!("{steps:?} {sql}\n");
    }
    assert!(statements.len() > 500, "{} statements were seen", statements.len());
    assert!(found.is_empty(), "{} statements read a whole table", found.len());
}

/// A prompt and an answer say which memories are in conflict. Whether any is does not depend on the merges.
#[test]
fn merges_are_read_only_while_a_conflict_is_open() {
    assert!(*TRACED);
    let test = TestWorkspace::new();
    let branches = test.workspace.branches();
    let name = BlockName::new("current_focus").unwrap();
    branches.create("other", None, &At::head()).unwrap();
    let other = test.again_on("other");
    let conflict = |value: &str| {
        other.blocks().set(&name, value, None).unwrap();
        branches.merge("other").unwrap();
    };
    // The number of open conflicts, and whether the merges were read.
    let open = || {
        OWN.take();
        let open = test.workspace.open_conflicts(&Audience::owner(), &At::head()).unwrap();
        (open.len(), OWN.take().iter().any(|sql| sql.contains("FROM merges")))
    };
    test.workspace.blocks().set(&name, "ours", None).unwrap();
    conflict("theirs");
    assert_eq!(open(), (1, true));
    branches.undo().unwrap();
    assert_eq!(open(), (0, false));
    conflict("also theirs");
    let reference: Ref = "blocks:current_focus".parse().unwrap();
    branches.resolve(&reference, &Resolution::Ours).unwrap();
    assert_eq!(open(), (0, false));
    branches.undo().unwrap();
    assert_eq!(open(), (1, true));
}
