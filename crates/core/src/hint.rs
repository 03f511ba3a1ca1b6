//! What to do about an error, apart from how a face spells it: an error carries a [`Hint`], and each face has a table of
//! what it says for each.

/// What to do about an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// Name the topic or lifetime of the fact that is meant.
    NameFactScope,
    /// Name the chat that is meant.
    NameChat,
    /// Name the user that is meant.
    NameUser,
    /// Name the conversation that a fact is to live as long as.
    NameConversation,
    /// Keep it as a memory of the chat or user.
    KeepAsOwn,
    /// List the notes.
    ListNotes,
    /// List the blocks.
    ListBlocks,
    /// List the proposals that wait.
    ListProposals,
    /// List the versions of a block.
    BlockHistory(String),
    /// Have the owner approve or reject what is proposed for a block.
    SettleProposal(String),
    /// Go to a branch.
    SwitchBranch(String),
    /// Fork a branch where a deleted one ended.
    ForkDeleted {
        /// The deleted branch.
        branch: String,
        /// The entry that deleted it.
        entry: u64,
    },
    /// Do what makes such lines of the journal, in the words of the command line.
    MadeBy(&'static str),
    /// Look at an earlier point.
    EarlierPoint,
    /// Leave out what narrows the audience.
    AskAsOwner,
    /// List the open conflicts.
    ListConflicts,
    /// Keep one side of a conflict.
    KeepSide {
        /// Whether another value may be given instead.
        value: bool,
    },
    /// List the commits.
    ListCommits,
    /// Take what a commit of another branch did.
    TakeCommit(u64),
    /// Take back what a commit did; of one that takes another back, that counts again.
    Revert(u64),
    /// Name another branch, or the one to merge into.
    NameMerged,
    /// Put a conversation on the main branch; the one that asks, without.
    LeaveBranch(Option<String>),
    /// Say which statements are meant.
    SelectStatements,
    /// Say which facts are meant.
    SelectFacts,
    /// Approve what is proposed for a block although it was changed since, or reject it.
    SettleStaleProposal(String),
    /// List the anchors.
    ListAnchors,
    /// List the users that the configuration declares.
    ListUsers,
    /// Remove memories with what does that.
    RemoveMemories,
    /// Replace what is there.
    Replace,
}
