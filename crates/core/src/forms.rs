//! The forms: shapes of memory, and the registry that lists them.
//!
//! Each form has the same files: `entry` (what it may write, and what that creates), `ops` (decide: a view and a command
//! become entries), `view` (fold: memories become what is read), `rules` (what everything else asks of it) and, where
//! branches need more than a line of that, `merge`.
//!
//! **Invariant.** Forms never import each other.

pub mod blocks;
pub mod files;
pub mod ledger;
pub mod messages;
pub mod notes;
pub mod statements;
pub mod zone;

use std::str::FromStr;
use std::sync::OnceLock;

use memtape_tape::Draft;
use serde::{Deserialize, Deserializer, de};

use crate::decision::Given;
use crate::error::{Error, Result};
use crate::form::{Again, Merged, Rules};
use crate::memory::{Form, Memory, Ref};
use crate::meta::Meta;
use crate::recall::Weights;

/// The forms, in the order of their names.
static BUILT_IN: [&dyn Rules; 7] = [
    &blocks::rules::Blocks,
    &files::rules::Files,
    &ledger::rules::Ledger,
    &messages::rules::Messages,
    &notes::rules::Notes,
    &statements::rules::Statements,
    &zone::rules::Zone,
];

static REGISTRY: OnceLock<Vec<&'static dyn Rules>> = OnceLock::new();

/// How the names of anchors and events begin that memtape writes and no form owns.
const SYSTEM_PREFIXES: [&str; 5] = ["memory/", "branch/", "branch.", "turn.", "tape."];

/// How many hexadecimal digits the id of a ledger's event has.
const ID_DIGITS: usize = 16;

/// Adds forms to the built-in ones. Must be called before anything else of this crate, once in a process.
///
/// # Errors
/// [`Error::Invalid`] if the forms are in use already, or two have the same name.
pub fn register(forms: &[&'static dyn Rules]) -> Result<()> {
    let mut all: Vec<&'static dyn Rules> = BUILT_IN.iter().chain(forms).copied().collect();
    all.sort_by_key(|rules| rules.form());
    if all.windows(2).any(|pair| pair[0].form() == pair[1].form()) {
        return Err(Error::Invalid("two forms have the same name".into()));
    }
    REGISTRY.set(all).map_err(|_| Error::Invalid("the forms are in use already".into()))
}

/// Returns the rules of every form, in the order of their names.
pub fn all() -> &'static [&'static dyn Rules] {
    REGISTRY.get_or_init(|| BUILT_IN.to_vec())
}

/// Returns the rules of the form that writes anchors or events of this name.
#[must_use]
pub fn owner(event: &str) -> Option<&'static dyn Rules> {
    all().iter().copied().find(|rules| rules.owns(event))
}

/// Returns how a name begins that only memtape's own commands write; `None` for a name that anybody may write.
#[must_use]
pub fn reserved_prefix(name: &str) -> Option<&'static str> {
    let of_forms = all().iter().flat_map(|rules| rules.prefixes());
    SYSTEM_PREFIXES.iter().chain(of_forms).copied().find(|prefix| name.starts_with(prefix))
}

impl Form {
    /// Returns every form, in the order of their names.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        all().iter().map(|rules| rules.form())
    }

    /// Returns the rules of the form.
    ///
    /// # Panics
    /// If the form is not registered: forms are only made by their own modules and by parsing, which checks.
    #[must_use]
    pub fn rules(self) -> &'static dyn Rules {
        let rules = all().iter().copied().find(|rules| rules.form() == self);
        rules.unwrap_or_else(|| panic!("the form {self} is not registered"))
    }

    /// Returns whether its memories were kept on purpose. They are few, and each counts; what was said in passing is
    /// not.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::MESSAGES
    }

    /// Returns whether its keys name slots, in each of which at most one memory is current: the newest.
    #[must_use]
    pub fn has_slots(self) -> bool {
        self.rules().has_slots()
    }

    /// Returns how much a memory of it matters if nobody said so, from 0 to 1.
    #[must_use]
    pub fn importance(self) -> f64 {
        self.rules().importance()
    }
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::all().find(|form| form.as_str() == text).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(Self::as_str).collect();
            Error::Invalid(format!("there is no form {text:?}: the forms are {}", names.join(", ")))
        })
    }
}

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Weights {
    /// Returns the default weights of a form.
    #[must_use]
    pub fn of(form: Form) -> Self {
        form.rules().weights()
    }
}

impl FromStr for Ref {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = || Error::Invalid(format!("{text:?} is no ref: write FORM:KEY or FORM:KEY@ENTRY"));
        let Some((form, rest)) = text.split_once(':') else {
            // Document 1 names facts so: by the ids of their events alone.
            let is_id = text.len() == ID_DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit());
            return match is_id {
                true => Ok(Self { form: Form::LEDGER, key: text.to_ascii_lowercase(), entry: None }),
                false => Err(invalid()),
            };
        };
        let form = form.parse()?;
        // Only digits after the last @ are a version: keys may hold one themselves.
        let (key, entry) = match rest.rsplit_once('@') {
            Some((key, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                (key, Some(digits.parse().map_err(|_| invalid())?))
            }
            _ => (rest, None),
        };
        if key.is_empty() {
            return Err(invalid());
        }
        Ok(Self { form, key: key.to_owned(), entry })
    }
}

/// Returns the text whose meaning stands for a memory: what was said, without who said it.
#[must_use]
pub fn meaning(memory: &Memory) -> String {
    memory.form.rules().meaning(memory)
}

/// Returns the one entry that creates a memory again; `meta` says the rest of it.
///
/// # Errors
/// [`Error::Invalid`] for a memory that is never created again.
pub fn again(memory: &Memory, how: Again, meta: Meta, given: &Given) -> Result<Draft> {
    memory.form.rules().again(memory, how, meta, given)
}

/// Returns the one entry that removes versions of one memory, of which this is one; `meta` says which, and the rest of
/// it.
///
/// # Errors
/// [`Error::Invalid`] for a memory that is never removed.
pub fn retire(memory: &Memory, meta: &Meta, given: &Given) -> Result<Draft> {
    memory.form.rules().retire(memory, meta, given)
}

/// Returns what tells a memory that is one of several under its key from the others; `None` if the key is enough.
#[must_use]
pub fn piece(memory: &Memory) -> Option<String> {
    memory.form.rules().piece(memory)
}

/// Returns the number of empty lines before a memory, if they are kept beside its text.
#[must_use]
pub fn gap(memory: &Memory) -> Option<u32> {
    memory.form.rules().gap(memory)
}

/// Returns a memory with another text, to resolve a conflict about it; the text of a ledger fact is its object.
///
/// # Errors
/// [`Error::Invalid`] for a text that the form does not take, and for a form whose memories keep their texts.
pub fn with_text(memory: &Memory, text: &str) -> Result<Memory> {
    memory.form.rules().with_text(memory, text)
}

/// Returns what tells two versions of a memory apart.
#[must_use]
pub fn content(memory: &Memory) -> String {
    let said = memory.form.rules().content(memory);
    format!("{said}\n{}\n{:?}", memory.sensitivity, memory.quarantined)
}

/// Lets the form resolve what was changed on two sides since `base`, which is `None` if neither side had it before.
#[must_use]
pub fn merge(base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged {
    match ours.form.rules().merge(base, ours, theirs) {
        Merged::Joined(joined) if content(&joined) == content(ours) => Merged::Ours,
        Merged::Joined(joined) if content(&joined) == content(theirs) => Merged::Theirs,
        merged => merged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_each_form_add_up_to_1() {
        for form in Form::all() {
            let Weights { relevance, importance, recency } = Weights::of(form);
            assert!((relevance + importance + recency - 1.0).abs() < 1e-9, "{form}");
        }
    }

    #[test]
    fn the_names_of_events_belong_to_one_form() {
        let prefixes: Vec<_> = all().iter().flat_map(|rules| rules.prefixes()).collect();
        for (n, prefix) in prefixes.iter().enumerate() {
            let is_shared = |other: &&str| other.starts_with(**prefix) || prefix.starts_with(*other);
            assert!(!prefixes[n + 1..].iter().any(|other| is_shared(other)), "{prefix}");
        }
    }

    #[test]
    fn refs_read_back_as_themselves() {
        for text in ["zone:0123456789abcdef", "zone:2026-02-10@44", "messages:42", "zone:a@b", "zone:a@b@7"] {
            assert_eq!(text.parse::<Ref>().unwrap().to_string(), text);
        }
        let r: Ref = "zone:a@b@7".parse().unwrap();
        assert_eq!((r.key.as_str(), r.entry), ("a@b", Some(7)));
        let fact: Ref = "264766E1D5F2A71D".parse().unwrap();
        assert_eq!(fact.to_string(), "ledger:264766e1d5f2a71d");
        for text in ["", "zone", "zone:", "zone:@7", "nothing:x", "264766e1d5f2a71", "264766e1d5f2a71g"] {
            assert!(text.parse::<Ref>().is_err(), "{text:?}");
        }
    }
}
