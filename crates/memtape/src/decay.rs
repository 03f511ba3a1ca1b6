//! Decay: memories that were not used for a long time, with their strength.
//!
//! **Invariant.** This is a report: asking for it removes nothing and counts as no recall. Only what happened
//! up to the point counts.

use jiff::Timestamp;
use memtape_core::recall::strength::strength;
use memtape_core::{Audience, Form, Memory, Point, Session, calendar};
use memtape_index::{Question, Reader};

use crate::error::{Error, Result};
use crate::workspace::{At, Workspace, conversation_of};

/// The default number of days without use.
pub const DAYS: u32 = 30;
/// The default number of memories in a report.
pub const LISTED: usize = 50;

/// A question about decay.
#[derive(Clone, Debug)]
pub struct DecayQuestion {
    /// The audience that asks.
    pub audience: Audience,
    /// Only memories that were not used for this many days.
    pub days: u32,
    /// Only memories of this form; `None` means every form except messages.
    pub form: Option<Form>,
    /// Maximum number of memories; the weakest are kept.
    pub limit: usize,
}

impl Default for DecayQuestion {
    fn default() -> Self {
        Self { audience: Audience::owner(), days: DAYS, form: None, limit: LISTED }
    }
}

/// A memory that was not used for a long time.
#[derive(Clone, Debug, PartialEq)]
pub struct UnusedMemory {
    /// The memory.
    pub memory: Memory,
    /// Its strength, from 0 to 1 ([`memtape_core::recall::strength`]).
    pub strength: f64,
    /// Number of prompts that contained this version.
    pub recalls: u64,
    /// When it was last stated or shown in a prompt.
    pub used_at: Timestamp,
}

impl UnusedMemory {
    /// Returns a memory with its strength at a point.
    fn of(memory: Memory, reader: &Reader<'_>, point: &Point) -> memtape_index::Result<Self> {
        let (recalls, recalled_at) = reader.use_of(memory.id, point)?;
        let stated_at = memory.said_at.unwrap_or(memory.created_at).max(memory.created_at);
        let used_at = recalled_at.map_or(stated_at, |recalled_at| stated_at.max(recalled_at));
        let strength = strength(used_at, recalls, point.instant);
        Ok(Self { memory, strength, recalls, used_at })
    }
}

/// The result of a question about decay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decay {
    /// The memories, weakest first.
    pub faded: Vec<UnusedMemory>,
    /// Number of memories that are not included.
    pub left: usize,
}

impl Workspace {
    /// Returns the memories at a point that were not used for a number of days and that the audience sees:
    /// weakest first, and of equally weak ones the oldest first.
    ///
    /// Confidential memories are left out.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form is that of messages, which do not decay; [`Error::Store`] if `at` does
    /// not exist or the index cannot be read.
    pub fn decay(&self, question: &DecayQuestion, at: &At) -> Result<Decay> {
        let forms: Vec<Form> = Form::all()
            .filter(|form| form.is_known() && question.form.is_none_or(|wanted| wanted == *form))
            .collect();
        if forms.is_empty() {
            let why = "messages do not decay: expected blocks, files, ledger, notes, statements or zone";
            return Err(Error::Invalid(why.into()));
        }
        let mut faded =
            self.read(at, &question.audience, &conversation_of(&question.audience), |reader, point| {
                let since = calendar::days_before(point.instant, question.days);
                let mut faded = Vec::new();
                for form in &forms {
                    let asked = Question {
                        audience: question.audience.clone(),
                        form: Some(*form),
                        unused_since: Some(since),
                        ..Question::default()
                    };
                    let mut memories = reader.memories(&asked, point)?;
                    // A note without a heading has an empty section before its first one.
                    memories.retain(|memory| !memory.text.is_empty());
                    for memory in memories {
                        faded.push(UnusedMemory::of(memory, reader, point)?);
                    }
                }
                Ok(faded)
            })?;
        faded.sort_by(|a, b| a.strength.total_cmp(&b.strength).then(a.memory.id.cmp(&b.memory.id)));
        let left = faded.len().saturating_sub(question.limit);
        faded.truncate(question.limit);
        Ok(Decay { faded, left })
    }

    /// Sorts items by the strength of their memories at a point, strongest first.
    ///
    /// The sort is stable.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn by_strength<T: Clone>(
        &self,
        items: &[T],
        memory: impl Fn(&T) -> &Memory,
        at: &At,
    ) -> Result<Vec<T>> {
        let mut ordered = self.read(at, &Audience::owner(), &Session::direct(), |reader, point| {
            let strength = |item: &T| {
                Ok((UnusedMemory::of(memory(item).clone(), reader, point)?.strength, item.clone()))
            };
            items.iter().map(strength).collect::<memtape_index::Result<Vec<_>>>()
        })?;
        ordered.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        Ok(ordered.into_iter().map(|(_, item)| item).collect())
    }
}
