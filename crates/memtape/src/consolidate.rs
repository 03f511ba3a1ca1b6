//! Consolidation without a model: a report of duplicates, contradictions, conflicts, and doubtful, stale or
//! expired memories, with the commands that resolve each; and the safe part of it, automatically.
//!
//! *Reads* facts, statements and long-term lines once. *Writes* only if asked to
//! ([`Workspace::consolidate`]): exact duplicates and expired memories are removed, in one group.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use memtape_core::consolidation::{Findings, find};
use memtape_core::forms::ledger::upkeep::{self, DUPLICATE, Leaving, Upkeep};
use memtape_core::forms::statements;
use memtape_core::{
    Audience, Context, Decision, Form, Hint, Lifetime, Memory, Origin, Point, Ref, Sensitivity, Session,
    calendar,
};
use memtape_index::{Confidential, Question, Reader};

use crate::branches::{OpenConflict, open_conflicts};
use crate::error::{Error, Result};
use crate::ledger::{Fact, setting};
use crate::workspace::{At, Workspace, conversation_of};

mod text;

use self::text::Asking;
pub use self::text::ReportPart;

/// The forms that are examined.
const FORMS: [Form; 3] = [Form::LEDGER, Form::STATEMENTS, Form::ZONE];
/// Maximum number of findings of each kind that a report lists; the others are counted.
pub const LISTED_MAX: usize = 20;
/// Maximum number of members of a finding that a report lists.
const MEMBERS_MAX: usize = 10;
/// Maximum number of expired memories of a form removed at once.
const EXPIRED_MAX: usize = 10_000;
/// A consolidation report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consolidation {
    /// Number of memories examined, by form.
    pub considered: BTreeMap<&'static str, usize>,
    /// Number of facts, by lifetime.
    pub lifetimes: BTreeMap<&'static str, usize>,
    /// The average confidence of the facts; `None` if there are none.
    pub confidence: Option<f64>,
    /// Groups of memories with the same meaning; the one to keep comes first.
    pub duplicates: Truncated<Group>,
    /// Groups of facts with the same subject and predicate but different values.
    pub contradictions: Truncated<Group>,
    /// Memories of any form that two branches changed in different ways.
    pub conflicts: Truncated<Disputed>,
    /// Memories of low confidence.
    pub low_confidence: Truncated<ReportedMemory>,
    /// Memories that were neither stated, changed nor recalled for a long time.
    pub stale: Truncated<ReportedMemory>,
    /// Expired memories.
    pub expired: Truncated<ReportedMemory>,
    /// Number of duplicates that can be removed without review.
    pub safe: usize,
    /// Number of days without use after which a memory is stale.
    pub stale_days: u32,
    /// Whether the owner asked, who may apply the safe part.
    pub is_owner_s: bool,
}

impl Consolidation {
    /// Returns whether there are no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let groups = self.duplicates.total() + self.contradictions.total() + self.conflicts.total();
        groups + self.low_confidence.total() + self.stale.total() + self.expired.total() == 0
    }
}

/// A list, as far as a report shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Truncated<T> {
    /// The items that are shown.
    pub shown: Vec<T>,
    /// Number of further items.
    pub more: usize,
}

impl<T> Default for Truncated<T> {
    fn default() -> Self {
        Self { shown: Vec::new(), more: 0 }
    }
}

impl<T> Truncated<T> {
    fn of<M>(found: &[M], most: usize, to: impl FnMut(&M) -> T) -> Self {
        Self { shown: found.iter().take(most).map(to).collect(), more: found.len().saturating_sub(most) }
    }

    /// Returns the number of all items.
    #[must_use]
    pub fn total(&self) -> usize {
        self.shown.len() + self.more
    }
}

/// Memories that belong to the same finding.
pub type Group = Truncated<ReportedMemory>;

/// An open conflict in a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Disputed {
    /// The reference of the memory, with the commit that left the conflict open as its version.
    pub reference: Ref,
    /// The other branch; `None` if the audience may not know of it.
    pub source: Option<String>,
    /// The current version; `None` if it was deleted.
    pub ours: Option<ReportedMemory>,
    /// The version of the other branch; `None` if it was deleted there.
    pub theirs: Option<ReportedMemory>,
    /// The commands that resolve it. Empty unless the owner asks.
    pub commands: Vec<String>,
}

/// A memory in a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedMemory {
    /// The reference of this version.
    pub reference: Ref,
    /// The text; `None` if it is confidential.
    pub text: Option<String>,
    /// The label of its scope.
    pub scope: String,
    /// The topic or lifetime of a fact.
    pub place: Option<String>,
    /// The confidence, if it has one.
    pub confidence: Option<f64>,
    /// When it was last stated.
    pub stated_at: Timestamp,
    /// The rule by which it is quarantined, that is, never shown in a prompt unasked.
    pub quarantined: Option<String>,
    /// The commands that resolve the finding, ready to be pasted. Empty if the memory is one to keep, such as a duplicate
    /// without which somebody would no longer see the text, or if the audience may not change it.
    pub commands: Vec<String>,
}

/// The result of applying the safe part of a consolidation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Consolidated {
    /// Number of duplicates removed.
    pub duplicates: usize,
    /// Number of expired memories removed.
    pub expired: usize,
}

/// The memories that a report is based on.
struct CurrentMemories {
    memories: Vec<Memory>,
    expired: Vec<Memory>,
    recalled: HashSet<memtape_core::MemoryId>,
    stale_before: Option<Timestamp>,
}

impl CurrentMemories {
    fn read(
        audience: &Audience,
        stale_days: u32,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Self> {
        let (mut memories, mut expired) = (Vec::new(), Vec::new());
        for form in FORMS {
            let question = Question {
                audience: audience.clone(),
                confidential: Confidential::ToOwner,
                form: Some(form),
                ..Question::default()
            };
            memories.extend(reader.memories(&question, point)?);
            expired.extend(reader.expired(form, audience, point, EXPIRED_MAX)?);
        }
        memories.sort_by_key(|memory| memory.id);
        expired.sort_by_key(|memory| (memory.expires_at, memory.id));
        let stale_before = (stale_days > 0).then(|| calendar::days_before(point.instant, stale_days));
        let recalled = match stale_before {
            Some(before) => reader.recalled_since(before, point)?,
            None => HashSet::new(),
        };
        Ok(Self { memories, expired, recalled, stale_before })
    }

    fn findings(&self) -> Findings<'_> {
        find(&self.memories, self.stale_before, &self.recalled)
    }
}

impl Workspace {
    /// Reports on the facts, statements and long-term lines at a point that an audience sees.
    ///
    /// Nothing is written.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn consolidation(&self, audience: &Audience, at: &At) -> Result<Consolidation> {
        self.consolidation_up_to(LISTED_MAX, audience, at)
    }

    /// Reports as [`Workspace::consolidation`], but lists at most `most` findings of each kind.
    ///
    /// # Errors
    /// As [`Workspace::consolidation`].
    pub fn consolidation_up_to(&self, most: usize, audience: &Audience, at: &At) -> Result<Consolidation> {
        self.consolidation_in(most, &conversation_of(audience), audience, at)
    }

    /// Returns the report for a conversation, which decides the branch.
    pub(crate) fn consolidation_in(
        &self,
        most: usize,
        session: &Session,
        audience: &Audience,
        at: &At,
    ) -> Result<Consolidation> {
        let stale_days = self.config.stale_days;
        let (current, conflicts) = self.read(at, audience, session, |reader, point| {
            let current = CurrentMemories::read(audience, stale_days, reader, point)?;
            Ok((current, open_conflicts(reader, point, audience)?))
        })?;
        let asking = Asking::new(audience, self.branch());
        let report = report(&current, stale_days, most, &asking);
        let conflicts = Truncated::of(&conflicts, most, |conflict| disputed(conflict, &asking));
        Ok(Consolidation { is_owner_s: *audience == Audience::owner(), conflicts, ..report })
    }

    /// Applies the safe part of a consolidation.
    ///
    /// Of memories with the same scope, sensitivity and text, the redundant ones are removed, and so are
    /// expired memories. All of it is one commit; if there is nothing to do, nothing is written. Earlier
    /// points still show the removed memories.
    ///
    /// # Errors
    /// [`Error::Refused`] if the audience is not the owner; [`Error::Store`] as for [`Workspace::write`].
    pub fn consolidate(&self, audience: &Audience) -> Result<Consolidated> {
        if *audience != Audience::owner() {
            return Err(Error::Refused("only the owner can consolidate".into()).with_hint(Hint::AskAsOwner));
        }
        let author = self.author(&Session::direct(), Origin::User);
        let written = self.write(&author, |reader, point, ctx| {
            let current = CurrentMemories::read(audience, 0, reader, point)?;
            let needless: Vec<Memory> = current.findings().needless.into_iter().cloned().collect();
            self.remove_redundant(&needless, &current.expired, reader, point, ctx)
        })?;
        Ok(written.outcome)
    }

    /// Removes each memory by the rules of its form, and closes the group with one commit.
    fn remove_redundant(
        &self,
        needless: &[Memory],
        expired: &[Memory],
        reader: &Reader<'_>,
        point: &Point,
        ctx: &Context,
    ) -> memtape_index::Result<Decision<Consolidated>> {
        if needless.is_empty() && expired.is_empty() {
            return Ok(Decision::nothing(Consolidated::default()));
        }
        let because = |reason: &str| Context { reason: Some(reason.to_owned()), ..ctx.clone() };
        // Nobody asked to forget what a duplicate says: its message is recalled as before.
        let mut drafts = statements::ops::expire(needless, false, &because(DUPLICATE))?.drafts;
        drafts.extend(statements::ops::expire(expired, false, &because(upkeep::EXPIRED))?.drafts);
        let facts = |memories: &[Memory]| -> Vec<Fact> {
            let of_ledger = memories.iter().filter(|memory| memory.form == Form::LEDGER);
            of_ledger.cloned().filter_map(Fact::read).collect()
        };
        let leaving = facts(needless).into_iter().map(Leaving::duplicate);
        let leaving = leaving.chain(facts(expired).into_iter().map(Leaving::expired)).collect();
        let outcome = Consolidated { duplicates: needless.len(), expired: expired.len() };
        let message = text::message(&outcome);
        let upkeep = Upkeep { leaving, ..Upkeep::default() };
        let setting = setting(&self.config, reader, point)?;
        let commit = upkeep::keep(&upkeep, message, ctx, &setting)?;
        drafts.extend(commit.drafts);
        Ok(Decision { drafts, outcome })
    }
}

/// Returns a report of the findings, with at most `most` of each kind.
fn report(current: &CurrentMemories, stale_days: u32, most: usize, asking: &Asking<'_>) -> Consolidation {
    let findings = current.findings();
    let mut report =
        Consolidation { stale_days, safe: findings.needless.len(), ..counted(&current.memories) };
    let ids = |memories: &[&Memory]| -> HashSet<_> { memories.iter().map(|memory| memory.id).collect() };
    let (needless, removable) = (ids(&findings.needless), ids(&findings.removable));
    report.duplicates = Truncated::of(&findings.duplicates, most, |group| {
        let mut group = group.clone();
        // Duplicates that can be removed automatically come last, so that the one to keep comes first.
        group.sort_by_key(|memory| needless.contains(&memory.id));
        Truncated::of(&group, MEMBERS_MAX, |memory| {
            let commands = if removable.contains(&memory.id) { asking.forget(memory) } else { Vec::new() };
            item(memory, commands)
        })
    });
    report.contradictions = Truncated::of(&findings.contradictions, most, |group| {
        Truncated::of(group, MEMBERS_MAX, |memory| item(memory, asking.deprecate(memory)))
    });
    let doubtful = |memory: &&Memory| item(memory, asking.review(memory));
    report.low_confidence = Truncated::of(&findings.low_confidence, most, doubtful);
    report.stale = Truncated::of(&findings.stale, most, doubtful);
    report.expired = Truncated::of(&current.expired, most, |memory| item(memory, asking.expire()));
    report
}

fn disputed(conflict: &OpenConflict, asking: &Asking<'_>) -> Disputed {
    let side = |side: &Option<Memory>| side.as_ref().map(|memory| item(memory, Vec::new()));
    let reference = conflict.version();
    Disputed {
        ours: side(&conflict.ours),
        theirs: side(&conflict.theirs),
        source: conflict.source.clone(),
        commands: asking.resolve(&reference),
        reference,
    }
}

fn counted(memories: &[Memory]) -> Consolidation {
    let mut counts = Consolidation::default();
    let (mut sum, mut facts) = (0.0, 0_u32);
    for form in FORMS {
        counts.considered.insert(form.as_str(), 0);
    }
    for memory in memories {
        *counts.considered.entry(memory.form.as_str()).or_default() += 1;
        if memory.form == Form::LEDGER {
            *counts.lifetimes.entry(memory.lifetime.as_str()).or_default() += 1;
            sum += memory.confidence.unwrap_or_default();
            facts += 1;
        }
    }
    counts.confidence = (facts > 0).then(|| sum / f64::from(facts));
    counts
}

fn item(memory: &Memory, commands: Vec<String>) -> ReportedMemory {
    let is_hidden = memory.sensitivity == Sensitivity::Confidential;
    let place = || {
        let fact = Fact::read(memory.clone())?;
        let is_plain = fact.topic().is_none() && memory.lifetime == Lifetime::Permanent;
        (!is_plain).then(|| fact.place().to_owned())
    };
    ReportedMemory {
        reference: memory.version(),
        text: (!is_hidden).then(|| memory.text.clone()),
        scope: memory.scope.clone(),
        place: if memory.form == Form::LEDGER && !is_hidden { place() } else { None },
        confidence: memory.confidence,
        stated_at: memory.said_at.unwrap_or(memory.created_at),
        quarantined: memory.quarantined.clone(),
        commands,
    }
}
