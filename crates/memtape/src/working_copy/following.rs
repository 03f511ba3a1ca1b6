//! Synchronizes files and tape: records a person's edits, and updates the files from the tape.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use memtape_core::merge3::merge3;
use memtape_core::{Context, Decision, Form};
use memtape_index::{Moved, Reader};
use memtape_store::{Error, Result, Warning, WriteGuard};
use memtape_tape::{Draft, ErrorKind, Hash};
use memtape_worktree::working_copy::{Base, Change, Known, Look, What, Writing};

use super::kind::{Edit, Kind};
use super::{KINDS, assume, point_at, status, text_of};
use crate::safety::guard;
use crate::workspace::Workspace;

/// Size of the texts of a group, in bytes, up to which further files are recorded in it: a group is written at once, and
/// an import keeps it in memory.
const GROUP_BYTES_MAX: usize = 32 << 20;

/// The new texts of files; `None` deletes a file.
type Texts = BTreeMap<String, Option<Vec<u8>>>;

/// One round of the synchronization, based on one scan of the files.
pub(super) struct Following<'f, 'w, 's> {
    workspace: &'w Workspace,
    kind: &'static dyn Kind,
    write_guard: &'f mut WriteGuard<'s>,
    writing: &'f mut Writing<'w>,
    look: Look,
    /// The point that the files show.
    base: Base,
    /// The branch that the files should show.
    wanted: String,
    /// Whether secrets in the files are removed.
    redacts: bool,
}

impl<'f, 'w, 's> Following<'f, 'w, 's> {
    /// Scans the files of a working copy that has a manifest.
    pub(super) fn new(
        workspace: &'w Workspace,
        kind: &'static dyn Kind,
        write_guard: &'f mut WriteGuard<'s>,
        writing: &'f mut Writing<'w>,
        redacts: bool,
    ) -> Result<Self> {
        let mut look = writing.look()?;
        let mut base = look.base.clone().ok_or(memtape_worktree::Error::WorkingCopyMoved)?;
        let wanted = write_guard.read(|reader| reader.default_branch(reader.head()))?;
        // The name of a deleted branch may belong to another branch now.
        let mut called =
            |base: &Base| write_guard.read(|reader| reader.branch_called(&base.branch, base.entry));
        base.branch = called(&base)?;
        for change in &mut look.changes {
            change.base.branch = called(&change.base)?;
            redact(kind, change);
        }
        Ok(Self { workspace, kind, write_guard, writing, look, base, wanted, redacts })
    }

    /// Records the edits and updates the files. Returns whether nothing is left to do.
    pub(super) fn step(mut self) -> Result<bool> {
        if self.finish_edits()? {
            return Ok(false);
        }
        let texts = self.record()?;
        let is_open = |change: &&Change| !change.is_recorded;
        let open: BTreeSet<_> =
            self.look.changes.iter().filter(is_open).map(|change| change.path.clone()).collect();
        let is_switched = self.base.branch != self.wanted;
        let (kind, wanted, since) = (self.kind, &self.wanted, self.base.entry);
        let (moved, all) = self.write_guard.read(|reader| {
            let moved = if is_switched { Moved::Any } else { kind.moved(reader, wanted, since)? };
            let is_any = matches!(moved, Moved::Any);
            Ok((moved, is_any.then(|| kind.texts(reader, &reader.head_of(wanted)?)).transpose()?))
        })?;
        let mut paths: BTreeSet<String> = self.files_with_secrets()?.into_iter().collect();
        paths.extend(self.look.pending.iter().cloned());
        // What this command could not write, the next one tries again.
        paths.retain(|path| !self.writing.failed().contains_key(path));
        paths.extend(texts.keys().cloned());
        match (moved, &all) {
            (Moved::Files(files), _) => paths.extend(files),
            (Moved::Any, all) => {
                let known = self.writing.manifest().into_iter().flat_map(|manifest| manifest.files.keys());
                paths.extend(known.chain(all.iter().flat_map(BTreeMap::keys)).cloned());
            }
        }
        paths.retain(|path| !open.contains(path));
        if paths.is_empty() && !is_switched {
            if !self.writing.begun_edits().is_empty() {
                self.writing.end_edits(&[])?;
            }
            if self.look.unrecorded > 0 {
                self.writing.record_metadata(&self.look)?;
            }
            return Ok(true);
        }
        self.apply(paths, texts, all)
    }

    /// Records the edits of which an interrupted command left open whether it recorded them. Returns whether there were
    /// any.
    fn finish_edits(&mut self) -> Result<bool> {
        let mut changes = self.writing.begun_edits();
        for change in &mut changes {
            let Base { branch, entry } = &change.base;
            change.base.branch = self.write_guard.read(|reader| reader.branch_called(branch, *entry))?;
            self.record_together(&mut [change], &[], &mut Texts::new())?;
        }
        if !changes.is_empty() {
            self.writing.end_edits(&changes)?;
        }
        Ok(!changes.is_empty())
    }

    /// Records a person's edits, and returns the new texts of these files on the wanted branch. An edit that the form
    /// refuses is reported, and its file is not changed.
    fn record(&mut self) -> Result<Texts> {
        let mut changes = std::mem::take(&mut self.look.changes);
        let mut texts = Texts::new();
        self.writing.begin_edits(&changes)?;
        // Deletions come first: if the changes are recorded separately, a new file may have a name that differs from a
        // deleted one only in spelling.
        changes.sort_by_key(|change| change.what != What::Deleted);
        let origin = |path: &str| self.kind.origin(&self.workspace.config, path);
        let mut beside = if changes.is_empty() { Vec::new() } else { self.changes_beside()? };
        let mut rest: Vec<&mut Change> = changes.iter_mut().collect();
        // One group for each branch and origin, so that one undo takes back all of it, unless it would be too large. If
        // a file has two edits, the second is applied to the result of the first.
        while !rest.is_empty() {
            let (mut paths, branch) = (BTreeSet::new(), rest[0].base.branch.clone());
            let first = origin(&rest[0].path);
            let (mut bytes, mut is_full) = (0, false);
            let (mut group, later): (Vec<_>, Vec<_>) = rest.into_iter().partition(|change| {
                let is_same = change.base.branch == branch && origin(&change.path) == first;
                is_full |= is_same && bytes > 0 && bytes + size(change) > GROUP_BYTES_MAX;
                let is_of_group = is_same && !is_full && paths.insert(change.path.clone());
                bytes += if is_of_group { size(change) } else { 0 };
                is_of_group
            });
            rest = later;
            let is_same = |(kind, change): &(&'static dyn Kind, Change)| {
                change.base.branch == branch && kind.origin(&self.workspace.config, &change.path) == first
            };
            let (mut with, without): (Vec<_>, Vec<_>) = beside.into_iter().partition(is_same);
            beside = without;
            if bytes + with.iter().map(|(_, change)| size(change)).sum::<usize>() > GROUP_BYTES_MAX {
                // They are recorded when their own working copy is.
                with.clear();
            }
            let mut others = begin_beside(self.workspace, &mut with);
            match self.record_together(&mut group, &with, &mut texts) {
                // If a form refuses one of them, each is recorded separately.
                Err(e) if is_refusal(&e) => {
                    for change in group {
                        self.record_together(&mut [change], &[], &mut texts)?;
                    }
                }
                other => {
                    other?;
                    with.iter_mut().for_each(|(_, change)| change.is_recorded = true);
                }
            }
            for (form, other) in &mut others {
                let of_it = with.iter().filter(|(kind, _)| kind.form() == *form);
                other.end_edits(of_it.map(|(_, change)| change))?;
            }
        }
        self.look.changes = changes;
        Ok(texts)
    }

    /// Returns the changes of the other forms' files, so that a text that was moved to or from them is recorded in one
    /// group. A working copy that cannot be read has none: it reports that itself.
    fn changes_beside(&mut self) -> Result<Vec<(&'static dyn Kind, Change)>> {
        let mut beside: Vec<(&'static dyn Kind, Change)> = Vec::new();
        for kind in KINDS.into_iter().filter(|kind| kind.form() != self.kind.form()) {
            for mut change in look_at(self.workspace, kind, self.write_guard).unwrap_or_default() {
                let Base { branch, entry } = &change.base;
                change.base.branch = self.write_guard.read(|reader| reader.branch_called(branch, *entry))?;
                redact(kind, &mut change);
                beside.push((kind, change));
            }
        }
        Ok(beside)
    }

    /// Records changes of one branch as one group, with changes of other forms.
    fn record_together(
        &mut self,
        changes: &mut [&mut Change],
        beside: &[(&'static dyn Kind, Change)],
        texts: &mut Texts,
    ) -> Result<()> {
        let Some(first) = changes.first() else { return Ok(()) };
        let branch = self.writable(&first.base.branch)?;
        let (kind, store) = (self.kind, &self.workspace.store);
        let author = self.workspace.editor(self.kind, &branch, &first.path);
        let written = self.write_guard.write(&author, |reader, ctx| {
            let own: Vec<&Change> = changes.iter().map(|change| &**change).collect();
            let mut drafts = drafts(kind, &own, reader, ctx)?;
            for other in KINDS {
                let of_it = beside.iter().filter(|(kind, _)| kind.form() == other.form());
                let of_it: Vec<&Change> = of_it.map(|(_, change)| change).collect();
                drafts.extend(self::drafts(other, &of_it, reader, ctx)?);
            }
            guard(Decision { drafts, outcome: () }, store)
        });
        match written {
            Err(e) if is_refusal(&e) && changes.len() == 1 && beside.is_empty() => {
                let why = format!("{} was not changed: {e}", changes[0].path);
                self.write_guard.note(Warning::FilesLag { what: kind.what(), why });
                return Ok(());
            }
            other => drop(other?),
        }
        for change in changes {
            if let Some(from) = renamed_from(change) {
                texts.insert(from.to_owned(), self.text(from)?);
            }
            change.is_recorded = true;
            if !change.is_in_place() {
                self.write_guard.note(Warning::EditedWhileReplaced { path: change.path.clone() });
            }
            let mut text = self.text(&change.path)?;
            // What the person typed differs from the redacted text only by the secrets.
            if change.is_in_place()
                && !self.redacts
                && let Some((own, redacted)) = change.bytes.as_ref().zip(change.redacted.as_ref())
            {
                text = self.with_secrets_of(&change.path, text.as_deref(), own, redacted);
            }
            texts.insert(change.path.clone(), text);
        }
        Ok(())
    }

    /// Writes the texts of the wanted branch to the files.
    fn apply(
        mut self,
        paths: BTreeSet<String>,
        mut texts: Texts,
        mut all: Option<BTreeMap<String, Vec<u8>>>,
    ) -> Result<bool> {
        for path in paths {
            if texts.contains_key(&path) {
                continue;
            }
            let text = match &mut all {
                Some(all) => all.remove(&path),
                None => self.text(&path)?,
            };
            let own = self.own_secrets(&path)?;
            let text = match own.as_deref().map(|own| (own, self.kind.redacted(own))) {
                Some((own, redacted)) if *redacted != *own => {
                    self.with_secrets_of(&path, text.as_deref(), own, &redacted)
                }
                _ => text,
            };
            texts.insert(path, text);
        }
        let (entry, hash) = self.write_guard.read(|reader| Ok((reader.head(), reader.head_hash())))?;
        let to = Base { branch: self.wanted.clone(), entry };
        self.writing.set_hash(hash);
        for path in self.writing.apply(&self.look, &to, &texts)? {
            if let Some(by) = self.look.in_place_of(&path) {
                self.write_guard.note(Warning::FileBlocked { by: by.clone(), path });
            }
        }
        Ok(false)
    }

    /// Returns the text of a file, if it contains secrets that the tape does not have.
    fn own_secrets(&mut self, path: &str) -> Result<Option<Vec<u8>>> {
        let known = self.writing.manifest().and_then(|manifest| manifest.files.get(path)).cloned();
        let Some(known) = known.filter(|_| !self.redacts) else { return Ok(None) };
        let kind = self.kind;
        let differs = self.write_guard.read(|reader| {
            let base = text_of(kind, reader, path, &known.base, known.text.as_ref())?;
            let differs = base.is_some_and(|base| Hash::of(&base) != known.sha256);
            // What the tape had when the file was written is not the file's own: another machine has erased it since.
            Ok(differs && !was_erased(kind, reader, path, &known)?)
        })?;
        Ok(if differs { self.writing.read(&self.look, path)? } else { None })
    }

    /// Returns the new text of a file together with the secrets that a person typed into it and that are redacted on the
    /// tape. If the new text has no place for one of them, the file's own text is kept in a file beside it; if that cannot be
    /// written, the file stays as it is.
    fn with_secrets_of(
        &mut self,
        path: &str,
        text: Option<&[u8]>,
        own: &[u8],
        redacted: &[u8],
    ) -> Option<Vec<u8>> {
        let merged = text.map(|text| merge3(redacted, text, own));
        if merged.as_ref().is_none_or(|merged| !merged.conflicts().is_empty()) {
            match self.writing.keep_beside(path, own) {
                Ok(kept) => {
                    self.write_guard.note(Warning::SecretKeptBeside { path: path.to_owned(), kept });
                }
                Err(e) => self.writing.fail(path, &e),
            }
        }
        merged.map(|merged| merged.preferring_ours())
    }

    /// Returns the files of the wanted branch whose secrets are to be removed.
    fn files_with_secrets(&mut self) -> Result<Vec<String>> {
        let Some(manifest) = self.writing.manifest().filter(|_| self.redacts) else { return Ok(Vec::new()) };
        let (kind, look) = (self.kind, &self.look);
        let mut found =
            self.write_guard.read(|reader| status::files_with_secrets(kind, reader, manifest, look))?;
        found.retain(|path| manifest.base_of(path).branch == self.wanted);
        Ok(found)
    }

    /// Returns the text of a file on the wanted branch.
    fn text(&mut self, path: &str) -> Result<Option<Vec<u8>>> {
        let (kind, wanted) = (self.kind, &self.wanted);
        self.write_guard.read(|reader| kind.text(reader, path, &reader.head_of(wanted)?))
    }

    /// Returns the branch on which edits of this one are recorded: if it was deleted, the wanted one.
    fn writable(&mut self, branch: &str) -> Result<String> {
        let is_writable = self.write_guard.read(|reader| Ok(reader.writable(branch).is_ok()))?;
        Ok(if is_writable { branch.to_owned() } else { self.wanted.clone() })
    }
}

/// Computes the text of a change as the tape will have it, for all that need it.
fn redact(kind: &dyn Kind, change: &mut Change) {
    let redacted = change.bytes.as_deref().map(|bytes| kind.redacted(bytes));
    if let Some(Cow::Owned(redacted)) = redacted {
        change.redacted = Some(redacted);
    }
}

/// Writes to the manifests of the other forms which of their changes are about to be recorded, so that they are not recorded
/// again when these files are synchronized. A change whose manifest cannot be written is removed from `with`.
fn begin_beside<'w>(
    workspace: &'w Workspace,
    with: &mut Vec<(&'static dyn Kind, Change)>,
) -> Vec<(Form, Writing<'w>)> {
    let mut begun = Vec::new();
    for kind in KINDS {
        let of_it = || with.iter().filter(|(other, _)| other.form() == kind.form()).map(|(_, change)| change);
        if of_it().next().is_none() {
            continue;
        }
        let writing = kind.copy(workspace).writing().and_then(|mut writing| {
            writing.begin_edits(of_it())?;
            Ok(writing)
        });
        match writing {
            Ok(writing) => begun.push((kind.form(), writing)),
            Err(_) => with.retain(|(other, _)| other.form() != kind.form()),
        }
    }
    begun
}

/// Returns the size of the new text of a file.
fn size(change: &Change) -> usize {
    change.bytes.as_ref().map_or(0, Vec::len)
}

/// Returns the changes in a working copy, except of texts that were put aside.
fn look_at(
    workspace: &Workspace,
    kind: &'static dyn Kind,
    write_guard: &mut WriteGuard<'_>,
) -> Result<Vec<Change>> {
    let mut look = kind.copy(workspace).look()?;
    if look.base.is_none() && !look.is_empty() {
        let mut writing = kind.copy(workspace).writing()?;
        assume(workspace, kind, write_guard, &mut writing)?;
        look = writing.look()?;
    }
    let known = look.base.as_ref().map(|base| base.entry).zip(look.hash);
    let is_usable = write_guard.read(|reader| known.map_or(Ok(false), |(id, hash)| reader.has_entry(id, hash)))?
            // An interrupted command may have recorded them: their own working copy finds that out.
            && !look.is_interrupted;
    Ok(look.changes.into_iter().filter(|change| is_usable && change.is_in_place()).collect())
}

/// Returns the entries that record changes of different files of a form.
fn drafts(
    kind: &dyn Kind,
    changes: &[&Change],
    reader: &Reader<'_>,
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let bases: Vec<_> =
        changes.iter().map(|change| base_text(kind, reader, change)).collect::<memtape_index::Result<_>>()?;
    let edits = changes.iter().zip(&bases).map(|(change, base)| Edit {
        path: &change.path,
        from: renamed_from(change),
        base,
        text: change.clean(),
    });
    kind.record(reader, &edits.collect::<Vec<_>>(), ctx)
}

/// Returns the name of a renamed file before.
fn renamed_from(change: &Change) -> Option<&str> {
    match &change.what {
        What::Renamed { from } => Some(from),
        What::New | What::Edited | What::Deleted => None,
    }
}

/// Returns whether the tape's text of a file was erased since the file was written.
fn was_erased(
    kind: &dyn Kind,
    reader: &Reader<'_>,
    path: &str,
    known: &Known,
) -> memtape_index::Result<bool> {
    let Base { branch, entry } = &known.base;
    if known.text.is_some() || !reader.had_reset_or_erasure(*entry)? {
        return Ok(false);
    }
    for entry in kind.history(reader, path, &point_at(reader, branch, *entry)?)? {
        if reader.entry(entry)?.is_erased() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_refusal(e: &Error) -> bool {
    matches!(e, Error::Core(_))
        && matches!(e.kind(), ErrorKind::Invalid | ErrorKind::Refused | ErrorKind::Conflict)
}

/// Returns the text that a person changed, without its secrets.
fn base_text(kind: &dyn Kind, reader: &Reader<'_>, change: &Change) -> memtape_index::Result<Vec<u8>> {
    let path = match &change.what {
        What::New => return Ok(Vec::new()),
        What::Renamed { from } => from,
        What::Edited | What::Deleted => &change.path,
    };
    Ok(text_of(kind, reader, path, &change.base, change.base_text.as_ref())?.unwrap_or_default())
}
