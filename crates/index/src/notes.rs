//! Queries of notes: the files at a point, their history, and what changed since an entry and must be updated
//! in the working copy.

use std::collections::HashMap;

use memtape_core::forms::notes::entry::{self, Act};
use memtape_core::forms::notes::{NotePath, NotesView};
use memtape_core::{Audience, Form, Memory, Point};
use memtape_tape::EntryId;

use crate::audience::Confidential;
use crate::error::Result;
use crate::moved::Moved;
use crate::reader::{Question, Reader};
use crate::visibility::of_form;

impl Reader<'_> {
    /// Returns which note files changed on a branch itself since an entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails; [`Error::Tape`](crate::Error::Tape) if the disk
    /// fails.
    pub fn notes_moved(&self, branch: &str, since: EntryId) -> Result<Moved> {
        let names = Act::ALL.map(Act::event_name);
        self.moved(&names, |entry| entry::path(entry).map(|path| path.to_string()), branch, since)
    }

    /// Returns the entries at a point, newest first, that changed a note file.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn note_history(&self, path: &NotePath, point: &Point) -> Result<Vec<EntryId>> {
        let (first, end) = range(path);
        self.changes_under(Form::NOTES, &first, &end, point)
    }

    /// Returns how often sections of each note file were recalled in turns, up to a point. Files without
    /// recalls are omitted.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn note_recalls(&self, point: &Point) -> Result<HashMap<NotePath, u64>> {
        let sql = format!(
            "SELECT m.key, count(*) FROM memories m JOIN recalls r ON r.memory = m.id
             WHERE {} AND r.entry <= ?1 GROUP BY m.key",
            of_form("m", Form::NOTES)
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
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

    /// Returns the path under which a note is recorded: this one, or one that is canonically equal to it. A current note
    /// comes before one that was removed; without either, the path is returned as it is.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn recorded_note_path(&self, path: &NotePath, audience: &Audience) -> Result<NotePath> {
        let path_of = |key: &str| NotePath::of_key(key).map(|path| path.to_string());
        let found = self.recorded_path(Form::NOTES, path.as_str(), audience, path_of)?;
        Ok(found.and_then(|found| NotePath::of_file(&found)).unwrap_or_else(|| path.clone()))
    }

    /// Returns the view of one note file, as an audience sees it.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn note_file(&self, path: &NotePath, audience: &Audience, point: &Point) -> Result<NotesView> {
        Ok(NotesView::fold(&self.note_sections(path, audience, point)?))
    }

    /// Returns the sections of a note file that an audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn note_sections(&self, path: &NotePath, audience: &Audience, point: &Point) -> Result<Vec<Memory>> {
        let question = Question { under: Some(path.key("")), ..notes_of(audience) };
        self.memories(&question, point)
    }

    /// Returns all notes that an audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn notes(&self, audience: &Audience, point: &Point) -> Result<NotesView> {
        Ok(NotesView::fold(&self.memories(&notes_of(audience), point)?))
    }
}

fn notes_of(audience: &Audience) -> Question {
    Question {
        audience: audience.clone(),
        confidential: Confidential::ToOwner,
        form: Some(Form::NOTES),
        ..Question::default()
    }
}

/// Returns the range of keys of a file's sections: the first key, and the end, which is excluded.
fn range(path: &NotePath) -> (String, String) {
    let first = path.key("");
    // No key contains the greatest character, so this is the end of the range.
    let end = format!("{first}{}", char::MAX);
    (first, end)
}
