//! Warnings: conditions that the user should know about although nothing failed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};
use memtape_index::Unreadable;
use memtape_tape::{Damage, Recovered};
use memtape_upstream::ResolvedWrite;
use memtape_worktree::working_copy::{Odd, Oddity};

/// A warning, which is printed as one line on standard error.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// The end of the tape was repaired.
    Recovered(Recovered),
    /// A line of the tape is damaged.
    Damage(Damage),
    /// An entry that was applied before can no longer be read.
    Unreadable {
        /// The id of the entry.
        id: u64,
        /// The reason why its line is damaged.
        why: String,
    },
    /// The tape no longer contains entries that the index had read from it.
    TapeChanged {
        /// The last entry that the index had applied.
        applied: u64,
        /// The name of the copy of the old index; `None` if there is none.
        kept: Option<String>,
    },
    /// It is known now whether a write was carried out whose answer was lost.
    PendingResolved(ResolvedWrite),
    /// The replica did not follow its upstream: the answer is from the replica as it is.
    Offline {
        /// The reason: the upstream cannot be reached, or another process writes for long.
        why: String,
        /// When the upstream was reached last; `None` if never.
        since: Option<SystemTime>,
    },
    /// An interrupted erasure was finished.
    Erased {
        /// The number of entries whose text was removed.
        entries: usize,
    },
    /// An interrupted erasure cannot be finished by this command. The index, which may contain the erased
    /// text, is not used.
    ErasurePending {
        /// Why it cannot be finished.
        why: String,
    },
    /// Another writer is erasing texts. The index, which may contain them, is not used until it has finished.
    ErasureRunning,
    /// A torn tail of the tape, which was kept, was removed because it may contain erased text.
    TornRemoved {
        /// Its name, relative to the workspace.
        name: String,
    },
    /// The old index was kept during a rebuild, because it may contain what damaged lines of the tape
    /// recorded.
    IndexKept {
        /// The name of its copy.
        kept: String,
    },
    /// The index was damaged and is rebuilt.
    IndexDamaged {
        /// The error of SQLite.
        why: String,
    },
    /// The index cannot be written; it is built in memory.
    IndexInMemory {
        /// The cause of the failure.
        why: String,
    },
    /// Acknowledged entries could not be projected into the index; the next command does it.
    IndexLags {
        /// The cause of the failure.
        why: String,
    },
    /// The embedding model cannot be used: memories are found by their words only.
    NoMeaning {
        /// The reason why the model cannot be used.
        why: String,
    },
    /// The embedding model fails on some memories: these are found by their words only.
    NoVector {
        /// The number of memories.
        memories: usize,
        /// The error of the model.
        why: String,
    },
    /// A file that should be a skill is skipped.
    SkillPassedOver {
        /// The file and the reason.
        why: String,
    },
    /// A tool call that only read is not in the journal.
    CallNotRecorded {
        /// Why it was not recorded.
        why: String,
    },
    /// Secrets were redacted from the written entries.
    Redacted {
        /// The kinds of the secrets.
        kinds: Vec<String>,
    },
    /// A mirror could not be updated.
    MirrorLags {
        /// The cause of the failure.
        why: String,
    },
    /// The user's edits of working copy files cannot be recorded now: the tape's version is used.
    EditsWait {
        /// The kind of files.
        what: &'static str,
        /// Why they cannot be recorded.
        why: String,
    },
    /// The files of a working copy could not be updated from the tape.
    FilesLag {
        /// The kind of files.
        what: &'static str,
        /// The cause of the failure.
        why: String,
    },
    /// The files of a working copy are in another directory than before: files that are missing there were not deleted.
    FilesElsewhere {
        /// The kind of files.
        what: &'static str,
        /// The directory that contains their folders.
        root: PathBuf,
        /// The directory before.
        before: PathBuf,
    },
    /// A person saved a file of a working copy at the moment in which it was replaced.
    EditedWhileReplaced {
        /// The file, below the root.
        path: String,
    },
    /// A file of a working copy could not be updated from the tape, because its path is occupied.
    FileBlocked {
        /// The path of the file, relative to the root.
        path: String,
        /// The file or directory that occupies the path.
        by: Oddity,
    },
    /// A file contained a secret that the tape does not have and that its new text has no place for, so its own text was
    /// kept in a file beside it.
    SecretKeptBeside {
        /// The path of the file, relative to the root.
        path: String,
        /// The path of the kept text.
        kept: String,
    },
    /// The git history of the files is not up to date.
    HistoryLags {
        /// Why it could not be updated.
        why: String,
    },
    /// The git history of the files was damaged and moved to the archive; a new one is made from the tape.
    HistorySetAside {
        /// The damage that was found.
        why: String,
        /// Its new location, relative to the workspace.
        kept: String,
    },
    /// Damaged repositories could not be rewritten without the erased text, and were removed.
    HistoryRemoved {
        /// Their paths, relative to the workspace.
        what: Vec<String>,
    },
    /// The git history of the files may contain erased text, because it could not be rewritten.
    HistoryKeepsErased {
        /// The path to remove, relative to the workspace.
        at: String,
        /// The cause of the failure.
        why: String,
    },
    /// The git history of the files was not searched for secrets.
    HistoryNotSearched {
        /// The repository, relative to the workspace.
        at: String,
        /// Why it was not searched.
        why: String,
    },
    /// The git history of the files was searched, and belongs to another user of the machine.
    HistoryOfOtherUser {
        /// The repository, relative to the workspace.
        at: String,
    },
    /// A repository that memtape does not manage may contain erased text.
    HistoryNotOurs {
        /// The repository.
        at: PathBuf,
    },
    /// The clock is behind the date of the tape's last entry.
    ClockBehind {
        /// The difference.
        behind: SignedDuration,
        /// The date that new entries get.
        date: Timestamp,
    },
}

impl From<Unreadable> for Warning {
    fn from(entry: Unreadable) -> Self {
        Self::Unreadable { id: entry.id, why: entry.why }
    }
}

impl Warning {
    /// Formats a warning about an erasure.
    fn fmt_erasure(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Erased { entries } => write!(f, "finished an interrupted erasure of {entries} entries"),
            Self::ErasurePending { why } => write!(
                f,
                "an erasure is unfinished and this command cannot finish it ({why}); it reads the tape as it is"
            ),
            _ => f.write_str("an erasure is in progress: until it ends, the tape is read without its index"),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recovered(recovered) => fmt_recovered(recovered, f),
            Self::Damage(damage) => {
                let line = memtape_tape::BadLine(damage.clone());
                let passed_over = if damage.counts { "" } else { "; the line is skipped" };
                write!(f, "the tape is damaged: {line}{passed_over} (see `memtape verify`)")
            }
            Self::Unreadable { id, why } => {
                write!(f, "entry {id} cannot be shown: its line is damaged ({why}); see `memtape verify`")
            }
            Self::TapeChanged { applied, kept } => tape_changed(f, *applied, kept.as_deref()),
            Self::PendingResolved(resolved) => fmt_resolved(*resolved, f),
            Self::Offline { why, since } => fmt_offline(why, *since, f),
            Self::Erased { .. } | Self::ErasurePending { .. } | Self::ErasureRunning => self.fmt_erasure(f),
            Self::TornRemoved { name } => {
                write!(f, "removed {name}, an unfinished write that may have contained the redacted text")
            }
            Self::IndexKept { kept } => {
                write!(f, "the tape is damaged; the old index was moved to {kept}")
            }
            Self::IndexDamaged { why } => {
                write!(f, "the index was damaged ({why}); rebuilt it from the tape")
            }
            Self::IndexInMemory { why } => {
                write!(f, "the index is not writable ({why}); this command builds it in memory")
            }
            Self::IndexLags { why } => {
                write!(
                    f,
                    "the entry is on the tape but not yet in the index ({why}); the next command adds it"
                )
            }
            Self::NoMeaning { why } => {
                write!(f, "searched by words only: {why}")
            }
            Self::NoVector { memories, why } => {
                let memories =
                    if *memories == 1 { "1 memory is".into() } else { format!("{memories} memories are") };
                write!(f, "{memories} found by words only: {why}")
            }
            Self::SkillPassedOver { why } => {
                write!(f, "skipped a skill: {why}")
            }
            Self::CallNotRecorded { why } => {
                write!(f, "the call is not in the journal ({why})")
            }
            Self::Redacted { kinds } => {
                write!(f, "a secret was redacted before writing ({})", kinds.join(", "))
            }
            Self::MirrorLags { why } => {
                write!(f, "the files in mirror/ are out of date ({why}); the next write updates them")
            }
            Self::EditsWait { what, why } => {
                write!(f, "cannot record edits to {what} ({why}); shown as on the tape")
            }
            Self::FilesLag { what, why } => {
                write!(f, "{what} are out of date: {why}")
            }
            Self::FilesElsewhere { what, root, before } => fmt_elsewhere(what, root, before, f),
            Self::EditedWhileReplaced { path } => {
                write!(f, "{path} was saved while it was replaced: both texts are recorded and merged")
            }
            Self::FileBlocked { path, by } => fmt_blocked(path, by, f),
            Self::SecretKeptBeside { path, kept } => write!(
                f,
                "{path} contained a secret, which the tape does not have: the file as it was is kept as {kept}"
            ),
            Self::HistoryLags { .. }
            | Self::HistorySetAside { .. }
            | Self::HistoryRemoved { .. }
            | Self::HistoryKeepsErased { .. }
            | Self::HistoryNotSearched { .. }
            | Self::HistoryOfOtherUser { .. }
            | Self::HistoryNotOurs { .. } => fmt_history(self, f),
            Self::ClockBehind { behind, date } => write!(
                f,
                "the clock is {behind:#} behind the last entry of the tape; new entries are dated {date} until it catches up"
            ),
        }
    }
}

fn fmt_elsewhere(what: &str, root: &Path, before: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [root, before] = [root, before].map(Path::display);
    write!(f, "{what} are in {root} now, before in {before}: no missing file counts as deleted")
}

fn fmt_blocked(path: &str, by: &Oddity, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let clean = |path: &str| path.replace(char::is_control, "\u{FFFD}");
    if by.why == Odd::NoRoot {
        return write!(f, "{} is not written: {}", clean(path), by.why);
    }
    let why = match by.path == path {
        true => by.why.to_string(),
        false => format!("{} is in its place, and {}", clean(&by.path), by.why),
    };
    write!(f, "{} is not written: {why}; move it away, and the next command writes the file", clean(path))
}

fn fmt_resolved(resolved: ResolvedWrite, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let ResolvedWrite { first, last, is_written } = resolved;
    let entries = if first == last { format!("entry {first}") } else { format!("entries {first} to {last}") };
    match is_written {
        true => write!(f, "the interrupted command was carried out: {entries}"),
        false => write!(f, "the interrupted command was not carried out: nothing of it was written"),
    }
}

fn fmt_offline(why: &str, since: Option<SystemTime>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match since.and_then(|since| Timestamp::try_from(since).ok()) {
        Some(since) => write!(f, "{why}; this is the memory as of {since:.0}"),
        None => write!(f, "{why}; this is what the replica has"),
    }
}

fn fmt_history(warning: &Warning, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match warning {
        Warning::HistoryLags { why } => write!(
            f,
            "the git history of files/ is not up to date ({why}): memtape tries again at the next command"
        ),
        Warning::HistorySetAside { why, kept } => write!(
            f,
            "the git history of files/ was damaged ({why}): memtape set it aside in {kept} and made a new one from the \
             tape; any commits of your own are in {kept}"
        ),
        Warning::HistoryRemoved { what } => write!(
            f,
            "removed {}: it was damaged, and could not be rewritten without the erased text; memtape makes a new git \
             history of files/ from the tape",
            what.join(", ")
        ),
        Warning::HistoryKeepsErased { at, why } => write!(
            f,
            "the git history of files/ may still hold erased text ({why}): remove {at}; a new history can be made from \
             the tape"
        ),
        Warning::HistoryNotSearched { at, why } => {
            write!(f, "the git history of files/ in {at} was not searched for secrets: {why}")
        }
        Warning::HistoryOfOtherUser { at } => {
            write!(f, "the git repository {at} belongs to another user: its objects were read one by one")
        }
        Warning::HistoryNotOurs { at } => write!(
            f,
            "{} is not memtape's git repository: if the text was committed there, remove it from there yourself",
            at.display()
        ),
        _ => Ok(()),
    }
}

fn fmt_recovered(recovered: &Recovered, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match recovered {
        Recovered::Torn { kept, bytes } => write!(
            f,
            "the tape ended in {bytes} bytes of an unfinished write, which was never acknowledged; \
             they were moved to {kept}"
        ),
        Recovered::Damaged { segment, from, to } => write!(
            f,
            "the end of the tape is damaged (segment from entry {segment}, bytes {from} to {to}); it stays \
             as it is, and entries go on after it: see `memtape verify`"
        ),
    }
}

fn tape_changed(f: &mut fmt::Formatter<'_>, applied: u64, kept: Option<&str>) -> fmt::Result {
    write!(
        f,
        "the tape no longer holds what was read from it up to entry {applied} (it was cut, edited or replaced); rebuilt \
         the index"
    )?;
    match kept {
        Some(kept) => write!(f, ", and moved the old one to {kept}"),
        None => Ok(()),
    }
}
