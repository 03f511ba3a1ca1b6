//! The mirror files of sessions.
//!
//! The last block of a file shows whether the file is up to date: it must be that of the session's previous
//! turn. Otherwise the file is rewritten from the tape, with its last turns.

use std::collections::BTreeSet;

use memtape_core::Session;
use memtape_core::mirror::turns::{self, AppendOutcome, Block, FILE_BYTES_MAX, SESSION_STATE};
use memtape_tape::{EntryId, Group};
use memtape_worktree::mirror::Folder;

use super::Mirrors;
use crate::error::Result;

impl Mirrors<'_> {
    pub(super) fn follow_sessions(&self, groups: &[Group]) -> Result<()> {
        let first = groups.iter().flat_map(|group| &group.entries).next();
        let Some(first) = first.filter(|_| self.session_state).map(|first| first.entry.id) else {
            return Ok(());
        };
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
        for session in self.reader.sessions_with_turns()? {
            self.write_session(&session)?;
        }
        Ok(())
    }

    /// Removes the files of conversations that were reset: they start over, and so do their files.
    fn forget_conversations(&self, first: EntryId) -> Result<()> {
        for reset in self.reader.resets_since(first)? {
            match reset {
                None => clear(&self.folder)?,
                Some(session) => self.folder.remove(&path(&session))?,
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
        match turns::append(&file, &before, block) {
            AppendOutcome::Added if self.folder.add(&path, &block.text)? => Ok(()),
            AppendOutcome::Trimmed(text) => Ok(self.folder.replace(&path, &text)?),
            AppendOutcome::Added | AppendOutcome::Unknown => self.write_session(&block.session),
        }
    }

    /// Returns the heading of the block of the last turn before an entry; `None` if there is none.
    fn heading_before(&self, session: &Session, first: EntryId) -> Result<Option<String>> {
        let mut heading = None;
        self.reader.each_turn_event(session, first, |id, name| {
            heading = Some(turns::heading(name, self.reader.date_up_to(id)?));
            Ok(false)
        })?;
        Ok(heading)
    }

    /// Rewrites a session's file from the tape.
    fn write_session(&self, session: &Session) -> Result<()> {
        let (mut blocks, mut bytes) = (Vec::new(), 0);
        self.reader.each_turn_event(session, self.reader.head() + 1, |id, _| {
            let group = self.reader.group_of_turn_event(id)?;
            let group: Vec<_> = group.iter().collect();
            let block = turns::blocks(&group).find(|block| block.session == *session);
            bytes += block.as_ref().map_or(0, |block| block.text.len());
            blocks.extend(block);
            Ok(bytes < FILE_BYTES_MAX)
        })?;
        let blocks = blocks.iter().rev().map(|block| block.text.as_str());
        match blocks.len() {
            0 => self.folder.remove(&path(session))?,
            _ => self.folder.replace(&path(session), &turns::render(session, blocks))?,
        }
        Ok(())
    }
}

/// Removes the files of all sessions.
pub(super) fn clear(mirrors: &Folder) -> Result<()> {
    Ok(mirrors.clear(SESSION_STATE, |name| name.ends_with(".md"))?)
}

fn path(session: &Session) -> String {
    format!("{SESSION_STATE}/{}", turns::file_name(session))
}
