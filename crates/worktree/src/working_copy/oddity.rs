//! Files and directories in the working copy that memtape cannot manage.

use std::fmt;

use cap_fs_ext::MetadataExt as _;
use cap_std::fs::Metadata;

/// Maximum size of a file, in bytes: its text is one line of the tape, which an import can read. No note written by hand
/// is longer.
pub(super) const FILE_BYTES_MAX: u64 = 16 << 20;

/// Why something is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Odd {
    /// A symbolic link: it may lead anywhere.
    Link,
    /// A device, a FIFO or a socket.
    NoFile,
    /// A folder with a file's name.
    Folder,
    /// A file in the place of a directory.
    NoFolder,
    /// A file with several names: who changes it here changes it elsewhere.
    HardLinks(u64),
    /// A file that is too long.
    TooLong,
    /// A name that no file of the working copy can have.
    Name,
    /// A name that the form refuses.
    Refused {
        /// The reason.
        why: String,
    },
    /// A new file or directory whose name contains a secret, which would be recorded on the tape.
    SecretName {
        /// The kind of the secret, such as `github-token`.
        kind: &'static str,
    },
    /// A name that is the name of another one, but for upper and lower case or how Unicode spells it.
    SameName {
        /// The one that counts.
        counts: String,
    },
    /// It cannot be read.
    Unreadable {
        /// The message of the system.
        why: String,
    },
    /// A temporary file of an interrupted command that the manifest does not list for its directory.
    Leftover,
    /// The root of the folders is missing, or has none of them, though it had files.
    NoRoot,
}

/// Something that is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// The path, relative to the root.
    pub path: String,
    /// Why.
    pub why: Odd,
}

impl Odd {
    /// Why what has this metadata is left alone, if it is.
    pub(super) fn of(found: &Metadata, bytes_max: u64) -> Option<Self> {
        if found.is_symlink() {
            return Some(Self::Link);
        }
        if found.is_dir() {
            return Some(Self::Folder);
        }
        if !found.is_file() {
            return Some(Self::NoFile);
        }
        match found.nlink() {
            // A file without a name was removed while it was read.
            0 | 1 => (found.len() > bytes_max).then_some(Self::TooLong),
            several => Some(Self::HardLinks(several)),
        }
    }
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link => write!(f, "it is a symbolic link"),
            Self::Folder => write!(f, "it is a folder with the name of a file"),
            Self::NoFile => write!(f, "it is not a regular file"),
            Self::NoFolder => write!(f, "it is not a folder"),
            Self::HardLinks(links) => write!(f, "it has {links} hard links"),
            Self::TooLong => write!(f, "it has more than {FILE_BYTES_MAX} bytes"),
            Self::Name => {
                write!(f, "it is not recorded, because its name is not valid on every system: rename it")
            }
            Self::Refused { why } => f.write_str(why),
            Self::SecretName { kind } => {
                write!(f, "it is not recorded, because its name contains a secret ({kind}): rename it")
            }
            Self::SameName { counts } => write!(f, "some systems take its name for that of {counts}"),
            Self::Unreadable { why } => write!(f, "it cannot be read ({why})"),
            Self::Leftover => write!(
                f,
                "an interrupted command left it, and the manifest does not list it: copy what you need from it, and \
                 delete it"
            ),
            Self::NoRoot => write!(
                f,
                "the directory is missing or empty, though it had files; if you deleted them, create a folder of notes in \
                 it"
            ),
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name may hold anything: it stays on its line.
        let path = self.path.replace(char::is_control, "\u{FFFD}");
        write!(f, "{path} is left alone: {}", self.why)
    }
}
