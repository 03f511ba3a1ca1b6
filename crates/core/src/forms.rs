//! The forms: shapes of memory. Each has the same files: `entry` (what it may write, and what that bears),
//! `ops` (decide: a view and a command become entries) and `view` (fold: memories become what is read); and `merge`,
//! what branches need of it, where its memories are known.
//!
//! **Invariant.** Forms never import each other.

pub mod blocks;
pub mod files;
pub mod ledger;
pub mod messages;
pub mod notes;
pub mod statements;
pub mod zone;

use memtape_tape::Draft;

use crate::decision::Given;
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::memory::{Form, Memory};
use crate::meta::Meta;

/// How a memory is born again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// As it is, on another branch: the same thing in a second place.
    Copy,
    /// After it was retired: a newer version that says the same.
    Restore,
}

/// The text whose meaning stands for a memory: what was said, without who said it.
#[must_use]
pub fn meaning(memory: &Memory) -> String {
    match memory.form {
        Form::Messages => messages::view::meaning(memory),
        Form::Blocks | Form::Files | Form::Ledger | Form::Notes | Form::Statements | Form::Zone => {
            memory.text.clone()
        }
    }
}

/// The one entry that bears a memory anew; `meta` says the rest of it.
///
/// # Errors
/// [`Error::Invalid`] for a memory that is never born anew.
pub fn again(memory: &Memory, how: Again, meta: Meta, given: &Given) -> Result<Draft> {
    match memory.form {
        Form::Blocks => blocks::merge::again(memory, &meta, given),
        Form::Files => files::merge::again(memory, &meta, given),
        Form::Ledger => ledger::again(memory, how, &meta, given),
        Form::Notes => notes::merge::again(memory, meta, given),
        Form::Statements => statements::merge::again(memory, &meta, given),
        Form::Zone => zone::merge::again(memory, meta, given),
        Form::Messages => Err(kept()),
    }
}

/// The one entry that retires versions of one thing, of which this is one; `meta` says which, and the rest of it.
///
/// # Errors
/// [`Error::Invalid`] for a memory that is never retired.
pub fn retire(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    match memory.form {
        Form::Blocks => blocks::merge::retire(memory, meta, given),
        Form::Files => files::merge::retire(memory, meta, given),
        Form::Ledger => ledger::retiring(memory, ledger::EventType::Forget, meta, given),
        Form::Notes => notes::merge::retire(memory, meta, given),
        Form::Statements => statements::merge::retire(memory, meta, given),
        Form::Zone => zone::merge::retire(memory, meta, given),
        Form::Messages => Err(kept()),
    }
}

fn kept() -> Error {
    Error::Invalid("messages are kept as they were said".into())
}

/// What tells a memory that is one of several under its key from the others; `None` where the key is enough.
#[must_use]
pub fn piece(memory: &Memory) -> Option<String> {
    zone::merge::piece(memory).filter(|_| memory.form == Form::Zone)
}

/// The empty lines before a memory, where they are kept beside its text.
#[must_use]
pub fn gap(memory: &Memory) -> Option<u32> {
    zone::merge::gap(memory).filter(|_| memory.form == Form::Zone)
}

/// A memory as it reads with another text, for who resolves a conflict about it; a fact's text is its object.
///
/// # Errors
/// [`Error::Invalid`] for a text that the form does not take, and for a form whose memories are kept or forgotten as
/// they are.
pub fn with_text(memory: &Memory, text: &str, limits: blocks::ops::Limits) -> Result<Memory> {
    match memory.form {
        Form::Blocks => blocks::merge::with_text(memory, text, limits),
        Form::Files => files::merge::with_text(memory, text),
        Form::Ledger => Ok(ledger::merge::with_other(memory, text)),
        Form::Notes => notes::merge::with_text(memory, text),
        Form::Statements | Form::Zone | Form::Messages => {
            let why = format!("{} has no other text than its own", memory.reference());
            Err(Error::Invalid(why).with_hint(Hint::KeepSide { value: false }))
        }
    }
}

/// What tells two versions of a thing apart.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let said = match memory.form {
        Form::Blocks => blocks::merge::content(memory),
        Form::Files => files::merge::content(memory),
        Form::Ledger => ledger::merge::content(memory),
        Form::Notes => notes::merge::content(memory),
        Form::Statements => statements::merge::content(memory),
        Form::Messages | Form::Zone => memory.text.clone(),
    };
    format!("{said}\n{}\n{:?}", memory.sensitivity, memory.quarantined)
}

/// What a form makes of two versions of a thing that were both changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// Ours stands.
    Ours,
    /// Theirs stands.
    Theirs,
    /// A version that joins them stands.
    Joined(Box<Memory>),
    /// They contradict each other.
    Conflict,
}

/// Lets the form settle what was changed on two sides, of what stood before on both (`None` where nothing did).
#[must_use]
pub fn settle(base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Settled {
    let joined = |joined: Memory| {
        if content(&joined) == content(ours) {
            Settled::Ours
        } else if content(&joined) == content(theirs) {
            Settled::Theirs
        } else {
            Settled::Joined(Box::new(joined))
        }
    };
    match ours.form {
        // A line that stands on both sides is the same line, in our place.
        Form::Zone => Settled::Ours,
        Form::Blocks => match blocks::merge::takes_over(ours, theirs) {
            Some(true) => Settled::Theirs,
            Some(false) => Settled::Ours,
            None => Settled::Conflict,
        },
        Form::Ledger => match ledger::merge::agreed(ours, theirs) {
            Some(true) => Settled::Theirs,
            Some(false) => Settled::Ours,
            None => Settled::Conflict,
        },
        Form::Files => match files::merge::joined(base, ours, theirs) {
            Ok(Some(both)) => joined(both),
            Ok(None) | Err(_) => Settled::Conflict,
        },
        Form::Notes => match notes::merge::joined(base, ours, theirs) {
            Ok(Some(both)) => joined(both),
            Ok(None) | Err(_) => Settled::Conflict,
        },
        Form::Statements => statements::merge::joined(ours, theirs).map_or(Settled::Conflict, joined),
        Form::Messages => Settled::Conflict,
    }
}
