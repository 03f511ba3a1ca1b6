//! Fails if capture or redaction is worse on the project's own texts than when these limits were set.
//!
//! Both were developed on these texts, so the figures say nothing about other texts; they only guard against
//! changes that break what worked.

use std::path::Path;

use crate::{Failure, capture, secrets};

const CAPTURE_PRECISION: f64 = 0.975;
const CAPTURE_RECALL: f64 = 0.91;
const SECRETS_RECALL: f64 = 0.92;
const SECRETS_FALSE: f64 = 0.01;

/// Evaluates capture and redaction. Fails if a figure is beyond its limit.
pub(crate) fn run(captured: &Path, redacted: &Path) -> Result<(), Failure> {
    let (precision, recall) = capture::run(captured, &capture::Ask::parse(&[])?)?;
    let score = secrets::run(&secrets::Ask::parse(&[], redacted)?)?;
    let figures = [
        ("capture precision", precision, CAPTURE_PRECISION),
        ("capture recall", recall, CAPTURE_RECALL),
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
