//! The position of a reader or a writer: resolves branches, commits and moments.
//!
//! **Invariants.** The branch of a conversation is read from the tape as of the requested point: the same
//! query about the same point always has the same answer, whatever was checked out since. Every point is resolved for
//! an audience ([`Reader::point`]): a branch or a commit that it may not know of is answered like one that does not
//! exist.

use jiff::{SignedDuration, Timestamp};
use memtape_core::point::COMMIT_DIGITS_MIN;
use memtape_core::{Audience, Branch, Lineage, MAIN, Moment, Point, PointText, Session};
use memtape_tape::{Entry, EntryId};
use rusqlite::OptionalExtension as _;

use crate::branch_names::{branches, called};
use crate::commits::CommitQuestion;
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::rows::micros;

/// Maximum number of ids that an ambiguous commit prefix lists.
const COMMITS_NAMED: usize = 5;

impl Reader<'_> {
    /// Returns all branches at the head, including deleted ones.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn branches(&self) -> Result<&[Branch]> {
        match self.branches.get() {
            Some(branches) => Ok(branches),
            None => {
                let branches = branches(self.conn)?;
                Ok(self.branches.get_or_init(|| branches))
            }
        }
    }

    /// Returns the branch with this name at the head, even if it is deleted; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn branch(&self, name: &str) -> Result<Option<&Branch>> {
        Ok(self.branches()?.iter().find(|branch| branch.name == name))
    }

    /// Returns the branch of a conversation after an entry: that of its last switch, otherwise the default
    /// branch.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
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

    /// Returns the branch on which new conversations begin after an entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
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

    /// Returns whether an audience may know of a branch: of main, and of the branches whose fork it sees, whatever
    /// kind of scope it is restricted to.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn knows(&self, audience: &Audience, branch: &Branch) -> Result<bool> {
        match branch.created {
            _ if audience.is_owner() => Ok(true),
            Some(entry) => self.sees(entry, &audience.clone().unrestricted()),
            None => Ok(branch.name == MAIN),
        }
    }

    /// Checks that a branch may be written to.
    ///
    /// # Errors
    /// [`Error::NoBranch`] if it does not exist; [`Error::BranchDeleted`] if it was deleted; [`Error::Sqlite`]
    /// if SQLite fails.
    pub fn writable(&self, name: &str) -> Result<()> {
        let branch = self.branch(name)?.ok_or_else(|| Error::NoBranch(name.to_owned()))?;
        match branch.deleted {
            Some(_) => Err(Error::BranchDeleted(name.to_owned())),
            None => Ok(()),
        }
    }

    /// Returns the branch that a name referred to at an entry. The name of a deleted branch may have been reused since.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn branch_called(&self, name: &str, entry: EntryId) -> Result<String> {
        called(self.conn, name, entry)
    }

    /// Returns whether an entry is on the lineage of a point.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn counts_at(&self, entry: &Entry, point: &Point) -> Result<bool> {
        let branch = self.branch_called(&entry.branch, entry.id)?;
        Ok(point.lineage.holds(&branch, entry.id))
    }

    /// Returns the point at the head of a branch, at the current time.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn head_of(&self, branch: &str) -> Result<Point> {
        let lineage = Lineage::new(self.branches()?, branch, self.head());
        Ok(Point { lineage, instant: self.now() })
    }

    /// Returns whether the branch that a conversation is on now has what another one had at an entry.
    fn inherits(&self, session: &Session, name: &str, entry: EntryId) -> Result<bool> {
        let lineage = Lineage::new(self.branches()?, &self.branch_of(session, self.head())?, self.head());
        Ok(lineage.last(name).is_some_and(|last| entry <= last))
    }

    /// Resolves a point for an audience, in a conversation.
    ///
    /// An entry inside a group means the end of the group, because entries of a group count together. The
    /// branch is, in this order: the one that the point names, that of its commit, the argument `branch`, the
    /// one that the conversation was on at that moment. Unless it is one of the last two, or the conversation's branch inherits
    /// it, the audience must know of it ([`Reader::knows`]).
    ///
    /// # Errors
    /// [`Error::NoBranch`] if there is no branch of this name that the audience may know of; [`Error::NoEntry`] if the
    /// entry is after the end of the tape; [`Error::NoCommit`] or [`Error::AmbiguousCommit`] if no or several ids of
    /// commits that the audience may know of have the prefix; [`Error::Sqlite`] if SQLite fails.
    pub fn point(
        &self,
        text: &PointText,
        branch: Option<&str>,
        audience: &Audience,
        session: &Session,
    ) -> Result<Point> {
        let head = self.head();
        let may_read = |name: &str, entry: EntryId| -> Result<bool> {
            let Some(found) = self.branch(name)? else { return Ok(false) };
            let is_selected = match branch {
                Some(branch) => self.branch_called(branch, entry)? == name,
                None => false,
            };
            Ok(is_selected
                || self.knows(audience, found)?
                || self.branch_of(session, entry)? == name
                || self.inherits(session, name, entry)?)
        };
        let mut of_commit = None;
        let (entry, instant) = match &text.moment {
            Moment::Head => (head, self.now),
            Moment::Entry(asked) if *asked <= head => self.group_end(*asked)?,
            Moment::Entry(asked) => {
                // A number that is long enough may also be the prefix of a commit's id. A shorter one is only an
                // entry: a wrong number must not select another commit.
                let last = audience.is_owner().then_some(head);
                let no_entry = || Error::NoEntry { asked: *asked, last };
                let digits = asked.to_string();
                if digits.len() < COMMIT_DIGITS_MIN {
                    return Err(no_entry());
                }
                let named = self.commit_named(&digits, audience, may_read);
                let (entry, branch) = named.map_err(|e| match e {
                    Error::NoCommit(_) => no_entry(),
                    e => e,
                })?;
                of_commit = Some(branch);
                self.group_end(entry)?
            }
            Moment::Commit(id) => {
                let (entry, branch) = self.commit_named(id, audience, may_read)?;
                of_commit = Some(branch);
                self.group_end(entry)?
            }
            Moment::At(instant) => (self.last_entry_at(*instant)?, *instant),
        };
        let branch = match (text.branch.as_deref(), of_commit, branch) {
            (None, Some(branch), _) => branch,
            (Some(asked), ..) | (None, None, Some(asked)) => {
                let name = self.branch_called(asked, entry)?;
                if !may_read(&name, entry)? {
                    return Err(Error::NoBranch(asked.to_owned()));
                }
                name
            }
            (None, None, None) => self.branch_of(session, entry)?,
        };
        Ok(Point { lineage: Lineage::new(self.branches()?, &branch, entry), instant })
    }

    /// Returns the last entry and the branch of the commit whose id has this prefix, among those on a branch that
    /// `may_read` accepts and with a change visible to the audience.
    fn commit_named(
        &self,
        id: &str,
        audience: &Audience,
        may_read: impl Fn(&str, EntryId) -> Result<bool>,
    ) -> Result<(EntryId, String)> {
        let question =
            CommitQuestion { audience: audience.clone().unrestricted(), ..CommitQuestion::default() };
        let sql = format!(
            "SELECT g.id, g.entry, b.name FROM commits g JOIN branches b ON b.id = g.branch
             WHERE g.id >= ?1 AND g.id < ?1 || 'g' AND {} ORDER BY g.id, g.entry",
            self.shows_any(&question)?
        );
        let mut named = self.conn.prepare_cached(&sql)?;
        let mut rows = named.query([id])?;
        let mut found: Vec<(String, EntryId, String)> = Vec::new();
        while let Some(row) = rows.next()?.filter(|_| found.len() < COMMITS_NAMED) {
            let (id, entry, branch): (_, _, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if may_read(&branch, entry)? {
                found.push((id, entry, branch));
            }
        }
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

    /// Returns the number of entries up to a point that are not in the index, because their lines on the tape were
    /// damaged or missing when it was built: entries are numbered without gaps.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn missing_entries(&self, point: &Point) -> Result<u64> {
        let sql = "SELECT count(*) FROM entries WHERE id <= ?1";
        let known: u64 = self.conn.prepare_cached(sql)?.query_row([point.entry()], |row| row.get(0))?;
        Ok(point.entry().saturating_sub(known))
    }

    /// Returns the date of the last entry up to a point; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn last_date(&self, point: &Point) -> Result<Option<Timestamp>> {
        let date: Option<i64> = self
            .conn
            .prepare_cached("SELECT date FROM entries WHERE id <= ?1 ORDER BY id DESC LIMIT 1")?
            .query_row([point.entry()], |row| row.get(0))
            .optional()?;
        Ok(date.map(micros))
    }

    /// Returns the last entry before an instant; 0 if there is none.
    pub(crate) fn last_entry_before(&self, instant: Timestamp) -> Result<EntryId> {
        match instant.checked_sub(SignedDuration::from_micros(1)) {
            Ok(just_before) => self.last_entry_at(just_before),
            Err(_) => Ok(0),
        }
    }

    /// Returns the last entry at or before an instant; 0 if there is none. Dates never decrease along the
    /// tape, so a binary search finds it.
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
