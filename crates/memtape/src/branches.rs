//! Branches: lines of memory, one for each persona, and which conversation is on which branch.
//!
//! **Invariants.** A fork is one entry, however large its parent is. A name belongs to one branch at a time;
//! the name of a deleted branch can be reused for a new branch that shares nothing with the old one. A branch
//! that an audience forked belongs to that audience: others neither see it listed nor can switch to it, and
//! no reply reveals that it exists ([`name_in`]). Merging, picking, reverting and deleting change the memory
//! of several branches and are reserved for the owner.
//!
//! In reading order: this file, `merging` (merge and cherry-pick), `conflicts` (what they leave open),
//! `reverting` (revert and undo).

mod collisions;
mod conflicts;
mod merging;
mod note_files;
mod reverting;
mod writing;

use jiff::Timestamp;
use memtape_core::branch::{Delete, Fork, Switch, check_name, name_in, plain_name};
use memtape_core::commit::Commit;
use memtape_core::safety::render::neutral_line;
use memtape_core::{Audience, Branch, Decision, Error as CoreError, MAIN, Origin, Point, Scope, Session};
use memtape_index::Reader;
use memtape_store::{Author, Written};
use memtape_tape::{Entry, EntryId};

use crate::error::{Error, Result};
use crate::safety::{admit, admit_name};
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

pub use conflicts::{OpenConflict, Resolution, Resolved};
pub(crate) use conflicts::{contested, open as open_conflicts};
pub use merging::{Contested, MergeOutcome, RevertedTaking};
pub use reverting::Reverted;
pub(crate) use writing::drafts as drafts_of;

/// Maximum length of the description of a persona, in characters.
pub const PERSONA_CHARS_MAX: usize = 2000;

/// The beginning of the labels of sessions in which memtape itself works. They are no conversations, so no list has them.
pub const TASK_SESSIONS: &str = "memtape-task:";

/// The branches of a workspace, for one audience.
pub struct Branches<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// A branch in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchInfo {
    /// The name.
    pub name: String,
    /// The parent branch and the last entry that both share.
    pub parent: Option<(String, EntryId)>,
    /// The description of the persona, with markers of other prompt roles neutralised.
    pub persona: Option<String>,
    /// When it was forked; `None` for main.
    pub created_at: Option<Timestamp>,
    /// Number of groups since the fork that changed a memory; `None` unless the owner asks.
    pub commits: Option<u64>,
    /// Whether the asking conversation is on it.
    pub is_current: bool,
    /// Whether new conversations begin on it.
    pub is_default: bool,
    /// The conversations on it that the audience may know of.
    pub sessions: Vec<String>,
}

/// A commit that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The last entry of its group.
    pub entry: EntryId,
    /// The commit id of document 1.
    pub id: String,
}

crate::handle::options!(
    Branches: new, for_audience, in_session, because, writing_as, called_by, into_branch, home, only_if
);

impl Branches<'_> {
    /// Lists the branches that exist at a point and that the audience may know of, main first.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn list(&self, at: &At) -> Result<Vec<BranchInfo>> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let (entry, current) = (point.entry(), point.branch());
            let default = reader.default_branch(entry)?;
            let mut listed = Vec::new();
            let branches = reader.branches()?;
            for branch in branches {
                if !branch.is_open_at(entry) || !reader.knows(&self.audience, branch)? {
                    continue;
                }
                let created_at = branch.created.map(|id| reader.written(id)).transpose()?;
                let commits = match self.audience.is_owner() {
                    true => Some(reader.commits_on(&branch.name, entry)?),
                    false => None,
                };
                let mut sessions = reader.sessions_on(&branch.name, entry)?;
                sessions.retain(|session| !session.starts_with(TASK_SESSIONS));
                if !self.audience.is_owner() {
                    let own = self.author.session.to_string();
                    sessions.retain(|session| *session == own);
                }
                // The parent is hidden from an audience that may not know of it.
                let parent = match &branch.parent {
                    Some((name, _)) => branches.iter().find(|parent| parent.name == *name),
                    None => None,
                };
                let is_told = parent.map_or(Ok(true), |parent| reader.knows(&self.audience, parent))?;
                // The label with the entry names the parent even if another branch has its name now.
                let label = parent.map(|parent| parent.label().to_owned());
                listed.push(BranchInfo {
                    commits,
                    is_current: branch.name == current,
                    is_default: branch.name == default,
                    created_at: created_at.map(|(_, date)| date),
                    persona: branch.persona.as_deref().map(neutral_line),
                    name: branch.label().to_owned(),
                    parent: branch
                        .parent
                        .clone()
                        .filter(|_| is_told)
                        .map(|(name, entry)| (label.unwrap_or(name), entry)),
                    sessions,
                });
            }
            listed.sort_by_key(|branch| branch.name != MAIN);
            Ok(listed)
        })
    }

    /// Returns the names of the branches that exist at a point and that the audience may know of, main first.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn names(&self, at: &At) -> Result<Vec<String>> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let mut names = Vec::new();
            for branch in reader.branches()? {
                if branch.is_open_at(point.entry()) && reader.knows(&self.audience, branch)? {
                    names.push(branch.label().to_owned());
                }
            }
            names.sort_by_key(|name| name != MAIN);
            Ok(names)
        })
    }

    /// Returns the name of the branch that the conversation is on.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn current(&self, at: &At) -> Result<String> {
        self.workspace
            .read(at, &self.audience, &self.author.session, |_, point| Ok(point.branch().to_owned()))
    }

    /// Returns the name of the branch that the conversation is on, even if another one was set for all commands
    /// ([`Options::branch`](crate::Options::branch)).
    ///
    /// # Errors
    /// [`Error::Store`] if the index cannot be read.
    pub fn checked_out(&self) -> Result<String> {
        Ok(self.workspace.ask(|reader| reader.branch_of(&self.author.session, reader.head()))?)
    }

    /// Creates a branch at a point without switching to it, and returns its name.
    ///
    /// Unless the owner creates it, the name gets a suffix that marks the chat or person ([`name_in`]).
    ///
    /// # Errors
    /// - [`Error::Invalid`] if the persona is longer than [`PERSONA_CHARS_MAX`] characters.
    /// - [`Error::Refused`] if the persona reads like an instruction to a model and does not come from the
    ///   owner.
    /// - [`Error::Store`] of kind `Invalid` if the name is not allowed, of kind `Refused` if it reads like an
    ///   instruction to a model and does not come from the owner, of kind `Conflict` if it is taken.
    /// - [`Error::Store`] if `from` does not exist, and as for [`Workspace::write`].
    pub fn create(&self, name: &str, persona: Option<&str>, from: &At) -> Result<String> {
        self.fork(name, persona, from, false)
    }

    /// Creates a branch where the conversation is, and switches the conversation to it.
    ///
    /// # Errors
    /// See [`Branches::create`]. [`Error::Refused`] if a branch was set for all commands
    /// ([`Options::branch`](crate::Options::branch)).
    pub fn create_and_switch(&self, name: &str, persona: Option<&str>) -> Result<String> {
        self.refuse_to_leave(&name_in(&self.home()?, name))?;
        self.fork(name, persona, &At::head(), true)
    }

    fn fork(&self, name: &str, persona: Option<&str>, from: &At, switch: bool) -> Result<String> {
        check_name(name)?;
        admit_name(name, &self.audience, self.author.origin)?;
        let persona = persona.map(str::trim).filter(|persona| !persona.is_empty());
        if let Some(persona) = persona {
            admit(persona, &self.audience, self.author.origin)?;
            let count = persona.chars().count();
            if count > PERSONA_CHARS_MAX {
                return Err(Error::Invalid(format!(
                    "the description of a persona has {count} characters, and the limit is \
                     {PERSONA_CHARS_MAX}"
                )));
            }
        }
        let persona = persona.map(|persona| self.workspace.clean(persona).into_owned());
        let author = Author { scope: self.home()?, ..self.author.clone() };
        let given_as = name;
        let name = &name_in(&author.scope, given_as);
        self.workspace.write(&author, |reader, _, ctx| {
            for branch in reader.branches()?.iter().filter(|branch| branch.deleted.is_none()) {
                let is_taken = branch.name == *name
                    || (branch.name == given_as && reader.knows(&self.audience, branch)?);
                if is_taken {
                    return Err(self.name_taken(reader, branch)?.into());
                }
            }
            let from = self.workspace.point(reader, from, &self.audience, &ctx.session)?;
            let parent = self.any(reader, from.branch())?;
            // After the end of a deleted branch, its label may be that of another one.
            let at = from.entry().min(parent.deleted.unwrap_or(EntryId::MAX));
            let fork = Fork { parent: parent.label().to_owned(), at, persona: persona.clone() };
            let mut drafts = vec![fork.draft(name, &ctx.meta())?];
            if switch {
                drafts.push(Switch { branch: name.clone(), default: false }.draft(&ctx.meta())?);
            }
            Ok(Decision { drafts, outcome: () })
        })?;
        Ok(name.clone())
    }

    /// Returns why a name is taken, in terms that the audience may know.
    fn name_taken(&self, reader: &Reader<'_>, branch: &Branch) -> memtape_index::Result<CoreError> {
        let name = &branch.name;
        Ok(match reader.knows(&self.audience, branch)? {
            false => CoreError::Conflict(format!("the name {name:?} is already in use")),
            true => CoreError::Conflict(format!("branch {name:?} already exists"))
                .with_hint(Hint::SwitchBranch(name.clone())),
        })
    }

    /// Switches the conversation to a branch and returns whether that changes anything.
    ///
    /// With `default`, new conversations begin there as well.
    ///
    /// A branch can be named without the suffix of its chat or person if that is unambiguous; the audience's
    /// own branch takes precedence. The owner names another chat's branch in full, unless only the terminal's own
    /// conversation switches to it.
    ///
    /// # Errors
    /// - [`Error::Refused`] if `default` is set and the audience is not the owner, or if it is not set and another
    ///   branch was set for all commands ([`Options::branch`](crate::Options::branch)).
    /// - [`Error::Store`] of kind `NotFound` if there is no such branch, of kind `Refused` if it was deleted
    ///   or if a file of the working copy contains a secret that the switch would lose.
    /// - [`Error::Store`] as for [`Workspace::write`].
    pub fn switch(&self, name: &str, default: bool) -> Result<bool> {
        if default {
            self.owner("choose the branch of new conversations")?;
        }
        let name = &self.workspace.ask(|reader| {
            let name = self.target(reader, name, default)?;
            self.known(reader, &name)?;
            Ok(name)
        })?;
        match default {
            true => self.workspace.refuse_to_swap_secrets(name)?,
            false => self.refuse_to_leave(name)?,
        }
        // The entry belongs to the target branch, wherever the conversation is now.
        let author = Author { scope: self.home()?, branch: Some(name.clone()), ..self.author.clone() };
        let written = self.workspace.write(&author, |reader, _, ctx| {
            self.known(reader, name)?;
            let is_there = reader.branch_of(&ctx.session, reader.head())? == *name;
            if is_there && (!default || reader.default_branch(reader.head())? == *name) {
                return Ok(Decision::nothing(false));
            }
            let switch = Switch { branch: name.clone(), default };
            Ok(Decision { drafts: vec![switch.draft(&ctx.meta())?], outcome: true })
        })?;
        Ok(written.outcome)
    }

    /// Deletes a branch, so that nothing can be written to it any more, and returns the entry that deletes it.
    ///
    /// The tape keeps its entries.
    ///
    /// # Errors
    /// [`Error::Refused`] if the audience is not the owner; [`Error::Store`] of kind `Refused` if the branch
    /// is main, is current or has conversations on it, of kind `NotFound` if there is no such branch, and as
    /// for [`Workspace::write`].
    pub fn delete(&self, name: &str) -> Result<EntryId> {
        self.owner("delete branches")?;
        let refused = |why: String| CoreError::Refused(why);
        let author = Author { branch: Some(MAIN.to_owned()), ..self.author.clone() };
        let written = self.workspace.write(&author, |reader, _, ctx| {
            if name == MAIN {
                return Err(refused(
                    "branch main cannot be deleted: all other branches are forked from it".into(),
                )
                .into());
            }
            self.known(reader, name)?;
            let (head, on) = (reader.head(), reader.sessions_on(name, reader.head())?);
            if reader.default_branch(head)? == name || reader.branch_of(&ctx.session, head)? == name {
                let why = format!("branch {name:?} is the current branch");
                return Err(refused(why).with_hint(Hint::LeaveBranch(None)).into());
            }
            if let Some(session) = on.first() {
                let more = match on.len() - 1 {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let why = format!("branch {name:?} is in use by {session}{more}");
                return Err(refused(why).with_hint(Hint::LeaveBranch(Some(session.clone()))).into());
            }
            let delete = Delete { branch: name.to_owned() };
            Ok(Decision { drafts: vec![delete.draft(&ctx.meta())?], outcome: () })
        })?;
        Ok(written.entries.last().map_or(0, |entry| entry.id))
    }

    /// Refuses to switch the conversation while another branch is set for all commands, which would lead its writes
    /// there. The session of one of memtape's own tasks may go back to main nevertheless: `Task::clean` does that.
    fn refuse_to_leave(&self, name: &str) -> Result<()> {
        let set = self.workspace.branch().filter(|set| *set != name);
        match set.filter(|_| !self.author.session.to_string().starts_with(TASK_SESSIONS)) {
            None => Ok(()),
            Some(set) => Err(Error::Refused(format!(
                "cannot switch branches: this process works on branch {set:?} only (--branch)"
            ))),
        }
    }

    /// Refuses an audience other than the owner.
    fn owner(&self, what: &str) -> Result<()> {
        match self.audience == Audience::owner() {
            true => Ok(()),
            false => Err(Error::Refused(format!("only the owner can {what}"))),
        }
    }

    /// Returns a branch, deleted or not, that the audience may know of.
    fn any(&self, reader: &Reader<'_>, name: &str) -> memtape_index::Result<Branch> {
        let no_branch = || memtape_index::Error::NoBranch(name.to_owned());
        let branch = reader.branch(name)?.ok_or_else(no_branch)?;
        if reader.knows(&self.audience, branch)? { Ok(branch.clone()) } else { Err(no_branch()) }
    }

    /// Returns the full name of the branch that a switch means by a name.
    ///
    /// A name without its suffix means the audience's own branch, or that of the conversation, and otherwise the only
    /// branch of that name. It never means another chat's branch for the conversations of others: neither for another
    /// chat, nor, with `default`, for all new conversations.
    fn target(&self, reader: &Reader<'_>, name: &str, default: bool) -> memtape_index::Result<String> {
        let session = &self.author.session;
        let homes = self.home().into_iter().chain(self.audience.is_owner().then(|| Scope::of_chat(session)));
        let own: Vec<String> = homes.map(|home| name_in(&home, name)).collect();
        let mut given_so = Vec::new();
        for branch in reader.branches()? {
            if branch.deleted.is_none()
                && plain_name(&branch.name) == name
                && reader.knows(&self.audience, branch)?
            {
                given_so.push(branch.name.clone());
            }
        }
        if let Some(own) = own.iter().find(|own| !default && given_so.contains(own)) {
            return Ok(own.clone());
        }
        let is_for_others = self.audience.is_owner() && (default || *session != Session::direct());
        Ok(match &given_so[..] {
            [one] if !is_for_others => one.clone(),
            _ => name.to_owned(),
        })
    }

    /// Returns a branch that is not deleted and that the audience may know of.
    fn known(&self, reader: &Reader<'_>, name: &str) -> memtape_index::Result<Branch> {
        let branch = self.any(reader, name)?;
        let Some(entry) = branch.deleted else { return Ok(branch) };
        let hint = Hint::ForkDeleted { branch: branch.label().to_string(), entry };
        Err(CoreError::Refused(format!("branch {name:?} was deleted by entry {entry}"))
            .with_hint(hint)
            .into())
    }

    /// Answers a question at the head of the branch that is written to.
    fn read_target<T>(
        &self,
        question: impl Fn(&Reader<'_>, &Point) -> memtape_index::Result<T>,
    ) -> Result<T> {
        Ok(self.workspace.ask(|reader| {
            let branch = match &self.author.branch {
                Some(branch) => branch.clone(),
                None => reader.branch_of(&self.author.session, reader.head())?,
            };
            self.known(reader, &branch)?;
            question(reader, &reader.head_of(&branch)?)
        })?)
    }
}

/// Returns the commit that closes a written group.
fn committed<T>(written: &Written<T>) -> Option<Committed> {
    let last: &Entry = written.entries.last()?;
    Commit::read(last).map(|commit| Committed { entry: last.id, id: commit.id })
}

impl Workspace {
    /// Returns the branches, for the owner.
    #[must_use]
    pub fn branches(&self) -> Branches<'_> {
        Branches::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
