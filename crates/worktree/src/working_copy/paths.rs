//! The rules for names and paths of files in a working copy, and of temporary files beside them.

use memtape_tape::Hash;

/// Maximum length of a name in bytes, on all file systems.
const NAME_BYTES_MAX: usize = 255;
/// The prefix of temporary files. They are hidden, so no file of a working copy has such a name.
const TEMPORARY: &str = ".memtape-";
/// What follows the name of a file in the name of a text that is kept beside it.
pub(super) const KEPT: &str = ".kept";

/// Splits a path into directory and name; `None` if no file of a working copy can have it.
pub(super) fn split(path: &str) -> Option<(&str, &str)> {
    let (folder, name) = path.rsplit_once('/')?;
    (is_folder(folder) && is_visible(name)).then_some((folder, name))
}

/// Returns whether a directory of this path can contain files.
pub(super) fn is_folder(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(is_visible)
}

/// Returns whether a file can have this name. Hidden files belong to other programs, such as editors.
pub(super) fn is_visible(name: &str) -> bool {
    !name.starts_with('.') && is_name(name)
}

/// Returns whether this is a single name on every system.
pub(super) fn is_name(name: &str) -> bool {
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= NAME_BYTES_MAX && !name.contains(forbidden)
}

/// Returns whether a temporary file can have this name.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY) && is_name(name)
}

/// Returns the stem of the temporary names for a file; `turn` makes it unique.
pub(super) fn temporary(path: &str, turn: usize) -> String {
    format!("{TEMPORARY}{:.12}-{turn}", Hash::of(path.as_bytes()).to_string())
}
