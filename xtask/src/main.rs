//! Development tasks of this workspace: `cargo xtask CHORE [NUMBER]`. Without a task, prints the list of
//! them.

mod bench;
mod browser;
mod conformance;
mod failover;
mod fuzz;
mod memtape;
mod nightly;
mod run;
mod server;
mod without_git;

use std::process::ExitCode;

/// A task: its name, its description and its function.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: Run,
}

/// The function of a task, which may accept a number.
enum Run {
    Plainly(fn() -> run::Result<()>),
    With(fn(Option<u64>) -> run::Result<()>),
}

const CHORES: [Chore; 11] = [
    Chore {
        name: "bench",
        about: "Run all benches, write docs/performance.md, and fail if a goal is missed (about half an hour)",
        run: Run::Plainly(bench::run_all),
    },
    Chore {
        name: "browser",
        about: "Check the inspector of the built memtape in Chromium: pages, actions, keyboard, accessibility",
        run: Run::Plainly(browser::check),
    },
    Chore {
        name: "conformance",
        about: "Check docs/FORMAT.md and the built memtape against jq, sqlite3, git, Mermaid, MCP clients and a full disk",
        run: Run::Plainly(conformance::run),
    },
    Chore {
        name: "failover",
        about: "Kill the primary of a cluster that Patroni manages under load, 20 or NUMBER times in each mode (half an hour)",
        run: Run::With(failover::run),
    },
    Chore {
        name: "fuzz",
        about: "Try notes and their paths with bytes that nobody thought of, for an hour or NUMBER seconds each",
        run: Run::With(fuzz::run),
    },
    Chore {
        name: "install",
        about: "Install the packages from PyPI and npm that `conformance` uses, which it otherwise does itself",
        run: Run::Plainly(conformance::install),
    },
    Chore {
        name: "nightly",
        about: "Check dependencies and the build without git, fuzz, and run property tests from other seeds, for eight hours or NUMBER seconds",
        run: Run::With(nightly::search),
    },
    Chore {
        name: "screenshots",
        about: "Write the pictures of the inspector's pages into docs/inspect",
        run: Run::Plainly(browser::screenshots),
    },
    Chore {
        name: "train-capture",
        about: "Train the weights of capture and of the floor of recall from evals/*/train (about a minute)",
        run: Run::Plainly(train_capture),
    },
    Chore {
        name: "train-updates",
        about: "Train the weights that tell which newer memory replaces an older one from evals/updates (a minute)",
        run: Run::Plainly(train_updates),
    },
    Chore {
        name: "without-git",
        about: "Build memtape without its default features, and check that it works without git (a few minutes)",
        run: Run::Plainly(without_git::check),
    },
];

/// Trains the weights of capture.
fn train_capture() -> run::Result<()> {
    train("train-capture")
}

/// Trains the weights that tell which newer memory replaces an older one.
fn train_updates() -> run::Result<()> {
    train("train-updates")
}

fn train(what: &str) -> run::Result<()> {
    let arguments = ["run", "--release", "--quiet", "-p", "memtape-evals", "--", what];
    print!("{}", run::succeed(std::process::Command::new("cargo").args(arguments))?);
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] | ["-h" | "--help" | "help"] => {
            println!("{}", list());
            ExitCode::SUCCESS
        }
        [name, more @ ..] => match CHORES.iter().find(|chore| chore.name == *name) {
            Some(chore) => finish(chore, more),
            None => refuse(&format!("there is no chore {name:?}")),
        },
    }
}

fn finish(chore: &Chore, arguments: &[&str]) -> ExitCode {
    let number = arguments.first().map(|text| text.parse());
    let done = match (&chore.run, arguments, number) {
        (Run::Plainly(run), [], _) => run(),
        (Run::With(run), [], _) => run(None),
        (Run::With(run), [_], Some(Ok(number))) => run(Some(number)),
        (Run::Plainly(_), ..) => return refuse("this chore takes no arguments"),
        (Run::With(_), ..) => return refuse("this chore takes one number"),
    };
    match done {
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
    format!("cargo xtask CHORE [NUMBER]\n{}", CHORES.iter().map(line).collect::<String>())
}
