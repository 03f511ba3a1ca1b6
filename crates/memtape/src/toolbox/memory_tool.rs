//! Anthropic's memory tool (`memory_20250818`) over the notes and files of a workspace.
//!
//! Claude knows one tool, `memory`, with six commands. Their names, arguments and replies are Anthropic's, word
//! for word. The commands see the workspace as a directory `/memories`, which [`paths`] defines; [`text`] views
//! and edits the text of a file.
//!
//! **Invariants.** A command writes one group, or nothing. A file contains the bytes that the caller wrote,
//! except for secrets, which are redacted, and the summary of a note, which is updated. The rules of notes and
//! files hold: limits, names, audiences, quarantine.

pub(crate) mod paths;
mod text;

use std::collections::BTreeSet;
use std::sync::Arc;

use memtape_core::forms::files::{self, FilesView};
use memtape_core::forms::notes::entry::Act;
use memtape_core::forms::notes::{self, Limits};
use memtape_core::journal::call as journal_call;
use memtape_core::meta::{MOVED_FROM, MOVED_TO};
use memtape_core::safety::render::neutralise;
use memtape_core::safety::secrets;
use memtape_core::{Audience, Context, Decision, Point, bytes};
use memtape_index::Reader;
use memtape_store::{Author, ToolCall};
use serde::Deserialize;
use serde_json::Value;

use self::paths::{Item, Tree, below_root};
use super::Toolbox;
use crate::bulk::quarantined;
use crate::error::{Error, Result};
use crate::handle::writes_for_all;
use crate::safety::{admit, admit_name, redacted};
use crate::working_copy::notes::view_for;
use crate::workspace::At;

/// The name of the tool, as Anthropic defines it.
const NAME: &str = "memory";

/// A command, as Claude passes it.
#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum Command {
    View { path: String, view_range: Option<[i64; 2]> },
    Create { path: String, file_text: String },
    StrReplace { path: String, old_str: String, new_str: Option<String> },
    Insert { path: String, insert_line: i64, insert_text: String },
    Delete { path: String },
    Rename { old_path: String, new_path: String },
}

impl Toolbox<'_> {
    /// Runs a command of Anthropic's memory tool (`memory_20250818`) and returns its reply.
    ///
    /// `command` is the `input` of Claude's call of the tool: `view`, `create`, `str_replace`, `insert`,
    /// `delete` or `rename`, with the arguments that Anthropic documents. The reply, or the text of the error, is
    /// the content of the result to send back. The tool is not in [`Toolbox::list`], because Claude knows it
    /// without a schema.
    ///
    /// `/memories/facts/NAME.md` and `/memories/episodes/NAME.md` are notes (or whichever folders are
    /// configured); any other path is that of a file, such as `/memories/progress.md` or
    /// `/memories/project/data.json`. The names of files end in one of the
    /// [endings of texts](memtape_core::path::ENDINGS).
    ///
    /// ```
    /// use memtape::{Options, Workspace};
    /// use serde_json::json;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let temporary = tempfile::tempdir()?;
    /// # let workspace = Workspace::init(temporary.path(), Options::default())?;
    /// let path = "/memories/project/todo.md";
    /// let create = json!({"command": "create", "path": path, "file_text": "- ship it\n"});
    /// assert_eq!(workspace.tools().memory_tool(create)?, format!("File created successfully at: {path}"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`Error::Invalid`] if the command or its arguments are malformed, or if it writes and the point is not the head.
    /// - [`Error::Refused`] if it writes and the toolbox is read-only or the audience is not the owner, or if its text reads like an
    ///   instruction to a model and does not come from the owner.
    /// - [`Error::NotFound`], or [`Error::Store`] of kind `NotFound`, if the path does not exist, or the text to
    ///   replace is not in the file.
    /// - [`Error::Store`] of kind `Conflict` if the path exists already, or the text to replace occurs more than
    ///   once; of kind `Invalid` if the form refuses the path or the text.
    /// - [`Error::Store`] as for [`Workspace::write`](crate::Workspace::write).
    ///
    /// A long input is cut in the message ([`shortened`](crate::error::shortened)), because a model reads it.
    pub fn memory_tool(&self, command: Value) -> Result<String> {
        self.run_command(command).map_err(Error::with_short_message)
    }

    fn run_command(&self, command: Value) -> Result<String> {
        if !command.is_object() {
            return Err(Error::Invalid("a command of the memory tool must be a JSON object".into()));
        }
        let call = Arc::new(ToolCall::new(NAME, journal_call::input(&command), self.expected.clone()));
        let name = command["command"].as_str().unwrap_or_default().to_owned();
        let recorded = self.workspace.config.journal_reads.then(|| command.clone());
        let command: Command = super::arguments(command)?;
        let author = self.workspace.author(&self.session, self.origin);
        let author = Author { call: Some(call), ..author };
        let tool = MemoryTool { toolbox: self, author };
        let is_reading = matches!(command, Command::View { .. });
        if !is_reading {
            tool.check_writable(&name)?;
        }
        let reply = match command {
            Command::View { path, view_range } => tool.view(&path, view_range),
            Command::Create { path, file_text } => tool.create(&path, &file_text),
            Command::StrReplace { path, old_str, new_str } => {
                tool.str_replace(&path, &old_str, &new_str.unwrap_or_default())
            }
            Command::Insert { path, insert_line, insert_text } => {
                tool.insert(&path, insert_line, &insert_text)
            }
            Command::Delete { path } => tool.delete(&path),
            Command::Rename { old_path, new_path } => tool.rename(&old_path, &new_path),
        }?;
        if let Some(recorded) = recorded.filter(|_| is_reading) {
            self.record_reading(NAME, &recorded, &reply);
        }
        Ok(reply)
    }
}

/// The tool as one agent calls it.
struct MemoryTool<'a> {
    toolbox: &'a Toolbox<'a>,
    author: Author,
}

/// A change of a file's text.
struct Edited {
    /// The bytes before the change; `None` if there was no file.
    before: Option<Vec<u8>>,
    /// The kinds of the secrets that were redacted.
    secrets: BTreeSet<&'static str>,
}

impl MemoryTool<'_> {
    /// Refuses a command that writes where the caller may only read.
    fn check_writable(&self, command: &str) -> Result<()> {
        if !self.toolbox.at.is_head() {
            return Err(Error::Invalid(format!("{command} writes: it cannot be called at an earlier point")));
        }
        if self.toolbox.is_read_only {
            return Err(Error::Refused(format!("{command} writes, and only reading is allowed")));
        }
        writes_for_all(&self.toolbox.audience, &self.author, "notes and files")
    }

    /// Lists a directory, or shows the lines of a file.
    fn view(&self, path: &str, range: Option<[i64; 2]>) -> Result<String> {
        let missing =
            || Error::NotFound(format!("The path {path} does not exist. Please provide a valid path."));
        let below = below_root(path).ok_or_else(missing)?;
        let item = self.item(below).ok();
        let Toolbox { workspace, session, audience, at, .. } = self.toolbox;
        let (content, listing) = workspace.read(at, audience, session, |reader, point| {
            let content = match &item {
                Some(item) => item.content(reader, audience, point)?,
                None => None,
            };
            let listing = match content {
                Some(_) => None,
                None => self.tree(reader, audience, point)?.list(below),
            };
            Ok((content, listing))
        })?;
        if let Some(content) = content {
            return Ok(text::view(path, &String::from_utf8_lossy(&content), range)?);
        }
        let listing = listing.ok_or_else(missing)?;
        // A model reads the names, so prompt markup in them is neutralised.
        Ok(neutralise(&listing).into_owned())
    }

    /// Creates a file. If the configuration allows it, an existing one is replaced.
    fn create(&self, path: &str, content: &str) -> Result<String> {
        let exists = || memtape_core::Error::Conflict(format!("Error: File {path} already exists"));
        let below = below_root(path).ok_or_else(|| unusable(path))?;
        if below.is_empty() {
            return Err(exists().into());
        }
        let item = self.item(below)?;
        self.admit_path(below)?;
        let overwrites = self.toolbox.workspace.config.memory_tool_overwrite;
        let edited = self.edit(&item, content, Act::Write, |before| match before {
            Some(_) if !overwrites => Err(exists()),
            _ => Ok(content.as_bytes().to_vec()),
        })?;
        Ok(self.reply(format!("File created successfully at: {path}"), edited.secrets))
    }

    /// Replaces the one occurrence of a text.
    fn str_replace(&self, path: &str, old: &str, new: &str) -> Result<String> {
        let missing = || {
            let message = format!("Error: The path {path} does not exist. Please provide a valid path.");
            memtape_core::Error::NotFound(message)
        };
        let item = below_root(path).and_then(|below| self.item(below).ok()).ok_or_else(missing)?;
        let edited = self.edit(&item, new, Act::Patch, |before| {
            text::replaced(path, before.ok_or_else(missing)?, old, new)
        })?;
        let Toolbox { workspace, session, .. } = self.toolbox;
        // Redaction and the summary of a note may have changed the text, so it is read back.
        let after = workspace.read(&At::head(), &Audience::owner(), session, |reader, point| {
            item.content(reader, &Audience::owner(), point)
        })?;
        let [before, after] = [edited.before, after].map(Option::unwrap_or_default);
        let snippet = text::snippet(&String::from_utf8_lossy(&before), &String::from_utf8_lossy(&after));
        Ok(self.reply(format!("The memory file has been edited.{snippet}"), edited.secrets))
    }

    /// Inserts lines after a line.
    fn insert(&self, path: &str, line: i64, inserted: &str) -> Result<String> {
        let missing = || memtape_core::Error::NotFound(format!("Error: The path {path} does not exist"));
        let item = below_root(path).and_then(|below| self.item(below).ok()).ok_or_else(missing)?;
        let edited = self.edit(&item, inserted, Act::Patch, |before| {
            text::inserted(before.ok_or_else(missing)?, line, inserted)
        })?;
        Ok(self.reply(format!("The file {path} has been edited."), edited.secrets))
    }

    /// Deletes a file, or every file below a directory.
    fn delete(&self, path: &str) -> Result<String> {
        let below = below_root(path);
        self.write(|reader, point, ctx| {
            let owner = Audience::owner();
            let tree = self.tree(reader, &owner, point)?;
            let mut drafts = Vec::new();
            for item in found(&tree, path, below)? {
                drafts.extend(match item {
                    Item::Note(path) => notes::ops::delete(tree.notes(), &path, ctx)?.drafts,
                    Item::File(path) => {
                        let view = reader.file(&path, &owner, point)?;
                        files::ops::delete(&view, &path, ctx)?.drafts
                    }
                });
            }
            Ok(Decision { drafts, outcome: () })
        })?;
        Ok(format!("Successfully deleted {path}"))
    }

    /// Moves a file, or every file below a directory.
    fn rename(&self, old_path: &str, new_path: &str) -> Result<String> {
        let (old, new) = (below_root(old_path), below_root(new_path).ok_or_else(|| unusable(new_path))?);
        self.admit_path(new)?;
        self.write(|reader, point, ctx| {
            let tree = self.tree(reader, &Audience::owner(), point)?;
            let items = found(&tree, old_path, old)?;
            if tree.contains(new) {
                let message = format!("Error: The destination {new_path} already exists");
                return Err(memtape_core::Error::Conflict(message).into());
            }
            let old = old.unwrap_or_default();
            if new.strip_prefix(old).is_some_and(|rest| rest.starts_with('/')) {
                let message = format!("Error: The path {old_path} cannot be renamed to a path below it");
                return Err(memtape_core::Error::Invalid(message).into());
            }
            let mut moves = Vec::new();
            for item in items {
                let to = format!("{new}{}", &item.below()[old.len()..]);
                moves.push((item, self.item(&to)?));
            }
            move_all(reader, point, &tree, moves, ctx)
        })?;
        Ok(format!("Successfully renamed {old_path} to {new_path}"))
    }

    /// Changes the text of a file, or creates it. `passed` is the text that the caller passed.
    fn edit(
        &self,
        item: &Item,
        passed: &str,
        act: Act,
        change: impl Fn(Option<&[u8]>) -> memtape_core::Result<Vec<u8>>,
    ) -> Result<Edited> {
        admit(passed, &self.toolbox.audience, self.toolbox.origin)?;
        self.write(|reader, point, ctx| {
            let before = item.content(reader, &Audience::owner(), point)?;
            if let Some(before) = before.as_ref().filter(|_| act == Act::Patch) {
                bytes::check_editable(&item.below(), before)?;
            }
            let after = change(before.as_deref())?;
            let clean = bytes::redacted(&after);
            let secrets = match *clean == after {
                true => BTreeSet::new(),
                false => {
                    secrets::find(&String::from_utf8_lossy(&after)).iter().map(|found| found.kind).collect()
                }
            };
            let decision = match item {
                Item::Note(path) => {
                    let mut whole = None;
                    let view = view_for(reader, path, ctx, &mut whole)?;
                    notes::ops::put(&view, path, &clean, act, &Limits::default(), ctx)?.map(drop)
                }
                Item::File(path) => {
                    let view = reader.file(path, &Audience::owner(), point)?;
                    files::ops::replace(&view, path, &clean, ctx)?.map(drop)
                }
            };
            Ok(decision.map(|()| Edited { before, secrets }))
        })
    }

    /// Appends the entries that a closure decides, in one group with the record of the call.
    fn write<T>(
        &self,
        decide: impl FnMut(&Reader<'_>, &Point, &Context) -> memtape_index::Result<Decision<T>>,
    ) -> Result<T> {
        Ok(self.toolbox.workspace.write(&self.author, decide)?.outcome)
    }

    /// Refuses a path that reads like an instruction to a model.
    fn admit_path(&self, below: &str) -> Result<()> {
        Ok(admit_name(below, &self.toolbox.audience, self.toolbox.origin)?)
    }

    fn item(&self, below: &str) -> memtape_core::Result<Item> {
        Item::parse(below, &self.toolbox.workspace.config.notes.folders)
    }

    fn tree(
        &self,
        reader: &Reader<'_>,
        audience: &Audience,
        point: &Point,
    ) -> memtape_index::Result<Tree<'_>> {
        Tree::read(reader, &self.toolbox.workspace.config.notes.folders, audience, point)
    }

    /// Returns a reply, with a line about the secrets that were redacted.
    fn reply(&self, reply: String, secrets: BTreeSet<&'static str>) -> String {
        if secrets.is_empty() {
            return reply;
        }
        let warning = redacted(secrets);
        let reply = format!("{reply}\nWarning: {warning}");
        self.toolbox.workspace.store.note(warning);
        reply
    }
}

/// Returns the error for a path at which nothing can be created.
fn unusable(path: &str) -> memtape_core::Error {
    memtape_core::Error::Invalid(format!(
        "Error: The path {path} is not valid: expected a path such as {}/progress.md",
        paths::ROOT
    ))
}

/// Returns the file at a path, or all files below it. `below` is the path relative to the root, if it is valid.
fn found(tree: &Tree<'_>, path: &str, below: Option<&str>) -> memtape_core::Result<Vec<Item>> {
    let missing = || memtape_core::Error::NotFound(format!("Error: The path {path} does not exist"));
    let below = below.ok_or_else(missing)?;
    if below.is_empty() {
        let message = format!("Error: The directory {path} cannot be deleted or renamed");
        return Err(memtape_core::Error::Refused(message));
    }
    let items = tree.items(below);
    match items.is_empty() && tree.contains(below) {
        true => Err(memtape_core::Error::Refused(format!(
            "Error: The directory {path} is empty, and it always exists: it is a folder of notes"
        ))),
        false if items.is_empty() => Err(missing()),
        false => Ok(items),
    }
}

/// Returns the entries that move files to paths where nothing exists.
pub(crate) fn move_all(
    reader: &Reader<'_>,
    point: &Point,
    tree: &Tree<'_>,
    moves: Vec<(Item, Item)>,
    ctx: &Context,
) -> memtape_index::Result<Decision<()>> {
    let owner = Audience::owner();
    let notes = tree.notes();
    let mut moved = Vec::new();
    let mut files = Vec::new();
    let mut drafts = Vec::new();
    let because = |why: String| Context { reason: Some(why), ..ctx.clone() };
    for (from, to) in moves {
        let (deleting, made) = (because(format!("{MOVED_TO}{to}")), because(format!("{MOVED_FROM}{from}")));
        match (from, to) {
            (Item::Note(from), Item::Note(to)) => {
                drafts.extend(notes::ops::rename(notes, &from, &to, ctx)?.drafts);
            }
            (Item::File(from), Item::File(to)) => {
                files.extend(reader.one_file(&from, &owner, point)?);
                moved.push((from, to));
            }
            // Between the forms, a text keeps its bytes, but not its history: undo restores the old path.
            (Item::Note(from), Item::File(to)) => {
                let note = notes.file(&from)?;
                let view = FilesView::default().beside(tree.files());
                drafts.extend(notes::ops::delete(notes, &from, &deleting)?.drafts);
                let mark = note.sections.iter().find_map(|section| section.quarantined.as_deref());
                let (bytes, origins) = (note.bytes(), note.origins());
                drafts.extend(files::ops::edit_keeping(&view, &to, &bytes, origins, mark, &made)?.drafts);
            }
            (Item::File(from), Item::Note(to)) => {
                let view = reader.file(&from, &owner, point)?;
                let file = view.file(&from)?;
                drafts.extend(files::ops::delete(&view, &from, &deleting)?.drafts);
                let made = made.adopting(file.origin);
                let writes = notes::ops::edit(notes, &to, &file.bytes, &made)?.drafts;
                let marked = writes.into_iter().map(|draft| quarantined(draft, file.quarantined.as_deref()));
                drafts.extend(marked.collect::<Result<Vec<_>, _>>()?);
            }
        }
    }
    if !moved.is_empty() {
        let view = files.into_iter().collect::<FilesView>().beside(tree.files());
        drafts.extend(files::ops::rename_all(&view, &moved, ctx)?.drafts);
    }
    Ok(Decision { drafts, outcome: () })
}
