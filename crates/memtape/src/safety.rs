//! Keeps secrets, and texts that read like instructions to a model, off the tape.
//!
//! **Invariants.** No secret with a known shape reaches the tape: the text of every command is redacted
//! before it is compared with existing memories, and every entry once more before it is appended
//! ([`memtape_core::guard::guard`]). Names are never redacted: a name that contains a secret is refused. A
//! text that does not come from the owner and reads like an instruction to a model is refused if a prompt
//! would show it unasked, and quarantined if it is only found by recall.

use std::collections::BTreeSet;

use memtape_core::guard;
use memtape_core::safety::injection;
use memtape_core::safety::names::SecretName;
use memtape_core::{Audience, Decision, Origin};
use memtape_store::{Store, Warning};

use crate::error::{Error, Result};

/// Returns the entries of a command with the remaining secrets redacted, and records a warning if there were
/// any.
pub(crate) fn guard<T>(decision: Decision<T>, store: &Store) -> memtape_index::Result<Decision<T>> {
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
        store.note(redacted(kinds));
    }
    Ok(Decision { drafts, outcome: decision.outcome })
}

/// Returns why a name is refused. The message does not repeat the name.
fn refusal(name: &SecretName) -> String {
    let SecretName { of, kind, .. } = name;
    format!(
        "the name of {of} contains a secret ({kind}), and names on the tape are not redacted: choose \
         another name"
    )
}

/// Returns the warning that secrets of these kinds were redacted.
pub(crate) fn redacted(kinds: BTreeSet<&'static str>) -> Warning {
    Warning::Redacted { kinds: kinds.into_iter().map(str::to_owned).collect() }
}

/// Refuses a text that reads like an instruction to a model, unless the owner wrote it.
pub(crate) fn admit(text: &str, audience: &Audience, origin: Origin) -> Result<()> {
    if audience.is_owner() && origin == Origin::User {
        return Ok(());
    }
    match injection::is_suspicious(text) {
        None => Ok(()),
        Some(rule) => Err(Error::Refused(format!(
            "this text reads like an instruction to a model ({rule}) and would be part of its prompts: \
             reword it, or let the owner write it"
        ))),
    }
}

/// Refuses a path that reads like an instruction to a model, unless the owner wrote it: a prompt can show the
/// path of a file without its text.
pub(crate) fn admit_path(path: &str, audience: &Audience, origin: Origin) -> Result<()> {
    admit(&path.replace(['-', '_', '/', '.'], " "), audience, origin)
}
