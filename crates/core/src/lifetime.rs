//! How long a memory should live.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How long a memory should live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lifetime {
    /// Until something takes its place.
    #[default]
    Permanent,
    /// As long as its conversation is about it: it shows in that conversation only.
    Session,
    /// For a while.
    Temporary,
}

impl Lifetime {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::Session => "session",
            Self::Temporary => "temporary",
        }
    }

    /// Whether nothing needs to be said of it.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        *self == Self::Permanent
    }
}

impl FromStr for Lifetime {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        [Self::Permanent, Self::Session, Self::Temporary]
            .into_iter()
            .find(|lifetime| lifetime.as_str() == text)
            .ok_or_else(|| {
                Error::Invalid(format!(
                    "there is no lifetime {text:?}: write permanent, session or temporary"
                ))
            })
    }
}
