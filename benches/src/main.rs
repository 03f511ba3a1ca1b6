//! Benchmarks of memtape, each relative to the least that the same work can cost.
//!
//! ```text
//! cargo build --release && cargo run --release -p memtape-benches -- write
//! cargo build --release && cargo run --release -p memtape-benches -- open [ENTRIES]
//! cargo build --release && cargo run --release -p memtape-benches -- recall [ENTRIES]
//! cargo run --release -p memtape-benches -- readers [MESSAGES]
//! cargo run --release -p memtape-benches -- turn [TURNS]
//! cargo run --release -p memtape-benches -- prompt [MEMORIES]
//! cargo run --release -p memtape-benches -- ledger [FACTS]
//! cargo run --release -p memtape-benches -- journal [ENTRIES]
//! cargo run --release -p memtape-benches -- copy [FILES]
//! cargo run --release -p memtape-benches -- file [BYTES]
//! cargo build --release && cargo run --release -p memtape-benches -- faces [MEMORIES]
//! cargo run --release -p memtape-benches -- import [ITEMS]
//! cargo run --release -p memtape-benches -- upstream [ENTRIES]
//! ```
//!
//! A run fails if it misses a goal. `cargo xtask bench` runs all of them and writes `docs/performance.md`.
//!
//! Every figure is a ratio of two values that are measured alternately in the same run, because machines
//! differ and their speed drifts. Quote the ratios, not the microseconds.

mod copy;
mod faces;
mod file;
mod import;
mod inspect;
mod journal;
mod ledger;
mod open;
mod prompt;
mod readers;
mod recall;
mod turn;
mod upstream;
mod write;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |default| arguments.get(1).map_or(Ok(default), |text| text.parse::<u64>());
    let done = match arguments.first().map(String::as_str) {
        Some("write") => number(10_000).map_err(Failure::from).and_then(write::run),
        Some("open") => number(1_000_000).map_err(Failure::from).and_then(open::run),
        Some("recall") => number(1_000_000).map_err(Failure::from).and_then(recall::run),
        Some("readers") => number(20_000).map_err(Failure::from).and_then(readers::run),
        Some("prompt") => number(100_000).map_err(Failure::from).and_then(prompt::run),
        Some("turn") => number(10_000).map_err(Failure::from).and_then(turn::run),
        Some("ledger") => number(100_000).map_err(Failure::from).and_then(ledger::run),
        Some("journal") => number(1_000_000).map_err(Failure::from).and_then(journal::run),
        Some("copy") => number(1000).map_err(Failure::from).and_then(copy::run),
        Some("file") => number(4_700_000).map_err(Failure::from).and_then(file::run),
        Some("import") => number(1_000_000).map_err(Failure::from).and_then(import::run),
        Some("inspect") => number(1_000_000).map_err(Failure::from).and_then(inspect::run),
        Some("faces") => number(100_000).map_err(Failure::from).and_then(faces::run),
        Some("upstream") => number(200_000).map_err(Failure::from).and_then(upstream::run),
        // `recall` runs this as a separate process, to measure its memory.
        Some("peak") => match &arguments[1..] {
            [backend, dir] => recall::ask_and_weigh(backend, Path::new(dir)),
            _ => Err("peak BACKEND DIR".into()),
        },
        _ => Err("name a benchmark: write [N], open [ENTRIES], recall [ENTRIES], readers [MESSAGES], turn [TURNS], \
                   prompt [MEMORIES], ledger [FACTS], journal [ENTRIES], copy [FILES], file [BYTES], faces [MEMORIES], import [ITEMS], \
                   inspect [ENTRIES] or upstream [ENTRIES]"
            .into()),
    };
    match done {
        Ok(()) if HAS_MISSED.load(Ordering::Relaxed) => {
            eprintln!("a goal is missed");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The durations of one operation, in the order in which they were measured.
#[derive(Default)]
struct Series(Vec<Duration>);

impl Series {
    fn time<T>(&mut self, act: impl FnOnce() -> T) -> T {
        let start = std::time::Instant::now();
        let result = act();
        self.0.push(start.elapsed());
        result
    }

    /// Returns the given percentile of the durations.
    fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted
            .get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    }

    fn mean(&self) -> Duration {
        self.0.iter().sum::<Duration>() / u32::try_from(self.0.len()).unwrap_or(u32::MAX).max(1)
    }

    fn print(&self, what: &str) {
        let micros = |d: Duration| d.as_secs_f64() * 1e6;
        println!(
            "{what:42} p50 {:9.1} µs   p95 {:9.1} µs   mean {:9.1} µs",
            micros(self.percentile(50)),
            micros(self.percentile(95)),
            micros(self.mean())
        );
    }
}

/// Returns the peak resident memory of this process, in kilobytes.
fn kilobytes_at_most() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    Ok(peak.trim().trim_end_matches(" kB").trim().parse()?)
}

/// Whether a goal was missed in this run.
static HAS_MISSED: AtomicBool = AtomicBool::new(false);

/// Prints the ratio of two durations and its goal.
fn ratio(what: &str, of: Duration, to: Duration, limit: f64) {
    at_most(what, of.as_secs_f64() / to.as_secs_f64().max(f64::MIN_POSITIVE), limit, "");
}

/// Prints a figure beside its goal. `cargo xtask bench` reads these lines.
fn at_most(what: &str, figure: f64, limit: f64, unit: &str) {
    let is_missed = figure > limit;
    HAS_MISSED.fetch_or(is_missed, Ordering::Relaxed);
    let missed = if is_missed { " MISSED" } else { "" };
    println!("{what:60} {figure:6.2}{unit}   (goal: at most {limit}{unit}){missed}");
}
