//! The statements' commands: adding, finding, forgetting and pruning them.

use jiff::{SignedDuration, Timestamp};
pub use memtape_core::forms::statements::Outcome;
use memtape_core::forms::statements::view::Held;
use memtape_core::forms::statements::{Source, Statement, Told, View, ops};
use memtape_core::{
    Audience, Category, Decision, Form, Given, Lifetime, Memory, Origin, Ref, Sensitivity, Session,
};
use memtape_store::{Author, Confidential, Question, Reader};

use crate::error::{Error, Result};
use crate::safety::admit;
use crate::workspace::{At, Workspace};

/// How much a statement that somebody adds on purpose matters, unless told otherwise (document 4's `--importance`).
pub const ADDED_IMPORTANCE: f64 = 0.8;
/// How sure it is (document 4's `--confidence`).
pub const ADDED_CONFIDENCE: f64 = 1.0;

const HOURS_A_DAY: i64 = 24;

/// The statements of a workspace, for one audience: it is shown those of all its scopes, and writes into its home.
pub struct Statements<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

/// A statement that somebody adds.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// What is stated.
    pub text: String,
    /// What it is about.
    pub category: Category,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
}

impl Added {
    /// A statement with the usual importance and confidence.
    #[must_use]
    pub fn new(text: &str, category: Category) -> Self {
        let (importance, confidence) = (ADDED_IMPORTANCE, ADDED_CONFIDENCE);
        Self { text: text.to_owned(), category, importance, confidence }
    }
}

/// Which statements are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Last told before so many days.
    pub older_than_days: Option<u32>,
    /// Of these categories; of any, where there are none.
    pub categories: Vec<Category>,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        session: &Session,
        origin: Origin,
        audience: Audience,
    ) -> Self {
        Self { workspace, author: workspace.author(session, origin), audience }
    }

    /// The same, for an audience.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// The same, as a part of a conversation.
    #[must_use]
    pub fn in_session(mut self, session: Session) -> Self {
        self.author.session = session;
        self
    }

    /// The same, writing what may be shown so far.
    #[must_use]
    pub fn with_sensitivity(mut self, sensitivity: Sensitivity) -> Self {
        self.author.sensitivity = sensitivity;
        self
    }

    /// The same, with a reason that is kept beside what is written.
    #[must_use]
    pub fn because(mut self, reason: Option<String>) -> Self {
        self.author.reason = reason;
        self
    }

    /// Adds a statement to the audience's home.
    ///
    /// # Errors
    /// That the text is empty or the numbers are not from 0 to 1; that it would steer a model; or what the medium says.
    pub fn add(&self, added: &Added) -> Result<Outcome> {
        for (what, number) in [("importance", added.importance), ("confidence", added.confidence)] {
            if !(0.0..=1.0).contains(&number) {
                return Err(Error::Invalid(format!("{what} is a number from 0 to 1, not {number}")));
            }
        }
        admit(&added.text, &self.audience, self.author.origin)?;
        let text = self.workspace.clean(added.text.trim()).into_owned();
        let scope = self.audience.home_of(self.author.sensitivity, &self.author.session)?;
        let mut outcomes = self.tell(&mut |given: &Given| {
            vec![Told {
                statement: Statement {
                    text: text.clone(),
                    category: added.category,
                    importance: added.importance,
                    confidence: added.confidence,
                    source: Source::Manual,
                    lifetime: Lifetime::Permanent,
                    said_at: given.now,
                    since: None,
                    expires_at: None,
                    date: None,
                    from: None,
                    place: None,
                    rule: None,
                },
                scope: scope.clone(),
                origin: given.origin,
                sensitivity: given.sensitivity,
            }]
        })?;
        Ok(outcomes.pop().expect("one statement was told, and each has an outcome"))
    }

    /// Keeps statements in one group, and says what became of each.
    pub(crate) fn tell(&self, told: &mut dyn FnMut(&Given) -> Vec<Told>) -> Result<Vec<Outcome>> {
        let retention = &self.workspace.config.retention;
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let told = told(given);
            let view = held(reader, point, &told)?;
            Ok(ops::tell(&view, &told, retention, given)?)
        })?;
        Ok(written.outcome)
    }

    /// The statements that a selection means, of those the audience sees, oldest first.
    ///
    /// # Errors
    /// What the medium says.
    pub fn list(&self, selection: &Selection, at: &At) -> Result<Vec<Held>> {
        self.workspace.read(at, |reader, point| {
            let found = reader.memories(&self.question(selection, point.instant), point)?;
            Ok(found.into_iter().filter_map(Held::read).collect())
        })
    }

    fn question(&self, selection: &Selection, now: Timestamp) -> Question {
        let age = |days: u32| SignedDuration::from_hours(i64::from(days) * HOURS_A_DAY);
        Question {
            audience: self.audience.clone(),
            confidential: Confidential::ToOwner,
            form: Some(Form::Statements),
            categories: selection.categories.clone(),
            said_before: selection
                .older_than_days
                .map(|days| now.checked_sub(age(days)).unwrap_or(Timestamp::MIN)),
            ..Question::default()
        }
    }

    /// Retires the statements that a selection means, and gives their number. Earlier points still show them.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a selection that means all there are; or what the medium says.
    pub fn prune(&self, selection: &Selection) -> Result<usize> {
        if *selection == Selection::default() && self.audience.layer().is_none() {
            return Err(Error::Invalid(
                "nothing is pruned unless it is said what: --older-than-days N, --kind KIND or --scope SCOPE"
                    .into(),
            ));
        }
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let meant = reader.memories(&self.question(selection, given.now), point)?;
            Ok(ops::forget(&self.own(meant), given)?)
        })?;
        Ok(written.outcome)
    }

    /// Forgets statements by their refs, and gives them as they stood. Earlier points still show them.
    ///
    /// # Errors
    /// [`Error::NotFound`] where one does not stand, or is not the audience's; or what the medium says.
    pub fn forget(&self, references: &[Ref]) -> Result<Vec<Memory>> {
        let written = self.workspace.write(&self.author, |reader, point, given| {
            let mut gone = Vec::new();
            for reference in references {
                let found = self.own(reader.by_ref(reference, &self.audience, point)?);
                let mut standing = Vec::new();
                for memory in found {
                    if reader.retired_by(memory.id, point)?.is_none() {
                        standing.push(memory);
                    }
                }
                if standing.is_empty() {
                    return Err(
                        memtape_core::Error::NotFound(format!("{reference} does not stand there")).into()
                    );
                }
                gone.extend(standing);
            }
            gone.dedup_by_key(|memory| memory.id);
            let decision = ops::forget(&gone, given)?;
            Ok(Decision { drafts: decision.drafts, outcome: gone })
        })?;
        Ok(written.outcome)
    }

    /// What an audience may take away: the owner everything, others what is their chat's and their own.
    fn own(&self, memories: Vec<Memory>) -> Vec<Memory> {
        if self.audience.is_owner() {
            return memories;
        }
        let own: Vec<_> =
            self.audience.scopes().into_iter().flatten().filter_map(|scope| scope.label()).collect();
        memories.into_iter().filter(|memory| own.contains(&memory.scope)).collect()
    }
}

/// The statements that stand under the keys of what is told. Whoever tells it, it is the same statement.
pub(crate) fn held(
    reader: &Reader<'_>,
    point: &memtape_core::Point,
    told: &[Told],
) -> memtape_store::Result<View> {
    let mut memories = Vec::new();
    for told in told {
        let question = Question {
            confidential: Confidential::ToOwner,
            form: Some(Form::Statements),
            key: Some(told.statement.key(&told.scope)),
            ..Question::default()
        };
        memories.extend(reader.memories(&question, point)?);
    }
    Ok(View::fold(memories))
}

impl Workspace {
    /// What people said of themselves and decided.
    #[must_use]
    pub fn statements(&self) -> Statements<'_> {
        Statements::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}
