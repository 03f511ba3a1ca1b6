//! Projects entries into rows of the index.
//!
//! **Invariant.** Rows depend only on the tape and the order of its entries: the small integers that replace
//! names are assigned in that order, and the text of the preceding message is taken from the tape.

use std::collections::HashMap;
use std::fmt::Write as _;

use memtape_core::commit::Commit;
use memtape_core::{
    Category, Created, Form, Lineage, MemoryId, Retire, Rule, Scope, Sensitivity, branch, projection, turn,
};
use memtape_tape::{Entry, EntryId, Floor, Group, Located};
use rusqlite::{Connection, OptionalExtension as _, ToSql, params};

use crate::branch_names;
use crate::error::Result;
use crate::index::{Applied, Index};
use crate::visibility::{of_form, visible};
use crate::words::{self, Columns, Terms};

/// Maximum number of characters of a message that are indexed for the message after it.
const PREVIOUS_CHARS_MAX: usize = 1000;

impl Index {
    /// Adds the rows of groups that follow `before`, in the running transaction. The end of the acknowledged entries is
    /// set to the end of the groups.
    ///
    /// Returns the new position, and whether the groups changed the view of a form other than messages, or a branch.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn project(&self, before: Applied, groups: &[Group]) -> Result<(Applied, bool)> {
        let mut applied = before;
        if applied.position.last_id == 0
            && let Some(first) = groups.first().and_then(|group| group.entries.first())
        {
            applied.first_hash = first.entry.hash;
        }
        let mut applier = Applier::new(&self.conn, applied.workspace());
        for group in groups {
            for located in &group.entries {
                applier.apply(located)?;
            }
            if let Some(last) = group.entries.last() {
                applied.line = last.at;
            }
            applied.position = group.end;
        }
        applied.floor = Floor { segment: applied.position.segment, offset: applied.position.offset };
        applied.known = applied.position.last_id;
        self.set_applied(&applied)?;
        Ok((applied, applier.has_changed))
    }
}

/// A cache of rows within one transaction, so that they are not queried again for every entry.
struct Applier<'a> {
    conn: &'a Connection,
    workspace: String,
    names: HashMap<(&'static str, String), i64>,
    /// The last message of each conversation, and the terms of the beginning of its text.
    previous: HashMap<i64, Option<(u64, Terms)>>,
    /// Whether an entry changed the view of a form other than messages, or a branch.
    has_changed: bool,
}

impl<'a> Applier<'a> {
    fn new(conn: &'a Connection, workspace: String) -> Self {
        Self { conn, workspace, names: HashMap::new(), previous: HashMap::new(), has_changed: false }
    }

    /// Adds the rows of one entry.
    fn apply(&mut self, located: &Located) -> Result<()> {
        let Located { entry, at } = located;
        let projection = projection::project(entry);
        if let Some(branch::Mark::Fork(_)) = &projection.branch {
            self.free_name(&entry.branch)?;
        }
        let branch = self.number("branches", &entry.branch)?;
        let session =
            projection.session.as_ref().map(|s| self.number("sessions", &s.to_string())).transpose()?;
        let scope = self.scope(&projection.scope)?;
        self.conn
            .prepare_cached(
                "INSERT INTO entries(id, kind, name, branch, session, scope, sensitivity, category, lifetime, date, more,
                                     segment, offset, length, digest, journal)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
            )?
            .execute(params![
                entry.id,
                entry.kind.as_str(),
                projection.name,
                branch,
                session,
                scope,
                sensitivity(projection.sensitivity),
                projection.category.map(Category::as_str),
                (!projection.lifetime.is_permanent()).then(|| projection.lifetime.as_str()),
                entry.date.as_microsecond(),
                entry.more,
                at.segment,
                at.offset,
                at.length,
                digest(entry),
                projection.journal,
            ])?;
        self.has_changed |= projection.branch.is_some();
        if let Some(mark) = &projection.branch {
            self.mark_branch(mark, entry, session)?;
        }
        // An entry only removes memories of earlier entries, never those that it creates.
        let mut changes = projection.commit.is_some();
        for retire in &projection.retires {
            changes |= match retire {
                Retire::Memory(id) => self.retire(id.number(), branch, entry.id)?,
                Retire::Rule(rule) if rule.selects_anything() => {
                    self.retire_by_rule(rule, &entry.branch, branch, entry.id)?
                }
                Retire::Rule(_) => false,
            }
        }
        for created in &projection.creates {
            changes |= created.form != Form::MESSAGES;
            self.add_memory(created, branch, session, projection.created_at.as_microsecond())?;
        }
        if let Some(event) = &projection.observed {
            self.conn
                .prepare_cached(
                    "INSERT INTO observations(entry, event, branch, session) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![entry.id, event, branch, session])?;
        }
        self.has_changed |= changes;
        if changes {
            self.commit(projection.commit.as_ref(), entry, branch, session)?;
        }
        match &projection.turn {
            None => Ok(()),
            Some(turn::Mark::Begin) => self.begin_turn(session, entry.id),
            Some(turn::Mark::End(end)) => self.end_turn(end, session, entry.id),
        }
    }

    /// Renames a deleted branch, so that a new branch can take its name.
    fn free_name(&mut self, label: &str) -> Result<()> {
        let sql = "SELECT deleted FROM branches WHERE name = ?1 AND deleted IS NOT NULL";
        let deleted: Option<EntryId> =
            self.conn.prepare_cached(sql)?.query_row([label], |row| row.get(0)).optional()?;
        let Some(deleted) = deleted else { return Ok(()) };
        let mut name = format!("{label}@{deleted}");
        // No command creates such a name, but another program may have written it.
        while self.conn.prepare_cached("SELECT 1 FROM branches WHERE name = ?1")?.exists([&name])? {
            name.push('@');
        }
        for sql in [
            "UPDATE branches SET label = name, name = ?2 WHERE name = ?1",
            "UPDATE branches SET parent = ?2 WHERE parent = ?1",
            "UPDATE merges SET source = ?2 WHERE source = ?1",
            "UPDATE switches SET branch = ?2 WHERE branch = ?1",
        ] {
            self.conn.prepare_cached(sql)?.execute([label, &name])?;
        }
        self.names.remove(&("branches", label.to_owned()));
        Ok(())
    }

    /// Records a fork, a switch or a deletion. Only the first fork of a branch counts, and `main` has no
    /// parent.
    fn mark_branch(&mut self, mark: &branch::Mark, entry: &Entry, session: Option<i64>) -> Result<()> {
        match mark {
            branch::Mark::Fork(fork) => {
                let parent = branch_names::called(self.conn, &fork.parent, fork.at)?;
                self.conn
                    .prepare_cached(
                        "UPDATE branches SET parent = ?2, forked_at = ?3, persona = ?4, created = ?5
                         WHERE name = ?1 AND parent IS NULL AND id > 1",
                    )?
                    .execute(params![entry.branch, parent, fork.at, fork.persona, entry.id])?
            }
            branch::Mark::Switch(switch) => self
                .conn
                .prepare_cached("INSERT INTO switches VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![entry.id, session, switch.branch, switch.default])?,
            branch::Mark::Delete(delete) => self
                .conn
                .prepare_cached(
                    "UPDATE branches SET deleted = ?2 WHERE name = ?1 AND deleted IS NULL AND id > 1",
                )?
                .execute(params![delete.branch, entry.id])?,
        };
        Ok(())
    }

    /// Records that an entry's group changed a view, and what its anchor states about that.
    fn commit(
        &mut self,
        commit: Option<&Commit>,
        entry: &Entry,
        branch: i64,
        session: Option<i64>,
    ) -> Result<()> {
        let last = entry.id + u64::from(entry.more);
        self.conn
            .prepare_cached(
                // What is removed by itself names no conversation, but the rest of the group may.
                "INSERT INTO commits(entry, branch, session) VALUES (?1, ?2, ?3)
                 ON CONFLICT(entry) DO UPDATE SET session = coalesce(session, excluded.session)",
            )?
            .execute(params![last, branch, session])?;
        let Some(Commit { id, events, metadata, .. }) = commit else { return Ok(()) };
        for event in events {
            self.conn
                .prepare_cached(
                    "UPDATE observations SET committed = ?3 WHERE event = ?1 AND branch = ?2 AND committed IS NULL",
                )?
                .execute(params![event, branch, entry.id])?;
        }
        // A reversed commit must precede its reversal.
        let reverses = metadata.reverses().filter(|(_, of)| *of < last);
        self.conn
            // A restored memory keeps its conversation; that of the group is recorded in its anchor, unless upkeep wrote it.
            .prepare_cached(
                "UPDATE commits SET id = ?2, session = coalesce(?3, session), reverses = ?4, how = ?5, takes = ?6 WHERE entry = ?1",
            )?
            .execute(params![
                last,
                id,
                session,
                reverses.map(|(_, of)| of),
                reverses.map(|(how, _)| how.as_str()),
                metadata.takes()
            ])?;
        if let Some(merge) = &metadata.merge {
            self.conn.prepare_cached("INSERT INTO merges VALUES (?1, ?2, ?3, ?4)")?.execute(params![
                entry.id,
                branch,
                merge.source,
                merge.head
            ])?;
        }
        // A picked commit must precede its copy.
        if let Some(picked) = metadata.picks.filter(|picked| *picked < last) {
            self.conn
                .prepare_cached("INSERT INTO picks VALUES (?1, ?2, ?3)")?
                .execute((entry.id, branch, picked))?;
        }
        for (n, conflict) in metadata.conflicts.iter().enumerate() {
            let [ours, theirs, base] =
                [conflict.ours, conflict.theirs, conflict.base].map(|id| id.map(MemoryId::number));
            self.conn
                .prepare_cached("INSERT INTO conflicts VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute(params![entry.id, n, branch, ours, theirs, base])?;
        }
        for resolved in &metadata.settles {
            self.conn
                .prepare_cached("INSERT OR IGNORE INTO settled VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![resolved.commit, resolved.n, branch, entry.id])?;
        }
        Ok(())
    }

    fn begin_turn(&self, session: Option<i64>, entry: EntryId) -> Result<()> {
        self.conn
            .prepare_cached("INSERT INTO turns(begin, session) VALUES (?1, ?2)")?
            .execute(params![entry, session])?;
        Ok(())
    }

    /// Closes a turn in its own conversation, once, and marks the interrupted turns that its event reports.
    fn end_turn(&self, end: &turn::End, session: Option<i64>, entry: EntryId) -> Result<()> {
        let counters = &end.counters;
        self.conn
            .prepare_cached(
                "UPDATE turns SET closed = ?3, recall_hit = ?4, recall_miss = ?5, capture_saved = ?6,
                     capture_dropped_low_conf = ?7, capture_dropped_safety = ?8, capture_deduped = ?9, prompt_chars = ?10
                 WHERE begin = ?1 AND session IS ?2",
            )?
            .execute(params![
                end.begin,
                session,
                entry,
                counters.recall_hit,
                counters.recall_miss,
                counters.capture_saved,
                counters.capture_dropped_low_conf,
                counters.capture_dropped_safety,
                counters.capture_deduped,
                counters.prompt_chars,
            ])?;
        for begin in &end.unfinished {
            self.conn
                .prepare_cached(
                    "UPDATE turns SET reported = ?3 WHERE begin = ?1 AND session IS ?2 AND reported IS NULL",
                )?
                .execute(params![begin, session, entry])?;
        }
        for memory in &end.recalled {
            self.conn
                .prepare_cached("INSERT OR IGNORE INTO recalls VALUES (?1, ?2)")?
                .execute(params![memory.number(), entry])?;
        }
        Ok(())
    }

    /// Adds the row of a memory, and its words.
    fn add_memory(
        &mut self,
        created: &Created,
        branch: i64,
        session: Option<i64>,
        created_at: i64,
    ) -> Result<()> {
        let scope = self.scope(&created.scope)?;
        let (own, previous) = match session {
            Some(session) if created.search.after_previous => {
                let before = self.previous(session)?;
                let (own, text) = Terms::of_message(&created.search.own, beginning(&created.text));
                // A sensitive message must not be a way to find another memory.
                let last = created.sensitivity.is_normal().then(|| (created.id.number(), text));
                self.previous.insert(session, last);
                (own, before)
            }
            _ => (Terms::of(&created.search.own), None),
        };
        self.conn
            .prepare_cached(
                "INSERT INTO memories(id, form, key, branch, session, scope, sensitivity, origin, said_at, created_at,
                                      previous, text, data, category, lifetime, importance, confidence, expires_at,
                                      quarantined, copy_of, about)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
            )?
            .execute(params![
                created.id.number(),
                created.form.as_str(),
                created.key,
                branch,
                session,
                scope,
                sensitivity(created.sensitivity),
                created.origin.map(memtape_core::Origin::as_str),
                created.said_at.map(jiff::Timestamp::as_microsecond),
                created_at,
                previous.as_ref().map(|(id, _)| *id),
                created.text,
                created.data,
                created.category.map(Category::as_str),
                (!created.lifetime.is_permanent()).then(|| created.lifetime.as_str()),
                created.importance,
                created.confidence,
                created.expires_at.map(jiff::Timestamp::as_microsecond),
                created.quarantined,
                created.copy_of.map(MemoryId::number),
                created.about,
            ])?;
        let day = created.search.day.as_deref().map(Terms::of);
        let columns =
            Columns { own: &own, previous: previous.as_ref().map(|(_, terms)| terms), day: day.as_ref() };
        words::add(self.conn, created.id.number(), scope, created.sensitivity, &columns)
    }

    /// Returns the preceding message of a conversation, and the terms of the beginning of its text.
    fn previous(&mut self, session: i64) -> Result<Option<(u64, Terms)>> {
        if let Some(previous) = self.previous.get(&session) {
            return Ok(previous.clone());
        }
        let row: Option<(bool, u64, String)> = self
            .conn
            .prepare_cached(
                "SELECT died IS NULL AND NOT spread AND sensitivity IS NULL, id, substr(text, 1, ?2)
                 FROM memories WHERE session = ?1 AND form = 'messages' ORDER BY id DESC LIMIT 1",
            )?
            .query_row(params![session, PREVIOUS_CHARS_MAX as u32], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .optional()?;
        // After a reset a conversation starts over.
        Ok(row.and_then(|(counts, id, text)| counts.then(|| (id, Terms::of(&text)))))
    }

    /// Marks a memory as removed (deleted or superseded). Returns whether that changes the view of a form
    /// other than messages.
    fn retire(&mut self, memory: u64, branch: i64, entry: EntryId) -> Result<bool> {
        let hit = |sql: &str, when: &[&dyn ToSql]| -> Result<Option<bool>> {
            Ok(self.conn.prepare_cached(sql)?.query_row(when, |row| row.get(0)).optional()?)
        };
        let died = hit(
            "UPDATE memories SET died = ?3 WHERE id = ?1 AND branch = ?2 AND died IS NULL RETURNING form <> 'messages'",
            &[&memory, &branch, &entry],
        )?;
        let spread = match died {
            Some(_) => None,
            None => hit(
                "UPDATE memories SET spread = 1 WHERE id = ?1 AND branch <> ?2 RETURNING form <> 'messages'",
                &[&memory, &branch],
            )?,
        };
        if spread.is_some() {
            self.conn
                .prepare_cached("INSERT OR IGNORE INTO retired VALUES (?1, ?2, ?3)")?
                .execute(params![memory, branch, entry])?;
        }
        let is_known = died.or(spread);
        // A message that is removed on one branch is removed on all.
        if is_known == Some(false) {
            self.previous.clear();
        }
        Ok(is_known.unwrap_or_default())
    }

    /// Marks as removed all memories that a rule selects, among those visible on the entry's lineage just
    /// before it. Returns the same as [`Applier::retire`].
    fn retire_by_rule(
        &mut self,
        rule: &Rule,
        branch_name: &str,
        branch: i64,
        entry: EntryId,
    ) -> Result<bool> {
        let lineage = Lineage::new(&branch_names::branches(self.conn)?, branch_name, entry - 1);
        let session = rule.session.as_deref().map(|name| self.number("sessions", name)).transpose()?;
        if rule.everything || rule.form == Some(Form::MESSAGES) {
            self.conn
                .prepare_cached("INSERT INTO resets VALUES (?1, ?2)")?
                .execute(params![entry, session])?;
        }
        let mut sql = format!("SELECT id FROM memories m WHERE {}", visible(self.conn, &lineage)?);
        if let Some(session) = session {
            let _ = write!(sql, " AND m.session = {session}");
        }
        if let Some(form) = rule.form {
            let _ = write!(sql, " AND {}", of_form("m", form));
        }
        let ids: Vec<u64> =
            self.conn.prepare(&sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let mut changes = false;
        for id in ids {
            changes |= self.retire(id, branch, entry)?;
        }
        Ok(changes)
    }

    /// Returns the small integer of a scope.
    fn scope(&mut self, scope: &Scope) -> Result<i64> {
        let name = scope.text(&self.workspace);
        if let Some(number) = self.names.get(&("scopes", name.clone())) {
            return Ok(*number);
        }
        let (channel, ident) = scope.parts().unzip();
        self.conn
            .prepare_cached(
                "INSERT OR IGNORE INTO scopes(name, layer, channel, ident) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![name, scope.layer().as_str(), channel, ident])?;
        self.number("scopes", &name)
    }

    /// Returns the small integer of a name, which is assigned on its first occurrence.
    fn number(&mut self, table: &'static str, name: &str) -> Result<i64> {
        if let Some(number) = self.names.get(&(table, name.to_owned())) {
            return Ok(*number);
        }
        let select = format!("SELECT id FROM {table} WHERE name = ?1");
        let found = self.conn.prepare_cached(&select)?.query_row([name], |row| row.get(0)).optional()?;
        let number = match found {
            Some(number) => number,
            None => {
                let insert = format!("INSERT INTO {table}(name) VALUES (?1)");
                self.conn.prepare_cached(&insert)?.execute([name])?;
                self.conn.last_insert_rowid()
            }
        };
        self.names.insert((table, name.to_owned()), number);
        Ok(number)
    }
}

/// Returns the beginning of a text by which the message after it is found too.
fn beginning(text: &str) -> &str {
    text.char_indices().nth(PREVIOUS_CHARS_MAX).map_or(text, |(end, _)| &text[..end])
}

/// Returns the column value of a sensitivity; `None` if it is normal.
fn sensitivity(sensitivity: Sensitivity) -> Option<&'static str> {
    (!sensitivity.is_normal()).then(|| sensitivity.as_str())
}

/// Returns the first 8 bytes of the digest of the text that is in an entry's line.
pub(crate) fn digest(entry: &Entry) -> i64 {
    i64::from_be_bytes(entry.current_digest().first_bytes())
}
