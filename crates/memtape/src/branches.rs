//! Branches: lines of memory, one for each persona, and which conversation is on which.
//!
//! **Invariants.** A fork is one entry, whatever stands on its parent. A name is given to one branch
//! at a time: that of a deleted one may be given again, to a branch that has nothing of the old one. A branch that an
//! audience forked is that audience's: others neither see it listed nor may go there, and no reply tells them that there
//! is one ([`name_in`]). What changes the memory of several branches (merging and what belongs to it, deleting) is the owner's.
//!
//! In reading order: this file, `merging` (merge and cherry-pick), `conflicts` (what they leave open), `taking_back`
//! (revert and undo).

mod conflicts;
mod merging;
mod note_files;
mod taking_back;

use jiff::Timestamp;
use memtape_core::branch::{Delete, Fork, Switch, check_name, given_name, name_in};
use memtape_core::commit::Commit;
use memtape_core::safety::render::neutral_line;
use memtape_core::{Audience, Branch, Decision, Error as CoreError, MAIN, Origin, Point, Scope, Session};
use memtape_store::{Author, Reader, Written};
use memtape_tape::{Entry, EntryId};

use crate::error::{Error, Result};
use crate::safety::admit;
use crate::workspace::{At, Workspace};
use memtape_core::Hint;

pub(crate) use conflicts::open as open_conflicts;
pub use conflicts::{OpenConflict, Resolution, Settled};
pub(crate) use merging::drafts as drafts_of;
pub use merging::{Contested, Taken};
pub use taking_back::TakenBack;

/// The longest description of a persona, in characters.
pub const PERSONA_CHARS_MAX: usize = 2000;

/// The branches of a workspace, for one audience.
pub struct Branches<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// A branch, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchInfo {
    /// Its name.
    pub name: String,
    /// The branch it was forked from, and the last entry they share.
    pub parent: Option<(String, EntryId)>,
    /// Whose memory it is, in words, without what would speak in another role.
    pub persona: Option<String>,
    /// When it was forked.
    pub created_at: Option<Timestamp>,
    /// How many groups changed a memory on it since; `None` where it is not the owner who asks.
    pub commits: Option<u64>,
    /// Whether the conversation that asks is on it.
    pub is_current: bool,
    /// Whether new conversations begin on it.
    pub is_default: bool,
    /// The conversations that were put on it, of those that the audience may know of.
    pub sessions: Vec<String>,
}

/// A commit that was written: its last entry, and document 1's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The entry.
    pub entry: EntryId,
    /// The id.
    pub id: String,
}

crate::handle::told!(Branches: for_audience, in_session, because, writing_as, called_by);

impl<'a> Branches<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        session: &Session,
        origin: Origin,
        audience: Audience,
    ) -> Self {
        Self { workspace, author: workspace.author(session, origin), audience }
    }

    /// The same, changing this branch, whichever the conversation is on.
    #[must_use]
    pub fn into_branch(mut self, branch: Option<String>) -> Self {
        self.author.branch = branch.or(self.author.branch);
        self
    }

    /// The branches there are at a point, of those that the audience may know of, main first.
    ///
    /// # Errors
    /// What the medium says.
    pub fn list(&self, at: &At) -> Result<Vec<BranchInfo>> {
        self.workspace.read(at, &self.author.session, |reader, point| {
            let (entry, current) = (point.entry(), point.branch());
            let default = reader.default_branch(entry)?;
            let mut listed = Vec::new();
            let branches = reader.branches()?;
            for branch in branches.clone() {
                if !branch.exists_at(entry) || branch.is_deleted_at(entry) || !self.knows(reader, &branch)? {
                    continue;
                }
                let created_at = branch.created.map(|id| reader.written(id)).transpose()?;
                let commits = match self.audience.is_owner() {
                    true => Some(reader.commits_on(&branch.name, entry)?),
                    false => None,
                };
                let mut sessions = reader.sessions_on(&branch.name, entry)?;
                if !self.audience.is_owner() {
                    let own = self.author.session.to_string();
                    sessions.retain(|session| *session == own);
                }
                // Where it was forked from is not told to who may not know of that.
                let parent = match &branch.parent {
                    Some((name, _)) => branches.iter().find(|parent| parent.name == *name),
                    None => None,
                };
                let is_told = parent.map_or(Ok(true), |parent| self.knows(reader, parent))?;
                listed.push(BranchInfo {
                    commits,
                    is_current: branch.name == current,
                    is_default: branch.name == default,
                    created_at: created_at.map(|(_, date)| date),
                    persona: branch.persona.as_deref().map(neutral_line),
                    name: branch.label().to_owned(),
                    parent: branch.parent.filter(|_| is_told),
                    sessions,
                });
            }
            listed.sort_by_key(|branch| branch.name != MAIN);
            Ok(listed)
        })
    }

    /// The branch that the conversation is on.
    ///
    /// # Errors
    /// What the medium says.
    pub fn current(&self, at: &At) -> Result<String> {
        self.workspace.read(at, &self.author.session, |_, point| Ok(point.branch().to_owned()))
    }

    /// Forks a branch from a point, and gives its name. Nobody goes there by that. Behind the name of a branch that is
    /// not the owner's stands a mark of the chat or person that forked it ([`name_in`]).
    ///
    /// # Errors
    /// That the name is none, or was given where the audience sees it; that the persona would steer a model; or what
    /// the medium says.
    pub fn create(&self, name: &str, persona: Option<&str>, from: &At) -> Result<String> {
        self.fork(name, persona, from, false)
    }

    /// Forks a branch from where the conversation is, and goes there.
    ///
    /// # Errors
    /// As [`Branches::create`].
    pub fn create_and_switch(&self, name: &str, persona: Option<&str>) -> Result<String> {
        self.fork(name, persona, &At::head(), true)
    }

    fn fork(&self, name: &str, persona: Option<&str>, from: &At, switch: bool) -> Result<String> {
        check_name(name)?;
        let persona = persona.map(str::trim).filter(|persona| !persona.is_empty());
        if let Some(persona) = persona {
            admit(persona, &self.audience, self.author.origin)?;
            let count = persona.chars().count();
            if count > PERSONA_CHARS_MAX {
                return Err(Error::Invalid(format!(
                    "a persona is described in at most {PERSONA_CHARS_MAX} characters, not {count}"
                )));
            }
        }
        let persona = persona.map(|persona| self.workspace.clean(persona).into_owned());
        let author = Author { scope: self.home()?, ..self.author.clone() };
        let given_as = name;
        let name = &name_in(&author.scope, given_as);
        self.workspace.write(&author, |reader, _, given| {
            for branch in reader.branches()?.iter().filter(|branch| branch.deleted.is_none()) {
                let is_taken =
                    branch.name == *name || (branch.name == given_as && self.knows(reader, branch)?);
                if is_taken {
                    return Err(self.taken(reader, branch)?.into());
                }
            }
            let from = self.workspace.point(reader, from, &given.session)?;
            let parent = self.any(reader, from.branch())?.label().to_owned();
            let fork = Fork { parent, at: from.entry(), persona: persona.clone() };
            let mut drafts = vec![fork.draft(name, &given.meta())?];
            if switch {
                drafts.push(Switch { branch: name.clone(), default: false }.draft(&given.meta())?);
            }
            Ok(Decision { drafts, outcome: () })
        })?;
        Ok(name.clone())
    }

    /// Why a name cannot be given.
    fn taken(&self, reader: &Reader<'_>, branch: &Branch) -> memtape_store::Result<CoreError> {
        let name = &branch.name;
        Ok(match self.knows(reader, branch)? {
            false => CoreError::Conflict(format!("the name {name:?} is taken")),
            true => CoreError::Conflict(format!("there is a branch {name:?}"))
                .with_hint(Hint::SwitchBranch(name.clone())),
        })
    }

    /// Puts the conversation on a branch; with `default`, new conversations too. Gives whether that changes anything. A
    /// branch may be named as it was given, without the mark of its chat or person, where one branch is meant by that:
    /// first the one that the audience forked itself.
    ///
    /// # Errors
    /// That there is no such branch, or it was deleted; or what the medium says.
    pub fn switch(&self, name: &str, default: bool) -> Result<bool> {
        if default {
            self.owner("where new conversations begin is chosen")?;
            self.workspace.refuse_to_swap_secrets()?;
        }
        let name = &self.workspace.ask(|reader| {
            let name = self.meant(reader, name)?;
            self.known(reader, &name)?;
            Ok(name)
        })?;
        // Where it goes is what the entry belongs to, wherever it is now.
        let author = Author { scope: self.home()?, branch: Some(name.clone()), ..self.author.clone() };
        let written = self.workspace.write(&author, |reader, _, given| {
            self.known(reader, name)?;
            let is_there = reader.branch_of(&given.session, reader.head())? == *name;
            if is_there && (!default || reader.default_branch(reader.head())? == *name) {
                return Ok(Decision::nothing(false));
            }
            let switch = Switch { branch: name.clone(), default };
            Ok(Decision { drafts: vec![switch.draft(&given.meta())?], outcome: true })
        })?;
        Ok(written.outcome)
    }

    /// Deletes a branch: nothing is written to it any more. The tape keeps what stands on it.
    ///
    /// # Errors
    /// [`Error::Refused`] for main, and for a branch that somebody is on; that there is no such branch; or what the
    /// medium says.
    pub fn delete(&self, name: &str) -> Result<()> {
        self.owner("branches are deleted")?;
        let refused = |why: String| CoreError::Refused(why);
        let author = Author { branch: Some(MAIN.to_owned()), ..self.author.clone() };
        self.workspace.write(&author, |reader, _, given| {
            if name == MAIN {
                return Err(refused("main is not deleted: all other branches come from it".into()).into());
            }
            self.known(reader, name)?;
            let (head, on) = (reader.head(), reader.sessions_on(name, reader.head())?);
            if reader.default_branch(head)? == name || reader.branch_of(&given.session, head)? == name {
                let why = format!("{name:?} is the current branch");
                return Err(refused(why).with_hint(Hint::LeaveBranch(None)).into());
            }
            if let Some(session) = on.first() {
                let more = match on.len() - 1 {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let why = format!("{session}{more} is on {name:?}");
                return Err(refused(why).with_hint(Hint::LeaveBranch(Some(session.clone()))).into());
            }
            let delete = Delete { branch: name.to_owned() };
            Ok(Decision { drafts: vec![delete.draft(&given.meta())?], outcome: () })
        })?;
        Ok(())
    }

    fn home(&self) -> Result<Scope> {
        Ok(self.audience.home_of(self.author.sensitivity, &self.author.session)?)
    }

    /// Refuses what only the owner does.
    fn owner(&self, what: &str) -> Result<()> {
        match self.audience == Audience::owner() {
            true => Ok(()),
            false => Err(Error::Refused(format!("{what} by the owner alone"))),
        }
    }

    /// Whether the audience may know of a branch.
    fn knows(&self, reader: &Reader<'_>, branch: &Branch) -> memtape_store::Result<bool> {
        knows(reader, &self.audience, branch)
    }

    /// A branch that is there, deleted or not, and that the audience may know of.
    fn any(&self, reader: &Reader<'_>, name: &str) -> memtape_store::Result<Branch> {
        let no_branch = || memtape_store::Error::NoBranch(name.to_owned());
        let branch =
            reader.branches()?.into_iter().find(|branch| branch.name == name).ok_or_else(no_branch)?;
        if self.knows(reader, &branch)? { Ok(branch) } else { Err(no_branch()) }
    }

    /// The name of the branch that the audience means by a name.
    fn meant(&self, reader: &Reader<'_>, name: &str) -> memtape_store::Result<String> {
        let own = self.home().map_or_else(|_| name.to_owned(), |home| name_in(&home, name));
        let mut given_so = Vec::new();
        for branch in reader.branches()? {
            if branch.deleted.is_none() && given_name(&branch.name) == name && self.knows(reader, &branch)? {
                given_so.push(branch.name);
            }
        }
        Ok(match (given_so.iter().find(|given| **given == own), &given_so[..]) {
            (Some(own), _) => own.clone(),
            (None, [one]) => one.clone(),
            (None, _) => name.to_owned(),
        })
    }

    /// The same, where it is not deleted.
    fn known(&self, reader: &Reader<'_>, name: &str) -> memtape_store::Result<Branch> {
        let branch = self.any(reader, name)?;
        let Some(entry) = branch.deleted else { return Ok(branch) };
        let hint = Hint::ForkDeleted { branch: branch.label().to_string(), entry };
        Err(CoreError::Refused(format!("the branch {name:?} was deleted by entry {entry}"))
            .with_hint(hint)
            .into())
    }

    /// Where the branch that is written to stands now.
    fn read_target<T>(
        &self,
        question: impl Fn(&Reader<'_>, &Point) -> memtape_store::Result<T>,
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

/// Whether an audience may know of a branch: of main, and of those that were forked where the audience sees it.
fn knows(reader: &Reader<'_>, audience: &Audience, branch: &Branch) -> memtape_store::Result<bool> {
    match branch.created {
        Some(entry) => reader.sees(entry, audience),
        None => Ok(branch.name == MAIN || audience.is_owner()),
    }
}

/// The commit that closes what was written.
fn committed<T>(written: &Written<T>) -> Option<Committed> {
    let last: &Entry = written.entries.last()?;
    Commit::read(last).map(|commit| Committed { entry: last.id, id: commit.id })
}

impl Workspace {
    /// The branches.
    #[must_use]
    pub fn branches(&self) -> Branches<'_> {
        Branches::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
