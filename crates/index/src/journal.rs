//! Reads the tape as a journal, from either end.
//!
//! **Invariants.** As in [`crate::reader`]: every query with an audience uses [`seen_by`]. The matching
//! entries are read one by one along an index, and reading ends when the caller has enough: the tail of a
//! long tape costs no more than that of a short one. Entries of conversations are included from every branch,
//! all others only from the reader's lineage.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use jiff::Timestamp;
use memtape_core::journal::{Beside, Line, Needs, lines};
use memtape_core::{Audience, Form, MemoryId, Point, Session};
use memtape_tape::{Entry, EntryId, Kind};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, params_from_iter};

use crate::audience::{Confidential, Rows, scopes, seen_by};
use crate::entries::{Order, not_reset};
use crate::error::Result;
use crate::reader::Reader;
use crate::rows::number_of;
use crate::turns::RetractedMessages;
use crate::visibility::{known, visible_at_bound};

/// Maximum number of tool results of one call.
const RESULTS_MAX: usize = 64;

/// SQL for the kinds and names of entries that belong to a conversation, on any branch. What a call of a model cost is
/// no memory of a branch either.
const OF_CONVERSATION: &str = "e.kind IN ('message', 'system', 'tool_call', 'tool_result') \
    OR e.name = 'turn.begin' OR e.journal = 'cost'";

/// A filter on lines of the journal.
#[derive(Clone, Debug, Default)]
pub struct JournalQuestion {
    /// The audience of the query.
    pub audience: Audience,
    /// Whether confidential entries are included.
    pub confidential: Confidential,
    /// Only of one of these types; of any type, if empty.
    pub types: Vec<String>,
    /// Only of this conversation.
    pub session: Option<Session>,
    /// Only at or after this instant.
    pub since: Option<Timestamp>,
    /// Only at or before this instant.
    pub until: Option<Timestamp>,
    /// Only of entries after this one.
    pub after: EntryId,
    /// Only of entries before this one.
    pub before: Option<EntryId>,
    /// Whether to exclude entries that precede a reset of their conversation.
    pub without_reset: bool,
    /// Whether to mark lines about forgotten memories ([`Line::forgotten`]).
    pub without_forgotten: bool,
    /// Whether to exclude calls of memtape's own tools: the entries that they wrote have their own lines.
    pub without_calls: bool,
    /// Whether to exclude the costs of model calls, and erasures: they say nothing about what happened.
    pub without_upkeep: bool,
    /// Entries to exclude.
    pub without: HashSet<EntryId>,
    /// The order of the lines.
    pub order: Order,
}

impl Reader<'_> {
    /// Passes the lines up to a point that match a filter to `each`, until it returns `false`. A damaged
    /// entry is skipped, with a warning.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails; [`Error::Tape`](crate::Error::Tape) if the disk
    /// fails; the errors of `each`.
    pub fn journal(
        &self,
        question: &JournalQuestion,
        point: &Point,
        mut each: impl FnMut(Line) -> Result<bool>,
    ) -> Result<()> {
        let seen =
            seen_by(self.conn, &question.audience, question.confidential, &self.workspace(), Rows::Entries)?;
        let Some((sql, values)) = self.walk(question, point, &seen)? else { return Ok(()) };
        let retracted = self.retracted(point);
        let mut statement = self.conn.prepare(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            let id: EntryId = row.get(0)?;
            if question.without.contains(&id) {
                continue;
            }
            let (kind, journal_type): (String, String) = (row.get(1)?, row.get(2)?);
            let needs = Needs::of(&Kind::from_name(&kind), &journal_type);
            let Some(entry) = self.readable(self.entry(id))? else { continue };
            let beside = self.beside(&entry, needs, &seen)?;
            let mut shown = lines(&entry, &beside);
            if question.without_forgotten && !shown.is_empty() && self.is_forgotten(id, &retracted, point)? {
                shown.iter_mut().for_each(|line| line.forgotten = true);
            }
            if question.order == Order::NewestFirst {
                shown.reverse();
            }
            for line in shown {
                if !each(line)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns how many entries match a filter.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn journal_count(&self, question: &JournalQuestion, point: &Point) -> Result<u64> {
        let seen =
            seen_by(self.conn, &question.audience, question.confidential, &self.workspace(), Rows::Entries)?;
        let Some((sql, values)) = self.walk(question, point, &seen)? else { return Ok(0) };
        let mut statement = self.conn.prepare(&format!("SELECT count(*) FROM ({sql})"))?;
        Ok(statement.query_row(params_from_iter(values), |row| row.get(0))?)
    }

    /// Returns SQL for the entries that match a filter, in its order; `None` if there can be none.
    ///
    /// If the filter selects only a part of the tape, each arm of the query follows an index, and the arms
    /// are merged as they are read.
    fn walk(
        &self,
        question: &JournalQuestion,
        point: &Point,
        seen: &str,
    ) -> Result<Option<(String, Vec<Value>)>> {
        let first = match question.since {
            Some(since) => self.last_entry_before(since)?.max(question.after),
            None => question.after,
        };
        let last = match question.until {
            Some(until) => self.last_entry_at(until)?.min(point.entry()),
            None => point.entry(),
        };
        let last = question.before.map_or(last, |before| last.min(before.saturating_sub(1)));
        // A type that is named twice needs only one arm.
        let types: BTreeSet<&String> = question.types.iter().collect();
        let values: Vec<Value> = types.into_iter().map(|kind| kind.clone().into()).collect();
        let mut wanted = format!("e.id > {first} AND e.id <= {last} AND e.journal IS NOT NULL AND {seen}");
        let _ = write!(wanted, " AND ({OF_CONVERSATION} OR {})", self.on_lineage(point)?);
        if question.without_reset {
            let _ = write!(wanted, " AND {}", not_reset(last));
        }
        if question.without_calls {
            wanted.push_str(" AND NOT (e.kind = 'event' AND e.journal = 'tool_use')");
        }
        if question.without_upkeep {
            wanted.push_str(" AND e.journal NOT IN ('cost', 'erase')");
        }
        let marks: Vec<_> = (1..=values.len()).map(|n| format!("?{n}")).collect();
        let one_type = match marks.is_empty() {
            true => String::new(),
            false => format!(" AND e.journal IN ({})", marks.join(", ")),
        };
        let arms: Vec<(&str, String)> = if let Some(session) = &question.session {
            let Some(number) = self.session_number(session)? else { return Ok(None) };
            vec![("INDEXED BY e_session", format!("e.session = {number}{one_type}"))]
        } else if let Some(scopes) = scopes(self.conn, &question.audience, &self.workspace())? {
            let arm = |number: i64| ("INDEXED BY e_scope", format!("e.scope = {number}{one_type}"));
            let numbers: BTreeSet<i64> = scopes.into_iter().map(|scope| scope.number).collect();
            numbers.into_iter().map(arm).collect()
        } else if !marks.is_empty() {
            marks.iter().map(|mark| ("INDEXED BY e_journal", format!("e.journal = {mark}"))).collect()
        } else {
            vec![("NOT INDEXED", "1".to_owned())]
        };
        if arms.is_empty() {
            return Ok(None);
        }
        let arm = |(index, condition): &(&str, String)| {
            format!("SELECT e.id, e.kind, e.journal FROM entries e {index} WHERE {condition} AND {wanted}")
        };
        let direction = match question.order {
            Order::OldestFirst => "",
            Order::NewestFirst => " DESC",
        };
        let arms = arms.iter().map(arm).collect::<Vec<_>>().join(" UNION ALL ");
        Ok(Some((format!("{arms} ORDER BY 1{direction}"), values)))
    }

    /// Returns the SQL condition that an entry `e` is on the lineage of a point.
    fn on_lineage(&self, point: &Point) -> Result<String> {
        let mut steps = Vec::new();
        for (name, last) in point.lineage.steps() {
            if let Some(branch) = number_of(self.conn, "branches", name)? {
                steps.push(format!("e.branch = {branch} AND e.id <= {last}"));
            }
        }
        Ok(if steps.is_empty() { "0".into() } else { format!("({})", steps.join(" OR ")) })
    }

    /// Returns whether an entry created memories other than messages, and none of them, nor a newer version,
    /// is current at a point; or whether it is the message of a turn, or began one, and that message is retracted.
    fn is_forgotten(&self, entry: EntryId, retracted: &RetractedMessages<'_>, point: &Point) -> Result<bool> {
        if retracted.includes(entry)? || retracted.includes_turn(entry)? {
            return Ok(true);
        }
        let visible = visible_at_bound(self.conn, point)?;
        let slots: Vec<_> = Form::all().filter(|form| form.rules().has_slots()).collect();
        let slots: Vec<_> = slots.iter().map(|form| format!("'{form}'")).collect();
        // A memory without a slot has no newer version.
        let sql = format!(
            "SELECT count(*), count(*) FILTER (WHERE EXISTS (
                 SELECT 1 FROM memories m
                 WHERE m.form = b.form AND m.key = b.key AND {of_m} AND (m.id = b.id OR b.form IN ({slots})) AND {visible}))
             FROM memories b WHERE b.id BETWEEN ?1 AND ?2 AND {of_b}",
            of_m = known("m"),
            of_b = known("b"),
            slots = slots.join(", "),
        );
        let (first, last) = (MemoryId::new(entry, 0).number(), MemoryId::new(entry + 1, 0).number() - 1);
        let counts = self.at(&sql, point)?.first(&[&first, &last], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (bore, stand): (u64, u64) = counts.unwrap_or_default();
        Ok(bore > 0 && stand == 0)
    }

    /// Returns the other entries of an entry's group, as far as its lines need them and the audience sees
    /// them.
    fn beside(&self, entry: &Entry, needs: Needs, seen: &str) -> Result<Beside> {
        let (mut before, mut after) = (None, Vec::new());
        match needs {
            Needs::Itself => {}
            Needs::Before => before = self.before_results(entry, seen)?,
            Needs::Next | Needs::Results => {
                let most = if needs == Needs::Next { 1 } else { RESULTS_MAX as u64 };
                for id in entry.id + 1..=entry.id + most.min(u64::from(entry.more)) {
                    let sql = format!(
                        "SELECT 1 FROM entries e WHERE e.id = ?1 AND (?2 OR e.kind = 'tool_result') AND {seen}"
                    );
                    if !self.conn.prepare_cached(&sql)?.exists((id, needs == Needs::Next))? {
                        break;
                    }
                    after.extend(self.readable(self.entry(id))?);
                }
            }
        }
        Ok(Beside { before, after })
    }

    /// Returns the last entry before another one in its group that is not a tool result.
    fn before_results(&self, entry: &Entry, seen: &str) -> Result<Option<Entry>> {
        let mut id = entry.id;
        for more in (entry.more + 1..).take(RESULTS_MAX) {
            id -= 1;
            // In a group, `more` counts down to 0.
            let sql = format!("SELECT e.kind FROM entries e WHERE e.id = ?1 AND e.more = ?2 AND {seen}");
            let kind: Option<String> =
                self.conn.prepare_cached(&sql)?.query_row((id, more), |row| row.get(0)).optional()?;
            match kind.as_deref() {
                None => return Ok(None),
                Some("tool_result") => {}
                Some(_) => return self.readable(self.entry(id)),
            }
        }
        Ok(None)
    }
}
