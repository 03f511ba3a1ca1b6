//! The shared model of the tests of the working copy: a tape of lines, a person who edits concurrently, and a machine
//! that stops.
//!
//! A text consists of unique lines, so that a merge with the wrong base is detected: a line is missing.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use memtape_tape::{Durability, Hash};
use memtape_worktree::working_copy::{Base, Change, Look, Steps, What, WorkingCopy, Writing};
use memtape_worktree::{Error, Result};

pub(crate) const FOLDERS: [&str; 2] = ["facts", "episodes"];
pub(crate) const PATHS: [&str; 4] =
    ["facts/a.md", "facts/b.md", "episodes/2026-02.md", "episodes/2026-03.md"];

/// An action of the person.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Adds a line as most editors do, in the file itself.
    Write(usize),
    /// Adds a line as the others do: another file takes the name.
    Save(usize),
    /// Takes out the first line and adds one.
    Rewrite(usize),
    Delete(usize),
    Rename(usize, usize),
    Chmod(usize),
    /// A link to the secret takes the name.
    Link(usize),
    Touch(usize),
}

/// The person, and the lines that must exist somewhere.
pub(crate) struct Person {
    pub(crate) root: PathBuf,
    pub(crate) secret: PathBuf,
    lines: usize,
    /// Lines of the person that they have not removed themselves.
    pub(crate) wrote: BTreeSet<String>,
    /// Lines that the person saw and took out.
    pub(crate) took_out: BTreeSet<String>,
    /// Lines that the person moved to another name, under which another branch's file may have been.
    moved: BTreeSet<String>,
}

pub(crate) fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

fn text(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

/// Merges a person's edit of a text with the changes of tools.
fn merge(base: &[String], ours: &[String], theirs: &[String]) -> Vec<String> {
    let stands = |line: &&String| !base.contains(line) || theirs.contains(line);
    let mut merged: Vec<String> = ours.iter().filter(stands).cloned().collect();
    for line in theirs {
        let was_taken_out = base.contains(line) && !ours.contains(line);
        if !was_taken_out && !merged.contains(line) {
            merged.push(line.clone());
        }
    }
    merged
}

impl Person {
    pub(crate) fn new(root: &Path, secret: &Path) -> Self {
        let (root, secret) = (root.to_owned(), secret.to_owned());
        Self {
            root,
            secret,
            lines: 0,
            wrote: BTreeSet::new(),
            took_out: BTreeSet::new(),
            moved: BTreeSet::new(),
        }
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let path = self.root.join(path);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        is_file.then(|| fs::read(path).unwrap())
    }

    fn takes_out(&mut self, line: String) {
        self.wrote.remove(&line);
        self.took_out.insert(line);
    }

    fn take_out_all(&mut self, path: &str) {
        for line in self.read(path).map(|bytes| lines(&bytes)).unwrap_or_default() {
            self.takes_out(line);
        }
    }

    pub(crate) fn act(&mut self, act: &Act) {
        match *act {
            Act::Write(path) => self.write(PATHS[path], false, false),
            Act::Save(path) => self.write(PATHS[path], true, false),
            Act::Rewrite(path) => self.write(PATHS[path], false, true),
            Act::Delete(path) => {
                self.take_out_all(PATHS[path]);
                let _ = fs::remove_file(self.root.join(PATHS[path]));
            }
            Act::Rename(from, to) => {
                if from != to && self.read(PATHS[from]).is_some() {
                    let moved = self.read(PATHS[from]).map(|bytes| lines(&bytes)).unwrap_or_default();
                    if let Some(over) = self.read(PATHS[to]) {
                        lines(&over)
                            .into_iter()
                            .filter(|line| !moved.contains(line))
                            .for_each(|l| self.takes_out(l));
                    }
                    self.moved.extend(moved);
                    fs::create_dir_all(self.root.join(PATHS[to]).parent().unwrap()).unwrap();
                    fs::rename(self.root.join(PATHS[from]), self.root.join(PATHS[to])).unwrap();
                }
            }
            Act::Chmod(path) => {
                use std::os::unix::fs::PermissionsExt as _;
                if self.read(PATHS[path]).is_some() {
                    fs::set_permissions(self.root.join(PATHS[path]), fs::Permissions::from_mode(0o600))
                        .unwrap();
                }
            }
            Act::Link(path) => {
                self.take_out_all(PATHS[path]);
                let path = self.root.join(PATHS[path]);
                let _ = fs::remove_file(&path);
                let _ = std::os::unix::fs::symlink(&self.secret, path);
            }
            Act::Touch(path) => {
                if let Some(bytes) = self.read(PATHS[path]) {
                    fs::write(self.root.join(PATHS[path]), bytes).unwrap();
                }
            }
        }
    }

    fn write(&mut self, path: &str, save: bool, take_out: bool) {
        let full = self.root.join(path);
        if fs::symlink_metadata(&full).is_ok_and(|found| found.is_symlink()) {
            return;
        }
        let mut now = self.read(path).map(|bytes| lines(&bytes)).unwrap_or_default();
        if take_out && !now.is_empty() {
            let first = now.remove(0);
            self.takes_out(first);
        }
        self.lines += 1;
        let line = format!("person {}", self.lines);
        self.wrote.insert(line.clone());
        now.push(line);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        if save {
            let swap = full.with_extension("md~");
            fs::write(&swap, text(&now)).unwrap();
            fs::rename(&swap, &full).unwrap();
        } else {
            fs::write(&full, text(&now)).unwrap();
        }
    }

    /// Removes the links.
    pub(crate) fn tidy(&mut self) {
        for path in PATHS.map(|path| self.root.join(path)) {
            if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
                fs::remove_file(path).unwrap();
            }
        }
    }
}

/// Stops the machine at one step, and runs actions of the person at others.
pub(crate) struct Machine {
    pub(crate) person: Mutex<Person>,
    state: Mutex<Steering>,
    exchanges: bool,
}

#[derive(Default)]
struct Steering {
    step: usize,
    stops_at: Option<usize>,
    acts: Vec<(usize, Act)>,
    told: Vec<&'static str>,
}

impl Machine {
    pub(crate) fn new(person: Person, exchanges: bool) -> Arc<Self> {
        Arc::new(Self { person: Mutex::new(person), state: Mutex::default(), exchanges })
    }

    /// Schedules the events of the next command.
    pub(crate) fn next(&self, stops_at: Option<usize>, acts: Vec<(usize, Act)>) {
        *self.state.lock().unwrap() = Steering { step: 0, stops_at, acts, told: Vec::new() };
    }

    /// Returns the steps of this command.
    pub(crate) fn told(&self) -> Vec<&'static str> {
        self.state.lock().unwrap().told.clone()
    }
}

impl Steps for Machine {
    fn before(&self, what: &'static str) -> io::Result<()> {
        let mut state = self.state.lock().unwrap();
        state.told.push(what);
        let step = state.step;
        state.step += 1;
        if state.stops_at.is_some_and(|at| step >= at) {
            return Err(io::Error::other("the machine has stopped"));
        }
        for (_, act) in state.acts.iter().filter(|(at, _)| *at == step) {
            self.person.lock().unwrap().act(act);
        }
        Ok(())
    }

    fn exchanges(&self) -> bool {
        self.exchanges
    }
}

pub(crate) type View = BTreeMap<String, Vec<u8>>;

/// The known notes, with all of their earlier texts.
#[derive(Default)]
pub(crate) struct Tape {
    pub(crate) entry: u64,
    pub(crate) heads: BTreeMap<String, View>,
    had: Vec<(Base, String, Option<Vec<u8>>)>,
    tool_lines: usize,
    /// Lines of tools that no tool removed, by branch.
    pub(crate) tools_wrote: BTreeSet<(String, String)>,
    /// Lines of files that tools deleted.
    tools_took_out: BTreeSet<String>,
    /// Each text of a person that was recorded.
    pub(crate) recorded: Vec<(String, Vec<u8>)>,
}

impl Tape {
    pub(crate) fn head(&self, branch: &str) -> View {
        self.heads.get(branch).cloned().unwrap_or_default()
    }

    pub(crate) fn base(&self, branch: &str) -> Base {
        Base { branch: branch.to_owned(), entry: self.entry }
    }

    fn set(&mut self, branch: &str, path: &str, text: Option<Vec<u8>>) {
        self.entry += 1;
        let view = self.heads.entry(branch.to_owned()).or_default();
        match &text {
            Some(text) => view.insert(path.to_owned(), text.clone()),
            None => view.remove(path),
        };
        self.had.push((self.base(branch), path.to_owned(), text));
    }

    /// The text of a path at an entry of a branch.
    pub(crate) fn at(&self, base: &Base, path: &str) -> Vec<u8> {
        let found = self
            .had
            .iter()
            .rev()
            .find(|(at, of, _)| at.branch == base.branch && at.entry <= base.entry && of == path);
        found.and_then(|(_, _, text)| text.clone()).unwrap_or_default()
    }

    /// A tool adds a line to a file of a branch.
    pub(crate) fn tool_adds(&mut self, branch: &str, path: &str) {
        self.tool_lines += 1;
        let line = format!("tool {}", self.tool_lines);
        let mut text = self.head(branch).remove(path).unwrap_or_default();
        text.extend_from_slice(format!("{line}\n").as_bytes());
        self.tools_wrote.insert((branch.to_owned(), line));
        self.set(branch, path, Some(text));
    }

    /// A tool deletes a file that no person has written in.
    pub(crate) fn tool_deletes(&mut self, branch: &str, path: &str) {
        let Some(text) = self.head(branch).remove(path) else { return };
        if lines(&text).iter().any(|line| line.starts_with("person")) {
            return;
        }
        for line in lines(&text) {
            self.tools_wrote.remove(&(branch.to_owned(), line.clone()));
            self.tools_took_out.insert(line);
        }
        self.set(branch, path, None);
    }

    /// Records what a person did, merged with what tools did since.
    pub(crate) fn record(&mut self, change: &Change) {
        let branch = change.base.branch.clone();
        let old = match &change.what {
            What::Renamed { from } => from.as_str(),
            _ => change.path.as_str(),
        };
        let base: Vec<String> = match &change.what {
            What::New => Vec::new(),
            _ => change
                .base_text
                .as_ref()
                .map_or_else(|| lines(&self.at(&change.base, old)), |text| lines(text.as_bytes())),
        };
        if let Some(bytes) = &change.bytes {
            self.recorded.push((change.path.clone(), bytes.clone()));
        }
        let head = self.head(&branch);
        let ours = head.get(old).map(|text| lines(text));
        let theirs = change.bytes.as_deref().map(lines);
        let merged = match (ours, theirs) {
            (Some(ours), Some(theirs)) => Some(merge(&base, &ours, &theirs)),
            // The known text is deleted with the file; later additions of tools are kept.
            (Some(ours), None) => {
                let left = merge(&base, &ours, &[]);
                for line in ours.into_iter().filter(|line| !left.contains(line)) {
                    self.tools_wrote.remove(&(branch.clone(), line));
                }
                (!left.is_empty()).then_some(left)
            }
            // Tools deleted it: the person's text is all there is.
            (None, theirs) => theirs,
        };
        if old != change.path {
            // The text under the new name on this branch was no longer in the folders.
            self.set(&branch, old, None);
        }
        let merged = merged.map(|mut merged| {
            // A text that the person did not see is not overwritten.
            let unseen = head.get(&change.path).filter(|_| old != change.path).map(|text| lines(text));
            merged.extend(unseen.unwrap_or_default());
            merged
        });
        self.set(&branch, &change.path, merged.map(|merged| text(&merged)));
    }
}

/// Returns whether the failure is the scheduled stop of the machine.
pub(crate) fn has_stopped(e: &Error) -> bool {
    matches!(e, Error::WorkingCopy { source, .. } if source.kind() == ErrorKind::Other)
}

/// Updates all files to a branch, and returns those that were not changed.
pub(crate) fn checkout(
    writing: &mut Writing<'_>,
    look: &Look,
    to: &Base,
    files: View,
) -> Result<BTreeSet<String>> {
    let manifest = writing.manifest().unwrap();
    let known = manifest.files.keys().chain(&manifest.pending);
    let known = known.chain(look.changes.iter().map(|change| &change.path));
    let mut puts: BTreeMap<_, _> = known.map(|path| (path.clone(), None)).collect();
    puts.extend(files.into_iter().map(|(path, text)| (path, Some(text))));
    writing.apply(look, to, &puts)
}

/// Does the work of the library in each command: finishes interrupted work, records the edits, and updates the files to
/// the branch.
pub(crate) fn sync(copy: &WorkingCopy, tape: &mut Tape, branch: &str) -> Result<()> {
    for _ in 0..50 {
        let mut writing = copy.writing()?;
        if writing.manifest().is_none() {
            let view = tape.head(branch).iter().map(|(path, text)| (path.clone(), Hash::of(text))).collect();
            let known = |path: &str, sha256: &Hash| {
                let is_it = |text: &Option<Vec<u8>>| text.as_deref().map(Hash::of) == Some(*sha256);
                let found = tape
                    .had
                    .iter()
                    .rev()
                    .find(|(at, of, text)| at.branch == branch && of == path && is_it(text));
                found.map(|(at, _, _)| at.clone())
            };
            let base = tape.base(branch);
            writing.assume(&base, &view, known)?;
        }
        let mut look = writing.look()?;
        let manifest = writing.manifest().unwrap().clone();
        let is_switched = manifest.base.branch != branch;
        if look.changes.is_empty() && look.pending.is_empty() && manifest.base == tape.base(branch) {
            return Ok(());
        }
        let mut paths: BTreeSet<String> = look.pending.iter().cloned().collect();
        for change in &mut look.changes {
            tape.record(change);
            change.is_recorded = true;
            paths.insert(change.path.clone());
            if let What::Renamed { from } = &change.what {
                paths.insert(from.clone());
            }
        }
        if is_switched {
            checkout(&mut writing, &look, &tape.base(branch), tape.head(branch))?;
            continue;
        }
        let moved = |at: &Base| at.branch == branch && at.entry > manifest.base.entry;
        paths.extend(tape.had.iter().filter(|(at, _, _)| moved(at)).map(|(_, path, _)| path.clone()));
        let head = tape.head(branch);
        let puts = paths.into_iter().map(|path| (path.clone(), head.get(&path).cloned())).collect();
        writing.apply(&look, &tape.base(branch), &puts)?;
    }
    panic!("the files and the tape never agree");
}

/// The files of the folders.
pub(crate) fn files(root: &Path) -> View {
    let mut found = View::new();
    for folder in FOLDERS {
        let Ok(entries) = fs::read_dir(root.join(folder)) else { continue };
        for entry in entries {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            // A replaced link in whose place the person has created a file since is kept aside and reported.
            if name.starts_with(".memtape-") && entry.file_type().unwrap().is_symlink() {
                continue;
            }
            found.insert(format!("{folder}/{name}"), fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Returns a working copy in its own directory.
pub(crate) fn copy_in(dir: &Path, machine: &Arc<Machine>) -> WorkingCopy {
    WorkingCopy::over(dir, dir, &FOLDERS, Durability::Os, machine.clone()).unwrap()
}

/// Checks that nothing was lost: every line that must exist does, and the files are those of the branch.
pub(crate) fn check(root: &Path, tape: &Tape, person: &Person, branch: &str, when: &str) {
    assert_eq!(files(root), tape.head(branch), "{when}: the files are the branch's");
    let everywhere: BTreeSet<String> =
        tape.heads.values().flat_map(|view| view.values()).flat_map(|text| lines(text)).collect();
    for line in &person.wrote {
        assert!(everywhere.contains(line), "{when}: {line:?} of the person is lost");
    }
    for (branch, line) in &tape.tools_wrote {
        let is_there = tape.head(branch).values().any(|text| lines(text).contains(line));
        let is_elsewhere =
            person.moved.contains(line) && (everywhere.contains(line) || tape.tools_took_out.contains(line));
        assert!(
            is_there || is_elsewhere || person.took_out.contains(line),
            "{when}: {line:?} of a tool is lost on {branch}"
        );
    }
    assert_eq!(fs::read(&person.secret).unwrap(), b"secret\n", "{when}");
    for text in tape.heads.values().flat_map(|view| view.values()) {
        assert!(!lines(text).contains(&"secret".to_owned()), "{when}: the secret was read");
    }
}
