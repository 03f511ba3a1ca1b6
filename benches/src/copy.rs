//! The cost of checking unchanged working copies, which every reading command does.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use memtape::{At, Options, Workspace};

use crate::{Failure, Series, ratio};

/// Number of reads of each workspace.
const RUNS: usize = 100;
/// Maximum cost of checking the files of one form.
const LOOK_MAX: Duration = Duration::from_millis(10);
/// Age after which a file's timestamps are enough to detect its next change.
const SETTLED: Duration = Duration::from_millis(2500);

pub(crate) fn run(files: u64) -> Result<(), Failure> {
    println!("`zone show` beside {files} unchanged files");
    let empty = Asked::new("nothing", &[], files)?;
    let others = [
        Asked::new("notes", &["facts"], files)?,
        Asked::new("files", &["files/drafts"], files)?,
        Asked::new("notes and files", &["facts", "files/drafts"], files)?,
    ];
    thread::sleep(SETTLED);
    // The first read records the timestamps of the files.
    others.iter().try_for_each(Asked::once)?;
    let mut series: [Series; 4] = Default::default();
    for _ in 0..RUNS {
        for (asked, series) in [&empty].into_iter().chain(&others).zip(&mut series) {
            series.time(|| asked.once())?;
        }
    }
    let [baseline, beside @ ..] = &series;
    baseline.print("beside nothing");
    for (asked, beside) in others.iter().zip(beside) {
        beside.print(&format!("beside {}", asked.what));
        let look = beside.percentile(50).saturating_sub(baseline.percentile(50));
        ratio(
            &format!("what the {} take of it / 10 ms for each kind", asked.what),
            look,
            LOOK_MAX * asked.kinds,
            1.0,
        );
    }
    Ok(())
}

/// A workspace to read.
struct Asked {
    what: &'static str,
    kinds: u32,
    workspace: Workspace,
    _dir: tempfile::TempDir,
}

impl Asked {
    /// Creates a workspace with this number of files in each of the folders.
    fn new(what: &'static str, folders: &[&str], files: u64) -> Result<Self, Failure> {
        let dir = tempfile::tempdir_in(".")?;
        let workspace = Workspace::init(dir.path(), Options::default())?;
        folders.iter().try_for_each(|folder| fill(&dir.path().join(folder), files))?;
        let asked = Self { what, kinds: u32::try_from(folders.len())?, workspace, _dir: dir };
        // The first read records the files on the tape.
        asked.once()?;
        Ok(asked)
    }

    fn once(&self) -> Result<(), Failure> {
        self.workspace.zone().view(&At::head())?;
        Ok(())
    }
}

fn fill(folder: &Path, files: u64) -> Result<(), Failure> {
    fs::create_dir_all(folder)?;
    for n in 0..files {
        fs::write(
            folder.join(format!("file-{n}.md")),
            format!("# File {n}\n\n{}\n", crate::write::words(n)),
        )?;
    }
    Ok(())
}
