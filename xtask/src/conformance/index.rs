//! Reads the index with sqlite3 as docs/FORMAT.md describes.

use std::path::Path;
use std::process::Command;

use super::document::Document;
use super::{passed, tape};
use crate::memtape::Memtape;
use crate::run::{Ran, Result, run};

/// The link by which other programs open the index.
const LINK: &str = "memory.db";

/// Lists every column of every table as `table.column`, except the shadow tables of the full-text table.
const COLUMNS: &str = "
    SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'memories\\_fts\\_%' ESCAPE '\\'";

/// Checks the index of a workspace that contains [`tape::REMEMBERED`].
pub(super) fn check(document: &Document, memtape: &Memtape, workspace: &Path) -> Result<()> {
    let database = workspace.join(LINK);
    sound(&database)?;
    let lines = tape::count_lines(&tape::segments(workspace)?)?;
    let entries = query(&database, "SELECT count(*) FROM entries")?;
    if entries.stdout.trim() != lines.to_string() {
        return Err(
            entries.report(&format!("the tape has {lines} lines, which sqlite3 must count as entries"))
        );
    }
    passed(&format!("sqlite3 opens {LINK}, finds it sound, and counts the tape's {lines} lines"));
    described(document, &database)?;
    ask(document, &database)?;
    refuses(memtape, workspace, &database)?;
    // memtape must still read the index after other programs have opened it.
    let ran = run(&mut memtape.command(workspace, &["recall", tape::REMEMBERED]))?;
    match ran.is_success() && ran.stderr.is_empty() && ran.stdout.contains(tape::REMEMBERED) {
        true => Ok(()),
        false => Err(ran.report("after sqlite3, memtape must read the index as before")),
    }
}

/// Checks the integrity of a database file.
pub(super) fn sound(database: &Path) -> Result<()> {
    let said = query(database, "PRAGMA integrity_check")?;
    match said.stdout.trim() {
        "ok" => Ok(()),
        _ => Err(said.report("sqlite3 finds the index damaged")),
    }
}

/// Checks that part 2 of the document names every table and column.
fn described(document: &Document, database: &Path) -> Result<()> {
    let part = document.text.split("\n# ").find(|part| part.starts_with("Part 2")).unwrap_or_default();
    let columns = query(database, COLUMNS)?;
    let is_named = |name: &str| part.contains(&format!("`{name}`"));
    let unnamed: Vec<_> = columns.stdout.lines().filter(|column| !column.split('.').all(is_named)).collect();
    let count = columns.stdout.lines().count();
    if count == 0 || !unnamed.is_empty() {
        let unnamed = unnamed.join(", ");
        return Err(columns.report(&format!("part 2 of docs/FORMAT.md does not describe: {unnamed}")));
    }
    passed(&format!("docs/FORMAT.md names each of the index's {count} columns"));
    Ok(())
}

/// Checks that every SQL query in the document finds [`tape::REMEMBERED`].
fn ask(document: &Document, database: &Path) -> Result<()> {
    let (mut asked, mut by_words) = (0, 0);
    for block in document.blocks_in("sql") {
        let answer = query(database, &block.text)?;
        if !answer.stdout.contains(tape::REMEMBERED) {
            let (line, wanted) = (block.line, tape::REMEMBERED);
            return Err(
                answer.report(&format!("docs/FORMAT.md, line {line}: the question must find {wanted:?}"))
            );
        }
        asked += 1;
        by_words += usize::from(block.text.contains("MATCH"));
    }
    if by_words == 0 {
        return Err("docs/FORMAT.md has no ```sql block with a MATCH".into());
    }
    passed(&format!(
        "the {asked} questions of docs/FORMAT.md find what was remembered, {by_words} of them by its words"
    ));
    Ok(())
}

/// Checks that the view `memory_entries` refuses writes, and names the command to use instead.
fn refuses(memtape: &Memtape, workspace: &Path, database: &Path) -> Result<()> {
    let rows = || query(database, "SELECT * FROM memory_entries ORDER BY id").map(|ran| ran.stdout);
    let before = rows()?;
    let writes = [
        ("INSERT INTO memory_entries(kind, content) VALUES ('fact', 'x')", "memtape add --text"),
        ("UPDATE memory_entries SET content = 'x'", "memtape add --text"),
        ("DELETE FROM memory_entries", "memtape forget"),
    ];
    for (sql, command) in writes {
        let ran = ask_anything(database, sql)?;
        if ran.is_success() || !ran.stderr.contains(command) {
            return Err(ran.report(&format!("a write to memory_entries must be refused with {command:?}")));
        }
    }
    if rows()? != before {
        return Err("what was refused has changed memory_entries".into());
    }
    memtape.run(workspace, &["verify"])?;
    passed(&format!(
        "sqlite3 reads {} statements in memory_entries, and may write none",
        before.lines().count()
    ));
    Ok(())
}

pub(super) fn query(database: &Path, sql: &str) -> Result<Ran> {
    let ran = ask_anything(database, sql)?;
    match ran.is_success() {
        true => Ok(ran),
        false => Err(ran.report("sqlite3 failed")),
    }
}

/// Runs SQL, which may fail, and returns the result.
pub(super) fn ask_anything(database: &Path, sql: &str) -> Result<Ran> {
    // Without `-init`, sqlite3 would read the init file of the user.
    run(Command::new("sqlite3").args(["-batch", "-bail", "-init", "/dev/null"]).arg(database).arg(sql))
}
