//! The working copies: memtape records what people edit, and updates the files from the tape.
//!
//! *Purpose.* [`Workspace::take_view`] and [`Workspace::write`] are the only ways to the store. Both check the files
//! first, so no command can forget to. *Writes* events `note.edit`, `file.write` and `file.delete`, and the files.
//!
//! **Invariants.** A person's text is on the tape before memtape replaces their file; otherwise the file is not
//! changed. The files show the branch on which new conversations begin. No command fails because of the files: it
//! warns, and uses the tape as it is. The differences between forms are in their [`Kind`].
//!
//! In reading order: this file, [`kind`], [`notes`], [`files`], [`following`], [`status`], [`history`].

pub(crate) mod files;
mod following;
pub mod history;
mod kind;
pub(crate) mod notes;
pub mod status;

use std::collections::BTreeMap;
use std::time::Duration;

use memtape_core::branch::{self, Mark};
use memtape_core::{Form, Meta, Point, Retire, Session, payload};
use memtape_index::Reader;
use memtape_store::{Result, Store, View, Warning, WriteGuard};
use memtape_tape::{Entry, EntryId, Hash};
use memtape_worktree::working_copy::{Base, Look, Odd, Text, Writing};

use self::following::Following;
pub(crate) use self::kind::Kind;
use crate::workspace::Workspace;

/// Every form with a working copy.
pub(crate) const KINDS: [&dyn Kind; 2] = [&notes::InNotes, &files::InFiles];

/// How long a reading command waits for another writer before it reads the tape without the latest edits.
const READER_WAIT: Duration = Duration::from_secs(1);
/// Maximum number of times that the files are checked again because a person is still editing them.
const ROUNDS: usize = 20;
/// Minimum number of files without recorded metadata for which a reading command writes the manifest.
const UNRECORDED_MIN: usize = 64;

impl Workspace {
    /// Answers a question after recording a person's edits of the files.
    pub(crate) fn ask<T>(&self, question: impl Fn(&Reader<'_>) -> memtape_index::Result<T>) -> Result<T> {
        Store::read_in(|| self.take_view(), question)
    }

    /// Records a person's edits of the files, as every other call does first. Only what reads the tape itself, such as a
    /// backup, needs it.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the tape, the index or the files cannot be read.
    pub fn record_edits(&self) -> crate::Result<()> {
        Ok(self.ask(|_| Ok(()))?)
    }

    /// Opens a view after recording a person's edits of the files.
    pub(crate) fn take_view(&self) -> Result<View<'_>> {
        let looks = KINDS.map(|kind| (kind, kind.copy(self).look()));
        for (kind, look) in &looks {
            if look.as_ref().is_ok_and(Look::is_without_root) {
                self.store.note(Warning::EditsWait { what: kind.what(), why: Odd::NoRoot.to_string() });
            }
        }
        let check = |reader: &Reader<'_>| -> memtape_index::Result<_> {
            for (kind, look) in &looks {
                match look {
                    Ok(look) if is_followed(*kind, reader, look)? => {}
                    _ => return Ok(None),
                }
            }
            Ok(Some(self.history_is_behind(reader)?))
        };
        let view = self.store.view()?;
        let checked = check(&view.reader());
        let is_behind = match checked {
            // The index is replaced, and the files are checked again under the lock.
            Err(e) if e.is_index_damage() => {
                view.replace_damaged_index(&e)?;
                None
            }
            other => other?.map(|is_behind| (view, is_behind)),
        };
        if let Some((view, is_behind)) = is_behind {
            let has_unrecorded =
                looks.iter().flat_map(|(_, look)| look).any(|look| look.unrecorded >= UNRECORDED_MIN);
            // The answer does not depend on these updates: if another writer is active, it makes them.
            if (is_behind || has_unrecorded)
                && let Ok(mut write_guard) = self.store.write_guard_within(Duration::ZERO)
            {
                self.follow_or_warn(&mut write_guard);
            }
            return Ok(view);
        }
        let unreadable = looks.into_iter().find_map(|(kind, look)| Some((kind.what(), look.err()?.into())));
        let wait = self.config.lock_wait.min(READER_WAIT);
        let failed = unreadable.or_else(|| match self.store.write_guard_within(wait) {
            Ok(mut write_guard) => {
                self.follow_or_warn(&mut write_guard);
                None
            }
            Err(e) => Some(("notes or files", e)),
        });
        if let Some((what, e)) = failed {
            self.store.note(Warning::EditsWait { what, why: e.to_string() });
        }
        self.store.view()
    }

    /// Synchronizes the files and the tape; a failure is a warning.
    pub(crate) fn follow_or_warn(&self, write_guard: &mut WriteGuard<'_>) {
        if self.is_quiet(write_guard) {
            self.keep_history(write_guard);
        } else {
            self.follow_all(write_guard, |_| true);
        }
    }

    /// Returns whether nobody edited a file and all of them show the tape. Before most writes that is so, and one read
    /// tells it.
    fn is_quiet(&self, write_guard: &mut WriteGuard<'_>) -> bool {
        let looks: Vec<(&dyn Kind, Look)> =
            KINDS.into_iter().filter_map(|kind| Some((kind, kind.copy(self).look().ok()?))).collect();
        let is_recorded =
            |look: &Look| look.unrecorded == 0 && !look.has_leftovers && !look.is_without_root();
        looks.len() == KINDS.len()
            && looks.iter().all(|(_, look)| is_recorded(look))
            && write_guard
                .read(|reader| {
                    looks
                        .iter()
                        .try_fold(true, |all, (kind, look)| Ok(all && is_followed(*kind, reader, look)?))
                })
                .unwrap_or(false)
    }

    /// Updates the files that the written entries change.
    pub(crate) fn follow_written(&self, write_guard: &mut WriteGuard<'_>, entries: &[Entry]) {
        self.follow_all(write_guard, |kind| entries.iter().any(|entry| concerns(kind, entry)));
    }

    /// Removes the secrets from files whose text on the tape is redacted; a failure is a warning.
    pub(crate) fn redact_files(&self, write_guard: &mut WriteGuard<'_>) {
        KINDS.into_iter().for_each(|kind| self.follow(kind, write_guard, true));
    }

    /// Synchronizes the files of the selected kinds with the tape, and then the git history.
    fn follow_all(&self, write_guard: &mut WriteGuard<'_>, concerns: impl Fn(&dyn Kind) -> bool) {
        for kind in KINDS.into_iter().filter(|kind| concerns(*kind)) {
            self.follow(kind, write_guard, false);
            if kind.form() == Form::FILES {
                self.keep_history(write_guard);
            }
        }
    }

    fn follow(&self, kind: &'static dyn Kind, write_guard: &mut WriteGuard<'_>, redacts: bool) {
        let why = match self.try_follow(kind, write_guard, redacts) {
            Ok(true) => return,
            Ok(false) => "they are still being edited; the next command updates them".to_owned(),
            Err(e) => e.to_string(),
        };
        write_guard.note(Warning::FilesLag { what: kind.what(), why });
    }

    /// Synchronizes the files of a kind with the tape. Returns `false` if a person is still editing them.
    fn try_follow(
        &self,
        kind: &'static dyn Kind,
        write_guard: &mut WriteGuard<'_>,
        redacts: bool,
    ) -> Result<bool> {
        let mut writing = kind.copy(self).writing()?;
        for _ in 0..ROUNDS {
            let known = writing.manifest().map(|manifest| (manifest.base.entry, manifest.hash));
            let is_known = write_guard
                .read(|reader| known.map_or(Ok(false), |(id, hash)| reader.has_entry(id, hash)))?;
            if !is_known {
                if writing.look()?.is_empty() && write_guard.read(|reader| has_none(kind, reader))? {
                    return Ok(true);
                }
                assume(self, kind, write_guard, &mut writing)?;
            }
            if Following::new(self, kind, write_guard, &mut writing, redacts)?.step()? {
                if let Some((path, why)) = writing.failed().first_key_value() {
                    let why = match writing.failed().len() {
                        1 => format!("{path} was not changed: {why}"),
                        n => format!("{n} files were not changed, the first of them {path}: {why}"),
                    };
                    write_guard.note(Warning::FilesLag { what: kind.what(), why });
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records a person's edits of the files, and updates the files from the tape. Every other command does so as well.
    /// A failure is a warning.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `Busy` if another process holds the writer lock for longer than
    /// [`Config::lock_wait`](crate::Config::lock_wait).
    pub fn follow_files(&self) -> crate::Result<()> {
        self.follow_or_warn(&mut self.store.write_guard()?);
        Ok(())
    }

    /// Returns the author of a change of a file outside memtape.
    fn editor(&self, kind: &dyn Kind, branch: &str, path: &str) -> memtape_store::Author {
        let author = self.author(&Session::direct(), kind.origin(&self.config, path));
        memtape_store::Author { branch: Some(branch.to_owned()), ..author }
    }
}

/// Creates the manifest if there is none for this tape and this root, from the files and the tape.
fn assume(
    workspace: &Workspace,
    kind: &dyn Kind,
    write_guard: &mut WriteGuard<'_>,
    writing: &mut Writing<'_>,
) -> Result<()> {
    let (base, hash, view) = write_guard.read(|reader| {
        let branch = reader.default_branch(reader.head())?;
        let texts = kind.texts(reader, &reader.head_of(&branch)?)?;
        let digests: BTreeMap<String, Hash> =
            texts.into_iter().map(|(path, text)| (path, Hash::of(&text))).collect();
        Ok((Base { branch, entry: reader.head() }, reader.head_hash(), digests))
    })?;
    if let Some(before) = kind.copy(workspace).other_root()? {
        let root = kind.copy(workspace).root().to_owned();
        write_guard.note(Warning::FilesElsewhere { what: kind.what(), root, before });
    }
    writing.set_hash(hash);
    let known = |path: &str, sha256: &Hash| {
        let found = write_guard.read(|reader| existed_at(kind, reader, &base.branch, path, sha256));
        // A text whose origin cannot be determined counts as an edit, so that it is not lost.
        found.ok().flatten()
    };
    writing.assume(&base, &view, known)?;
    let look = writing.look()?;
    for path in view.into_keys() {
        if let Some(by) = look.in_place_of(&path) {
            write_guard.note(Warning::FileBlocked { by: by.clone(), path });
        }
    }
    Ok(())
}

/// Returns whether the files equal the tape and are unedited.
fn is_followed(kind: &dyn Kind, reader: &Reader<'_>, look: &Look) -> memtape_index::Result<bool> {
    if !look.changes.is_empty() || !look.pending.is_empty() || look.is_interrupted {
        return Ok(false);
    }
    let Some((base, hash)) = look.base.as_ref().zip(look.hash) else {
        return Ok(look.is_empty() && has_none(kind, reader)?);
    };
    Ok(reader.has_entry(base.entry, hash)?
        && reader.branch_called(&base.branch, base.entry)? == reader.default_branch(reader.head())?
        && kind.moved(reader, &base.branch, base.entry)?.is_nothing())
}

fn has_none(kind: &dyn Kind, reader: &Reader<'_>) -> memtape_index::Result<bool> {
    let branch = reader.default_branch(reader.head())?;
    Ok(!reader.has_any(kind.form(), &reader.head_of(&branch)?)?)
}

/// Returns the last entry at which the tape had this text of a file.
fn existed_at(
    kind: &dyn Kind,
    reader: &Reader<'_>,
    branch: &str,
    path: &str,
    sha256: &Hash,
) -> memtape_index::Result<Option<Base>> {
    for entry in kind.history(reader, path, &reader.head_of(branch)?)? {
        let text = kind.text(reader, path, &point_at(reader, branch, entry)?)?;
        if text.is_some_and(|text| Hash::of(&text) == *sha256) {
            return Ok(Some(Base { branch: branch.to_owned(), entry }));
        }
    }
    Ok(None)
}

/// Returns the text of a file at a base, without secrets: the one that the manifest has for it, otherwise the tape's.
fn text_of(
    kind: &dyn Kind,
    reader: &Reader<'_>,
    path: &str,
    base: &Base,
    listed: Option<&Text>,
) -> memtape_index::Result<Option<Vec<u8>>> {
    match listed {
        Some(text) => Ok(Some(text.as_bytes().to_vec())),
        None => kind.text(reader, path, &point_at(reader, &base.branch, base.entry)?),
    }
}

/// Returns the point of an entry of a branch, including what has expired since.
pub(crate) fn point_at(reader: &Reader<'_>, branch: &str, entry: EntryId) -> memtape_index::Result<Point> {
    let branch = reader.branch_called(branch, entry)?;
    let lineage = memtape_core::Lineage::new(reader.branches()?, &branch, entry);
    Ok(Point { lineage, instant: reader.now() })
}

/// Returns whether an entry may change the files.
fn concerns(kind: &dyn Kind, entry: &Entry) -> bool {
    let name = payload::event_name(entry);
    let switches = |name: &str| match branch::mark(name, entry) {
        Some(Mark::Switch(switch)) => switch.default,
        _ => false,
    };
    name.as_deref().is_some_and(|name| kind.is_ours(name) || switches(name))
        || Meta::read(entry.meta.get()).retires.iter().any(|retire| matches!(retire, Retire::Rule(_)))
}
