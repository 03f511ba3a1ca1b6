//! The nightly checks: the licenses and sources of the dependencies (`deny.toml`), a build without git support, the fuzz
//! targets, then all property tests in rounds, each round with another seed.
//!
//! `cargo test` itself always uses the same cases, because `.cargo/config.toml` sets the seed. A case that a
//! round finds should become a test of its own.

use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::run::{Result, run, succeed};
use crate::{fuzz, without_git};

/// Default duration, in seconds.
const SECONDS: u64 = 8 * 3600;
/// Each fuzz target runs for the total duration divided by this.
const FUZZ_SHARE: u64 = 20;
/// The environment variable with the seed of proptest.
const SEED: &str = "PROPTEST_RNG_SEED";
/// The environment variable that multiplies the number of cases of the property tests, and its value here.
const FACTOR: (&str, &str) = ("MEMTAPE_CASES_FACTOR", "10");
/// The packages with property tests.
const PACKAGES: [&str; 7] = [
    "memtape-tape",
    "memtape-core",
    "memtape-language",
    "memtape-capture",
    "memtape-worktree",
    "memtape",
    "memtape-testkit",
];

/// Searches for this number of seconds, and fails with the seed of the round that found something.
pub(crate) fn search(seconds: Option<u64>) -> Result<()> {
    let seconds = seconds.unwrap_or(SECONDS);
    let time = Duration::from_secs(seconds);
    check_dependencies()?;
    without_git::check()?;
    fuzz::run(Some(seconds / FUZZ_SHARE))?;
    succeed(test().arg("--no-run"))?;
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < time {
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
            & u128::from(u64::MAX);
        let (factor, times) = FACTOR;
        let ran = run(test().arg("--no-fail-fast").env(SEED, seed.to_string()).env(factor, times))?;
        if !ran.is_success() {
            let again = format!("{SEED}={seed} {factor}={times} cargo test");
            return Err(ran.report(&format!("a law does not hold: `{again}` finds it again")));
        }
        rounds += 1;
        println!("round {rounds}: no finding from seed {seed}");
    }
    Ok(())
}

/// Checks the licenses and the sources of all dependencies.
fn check_dependencies() -> Result<()> {
    let mut deny = Command::new("cargo");
    deny.args(["deny", "--locked", "check", "licenses", "bans", "sources"]);
    let ran = run(&mut deny)?;
    match ran.is_success() {
        true => Ok(()),
        false => Err(ran.report("cargo deny failed (`cargo install --locked cargo-deny` installs it)")),
    }
}

fn test() -> Command {
    let mut test = Command::new("cargo");
    test.args(["test", "--locked", "--quiet"]);
    for package in PACKAGES {
        test.args(["--package", package]);
    }
    test
}
