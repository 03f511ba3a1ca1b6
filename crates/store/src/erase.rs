//! Erasure: removes text from the tape, and everything that was derived from it in this workspace.
//!
//! An erasure writes `erase.json` and an event `tape.erase`, and rewrites the git history of the files, the
//! segments and the mirrors. It removes every index, including those kept in the archive. If there are
//! mirrors, the index is rebuilt for them at once; otherwise the next query rebuilds it.
//!
//! **Invariants.** Everything happens under the writer lock, and the next holder of the lock finishes an
//! interrupted erasure first. What an erased entry removed stays removed. A redacted entry creates as many
//! memories as before, so a memory id names the same memory afterwards.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::Duration;

use memtape_core::branch::Mark;
use memtape_core::forms::files::entry as files;
use memtape_core::projection::{self, Projection};
use memtape_core::safety::secrets;
use memtape_core::{Meta, Retire};
use memtape_index::index::{self, Applied, Index};
use memtape_index::{Reader, generations};
use memtape_tape::codec;
use memtape_tape::erase::{self, Replaced, ReplacedLine};
use memtape_tape::{Durability, Encoder, Entry, EntryId, Floor, Intent, Seal, Segments, Writer};
use memtape_upstream::Replica;
use memtape_worktree::git;
use memtape_worktree::git::rewrite::{Cuts, Kept};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use crate::author::Author;
use crate::catch_up;
use crate::error::{Error, Result};
use crate::mirror;
use crate::state::State;
use crate::store::Store;
use crate::warning::Warning;
use crate::write_guard::{ATTEMPTS_MAX, lost_note};

/// A replacement for a part of the tape.
#[derive(Clone, Debug)]
pub enum Replacement {
    /// Replaces the payload and meta of an entry. The `retires` field of its meta is kept, whatever the new
    /// meta contains.
    Entry {
        /// The entry.
        id: EntryId,
        /// The new payload and meta, both JSON objects; `None` erases the whole entry.
        with: Option<(Box<RawValue>, Box<RawValue>)>,
    },
    /// Replaces a damaged line, which is no entry.
    Line(ReplacedLine),
}

/// The result of an erasure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    /// The last event of the erasure, which records the digests of the replacements; `None` if there was
    /// nothing to erase.
    pub event: Option<EntryId>,
    /// The number of entries whose text was removed.
    pub entries: usize,
    /// The number of damaged lines whose text was removed.
    pub lines: usize,
}

impl Store {
    /// Erases texts from the tape, and everything derived from them from the index.
    ///
    /// `replace` returns the replacements. It may be called any number of times before anything is changed: if the index
    /// proves damaged, or another machine was faster. So it must have no effects. After an error that follows the first change, the next holder of the writer lock
    /// finishes the erasure.
    ///
    /// # Errors
    /// [`Error::NotErasable`] if an entry is named twice, or if other entries depend on what would be erased;
    /// [`memtape_index::Error::NoEntry`] if an entry does not exist; the errors of [`Store::write_guard`] and
    /// of `replace`; [`Error::Tape`] if the disk fails; [`Error::Index`] or [`Error::Worktree`] if an index or
    /// a mirror cannot be read or removed.
    pub fn erase(
        &self,
        author: &Author,
        reason: &str,
        mut replace: impl FnMut(&Reader<'_>) -> memtape_index::Result<Vec<Replacement>>,
    ) -> Result<Erased> {
        let mut write_guard = self.write_guard()?;
        let state = &mut write_guard.state;
        if let Some(replica) = &self.replica {
            self.follow(state)?;
            return self.erase_upstream(state, replica, author, reason, &mut replace);
        }
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
                // Nothing of the erasure is on the tape: it is discarded. If the state of the tape is
                // unknown, or the intent cannot be removed, the next command carries the erasure out.
                if self.check_poison().is_ok() {
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

    /// Erases texts from the upstream, and then, as on every other machine, from the replica.
    fn erase_upstream(
        &self,
        state: &mut State,
        replica: &Replica,
        author: &Author,
        reason: &str,
        replace: &mut impl FnMut(&Reader<'_>) -> memtape_index::Result<Vec<Replacement>>,
    ) -> Result<Erased> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let prepared = match self.prepare(state, author, reason, replace) {
                Err(e) if attempt == 1 && e.is_index_damage() => {
                    self.remove_index(state, &e)?;
                    continue;
                }
                other => other?,
            };
            let Some((intent, writer, _)) = prepared else { return Ok(Erased::default()) };
            let mut erased = Vec::new();
            Segments::open(&self.storage)?.each_line(|line| {
                if let Ok(old) = codec::decode(line.bytes)
                    && let Some(new) = intent.instead_of(&old)
                {
                    codec::encode(&new, &mut erased);
                }
                Ok::<_, Error>(())
            })?;
            let (mut encoder, mut lines) = (Encoder::after(writer.tail().end), Vec::new());
            encoder.set_date(self.now());
            let group = encoder.encode_group(intent.drafts()?, self.salts().as_mut(), &mut lines)?;
            if !intent.lines.is_empty() {
                // Damaged lines are in the replica only.
                Intent { entries: Vec::new(), ..intent.clone() }.keep(self.storage.as_ref())?;
            }
            match replica.erase(&lines, &erased) {
                Err(memtape_tape::Error::Moved) if attempt < ATTEMPTS_MAX => {
                    self.follow(state)?;
                }
                Err(e) => return Err(e.into()),
                Ok(followed) => {
                    self.note_followed(followed);
                    self.finish_erasure(state)?;
                    let Intent { entries, lines, .. } = intent;
                    let event = Some(group.end.last_id);
                    return Ok(Erased { event, entries: entries.len(), lines: lines.len() });
                }
            }
        }
    }

    /// Returns the intent, a writer at the end of the tape, and how far the index has read; `None` if there
    /// is nothing to erase.
    fn prepare(
        &self,
        state: &mut State,
        author: &Author,
        reason: &str,
        replace: &mut impl FnMut(&Reader<'_>) -> memtape_index::Result<Vec<Replacement>>,
    ) -> Result<Option<(Intent, Writer, Applied)>> {
        let mut segments = Segments::open(&self.storage)?;
        let (tail, applied) = self.catch_up(state, &mut segments, true)?;
        // What is rewritten must be on the disk before anything is removed.
        let (mut writer, recovered) = Writer::new(&self.storage, tail, applied.floor, Durability::Sync)?;
        if let Some(recovered) = recovered {
            self.note(Warning::Recovered(recovered));
            segments = Segments::open(&self.storage)?;
        }
        let date = writer.date(self.now());
        let index = state.index()?;
        let unreadable = RefCell::default();
        let reader = self.reader(index, &segments, applied, date, &unreadable);
        let branch = author.writable_branch(&reader)?;
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

    /// Finishes an interrupted erasure. The caller holds the lock.
    pub(crate) fn finish_erasure(&self, state: &mut State) -> Result<()> {
        let Some(intent) = Intent::of(self.storage.as_ref())? else { return Ok(()) };
        self.check_attached()?;
        self.rewrite_history(&intent)?;
        if self.replica.is_some() {
            // The events come from the upstream.
            intent.rewrite(&self.storage)?;
            let applied = self.applied(state);
            return self.forget_derived(state, applied);
        }
        let applied = self.applied(state);
        let segments = Segments::open(&self.storage)?;
        let same = applied.filter(|applied| catch_up::is_same_tape(applied, &segments));
        let floor = same.map_or_else(Floor::default, |applied| applied.floor);
        let finished = erase::finish(&self.storage, floor, self.now(), self.salts().as_mut())?;
        let Some((intent, recovered)) = finished else { return Ok(()) };
        self.note_all(recovered.map(Warning::Recovered));
        self.forget_derived(state, applied)?;
        self.note(Warning::Erased { entries: intent.entries.len() });
        Ok(())
    }

    /// Returns how far the index has read, and closes it; `None` if it cannot be read.
    fn applied(&self, state: &mut State) -> Option<Applied> {
        let index = state.take_index().filter(Index::is_current);
        let index = index.map_or_else(|| Index::open_read_only(&self.dir).ok(), Some);
        index.and_then(|index| index.applied().ok())
    }

    /// Removes the erased texts from the git history of the files, while the tape still contains them. The
    /// history is only a mirror: a part that cannot be rewritten causes a warning, and the erasure continues.
    fn rewrite_history(&self, intent: &Intent) -> Result<()> {
        for Kept { at, why } in self.try_rewrite_history(intent)? {
            self.note(Warning::HistoryKeepsErased { at, why });
        }
        Ok(())
    }

    /// Returns what may still contain the texts.
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
            self.note(Warning::HistoryNotOurs { at });
        }
        if !rewritten.removed.is_empty() {
            self.note(Warning::HistoryRemoved { what: rewritten.removed });
        }
        Ok(rewritten.kept)
    }

    /// Rewrites the git history of the files without its secrets. Used if only the history contains any.
    ///
    /// # Errors
    /// [`Error::History`] if a repository cannot be rewritten; the errors of [`Store::write_guard`].
    pub fn redact_history(&self) -> Result<()> {
        let _write_guard = self.write_guard()?;
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

    /// Finishes an interrupted erasure before a query, unless another process holds the lock.
    ///
    /// If that is not possible, the query gets an index in memory, which is built from the tape as it is.
    /// Returns whether it does.
    pub(crate) fn finish_erasure_if_free(&self, state: &mut State) -> Result<bool> {
        let finished = match self.storage.intent() {
            Ok(None) => return Ok(false),
            // A replica never answers with what another machine has erased.
            Ok(Some(_)) if self.replica.is_some() => {
                let _lock = self.storage.lock(self.lock_wait)?;
                return self.finish_erasure(state).map(|()| false);
            }
            Ok(Some(_)) => match self.storage.lock(Duration::ZERO) {
                Ok(_lock) => self.finish_erasure(state),
                Err(e) => Err(e.into()),
            },
            Err(e) => Err(e.into()),
        };
        let Err(e) = finished else { return Ok(false) };
        let warning = match e {
            Error::Tape(memtape_tape::Error::Busy { .. }) => Warning::ErasureRunning,
            other => Warning::ErasurePending { why: other.to_string() },
        };
        if !self.warnings().contains(&warning) {
            self.note(warning);
        }
        *state = State::of(Some(Index::in_memory()?));
        Ok(true)
    }

    /// Runs the last steps: removes what was derived from the text, rewrites the mirrors, then removes the
    /// intent. The new index takes over which entries were acknowledged, but not their byte offsets, which
    /// have changed.
    fn forget_derived(&self, state: &mut State, applied: Option<Applied>) -> Result<()> {
        *state = State::default();
        // An open connection would keep the removed file on the disk.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        generations::remove_all(&self.dir)?;
        let has_mirrors = mirror::remove_all(&self.dir)?;
        let before = applied.map(|applied| Applied { floor: Applied::NOTHING.floor, ..applied });
        if let Some(Err(e)) = before.map(|before| self.begin_anew(state, &before)) {
            *state = State::default();
            self.note(Warning::IndexLags { why: e.to_string() });
        }
        // After a crash, whoever finishes the erasure finds the folder of mirrors, and rewrites them.
        if has_mirrors && let Err(e) = self.mirror_anew(state) {
            self.note(Warning::MirrorLags { why: e.to_string() });
        }
        Ok(self.storage.set_intent(None)?)
    }
}

/// Adds what must be removed from the git history together with an entry.
fn cut(cuts: &mut Cuts, old: &Entry, new: &Entry) {
    if let Some(text) = files::content(old) {
        cuts.text(&text, files::content(new));
    }
    if let Some(path) = files::path(old).filter(|path| files::path(new).as_ref() != Some(path)) {
        cuts.name(path.to_string());
    }
}

/// Returns the replacement of an entry; `None` if the entry already has that content.
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
    let new = with_text(&old, payload.clone(), meta.clone());
    check(&old, &new, whole)?;
    Ok(Some(Replaced::new(&old, payload, meta)?))
}

/// Returns an entry without its text, as its line is after a complete erasure; `None` if other entries depend on
/// what it states.
///
/// # Errors
/// [`Error::Index`] if the index cannot be read.
pub fn without_text(reader: &Reader<'_>, entry: &Entry) -> Result<Option<Entry>> {
    let bare = with_text(entry, raw(&json!({}))?, remaining_meta(reader, entry)?);
    Ok(check(entry, &bare, true).is_ok().then_some(bare))
}

/// Returns an entry with another payload and meta in place of its text, which is lost.
#[must_use]
pub fn with_text(entry: &Entry, payload: Box<RawValue>, meta: Box<RawValue>) -> Entry {
    Entry { payload, meta, seal: Seal::Erased(entry.digest()), ..entry.clone() }
}

/// Checks that nothing elsewhere that depends on the entry would change.
fn check(old: &Entry, new: &Entry, whole: bool) -> Result<()> {
    let refuse = |why| Err(Error::NotErasable { id: old.id, why });
    let (before, after) = (projection::project(old), projection::project(new));
    if whole && before.branch.is_some() {
        return refuse("it creates or deletes a branch, or moves a conversation to one");
    }
    if whole && before.commit.as_ref().is_some_and(|commit| !commit.metadata.is_empty()) {
        return refuse("it records a merge, the resolution of a conflict or an undo");
    }
    if erase::erasure_records(old) != erase::erasure_records(new) {
        return refuse("it records the digests of erased entries");
    }
    let created =
        |projection: &Projection| projection.creates.iter().map(|created| created.id).collect::<Vec<_>>();
    let branch = |projection: &Projection| projection.branch.as_ref().map(Mark::without_text);
    if !whole && (created(&before) != created(&after) || branch(&before) != branch(&after)) {
        return refuse("the replacement would create other memories or another branch");
    }
    Ok(())
}

/// Returns the meta of a fully erased entry: only what it removed, so that nothing older returns. A rule that
/// names no conversation contains no text, and is kept as it is.
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

/// Returns a meta with the `retires` field of the old entry.
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
