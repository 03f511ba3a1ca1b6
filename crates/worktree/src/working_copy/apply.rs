//! Writes the texts of the tape to the files.
//!
//! A replacement writes the new text under a temporary name (`.new`), checks the file once more, and exchanges the two;
//! the replaced text gets another temporary name (`.old`). The manifest lists all replacements before the first begins
//! and after the last is done, and the replaced texts are removed at the end. So the two names show how far each
//! replacement came, and an interrupted one is finished by the same steps as a new one.
//!
//! **Invariants.** Only a text that was scanned and recorded is replaced. A replaced text is removed only if it is that
//! text; any other text is a person's, and is kept until it is recorded.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::ErrorKind;

use memtape_tape::Hash;

use super::WorkingCopy;
use super::folder::{Folder, Found, Like, PRIVATE};
use super::manifest::{Base, BegunEdit, Known, Manifest, Replacement, Text};
use super::oddity::Odd;
use super::paths::{self, KEPT};
use super::replace::{Outcome, choose_name, finish_one, replace_one};
use super::scan::{Change, Look, Seen, What};
use crate::error::{Error, Result};

/// The working copy in the hands of the one writer.
pub struct Writing<'c> {
    copy: &'c WorkingCopy,
    manifest: Option<Manifest>,
    /// The hash of the tape's last entry.
    hash: Hash,
    failed: BTreeMap<String, String>,
}

impl<'c> Writing<'c> {
    /// Loads the manifest, and finishes interrupted work.
    pub(super) fn begin(copy: &'c WorkingCopy) -> Result<Self> {
        let mut writing =
            Self { copy, manifest: copy.manifest()?, hash: Hash::ZERO, failed: BTreeMap::new() };
        writing.recover()?;
        Ok(writing)
    }

    /// Returns the last known state of the files; `None` before [`Self::assume`].
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Sets the hash of the tape's last entry, which the manifest states with its base.
    pub fn set_hash(&mut self, hash: Hash) {
        self.hash = hash;
    }

    /// Returns the files that could not be written, each with the reason. They are pending; the next writer tries again.
    #[must_use]
    pub fn failed(&self) -> &BTreeMap<String, String> {
        &self.failed
    }

    /// Looks at the files.
    ///
    /// # Errors
    /// [`Error::WorkingCopy`] if the root cannot be opened.
    pub fn look(&self) -> Result<Look> {
        self.copy.scan(self.manifest.as_ref())
    }

    /// Creates a manifest without changing a file. Each file counts as the text that `view` has for it, so another text
    /// is an edit. If the tape had that text before, `known` returns where, which becomes the file's base. A file that
    /// is in `view` and not in the directories is pending, not deleted.
    ///
    /// # Errors
    /// [`Error::WorkingCopy`] if the root cannot be opened, or the manifest not written.
    pub fn assume(
        &mut self,
        base: &Base,
        view: &BTreeMap<String, Hash>,
        mut known: impl FnMut(&str, &Hash) -> Option<Base>,
    ) -> Result<()> {
        let mut manifest = Manifest::new(base.clone(), self.hash, self.copy.root_name());
        if let Some(before) = &self.manifest {
            manifest.modes.clone_from(&before.modes);
        }
        manifest.pending = view.keys().cloned().collect();
        for (path, seen) in self.copy.scan(None)?.seen {
            let current = view.get(&path);
            let older = if current == Some(&seen.sha256) { None } else { known(&path, &seen.sha256) };
            let sha256 = if older.is_some() { Some(seen.sha256) } else { current.copied() };
            let Some(sha256) = sha256 else { continue };
            match older {
                Some(_) => manifest.pending.insert(path.clone()),
                None => manifest.pending.remove(&path),
            };
            let base = older.unwrap_or_else(|| base.clone());
            manifest.files.insert(path, Known { sha256, stat: None, base, text: None });
        }
        self.manifest = Some(manifest);
        self.save()
    }

    /// Writes to the manifest which edits are about to be recorded, so that what a person does next is compared with them
    /// even if this command cannot write the manifest again.
    ///
    /// # Errors
    /// [`Error::WorkingCopy`] if the manifest cannot be written. Nothing should be recorded then.
    pub fn begin_edits<'e>(&mut self, changes: impl IntoIterator<Item = &'e Change>) -> Result<()> {
        let Some(manifest) = &mut self.manifest else { return Ok(()) };
        // A renamed file has the text that the tape has.
        let is_edit = |change: &&Change| change.is_in_place() && !matches!(change.what, What::Renamed { .. });
        let begun = |change: &Change| {
            let sha256 = change.bytes.as_deref().map(Hash::of);
            let text = change.clean().map(|text| text.to_vec().into());
            (change.path.clone(), BegunEdit { sha256, text })
        };
        manifest.edits = changes.into_iter().filter(is_edit).map(begun).collect();
        if manifest.edits.is_empty() {
            return Ok(());
        }
        let saved = self.save();
        if let (Err(_), Some(manifest)) = (&saved, &mut self.manifest) {
            manifest.edits.clear();
        }
        saved
    }

    /// Returns the edits of which an interrupted command left open whether it recorded them.
    #[must_use]
    pub fn begun_edits(&self) -> Vec<Change> {
        let Some(manifest) = &self.manifest else { return Vec::new() };
        let change = |(path, edit): (&String, &BegunEdit)| {
            let known = manifest.files.get(path);
            let what = match (known, &edit.text) {
                (None, _) => What::New,
                (Some(_), Some(_)) => What::Edited,
                (Some(_), None) => What::Deleted,
            };
            let bytes = edit.text.as_ref().map(|text| text.as_bytes().to_vec());
            let base_text = known.and_then(|known| known.text.as_ref());
            Change::new(path.clone(), what, bytes, manifest.base_of(path), base_text)
        };
        manifest.edits.iter().map(change).collect()
    }

    /// Ends the recording of edits without changing a file. Each file counts as its edit from now on, if that was recorded.
    ///
    /// # Errors
    /// [`Error::WorkingCopy`] if the manifest cannot be written.
    pub fn end_edits<'e>(&mut self, changes: impl IntoIterator<Item = &'e Change>) -> Result<()> {
        let Some(manifest) = &mut self.manifest else { return Ok(()) };
        let mut edits = std::mem::take(&mut manifest.edits);
        for change in changes.into_iter().filter(|change| change.is_recorded) {
            if let Some(edit) = edits.remove(&change.path) {
                manifest.end_edit(&change.path, edit);
            }
        }
        self.save()
    }

    /// Leaves a file as it is until the next writer: it is pending, with this reason.
    pub fn fail(&mut self, path: &str, e: &Error) {
        self.failed.insert(path.to_owned(), reason(e));
    }

    /// Updates files to their texts at `to`; `None` deletes a file. A path that is not listed has the same text at `to`
    /// as at the manifest's base. Returns the files that were not changed, because a person changed them meanwhile,
    /// because their change is not recorded, because something else blocks their path, or because they could not be
    /// written ([`Self::failed`]).
    ///
    /// # Errors
    /// [`Error::NotInWorkingCopy`] for another path; [`Error::WorkingCopyMoved`] without a manifest;
    /// [`Error::WorkingCopy`] if the manifest or the root cannot be written. The next writer finishes the work.
    pub fn apply(
        &mut self,
        look: &Look,
        to: &Base,
        puts: &BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<BTreeSet<String>> {
        if let Some(path) = puts.keys().find(|path| paths::split(path).is_none()) {
            return Err(Error::NotInWorkingCopy(path.clone()));
        }
        let applied = self.try_apply(look, to, puts);
        if applied.is_err() {
            // The manifest on the disk counts, whatever was about to be written.
            self.manifest = self.copy.manifest().unwrap_or_default();
        }
        applied
    }

    /// Reads a file that was looked at; `None` if it has changed since.
    ///
    /// # Errors
    /// [`Error::WorkingCopy`] if it cannot be read.
    pub fn read(&self, look: &Look, path: &str) -> Result<Option<Vec<u8>>> {
        let Some(seen) = look.seen.get(path) else { return Ok(None) };
        Ok(match self.copy.in_folder("read", path, false, Folder::read)? {
            Some(Found::File(file)) if file.sha256 == seen.sha256 => Some(file.bytes),
            _ => None,
        })
    }

    /// Writes a text to a new file beside a file: `NAME.kept`, or `NAME.kept2` and so on if that has another text. Who may
    /// not read the file may not read that either. Returns its path.
    ///
    /// # Errors
    /// [`Error::WorkingCopy`] if it cannot be written.
    pub fn keep_beside(&self, path: &str, text: &[u8]) -> Result<String> {
        let mut kept = format!("{path}{KEPT}");
        let like = Like { file: path.rsplit('/').next().unwrap_or(path), otherwise: Some(PRIVATE) };
        for turn in 2.. {
            let written = self.copy.in_folder("keep the text of", &kept, true, |folder, name| {
                match folder.write(name, text, like) {
                    // A command that could not replace the file has kept it already.
                    Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                        Ok(folder.read(name)?.is(Some(Hash::of(text))))
                    }
                    other => other.and_then(|_| folder.sync()).map(|()| true),
                }
            })?;
            if written.unwrap_or_default() {
                break;
            }
            kept = format!("{path}{KEPT}{turn}");
        }
        Ok(kept)
    }

    /// Notes the metadata of unchanged files that had to be read, so that the next look need not read them.
    ///
    /// # Errors
    /// [`Error::WorkingCopy`] if the manifest cannot be written.
    pub fn record_metadata(&mut self, look: &Look) -> Result<()> {
        self.note_metadata(look);
        self.save()
    }

    fn note_metadata(&mut self, look: &Look) {
        let Some(manifest) = &mut self.manifest else { return };
        for (path, known) in &mut manifest.files {
            if let Some(seen) = look.seen.get(path).filter(|seen| seen.sha256 == known.sha256) {
                known.stat = seen.stat;
            }
        }
        for path in look.seen.keys() {
            match look.modes.get(path) {
                Some(mode) => manifest.modes.insert(path.clone(), *mode),
                None => manifest.modes.remove(path),
            };
        }
    }

    fn try_apply(
        &mut self,
        look: &Look,
        to: &Base,
        puts: &BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<BTreeSet<String>> {
        self.note_metadata(look);
        let manifest = self.manifest.as_mut().ok_or(Error::WorkingCopyMoved)?;
        let before = manifest.base.clone();
        let unrecorded = look.changes.iter().filter(|change| !change.is_recorded).map(|change| &change.path);
        // What stands in the place of a file does not keep it from being deleted: it is gone. Without the root, nobody
        // knows what is there.
        let put = puts.iter().filter(|(_, bytes)| bytes.is_some() || look.is_without_root());
        let blocked = put.map(|(path, _)| path).filter(|path| look.in_place_of(path).is_some());
        // A replacement that could not be finished comes first.
        let unfinished = manifest.replacements.iter().filter(|item| !item.is_done).map(|item| &item.path);
        let failed = puts.keys().filter(|path| self.failed.contains_key(*path));
        let mut moved: BTreeSet<String> =
            unrecorded.chain(blocked).chain(unfinished).chain(failed).cloned().collect();
        // What is recorded and not replaced is no edit again.
        for change in look.changes.iter().filter(|change| change.is_recorded && change.is_in_place()) {
            if moved.contains(&change.path)
                && let Some(edit) = manifest.edits.remove(&change.path)
            {
                manifest.end_edit(&change.path, edit);
            }
        }
        let mut same = Vec::new();
        let mut begun: Vec<(Replacement, Option<&[u8]>)> = Vec::new();
        for (path, bytes) in puts.iter().filter(|(path, _)| !moved.contains(*path)) {
            let seen = look.seen.get(path);
            let (from, new) = (seen.map(|seen| seen.sha256), bytes.as_deref().map(Hash::of));
            if from == new {
                let known = |seen: &Seen| Known {
                    sha256: seen.sha256,
                    stat: seen.stat,
                    base: to.clone(),
                    text: None,
                };
                same.push((path, seen.map(known)));
                continue;
            }
            let known = manifest.files.get(path).filter(|known| Some(known.sha256) == from);
            let from_text = match known {
                Some(known) => known.text.clone(),
                None => recorded_text(look, path),
            };
            let item = Replacement {
                path: path.clone(),
                temporary: paths::temporary(path, 0),
                from,
                from_base: manifest.base_of(path).clone(),
                from_text,
                to: new,
                base: to.clone(),
                is_done: false,
            };
            begun.push((item, bytes.as_deref()));
        }
        // A deleted file makes room for one whose name differs only in case.
        begun.sort_by_key(|(item, _)| item.to.is_some());
        self.forget_recorded(look);
        if !begun.is_empty() {
            moved.extend(self.replace(begun)?);
        }
        let Some(manifest) = &mut self.manifest else { return Ok(moved) };
        for (path, known) in same {
            manifest.set(path, known);
        }
        for (path, known) in &mut manifest.files {
            if known.base == before && !moved.contains(path) {
                known.base = to.clone();
            }
        }
        manifest.base = to.clone();
        manifest.hash = self.hash;
        manifest.edits.clear();
        manifest.pending.retain(|path| !puts.contains_key(path));
        manifest.pending.extend(moved.iter().cloned());
        self.save()?;
        self.clear()?;
        Ok(moved)
    }

    /// Drops replaced texts that are recorded by now.
    fn forget_recorded(&mut self, look: &Look) {
        let Some(manifest) = &mut self.manifest else { return };
        for change in look.changes.iter().filter(|change| change.is_recorded) {
            for item in &mut manifest.replacements {
                if item.path == change.path && Some(item.old_name()) == change.aside {
                    item.from = change.bytes.as_deref().map(Hash::of);
                }
            }
        }
    }

    /// Replaces files, and returns those that were not.
    fn replace(&mut self, mut begun: Vec<(Replacement, Option<&[u8]>)>) -> Result<Vec<String>> {
        let copy = self.copy;
        let Some(manifest) = &mut self.manifest else { return Ok(Vec::new()) };
        if manifest.files.is_empty() {
            let made =
                copy.steps.before("create the root").and_then(|()| std::fs::create_dir_all(&copy.root));
            made.map_err(|source| copy.failed("create", ".", source))?;
        }
        let mut moved = Vec::new();
        let mut listed: HashSet<String> =
            manifest.replacements.iter().map(|item| item.temporary.clone()).collect();
        begun.retain_mut(|(item, _)| {
            let is_listed = |name: &str| listed.contains(name);
            let path = item.path.clone();
            manifest.pending.insert(path.clone());
            manifest.edits.remove(&path);
            match copy.in_folder("look at", &path, false, |folder, _| choose_name(folder, item, is_listed)) {
                Ok(_) => {
                    listed.insert(item.temporary.clone());
                    manifest.replacements.push(item.clone());
                }
                // The other files can be replaced nevertheless.
                Err(e) => {
                    self.failed.insert(path.clone(), reason(&e));
                    manifest.set(&path, item.known_before());
                    moved.push(path);
                    return false;
                }
            }
            true
        });
        self.save()?;
        for (done, (item, bytes)) in (1..).zip(&begun) {
            let is_new = bytes.is_some();
            let mode = self.manifest.as_ref().and_then(|manifest| mode_of(manifest, &begun, item));
            let replaced = copy.in_folder("replace", &item.path, is_new, |folder, name| {
                replace_one(folder, item, name, *bytes, mode)
            });
            // The other files can be replaced nevertheless.
            if let Err(e) = replaced {
                self.failed.insert(item.path.clone(), reason(&e));
            }
            (copy.progress)(done, begun.len() as u64);
        }
        moved.extend(self.finish()?);
        Ok(moved)
    }

    /// Finishes what a killed command left.
    fn recover(&mut self) -> Result<()> {
        let is_any =
            |is_done| self.manifest.iter().flat_map(|m| &m.replacements).any(|i| i.is_done == is_done);
        let (is_unfinished, is_unclear) = (is_any(false), is_any(true));
        if !is_unfinished && !is_unclear {
            return Ok(());
        }
        self.follow_moved_folders()?;
        if is_unfinished {
            self.finish()?;
            self.save()?;
        }
        self.clear()
    }

    /// Finds the replacements whose directory was moved since, by their temporary names, so that they are finished there:
    /// what they wrote is no person's text. The files are pending under the old paths and the new ones.
    fn follow_moved_folders(&mut self) -> Result<()> {
        let Some(manifest) = &mut self.manifest else { return Ok(()) };
        let look = self.copy.scan(Some(&*manifest))?;
        let mut moved: BTreeMap<String, String> = BTreeMap::new();
        for odd in look.oddities.iter().filter(|odd| odd.why == Odd::Leftover) {
            let Some((place, name)) = odd.path.rsplit_once('/') else { continue };
            let is_it = |item: &&Replacement| item.new_name() == name || item.old_name() == name;
            let Some(item) = manifest.replacements.iter().find(is_it) else { continue };
            // Something else may be in the place of a directory now.
            let is_absent =
                !matches!(self.copy.in_folder("look at", &item.path, false, |_, _| Ok(())), Ok(Some(())));
            if let Some((folder, _)) = item.path.rsplit_once('/').filter(|_| is_absent) {
                moved.insert(folder.to_owned(), place.to_owned());
            }
        }
        for item in &mut manifest.replacements {
            if let Some((folder, name)) = item.path.rsplit_once('/')
                && let Some(place) = moved.get(folder)
            {
                item.path = format!("{place}/{name}");
                if !item.is_done {
                    manifest.pending.insert(item.path.clone());
                }
            }
        }
        Ok(())
    }

    /// Finds out what became of each replacement, and returns the files that were not replaced.
    fn finish(&mut self) -> Result<Vec<String>> {
        let copy = self.copy;
        let Some(manifest) = &mut self.manifest else { return Ok(Vec::new()) };
        let (mut moved, mut finished) = (Vec::new(), BTreeMap::new());
        for mut item in std::mem::take(&mut manifest.replacements) {
            if item.is_done {
                manifest.replacements.push(item);
                continue;
            }
            let outcome = copy.in_folder("finish replacing", &item.path, false, |folder, name| {
                Ok((finish_one(folder, &item, name)?, !folder.is_free(&item.old_name())?))
            });
            let (outcome, has_come_out) = match outcome {
                Ok(outcome) => outcome.unwrap_or((Outcome::NotDone, false)),
                Err(e) => {
                    self.failed.insert(item.path.clone(), reason(&e));
                    moved.push(item.path.clone());
                    manifest.replacements.push(item);
                    continue;
                }
            };
            if outcome == Outcome::Done {
                self.failed.remove(&item.path);
                let known = |sha256| Known { sha256, stat: None, base: item.base.clone(), text: None };
                manifest.set(&item.path, item.to.map(known));
            } else {
                moved.push(item.path.clone());
                // What a file was created with while nothing had its name may not be based on the text before.
                let is_fresh = outcome == Outcome::Fresh;
                manifest.set(&item.path, item.known_before().filter(|_| !is_fresh));
            }
            finished
                .insert(item.path.rsplit_once('/').map(|(folder, _)| folder.to_owned()), item.path.clone());
            item.is_done = true;
            if has_come_out {
                manifest.replacements.push(item);
            }
        }
        for path in finished.values() {
            copy.in_folder("sync the directory of", path, false, |folder, _| folder.sync())?;
        }
        Ok(moved)
    }

    /// Removes replaced texts once the manifest records the replacements; a text that is not recorded is kept.
    fn clear(&mut self) -> Result<()> {
        let Some(manifest) = &mut self.manifest else { return Ok(()) };
        for item in std::mem::take(&mut manifest.replacements) {
            if !item.is_done {
                manifest.replacements.push(item);
                continue;
            }
            let cleared = self.copy.in_folder("clear up after replacing", &item.path, false, |folder, _| {
                let old = item.old_name();
                match folder.read(&old)? {
                    Found::Absent => Ok(true),
                    found if found.is(item.from) || found.is(item.to) => folder.remove(&old).map(|()| true),
                    _ => Ok(false),
                }
            });
            // If the directory cannot be opened, the next writer tries again; the other files are cleared up.
            let is_clear = cleared.unwrap_or(Some(false));
            // The manifest on the disk still lists it, and nothing has the name; the next manifest drops it.
            match (is_clear, item.to) {
                (Some(false), _) => manifest.replacements.push(item),
                (_, None) => self.copy.remove_empty_folders(&item.path),
                _ => {}
            }
        }
        Ok(())
    }

    fn save(&mut self) -> Result<()> {
        self.manifest.as_mut().map_or(Ok(()), |manifest| self.copy.save(manifest))
    }
}

/// Returns the permissions that a created file has at most, if they are known: those of the file that had the name
/// before, or of the one that is deleted with the same text, as if it was moved.
fn mode_of(manifest: &Manifest, begun: &[(Replacement, Option<&[u8]>)], item: &Replacement) -> Option<u32> {
    let moved = || {
        // Deletions come first.
        let mut deleted = begun.iter().map(|(other, _)| other).take_while(|other| other.to.is_none());
        let from = deleted.find(|other| other.from == item.to)?;
        manifest.modes.get(&from.path)
    };
    manifest.modes.get(&item.path).or_else(moved).copied()
}

/// Returns why a file could not be written.
fn reason(e: &Error) -> String {
    match e {
        Error::WorkingCopy { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}

/// Returns a person's text of a file as it was recorded.
fn recorded_text(look: &Look, path: &str) -> Option<Text> {
    let change = look.changes.iter().find(|change| change.path == path && change.is_in_place())?;
    change.is_recorded.then(|| change.clean().unwrap_or_default().to_vec().into())
}
