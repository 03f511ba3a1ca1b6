//! The arguments of the commands of branches: forking, switching, merging, and taking back.

use clap::{ArgGroup, Args, Subcommand};
use memtape::Session;

use super::AskingArgs;
use super::values::{NotAsked, not_a_flag};

#[derive(Subcommand)]
pub(crate) enum BranchCommand {
    /// List, create, switch, merge and delete branches
    Branch {
        #[command(subcommand)]
        verb: Option<BranchVerb>,
    },
    /// Switch to a branch
    ///
    /// Without --session the terminal and new conversations switch.
    #[command(alias = "checkout")]
    Switch(SwitchArgs),
    /// List the branches
    #[command(hide = true)]
    Branches {
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Create a branch without switching to it
    #[command(hide = true)]
    CreateBranch(CreateArgs),
    /// Delete a branch
    #[command(hide = true)]
    DeleteBranch(DeleteArgs),
    /// Merge another branch
    ///
    /// What both branches changed is a conflict: the version of this branch stays current until it is resolved. With
    /// open conflicts the exit status is 1.
    Merge(MergeArgs),
    /// List the open conflicts
    Conflicts {
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Resolve a conflict
    Resolve(ResolveArgs),
    /// Apply one commit of another branch
    ///
    /// With open conflicts the exit status is 1.
    CherryPick {
        /// A commit's id or its first digits (at least 7), or @ENTRY
        commit: String,
        /// The branch to change [default: the current one]
        #[arg(long, value_name = "BRANCH")]
        into: Option<String>,
        /// The reason, which is recorded
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Revert a commit of the current branch
    Revert {
        /// A commit's id or its first digits (at least 7), or @ENTRY
        commit: String,
        /// The reason, which is recorded
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Undo the last change made at the terminal
    ///
    /// Edits of files are recorded first, and are then the last change. Run again, it undoes the change before. Only the
    /// current branch counts: what `--into` changed on another one is undone with `--branch BRANCH`. The reset of a
    /// conversation (`tape reset --session`) cannot be undone; what was changed before it can be reverted.
    Undo {
        /// Undo the last change of this conversation instead
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
    },
    /// Redo the last change that was undone
    ///
    /// Run again, it redoes the one before.
    Redo {
        /// Redo the last undone change of this conversation instead
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
    },
}

/// The verbs of `branch`.
#[derive(Subcommand)]
pub(crate) enum BranchVerb {
    /// List the branches
    List {
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Create a branch without switching to it
    Create(CreateArgs),
    /// Switch to a branch
    Switch(SwitchArgs),
    /// Merge another branch
    Merge(MergeArgs),
    /// Delete a branch
    ///
    /// The tape keeps what was written on it.
    Delete(DeleteArgs),
}

#[derive(Args)]
pub(crate) struct CreateArgs {
    /// Its name: letters, digits and . _ - /
    pub(crate) name: String,
    /// The persona whose memory it is, in words
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) persona: Option<String>,
    /// Where it begins: a branch for its head, BRANCH@ENTRY, a commit, a date or time [default: the head]
    #[arg(long, value_name = "POINT")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

#[derive(Args)]
pub(crate) struct SwitchArgs {
    /// The branch
    pub(crate) name: String,
    /// Switch only this conversation
    #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
    pub(crate) session: Option<Session>,
}

#[derive(Args)]
pub(crate) struct DeleteArgs {
    /// The branch
    pub(crate) name: String,
    #[command(flatten)]
    not_asked: NotAsked,
}

#[derive(Args)]
pub(crate) struct MergeArgs {
    /// The branch to merge
    pub(crate) source: String,
    /// The branch to merge into [default: the current one]
    #[arg(long, value_name = "BRANCH")]
    pub(crate) into: Option<String>,
    /// Report what the merge would do, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The reason, which is recorded
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
}

#[derive(Args)]
#[command(group = ArgGroup::new("how").required(true))]
pub(crate) struct ResolveArgs {
    /// The memory in conflict: FORM:KEY, or FORM:KEY@ENTRY if it has several conflicts
    #[arg(value_name = "REF", required_unless_present = "model")]
    pub(crate) reference: Option<String>,
    /// Let the configured language model resolve REF, or all open conflicts (at most 20). Exits with status 1 if any stays
    /// open
    #[arg(long, group = "how", conflicts_with = "reason")]
    pub(crate) model: bool,
    /// Keep the version of this branch
    #[arg(long, group = "how")]
    pub(crate) ours: bool,
    /// Take the version of the other branch
    #[arg(long, group = "how")]
    pub(crate) theirs: bool,
    /// Keep both: theirs in a topic named for its branch
    #[arg(long, group = "how")]
    pub(crate) both: bool,
    /// Another text, or another object of a fact; - for standard input
    #[arg(long, value_name = "TEXT", group = "how", allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) value: Option<String>,
    /// The reason, which is recorded
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
}

impl BranchCommand {
    /// Returns whether the command writes.
    pub(crate) fn writes(&self) -> bool {
        !matches!(
            self,
            Self::Branches { .. }
                | Self::Conflicts { .. }
                | Self::Branch { verb: None | Some(BranchVerb::List { .. }) }
        )
    }
}
