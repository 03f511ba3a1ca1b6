//! Kinds of values: what a key takes, how it is read from JSON's types and from a text, how it is shown.

use std::path::Path;

use jiff::tz::TimeZone;
use memtape_core::forms::notes::Folders;
use serde_json::Value;

/// The folders that a workspace keeps for itself.
const OWN_FOLDERS: [&str; 4] = ["archive", "mirror", "files", "history.git"];

/// How much of a wrong value a message shows, in characters.
const SHOWN_CHARS: usize = 60;

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The name of a time zone.
    TimeZone,
    /// One of some names.
    Choice {
        /// The names.
        names: &'static [&'static str],
        /// Other names, and what they are read as.
        also: &'static [(&'static str, &'static str)],
    },
    /// Yes or no.
    Switch,
    /// A whole number.
    Whole {
        /// The least one.
        min: u64,
        /// The greatest one; `u64::MAX` is no limit.
        max: u64,
    },
    /// A number that is not below 0.
    Number,
    /// A folder, or an empty text for none. A relative one starts at the folder of the file that names it.
    Folder,
    /// A list of folders, each as above.
    Folders,
    /// A file, or an empty text for none; a relative one as above.
    File,
    /// A list of identities on channels, `CHANNEL:ID`.
    Identities,
    /// A list of channels, of which `*` is every one.
    Channels,
    /// A list of names of folders, directly in the workspace.
    NoteFolders,
}

impl Kind {
    /// What it takes, as it stands in a sentence.
    #[must_use]
    pub fn expects(self) -> String {
        match self {
            Self::TimeZone => r#"the name of a time zone, such as "Europe/Berlin""#.into(),
            Self::Choice { names, .. } => {
                names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or ")
            }
            Self::Switch => "true or false".into(),
            Self::Whole { min, max: u64::MAX } => format!("a whole number from {min}"),
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Number => "a number from 0".into(),
            Self::Folder => "a folder's path, written out (no ~)".into(),
            Self::Folders => r#"a list of folders' paths, written out (no ~)"#.into(),
            Self::File => "a file's path, written out (no ~)".into(),
            Self::Identities => r#"a list of "CHANNEL:ID""#.into(),
            Self::NoteFolders => r#"a list of names of folders, such as ["facts", "episodes"]"#.into(),
            Self::Channels => r#"a list of channels, such as ["telegram"], or ["*"] for every one"#.into(),
        }
    }

    /// Checks a value, and gives it as it counts; `None` where it is none of this kind.
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
            Self::Number => value.as_f64().filter(|n| n.is_finite() && *n >= 0.0).map(|_| value.clone()),
            Self::Folder | Self::File => folder_path(value.as_str()?, folder),
            Self::Folders => {
                let paths = value.as_array()?.iter().map(|path| folder_path(path.as_str()?, folder));
                paths.collect::<Option<Vec<_>>>().map(Value::from)
            }
            Self::Identities => identities(value),
            Self::Channels => channels(value),
            Self::NoteFolders => note_folders(value).map(|_| value.clone()),
        }
    }

    /// The value that a text of the environment or a flag means. A text that means none is kept, so that it is
    /// found wrong and shown.
    pub(super) fn value_of(self, text: &str) -> Value {
        let number = || match self {
            Self::Whole { .. } => text.trim().parse::<u64>().ok().map(Value::from),
            Self::Number => text.trim().parse::<f64>().ok().filter(|n| n.is_finite()).map(Value::from),
            Self::Switch => text.trim().parse::<bool>().ok().map(Value::from),
            Self::Identities | Self::Channels | Self::NoteFolders | Self::Folders
                if text.trim_start().starts_with('[') =>
            {
                serde_json::from_str(text).ok()
            }
            Self::Identities | Self::Channels | Self::NoteFolders | Self::Folders => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Some(parts.map(Value::from).collect())
            }
            _ => None,
        };
        number().unwrap_or_else(|| text.into())
    }
}

/// A time zone by its name.
pub(super) fn time_zone(name: &str) -> Option<TimeZone> {
    if name == "UTC" {
        return Some(TimeZone::UTC);
    }
    TimeZone::get(name).ok()
}

/// Folders of notes by their names. What the workspace keeps for itself is none of them.
pub(super) fn note_folders(value: &Value) -> Option<Folders> {
    let names = value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
    let names: Vec<String> = names.collect::<Option<_>>()?;
    let is_taken = |name: &String| OWN_FOLDERS.iter().any(|own| name.eq_ignore_ascii_case(own));
    Folders::new(names).ok().filter(|folders| !folders.iter().any(|name| is_taken(&name.to_owned())))
}

fn folder_path(text: &str, folder: Option<&Path>) -> Option<Value> {
    // No shell has read it: it would name a folder called "~".
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

/// A value as it is written in TOML.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// A wrong value, as a message shows it.
pub(super) fn shortened(value: &Value) -> String {
    let text = shown(value);
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
