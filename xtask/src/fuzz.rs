//! Fuzzing with libFuzzer. The targets are in `fuzz/`, which is not a member of the workspace because it is
//! built with different compiler flags.

use std::process::Command;

use crate::run::{Result, succeed};

/// The fuzz targets, which are binaries of `fuzz/`.
const TARGETS: [&str; 2] = ["notes", "note_paths"];
/// Default time per target, in seconds.
const SECONDS: u64 = 3600;
/// Maximum length of an input, in bytes.
const INPUT_BYTES_MAX: usize = 4096;
/// Compiler flags for the coverage instrumentation that libFuzzer uses.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
                     -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks --cfg fuzzing";

/// Fuzzes each target for this number of seconds, and fails with the input that breaks one.
pub(crate) fn run(seconds: Option<u64>) -> Result<()> {
    let seconds = seconds.unwrap_or(SECONDS);
    let host = host()?;
    for target in TARGETS {
        // The corpus is kept, so that a run continues from earlier ones.
        let corpus = format!("fuzz/corpus/{target}");
        std::fs::create_dir_all(&corpus).map_err(|e| format!("cannot make {corpus}: {e}"))?;
        let mut fuzz = Command::new("cargo");
        fuzz.env("RUSTFLAGS", FLAGS)
            .args(["run", "--locked", "--release", "--quiet", "--manifest-path", "fuzz/Cargo.toml"])
            // With an explicit target, the flags do not apply to build scripts.
            .args(["--target", &host, "--bin", target, "--", &corpus])
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-max_len={INPUT_BYTES_MAX}"))
            .args(["-print_final_stats=1", "-artifact_prefix=fuzz/"]);
        let ran = crate::run::run(&mut fuzz)?;
        if !ran.is_success() {
            return Err(ran.report(&format!("an input breaks {target}")));
        }
        let runs = ran.stderr.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
        println!("{target}: {} inputs in {seconds} s, no finding", runs.unwrap_or("?").trim());
    }
    Ok(())
}

/// Returns the target triple of this machine.
fn host() -> Result<String> {
    let said = succeed(Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| format!("rustc does not say what machine this is:\n{said}"))
}
