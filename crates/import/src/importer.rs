//! The importer: takes the items of a source, and writes them in groups.
//!
//! **Invariants.** A group holds its items and the record of their ids, or neither: an import that was interrupted goes
//! on after the last group. A dry run is the same code on a scratch copy of the workspace. Memory is bounded by one
//! group and eight bytes an item.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memtape::bulk::{Became, BulkWritten, Record};
use memtape::turn::Said;
use memtape::{At, ErrorKind, Session, Workspace};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::input::Input;
use crate::item::{Content, Item, Message, Place};
use crate::report::Report;
use crate::route::{Kind, Router, kind};
use crate::sink::Sink;
use crate::source::Source;

/// Maximum number of items of a group.
const GROUP_ITEMS: usize = 500;
/// Number of bytes of text from which a group is written.
const GROUP_BYTES: usize = 4 << 20;

/// How to import.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The conversation of messages that name none.
    pub session: Session,
    /// Whether to capture statements from the messages of people.
    pub capture: bool,
    /// Whether to report what the import would do, without doing it.
    pub dry_run: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { session: Session::direct(), capture: false, dry_run: false }
    }
}

/// Imports everything of a source.
///
/// After each group, `progress` is called with the number of bytes that were read, and the number of bytes to read.
///
/// # Errors
/// - [`Error::Nothing`] if the path holds nothing of the source.
/// - [`Error::Unreadable`] if a file that must be there cannot be read.
/// - [`Error::Memtape`] if the workspace cannot be written. Groups that were written before are kept.
pub fn import(
    workspace: &Workspace,
    source: &dyn Source,
    input: &Input,
    settings: &Settings,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let files = source.files(input)?;
    if files.is_empty() {
        return Err(Error::Nothing {
            path: input.shown().to_owned(),
            source_name: source.name(),
            expected: source.about(),
        });
    }
    if settings.dry_run {
        let scratch = workspace.scratch()?;
        let settings = Settings { dry_run: false, ..settings.clone() };
        return import(scratch.workspace(), source, input, &settings, progress);
    }
    let mut run = Run {
        workspace,
        source: source.name(),
        settings,
        known: workspace.bulk(source.name(), &settings.session).imported()?,
        said: said(workspace, source.name(), &settings.session)?,
        branches: HashMap::new(),
        group: Group::default(),
        report: Report::of(source.name()),
        read: input.counter(),
        bytes: input.bytes_of(&files),
        progress,
    };
    source.read(input, &mut run)?;
    run.flush()?;
    Ok(run.report)
}

/// Returns the digests of what was imported on any branch; none if there is one branch.
fn said(workspace: &Workspace, source: &str, session: &Session) -> Result<HashSet<u64>> {
    let branches = workspace.branches().list(&At::head())?;
    let mut said = HashSet::new();
    let is_one = branches.len() == 1;
    for branch in branches.into_iter().filter(|_| !is_one) {
        said.extend(workspace.bulk(source, session).into_branch(Some(branch.name)).imported()?);
    }
    Ok(said)
}

/// An import that is running.
struct Run<'r> {
    workspace: &'r Workspace,
    source: &'static str,
    settings: &'r Settings,
    /// The digests of the ids that were imported.
    known: HashSet<u64>,
    /// The digests of the ids that were imported on any branch: every branch shows what was said.
    said: HashSet<u64>,
    /// Whether each branch that items name exists.
    branches: HashMap<String, Result<(), String>>,
    group: Group,
    report: Report,
    read: Arc<AtomicU64>,
    bytes: u64,
    progress: &'r mut dyn FnMut(u64, u64),
}

/// The items of the next group.
#[derive(Default)]
struct Group {
    branch: Option<String>,
    records: Vec<Record>,
    digests: Vec<u64>,
    about: Vec<(Kind, Place)>,
    slots: HashSet<String>,
    /// The messages to capture from, each with its number in the group if it is in it.
    said: Vec<(Option<usize>, u64, Message)>,
    bytes: usize,
}

impl Sink for Run<'_> {
    fn item(&mut self, item: Item) -> Result<()> {
        let (kind, id) = (kind(&item.content), digest(&item.id));
        let branch = match &item.content {
            Content::Fact(fact) => fact.branch.clone(),
            _ => None,
        };
        // What is known on a branch is known once the branch is.
        let branched = self.branch(branch.as_deref());
        let is_of_all = matches!(kind.form, "messages" | "journal" | "tape");
        if self.known.contains(&id) || is_of_all && self.said.contains(&id) {
            self.counts(kind).present += 1;
            self.note_said(&item, None);
            return if self.group.said.len() >= GROUP_ITEMS { self.flush() } else { Ok(()) };
        }
        let place = item.place.clone();
        let session = self.settings.session.clone();
        let router = Router { source: self.source, session: &session, now: self.workspace.now() };
        let record = match branched.and_then(|()| router.record(item.clone())) {
            Ok(record) => record,
            Err(why) => {
                self.left_out(kind, place, why);
                return Ok(());
            }
        };
        let slot = record.slot();
        let is_taken = slot.as_ref().is_some_and(|slot| self.group.slots.contains(slot));
        if is_taken || branch != self.group.branch {
            self.flush()?;
            self.group.branch = branch;
        }
        self.known.insert(id);
        self.note_said(&item, Some(self.group.records.len()));
        self.group.bytes += item.content.bytes();
        self.group.slots.extend(slot);
        self.group.records.push(record);
        self.group.digests.push(id);
        self.group.about.push((kind, place));
        match self.group.records.len() >= GROUP_ITEMS || self.group.bytes >= GROUP_BYTES {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn skip(&mut self, place: Place, why: &str) {
        self.report.left_out.add(place, why.to_owned());
    }
}

impl Run<'_> {
    fn counts(&mut self, kind: Kind) -> &mut crate::report::Counts {
        self.report.kinds.entry(kind).or_default()
    }

    /// Notes a message to capture from, with its number in the group.
    fn note_said(&mut self, item: &Item, number: Option<usize>) {
        let Content::Message(message) = &item.content else { return };
        if !self.settings.capture || message.role != "user" {
            return;
        }
        let captured = digest(&format!("{}\0captured", item.id));
        if self.known.insert(captured) {
            self.group.said.push((number, captured, message.clone()));
        }
    }

    fn left_out(&mut self, kind: Kind, place: Place, why: String) {
        self.counts(kind).left_out += 1;
        self.report.left_out.add(place, why);
    }

    /// Creates a branch that an item names, if it does not exist. What was imported on it before is known from then on.
    fn branch(&mut self, name: Option<&str>) -> Result<(), String> {
        let Some(name) = name else { return Ok(()) };
        if let Some(known) = self.branches.get(name) {
            return known.clone();
        }
        // What stands before the fork must be on the tape.
        let made = self.flush().map_err(|e| e.to_string()).and_then(|()| self.make_branch(name));
        self.branches.insert(name.to_owned(), made.clone());
        made
    }

    fn make_branch(&mut self, name: &str) -> Result<(), String> {
        match self.workspace.branches().create(name, None, &At::head()) {
            Ok(_) => Ok(()),
            Err(e) if e.kind() == ErrorKind::Conflict => Ok(()),
            Err(e) => Err(e.to_string()),
        }?;
        let bulk = self.workspace.bulk(self.source, &self.settings.session);
        self.known.extend(bulk.into_branch(Some(name.to_owned())).imported().map_err(|e| e.to_string())?);
        Ok(())
    }

    /// Writes the group.
    fn flush(&mut self) -> Result<()> {
        let Group { branch, records, digests, about, said, .. } = std::mem::take(&mut self.group);
        let mut entries = Vec::new();
        if !records.is_empty() {
            let bulk = self.workspace.bulk(self.source, &self.settings.session).into_branch(branch.clone());
            let written = bulk.write(&records, &digests)?;
            entries.clone_from(&written.entries);
            self.tally(written, about, &digests);
        }
        self.group.branch = branch;
        for (number, mark, message) in said {
            self.capture(number.and_then(|number| entries.get(number).copied().flatten()), mark, &message)?;
        }
        (self.progress)(self.read.load(Ordering::Relaxed).min(self.bytes), self.bytes);
        Ok(())
    }

    fn tally(&mut self, written: BulkWritten, about: Vec<(Kind, Place)>, digests: &[u64]) {
        self.report.quarantined += written.quarantined;
        for (n, (became, (kind, place))) in written.became.into_iter().zip(about).enumerate() {
            match became {
                Became::Added => self.counts(kind).added += 1,
                Became::Present => self.counts(kind).present += 1,
                Became::Beside(path) => {
                    self.counts(kind).added += 1;
                    self.report.beside.add(place, path);
                }
                Became::Proposed => {
                    self.counts(kind).added += 1;
                    self.report.proposed.add(place, "memtape block approve".to_owned());
                }
                Became::LeftOut(why) => {
                    self.known.remove(&digests[n]);
                    self.left_out(kind, place, why);
                }
            }
        }
    }

    /// Captures statements from a message, as its turn would have.
    fn capture(&mut self, entry: Option<u64>, mark: u64, message: &Message) -> Result<()> {
        let Some(said_at) = message.said_at else { return Ok(()) };
        let session = match message.session.as_deref().map(Session::parse) {
            None => self.settings.session.clone(),
            Some(Ok(session)) => session,
            Some(Err(_)) => return Ok(()),
        };
        let user = message.user.as_deref();
        let said = Said { text: &message.text, user, said_at, entry, mark: (self.source, mark) };
        match self.workspace.conversation(session).capture_said(&said) {
            Ok(captured) => self.report.captured += captured.len() as u64,
            Err(e) if e.kind() == ErrorKind::Invalid => {}
            Err(e) => return Err(e.into()),
        }
        Ok(())
    }
}

/// Returns the digest of an id: 64 bits of SHA-256, as the tape records it.
fn digest(id: &str) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(Sha256::digest(id));
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}
