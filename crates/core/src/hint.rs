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
}
