//! Chores of this workspace: `cargo xtask CHORE`; without a chore, the list of them.

mod conformance;
mod coverage;
mod memtape;
mod run;

use std::process::ExitCode;

/// A chore: its name, what it does, and how.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: fn() -> run::Result<()>,
}

const CHORES: [Chore; 2] = [
    Chore {
        name: "conformance",
        about: "Check docs/FORMAT.md and the built memtape against jq, sha256sum, sqlite3, Mermaid and a full disk",
        run: conformance::run,
    },
    Chore {
        name: "coverage",
        about: "Print how many lines of notes and their tools the tests run (needs rustup's llvm-tools)",
        run: coverage::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] | ["-h" | "--help" | "help"] => {
            println!("{}", list());
            ExitCode::SUCCESS
        }
        [name] => match CHORES.iter().find(|chore| chore.name == *name) {
            Some(chore) => finish(chore),
            None => refuse(&format!("there is no chore {name:?}")),
        },
        _ => refuse("a chore takes no arguments"),
    }
}

fn finish(chore: &Chore) -> ExitCode {
    match (chore.run)() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("FAIL {why}");
            ExitCode::FAILURE
        }
    }
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("{why}\n\n{}", list());
    ExitCode::from(2)
}

fn list() -> String {
    let line = |chore: &Chore| format!("\n  {:<12} {}", chore.name, chore.about);
    format!("cargo xtask CHORE\n{}", CHORES.iter().map(line).collect::<String>())
}
