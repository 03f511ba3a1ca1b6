//! The arguments of the commands of branches: forking, switching, merging, and taking back.

// The comments are the help that is printed, not Rust documentation: brackets there are no links.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

use clap::{ArgGroup, Args, Subcommand};
use memtape::Session;

use super::{AskingArgs, not_a_flag};

#[derive(Subcommand)]
pub(crate) enum BranchCommand {
    /// List the branches: each a persona's line of memory
    Branches {
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Fork a branch from the current one; nobody goes there by that
    CreateBranch {
        /// Its name: letters, digits and . _ - /
        name: String,
        /// Whose memory it is, in words
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        persona: Option<String>,
        /// Where it begins: BRANCH@ENTRY, a commit, a date or time [default: the head]
        #[arg(long, value_name = "POINT")]
        from: Option<String>,
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Go to a branch: the terminal and new conversations, or one conversation only
    Checkout {
        /// The branch
        name: String,
        /// Only this conversation
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
    },
    /// Delete a branch; the tape keeps what stands on it
    DeleteBranch {
        /// The branch
        name: String,
    },
    /// Take over what another branch changed. What both changed is a conflict: ours stands until it is settled
    Merge {
        /// The branch to merge
        source: String,
        /// The branch to merge into [default: the current one]
        #[arg(long, value_name = "BRANCH")]
        into: Option<String>,
        /// Only say what it would do
        #[arg(long)]
        dry_run: bool,
        /// Why; it is kept beside what is written
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// List the conflicts that are open
    Conflicts {
        #[command(flatten)]
        asking: AskingArgs,
    },
    /// Settle a conflict
    Resolve(ResolveArgs),
    /// Take over what one commit of another branch changed
    CherryPick {
        /// A commit's id or its first digits, or @ENTRY
        commit: String,
        /// The branch to change [default: the current one]
        #[arg(long, value_name = "BRANCH")]
        into: Option<String>,
        /// Why; it is kept beside what is written
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Take back what a commit of the current branch did
    Revert {
        /// A commit's id or its first digits, or @ENTRY
        commit: String,
        /// Why; it is kept beside what is written
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Take back the last change made at the terminal; again: the one before
    Undo {
        /// The last change of this conversation instead
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
    },
    /// Take back the last undo; again: the one before
    Redo {
        /// The last undo of this conversation instead
        #[arg(long, value_name = "CHANNEL:CHAT[:THREAD]")]
        session: Option<Session>,
    },
}

#[derive(Args)]
#[command(group = ArgGroup::new("how").required(true))]
pub(crate) struct ResolveArgs {
    /// The thing, FORM:KEY; or FORM:KEY@ENTRY where there are several about it
    #[arg(value_name = "REF")]
    pub(crate) reference: String,
    /// What stands here
    #[arg(long, group = "how")]
    pub(crate) ours: bool,
    /// What stood on the other branch
    #[arg(long, group = "how")]
    pub(crate) theirs: bool,
    /// Both: theirs in a topic named for its branch
    #[arg(long, group = "how")]
    pub(crate) both: bool,
    /// Another text, or a fact's value; - for standard input
    #[arg(long, value_name = "TEXT", group = "how", allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) value: Option<String>,
    /// Why; it is kept beside what is written
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
}

impl BranchCommand {
    /// Whether it writes.
    pub(crate) fn writes(&self) -> bool {
        !matches!(self, Self::Branches { .. } | Self::Conflicts { .. })
    }
}
