//! The files of the notes: what a person did to them is recorded, and they follow the tape.
//!
//! *Purpose.* [`Workspace::ask`] and [`Workspace::write`] are the ways to the store; both look at the files first, so no
//! command can forget to. *Writes* events `note.edit`, and the working copy.
//!
//! **Invariants.** What a person wrote is on the tape before their file is replaced, or the file stays as it is. The
//! files are those of the branch on which new conversations begin. A command does not fail because of the files: it
//! says so, and goes on with what the tape has.

use std::collections::BTreeMap;
use std::time::Duration;

use memtape_core::forms::notes::{NotePath, path};
use memtape_core::{Audience, Form, Origin, Point, Session};
use memtape_store::working_copy::{Base, Look, Names, State, WorkingCopy, Writing};
use memtape_store::{Alone, Moved, Notice, Reader, Result};
use memtape_tape::{Entry, EntryId, Hash};

use super::following::Following;
use crate::config::Config;
use crate::workspace::Workspace;

/// For as long a reading command waits for another writer to record what a person did.
const READER_WAIT: Duration = Duration::from_secs(1);
/// How often the files are looked at again because a person goes on editing them.
const ROUNDS: usize = 20;
/// So many files whose times have yet to be noted are worth a write for a reading command.
const SETTLES: usize = 64;

/// The working copy that a configuration means.
pub(crate) fn working_copy(dir: &std::path::Path, config: &Config) -> Result<WorkingCopy> {
    let notes = &config.notes;
    let root = notes.data_dir.as_deref().unwrap_or(dir);
    let folders: Vec<&str> = notes.folders.iter().collect();
    let names = Names { is_one: path::is_file_name, key: memtape_core::path::collision_key };
    Ok(WorkingCopy::open(dir, root, &folders, config.durability)?.naming(names))
}

impl Workspace {
    /// Answers a question, once what a person did to the files is recorded.
    pub(crate) fn ask<T>(&self, question: impl Fn(&Reader<'_>) -> Result<T>) -> Result<T> {
        let look = self.notes_copy.look();
        let answer = self.store.read(|reader| match &look {
            Ok(look) if is_followed(reader, look)? => question(reader).map(Some),
            _ => Ok(None),
        })?;
        if let Some(answer) = answer {
            if look.is_ok_and(|look| look.settles >= SETTLES) {
                // It saves work the next time; whoever writes now does it.
                let _ = self.store.alone_within(Duration::ZERO).and_then(|mut alone| self.follow(&mut alone));
            }
            return Ok(answer);
        }
        let wait = self.config.lock_wait.min(READER_WAIT);
        let followed =
            look.and_then(|_| self.store.alone_within(wait)).and_then(|mut alone| self.follow(&mut alone));
        if let Err(e) = followed {
            self.store.note(Notice::EditsWait { why: e.to_string() });
        }
        self.store.read(question)
    }

    /// Records what a person did to the files, and lets them follow the tape; what fails is a notice.
    pub(crate) fn follow_or_say(&self, alone: &mut Alone<'_>) {
        if let Err(e) = self.follow(alone) {
            alone.note(Notice::FilesLag { why: e.to_string() });
        }
    }

    /// Lets the files follow what was written, where it is about them.
    pub(crate) fn follow_written(&self, alone: &mut Alone<'_>, entries: &[Entry]) {
        if entries.iter().any(concerns_notes) {
            self.follow_or_say(alone);
        }
    }

    fn follow(&self, alone: &mut Alone<'_>) -> Result<()> {
        let mut writing = self.notes_copy.writing()?;
        for _ in 0..ROUNDS {
            let head = alone.read(|reader| Ok(reader.head()))?;
            if writing.manifest().is_none_or(|manifest| manifest.base.entry > head) {
                if writing.look()?.is_empty() && alone.read(has_no_notes)? {
                    return Ok(());
                }
                self.assume(alone, &mut writing)?;
            }
            if Following::new(self, alone, &mut writing)?.step()? {
                return Ok(());
            }
        }
        alone.note(Notice::FilesLag { why: "somebody goes on editing them".to_owned() });
        Ok(())
    }

    /// Makes a manifest where none says what the files are.
    fn assume(&self, alone: &mut Alone<'_>, writing: &mut Writing<'_>) -> Result<()> {
        let (base, view) = alone.read(|reader| {
            let branch = reader.default_branch(reader.head())?;
            let notes = reader.notes(&Audience::owner(), &reader.head_of(&branch)?)?;
            let digests: BTreeMap<String, Hash> =
                notes.files().map(|file| (file.path.to_string(), Hash::of(&file.bytes()))).collect();
            Ok((Base { branch, entry: reader.head() }, digests))
        })?;
        let alone = std::cell::RefCell::new(alone);
        let known = |path: &str, sha256: &Hash| {
            let found = alone.borrow_mut().read(|reader| stood_at(reader, &base.branch, path, sha256));
            // What cannot be found out counts as an edit: nothing is lost by that.
            found.ok().flatten()
        };
        writing.assume(&base, &view, known)
    }

    /// Who records what a person did.
    pub(super) fn editor(&self, branch: &str) -> memtape_store::Author {
        let author = self.author(&Session::direct(), Origin::Editor);
        memtape_store::Author { branch: Some(branch.to_owned()), ..author }
    }
}

/// Whether the files are what the tape has, and nobody changed them.
fn is_followed(reader: &Reader<'_>, look: &Look) -> Result<bool> {
    if !look.changes.is_empty() || !look.owed.is_empty() || look.state == State::UnderWay {
        return Ok(false);
    }
    let Some(base) = &look.base else { return Ok(look.is_empty() && has_no_notes(reader)?) };
    Ok(base.entry <= reader.head()
        && base.branch == reader.default_branch(reader.head())?
        && reader.notes_moved(&base.branch, base.entry)?.is_nothing())
}

fn has_no_notes(reader: &Reader<'_>) -> Result<bool> {
    let branch = reader.default_branch(reader.head())?;
    Ok(reader.count(Form::Notes, &reader.head_of(&branch)?)? == 0)
}

/// The last entry at which the tape had this text of a file.
fn stood_at(reader: &Reader<'_>, branch: &str, path: &str, sha256: &Hash) -> Result<Option<Base>> {
    let Some(path) = NotePath::of_file(path) else { return Ok(None) };
    for entry in reader.note_history(&path, &reader.head_of(branch)?)? {
        let point = point_at(reader, branch, entry)?;
        let view = reader.note_file(&path, &Audience::owner(), &point)?;
        if view.get(&path).is_some_and(|file| Hash::of(&file.bytes()) == *sha256) {
            return Ok(Some(Base { branch: branch.to_owned(), entry }));
        }
    }
    Ok(None)
}

/// Where an entry of a branch stands, whatever has had its time since.
pub(super) fn point_at(reader: &Reader<'_>, branch: &str, entry: EntryId) -> Result<Point> {
    let lineage = memtape_core::Lineage::new(&reader.branches()?, branch, entry);
    Ok(Point { lineage, instant: reader.now() })
}

/// Whether an entry may change what the files are to be.
fn concerns_notes(entry: &Entry) -> bool {
    use memtape_core::branch::Mark;
    use memtape_core::meta::Retire;
    let read = memtape_core::projection::project(entry);
    read.name.as_deref().is_some_and(memtape_core::forms::notes::entry::is_ours)
        || read.retires.iter().any(|retire| matches!(retire, Retire::Rule(_)))
        || matches!(read.branch, Some(Mark::Switch(switch)) if switch.default)
}

/// What changed of the notes on a branch since an entry.
pub(super) fn moved(alone: &mut Alone<'_>, branch: &str, since: EntryId) -> Result<Moved> {
    alone.read(|reader| reader.notes_moved(branch, since))
}
