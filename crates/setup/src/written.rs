//! What was done with a file.

use std::path::PathBuf;

/// The action on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The file was created.
    Created,
    /// The file was changed.
    Changed,
    /// The file has the content of a backup again, and the backup was deleted.
    Restored,
    /// The file was deleted.
    Deleted,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// The action.
    pub action: Action,
    /// The copy of the file from before that was made or, if the file was restored, deleted.
    pub backup: Option<PathBuf>,
}
