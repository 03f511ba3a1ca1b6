//! The working copy of the files: `files/`, with folders below folders.

use std::collections::BTreeMap;

use memtape_core::forms::files::{FilePath, FilesView, entry, ops, path};
use memtape_core::safety::names::secret_in_name;
use memtape_core::{Audience, Context, Decision, Form, Point};
use memtape_index::{Moved, Reader, Result};
use memtape_tape::{Durability, EntryId};
use memtape_worktree::working_copy::{Names, WorkingCopy};

use super::kind::{Edit, Kind, Taken, not_ours};
use crate::workspace::Workspace;

/// Where the files stand in the workspace's directory.
pub(crate) const ROOT: &str = "files";
/// Their manifest has a name of its own: the notes may stand in another directory, under a manifest that says so, and one
/// that is damaged keeps the other from nothing.
const MANIFEST_FILE: &str = "working-copy.files.json";

/// The files' kind.
pub(super) struct InFiles;

/// The working copy of the files of a workspace.
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

/// A path of the form as one of the working copy.
pub(crate) fn at_root(path: &str) -> String {
    format!("{ROOT}/{path}")
}

/// A path of the working copy as one of the form.
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

    fn take_in(&self, reader: &Reader<'_>, edits: &[Edit<'_>], ctx: &Context) -> Result<Taken> {
        let mut taken = Taken::default();
        let point = reader.head_of(&ctx.branch)?;
        // The names of all are needed for new files only, and once.
        let mut names = None;
        for edit in edits {
            let path = file(edit.path)?;
            let own = reader.one_file(&path, &Audience::owner(), &point)?;
            let view = match own {
                Some(own) => FilesView::of(own),
                None => {
                    if names.is_none() {
                        names = Some(reader.file_list(&Audience::owner(), &point)?);
                    }
                    let paths = names.iter().flatten().map(|file| file.path.clone());
                    FilesView::default().beside(paths)
                }
            };
            taken.drafts.extend(ops::take_in(&view, &path, edit.base, edit.text, ctx)?.drafts);
            taken.current.push(view.get(&path).map(|file| file.bytes.clone()));
        }
        Ok(taken)
    }

    fn rename(
        &self,
        reader: &Reader<'_>,
        from: &str,
        to: &str,
        base: &[u8],
        ctx: &Context,
    ) -> Result<Decision<()>> {
        let (from, to) = (file(from)?, file(to)?);
        let point = reader.head_of(&ctx.branch)?;
        let Some(own) = reader.one_file(&from, &Audience::owner(), &point)? else {
            return Ok(Decision::nothing(()));
        };
        let names = reader.file_list(&Audience::owner(), &point)?;
        let view = FilesView::of(own).beside(names.into_iter().map(|file| file.path));
        let decision = match view.stands(&to) {
            false => ops::rename(&view, &from, &to, ctx)?,
            true => ops::take_in(&view, &from, base, None, ctx)?,
        };
        Ok(decision.map(|_| ()))
    }
}
