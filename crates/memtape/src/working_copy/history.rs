//! The history of `files/` in git: one commit for each group that changed files, and for each checkout. The setting
//! `files.git` names its place; scanning and erasing look at every place.
//!
//! **Invariants.** What is committed is what the tape has, so no secret that a person typed is. Nothing here fails a
//! command, or waits for anybody: what could not be committed is told, and a later command does it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use memtape_core::forms::files::{FilePath, entry};
use memtape_core::{Form, projection};
use memtape_index::Reader;
use memtape_store::{Warning, WriteGuard};
use memtape_tape::{Entry, EntryId};
use memtape_worktree::git::rewrite::Kept;
use memtape_worktree::git::{self, Failure, Found, History, Place, Position, Step};

use super::files::{InFiles, at_root, below};
use super::kind::Kind as _;
use super::point_at;
use crate::workspace::Workspace;

/// So many groups that wait are a commit each; more of them are one.
const STEPS_MAX: usize = 1000;
/// So many files are named in a message.
const NAMED_MAX: usize = 3;

/// Whose the repository is that has the history of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keeper {
    /// There is none yet: no file has stood.
    #[default]
    Nobody,
    /// The configuration keeps none.
    Off,
    /// Memtape made it, and commits there.
    Memtape(PathBuf),
    /// Somebody else's, at the root of the workspace or above it: nothing is committed there.
    SomebodyElse(PathBuf),
    /// Memtape made it, for another user of the machine: this one does not commit there.
    OtherUsers(PathBuf),
    /// Something that is no repository of memtape's has the place of a separate one.
    Blocked(PathBuf),
}

/// What is to be committed.
struct Pending {
    branch: String,
    head: EntryId,
    steps: Vec<Step>,
}

impl Workspace {
    /// Whether the history lacks something that the tape has, as far as that can be told without opening it.
    pub(super) fn history_is_behind(&self, reader: &Reader<'_>) -> memtape_index::Result<bool> {
        let Some(place) = self.config.files.git else { return Ok(false) };
        let branch = reader.default_branch(reader.head())?;
        match git::position(self.dir(), place) {
            Some(position) => is_behind(reader, &position, &branch),
            // One without a position is somebody else's, or was never brought to an end; then a write sees to it.
            None if git::is_taken(self.dir(), place) => Ok(false),
            None => reader.has_any(Form::FILES, &reader.head_of(&branch)?),
        }
    }

    /// Commits what the history lacks; what keeps it is a notice. A history that is damaged is set aside, and made anew.
    pub(super) fn keep_history(&self, write_guard: &mut WriteGuard<'_>) {
        if let Err(e) = git::rewrite::recover(self.dir()) {
            let Kept { at, why } = Kept::unfinished(&e);
            write_guard.note(Warning::HistoryKeepsErased { at, why });
        }
        let Some(place) = self.config.files.git else { return };
        let mut kept = self.try_keep_history(write_guard, place);
        if let Err(Failure::Damaged(why)) = kept {
            kept = git::damage::set_aside(self.dir(), place).and_then(|kept| {
                write_guard.note(Warning::HistorySetAside { why, kept });
                self.try_keep_history(write_guard, place)
            });
        }
        if let Err(why) = kept {
            write_guard.note(Warning::HistoryLags { why: why.to_string() });
        }
    }

    fn try_keep_history(&self, write_guard: &mut WriteGuard<'_>, place: Place) -> git::Result<()> {
        let is_unknown = git::is_taken(self.dir(), place) && git::position(self.dir(), place).is_none();
        let is_behind = write_guard.read(|reader| match is_unknown {
            true => has_history(reader),
            false => self.history_is_behind(reader),
        });
        if !is_behind? {
            return Ok(());
        }
        let workspace = write_guard.read(|reader| Ok(reader.workspace()))?;
        let mut found = git::find(self.dir(), place, &workspace)?;
        // Another setting made it elsewhere.
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
        self.bring_up(write_guard, &history, place, &workspace).map_err(|e| history.judge(e))
    }

    /// Commits what a repository lacks, and notes it there.
    fn bring_up(
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
        history.commit(&pending.steps, self.config.durability)?;
        history.rest_on(workspace, &pending.branch, pending.head)
    }

    /// One commit that makes the files what the tape has, whatever was committed before.
    fn all_at_once(
        &self,
        write_guard: &mut WriteGuard<'_>,
        history: &History,
        place: Place,
    ) -> git::Result<Pending> {
        let (branch, head, date, texts) = write_guard.read(|reader| {
            let branch = reader.default_branch(reader.head())?;
            let point = reader.head_of(&branch)?;
            let date = reader.last_date(&point)?.unwrap_or_else(|| reader.now());
            Ok((branch, reader.head(), date, InFiles.texts(reader, &point)?))
        })?;
        let is_one = |path: &str| below(path).is_some_and(|path| FilePath::new(path).is_ok());
        let files = history.differing(texts, is_one)?;
        let before = git::position(self.dir(), place).map(|position| position.branch);
        let what = match before.is_some_and(|before| before != branch) {
            true => format!("checkout {branch}"),
            false => "catch up with the tape".to_owned(),
        };
        Ok(Pending { steps: vec![Step { message: said_at(&what, head), date, files }], branch, head })
    }

    /// Whose the repository is that has the history of the files.
    ///
    /// # Errors
    /// What the medium says.
    pub fn history_keeper(&self) -> crate::Result<Keeper> {
        let Some(place) = self.config.files.git else { return Ok(Keeper::Off) };
        let workspace = self.ask(|reader| Ok(reader.workspace()))?;
        let path = place.path(self.dir());
        Ok(match git::find(self.dir(), place, &workspace) {
            Ok(Found::Nothing) => Keeper::Nobody,
            // What is damaged is set aside by whoever writes next.
            Ok(Found::Ours(_)) | Err(Failure::Damaged(_)) => Keeper::Memtape(path),
            Err(Failure::OtherUsers(_)) => Keeper::OtherUsers(path),
            // What cannot be read is not written to either.
            Ok(Found::Foreign(_)) | Err(_) if place == Place::Separate => Keeper::Blocked(path),
            Ok(Found::Foreign(path)) => Keeper::SomebodyElse(path),
            Err(_) => Keeper::SomebodyElse(path),
        })
    }
}

/// Whether there are files, or were some.
fn has_history(reader: &Reader<'_>) -> memtape_index::Result<bool> {
    let branch = reader.default_branch(reader.head())?;
    Ok(reader.has_any(Form::FILES, &reader.head_of(&branch)?)?
        || !reader.events_since(&entry::NAMES, &branch, 0)?.is_empty())
}

fn is_behind(reader: &Reader<'_>, position: &Position, branch: &str) -> memtape_index::Result<bool> {
    Ok(reader.branch_called(&position.branch, position.entry)? != branch
        || position.entry > reader.head()
        || reader.was_swept(position.entry)?
        || !reader.events_since(&entry::NAMES, branch, position.entry)?.is_empty())
}

/// A step for each group since a position, or, where nothing was committed yet, since the beginning; `None` where only a
/// comparison of everything tells.
fn steps_since(
    reader: &Reader<'_>,
    known: Option<&Position>,
    is_empty: bool,
) -> memtape_index::Result<Option<Pending>> {
    let branch = reader.default_branch(reader.head())?;
    let is_whole = reader.head_of(&branch)?.lineage.steps().len() == 1;
    let on = known.map(|known| reader.branch_called(&known.branch, known.entry)).transpose()?;
    let since = match known {
        // What a branch has from the one it was forked from is in no event of its own.
        _ if is_empty && is_whole => 0,
        Some(known) if !is_empty && on.as_ref() == Some(&branch) && known.entry <= reader.head() => {
            known.entry
        }
        _ => return Ok(None),
    };
    if reader.was_swept(since)? {
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
    Ok(Some(Pending { steps, head: reader.head(), branch }))
}

fn step(reader: &Reader<'_>, branch: &str, last: EntryId, entries: &[Entry]) -> memtape_index::Result<Step> {
    let point = point_at(reader, branch, last)?;
    let mut files = BTreeMap::new();
    let mut said = Vec::new();
    for entry in entries {
        let Some(path) = entry::path(entry) else { continue };
        said.push(format!("{} {path}", projection::project(entry).name.unwrap_or_default()));
        files.insert(at_root(path.as_str()), reader.file_bytes(&path, &point)?);
    }
    let more = said.len().saturating_sub(NAMED_MAX);
    said.truncate(NAMED_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let date = entries.last().map_or(Timestamp::UNIX_EPOCH, |entry| entry.date);
    Ok(Step { message: said_at(&format!("{}{more}", said.join(", ")), last), date, files })
}

fn said_at(what: &str, entry: EntryId) -> String {
    format!("{what} (@{entry})\n")
}
