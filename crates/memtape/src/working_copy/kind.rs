//! The rules of a form whose memories are stored in files that people edit.
//!
//! **Invariant.** Paths are relative to the root of the working copy; those of the form itself may be shorter.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memtape_core::bytes;
use memtape_core::{Context, Form, Origin, Point};
use memtape_index::{Moved, Reader, Result};
use memtape_tape::{Draft, EntryId};
use memtape_worktree::working_copy::WorkingCopy;

use crate::config::Config;
use crate::workspace::Workspace;

/// A person's edit of a file, by its path relative to the root of the working copy.
pub(crate) type Edit<'e> = memtape_core::edit::Edit<'e, &'e str>;

/// A form whose memories are stored in files.
pub(crate) trait Kind: Sync {
    /// The form.
    fn form(&self) -> Form;

    /// Returns the name of its files for messages.
    fn what(&self) -> &'static str;

    /// Returns its working copy.
    fn copy<'w>(&self, workspace: &'w Workspace) -> &'w WorkingCopy;

    /// Returns whether an event of this name belongs to the form.
    fn is_ours(&self, name: &str) -> bool;

    /// Returns which files changed on a branch since an entry, without those that its parent changed.
    fn moved(&self, reader: &Reader<'_>, branch: &str, since: EntryId) -> Result<Moved>;

    /// Returns the entries at a point that changed a file, newest first.
    fn history(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Vec<EntryId>>;

    /// Returns the text of a file at a point.
    fn text(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Option<Vec<u8>>>;

    /// Returns the texts of all files at a point, by path.
    fn texts(&self, reader: &Reader<'_>, point: &Point) -> Result<BTreeMap<String, Vec<u8>>>;

    /// Returns the entries that record a person's edits of different files.
    fn record(&self, reader: &Reader<'_>, edits: &[Edit<'_>], ctx: &Context) -> Result<Vec<Draft>>;

    /// Returns the text of a file as the tape has it: without its secrets.
    fn redacted<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        bytes::redacted(text)
    }

    /// Returns the origin of a change that was made to a file outside memtape.
    fn origin(&self, _config: &Config, _path: &str) -> Origin {
        Origin::Editor
    }
}

/// Returns the error for a path that no file of a form can have.
pub(super) fn not_ours(path: &str) -> memtape_index::Error {
    let why = memtape_worktree::Error::NotInWorkingCopy(path.to_owned()).to_string();
    memtape_core::Error::Invalid(why).into()
}
