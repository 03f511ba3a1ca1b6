//! Fuzzing, with libFuzzer and no other tool: `fuzz/` holds the targets, and is no member of the workspace because it is
//! built otherwise than everything else.

use std::process::Command;

use crate::run::{Result, succeed};

/// What is fuzzed: the binaries of `fuzz/`.
const TARGETS: [&str; 2] = ["notes", "note_paths"];
/// For how many seconds each is, unless told otherwise.
const SECONDS: u64 = 3600;
/// The longest input, in bytes.
const INPUT_BYTES_MAX: usize = 4096;
/// What lets libFuzzer see which code an input reaches.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
                     -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks --cfg fuzzing";

/// Fuzzes each target, and fails with the input that breaks one.
pub(crate) fn run(seconds: Option<u64>) -> Result<()> {
    let seconds = seconds.unwrap_or(SECONDS);
    let host = host()?;
    for target in TARGETS {
        // The corpus of earlier runs is gone on from.
        let corpus = format!("fuzz/corpus/{target}");
        std::fs::create_dir_all(&corpus).map_err(|e| format!("cannot make {corpus}: {e}"))?;
        let mut fuzz = Command::new("cargo");
        fuzz.env("RUSTFLAGS", FLAGS)
            .args(["run", "--locked", "--release", "--quiet", "--manifest-path", "fuzz/Cargo.toml"])
            // Named, so that the flags are not for build scripts.
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

/// The kind of machine this is, as the compiler names it.
fn host() -> Result<String> {
    let said = succeed(Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| format!("rustc does not say what machine this is:\n{said}"))
}
