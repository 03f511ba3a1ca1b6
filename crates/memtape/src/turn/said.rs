//! Captures from messages that were said earlier, elsewhere, as if they had been turns at that time.

use jiff::Timestamp;
use memtape_core::forms::statements;
use memtape_core::imported::Imported;
use memtape_core::{Context, Decision, Origin};
use memtape_store::Author;
use memtape_tape::EntryId;

use super::capture::{Capture, Chosen};
use super::{Before, Captured, Reply};
use crate::conversation::Conversation;
use crate::error::Result;
use crate::inbound::Inbound;
use crate::statements::held;
use memtape_core::echo::Shown;

/// A message of a person that is on the tape.
#[derive(Clone, Debug)]
pub struct Said<'s> {
    /// The text.
    pub text: &'s str,
    /// The speaker, as [`Workspace::audience`](crate::Workspace::audience) takes it.
    pub user: Option<&'s str>,
    /// When it was said.
    pub said_at: Timestamp,
    /// Its entry; `None` if it is not known.
    pub entry: Option<EntryId>,
    /// The source that it was imported from, and the digest that records that it was captured.
    pub mark: (&'s str, u64),
}

impl Conversation<'_> {
    /// Captures statements from a message, with the time of the message: its days are relative to that time, and what has
    /// expired since is not kept. What the message ends is removed, unless it was said later. All of it is one commit;
    /// `None` if nothing was written.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`](crate::Workspace::write);
    /// [`Error::Invalid`](crate::Error::Invalid) if the user is malformed.
    pub fn capture_said(&self, said: &Said<'_>) -> Result<Option<Vec<Captured>>> {
        let workspace = self.workspace;
        let inbound = Inbound {
            user: said.user.map(str::to_owned),
            said_at: Some(said.said_at),
            ..Inbound::new(said.text)
        };
        let audience = workspace.audience(Some(&self.session), said.user)?;
        let before = Before::new(audience, said.entry, said.said_at);
        let reply = Reply::default();
        let capture = Capture::read(self, &inbound, &before, &reply, Origin::Assistant);
        if capture.is_empty() {
            return Ok(None);
        }
        let author =
            Author { session: self.session.clone(), ..workspace.author(&self.session, Origin::Assistant) };
        let retention = &workspace.config.retention;
        let written = workspace.write(&author, |reader, point, ctx| {
            let then = Context { now: said.said_at, ..ctx.clone() };
            let mut chosen = capture.choose(&Shown::default(), reader, point, &then)?;
            let removed = capture.statements_to_remove(&mut chosen, Some(said.said_at), reader, point)?;
            chosen.drop_expired(retention, said.said_at, ctx.now);
            let Chosen { accepted, rules, .. } = chosen;
            let held = held(reader, point, &accepted, before.audience.is_owner(), &then)?;
            let decided = statements::ops::record(&held, &accepted, retention, &then)?;
            let mut drafts = decided.drafts;
            drafts.extend(statements::ops::forget(&removed, ctx)?.drafts);
            if !drafts.is_empty() {
                let (source, digest) = said.mark;
                drafts.push(Imported::new(source, &[digest]).draft(&ctx.meta(), &ctx.branch)?);
            }
            let outcomes = accepted.into_iter().zip(rules).zip(decided.outcome);
            let captured = outcomes.map(|((new, rule), outcome)| Captured::of(new, rule, outcome)).collect();
            Ok(Decision { drafts, outcome: captured })
        })?;
        Ok((!written.entries.is_empty()).then_some(written.outcome))
    }
}
