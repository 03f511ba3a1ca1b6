//! The status of a workspace in numbers.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memtape_core::turn::Counters;
use memtape_core::{Audience, Category, Form, Session};

use crate::error::Result;
use crate::reading::{whole_zone, zone_view};
use crate::workspace::{At, Workspace};

/// The status of a workspace in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// The id of the workspace.
    pub id: String,
    /// The branch that was read.
    pub branch: String,
    /// The id of the entry at the point.
    pub entries: u64,
    /// Number of entries up to the point that were lost, because the tape is damaged. A verification lists the places.
    pub lost: u64,
    /// The date of the last entry; `None` if there is none.
    pub last_date: Option<Timestamp>,
    /// Number of conversations with messages.
    pub conversations: u64,
    /// Number of current memories of each form.
    pub memories: Vec<(Form, u64)>,
    /// Number of current statements of each category that has any.
    pub statements: BTreeMap<Category, u64>,
    /// Number of expired statements that are not removed yet.
    pub expired: u64,
    /// Number of observations whose commit is pending.
    pub observations: usize,
    /// Number of pending proposals for the identity layer.
    pub proposals: usize,
    /// Document 4's counters, summed over all turns.
    pub counters: Counters,
    /// The version of the zone.
    pub zone_version: u64,
    /// Size of long-term memory, in bytes.
    pub long_term_bytes: usize,
    /// Number of days with a daily note.
    pub daily_notes: usize,
}

impl Workspace {
    /// Returns the status of the workspace at a point.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn status(&self, at: &At) -> Result<Status> {
        self.read(at, &Audience::owner(), &Session::direct(), |reader, point| {
            let view = zone_view(reader, point, &whole_zone())?;
            let last_date = match point.entry() {
                0 => None,
                _ => reader.last_date(point)?,
            };
            let proposals = reader.blocks(&Audience::owner(), point)?.proposals().count();
            let count = |form: Form| {
                let all = reader.count(form, point)?;
                // A proposal is stored as a block but is not one yet.
                let waiting = if form == Form::BLOCKS { proposals as u64 } else { 0 };
                Ok((form, all.saturating_sub(waiting)))
            };
            Ok(Status {
                id: reader.workspace(),
                branch: point.branch().to_owned(),
                entries: point.entry(),
                lost: reader.missing_entries(point)?,
                last_date,
                conversations: reader.conversations(point)?,
                memories: Form::all().map(count).collect::<memtape_index::Result<_>>()?,
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
