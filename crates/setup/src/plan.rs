//! The changes of each file, computed before anything is written.

use std::fs::File;
use std::path::PathBuf;

use similar::TextDiff;

use crate::client::{Client, Part, Scope, System, Target};
use crate::command::Command;
use crate::error::{Error, Kind, Problem, Result};
use crate::files;
use crate::parts::Editor;
use crate::toml;
use crate::written::{Action, Written};

/// The changes that add memtape to a client, or remove it.
#[derive(Debug)]
pub struct Plan {
    /// The files, including those that are unchanged.
    pub changes: Vec<Change>,
    /// Messages for the user, each a sentence without a full stop.
    pub notes: Vec<String>,
}

/// A file before and after.
#[derive(Debug)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// Its content now. `None` if it does not exist.
    pub before: Option<String>,
    /// Its content afterwards. `None` if it is deleted.
    pub after: Option<String>,
    /// Whether a copy is made before the file is changed.
    pub(crate) needs_backup: bool,
}

/// A text to paste into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The file.
    pub path: PathBuf,
    /// The content of a file that has nothing else.
    pub text: String,
}

/// Plans to add memtape to a client's configuration, in which an earlier entry of memtape is replaced.
///
/// # Errors
/// [`Error::NoProjectFile`] if the client keeps no configuration in a project, [`Error::Malformed`] or
/// [`Error::Foreign`] if a file cannot be changed without doubt, [`Error::NotAFile`] if it is no regular file, and
/// [`Error::Io`] if one cannot be read.
pub fn add(client: Client, scope: Scope, command: &Command, system: &System<'_>) -> Result<Plan> {
    let mut changes = Vec::new();
    let mut notes = not_installed(client, scope, system);
    for Target { path, part } in client.targets(scope, system)? {
        let editor = editor(part, client, command, system);
        let before = files::read(&path)?;
        let (mark, text) = split_mark(before.as_deref().unwrap_or_default());
        let in_file = |problem: Problem| problem.in_file(path.clone(), text);
        let added = editor.add(text).map_err(in_file)?;
        // An edit of a file with an unforeseen form could damage it, so it must at least read as set up.
        if editor.add(&added).ok().as_ref() != Some(&added) {
            return Err(in_file(Problem::malformed(0, "memtape cannot change this file safely")));
        }
        if part == Part::TomlServer && toml::has_hooks(text) {
            let file = path.display();
            notes.push(format!("{file} has hooks too: Codex runs those and memtape's, and says so"));
        }
        if editor.is_off(&added) {
            notes.push(format!("memtape is switched off in {}", path.display()));
        }
        // A file with memtape in it has its backup already, unless it was created for memtape or edited by hand.
        let rest = editor.remove(text, None).map_or_else(|_| text.to_owned(), |removed| removed.text);
        let has_part = rest != text;
        // What setup writes into a new file, now or with another program or workspace.
        let is_created = has_part && editor.add("").ok().as_ref() == Some(&added);
        let needs_backup = before.is_some() && !is_created && (!has_part || files::backups(&path).is_empty());
        let after = Some(format!("{mark}{added}"));
        changes.push(Change { path, before, after, needs_backup });
    }
    Ok(Plan { changes, notes })
}

/// Plans to remove memtape from a client's configuration.
///
/// A file that has only memtape's part besides what a backup has gets the bytes of the backup, and one that has only
/// memtape's part is deleted. A copy is made first if that part was changed by hand since.
///
/// # Errors
/// [`Error::NoProjectFile`] if the client keeps no configuration in a project, [`Error::Malformed`] if a file cannot
/// be changed without doubt, [`Error::NotAFile`] if it is no regular file, and [`Error::Io`] if one cannot be read.
pub fn remove(client: Client, scope: Scope, command: &Command, system: &System<'_>) -> Result<Plan> {
    let mut plan = Plan { changes: Vec::new(), notes: Vec::new() };
    for Target { path, part } in client.removed_from(scope, system)? {
        let editor = editor(part, client, command, system);
        let Some(before) = files::read(&path)? else { continue };
        let (mark, text) = split_mark(&before);
        let backups = files::backups(&path);
        let newest = backups.first().map(|(_, backup)| split_mark(backup).1);
        let removed = editor.remove(text, newest).map_err(|problem| problem.in_file(path.clone(), text))?;
        if let Some(at) = removed.foreign {
            let problem = Problem { at, kind: Kind::Foreign };
            plan.notes.push(format!("{}, so it stays", problem.in_file(path.clone(), text)));
        }
        let original = backups.iter().map(|(_, backup)| backup).find(|backup| {
            let backup = split_mark(backup).1;
            let restored = |text: &str| editor.remove(text, Some(backup)).ok().map(|removed| removed.text);
            let added = editor.add(backup).ok();
            restored(backup).as_deref() == Some(backup)
                && added.is_some_and(|added| restored(&added) == restored(text))
        });
        let after = match original {
            _ if removed.text == text => Some(before.clone()),
            Some(original) => Some(original.clone()),
            None if backups.is_empty() && editor.is_empty(&removed.text) => None,
            None => Some(format!("{mark}{}", removed.text)),
        };
        // What setup would not write again, and no backup has, was set by the user.
        let part = |text: &str| editor.add(text).and_then(|added| editor.own_part(&added)).ok();
        let own = part(text);
        let is_in_backup = backups.iter().any(|(_, backup)| part(split_mark(backup).1) == own);
        let needs_backup = part(&removed.text) != own && !is_in_backup;
        plan.changes.push(Change { path, before: Some(before), after, needs_backup });
    }
    Ok(plan)
}

/// Returns what a person would paste into each file of a client that has nothing else.
///
/// # Errors
/// [`Error::NoProjectFile`] if the client keeps no configuration in a project.
pub fn snippets(
    client: Client,
    scope: Scope,
    command: &Command,
    system: &System<'_>,
) -> Result<Vec<Snippet>> {
    let targets = client.targets(scope, system)?.into_iter();
    let snippet = |Target { path, part }| {
        let text = editor(part, client, command, system).add("");
        let text = text.map_err(|problem| problem.in_file(path.clone(), ""))?;
        Ok(Snippet { path, text })
    };
    targets.map(snippet).collect()
}

impl Plan {
    /// Returns whether every file is unchanged.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.changes.iter().all(|change| !change.is_change())
    }

    /// Returns the changes as a unified diff; empty if there are none.
    #[must_use]
    pub fn diff(&self) -> String {
        self.changes.iter().filter(|change| change.is_change()).map(Change::diff).collect()
    }

    /// Makes the changes, and returns the action on each file, in their order.
    ///
    /// # Errors
    /// [`Error::Changed`] if a file changed since the plan was made, [`Error::NotAFile`] if it is no regular file any more,
    /// and [`Error::Io`] if one cannot be read or written; [`Error::Stopped`] with that error if files before it are
    /// already written.
    pub fn apply(&self) -> Result<Vec<Written>> {
        let mut written = Vec::new();
        for change in self.changes.iter().filter(|change| change.is_change()) {
            match change.apply() {
                Ok(file) => written.push(file),
                Err(error) if written.is_empty() => return Err(error),
                Err(error) => return Err(Error::Stopped { written, error: Box::new(error) }),
            }
        }
        Ok(written)
    }
}

impl Change {
    fn is_change(&self) -> bool {
        self.before != self.after
    }

    fn diff(&self) -> String {
        let path = self.path.display().to_string();
        let name = |text: &Option<String>| if text.is_some() { path.clone() } else { "/dev/null".to_owned() };
        let before = self.before.as_deref().unwrap_or_default();
        let after = self.after.as_deref().unwrap_or_default();
        let diff = TextDiff::from_lines(before, after);
        diff.unified_diff().header(&name(&self.before), &name(&self.after)).to_string()
    }

    fn apply(&self) -> Result<Written> {
        let path = self.path.clone();
        // Of several runs at once, only the first one makes a backup. A folder that cannot be locked does not stop it.
        let folder = path.parent().and_then(|folder| File::open(folder).ok());
        let _turn = folder.filter(|folder| folder.lock().is_ok());
        if files::read(&path)? != self.before {
            return Err(Error::Changed { path });
        }
        let text = self.before.as_ref().filter(|_| self.needs_backup);
        let backup = text.map(|text| files::back_up(&path, text)).transpose()?;
        let written = self.write(backup.clone());
        if let (Err(_), Some(backup)) = (&written, &backup) {
            // The file is unchanged, and the backup of a later run must be the newest one.
            let _ = files::delete(backup);
        }
        written
    }

    /// Makes the change, after the file was copied to a backup if it is to have one.
    fn write(&self, backup: Option<PathBuf>) -> Result<Written> {
        let path = self.path.clone();
        let Some(after) = &self.after else {
            files::delete(&path)?;
            return Ok(Written { path, action: Action::Deleted, backup });
        };
        if self.before.is_none() || backup.is_some() {
            files::write(&path, after)?;
            let action = if backup.is_some() { Action::Changed } else { Action::Created };
            return Ok(Written { path, action, backup });
        }
        let backup = files::backups(&path).into_iter().find(|(_, text)| text == after).map(|(path, _)| path);
        files::write(&path, after)?;
        if let Some(backup) = &backup {
            files::delete(backup)?;
        }
        let action = if backup.is_some() { Action::Restored } else { Action::Changed };
        Ok(Written { path, action, backup })
    }
}

fn editor<'a>(part: Part, client: Client, command: &'a Command, system: &System<'_>) -> Editor<'a> {
    Editor { part, command, platform: system.platform, is_json5: client.uses_json5() }
}

fn not_installed(client: Client, scope: Scope, system: &System<'_>) -> Vec<String> {
    let folder = client.folder(system);
    let is_missing = scope == Scope::User && !folder.exists();
    let name = client.name();
    let note =
        || format!("{} does not exist: {name} is not installed, or was never started", folder.display());
    is_missing.then(note).into_iter().collect()
}

/// Splits the byte order mark from a text.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}
