//! The forms of memory, and the registry that lists them.
//!
//! Every form has the same files: `entry` (the entries it writes, and the memories they create), `ops`
//! (decisions: a view and a command become entries), `view` (folds: memories become what is read), `rules`
//! (the implementation of [`Rules`]) and, if merging takes more than a line, `merge`.
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

use serde::{Deserialize, Deserializer, de};

use crate::error::{Error, Result};
use crate::form::{Merged, Rules};
use crate::memory::{Form, Memory, Ref};

/// The built-in forms, sorted by name.
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

/// Prefixes of the names of anchors and events that memtape writes and that belong to no form.
const SYSTEM_PREFIXES: [&str; 7] = ["memory/", "branch/", "branch.", "import.", "turn.", "tape.", "mind."];

/// Number of hexadecimal digits in the id of a ledger event.
const ID_DIGITS: usize = 16;

/// Adds forms to the built-in ones.
///
/// Call it before anything else in this crate, and at most once per process.
///
/// # Errors
/// [`Error::Invalid`] if the registry is already in use, or if two forms have the same name.
pub fn register(forms: &[&'static dyn Rules]) -> Result<()> {
    let mut all: Vec<&'static dyn Rules> = BUILT_IN.iter().chain(forms).copied().collect();
    all.sort_by_key(|rules| rules.form());
    if all.windows(2).any(|pair| pair[0].form() == pair[1].form()) {
        return Err(Error::Invalid("two forms have the same name".into()));
    }
    REGISTRY.set(all).map_err(|_| Error::Invalid("the forms are already in use".into()))
}

/// Returns the rules of every form, sorted by name.
pub fn all() -> &'static [&'static dyn Rules] {
    REGISTRY.get_or_init(|| BUILT_IN.to_vec())
}

/// Returns the rules of the form that owns anchors or events of this name; `None` if no form does.
#[must_use]
pub fn owner(event: &str) -> Option<&'static dyn Rules> {
    all().iter().copied().find(|rules| rules.owns(event))
}

/// Returns the reserved prefix of a name: only memtape's own commands write names that begin with it.
///
/// `None` means that anybody may write the name.
#[must_use]
pub fn reserved_prefix(name: &str) -> Option<&'static str> {
    let of_forms = all().iter().flat_map(|rules| rules.prefixes());
    SYSTEM_PREFIXES.iter().chain(of_forms).copied().find(|prefix| name.starts_with(prefix))
}

impl Form {
    /// Returns every form, sorted by name.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        all().iter().map(|rules| rules.form())
    }

    /// Returns the rules of the form.
    ///
    /// # Panics
    /// Panics if the form is not registered. This cannot happen for a form that was parsed (parsing checks)
    /// or that is a constant of a registered module.
    #[must_use]
    pub fn rules(self) -> &'static dyn Rules {
        let rules = all().iter().copied().find(|rules| rules.form() == self);
        rules.unwrap_or_else(|| panic!("the form {self} is not registered"))
    }

    /// Returns whether its memories were kept on purpose, as opposed to messages, which record what was said.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::MESSAGES
    }
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::all().find(|form| form.as_str() == text).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(Self::as_str).collect();
            Error::Invalid(format!("unknown form {text:?}: expected one of {}", names.join(", ")))
        })
    }
}

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl FromStr for Ref {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = || {
            Error::Invalid(format!(
                "invalid ref {text:?}: expected FORM:KEY or \
                                                 FORM:KEY@ENTRY"
            ))
        };
        let Some((form, rest)) = text.split_once(':') else {
            // Document 1 refers to ledger facts by the bare ids of their events.
            let is_id = text.len() == ID_DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit());
            return match is_id {
                true => Ok(Self { form: Form::LEDGER, key: text.to_ascii_lowercase(), entry: None }),
                false => Err(invalid()),
            };
        };
        let form = form.parse()?;
        // A version is only what follows the last `@` and consists of digits, because a key may contain `@`.
        let (key, entry) = match rest.rsplit_once('@') {
            Some((key, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                (key, Some(digits.parse().map_err(|_| invalid())?))
            }
            _ => (rest, None),
        };
        if key.is_empty() {
            return Err(invalid());
        }
        let key = if form == Form::BLOCKS { blocks::BlockName::resolved(key) } else { key };
        Ok(Self { form, key: key.to_owned(), entry })
    }
}

/// Returns the string by which two versions of a memory are compared: it is equal if their contents are.
///
/// It covers the sensitivity and the quarantine mark, too.
#[must_use]
pub fn content(memory: &Memory) -> String {
    with_visibility(&memory.form.rules().content(memory), memory)
}

/// Returns the part of [`content`] that somebody chose: without blank lines at the ends, and without what memtape
/// computes.
#[must_use]
pub fn substance(memory: &Memory) -> String {
    with_visibility(&memory.form.rules().substance(memory), memory)
}

fn with_visibility(text: &str, memory: &Memory) -> String {
    format!("{text}\n{}\n{:?}", memory.sensitivity, memory.quarantined)
}

/// Returns whether two versions are in no conflict because both say the same.
#[must_use]
pub fn is_agreed(base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> bool {
    let is_joined = || merge(base, ours, theirs) != Merged::Conflict;
    substance(ours) == substance(theirs) || ours.text.trim() == theirs.text.trim() && is_joined()
}

/// Merges two versions of a memory that both changed since `base`.
///
/// `base` is `None` if neither side had the memory at the merge base.
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
    use crate::recall::Weights;

    #[test]
    fn the_weights_of_each_form_add_up_to_1() {
        for form in Form::all() {
            let Weights { relevance, importance, recency } = form.rules().weights();
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
