//! The arguments of the ledger's commands.

use clap::{Args, Subcommand, ValueEnum};
use memtape::ledger::{ADDED_CONFIDENCE, Named, OBSERVED_CONFIDENCE, Target, USER_SOURCE};
use memtape::{Form, Lifetime, Ref, Sensitivity};

use super::AskingArgs;
use super::points::DiffPoints;
use super::values::{at_least_one, not_a_flag, number, whole};

#[derive(Subcommand)]
pub(crate) enum FactCommand {
    /// Add a fact
    ///
    /// A fact with another value in the same slot is superseded.
    Add {
        #[command(flatten)]
        fact: FactArgs,
        /// Its confidence, from 0 to 1
        #[arg(long, value_name = "NUMBER", value_parser = number, default_value_t = ADDED_CONFIDENCE)]
        confidence: f64,
    },
    /// Change the value of a fact
    Update {
        /// The subject
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        subject: String,
        /// The predicate
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        predicate: String,
        /// The new object; - for standard input
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        new: String,
        #[command(flatten)]
        more: ChangeArgs,
    },
    /// Forget the facts of a subject and a predicate
    ///
    /// Earlier points still show them.
    Forget {
        /// The subject
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        subject: String,
        /// The predicate
        #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
        predicate: String,
        #[command(flatten)]
        more: ChangeArgs,
    },
    /// Record an observation, which confirms or doubts a fact
    Observe {
        #[command(flatten)]
        fact: FactArgs,
        /// Its confidence, from 0 to 1
        #[arg(long, value_name = "NUMBER", value_parser = number, default_value_t = OBSERVED_CONFIDENCE)]
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
        /// Only facts of this topic, or of one below it
        #[arg(long, value_name = "TOPIC")]
        topic: Option<String>,
        /// Only facts of this lifetime: permanent, session or temporary
        #[arg(long, value_name = "LIFETIME")]
        lifetime: Option<Lifetime>,
        /// Only facts about this subject
        #[arg(long, value_name = "SUBJECT")]
        subject: Option<String>,
        /// Only facts with this predicate
        #[arg(long, value_name = "PREDICATE")]
        predicate: Option<String>,
        /// Order by confidence, or by strength: how often and when they were used
        #[arg(long, value_name = "ORDER", default_value = "sure")]
        by: FactOrder,
        /// All facts, not only the first 50
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Show a fact with its source and evidence
    Show {
        #[command(flatten)]
        what: TargetArgs,
        #[command(flatten)]
        which: ScopeOfFact,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Show the versions of a fact, newest first
    #[command(alias = "history")]
    Log {
        #[command(flatten)]
        what: TargetArgs,
        #[command(flatten)]
        which: ScopeOfFact,
        /// Maximum number of versions
        #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
        limit: Option<usize>,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Compare two versions of a fact
    Diff {
        #[command(flatten)]
        what: TargetAndPoints,
        #[command(flatten)]
        which: ScopeOfFact,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Restore an earlier version of a fact
    Restore {
        #[command(flatten)]
        what: TargetAndVersion,
        #[command(flatten)]
        which: ScopeOfFact,
        /// The reason, which is recorded
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
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
    /// The subject
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) subject: String,
    /// The predicate
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) predicate: String,
    /// The object; - for standard input
    #[arg(allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) object: String,
    /// Its topic, such as work/technical, or its lifetime: permanent, session or temporary
    #[arg(long = "topic", visible_alias = "lifetime", value_name = "TOPIC|LIFETIME")]
    pub(crate) scope: Option<String>,
    /// The evidence for it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) evidence: Option<String>,
    /// Its source, in a word
    #[arg(long, value_name = "WORD", default_value = USER_SOURCE)]
    pub(crate) source: String,
    /// Who may see it: normal; private: that user or chat only; confidential: only the owner, and only by
    /// its ref
    #[arg(long, value_name = "LEVEL", default_value = "normal")]
    pub(crate) sensitivity: Sensitivity,
    /// Number of days after which it expires
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    pub(crate) days: Option<u32>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// The facts to change, the audience, and the reason.
#[derive(Args)]
pub(crate) struct ChangeArgs {
    /// Only the fact of this topic or lifetime
    #[arg(long = "topic", visible_alias = "lifetime", value_name = "TOPIC|LIFETIME")]
    pub(crate) scope: Option<String>,
    /// The reason, which is recorded
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
    /// The predicate
    #[arg(value_name = "PREDICATE", allow_hyphen_values = true, value_parser = not_a_flag)]
    predicate: Option<String>,
}

impl TargetArgs {
    /// Returns the target, in a scope if one is set.
    pub(crate) fn target(&self, scope: Option<&str>) -> memtape::Result<Target> {
        target(&self.what, self.predicate.as_deref(), scope)
    }
}

/// A fact by its ref or in words, and the points to compare it at.
#[derive(Args)]
pub(crate) struct TargetAndPoints {
    /// ledger:KEY, or the subject
    #[arg(value_name = "REF|SUBJECT", allow_hyphen_values = true, value_parser = not_a_flag)]
    what: String,
    /// After a subject the predicate; then two versions or points [default: before the last change, and now]
    #[arg(value_names = ["PREDICATE", "A", "B"], num_args = 0..=3, value_parser = not_a_flag)]
    rest: Vec<String>,
}

impl TargetAndPoints {
    /// Returns the fact, in a scope if one is set, and the points.
    pub(crate) fn split(&self, scope: Option<&str>) -> Result<(Target, DiffPoints), String> {
        let (target, points) = split(&self.what, &self.rest, scope)?;
        match points {
            [] => Ok((target, DiffPoints { from: None, to: None })),
            [from] => Ok((target, DiffPoints { from: Some(from.clone()), to: None })),
            [from, to] => Ok((target, DiffPoints { from: Some(from.clone()), to: Some(to.clone()) })),
            [_, _, extra, ..] => Err(format!("a diff has two points: leave {extra:?} out")),
        }
    }
}

/// A fact by its ref or in words, and the version to restore.
#[derive(Args)]
pub(crate) struct TargetAndVersion {
    /// ledger:KEY, or the subject
    #[arg(value_name = "REF|SUBJECT", allow_hyphen_values = true, value_parser = not_a_flag)]
    what: String,
    /// After a subject the predicate; then the version to restore, as `log` prints it: @ENTRY [default: --at]
    #[arg(value_names = ["PREDICATE", "VERSION"], num_args = 0..=2, value_parser = not_a_flag)]
    rest: Vec<String>,
}

impl TargetAndVersion {
    /// Returns the fact, in a scope if one is set, and the version.
    pub(crate) fn split(&self, scope: Option<&str>) -> Result<(Target, Option<String>), String> {
        let (target, points) = split(&self.what, &self.rest, scope)?;
        match points {
            [] => Ok((target, None)),
            [version] => Ok((target, Some(version.clone()))),
            [_, extra, ..] => Err(format!("one version is restored: leave {extra:?} out")),
        }
    }
}

/// The topic or lifetime of facts that are named in words.
#[derive(Args)]
pub(crate) struct ScopeOfFact {
    /// Only the fact of this topic or lifetime; not with a ref
    #[arg(long = "topic", visible_alias = "lifetime", value_name = "TOPIC|LIFETIME")]
    pub(crate) scope: Option<String>,
}

fn target(what: &str, predicate: Option<&str>, scope: Option<&str>) -> memtape::Result<Target> {
    Ok(match predicate {
        None => match what.parse() {
            Ok(reference) => Target::Ref(reference),
            Err(_) if !what.contains(':') => {
                let why =
                    format!("{what:?} is not a ref (ledger:KEY): name a subject together with its predicate");
                return Err(memtape::Error::Invalid(why));
            }
            Err(e) => return Err(e.into()),
        },
        Some(predicate) => Target::Named(Named {
            subject: what.to_owned(),
            predicate: predicate.to_owned(),
            scope: scope.map(str::to_owned),
        }),
    })
}

/// Splits the words after a ref or a subject: a subject has a predicate, a ref has none.
fn split<'w>(what: &str, rest: &'w [String], scope: Option<&str>) -> Result<(Target, &'w [String]), String> {
    let (predicate, points) = match rest.split_first() {
        Some((predicate, points)) if !is_ref(what) => (Some(predicate.as_str()), points),
        _ => (None, rest),
    };
    Ok((target(what, predicate, scope).map_err(|e| e.to_string())?, points))
}

/// Returns whether a text is written as the ref of a fact.
fn is_ref(text: &str) -> bool {
    text.parse::<Ref>().is_ok_and(|reference| reference.form == Form::LEDGER) && text.contains(':')
}

impl FactCommand {
    /// Returns whether the command writes.
    pub(crate) fn writes(&self) -> bool {
        !matches!(self, Self::List { .. } | Self::Show { .. } | Self::Log { .. } | Self::Diff { .. })
    }
}
