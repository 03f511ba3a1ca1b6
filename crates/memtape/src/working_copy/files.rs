//! The working copy of the form `files`: the directory `files/` and its subdirectories.

use std::collections::BTreeMap;
use std::iter;

use memtape_core::forms::files::{FilePath, FilesView, entry, ops, path};
use memtape_core::safety::names::secret_in_name;
use memtape_core::{Audience, Context, Form, Point};
use memtape_index::{Moved, Reader, Result};
use memtape_tape::{Draft, Durability, EntryId};
use memtape_worktree::working_copy::{Names, WorkingCopy};

use super::kind::{Edit, Kind, not_ours};
use crate::workspace::Workspace;

/// The root of the working copy, relative to the workspace.
pub(crate) const ROOT: &str = "files";
/// The name of its manifest. It is separate from that of the notes, which may be in another directory, so that a
/// damaged manifest affects only one of the two.
const MANIFEST_FILE: &str = "working-copy.files.json";

/// The rules of the form `files`.
pub(super) struct InFiles;

/// Opens the working copy of the files of a workspace.
pub(crate) fn open(dir: &std::path::Path, durability: Durability) -> memtape_worktree::Result<WorkingCopy> {
    let names = Names {
        endings: &memtape_core::path::ENDINGS,
        refusal: |path| path::refusal(below(path)?),
        secret: |path| secret_in_name(below(path)?),
        folder_refusal: Some(|path| path::folder_refusal(below(path)?)),
        key: memtape_core::path::collision_key,
    };
    Ok(WorkingCopy::open(dir, dir, &[ROOT], durability)?.with_names(names).with_manifest(MANIFEST_FILE))
}

/// Converts a path of the form to a path of the working copy.
pub(crate) fn at_root(path: &str) -> String {
    format!("{ROOT}/{path}")
}

/// Converts a path of the working copy to a path of the form; `None` if it is outside `files/`.
pub(super) fn below(path: &str) -> Option<&str> {
    path.strip_prefix(ROOT)?.strip_prefix('/')
}

fn file(path: &str) -> Result<FilePath> {
    let read = below(path).and_then(|path| FilePath::new(path).ok());
    read.ok_or_else(|| not_ours(path))
}

impl Kind for InFiles {
    fn form(&self) -> Form {
        Form::FILES
    }

    fn what(&self) -> &'static str {
        "the files in files/"
    }

    fn copy<'w>(&self, workspace: &'w Workspace) -> &'w WorkingCopy {
        &workspace.files_copy
    }

    fn is_ours(&self, name: &str) -> bool {
        entry::is_ours(name)
    }

    fn moved(&self, reader: &Reader<'_>, branch: &str, since: EntryId) -> Result<Moved> {
        Ok(match reader.files_moved(branch, since)? {
            Moved::Files(files) => Moved::Files(files.iter().map(|path| at_root(path)).collect()),
            Moved::Any => Moved::Any,
        })
    }

    fn history(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Vec<EntryId>> {
        file(path).map_or_else(|_| Ok(Vec::new()), |path| reader.file_history(&path, point))
    }

    fn text(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Option<Vec<u8>>> {
        reader.file_bytes(&file(path)?, point)
    }

    fn texts(&self, reader: &Reader<'_>, point: &Point) -> Result<BTreeMap<String, Vec<u8>>> {
        let view = reader.files(&Audience::owner(), point)?;
        Ok(view.files().map(|file| (at_root(file.path.as_str()), file.bytes.clone())).collect())
    }

    fn record(&self, reader: &Reader<'_>, edits: &[Edit<'_>], ctx: &Context) -> Result<Vec<Draft>> {
        let point = reader.head_of(&ctx.branch)?;
        let edits: Vec<_> =
            edits.iter().map(|edit| edit.try_map(|path| file(path))).collect::<Result<_>>()?;
        let mut own = Vec::new();
        for path in edits.iter().flat_map(|edit| iter::once(&edit.path).chain(&edit.from)) {
            own.extend(reader.one_file(path, &Audience::owner(), &point)?);
        }
        let mut view: FilesView = own.into_iter().collect();
        // Only a new name is compared with those of all other files.
        if edits.iter().any(|edit| !view.contains(&edit.path)) {
            let names = reader.file_list(&Audience::owner(), &point)?;
            view = view.beside(names.into_iter().map(|file| file.path));
        }
        Ok(ops::merge_edits(&view, &edits, ctx)?.drafts)
    }
}
