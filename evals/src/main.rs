//! How well memtape finds what was said.
//!
//! ```text
//! cargo run --release -p memtape-evals -- locomo FILE [--out RANKINGS]
//! cargo run --release -p memtape-evals -- paraphrase
//! cargo run --release -p memtape-evals -- ablate FILE
//! cargo run --release -p memtape-evals -- capture [--misses] [--language L] [--half 0|1]
//! cargo run --release -p memtape-evals -- secrets [--show] [--leave-out] [--train] [FILE…]
//! ```
//!
//! `locomo` reads the JSON of LoCoMo (Maharana et al. 2024), one or many conversations, from a path: the data is
//! not part of the project. `paraphrase` asks the project's own questions, which share no content word with the
//! memory that answers them. `ablate` asks both with one part of the ranking left out at a time. These go through
//! the public library, as a user does. `capture` reads the project's own messages in five languages, and compares what
//! is captured of them with what is worth keeping. `secrets` redacts the project's own texts with secrets and
//! look-alikes, or those of other files, and counts what is left and what is redacted falsely. With `--train` it
//! prints the weights of the detector that these texts give, and with `--leave-out` it measures each file by weights
//! that were learned from the others. No language model answers, none judges.

mod capture;
mod locomo;
mod metrics;
mod modes;
mod paraphrase;
mod secrets;

use std::path::Path;
use std::process::ExitCode;

use crate::modes::{ABLATIONS, MODES};

type Failure = Box<dyn std::error::Error>;

/// The project's own questions.
const PARAPHRASE: &str = "evals/paraphrase";
/// The project's own messages with something to keep.
const CAPTURE: &str = "evals/capture";
/// The project's own texts with secrets, and others that look alike.
const SECRETS: &str = "evals/secrets";

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
        ["capture", ref options @ ..] => {
            capture::Ask::parse(options).and_then(|ask| capture::run(Path::new(CAPTURE), &ask))
        }
        ["secrets", ref options @ ..] => {
            secrets::Ask::parse(options, Path::new(SECRETS)).and_then(|ask| secrets::run(&ask))
        }
        _ => Err(
            "name an evaluation: locomo FILE [--out RANKINGS], paraphrase, ablate FILE, capture [--misses] \
                  [--language L] [--half 0|1], or secrets [--show] [--leave-out] [--train] [FILE…]"
                .into(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
