//! Hints on how to resolve an error, independent of any surface: an error carries a [`Hint`], and each
//! surface has a table of its own wording for each hint.

/// How to resolve an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// Name the topic or lifetime of the fact.
    NameFactScope,
    /// Name the chat.
    NameChat,
    /// Name the user.
    NameUser,
    /// Name the conversation whose lifetime the fact shares.
    NameConversation,
    /// Keep it as a memory of the chat or user.
    KeepAsOwn,
    /// List the notes.
    ListNotes,
    /// Show the note of a path, or name one of its bullets.
    ShowNote(String),
    /// List the files.
    ListFiles,
    /// List the versions of a note.
    NoteVersions(String),
    /// List the versions of a file.
    FileVersions(String),
    /// List the blocks.
    ListBlocks,
    /// List the pending proposals.
    ListProposals,
    /// List the versions of a block.
    BlockHistory(String),
    /// Ask the owner to approve or reject the proposal for a block.
    SettleProposal(String),
    /// Switch to a branch.
    SwitchBranch(String),
    /// Fork a branch from the last entry of a deleted one.
    ForkDeleted {
        /// The deleted branch.
        branch: String,
        /// The entry that deleted it.
        entry: u64,
    },
    /// Run the command that creates such journal lines, as the command line spells it.
    MadeBy(&'static str),
    /// Look at an earlier point.
    EarlierPoint,
    /// Drop the options that narrow the audience.
    AskAsOwner,
    /// List the open conflicts.
    ListConflicts,
    /// Keep one side of a conflict.
    KeepSide {
        /// Whether another value is accepted instead.
        value: bool,
    },
    /// List the commits.
    ListCommits,
    /// Cherry-pick a commit of another branch.
    TakeCommit(u64),
    /// Revert a commit; reverting a revert applies the original again.
    Revert(u64),
    /// Revert the later changes first, then this commit.
    RevertLater(u64),
    /// Revert the commit that reverted a merge or cherry-pick, to apply that again.
    ApplyAgain(u64),
    /// List the branches.
    ListBranches,
    /// Name another source branch, or the branch to merge into.
    NameMerged,
    /// Switch a conversation to the main branch; `None` is the current conversation.
    LeaveBranch(Option<String>),
    /// Select the statements.
    SelectStatements,
    /// Select the facts.
    SelectFacts,
    /// Take back a change of another conversation.
    RevertOfOthers,
    /// Approve or reject the proposal for a block that changed after the proposal.
    SettleStaleProposal(String),
    /// List the anchors.
    ListAnchors,
    /// List the users that the configuration declares.
    ListUsers,
    /// Use the command that removes memories.
    RemoveMemories,
    /// Replace the existing item.
    Replace,
    /// Choose another path.
    OtherPath,
    /// Import also what comes after missing entries.
    AllowGaps,
    /// Import an export in the format of a tape.
    ImportTape,
    /// Export in a format that holds every form.
    ExportAsTape,
}
