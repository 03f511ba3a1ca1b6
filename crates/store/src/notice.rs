//! Things a person should know although nothing failed.

use std::fmt;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use memtape_tape::{Damage, Recovered};

use crate::working_copy::Oddity;

/// Something worth a line on standard error.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The tape's end was brought into order.
    Recovered(Recovered),
    /// A line of the tape is passed over.
    Damage(Damage),
    /// An entry that was read before cannot be shown.
    Unreadable {
        /// The entry.
        id: u64,
        /// What is wrong with its line.
        why: String,
    },
    /// The tape no longer holds what the index had read from it.
    TapeChanged {
        /// The last entry the index had applied.
        applied: u64,
        /// Where the old index is kept.
        kept: Option<String>,
    },
    /// An erasure that had been interrupted was finished.
    Erased {
        /// How many entries lost their text.
        entries: usize,
    },
    /// An erasure was interrupted, and cannot be finished here; the index, which may hold what it takes, is not used.
    ErasurePending {
        /// Why it cannot.
        why: String,
    },
    /// An index that is built anew may know what damaged lines of the tape said.
    IndexKept {
        /// Where the old one is kept.
        kept: String,
    },
    /// The index was damaged and is built anew.
    IndexDamaged {
        /// What SQLite said.
        why: String,
    },
    /// The index cannot be written; it is built in memory.
    IndexInMemory {
        /// What SQLite said.
        why: String,
    },
    /// What was acknowledged could not be projected into the index; the next command does it.
    IndexLags {
        /// What failed.
        why: String,
    },
    /// What memories mean cannot be read: they are found by their words only.
    NoMeaning {
        /// What is wrong with the model.
        why: String,
    },
    /// The model fails on some memories: they are found by their words only.
    NoVector {
        /// How many.
        memories: usize,
        /// What the model said.
        why: String,
    },
    /// A file that should be a skill is passed over.
    SkillPassedOver {
        /// Which file, and what is wrong with it.
        why: String,
    },
    /// A call that only read is not in the journal.
    CallNotRecorded {
        /// Why not.
        why: String,
    },
    /// Secrets stood in what was to be written, and were taken out.
    Redacted {
        /// What they were.
        kinds: Vec<String>,
    },
    /// A mirror could not be brought up to date.
    MirrorLags {
        /// What failed.
        why: String,
    },
    /// What a person may have done to the files of a working copy cannot be recorded: the tape's version is read.
    EditsWait {
        /// Which files.
        what: &'static str,
        /// Why it could not.
        why: String,
    },
    /// The files of a working copy could not be brought to what the tape has.
    FilesLag {
        /// Which files.
        what: &'static str,
        /// What failed.
        why: String,
    },
    /// A person saved a file of a working copy at the moment in which it was replaced.
    EditedWhileReplaced {
        /// The file, below the root.
        path: String,
    },
    /// Something stands in the place of a file of a working copy, which could not be brought to what the tape has.
    FileBlocked {
        /// The file, below the root.
        path: String,
        /// What stands there.
        by: Oddity,
    },
    /// The history of the files in git is not up to date.
    HistoryLags {
        /// What keeps it.
        why: String,
    },
    /// The git history of the files was damaged, was set aside, and is made anew from the tape.
    HistorySetAside {
        /// What was wrong with it.
        why: String,
        /// Where it is kept, relative to the workspace.
        kept: String,
    },
    /// Damaged repositories could not be rewritten without what is erased, and were removed.
    HistoryRemoved {
        /// Which, relative to the workspace.
        what: Vec<String>,
    },
    /// What was erased may stand in the git history of the files, which could not be rewritten.
    HistoryKeepsErased {
        /// What to remove, relative to the workspace.
        at: String,
        /// What failed.
        why: String,
    },
    /// The git history of the files was looked through, and belongs to another user of the machine.
    HistoryOfOtherUser {
        /// The repository, relative to the workspace.
        at: String,
    },
    /// What was erased may stand in a repository that is not memtape's.
    HistoryNotOurs {
        /// The repository.
        at: PathBuf,
    },
    /// The clock stands before the tape's last entry.
    ClockBehind {
        /// By how much.
        behind: SignedDuration,
        /// The date that entries get.
        date: Timestamp,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recovered(recovered) => fmt_recovered(recovered, f),
            Self::Damage(damage) => {
                let line = memtape_tape::BadLine(damage.clone());
                let passed_over = if damage.counts { "" } else { "; the line is passed over" };
                write!(f, "the tape is damaged: {line}{passed_over} (see `memtape verify`)")
            }
            Self::Unreadable { id, why } => {
                write!(f, "entry {id} cannot be shown, its line is damaged ({why}): see `memtape verify`")
            }
            Self::TapeChanged { applied, kept } => tape_changed(f, *applied, kept.as_deref()),
            Self::Erased { entries } => {
                write!(f, "an erasure of {entries} entries had been interrupted, and is finished now")
            }
            Self::ErasurePending { why } => {
                write!(
                    f,
                    "an erasure is not finished, and not by this command ({why}): it reads the tape as it is"
                )
            }
            Self::IndexKept { kept } => {
                write!(f, "the tape is damaged; what the old index knew of it is kept in {kept}")
            }
            Self::IndexDamaged { why } => {
                write!(f, "the index was damaged ({why}) and is rebuilt from the tape")
            }
            Self::IndexInMemory { why } => {
                write!(f, "the index cannot be written ({why}): this command builds it in memory")
            }
            Self::IndexLags { why } => {
                write!(
                    f,
                    "the entry is safe on the tape, but not in the index yet ({why}): the next command adds it"
                )
            }
            Self::NoMeaning { why } => {
                write!(f, "memories are found by their words only: {why}")
            }
            Self::NoVector { memories, why } => {
                let memories =
                    if *memories == 1 { "1 memory is".into() } else { format!("{memories} memories are") };
                write!(f, "{memories} found by words only: {why}")
            }
            Self::SkillPassedOver { why } => {
                write!(f, "a skill is passed over: {why}")
            }
            Self::CallNotRecorded { why } => {
                write!(f, "the call is not in the journal ({why})")
            }
            Self::Redacted { kinds } => {
                write!(f, "a secret was taken out before anything was written ({})", kinds.join(", "))
            }
            Self::MirrorLags { why } => {
                write!(f, "the files in mirror/ are not up to date ({why}): the next write does it")
            }
            Self::EditsWait { what, why } => {
                write!(f, "edits of {what} cannot be recorded now ({why}): this is what the tape has")
            }
            Self::FilesLag { what, why } => {
                write!(f, "{what} are not up to date ({why}): the next command does it")
            }
            Self::EditedWhileReplaced { path } => {
                write!(f, "{path} was saved while it was replaced: both texts are recorded and merged")
            }
            Self::FileBlocked { path, by } => {
                let path = path.replace(char::is_control, "\u{FFFD}");
                write!(f, "{path} is not written: {by}; move it away, and the next command writes the file")
            }
            Self::HistoryLags { .. }
            | Self::HistorySetAside { .. }
            | Self::HistoryRemoved { .. }
            | Self::HistoryKeepsErased { .. }
            | Self::HistoryOfOtherUser { .. }
            | Self::HistoryNotOurs { .. } => fmt_history(self, f),
            Self::ClockBehind { behind, date } => write!(
                f,
                "the clock stands {behind:#} before the tape's last entry; new entries are dated {date} until it has caught up"
            ),
        }
    }
}

fn fmt_history(notice: &Notice, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match notice {
        Notice::HistoryLags { why } => write!(
            f,
            "the git history of files/ is not up to date ({why}): memtape tries again at the next command"
        ),
        Notice::HistorySetAside { why, kept } => write!(
            f,
            "the git history of files/ was damaged ({why}): memtape set it aside in {kept} and made a new one from the \
             tape; any commits of your own are in {kept}"
        ),
        Notice::HistoryRemoved { what } => write!(
            f,
            "removed {}: it was damaged, and could not be rewritten without the erased text; memtape makes a new git \
             history of files/ from the tape",
            what.join(", ")
        ),
        Notice::HistoryKeepsErased { at, why } => write!(
            f,
            "the git history of files/ may still hold erased text ({why}): remove {at}, and the next write makes a new \
             history from the tape"
        ),
        Notice::HistoryOfOtherUser { at } => {
            write!(f, "the git repository {at} belongs to another user: its objects were read one by one")
        }
        Notice::HistoryNotOurs { at } => write!(
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
    write!(f, "the tape no longer holds what was read from it up to entry {applied}; the index is rebuilt")?;
    match kept {
        Some(kept) => write!(f, ", and what the old one knew is kept in {kept}"),
        None => Ok(()),
    }
}
