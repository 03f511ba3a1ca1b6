//! What is not written as it comes: secrets, and what would steer a model.
//!
//! **Invariants.** Nothing reaches the tape with a secret that is known by its shape: every command's text is cleaned
//! before it is compared with what stands there, and every entry once more before it is appended
//! ([`memtape_core::guard::guard`]). A name is never cleaned: one that holds a secret is refused. What others than the owner write, and reads like an order to a model,
//! is refused where it would stand in a prompt by itself, and quarantined where it is only found.

use std::collections::BTreeSet;

use memtape_core::guard;
use memtape_core::safety::injection;
use memtape_core::safety::names::SecretName;
use memtape_core::{Audience, Decision, Origin};
use memtape_store::{Notice, Reader};

use crate::error::{Error, Result};

/// The entries of a command without the secrets that are left in them.
pub(crate) fn guard<T>(decision: Decision<T>, reader: &Reader<'_>) -> memtape_store::Result<Decision<T>> {
    let mut kinds = BTreeSet::new();
    let mut drafts = Vec::with_capacity(decision.drafts.len());
    for draft in decision.drafts {
        if let Some(name) = guard::secrets_in_new_names(&draft).first() {
            return Err(memtape_core::Error::Invalid(refusal(name)).into());
        }
        let (draft, found) = guard::guard(draft)?;
        kinds.extend(found);
        drafts.push(draft);
    }
    if !kinds.is_empty() {
        reader.note(redacted(kinds));
    }
    Ok(Decision { drafts, outcome: decision.outcome })
}

/// Why a name is refused. The name itself is not repeated.
fn refusal(name: &SecretName) -> String {
    let SecretName { of, kind, .. } = name;
    format!(
        "the name of {of} holds a secret ({kind}), and names stand on the tape as they are: choose another name"
    )
}

/// Returns the warning that secrets of these kinds were redacted.
pub(crate) fn redacted(kinds: BTreeSet<&'static str>) -> Notice {
    Notice::Redacted { kinds: kinds.into_iter().map(str::to_owned).collect() }
}

/// Refuses a text that would steer the model in whose prompt it stands, unless it is the owner's own.
pub(crate) fn admit(text: &str, audience: &Audience, origin: Origin) -> Result<()> {
    if audience.is_owner() && origin == Origin::User {
        return Ok(());
    }
    match injection::is_suspicious(text) {
        None => Ok(()),
        Some(rule) => Err(Error::Refused(format!(
            "this reads like an order to a model ({rule}), and would stand in its prompts: say it in other words, or let the \
             owner write it"
        ))),
    }
}
