//! The errors that a command may return for unusual input.

use memtape::ErrorKind;

/// Turns an expected refusal of unusual input into success; any other error is returned.
///
/// # Errors
/// Any error of a kind other than [`ErrorKind::Invalid`], [`ErrorKind::NotFound`], [`ErrorKind::Conflict`]
/// and [`ErrorKind::Refused`].
pub fn allow_refusals(done: memtape::Result<()>) -> memtape::Result<()> {
    match done {
        Err(e)
            if matches!(
                e.kind(),
                ErrorKind::Invalid | ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Refused
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}
