//! Replaces one file that is in no manifest: an ignored file in the directories, or one in the archive.
//!
//! **Invariant.** As for every replacement, a replaced text is removed only if it is the expected one; a person's text
//! is put back. After a kill in between, it is beside the file under a temporary name.

use std::io::{self, ErrorKind};
use std::path::Path;

use memtape_tape::{Durability, Hash};

use super::folder::{AllowAll, Folder, Found, Steps};
use super::manifest::{Base, Replacement};
use super::oddity::Odd;
use super::replace::{Outcome, choose_name, finish_one, replace_one};

/// The outcome of replacing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// It has the new text.
    Done,
    /// It has another text by now, and keeps it.
    Moved,
    /// It is not a file that memtape writes to.
    LeftAlone(Odd),
}

/// Replaces the text of a file, if that is still `before`. The caller holds the writer lock.
///
/// # Errors
/// [`io::Error`] if the file cannot be read or replaced.
pub fn replace_file(path: &Path, before: &[u8], after: &[u8]) -> io::Result<Replaced> {
    replace_file_over(path, before, after, &AllowAll)
}

/// Replaces a file as [`replace_file`] does, with `steps` called before every change: the seam for tests.
///
/// # Errors
/// As for [`replace_file`].
pub fn replace_file_over(
    path: &Path,
    before: &[u8],
    after: &[u8],
    steps: &dyn Steps,
) -> io::Result<Replaced> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(ErrorKind::InvalidFilename)?;
    let parent = path.parent().ok_or(ErrorKind::InvalidFilename)?;
    let Some(folder) = Folder::root(parent, steps, Durability::Sync)? else { return Ok(Replaced::Moved) };
    if let Found::Odd(odd) = folder.read(name)? {
        return Ok(Replaced::LeftAlone(odd));
    }
    let base = Base { branch: String::new(), entry: 0 };
    let mut item = Replacement {
        path: name.to_owned(),
        temporary: String::new(),
        from: Some(Hash::of(before)),
        from_base: base.clone(),
        from_text: None,
        to: Some(Hash::of(after)),
        base,
        is_done: false,
    };
    choose_name(&folder, &mut item, |_| false)?;
    let begun = replace_one(&folder, &item, name, Some(after), None);
    let is_done = finish_one(&folder, &item, name)? == Outcome::Done;
    begun?;
    let old = item.old_name();
    let came_out = folder.read(&old)?;
    let is_moved = !came_out.is(item.from) && !matches!(came_out, Found::Absent);
    if came_out.is(item.from) {
        folder.sync()?;
        folder.remove(&old)?;
    } else if is_moved && folder.read(name)?.is(item.to) {
        folder.rename(&old, name)?;
    }
    folder.sync()?;
    Ok(if is_done && !is_moved { Replaced::Done } else { Replaced::Moved })
}
