//! Questions about notes: the files at a point, their history, and what changed since an entry, which the files of the
//! working copy have to follow.

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
    /// What changed of the notes on a branch itself since an entry.
    ///
    /// # Errors
    /// What SQLite or the medium says.
    pub fn notes_moved(&self, branch: &str, since: EntryId) -> Result<Moved> {
        let names = Act::ALL.map(Act::event_name);
        self.moved(&names, |entry| entry::path(entry).map(|path| path.to_string()), branch, since)
    }

    /// The entries at a point, newest first, that changed a file of notes.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn note_history(&self, path: &NotePath, point: &Point) -> Result<Vec<EntryId>> {
        let (first, end) = range(path);
        self.changes_under(Form::NOTES, &first, &end, point)
    }

    /// How often sections of each file were recalled in turns, up to a point.
    ///
    /// # Errors
    /// What SQLite says.
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

    /// The memories of one file of notes that an audience sees.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn note_file(&self, path: &NotePath, audience: &Audience, point: &Point) -> Result<NotesView> {
        Ok(NotesView::fold(&self.note_sections(path, audience, point)?))
    }

    /// The sections of a file that an audience sees.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn note_sections(&self, path: &NotePath, audience: &Audience, point: &Point) -> Result<Vec<Memory>> {
        let question = Question { under: Some(path.key("")), ..notes_of(audience) };
        self.memories(&question, point)
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
        form: Some(Form::NOTES),
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
