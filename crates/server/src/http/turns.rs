//! Turns that have begun over HTTP and not ended yet.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use memtape::Turn;

use super::inspect;
use crate::caller::Caller;

/// Maximum time that a model may take to reply.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// Maximum number of open turns of a server. The oldest one is dropped, and its message stays recorded.
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

impl Turns {
    /// Keeps a turn and returns the id by which it is ended; `None` if nothing of it is recorded.
    pub(super) fn keep(&self, workspace: &str, caller: &Caller, turn: Turn) -> Option<String> {
        turn.message()?;
        let mut open = self.open();
        open.retain(|_, open| open.since.elapsed() < PATIENCE);
        if open.len() >= OPEN_MAX
            && let Some(oldest) = open.iter().min_by_key(|(_, open)| open.since).map(|(id, _)| id.clone())
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
        let is_of_caller = |open: &Open| open.workspace == workspace && open.caller == *caller;
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
