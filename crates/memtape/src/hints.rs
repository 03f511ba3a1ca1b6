//! Renders a [`Hint`] for each surface: as commands for the command line, as tools and their arguments for a
//! tool's caller.

use memtape_core::Hint;
use memtape_tape::ErrorKind;

/// Where an error is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// On the command line.
    CommandLine,
    /// To the caller of a tool.
    Tools,
}

/// Returns a hint in the terms of a surface; `None` if the surface has no remedy.
pub(crate) fn text(hint: &Hint, surface: Surface) -> Option<String> {
    match surface {
        Surface::CommandLine => Some(for_command_line(hint)),
        Surface::Tools => for_tools(hint),
    }
}

fn for_command_line(hint: &Hint) -> String {
    match hint {
        Hint::NameFactScope => "say which one with --scope".into(),
        Hint::NameChat => "name the chat with --session".into(),
        Hint::NameUser => "name the user with --user".into(),
        Hint::NameConversation => "name the conversation with --session".into(),
        Hint::KeepAsOwn => {
            "what belongs to one chat or user is kept with `memtape remember`, `memtape zone daily` or \
                            `memtape fact add`"
                .into()
        }
        Hint::ListNotes => "`memtape note list` lists the notes".into(),
        Hint::ListBlocks => "`memtape block list` lists the blocks".into(),
        Hint::ListProposals => "`memtape block approve` lists the changes that wait".into(),
        Hint::BlockHistory(name) => format!("`memtape block log {name}` lists its versions"),
        Hint::SettleProposal(name) => {
            format!("`memtape block approve {name}` sets it, `memtape block reject {name}` drops it")
        }
        Hint::SwitchBranch(name) => format!("`memtape switch {name}` switches to it"),
        Hint::ForkDeleted { branch, entry } => {
            format!("`memtape branch create NEW --from {branch}@{entry}` continues it")
        }
        Hint::MadeBy(what) => format!("{what} makes them"),
        Hint::EarlierPoint => "an earlier point may show it: --at".into(),
        Hint::AskAsOwner => "leave out --session, --user and --scope".into(),
        Hint::ListConflicts => "`memtape conflicts` lists those that are open".into(),
        Hint::KeepSide { value: true } => "keep --ours or --theirs, or give another --value".into(),
        Hint::KeepSide { value: false } => "keep --ours or --theirs".into(),
        Hint::ListCommits => "`memtape log` lists the commits".into(),
        Hint::TakeCommit(entry) => format!("`memtape cherry-pick @{entry}` applies it"),
        Hint::Revert(entry) => format!("`memtape revert @{entry}` reverts that"),
        Hint::NameMerged => "name another branch, or say --into TARGET".into(),
        Hint::LeaveBranch(None) => "switch to another one first: `memtape switch main`".into(),
        Hint::LeaveBranch(Some(session)) => {
            format!("switch it to another one first: `memtape switch main --session {session}`")
        }
        Hint::SelectStatements => "say which: --older-than-days N, --kind KIND or --scope SCOPE".into(),
        Hint::SelectFacts => "say which: --below N or --unused-days N".into(),
        Hint::SettleStaleProposal(name) => format!(
            "`memtape block approve {name} --force` sets it all the same, `memtape block reject {name}` drops it"
        ),
        Hint::ListAnchors => "`memtape tape anchors` lists the anchors".into(),
        Hint::ListUsers => "`memtape config` lists those that it does, as users.NAME".into(),
        Hint::RemoveMemories => "`memtape forget` and `memtape zone clear` remove memories".into(),
        Hint::Replace => "--force replaces it".into(),
        _ => String::new(),
    }
}

fn for_tools(hint: &Hint) -> Option<String> {
    Some(match hint {
        Hint::NameFactScope => "say which one with `scope`".into(),
        Hint::NameConversation => "give a topic or another lifetime as `scope`".into(),
        Hint::KeepAsOwn => {
            "what belongs to one chat or user is kept with memory_add, memory_save or memory_daily".into()
        }
        Hint::ListNotes => "memory_list lists the notes".into(),
        Hint::ListBlocks => "memory_list_blocks lists the blocks".into(),
        Hint::BlockHistory(name) => {
            format!("memory_block_history {{\"name\":\"{name}\"}} lists its versions")
        }
        Hint::SwitchBranch(name) => {
            format!("memory_branch {{\"action\":\"switch\",\"name\":\"{name}\"}} switches to it")
        }
        Hint::ForkDeleted { .. } => "memory_branch with the action \"create\" makes another".into(),
        Hint::ListCommits => "memory_history lists the commits".into(),
        Hint::LeaveBranch(_) => {
            "memory_branch {\"action\":\"switch\",\"name\":\"main\"} switches to another one".into()
        }
        Hint::RemoveMemories => "memory_forget removes memories".into(),
        // No tool does what the remaining hints suggest.
        _ => return None,
    })
}

/// Returns the default hint of an error kind for the caller of a tool.
pub(crate) fn for_caller_of_tools(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::Invalid | ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Refused => None,
        ErrorKind::Busy => Some("call it again in a moment"),
        ErrorKind::Unavailable => {
            Some("what was acknowledged before is safe; tell the owner if it fails again")
        }
        ErrorKind::Corrupt => Some("the memory is damaged: tell the owner"),
        ErrorKind::Internal => Some("this is a defect of memtape: tell the owner"),
    }
}
