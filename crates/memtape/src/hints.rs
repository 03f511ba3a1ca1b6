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
        Hint::NameFactScope => "select one with --topic or --lifetime".into(),
        Hint::NameChat => "specify the chat with --session".into(),
        Hint::NameUser => "specify the user with --user".into(),
        Hint::NameConversation => "specify the conversation with --session".into(),
        Hint::KeepAsOwn => {
            "for one chat or user, use `memtape remember`, `memtape zone daily` or `memtape fact add`".into()
        }
        Hint::ListNotes => "`memtape note list` lists the notes".into(),
        Hint::ShowNote(path) => {
            format!("`memtape note show {path}` shows the note; a bullet of it is notes:{path}#BULLET")
        }
        Hint::ListFiles => "`memtape file list` lists the files".into(),
        Hint::NoteVersions(path) => format!("`memtape note log {path}` lists its versions"),
        Hint::FileVersions(path) => format!("`memtape file log {path}` lists its versions"),
        Hint::ListBlocks => "`memtape block list` lists the blocks".into(),
        Hint::ListProposals => "`memtape block approve` lists the pending proposals".into(),
        Hint::BlockHistory(name) => format!("`memtape block log {name}` lists its versions"),
        Hint::SettleProposal(name) => {
            format!("`memtape block approve {name}` applies it, `memtape block reject {name}` rejects it")
        }
        Hint::SwitchBranch(name) => format!("`memtape switch {name}` switches to it"),
        Hint::ForkDeleted { branch, entry } => {
            format!(
                "`memtape branch create NEW --from {branch}@{entry}` forks a branch from its last \
                     entry"
            )
        }
        Hint::MadeBy(what) => format!("{what} records them"),
        Hint::EarlierPoint => "an earlier point may show it: --at POINT".into(),
        Hint::AskAsOwner => "omit --session, --user and --scope".into(),
        Hint::ListConflicts => "`memtape conflicts` lists the open conflicts".into(),
        Hint::KeepSide { value: true } => "use --ours or --theirs, or another --value".into(),
        Hint::KeepSide { value: false } => "use --ours or --theirs".into(),
        Hint::ListCommits => "`memtape log` lists the commits".into(),
        Hint::TakeCommit(entry) => format!("`memtape cherry-pick @{entry}` applies it"),
        Hint::Revert(entry) => format!("`memtape revert @{entry}` reverts it"),
        Hint::RevertLater(entry) => format!(
            "revert what changed later first (`memtape log` lists the commits), then `memtape revert @{entry}` \
             reverts it"
        ),
        Hint::ApplyAgain(entry) => format!("`memtape revert @{entry}` brings it back"),
        Hint::ListBranches => "`memtape branch list` lists the branches".into(),
        Hint::NameMerged => "name another branch, or pass --into TARGET".into(),
        Hint::LeaveBranch(None) => "switch to another branch first: `memtape switch main`".into(),
        Hint::LeaveBranch(Some(session)) => {
            format!("switch it to another branch first: `memtape switch main --session {session}`")
        }
        Hint::RevertOfOthers => {
            "`memtape log` lists the changes of all conversations; `memtape revert @N` takes one \
                                 back, `memtape undo --session CHAT` the last one of a conversation"
                .into()
        }
        Hint::SelectStatements => "select statements with --older-than-days N, --kind KIND or --scope \
                                   SCOPE"
            .into(),
        Hint::SelectFacts => "select facts with --below N or --unused-days N".into(),
        Hint::SettleStaleProposal(name) => format!(
            "`memtape block approve {name} --force` applies it anyway, `memtape block reject {name}` \
             rejects it"
        ),
        Hint::ListAnchors => "`memtape tape anchors` lists the anchors".into(),
        Hint::ListUsers => "`memtape config` lists the declared users as users.NAME".into(),
        Hint::RemoveMemories => "`memtape forget` and `memtape zone clear` remove memories".into(),
        Hint::Replace => "--force replaces it".into(),
        Hint::OtherPath => "choose another path".into(),
        Hint::AllowGaps => "--allow-gaps imports what comes after them, too".into(),
        Hint::ImportTape => {
            "only an export in the format jsonl, or a tape.jsonl, can be imported: `memtape export --format jsonl`".into()
        }
        Hint::ExportAsTape => "the formats jsonl, json, markdown and files hold every form".into(),
        _ => String::new(),
    }
}

fn for_tools(hint: &Hint) -> Option<String> {
    Some(match hint {
        Hint::NameFactScope => "select one with `topic`".into(),
        Hint::NameConversation => "pass a topic or another lifetime as `topic`".into(),
        Hint::KeepAsOwn => "for one chat or user, use memory_add, memory_save or memory_daily".into(),
        Hint::ListNotes => "memory_list lists the notes".into(),
        Hint::ShowNote(path) => {
            format!("memory_read reads the note; a bullet of it is notes:{path}#BULLET")
        }
        Hint::ListBlocks => "memory_list_blocks lists the blocks".into(),
        Hint::BlockHistory(name) => {
            format!("memory_block_history {{\"name\":\"{name}\"}} lists its versions")
        }
        Hint::SwitchBranch(name) => {
            format!("memory_branch {{\"action\":\"switch\",\"name\":\"{name}\"}} switches to it")
        }
        Hint::ForkDeleted { .. } => "memory_branch with the action \"create\" creates another branch".into(),
        Hint::ListCommits | Hint::RevertLater(_) => "memory_history lists the commits".into(),
        Hint::ListBranches => "memory_branch {\"action\":\"list\"} lists the branches".into(),
        Hint::LeaveBranch(_) => {
            "memory_branch {\"action\":\"switch\",\"name\":\"main\"} switches to another branch".into()
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
        ErrorKind::Unavailable => Some("try again in a moment; if it fails again, report it to the owner"),
        ErrorKind::Corrupt => Some("the memory is damaged: report it to the owner"),
        ErrorKind::Internal => Some("this is a bug in memtape: report it to the owner"),
    }
}
