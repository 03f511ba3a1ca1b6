//! Evaluations of recall, capture and redaction.
//!
//! ```text
//! cargo run --release -p memtape-evals -- locomo FILE [--out RANKINGS]
//! cargo run --release -p memtape-evals -- paraphrase [dev|sealed]
//! cargo run --release -p memtape-evals -- ablate FILE
//! cargo run --release -p memtape-evals -- capture [train|dev|sealed] [--misses] [--language L]
//! cargo run --release -p memtape-evals -- noise [train|dev|sealed [--floor F]]
//! cargo run --release -p memtape-evals -- requests [train|dev]
//! cargo run --release -p memtape-evals -- updates [train|dev|sealed]
//! cargo run --release -p memtape-evals -- train-capture
//! cargo run --release -p memtape-evals -- train-updates
//! cargo run --release -p memtape-evals -- secrets [--show] [--leave-out] [--train] [FILE…]
//! cargo run --release -p memtape-evals -- gate [SET]
//! ```
//!
//! - `locomo` reads the JSON of LoCoMo (Maharana et al. 2024), one or many conversations, from a path: the
//!   data is not part of the project.
//! - `paraphrase` asks the project's own questions, which share no content word with the memory that answers
//!   them.
//! - `ablate` runs both, each time with one part of the ranking disabled.
//! - `capture` reads the project's own messages, and compares what is captured with what is worth keeping.
//! - `noise` sends the turns of invented people, and compares what their prompts show of ten memories with what the
//!   answers need.
//! - `requests` counts the messages that the gate of a prompt lets pass, of those that need a memory and of others.
//! - `updates` asks about facts that changed or only look changed, and counts which statement comes first.
//! - `train-updates` learns the weights of that order.
//! - `train-capture` learns the weights of both from the `train` parts.
//! - `secrets` redacts the project's own texts with secrets and look-alikes, or those of other files, and
//!   counts what is left and what is redacted wrongly. `--train` trains the detector on them and writes its
//!   weights; `--leave-out` measures each file with weights trained on the others.
//! - `gate` fails if capture, prompts, the order of changed facts or redaction are worse on these texts than they were.
//!   `tests/gate.rs` runs it.
//!
//! The first three use the public library, as a user does. No language model writes or judges answers.

mod capture;
mod encoder;
mod gate;
mod locomo;
mod metrics;
mod modes;
mod noise;
mod paraphrase;
mod requests;
mod secrets;
mod sets;
mod train;
mod updates;

use std::path::Path;
use std::process::ExitCode;

use crate::modes::{ABLATIONS, MODES};

type Failure = Box<dyn std::error::Error>;

/// The directory of the project's own questions.
const PARAPHRASE: &str = "evals/paraphrase";
/// The directory of the project's own messages with labelled clauses.
const CAPTURE: &str = "evals/capture";
/// The directory of the project's own people with memories and turns.
const NOISE: &str = "evals/noise";
/// The directory of the project's own messages that need a memory or none.
const REQUESTS: &str = "evals/requests";
/// The directory of the project's own facts that changed or only look changed.
const UPDATES: &str = "evals/updates";
/// The directory of the project's own texts with secrets and with look-alikes.
const SECRETS: &str = "evals/secrets";

/// Number of results that are evaluated.
const RANKED: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["locomo", file] => locomo::run(Path::new(file), &MODES, None),
        ["locomo", file, "--out", out] => locomo::run(Path::new(file), &MODES, Some(Path::new(out))),
        ["paraphrase"] => paraphrase::run(Path::new(PARAPHRASE), sets::Part::Dev, &MODES),
        ["paraphrase", part] => sets::Part::parse(part)
            .and_then(|part| paraphrase::run(Path::new(PARAPHRASE), part, &MODES)),
        ["ablate", file] => locomo::run(Path::new(file), &ABLATIONS, None)
            .and_then(|()| paraphrase::run(Path::new(PARAPHRASE), sets::Part::Dev, &ABLATIONS)),
        ["capture", ref options @ ..] => {
            capture::Ask::parse(options).and_then(|ask| capture::run(Path::new(CAPTURE), &ask)).map(drop)
        }
        ["secrets", ref options @ ..] => {
            secrets::Ask::parse(options, Path::new(SECRETS)).and_then(|ask| secrets::run(&ask)).map(drop)
        }
        ["noise"] => noise::run(Path::new(NOISE), sets::Part::Dev, None).map(drop),
        ["noise", part] => {
            sets::Part::parse(part).and_then(|part| noise::run(Path::new(NOISE), part, None)).map(drop)
        }
        ["noise", part, "--floor", floor] => sets::Part::parse(part)
            .and_then(|part| noise::run(Path::new(NOISE), part, Some(floor.parse()?)))
            .map(drop),
        ["requests"] => requests::run(Path::new(REQUESTS), sets::Part::Dev),
        ["requests", part] => {
            sets::Part::parse(part).and_then(|part| requests::run(Path::new(REQUESTS), part))
        }
        ["updates"] => updates::run(Path::new(UPDATES), sets::Part::Dev).map(drop),
        ["updates", part] => {
            sets::Part::parse(part).and_then(|part| updates::run(Path::new(UPDATES), part)).map(drop)
        }
        ["train-capture"] => train::run(),
        ["train-updates"] => updates::train(Path::new(UPDATES)),
        ["gate"] => gate::run(None),
        ["gate", set] => gate::run(Some(set)),
        _ => Err(
            "name an evaluation: locomo FILE [--out RANKINGS], paraphrase [PART], ablate FILE, capture [PART] [--misses] \
                  [--language L] [--weights FILE], noise [PART [--floor F]], requests [PART], updates [PART], train-updates, \
                  train-capture, secrets [--show] [--leave-out] [--train] [FILE…], or gate [SET]"
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
