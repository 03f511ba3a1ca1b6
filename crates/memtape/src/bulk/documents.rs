//! Writes notes, files and blocks: in the place of an earlier version of the same document, or beside what exists.

use memtape_core::forms::blocks::ops::{self as blocks, Asked};
use memtape_core::forms::blocks::view::Slot;
use memtape_core::forms::blocks::{BlockLayer, BlockName, Limits as BlockLimits, Outcome as BlockOutcome};
use memtape_core::forms::files::{self, FilePath};
use memtape_core::forms::notes::{self, NotePath};
use memtape_core::safety::injection;
use memtape_core::{Audience, Memory, Origin};

use super::{Became, Group, quarantined};
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
    /// Another text that an import wrote.
    Imported,
    /// Another text that a person or an agent wrote.
    Kept,
}

impl Held {
    fn of(is_same: bool, is_imported: bool) -> Self {
        match (is_same, is_imported) {
            (true, is_imported) => Self::Same { is_imported },
            (false, true) => Self::Imported,
            (false, false) => Self::Kept,
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
    ) -> memtape_index::Result<Became> {
        let folders = &self.bulk.workspace.config.notes.folders;
        let limit = notes::Limits::default().file;
        if text.len() > limit {
            return Ok(Became::LeftOut(format!("it is longer than {limit} bytes, the limit of a note")));
        }
        let text = self.bulk.workspace.clean(text);
        let ctx = self.because(place);
        let (reader, mut whole) = (self.reader, None);
        let names = self.paths(path);
        let chosen = self.choose(n, &names, |path| {
            let parsed = NotePath::new(path, folders)?;
            let view = view_for(reader, &parsed, &ctx, &mut whole)?;
            let Some(file) = view.get(&parsed) else {
                // Two names that differ only in case are one on some systems.
                return Ok(if view.in_the_way(&parsed).is_some() { Held::Kept } else { Held::Nothing });
            };
            Ok({
                let is_imported = file.sections.iter().all(|section| section.origin == Some(Origin::Import));
                Held::of(file.bytes() == text.as_bytes(), is_imported)
            })
        })?;
        let path = match chosen {
            Ok(path) => path,
            Err(became) => return Ok(became.unwrap_or_else(|| taken("note", &names))),
        };
        let parsed = NotePath::new(&path, folders)?;
        let view = view_for(reader, &parsed, &ctx, &mut whole)?;
        self.drafts.extend(notes::ops::edit(&view, &parsed, text.as_bytes(), &ctx)?.drafts);
        Ok(self.added(n, path, &names))
    }

    pub(super) fn file(
        &mut self,
        n: usize,
        path: &str,
        text: &str,
        place: &str,
    ) -> memtape_index::Result<Became> {
        let limit = files::FILE_BYTES_MAX;
        if text.len() > limit {
            return Ok(Became::LeftOut(format!("it is longer than {limit} bytes, the limit of a file")));
        }
        let text = self.bulk.workspace.clean(text);
        let ctx = self.because(place);
        let (reader, point) = (self.reader, self.point);
        let names = self.paths(path);
        let chosen = self.choose(n, &names, |path| {
            let parsed = FilePath::new(path)?;
            let view = reader.file(&parsed, &Audience::owner(), point)?;
            let Some(file) = view.get(&parsed) else {
                // Another name for a file does not help if its folder is in the way.
                let other = view.in_the_way(&parsed).map(|other| other.as_str().to_lowercase());
                let is_taken = other.is_some_and(|other| other == path.to_lowercase());
                return Ok(if is_taken { Held::Kept } else { Held::Nothing });
            };
            Ok(Held::of(file.bytes == text.as_bytes(), file.origin == Some(Origin::Import)))
        })?;
        let path = match chosen {
            Ok(path) => path,
            Err(became) => return Ok(became.unwrap_or_else(|| taken("file", &names))),
        };
        let parsed = FilePath::new(&path)?;
        let view = reader.file(&parsed, &Audience::owner(), point)?;
        self.drafts.extend(files::ops::edit(&view, &parsed, text.as_bytes(), &ctx)?.drafts);
        Ok(self.added(n, path, &names))
    }

    pub(super) fn block(
        &mut self,
        n: usize,
        name: &str,
        value: &str,
        layer: Option<BlockLayer>,
        place: &str,
    ) -> memtape_index::Result<Became> {
        let value = self.bulk.workspace.clean(value);
        let (reader, point) = (self.reader, self.point);
        let names = self.beside(BlockName::new(name)?.as_str(), "");
        let held = |name: &str| Ok(held_block(&reader.block_slot(&BlockName::new(name)?, point)?, &value));
        // Every prompt shows every block, so nothing is added beside what a person or an agent set.
        if held(&names[0])? == Held::Kept {
            return Ok(taken("block", &names));
        }
        let name = match self.choose(n, &names, held)? {
            Ok(name) => name,
            Err(became) => return Ok(became.unwrap_or_else(|| taken("block", &names))),
        };
        let slot = reader.block_slot(&BlockName::new(&name)?, point)?;
        // A name keeps its layer.
        let layer = layer.filter(|_| slot.layer().is_none());
        let limits = BlockLimits { chars_max: self.bulk.workspace.config.blocks.max_chars };
        let asked = Asked { value: &value, layer, restores: None };
        let decided = blocks::set(&slot, asked, limits, &self.because(place))?;
        for draft in decided.drafts {
            self.drafts.push(quarantined(draft, injection::is_suspicious(&value))?);
        }
        let added = self.added(n, name.clone(), &names);
        Ok(match decided.outcome {
            BlockOutcome::Waits => Became::Proposed(name),
            BlockOutcome::Set(_) => added,
            BlockOutcome::Unchanged => Became::Present,
        })
    }

    /// Returns the name that a version of a document gets: that of an earlier version of the same document, unless
    /// somebody changed or removed it there; otherwise the first that is free. If there is none, returns
    /// [`Became::Present`] if the text is there, and `None` if every name is taken.
    fn choose(
        &mut self,
        n: usize,
        names: &[String],
        mut held: impl FnMut(&str) -> memtape_index::Result<Held>,
    ) -> memtape_index::Result<Result<String, Option<Became>>> {
        let id = self.ids[n];
        for name in names.iter().filter(|name| self.known.is_here(id.claim(name))) {
            match held(name)? {
                Held::Imported => return Ok(Ok(name.clone())),
                Held::Same { .. } => return Ok(Err(Some(Became::Present))),
                Held::Nothing | Held::Kept => {}
            }
        }
        for name in names {
            match held(name)? {
                Held::Nothing => return Ok(Ok(name.clone())),
                Held::Same { is_imported } => {
                    // The other document may get another text, and then this one is no longer there.
                    self.is_anothers[n] = is_imported;
                    return Ok(Err(Some(Became::Present)));
                }
                Held::Imported | Held::Kept => {}
            }
        }
        Ok(Err(None))
    }

    /// Records that a document is under a name, and returns what became of it.
    fn added(&mut self, n: usize, name: String, names: &[String]) -> Became {
        let claim = self.ids[n].claim(&name);
        if !self.known.is_here(claim) {
            self.marks.push(claim);
        }
        if name == names[0] { Became::Added } else { Became::Beside(name) }
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
fn taken(what: &str, names: &[String]) -> Became {
    let has = if what == "block" { "value" } else { "text" };
    Became::LeftOut(format!("{what} {} has another {has} here", names[0]))
}

/// Returns what is under the name of a block. A version that waits for approval counts as one.
fn held_block(slot: &Slot, value: &str) -> Held {
    let waits = slot.proposal.as_ref().map(|proposal| &proposal.memory);
    let versions: Vec<&Memory> = slot.current.iter().map(|block| &block.memory).chain(waits).collect();
    let is_imported = |memory: &&Memory| memory.origin == Some(Origin::Import);
    match versions.iter().find(|memory| memory.text == value) {
        Some(memory) => Held::Same { is_imported: is_imported(memory) },
        None if versions.is_empty() => Held::Nothing,
        None => Held::of(false, versions.iter().all(is_imported)),
    }
}
