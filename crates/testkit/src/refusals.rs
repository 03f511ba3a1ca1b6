//! The errors that a command may return for unusual input.

/// Turns an expected refusal of unusual input into success; any other error is returned.
///
/// # Errors
/// Any error that does not concern the request ([`memtape::ErrorKind::is_of_request`]).
pub fn allow_refusals(done: memtape::Result<()>) -> memtape::Result<()> {
    match done {
        Err(e) if e.kind().is_of_request() => Ok(()),
        other => other,
    }
}
