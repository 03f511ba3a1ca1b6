//! The arguments of `remember`.

use clap::{Args, ValueEnum};
use memtape::{Category, Sensitivity};

use super::AudienceArgs;
use super::values::not_a_flag;

#[derive(Args)]
pub(crate) struct RememberArgs {
    /// The text, or several lines; - for standard input
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) text: String,
    /// What to keep it as
    #[arg(long = "as", value_name = "KIND", default_value = "line")]
    pub(crate) kind: RememberedAs,
    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
    /// Who may see it: normal; private: that user or chat only; confidential: only the owner, and only by
    /// its ref
    #[arg(long, value_name = "LEVEL", default_value = "normal")]
    pub(crate) sensitivity: Sensitivity,
}

/// What a remembered text is kept as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RememberedAs {
    /// A line of long-term memory, which every prompt shows
    Line,
    /// A preference of a person
    Preference,
    /// A fact about a person or a project
    Fact,
    /// A decision that was made
    Decision,
    /// Something that happened
    Event,
}

impl RememberedAs {
    /// Returns the category of the statement; `None` for a line.
    pub(crate) fn category(self) -> Option<Category> {
        match self {
            Self::Line => None,
            Self::Preference => Some(Category::Preference),
            Self::Fact => Some(Category::Fact),
            Self::Decision => Some(Category::Decision),
            Self::Event => Some(Category::Episodic),
        }
    }
}
