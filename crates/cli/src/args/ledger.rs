//! The arguments of the ledger's commands.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use clap::{Args, Subcommand, ValueEnum};
use memtape::ledger::{ADDED_CONFIDENCE, Named, OBSERVED_CONFIDENCE, Target, USER_SOURCE};
use memtape::{Lifetime, Sensitivity};

use super::AskingArgs;
use super::values::not_a_flag;

#[derive(Subcommand)]
pub(crate) enum FactCommand {
    /// Add a fact
    ///
    /// A fact with another value in the same slot is superseded.
    Add {
        #[command(flatten)]
        fact: FactArgs,
        /// How sure it is, from 0 to 1
        #[arg(long, value_name = "NUMBER", default_value_t = ADDED_CONFIDENCE)]
        confidence: f64,
    },
    /// Change the value of a fact
    Update {
        /// What or whom it is about
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        subject: String,
        /// What is said of it
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        predicate: String,
        /// The value from now on; - for standard input
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        new: String,
        #[command(flatten)]
        more: ChangeArgs,
    },
    /// Forget the facts of a subject and a predicate
    ///
    /// Earlier points still show them.
    Forget {
        /// What or whom it is about
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        subject: String,
        /// What is said of it
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        predicate: String,
        #[command(flatten)]
        more: ChangeArgs,
    },
    /// Record an observation, which confirms or doubts a fact
    Observe {
        #[command(flatten)]
        fact: FactArgs,
        /// How sure the observation is, from 0 to 1
        #[arg(long, value_name = "NUMBER", default_value_t = OBSERVED_CONFIDENCE)]
        confidence: f64,
    },
    /// Confirm a fact
    ///
    /// Halves the doubt; a deprecated fact becomes current again.
    Confirm {
        #[command(flatten)]
        what: TargetArgs,
        #[command(flatten)]
        more: ChangeArgs,
    },
    /// Deprecate a fact that is no longer true
    ///
    /// Its history keeps it.
    Deprecate {
        #[command(flatten)]
        what: TargetArgs,
        #[command(flatten)]
        more: ChangeArgs,
    },
    /// List facts, surest first
    List {
        /// Only this topic, and what is below it
        #[arg(long, value_name = "TOPIC")]
        topic: Option<String>,
        /// Only what lives so long: permanent, session or temporary
        #[arg(long, value_name = "HOW")]
        lifetime: Option<Lifetime>,
        /// Only about this
        #[arg(long, value_name = "SUBJECT")]
        subject: Option<String>,
        /// Only what says this
        #[arg(long, value_name = "PREDICATE")]
        predicate: Option<String>,
        /// In which order: the surest first, or those that stand most strongly, by how often and when they were used
        #[arg(long, value_name = "ORDER", default_value = "sure")]
        by: FactOrder,
        /// Every one, where there are more than fifty
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Show every version of a fact and what changed it
    History {
        #[command(flatten)]
        what: TargetArgs,
        /// The topic or lifetime meant, where it is named in words; every one, without
        #[arg(long, value_name = "SCOPE")]
        scope: Option<String>,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Make a session's or temporary fact permanent
    Promote {
        /// ledger:KEY, or the id of its event
        #[arg(value_name = "REF")]
        reference: String,
        #[command(flatten)]
        asking: AskingArgs,
    },
}

/// The order of a list of facts.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FactOrder {
    /// The surest first
    Sure,
    /// The strongest first
    Strength,
}

/// A fact, in its parts.
#[derive(Args)]
pub(crate) struct FactArgs {
    /// What or whom it is about
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) subject: String,
    /// What is said of it
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) predicate: String,
    /// The value; - for standard input
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) object: String,
    /// How long it should live (permanent, session, temporary), or a topic such as work/technical
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// What it rests on
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) evidence: Option<String>,
    /// Where it comes from, in a word
    #[arg(long, value_name = "WORD", default_value = USER_SOURCE)]
    pub(crate) source: String,
    /// How far it may be shown: normal; private, to that user or chat only; confidential, never by itself
    #[arg(long, value_name = "HOW", default_value = "normal")]
    pub(crate) sensitivity: Sensitivity,
    /// For how many days it holds
    #[arg(long, value_name = "N")]
    pub(crate) days: Option<u32>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// Which of the facts named in words, who asks, and why.
#[derive(Args)]
pub(crate) struct ChangeArgs {
    /// The topic or lifetime meant, where it is named in words; every one, without
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// Why; it is kept beside
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// A fact by its ref, or in words.
#[derive(Args)]
pub(crate) struct TargetArgs {
    /// ledger:KEY, or the id of its event; or its subject
    #[arg(value_name = "REF|SUBJECT", allow_hyphen_values = true, value_parser = not_a_flag)]
    what: String,
    /// What is said of the subject
    #[arg(value_name = "PREDICATE", allow_hyphen_values = true, value_parser = not_a_flag)]
    predicate: Option<String>,
}

impl TargetArgs {
    /// What is meant, in a scope where one was given.
    pub(crate) fn target(&self, scope: Option<&str>) -> memtape::Result<Target> {
        Ok(match &self.predicate {
            None => Target::Ref(self.what.parse()?),
            Some(predicate) => Target::Named(Named {
                subject: self.what.clone(),
                predicate: predicate.clone(),
                scope: scope.map(str::to_owned),
            }),
        })
    }
}

impl FactCommand {
    /// Whether it writes.
    pub(crate) fn writes(&self) -> bool {
        !matches!(self, Self::List { .. } | Self::History { .. })
    }
}
