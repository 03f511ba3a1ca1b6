//! Commits and their changes, and differences between two views.
//!
//! **Invariant.** As in [`crate::reader`]: every memory and every anchor passes [`seen_by`], in SQL. A commit whose
//! changes are all hidden from an audience does not exist for it. For a confidential memory, the owner gets only the
//! ref.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jiff::Timestamp;
use memtape_core::change::{self, Change};
use memtape_core::commit::{COMMIT, Commit};
use memtape_core::forms::notes::NotePath;
use memtape_core::forms::notes::entry::Act;
use memtape_core::{Audience, Form, Memory, MemoryId, Meta, Origin, Point, Scope, Sensitivity, Session};
use memtape_tape::EntryId;
use rusqlite::{OptionalExtension as _, Row};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::{Error, Result};
use crate::reader::{Question, Reader};
use crate::rows::{SELECT_MEMORY, micros, number_of, query_all, read_memory};
use crate::visibility::{known, of_form, visible_at};

/// A group that changed a view, as far as an audience sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedCommit {
    /// The first entry of its group.
    pub first: EntryId,
    /// The last entry of its group, which identifies the commit.
    pub entry: EntryId,
    /// The branch of the commit.
    pub branch: String,
    /// The conversation in which it was made.
    pub session: Option<String>,
    /// The date of its first entry.
    pub date: Timestamp,
    /// Document 1's id of the commit, if it has one.
    pub id: Option<String>,
    /// The content of its anchor; `None` if it has no anchor that the audience sees.
    pub anchor: Option<Commit>,
    /// The origin of the commit.
    pub origin: Option<Origin>,
    /// The reason, if one was recorded and it is not confidential.
    pub reason: Option<String>,
    /// The note or file that it deleted or renamed, if it did nothing else.
    pub moved_file: Option<FileMoved>,
    /// Whether any of its changes of the question's form, listed or not, is about an untrusted memory.
    pub is_untrusted: bool,
    /// Its changes.
    pub changes: Vec<Change>,
    /// The number of changes that were omitted.
    pub more: usize,
}

/// A note or file that was deleted or renamed. The paths are relative to the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMoved {
    /// The path before.
    pub from: String,
    /// The path now; `None` if it was deleted.
    pub to: Option<String>,
}

/// A filter on commits.
#[derive(Clone, Debug, Default)]
pub struct CommitQuestion {
    /// The audience of the query.
    pub audience: Audience,
    /// Only commits that changed a memory of this form, with only those changes.
    pub form: Option<Form>,
    /// Only commits before this entry.
    pub before: Option<EntryId>,
    /// Maximum number of commits.
    pub limit: Option<usize>,
    /// Maximum number of changes per commit; the others are only counted.
    pub changes: Option<usize>,
    /// Whether to include every branch, not only the point's lineage.
    pub everywhere: bool,
}

/// The row of a commit in the index.
struct Place {
    first: EntryId,
    entry: EntryId,
    branch: i64,
    branch_name: String,
    session: Option<String>,
    id: Option<String>,
}

/// SQL for the last entry before a commit's group.
const BEFORE_GROUP: &str =
    "coalesce((SELECT e.id FROM entries e WHERE e.id <= g.entry AND e.id + e.more <> g.entry
    ORDER BY e.id DESC LIMIT 1), 0)";

impl Reader<'_> {
    /// Returns the commits up to a point that have a change visible to an audience, newest first.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::Tape`] if the disk fails.
    pub fn commits(&self, question: &CommitQuestion, point: &Point) -> Result<Vec<LoggedCommit>> {
        let last = question.before.map_or(point.entry(), |b| point.entry().min(b.saturating_sub(1)));
        let limit = question.limit.unwrap_or(usize::MAX);
        let mut places: Vec<Place> = Vec::new();
        if question.everywhere {
            places = self.places(question, None, last, limit)?;
        } else {
            for (name, step) in point.lineage.steps() {
                // The steps of a lineage are disjoint ranges of the tape, and the range of the reader's own
                // branch is the last one.
                let oldest = places.iter().map(|place| place.entry).min();
                if places.len() >= limit && oldest.is_some_and(|oldest| *step < oldest) {
                    break;
                }
                let Some(branch) = number_of(self.conn, "branches", name)? else { continue };
                places.extend(self.places(question, Some(branch), last.min(*step), limit)?);
            }
            places.sort_by_key(|place| std::cmp::Reverse(place.entry));
            places.truncate(limit);
        }
        let commits = places.into_iter().map(|place| self.committed(place, question));
        commits.collect()
    }

    /// Returns the number of commits that [`Reader::commits`] returns without a limit.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn count_commits(&self, question: &CommitQuestion, point: &Point) -> Result<u64> {
        let last = question.before.map_or(point.entry(), |b| point.entry().min(b.saturating_sub(1)));
        let shown = self.shows_any(question)?;
        if question.everywhere {
            let sql = format!("SELECT count(*) FROM commits g WHERE g.entry <= ?1 AND {shown}");
            return Ok(self.conn.prepare(&sql)?.query_row([last], |row| row.get(0))?);
        }
        let sql = format!("SELECT count(*) FROM commits g WHERE g.entry <= ?1 AND g.branch = ?2 AND {shown}");
        let (mut statement, mut count) = (self.conn.prepare(&sql)?, 0);
        for (name, step) in point.lineage.steps() {
            let Some(branch) = number_of(self.conn, "branches", name)? else { continue };
            count += statement.query_row((last.min(*step), branch), |row| row.get::<_, u64>(0))?;
        }
        Ok(count)
    }

    /// Returns the commit whose group ends with an entry, on any branch; `None` if there is none with a change visible
    /// to the audience.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails; [`Error::Tape`] if the disk fails.
    pub fn commit(&self, entry: EntryId, audience: &Audience) -> Result<Option<LoggedCommit>> {
        let question = CommitQuestion { audience: audience.clone(), ..CommitQuestion::default() };
        let place = self.places(&question, None, entry, 1)?.pop().filter(|place| place.entry == entry);
        place.map(|place| self.committed(place, &question)).transpose()
    }

    /// Returns the rows of the commits that match a filter, of one branch or of all, newest first.
    fn places(
        &self,
        question: &CommitQuestion,
        branch: Option<i64>,
        last: EntryId,
        limit: usize,
    ) -> Result<Vec<Place>> {
        let mut sql = format!(
            "SELECT g.entry, g.branch, b.name, s.name, g.id, {BEFORE_GROUP} + 1
             FROM commits g JOIN branches b ON b.id = g.branch LEFT JOIN sessions s ON s.id = g.session
             WHERE g.entry <= ?1"
        );
        if let Some(branch) = branch {
            let _ = write!(sql, " AND g.branch = {branch}");
        }
        let _ = write!(sql, " AND {}", self.shows_any(question)?);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let _ = write!(sql, " ORDER BY g.entry DESC LIMIT {limit}");
        query_all(&mut self.conn.prepare(&sql)?, [last], read_place)
    }

    /// Returns the SQL condition that an audience sees anything of a commit `g`. The owner also sees commits
    /// without changes, such as a merge that only resolved conflicts.
    pub(crate) fn shows_any(&self, question: &CommitQuestion) -> Result<String> {
        let sees_all = question.audience.is_owner() && question.audience.layer().is_none();
        if sees_all && question.form.is_none() {
            return Ok("1".into());
        }
        let memories = self.shown_to(question)?;
        let any = changed_by(&format!("({BEFORE_GROUP})"), "g.entry", "g.branch")
            .map(|changed| format!("EXISTS ({changed} AND {memories})"));
        Ok(format!("({})", any.join(" OR ")))
    }

    /// Returns the number of commits up to an entry, on any branch, that have a change visible to an audience.
    pub(crate) fn commit_count(&self, audience: &Audience, last: EntryId) -> Result<u64> {
        let question = CommitQuestion { audience: audience.clone(), ..CommitQuestion::default() };
        let shown = self.shows_any(&question)?;
        let sql = format!("SELECT count(*) FROM commits g WHERE g.entry <= ?1 AND {shown}");
        Ok(self.conn.prepare(&sql)?.query_row([last], |row| row.get(0))?)
    }

    /// Returns the SQL condition that an audience sees a memory `m`.
    fn shown_to(&self, question: &CommitQuestion) -> Result<String> {
        let (audience, owner) = (&question.audience, Confidential::ToOwner);
        let seen = seen_by(self.conn, audience, owner, &self.workspace(), Rows::Memories)?;
        let form = question.form.map_or_else(String::new, |form| format!(" AND {}", of_form("m", form)));
        Ok(format!("{seen}{form}"))
    }

    /// Returns a commit with its changes.
    fn committed(&self, place: Place, question: &CommitQuestion) -> Result<LoggedCommit> {
        let Place { first, entry, branch, branch_name, session, id } = place;
        let shown = self.shown_to(question)?;
        let changed = changed_by(&(first - 1).to_string(), &entry.to_string(), &branch.to_string());
        let [created, died, retired] = &changed;
        // A memory that one group both created and removed shows neither before nor after it.
        let after = self.all(&format!(
            "{created} AND {shown} AND NOT (m.died IS NOT NULL AND m.died <= {entry}) ORDER BY m.id"
        ))?;
        let start = MemoryId::new(first, 0).number();
        let mut before = self.all(&format!("{died} AND {shown} AND m.id < {start} ORDER BY m.id"))?;
        before.extend(self.all(&format!("{retired} AND {shown} AND m.id < {start} ORDER BY m.id"))?);
        let mut changes = change::pair(before, after);
        let moved_file = match moved_file(&changes) {
            // A note can lose its sections one by one; only a deletion removes the file.
            Some((Form::NOTES, moved)) if self.has_event(first, entry, Act::Delete.event_name())? => {
                Some(moved)
            }
            Some((Form::FILES, moved)) => Some(moved),
            _ => None,
        };
        let is_untrusted = sides(&changes).any(Memory::is_untrusted);
        let more = question.changes.map_or(0, |most| changes.len().saturating_sub(most));
        changes.truncate(changes.len() - more);
        let changes = self.with_restores(changes)?;
        let anchor = match id {
            Some(_) => self.anchor(first, entry, &question.audience)?,
            None => None,
        };
        let maker = match &anchor {
            Some((anchor, _)) => Some(*anchor),
            None => self.maker(first, entry, branch)?,
        };
        let meta = match maker {
            Some(maker) if self.sees(maker, &question.audience)? => Meta::read(self.entry(maker)?.meta.get()),
            _ => Meta::default(),
        };
        Ok(LoggedCommit {
            first,
            entry,
            branch: branch_name,
            session: session.filter(|label| is_of(&question.audience, label)),
            date: self.date(first)?,
            id,
            anchor: anchor.map(|(_, commit)| commit),
            origin: meta.origin,
            reason: match meta.sensitivity {
                Sensitivity::Confidential if !question.audience.is_owner() || changes.is_empty() => None,
                // A reason is written by the author of the commit, so it is as confidential as the commit. One about
                // several scopes is for the owner. The changes that are not listed count, too.
                Sensitivity::Confidential if meta.reason.is_some() && self.is_any_hidden(&changed)? => None,
                _ => meta.reason,
            },
            is_untrusted,
            moved_file,
            changes: changes.into_iter().map(Change::without_confidential_text).collect(),
            more,
        })
    }

    /// Returns whether any of the memories that a group changed is confidential.
    fn is_any_hidden(&self, changed: &[String; 3]) -> Result<bool> {
        let any = changed.each_ref().map(|changed| {
            let hidden = Sensitivity::Confidential.as_str();
            format!("EXISTS ({changed} AND m.sensitivity = '{hidden}')")
        });
        Ok(self.conn.prepare(&format!("SELECT {}", any.join(" OR ")))?.query_row([], |row| row.get(0))?)
    }

    /// Returns whether a group has an event of a name.
    fn has_event(&self, first: EntryId, last: EntryId, name: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM entries WHERE id >= ?1 AND id <= ?2 AND name = ?3";
        Ok(self.conn.prepare_cached(sql)?.exists((first, last, name))?)
    }

    /// Returns the anchor of a group and its content, if the audience sees it. A confidential one is for the owner: its
    /// message describes no memory.
    fn anchor(
        &self,
        first: EntryId,
        last: EntryId,
        audience: &Audience,
    ) -> Result<Option<(EntryId, Commit)>> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Entries)?;
        let sql = format!(
            "SELECT e.id FROM entries e WHERE e.id >= ?1 AND e.id <= ?2 AND e.name = ?3 AND {seen}
             ORDER BY e.id DESC LIMIT 1"
        );
        let mut statement = self.conn.prepare(&sql)?;
        let id: Option<EntryId> = statement.query_row((first, last, COMMIT), |row| row.get(0)).optional()?;
        let Some(id) = id else { return Ok(None) };
        let entry = self.readable(self.entry(id))?;
        let Some(commit) = entry.and_then(|entry| Commit::read(&entry)) else { return Ok(None) };
        if audience.is_owner() {
            return Ok(Some((id, commit)));
        }
        // Merges and events concern only the owner: others see only the visible changes.
        let is_plain = commit.metadata.is_empty();
        Ok(is_plain.then_some((id, Commit { parent_id: None, events: Vec::new(), ..commit })))
    }

    /// Returns the first entry of a group that changed a view.
    fn maker(&self, first: EntryId, last: EntryId, branch: i64) -> Result<Option<EntryId>> {
        let known = known("m");
        let sql = format!(
            "SELECT min(entry) FROM (
            SELECT min(m.id) >> 20 AS entry FROM memories m
              WHERE m.id >= ?1 << 20 AND m.id < (?2 + 1) << 20 AND {known}
            UNION ALL SELECT min(m.died) FROM memories m
              WHERE m.died >= ?1 AND m.died <= ?2 AND {known}
            UNION ALL SELECT min(entry) FROM retired WHERE branch = ?3 AND entry >= ?1 AND entry <= ?2)"
        );
        Ok(self.conn.prepare_cached(&sql)?.query_row((first, last, branch), |row| row.get(0))?)
    }

    /// Marks the changes that restore an older version, as the entries record it.
    fn with_restores(&self, mut changes: Vec<Change>) -> Result<Vec<Change>> {
        let mut known: BTreeMap<EntryId, bool> = BTreeMap::new();
        for change in &mut changes {
            let Some(after) = &change.after else { continue };
            let id = after.id.entry();
            change.restores = match known.get(&id) {
                Some(restores) => *restores,
                None => {
                    let entry = self.readable(self.entry(id))?;
                    entry.is_some_and(|entry| Meta::read(entry.meta.get()).restores.is_some())
                }
            };
            known.insert(id, change.restores);
        }
        Ok(changes)
    }

    /// Returns the difference between the views at two points, as an audience sees it, ordered by form and
    /// key.
    ///
    /// # Errors
    /// [`Error::Sqlite`] if SQLite fails.
    pub fn difference(
        &self,
        from: &Point,
        to: &Point,
        audience: &Audience,
        form: Option<Form>,
    ) -> Result<Vec<Change>> {
        let question = CommitQuestion { audience: audience.clone(), form, ..CommitQuestion::default() };
        let shown = self.shown_to(&question)?;
        let candidates = self.candidates(from, to)?;
        let sides = [visible_at(self.conn, from)?, visible_at(self.conn, to)?];
        let known = known("m");
        let only = |shows: &str, hidden: &str| {
            self.all(&format!(
                "{SELECT_MEMORY} WHERE m.id IN ({candidates}) AND {known} AND {shown}
                 AND ({shows}) AND NOT ({hidden}) ORDER BY m.form, m.key, m.id"
            ))
        };
        let (before, after) = (only(&sides[0], &sides[1])?, only(&sides[1], &sides[0])?);
        let mut changes = change::pair(before, after);
        // A copy that only records its source is no difference, and neither is another rank in the same order.
        let moved = self.moved_memories(&changes, from, to, audience)?;
        let is_moved = |change: &Change| {
            change.is_placed_anew() && change.after.as_ref().is_some_and(|after| moved.contains(&after.id))
        };
        changes.retain(|change| !change.is_nothing() || is_moved(change));
        changes.sort_by_cached_key(|change| {
            change.shown().map(|memory| (memory.form.as_str(), memory.key.clone(), memory.id))
        });
        Ok(changes.into_iter().map(Change::without_confidential_text).collect())
    }

    /// Returns the memories that have another place in their text at the second of two points, as far as they are among
    /// these changes.
    fn moved_memories(
        &self,
        changes: &[Change],
        from: &Point,
        to: &Point,
        audience: &Audience,
    ) -> Result<BTreeSet<MemoryId>> {
        let placed = changes.iter().filter(|change| change.is_nothing() && change.is_placed_anew());
        let forms: BTreeSet<Form> =
            placed.filter_map(|change| change.shown().map(|memory| memory.form)).collect();
        let mut moved = BTreeSet::new();
        for form in forms {
            let question = Question { audience: audience.clone(), form: Some(form), ..Question::default() };
            moved.extend(change::moved(&self.memories(&question, from)?, &self.memories(&question, to)?));
        }
        Ok(moved)
    }

    /// Returns SQL for the memories that may show at only one of two points: those that were created or
    /// removed where the lineages differ, and those that expired between the instants.
    fn candidates(&self, from: &Point, to: &Point) -> Result<String> {
        let mut last: BTreeMap<&str, [EntryId; 2]> = BTreeMap::new();
        for (n, point) in [from, to].into_iter().enumerate() {
            for (name, entry) in point.lineage.steps() {
                last.entry(name).or_default()[n] = *entry;
            }
        }
        let known = known("m");
        let mut parts = vec!["SELECT 0 WHERE 0".to_owned()];
        for (name, lasts) in &last {
            let Some(branch) = number_of(self.conn, "branches", name)? else { continue };
            let (low, high) = (lasts[0].min(lasts[1]), lasts[0].max(lasts[1]));
            if low == high {
                continue;
            }
            let [start, end] = [low + 1, high + 1].map(|entry| MemoryId::new(entry, 0).number());
            parts.push(format!(
                "SELECT m.id FROM memories m INDEXED BY m_known
                 WHERE m.id >= {start} AND m.id < {end} AND {known} AND m.branch = {branch}"
            ));
            parts.push(format!(
                "SELECT m.id FROM memories m INDEXED BY m_gone
                 WHERE m.died > {low} AND m.died <= {high} AND {known} AND m.branch = {branch}"
            ));
            parts.push(format!(
                "SELECT memory FROM retired WHERE branch = {branch} AND entry > {low} AND entry <= {high}"
            ));
        }
        let (one, other) = (from.instant.as_microsecond(), to.instant.as_microsecond());
        if one != other {
            let (low, high) = (one.min(other), one.max(other));
            // A memory that expired and was removed later shows at only one of the points if the removal came
            // after the older one.
            let oldest = last.values().flatten().min().copied().unwrap_or_default();
            let ended = format!("expires_at > {low} AND expires_at <= {high}");
            parts.push(format!(
                "SELECT id FROM memories INDEXED BY m_expires
                 WHERE {ended} AND expires_at IS NOT NULL AND died IS NULL"
            ));
            parts.push(format!(
                "SELECT m.id FROM memories m INDEXED BY m_gone
                 WHERE m.died > {oldest} AND {known} AND {ended}"
            ));
        }
        Ok(parts.join(" UNION "))
    }

    fn all(&self, sql: &str) -> Result<Vec<Memory>> {
        query_all(&mut self.conn.prepare(sql)?, [], read_memory)
    }

    /// Returns the date of an entry, or of the first readable entry after it.
    ///
    /// # Errors
    /// [`Error::NoEntry`] if there is no such entry; [`Error::Sqlite`] if SQLite fails.
    pub fn date(&self, entry: EntryId) -> Result<Timestamp> {
        let date: Option<i64> = self
            .conn
            .prepare_cached("SELECT date FROM entries WHERE id >= ?1 ORDER BY id LIMIT 1")?
            .query_row([entry], |row| row.get(0))
            .optional()?;
        date.map(micros).ok_or(Error::NoEntry { asked: entry, last: Some(self.head()) })
    }
}

/// Returns SQL for three sets of memories of a group, which lies after one entry and ends with another: those
/// that it created, those that it removed on the branch of their creation, and those that it removed on
/// another branch.
fn changed_by(after: &str, last: &str, branch: &str) -> [String; 3] {
    let known = known("m");
    [
        format!(
            "{SELECT_MEMORY} WHERE m.id >= ({after} + 1) << 20 AND m.id < ({last} + 1) << 20 AND {known}"
        ),
        format!("{SELECT_MEMORY} WHERE m.died > {after} AND m.died <= {last} AND {known}"),
        format!(
            "{SELECT_MEMORY} JOIN retired r ON r.memory = m.id
             WHERE r.branch = {branch} AND r.entry > {after} AND r.entry <= {last} AND {known}"
        ),
    ]
}

/// Returns the memories before and after changes.
fn sides(changes: &[Change]) -> impl Iterator<Item = &Memory> {
    changes.iter().flat_map(|change| change.before.iter().chain(&change.after))
}

/// Returns the one file that changes delete, or rename to another path with the same texts, and its form.
fn moved_file(changes: &[Change]) -> Option<(Form, FileMoved)> {
    let form = changes.first()?.shown()?.form;
    let path_of = |memory: &Memory| match memory.form {
        Form::NOTES => NotePath::of_key(&memory.key).map(|path| path.to_string()),
        Form::FILES => Some(format!("files/{}", memory.key)),
        _ => None,
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for change in changes {
        let (memory, texts) = match (&change.before, &change.after) {
            (Some(memory), None) => (memory, &mut before),
            (None, Some(memory)) => (memory, &mut after),
            _ => return None,
        };
        if memory.form != form {
            return None;
        }
        texts.push((path_of(memory)?, &memory.text));
    }
    let path = |texts: &[(String, &String)]| {
        let (path, _) = texts.first()?;
        texts.iter().all(|(other, _)| other == path).then(|| path.clone())
    };
    let from = path(&before)?;
    if after.is_empty() {
        return Some((form, FileMoved { from, to: None }));
    }
    let to = path(&after)?;
    let sorted = |texts: &[(String, &String)]| {
        let mut texts: Vec<_> = texts.iter().map(|(_, text)| (*text).clone()).collect();
        texts.sort_unstable();
        texts
    };
    (sorted(&before) == sorted(&after)).then_some((form, FileMoved { from, to: Some(to) }))
}

/// Returns whether a conversation is one of an audience. A change in its scopes may have been written in another one, of which
/// it must not learn.
fn is_of(audience: &Audience, session: &str) -> bool {
    let Some(scopes) = audience.scopes() else { return true };
    Session::parse(session).is_ok_and(|session| scopes.contains(&Scope::of_chat(&session)))
}

fn read_place(row: &Row<'_>) -> rusqlite::Result<Place> {
    Ok(Place {
        entry: row.get(0)?,
        branch: row.get(1)?,
        branch_name: row.get(2)?,
        session: row.get(3)?,
        id: row.get(4)?,
        first: row.get(5)?,
    })
}
