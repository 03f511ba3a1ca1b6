//! The working copies: what a person did to their files is recorded, and they follow the tape.
//!
//! *Purpose.* [`Workspace::take_view`] and [`Workspace::write`] are the ways to the store; both look at the files first, so no
//! command can forget to. *Writes* events `note.edit`, `file.write` and `file.delete`, and the files.
//!
//! **Invariants.** What a person wrote is on the tape before their file is replaced, or the file stays as it is. The
//! files are those of the branch on which new conversations begin. A command does not fail because of the files: it
//! says so, and goes on with what the tape has. What a form says of itself stands in its [`Kind`]; the rest is the same
//! for each.
//!
//! In reading order: this file, [`kind`], [`notes`], [`files`], [`following`] (one look, and what follows), [`status`], [`history`].

pub(crate) mod files;
mod following;
pub mod history;
mod kind;
pub(crate) mod notes;
pub mod status;

use std::collections::BTreeMap;
use std::time::Duration;

use memtape_core::{Form, Origin, Point, Session};
use memtape_store::working_copy::{Base, Look, State, Writing};
use memtape_store::{Alone, Notice, Reader, Result, Store, View};
use memtape_tape::{Entry, EntryId, Hash};

use self::following::Following;
pub(crate) use self::kind::Kind;
use crate::workspace::Workspace;

/// Every form with a working copy.
pub(crate) const KINDS: [&dyn Kind; 2] = [&notes::InNotes, &files::InFiles];

/// For as long a reading command waits for another writer to record what a person did.
const READER_WAIT: Duration = Duration::from_secs(1);
/// How often the files are looked at again because a person goes on editing them.
const ROUNDS: usize = 20;
/// So many files whose times have yet to be noted are worth a write for a reading command.
const SETTLES: usize = 64;

impl Workspace {
    /// Answers a question, once what a person did to the files is recorded.
    pub(crate) fn ask<T>(&self, question: impl Fn(&Reader<'_>) -> Result<T>) -> Result<T> {
        Store::read_in(|| self.take_view(), question)
    }

    /// Takes a view, once what a person did to the files is recorded.
    pub(crate) fn take_view(&self) -> Result<View<'_>> {
        let looks = KINDS.map(|kind| kind.copy(self).look());
        let checked = |reader: &Reader<'_>| -> Result<_> {
            for (kind, look) in KINDS.into_iter().zip(&looks) {
                match look {
                    Ok(look) if is_followed(kind, reader, look)? => {}
                    _ => return Ok(None),
                }
            }
            Ok(Some(self.history_is_behind(reader)?))
        };
        let view = self.store.view()?;
        let checked = checked(&view.reader());
        let is_behind = match checked {
            // It is replaced, and the files are looked at under the lock.
            Err(e) if e.is_index_damage() => {
                view.mend(&e)?;
                None
            }
            other => other?.map(|is_behind| (view, is_behind)),
        };
        if let Some((view, is_behind)) = is_behind {
            if is_behind || looks.iter().flatten().any(|look| look.settles >= SETTLES) {
                // The answer does not rest on it; whoever writes now does it.
                if let Ok(mut alone) = self.store.alone_within(Duration::ZERO) {
                    let _ = self.follow_all(&mut alone);
                }
            }
            return Ok(view);
        }
        let wait = self.config.lock_wait.min(READER_WAIT);
        let looked = KINDS
            .into_iter()
            .zip(looks)
            .try_for_each(|(kind, look)| look.map(|_| ()).map_err(|e| (kind.what(), e)));
        let followed = looked
            .and_then(|()| self.store.alone_within(wait).map_err(|e| (FILES_OF_BOTH, e)))
            .and_then(|mut alone| self.follow_all(&mut alone));
        if let Err((what, e)) = followed {
            self.store.note(Notice::EditsWait { what, why: e.to_string() });
        }
        self.store.view()
    }

    /// Records what a person did to the files, and lets them follow the tape; what fails is a notice.
    pub(crate) fn follow_or_say(&self, alone: &mut Alone<'_>) {
        for kind in KINDS {
            self.follow_kind_or_say(kind, alone);
        }
        self.keep_history(alone);
    }

    /// Lets the files follow what was written, where it is about them.
    pub(crate) fn follow_written(&self, alone: &mut Alone<'_>, entries: &[Entry]) {
        for kind in KINDS {
            if entries.iter().any(|entry| concerns(kind, entry)) {
                self.follow_kind_or_say(kind, alone);
                if kind.form() == Form::FILES {
                    self.keep_history(alone);
                }
            }
        }
    }

    fn follow_kind_or_say(&self, kind: &'static dyn Kind, alone: &mut Alone<'_>) {
        if let Err(e) = self.follow(kind, alone) {
            alone.note(Notice::FilesLag { what: kind.what(), why: e.to_string() });
        }
    }

    /// Follows all of them; the first failure is given when each was tried.
    fn follow_all(
        &self,
        alone: &mut Alone<'_>,
    ) -> std::result::Result<(), (&'static str, memtape_store::Error)> {
        let mut failed = Ok(());
        for kind in KINDS {
            let followed = self.follow(kind, alone).map_err(|e| (kind.what(), e));
            failed = failed.and(followed);
        }
        self.keep_history(alone);
        failed
    }

    fn follow(&self, kind: &'static dyn Kind, alone: &mut Alone<'_>) -> Result<()> {
        self.follow_as(kind, alone, false)
    }

    /// Takes the secrets out of the files that hold some beside what the tape has; what fails is a notice.
    pub(crate) fn redact_files(&self, alone: &mut Alone<'_>) {
        for kind in KINDS {
            if let Err(e) = self.follow_as(kind, alone, true) {
                alone.note(Notice::FilesLag { what: kind.what(), why: e.to_string() });
            }
        }
    }

    fn follow_as(&self, kind: &'static dyn Kind, alone: &mut Alone<'_>, redacts: bool) -> Result<()> {
        let mut writing = kind.copy(self).writing()?;
        for _ in 0..ROUNDS {
            let head = alone.read(|reader| Ok(reader.head()))?;
            if writing.manifest().is_none_or(|manifest| manifest.base.entry > head) {
                if writing.look()?.is_empty() && alone.read(|reader| has_none(kind, reader))? {
                    return Ok(());
                }
                assume(kind, alone, &mut writing)?;
            }
            if Following::new(self, kind, alone, &mut writing, redacts)?.step()? {
                return Ok(());
            }
        }
        alone.note(Notice::FilesLag { what: kind.what(), why: "somebody goes on editing them".to_owned() });
        Ok(())
    }

    /// Brings the files to what the tape has, and records what a person did to them; every other command does so by
    /// itself. What fails is a notice.
    ///
    /// # Errors
    /// That another writer has the lock, or what the medium says.
    pub fn follow_files(&self) -> crate::Result<()> {
        self.follow_or_say(&mut self.store.alone()?);
        Ok(())
    }

    /// Who records what a person did.
    pub(super) fn editor(&self, branch: &str) -> memtape_store::Author {
        let author = self.author(&Session::direct(), Origin::Editor);
        memtape_store::Author { branch: Some(branch.to_owned()), ..author }
    }
}

/// What is said of the files of every kind.
const FILES_OF_BOTH: &str = "the files of the notes, or those in files/,";

/// Makes a manifest where none says what the files are.
fn assume(kind: &dyn Kind, alone: &mut Alone<'_>, writing: &mut Writing<'_>) -> Result<()> {
    let (base, view) = alone.read(|reader| {
        let branch = reader.default_branch(reader.head())?;
        let texts = kind.texts(reader, &reader.head_of(&branch)?)?;
        let digests: BTreeMap<String, Hash> =
            texts.into_iter().map(|(path, text)| (path, Hash::of(&text))).collect();
        Ok((Base { branch, entry: reader.head() }, digests))
    })?;
    let alone = std::cell::RefCell::new(alone);
    let known = |path: &str, sha256: &Hash| {
        let found = alone.borrow_mut().read(|reader| stood_at(kind, reader, &base.branch, path, sha256));
        // What cannot be found out counts as an edit: nothing is lost by that.
        found.ok().flatten()
    };
    writing.assume(&base, &view, known)?;
    let look = writing.look()?;
    for path in view.into_keys() {
        if let Some(by) = look.in_place_of(&path) {
            alone.borrow_mut().note(Notice::FileBlocked { by: by.clone(), path });
        }
    }
    Ok(())
}

/// Whether the files are what the tape has, and nobody changed them.
fn is_followed(kind: &dyn Kind, reader: &Reader<'_>, look: &Look) -> Result<bool> {
    if !look.changes.is_empty() || !look.owed.is_empty() || look.state == State::UnderWay {
        return Ok(false);
    }
    let Some(base) = &look.base else { return Ok(look.is_empty() && has_none(kind, reader)?) };
    Ok(base.entry <= reader.head()
        && reader.branch_called(&base.branch, base.entry)? == reader.default_branch(reader.head())?
        && kind.moved(reader, &base.branch, base.entry)?.is_nothing())
}

fn has_none(kind: &dyn Kind, reader: &Reader<'_>) -> Result<bool> {
    let branch = reader.default_branch(reader.head())?;
    Ok(!reader.has_any(kind.form(), &reader.head_of(&branch)?)?)
}

/// The last entry at which the tape had this text of a file.
fn stood_at(
    kind: &dyn Kind,
    reader: &Reader<'_>,
    branch: &str,
    path: &str,
    sha256: &Hash,
) -> Result<Option<Base>> {
    for entry in kind.history(reader, path, &reader.head_of(branch)?)? {
        let text = kind.text(reader, path, &point_at(reader, branch, entry)?)?;
        if text.is_some_and(|text| Hash::of(&text) == *sha256) {
            return Ok(Some(Base { branch: branch.to_owned(), entry }));
        }
    }
    Ok(None)
}

/// Where an entry of a branch stands, whatever has had its time since.
pub(crate) fn point_at(reader: &Reader<'_>, branch: &str, entry: EntryId) -> Result<Point> {
    let branch = reader.branch_called(branch, entry)?;
    let lineage = memtape_core::Lineage::new(&reader.branches()?, &branch, entry);
    Ok(Point { lineage, instant: reader.now() })
}

/// Whether an entry may change what the files are to be.
fn concerns(kind: &dyn Kind, entry: &Entry) -> bool {
    use memtape_core::branch::Mark;
    use memtape_core::meta::Retire;
    let read = memtape_core::projection::project(entry);
    read.name.as_deref().is_some_and(|name| kind.is_ours(name))
        || read.retires.iter().any(|retire| matches!(retire, Retire::Rule(_)))
        || matches!(read.branch, Some(Mark::Switch(switch)) if switch.default)
}
