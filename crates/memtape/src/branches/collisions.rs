//! Refuses changes of a merge, a reversal or a resolution after which two notes or files would have names that some
//! systems take for one, as writing such a note or file is refused. No working copy could contain both.

use std::collections::BTreeSet;
use std::fmt::Display;

use memtape_core::forms::files::FilePath;
use memtape_core::forms::notes::NotePath;
use memtape_core::merge::Change;
use memtape_core::{Audience, Error, Form, Point};
use memtape_index::{Reader, Result};

/// Returns an error if changes at a point create a note or a file whose name collides with another one.
pub(super) fn check(reader: &Reader<'_>, point: &Point, changes: &[Change]) -> Result<()> {
    check_notes(reader, point, changes)?;
    check_files(reader, point, changes)
}

fn check_notes(reader: &Reader<'_>, point: &Point, changes: &[Change]) -> Result<()> {
    let (created, deleted) = keys(changes, Form::NOTES);
    let mut new: BTreeSet<NotePath> = created.into_iter().filter_map(NotePath::of_key).collect();
    retain_new(&mut new, |path| Ok(!reader.note_sections(path, &Audience::owner(), point)?.is_empty()))?;
    if new.is_empty() {
        return Ok(());
    }
    let view = reader.notes(&Audience::owner(), point)?;
    // A note stays as long as one of its sections does.
    let stays = |path: &NotePath, section: &str| !deleted.contains(&*path.key(section));
    let staying = view.files().filter(|file| file.sections.iter().any(|of| stays(&file.path, &of.name)));
    let all: Vec<&NotePath> = staying.map(|file| &file.path).chain(&new).collect();
    refuse(&new, &all, |path, other| other != path && other.collision_key() == path.collision_key())
}

fn check_files(reader: &Reader<'_>, point: &Point, changes: &[Change]) -> Result<()> {
    let (created, deleted) = keys(changes, Form::FILES);
    let mut new: BTreeSet<FilePath> = created.into_iter().filter_map(|key| FilePath::new(key).ok()).collect();
    retain_new(&mut new, |path| Ok(reader.one_file(path, &Audience::owner(), point)?.is_some()))?;
    if new.is_empty() {
        return Ok(());
    }
    let listed = reader.file_list(&Audience::owner(), point)?;
    let staying = listed.iter().map(|file| &file.path).filter(|path| !deleted.contains(path.as_str()));
    let all: Vec<&FilePath> = staying.chain(&new).collect();
    refuse(&new, &all, |path, other| other.is_in_the_way_of(path))
}

/// Returns the keys of a form that get a version, and those that are left without one.
fn keys(changes: &[Change], form: Form) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let (mut created, mut deleted) = (BTreeSet::new(), BTreeSet::new());
    for change in changes.iter().filter(|change| change.merge_key.form() == form) {
        let keys = if change.creates.is_some() { &mut created } else { &mut deleted };
        keys.insert(change.merge_key.key.as_str());
    }
    (created, deleted)
}

/// Removes the paths that exist.
fn retain_new<P: Ord>(paths: &mut BTreeSet<P>, exists: impl Fn(&P) -> Result<bool>) -> Result<()> {
    for path in std::mem::take(paths) {
        if !exists(&path)? {
            paths.insert(path);
        }
    }
    Ok(())
}

/// Returns an error if one of the new paths collides with another path.
fn refuse<P: Display>(new: &BTreeSet<P>, all: &[&P], collide: impl Fn(&P, &P) -> bool) -> Result<()> {
    for path in new {
        if let Some(other) = all.iter().find(|other| collide(path, other)) {
            let why = format!("{path} collides with {other} on some systems: rename one of them first");
            return Err(Error::Conflict(why).into());
        }
    }
    Ok(())
}
