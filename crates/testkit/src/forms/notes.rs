//! The random steps of notes: what tools write, and how a person edits the files.

use std::fs;
use std::io::ErrorKind as IoKind;

use memtape::{Notes, Origin, Patch, Workspace};
use proptest::prelude::*;

use crate::clock::TestClock;
use crate::step::Act;

/// The paths that steps use.
pub const FILES: [&str; 3] = ["facts/user.md", "facts/project.md", "episodes/2026-02.md"];

/// A change to notes.
#[derive(Clone, Debug)]
pub enum NoteStep {
    /// A tool writes a file.
    Write(usize, String),
    /// A tool adds an entry.
    Append(usize, String),
    /// A tool replaces a text.
    Patch(usize, String, String),
    /// A tool deletes a file.
    Delete(usize),
    /// A person replaces the text of a file.
    Edit(usize, String),
    /// A person appends a text to a file.
    Add(usize, String),
    /// A person deletes a file.
    Remove(usize),
    /// A person renames a file.
    Rename(usize, usize),
}

/// Returns a strategy for changes to notes.
pub fn steps() -> BoxedStrategy<NoteStep> {
    let file = || 0..FILES.len();
    prop_oneof![
        3 => (file(), text()).prop_map(|(file, text)| NoteStep::Write(file, text)),
        4 => (file(), text()).prop_map(|(file, text)| NoteStep::Append(file, text)),
        2 => (file(), line(), line()).prop_map(|(file, old, new)| NoteStep::Patch(file, old, new)),
        1 => file().prop_map(NoteStep::Delete),
        3 => (file(), text()).prop_map(|(file, text)| NoteStep::Edit(file, text)),
        3 => (file(), text()).prop_map(|(file, text)| NoteStep::Add(file, text)),
        1 => file().prop_map(NoteStep::Remove),
        1 => (file(), file()).prop_map(|(from, to)| NoteStep::Rename(from, to)),
    ]
    .boxed()
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u8..8).prop_map(|n| format!("- Tea {n}: likes tea number {n}")),
        2 => (0_u8..5).prop_map(|n| format!("## Block {n}")),
        1 => Just("- Summary: tea".to_owned()),
        1 => Just("> Summary: tea and more".to_owned()),
        1 => Just(String::new()),
        1 => "[a-zA-Z äöü的茶☕#>`-]{0,12}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 1..5).prop_map(|lines| lines.join("\n") + "\n")
}

impl Act for NoteStep {
    fn run(&self, workspace: &Workspace, _clock: &TestClock) -> memtape::Result<()> {
        let notes = || workspace.notes().writing_as(Origin::Assistant);
        let path = |file: usize| notes().path(FILES[file]);
        let file = |file: usize| workspace.dir().join(FILES[file]);
        let tool =
            |run: &dyn Fn(&Notes<'_>) -> memtape::Result<()>| crate::refusals::allow_refusals(run(&notes()));
        match self {
            Self::Write(file, text) => tool(&|notes| notes.write(&path(*file)?, text).map(|_| ())),
            Self::Append(file, text) => tool(&|notes| notes.append(&path(*file)?, text, None).map(|_| ())),
            Self::Patch(file, old, new) => tool(&|notes| {
                let patch = Patch { old: old.clone(), new: new.clone() };
                notes.patch(&path(*file)?, &[patch]).map(|_| ())
            }),
            Self::Delete(file) => tool(&|notes| notes.delete(&path(*file)?).map(|_| ())),
            Self::Edit(n, text) => {
                save(&file(*n), text.as_bytes());
                Ok(())
            }
            Self::Add(n, text) => {
                let before = fs::read(file(*n)).unwrap_or_default();
                save(&file(*n), &[before, text.clone().into_bytes()].concat());
                Ok(())
            }
            Self::Remove(n) => {
                let gone = fs::remove_file(file(*n));
                assert!(gone.is_ok() || gone.is_err_and(|e| e.kind() == IoKind::NotFound));
                Ok(())
            }
            Self::Rename(from, to) => {
                if file(*from).exists() {
                    if let Some(folder) = file(*to).parent() {
                        fs::create_dir_all(folder).expect("a person may make a folder");
                    }
                    fs::rename(file(*from), file(*to)).expect("a person may rename a file");
                }
                Ok(())
            }
        }
    }
}

/// Saves a file as most editors do: a new file replaces it.
///
/// # Panics
/// If the path has no parent directory, or the file cannot be written.
pub fn save(file: &std::path::Path, bytes: &[u8]) {
    let folder = file.parent().expect("a note stands in a folder");
    fs::create_dir_all(folder).expect("a person may make a folder");
    let swap = file.with_extension("swp");
    fs::write(&swap, bytes).expect("a person may write a file");
    fs::rename(&swap, file).expect("a person may rename a file");
}
