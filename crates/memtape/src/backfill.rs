//! Imports older memory files as statements (document 4's backfill).
//!
//! *Reads* `MEMORY.md`, `HISTORY.md`, `YYYY-MM-DD.md` and the Markdown files of `episodic/`, `semantic/` and
//! `procedural/`, in a directory and in its `memory/`. *Writes* a statement for each bullet and paragraph, in
//! groups, and an event that names each file that was read completely.
//!
//! **Invariants.** No text is cut and no file is changed. A file, identified by its digest, is imported once
//! per scope: statements that were forgotten since do not return, unless the file has changed or the caller asks for it.
//! After an interruption, running it again adds the missing statements.

mod files;
mod pieces;

use std::collections::BTreeSet;
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use memtape_core::forms::statements::entry::{BACKFILL, read_files};
use memtape_core::forms::statements::{NewStatement, Outcome, ReadFile, Source, Statement};
use memtape_core::{Audience, Category, Context, Meta, Origin, calendar};
use memtape_index::EntryQuestion;
use memtape_tape::Kind;

use self::files::Older;
use self::pieces::Piece;
use crate::error::{Error, Result};
use crate::statements::{IMPORTED_CONFIDENCE, IMPORTED_IMPORTANCE, Statements};
use crate::workspace::At;

/// Number of statements per group, which leaves room for the event that names the files.
const GROUP_STATEMENTS: usize = 499;

/// The result of a backfill: the outcome of each file, in the order they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backfilled {
    /// The files.
    pub files: Vec<BackfilledFile>,
}

/// The outcome of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackfilledFile {
    /// The path within the directory.
    pub file: String,
    /// The outcome.
    pub outcome: FileOutcome,
}

/// The outcome of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileOutcome {
    /// It was imported.
    Read {
        /// Number of new statements.
        added: u64,
        /// Number of statements that existed already.
        present: u64,
    },
    /// It was skipped because it had been imported before.
    Before,
    /// It could not be read, for this reason.
    Unreadable(String),
}

/// A statement in a file.
struct Item {
    /// The index of its file in the list of files.
    file: usize,
    text: String,
    category: Category,
    said_at: Option<Timestamp>,
    date: Option<Date>,
    place: String,
}

/// The statements and files that are not written yet.
#[derive(Default)]
struct Batch {
    items: Vec<Item>,
    /// The files that were read completely.
    files: Vec<ReadFile>,
}

impl Statements<'_> {
    /// Imports the older files of a directory; `None` means the workspace's own directory.
    ///
    /// A file that was imported before is skipped, unless `force` is set. A file that cannot be read is
    /// reported as [`FileOutcome::Unreadable`].
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the directory does not exist or contains no such file.
    /// - [`Error::Refused`] if it is the workspace's mirror.
    /// - [`Error::Input`] if a directory cannot be listed.
    /// - [`Error::Store`] as for [`Workspace::write`](crate::Workspace::write). Groups that were written
    ///   before the error are kept.
    pub fn backfill(&self, dir: Option<&Path>, force: bool) -> Result<Backfilled> {
        let found = self.older(dir)?;
        let import = self.importing();
        let known = if force { BTreeSet::new() } else { import.read_before()? };
        let mut done = Backfilled::default();
        let mut batch = Batch::default();
        for (n, older) in found.iter().enumerate() {
            let read = older.read();
            let outcome = match &read {
                Err(why) => FileOutcome::Unreadable(why.clone()),
                Ok((digest, _)) if known.contains(digest) => FileOutcome::Before,
                Ok(_) => FileOutcome::Read { added: 0, present: 0 },
            };
            let is_new = matches!(outcome, FileOutcome::Read { .. });
            done.files.push(BackfilledFile { file: older.file.clone(), outcome });
            let Some((digest, text)) = read.ok().filter(|_| is_new) else { continue };
            for item in import.items(n, older, &text) {
                batch.items.push(item);
                if batch.items.len() >= GROUP_STATEMENTS {
                    import.flush(&mut batch, &mut done)?;
                }
            }
            batch.files.push(ReadFile { file: older.file.clone(), sha256: digest });
        }
        import.flush(&mut batch, &mut done)?;
        Ok(done)
    }

    fn older(&self, dir: Option<&Path>) -> Result<Vec<Older>> {
        let own = self.workspace().dir();
        let folder = dir.unwrap_or(own);
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if real(folder).starts_with(real(own).join("mirror")) {
            return Err(Error::Refused(
                "these files are mirrors of this workspace: there is nothing to \
                                       import"
                    .into(),
            ));
        }
        let found = files::find(folder)?;
        if found.is_empty() {
            let folder = match dir {
                Some(dir) => dir.display().to_string(),
                None => "the workspace directory".into(),
            };
            return Err(Error::NotFound(format!(
                "nothing to backfill in {folder}: expected a directory with MEMORY.md, HISTORY.md, \
                 YYYY-MM-DD.md, or the folders episodic, semantic or procedural"
            )));
        }
        Ok(found)
    }

    /// Returns the digests of the files that were imported for the same scope, unless that was undone.
    fn read_before(&self) -> Result<BTreeSet<String>> {
        let home = self.home()?;
        let question = EntryQuestion {
            name: Some(BACKFILL.into()),
            kinds: vec![Kind::Event],
            ..EntryQuestion::default()
        };
        self.workspace().read(&At::head(), &Audience::owner(), self.session(), |reader, point| {
            let reversals = reader.reversals()?;
            let mut read = BTreeSet::new();
            for entry in reader.entries(&question, point)? {
                let is_own = Meta::read(entry.meta.get()).scope() == home;
                let group = reader.group_with(entry.id)?.last;
                let is_undone = reversals.of(group, &point.lineage).is_some();
                if is_own && !is_undone && reader.counts_at(&entry, point)? {
                    read.extend(read_files(&entry).into_iter().map(|file| file.sha256));
                }
            }
            Ok(read)
        })
    }

    /// Returns the statements of a file.
    fn items(&self, file: usize, older: &Older, text: &str) -> Vec<Item> {
        let workspace = self.workspace();
        let zone = workspace.time_zone();
        let day_begins = older.day.and_then(|day| calendar::parse_instant(&day.to_string(), zone).ok());
        let mut said_before = None;
        let mut items = Vec::new();
        for Piece { line, text, category, stamp } in pieces::pieces(text, zone) {
            if older.is_template(&text) {
                continue;
            }
            // An entry of HISTORY.md extends to the next stamp.
            let stamp = stamp.or(said_before);
            said_before = stamp.filter(|_| older.is_history);
            let category = category.filter(|_| older.by_heading).unwrap_or(older.category);
            let said_on = stamp.filter(|_| category == Category::Episodic).map(|at| calendar::day(at, zone));
            items.push(Item {
                file,
                text: workspace.clean(&text).into_owned(),
                category,
                said_at: stamp.or(day_begins),
                date: older.day.or(said_on),
                place: format!("{}:{line}", older.file),
            });
        }
        items
    }

    /// Writes the batch as one group.
    fn flush(&self, batch: &mut Batch, done: &mut Backfilled) -> Result<()> {
        let Batch { items, files } = std::mem::take(batch);
        if items.is_empty() && files.is_empty() {
            return Ok(());
        }
        let scope = self.home()?;
        let outcomes = self.record(&files, |ctx| {
            items
                .iter()
                .map(|item| NewStatement {
                    statement: statement(item, ctx),
                    scope: scope.clone(),
                    origin: Origin::Import,
                    sensitivity: ctx.sensitivity,
                })
                .collect()
        })?;
        for (item, outcome) in items.iter().zip(outcomes) {
            if let FileOutcome::Read { added, present } = &mut done.files[item.file].outcome {
                match outcome {
                    Outcome::Saved(_) => *added += 1,
                    Outcome::Confirmed(_) | Outcome::Present(_) => *present += 1,
                }
            }
        }
        Ok(())
    }
}

/// Returns an item as a statement. Its expiry counts from the import, however old the file is.
fn statement(item: &Item, ctx: &Context) -> Statement {
    Statement {
        importance: IMPORTED_IMPORTANCE,
        confidence: IMPORTED_CONFIDENCE,
        source: Source::Import,
        date: item.date,
        place: Some(item.place.clone()),
        ..Statement::new(item.text.clone(), item.category, item.said_at.unwrap_or(ctx.now))
    }
}
