//! Erasing: text goes from the tape, and with it all that was made from it here.
//!
//! *Writes* `erase.json`, an event `tape.erase`, the history of the files in git, the segments and the mirrors anew; *removes* every index, those kept in
//! the archive too. Where there are mirrors the index is built again for them, else by the next question.
//!
//! **Invariants.** Everything is done under the writer lock, and whoever takes it first finishes what was interrupted.
//! What an erased entry retired stays retired, and a redacted one bears as many memories as before: a number names the
//! same memory afterwards.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::Duration;

use memtape_core::branch::Mark;
use memtape_core::forms::files::entry as files;
use memtape_core::projection::{self, Projection};
use memtape_core::safety::secrets;
use memtape_core::{MemoryId, Meta, Retire};
use memtape_tape::codec;
use memtape_tape::erase::{self, Replaced, ReplacedLine};
use memtape_tape::{Durability, Entry, EntryId, Floor, Intent, RawLine, Seal, Segments, Writer};
use rusqlite::{OptionalExtension as _, params};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::apply::digest;
use crate::author::Author;
use crate::catch_up;
use crate::error::no_index;
use crate::error::{Error, Result};
use crate::generations;
use crate::git;
use crate::git::rewrite::{Cuts, Kept};
use crate::index::State;
use crate::index::{self, Applied, Index};
use crate::mirror;
use crate::notice::Notice;
use crate::reader::Reader;
use crate::store::{Store, lost_note};

/// What stands in the place of something on the tape.
#[derive(Clone, Debug)]
pub enum Replacement {
    /// Of an entry's payload and meta. What its meta retires is kept, whatever is given here.
    Entry {
        /// The entry.
        id: EntryId,
        /// Other JSON objects, or nothing: the entry is erased whole.
        with: Option<(Box<RawValue>, Box<RawValue>)>,
    },
    /// Of a line that is no entry, because it is damaged.
    Line(ReplacedLine),
}

/// What an erasure came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    /// The entry that vouches for what stands there now; `None` where nothing was to be erased.
    pub event: Option<EntryId>,
    /// How many entries lost their text.
    pub entries: usize,
    /// How many damaged lines lost theirs.
    pub lines: usize,
}

impl Store {
    /// Takes texts off the tape, and all that was made from them out of the index. `replace` says what is to stand
    /// there instead; it may be asked twice, where the index shows damage, before anything is changed.
    ///
    /// An error after the first change leaves the erasure to be finished by whoever comes next.
    ///
    /// # Errors
    /// [`Error::NotErasable`], what the medium or SQLite says, or what `replace` does.
    pub fn erase(
        &self,
        author: &Author,
        reason: &str,
        mut replace: impl FnMut(&Reader<'_>) -> Result<Vec<Replacement>>,
    ) -> Result<Erased> {
        let mut alone = self.alone()?;
        let state = &mut alone.state;
        let prepared = match self.prepare(state, author, reason, &mut replace) {
            Err(e) if e.is_index_damage() => {
                self.remove_index(state, &e)?;
                self.prepare(state, author, reason, &mut replace)?
            }
            other => other?,
        };
        let Some((intent, mut writer, applied)) = prepared else { return Ok(Erased::default()) };
        let now = self.now();
        intent.keep(self.storage.as_ref())?;
        let appended = writer.append(intent.drafts()?, now, self.salts().as_mut());
        let groups = match appended {
            Ok(groups) => groups,
            Err(e) => {
                // Nothing of it is on the tape: it is as if it had not been asked for. Where that is not known, or the
                // intent stays, the next command does it.
                if writer.poisoned().is_none() {
                    self.storage.set_intent(None)?;
                }
                return Err(e.into());
            }
        };
        self.rewrite_history(&intent)?;
        intent.rewrite(&self.storage)?;
        let last = groups.last().map_or(applied.position.last_id, |group| group.end.last_id);
        self.forget_derived(state, Some(Applied { known: last, ..applied }))?;
        let Intent { entries, lines, .. } = intent;
        Ok(Erased { event: Some(last), entries: entries.len(), lines: lines.len() })
    }

    /// What is to be done, a writer at the end of the tape, and how far the index has read; `None` where nothing is.
    fn prepare(
        &self,
        state: &mut State,
        author: &Author,
        reason: &str,
        replace: &mut impl FnMut(&Reader<'_>) -> Result<Vec<Replacement>>,
    ) -> Result<Option<(Intent, Writer, Applied)>> {
        let mut segments = Segments::open(&self.storage)?;
        let (tail, applied) = self.catch_up(state, &mut segments, true)?;
        // What is written anew must be on the medium before anything is taken away.
        let (mut writer, recovered) = Writer::new(&self.storage, tail, applied.floor, Durability::Sync)?;
        if let Some(recovered) = recovered {
            self.note(Notice::Recovered(recovered));
            segments = Segments::open(&self.storage)?;
        }
        let date = writer.date(self.now());
        let index = state.index.as_ref().ok_or_else(no_index)?;
        let notices = RefCell::default();
        let reader = self.reader(index, &segments, applied, date, &notices);
        let branch = reader.branch_of_author(author)?;
        let (mut entries, mut lines, mut named) = (Vec::new(), Vec::new(), HashSet::new());
        for replacement in replace(&reader)? {
            match replacement {
                Replacement::Line(line) => lines.push(line),
                Replacement::Entry { id, .. } if !named.insert(id) => {
                    return Err(Error::NotErasable { id, why: "it is named twice" });
                }
                Replacement::Entry { id, with } => entries.extend(replaced(&reader, id, with)?),
            }
        }
        if entries.is_empty() && lines.is_empty() {
            return Ok(None);
        }
        if let Some(note) = lost_note(&applied, writer.tail().next_id, &branch)? {
            writer.append(vec![note], self.now(), self.salts().as_mut())?;
        }
        let intent = Intent {
            after: writer.tail().next_id - 1,
            meta: raw(&json!(self.given(author, branch.clone(), date).meta()))?,
            branch,
            reason: secrets::redact(reason).into_owned(),
            entries,
            lines,
        };
        Ok(Some((intent, writer, applied)))
    }

    /// Goes on with an erasure that was interrupted. Called by the holder of the lock.
    pub(crate) fn finish_erasure(&self, state: &mut State) -> Result<()> {
        let Some(intent) = Intent::of(self.storage.as_ref())? else { return Ok(()) };
        self.rewrite_history(&intent)?;
        let index = state.index.take().filter(Index::is_current);
        let index = index.map_or_else(|| Index::open_read_only(&self.dir).ok(), Some);
        let applied = index.and_then(|index| index.applied().ok());
        let segments = Segments::open(&self.storage)?;
        let same = applied.filter(|applied| catch_up::is_same_tape(applied, &segments));
        let floor = same.map_or_else(Floor::default, |applied| applied.floor);
        let finished = erase::finish(&self.storage, floor, self.now(), self.salts().as_mut())?;
        let Some((intent, recovered)) = finished else { return Ok(()) };
        self.note_all(recovered.map(Notice::Recovered));
        self.forget_derived(state, applied)?;
        self.note(Notice::Erased { entries: intent.entries.len() });
        Ok(())
    }

    /// Takes what is to go out of the history of the files, while the tape still tells which texts these are. The history
    /// is only a mirror: what keeps it is a warning, and the erasure goes on.
    fn rewrite_history(&self, intent: &Intent) -> Result<()> {
        for Kept { at, why } in self.try_rewrite_history(intent)? {
            self.note(Notice::HistoryKeepsErased { at, why });
        }
        Ok(())
    }

    /// Gives what may still hold the texts.
    fn try_rewrite_history(&self, intent: &Intent) -> Result<Vec<Kept>> {
        if !git::is_anywhere(&self.dir) {
            return Ok(Vec::new());
        }
        let mut cuts = Cuts::default();
        let mut workspace = None;
        Segments::open(&self.storage)?.each_line(|line| {
            let Ok(old) = codec::decode(line.bytes) else { return Ok::<_, Error>(()) };
            workspace.get_or_insert_with(|| index::workspace_of(old.hash));
            if let Some(new) = intent.instead_of(&old) {
                cut(&mut cuts, &old, &new);
            }
            Ok(())
        })?;
        let rewritten = git::rewrite::rewrite(&self.dir, &workspace.unwrap_or_default(), &cuts);
        if let Some(at) = rewritten.foreign {
            self.note(Notice::HistoryNotOurs { at });
        }
        if !rewritten.removed.is_empty() {
            self.note(Notice::HistoryRemoved { what: rewritten.removed });
        }
        Ok(rewritten.kept)
    }

    /// Writes the history of the files anew without its secrets, where only it holds some.
    ///
    /// # Errors
    /// [`Error::History`], or that another writer has the lock.
    pub fn redact_history(&self) -> Result<()> {
        let _alone = self.alone()?;
        let nothing = Intent {
            after: 0,
            branch: String::new(),
            meta: raw(&json!({}))?,
            reason: String::new(),
            entries: Vec::new(),
            lines: Vec::new(),
        };
        match self.try_rewrite_history(&nothing)?.into_iter().next() {
            Some(Kept { at, why }) => Err(Error::History { at, why }),
            None => Ok(()),
        }
    }

    /// For a question: goes on with an erasure that was interrupted, if nobody else is at it. Where that cannot be,
    /// this question gets an index in memory, made from the tape as it is; gives whether it does.
    pub(crate) fn finish_erasure_if_free(&self, state: &mut State) -> Result<bool> {
        let finished = match self.storage.intent() {
            Ok(None) => return Ok(false),
            Ok(Some(_)) => match self.storage.lock(Duration::ZERO) {
                Ok(_lock) => self.finish_erasure(state),
                Err(e) => Err(e.into()),
            },
            Err(e) => Err(e.into()),
        };
        let Err(e) = finished else { return Ok(false) };
        let why = match e {
            Error::Tape(memtape_tape::Error::Busy { .. }) => "another process is at it".to_owned(),
            other => other.to_string(),
        };
        let notice = Notice::ErasurePending { why };
        if !self.notices().contains(&notice) {
            self.note(notice);
        }
        state.index = Some(Index::in_memory()?);
        Ok(true)
    }

    /// The last steps: what was made from the text goes, the mirrors are written anew, then the intent goes. What was
    /// known to be acknowledged is told to the index to come; where its bytes stood has changed.
    fn forget_derived(&self, state: &mut State, applied: Option<Applied>) -> Result<()> {
        state.index = None;
        // An open connection would keep the removed file on the disk.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        generations::remove_all(&self.dir)?;
        let has_mirrors = mirror::remove_all(&self.dir)?;
        let before = applied.map(|applied| Applied { floor: Applied::NOTHING.floor, ..applied });
        if let Some(Err(e)) = before.map(|before| self.begin_anew(state, &before)) {
            state.index = None;
            self.note(Notice::IndexLags { why: e.to_string() });
        }
        // Whoever finishes it after a crash finds the folder of mirrors, and writes them.
        if has_mirrors && let Err(e) = self.mirror_anew(state) {
            self.note(Notice::MirrorLags { why: e.to_string() });
        }
        Ok(self.storage.set_intent(None)?)
    }
}

impl Reader<'_> {
    /// Passes every line of the tape to `each`, damaged or not.
    ///
    /// # Errors
    /// What the medium says, or what `each` does.
    pub fn each_line(&self, each: impl FnMut(RawLine<'_>) -> Result<()>) -> Result<()> {
        self.segments.each_line(each)
    }

    /// Whether an entry that was read from a line counts there: what was damaged, or copied, does not.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn is_entry(&self, line: &RawLine<'_>, entry: &Entry) -> Result<bool> {
        let known: Option<i64> = self
            .conn
            .prepare_cached("SELECT digest FROM entries WHERE id = ?1 AND segment = ?2 AND offset = ?3")?
            .query_row(params![entry.id, line.segment, line.offset], |row| row.get(0))
            .optional()?;
        Ok(known == Some(digest(entry)))
    }

    /// The memories that an entry retired, as the index knows.
    fn retired_by_entry(&self, id: EntryId) -> Result<Vec<MemoryId>> {
        let sql = "SELECT id FROM memories WHERE died = ?1 UNION SELECT memory FROM retired WHERE entry = ?1 ORDER BY 1";
        let mut statement = self.conn.prepare(sql)?;
        let numbers = statement.query_map([id], |row| row.get(0))?.collect::<Result<Vec<u64>, _>>()?;
        Ok(numbers.into_iter().map(MemoryId::from_number).collect())
    }
}

/// Adds what goes of the history of the files with an entry.
fn cut(cuts: &mut Cuts, old: &Entry, new: &Entry) {
    if let Some(text) = files::content(old) {
        cuts.text(&text, files::content(new));
    }
    if let Some(path) = files::path(old).filter(|path| files::path(new).as_ref() != Some(path)) {
        cuts.name(path.to_string());
    }
}

/// What stands in the place of an entry; `None` where that stands there already.
fn replaced(
    reader: &Reader<'_>,
    id: EntryId,
    with: Option<(Box<RawValue>, Box<RawValue>)>,
) -> Result<Option<Replaced>> {
    let old = reader.entry(id)?;
    let whole = with.is_none();
    let (payload, meta) = match with {
        None => (raw(&json!({}))?, remaining_meta(reader, &old)?),
        Some((payload, meta)) => (payload, with_retires_of(&old, meta)?),
    };
    if payload.get() == old.payload.get() && meta.get() == old.meta.get() {
        return Ok(None);
    }
    let seal = Seal::Erased(old.digest());
    let new = Entry { payload: payload.clone(), meta: meta.clone(), seal, ..old.clone() };
    check(&old, &new, whole)?;
    Ok(Some(Replaced::new(&old, payload, meta)?))
}

/// That what follows from an entry elsewhere still follows.
fn check(old: &Entry, new: &Entry, whole: bool) -> Result<()> {
    let refuse = |why| Err(Error::NotErasable { id: old.id, why });
    let (before, after) = (projection::project(old), projection::project(new));
    if whole && before.branch.is_some() {
        return refuse("a branch begins or ends there, or a conversation goes on on one");
    }
    if whole && before.commit.as_ref().is_some_and(|commit| !commit.metadata.is_empty()) {
        return refuse("it says what was merged, settled or taken back");
    }
    if erase::vouched(old) != erase::vouched(new) {
        return refuse("it vouches for what stands in other entries");
    }
    let born = |projection: &Projection| projection.creates.iter().map(|birth| birth.id).collect::<Vec<_>>();
    let branch = |projection: &Projection| projection.branch.as_ref().map(Mark::without_text);
    if !whole && (born(&before) != born(&after) || branch(&before) != branch(&after)) {
        return refuse("other memories would be born there, or another branch begin");
    }
    Ok(())
}

/// What is left of an entry's meta where all else goes: what it retired, so that nothing older comes back. A rule that
/// names no conversation holds no text, and stays as it is.
fn remaining_meta(reader: &Reader<'_>, old: &Entry) -> Result<Box<RawValue>> {
    let of_session = |retire: &Retire| matches!(retire, Retire::Rule(rule) if rule.session.is_some());
    let (by_session, mut retires): (Vec<Retire>, Vec<Retire>) =
        Meta::read(old.meta.get()).retires.into_iter().partition(of_session);
    if !by_session.is_empty() {
        let retired = reader.retired_by_entry(old.id)?.into_iter().map(Retire::Memory);
        let new: Vec<Retire> = retired.filter(|retire| !retires.contains(retire)).collect();
        retires.extend(new);
    }
    raw(&json!(Meta { retires, ..Meta::default() }))
}

/// A meta that retires what the old one did.
fn with_retires_of(old: &Entry, meta: Box<RawValue>) -> Result<Box<RawValue>> {
    let fields = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (kept, mut new) = (fields(old.meta.get()).remove("retires"), fields(meta.get()));
    if new.get("retires") == kept.as_ref() {
        return Ok(meta);
    }
    match kept {
        Some(kept) => new.insert("retires".into(), kept),
        None => new.remove("retires"),
    };
    raw(&Value::Object(new))
}

fn raw(value: &Value) -> Result<Box<RawValue>> {
    to_raw_value(value).map_err(|e| memtape_tape::Error::Unwritable(e.to_string()).into())
}
