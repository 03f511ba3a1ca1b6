//! Queries of files: those at a point, with or without their contents, their history, and what changed since
//! an entry.

use memtape_core::forms::files::{File, FilePath, FilesView, Listed, entry};
use memtape_core::path::is_canonically_equal;
use memtape_core::{Audience, Form, Point};
use memtape_tape::EntryId;

use crate::audience::{Confidential, Rows, seen_by};
use crate::error::Result;
use crate::moved::Moved;
use crate::reader::{Question, Reader};
use crate::rows::micros;
use crate::visibility::{of_form, visible_at_bound};

impl Reader<'_> {
    /// Returns which files changed on a branch itself since an entry.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails; [`Error::Tape`](crate::Error::Tape) if the disk
    /// fails.
    pub fn files_moved(&self, branch: &str, since: EntryId) -> Result<Moved> {
        self.moved(&entry::NAMES, |entry| entry::path(entry).map(|path| path.to_string()), branch, since)
    }

    /// Returns the entries at a point, newest first, that changed a file.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn file_history(&self, path: &FilePath, point: &Point) -> Result<Vec<EntryId>> {
        // This is the smallest key after the path.
        let end = format!("{path}\0");
        self.changes_under(Form::FILES, path.as_str(), &end, point)
    }

    /// Returns the file at a path; `None` if there is none that the audience sees.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn one_file(&self, path: &FilePath, audience: &Audience, point: &Point) -> Result<Option<File>> {
        let question = Question { key: Some(path.as_str().to_owned()), ..files_of(audience) };
        Ok(self.memories(&question, point)?.iter().rev().find_map(File::read))
    }

    /// Returns the path under which a file is recorded: this one, or one that is canonically equal to it. A current file
    /// comes before one that was removed. A new file is in the folder of current files that is canonically equal to its
    /// own.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn recorded_file_path(&self, path: &FilePath, audience: &Audience) -> Result<FilePath> {
        let keys = self.keys_of(Form::FILES, path.as_str(), audience)?;
        let found = match recorded(&keys, path.as_str(), |key| Some(key.to_owned())) {
            Some(found) => Some(found),
            None => in_recorded_folder(&keys, path.as_str()),
        };
        Ok(found.and_then(|found| FilePath::new(&found).ok()).unwrap_or_else(|| path.clone()))
    }

    /// Returns the recorded path of a form that is canonically equal to a path; `None` if there is none that the
    /// audience sees. `path_of` returns the path that a key names.
    pub(crate) fn recorded_path(
        &self,
        form: Form,
        path: &str,
        audience: &Audience,
        path_of: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<String>> {
        Ok(recorded(&self.keys_of(form, path, audience)?, path, path_of))
    }

    /// Returns the keys of a form that the audience sees, each with whether a memory of it is current on the branch on
    /// which it was created; none for an ASCII path, which is spelled in one way only.
    fn keys_of(&self, form: Form, path: &str, audience: &Audience) -> Result<Vec<(String, bool)>> {
        if path.is_ascii() {
            return Ok(Vec::new());
        }
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        let sql = format!(
            "SELECT m.key, max(m.died IS NULL) FROM memories m WHERE {} AND {seen} GROUP BY m.key",
            of_form("m", form)
        );
        let mut statement = self.conn.prepare(&sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the content of a file at a point, whoever may see it; `None` if there is no such file.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn file_bytes(&self, path: &FilePath, point: &Point) -> Result<Option<Vec<u8>>> {
        Ok(self.one_file(path, &Audience::owner(), point)?.map(|file| file.bytes))
    }

    /// Returns a view of the file at a path. If there is none that the audience sees, the view contains the
    /// paths of all files that it does see.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn file(&self, path: &FilePath, audience: &Audience, point: &Point) -> Result<FilesView> {
        match self.one_file(path, audience, point)? {
            Some(file) => Ok(FilesView::of(file)),
            None => {
                let others = self.file_list(audience, point)?;
                Ok(FilesView::default().beside(others.into_iter().map(|file| file.path)))
            }
        }
    }

    /// Returns the files that an audience sees, with their contents.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn files(&self, audience: &Audience, point: &Point) -> Result<FilesView> {
        Ok(FilesView::fold(&self.memories(&files_of(audience), point)?))
    }

    /// Returns the files that an audience sees, without their contents, ordered by path. This is a cheap
    /// query.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) if SQLite fails.
    pub fn file_list(&self, audience: &Audience, point: &Point) -> Result<Vec<Listed>> {
        let seen = seen_by(self.conn, audience, Confidential::ToOwner, &self.workspace(), Rows::Memories)?;
        // At the head of a branch without a parent, no removed file shows: the history need not be read.
        let is_head = point.lineage.steps().len() == 1 && point.entry() >= self.head();
        let current = if is_head { " AND m.died IS NULL" } else { "" };
        let sql = format!(
            "SELECT m.key, octet_length(m.text), m.data, m.created_at FROM memories m
             WHERE {}{current} AND {} AND {seen} ORDER BY m.key",
            of_form("m", Form::FILES),
            visible_at_bound(self.conn, point)?
        );
        let listed = self.at(&sql, point)?.all(&[], |row| {
            let (key, data): (String, Option<String>) = (row.get(0)?, row.get(2)?);
            Ok(Listed::read(&key, row.get(1)?, data.as_deref(), micros(row.get(3)?)))
        })?;
        Ok(listed.into_iter().flatten().collect())
    }
}

fn files_of(audience: &Audience) -> Question {
    Question {
        audience: audience.clone(),
        confidential: Confidential::ToOwner,
        form: Some(Form::FILES),
        ..Question::default()
    }
}

/// Returns the path of a key that is canonically equal to a path, preferably a current and an equal one.
fn recorded(keys: &[(String, bool)], path: &str, path_of: impl Fn(&str) -> Option<String>) -> Option<String> {
    let found = keys.iter().filter_map(|(key, is_current)| Some((is_current, path_of(key)?)));
    let found = found.filter(|(_, found)| is_canonically_equal(found, path));
    found.max_by_key(|(is_current, found)| (*is_current, found == path)).map(|(_, found)| found)
}

/// Returns a path in the folders in which current files are: as many of its folders as possible are spelled as theirs.
/// `None` if none of them exists.
fn in_recorded_folder(keys: &[(String, bool)], path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let shared = |key: &str| {
        let folders = key.split('/').count().min(parts.len()) - 1;
        let pairs = key.split('/').zip(&parts).take(folders);
        let shared = pairs.take_while(|(one, other)| is_canonically_equal(one, other)).count();
        let equal = key.split('/').zip(&parts).take(shared).filter(|(one, other)| one == *other).count();
        (shared, equal)
    };
    let current = keys.iter().filter(|(_, is_current)| *is_current).map(|(key, _)| key.as_str());
    let ((count, _), key) = current.map(|key| (shared(key), key)).max_by_key(|(shared, _)| *shared)?;
    let folders = key.split('/').take(count);
    (count > 0).then(|| folders.chain(parts[count..].iter().copied()).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_in_the_folder_that_exists() {
        let keys =
            ["a/x.md", "Entwu\u{308}rfe/alt.md", "Entwu\u{308}rfe/Ma\u{308}rz/a.md", "Gru\u{308}n/b.md"];
        let keys: Vec<_> = keys.iter().map(|key| ((*key).to_owned(), !key.starts_with('G'))).collect();
        let found = |path: &str| in_recorded_folder(&keys, path);
        assert_eq!(found("Entwürfe/neu.md").as_deref(), Some("Entwu\u{308}rfe/neu.md"));
        assert_eq!(found("Entwürfe/März/ä.md").as_deref(), Some("Entwu\u{308}rfe/Ma\u{308}rz/ä.md"));
        // The name of a file is no folder, and a folder without a current file does not exist.
        assert_eq!(found("Entwürfe/alt.md/ä.md").as_deref(), Some("Entwu\u{308}rfe/alt.md/ä.md"));
        assert_eq!(found("Grün/c.md"), None);
        assert_eq!(found("ä.md"), None);
    }
}
