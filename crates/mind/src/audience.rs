//! The speakers of a conversation, as audiences.

use memtape::{Audience, Session, Workspace};

use crate::error::Result;

/// Returns the audience of a speaker in a conversation. At the terminal, a speaker without a name is the owner, who
/// sees every scope.
///
/// # Errors
/// [`Error::Memtape`](crate::Error::Memtape) as [`Workspace::audience`].
pub fn audience_of(workspace: &Workspace, session: &Session, user: Option<&str>) -> Result<Audience> {
    match user {
        None if session.is_terminal() => Ok(Audience::owner()),
        user => Ok(workspace.audience(Some(session), user)?),
    }
}
