//! An older version of memtape, whose commands did not redact secrets.
//!
//! **Invariant.** Its entries are decided, appended, projected and mirrored as by any version, and contain
//! the text as passed, secrets included.

use std::path::Path;

use memtape::config::UpstreamConfig;
use memtape::{Config, Options};
use memtape_core::forms::files;
use memtape_core::forms::messages::Message;
use memtape_core::forms::statements::{self, NewStatement, Source, Statement};
use memtape_core::forms::zone::{self, Mode, ZoneView};
use memtape_core::turn::{self, End};
use memtape_core::{
    Category, Context, Decision, Form, Lineage, MAIN, Origin, Point, Scope, Sensitivity, Session,
};
use memtape_index::{Confidential, Question, Reader};
use memtape_store::{Author, Following, Result, Store};
use memtape_tape::{Draft, EntryId};

/// The chat of its turns.
const CHAT: &str = "telegram:7";

/// The commands of an older version on a workspace.
pub struct Older {
    store: Store,
}

impl Older {
    /// Opens the workspace in a directory.
    ///
    /// # Errors
    /// [`memtape_store::Error`] if there is no workspace in the directory, or it cannot be opened.
    pub fn open(dir: &Path, options: Options) -> Result<Self> {
        let Options { clock, salts, config, progress, upstream, .. } = options;
        let options = memtape_store::Options {
            clock,
            salts,
            zone: config.time_zone,
            durability: config.durability,
            lock_wait: config.lock_wait,
            progress,
            session_state: config.wal,
            upstream: upstream.map(|upstream| {
                let UpstreamConfig { freshness, wait } = config.upstream;
                Following { upstream, freshness, wait }
            }),
        };
        Ok(Self::over(Store::open(dir, options)?))
    }

    /// Creates the commands on a store.
    #[must_use]
    pub fn over(store: Store) -> Self {
        Self { store }
    }

    /// Adds the lines that are not there yet to long-term memory.
    ///
    /// # Errors
    /// [`memtape_store::Error`] if the group cannot be written.
    pub fn remember(&self, text: &str) -> Result<Vec<EntryId>> {
        self.save(text, Mode::Append)
    }

    /// Replaces or extends long-term memory.
    ///
    /// # Errors
    /// [`memtape_store::Error`] if the group cannot be written.
    pub fn save(&self, text: &str, mode: Mode) -> Result<Vec<EntryId>> {
        self.write(Session::direct(), Origin::User, |reader, ctx| {
            Ok(zone::ops::save(&zone_view(reader, ctx)?, text, mode, ctx)?.drafts)
        })
    }

    /// Adds a statement as a new one, with the source [`Source::Manual`].
    ///
    /// # Errors
    /// [`memtape_store::Error`] if the group cannot be written.
    pub fn add(&self, text: &str) -> Result<Vec<EntryId>> {
        self.write(Session::direct(), Origin::User, |_, ctx| told(text, Source::Manual, ctx))
    }

    /// Writes a new file.
    ///
    /// # Errors
    /// [`memtape_store::Error`] if the path is invalid or the group cannot be written.
    pub fn file(&self, path: &str, text: &str) -> Result<Vec<EntryId>> {
        let path = files::FilePath::new(path)?;
        self.write(Session::direct(), Origin::User, |_, ctx| {
            Ok(files::ops::write(&files::FilesView::default(), &path, text.as_bytes(), ctx)?.drafts)
        })
    }

    /// Writes a turn: a message, its reply, and the statement that was captured from the message.
    ///
    /// # Errors
    /// [`memtape_store::Error`] if a group cannot be written.
    pub fn turn(&self, message: &str, captured: &str, reply: &str) -> Result<Vec<EntryId>> {
        let chat: Session = CHAT.parse()?;
        let mut entries = self.write(chat.clone(), Origin::User, |_, ctx| {
            let meta = ctx.meta();
            Ok(vec![
                turn::begin(turn::Trigger::Message, &chat, &meta, &ctx.branch)?,
                said("user", message).draft(&meta, &ctx.branch)?,
            ])
        })?;
        let begin = entries.first().copied().unwrap_or_default();
        entries.extend(self.write(chat.clone(), Origin::Assistant, |_, ctx| {
            let meta = ctx.meta();
            let mut drafts = vec![said("assistant", reply).draft(&meta, &ctx.branch)?];
            drafts.extend(told(captured, Source::AutoHeuristic, ctx)?);
            let end = End { begin, ..End::default() };
            drafts.push(turn::end(&end, &chat, &meta, &ctx.branch)?);
            Ok(drafts)
        })?);
        Ok(entries)
    }

    /// Writes a group and returns the ids of its entries.
    fn write(
        &self,
        session: Session,
        origin: Origin,
        decide: impl Fn(&Reader<'_>, &Context) -> memtape_index::Result<Vec<Draft>>,
    ) -> Result<Vec<EntryId>> {
        let author = Author { branch: Some(MAIN.into()), ..Author::new(session, origin) };
        let written = self
            .store
            .write(&author, |reader, ctx| Ok(Decision { drafts: decide(reader, ctx)?, outcome: () }))?;
        Ok(written.entries.iter().map(|entry| entry.id).collect())
    }
}

fn zone_view(reader: &Reader<'_>, ctx: &Context) -> memtape_index::Result<ZoneView> {
    let lineage = Lineage::new(reader.branches()?, &ctx.branch, reader.head());
    let point = Point { lineage, instant: ctx.now };
    let seal = reader.last_anchor(zone::entry::SEAL, &point)?;
    let version = seal.as_ref().and_then(zone::entry::version).unwrap_or_default();
    let question =
        Question { form: Some(Form::ZONE), confidential: Confidential::ToOwner, ..Question::default() };
    Ok(ZoneView::fold(version, reader.memories(&question, &point)?))
}

/// Returns the entries of a new statement.
fn told(text: &str, source: Source, ctx: &Context) -> memtape_index::Result<Vec<Draft>> {
    let statement = Statement { importance: 0.5, source, ..Statement::new(text, Category::Fact, ctx.now) };
    let told = NewStatement {
        statement,
        scope: Scope::Global,
        origin: Origin::User,
        sensitivity: Sensitivity::Normal,
    };
    let none = statements::View::fold(Vec::new());
    let retention = Config::default().retention;
    Ok(statements::ops::record(&none, &[told], &retention, ctx)?.drafts)
}

fn said(role: &str, content: &str) -> Message {
    Message::new(role, content)
}
