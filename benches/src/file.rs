//! The cost of writing files: a long file compared to a short one, its vector, and the git history.

use std::fs;
use std::path::Path;

use memtape::{Config, Durability, FilePath, Options, Workspace};

use crate::write::words;
use crate::{Failure, Series, ratio};

/// Size of the short file, in bytes.
const SHORT: usize = 100_000;
/// Number of writes of the long file.
const LONG_RUNS: u64 = 5;
/// Number of writes of a small file.
const SMALL_RUNS: u64 = 200;

pub(crate) fn run(bytes: u64) -> Result<(), Failure> {
    a_long_one(usize::try_from(bytes)?)?;
    the_history()
}

/// Checks that the cost of a file is proportional to its length, and the cost of its vector independent of
/// it.
fn a_long_one(bytes: usize) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let workspace = open(dir.path(), Durability::Os)?;
    println!("a file of {bytes} bytes beside one of {SHORT}");
    let (mut writes, mut words, mut vectors): ([Series; 2], [Series; 2], [Series; 2]) = Default::default();
    for n in 0..LONG_RUNS {
        for (which, length) in [SHORT, bytes].into_iter().enumerate() {
            let path = FilePath::new(&format!("drafts/{which}-{n}.md")).map_err(memtape::Error::from)?;
            let text = text(n, length);
            writes[which].time(|| workspace.files().write(&path, &text))?;
            // The next read adds the words of the file to the index.
            words[which].time(|| workspace.journal().head())?;
            vectors[which].time(|| workspace.embed_pending())?;
        }
    }
    let whole = bytes as f64 / SHORT as f64;
    for (what, [short, long], most) in
        [("the write", writes, whole * 1.5), ("its words", words, whole * 1.5), ("its vector", vectors, 2.0)]
    {
        short.print(&format!("{what}, short text"));
        long.print(&format!("{what}, long text"));
        ratio(&format!("{what}: long / short, least"), long.percentile(0), short.percentile(0), most);
    }
    Ok(())
}

/// Compares writing small files with and without a git commit for each.
///
/// The workspace without commits contains a `.git` that is not memtape's, so memtape does not commit there.
fn the_history() -> Result<(), Failure> {
    println!("\n{SMALL_RUNS} small files, each synced");
    let (with, without) = (tempfile::tempdir_in(".")?, tempfile::tempdir_in(".")?);
    fs::write(without.path().join(".git"), "gitdir: elsewhere\n")?;
    let with = open(with.path(), Durability::Sync)?;
    let without = open(without.path(), Durability::Sync)?;
    let (mut committed, mut uncommitted) = (Series::default(), Series::default());
    for n in 0..SMALL_RUNS {
        let path = FilePath::new(&format!("drafts/{n}.md")).map_err(memtape::Error::from)?;
        let text = words(n);
        uncommitted.time(|| without.files().write(&path, &text))?;
        committed.time(|| with.files().write(&path, &text))?;
    }
    uncommitted.print("a write without a history");
    committed.print("a write with its commit");
    ratio(
        "a write with its commit / without, p50",
        committed.percentile(50),
        uncommitted.percentile(50),
        2.0,
    );
    Ok(())
}

fn open(dir: &Path, durability: Durability) -> Result<Workspace, Failure> {
    let config = Config { durability, ..Config::default() };
    Ok(Workspace::init(dir, Options { config, ..Options::default() })?)
}

/// Returns a text of this length: lines of words.
fn text(n: u64, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    let mut line = n << 32;
    while text.len() < bytes {
        text.push_str(&words(line));
        text.push('\n');
        line += 1;
    }
    text.truncate(bytes);
    text
}
