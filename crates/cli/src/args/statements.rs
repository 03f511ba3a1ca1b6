//! The arguments of the statements' commands.

use clap::{ArgGroup, Args};
use memtape::{Category, Ref, Sensitivity};

use super::ChatArgs;
use super::values::{NotAsked, at_least_one, category, not_a_flag, number, whole};

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Words, in any language
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag, required_unless_present = "query")]
    words: Option<String>,
    /// The text, as an option
    #[arg(short, long, value_name = "WORDS", conflicts_with = "words", allow_hyphen_values = true)]
    query: Option<String>,
    /// Only this kind: preference, fact, decision or episodic (also event; repeatable)
    #[arg(long, value_name = "KIND", value_parser = category)]
    pub(crate) kind: Vec<Category>,
    #[command(flatten)]
    pub(crate) audience: ChatArgs,
    /// Maximum number of hits [default: recall.max_results, which is 8]
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub(crate) limit: Option<usize>,
    /// Explain how each score is computed
    #[arg(long)]
    pub(crate) explain: bool,
}

impl SearchArgs {
    /// Returns the search query.
    pub(crate) fn query(&self) -> &str {
        self.query.as_deref().or(self.words.as_deref()).unwrap_or_default()
    }
}

#[derive(Args)]
pub(crate) struct AddArgs {
    /// The statement; - for standard input
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag, required_unless_present = "named")]
    text: Option<String>,
    /// The text, as an option
    #[arg(
        id = "named",
        long = "text",
        value_name = "TEXT",
        conflicts_with = "text",
        allow_hyphen_values = true
    )]
    named: Option<String>,
    /// Its kind: preference, fact, decision or episodic (also event) [default: detected from its words]
    #[arg(long, value_name = "KIND", value_parser = category)]
    pub(crate) kind: Option<Category>,
    #[command(flatten)]
    pub(crate) audience: ChatArgs,
    /// Its importance, from 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = number, default_value_t = memtape::statements::ADDED_IMPORTANCE)]
    pub(crate) importance: f64,
    /// Its confidence, from 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = number, default_value_t = memtape::statements::ADDED_CONFIDENCE)]
    pub(crate) confidence: f64,
    /// Who may see it: normal; private: that user or chat only; confidential: only the owner, and only by
    /// its ref
    #[arg(long, value_name = "LEVEL", default_value = "normal")]
    pub(crate) sensitivity: Sensitivity,
}

impl AddArgs {
    /// Returns the text of the statement.
    pub(crate) fn text(&self) -> &str {
        self.named.as_deref().or(self.text.as_deref()).unwrap_or_default()
    }
}

#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct ForgetArgs {
    /// FORM:KEY, or FORM:KEY@ENTRY where it must be that version: blocks, ledger, statements or zone; or words, for
    /// every statement, fact and line of long-term memory that holds all of them
    #[arg(value_name = "REF|WORDS", group = "what")]
    named: Vec<String>,
    /// The words, as an option
    #[arg(long, value_name = "WORDS", group = "what", allow_hyphen_values = true)]
    query: Option<String>,
    #[command(flatten)]
    pub(crate) audience: ChatArgs,
    /// The reason, which is recorded
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    /// Do not ask for confirmation
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// The statements to forget.
pub(crate) enum Forgotten {
    /// The statements that these refs name.
    Refs(Vec<Ref>),
    /// The statements that contain all of these words.
    Words(String),
}

impl ForgetArgs {
    /// Returns the statements to forget. If some arguments are refs, a word among them is a mistyped ref.
    pub(crate) fn target(&self) -> memtape::Result<Forgotten> {
        if let Some(query) = &self.query {
            return Ok(Forgotten::Words(query.clone()));
        }
        let read: Vec<_> = self.named.iter().map(|text| text.parse::<Ref>()).collect();
        match read.iter().any(Result::is_ok) {
            true => Ok(Forgotten::Refs(read.into_iter().collect::<Result<_, _>>()?)),
            false => Ok(Forgotten::Words(self.named.join(" "))),
        }
    }
}

#[derive(Args)]
pub(crate) struct PruneArgs {
    /// Statements that were last recorded this number of days ago or earlier
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    pub(crate) older_than_days: Option<u32>,
    /// Only this kind: preference, fact, decision or episodic (also event; repeatable)
    #[arg(long, value_name = "KIND", value_parser = category)]
    pub(crate) kind: Vec<Category>,
    /// Facts instead of statements: those with a lower confidence, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE", value_parser = number, conflicts_with_all = ["older_than_days", "kind"])]
    pub(crate) below: Option<f64>,
    /// Facts instead of statements: those not recorded, changed or recalled for this number of days
    #[arg(long, value_name = "N", value_parser = whole::<u32>, conflicts_with_all = ["older_than_days", "kind"])]
    pub(crate) unused_days: Option<u32>,
    #[command(flatten)]
    pub(crate) audience: ChatArgs,
    /// Only list what would be removed
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    not_asked: NotAsked,
}
