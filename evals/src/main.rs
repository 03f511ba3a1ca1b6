//! How well memtape finds what was said.
//!
//! ```text
//! cargo run --release -p memtape-evals -- locomo FILE [--out RANKINGS]
//! cargo run --release -p memtape-evals -- paraphrase
//! cargo run --release -p memtape-evals -- ablate FILE
//! ```
//!
//! `locomo` reads the JSON of LoCoMo (Maharana et al. 2024), one or many conversations, from a path: the data is
//! not part of the project. `paraphrase` asks the project's own questions, which share no content word with the
//! memory that answers them. `ablate` asks both with one part of the ranking left out at a time. All go through the
//! public library, as a user does; no model answers, none judges.

mod locomo;
mod metrics;
mod modes;
mod paraphrase;

use std::path::Path;
use std::process::ExitCode;

use crate::modes::{ABLATIONS, MODES};

type Failure = Box<dyn std::error::Error>;

/// The project's own questions.
const PARAPHRASE: &str = "evals/paraphrase";

/// How many of a ranking count.
const RANKED: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["locomo", file] => locomo::run(Path::new(file), &MODES, None),
        ["locomo", file, "--out", out] => locomo::run(Path::new(file), &MODES, Some(Path::new(out))),
        ["paraphrase"] => paraphrase::run(Path::new(PARAPHRASE), &MODES),
        ["ablate", file] => locomo::run(Path::new(file), &ABLATIONS, None)
            .and_then(|()| paraphrase::run(Path::new(PARAPHRASE), &ABLATIONS)),
        _ => Err("name an evaluation: locomo FILE [--out RANKINGS], paraphrase, or ablate FILE".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
