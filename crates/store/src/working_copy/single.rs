//! Replacing one file that no manifest knows: one of somebody else's in the folders, or in the archive.
//!
//! **Invariant.** As for every replacement: names are exchanged, and what came out is removed only if it is the text that
//! was to be replaced. A kill in between leaves what came out beside the file, under a temporary name.

use std::io::{self, ErrorKind};
use std::path::Path;

use memtape_tape::{Durability, Hash};

use super::manifest::{Base, Stage, UnderWay};
use super::oddity::Odd;
use super::replace::{self, Outcome};
use super::sandbox::{Found, Freely, Root, Steps};
use super::scan;

/// What became of a file that was to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// The new text stands there.
    Done,
    /// Another text stood there by then, and does.
    Moved,
    /// It is not a file that memtape writes to.
    LeftAlone(Odd),
}

/// Puts `after` in the place of a file's text, if that is still `before`. The caller holds the writer lock.
///
/// # Errors
/// What the medium says.
pub fn replace_file(path: &Path, before: &[u8], after: &[u8]) -> io::Result<Replaced> {
    replace_file_over(path, before, after, &Freely)
}

/// As [`replace_file`], with every change told to `steps` first: the seam for tests.
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
    let folder = path.parent().ok_or(ErrorKind::InvalidFilename)?;
    let Some(root) = Root::open(folder, steps, Durability::Sync)? else { return Ok(Replaced::Moved) };
    let folder = root.itself()?;
    if let Found::Odd(odd) = folder.read(name)? {
        return Ok(Replaced::LeftAlone(odd));
    }
    let (from, to) = (Some(Hash::of(before)), Some(Hash::of(after)));
    let base = Base { branch: String::new(), entry: 0 };
    let (stage, stood, merged) = (Stage::Begun, base.clone(), false);
    let (path, temporary) = (name.to_owned(), String::new());
    let mut item = UnderWay { stage, path, temporary, from, stood, merged, to, base };
    for turn in 0.. {
        item.temporary = scan::temporary(name, turn);
        let mut free = true;
        for name in [item.unfinished(), item.other(), item.third()] {
            free = free && folder.is_free(&name)?;
        }
        if free {
            break;
        }
    }
    let begun = replace::begin(&folder, &item, name, Some(after));
    // Also what failed is brought to an end, as far as the medium lets it.
    let finished = replace::finish(&folder, &item, name);
    begun?;
    let finished = finished?;
    folder.sync()?;
    let is_clear = replace::clear(&folder, &item)?;
    folder.sync()?;
    Ok(if finished.outcome == Outcome::Done && is_clear { Replaced::Done } else { Replaced::Moved })
}
