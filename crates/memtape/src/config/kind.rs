//! The kinds of values: what a key accepts, how it is read from JSON types and from text, and how it is
//! shown.

use std::path::Path;

use jiff::tz::TimeZone;
use memtape_core::forms::notes::Folders;
use memtape_core::line::truncated;
use memtape_upstream::Freshness;
use serde_json::Value;

/// The names of folders that a workspace uses itself.
const OWN_FOLDERS: [&str; 4] = ["archive", "mirror", "files", "history.git"];

/// Maximum number of characters of an invalid value that a message shows.
const SHOWN_CHARS: usize = 60;

/// The kind of value that a key accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// The name of a time zone.
    TimeZone,
    /// One of several names.
    Choice {
        /// The names.
        names: &'static [&'static str],
        /// Accepted aliases, each with the name it stands for.
        also: &'static [(&'static str, &'static str)],
    },
    /// A boolean.
    Switch,
    /// A whole number.
    Whole {
        /// The minimum.
        min: u64,
        /// The maximum; `u64::MAX` means no limit.
        max: u64,
    },
    /// A number of at least 0.
    Number {
        /// The maximum; [`f64::MAX`] means no limit.
        max: f64,
    },
    /// A text of one line; an empty text means none.
    Text,
    /// A directory; an empty text means none. A relative path starts at the directory of the file that names
    /// it.
    Folder,
    /// A list of directories, with the same rule for relative paths.
    Folders,
    /// A file; an empty text means none. The same rule holds for relative paths.
    File,
    /// A list of channel identities, `CHANNEL:ID`.
    Identities,
    /// A list of channels; `*` stands for all of them.
    Channels,
    /// The folders of notes: names that the workspace does not use otherwise, at least one.
    NoteFolders,
    /// A list of folder names.
    FolderNames,
    /// How current reads of a replica are: `latest`, a time such as `5s`, or `offline`.
    Freshness,
}

impl SettingKind {
    /// Returns a description of the accepted values, to be used within a sentence.
    #[must_use]
    pub fn expects(self) -> String {
        match self {
            Self::TimeZone => r#"the name of a time zone, such as "Europe/Berlin", or "system""#.into(),
            Self::Choice { names, .. } => {
                names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or ")
            }
            Self::Switch => "true or false".into(),
            Self::Whole { min, max: u64::MAX } => format!("a whole number from {min}"),
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Number { max: f64::MAX } => "a number from 0".into(),
            Self::Number { max } => format!("a number from 0 to {max}"),
            Self::Text => "a text of one line".into(),
            Self::Folder => "the path of a directory (no ~)".into(),
            Self::Folders => "a list of paths of directories (no ~)".into(),
            Self::File => "the path of a file (no ~)".into(),
            Self::Identities => r#"a list of "CHANNEL:ID""#.into(),
            Self::NoteFolders => r#"a list of folder names, such as ["facts", "episodes"]"#.into(),
            Self::FolderNames => r#"a list of names, such as ["claude"]"#.into(),
            Self::Freshness => r#""latest", "offline", or a time such as "5s""#.into(),
            Self::Channels => {
                r#"a list of channels, such as ["telegram"], or ["*"] for every channel"#.into()
            }
        }
    }

    /// Validates a value and returns it in its normal form; `None` if it is not of this kind.
    pub(super) fn read(self, value: &Value, folder: Option<&Path>) -> Option<Value> {
        match self {
            Self::TimeZone => time_zone(value.as_str()?).map(|_| value.clone()),
            Self::Choice { names, also } => {
                let text = value.as_str()?;
                let text = also.iter().find(|(other, _)| *other == text).map_or(text, |(_, name)| name);
                names.contains(&text).then(|| text.into())
            }
            Self::Switch => value.as_bool().map(|_| value.clone()),
            Self::Whole { min, max } => {
                value.as_u64().filter(|n| (min..=max).contains(n)).map(|_| value.clone())
            }
            Self::Number { max } => value.as_f64().filter(|n| (0.0..=max).contains(n)).map(|_| value.clone()),
            Self::Text => {
                value.as_str().filter(|text| !text.contains(char::is_control)).map(|_| value.clone())
            }
            Self::Folder | Self::File => folder_path(value.as_str()?, folder),
            Self::Folders => {
                let paths = value.as_array()?.iter().map(|path| folder_path(path.as_str()?, folder));
                paths.collect::<Option<Vec<_>>>().map(Value::from)
            }
            Self::Freshness => value.as_str()?.parse::<Freshness>().ok().map(|_| value.clone()),
            Self::Identities => identities(value),
            Self::Channels => channels(value),
            Self::NoteFolders => note_folders(value).map(|_| value.clone()),
            Self::FolderNames => value.as_array()?.iter().all(Value::is_string).then(|| value.clone()),
        }
    }

    /// Returns the value that a text of the environment or of a flag stands for. A text that stands for none
    /// is returned unchanged, so that validation rejects and shows it.
    pub(super) fn value_of(self, text: &str) -> Value {
        let number = || match self {
            Self::Whole { .. } => text.trim().parse::<u64>().ok().map(Value::from),
            Self::Number { .. } => text.trim().parse::<f64>().ok().filter(|n| n.is_finite()).map(Value::from),
            Self::Switch => text.trim().parse::<bool>().ok().map(Value::from),
            Self::Identities | Self::Channels | Self::NoteFolders | Self::FolderNames | Self::Folders
                if text.trim_start().starts_with('[') =>
            {
                serde_json::from_str(text).ok()
            }
            Self::Identities | Self::Channels | Self::NoteFolders | Self::FolderNames | Self::Folders => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Some(parts.map(Value::from).collect())
            }
            _ => None,
        };
        number().unwrap_or_else(|| text.into())
    }
}

/// The name that stands for the time zone of the machine.
pub(super) const SYSTEM_ZONE: &str = "system";

/// Returns a time zone by its name. The machine's is UTC if it cannot be determined.
pub(super) fn time_zone(name: &str) -> Option<TimeZone> {
    match name {
        SYSTEM_ZONE => Some(TimeZone::try_system().unwrap_or(TimeZone::UTC)),
        "UTC" => Some(TimeZone::UTC),
        _ => TimeZone::get(name).ok(),
    }
}

/// Returns the notes folders of a list of names, unless one is used by the workspace itself.
pub(super) fn note_folders(value: &Value) -> Option<Folders> {
    let names = value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
    let names: Vec<String> = names.collect::<Option<_>>()?;
    let is_taken = |name: &String| OWN_FOLDERS.iter().any(|own| name.eq_ignore_ascii_case(own));
    Folders::new(names).ok().filter(|folders| !folders.iter().any(|name| is_taken(&name.to_owned())))
}

fn folder_path(text: &str, folder: Option<&Path>) -> Option<Value> {
    // No shell has expanded the text, so `~` would be the name of a folder.
    if text.starts_with('~') {
        return None;
    }
    match folder {
        Some(folder) if !text.is_empty() => Some(folder.join(text).to_str()?.into()),
        _ => Some(text.into()),
    }
}

fn identities(value: &Value) -> Option<Value> {
    let mut read: Vec<Value> = Vec::new();
    for identity in value.as_array()? {
        let (channel, id) = identity.as_str()?.split_once(':')?;
        if channel.trim().is_empty() || id.trim().is_empty() {
            return None;
        }
        if !read.contains(identity) {
            read.push(identity.clone());
        }
    }
    Some(read.into())
}

fn channels(value: &Value) -> Option<Value> {
    let mut read: Vec<Value> = Vec::new();
    for channel in value.as_array()? {
        let name = channel.as_str()?;
        if name.trim().is_empty() || name.contains(':') {
            return None;
        }
        if !read.contains(channel) {
            read.push(channel.clone());
        }
    }
    Some(read.into())
}

/// Returns a value as TOML.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// Returns an invalid value as a message shows it.
pub(super) fn shortened(value: &Value) -> String {
    truncated(&shown(value), SHOWN_CHARS, "…").into_owned()
}
