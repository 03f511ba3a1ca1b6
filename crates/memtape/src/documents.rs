//! Documents: the notes and files of a workspace as texts at paths, with ids, versions and conditional writes.
//!
//! A document is a note or a file. Its path is that of Anthropic's memory tool without `/memories`
//! ([`Toolbox::memory_tool`](crate::Toolbox::memory_tool)): `/facts/NAME.md` is a note (or any other configured
//! folder of notes), and any other path is that of a file.
//!
//! **Identity.** The id of a document is the entry that created it. A document that memtape moves keeps its id, also
//! if the move changes it from a note to a file. A document that is deleted and created again is a new one, and so
//! is the copy that a merge brings from another branch.
//!
//! **Versions.** Each group that changes a document makes one version of it. A version is never changed; only
//! [`Documents::redact`] removes its text.
//!
//! **Invariants.** A document contains the bytes that the caller wrote, except for secrets, which are redacted: the
//! summary of a note is not updated. A call writes one group, or nothing. The rules of notes and files hold: names,
//! audiences, quarantine.

mod history;
mod redaction;

use std::collections::BTreeMap;
use std::ops::Bound;

use jiff::Timestamp;
use memtape_core::forms::files::{self, FilesView};
use memtape_core::forms::notes;
use memtape_core::meta::{MOVED_FROM, MOVED_TO};
use memtape_core::path::is_normalized;
use memtape_core::{Audience, Context, Decision, Origin, Point, Session, bytes};
use memtape_index::Reader;
use memtape_store::Author;
use memtape_tape::{Draft, EntryId};

use self::history::History;
use crate::error::{Error, Result};
use crate::handle::writes_for_all;
use crate::safety::{admit, admit_name};
use crate::toolbox::memory_tool::move_all;
use crate::toolbox::memory_tool::paths::{Item, Tree, checked};
use crate::versions::FileVersion;
use crate::working_copy::notes::view_for;
use crate::workspace::{At, Workspace};

/// Maximum size of a document that is written here, in bytes.
pub const CONTENT_BYTES_MAX: usize = 100 << 10;
/// Maximum length of a path that is written here, in bytes.
pub const PATH_BYTES_MAX: usize = 1024;

/// A note or a file at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The entry that created it.
    pub id: EntryId,
    /// The last entry of the group that changed it last.
    pub version: EntryId,
    /// Its path, which begins with `/`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The id of a version of a document. Versions of a later group are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VersionId {
    /// The last entry of the group that made it.
    pub entry: EntryId,
    /// The id of the document.
    pub document: EntryId,
}

/// The kind of change that a version made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// It created the document.
    Created,
    /// It changed the text or the path.
    Modified,
    /// It deleted the document.
    Deleted,
}

/// A version of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentVersion {
    /// Its id.
    pub id: VersionId,
    /// The kind of change.
    pub operation: Operation,
    /// The path from then on; that of the deleted document if it was deleted; `None` if the version is redacted.
    pub path: Option<String>,
    /// The content from then on; `None` if the document was deleted or the version is redacted.
    pub bytes: Option<Vec<u8>>,
    /// The group that made it.
    pub change: FileVersion,
    /// The erasure that redacted it; `None` if the version is not redacted.
    pub redaction: Option<FileVersion>,
}

/// A condition on the current content of a document.
pub type Condition<'c> = &'c dyn Fn(&[u8]) -> bool;

/// The changes of an update; a field that is `None` is not changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Update<'u> {
    /// The new path.
    pub path: Option<&'u str>,
    /// The new content.
    pub content: Option<&'u str>,
}

/// The outcome of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The document is as requested. If it was so before, nothing was written.
    Done(Document),
    /// The condition does not hold. Nothing was written.
    Mismatch,
    /// Another document has the path. Nothing was written.
    Occupied {
        /// The id of that document.
        id: EntryId,
        /// Its path.
        path: String,
    },
}

/// The documents to list.
#[derive(Clone, Copy, Debug)]
pub struct DocumentFilter<'l> {
    /// The beginning of the paths, which ends with `/`; `/` lists all documents.
    pub prefix: &'l str,
    /// Whether to list only what is directly below the prefix: documents and folders.
    pub is_shallow: bool,
    /// Lists only what comes after this path.
    pub after: Option<&'l str>,
    /// Maximum number of documents and folders.
    pub limit: usize,
}

/// A document or a folder in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentOrFolder {
    /// A document.
    Document(Document),
    /// The path of a folder, which ends with `/`.
    Folder(String),
}

impl DocumentOrFolder {
    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Document(document) => &document.path,
            Self::Folder(path) => path,
        }
    }
}

/// A part of a list, and whether there is more.
pub type Page<T> = (Vec<T>, bool);

/// The documents of a workspace, for one audience.
pub struct Documents<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::options!(Documents: for_audience, in_session, writing_as);

impl Workspace {
    /// Returns the documents, for the owner.
    ///
    /// ```
    /// use memtape::documents::{Saved, Update};
    /// use memtape::{Options, Workspace};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let temporary = tempfile::tempdir()?;
    /// # let workspace = Workspace::init(temporary.path(), Options::default())?;
    /// let documents = workspace.documents();
    /// let Saved::Done(todo) = documents.create("/project/todo.md", "- ship it\n")? else { return Ok(()) };
    /// let update = Update { path: Some("/project/done.md"), ..Update::default() };
    /// documents.update(todo.id, update, Some(&|current| current == b"- ship it\n"))?;
    /// assert_eq!(documents.get(todo.id)?.path, "/project/done.md");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn documents(&self) -> Documents<'_> {
        let author = self.author(&Session::direct(), Origin::User);
        Documents { workspace: self, author, audience: Audience::owner() }
    }

    /// Returns the id of the workspace and when it was created. Both stay the same, and a copy of the workspace has
    /// the same.
    ///
    /// # Errors
    /// [`Error::Store`] if the index cannot be read.
    pub fn identity(&self) -> Result<(String, Timestamp)> {
        Ok(self.ask(|reader| Ok((reader.workspace(), reader.date(1)?)))?)
    }
}

/// The result of deciding a write.
enum Decided {
    Written,
    Saved(Saved),
}

impl Documents<'_> {
    /// Returns a document at the head.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if it does not exist or the audience does not see it; [`Error::Store`]
    /// if the index cannot be read.
    pub fn get(&self, id: EntryId) -> Result<Document> {
        self.get_at(id, &At::head())
    }

    fn get_at(&self, id: EntryId, at: &At) -> Result<Document> {
        self.read(at, |history, point| Ok(history.current(id, point)?.1))
    }

    /// Lists documents at the head, by path.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the prefix does not begin or end with `/`; [`Error::Store`] if the index cannot be
    /// read.
    pub fn list(&self, filter: &DocumentFilter<'_>) -> Result<Page<DocumentOrFolder>> {
        let DocumentFilter { prefix, is_shallow, after, limit } = *filter;
        if !prefix.starts_with('/') || !prefix.ends_with('/') {
            return Err(Error::Invalid(format!("invalid prefix {prefix:?}: it must begin and end with /")));
        }
        let folders = &self.workspace.config.notes.folders;
        self.read(&At::head(), |history, point| {
            let tree = Tree::read(history.reader, folders, &self.audience, point)?;
            let mut found = BTreeMap::new();
            for item in tree.items("") {
                let path = path_of(&item);
                let Some(rest) = path.strip_prefix(prefix) else { continue };
                match rest.find('/').filter(|_| is_shallow) {
                    Some(end) => found.insert(path[..=prefix.len() + end].to_owned(), None),
                    None => found.insert(path, Some(item)),
                };
            }
            let start = after.map_or(Bound::Unbounded, |after| Bound::Excluded(after.to_owned()));
            let mut rest = found.range((start, Bound::Unbounded));
            let mut listed = Vec::new();
            for (path, item) in rest.by_ref().take(limit) {
                listed.push(match item {
                    None => DocumentOrFolder::Folder(path.clone()),
                    Some(item) => match history.document(item, point)? {
                        Some(document) => DocumentOrFolder::Document(document),
                        None => continue,
                    },
                });
            }
            Ok((listed, rest.next().is_some()))
        })
    }

    /// Creates a document.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the audience is not the owner, or if the text or the path reads like an instruction
    ///   to a model and does not come from the owner.
    /// - [`Error::Invalid`], or [`Error::Store`] of kind `Invalid`, if the path is not valid, if it differs from
    ///   that of another document only in spelling, or if the content is longer than [`CONTENT_BYTES_MAX`].
    /// - [`Error::Store`] as for [`Workspace::write`].
    pub fn create(&self, path: &str, content: &str) -> Result<Saved> {
        self.owner()?;
        let item = self.item(path)?;
        self.admit_content(content)?;
        let folders = &self.workspace.config.notes.folders;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let history = History::new(reader, &self.audience, folders)?;
            if let Some(saved) = occupied(&history, &item, point)? {
                return Ok(Decision::nothing(Decided::Saved(saved)));
            }
            let drafts = edited(reader, point, &item, content.as_bytes(), ctx)?;
            Ok(Decision { drafts, outcome: Decided::Written })
        })?;
        let id = written.entries.iter().find(|entry| history::item_of(entry).as_ref() == Some(&item));
        self.saved(id.map(|entry| entry.id).unwrap_or_default(), written)
    }

    /// Changes the content or the path of a document, or both, if its current content fulfils a condition.
    ///
    /// If the document already is as requested, the condition does not matter.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if the document does not exist; otherwise as for
    /// [`Documents::create`].
    pub fn update(&self, id: EntryId, update: Update<'_>, condition: Option<Condition<'_>>) -> Result<Saved> {
        self.owner()?;
        let path = update.path.map(|path| self.item(path)).transpose()?;
        if let Some(content) = update.content {
            self.admit_content(content)?;
        }
        let folders = &self.workspace.config.notes.folders;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let history = History::new(reader, &self.audience, folders)?;
            let (from, current) = history.current(id, point)?;
            let to = path.as_ref().unwrap_or(&from);
            let content = update.content.filter(|new| *bytes::redacted(new.as_bytes()) != current.bytes);
            let decided = |saved| Ok(Decision::nothing(Decided::Saved(saved)));
            if content.is_none() && *to == from {
                return decided(Saved::Done(current));
            }
            if condition.is_some_and(|holds| !holds(&current.bytes)) {
                return decided(Saved::Mismatch);
            }
            if *to != from
                && let Some(saved) = occupied(&history, to, point)?
            {
                return decided(saved);
            }
            let drafts = match content {
                None => {
                    let tree = Tree::read(reader, folders, &Audience::owner(), point)?;
                    move_all(reader, point, &tree, vec![(from.clone(), to.clone())], ctx)?.drafts
                }
                Some(content) if *to == from => edited(reader, point, to, content.as_bytes(), ctx)?,
                Some(content) => replaced(reader, point, (&from, to), content.as_bytes(), ctx)?,
            };
            Ok(Decision { drafts, outcome: Decided::Written })
        })?;
        self.saved(id, written)
    }

    /// Deletes a document if its current content fulfils a condition, and returns whether it does.
    ///
    /// Its versions are kept.
    ///
    /// # Errors
    /// [`Error::Refused`] if the audience is not the owner; [`Error::Store`] of kind `NotFound` if the document
    /// does not exist; [`Error::Store`] as for [`Workspace::write`].
    pub fn delete(&self, id: EntryId, condition: Option<Condition<'_>>) -> Result<bool> {
        self.owner()?;
        let folders = &self.workspace.config.notes.folders;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let history = History::new(reader, &self.audience, folders)?;
            let (item, current) = history.current(id, point)?;
            if condition.is_some_and(|holds| !holds(&current.bytes)) {
                return Ok(Decision::nothing(false));
            }
            Ok(Decision { drafts: deleted(reader, point, &item, ctx)?, outcome: true })
        })?;
        Ok(written.outcome)
    }

    /// Returns versions, newest first: those of a document, or of all documents, as far as `is_wanted` accepts
    /// them.
    ///
    /// With `after`, only versions that come after that one in the list.
    ///
    /// # Errors
    /// [`Error::Store`] if the index or the tape cannot be read.
    pub fn versions(
        &self,
        document: Option<EntryId>,
        after: Option<VersionId>,
        limit: usize,
        is_wanted: impl Fn(&DocumentVersion) -> bool,
    ) -> Result<Page<DocumentVersion>> {
        self.read(&At::head(), |history, point| match document {
            Some(id) => history.versions_of(id, after, limit, &is_wanted, point),
            None => history.versions(after, limit, &is_wanted, point),
        })
    }

    /// Returns a version.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if there is no such version that the audience sees; [`Error::Store`] if
    /// the index or the tape cannot be read.
    pub fn version(&self, id: VersionId) -> Result<DocumentVersion> {
        self.read(&At::head(), |history, point| history.version(id, point))
    }

    fn read<T>(
        &self,
        at: &At,
        question: impl Fn(&History<'_>, &Point) -> memtape_index::Result<T>,
    ) -> Result<T> {
        let folders = &self.workspace.config.notes.folders;
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            question(&History::new(reader, &self.audience, folders)?, point)
        })
    }

    /// Returns the outcome of a write. A document that was written is read back.
    fn saved(&self, id: EntryId, written: memtape_store::Written<Decided>) -> Result<Saved> {
        match (written.outcome, written.entries.last()) {
            (Decided::Saved(saved), _) => Ok(saved),
            (Decided::Written, Some(last)) => Ok(Saved::Done(self.get_at(id, &At::entry(last.id))?)),
            (Decided::Written, None) => Ok(Saved::Done(self.get(id)?)),
        }
    }

    /// Refuses an audience that does not write for the whole workspace.
    fn owner(&self) -> Result<()> {
        writes_for_all(&self.audience, &self.author, "notes and files")
    }

    /// Parses the path of a document to write.
    fn item(&self, path: &str) -> Result<Item> {
        let refused = |why: &str| Error::Invalid(format!("invalid path: {why}"));
        if path.len() > PATH_BYTES_MAX {
            return Err(refused(&format!("it is {} bytes long, the limit is {PATH_BYTES_MAX}", path.len())));
        }
        if !is_normalized(path) {
            return Err(refused("it is not in Unicode Normalization Form C"));
        }
        let below = path.strip_prefix('/').ok_or_else(|| refused("it does not begin with /"))?;
        let below = checked(below).filter(|below| !below.is_empty());
        let below = below.ok_or_else(|| refused("expected a path such as /drafts/plan.md"))?;
        let item = Item::parse(below, &self.workspace.config.notes.folders)?;
        admit_name(below, &self.audience, self.author.origin)?;
        Ok(item)
    }

    fn admit_content(&self, content: &str) -> Result<()> {
        if content.len() > CONTENT_BYTES_MAX {
            return Err(Error::Invalid(format!(
                "the content is {} bytes long, the limit is {CONTENT_BYTES_MAX}",
                content.len()
            )));
        }
        admit(content, &self.audience, self.author.origin)
    }
}

/// Returns the path of a note or file as that of a document.
fn path_of(item: &Item) -> String {
    format!("/{}", item.below())
}

/// Returns the outcome of a write to the path of an existing document; `None` if there is none.
fn occupied(history: &History<'_>, item: &Item, point: &Point) -> memtape_index::Result<Option<Saved>> {
    let document = history.document(item, point)?;
    Ok(document.map(|Document { id, path, .. }| Saved::Occupied { id, path }))
}

/// Returns the entries that set the content of a note or file byte for byte.
fn edited(
    reader: &Reader<'_>,
    point: &Point,
    item: &Item,
    content: &[u8],
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    Ok(match item {
        Item::Note(path) => {
            let mut whole = None;
            notes::ops::edit(&*view_for(reader, path, ctx, &mut whole)?, path, content, ctx)?.drafts
        }
        Item::File(path) => {
            files::ops::edit(&reader.file(path, &Audience::owner(), point)?, path, content, ctx)?.drafts
        }
    })
}

/// Returns the entries that delete a note or file.
fn deleted(
    reader: &Reader<'_>,
    point: &Point,
    item: &Item,
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let owner = Audience::owner();
    Ok(match item {
        Item::Note(path) => notes::ops::delete(&reader.note_file(path, &owner, point)?, path, ctx)?.drafts,
        Item::File(path) => files::ops::delete(&reader.file(path, &owner, point)?, path, ctx)?.drafts,
    })
}

/// Returns the entries that move a note or file to a path where nothing exists, with another content. The reasons
/// by which [`History`] recognizes the move are those of a move without another content.
fn replaced(
    reader: &Reader<'_>,
    point: &Point,
    (from, to): (&Item, &Item),
    content: &[u8],
    ctx: &Context,
) -> memtape_index::Result<Vec<Draft>> {
    let because = |why: String| Context { reason: Some(why), ..ctx.clone() };
    let mut drafts = deleted(reader, point, from, &because(format!("{MOVED_TO}{to}")))?;
    let made = because(format!("{MOVED_FROM}{from}"));
    drafts.extend(match to {
        Item::Note(path) => {
            let mut view = reader.notes(&Audience::owner(), point)?;
            // The old path is deleted, so it does not collide with another spelling of it.
            if let Item::Note(from) = from {
                view.remove(from);
            }
            notes::ops::edit(&view, path, content, &made)?.drafts
        }
        Item::File(path) => {
            let others = reader.file_list(&Audience::owner(), point)?;
            let others = others.into_iter().map(|file| file.path);
            let others = others.filter(|other| !matches!(from, Item::File(from) if from == other));
            files::ops::edit(&FilesView::default().beside(others), path, content, &made)?.drafts
        }
    });
    Ok(drafts)
}
