//! Paths of notes: `FOLDER/NAME.md`.
//!
//! **Invariant.** An accepted path names one file directly in one of the workspace's notes folders, on every
//! system that the workspace may be copied to.

use std::fmt;

use crate::error::{Error, Result};
use crate::path::{self, SUFFIX, collision_key, part, shown};

/// Separates the path of the file from the name of the section in a key.
pub(super) const MARK: char = '#';
/// The folders that contain notes, in listing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders(Vec<String>);

impl Default for Folders {
    fn default() -> Self {
        Self(vec!["facts".into(), "episodes".into()])
    }
}

impl Folders {
    /// Creates a list of folders.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the list is empty, a name is not a valid folder name, or some systems consider
    /// two names equal.
    pub fn new(names: impl IntoIterator<Item = String>) -> Result<Self> {
        let names: Vec<String> = names.into_iter().collect();
        if names.is_empty() {
            return Err(Error::Invalid("no notes folder is configured".into()));
        }
        for (n, name) in names.iter().enumerate() {
            part(name, "folder")?;
            if let Some(other) = names[..n].iter().find(|other| collision_key(other) == collision_key(name)) {
                return Err(Error::Invalid(format!(
                    "the notes folders {} and {} collide on some systems",
                    shown(other),
                    shown(name)
                )));
            }
        }
        Ok(Self(names))
    }

    /// Returns the names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Returns the index of a folder; folders that are not in the list come last.
    #[must_use]
    pub fn place(&self, folder: &str) -> usize {
        self.0.iter().position(|name| name == folder).unwrap_or(self.0.len())
    }
}

/// The path of a note.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NotePath {
    text: String,
    /// Length of the folder's name in bytes.
    folder: usize,
}

impl NotePath {
    /// Parses the path of a note in one of these folders.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not the path of a note in one of the folders; the message states the reason.
    pub fn new(text: &str, folders: &Folders) -> Result<Self> {
        let refused = |why| Error::Invalid(format!("invalid note path {}: {why}", shown(text)));
        Ok(Self { text: text.to_owned(), folder: check(text, folders).map_err(refused)? })
    }

    /// Parses a path as the tape records it, even if its folder no longer contains notes.
    ///
    /// `None` if no version of memtape accepts the path.
    #[must_use]
    pub(super) fn written(text: &str) -> Option<Self> {
        let (folder, _) = text.split_once('/')?;
        Self::new(text, &Folders(vec![folder.to_owned()])).ok()
    }

    /// Parses the path of a file of the working copy, regardless of the configured folders.
    #[must_use]
    pub fn of_file(text: &str) -> Option<Self> {
        Self::written(text)
    }

    /// Returns the path of the file that a key of the form names; `None` if the key is invalid.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        of_key(key).and_then(|(path, _)| Self::written(path))
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &str {
        &self.text[..self.folder]
    }

    /// Returns the file name without `.md`.
    #[must_use]
    pub fn stem(&self) -> &str {
        &self.text[self.folder + 1..self.text.len() - SUFFIX.len()]
    }

    /// Returns the whole path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the path of another file in the same folder; `None` if the name is invalid.
    pub(super) fn beside(&self, stem: &str) -> Option<Self> {
        Self::written(&format!("{}/{stem}{SUFFIX}", self.folder()))
    }

    /// Returns the key of one of its sections.
    #[must_use]
    pub fn key(&self, section: &str) -> String {
        format!("{}{MARK}{section}", self.text)
    }

    /// Returns a string that is the same for two paths that some system considers equal.
    #[must_use]
    pub fn collision_key(&self) -> String {
        collision_key(&self.text)
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Splits a key of the form into the path and the name of the section; `None` if the key is not of that
/// shape.
#[must_use]
pub fn of_key(key: &str) -> Option<(&str, &str)> {
    let at = key.find(".md#")? + SUFFIX.len();
    Some((&key[..at], &key[at + MARK.len_utf8()..]))
}

/// Returns the length of the folder's name in a path of a note, or the reason why it is not one.
fn check(text: &str, folders: &Folders) -> std::result::Result<usize, String> {
    let refused = str::to_owned;
    let parts = path::parts(text, "the workspace", "FOLDER/NAME.md")?;
    if parts.len() < 2 {
        return Err(refused("it names no folder: expected FOLDER/NAME.md"));
    }
    let [folder, name] = parts[..] else {
        return Err(refused("notes have no subfolders: expected FOLDER/NAME.md"));
    };
    part(folder, "folder").map_err(|why| refused(&why.to_string()))?;
    if !folders.iter().any(|known| known == folder) {
        let known: Vec<_> = folders.iter().collect();
        return Err(refused(&format!(
            "{folder} is not a notes folder: expected one of {} (notes.folders adds more)",
            known.join(", ")
        )));
    }
    path::file_name(name, &[SUFFIX], "notes")?;
    if name.contains(".md#") {
        return Err(refused("a name must not contain .md#, which separates a note from its section"));
    }
    Ok(folder.len())
}

/// Returns why a file of notes must not have this name; `None` if it may.
#[must_use]
pub fn refusal(name: &str) -> Option<String> {
    check(&format!("facts/{name}"), &Folders::default()).err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<NotePath> {
        NotePath::new(text, &Folders::default())
    }

    #[test]
    fn paths_of_notes_are_read() {
        for text in [
            "facts/user.md",
            "episodes/2026-02.md",
            "episodes/any name.v2.md",
            "facts/用户 – é.md",
            "facts/com.md",
        ] {
            let path = read(text).unwrap();
            assert_eq!(format!("{}/{}.md", path.folder(), path.stem()), text);
            let key = path.key("a#b.md#c");
            assert_eq!(of_key(&key), Some((text, "a#b.md#c")));
        }
        assert_eq!(of_key("facts/user.md"), None);
    }

    #[test]
    fn an_invalid_path_is_refused_with_a_reason() {
        let long = format!("facts/{}.md", "x".repeat(253));
        let cases = [
            ("", "expected FOLDER/NAME.md"),
            ("../secret.md", "escapes"),
            ("facts/../../etc/passwd", "escapes"),
            ("facts/..", "escapes"),
            ("/etc/passwd", "relative"),
            ("C:/x.md", "relative"),
            ("facts\\user.md", "not by \\"),
            ("user.md", "names no folder"),
            ("facts", "names no folder"),
            ("facts/", "end in .md"),
            ("facts/a/b.md", "no subfolders"),
            ("./facts/user.md", "no subfolders"),
            ("facts//user.md", "no subfolders"),
            ("Facts/user.md", "Facts is not a notes folder"),
            ("other/user.md", "facts, episodes"),
            ("facts/user.txt", "end in .md"),
            ("facts/user.MD", "end in .md"),
            ("facts/.md", "no name"),
            ("facts/.hidden.md", "dot"),
            ("facts/ user.md", "space"),
            ("facts/user .md", "space"),
            ("facts/user..md", "dot"),
            ("facts/a\0b.md", "control"),
            ("facts/a\nb.md", "control"),
            ("facts/a\u{202E}b.md", "invisible"),
            ("facts/a?.md", "forbid"),
            ("facts/a:b.md", "forbid"),
            ("facts/CON.md", "device"),
            ("facts/nul.x.md", "device"),
            ("facts/aux .x.md", "device"),
            ("facts/com1.md", "device"),
            ("facts/LPT¹.md", "device"),
            ("facts/a.md#b.md", ".md#"),
            (&long, "256 bytes long"),
        ];
        for (text, why) in cases {
            let error = read(text).unwrap_err();
            assert!(matches!(error, Error::Invalid(_)), "{text:?}");
            assert!(error.to_string().contains(why), "{text:?}: {error}");
            assert!(error.to_string().len() < 300, "{error}");
        }
        assert!(read(&format!("facts/{}.md", "x".repeat(252))).is_ok());
    }

    #[test]
    fn names_that_collide_on_some_system_have_one_key() {
        let key = |text: &str| read(text).unwrap().collision_key();
        for (one, other) in [
            ("facts/User.md", "facts/user.md"),
            ("facts/\u{e9}.md", "facts/E\u{301}.md"),
            ("facts/straße.md", "facts/STRASSE.md"),
            ("facts/ς.md", "facts/Σ.md"),
            ("facts/\u{17f}.md", "facts/s.md"),
            ("facts/\u{212a}.md", "facts/k.md"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        assert_ne!(key("facts/user.md"), key("facts/users.md"));
        assert_ne!(key("facts/user.md"), key("episodes/user.md"));
    }

    #[test]
    fn folders_are_checked_as_names_are() {
        let folders = |names: &[&str]| Folders::new(names.iter().map(|&name| name.to_owned()));
        assert_eq!(folders(&["facts", "episodes"]).unwrap(), Folders::default());
        for names in [&[][..], &[""], &[".."], &["a/b"], &["con"], &["Facts", "facts"]] {
            assert!(folders(names).is_err(), "{names:?}");
        }
    }
}
