//! Searches everything that a workspace stores for secrets, and redacts them.
//!
//! *Reads* every line of the tape, damaged ones included, and the text files next to it. *Writes*, if asked
//! to, an erasure (`memtape_store::erase`) and the redacted files.
//!
//! **Invariants.** A find is reported by its place and kind, never by its text. A redacted place contains no
//! further find. Names are searched but never changed. Symbolic links are not followed. Files are replaced as
//! by every other command, under the writer lock: files of the working copies by [`crate::working_copy`], all
//! others by [`replace_file`]. If a person edits a file at that moment, the edit is kept and the file is
//! searched again.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use memtape_core::guard;
use memtape_core::safety::names::{Named, SecretName};
use memtape_core::safety::secrets::{self, Found};
use memtape_core::{Origin, Session};
use memtape_index::Reader;
use memtape_store::{Replacement, Warning};
use memtape_tape::{Archived, Entry, EntryId, RawLine, ReplacedLine, Seal, codec};
use memtape_worktree::git;
use memtape_worktree::working_copy::{Odd, Replaced, replace_file};
use serde_json::Value;

use crate::error::Result;
use crate::workspace::Workspace;

/// The reason that is recorded with an erasure of secrets.
const REASON: &str = "secrets were found";

/// The directories and the file that are searched, besides the directories of the notes.
const SEARCHED: [&str; 4] = ["archive", "mirror", "files", "HEARTBEAT.md"];

/// Maximum size of a file that is searched, in bytes.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// Size of the new lines of one erasure, in bytes, up to which it replaces further lines: it is in memory, and
/// `erase.json` has all of it.
const ERASURE_BYTES_MAX: usize = 64 << 20;

/// Number of attempts to search a file that changes in the meantime.
const ATTEMPTS: usize = 5;

/// The place of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An entry.
    Entry(EntryId),
    /// A line of a file, relative to the workspace, or a line of the tape that is not an entry because it is
    /// damaged.
    File {
        /// The path of the file, with `/` as separator.
        name: String,
        /// The line number, from 1.
        line: u64,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(id) => write!(f, "entry {id}"),
            Self::File { name, line } => write!(f, "{name}:{line}"),
        }
    }
}

/// A secret that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    /// The place.
    pub place: Place,
    /// The kind of secret, such as `github-token`.
    pub kind: &'static str,
}

/// A secret that could not be redacted, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unredacted {
    /// The place; line 0 of a file stands for its name.
    pub place: Place,
    /// The reason.
    pub why: WhyUnredacted,
}

/// The reason why a secret is not redacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyUnredacted {
    /// It is part of a name that other entries refer to.
    Name(SecretName),
    /// It is in a place that memtape does not write to.
    Odd(Odd),
    /// The file cannot be written.
    Unwritable {
        /// The message of the system.
        why: String,
    },
}

impl fmt::Display for Unredacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.why, &self.place) {
            (WhyUnredacted::Name(SecretName { kind, .. }), Place::File { name, .. }) => {
                write!(f, "{name}: the file name contains a secret ({kind}): rename the file")
            }
            (WhyUnredacted::Name(SecretName { of, kind, .. }), place) => write!(
                f,
                "{place}: the name of {of} contains a secret ({kind}); names are not redacted: revoke \
                 the secret"
            ),
            (WhyUnredacted::Odd(odd), Place::File { name, .. }) => {
                write!(f, "{name} was not redacted: {odd}; remove the secret by hand")
            }
            (WhyUnredacted::Odd(odd), place) => write!(f, "{place} was not redacted: {odd}"),
            (WhyUnredacted::Unwritable { why }, Place::File { name, .. }) => {
                write!(f, "{name} was not redacted: it cannot be written ({why}); remove the secret by hand")
            }
            (WhyUnredacted::Unwritable { why }, place) => write!(f, "{place} was not redacted: {why}"),
        }
    }
}

/// The result of a search for secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Every secret, those of the tape first.
    pub finds: Vec<Find>,
    /// The secrets that cannot be redacted: names, each once, and files that memtape does not or cannot write to.
    pub left: Vec<Unredacted>,
    /// The files that were skipped because they are too large or not text, and files and directories that cannot be read.
    pub passed_over: Vec<String>,
    /// The last entry that authenticates redacted lines of the tape; `None` if nothing was redacted there.
    pub event: Option<EntryId>,
}

impl Workspace {
    /// Searches every line of the tape and the text files of the workspace for secrets.
    ///
    /// Nothing is changed.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the tape, a file or the git history of the files cannot be
    /// read.
    pub fn scan(&self) -> Result<Scan> {
        let looked = self.ask(|reader| look(reader, 0))?;
        let mut scan = Scan { finds: looked.finds, left: looked.left, ..Scan::default() };
        self.scan_files(&mut scan, false)?;
        self.scan_history(&mut scan)?;
        Ok(scan)
    }

    /// Searches for secrets and redacts them: those of the tape by an erasure, or several if their lines are too long for
    /// one, and those of files by rewriting each file.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if another process holds the writer lock for longer than
    /// `lock_wait_seconds`, or if the tape, a file or the git history cannot be read or written. What was
    /// redacted before the error stays redacted.
    pub fn scan_and_redact(&self) -> Result<Scan> {
        // Edits must be recorded on the tape, with secrets redacted, before the files are rewritten.
        self.follow_files()?;
        let mut scan = self.redact_tape(ERASURE_BYTES_MAX)?;
        // Text that a person committed to git directly is not on the tape.
        let mut left = Scan::default();
        self.scan_history(&mut left)?;
        if !left.finds.is_empty() {
            self.store.redact_history()?;
            scan.finds.extend(left.finds);
        }
        // The erasure may have moved a torn tail of the tape to a file.
        self.redact_all_files(&mut scan)?;
        self.follow_files()?;
        Ok(scan)
    }

    /// Redacts the secrets on the tape, by erasures of about `bytes` each.
    fn redact_tape(&self, bytes: usize) -> Result<Scan> {
        let author = self.author(&Session::direct(), Origin::User);
        let mut scan = Scan::default();
        let (mut is_first, mut has_more) = (true, true);
        while has_more {
            let erased = self.store.erase(&author, REASON, |reader| {
                let looked = look(reader, bytes)?;
                has_more = looked.has_more;
                // Later, the tape has only the rest of them.
                if is_first {
                    (scan.finds, scan.left) = (looked.finds, looked.left);
                }
                Ok(looked.replacements)
            })?;
            is_first = false;
            has_more &= erased.event.is_some();
            scan.event = erased.event.or(scan.event);
        }
        Ok(scan)
    }

    /// Searches the git history of the files.
    fn scan_history(&self, scan: &mut Scan) -> Result<()> {
        let workspace = self.ask(|reader| Ok(reader.workspace()))?;
        let mut look_into = |name: String, text: &[u8]| {
            scan.finds.extend(in_lines(secrets::find_in_bytes(text), text, &name));
        };
        let searched = |at: &str, looked: git::Result<()>| -> Result<()> {
            let Err(failure) = looked else { return Ok(()) };
            let (at, why) = (at.to_owned(), failure.to_string());
            match failure {
                // What else there is can still be searched.
                git::Failure::Unsupported => self.store.note(Warning::HistoryNotSearched { at, why }),
                _ => return Err(memtape_store::Error::History { at, why }.into()),
            }
            Ok(())
        };
        // A repository made under an earlier setting may still exist, so every place is searched.
        for place in git::Place::ALL {
            let looked = git::each_text(self.dir(), place, &workspace, |path, text| {
                look_into(format!("git: {path}"), text);
            });
            searched(place.name(), looked)?;
            if git::is_other_users(self.dir(), place, &workspace) {
                self.store.note(Warning::HistoryOfOtherUser { at: place.name().to_owned() });
            }
        }
        let looked = git::each_archived_text(self.dir(), |name, text| look_into(name.to_owned(), text));
        searched("archive/git-*", looked)
    }

    /// Redacts every file, under the writer lock.
    fn redact_all_files(&self, scan: &mut Scan) -> Result<()> {
        let mut write_guard = self.store.write_guard()?;
        self.scan_files(scan, false)?;
        self.redact_files(&mut write_guard);
        // The remaining files belong to no working copy, or their edits could not be recorded.
        let mut rest = Scan::default();
        self.scan_files(&mut rest, true)?;
        for left in rest.left.into_iter().filter(|left| !matches!(left.why, WhyUnredacted::Name(_))) {
            // A find that was not redacted is reported only as such.
            let is_there = |place: &Place| match (place, &left.place) {
                (Place::File { name, .. }, Place::File { name: other, .. }) => name == other,
                _ => false,
            };
            scan.finds.retain(|find| !is_there(&find.place));
            scan.left.push(left);
        }
        Ok(())
    }

    fn scan_files(&self, scan: &mut Scan, redact: bool) -> Result<()> {
        let notes = &self.config.notes;
        let root = notes.data_dir.as_deref().unwrap_or(self.dir());
        let own = SEARCHED.into_iter().map(|name| self.dir().join(name));
        for folder in own.chain(notes.folders.iter().map(|folder| root.join(folder))) {
            let (mut found, mut unreadable) = (Vec::new(), Vec::new());
            list(&folder, &mut found, &mut unreadable)
                .map_err(|e| memtape_tape::Error::io("list", &folder, e))?;
            scan.passed_over.extend(unreadable.iter().map(|path| relative(self.dir(), path)));
            found.sort();
            for path in found {
                let name = relative(self.dir(), &path);
                let own = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy();
                if let Some(found) = Named::FILE.secret_in(&own) {
                    let place = Place::File { name: name.clone(), line: 0 };
                    scan.left.push(Unredacted { place, why: WhyUnredacted::Name(found) });
                }
                let is_segment = name.strip_prefix("archive/").and_then(Archived::from_file_name).is_some();
                if !is_segment {
                    match scan_file(&path, &name, redact, scan) {
                        // It was removed since it was listed, as a reset does with mirrors, so there is
                        // nothing to redact.
                        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                        // The other files can be searched.
                        Err(e) if is_refused(&e) => scan.passed_over.push(name),
                        scanned => scanned.map_err(|e| memtape_tape::Error::io("scan", path, e))?,
                    }
                }
            }
        }
        Ok(())
    }
}

/// The secrets found on the tape, and the replacements for their lines.
#[derive(Default)]
struct Looked {
    finds: Vec<Find>,
    left: Vec<Unredacted>,
    /// The names that were reported.
    names: HashSet<SecretName>,
    replacements: Vec<Replacement>,
    /// Size of further replacements, in bytes.
    room: usize,
    /// Whether there was no room for a replacement.
    has_more: bool,
}

impl Looked {
    /// Adds the replacement of a line, if there is room. A first one is always added, unless none are wanted.
    fn replace(&mut self, bytes: usize, replacement: impl FnOnce() -> Replacement) {
        if self.room == 0 {
            self.has_more = true;
            return;
        }
        self.room = self.room.saturating_sub(bytes);
        self.replacements.push(replacement());
    }
}

/// Searches the tape. Only replacements of up to about `bytes` are returned.
fn look(reader: &Reader<'_>, bytes: usize) -> memtape_index::Result<Looked> {
    let mut looked = Looked { room: bytes, ..Looked::default() };
    reader.each_line(|line| match codec::parse(line.bytes) {
        Ok(entry) => look_into_entry(reader, &line, entry, &mut looked),
        Err(_) => {
            look_into_damage(&line, &mut looked);
            Ok(())
        }
    })?;
    Ok(looked)
}

fn look_into_entry(
    reader: &Reader<'_>,
    line: &RawLine<'_>,
    entry: Entry,
    looked: &mut Looked,
) -> memtape_index::Result<()> {
    let mut kinds = Vec::new();
    let mut report = |kind| kinds.push(kind);
    // A line that parses but does not match its hash is damaged, whatever the index read there before.
    let is_entry = || -> memtape_index::Result<bool> {
        Ok(entry.computed_hash() == entry.hash && reader.is_entry(line, &entry)?)
    };
    let (payload, meta) = (entry.payload.get(), entry.meta.get());
    for name in guard::secrets_in_names(&entry.kind, payload, meta, &entry.branch) {
        if looked.names.insert(name.clone()) {
            let place = if is_entry()? { Place::Entry(entry.id) } else { in_file(line) };
            looked.left.push(Unredacted { place, why: WhyUnredacted::Name(name) });
        }
    }
    let payload = guard::redacted_payload(&entry.kind, payload, &mut report);
    let meta = guard::redacted_meta(meta, &mut report);
    if kinds.is_empty() {
        return Ok(());
    }
    let text = (payload.unwrap_or_else(|| entry.payload.clone()), meta.unwrap_or_else(|| entry.meta.clone()));
    let is_entry = is_entry()?;
    let place = if is_entry { Place::Entry(entry.id) } else { in_file(line) };
    looked.finds.extend(kinds.into_iter().map(|kind| Find { place: place.clone(), kind }));
    // Text that is nested too deeply to be parsed may still contain a memory, so it is erased completely.
    let readable = |text: &str| serde_json::from_str::<Value>(text).is_ok();
    let whole = !readable(entry.payload.get()) || !readable(entry.meta.get());
    looked.replace(line.bytes.len(), || match is_entry {
        true => Replacement::Entry { id: entry.id, with: if whole { None } else { Some(text) } },
        // The digest and both hashes are kept, so that a copied line stays intact and a damaged one stays
        // damaged.
        false => {
            let seal = Seal::Erased(entry.digest());
            let (payload, meta) = text;
            let mut with = Vec::new();
            codec::encode(&Entry { payload, meta, seal, ..entry }, &mut with);
            with.pop();
            replaced_line(line, with)
        }
    });
    Ok(())
}

fn look_into_damage(line: &RawLine<'_>, looked: &mut Looked) {
    let mut with = Vec::with_capacity(line.bytes.len());
    let mut kinds = Vec::new();
    redact_raw(line.bytes, &mut with, &mut |found| kinds.push(found.kind));
    if kinds.is_empty() {
        return;
    }
    let place = in_file(line);
    looked.finds.extend(kinds.into_iter().map(|kind| Find { place: place.clone(), kind }));
    looked.replace(line.bytes.len(), || replaced_line(line, with));
}

fn replaced_line(line: &RawLine<'_>, with: Vec<u8>) -> Replacement {
    Replacement::Line(ReplacedLine { segment: line.segment, line: line.number, with })
}

fn in_file(line: &RawLine<'_>) -> Place {
    let name = line
        .archived
        .map_or_else(|| "tape.jsonl".to_owned(), |archived| format!("archive/{}", archived.file_name()));
    Place::File { name, line: line.number }
}

/// Appends the bytes of JSON that cannot be parsed to `out`, with the secrets of their texts redacted, and reports each.
fn redact_raw(bytes: &[u8], out: &mut Vec<u8>, report: &mut dyn FnMut(Found)) {
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        let text = chunk.valid();
        for Found { range, kind } in secrets::find_raw(text) {
            report(Found { range: at + range.start..at + range.end, kind });
        }
        out.extend_from_slice(secrets::redact_raw(text).as_bytes());
        out.extend_from_slice(chunk.invalid());
        at += text.len() + chunk.invalid().len();
    }
}

/// Returns the lines of a file in which secrets were found.
fn in_lines<'f>(
    found: impl IntoIterator<Item = Found> + 'f,
    bytes: &'f [u8],
    name: &'f str,
) -> impl Iterator<Item = Find> + 'f {
    found.into_iter().map(move |found| {
        let line = secrets::line_at(bytes, found.range.start);
        Find { place: Place::File { name: name.to_owned(), line }, kind: found.kind }
    })
}

/// Returns whether the system refuses a file or a directory, as against a failure of the disk.
fn is_refused(e: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, PermissionDenied, ReadOnlyFilesystem};
    matches!(e.kind(), PermissionDenied | ReadOnlyFilesystem | InvalidFilename)
}

/// Collects a file, or the files below a directory, except symbolic links and the contents of git repositories, and the
/// directories that cannot be read.
fn list(folder: &Path, found: &mut Vec<PathBuf>, unreadable: &mut Vec<PathBuf>) -> io::Result<()> {
    let is_gone = |e: &io::Error| e.kind() == io::ErrorKind::NotFound;
    let entries = match fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_file() => {
            found.push(folder.to_owned());
            return Ok(());
        }
        Ok(metadata) if !metadata.is_dir() => return Ok(()),
        Ok(_) => fs::read_dir(folder),
        Err(e) => Err(e),
    };
    let entries = match entries {
        Err(e) if is_gone(&e) => return Ok(()),
        Err(e) if is_refused(&e) => {
            unreadable.push(folder.to_owned());
            return Ok(());
        }
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let kind = match entry.file_type() {
            Err(e) if is_gone(&e) => continue,
            kind => kind?,
        };
        if kind.is_dir() && entry.file_name() != ".git" {
            list(&entry.path(), found, unreadable)?;
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Returns a path for display: relative to the workspace, with `/` as separator.
fn relative(dir: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(dir).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Searches a file for secrets, and rewrites it if `redact` is set.
fn scan_file(path: &Path, name: &str, redact: bool, scan: &mut Scan) -> io::Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(before) = read(path)? else {
            scan.passed_over.push(name.to_owned());
            return Ok(());
        };
        // A torn tail of the tape is JSON, which may contain zeros.
        let is_torn = name.starts_with("archive/torn-");
        if !is_torn && before.contains(&0) && !secrets::is_utf16(&before) {
            scan.passed_over.push(name.to_owned());
            return Ok(());
        }
        let (found, after) = if is_torn {
            let (mut found, mut after) = (Vec::new(), Vec::with_capacity(before.len()));
            redact_raw(&before, &mut after, &mut |one| found.push(one));
            (found, Cow::Owned(after))
        } else {
            (secrets::find_in_bytes(&before), secrets::redact_bytes(&before))
        };
        let finds: Vec<Find> = in_lines(found, &before, name).collect();
        if finds.is_empty() || !redact {
            scan.finds.extend(finds);
            return Ok(());
        }
        let why = match replace_file(path, &before, &after) {
            Ok(Replaced::Done) => {
                scan.finds.extend(finds);
                return Ok(());
            }
            Ok(Replaced::Moved) => continue,
            Ok(Replaced::LeftAlone(odd)) => WhyUnredacted::Odd(odd),
            Err(e) if is_refused(&e) => WhyUnredacted::Unwritable { why: e.to_string() },
            Err(e) => return Err(e),
        };
        scan.left.push(Unredacted { place: Place::File { name: name.to_owned(), line: 0 }, why });
        return Ok(());
    }
    Err(io::Error::other("it keeps changing"))
}

/// Returns the bytes of a file; `None` if it is too large.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path)?.len() {
        0..=FILE_BYTES_MAX => fs::read(path).map(Some),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::look;
    use crate::workspace::{Options, Workspace};

    #[test]
    fn many_secrets_are_redacted_by_several_erasures() {
        let dir = tempfile::tempdir().expect("the machine has a temporary folder");
        let workspace = Workspace::init(dir.path(), Options::default()).expect("a workspace is created");
        for text in ["one is plum", "two is plum", "three is plum", "four"] {
            workspace.zone().remember(text).expect("the line is written");
        }
        // Older versions redacted nothing. Here the lines are damaged, which makes no difference.
        let tape = || fs::read_to_string(dir.path().join("tape.jsonl")).expect("the tape is text");
        let planted = tape().replace("is plum", "password is tangerine-Falcon-88");
        fs::write(dir.path().join("tape.jsonl"), planted).expect("the tape is written");
        let none = workspace.ask(|reader| look(reader, 0)).expect("the tape is searched");
        assert!(none.replacements.is_empty() && none.has_more);
        let scan = workspace.redact_tape(1).expect("the tape is redacted");
        assert_eq!(scan.finds.len(), 3, "{:?}", scan.finds);
        assert!(!tape().contains("Falcon"));
        assert_eq!(tape().matches("tape.erase").count(), 3);
        assert!(scan.event.is_some());
    }
}
