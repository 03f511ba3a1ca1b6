//! Questions about notes: the files at a point, their history, and what changed since an entry, which the files of the
//! working copy have to follow.

use std::collections::{BTreeSet, HashMap};

use memtape_core::forms::notes::entry::{self, Act};
use memtape_core::forms::notes::{NotePath, NotesView};
use memtape_core::{Audience, Form, Point};
use memtape_tape::EntryId;

use crate::audience::Confidential;
use crate::error::Result;
use crate::reader::{Question, Reader, number_of};

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

    /// The entries at a point, newest first, that changed a file of notes.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn note_history(&self, path: &NotePath, point: &Point) -> Result<Vec<EntryId>> {
        let (first, end) = range(path);
        let sql = "WITH m AS (SELECT id, branch, died, spread FROM memories
                        WHERE form = 'notes' AND form <> 'messages' AND key >= ?1 AND key < ?2),
                  c(entry, branch) AS (
                      SELECT id >> 20, branch FROM m
                      UNION SELECT died, branch FROM m WHERE died IS NOT NULL
                      UNION SELECT r.entry, r.branch FROM m JOIN retired r ON r.memory = m.id WHERE m.spread)
             SELECT c.entry, b.name FROM c JOIN branches b ON b.id = c.branch ORDER BY c.entry DESC";
        let mut statement = self.conn.prepare_cached(sql)?;
        let rows = statement.query_map((first, end), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        let mut entries = Vec::new();
        for row in rows {
            let (entry, branch) = row?;
            if point.lineage.last(&branch).is_some_and(|last| entry <= last) {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// How often sections of each file were recalled in turns, up to a point.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn note_recalls(&self, point: &Point) -> Result<HashMap<NotePath, u64>> {
        let sql = "SELECT m.key, count(*) FROM recalls r JOIN memories m ON m.id = r.memory
                   WHERE m.form = 'notes' AND r.entry <= ?1 GROUP BY m.key";
        let mut statement = self.conn.prepare_cached(sql)?;
        let rows = statement.query_map([point.entry()], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
        let mut counts = HashMap::new();
        for row in rows {
            let (key, count): (String, u64) = row?;
            if let Some(path) = NotePath::of_key(&key) {
                *counts.entry(path).or_default() += count;
            }
        }
        Ok(counts)
    }

    /// The memories of one file of notes that an audience sees.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn note_file(&self, path: &NotePath, audience: &Audience, point: &Point) -> Result<NotesView> {
        let question = Question { under: Some(path.key("")), ..notes_of(audience) };
        Ok(NotesView::fold(&self.memories(&question, point)?))
    }

    /// The notes that an audience sees.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn notes(&self, audience: &Audience, point: &Point) -> Result<NotesView> {
        Ok(NotesView::fold(&self.memories(&notes_of(audience), point)?))
    }
}

fn notes_of(audience: &Audience) -> Question {
    Question {
        audience: audience.clone(),
        confidential: Confidential::ToOwner,
        form: Some(Form::Notes),
        ..Question::default()
    }
}

/// The keys of a file's sections.
fn range(path: &NotePath) -> (String, String) {
    let first = path.key("");
    // No key holds what stands behind every character.
    let end = format!("{first}{}", char::MAX);
    (first, end)
}
