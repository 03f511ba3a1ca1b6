//! Tests of notes on an in-memory tape, and the invariants of the form.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memtape_tape::Entry;
use proptest::prelude::*;

use super::entry::Act;
use super::ops::{self, Limits, Outcome, Patch};
use super::path::{Folders, NotePath};
use super::sections::tests::markdown;
use super::view::NotesView;
use crate::decision::{Context, Decision};
use crate::error::Result;
use crate::fixtures::{append, context};
use crate::memory::{Memory, MemoryId, Origin};

/// Parses the path of a note.
pub(super) fn note(path: &str) -> NotePath {
    NotePath::new(path, &Folders::default()).unwrap()
}

/// A tape with notes, and the memories that are current on it.
#[derive(Clone)]
pub(super) struct Book {
    pub(super) memories: Vec<Memory>,
    pub(super) entries: Vec<Entry>,
    pub(super) ctx: Context,
}

impl Book {
    pub(super) fn new() -> Self {
        let ctx = context("2026-02-26T10:00:00Z", Origin::Assistant);
        Self { memories: Vec::new(), entries: Vec::new(), ctx }
    }

    /// Returns the context with another origin.
    pub(super) fn by(&self, origin: Origin) -> Context {
        Context { origin, ..self.ctx.clone() }
    }

    pub(super) fn view(&self) -> NotesView {
        NotesView::fold(&self.memories)
    }

    pub(super) fn text(&self, path: &str) -> String {
        self.view().get(&note(path)).map(super::File::text).unwrap_or_default()
    }

    pub(super) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.view().get(&note(path)).map(super::File::bytes)
    }

    /// Returns the ids of the current memories by key.
    pub(super) fn ids(&self) -> BTreeMap<String, MemoryId> {
        self.memories.iter().map(|memory| (memory.key.clone(), memory.id)).collect()
    }

    /// Appends the entries of a decision, and returns its outcome.
    pub(super) fn take<T>(&mut self, decision: Result<Decision<T>>) -> T {
        let decision = decision.unwrap();
        for draft in decision.drafts {
            append(draft, self.ctx.now, 0, &mut self.entries, &mut self.memories);
        }
        decision.outcome
    }

    pub(super) fn write(&mut self, path: &str, content: &str) -> Outcome {
        let decision = ops::write(&self.view(), &note(path), content, &Limits::default(), &self.ctx);
        self.take(decision)
    }

    pub(super) fn append_entry(&mut self, path: &str, entry: &str, own: Option<&str>) -> Outcome {
        let decision = ops::append(&self.view(), &note(path), entry, own, &Limits::default(), &self.ctx);
        self.take(decision)
    }

    pub(super) fn edit(&mut self, path: &str, bytes: &[u8]) -> Outcome {
        let decision = ops::edit(&self.view(), &note(path), bytes, &self.by(Origin::Editor));
        self.take(decision)
    }

    pub(super) fn patch(&mut self, path: &str, patches: &[(&str, &str)]) -> Outcome {
        let decision = patched(self, path, patches);
        self.take(decision)
    }

    pub(super) fn later(&mut self, days: i64) {
        let hours = jiff::SignedDuration::from_hours(24 * days);
        self.ctx.now = self.ctx.now.checked_add(hours).unwrap_or(Timestamp::MAX);
    }
}

/// Returns the decision of a patch.
pub(super) fn patched(book: &Book, path: &str, patches: &[(&str, &str)]) -> Result<Decision<Outcome>> {
    let patches: Vec<Patch> =
        patches.iter().map(|&(old, new)| Patch { old: old.to_owned(), new: new.to_owned() }).collect();
    ops::patch(&book.view(), &note(path), &patches, &Limits::default(), &book.ctx)
}

/// A step of a writer of notes.
#[derive(Clone, Debug)]
enum Step {
    Edit(usize, Vec<u8>),
    Splice(usize, usize, Vec<u8>),
    Write(usize, String),
    Replace(usize, String),
    Append(usize, String),
    Delete(usize),
    Rename(usize, usize),
}

const PATHS: [&str; 3] = ["facts/user.md", "facts/project.md", "episodes/2026-02.md"];

fn step() -> impl Strategy<Value = Step> {
    let file = 0..PATHS.len();
    let text = || markdown().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![
        2 => (file.clone(), markdown()).prop_map(|(file, bytes)| Step::Edit(file, bytes)),
        4 => (file.clone(), any::<usize>(), markdown()).prop_map(|(file, at, bytes)| Step::Splice(file, at, bytes)),
        2 => (file.clone(), text()).prop_map(|(file, text)| Step::Write(file, text)),
        1 => (file.clone(), text()).prop_map(|(file, text)| Step::Replace(file, text)),
        3 => (file.clone(), text()).prop_map(|(file, text)| Step::Append(file, text)),
        1 => file.clone().prop_map(Step::Delete),
        1 => (file.clone(), file).prop_map(|(from, to)| Step::Rename(from, to)),
    ]
}

/// Returns the keys and the bytes of all sections.
fn sections(view: &NotesView) -> Vec<(String, Vec<u8>)> {
    let of = |file: &super::File| -> Vec<(String, Vec<u8>)> {
        file.sections.iter().map(|s| (file.path.key(&s.name), s.bytes.clone())).collect()
    };
    view.files().flat_map(of).collect()
}

impl Book {
    /// Takes a step, and checks the invariants of any step.
    fn step(&mut self, step: &Step) {
        let before = self.clone();
        match step {
            Step::Edit(file, bytes) => {
                self.edit(PATHS[*file], bytes);
                assert_eq!(self.bytes(PATHS[*file]).as_ref(), Some(bytes));
            }
            Step::Splice(file, at, bytes) => {
                let old = self.bytes(PATHS[*file]).unwrap_or_default();
                let at = at % (old.len() + 1);
                let new = [&old[..at], bytes, &old[at..]].concat();
                self.edit(PATHS[*file], &new);
                assert_eq!(self.bytes(PATHS[*file]), Some(new));
            }
            Step::Write(file, text) => {
                self.write(PATHS[*file], text);
                assert_eq!(self.write(PATHS[*file], text), Outcome::Unchanged);
            }
            Step::Replace(file, text) => {
                let mut replace = || {
                    let (path, limits) = (note(PATHS[*file]), Limits::default());
                    let decision =
                        ops::replace(&self.view(), &path, text.as_bytes(), Act::Patch, &limits, &self.ctx);
                    self.take(decision)
                };
                replace();
                assert_eq!(replace(), Outcome::Unchanged);
            }
            Step::Append(file, text) => {
                let said = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
                let decision =
                    ops::append(&self.view(), &note(PATHS[*file]), text, None, &Limits::default(), &self.ctx);
                if said.is_empty() {
                    return;
                }
                self.take(decision);
            }
            Step::Delete(file) => {
                let decision = ops::delete(&self.view(), &note(PATHS[*file]), &self.ctx);
                if self.bytes(PATHS[*file]).is_some() {
                    self.take(decision);
                }
                assert_eq!(self.bytes(PATHS[*file]), None);
            }
            Step::Rename(from, to) => {
                let decision = ops::rename(&self.view(), &note(PATHS[*from]), &note(PATHS[*to]), &self.ctx);
                if decision.is_ok() {
                    self.take(decision);
                    assert_eq!(self.bytes(PATHS[*to]), before.bytes(PATHS[*from]));
                }
            }
        }
        self.check(&before);
    }

    fn check(&self, before: &Self) {
        let (now, then) = (self.view(), before.view());
        // Each key occurs only once.
        assert_eq!(self.ids().len(), self.memories.len());
        // Sections that do not change keep their memories, unless the ranks ran out.
        let (old, new) = (sections(&then), sections(&now));
        let ids = (before.ids(), self.ids());
        let same = new.iter().filter(|section| old.contains(section));
        let kept = same.filter(|(key, _)| ids.0.get(key) == ids.1.get(key)).count();
        let longest = similar::capture_diff_slices(similar::Algorithm::Lcs, &old, &new);
        let common: usize = longest
            .iter()
            .filter_map(|op| match op {
                similar::DiffOp::Equal { len, .. } => Some(*len),
                _ => None,
            })
            .sum();
        assert!(kept >= common, "{kept} of {common} sections kept their memories\n{old:?}\n{new:?}");
        // An edit with the bytes of the view writes nothing.
        for file in now.files() {
            let again = ops::edit(&now, &file.path, &file.bytes(), &self.ctx).unwrap();
            assert!(again.drafts.is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_written_text_reads_back_byte_for_byte(steps in proptest::collection::vec(step(), 1..12)) {
        let mut book = Book::new();
        for step in &steps {
            book.step(step);
        }
    }

    #[test]
    fn concurrent_additions_of_person_and_tool_are_both_kept(
        base in markdown(), person in markdown(), at in any::<usize>(), own in proptest::option::of("[a-z]{1,9}"),
    ) {
        // A person may add text between two lines that the tool changed. Such edits overlap and are excluded.
        prop_assume!(String::from_utf8_lossy(&base).matches("Updated:").count() < 2);
        // With mixed line ends, adding the last one may change a line that the person also changed.
        let base: Vec<u8> = base.into_iter().filter(|byte| *byte != b'\r').collect();
        let mut book = Book::new();
        book.edit("facts/user.md", &base);
        book.append_entry("facts/user.md", "## By the tool\n- and more of it", own.as_deref());
        // The person inserts lines anywhere in the text that they have open.
        let ends = base.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let ends: Vec<usize> = [0].into_iter().chain(ends).collect();
        let at = ends[at % ends.len()];
        let edited = [&base[..at], b"By the person\n", &person, b"\n", &base[at..]].concat();
        let decision =
            ops::merge_edit(&book.view(), &note("facts/user.md"), &base, Some(&edited), &book.by(Origin::Editor));
        book.take(decision);
        let text = book.text("facts/user.md");
        for line in ["By the person", "## By the tool", "- and more of it"] {
            prop_assert!(text.lines().any(|standing| standing == line), "{line}: {text:?}");
        }
        // All of the person's lines are in the result, in their order.
        let standing = book.bytes("facts/user.md").unwrap_or_default();
        let bare = |line: &[u8]| {
            let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
            line.trim_start_matches('\u{FEFF}').to_owned()
        };
        let mut rest = standing.split(|byte| *byte == b'\n').map(bare);
        for line in edited.split(|byte| *byte == b'\n').map(bare) {
            let is_upkept = line.contains("Summary:") || line.contains("Updated:");
            prop_assert!(line.is_empty() || is_upkept || rest.any(|other| other == line), "{line:?}: {text:?}");
        }
    }
}
