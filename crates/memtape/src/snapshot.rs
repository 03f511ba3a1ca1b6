//! A snapshot: one consistent view of a workspace, for one audience.
//!
//! Every reading call of the library takes a point ([`At`]). At a point that the caller names, each call reads a view of
//! its own; at [`Snapshot::at`] all of them read the same one, whatever others write meanwhile. A turn reads everything
//! that it shows a model from one snapshot.
//!
//! ```
//! use memtape::{At, Audience, Options, Workspace};
//!
//! # fn main() -> memtape::Result<()> {
//! # let dir = std::env::temp_dir().join(format!("memtape-doc-snapshot-{}", std::process::id()));
//! let workspace = Workspace::init(&dir, Options::default())?;
//! workspace.zone().remember("Ana is allergic to hazelnuts")?;
//! let snapshot = workspace.snapshot(&Audience::owner(), &At::head())?;
//! workspace.zone().remember("Ana likes pears")?;
//! let (zone, _) = snapshot.zone().view(&snapshot.at())?;
//! assert_eq!(zone.long_term.len(), 1);
//! # drop(snapshot);
//! # std::fs::remove_dir_all(&dir).ok();
//! # Ok(())
//! # }
//! ```

use memtape_core::{Audience, Origin, Point, Session};
use memtape_store::View;

use crate::blocks::Blocks;
use crate::config::Backend;
use crate::error::{Error, Result};
use crate::files::Files;
use crate::journal::Journal;
use crate::ledger::Ledger;
use crate::notes::Notes;
use crate::recall::{Recall, Recalled};
use crate::statements::Statements;
use crate::toolbox::Toolbox;
use crate::workspace::{At, Workspace, conversation_of};
use crate::zone::Zone;

/// One consistent view of a workspace, for one audience. It occupies one database connection until it is dropped, so it is
/// not to be kept while a model thinks.
pub struct Snapshot<'w> {
    workspace: &'w Workspace,
    view: View<'w>,
    audience: Audience,
    session: Session,
    point: Point,
}

impl Workspace {
    /// Takes a snapshot: everything that was acknowledged before, and what a person did to the files.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` names no point of this workspace, or the tape or the index cannot be read.
    pub fn snapshot(&self, audience: &Audience, at: &At<'_>) -> Result<Snapshot<'_>> {
        self.snapshot_in(&conversation_of(audience), audience, at)
    }

    /// The same, as a part of a conversation.
    fn snapshot_in(&self, session: &Session, audience: &Audience, at: &At<'_>) -> Result<Snapshot<'_>> {
        let view = self.take_view()?;
        let point = self.point(&view.reader(), at, session)?;
        Ok(Snapshot { workspace: self, view, audience: audience.clone(), session: session.clone(), point })
    }

    /// Does something with a snapshot in which recall finds by meaning what was written just before. It is done twice
    /// where the index shows damage.
    pub(crate) fn with_snapshot<T>(
        &self,
        session: &Session,
        audience: &Audience,
        at: &At<'_>,
        mut act: impl FnMut(&Snapshot<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut snapshot = self.snapshot_in(session, audience, at)?;
        if self.config.recall.backend == Backend::Hybrid
            && let Some(model) = self.model_at_hand()
            && snapshot.view.reader().is_known_waiting(&model)?
        {
            drop(snapshot);
            self.note_failure(self.make_known_before_recall());
            snapshot = self.snapshot_in(session, audience, at)?;
        }
        match act(&snapshot) {
            Err(Error::Store(e)) if e.is_index_damage() => {
                snapshot.view.mend(&e)?;
                act(&self.snapshot_in(session, audience, at)?)
            }
            other => other,
        }
    }
}

impl Snapshot<'_> {
    /// Returns the point that is read here, for any reading call of this workspace.
    #[must_use]
    pub fn at(&self) -> At<'_> {
        At::within(&self.view, &self.point)
    }

    /// Returns where it stands.
    #[must_use]
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// Finds memories that answer a question. The audience and the conversation are the snapshot's.
    ///
    /// # Errors
    /// As [`Workspace::recall`].
    pub fn recall(&self, recall: &Recall) -> Result<Recalled> {
        let (audience, session) = (self.audience.clone(), Some(self.session.clone()));
        self.workspace.recall(&Recall { audience, session, ..recall.clone() }, &self.at())
    }

    /// Returns the long-term lines and daily notes that the audience sees.
    #[must_use]
    pub fn zone(&self) -> Zone<'_> {
        Zone::new(self.workspace, &self.session, Origin::User, self.audience.clone())
    }

    /// Returns the journal that the audience sees.
    #[must_use]
    pub fn journal(&self) -> Journal<'_> {
        Journal::new(self.workspace, &self.session, Origin::User, self.audience.clone())
    }

    /// Returns the statements that the audience sees.
    #[must_use]
    pub fn statements(&self) -> Statements<'_> {
        self.workspace.statements().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the facts that the audience sees.
    #[must_use]
    pub fn facts(&self) -> Ledger<'_> {
        self.workspace.ledger().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the blocks that the audience sees.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'_> {
        self.workspace.blocks().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the notes that the audience sees.
    #[must_use]
    pub fn notes(&self) -> Notes<'_> {
        self.workspace.notes().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the files that the audience sees.
    #[must_use]
    pub fn files(&self) -> Files<'_> {
        self.workspace.files().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the tools for the audience; those that read, read this snapshot.
    #[must_use]
    pub fn tools(&self) -> Toolbox<'_> {
        self.workspace
            .tools()
            .for_session(self.session.clone())
            .for_audience(self.audience.clone())
            .at(self.at())
    }
}
