//! Runs memtape on a full disk and on a read-only one: it must report the error, fail, and lose no
//! acknowledged write.

use std::path::Path;

use super::medium::Medium;
use super::{index, passed, read, tape};
use crate::memtape::Memtape;
use crate::run::{Ran, Result, run, succeed};

/// The exit status of a write that the disk refuses.
const UNAVAILABLE: i32 = 7;
/// Number of refused writes after which the disk counts as full.
const REFUSALS: usize = 12;
/// Maximum number of writes; more than fit on any disk that is created here.
const WRITES_MAX: usize = 400;

/// Error texts for a full disk, from the system or from SQLite.
const FULL: &[&str] = &["No space left on device", "File too large", "disk is full"];
/// Error texts for a disk that cannot be written.
const READ_ONLY: &[&str] = &["Read-only file system", "Permission denied", "File too large"];

/// Checks a full disk and a read-only one.
pub(super) fn check(memtape: &Memtape, scratch: &Path) -> Result<()> {
    let mut medium = Medium::new(&scratch.join("medium"))?;
    succeed(&mut medium.command(memtape, &["init"]))?;
    succeed(&mut medium.command(memtape, &["remember", tape::REMEMBERED]))?;
    full(memtape, &mut medium)?;
    read_only(memtape, &mut medium)
}

fn full(memtape: &Memtape, medium: &mut Medium) -> Result<()> {
    medium.fill()?;
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    for n in 0..WRITES_MAX {
        let name = format!("fact-{n:03}");
        // Lines of different lengths: the last page of the file may have space for a short line only.
        let text = format!("{name} {}", "x".repeat(n % 5 * 700));
        let ran = run(&mut medium.command(memtape, &["remember", &text]))?;
        match ran.is_success() {
            true => kept.push(name),
            false => {
                said_clearly(&ran, FULL)?;
                refused.push(name);
            }
        }
        if refused.len() == REFUSALS {
            break;
        }
    }
    if refused.len() < REFUSALS {
        return Err(format!(
            "the disk is full ({}), but {} writes were acknowledged",
            medium.how,
            kept.len()
        ));
    }
    still_readable(memtape, medium)?;
    medium.free()?;
    succeed(&mut medium.command(memtape, &["verify"]))?;
    succeed(&mut medium.command(memtape, &["remember", "there is room again"]))?;
    kept.extend([tape::REMEMBERED.to_owned(), "there is room again".to_owned()]);
    all_there(memtape, medium, &kept, &refused)?;
    passed(&format!(
        "on a full disk {} writes are refused clearly, and {} acknowledged lines are all there ({})",
        refused.len(),
        kept.len(),
        medium.how
    ));
    Ok(())
}

fn read_only(memtape: &Memtape, medium: &mut Medium) -> Result<()> {
    let file = medium.workspace().join("tape.jsonl");
    let before = read(&file)?;
    medium.close()?;
    for arguments in
        [&["remember", "never"] as &[&str], &["zone", "clear", "--yes"], &["tape", "append", "x"]]
    {
        said_clearly(&run(&mut medium.command(memtape, arguments))?, READ_ONLY)?;
    }
    still_readable(memtape, medium)?;
    medium.open()?;
    if read(&file)? != before {
        return Err(format!("the tape changed although nobody could write ({})", medium.how));
    }
    succeed(&mut medium.command(memtape, &["remember", "written again"]))?;
    let kept = [tape::REMEMBERED.to_owned(), "written again".to_owned()];
    all_there(memtape, medium, &kept, &["never".to_owned()])?;
    passed(&format!("on a read-only disk writes are refused clearly, and reads go on ({})", medium.how));
    Ok(())
}

/// Checks that a refused write has the right exit status, names the reason and prints a hint.
fn said_clearly(ran: &Ran, reasons: &[&str]) -> Result<()> {
    let names_reason = ran
        .stderr
        .lines()
        .any(|line| line.starts_with("error: ") && reasons.iter().any(|reason| line.contains(reason)));
    if ran.ended_with(UNAVAILABLE) && names_reason && ran.stderr.contains("hint: ") {
        return Ok(());
    }
    let reasons = reasons.join("\", \"");
    Err(ran.report(&format!(
        "a write must be refused with status {UNAVAILABLE}, a hint, and an error that says one of \"{reasons}\""
    )))
}

fn still_readable(memtape: &Memtape, medium: &Medium) -> Result<()> {
    succeed(&mut medium.command(memtape, &["verify"]))?;
    succeed(&mut medium.command(memtape, &["status"]))?;
    let ran = run(&mut medium.command(memtape, &["recall", "tea"]))?;
    match ran.is_success() && ran.stdout.contains(tape::REMEMBERED) {
        true => Ok(()),
        false => Err(ran.report(&format!("recall must find {:?}", tape::REMEMBERED))),
    }
}

/// Checks that every acknowledged write is shown and no refused one, and that the tape and the index are
/// valid.
fn all_there(memtape: &Memtape, medium: &Medium, kept: &[String], refused: &[String]) -> Result<()> {
    let shown = run(&mut medium.command(memtape, &["zone", "show"]))?;
    if let Some(lost) = kept.iter().find(|text| !shown.stdout.contains(text.as_str())) {
        return Err(shown.report(&format!("{lost:?} was acknowledged and is lost")));
    }
    if let Some(seen) = refused.iter().find(|text| shown.stdout.contains(text.as_str())) {
        return Err(shown.report(&format!("{seen:?} was refused and shows")));
    }
    succeed(&mut medium.command(memtape, &["verify"]))?;
    tape::recheck(&tape::segments(&medium.workspace())?)?;
    index::sound(&medium.workspace().join("memory.db"))
}
