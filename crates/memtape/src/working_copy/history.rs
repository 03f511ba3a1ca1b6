//! The history of `files/` in git: one commit for each group that changed files, and for each checkout. The setting
//! `files.git` names its place; scanning and erasing look at every place.
//!
//! **Invariants.** Commits contain what the tape contains, so they contain no secret that a person typed into a file.
//! No failure here fails a command or blocks it: a warning reports what could not be committed, and a later command
//! commits it.
//!
//! A build without the feature `git` makes no commits. Scanning and erasing then report a repository that memtape made
//! before, because such a build can neither search nor rewrite it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use memtape_core::forms::files::{FilePath, entry};
use memtape_core::{Form, projection};
use memtape_index::Reader;
use memtape_store::{Warning, WriteGuard};
use memtape_tape::{Entry, EntryId, Hash};
use memtape_worktree::git::rewrite::Kept;
use memtape_worktree::git::{self, Failure, Found, History, Place, Position, Step};

use super::files::{InFiles, at_root, below};
use super::kind::Kind as _;
use super::point_at;
use crate::workspace::{FileWork, Workspace};

/// Maximum number of pending groups that become one commit each; if there are more, all of them become one commit.
const STEPS_MAX: usize = 1000;
/// Maximum number of files that a commit message names.
const NAMED_MAX: usize = 3;

/// The repository that contains the history of the files, by its owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keeper {
    /// No repository yet, because there was never a file.
    #[default]
    Nobody,
    /// No history: the configuration turns it off.
    Off,
    /// A repository that memtape created and commits to.
    Memtape(PathBuf),
    /// A person's repository, at the root of the workspace or above it. Memtape does not commit to it.
    SomebodyElse(PathBuf),
    /// A repository that memtape created for another user of the machine. Memtape does not commit to it.
    OtherUsers(PathBuf),
    /// No history: the place of the separate repository is taken by something that memtape did not create.
    Blocked(PathBuf),
    /// No history: this build of memtape has no git support. If memtape created a repository before, it stays as it is.
    Unsupported(Option<PathBuf>),
}

/// The commits to make.
struct Pending {
    branch: String,
    head: EntryId,
    hash: Hash,
    steps: Vec<Step>,
}

impl Workspace {
    /// Returns the place where this build keeps the history; `None` if it keeps none.
    fn history_place(&self) -> Option<Place> {
        self.config.files.git.filter(|_| git::IS_SUPPORTED)
    }

    /// Returns whether the tape has changes that the history lacks, as far as this is known without opening the
    /// repository.
    pub(super) fn history_is_behind(&self, reader: &Reader<'_>) -> memtape_index::Result<bool> {
        let Some(place) = self.history_place() else { return Ok(false) };
        let branch = reader.default_branch(reader.head())?;
        match git::position(self.dir(), place) {
            Some(position) => is_behind(reader, &position, &branch),
            // A repository without a position belongs to a person, or its creation was interrupted; the next write
            // completes it.
            None => {
                Ok(reader.has_any(Form::FILES, &reader.head_of(&branch)?)?
                    && !git::is_taken(self.dir(), place))
            }
        }
    }

    /// Commits what the history lacks; a failure is a warning. A damaged repository is moved to `archive/` and created
    /// anew.
    pub(super) fn keep_history(&self, write_guard: &mut WriteGuard<'_>) {
        if let Err(e) = git::rewrite::recover(self.dir()) {
            let Kept { at, why } = Kept::unfinished(&e);
            write_guard.note(Warning::HistoryKeepsErased { at, why });
        }
        let Some(place) = self.history_place() else { return };
        let mut kept = self.try_keep_history(write_guard, place);
        if let Err(Failure::Damaged(why)) = kept {
            kept = git::archive::set_aside(self.dir(), place).and_then(|kept| {
                write_guard.note(Warning::HistorySetAside { why, kept });
                self.try_keep_history(write_guard, place)
            });
        }
        if let Err(why) = kept {
            write_guard.note(Warning::HistoryLags { why: why.to_string() });
        }
    }

    fn try_keep_history(&self, write_guard: &mut WriteGuard<'_>, place: Place) -> git::Result<()> {
        let (dir, is_known) = (self.dir(), git::position(self.dir(), place).is_some());
        let is_behind = write_guard.read(|reader| {
            // Most workspaces have no files, so the repository is looked for last.
            Ok(self.history_is_behind(reader)?
                || !is_known && has_history(reader)? && git::is_taken(dir, place))
        });
        if !is_behind? {
            return Ok(());
        }
        let workspace = write_guard.read(|reader| Ok(reader.workspace()))?;
        let mut found = git::find(self.dir(), place, &workspace)?;
        // The repository may be at the place of an earlier setting.
        if matches!(found, Found::Nothing) && git::move_to(self.dir(), place, &workspace)? {
            found = git::find(self.dir(), place, &workspace)?;
        }
        let history = match found {
            Found::Foreign(_) => return Ok(()),
            Found::Ours(history) => history,
            Found::Nothing => History::create(self.dir(), place, &workspace, self.config.durability)?,
        };
        history.break_own_locks()?;
        history.is_free()?;
        history.has_its_branch()?;
        self.commit_missing(write_guard, &history, place, &workspace).map_err(|e| history.judge(e))
    }

    /// Commits what a repository lacks, and records the new position in it.
    fn commit_missing(
        &self,
        write_guard: &mut WriteGuard<'_>,
        history: &History,
        place: Place,
        workspace: &str,
    ) -> git::Result<()> {
        let known = history.position();
        let is_empty = history.is_empty()?;
        let pending = write_guard.read(|reader| steps_since(reader, known.as_ref(), is_empty))?;
        let pending = match pending {
            Some(pending) => pending,
            None => self.all_at_once(write_guard, history, place)?,
        };
        let mut progress = |done, all| (self.files_progress)(FileWork::Commit, done, all);
        history.commit(&pending.steps, self.config.durability, &mut progress)?;
        history.set_position(workspace, &pending.branch, pending.head, pending.hash)
    }

    /// Returns one commit that makes the files equal to the tape, whatever was committed before.
    fn all_at_once(
        &self,
        write_guard: &mut WriteGuard<'_>,
        history: &History,
        place: Place,
    ) -> git::Result<Pending> {
        let (branch, head, hash, date, texts) = write_guard.read(|reader| {
            let branch = reader.default_branch(reader.head())?;
            let point = reader.head_of(&branch)?;
            let date = reader.last_date(&point)?.unwrap_or_else(|| reader.now());
            Ok((branch, reader.head(), reader.head_hash(), date, InFiles.texts(reader, &point)?))
        })?;
        let is_one = |path: &str| below(path).is_some_and(|path| FilePath::new(path).is_ok());
        let files = history.differing(texts, is_one)?;
        let before = git::position(self.dir(), place).map(|position| position.branch);
        let what = match before.is_some_and(|before| before != branch) {
            true => format!("switch to {branch}"),
            false => "catch up with the tape".to_owned(),
        };
        let steps = vec![Step { message: message_at(&what, head), date, files }];
        Ok(Pending { steps, branch, head, hash })
    }

    /// Returns which repository contains the history of the files.
    ///
    /// # Errors
    /// [`crate::Error::Store`] if the index cannot be read.
    pub fn history_keeper(&self) -> crate::Result<Keeper> {
        let Some(place) = self.config.files.git else { return Ok(Keeper::Off) };
        let workspace = self.ask(|reader| Ok(reader.workspace()))?;
        let path = place.path(self.dir());
        let found = git::find(self.dir(), place, &workspace);
        if !git::IS_SUPPORTED {
            return Ok(Keeper::Unsupported(matches!(found, Err(Failure::Unsupported)).then_some(path)));
        }
        Ok(match found {
            Ok(Found::Nothing) => Keeper::Nobody,
            // The next write sets a damaged repository aside.
            Ok(Found::Ours(_)) | Err(Failure::Damaged(_)) => Keeper::Memtape(path),
            Err(Failure::OtherUsers(_)) => Keeper::OtherUsers(path),
            // Memtape does not write to a repository that it cannot read.
            Ok(Found::Foreign(_)) | Err(_) if place == Place::Separate => Keeper::Blocked(path),
            Ok(Found::Foreign(path)) => Keeper::SomebodyElse(path),
            Err(_) => Keeper::SomebodyElse(path),
        })
    }
}

/// Returns whether there are files, or ever were.
fn has_history(reader: &Reader<'_>) -> memtape_index::Result<bool> {
    let branch = reader.default_branch(reader.head())?;
    Ok(reader.has_any(Form::FILES, &reader.head_of(&branch)?)?
        || !reader.events_since(&entry::NAMES, &branch, 0)?.is_empty())
}

fn is_behind(reader: &Reader<'_>, position: &Position, branch: &str) -> memtape_index::Result<bool> {
    Ok(reader.branch_called(&position.branch, position.entry)? != branch
        || !reader.has_entry(position.entry, position.hash)?
        || reader.had_reset_or_erasure(position.entry)?
        || !reader.events_since(&entry::NAMES, branch, position.entry)?.is_empty())
}

/// Returns a commit for each group since a position (since the beginning, if nothing was committed yet); `None` if only
/// a comparison of all files shows what changed.
fn steps_since(
    reader: &Reader<'_>,
    known: Option<&Position>,
    is_empty: bool,
) -> memtape_index::Result<Option<Pending>> {
    let branch = reader.default_branch(reader.head())?;
    let is_whole = reader.head_of(&branch)?.lineage.steps().len() == 1;
    let is_here = |known: &Position| -> memtape_index::Result<bool> {
        // Another tape has another entry there.
        Ok(reader.branch_called(&known.branch, known.entry)? == branch
            && reader.has_entry(known.entry, known.hash)?)
    };
    let since = match known {
        // The events of a branch do not include what it inherits from its parent.
        _ if is_empty && is_whole => 0,
        Some(known) if !is_empty && is_here(known)? => known.entry,
        _ => return Ok(None),
    };
    if reader.had_reset_or_erasure(since)? {
        return Ok(None);
    }
    let mut groups: BTreeMap<EntryId, Vec<Entry>> = BTreeMap::new();
    for id in reader.events_since(&entry::NAMES, &branch, since)? {
        let entry = reader.entry(id)?;
        groups.entry(id + u64::from(entry.more)).or_default().push(entry);
    }
    if groups.len() > STEPS_MAX {
        return Ok(None);
    }
    let steps = groups.into_iter().map(|(last, entries)| step(reader, &branch, last, &entries));
    let steps = steps.collect::<memtape_index::Result<Vec<_>>>()?;
    Ok(Some(Pending { steps, head: reader.head(), hash: reader.head_hash(), branch }))
}

fn step(reader: &Reader<'_>, branch: &str, last: EntryId, entries: &[Entry]) -> memtape_index::Result<Step> {
    let point = point_at(reader, branch, last)?;
    let mut files = BTreeMap::new();
    let mut changes = Vec::new();
    for entry in entries {
        let Some(path) = entry::path(entry) else { continue };
        changes.push(format!("{} {path}", projection::project(entry).name.unwrap_or_default()));
        files.insert(at_root(path.as_str()), reader.file_bytes(&path, &point)?);
    }
    let more = changes.len().saturating_sub(NAMED_MAX);
    changes.truncate(NAMED_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let date = entries.last().map_or(Timestamp::UNIX_EPOCH, |entry| entry.date);
    Ok(Step { message: message_at(&format!("{}{more}", changes.join(", ")), last), date, files })
}

fn message_at(what: &str, entry: EntryId) -> String {
    format!("{what} (@{entry})\n")
}
