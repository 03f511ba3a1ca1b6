//! Decay: what is known and was not used for long, with how strongly it still stands.
//!
//! **Invariant.** It is a report: nothing is retired, and nothing is recalled, by asking for it. Only what happened up to
//! the point counts.

use jiff::{SignedDuration, Timestamp};
use memtape_core::recall::strength::strength;
use memtape_core::{Audience, Form, Memory, Point, Session};
use memtape_store::{Question, Reader};

use crate::error::{Error, Result};
use crate::workspace::{At, Workspace, conversation_of};

/// For how many days a memory was not used that is reported, unless told otherwise.
pub const DAYS: u32 = 30;
/// How many memories are reported, unless told otherwise.
pub const LISTED: usize = 50;

/// Which memories are asked for.
#[derive(Clone, Debug)]
pub struct DecayQuestion {
    /// By whom.
    pub audience: Audience,
    /// That were not used for so many days.
    pub days: u32,
    /// Of this form; of every form that is known, without.
    pub form: Option<Form>,
    /// At most so many, the weakest.
    pub limit: usize,
}

impl Default for DecayQuestion {
    fn default() -> Self {
        Self { audience: Audience::owner(), days: DAYS, form: None, limit: LISTED }
    }
}

/// A memory that fades.
#[derive(Clone, Debug, PartialEq)]
pub struct Faded {
    /// The memory.
    pub memory: Memory,
    /// How strongly it stands, from 0 to 1 ([`memtape_core::recall::strength`]).
    pub strength: f64,
    /// How many prompts were given this version of it.
    pub recalls: u64,
    /// When it was last told, or given to a prompt.
    pub used_at: Timestamp,
}

impl Faded {
    /// How strongly a memory stands at a point.
    fn of(memory: Memory, reader: &Reader<'_>, point: &Point) -> memtape_store::Result<Self> {
        let (recalls, recalled_at) = reader.use_of(memory.id, point)?;
        let told_at = memory.said_at.unwrap_or(memory.created_at).max(memory.created_at);
        let used_at = recalled_at.map_or(told_at, |recalled_at| told_at.max(recalled_at));
        let strength = strength(used_at, recalls, point.instant);
        Ok(Self { memory, strength, recalls, used_at })
    }
}

/// What fades.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decay {
    /// The memories, the weakest first.
    pub faded: Vec<Faded>,
    /// How many more there are.
    pub left: usize,
}

impl Workspace {
    /// What is known at a point, was not used for so many days before it, and is the audience's; the weakest first, of
    /// what is as weak the oldest. What is confidential is not among it.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a form whose memories do not fade, or what the medium says.
    pub fn decay(&self, question: &DecayQuestion, at: &At) -> Result<Decay> {
        let forms: Vec<Form> = Form::all()
            .into_iter()
            .filter(|form| form.is_known() && question.form.is_none_or(|wanted| wanted == *form))
            .collect();
        if forms.is_empty() {
            return Err(Error::Invalid("messages do not fade: they are kept as they were said".into()));
        }
        let age = SignedDuration::from_hours(24 * i64::from(question.days));
        let mut faded = self.read(at, &conversation_of(&question.audience), |reader, point| {
            let since = point.instant.checked_sub(age).unwrap_or(Timestamp::MIN);
            let mut faded = Vec::new();
            for form in &forms {
                let asked = Question {
                    audience: question.audience.clone(),
                    form: Some(*form),
                    unused_since: Some(since),
                    ..Question::default()
                };
                let mut memories = reader.memories(&asked, point)?;
                // A note without a heading has nothing before its first section.
                memories.retain(|memory| !memory.text.is_empty());
                for memory in memories {
                    faded.push(Faded::of(memory, reader, point)?);
                }
            }
            Ok(faded)
        })?;
        faded.sort_by(|a, b| a.strength.total_cmp(&b.strength).then(a.memory.id.cmp(&b.memory.id)));
        let left = faded.len().saturating_sub(question.limit);
        faded.truncate(question.limit);
        Ok(Decay { faded, left })
    }

    /// Puts things in the order of how strongly their memories stand at a point, the strongest first; what stands as
    /// strongly stays as it was.
    ///
    /// # Errors
    /// What the medium says.
    pub fn by_strength<T: Clone>(
        &self,
        things: &[T],
        memory: impl Fn(&T) -> &Memory,
        at: &At,
    ) -> Result<Vec<T>> {
        let mut ordered = self.read(at, &Session::direct(), |reader, point| {
            let strength =
                |thing: &T| Ok((Faded::of(memory(thing).clone(), reader, point)?.strength, thing.clone()));
            things.iter().map(strength).collect::<memtape_store::Result<Vec<_>>>()
        })?;
        ordered.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        Ok(ordered.into_iter().map(|(_, thing)| thing).collect())
    }
}
