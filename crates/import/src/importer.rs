//! The importer: takes the items of a source, and writes them in groups.
//!
//! **Invariants.** A group holds its items and the record of their ids, or neither: an import that was interrupted goes
//! on after the last group. A dry run is the same code on a scratch copy of the workspace. Memory is bounded by one
//! group and a few bytes an item.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use memtape::bulk::{
    BulkWritten, Imports, ItemId, Merged, Record, RecordOutcome, Slots, Unwanted, digest, spoken,
};
use memtape::turn::Said;
use memtape::{At, ErrorKind, Origin, Session, Workspace};

use crate::dates::Dates;
use crate::error::{Error, Result};
use crate::input::Input;
use crate::item::{Content, Item, ItemScope, Lines, Message, Place, Statement, is_digest};
use crate::report::Report;
use crate::route::{Kind, Router, kind};
use crate::sink::Sink;
use crate::source::Source;

/// Maximum number of messages, journal lines and tape entries of a group. They are not undone, so a group need not be
/// large.
const GROUP_MESSAGES: usize = 500;
/// Maximum number of items of a group. A group is one commit, so that one `undo` takes back as much as possible.
const GROUP_ITEMS: usize = 5000;
/// Number of bytes of text from which a group is written.
const GROUP_BYTES: usize = 4 << 20;
/// Why a version of a document is left out.
const NEWER: &str = "a newer version of it is imported";

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
/// - [`Error::Unreadable`] if nothing can be read, for the first reason of that.
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
        // It may be what cannot be read.
        if let Some((file, why)) = input.unread().first() {
            return Err(Error::unreadable(file, why));
        }
        return Err(Error::Nothing {
            path: input.shown().to_owned(),
            source_name: source.name(),
            expected: source.about().reads,
        });
    }
    if settings.dry_run {
        let scratch = workspace.scratch()?;
        let settings = Settings { dry_run: false, ..settings.clone() };
        let report = import(scratch.workspace(), source, input, &settings, progress)?;
        scratch.warn_of_secrets(workspace);
        return Ok(report);
    }
    // What belongs to one folder of the other program is not what belongs to another one.
    let owner = (!source.names_owners()).then(|| input.folder());
    let newest = match source.repeats_documents() {
        true => Newest::read(source, input, owner.as_deref())?,
        false => Newest::default(),
    };
    let mut run = Run {
        workspace,
        source: source.name(),
        owner,
        newest,
        settings,
        branches: HashMap::from([(None, Ok(workspace.bulk(source.name(), &settings.session).known()?))]),
        spoken: HashMap::new(),
        captured: HashSet::new(),
        unwanted: Unwanted::default(),
        dates: Dates::new(input, workspace.now()),
        group: Group::default(),
        report: Report::of(source.name()),
        documents: HashSet::new(),
        input,
        unreadable: None,
        reported: HashSet::new(),
        read: input.counter(),
        bytes: input.bytes_of(&files),
        progress,
    };
    source.read(input, &mut run)?;
    for (file, why) in input.unread() {
        if !run.reported.contains(&file) {
            run.unreadable(Place::file(&file), &why);
        }
    }
    for (item, is_undated) in run.dates.flush(None) {
        run.dated_item(item, is_undated)?;
    }
    run.flush()?;
    match run.unreadable {
        Some(e) if run.report.kinds.is_empty() => Err(e),
        _ => Ok(run.report),
    }
}

/// Returns the identity of an item. `owner` is the folder whose memory it is, unless its id says it.
fn id_of(owner: Option<&str>, item: &Item) -> ItemId {
    let id = match owner {
        Some(folder) if item.content.is_document() => Cow::Owned(format!("{folder}/{}", item.id)),
        _ => Cow::Borrowed(&item.id),
    };
    let version = id.rsplit_once('@').filter(|_| item.content.has_versions());
    ItemId {
        item: digest(&id),
        document: version.map(|(document, _)| digest(document)),
        is_current: version.is_some_and(|(_, version)| is_digest(version)),
    }
}

/// An import that is running.
struct Run<'r> {
    workspace: &'r Workspace,
    source: &'static str,
    /// The folder whose memory it is, unless the ids of the items say it.
    owner: Option<String>,
    newest: Newest,
    settings: &'r Settings,
    /// What each branch knows, or why it cannot be written; `None` is the branch of the import.
    branches: HashMap<Option<String>, Result<Imports, String>>,
    /// The messages of each conversation that were imported before, by what they say: capture may follow an import.
    spoken: HashMap<Session, HashMap<u64, u64>>,
    /// The digests that record the messages to capture from.
    captured: HashSet<u64>,
    unwanted: Unwanted<Option<String>>,
    dates: Dates<'r>,
    group: Group,
    report: Report,
    /// The documents that this import has read a version of.
    documents: HashSet<u64>,
    input: &'r Input,
    /// Why the first thing that cannot be read cannot.
    unreadable: Option<Error>,
    /// The files that the report leaves out as a whole.
    reported: HashSet<String>,
    read: Arc<AtomicU64>,
    bytes: u64,
    progress: &'r mut dyn FnMut(u64, u64),
}

/// The newest version of each document of a source. Of two with dates, that is the one with the later date, and
/// otherwise the one that is read later; one that does not say whose it is counts only if no other does.
#[derive(Default)]
struct Newest {
    owner: Option<String>,
    versions: HashMap<u64, Version>,
}

/// A version of a document.
struct Version {
    item: u64,
    said_at: Option<Timestamp>,
    has_owner: bool,
}

impl Newest {
    fn read(source: &dyn Source, input: &Input, owner: Option<&str>) -> Result<Self> {
        let mut newest = Self { owner: owner.map(str::to_owned), versions: HashMap::new() };
        source.read(input, &mut newest)?;
        // The progress is that of the import itself.
        input.counter().store(0, Ordering::Relaxed);
        Ok(newest)
    }

    /// Returns whether there is a newer version of the document of an item.
    fn has_newer(&self, id: ItemId) -> bool {
        let newest = id.document.filter(|_| id.is_current).and_then(|document| self.versions.get(&document));
        newest.is_some_and(|newest| newest.item != id.item)
    }
}

impl Sink for Newest {
    fn item(&mut self, mut item: Item) -> Result<()> {
        let id = id_of(self.owner.as_deref(), &item);
        let Some(document) = id.document.filter(|_| id.is_current) else { return Ok(()) };
        let has_owner = !matches!(&item.content, Content::Statement(it) if it.scope == ItemScope::Unknown);
        let said_at = item.content.said_at_mut().and_then(|said_at| *said_at);
        let is_older = |newest: &Version| {
            let has_earlier_date = newest.said_at.zip(said_at).is_some_and(|(newest, at)| at < newest);
            newest.has_owner && !has_owner || newest.has_owner == has_owner && has_earlier_date
        };
        if !self.versions.get(&document).is_some_and(is_older) {
            self.versions.insert(document, Version { item: id.item, said_at, has_owner });
        }
        Ok(())
    }

    fn skip_several(&mut self, _: Place, _: u64, _: &str) {}
}

/// The items of the next group.
#[derive(Default)]
struct Group {
    branch: Option<String>,
    records: Vec<Record>,
    ids: Vec<ItemId>,
    items: HashSet<u64>,
    /// The documents of the items: a group has one version of each, since the next one needs to see it.
    documents: HashSet<u64>,
    about: Vec<About>,
    slots: Slots,
    messages: usize,
    /// The messages to capture from, each with its number in the group if it is in it.
    said: Vec<(Option<usize>, u64, Message)>,
    bytes: usize,
}

/// What the report says of an item of a group.
struct About {
    kind: Kind,
    place: Place,
    /// The note that a block became.
    note: Option<String>,
    /// The date of a message or a statement that has none of its own.
    undated: Option<String>,
    /// Whether it is a message that asks not to be kept, or answers one that does.
    is_unwanted: bool,
    /// The numbers of the lines of a text that is merged by lines.
    lines: Vec<u64>,
}

impl Sink for Run<'_> {
    fn item(&mut self, item: Item) -> Result<()> {
        for (item, is_undated) in self.dates.take(item) {
            self.dated_item(item, is_undated)?;
        }
        Ok(())
    }

    fn skip_several(&mut self, place: Place, number: u64, why: &str) {
        if place.number.is_none() && !self.reported.contains(&place.file) {
            self.reported.insert(place.file.clone());
        }
        self.report.left_out.add_several(place, number, why.to_owned());
    }

    fn branch(&mut self, place: Place, name: &str, persona: Option<&str>) -> Result<()> {
        let branch = Some(name.to_owned());
        if self.branches.contains_key(&branch) {
            return Ok(());
        }
        // What stands before the fork must be on the tape.
        self.flush()?;
        let mut known = self.make_branch(name, persona);
        if let Err(why) = &known {
            let mut why = why.clone();
            // It may be the persona that is refused.
            if persona.is_some() {
                known = self.make_branch(name, None);
            }
            if known.is_ok() {
                why.insert_str(0, "its persona: ");
            }
            self.skip(place, &why);
        }
        self.branches.insert(branch, known);
        Ok(())
    }

    fn is_known(&self, id: &str) -> bool {
        let known = self.branches.get(&None).and_then(|known| known.as_ref().ok());
        let document = id.rsplit_once('@').map_or(id, |(document, _)| document);
        known.is_some_and(|known| known.is_here(digest(id)) || known.has_document(digest(document)))
    }

    fn unreadable(&mut self, place: Place, why: &str) {
        // A file that could not be opened looks like one without the expected content.
        let real = if place.number.is_none() { self.input.why_unread(&place.file) } else { None };
        let why = real.as_deref().unwrap_or(why);
        if self.unreadable.is_none() {
            self.unreadable = Some(Error::unreadable(&place.to_string(), why));
        }
        self.skip(place, why);
    }
}

impl Run<'_> {
    /// Takes an item whose date is known, and whether that is not its own.
    fn dated_item(&mut self, item: Item, is_undated: bool) -> Result<()> {
        let (item, note) = self.fitting(item);
        let undated = match &item.content {
            Content::Message(Message { said_at, .. }) | Content::Statement(Statement { said_at, .. })
                if is_undated =>
            {
                Some(said_at.map_or_else(|| "the time of the import".to_owned(), |date| date.to_string()))
            }
            _ => None,
        };
        let (kind, id) = (kind(&item.content), id_of(self.owner.as_deref(), &item));
        if self.newest.has_newer(id) {
            self.left_out(kind, item.place, NEWER.to_owned());
            return Ok(());
        }
        let is_unwanted = self.is_unwanted(&item.content);
        let branch = match &item.content {
            Content::Fact(fact) => fact.branch.clone(),
            _ => None,
        };
        let branched = self.known(&branch)?;
        let is_known = branched.as_ref().is_ok_and(|known| match kind.is_undone() {
            // Every branch shows the others.
            true => known.has(id),
            false => known.is_anywhere(id.item),
        });
        let branched = branched.as_ref().map(|_| ()).map_err(Clone::clone);
        // What is known of a document does not count once this import has another version of it.
        let is_known = is_known && id.document.is_none_or(|document| !self.documents.contains(&document));
        if is_known || self.group.items.contains(&id.item) {
            self.counts(kind).present += item.content.number();
            self.note_said(&item, None);
            return if self.group.said.len() >= GROUP_MESSAGES { self.flush() } else { Ok(()) };
        }
        let place = item.place.clone();
        let session = self.settings.session.clone();
        let router = Router { source: self.source, session: &session, now: self.workspace.now() };
        let record = match branched.and_then(|()| router.record(item.clone())) {
            Ok(Record::Message { item: said, .. }) => Record::Message { item: said, is_unwanted },
            Ok(record) => record,
            Err(why) => {
                self.left_out(kind, place, why);
                return Ok(());
            }
        };
        let slot = record.slot();
        let is_taken = slot.as_ref().is_some_and(|slot| self.group.slots.have(slot))
            || id.document.is_some_and(|document| self.group.documents.contains(&document));
        if is_taken || branch != self.group.branch {
            self.flush()?;
            self.group.branch = branch;
        }
        self.group.items.insert(id.item);
        self.group.documents.extend(id.document);
        self.documents.extend(id.document);
        self.note_said(&item, Some(self.group.records.len()));
        self.group.bytes += item.content.bytes();
        slot.into_iter().for_each(|slot| self.group.slots.add(slot));
        self.group.messages += usize::from(!kind.is_undone());
        self.group.records.push(record);
        self.group.ids.push(id);
        let lines = match &item.content {
            Content::Lines(Lines { lines, .. }) => lines.iter().map(|line| line.number).collect(),
            _ => Vec::new(),
        };
        self.group.about.push(About { kind, place, note, undated, is_unwanted, lines });
        let Group { records, messages, bytes, .. } = &self.group;
        match records.len() >= GROUP_ITEMS || *messages >= GROUP_MESSAGES || *bytes >= GROUP_BYTES {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Returns an item, or a note in its place if it is a block that is too long, and the path of the note.
    fn fitting(&self, mut item: Item) -> (Item, Option<String>) {
        let max_chars = self.workspace.config().blocks.max_chars;
        let Content::Block { name, value, .. } = &item.content else { return (item, None) };
        if value.chars().count() <= max_chars {
            return (item, None);
        }
        let path = format!("facts/{name}.md");
        item.content = Content::Note { path: path.clone(), text: format!("{value}\n") };
        (item, Some(path))
    }

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
        let known = self.branches.get(&None).and_then(|known| known.as_ref().ok());
        if known.is_some_and(|known| known.is_here(captured)) || !self.captured.insert(captured) {
            return;
        }
        if message.said_at.is_none() {
            let why = "no statements are captured from it: its date is not known";
            self.report.left_out.add(item.place.clone(), why.to_owned());
        } else {
            self.group.said.push((number, captured, message.clone()));
        }
    }

    /// Returns whether a message asks not to be kept, or answers one that does.
    fn is_unwanted(&mut self, content: &Content) -> bool {
        let Content::Message(Message { session, role, text, .. }) = content else { return false };
        // A longer one is left out.
        let is_read = text.len() <= self.workspace.config().max_message_bytes;
        self.unwanted.includes(session.clone(), role, if is_read { text } else { "" })
    }

    fn left_out(&mut self, kind: Kind, place: Place, why: String) {
        self.counts(kind).left_out += 1;
        self.report.left_out.add(place, why);
    }

    /// Returns what a branch knows. A branch that an item names is created if it does not exist.
    fn known(&mut self, branch: &Option<String>) -> Result<&Result<Imports, String>> {
        if !self.branches.contains_key(branch) {
            // What stands before the fork must be on the tape.
            self.flush()?;
            let known = self.make_branch(branch.as_deref().unwrap_or_default(), None);
            self.branches.insert(branch.clone(), known);
        }
        Ok(&self.branches[branch])
    }

    fn make_branch(&self, name: &str, persona: Option<&str>) -> Result<Imports, String> {
        let branches = self.workspace.branches().in_session(self.settings.session.clone());
        let branches = branches.writing_as(Origin::Import);
        if branches.current(&At::head()).is_ok_and(|current| current == name) {
            let why = "is the one that is imported into, which has the facts of another branch: import into one of another name";
            return Err(format!("branch {name} {why}"));
        }
        match branches.create(name, persona, &At::head()) {
            Ok(_) => Ok(()),
            Err(e) if e.kind() == ErrorKind::Conflict => Ok(()),
            Err(e) => Err(e.to_string()),
        }?;
        let bulk = self.workspace.bulk(self.source, &self.settings.session);
        bulk.into_branch(Some(name.to_owned())).known().map_err(|e| e.to_string())
    }

    /// Writes the group.
    fn flush(&mut self) -> Result<()> {
        let Group { branch, records, ids, about, said, .. } = std::mem::take(&mut self.group);
        let mut entries = Vec::new();
        if !records.is_empty() {
            let bulk = self.workspace.bulk(self.source, &self.settings.session).into_branch(branch.clone());
            let Some(Ok(known)) = self.branches.get_mut(&branch) else { return Ok(()) };
            let written = bulk.write(&records, &ids, known)?;
            entries.clone_from(&written.entries);
            self.tally(branch.as_ref(), written, about);
        }
        self.group.branch = branch;
        for (number, mark, message) in said {
            self.capture(number.and_then(|number| entries.get(number).copied().flatten()), mark, &message)?;
        }
        (self.progress)(self.read.load(Ordering::Relaxed).min(self.bytes), self.bytes);
        Ok(())
    }

    fn tally(&mut self, branch: Option<&String>, written: BulkWritten, about: Vec<About>) {
        let is_written = |outcome: &RecordOutcome| match outcome {
            RecordOutcome::Present | RecordOutcome::LeftOut(_) => false,
            RecordOutcome::Merged(merged) => merged.added + merged.removed > 0,
            _ => true,
        };
        let mut records = written.outcomes.iter().zip(&written.removed).zip(&about);
        for size in written.groups {
            let is_change = |((outcome, removed), about): ((&_, &usize), &About)| {
                (is_written(outcome) || *removed > 0) && about.kind.is_undone()
            };
            // Each record of the group is taken, also after a change.
            if records.by_ref().take(size).filter(|record| is_change(*record)).count() > 0 {
                *match branch {
                    Some(branch) => self.report.branch_commits.entry(branch.clone()).or_default(),
                    None => &mut self.report.commits,
                } += 1;
            }
        }
        self.report.quarantined += written.quarantined;
        for ((outcome, removed), about) in written.outcomes.into_iter().zip(written.removed).zip(about) {
            let About { kind, place, note, undated, is_unwanted, lines } = about;
            self.counts(kind).removed += removed as u64;
            match outcome {
                RecordOutcome::Added => {
                    self.counts(kind).added += 1;
                    self.report.unwanted += u64::from(is_unwanted);
                    undated.into_iter().for_each(|date| self.report.undated.add(place.clone(), date));
                    note.into_iter().for_each(|path| self.report.beside.add(place.clone(), path));
                }
                RecordOutcome::Present => self.counts(kind).present += lines.len().max(1) as u64,
                RecordOutcome::Beside(path) => {
                    self.counts(kind).added += 1;
                    self.report.beside.add(place, path);
                }
                RecordOutcome::Proposed(block) => {
                    self.counts(kind).added += 1;
                    self.report.proposed.replace(place, block);
                }
                RecordOutcome::LeftOut(why) => self.left_out(kind, place, why),
                RecordOutcome::Merged(Merged { added, removed, left_out, beside }) => {
                    let counts = self.counts(kind);
                    counts.added += added as u64;
                    counts.removed += removed as u64;
                    counts.present += (lines.len() - added - left_out.len()) as u64;
                    beside.into_iter().for_each(|path| self.report.beside.add(place.clone(), path));
                    for (line, why) in left_out {
                        self.left_out(kind, Place::line(&place.file, lines[line]), why);
                    }
                }
            }
        }
    }

    /// Returns the entry of a message that was imported before.
    fn entry_of(&mut self, session: &Session, text: &str, said_at: Timestamp) -> Result<Option<u64>> {
        if !self.spoken.contains_key(session) {
            let bulk = self.workspace.bulk(self.source, session);
            self.spoken.insert(session.clone(), bulk.messages(session)?);
        }
        Ok(self.spoken[session].get(&spoken(text, said_at)).copied())
    }

    /// Captures statements from a message, as its turn would have.
    fn capture(&mut self, entry: Option<u64>, mark: u64, message: &Message) -> Result<()> {
        let Some(said_at) = message.said_at else { return Ok(()) };
        let session = match message.session.as_deref().map(Session::parse) {
            None => self.settings.session.clone(),
            Some(Ok(session)) => session,
            Some(Err(_)) => return Ok(()),
        };
        let entry =
            entry.map_or_else(|| self.entry_of(&session, &message.text, said_at), |entry| Ok(Some(entry)))?;
        let is_own = session == self.settings.session;
        let user = message.user.as_deref();
        let said = Said { text: &message.text, user, said_at, entry, mark: (self.source, mark) };
        match self.workspace.conversation(session).capture_said(&said) {
            Ok(Some(captured)) => {
                self.report.captured += captured.len() as u64;
                // What is captured from the conversation of the import is undone with it.
                *match is_own {
                    true => &mut self.report.commits,
                    false => &mut self.report.capture_commits,
                } += 1;
            }
            Ok(None) => {}
            Err(e) if e.kind() == ErrorKind::Invalid => {}
            Err(e) => return Err(e.into()),
        }
        Ok(())
    }
}
