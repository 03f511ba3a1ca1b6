//! Writes notes, files and blocks: in the place of an earlier version of the same document, or beside what exists.

use memtape_core::forms::blocks::ops::{self as blocks, Asked};
use memtape_core::forms::blocks::view::{Block, Proposal, Slot};
use memtape_core::forms::blocks::{BlockLayer, BlockName, Limits as BlockLimits, Outcome as BlockOutcome};
use memtape_core::forms::files::{self, FilePath};
use memtape_core::forms::notes::{self, NotePath};
use memtape_core::lineage::Lineage;
use memtape_core::safety::injection;
use memtape_core::{Audience, Context, Form, Memory, Meta, Origin, Point, payload};
use memtape_index::Reader;
use memtape_tape::{Draft, Entry};
use serde_json::Value;

use super::{Group, RecordOutcome, quarantined};
use crate::working_copy::notes::view_for;

/// Number of names that a document may have.
const NAMES: usize = 9;

/// What is under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// Nothing.
    Nothing,
    /// The same text, and whether an import wrote it.
    Same { is_imported: bool },
    /// Another text, and whether an import wrote it.
    Other { is_imported: bool },
}

/// Where a version of a document goes.
enum Target {
    /// To a name, in the place of what is there.
    To(String),
    /// Nowhere, and what becomes of it.
    Nowhere(RecordOutcome),
    /// Nowhere, because every name is taken.
    AllTaken,
}

/// Where the last version of a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Last {
    Note(String),
    File(String),
    Block(String),
}

impl Last {
    fn form(&self) -> Form {
        match self {
            Self::Note(_) => Form::NOTES,
            Self::File(_) => Form::FILES,
            Self::Block(_) => Form::BLOCKS,
        }
    }

    fn name(&self) -> &str {
        let (Self::Note(name) | Self::File(name) | Self::Block(name)) = self;
        name
    }
}

/// What happened since to the last version of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Since {
    /// Nothing.
    Unchanged,
    /// Somebody changed it, or another import added to it.
    Changed,
    /// Somebody removed it.
    Removed,
}

impl Since {
    fn of<T: PartialEq>(then: Option<T>, now: Option<T>) -> Self {
        match (then, now) {
            (None, _) => Self::Changed,
            (Some(_), None) => Self::Removed,
            (Some(then), Some(now)) if then == now => Self::Unchanged,
            _ => Self::Changed,
        }
    }
}

impl Group<'_> {
    pub(super) fn note(
        &mut self,
        n: usize,
        path: &str,
        text: &str,
        place: &str,
    ) -> memtape_index::Result<RecordOutcome> {
        let folders = &self.bulk.workspace.config.notes.folders;
        let limit = notes::Limits::default().file;
        if text.len() > limit {
            return Ok(RecordOutcome::LeftOut(format!(
                "it is longer than {limit} bytes, the limit of a note"
            )));
        }
        let text = self.bulk.workspace.clean(text);
        let ctx = self.because(place);
        let (reader, mut whole) = (self.reader, None);
        let names = self.paths(path);
        let goes = self.choose(n, Form::NOTES, &names, |path| {
            let parsed = NotePath::new(path, folders)?;
            let view = view_for(reader, &parsed, &ctx, &mut whole)?;
            let Some(file) = view.get(&parsed) else {
                // Two names that differ only in case are one on some systems.
                let is_taken = view.in_the_way(&parsed).is_some();
                return Ok(if is_taken { Held::Other { is_imported: false } } else { Held::Nothing });
            };
            let is_imported = file.sections.iter().all(|section| section.origin == Some(Origin::Import));
            Ok(match file.bytes() == text.as_bytes() {
                true => Held::Same { is_imported },
                false => Held::Other { is_imported },
            })
        })?;
        let path = match goes {
            Target::To(path) => path,
            Target::Nowhere(outcome) => return Ok(outcome),
            Target::AllTaken => return Ok(taken("note", &names)),
        };
        let parsed = NotePath::new(&path, folders)?;
        let view = view_for(reader, &parsed, &ctx, &mut whole)?;
        self.placed(n, notes::ops::edit(&view, &parsed, text.as_bytes(), &ctx)?.drafts);
        self.remove_other_form(n, &ctx)?;
        Ok(outcome_under(path, &names))
    }

    pub(super) fn file(
        &mut self,
        n: usize,
        path: &str,
        text: &str,
        place: &str,
    ) -> memtape_index::Result<RecordOutcome> {
        let limit = files::FILE_BYTES_MAX;
        if text.len() > limit {
            return Ok(RecordOutcome::LeftOut(format!(
                "it is longer than {limit} bytes, the limit of a file"
            )));
        }
        let text = self.bulk.workspace.clean(text);
        let ctx = self.because(place);
        let (reader, point) = (self.reader, self.point);
        let names = self.paths(path);
        let goes = self.choose(n, Form::FILES, &names, |path| {
            let parsed = FilePath::new(path)?;
            let view = reader.file(&parsed, &Audience::owner(), point)?;
            let Some(file) = view.get(&parsed) else {
                // Another name for a file does not help if its folder is in the way.
                let other = view.in_the_way(&parsed).map(|other| other.as_str().to_lowercase());
                let is_taken = other.is_some_and(|other| other == path.to_lowercase());
                return Ok(if is_taken { Held::Other { is_imported: false } } else { Held::Nothing });
            };
            let is_imported = file.origin == Some(Origin::Import);
            Ok(match file.bytes == text.as_bytes() {
                true => Held::Same { is_imported },
                false => Held::Other { is_imported },
            })
        })?;
        let path = match goes {
            Target::To(path) => path,
            Target::Nowhere(outcome) => return Ok(outcome),
            Target::AllTaken => return Ok(taken("file", &names)),
        };
        let parsed = FilePath::new(&path)?;
        let view = reader.file(&parsed, &Audience::owner(), point)?;
        self.placed(n, files::ops::edit(&view, &parsed, text.as_bytes(), &ctx)?.drafts);
        Ok(outcome_under(path, &names))
    }

    pub(super) fn block(
        &mut self,
        n: usize,
        name: &str,
        value: &str,
        layer: Option<BlockLayer>,
        place: &str,
    ) -> memtape_index::Result<RecordOutcome> {
        let value = self.bulk.workspace.clean(value);
        let (reader, point) = (self.reader, self.point);
        let names = self.beside(BlockName::new(name)?.as_str(), "");
        if let Some((Last::Block(name), Since::Unchanged)) = self.last(n)? {
            let slot = reader.block_slot(&BlockName::new(&name)?, point)?;
            let is_back = slot.current.as_ref().is_some_and(|block| block.memory.text == *value);
            // The program returned to the approved version before the next one was approved.
            let is_imported =
                |proposal: &&Proposal| proposal.memory.origin == Some(Origin::Import) && is_back;
            if let Some(proposal) = slot.proposal.as_ref().filter(is_imported) {
                self.placed(n, blocks::withdraw(&slot, proposal, &self.because(place))?.drafts);
                return Ok(RecordOutcome::Added);
            }
        }
        let held = |name: &str| held_block(reader, name, point, &value);
        let goes = self.choose(n, Form::BLOCKS, &names, held)?;
        let name = match goes {
            Target::To(name) => name,
            Target::Nowhere(outcome) => return Ok(outcome),
            Target::AllTaken => return Ok(taken("block", &names)),
        };
        let slot = reader.block_slot(&BlockName::new(&name)?, point)?;
        // A name keeps its layer.
        let layer = layer.filter(|_| slot.layer().is_none());
        let limits = BlockLimits { chars_max: self.bulk.workspace.config.blocks.max_chars };
        let asked = Asked { value: &value, layer, restores: None };
        let ctx = self.because(place);
        let decided = blocks::set(&slot, asked, limits, &ctx)?;
        let drafts = decided.drafts.into_iter();
        let drafts: memtape_index::Result<_> =
            drafts.map(|draft| quarantined(draft, injection::is_suspicious(&value))).collect();
        self.placed(n, drafts?);
        self.remove_other_form(n, &ctx)?;
        Ok(match decided.outcome {
            BlockOutcome::Waits => RecordOutcome::Proposed(name),
            BlockOutcome::Set(_) => outcome_under(name, &names),
            BlockOutcome::Unchanged => RecordOutcome::Present,
        })
    }

    /// Returns where a version of a document goes: where an earlier version of the same document is, unless somebody
    /// changed it there; otherwise to the first name that is free. If somebody removed the document, it goes nowhere.
    fn choose(
        &mut self,
        n: usize,
        form: Form,
        names: &[String],
        mut held: impl FnMut(&str) -> memtape_index::Result<Held>,
    ) -> memtape_index::Result<Target> {
        if let Some((last, since)) = self.last(n)? {
            let name = last.name();
            match since {
                Since::Removed => {
                    let why = format!("{name}, which an earlier version became, was removed here");
                    return Ok(Target::Nowhere(RecordOutcome::LeftOut(why)));
                }
                // Somebody may have made the same change here.
                _ if last.form() == form && matches!(held(name)?, Held::Same { .. }) => {
                    self.unrecorded.insert(n);
                    return Ok(Target::Nowhere(RecordOutcome::Present));
                }
                Since::Unchanged if last.form() == form => return Ok(Target::To(name.to_owned())),
                Since::Unchanged | Since::Changed => {}
            }
        }
        // Every prompt shows every block, so nothing is added beside what a person or an agent set.
        if form == Form::BLOCKS && held(&names[0])? == (Held::Other { is_imported: false }) {
            return Ok(Target::AllTaken);
        }
        for name in names {
            match held(name)? {
                Held::Nothing => return Ok(Target::To(name.clone())),
                Held::Same { is_imported } => {
                    if is_imported {
                        // The other document may get another text, and then this one is no longer there.
                        self.unrecorded.insert(n);
                    }
                    return Ok(Target::Nowhere(RecordOutcome::Present));
                }
                Held::Other { .. } => {}
            }
        }
        Ok(Target::AllTaken)
    }

    /// Returns where the last version of the document of a record is, and what happened to it since; `None` if none was
    /// imported on this branch.
    fn last(&self, n: usize) -> memtape_index::Result<Option<(Last, Since)>> {
        let version = self.ids[n].document.and_then(|document| self.known.version(document));
        let Some((recorded, written)) = version.and_then(|last| Some((last.recorded, last.written?))) else {
            return Ok(None);
        };
        let entry = self.reader.entry(written)?;
        let Some(last) = place_of(&entry) else { return Ok(None) };
        // What the import left is what was there at the end of its group, on its branch.
        let branch = self.reader.branch_called(&entry.branch, recorded)?;
        let lineage = Lineage::new(self.reader.branches()?, &branch, recorded);
        let then = Point { lineage, instant: self.point.instant };
        let since = match &last {
            Last::Note(path) => {
                let Some(path) = NotePath::of_file(path) else { return Ok(None) };
                let [then, now] = [&then, self.point].map(|point| {
                    let view = self.reader.note_file(&path, &Audience::owner(), point)?;
                    Ok::<_, memtape_index::Error>(view.get(&path).map(notes::File::bytes))
                });
                Since::of(then?, now?)
            }
            Last::File(path) => {
                let path = FilePath::new(path)?;
                let [then, now] = [&then, self.point].map(|point| self.reader.file_bytes(&path, point));
                Since::of(then?, now?)
            }
            Last::Block(name) => {
                let name = BlockName::new(name)?;
                let [then, now] = [&then, self.point].map(|point| self.reader.block_slot(&name, point));
                since_block(&then?, &now?)
            }
        };
        Ok(Some((last, since)))
    }

    /// Removes the last version of a document if it has another form: a block that is too long becomes a note, and a note
    /// that is short again a block.
    fn remove_other_form(&mut self, n: usize, ctx: &Context) -> memtape_index::Result<()> {
        let Some((last, Since::Unchanged)) = self.last(n)? else { return Ok(()) };
        let place = self.places[n].and_then(|place| self.drafts.get(place)).and_then(place_of_draft);
        match (&last, place) {
            (Last::Note(path), Some(Last::Block(_))) => {
                let path = NotePath::new(path, &self.bulk.workspace.config.notes.folders)?;
                let view = self.reader.note_file(&path, &Audience::owner(), self.point)?;
                self.drafts.extend(notes::ops::delete(&view, &path, ctx)?.drafts);
            }
            (Last::Block(name), Some(Last::Note(_))) => {
                let slot = self.reader.block_slot(&BlockName::new(name)?, self.point)?;
                // The identity of the agent is its owner's.
                if slot.current.is_some() && slot.layer() != Some(BlockLayer::Identity) {
                    self.drafts.extend(blocks::forget(&slot, ctx)?.drafts);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the drafts of a version of a document.
    fn placed(&mut self, n: usize, drafts: Vec<Draft>) {
        self.places[n] = (!drafts.is_empty()).then_some(self.drafts.len());
        self.drafts.extend(drafts);
    }

    /// Returns the paths that a document may have: `user.md`, `user-pegasus.md`, `user-pegasus-2.md`.
    fn paths(&self, path: &str) -> Vec<String> {
        let (stem, ending) = path.rsplit_once('.').unwrap_or((path, "md"));
        self.beside(stem, &format!(".{ending}"))
    }

    fn beside(&self, stem: &str, ending: &str) -> Vec<String> {
        let source = self.bulk.source;
        let numbered = (2..NAMES).map(|number| format!("{stem}-{source}-{number}{ending}"));
        [format!("{stem}{ending}"), format!("{stem}-{source}{ending}")].into_iter().chain(numbered).collect()
    }
}

/// Returns what becomes of a document that no name is left for.
fn taken(what: &str, names: &[String]) -> RecordOutcome {
    let has = if what == "block" { "value" } else { "text" };
    RecordOutcome::LeftOut(format!("{what} {} has another {has} here", names[0]))
}

/// Returns what became of a document that was written under a name.
fn outcome_under(name: String, names: &[String]) -> RecordOutcome {
    if name == names[0] { RecordOutcome::Added } else { RecordOutcome::Beside(name) }
}

/// Returns what is under the name of a block. A version that waits for approval counts as one, and an approved one as
/// its author's.
fn held_block(reader: &Reader<'_>, name: &str, point: &Point, value: &str) -> memtape_index::Result<Held> {
    let slot = reader.block_slot(&BlockName::new(name)?, point)?;
    let mut versions: Vec<(&Memory, bool)> = Vec::new();
    if let Some(Block { memory, proposal, .. }) = &slot.current {
        let proposed = proposal.as_ref().and_then(|proposal| proposal.entry);
        let origin = match proposed {
            Some(entry) => Meta::read(reader.entry(entry)?.meta.get()).origin,
            None => memory.origin,
        };
        versions.push((memory, origin == Some(Origin::Import)));
    }
    let waits = slot.proposal.as_ref().map(|proposal| &proposal.memory);
    versions.extend(waits.map(|memory| (memory, memory.origin == Some(Origin::Import))));
    Ok(match versions.iter().find(|(memory, _)| memory.text == value) {
        Some((_, is_imported)) => Held::Same { is_imported: *is_imported },
        None if versions.is_empty() => Held::Nothing,
        None => Held::Other { is_imported: versions.iter().all(|(_, is_imported)| *is_imported) },
    })
}

/// Returns what happened to a block since an import wrote a version of it. Approving the version is no change, and a
/// version that was rejected may be followed by another.
fn since_block(then: &Slot, now: &Slot) -> Since {
    let current = |slot: &Slot| slot.current.as_ref().map(|block| block.memory.text.clone());
    let waiting = |slot: &Slot| slot.proposal.as_ref().map(|proposal| proposal.memory.text.clone());
    let Some(proposed) = waiting(then) else { return Since::of(current(then), current(now)) };
    let is_there = [current(now), waiting(now)].contains(&Some(proposed));
    let is_rejected = waiting(now).is_none() && current(now) == current(then);
    if now.proposal.as_ref().is_some_and(|proposal| proposal.memory.origin != Some(Origin::Import)) {
        return Since::Changed;
    }
    if is_there || is_rejected { Since::Unchanged } else { Since::of(current(then), current(now)) }
}

/// Returns the note, file or block that an entry writes; `None` if its text was erased.
fn place_of(entry: &Entry) -> Option<Last> {
    place(&payload::event_name(entry)?, entry.payload.get())
}

fn place_of_draft(draft: &Draft) -> Option<Last> {
    let payload: Value = serde_json::from_str(draft.payload.get()).ok()?;
    place(payload.get("name")?.as_str()?, draft.payload.get())
}

fn place(event: &str, payload: &str) -> Option<Last> {
    let payload: Value = serde_json::from_str(payload).ok()?;
    let field = |name: &str| payload.get("data")?.get(name)?.as_str().map(str::to_owned);
    if notes::entry::is_ours(event) {
        field("path").map(Last::Note)
    } else if files::entry::NAMES.contains(&event) {
        field("path").map(Last::File)
    } else {
        field("name").filter(|_| event.starts_with("block.")).map(Last::Block)
    }
}
