//! Turns that have begun over HTTP and not ended yet.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
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
    /// Keeps a turn and returns the id by which it is taken; `None` if nothing of it is recorded.
    pub(super) fn keep(&self, workspace: &str, caller: &Caller, turn: Turn) -> Option<String> {
        turn.message()?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Takes a turn that the same caller began.
    pub(super) fn take(&self, workspace: &str, caller: &Caller, id: &str) -> Option<Turn> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(id).filter(|open| open.workspace == workspace && open.caller == *caller)?;
        open.remove(id).map(|open| open.turn)
    }
}
