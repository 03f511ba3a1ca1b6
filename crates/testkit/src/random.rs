//! The number of random cases that a property test runs.

use proptest::test_runner::Config;

/// The environment variable that multiplies the number of cases; `cargo xtask nightly` sets it.
pub const FACTOR: &str = "MEMTAPE_CASES_FACTOR";
/// The maximum number of steps to shrink a failing case; each step runs a whole workspace.
const SHRINK_STEPS: u32 = 300;

/// Returns the configuration of a property test with `cases` cases in an ordinary run, times [`FACTOR`].
#[must_use]
pub fn random(cases: u32) -> Config {
    let factor = std::env::var(FACTOR).ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    Config {
        cases: cases.saturating_mul(factor),
        max_shrink_iters: SHRINK_STEPS,
        failure_persistence: None,
        ..Config::default()
    }
}
