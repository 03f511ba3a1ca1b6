//! A snapshot: one consistent view of a workspace for one audience.
//!
//! Every read of the library takes a point ([`At`]). With a point that the caller names, each call opens its
//! own view. With [`Snapshot::at`], all calls read the same view, whatever is written in the meantime. A turn
//! reads everything that it shows a model from one snapshot.
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

/// One consistent view of a workspace for one audience.
///
/// It occupies one database connection until it is dropped, so do not keep it while a model runs.
pub struct Snapshot<'w> {
    workspace: &'w Workspace,
    view: View<'w>,
    audience: Audience,
    session: Session,
    point: Point,
}

impl Workspace {
    /// Takes a snapshot.
    ///
    /// It contains every acknowledged write and every edit of the working copy made before the call.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` names no point of this workspace, or if the tape or the index cannot be read.
    pub fn snapshot(&self, audience: &Audience, at: &At<'_>) -> Result<Snapshot<'_>> {
        self.snapshot_in(&conversation_of(audience), audience, at)
    }

    /// Takes a snapshot for a conversation.
    fn snapshot_in(&self, session: &Session, audience: &Audience, at: &At<'_>) -> Result<Snapshot<'_>> {
        let view = self.take_view()?;
        let point = self.point(&view.reader(), at, audience, session)?;
        Ok(Snapshot { workspace: self, view, audience: audience.clone(), session: session.clone(), point })
    }

    /// Runs a closure with a snapshot. Memories that were written just before have their vectors, so that
    /// recall finds them by meaning. The closure runs a second time on a new snapshot if the index proves
    /// damaged.
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
            self.note_failure(self.embed_before_recall());
            snapshot = self.snapshot_in(session, audience, at)?;
        }
        match act(&snapshot) {
            Err(Error::Store(memtape_store::Error::Index(e))) if e.is_index_damage() => {
                snapshot.view.replace_damaged_index(&e)?;
                act(&self.snapshot_in(session, audience, at)?)
            }
            other => other,
        }
    }
}

impl Snapshot<'_> {
    /// Returns the pinned point to pass to any read of this workspace.
    #[must_use]
    pub fn at(&self) -> At<'_> {
        At::within(&self.view, &self.point)
    }

    /// Returns the resolved point.
    #[must_use]
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// Recalls memories.
    ///
    /// The audience and the conversation of the snapshot replace those of `recall`.
    ///
    /// # Errors
    /// See [`Workspace::recall`].
    pub fn recall(&self, recall: &Recall) -> Result<Recalled> {
        let (audience, session) = (self.audience.clone(), Some(self.session.clone()));
        self.workspace.recall(&Recall { audience, session, ..recall.clone() }, &self.at())
    }

    /// Returns the zone (long-term lines and daily notes) for the audience.
    #[must_use]
    pub fn zone(&self) -> Zone<'_> {
        Zone::new(self.workspace, &self.session, Origin::User, self.audience.clone())
    }

    /// Returns the journal for the audience.
    #[must_use]
    pub fn journal(&self) -> Journal<'_> {
        Journal::new(self.workspace, &self.session, Origin::User, self.audience.clone())
    }

    /// Returns the statements for the audience.
    #[must_use]
    pub fn statements(&self) -> Statements<'_> {
        self.workspace.statements().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the ledger for the audience.
    #[must_use]
    pub fn facts(&self) -> Ledger<'_> {
        self.workspace.ledger().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the blocks for the audience.
    #[must_use]
    pub fn blocks(&self) -> Blocks<'_> {
        self.workspace.blocks().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the notes for the audience.
    #[must_use]
    pub fn notes(&self) -> Notes<'_> {
        self.workspace.notes().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the files for the audience.
    #[must_use]
    pub fn files(&self) -> Files<'_> {
        self.workspace.files().for_audience(self.audience.clone()).in_session(self.session.clone())
    }

    /// Returns the tools for the audience.
    ///
    /// Tools that read use this snapshot.
    #[must_use]
    pub fn tools(&self) -> Toolbox<'_> {
        self.workspace
            .tools()
            .for_session(self.session.clone())
            .for_audience(self.audience.clone())
            .at(self.at())
    }
}
