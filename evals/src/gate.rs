//! Fails if capture, prompts, the order of changed facts or redaction are worse on the project's own texts than when these
//! limits were set.
//!
//! Settings were chosen by these texts, so the figures say little about others; they guard against changes that break
//! what worked.

use std::path::Path;

use crate::sets::Part;
use crate::{CAPTURE, Failure, NOISE, SECRETS, UPDATES, capture, noise, secrets, updates};

const CAPTURE_PRECISION: f64 = 0.62;
const CAPTURE_RECALL: f64 = 0.53;
const IDLE_GIVEN: f64 = 0.10;
const NEEDED_GIVEN: f64 = 0.75;
const NEWER_FIRST: f64 = 0.65;
const LOOK_ALIKES_KEPT: f64 = 0.75;
const SECRETS_RECALL: f64 = 0.92;
const SECRETS_FALSE: f64 = 0.01;

/// The sets that are evaluated.
const SETS: [&str; 4] = ["capture", "noise", "updates", "secrets"];

/// A figure, what it is called, and the least that it may be.
type Figure = (&'static str, f64, f64);

/// Evaluates one set, or all. Fails if a figure is below its limit.
pub(crate) fn run(set: Option<&str>) -> Result<(), Failure> {
    let mut worse = Vec::new();
    for set in set.map_or(SETS.to_vec(), |set| vec![set]) {
        let below = figures(set)?.into_iter().filter(|(_, figure, least)| figure < least);
        worse.extend(below.map(|(what, figure, least)| format!("{what} is {figure:.3}, below {least:.3}")));
    }
    if worse.is_empty() { Ok(()) } else { Err(worse.join("; ").into()) }
}

fn figures(set: &str) -> Result<Vec<Figure>, Failure> {
    Ok(match set {
        "capture" => {
            let (precision, recall) = capture::run(Path::new(CAPTURE), &capture::Ask::parse(&[])?)?;
            vec![
                ("capture precision", precision, CAPTURE_PRECISION),
                ("capture recall", recall, CAPTURE_RECALL),
            ]
        }
        "noise" => {
            let given = noise::run(Path::new(NOISE), Part::Dev, None)?;
            vec![
                ("idle turns given nothing", 1.0 - given.idle_share(), 1.0 - IDLE_GIVEN),
                ("needed memories given", given.needed_share(), NEEDED_GIVEN),
            ]
        }
        "updates" => {
            // All files of the part would take minutes.
            let counts = updates::run_file(&Path::new(UPDATES).join("dev/trade.jsonl"))?;
            vec![
                ("newer statements first", counts.newer_share(), NEWER_FIRST),
                ("look-alikes left alone", counts.alike_share(), LOOK_ALIKES_KEPT),
            ]
        }
        "secrets" => {
            let score = secrets::run(&secrets::Ask::parse(&[], Path::new(SECRETS))?)?;
            vec![
                ("secrets recall", score.recall(), SECRETS_RECALL),
                ("harmless texts left alone", 1.0 - score.false_share(), 1.0 - SECRETS_FALSE),
            ]
        }
        _ => return Err(format!("there is no set {set}: name one of {}", SETS.join(", ")).into()),
    })
}
