//! Compares and restores facts.
//!
//! **Invariant.** A restoration changes only facts that the audience may change ([`super::target`]).

use std::collections::BTreeSet;

use memtape_core::forms::ledger::ops;
use memtape_core::merge::{Closing, Creation};
use memtape_core::{Decision, Memory, Point, calendar};
use memtape_index::{Confidential, Question, Reader};

use super::{Fact, Ledger, Target, percent};
use crate::branches::drafts_of;
use crate::error::{Error, Result};
use crate::log::text;
use crate::restoring::{Restoration, restoration};
use crate::unified_diff::unified_diff;
use crate::workspace::At;

/// The facts that a restoration changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The number of facts that are current again.
    pub added: usize,
    /// The number of facts that were removed, for which none was restored in the same slot.
    pub retired: usize,
}

impl Ledger<'_> {
    /// Returns the difference between the named facts at two points as a unified diff, one line per fact;
    /// empty if there is none.
    ///
    /// Each line has the topic or lifetime of the fact, its text and its confidence.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the reference is no fact's; [`Error::NotFound`] if the audience never saw such a
    /// fact; [`Error::Store`] if a point does not exist or the index cannot be read.
    pub fn diff(&self, target: &Target, from: &At, to: &At) -> Result<String> {
        let target = self.target(target)?;
        let (keys, sides) = self.workspace.read_both(
            [from, to],
            &self.audience,
            &self.author.session,
            |reader, [from, to]| {
                let mut keys = self.keys(&target, reader, from)?;
                keys.extend(self.keys(&target, reader, to)?);
                let side = |point| self.rendered(&keys, reader, point);
                let sides = [side(from)?, side(to)?];
                Ok((keys, sides))
            },
        )?;
        if keys.is_empty() {
            return Err(never(&target));
        }
        let name = match &target {
            Target::Ref(reference) => format!("{}:{}", reference.form, reference.key),
            Target::Named(named) => format!("{} {}", named.subject, named.predicate),
        };
        let [before, after] = &sides;
        Ok(unified_diff(&name, before.as_deref(), after.as_deref()))
    }

    /// Restores the named facts to their state at a point, and returns the number of changes.
    ///
    /// A fact that did not exist then is removed, unless none of them existed.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the reference is no fact's; [`Error::NotFound`] if there never was such a fact;
    /// [`Error::Store`] of kind `NotFound` if none of them existed at that point or the audience may not
    /// change them, of kind `Invalid` if one of them has ended since, and as for [`Workspace::write`](crate::Workspace::write).
    pub fn restore(&self, target: &Target, at: &At) -> Result<Restored> {
        let target = self.target(target)?;
        let written = self.workspace.write(&self.author, |reader, point, ctx| {
            let then = self.workspace.point(reader, at, &self.audience, &ctx.session)?;
            let keys = self.keys(&target, reader, point)?;
            let own = |point: &Point| -> memtape_index::Result<Vec<Memory>> {
                let mut memories = self.current_of(&keys, reader, point)?;
                memories.retain(|memory| match &target {
                    Target::Named(_) => self.is_at_home(memory),
                    Target::Ref(_) => self.is_own(memory),
                });
                Ok(memories)
            };
            let before = own(&then)?;
            if before.is_empty() {
                return Err(match &target {
                    Target::Named(named) => ops::nothing(named),
                    Target::Ref(reference) => memtape_core::Error::NotFound(format!(
                        "{reference} was no current fact at @{}",
                        then.entry()
                    )),
                }
                .into());
            }
            let Restoration { changes, added, retired } = restoration(reader, &before, &own(point)?)?;
            if changes.is_empty() {
                return Ok(Decision::nothing(Restored::default()));
            }
            let created = changes.iter().filter_map(|change| change.creates.as_ref()).map(Creation::memory);
            for memory in created {
                if let Some(end) = memory.expires_at.filter(|end| *end <= ctx.now) {
                    let day = calendar::day(end, &ctx.zone);
                    let why = format!(
                        "{} ended on {day}: it cannot be restored, but stated again",
                        memory.version()
                    );
                    return Err(memtape_core::Error::Invalid(why).into());
                }
            }
            let message = format!("restore facts of @{}", then.entry());
            let closing = Closing { message, ..Closing::default() };
            let drafts = drafts_of(reader, point, changes, closing, ctx)?;
            Ok(Decision { drafts, outcome: Restored { added, retired } })
        })?;
        Ok(written.outcome)
    }

    /// Returns the keys of every version of the named facts up to a point.
    fn keys(
        &self,
        target: &Target,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<BTreeSet<String>> {
        Ok(self.versions(target, reader, point)?.into_iter().map(|memory| memory.key).collect())
    }

    /// Returns the current facts with these keys, in the order of the keys.
    fn current_of(
        &self,
        keys: &BTreeSet<String>,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Vec<Memory>> {
        let mut memories = Vec::new();
        for key in keys {
            let question =
                Question { confidential: Confidential::ToOwner, key: Some(key.clone()), ..self.question() };
            memories.extend(reader.memories(&question, point)?);
        }
        Ok(memories)
    }

    /// Renders the current facts with these keys, one per line; `None` if there are none.
    fn rendered(
        &self,
        keys: &BTreeSet<String>,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_index::Result<Option<String>> {
        let facts = self.current_of(keys, reader, point)?.into_iter().filter_map(Fact::read);
        let lines: String = facts
            .map(|fact| {
                let (place, confidence) = (fact.place().to_owned(), percent(fact.confidence()));
                format!("{place} · {} ({confidence}%)\n", text(Some(&fact.memory)))
            })
            .collect();
        Ok((!lines.is_empty()).then_some(lines))
    }
}

/// Returns the error for a fact that never existed.
fn never(target: &Target) -> Error {
    match target {
        Target::Named(named) => ops::nothing(named).into(),
        Target::Ref(reference) => Error::NotFound(format!("there is no fact {reference}, and never was")),
    }
}
