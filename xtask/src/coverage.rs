//! Line coverage of the notes and their tools. Document 2 requires 95 %.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::run::{Result, succeed};

/// The measured files and directories, relative to the root of the workspace.
const MEASURED: [&str; 8] = [
    "crates/core/src/forms/notes",
    "crates/core/src/merge3.rs",
    "crates/core/src/path.rs",
    "crates/memtape/src/notes.rs",
    "crates/memtape/src/working_copy/following.rs",
    "crates/memtape/src/working_copy/kind.rs",
    "crates/memtape/src/working_copy/notes.rs",
    "crates/memtape/src/toolbox/notes.rs",
];
/// The tests to run, as arguments of `cargo test`.
const TESTS: [&[&str]; 3] = [
    &["-p", "memtape-core", "--lib", "--", "notes", "merge3", "path"],
    &["-p", "memtape", "--test", "notes", "--test", "note_tools", "--test", "tools"],
    &["-p", "memtape-testkit", "--test", "notes"],
];
/// Minimum coverage, in percent of the lines.
const LEAST: f64 = 95.0;

/// Measures the coverage, prints it per file and in total, and fails if the total is below [`LEAST`].
pub(crate) fn run() -> Result<()> {
    let tools = tools()?;
    let target = Path::new("target/coverage");
    let profiles = target.join("profiles");
    let _ = fs::remove_dir_all(&profiles);
    let mut programs = Vec::new();
    for tests in TESTS {
        // A separate build lists the executables, which llvm-cov needs.
        let (built, filter) =
            tests.split_at(tests.iter().position(|word| *word == "--").unwrap_or(tests.len()));
        let listed =
            succeed(cargo(target, &profiles).args(built).args(["--no-run", "--message-format=json"]))?;
        programs.extend(listed.lines().filter_map(program));
        succeed(cargo(target, &profiles).args(built).args(filter))?;
    }
    let merged = target.join("notes.profdata");
    let raw: Vec<PathBuf> = fs::read_dir(&profiles)
        .map_err(|e| format!("the tests left no profiles: {e}"))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    succeed(
        Command::new(tools.join("llvm-profdata")).args(["merge", "-sparse", "-o"]).arg(&merged).args(&raw),
    )?;
    let mut export = Command::new(tools.join("llvm-cov"));
    export.args(["export", "-summary-only"]).arg(format!("-instr-profile={}", merged.display()));
    for program in &programs {
        export.arg("-object").arg(program);
    }
    let report: Value =
        serde_json::from_str(&succeed(&mut export)?).map_err(|e| format!("llvm-cov printed no JSON: {e}"))?;
    told(&report)
}

fn cargo(target: &Path, profiles: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let place = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    cargo
        .env("RUSTFLAGS", "-C instrument-coverage")
        .env("CARGO_TARGET_DIR", place(target))
        .env("LLVM_PROFILE_FILE", place(profiles).join("%p-%m.profraw"))
        .arg("test");
    cargo
}

/// Returns the directory of the LLVM tools of this compiler; other versions cannot read its profiles.
fn tools() -> Result<PathBuf> {
    let sysroot = succeed(Command::new("rustc").args(["--print", "sysroot"]))?;
    let version = succeed(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let tools = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin");
    match tools.join("llvm-cov").exists() && tools.join("llvm-profdata").exists() {
        true => Ok(tools),
        false => Err(format!(
            "llvm-cov and llvm-profdata of this compiler are not in {}: `rustup component add llvm-tools` puts them there",
            tools.display()
        )),
    }
}

/// Returns the test executable that a line of cargo's JSON output names.
fn program(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    message["executable"].as_str().map(str::to_owned)
}

fn told(report: &Value) -> Result<()> {
    let (mut lines, mut run) = (0, 0);
    let root = std::env::current_dir().map_err(|e| e.to_string())?;
    for file in report["data"][0]["files"].as_array().into_iter().flatten() {
        let name = file["filename"].as_str().unwrap_or_default();
        let name = name.strip_prefix(&format!("{}/", root.display())).unwrap_or(name);
        let is_measured = MEASURED.iter().any(|measured| {
            name.strip_prefix(measured).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        if !is_measured || name.ends_with("tests.rs") {
            continue;
        }
        let of = |field: &str| file["summary"]["lines"][field].as_u64().unwrap_or_default();
        println!("{:>6.1} %  {name}", percent(of("covered"), of("count")));
        lines += of("count");
        run += of("covered");
    }
    let percent = percent(run, lines);
    println!("{percent:>6.1} %  of {lines} lines of notes and their tools");
    match percent >= LEAST {
        true => Ok(()),
        false => {
            Err(format!("{percent:.1} % of the lines of notes are run by tests, and {LEAST} % are the least"))
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "there are not 2^53 lines")]
fn percent(run: u64, lines: u64) -> f64 {
    if lines == 0 { 0.0 } else { 100.0 * run as f64 / lines as f64 }
}
