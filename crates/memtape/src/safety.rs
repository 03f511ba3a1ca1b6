//! Keeps secrets, and texts that read like instructions to a model, off the tape.
//!
//! **Invariants.** No secret with a known shape reaches the tape: the text of every command is redacted
//! before it is compared with existing memories, and every entry once more before it is appended
//! ([`memtape_core::guard::guard`]). Names are never redacted: a name that contains a secret is refused. A
//! text that does not come from the owner and reads like an instruction to a model is refused if a prompt
//! would show it unasked, and quarantined if it is only found by recall.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::thread;

use memtape_core::guard;
use memtape_core::safety::injection;
use memtape_core::safety::names::SecretName;
use memtape_core::{Audience, Decision, Origin};
use memtape_store::{Store, Warning};
use memtape_tape::Draft;

use crate::error::Result;

/// Number of entries from which a group is guarded on several processors.
const SHARED_OUT: usize = 64;
/// Maximum number of threads that guard a group.
const THREADS_MAX: usize = 8;

/// Returns the entries of a command with the remaining secrets redacted, and records a warning if there were
/// any.
pub(crate) fn guard<T>(decision: Decision<T>, store: &Store) -> memtape_index::Result<Decision<T>> {
    let mut kinds = BTreeSet::new();
    let mut drafts = Vec::with_capacity(decision.drafts.len());
    for guarded in guard_all(decision.drafts)? {
        let (draft, found) = guarded;
        kinds.extend(found);
        drafts.push(draft);
    }
    if !kinds.is_empty() {
        store.note(redacted(kinds));
    }
    Ok(Decision { drafts, outcome: decision.outcome })
}

/// An entry as it may be written, and the kinds of its secrets.
type Guarded = (Draft, BTreeSet<&'static str>);

/// Guards entries, on several processors if there are many: looking for secrets is most of the work of a large group.
fn guard_all(drafts: Vec<Draft>) -> memtape_core::Result<Vec<Guarded>> {
    if drafts.len() < SHARED_OUT {
        return drafts.into_iter().map(guard_one).collect();
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(THREADS_MAX);
    let share = drafts.len().div_ceil(threads);
    let mut rest = drafts.into_iter();
    let parts = std::iter::from_fn(|| {
        Some(rest.by_ref().take(share).collect()).filter(|part: &Vec<_>| !part.is_empty())
    });
    thread::scope(|scope| {
        let guard_part =
            |part: Vec<Draft>| part.into_iter().map(guard_one).collect::<memtape_core::Result<Vec<_>>>();
        let running: Vec<_> = parts.map(|part| scope.spawn(move || guard_part(part))).collect();
        let mut guarded = Vec::new();
        for part in running {
            guarded.extend(part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(guarded)
    })
}

fn guard_one(draft: Draft) -> memtape_core::Result<Guarded> {
    match guard::secrets_in_new_names(&draft).first() {
        Some(name) => Err(memtape_core::Error::Invalid(refusal(name))),
        None => Ok(guard::guard(draft)?),
    }
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
    Ok(admitted("text", text, injection::is_suspicious, audience, origin)?)
}

/// Refuses a new name or path that reads like an instruction to a model, unless the owner wrote it: a prompt can show the
/// name without its text.
pub(crate) fn admit_name(name: &str, audience: &Audience, origin: Origin) -> memtape_core::Result<()> {
    admitted("name", name, injection::is_suspicious_name, audience, origin)
}

fn admitted(
    what: &str,
    text: &str,
    rule_of: impl FnOnce(&str) -> Option<&'static str>,
    audience: &Audience,
    origin: Origin,
) -> memtape_core::Result<()> {
    if audience.is_owner() && origin == Origin::User {
        return Ok(());
    }
    match rule_of(text) {
        None => Ok(()),
        Some(rule) => Err(memtape_core::Error::Refused(format!(
            "this {what} reads like an instruction to a model ({rule}) and would be part of its prompts: \
             reword it, or let the owner write it"
        ))),
    }
}
