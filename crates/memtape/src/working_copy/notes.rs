//! The working copy of the notes: `facts/`, `episodes/`, and the folders that the configuration names.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter;

use memtape_core::forms::notes::{File, NotePath, NotesView, entry, ops, path};
use memtape_core::safety::names::secret_in_name;
use memtape_core::{Audience, Context, Form, Origin, Point};
use memtape_index::{Moved, Reader, Result};
use memtape_tape::{Draft, EntryId};
use memtape_worktree::working_copy::{Names, WorkingCopy};

use super::kind::{Edit, Kind, not_ours};
use crate::config::Config;
use crate::workspace::Workspace;

/// The rules of the form `notes`.
pub(super) struct InNotes;

/// Opens the working copy of the notes that a configuration defines.
pub(crate) fn open(dir: &std::path::Path, config: &Config) -> memtape_worktree::Result<WorkingCopy> {
    let notes = &config.notes;
    let root = notes.data_dir.as_deref().unwrap_or(dir);
    let folders: Vec<&str> = notes.folders.iter().collect();
    let names = Names {
        endings: &[memtape_core::path::SUFFIX],
        refusal: |path| path::refusal(path.rsplit('/').next()?),
        secret: secret_in_name,
        folder_refusal: None,
        key: memtape_core::path::collision_key,
    };
    Ok(WorkingCopy::open(dir, root, &folders, config.durability)?.with_names(names))
}

impl Kind for InNotes {
    fn form(&self) -> Form {
        Form::NOTES
    }

    fn what(&self) -> &'static str {
        "the files of the notes"
    }

    fn copy<'w>(&self, workspace: &'w Workspace) -> &'w WorkingCopy {
        &workspace.notes_copy
    }

    fn is_ours(&self, name: &str) -> bool {
        entry::is_ours(name)
    }

    fn moved(&self, reader: &Reader<'_>, branch: &str, since: EntryId) -> Result<Moved> {
        reader.notes_moved(branch, since)
    }

    fn history(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Vec<EntryId>> {
        NotePath::of_file(path).map_or_else(|| Ok(Vec::new()), |path| reader.note_history(&path, point))
    }

    fn text(&self, reader: &Reader<'_>, path: &str, point: &Point) -> Result<Option<Vec<u8>>> {
        let path = note(path)?;
        let view = reader.note_file(&path, &Audience::owner(), point)?;
        Ok(view.get(&path).map(File::bytes))
    }

    fn texts(&self, reader: &Reader<'_>, point: &Point) -> Result<BTreeMap<String, Vec<u8>>> {
        let view = reader.notes(&Audience::owner(), point)?;
        Ok(view.files().map(|file| (file.path.to_string(), file.bytes())).collect())
    }

    fn origin(&self, config: &Config, path: &str) -> Origin {
        let folder = path.split('/').next();
        let is_of_agent = config.notes.assistant_folders.iter().any(|name| Some(&**name) == folder);
        if is_of_agent { Origin::Assistant } else { Origin::Editor }
    }

    fn record(&self, reader: &Reader<'_>, edits: &[Edit<'_>], ctx: &Context) -> Result<Vec<Draft>> {
        let point = reader.head_of(&ctx.branch)?;
        let edits: Vec<_> =
            edits.iter().map(|edit| edit.try_map(|path| note(path))).collect::<Result<_>>()?;
        let mut view = NotesView::default();
        for path in edits.iter().flat_map(|edit| iter::once(&edit.path).chain(&edit.from)) {
            view = view.with(reader.note_file(path, &Audience::owner(), &point)?);
        }
        // A new name is compared with those of all other files.
        if edits.iter().any(|edit| view.get(&edit.path).is_none()) {
            view = reader.notes(&Audience::owner(), &point)?;
        }
        Ok(ops::merge_edits(&view, &edits, ctx)?.drafts)
    }

    fn redacted<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        ops::redacted(text)
    }
}

fn note(path: &str) -> Result<NotePath> {
    NotePath::of_file(path).ok_or_else(|| not_ours(path))
}

/// Returns the view that is needed to change a file: the file itself or, for a new one, all files, because of their
/// names.
pub(crate) fn view_for<'v>(
    reader: &Reader<'_>,
    path: &NotePath,
    ctx: &Context,
    whole: &'v mut Option<NotesView>,
) -> Result<Cow<'v, NotesView>> {
    let point = reader.head_of(&ctx.branch)?;
    let own = reader.note_file(path, &Audience::owner(), &point)?;
    if own.get(path).is_some() {
        return Ok(Cow::Owned(own));
    }
    if whole.is_none() {
        *whole = Some(reader.notes(&Audience::owner(), &point)?);
    }
    Ok(whole.as_ref().map_or(Cow::Owned(own), Cow::Borrowed))
}
