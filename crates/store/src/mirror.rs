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
use memtape_core::{Category, Form, Lineage, Point};
use memtape_tape::{EntryId, Group};
use rusqlite::{OptionalExtension as _, params};
use statements::{File, Line};

use crate::error::Error;
use crate::reader::{Question, Reader};
use crate::rows::{SELECT_MEMORY, micros, number_of, read_memory};
use crate::visibility::{known, of_form};

mod files;
mod ledger;
mod sessions;

use files::Folder;

/// The reason why a mirror could not be updated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Store(#[from] Error),
    #[error("cannot {action} {path}: {source}")]
    File { action: &'static str, path: String, source: std::io::Error },
}

impl Failure {
    fn file(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::File { action, path: path.display().to_string(), source }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(e: rusqlite::Error) -> Self {
        Self::Store(e.into())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Store(e) => e,
            Failure::File { action, path, source } => Self::MirrorFile { action, path, source },
        }
    }
}

type Result<T, E = Failure> = std::result::Result<T, E>;

/// Removes the files of all mirrors, durably, because the tape no longer contains what they show. Returns
/// whether there was a folder of mirrors: in that case they must be rewritten. The caller holds the writer
/// lock.
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
        let is_meant =
            |name: &str| File::at_path(&format!("{folder}/{name}")).is_some_and(|file| !kept.contains(&file));
        mirrors.clear(folder, is_meant)?;
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

/// The last entries of a range that changed what is shown.
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

/// The state that the files of statements show.
struct Followed {
    /// The last entry that changed them.
    entry: EntryId,
    /// The date of that entry.
    instant: Timestamp,
}

/// The state of a file of statements after its last update.
#[derive(Clone, Copy)]
struct Left {
    bytes: u64,
    /// When its last statement was first said.
    since: Timestamp,
}

impl<'a> Mirrors<'a> {
    pub(crate) fn new(dir: &Path, reader: &'a Reader<'a>, session_state: bool) -> Self {
        let (folder, root) = (Folder::new(dir.join(FOLDER)), Folder::of_workspace(dir.to_owned()));
        Self { reader, folder, root, session_state }
    }

    /// Updates the mirrors for groups that were just projected; without groups, rewrites all of them.
    pub(crate) fn update(&self, groups: Option<&[Group]>) -> Result<()> {
        groups.map_or_else(|| self.write_all(), |groups| self.follow(groups))
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
        if self.session_state {
            self.follow_sessions(groups, first)?;
        }
        Ok(())
    }

    fn write_all(&self) -> Result<()> {
        let on = self.shown()?;
        let changed = self.changed(&on, 1, self.reader.head())?;
        if changed.switched {
            self.write_branch(&on)?;
        }
        match changed.statements.max(changed.branch) {
            Some(entry) => self.write_statements(&on, entry, self.date(entry)?)?,
            None => self.remove_statements(&BTreeSet::new())?,
        }
        match changed.ledger.max(changed.branch) {
            Some(entry) => self.write_ledger(&on, self.date(entry)?)?,
            None => self.folder.remove(LEDGER)?,
        }
        self.write_sessions()
    }

    fn date(&self, entry: EntryId) -> Result<Timestamp> {
        let date = "SELECT date FROM entries WHERE id <= ?1 ORDER BY id DESC LIMIT 1";
        Ok(micros(self.reader.conn.prepare_cached(date)?.query_row([entry], |row| row.get(0))?))
    }

    /// Returns the branch that is shown: the one on which new conversations begin.
    fn shown(&self) -> Result<Shown> {
        let head = self.reader.head();
        let branch = self.reader.default_branch(head)?;
        let branches = self.reader.branches()?;
        let lineage = Lineage::new(&branches, &branch, head);
        let on_it = branches.iter().filter(|known| lineage.last(&known.name).is_some());
        let forked = on_it.filter_map(|known| known.created).max().unwrap_or_default();
        let persona = branches.into_iter().find(|known| known.name == branch).and_then(|known| known.persona);
        Ok(Shown { lineage, persona, forked })
    }

    /// Returns what changed on the branch that is shown, within a range of entries.
    fn changed(&self, on: &Shown, first: EntryId, last: EntryId) -> Result<Changed> {
        let conn = self.reader.conn;
        let switched = "SELECT max(entry) FROM switches WHERE is_default AND entry >= ?1 AND entry <= ?2";
        let switched: Option<EntryId> =
            conn.prepare_cached(switched)?.query_row([first, last], |row| row.get(0))?;
        let forked = Some(on.forked).filter(|forked| (first..=last).contains(forked));
        let mut changed =
            Changed { branch: switched.max(forked), switched: switched.is_some(), ..Changed::default() };
        let known = known("m");
        let sql = format!(
            "SELECT form, max(entry) FROM (
                     SELECT m.form, m.id >> 20 AS entry FROM memories m
                     WHERE {known} AND m.branch = ?3 AND m.id >= (?1 << 20) AND m.id < ((?2 + 1) << 20)
                     UNION ALL
                     SELECT m.form, m.died FROM memories m
                     WHERE {known} AND m.died >= ?1 AND m.died <= ?2 AND m.branch = ?3
                     UNION ALL
                     SELECT m.form, r.entry FROM retired r JOIN memories m ON m.id = r.memory
                     WHERE r.branch = ?3 AND r.entry >= ?1 AND r.entry <= ?2
                     UNION ALL
                     -- A commit may leave a conflict open or settle one, and change nothing else.
                     SELECT 'ledger', entry FROM commits
                     WHERE branch = ?3 AND entry >= ?1 AND entry <= ?2 AND id IS NOT NULL)
                   GROUP BY form"
        );
        let mut forms = conn.prepare_cached(&sql)?;
        for (branch, end) in on.lineage.steps() {
            let end = last.min(*end);
            let Some(branch) =
                (first <= end).then(|| number_of(conn, "branches", branch)).transpose()?.flatten()
            else {
                continue;
            };
            let mut rows = forms.query(params![first, end, branch])?;
            while let Some(row) = rows.next()? {
                let entry: Option<EntryId> = row.get(1)?;
                match row.get_ref(0)?.as_str() {
                    Ok("statements") => changed.statements = changed.statements.max(entry),
                    Ok("ledger") => changed.ledger = changed.ledger.max(entry),
                    _ => {}
                }
            }
        }
        Ok(changed)
    }

    fn follow_statements(
        &self,
        on: &Shown,
        group: Changed,
        first: EntryId,
        changed: EntryId,
        now: Timestamp,
    ) -> Result<()> {
        let followed = self.followed()?;
        let missed = self.changed(on, followed.entry + 1, first - 1)?;
        let has_missed = missed.statements.max(missed.branch).is_some();
        // What comes from another branch is removed or expires here without a trace in its rows.
        if has_missed || group.branch.is_some() || !on.is_root() {
            return self.write_statements(on, changed, now);
        }
        let branch = self.number(on)?;
        let gone = self.gone(branch, first, &followed, now)?;
        let mut changes = statements::changes(gone, self.come(branch, first, now)?);
        let mut left = BTreeMap::new();
        for (file, lines) in &changes.gained {
            let before = self.left(*file)?;
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
        self.note(changed, now, &left)
    }

    /// Appends lines to a file; `None` if the file no longer exists.
    fn add(&self, file: File, before: Left, lines: &[Line]) -> Result<Option<Left>> {
        let text: String = lines.iter().map(|line| line.text.as_str()).collect();
        let bytes = before.bytes + text.len() as u64;
        let since = lines.last().map_or(before.since, |line| line.since);
        Ok(self.folder.add(&file.path(), &text)?.then_some(Left { bytes, since }))
    }

    fn write(&self, file: File, lines: &[Line]) -> Result<Left> {
        let text = file.render(lines);
        self.folder.replace(&file.path(), &text)?;
        let since = lines.last().map_or(Timestamp::MIN, |line| line.since);
        Ok(Left { bytes: text.len() as u64, since })
    }

    /// Writes a file, or removes it if it has no lines.
    fn write_or_remove(&self, file: File, lines: &[Line]) -> Result<Option<Left>> {
        match lines.is_empty() {
            true => self.folder.remove(&file.path()).map(|()| None),
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
        self.note(changed, now, &left)
    }

    /// Deletes the recorded states of the files of statements, and removes the files except for `kept`.
    fn remove_statements(&self, kept: &BTreeSet<File>) -> Result<()> {
        self.reader.conn.execute_batch("DELETE FROM mirrored; DELETE FROM mirror_files")?;
        clear_statements(&self.folder, kept)
    }

    /// Returns the lines of the statements that are current at an instant on the branch that is shown, of
    /// some categories and files.
    fn lines(
        &self,
        on: &Shown,
        now: Timestamp,
        is_meant: impl Fn(File) -> bool,
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
        let standing = self.reader.memories(&question, &Point { lineage, instant: now })?;
        for line in standing.into_iter().filter_map(|memory| Line::of(&StoredStatement::read(memory)?)) {
            if is_meant(line.file) {
                files.entry(line.file).or_default().push(line);
            }
        }
        files.values_mut().for_each(|lines| lines.sort());
        Ok(files)
    }

    /// Returns the lines that were shown before an entry, of statements that have been removed or have
    /// expired since.
    fn gone(&self, branch: i64, first: EntryId, followed: &Followed, now: Timestamp) -> Result<Vec<Line>> {
        let end = first << 20;
        let before = followed.instant.as_microsecond();
        let of_statements = of_form("m", Form::STATEMENTS);
        let retired = format!(
            "{of_statements} AND m.died >= ?1 AND m.id < ?2 AND m.branch = ?3
             AND (m.expires_at IS NULL OR m.expires_at > ?4)"
        );
        let mut gone = self.read_lines(&retired, params![first, end, branch, before])?;
        let expired = "m.expires_at > ?1 AND m.expires_at <= ?2 AND m.died IS NULL AND m.form = 'statements'
                       AND m.branch = ?3 AND m.id < ?4";
        gone.extend(self.read_lines(expired, params![before, now.as_microsecond(), branch, end])?);
        Ok(gone)
    }

    /// Returns the lines of the current statements that this entry or a later one created.
    fn come(&self, branch: i64, first: EntryId, now: Timestamp) -> Result<Vec<Line>> {
        let born = format!(
            "{} AND m.id >= ?1 AND m.died IS NULL AND m.branch = ?2 AND (m.expires_at IS NULL OR m.expires_at > ?3)",
            of_form("m", Form::STATEMENTS)
        );
        self.read_lines(&born, params![first << 20, branch, now.as_microsecond()])
    }

    fn read_lines(&self, condition: &str, values: impl rusqlite::Params) -> Result<Vec<Line>> {
        let mut statement = self.reader.conn.prepare_cached(&format!("{SELECT_MEMORY} WHERE {condition}"))?;
        let memories = statement.query_map(values, read_memory)?.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(memories.into_iter().filter_map(|memory| Line::of(&StoredStatement::read(memory)?)).collect())
    }

    fn number(&self, on: &Shown) -> Result<i64> {
        Ok(number_of(self.reader.conn, "branches", on.branch())?.unwrap_or_default())
    }

    fn followed(&self) -> Result<Followed> {
        let row: Option<(EntryId, i64)> = self
            .reader
            .conn
            .prepare_cached("SELECT entry, instant FROM mirrored")?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (entry, instant) = row.map_or((0, Timestamp::MIN), |(entry, at)| (entry, micros(at)));
        Ok(Followed { entry, instant })
    }

    fn left(&self, file: File) -> Result<Option<Left>> {
        Ok(self
            .reader
            .conn
            .prepare_cached("SELECT bytes, since FROM mirror_files WHERE file = ?1")?
            .query_row([file.path()], |row| Ok(Left { bytes: row.get(0)?, since: micros(row.get(1)?) }))
            .optional()?)
    }

    /// Records the states of files; `None` stands for a removed file.
    fn note(&self, changed: EntryId, now: Timestamp, files: &BTreeMap<File, Option<Left>>) -> Result<()> {
        let transaction = self.reader.conn.unchecked_transaction()?;
        for (file, left) in files {
            match left {
                Some(Left { bytes, since }) => transaction
                    .prepare_cached("INSERT OR REPLACE INTO mirror_files VALUES (?1, ?2, ?3)")?
                    .execute(params![file.path(), bytes, since.as_microsecond()])?,
                None => transaction
                    .prepare_cached("DELETE FROM mirror_files WHERE file = ?1")?
                    .execute([file.path()])?,
            };
        }
        transaction
            .prepare_cached("INSERT OR REPLACE INTO mirrored VALUES (1, ?1, ?2)")?
            .execute(params![changed, now.as_microsecond()])?;
        Ok(transaction.commit()?)
    }
}
