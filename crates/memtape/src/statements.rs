//! Statements: adding, finding, forgetting and pruning what people said of themselves and decided.

use jiff::Timestamp;
use jiff::civil::Date;
use memtape_capture::Role;
use memtape_core::audience::not_changeable;
pub use memtape_core::forms::statements::entry::{ADDED_CONFIDENCE, ADDED_IMPORTANCE};
use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::forms::statements::{NewStatement, Outcome, ReadFile, Statement, View, ops};
use memtape_core::recall::question::covered;
use memtape_core::recall::tokenize;
use memtape_core::{
    Audience, Category, Context, Form, Hint, Memory, Origin, Point, Ref, Scope, Sensitivity, Session,
    calendar, same,
};
use memtape_index::{Confidential, Question, Reader};
use memtape_store::Author;

use crate::error::{Error, Result};
use crate::safety::admit;
use crate::workspace::{At, Workspace};

/// The importance of an imported statement whose file or program states none (document 4's value).
pub const IMPORTED_IMPORTANCE: f64 = 0.7;
/// The confidence of an imported statement or fact whose file or program states none (document 4's value).
pub const IMPORTED_CONFIDENCE: f64 = 0.85;

/// The statements of a workspace, for one audience.
///
/// Reads cover all scopes of the audience; writes go to its default write scope.
pub struct Statements<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// A statement to add.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// The text.
    pub text: String,
    /// The category.
    pub category: Category,
    /// The importance, from 0 to 1.
    pub importance: f64,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
}

impl Added {
    /// Returns a statement with the default importance and confidence.
    #[must_use]
    pub fn new(text: &str, category: Category) -> Self {
        let (importance, confidence) = (ADDED_IMPORTANCE, ADDED_CONFIDENCE);
        Self { text: text.to_owned(), category, importance, confidence }
    }
}

/// A selection of statements; a statement matches if every part that is set matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only statements last stated more than this many days ago.
    pub older_than_days: Option<u32>,
    /// Only statements of these categories; empty means all.
    pub categories: Vec<Category>,
}

crate::handle::options!(Statements: new, for_audience, in_session, with_sensitivity, because, called_by, home);

impl<'a> Statements<'a> {
    /// Returns the same handle, recording the statements as imported.
    pub(crate) fn importing(&self) -> Self {
        let author = Author { origin: Origin::Import, ..self.author.clone() };
        Self { workspace: self.workspace, author, audience: self.audience.clone() }
    }

    /// Returns the conversation of the handle.
    pub(crate) fn session(&self) -> &Session {
        &self.author.session
    }

    /// Returns the workspace.
    pub(crate) fn workspace(&self) -> &'a Workspace {
        self.workspace
    }

    /// Returns the category that capture would assign to a text; `None` if its words show none, or several.
    #[must_use]
    pub fn category_of(&self, text: &str) -> Option<Category> {
        // The day influences the captured text but not the category.
        let reading = memtape_capture::read(text, Role::User, Date::ZERO, &self.workspace.meaning);
        let mut found = reading.candidates.iter().map(|candidate| candidate.category);
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// Adds a statement in the default write scope of the audience.
    ///
    /// # Errors
    /// - [`Error::Invalid`] if the importance or the confidence is not between 0 and 1.
    /// - [`Error::Refused`] if the text is longer than `ingest.max_message_bytes`, or if it reads like an
    ///   instruction to a model and does not come from the owner.
    /// - [`Error::Store`] of kind `Invalid` if the text is empty or the chat or user of the audience is
    ///   unknown, and as for [`Workspace::write`].
    pub fn add(&self, added: &Added) -> Result<Outcome> {
        for (what, number) in [("importance", added.importance), ("confidence", added.confidence)] {
            if !(0.0..=1.0).contains(&number) {
                return Err(Error::Invalid(format!("{what} must be a number from 0 to 1, not {number}")));
            }
        }
        admit(&added.text, &self.audience, self.author.origin)?;
        self.workspace.check_length("the statement", &added.text)?;
        let text = self.workspace.clean(added.text.trim()).into_owned();
        let scope = self.home()?;
        let mut outcomes = self.record(&[], |ctx| {
            vec![NewStatement {
                statement: Statement {
                    importance: added.importance,
                    confidence: added.confidence,
                    ..Statement::new(text.clone(), added.category, ctx.now)
                },
                scope: scope.clone(),
                origin: ctx.origin,
                sensitivity: ctx.sensitivity,
            }]
        })?;
        Ok(outcomes.pop().expect("one statement was told, and each has an outcome"))
    }

    /// Writes statements in one group, together with a record of the older files that were read completely,
    /// and returns the outcome of each. The references of written statements include their versions.
    pub(crate) fn record(
        &self,
        files: &[ReadFile],
        mut input: impl FnMut(&Context) -> Vec<NewStatement>,
    ) -> Result<Vec<Outcome>> {
        let retention = &self.workspace.config.retention;
        let author = Author { scope: self.home()?, ..self.author.clone() };
        let written = self.workspace.write(&author, |reader, point, ctx| {
            let input = input(ctx);
            let view = held(reader, point, &input, self.sees_confidential(), ctx)?;
            Ok(ops::backfill(&view, &input, files, retention, ctx)?)
        })?;
        let mut entries = written.entries.iter().map(|entry| entry.id);
        let mut version = |reference: Ref| Ref { entry: entries.next(), ..reference };
        if self.author.sensitivity == Sensitivity::Confidential && !self.sees_confidential() {
            // The outcome does not tell whether there was a confidential statement.
            let saved = |outcome: Outcome| Outcome::Saved(outcome.reference().clone());
            return Ok(written.outcome.into_iter().map(saved).collect());
        }
        let versions = written.outcome.into_iter().map(|outcome| match outcome {
            Outcome::Saved(reference) => Outcome::Saved(version(reference)),
            Outcome::Confirmed(reference) => Outcome::Confirmed(version(reference)),
            Outcome::Present(reference) => Outcome::Present(reference),
        });
        Ok(versions.collect())
    }

    /// Returns whether the author may see confidential statements: the owner, who also imports.
    fn sees_confidential(&self) -> bool {
        self.audience.is_owner() || self.author.origin == Origin::Import
    }

    /// Returns the statements that contain every word of a query and that the audience may remove, oldest
    /// first.
    ///
    /// Confidential statements are left out.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the query has no word; [`Error::Store`] if the index cannot be read.
    pub fn holding(&self, query: &str) -> Result<Vec<Memory>> {
        Ok(self.own(self.holding_in(&[Form::STATEMENTS], query)?))
    }

    /// Returns the statements, ledger facts and long-term lines that contain every word of a query and that
    /// the audience may remove.
    ///
    /// Confidential memories are left out.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `Refused` if only memories that the audience may not remove contain them; see also
    /// [`Statements::holding`].
    pub fn memories_holding(&self, query: &str) -> Result<Vec<Memory>> {
        let mut found = self.holding_in(&[Form::STATEMENTS, Form::LEDGER, Form::ZONE], query)?;
        // A piece of a daily note cannot be named by a ref, because its key is the day.
        found.retain(|memory| memory.form != Form::ZONE || !memory.key.contains('-'));
        let Some(elsewhere) = found.last().map(scope_of) else { return Ok(found) };
        let own = self.own(found);
        match own.is_empty() {
            true => {
                Err(not_changeable(format_args!("what contains all the words of {query:?}"), &elsewhere)
                    .into())
            }
            false => Ok(own),
        }
    }

    fn holding_in(&self, forms: &[Form], query: &str) -> Result<Vec<Memory>> {
        // Words that a search ignores count as well: otherwise more would be forgotten than was asked for.
        let terms = tokenize::terms(query);
        if terms.is_empty() {
            return Err(Error::Invalid("the query contains no searchable word".into()));
        }
        self.workspace.read(&At::head(), &self.audience, &self.author.session, |reader, point| {
            let mut found = Vec::new();
            for form in forms {
                let question = Question {
                    confidential: Confidential::Hidden,
                    form: Some(*form),
                    ..self.question(&Selection::default(), point.instant)
                };
                found.extend(reader.memories(&question, point)?);
            }
            found.retain(|memory| {
                covered(&terms, &memory.text) >= 1.0 && same::has_signs_of(query, &memory.text)
            });
            Ok(found)
        })
    }

    /// Returns the current statements that a selection matches and the audience sees, oldest first.
    ///
    /// Confidential statements are included only for the owner.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn list(&self, selection: &Selection, at: &At) -> Result<Vec<StoredStatement>> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let found = reader.memories(&self.question(selection, point.instant), point)?;
            Ok(found.into_iter().filter_map(StoredStatement::read).collect())
        })
    }

    fn question(&self, selection: &Selection, now: Timestamp) -> Question {
        Question {
            audience: self.audience.clone(),
            confidential: Confidential::ToOwner,
            form: Some(Form::STATEMENTS),
            categories: selection.categories.clone(),
            said_before: selection.older_than_days.map(|days| calendar::days_before(now, days)),
            ..Question::default()
        }
    }

    /// Returns the statements that [`Statements::prune`] would remove, oldest first.
    ///
    /// # Errors
    /// See [`Statements::prune`].
    pub fn prunable(&self, selection: &Selection) -> Result<Vec<Memory>> {
        self.check(selection)?;
        self.workspace.read(&At::head(), &self.audience, &self.author.session, |reader, point| {
            self.target(selection, reader, point)
        })
    }

    /// Removes the statements that a selection matches and the audience may remove, and returns their number.
    ///
    /// Earlier points still show them.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the selection is empty and the audience asks for no layer, which would match
    /// everything; [`Error::Store`] as for [`Workspace::write`].
    pub fn prune(&self, selection: &Selection) -> Result<usize> {
        self.check(selection)?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            Ok(ops::forget(&self.target(selection, reader, point)?, ctx)?)
        })?;
        Ok(written.outcome)
    }

    /// Refuses a selection that matches everything.
    fn check(&self, selection: &Selection) -> Result<()> {
        if *selection == Selection::default() && self.audience.layer().is_none() {
            let why = "no statements are selected";
            return Err(Error::Invalid(why.into()).with_hint(Hint::SelectStatements));
        }
        Ok(())
    }

    /// Returns the statements that a selection matches and the audience may remove.
    fn target(
        &self,
        selection: &Selection,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Vec<Memory>> {
        Ok(self.own(reader.memories(&self.question(selection, point.instant), point)?))
    }

    /// Returns the current statements of some references.
    ///
    /// # Errors
    /// [`Error::Store`] of kind `NotFound` if one is not current, of kind `Refused` if the audience may not remove it;
    /// [`Error::Store`] if the index cannot be read.
    pub fn current(&self, references: &[Ref]) -> Result<Vec<Memory>> {
        self.workspace.read(&At::head(), &self.audience, &self.author.session, |reader, point| {
            self.named(references, reader, point)
        })
    }

    /// Forgets statements by their references and returns them as they were.
    ///
    /// Earlier points still show them.
    ///
    /// # Errors
    /// See [`Statements::current`]; also [`Error::Store`] as for [`Workspace::write`].
    pub fn forget(&self, references: &[Ref]) -> Result<Vec<Memory>> {
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let removed = self.named(references, reader, point)?;
            Ok(ops::forget(&removed, ctx)?.map(|_| removed))
        })?;
        Ok(written.outcome)
    }

    fn named(
        &self,
        references: &[Ref],
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Vec<Memory>> {
        let mut named: Vec<Memory> = Vec::new();
        for reference in references {
            let mut current = Vec::new();
            for memory in reader.by_ref(reference, &self.audience, point)? {
                // A reference with a version finds that version whether or not it is current.
                if memory.form == Form::STATEMENTS && reader.is_current(memory.id, point)? {
                    current.push(memory);
                }
            }
            let Some(elsewhere) = current.last().map(scope_of) else {
                return Err(reference.not_current().into());
            };
            current = self.own(current);
            if current.is_empty() {
                return Err(not_changeable(reference, &elsewhere).into());
            }
            current.retain(|memory| named.iter().all(|other| other.id != memory.id));
            named.extend(current);
        }
        Ok(named)
    }

    /// Returns the memories that the audience may remove.
    fn own(&self, mut memories: Vec<Memory>) -> Vec<Memory> {
        memories.retain(|memory| self.audience.may_remove(&scope_of(memory)));
        memories
    }
}

fn scope_of(memory: &Memory) -> Scope {
    Scope::from_label(&memory.scope).unwrap_or_default()
}

/// Returns the current statements in the slots of those to be written, as far as their author must know them.
pub(crate) fn held(
    reader: &Reader<'_>,
    point: &Point,
    input: &[NewStatement],
    sees_confidential: bool,
    ctx: &Context,
) -> memtape_index::Result<View> {
    let session = ctx.session.to_string();
    let mut memories = Vec::new();
    for input in input {
        for key in input.slots(&session).read(input.sensitivity, sees_confidential) {
            let question = Question {
                confidential: Confidential::ToOwner,
                form: Some(Form::STATEMENTS),
                key: Some(key.to_owned()),
                ..Question::default()
            };
            memories.extend(reader.memories(&question, point)?);
        }
    }
    Ok(View::fold(memories))
}

impl Workspace {
    /// Returns the statements, for the owner.
    #[must_use]
    pub fn statements(&self) -> Statements<'_> {
        Statements::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
