//! What kind of statement a memory holds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// What somebody likes, or how the agent is to do things.
    Preference,
    /// What is so.
    Fact,
    /// What was decided.
    Decision,
    /// What happened, or is fixed to happen.
    Episodic,
}

impl Category {
    /// All categories, in the order in which they are shown.
    pub const ALL: [Category; 4] =
        [Category::Preference, Category::Fact, Category::Decision, Category::Episodic];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::Preference => "preference",
            Category::Fact => "fact",
            Category::Decision => "decision",
            Category::Episodic => "episodic",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Category {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        Category::ALL.into_iter().find(|category| category.as_str() == word).ok_or_else(|| {
            Error::Invalid(format!("{word:?} is no category: write preference, fact, decision or episodic"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_is_read_as_it_is_written() {
        for category in Category::ALL {
            assert_eq!(category.to_string().parse::<Category>().unwrap(), category);
        }
        assert!("facts".parse::<Category>().unwrap_err().to_string().contains("preference, fact, decision"));
    }
}
