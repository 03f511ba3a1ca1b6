//! How the types of the fields of [`Config`](super::Config) read validated values.

use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::TimeZone;
use memtape_core::forms::notes::Folders;
use memtape_tape::Durability;
use memtape_upstream::Freshness;
use memtape_worktree::git::Place;
use serde_json::Value;

use super::kind::{note_folders, time_zone};
use super::{Backend, Channels, Personas, Provider};

/// A type that can be read from a validated value.
pub(super) trait FromValue: Sized {
    /// Reads a value; `None` if the type cannot represent it on this machine.
    fn from_value(value: &Value) -> Option<Self>;
}

/// Stores a value in a field; `None` if its type cannot represent it on this machine.
pub(super) fn store<T: FromValue>(field: &mut T, value: &Value) -> Option<()> {
    *field = T::from_value(value)?;
    Some(())
}

/// Implements [`FromValue`] for each type by an expression.
macro_rules! from_value {
    ($($type:ty: |$value:ident| $read:expr;)+) => {
        $(impl FromValue for $type {
            fn from_value($value: &Value) -> Option<Self> {
                $read
            }
        })+
    };
}

from_value! {
    bool: |value| value.as_bool();
    f64: |value| value.as_f64();
    u64: |value| value.as_u64();
    u32: |value| value.as_u64()?.try_into().ok();
    usize: |value| value.as_u64()?.try_into().ok();
    // A number of seconds.
    Duration: |value| Some(Duration::from_secs(value.as_u64()?));
    TimeZone: |value| time_zone(value.as_str()?);
    Freshness: |value| value.as_str()?.parse().ok();
    Folders: |value| note_folders(value);
    Vec<String>: |value| Some(texts(value)?.map(str::to_owned).collect());
    Channels: |value| Some(Self(FromValue::from_value(value)?));
    // Empty texts mean none.
    Vec<PathBuf>: |value| Some(texts(value)?.filter(|path| !path.is_empty()).map(PathBuf::from).collect());
    Option<PathBuf>: |value| Some(Some(value.as_str()?).filter(|path| !path.trim().is_empty()).map(PathBuf::from));
    Option<String>: |value| Some(Some(value.as_str()?.trim()).filter(|text| !text.is_empty()).map(str::to_owned));
    // Validation leaves only the names of the kind.
    Durability: |value| Some(if value == "os" { Self::Os } else { Self::Sync });
    Backend: |value| Self::ALL.into_iter().find(|backend| value == backend.as_str());
    Option<Provider>: |value| Some([Provider::OpenAi, Provider::Anthropic].into_iter().find(|known| value == known.as_str()));
    Option<Place>: |value| Some(match value.as_str()? {
        "auto" => Some(Place::Root),
        "separate" => Some(Place::Separate),
        _ => None,
    });
    Personas: |value| Some(match value.as_str()? {
        "off" => Self::Off,
        "create" => Self::Create,
        _ => Self::Switch,
    });
}

fn texts(value: &Value) -> Option<impl Iterator<Item = &str>> {
    Some(value.as_array()?.iter().filter_map(Value::as_str))
}
