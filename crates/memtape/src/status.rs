//! What a workspace holds, in numbers.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memtape_core::turn::Counters;
use memtape_core::{Audience, Category, Form, Session};

use crate::error::Result;
use crate::reading::{whole_zone, zone_view};
use crate::workspace::{At, Workspace};

/// What a workspace holds, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// The workspace's id.
    pub id: String,
    /// The branch read.
    pub branch: String,
    /// The last entry that counts.
    pub entries: u64,
    /// When it was appended.
    pub last_date: Option<Timestamp>,
    /// Conversations with messages.
    pub conversations: u64,
    /// Visible memories of each form.
    pub memories: Vec<(Form, u64)>,
    /// Visible statements of each category that has any.
    pub statements: BTreeMap<Category, u64>,
    /// Statements that have had their time, and wait for hygiene to retire them.
    pub expired: u64,
    /// Observations that wait for their commit.
    pub observations: usize,
    /// Changes of the identity layer that wait for the owner.
    pub proposals: usize,
    /// Document 4's counters, over all turns.
    pub counters: Counters,
    /// The zone's version.
    pub zone_version: u64,
    /// Bytes of long-term memory.
    pub long_term_bytes: usize,
    /// Days with a daily note.
    pub daily_notes: usize,
}

impl Workspace {
    /// What the workspace holds.
    ///
    /// # Errors
    /// What the medium says.
    pub fn status(&self, at: &At) -> Result<Status> {
        self.read(at, &Session::direct(), |reader, point| {
            let view = zone_view(reader, point, &whole_zone())?;
            let last_date = match point.entry() {
                0 => None,
                _ => reader.last_date(point)?,
            };
            let proposals = reader.blocks(&Audience::owner(), point)?.waiting().count();
            let count = |form: Form| {
                let all = reader.count(form, point)?;
                // What waits is no block.
                let waiting = if form == Form::BLOCKS { proposals as u64 } else { 0 };
                Ok((form, all.saturating_sub(waiting)))
            };
            Ok(Status {
                id: reader.workspace(),
                branch: point.branch().to_owned(),
                entries: point.entry(),
                last_date,
                conversations: reader.conversations(point)?,
                memories: Form::all().map(count).collect::<memtape_store::Result<_>>()?,
                statements: reader.categories(point)?,
                expired: reader.expired_count(point)?,
                proposals,
                observations: reader.observations_waiting(None, point)?.len(),
                counters: reader.counters(point)?,
                zone_version: view.version,
                long_term_bytes: view.long_term_text().len(),
                daily_notes: view.dailies.len(),
            })
        })
    }
}
