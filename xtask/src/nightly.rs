//! The random search: the fuzz targets, then all tests that draw random cases, in rounds, each round from another seed.
//!
//! `cargo test` draws the same cases everywhere, because `.cargo/config.toml` sets the seed. What a round finds belongs
//! into a test of its own.

use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::fuzz;
use crate::run::{Result, run, succeed};

/// How long to search, in seconds, unless told otherwise.
const SECONDS: u64 = 8 * 3600;
/// The share of it that each fuzz target gets.
const FUZZ_SHARE: u64 = 20;
/// The variable that proptest reads its seed from.
const SEED: &str = "PROPTEST_RNG_SEED";
/// The variable by which the laws multiply their cases, and what nightly sets it to.
const FACTOR: (&str, &str) = ("MEMTAPE_CASES_FACTOR", "10");
/// The packages whose tests draw random cases.
const PACKAGES: [&str; 6] =
    ["memtape-tape", "memtape-core", "memtape-capture", "memtape-store", "memtape", "memtape-testkit"];

/// Searches for so many seconds, and fails with the seed of the round that found something.
pub(crate) fn search(seconds: Option<u64>) -> Result<()> {
    let seconds = seconds.unwrap_or(SECONDS);
    let time = Duration::from_secs(seconds);
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

fn test() -> Command {
    let mut test = Command::new("cargo");
    test.args(["test", "--locked", "--quiet"]);
    for package in PACKAGES {
        test.args(["--package", package]);
    }
    test
}
