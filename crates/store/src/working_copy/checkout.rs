//! Bringing the files to what the tape says, alone among writers.
//!
//! **Invariants.** Whoever writes first finishes what was interrupted. What stood under a path when it was looked at is
//! what is replaced, and nothing else. The manifest names another base only when every file was tried; until then each
//! file says by itself what it stands on. What is not done then is told, not tried again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};

use memtape_tape::Hash;

use super::manifest::{Base, Known, Manifest, Stage, UnderWay};
use super::replace::{self, Finished, Outcome};
use super::sandbox::{Folder, Found, Opened, Root};
use super::scan::{self, Look, Merged};
use super::{Put, WorkingCopy};
use crate::error::{Error, Result};

/// What came of bringing files up to date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The files that a person changed meanwhile, or that are none to be replaced: they stand as they did. Look again.
    pub moved: Vec<String>,
    /// Why files could not be written where they lie. What they stand on says what is still to be done.
    pub lags: Option<String>,
}

/// The working copy in the hands of the one writer.
pub struct Writing<'c> {
    copy: &'c WorkingCopy,
    manifest: Option<Manifest>,
    /// The texts that were recorded, and that the tape has only merged with others.
    merged: Merged,
}

/// How many folders are open at once: a process has few handles.
const OPEN_MAX: usize = 128;

/// The open folders of one command. Their handles stay, whatever becomes of the names.
struct Folders<'c> {
    root: Root<'c>,
    open: BTreeMap<String, Folder<'c>>,
}

impl<'c> Folders<'c> {
    /// A folder; `None` where there is none, or something else stands in its place.
    fn get(&mut self, path: &str, make: bool) -> io::Result<Option<&Folder<'c>>> {
        if !self.open.contains_key(path) {
            let opened = match make {
                true => self.root.make_folder(path)?,
                false => self.root.folder_at(path)?,
            };
            let Opened::Folder(folder) = opened else { return Ok(None) };
            if self.open.len() >= OPEN_MAX {
                for folder in std::mem::take(&mut self.open).into_values() {
                    folder.sync()?;
                }
            }
            self.open.insert(path.to_owned(), folder);
        }
        Ok(self.open.get(path))
    }
}

impl<'c> Writing<'c> {
    /// Takes the working copy in hand and finishes what was interrupted.
    pub(super) fn begin(copy: &'c WorkingCopy) -> Result<Self> {
        let manifest = Manifest::load(&copy.dir, copy.manifest)?;
        let mut writing = Self { copy, manifest, merged: Merged::new() };
        match writing.take_up() {
            // What cannot be finished here is left to whoever can write.
            Err(e) if is_read_only(&e) => writing.manifest = Manifest::load(&copy.dir, copy.manifest)?,
            done => done?,
        }
        Ok(writing)
    }

    /// Takes up what was left by the writers before.
    fn take_up(&mut self) -> Result<()> {
        let left = |stage| self.manifest.iter().flat_map(|m| &m.under_way).any(|item| item.stage == stage);
        let (begun, spent) = (left(Stage::Begun), left(Stage::Spent));
        if !begun && !spent {
            return Ok(());
        }
        let Some(mut folders) = self.folders()? else { return Ok(()) };
        if begun {
            let moved = self.finish(&mut folders)?;
            if let Some(manifest) = &mut self.manifest {
                manifest.owed.extend(moved);
            }
            self.save()?;
        }
        self.clear(&mut folders)
    }

    /// What the files are known to be; `None` before [`Self::assume`], and after a failure.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Where an interrupted command was to bring the files: [`Self::checkout`] there finishes it. What the person edits
    /// until then belongs to what the file edited stands on.
    #[must_use]
    pub fn unfinished(&self) -> Option<&Base> {
        self.manifest.as_ref().and_then(|manifest| manifest.toward.as_ref())
    }

    /// Looks at the files.
    ///
    /// # Errors
    /// What the medium says of the root.
    pub fn look(&self) -> Result<Look> {
        self.copy.scan(self.manifest.as_ref(), &self.merged)
    }

    /// Makes a manifest where there is none, without touching a file. A file counts as what `view` has of it, so another
    /// text in it is an edit; but a text that `known` finds among those the tape had stands where the tape had it. What
    /// is in `view` and not in the folders has yet to be written, and is no deletion.
    ///
    /// # Errors
    /// What the medium says.
    pub fn assume(
        &mut self,
        base: &Base,
        view: &BTreeMap<String, Hash>,
        known: impl Fn(&str, &Hash) -> Option<Base>,
    ) -> Result<()> {
        let seen = self.copy.scan(None, &self.merged)?.seen;
        let mut manifest = Manifest::new(base.clone());
        manifest.writes = self.manifest.as_ref().map_or(0, |manifest| manifest.writes);
        for (path, seen) in seen {
            let stood = match view.get(&path) {
                Some(sha256) if *sha256 == seen.sha256 => None,
                _ => known(&path, &seen.sha256),
            };
            let found = match (stood, view.get(&path)) {
                (Some(base), _) => Known::of_tape(seen.sha256, seen.settled, Some(base)),
                (None, Some(sha256)) => Known::of_tape(*sha256, None, None),
                (None, None) => continue,
            };
            manifest.files.insert(path, found);
        }
        // What the tape had before, and has no more, is brought to what it has now.
        let older = manifest.files.iter().filter(|(_, known)| known.base.is_some()).map(|(path, _)| path);
        let missing = view.keys().filter(|path| !manifest.files.contains_key(*path));
        manifest.owed = missing.chain(older).cloned().collect();
        self.manifest = Some(manifest);
        self.save()
    }

    /// Brings files to what the tape has of them at `to`. The caller says of each path listed that what `look` found
    /// there is on the tape, and of each one that is not that its text is the same at `to` as where it stands.
    ///
    /// # Errors
    /// [`Error::WorkingCopyMoved`] where `look` is older than the manifest, or what the medium says; what was begun is
    /// then finished by the next writer.
    pub fn apply(&mut self, look: &Look, to: &Base, puts: &[(String, Put<'_>)]) -> Result<Applied> {
        self.bring(look, to, puts, false)
    }

    /// Brings all files to the view of a branch: `files` is all it has. The branch and the base are those then.
    ///
    /// # Errors
    /// As for [`Self::apply`]; [`Error::WorkingCopyMoved`] also where `look` found changes: they are recorded first.
    pub fn checkout(&mut self, look: &Look, to: &Base, files: &BTreeMap<String, Vec<u8>>) -> Result<Applied> {
        if !look.changes.is_empty() {
            return Err(Error::WorkingCopyMoved);
        }
        let known = self.manifest.iter().flat_map(|manifest| manifest.files.keys().chain(&manifest.owed));
        let known: BTreeSet<&String> = known.collect();
        let gone = known
            .into_iter()
            .filter(|path| !files.contains_key(*path))
            .map(|path| (path.clone(), Put::Nothing));
        let texts = files.iter().map(|(path, bytes)| (path.clone(), Put::Text(bytes)));
        let puts: Vec<_> = gone.chain(texts).collect();
        self.bring(look, to, &puts, true)
    }

    /// The text of a file that was looked at; `None` where something else stands there by now.
    ///
    /// # Errors
    /// What the medium says.
    pub fn read(&self, look: &Look, path: &str) -> Result<Option<Vec<u8>>> {
        let (Some(seen), Some((folder, name))) = (look.seen.get(path), scan::split(path)) else {
            return Ok(None);
        };
        let Some(mut folders) = self.folders()? else { return Ok(None) };
        let mut read = || match folders.get(folder, false)? {
            Some(folder) => folder.read(name).map(Some),
            None => Ok(None),
        };
        let found = read().map_err(|source| self.copy.failed("read", path, source))?;
        Ok(match found {
            Some(Found::File(file)) if file.sha256 == seen.sha256 => Some(file.bytes),
            _ => None,
        })
    }

    /// Notes the times of files that were read to tell that nothing had changed, so that they need not be read again.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn settle(&mut self, look: &Look) -> Result<()> {
        self.current(look)?;
        self.note_times(look);
        self.save()
    }

    fn bring(&mut self, look: &Look, to: &Base, puts: &[(String, Put<'_>)], whole: bool) -> Result<Applied> {
        let mut applied = Applied::default();
        let mut manifest = self.current(look)?.clone();
        let before = manifest.clone();
        // A part of the files cannot take the others to another branch.
        let whole = whole || (manifest.toward.is_none() && manifest.base.branch == to.branch);
        let mut begun: Vec<(UnderWay, Option<&[u8]>)> = Vec::new();
        for (path, put) in puts {
            if scan::split(path).is_none() {
                return Err(Error::NotInWorkingCopy(path.clone()));
            }
            let is_odd = look.is_left_alone(path) || before.is_under_way(path);
            let seen = look.seen.get(path);
            let from = seen.map(|seen| seen.sha256);
            let (to_be, bytes) = match put {
                Put::AsSeen => (from, None),
                Put::Nothing => (None, None),
                Put::Text(bytes) => (Some(Hash::of(bytes)), Some(*bytes)),
            };
            if is_odd {
                applied.moved.push(path.clone());
            } else if from == to_be {
                let settled = seen.and_then(|seen| seen.settled);
                set(
                    &mut manifest,
                    path,
                    to_be.map(|sha256| Known::of_tape(sha256, settled, Some(to.clone()))),
                );
            } else {
                let (stage, temporary) = (Stage::Begun, scan::temporary(path, 0));
                let (stood, base) = (before.base_of(path).clone(), to.clone());
                let merged = from.is_some_and(|from| !before.is_of_tape(path, from));
                let path = path.clone();
                begun
                    .push((UnderWay { stage, path, temporary, from, stood, merged, to: to_be, base }, bytes));
            }
        }
        // What goes makes room for what comes under a name that only case tells from it.
        begun.sort_by_key(|(item, _)| item.to.is_some());
        self.manifest = Some(manifest);
        self.note_times(look);
        self.keep_merged(look, &begun);
        let done = self.carry_out(look, to, puts, begun, &mut applied).and_then(|folders| {
            self.rest_on(&before, to, puts, &applied.moved, whole);
            self.note_blocked(look, puts, &applied.moved);
            match folders {
                Some(mut folders) => self.save_and_clear(&mut folders),
                None => self.save(),
            }
        });
        let Err(e) = done else { return Ok(applied) };
        // What the medium has is what counts, whatever was to be written.
        self.manifest = Manifest::load(&self.copy.dir, self.copy.manifest).unwrap_or_default();
        match is_read_only(&e) {
            true => Ok(Applied { lags: Some(e.to_string()), ..applied }),
            false => Err(e),
        }
    }

    /// Keeps the texts that the tape has only merged with others, for what the person makes of them.
    fn keep_merged(&mut self, look: &Look, begun: &[(UnderWay, Option<&[u8]>)]) {
        for (item, _) in begun.iter().filter(|(item, _)| item.merged) {
            let is_it = |change: &&scan::Change| change.aside.is_none() && change.path == item.path;
            let text = look.changes.iter().find(is_it).and_then(|change| change.bytes.clone());
            self.merged.extend(item.from.zip(text));
        }
    }

    /// Replaces files, each step of which can be taken up by the next writer.
    fn carry_out(
        &mut self,
        look: &Look,
        to: &Base,
        puts: &[(String, Put<'_>)],
        mut begun: Vec<(UnderWay, Option<&[u8]>)>,
        applied: &mut Applied,
    ) -> Result<Option<Folders<'c>>> {
        let recorded: Vec<_> = look
            .changes
            .iter()
            .filter(|change| change.aside.is_some() && puts.iter().any(|(path, _)| *path == change.path))
            .collect();
        if begun.is_empty() && recorded.is_empty() {
            return Ok(None);
        }
        let Some(mut folders) = self.folders()? else {
            applied.moved.extend(begun.into_iter().map(|(item, _)| item.path));
            return Ok(None);
        };
        for change in recorded {
            self.drop_aside(&mut folders, change)?;
        }
        for (item, _) in &mut begun {
            self.choose_names(&mut folders, item)?;
        }
        if begun.is_empty() {
            return Ok(Some(folders));
        }
        if let Some(manifest) = &mut self.manifest {
            manifest.under_way.extend(begun.iter().map(|(item, _)| item.clone()));
            manifest.toward.get_or_insert_with(|| to.clone());
        }
        self.save()?;
        let ran = begun.iter().try_for_each(|(item, bytes)| self.begin_one(&mut folders, item, *bytes));
        // Also what failed is brought to an end, as far as the medium lets it.
        let finished = self.finish(&mut folders);
        if let Err(e) = ran {
            finished.and_then(|_| self.save_and_clear(&mut folders))?;
            return Err(e);
        }
        applied.moved.extend(finished?);
        Ok(Some(folders))
    }

    fn begin_one(&self, folders: &mut Folders<'c>, item: &UnderWay, bytes: Option<&[u8]>) -> Result<()> {
        let Some((folder, name)) = scan::split(&item.path) else { return Ok(()) };
        let mut begin = || match folders.get(folder, item.to.is_some())? {
            Some(folder) => replace::begin(folder, item, name, bytes),
            None => Ok(()),
        };
        begin().map_err(|source| self.copy.failed("replace", &item.path, source))
    }

    /// Finishes what is under way, and says which files are not what they were to be.
    fn finish(&mut self, folders: &mut Folders<'c>) -> Result<Vec<String>> {
        let copy = self.copy;
        let Some(manifest) = &mut self.manifest else { return Ok(Vec::new()) };
        for folder in folders.open.values() {
            folder.sync().map_err(|source| copy.failed("sync", "a folder", source))?;
        }
        let mut moved = Vec::new();
        for mut item in std::mem::take(&mut manifest.under_way) {
            let Some((folder, name)) = scan::split(&item.path) else { continue };
            let failed = |source| copy.failed("finish replacing", &item.path, source);
            let is_absent =
                !folders.open.contains_key(folder) && folders.root.is_absent(folder).map_err(failed)?;
            let Some(opened) = folders.get(folder, false).map_err(failed)? else {
                moved.push(item.path.clone());
                // Where something else stands in the folder's place, nothing can be said before it is back.
                if !is_absent {
                    manifest.under_way.push(item);
                }
                continue;
            };
            if item.stage != Stage::Begun {
                manifest.under_way.push(item);
                continue;
            }
            let Finished { outcome, kept } = replace::finish(opened, &item, name).map_err(failed)?;
            let base = Some(item.base.clone());
            match outcome {
                Outcome::Done => {
                    set(manifest, &item.path, item.to.map(|sha256| Known::of_tape(sha256, None, base)));
                }
                Outcome::Fresh => set(manifest, &item.path, None),
                Outcome::Moved => {
                    if let Some(sha256) = item.from.filter(|_| item.merged) {
                        let (stat, base) = (None, Some(item.stood.clone()));
                        set(manifest, &item.path, Some(Known { sha256, stat, base, merged: true }));
                    }
                }
            }
            if outcome != Outcome::Done {
                moved.push(item.path.clone());
            }
            if kept || outcome != Outcome::Moved {
                item.stage = if kept { Stage::Kept } else { Stage::Spent };
                manifest.under_way.push(item);
            }
        }
        Ok(moved)
    }

    /// Writes the manifest, and then removes what came out of replacements that are over.
    fn save_and_clear(&mut self, folders: &mut Folders<'c>) -> Result<()> {
        self.save()?;
        self.clear(folders)
    }

    fn clear(&mut self, folders: &mut Folders<'c>) -> Result<()> {
        let copy = self.copy;
        let Some(manifest) = &mut self.manifest else { return Ok(()) };
        let mut late = false;
        for mut item in std::mem::take(&mut manifest.under_way) {
            let folder = scan::split(&item.path).map_or("", |(folder, _)| folder);
            let clear = |source| copy.failed("clear up after replacing", &item.path, source);
            let is_clear = match (item.stage, folders.get(folder, false).map_err(clear)?) {
                (Stage::Spent | Stage::Kept, Some(folder)) => replace::clear(folder, &item).map_err(clear)?,
                _ => false,
            };
            if is_clear {
                // The manifest on the medium still tells of it. Nothing is there any more, and the next write says so.
                continue;
            }
            if item.stage == Stage::Spent && folders.open.contains_key(folder) {
                item.stage = Stage::Kept;
                late = true;
            }
            manifest.under_way.push(item);
        }
        if late { self.save() } else { Ok(()) }
    }

    /// Removes a text that stood aside, now that it is recorded.
    fn drop_aside(&mut self, folders: &mut Folders<'c>, change: &scan::Change) -> Result<()> {
        let (Some(aside), Some((folder, _))) = (&change.aside, scan::split(&change.path)) else {
            return Ok(());
        };
        let mut drop = || {
            let Some(folder) = folders.get(folder, false)? else { return Ok(false) };
            let found = folder.read(aside)?;
            // It may still be open in an editor.
            let is_recorded = found.is(change.bytes.as_deref().map(Hash::of));
            if is_recorded {
                folder.remove(aside)?;
            }
            Ok(is_recorded || found.is(None))
        };
        let dropped = drop().map_err(|source| self.copy.failed("remove", aside, source))?;
        if let Some(manifest) = &mut self.manifest
            && dropped
        {
            let is_it = |item: &&mut UnderWay| [item.other(), item.third()].contains(aside);
            let items = manifest.under_way.iter_mut().filter(|item| item.path == change.path);
            items.filter(is_it).for_each(|item| item.stage = Stage::Spent);
        }
        Ok(())
    }

    /// Finds temporary names that nothing has.
    fn choose_names(&self, folders: &mut Folders<'c>, item: &mut UnderWay) -> Result<()> {
        let Some((folder, _)) = scan::split(&item.path) else { return Ok(()) };
        let failed = |source| self.copy.failed("look at", folder, source);
        let Some(opened) = folders.get(folder, false).map_err(failed)? else { return Ok(()) };
        let of_others = |names: &UnderWay| {
            self.manifest.iter().flat_map(|m| &m.under_way).any(|other| other.temporary == names.temporary)
        };
        let mut names = item.clone();
        for turn in 0.. {
            names.temporary = scan::temporary(&item.path, turn);
            let mut free = !of_others(&names);
            for name in [names.unfinished(), names.other(), names.third()] {
                free = free && opened.is_free(&name).map_err(failed)?;
            }
            if free {
                break;
            }
        }
        item.temporary = names.temporary;
        Ok(())
    }

    /// Says what the files stand on after a command.
    fn rest_on(
        &mut self,
        before: &Manifest,
        to: &Base,
        puts: &[(String, Put<'_>)],
        moved: &[String],
        whole: bool,
    ) {
        let Some(manifest) = &mut self.manifest else { return };
        for (path, _) in puts {
            manifest.owed.remove(path);
        }
        manifest.owed.extend(moved.iter().cloned());
        if whole {
            for (path, known) in &mut manifest.files {
                if moved.contains(path) && known.base.is_none() {
                    known.base = Some(before.base.clone());
                }
            }
            manifest.base = to.clone();
            manifest.toward = None;
        } else {
            manifest.toward.clone_from(&before.toward);
        }
        for known in manifest.files.values_mut() {
            if known.base.as_ref() == Some(&manifest.base) {
                known.base = None;
            }
        }
    }

    /// Notes where something else stands in the place of files that were to be written.
    fn note_blocked(&mut self, look: &Look, puts: &[(String, Put<'_>)], moved: &[String]) {
        let Some(manifest) = &mut self.manifest else { return };
        for (path, _) in puts {
            manifest.blocked.remove(path);
        }
        let blocked = moved.iter().filter(|path| look.is_left_alone(path));
        manifest.blocked.extend(blocked.cloned());
    }

    fn note_times(&mut self, look: &Look) {
        let Some(manifest) = &mut self.manifest else { return };
        for (path, seen) in &look.seen {
            if let Some(known) = manifest.files.get_mut(path)
                && known.sha256 == seen.sha256
            {
                known.stat = seen.settled;
            }
        }
    }

    fn current(&self, look: &Look) -> Result<&Manifest> {
        let manifest = self.manifest.as_ref().ok_or(Error::WorkingCopyMoved)?;
        match look.writes == Some(manifest.writes) {
            true => Ok(manifest),
            false => Err(Error::WorkingCopyMoved),
        }
    }

    fn folders(&self) -> Result<Option<Folders<'c>>> {
        let is_new = self.manifest.as_ref().is_none_or(|manifest| manifest.files.is_empty());
        let root = self.copy.open_root(is_new)?;
        Ok(root.map(|root| Folders { root, open: BTreeMap::new() }))
    }

    fn save(&mut self) -> Result<()> {
        match &mut self.manifest {
            Some(manifest) => {
                let copy = self.copy;
                manifest.save(&copy.dir, copy.manifest, &*copy.steps, copy.durability)
            }
            None => Ok(()),
        }
    }
}

fn set(manifest: &mut Manifest, path: &str, known: Option<Known>) {
    match known {
        Some(known) => manifest.files.insert(path.to_owned(), known),
        None => manifest.files.remove(path),
    };
}

/// Whether files cannot be written where they lie.
fn is_read_only(e: &Error) -> bool {
    let read_only = |kind| matches!(kind, ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied);
    matches!(e, Error::WorkingCopy { source, .. } if read_only(source.kind()))
}
