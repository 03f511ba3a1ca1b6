//! The categories of statements.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The category of a statement (document 4's "kind").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// A preference of a person.
    Preference,
    /// A fact.
    Fact,
    /// An agreement.
    Decision,
    /// A past or future event.
    Episodic,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 4] = [Self::Preference, Self::Fact, Self::Decision, Self::Episodic];

    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preference => "preference",
            Self::Fact => "fact",
            Self::Decision => "decision",
            Self::Episodic => "episodic",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Category {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|category| category.as_str() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            Error::Invalid(format!("unknown category {text:?}: expected one of {names}"))
        })
    }
}
