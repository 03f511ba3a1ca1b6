//! The random steps of files: what tools write, and how a person edits `files/`.

use std::fs;
use std::path::PathBuf;

use memtape::{FilePath, Files, Origin, Workspace};
use proptest::prelude::*;

use crate::clock::TestClock;
use crate::step::Act;

use super::notes::save;

/// The paths that steps use.
pub const FILES: [&str; 4] =
    ["insights/2025-12-31.md", "research/tea/green.md", "research/tea/black.md", "drafts/plan.md"];

/// A change to files.
#[derive(Clone, Debug)]
pub enum FileStep {
    /// A tool writes a file.
    Write(usize, String),
    /// A tool archives a file.
    Archive(usize),
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

/// Returns a strategy for changes to files.
pub fn steps() -> BoxedStrategy<FileStep> {
    let file = || 0..FILES.len();
    prop_oneof![
        4 => (file(), text()).prop_map(|(file, text)| FileStep::Write(file, text)),
        1 => file().prop_map(FileStep::Archive),
        1 => file().prop_map(FileStep::Delete),
        3 => (file(), text()).prop_map(|(file, text)| FileStep::Edit(file, text)),
        3 => (file(), text()).prop_map(|(file, text)| FileStep::Add(file, text)),
        1 => file().prop_map(FileStep::Remove),
        1 => (file(), file()).prop_map(|(from, to)| FileStep::Rename(from, to)),
    ]
    .boxed()
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => (0_u8..8).prop_map(|n| format!("Tea {n}: likes tea number {n}")),
        1 => Just(String::new()),
        1 => "[a-zA-Z äöü的茶☕#>`-]{0,12}",
    ];
    proptest::collection::vec(line, 1..5).prop_map(|lines| lines.join("\n") + "\n")
}

/// Returns the path of a file in the workspace's directory.
#[must_use]
pub fn on_disk(workspace: &Workspace, path: &str) -> PathBuf {
    workspace.dir().join("files").join(path)
}

impl Act for FileStep {
    fn run(&self, workspace: &Workspace, _clock: &TestClock) -> memtape::Result<()> {
        let files = || workspace.files().writing_as(Origin::Assistant);
        let tool =
            |run: &dyn Fn(&Files<'_>) -> memtape::Result<()>| crate::refusals::allow_refusals(run(&files()));
        let path = |n: usize| FilePath::new(FILES[n]);
        let file = |n: usize| on_disk(workspace, FILES[n]);
        match self {
            Self::Write(n, text) => tool(&|files| files.write(&path(*n)?, text).map(|_| ())),
            Self::Archive(n) => tool(&|files| files.archive(&path(*n)?).map(|_| ())),
            Self::Delete(n) => tool(&|files| files.delete(&path(*n)?).map(|_| ())),
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
                let _ = fs::remove_file(file(*n));
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
