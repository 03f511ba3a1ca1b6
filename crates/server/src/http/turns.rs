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
    /// Who began it, and alone can end it: its outcome shows memories of this caller.
    caller: Caller,
    turn: Turn,
}

impl Open {
    fn is_patient(&self) -> bool {
        self.since.elapsed() < PATIENCE
    }
}

/// Returns what the callers of one token have in common: the conversation, or the channel of a gateway.
fn holder(caller: &Caller) -> (bool, String) {
    let session = &caller.session;
    (caller.is_owner, if caller.is_owner { session.to_string() } else { session.channel().to_owned() })
}

impl Turns {
    /// Keeps a turn and returns the id by which it is ended; `None` if nothing of it is recorded.
    pub(super) fn keep(&self, workspace: &str, caller: &Caller, turn: Turn) -> Option<String> {
        turn.message()?;
        let mut open = self.open();
        open.retain(|_, open| open.is_patient());
        let asking = holder(caller);
        let own =
            open.iter().filter(|(_, open)| open.workspace == workspace && holder(&open.caller) == asking);
        let own: Vec<_> = own.map(|(id, open)| (open.since, id)).collect();
        if own.len() >= OPEN_MAX
            && let Some(oldest) = own.into_iter().min().map(|(_, id)| id.clone())
        {
            open.remove(&oldest);
        }
        let id = format!("turn_{}", inspect::random());
        let (workspace, caller) = (workspace.to_owned(), caller.clone());
        open.insert(id.clone(), Open { since: Instant::now(), workspace, caller, turn });
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
        let waiting = turns.keep("w", &owner, turn.clone()).expect("it is recorded");
        let dropped = turns.keep("w", &of_chat(0), turn.clone()).expect("it is recorded");
        for chat in 1..=OPEN_MAX {
            turns.keep("w", &of_chat(chat), turn.clone()).expect("it is recorded");
        }
        assert!(end(&owner, &waiting) && !end(&owner, &waiting));
        assert!(!end(&of_chat(0), &dropped));
        let late = turns.keep("w", &owner, turn).expect("it is recorded");
        let before = Instant::now().checked_sub(PATIENCE).expect("the machine runs for a while");
        turns.open().get_mut(&late).expect("it is open").since = before;
        assert!(!end(&owner, &late));
    }
}
