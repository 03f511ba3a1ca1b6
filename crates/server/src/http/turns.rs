//! Turns that have begun over HTTP and not ended yet.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use memtape::Turn;

use super::inspect;
use crate::caller::Caller;

/// Maximum time that a model may take to reply.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// Maximum number of open turns of a token. The oldest one is dropped, and its message stays recorded.
const OPEN_MAX: usize = 1000;

/// The open turns, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    open: Mutex<HashMap<String, Open>>,
}

#[derive(Debug)]
struct Open {
    since: Instant,
    workspace: String,
    /// The name of the token with which it was begun.
    token: String,
    /// Who began it, and alone can end it: its outcome shows memories of this caller.
    caller: Caller,
    turn: Turn,
}

impl Open {
    fn is_patient(&self) -> bool {
        self.since.elapsed() < PATIENCE
    }
}

impl Turns {
    /// Keeps a turn of a workspace and a token, and returns the id by which it is ended; `None` if nothing of it is recorded.
    pub(super) fn keep(
        &self,
        (workspace, token): (&str, &str),
        caller: &Caller,
        turn: Turn,
    ) -> Option<String> {
        turn.message()?;
        let mut open = self.open();
        open.retain(|_, open| open.is_patient());
        let own = open.iter().filter(|(_, open)| open.workspace == workspace && open.token == token);
        let own: Vec<_> = own.map(|(id, open)| (open.since, id)).collect();
        if own.len() >= OPEN_MAX
            && let Some(oldest) = own.into_iter().min().map(|(_, id)| id.clone())
        {
            open.remove(&oldest);
        }
        let id = format!("turn_{}", inspect::random());
        let (workspace, token, caller) = (workspace.to_owned(), token.to_owned(), caller.clone());
        open.insert(id.clone(), Open { since: Instant::now(), workspace, token, caller, turn });
        Some(id)
    }

    /// Ends a turn that the same caller began; `None` if there is none. If `end` fails, the turn stays open.
    pub(super) fn end<T, E>(
        &self,
        workspace: &str,
        caller: &Caller,
        id: &str,
        end: impl FnOnce(Turn) -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        let is_of_caller =
            |open: &Open| open.workspace == workspace && open.caller == *caller && open.is_patient();
        let taken = {
            let mut open = self.open();
            open.get(id).filter(|open| is_of_caller(open))?;
            open.remove(id)?
        };
        let ended = end(taken.turn.clone());
        if ended.is_err() {
            self.open().insert(id.to_owned(), taken);
        }
        Some(ended)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use memtape::{Inbound, Options, Session, Workspace};

    use super::*;

    #[test]
    fn the_turns_of_a_token_end_those_of_no_other() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let workspace = Workspace::init(dir.path(), Options::default()).expect("a workspace");
        let session = |label: &str| Session::parse(label).expect("a session");
        let conversation = workspace.conversation(session("http:a"));
        let turn = conversation.begin(&Inbound::new("tea?")).expect("a turn");
        let turns = Turns::default();
        let end = |caller: &Caller, id: &str| turns.end("w", caller, id, |_| Ok::<(), ()>(())).is_some();
        let of_chat = |chat: usize| Caller {
            session: session(&format!("telegram:{chat}")),
            is_owner: false,
            ..Caller::owner(session("http:a"))
        };
        let owner = Caller::owner(session("http:b"));
        let keep = |token: &str, caller: &Caller| {
            turns.keep(("w", token), caller, turn.clone()).expect("it is recorded")
        };
        let (waiting, other) = (keep("owner", &owner), keep("b", &of_chat(1)));
        let dropped = keep("a", &of_chat(0));
        for _ in 0..OPEN_MAX {
            keep("a", &of_chat(0));
        }
        assert!(end(&owner, &waiting) && !end(&owner, &waiting));
        assert!(end(&of_chat(1), &other), "another token of the same channel");
        assert!(!end(&of_chat(0), &dropped));
        let late = keep("owner", &owner);
        let before = Instant::now().checked_sub(PATIENCE).expect("the machine runs for a while");
        turns.open().get_mut(&late).expect("it is open").since = before;
        assert!(!end(&owner, &late));
    }
}
