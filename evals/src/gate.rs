//! Fails if capture, prompts or redaction are worse on the project's own texts than when these limits were set.
//!
//! Settings were chosen by these texts, so the figures say little about others; they guard against changes that break
//! what worked.

use std::path::Path;

use crate::sets::Part;
use crate::{Failure, capture, noise, secrets};

const CAPTURE_PRECISION: f64 = 0.62;
const CAPTURE_RECALL: f64 = 0.53;
const IDLE_GIVEN: f64 = 0.10;
const NEEDED_GIVEN: f64 = 0.75;
const SECRETS_RECALL: f64 = 0.92;
const SECRETS_FALSE: f64 = 0.01;

/// Evaluates capture, prompts and redaction. Fails if a figure is beyond its limit.
pub(crate) fn run(captured: &Path, asked: &Path, redacted: &Path) -> Result<(), Failure> {
    let (precision, recall) = capture::run(captured, &capture::Ask::parse(&[])?)?;
    let given = noise::run(asked, Part::Dev, None)?;
    let score = secrets::run(&secrets::Ask::parse(&[], redacted)?)?;
    let figures = [
        ("capture precision", precision, CAPTURE_PRECISION),
        ("capture recall", recall, CAPTURE_RECALL),
        ("idle turns given nothing", 1.0 - given.idle_share(), 1.0 - IDLE_GIVEN),
        ("needed memories given", given.needed_share(), NEEDED_GIVEN),
        ("secrets recall", score.recall(), SECRETS_RECALL),
        ("harmless texts left alone", 1.0 - score.false_share(), 1.0 - SECRETS_FALSE),
    ];
    let worse: Vec<String> = figures
        .iter()
        .filter(|(_, figure, least)| figure < least)
        .map(|(what, figure, least)| format!("{what} is {figure:.3}, below {least:.3}"))
        .collect();
    if worse.is_empty() { Ok(()) } else { Err(worse.join("; ").into()) }
}
