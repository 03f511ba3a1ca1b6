//! `cargo xtask browser`: checks the inspector of the built memtape in a real browser. `cargo xtask screenshots`: writes
//! the pictures of its pages.
//!
//! No check is skipped: a missing program is a failure that states how to install it.

mod actions;
mod axe;
mod driver;
mod looking;
mod world;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use self::driver::{Driver, Screen};
use self::world::World;
use crate::memtape::{Memtape, root};
use crate::run::Result;

/// A check, by its description.
type Check = (&'static str, fn(&World<'_>) -> Result<()>);

/// Every check of the sample workspace. Each gets a new copy.
const CHECKS: [Check; 11] = [
    (
        "every page at three sizes: no violation of WCAG 2.2 AA, no message, nothing too wide",
        looking::every_page,
    ),
    ("244 hostile texts: nothing runs, and the policy reports nothing", looking::hostile),
    ("the timeline follows what another process writes", looking::live),
    ("every page shows the memory as of where the slider stands", looking::slider),
    ("the keyboard opens pages and rows", looking::keyboard),
    ("from “why?” to the message and to taking it back: four clicks", actions::four_clicks),
    ("forget, edit and restore in every form, and undo each where it was done", actions::memories),
    ("approve, reject and resolve, and undo each", actions::reviews),
    ("take back a change, and switch the branch", actions::branches),
    ("everything works without JavaScript", actions::without_script),
    ("`memtape inspect` opens without a token, once", looking::ticket),
];

/// Runs all checks and stops at the first that fails.
pub(crate) fn check() -> Result<()> {
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder cannot be made: {e}"))?;
    let memtape = Memtape::build(&scratch.path().join("home"))?;
    let axe = axe::source()?;
    let driver = Driver::start()?;
    for (n, (what, check)) in CHECKS.iter().enumerate() {
        let since = Instant::now();
        let world =
            World { driver: &driver, memtape: &memtape, axe: &axe, dir: scratch.path().join(n.to_string()) };
        check(&world).map_err(|why| format!("{what}: {why}"))?;
        println!("ok   {what} ({:.1} s)", since.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Writes the pictures.
pub(crate) fn screenshots() -> Result<()> {
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder cannot be made: {e}"))?;
    let memtape = Memtape::build(&scratch.path().join("home"))?;
    let driver = Driver::start()?;
    let world = World { driver: &driver, memtape: &memtape, axe: "", dir: scratch.path().join("sample") };
    let folder = root().join("docs/inspect");
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let (server, browser) = world.opened(Screen::PICTURE)?;
    for (name, path) in looking::pictures(&browser)? {
        browser.open(&path)?;
        let file = folder.join(format!("{name}.png"));
        std::fs::write(&file, browser.picture()?)
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        println!("docs/inspect/{name}.png");
    }
    drop(server);
    Ok(())
}

/// Returns a command of a program that the checks need.
fn program(names: &[&str], install: &str) -> Result<Command> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        names.iter().find(|name| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()));
    let found = found.ok_or_else(|| format!("{} is missing: {install}", names[0]))?;
    Ok(Command::new(Path::new(found)))
}
