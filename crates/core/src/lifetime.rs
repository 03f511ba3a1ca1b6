//! Lifetimes of memories.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The lifetime of a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lifetime {
    /// Ends when another memory supersedes it.
    #[default]
    Permanent,
    /// Ends with its conversation; only that conversation sees the memory.
    Session,
    /// For a limited time.
    Temporary,
}

impl Lifetime {
    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::Session => "session",
            Self::Temporary => "temporary",
        }
    }

    /// Returns whether this is the default lifetime, which is not written out.
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
                Error::Invalid(format!("unknown lifetime {text:?}: expected permanent, session or temporary"))
            })
    }
}
