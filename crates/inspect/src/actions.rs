//! Actions: each is one call of the library or of a tool, one commit, and can be taken back where it was done.

use maud::{Markup, html};
use memtape::branches::TASK_SESSIONS;
use memtape::ledger::{NewValue, Target, USER_SOURCE};
use memtape::{
    At, Audience, BlockName, CommitQuestion, EntryId, Error, Expected, FilePath, Form, NotePath, Ref,
    Resolution, Result, Workspace, line_end, with_line_ends,
};
use serde_json::json;

use crate::place::point;
use crate::request::{Request, link, path_of_inspector};
use crate::viewer::Viewer;

/// The commits that are looked at to find the one that an action made.
const COMMITS: usize = 20;

/// Performs an action.
type Perform = fn(&Action<'_>) -> Result<()>;

/// Every action by its name.
const ACTIONS: [(&str, Perform); 11] = [
    ("forget", forget),
    ("restore", restore),
    ("fact", edit_fact),
    ("block", edit_block),
    ("note", edit_note),
    ("file", edit_file),
    ("approve", approve),
    ("reject", reject),
    ("resolve", resolve),
    ("revert", revert),
    ("switch", switch),
];

/// A requested action.
struct Action<'a> {
    workspace: &'a Workspace,
    viewer: &'a Viewer,
    audience: Audience,
    request: &'a Request,
}

/// Performs the action of a name, and returns the page that reports it.
///
/// # Errors
/// [`Error::NotFound`] if there is no such action; [`Error::Refused`] if the viewer may only read;
/// [`Error::Invalid`] if the page was made for another branch; the errors of the action.
pub(crate) fn run(workspace: &Workspace, viewer: &Viewer, request: &Request, name: &str) -> Result<String> {
    let Some((_, perform)) = ACTIONS.iter().find(|(known, _)| *known == name) else {
        return Err(Error::NotFound(format!("there is no action {name:?}")));
    };
    if viewer.is_read_only {
        return Err(Error::Refused("this token may only read".into()));
    }
    let action = Action { workspace, viewer, audience: viewer.audience(workspace)?, request };
    let branches =
        workspace.branches().for_audience(action.audience.clone()).in_session(viewer.session.clone());
    let current = branches.current(&At::head())?;
    if name != "switch" && request.fields.get("on") != Some(current.as_str()) {
        let why = format!("the inspector is on branch {current:?} now: open the page again");
        return Err(Error::Invalid(why));
    }
    let before = workspace.journal().for_audience(action.audience.clone()).head()?;
    perform(&action)?;
    let done = action.commit_after(before, &current)?;
    let back = request.fields.get("back").and_then(path_of_inspector).unwrap_or(crate::ROOT);
    let separator = if back.contains('?') { '&' } else { '?' };
    Ok(match name {
        "switch" => back.to_owned(),
        _ => format!("{back}{separator}done={done}"),
    })
}

impl Action<'_> {
    fn field(&self, name: &str) -> Result<&str> {
        let missing = || Error::Invalid(format!("the form has no field {name:?}"));
        self.request.fields.get(name).ok_or_else(missing)
    }

    /// Returns a text of the form. Browsers send every line end as two characters.
    fn text(&self, name: &str) -> String {
        self.request.fields.get(name).unwrap_or_default().replace("\r\n", "\n")
    }

    /// Returns the text of the form with the line ends of the bytes that it replaces.
    ///
    /// # Errors
    /// [`Error::Invalid`] if they are not UTF-8: the page showed another text.
    fn text_for(&self, current: &[u8]) -> Result<String> {
        match std::str::from_utf8(current) {
            Ok(_) => Ok(with_line_ends(&self.text("text"), line_end(current))),
            Err(_) => Err(Error::Invalid("the text is not UTF-8: use an editor or the command line".into())),
        }
    }

    fn reference(&self) -> Result<Ref> {
        Ok(self.field("ref")?.parse()?)
    }

    fn entry(&self, name: &str) -> Result<EntryId> {
        self.request
            .fields
            .number(name)
            .ok_or_else(|| Error::Invalid(format!("the form has no number {name:?}")))
    }

    fn reason(&self) -> Option<String> {
        self.request.fields.get("reason").map(str::to_owned)
    }

    /// Returns the point of an entry on the branch of the action, also if another branch had its name then.
    fn at(&self, entry: EntryId) -> Result<At<'static>> {
        let head = self.workspace.at(&point(self.field("on")?, "head"))?;
        self.workspace.version_at(entry, &head, &self.audience)
    }

    /// Returns the commit that the viewer made after an entry; 0 if there is none.
    fn commit_after(&self, before: EntryId, branch: &str) -> Result<EntryId> {
        let question = CommitQuestion {
            audience: self.audience.clone(),
            limit: Some(COMMITS),
            ..CommitQuestion::default()
        };
        let at = self.workspace.at(&point(branch, "head"))?;
        let session = self.viewer.session.to_string();
        let commits = self.workspace.log(&question, &at)?;
        let own = commits.iter().filter(|commit| commit.entry > before);
        let own = own.filter(|commit| commit.session.as_deref() == Some(session.as_str()));
        Ok(own.map(|commit| commit.entry).max().unwrap_or_default())
    }

    /// Returns whether a commit is the last one that the viewer made, which is what an undo takes back.
    fn is_last(&self, entry: EntryId) -> Result<bool> {
        Ok(self.commit_after(entry.saturating_sub(1), self.field("on")?)? == entry)
    }

    /// Returns what must be so when the action is performed: the branch is that of the page.
    fn expected(&self) -> Result<Expected> {
        Ok(Expected { branch: self.field("on")?.to_owned(), memory: None, audience: self.audience.clone() })
    }

    /// Returns what must be so when a memory, or a whole note, is changed: its last change is the one that the page showed.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is not so already.
    fn expected_of(&self, reference: Ref) -> Result<Expected> {
        let current = self.workspace.last_change(&reference, &self.audience, &self.at_head()?)?;
        self.check_seen(current)?;
        Ok(Expected { memory: Some((reference, current)), ..self.expected()? })
    }

    /// Fails if the page showed another entry than the current one.
    fn check_seen(&self, current: EntryId) -> Result<()> {
        match self.entry("seen")? == current {
            true => Ok(()),
            false => Err(changed_since()),
        }
    }

    fn at_head(&self) -> Result<At<'static>> {
        self.workspace.at(&point(self.field("on")?, "head"))
    }

    fn ledger(&self) -> memtape::Ledger<'_> {
        let ledger = self.workspace.ledger().for_audience(self.audience.clone());
        ledger.in_session(self.viewer.session.clone()).because(self.reason())
    }

    fn blocks(&self) -> memtape::Blocks<'_> {
        let blocks = self.workspace.blocks().for_audience(self.audience.clone());
        blocks.in_session(self.viewer.session.clone()).because(self.reason())
    }

    fn notes(&self) -> memtape::Notes<'_> {
        let notes = self.workspace.notes().for_audience(self.audience.clone());
        notes.in_session(self.viewer.session.clone()).because(self.reason())
    }

    fn files(&self) -> memtape::Files<'_> {
        let files = self.workspace.files().for_audience(self.audience.clone());
        files.in_session(self.viewer.session.clone()).because(self.reason())
    }

    fn branches(&self) -> memtape::Branches<'_> {
        let branches = self.workspace.branches().for_audience(self.audience.clone());
        branches.in_session(self.viewer.session.clone()).because(self.reason())
    }
}

fn changed_since() -> Error {
    Error::Refused(
        "the memory was changed after the page was opened: open it again, and repeat your change".into(),
    )
}

/// Returns the reference of the whole note that a section belongs to, or that of another memory, without a version.
pub(crate) fn whole(reference: &Ref) -> Ref {
    let note = NotePath::of_key(&reference.key).filter(|_| reference.form == Form::NOTES);
    let key = note.map_or_else(|| reference.key.clone(), |note| note.to_string());
    Ref { form: reference.form, key, entry: None }
}

/// Forgets a memory by the tool, or removes its text from its note, or its file.
fn forget(action: &Action<'_>) -> Result<()> {
    let reference = action.reference()?;
    let expected = action.expected_of(Ref { entry: None, ..reference.clone() })?;
    match reference.form {
        Form::NOTES => {
            let path = note_path(&reference)?;
            let shown = action.workspace.show(&reference, &action.audience, &action.at_head()?)?;
            let sections: Vec<_> = shown.iter().map(|shown| shown.memory.id).collect();
            action.notes().only_if(expected).remove_sections(&path, &sections)?;
        }
        Form::FILES => {
            action.files().only_if(expected).delete(&FilePath::new(&reference.key)?)?;
        }
        _ => {
            let mut arguments = json!({"ref": reference.to_string()});
            if let Some(reason) = action.reason() {
                arguments["reason"] = reason.into();
            }
            let tools = action.viewer.tools(action.workspace)?.only_if(expected);
            tools.call("memory_forget", arguments)?;
        }
    }
    Ok(())
}

/// Restores a version: of a slot, as it was then; of a line or a statement, by taking back what removed it.
fn restore(action: &Action<'_>) -> Result<()> {
    let reference = action.reference()?;
    let missing = || Error::Invalid(format!("{reference} names no version"));
    let at = action.at(reference.entry.ok_or_else(missing)?)?;
    let expected = action.expected_of(whole(&reference))?;
    match reference.form {
        Form::LEDGER => {
            let fact = Ref { entry: None, ..reference };
            action.ledger().only_if(expected).restore(&Target::Ref(fact), &at)?;
        }
        Form::BLOCKS => {
            action.blocks().only_if(expected).restore(&BlockName::new(&reference.key)?, &at)?;
        }
        Form::NOTES => {
            action.notes().only_if(expected).restore(&note_path(&reference)?, &at)?;
        }
        Form::FILES => {
            action.files().only_if(expected).restore(&FilePath::new(&reference.key)?, &at)?;
        }
        _ => {
            let shown = action.workspace.show(&reference, &action.audience, &action.at_head()?)?;
            let removed = shown.iter().find_map(|shown| shown.retired_by);
            let removed = removed.ok_or_else(|| Error::Invalid(format!("{reference} is current already")))?;
            action.branches().only_if(expected).revert(&At::entry(removed))?;
        }
    }
    Ok(())
}

fn edit_fact(action: &Action<'_>) -> Result<()> {
    let reference = action.reference()?;
    let reference = Ref { entry: None, ..reference };
    let expected = action.expected_of(reference.clone())?;
    let value = NewValue {
        object: action.text("text"),
        confidence: memtape::ledger::ADDED_CONFIDENCE,
        source: USER_SOURCE.to_owned(),
        quarantined: None,
    };
    action.ledger().only_if(expected).update_ref(&reference, &value)?;
    Ok(())
}

fn edit_block(action: &Action<'_>) -> Result<()> {
    let reference = action.reference()?;
    let name = BlockName::new(&reference.key)?;
    let expected = action.expected_of(Ref { entry: None, ..reference })?;
    action.blocks().only_if(expected).set(&name, &action.text("text"), None)?;
    Ok(())
}

fn edit_note(action: &Action<'_>) -> Result<()> {
    let reference = action.reference()?;
    let path = note_path(&reference)?;
    let notes = action.notes().only_if(action.expected_of(whole(&reference))?);
    let current = notes.read(&path, &action.at_head()?)?.bytes();
    notes.write(&path, &action.text_for(&current)?)?;
    Ok(())
}

fn edit_file(action: &Action<'_>) -> Result<()> {
    let reference = action.reference()?;
    let path = FilePath::new(&reference.key)?;
    let files = action.files().only_if(action.expected_of(Ref { entry: None, ..reference })?);
    let current = files.read(&path, &action.at_head()?)?.bytes;
    files.write(&path, &action.text_for(&current)?)?;
    Ok(())
}

fn approve(action: &Action<'_>) -> Result<()> {
    let name = BlockName::new(action.field("name")?)?;
    action.blocks().only_if(action.expected()?).approve(&name, Some(action.entry("seen")?), false)?;
    Ok(())
}

fn reject(action: &Action<'_>) -> Result<()> {
    let name = BlockName::new(action.field("name")?)?;
    let proposal = Ref { form: Form::BLOCKS, key: format!("proposed/{name}"), entry: None };
    action.blocks().only_if(action.expected_of(proposal)?).reject(&name)
}

fn resolve(action: &Action<'_>) -> Result<()> {
    let how = match action.field("how")? {
        "ours" => Resolution::Ours,
        "theirs" => Resolution::Theirs,
        "both" => Resolution::Both,
        "value" => Resolution::Value(action.text("text")),
        other => return Err(Error::Invalid(format!("unknown resolution {other:?}"))),
    };
    let reference = action.reference()?;
    let current = Ref { entry: None, ..reference.clone() };
    let last = action.workspace.last_change(&current, &action.audience, &action.at_head()?)?;
    let open = action.workspace.open_conflicts(&action.audience, &action.at_head()?)?;
    // The other side does not change.
    if let Some(conflict) = open.into_values().flatten().find(|open| open.version() == reference) {
        action.check_seen(conflict.ours.map_or(0, |ours| ours.id.entry()))?;
    }
    let expected = Expected { memory: Some((current, last)), ..action.expected()? };
    action.branches().only_if(expected).resolve(&reference, &how)?;
    Ok(())
}

/// Takes back a commit by a revert. Only an undo opens a conflict again that the commit resolved.
fn revert(action: &Action<'_>) -> Result<()> {
    let entry = action.entry("entry")?;
    let shown = action.workspace.show_commit(&format!("@{entry}"), &action.audience, &action.at_head()?)?;
    let resolves = shown.commit.anchor.is_some_and(|anchor| !anchor.metadata.settles.is_empty());
    let branches = action.branches().only_if(action.expected()?);
    match resolves && action.is_last(entry)? {
        true => branches.undo()?,
        false => branches.revert(&At::entry(entry))?,
    };
    Ok(())
}

fn switch(action: &Action<'_>) -> Result<()> {
    action.branches().switch(action.field("branch")?, false)?;
    Ok(())
}

/// Returns the note that a section belongs to.
fn note_path(reference: &Ref) -> Result<NotePath> {
    NotePath::of_key(&reference.key)
        .ok_or_else(|| Error::Invalid(format!("{reference} is no part of a note")))
}

/// Returns whether a conversation is one of memtape's own tasks.
pub(crate) fn is_task(session: &str) -> bool {
    session.starts_with(TASK_SESSIONS)
}

/// Returns a button that sends its form.
pub(crate) fn button(text: &str, class: &str) -> Markup {
    html! { button.(class) type="submit" { (text) } }
}

/// Returns where the form of an action is sent.
pub(crate) fn target(name: &str) -> String {
    link(&format!("/do/{name}"), &[])
}
