//! Reading memories at a point.
//!
//! **Invariant.** One function says what is visible (`visibility`), one says who may see it ([`seen_by`]), and every
//! question about memories goes through both.

use std::cell::RefCell;
use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape_core::{Audience, Category, Form, Memory, MemoryId, Point, Ref, Scope, Session};
use memtape_tape::{EntryId, Segments};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::{Error, Result};
use crate::index::Applied;
use crate::notice::Notice;
use crate::rows::{SELECT_MEMORY, id_value, in_categories, message_id, number_of, read_memory};
use crate::slots;
use crate::visibility::{known, visible, visible_at};

/// A view of one moment: what was on the tape when the question was put.
pub struct Reader<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) segments: &'a Segments,
    pub(crate) applied: Applied,
    pub(crate) now: Timestamp,
    pub(crate) zone: &'a TimeZone,
    /// What it came across that a person should know.
    pub(crate) notices: &'a RefCell<Vec<Notice>>,
}

/// Which memories are asked for.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// By whom.
    pub audience: Audience,
    /// Whether what is confidential shows.
    pub confidential: Confidential,
    /// Of this scope.
    pub scope: Option<Scope>,
    /// Of this form.
    pub form: Option<Form>,
    /// With this key.
    pub key: Option<String>,
    /// With a key that begins so.
    pub under: Option<String>,
    /// Of the slots of this subject and predicate ([`memtape_core::forms::ledger::entry::about`]).
    pub about: Option<String>,
    /// Also what has had its time and was not retired.
    pub ended: bool,
    /// In these categories; in any, where there are none.
    pub categories: Vec<Category>,
    /// Last said before this instant.
    pub said_before: Option<Timestamp>,
    /// Neither told nor changed nor recalled since this instant.
    pub unused_since: Option<Timestamp>,
    /// Less sure than this.
    pub confidence_below: Option<f64>,
    /// Of this conversation.
    pub session: Option<Session>,
    /// Born after this one.
    pub after: Option<MemoryId>,
    /// Born by one of the entries from here on.
    pub from_entry: Option<EntryId>,
}

impl Reader<'_> {
    /// The last entry there is; 0 where there is none.
    #[must_use]
    pub fn head(&self) -> EntryId {
        self.applied.position.last_id
    }

    /// The workspace's id.
    #[must_use]
    pub fn workspace(&self) -> String {
        self.applied.workspace()
    }

    /// When it is now, for a reader at the head.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The workspace's time zone.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        self.zone
    }

    /// Adds to what a person should know.
    pub fn note(&self, notice: Notice) {
        self.notices.borrow_mut().push(notice);
    }

    /// The memories that answer a question, oldest first.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn memories(&self, question: &Question, point: &Point) -> Result<Vec<Memory>> {
        let seen =
            seen_by(self.conn, &question.audience, question.confidential, &self.workspace(), Rows::Memories)?;
        let visible = match question.ended {
            true => visible(self.conn, &point.lineage)?,
            false => visible_at(self.conn, point)?,
        };
        let mut sql = format!("{SELECT_MEMORY} WHERE {visible} AND {seen}");
        let mut values: Vec<Value> = Vec::new();
        // Before a column it tells SQLite to look at the ids that are named, not to go through an index of that column.
        let mut by_id = "";
        if let Some(form) = question.form.filter(|form| *form != Form::MESSAGES) {
            // Said in so many words, it lets SQLite use the index of slots.
            let _ = write!(sql, " AND {}", known("m"));
            // At the head of a branch of its own nothing that was retired shows: the history need not be read.
            if point.lineage.steps().len() == 1 && point.entry() >= self.head() {
                sql.push_str(" AND m.died IS NULL");
            } else if form.has_slots()
                && let Some(newest) = self.newest(question, form, point, &mut values)?
            {
                let _ = write!(sql, " AND m.id IN ({newest})");
                by_id = "+";
            }
        }
        let _ = write!(sql, " AND {}", in_categories(&question.categories));
        let mut unused = String::new();
        let mut bind = |condition: &str, value: Value| {
            values.push(value);
            let _ = write!(sql, " AND {condition} ?{}", values.len());
        };
        if let Some(form) = question.form {
            bind(&format!("{by_id}m.form ="), form.as_str().to_owned().into());
        }
        if let Some(key) = &question.key {
            match message_id(question.form, key) {
                Some(id) => bind("m.id =", id_value(id)),
                None => bind(&format!("{by_id}m.key ="), key.clone().into()),
            }
        }
        if let Some(under) = &question.under {
            bind("m.key >=", under.clone().into());
            // No key holds what stands behind every character.
            bind("m.key <", format!("{under}{}", char::MAX).into());
        }
        if let Some(about) = &question.about {
            bind("m.about =", about.clone().into());
        }
        if let Some(session) = &question.session {
            let Some(number) = self.session_number(session)? else { return Ok(Vec::new()) };
            bind("m.session =", number.into());
        }
        if let Some(scope) = &question.scope {
            let Some(number) = self.scope_number(scope)? else { return Ok(Vec::new()) };
            bind("m.scope =", number.into());
        }
        if let Some(instant) = question.said_before {
            bind("coalesce(m.said_at, m.created_at) <", instant.as_microsecond().into());
        }
        if let Some(instant) = question.unused_since {
            bind("coalesce(m.said_at, m.created_at) <", instant.as_microsecond().into());
            bind("m.created_at <", instant.as_microsecond().into());
            let (since, until) = (self.last_entry_at(instant)?, point.entry());
            unused = format!(
                " AND NOT EXISTS (SELECT 1 FROM recalls r WHERE r.memory = m.id AND r.entry > {since} AND r.entry <= {until})"
            );
        }
        if let Some(confidence) = question.confidence_below {
            bind("m.confidence <", confidence.into());
        }
        if let Some(after) = question.after {
            bind("m.id >", id_value(after));
        }
        if let Some(entry) = question.from_entry {
            bind("m.id >=", id_value(MemoryId::new(entry, 0)));
        }
        sql.push_str(&unused);
        sql.push_str(" ORDER BY m.id");
        let mut statement = self.conn.prepare(&sql)?;
        let rows = statement.query_map(params_from_iter(values), read_memory)?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    /// The newest memories of the slots that a question is about, where it is quicker to look at these alone.
    fn newest(
        &self,
        question: &Question,
        form: Form,
        point: &Point,
        values: &mut Vec<Value>,
    ) -> Result<Option<String>> {
        match &question.key {
            Some(key) => {
                values.push(key.clone().into());
                slots::newest(self.conn, &point.lineage, form, "?1")
            }
            None if question.about.is_some() || question.under.is_some() => Ok(None),
            None => slots::newest_of_each(self.conn, &point.lineage, form),
        }
    }

    /// The memories a ref names at a point, of those that an audience sees: a thing that stands there, or one version
    /// of it whether or not it still stands.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn by_ref(&self, reference: &Ref, audience: &Audience, point: &Point) -> Result<Vec<Memory>> {
        let reference = &self.unaliased(reference)?;
        let Some(entry) = reference.entry else {
            let question = Question {
                audience: audience.clone(),
                confidential: Confidential::ToOwner,
                form: Some(reference.form),
                key: Some(reference.key.clone()),
                ..Question::default()
            };
            return self.memories(&question, point);
        };
        if entry > point.entry() {
            return Ok(Vec::new());
        }
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let sql = format!(
            "{SELECT_MEMORY} WHERE +m.form = ?1 AND +m.key = ?2 AND m.id >= ?3 AND m.id < ?4 AND {seen}
             ORDER BY m.id"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let range = [MemoryId::new(entry, 0), MemoryId::new(entry + 1, 0)].map(id_value);
        let [first, end] = range;
        let values = [reference.form.as_str().to_owned().into(), reference.key.clone().into(), first, end];
        let rows = statement.query_map(params_from_iter(values), read_memory)?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    /// The entry that retired a memory, as seen from a point; `None` where it still stands.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn retired_by(&self, id: MemoryId, point: &Point) -> Result<Option<EntryId>> {
        let sql = format!("SELECT 1 FROM memories m WHERE m.id = ?1 AND {}", visible_at(self.conn, point)?);
        if self.conn.prepare(&sql)?.exists([id.number()])? {
            return Ok(None);
        }
        let died = "SELECT min(entry) FROM (SELECT died AS entry FROM memories WHERE id = ?1
                    UNION ALL SELECT entry FROM retired WHERE memory = ?1)";
        Ok(self.conn.prepare_cached(died)?.query_row([id.number()], |row| row.get(0))?)
    }

    pub(crate) fn scope_number(&self, scope: &Scope) -> Result<Option<i64>> {
        number_of(self.conn, "scopes", &scope.text(&self.workspace()))
    }

    pub(crate) fn session_number(&self, session: &Session) -> Result<Option<i64>> {
        number_of(self.conn, "sessions", &session.to_string())
    }
}
