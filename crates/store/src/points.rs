//! Where a reader or a writer stands: looking up branches, commits and moments.
//!
//! **Invariant.** Which branch a conversation is on is read off the tape, as of the point asked for: the same question
//! about the same point is answered alike whatever was checked out since.

use jiff::{SignedDuration, Timestamp};
use memtape_core::{Branch, Lineage, MAIN, Moment, Point, PointText, Session};
use memtape_tape::{Entry, EntryId};
use rusqlite::OptionalExtension as _;

use crate::author::Author;
use crate::branch_names::{branches, called};
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::rows::micros;

/// How many commits of one beginning are told apart at most.
const COMMITS_NAMED: usize = 5;

impl Reader<'_> {
    /// The branches there are at the head, also those that were deleted.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn branches(&self) -> Result<Vec<Branch>> {
        branches(self.conn)
    }

    /// The branch that a conversation is on after an entry: where it was put last, else where new conversations begin.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn branch_of(&self, session: &Session, entry: EntryId) -> Result<String> {
        let own = match self.session_number(session)? {
            Some(number) => self
                .conn
                .prepare_cached(
                    "SELECT branch FROM switches WHERE session = ?1 AND entry <= ?2 ORDER BY entry DESC LIMIT 1",
                )?
                .query_row((number, entry), |row| row.get(0))
                .optional()?,
            None => None,
        };
        own.map_or_else(|| self.default_branch(entry), Ok)
    }

    /// The branch that new conversations begin on after an entry.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn default_branch(&self, entry: EntryId) -> Result<String> {
        let branch = self
            .conn
            .prepare_cached(
                "SELECT branch FROM switches WHERE is_default AND entry <= ?1 ORDER BY entry DESC LIMIT 1",
            )?
            .query_row([entry], |row| row.get(0))
            .optional()?;
        Ok(branch.unwrap_or_else(|| MAIN.to_owned()))
    }

    /// The branch that an author writes on.
    ///
    /// # Errors
    /// [`Error::NoBranch`], [`Error::BranchDeleted`], or what SQLite says.
    pub(crate) fn branch_of_author(&self, author: &Author) -> Result<String> {
        let branch = match &author.branch {
            Some(branch) => branch.clone(),
            None => self.branch_of(&author.session, self.head())?,
        };
        self.writable(&branch)?;
        Ok(branch)
    }

    /// That a branch may be written to.
    ///
    /// # Errors
    /// [`Error::NoBranch`], [`Error::BranchDeleted`], or what SQLite says.
    pub fn writable(&self, name: &str) -> Result<()> {
        let branches = self.branches()?;
        let branch = branches.iter().find(|branch| branch.name == name);
        let branch = branch.ok_or_else(|| Error::NoBranch(name.to_owned()))?;
        match branch.deleted {
            Some(_) => Err(Error::BranchDeleted(name.to_owned())),
            None => Ok(()),
        }
    }

    /// The branch that a name meant at an entry: the name of a deleted branch may have been given again since.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn branch_called(&self, name: &str, entry: EntryId) -> Result<String> {
        called(self.conn, name, entry)
    }

    /// Whether an entry stands on the lineage of a point.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn counts_at(&self, entry: &Entry, point: &Point) -> Result<bool> {
        let branch = self.branch_called(&entry.branch, entry.id)?;
        Ok(point.lineage.last(&branch).is_some_and(|last| entry.id <= last))
    }

    /// The point at the head of a branch, now.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn head_of(&self, branch: &str) -> Result<Point> {
        let lineage = Lineage::new(&self.branches()?, branch, self.head());
        Ok(Point { lineage, instant: self.now() })
    }

    /// Looks a point up. An entry in the middle of a group means the group's end: they count together. The branch is
    /// the one that the point names, else that of its commit, else the given one, else that which the conversation was
    /// on then.
    ///
    /// # Errors
    /// [`Error::NoBranch`], [`Error::NoEntry`], [`Error::NoCommit`], or what SQLite says.
    pub fn point(&self, text: &PointText, branch: Option<&str>, session: &Session) -> Result<Point> {
        let head = self.head();
        let mut of_commit = None;
        let (entry, instant) = match &text.moment {
            Moment::Head => (head, self.now),
            Moment::Entry(asked) if *asked <= head => self.group_end(*asked)?,
            Moment::Entry(asked) => {
                // Digits may also be what a commit's id begins with.
                let named = self.commit_named(&asked.to_string());
                let (entry, branch) = named.map_err(|_| Error::NoEntry { asked: *asked, last: head })?;
                of_commit = Some(branch);
                self.group_end(entry)?
            }
            Moment::Commit(id) => {
                let (entry, branch) = self.commit_named(id)?;
                of_commit = Some(branch);
                self.group_end(entry)?
            }
            Moment::At(instant) => (self.last_entry_at(*instant)?, *instant),
        };
        let branch = match (text.branch.as_deref(), of_commit, branch) {
            (Some(branch), ..) => self.branch_called(branch, entry)?,
            (None, Some(branch), _) => branch,
            (None, None, Some(branch)) => self.branch_called(branch, entry)?,
            (None, None, None) => self.branch_of(session, entry)?,
        };
        let branches = self.branches()?;
        if !branches.iter().any(|known| known.name == branch) {
            return Err(Error::NoBranch(branch));
        }
        Ok(Point { lineage: Lineage::new(&branches, &branch, entry), instant })
    }

    /// The commit whose id begins so: its last entry, and its branch.
    fn commit_named(&self, id: &str) -> Result<(EntryId, String)> {
        let mut named = self.conn.prepare_cached(
            "SELECT c.id, c.entry, b.name FROM commits c JOIN branches b ON b.id = c.branch
             WHERE c.id >= ?1 AND c.id < ?1 || 'g' ORDER BY c.id, c.entry",
        )?;
        let rows = named.query_map([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let mut found: Vec<(String, EntryId, String)> =
            rows.take(COMMITS_NAMED).collect::<rusqlite::Result<_>>()?;
        match found.len() {
            0 => Err(Error::NoCommit(id.to_owned())),
            1 => Ok(found.pop().map(|(_, entry, branch)| (entry, branch)).unwrap_or_default()),
            _ => {
                let ids = found.iter().map(|(id, entry, _)| format!("{id} (@{entry})"));
                Err(Error::AmbiguousCommit { id: id.to_owned(), found: ids.collect::<Vec<_>>().join(", ") })
            }
        }
    }

    fn group_end(&self, asked: EntryId) -> Result<(EntryId, Timestamp)> {
        let row: Option<(EntryId, u64, i64)> = self
            .conn
            .prepare_cached("SELECT id, more, date FROM entries WHERE id <= ?1 ORDER BY id DESC LIMIT 1")?
            .query_row([asked], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        Ok(match row {
            Some((id, more, date)) => ((id + more).max(asked), micros(date)),
            None => (asked, Timestamp::UNIX_EPOCH),
        })
    }

    /// When the last entry that counts at a point was appended.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn last_date(&self, point: &Point) -> Result<Option<Timestamp>> {
        let date: Option<i64> = self
            .conn
            .prepare_cached("SELECT date FROM entries WHERE id <= ?1 ORDER BY id DESC LIMIT 1")?
            .query_row([point.entry()], |row| row.get(0))
            .optional()?;
        Ok(date.map(micros))
    }

    /// The last entry before an instant; 0 where there is none.
    pub(crate) fn last_entry_before(&self, instant: Timestamp) -> Result<EntryId> {
        match instant.checked_sub(SignedDuration::from_micros(1)) {
            Ok(just_before) => self.last_entry_at(just_before),
            Err(_) => Ok(0),
        }
    }

    /// Dates never fall along the tape, so the last entry not after an instant is found by halving.
    pub(crate) fn last_entry_at(&self, instant: Timestamp) -> Result<EntryId> {
        let mut next =
            self.conn.prepare_cached("SELECT id, date FROM entries WHERE id >= ?1 ORDER BY id LIMIT 1")?;
        let (mut found, mut low, mut high) = (0, 1, self.head());
        while low <= high {
            let middle = low + (high - low) / 2;
            let row: Option<(EntryId, i64)> =
                next.query_row([middle], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            match row {
                Some((id, date)) if date <= instant.as_microsecond() => {
                    found = found.max(id);
                    low = id.max(middle) + 1;
                }
                _ => high = middle - 1,
            }
        }
        Ok(found)
    }
}
