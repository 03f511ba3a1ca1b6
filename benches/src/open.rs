//! The cost of one command on a large workspace, as a whole process, compared to the `sqlite3` program that
//! opens the same index and reads one row.

use std::io::Cursor;
use std::path::Path;
use std::process::{Command, Stdio};

use memtape::{Ingester, Options, Session, Workspace};

use crate::write::words;
use crate::{Failure, Series, ratio};

/// Number of conversations that the messages are spread over.
const SESSIONS: u64 = 50;
/// Number of runs of each program.
const RUNS: usize = 40;

pub(crate) fn run(entries: u64) -> Result<(), Failure> {
    let program = std::env::current_exe()?.with_file_name("memtape");
    if !program.exists() {
        return Err("the memtape program is not there: run `cargo build --release` first".into());
    }
    let dir = tempfile::tempdir_in(".")?;
    fill(dir.path(), entries)?;
    let index = dir.path().join("memory.db");
    let message = format!("messages:{}", entries / 2);
    let row = format!("SELECT text FROM memories WHERE id = {}", (entries / 2) << 20);
    let (mut sqlite, mut show, mut recall) = (Series::default(), Series::default(), Series::default());
    for n in 0..RUNS {
        sqlite.time(|| quiet(Command::new("sqlite3").arg(&index).arg(&row)))?;
        let memtape = || {
            let mut command = Command::new(&program);
            command.arg("-C").arg(dir.path());
            command
        };
        show.time(|| quiet(memtape().arg("show").arg(&message)))?;
        // A typical question has about five significant words, here those of the message it is about.
        let message = words(n as u64 * SESSIONS + 7);
        let query = message.split(' ').take(5).collect::<Vec<_>>().join(" ");
        // Without the model, whose start `recall` measures.
        let by_words = ["--config", "recall.backend=sqlite_fts", "recall", "--session", "bench:7"];
        recall.time(|| quiet(memtape().args(by_words).arg(&query)))?;
    }
    println!("{entries} messages in {SESSIONS} conversations, each program {RUNS} times");
    sqlite.print("sqlite3: open, one row");
    show.print("memtape show: open, check, one memory");
    recall.print("memtape recall of 5 words in a session, by words");
    ratio("memtape show / sqlite3, p50", show.percentile(50), sqlite.percentile(50), 5.0);
    ratio("memtape recall by words / sqlite3, p50", recall.percentile(50), sqlite.percentile(50), 5.0);
    Ok(())
}

/// Fills a workspace with messages, spread over 50 conversations.
pub(crate) fn fill(dir: &Path, entries: u64) -> Result<(), Failure> {
    let workspace = Workspace::init(dir, Options::default())?;
    let start = std::time::Instant::now();
    let mut lines = String::new();
    for n in 0..entries {
        let line = serde_json::json!({"role": "user", "content": words(n), "session": format!("bench:{}", n % SESSIONS)});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    let ingester = Ingester::new(&workspace, Session::direct());
    let ingested = ingester.run(Cursor::new(lines), |_| ())?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} messages taken in at {:.0} a second", ingested.added, ingested.added as f64 / seconds);
    Ok(())
}

fn quiet(command: &mut Command) -> Result<(), Failure> {
    let status = command.stdout(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}
