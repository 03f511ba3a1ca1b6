//! One look at the files, and what follows of it: what a person did is recorded, and the files are brought to the tape.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use memtape_core::Decision;
use memtape_core::bytes;
use memtape_core::merge3::merge3;
use memtape_store::working_copy::{Applied, Base, Change, Look, Put, What, Writing};
use memtape_store::{Alone, Error, Moved, Notice, Reader, Result};
use memtape_tape::{ErrorKind, Hash};

use super::kind::{Edit, Kind};
use super::{point_at, status};
use crate::safety::guard;
use crate::workspace::Workspace;

/// What a file is to be.
enum Due {
    /// This text.
    Text(Vec<u8>),
    /// What it was when it was looked at: only secrets tell it from what the tape has.
    AsSeen,
    /// Gone.
    Nothing,
}

impl Due {
    fn put(&self) -> Put<'_> {
        match self {
            Self::Text(text) => Put::Text(text),
            Self::AsSeen => Put::AsSeen,
            Self::Nothing => Put::Nothing,
        }
    }
}

/// One look at the files.
pub(super) struct Following<'f, 'w, 's> {
    workspace: &'w Workspace,
    kind: &'static dyn Kind,
    alone: &'f mut Alone<'s>,
    writing: &'f mut Writing<'w>,
    look: Look,
    /// What the files stand on, but for those that say otherwise.
    base: Base,
    /// The branch that an interrupted command was to bring them to.
    unfinished: Option<String>,
    /// The branch that they are to be of.
    wanted: String,
    /// Whether the files lose the secrets that a person typed into them.
    redacts: bool,
}

impl<'f, 'w, 's> Following<'f, 'w, 's> {
    /// Looks at the files of a working copy that has a manifest.
    pub(super) fn new(
        workspace: &'w Workspace,
        kind: &'static dyn Kind,
        alone: &'f mut Alone<'s>,
        writing: &'f mut Writing<'w>,
        redacts: bool,
    ) -> Result<Self> {
        let mut look = writing.look()?;
        let mut base = look.base.clone().ok_or(Error::WorkingCopyMoved)?;
        let unfinished = writing.unfinished().cloned();
        let wanted = alone.read(|reader| reader.default_branch(reader.head()))?;
        // The name of a branch that was deleted may be another one's by now.
        let mut called = |base: &Base| alone.read(|reader| reader.branch_called(&base.branch, base.entry));
        base.branch = called(&base)?;
        for change in &mut look.changes {
            change.base.branch = called(&change.base)?;
        }
        let unfinished = unfinished.as_ref().map(&mut called).transpose()?;
        Ok(Self { workspace, kind, alone, writing, look, base, unfinished, wanted, redacts })
    }

    /// Records and applies what was found; whether nothing is left to do.
    pub(super) fn step(mut self) -> Result<bool> {
        let changes = std::mem::take(&mut self.look.changes);
        let dues = self.record(&changes)?;
        // What could not be recorded stays as it is.
        self.look.changes = changes.into_iter().filter(|change| dues.contains_key(&change.path)).collect();
        let toward = self.unfinished.clone().unwrap_or_else(|| self.base.branch.clone());
        let (kind, since) = (self.kind, self.base.entry);
        let moved = self.alone.read(|reader| kind.moved(reader, &toward, since))?;
        if self.look.changes.is_empty() {
            if self.unfinished.is_some() || self.base.branch != self.wanted {
                let to = if self.unfinished.is_some() { toward } else { self.wanted.clone() };
                return self.checkout(to);
            }
            if moved.is_nothing() && self.look.owed.is_empty() && self.holding_secrets()?.is_empty() {
                if self.look.settles > 0 {
                    self.writing.settle(&self.look)?;
                }
                return Ok(true);
            }
        }
        self.apply(toward, &moved, dues)
    }

    /// Records what a person did, and says what each file is to be. A change that the form does not take is told.
    fn record(&mut self, changes: &[Change]) -> Result<BTreeMap<String, Due>> {
        let mut dues = BTreeMap::new();
        // What goes makes room for what only its spelling tells from it.
        let (gone, rest): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.bytes.is_none());
        let (renamed, rest): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|change| matches!(change.what, What::Renamed { .. }));
        self.record_together(gone, &mut dues)?;
        for change in renamed {
            self.record_some(&[change], &mut dues)?;
        }
        self.record_together(rest, &mut dues)?;
        Ok(dues)
    }

    /// Records changes as one group for each branch. Of two texts for one file each is recorded upon the other.
    fn record_together(&mut self, mut rest: Vec<&Change>, dues: &mut BTreeMap<String, Due>) -> Result<()> {
        while !rest.is_empty() {
            let mut paths = BTreeSet::new();
            let first = rest[0].base.branch.clone();
            let (now, later): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|change| change.base.branch == first && paths.insert(change.path.clone()));
            rest = later;
            match self.record_some(&now, dues) {
                // One of them is none: each for itself.
                Err(e) if is_refusal(&e) => {
                    for change in now {
                        self.record_some(&[change], dues)?;
                    }
                }
                other => other?,
            }
        }
        Ok(())
    }

    /// Records changes of one branch as one group.
    fn record_some(&mut self, changes: &[&Change], dues: &mut BTreeMap<String, Due>) -> Result<()> {
        let Some(first) = changes.first() else { return Ok(()) };
        let branch = self.writable(&first.base.branch)?;
        if let What::Renamed { from } = &first.what {
            self.rename(from, first, &branch)?;
            dues.insert(from.clone(), Due::Nothing);
        }
        let kind = self.kind;
        let mut standing = Vec::new();
        let author = self.workspace.editor(&branch);
        let written = self.alone.write(&author, |reader, given| {
            let bases: Vec<_> =
                changes.iter().map(|change| base_text(kind, reader, change)).collect::<Result<_>>()?;
            let texts: Vec<_> =
                changes.iter().map(|change| change.bytes.as_deref().map(bytes::redacted)).collect();
            let edits: Vec<_> = changes
                .iter()
                .zip(&bases)
                .zip(&texts)
                .map(|((change, base), text)| Edit { path: &change.path, base, text: text.as_deref() })
                .collect();
            let taken = kind.take_in(reader, &edits, given)?;
            standing = bases.into_iter().zip(taken.standing).collect();
            guard(Decision { drafts: taken.drafts, outcome: () }, reader)
        });
        match written {
            Ok(_) => {}
            Err(e) if is_refusal(&e) && changes.len() == 1 => {
                let why = format!("{} is left as it is: {e}", first.path);
                self.alone.note(Notice::FilesLag { what: self.kind.what(), why });
                return Ok(());
            }
            Err(e) => return Err(e),
        }
        for (change, (base, before)) in changes.iter().zip(standing) {
            let due = self.due_after(change, &branch, &base, before.as_deref())?;
            dues.insert(change.path.clone(), due);
        }
        Ok(())
    }

    /// Lets what stands in a file that was renamed keep its history, where nothing stands in their way.
    fn rename(&mut self, from: &str, change: &Change, branch: &str) -> Result<()> {
        let author = self.workspace.editor(branch);
        let kind = self.kind;
        let renamed = self.alone.write(&author, |reader, given| {
            let base = base_text(kind, reader, change)?;
            guard(kind.rename(reader, from, &change.path, &base, given)?, reader)
        });
        match renamed {
            Err(e) if is_refusal(&e) => Ok(()),
            other => other.map(|_| ()),
        }
    }

    /// What a file is to be after a person's change of it was recorded.
    fn due_after(
        &mut self,
        change: &Change,
        branch: &str,
        base: &[u8],
        before: Option<&[u8]>,
    ) -> Result<Due> {
        let text = self.text(branch, &change.path)?;
        let (Some(text), Some(edited)) = (text.clone(), &change.bytes) else {
            return Ok(text.map_or(Due::Nothing, Due::Text));
        };
        if !change.is_in_place() || text == *edited {
            return Ok(Due::Text(text));
        }
        let merged =
            before.map_or_else(|| edited.clone(), |before| merge3(base, before, edited).preferring_theirs());
        Ok(match has_secrets(&merged) && !self.redacts {
            true if merged == *edited => Due::AsSeen,
            true => Due::Text(merged),
            false => Due::Text(text),
        })
    }

    /// Brings files of the branch that they are of to what the tape has.
    fn apply(mut self, branch: String, moved: &Moved, mut dues: BTreeMap<String, Due>) -> Result<bool> {
        if self.look.changes.iter().any(|change| change.base.branch != branch) {
            // They were recorded where they belong; here they are what this branch has.
            dues.clear();
        }
        let mut paths: BTreeSet<String> = self.look.owed.iter().cloned().collect();
        paths.extend(self.holding_secrets()?);
        for change in &self.look.changes {
            paths.insert(change.path.clone());
            if let What::Renamed { from } = &change.what {
                paths.insert(from.clone());
            }
        }
        match moved {
            Moved::Files(files) => paths.extend(files.iter().cloned()),
            Moved::Any => {
                let known = self.writing.manifest().into_iter().flat_map(|manifest| manifest.files.keys());
                paths.extend(known.cloned());
                paths.extend(self.files_of(&branch)?.into_keys());
            }
        }
        for path in paths {
            if let Entry::Vacant(free) = dues.entry(path) {
                let due = self.due(&branch, free.key())?;
                free.insert(due);
            }
        }
        let puts: Vec<_> = dues.iter().map(|(path, due)| (path.clone(), due.put())).collect();
        let to = Base { branch, entry: self.alone.read(|reader| Ok(reader.head()))? };
        let applied = self.writing.apply(&self.look, &to, &puts)?;
        Ok(self.lags(applied))
    }

    /// Brings all files to a branch.
    fn checkout(mut self, branch: String) -> Result<bool> {
        let mut files = self.files_of(&branch)?;
        for (path, text) in &mut files {
            if let Some(own) = self.with_secrets(&branch, path, text)? {
                *text = own;
            }
        }
        let to = Base { branch, entry: self.alone.read(|reader| Ok(reader.head()))? };
        let applied = self.writing.checkout(&self.look, &to, &files)?;
        Ok(self.lags(applied))
    }

    /// The files that lose the secrets in them.
    fn holding_secrets(&mut self) -> Result<Vec<String>> {
        let Some(manifest) = self.writing.manifest().filter(|_| self.redacts) else { return Ok(Vec::new()) };
        let (kind, look) = (self.kind, &self.look);
        let mut holding = self.alone.read(|reader| status::holding_secrets(kind, reader, manifest, look))?;
        // A file that still stands on another branch is brought to this one first.
        holding.retain(|path| manifest.base_of(path).branch == self.base.branch);
        Ok(holding)
    }

    /// Says which files could not be written; whether that is so of all, and there is nothing more to do.
    fn lags(&mut self, applied: Applied) -> bool {
        for path in applied.moved {
            if let Some(by) = self.look.in_place_of(&path) {
                self.alone.note(Notice::FileBlocked { by: by.clone(), path });
            }
        }
        let lags = applied.lags.is_some();
        if let Some(why) = applied.lags {
            self.alone.note(Notice::FilesLag { what: self.kind.what(), why });
        }
        lags
    }

    /// What a file that nobody edited is to be.
    fn due(&mut self, branch: &str, path: &str) -> Result<Due> {
        let Some(text) = self.text(branch, path)? else { return Ok(Due::Nothing) };
        let own = self.with_secrets(branch, path, &text)?;
        Ok(Due::Text(own.unwrap_or(text)))
    }

    /// The text with the secrets that a person typed into the file, which the tape does not have; `None` where there
    /// are none.
    fn with_secrets(&mut self, branch: &str, path: &str, text: &[u8]) -> Result<Option<Vec<u8>>> {
        let Some(manifest) = self.writing.manifest().filter(|_| !self.redacts) else { return Ok(None) };
        let Some(known) = manifest.files.get(path) else { return Ok(None) };
        let (sha256, stood) = (known.sha256, manifest.base_of(path).clone());
        if stood.branch != branch {
            return Ok(None);
        }
        let kind = self.kind;
        let base = self.alone.read(|reader| text_at(kind, reader, &stood, path))?;
        let Some(base) = base.filter(|base| Hash::of(base) != sha256) else { return Ok(None) };
        let Some(standing) = self.writing.read(&self.look, path)? else { return Ok(None) };
        // Upon the text without its secrets, so that what others changed beside them is taken over.
        let merged = has_secrets(&standing).then(|| merge3(&base, text, &standing).preferring_theirs());
        Ok(merged)
    }

    /// What the tape has of a file on a branch now.
    fn text(&mut self, branch: &str, path: &str) -> Result<Option<Vec<u8>>> {
        let kind = self.kind;
        self.alone.read(|reader| {
            text_at(kind, reader, &Base { branch: branch.to_owned(), entry: reader.head() }, path)
        })
    }

    fn files_of(&mut self, branch: &str) -> Result<BTreeMap<String, Vec<u8>>> {
        let kind = self.kind;
        self.alone.read(|reader| kind.texts(reader, &reader.head_of(branch)?))
    }

    /// The branch that edits upon this one are recorded on: where it was deleted, the one that the files are to be of.
    fn writable(&mut self, branch: &str) -> Result<String> {
        let is_writable = self.alone.read(|reader| Ok(reader.writable(branch).is_ok()))?;
        Ok(if is_writable { branch.to_owned() } else { self.wanted.clone() })
    }
}

/// Whether a text holds what the tape does not get.
fn has_secrets(text: &[u8]) -> bool {
    *bytes::redacted(text) != *text
}

fn is_refusal(e: &Error) -> bool {
    matches!(e, Error::Core(_))
        && matches!(e.kind(), ErrorKind::Invalid | ErrorKind::Refused | ErrorKind::Conflict)
}

/// What the tape had of a file where it stood.
fn text_at(kind: &dyn Kind, reader: &Reader<'_>, base: &Base, path: &str) -> Result<Option<Vec<u8>>> {
    kind.text(reader, path, &point_at(reader, &base.branch, base.entry)?)
}

/// What a person's change is a change of.
fn base_text(kind: &dyn Kind, reader: &Reader<'_>, change: &Change) -> Result<Vec<u8>> {
    let path = match &change.what {
        What::New => return Ok(Vec::new()),
        What::Edited { made_of: Some(text) } => return Ok(bytes::redacted(text).into_owned()),
        What::Renamed { from } => from,
        What::Edited { made_of: None } | What::Deleted => &change.path,
    };
    Ok(text_at(kind, reader, &change.base, path)?.unwrap_or_default())
}
