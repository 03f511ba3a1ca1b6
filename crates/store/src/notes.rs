//! What changed of the notes on a branch since an entry: what the files of the working copy have to follow.

use std::collections::BTreeSet;

use memtape_core::forms::notes::NotePath;
use memtape_core::forms::notes::entry::{self, Act};
use memtape_tape::EntryId;

use crate::error::Result;
use crate::reader::{Reader, number_of};

/// What changed of the notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// These files, or none.
    Files(BTreeSet<NotePath>),
    /// Any: there was a reset or an erasure.
    Any,
}

impl Moved {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Files(files) if files.is_empty())
    }
}

impl Reader<'_> {
    /// What changed of the notes on a branch itself since an entry.
    ///
    /// # Errors
    /// What SQLite or the medium says.
    pub fn notes_moved(&self, branch: &str, since: EntryId) -> Result<Moved> {
        if since >= self.head() {
            return Ok(Moved::Files(BTreeSet::new()));
        }
        let erased = "SELECT 1 FROM resets WHERE entry > ?1
                      UNION ALL SELECT 1 FROM entries WHERE name = 'tape.erase' AND id > ?1";
        if self.conn.prepare_cached(erased)?.exists([since])? {
            return Ok(Moved::Any);
        }
        let Some(number) = number_of(self.conn, "branches", branch)? else {
            return Ok(Moved::Files(BTreeSet::new()));
        };
        let mut of_name =
            self.conn.prepare_cached("SELECT id FROM entries WHERE name = ?1 AND id > ?2 AND branch = ?3")?;
        let mut files = BTreeSet::new();
        for act in Act::ALL {
            let ids = of_name.query_map((act.event_name(), since, number), |row| row.get(0))?;
            for id in ids.collect::<rusqlite::Result<Vec<EntryId>>>()? {
                match self.readable(self.entry(id))?.as_ref().and_then(entry::path) {
                    Some(path) => drop(files.insert(path)),
                    None => return Ok(Moved::Any),
                }
            }
        }
        Ok(Moved::Files(files))
    }

    /// The entries up to one, newest first, that changed a file of notes on any branch.
    ///
    /// # Errors
    /// What SQLite or the medium says.
    pub fn note_history(&self, path: &NotePath, until: EntryId) -> Result<Vec<(EntryId, String)>> {
        let mut of_name = self.conn.prepare_cached(
            "SELECT e.id, b.name FROM entries e JOIN branches b ON b.id = e.branch WHERE e.name = ?1 AND e.id <= ?2",
        )?;
        let mut found = Vec::new();
        for act in Act::ALL {
            let rows = of_name.query_map((act.event_name(), until), |row| Ok((row.get(0)?, row.get(1)?)))?;
            for row in rows.collect::<rusqlite::Result<Vec<(EntryId, String)>>>()? {
                if self.readable(self.entry(row.0))?.as_ref().and_then(entry::path).as_ref() == Some(path) {
                    found.push(row);
                }
            }
        }
        found.sort_unstable_by(|one, other| other.cmp(one));
        Ok(found)
    }
}
