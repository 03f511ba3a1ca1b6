//! The visits of people who have signed in to the inspector. They are kept in memory, so they end with the server.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use memtape::{Session, Toolset};
use sha2::{Digest as _, Sha256};

use super::super::tokens::{Kind, Token, Tokens};
use crate::access::Access;
use crate::caller::Caller;
use crate::workspace_pool::WorkspacePool;

/// The time after which a visit ends if nobody requests anything.
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);
/// Maximum number of visits. The one that was idle the longest ends for a new one.
const VISITS_MAX: usize = 1000;
/// Number of random bytes in an id.
const ID_BYTES: usize = 32;
/// The conversation in which the owner who signed in without a token acts.
const OWNERS: &str = "http:inspect";

/// A visit: on whose behalf a browser asks.
#[derive(Clone)]
pub(super) struct Visit {
    /// The name of the person.
    pub(super) name: String,
    /// The text that every form contains.
    pub(super) csrf: String,
    /// The digest of the token; `None` for the owner of the process.
    token: Option<String>,
}

/// The visits of a server, by the digest of their id.
pub(crate) struct Visits {
    held: Mutex<HashMap<[u8; 32], (Instant, Visit)>>,
    /// The digest of the ticket that opens the inspector once.
    ticket: Mutex<Option<[u8; 32]>>,
}

impl fmt::Debug for Visits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visits").finish_non_exhaustive()
    }
}

impl Visits {
    /// Returns no visits, and the ticket of the owner if there is one.
    pub(crate) fn new(ticket: Option<&str>) -> Self {
        Self { held: Mutex::default(), ticket: Mutex::new(ticket.map(digest)) }
    }

    /// Begins a visit and returns its id.
    pub(super) fn begin(&self, visit: Visit) -> String {
        let id = random();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, (used, _)| used.elapsed() < IDLE);
        if held.len() >= VISITS_MAX
            && let Some(oldest) = held.iter().min_by_key(|(_, (used, _))| *used).map(|(id, _)| *id)
        {
            held.remove(&oldest);
        }
        held.insert(digest(&id), (Instant::now(), visit));
        id
    }

    /// Returns the visit of an id, unless it has ended. A use of it begins its idle time anew.
    pub(super) fn find(&self, id: &str, is_use: bool) -> Option<Visit> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (used, visit) = held.get_mut(&digest(id)).filter(|(used, _)| used.elapsed() < IDLE)?;
        if is_use {
            *used = Instant::now();
        }
        Some(visit.clone())
    }

    /// Ends a visit.
    pub(super) fn end(&self, id: &str) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).remove(&digest(id));
    }

    /// Returns whether a text is the ticket, which it then is no longer.
    pub(super) fn take_ticket(&self, text: &str) -> bool {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        ticket.take_if(|ticket| *ticket == digest(text)).is_some()
    }
}

impl Visit {
    /// Returns a visit with a token; `None` if the token names no conversation.
    pub(super) fn of_token(token: &Token) -> Option<Self> {
        let is_fit = !matches!(token.kind, Kind::Gateway { .. });
        is_fit.then(|| Self { name: token.name.clone(), csrf: random(), token: Some(token.hash.clone()) })
    }

    /// Returns a visit of the owner of the process.
    pub(super) fn of_owner() -> Self {
        Self { name: "owner".to_owned(), csrf: random(), token: None }
    }

    /// Returns whether a form contains the text of this visit. Digests are compared, so the time reveals nothing.
    pub(super) fn is_own(&self, csrf: Option<&str>) -> bool {
        csrf.is_some_and(|csrf| digest(csrf) == digest(&self.csrf))
    }

    /// Returns the access of the visit; `None` if its token was removed.
    ///
    /// # Errors
    /// As [`Tokens::list`].
    pub(super) fn access(&self, tokens: &Tokens, workspaces: &WorkspacePool) -> io::Result<Option<Access>> {
        let tokens = self.token.as_ref().map_or_else(|| Ok(Vec::new()), |_| tokens.list())?;
        Ok(self.access_by(tokens, workspaces))
    }

    fn access_by(&self, tokens: Vec<Token>, workspaces: &WorkspacePool) -> Option<Access> {
        let Some(hash) = &self.token else {
            let session = Session::parse(OWNERS).ok()?;
            return workspaces.access(None, Caller::owner(session)).ok();
        };
        let token = tokens.into_iter().find(|token| token.hash == *hash)?;
        let (session, is_owner, user) = match &token.kind {
            Kind::Owner => (format!("http:{}", token.name), true, None),
            Kind::Fixed { session, user } => (session.clone(), false, user.clone()),
            Kind::Gateway { .. } => return None,
        };
        let caller = Caller {
            session: Session::parse(&session).ok()?,
            is_owner,
            user,
            toolsets: Toolset::USUAL.to_vec(),
            is_read_only: token.read_only,
        };
        workspaces.access(token.workspace.as_deref(), caller).ok()
    }
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// Returns a text that nobody can guess.
pub(crate) fn random() -> String {
    let mut bytes = [0; ID_BYTES];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    hex::encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_counts_once() {
        let visits = Visits::new(Some("secret"));
        assert!(!visits.take_ticket("guess"));
        assert!(visits.take_ticket("secret"));
        assert!(!visits.take_ticket("secret"));
        assert!(!Visits::new(None).take_ticket(""));
    }

    #[test]
    fn a_visit_is_found_by_its_id_until_it_ends() {
        let visits = Visits::new(None);
        let id = visits.begin(Visit::of_owner());
        assert!(visits.find(&id, true).is_some());
        assert!(visits.find("guess", true).is_none());
        visits.end(&id);
        assert!(visits.find(&id, true).is_none());
        for _ in 0..=VISITS_MAX {
            visits.begin(Visit::of_owner());
        }
        assert_eq!(visits.held.lock().unwrap_or_else(PoisonError::into_inner).len(), VISITS_MAX);
    }

    #[test]
    fn only_a_use_of_a_visit_prolongs_it() {
        let visits = Visits::new(None);
        let id = visits.begin(Visit::of_owner());
        let held = || visits.held.lock().unwrap_or_else(PoisonError::into_inner);
        let used = || held()[&digest(&id)].0;
        let Some(earlier) = used().checked_sub(Duration::from_secs(1)) else { return };
        if let Some(visit) = held().get_mut(&digest(&id)) {
            visit.0 = earlier;
        }
        assert!(visits.find(&id, false).is_some());
        assert_eq!(used(), earlier);
        assert!(visits.find(&id, true).is_some());
        assert!(used() > earlier);
    }
}
