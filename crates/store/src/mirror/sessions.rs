//! The mirror files of sessions.
//!
//! The last block of a file shows whether the file is up to date: it must be that of the session's previous
//! turn. Otherwise the file is rewritten from the tape, with its last turns.

use std::collections::BTreeSet;

use memtape_core::Session;
use memtape_core::mirror::turns::{self, Block, EVENTS, FILE_BYTES_MAX, Gain, SESSION_STATE};
use memtape_tape::{Entry, EntryId, Group};
use rusqlite::{OptionalExtension as _, params};

use super::files::Folder;
use super::{Mirrors, Result};
use crate::error::Error;
use crate::rows::micros;

impl Mirrors<'_> {
    pub(super) fn follow_sessions(&self, groups: &[Group], first: EntryId) -> Result<()> {
        self.forget_conversations(first)?;
        for group in groups {
            let entries: Vec<_> = group.entries.iter().map(|located| &located.entry).collect();
            let mut seen = BTreeSet::new();
            for block in turns::blocks(&entries) {
                match seen.insert(block.session.clone()) {
                    true => self.follow_session(&block, first)?,
                    // The group contains two blocks of one session: a rewritten file contains both.
                    false => self.write_session(&block.session)?,
                }
            }
        }
        Ok(())
    }

    /// Rewrites the files of all sessions.
    pub(super) fn write_sessions(&self) -> Result<()> {
        clear(&self.folder)?;
        if !self.session_state {
            return Ok(());
        }
        let sql = "SELECT DISTINCT s.name FROM turns t JOIN sessions s ON s.id = t.session";
        let mut statement = self.reader.conn.prepare(sql)?;
        let names =
            statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
        for session in names.iter().filter_map(|name| Session::parse(name).ok()) {
            self.write_session(&session)?;
        }
        Ok(())
    }

    /// Removes the files of conversations that were reset: they start over, and so do their files.
    fn forget_conversations(&self, first: EntryId) -> Result<()> {
        let sql = "SELECT r.entry, s.name FROM resets r LEFT JOIN sessions s ON s.id = r.session ORDER BY r.rowid DESC";
        let mut statement = self.reader.conn.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if row.get::<_, EntryId>(0)? < first {
                break;
            }
            match row.get::<_, Option<String>>(1)?.map(|name| Session::parse(&name)) {
                None => clear(&self.folder)?,
                Some(Ok(session)) => self.folder.remove(&path(&session))?,
                Some(Err(_)) => {}
            }
        }
        Ok(())
    }

    fn follow_session(&self, block: &Block, first: EntryId) -> Result<()> {
        let path = path(&block.session);
        let Some(before) = self.heading_before(&block.session, first)? else {
            return self.write_session(&block.session);
        };
        let Some(file) = self.folder.read(&path, FILE_BYTES_MAX)? else {
            return self.write_session(&block.session);
        };
        match turns::gain(&file, &before, block) {
            Gain::Added if self.folder.add(&path, &block.text)? => Ok(()),
            Gain::Trimmed(text) => self.folder.replace(&path, &text),
            Gain::Added | Gain::Unknown => self.write_session(&block.session),
        }
    }

    /// Returns the heading of the block of the last turn before an entry; `None` if there is none.
    fn heading_before(&self, session: &Session, first: EntryId) -> Result<Option<String>> {
        let mut heading = None;
        self.each_event(session, first, |id, name| {
            let date = "SELECT date FROM entries WHERE id = ?1";
            let date = self.reader.conn.prepare_cached(date)?.query_row([id], |row| row.get(0))?;
            heading = Some(turns::heading(name, micros(date)));
            Ok(false)
        })?;
        Ok(heading)
    }

    /// Rewrites a session's file from the tape.
    fn write_session(&self, session: &Session) -> Result<()> {
        let (mut blocks, mut bytes) = (Vec::new(), 0);
        self.each_event(session, self.reader.head() + 1, |id, _| {
            let group = self.group_from(id)?;
            let group: Vec<_> = group.iter().collect();
            let block = turns::blocks(&group).find(|block| block.session == *session);
            bytes += block.as_ref().map_or(0, |block| block.text.len());
            blocks.extend(block);
            Ok(bytes < FILE_BYTES_MAX)
        })?;
        let blocks = blocks.iter().rev().map(|block| block.text.as_str());
        match blocks.len() {
            0 => self.folder.remove(&path(session)),
            _ => self.folder.replace(&path(session), &turns::render(session, blocks)),
        }
    }

    /// Passes the events of a session's turns since its last reset to `each`, last one first, until it
    /// returns `false`.
    fn each_event(
        &self,
        session: &Session,
        before: EntryId,
        mut each: impl FnMut(EntryId, &str) -> Result<bool>,
    ) -> Result<()> {
        let Some(number) = self.reader.session_number(session)? else { return Ok(()) };
        let reset = "SELECT max(entry) FROM resets WHERE session IS NULL OR session = ?1";
        let reset: Option<EntryId> =
            self.reader.conn.prepare_cached(reset)?.query_row([number], |row| row.get(0))?;
        let [begin, end] = EVENTS;
        let sql = "SELECT id, name FROM entries
                   WHERE session = ?1 AND id < ?2 AND id > ?3 AND kind = 'event' AND name IN (?4, ?5)
                     AND (sensitivity IS NULL OR sensitivity <> 'confidential')
                   ORDER BY id DESC";
        let mut statement = self.reader.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params![number, before, reset.unwrap_or_default(), begin, end])?;
        while let Some(row) = rows.next()? {
            if !each(row.get(0)?, &row.get::<_, String>(1)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns the readable entries of the group to which an event of a turn belongs. The event is the first
    /// or the last entry of the group.
    fn group_from(&self, id: EntryId) -> Result<Vec<Entry>> {
        let mut first = id;
        let mut more = self.reader.conn.prepare_cached("SELECT more FROM entries WHERE id = ?1")?;
        let follow: EntryId = more.query_row([id], |row| row.get(0))?;
        while follow == 0 && first > 1 {
            let before: Option<EntryId> = more.query_row([first - 1], |row| row.get(0)).optional()?;
            if before != Some(id - (first - 1)) {
                break;
            }
            first -= 1;
        }
        let mut entries = Vec::new();
        for id in first..=id + follow {
            match self.reader.entry(id) {
                Ok(entry) => entries.push(entry),
                // A damaged or erased line has no content to show.
                Err(Error::Tape(memtape_tape::Error::Unreadable { .. }) | Error::NoEntry { .. }) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(entries)
    }
}

/// Removes the files of all sessions.
pub(super) fn clear(mirrors: &Folder) -> Result<()> {
    mirrors.clear(SESSION_STATE, |name| name.ends_with(".md"))
}

fn path(session: &Session) -> String {
    format!("{SESSION_STATE}/{}", turns::file_name(session))
}
