//! What a command may answer to odd input.

use memtape::ErrorKind;

/// Lets through what a command may answer to odd input; a failure of the machinery stays one.
///
/// # Errors
/// What no command may answer.
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
