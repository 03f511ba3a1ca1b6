//! Mirrors: updates the readable files after a write.
//!
//! The index records what a group created and removed, and [`memtape_core::mirror`] decides which lines that
//! affects. Lines are appended to a file that is known to be unchanged since the last update. In all other
//! cases every file is rewritten from the view: after a crash between the tape and the mirrors, after the
//! index was rebuilt, and after a manual edit.
//!
//! **Invariants.** The functions are called under the writer lock, after the projection. The files show the
//! branch on which new conversations begin. Statements are shown as of the last entry that created or removed
//! a statement there, and facts likewise; or as of the entry that made it that branch, if this one is later.
//! What expires after that entry stays until the next update. A write that does not affect a mirror touches
//! no file. A failure here is a warning, and the next write that affects the mirrors repairs it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::mirror::ledger::FILE as LEDGER;
use memtape_core::mirror::turns::SESSION_STATE;
use memtape_core::mirror::{FOLDER, statements};
use memtape_core::{Category, Form, Lineage, Memory, Point};
use memtape_index::{LastChanges, MirrorFile, Mirrored, Question, Reader};
use memtape_tape::{EntryId, Group};
use memtape_worktree::mirror::Folder;
use statements::{File, Line};

use crate::error::{Error, Result};

mod ledger;
mod sessions;

/// Returns whether there is a folder of mirrors.
pub(crate) fn has_folder(dir: &Path) -> bool {
    Folder::new(dir.join(FOLDER)).exists()
}

/// Removes the files of all mirrors, durably, because they may show entries that the tape no longer contains. Returns
/// whether there was a folder of mirrors: in that case they must be rewritten. The caller holds the writer lock.
pub(crate) fn remove_all(dir: &Path) -> Result<bool> {
    let folder = Folder::new(dir.join(FOLDER));
    if !folder.exists() {
        return Ok(false);
    }
    clear_statements(&folder, &BTreeSet::new())?;
    sessions::clear(&folder)?;
    folder.remove(LEDGER)?;
    folder.sync(["", statements::SEMANTIC, statements::EPISODIC, SESSION_STATE])?;
    Ok(true)
}

/// Removes the files of statements, except for `kept`.
fn clear_statements(mirrors: &Folder, kept: &BTreeSet<File>) -> Result<()> {
    for folder in [statements::SEMANTIC, statements::EPISODIC] {
        let is_match =
            |name: &str| File::at_path(&format!("{folder}/{name}")).is_some_and(|file| !kept.contains(&file));
        mirrors.clear(folder, is_match)?;
    }
    Ok(())
}

/// The mirrors of a workspace, as of the state of its index.
pub(crate) struct Mirrors<'a> {
    reader: &'a Reader<'a>,
    folder: Folder,
    /// The workspace's own folder.
    root: Folder,
    /// Whether sessions have files.
    session_state: bool,
}

/// The branch that is shown, at its head.
struct Shown {
    lineage: Lineage,
    /// The persona of the branch, as text.
    persona: Option<String>,
    /// The last entry that forked this branch or one of its ancestors.
    forked: EntryId,
}

impl Shown {
    fn branch(&self) -> &str {
        self.lineage.steps().first().map_or("", |(branch, _)| branch)
    }

    /// Returns whether the branch has no parent.
    fn is_root(&self) -> bool {
        self.lineage.steps().len() == 1
    }
}

/// The last entries of a range that changed the content of the mirrors.
#[derive(Clone, Copy, Debug, Default)]
struct Changed {
    /// The last one that changed a statement.
    statements: Option<EntryId>,
    /// The last one that changed a fact, or committed.
    ledger: Option<EntryId>,
    /// The last one that changed which branch is shown.
    branch: Option<EntryId>,
    /// Whether that was an explicit switch.
    switched: bool,
}

/// The mirrors that do not yet show a write.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StaleMirrors<'g> {
    /// It is not known which: all mirrors are rewritten.
    Everything,
    /// All mirrors, by these groups, which were just projected.
    Groups(&'g [Group]),
    /// Only the files of sessions, by these groups: they changed no statement, fact or branch.
    Sessions(&'g [Group]),
}

impl<'a> Mirrors<'a> {
    pub(crate) fn new(dir: &Path, reader: &'a Reader<'a>, session_state: bool) -> Self {
        let (folder, root) = (Folder::new(dir.join(FOLDER)), Folder::of_workspace(dir.to_owned()));
        Self { reader, folder, root, session_state }
    }

    /// Updates the stale mirrors.
    pub(crate) fn update(&self, stale: StaleMirrors<'_>) -> Result<()> {
        match stale {
            StaleMirrors::Everything => self.write_all(),
            StaleMirrors::Sessions(groups) => self.follow_sessions(groups),
            StaleMirrors::Groups(groups) => self.follow(groups),
        }
    }

    fn follow(&self, groups: &[Group]) -> Result<()> {
        let entries: Vec<_> = groups.iter().flat_map(|group| &group.entries).collect();
        let Some((first, last)) = entries.first().zip(entries.last()) else { return Ok(()) };
        let (first, last, now) = (first.entry.id, last.entry.id, last.entry.date);
        let on = self.shown()?;
        let changed = self.changed(&on, first, last)?;
        if changed.switched {
            self.write_branch(&on)?;
        }
        let statements = changed.statements.max(changed.branch);
        if statements.max(changed.ledger).is_some() && !self.folder.exists() {
            // There is no mirror yet, or the user removed all of them.
            return self.write_all();
        }
        if let Some(entry) = statements {
            self.follow_statements(&on, changed, first, entry, now)?;
        }
        if changed.ledger.max(changed.branch).is_some() {
            self.write_ledger(&on, now)?;
        }
        self.follow_sessions(groups)
    }

    fn write_all(&self) -> Result<()> {
        let on = self.shown()?;
        let changed = self.changed(&on, 1, self.reader.head())?;
        if changed.switched {
            self.write_branch(&on)?;
        }
        match changed.statements.max(changed.branch) {
            Some(entry) => self.write_statements(&on, entry, self.reader.date_up_to(entry)?)?,
            None => self.remove_statements(&BTreeSet::new())?,
        }
        match changed.ledger.max(changed.branch) {
            Some(entry) => self.write_ledger(&on, self.reader.date_up_to(entry)?)?,
            None => self.folder.remove(LEDGER)?,
        }
        self.write_sessions()
    }

    /// Returns the branch that is shown: the one on which new conversations begin.
    fn shown(&self) -> Result<Shown> {
        let head = self.reader.head();
        let branch = self.reader.default_branch(head)?;
        let branches = self.reader.branches()?;
        let lineage = Lineage::new(branches, &branch, head);
        let on_it = branches.iter().filter(|known| lineage.last(&known.name).is_some());
        let forked = on_it.filter_map(|known| known.created).max().unwrap_or_default();
        let persona = self.reader.branch(&branch)?.and_then(|known| known.persona.clone());
        Ok(Shown { lineage, persona, forked })
    }

    /// Returns what changed on the branch that is shown, within a range of entries.
    fn changed(&self, on: &Shown, first: EntryId, last: EntryId) -> Result<Changed> {
        let switched = self.reader.last_default_switch(first, last)?;
        let forked = Some(on.forked).filter(|forked| (first..=last).contains(forked));
        let LastChanges { statements, ledger } = self.reader.last_changes(&on.lineage, first, last)?;
        Ok(Changed { statements, ledger, branch: switched.max(forked), switched: switched.is_some() })
    }

    fn follow_statements(
        &self,
        on: &Shown,
        group: Changed,
        first: EntryId,
        changed: EntryId,
        now: Timestamp,
    ) -> Result<()> {
        let followed = self.reader.mirrored()?;
        let missed = self.changed(on, followed.entry + 1, first - 1)?;
        let has_missed = missed.statements.max(missed.branch).is_some();
        // Memories of another branch are removed or expire here without a change in their rows.
        if has_missed || group.branch.is_some() || !on.is_root() {
            return self.write_statements(on, changed, now);
        }
        let removed = self.reader.statements_removed(on.branch(), first, followed.instant, now)?;
        let created = self.reader.statements_created(on.branch(), first, now)?;
        let mut changes = statements::changes(lines_of(removed), lines_of(created));
        let mut left = BTreeMap::new();
        for (file, lines) in &changes.gained {
            let before = self.reader.mirror_file(&file.path())?;
            let length = before.as_ref().map_or(0, |left| left.bytes);
            if self.folder.len(&file.path())? != Some(length) {
                return self.write_statements(on, changed, now);
            }
            let now_left = match before {
                None => Some(self.write(*file, lines)?),
                Some(before) if lines.iter().all(|line| line.since > before.since) => {
                    self.add(*file, before, lines)?
                }
                // A statement that was said before the last line must be inserted before it.
                Some(_) => None,
            };
            match now_left {
                Some(now_left) => drop(left.insert(*file, Some(now_left))),
                None => drop(changes.stale.insert(*file)),
            }
        }
        let wanted = &changes.stale;
        let categories = wanted.iter().map(File::category);
        let mut lines = self.lines(on, now, |file| wanted.contains(&file), categories)?;
        for file in wanted {
            let lines = lines.remove(file).unwrap_or_default();
            left.insert(*file, self.write_or_remove(*file, &lines)?);
        }
        self.record(changed, now, &left)
    }

    /// Appends lines to a file; `None` if the file no longer exists.
    fn add(&self, file: File, before: MirrorFile, lines: &[Line]) -> Result<Option<MirrorFile>> {
        let text: String = lines.iter().map(|line| line.text.as_str()).collect();
        let bytes = before.bytes + text.len() as u64;
        let since = lines.last().map_or(before.since, |line| line.since);
        Ok(self.folder.add(&file.path(), &text)?.then_some(MirrorFile { bytes, since }))
    }

    fn write(&self, file: File, lines: &[Line]) -> Result<MirrorFile> {
        let text = file.render(lines);
        self.folder.replace(&file.path(), &text)?;
        let since = lines.last().map_or(Timestamp::MIN, |line| line.since);
        Ok(MirrorFile { bytes: text.len() as u64, since })
    }

    /// Writes a file, or removes it if it has no lines.
    fn write_or_remove(&self, file: File, lines: &[Line]) -> Result<Option<MirrorFile>> {
        match lines.is_empty() {
            true => self.folder.remove(&file.path()).map(|()| None).map_err(Error::from),
            false => self.write(file, lines).map(Some),
        }
    }

    /// Rewrites all files of statements.
    fn write_statements(&self, on: &Shown, changed: EntryId, now: Timestamp) -> Result<()> {
        let files = self.lines(on, now, |_| true, Category::ALL)?;
        self.remove_statements(&files.keys().copied().collect())?;
        let mut left = BTreeMap::new();
        for (file, lines) in &files {
            left.insert(*file, Some(self.write(*file, lines)?));
        }
        self.record(changed, now, &left)
    }

    /// Deletes the recorded states of the files of statements, and removes the files except for `kept`.
    fn remove_statements(&self, kept: &BTreeSet<File>) -> Result<()> {
        self.reader.forget_mirror_files()?;
        clear_statements(&self.folder, kept)
    }

    /// Returns the lines of the statements that are current at an instant on the branch that is shown, of
    /// some categories and files.
    fn lines(
        &self,
        on: &Shown,
        now: Timestamp,
        is_match: impl Fn(File) -> bool,
        categories: impl IntoIterator<Item = Category>,
    ) -> Result<BTreeMap<File, Vec<Line>>> {
        let mut files: BTreeMap<File, Vec<Line>> = BTreeMap::new();
        let categories: BTreeSet<_> = categories.into_iter().collect();
        if categories.is_empty() {
            return Ok(files);
        }
        let lineage = on.lineage.clone();
        let question = Question {
            form: Some(Form::STATEMENTS),
            categories: categories.into_iter().collect(),
            ..Question::default()
        };
        let current = self.reader.memories(&question, &Point { lineage, instant: now })?;
        for line in lines_of(current) {
            if is_match(line.file) {
                files.entry(line.file).or_default().push(line);
            }
        }
        files.values_mut().for_each(|lines| lines.sort());
        Ok(files)
    }

    /// Records the states of files; `None` stands for a removed file.
    fn record(
        &self,
        changed: EntryId,
        now: Timestamp,
        files: &BTreeMap<File, Option<MirrorFile>>,
    ) -> Result<()> {
        let shown = Mirrored { entry: changed, instant: now };
        let files = files.iter().map(|(file, state)| (file.path(), *state));
        Ok(self.reader.record_mirror_files(shown, files)?)
    }
}

/// Returns the lines that files show of memories.
fn lines_of(memories: Vec<Memory>) -> Vec<Line> {
    memories.into_iter().filter_map(|memory| Line::of(&StoredStatement::read(memory)?)).collect()
}
