//! Turns that have begun over HTTP and not ended yet.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use memtape::{Session, Turn};

/// Maximum time that a model may take to reply.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// Maximum number of open turns of a server. The oldest one is dropped, and its message stays recorded.
const OPEN_MAX: usize = 1000;

/// The open turns by the reference of their message and their conversation.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    open: Mutex<HashMap<(String, String), (Instant, Turn)>>,
}

impl Turns {
    /// Keeps a turn and returns the id by which it is taken.
    pub(super) fn keep(&self, workspace: &str, turn: Turn) -> Option<String> {
        let id = turn.message()?.to_string();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, (since, _)| since.elapsed() < PATIENCE);
        if open.len() >= OPEN_MAX
            && let Some(oldest) = open.iter().min_by_key(|(_, (since, _))| *since).map(|(key, _)| key.clone())
        {
            open.remove(&oldest);
        }
        open.insert((workspace.to_owned(), id.clone()), (Instant::now(), turn));
        Some(id)
    }

    /// Takes a turn of a conversation.
    pub(super) fn take(&self, workspace: &str, session: &Session, id: &str) -> Option<Turn> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (workspace.to_owned(), id.to_owned());
        open.get(&key).filter(|(_, turn)| turn.session() == session)?;
        open.remove(&key).map(|(_, turn)| turn)
    }
}
