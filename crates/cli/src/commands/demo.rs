//! `demo`.

use std::path::Path;
use std::process::ExitCode;

use super::Context;
use crate::output::Result;

pub(super) fn run(_context: &Context<'_>, _keep: Option<&Path>) -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
