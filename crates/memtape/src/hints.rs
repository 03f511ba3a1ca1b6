//! What each face says for a [`Hint`]: commands on the command line, tools and their arguments to a tool's caller.

use memtape_core::Hint;
use memtape_tape::ErrorKind;

/// Where an error is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// To who runs commands.
    CommandLine,
    /// To who calls tools.
    Tools,
}

/// A hint as a surface spells it; `None` where it has nothing to offer.
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
        Hint::BlockHistory(name) => format!("`memtape block history {name}` lists its versions"),
        Hint::SettleProposal(name) => {
            format!("`memtape block approve {name}` sets it, `memtape block reject {name}` drops it")
        }
        Hint::SwitchBranch(name) => format!("`memtape checkout {name}` goes there"),
        Hint::ForkDeleted { branch, entry } => {
            format!("`memtape create-branch NEW --from {branch}@{entry}` takes it up again")
        }
        Hint::MadeBy(what) => format!("{what} makes them"),
        Hint::EarlierPoint => "an earlier point may show it: --at".into(),
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
            format!("memory_branch {{\"action\":\"switch\",\"name\":\"{name}\"}} goes there")
        }
        Hint::ForkDeleted { .. } => "memory_branch with the action \"create\" makes another".into(),
        Hint::NameChat
        | Hint::NameUser
        | Hint::ListProposals
        | Hint::SettleProposal(_)
        | Hint::EarlierPoint => {
            return None;
        }
        _ => return None,
    })
}

/// What to do about a failure of a kind, for who calls tools, where the error does not say.
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
