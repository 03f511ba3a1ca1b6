//! What is not written as it comes: secrets, and what would steer a model.
//!
//! **Invariants.** Nothing reaches the tape with a secret that is known by its shape: every command's text is cleaned
//! before it is compared with what stands there, and every entry once more before it is appended
//! ([`memtape_core::guard::guard`]). A name is never cleaned: one that holds a secret is refused. What others than the owner write, and reads like an order to a model,
//! is refused where it would stand in a prompt by itself, and quarantined where it is only found.

use std::borrow::Cow;
use std::collections::BTreeSet;

use memtape_core::forms::messages::Message;
use memtape_core::guard;
use memtape_core::safety::names::SecretName;
use memtape_core::safety::{injection, secrets};
use memtape_core::{Audience, Decision, Origin};
use memtape_store::{Notice, Reader};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::workspace::Workspace;

impl Workspace {
    /// A text without its secrets.
    pub(crate) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let clean = secrets::redact(text);
        if let Cow::Owned(_) = clean {
            let kinds = secrets::find(text).into_iter().map(|found| found.kind).collect();
            self.store.note(redacted(kinds));
        }
        clean
    }

    /// Refuses a text that is longer than a message may be.
    pub(crate) fn check_length(&self, what: &str, text: &str) -> Result<()> {
        let (len, max) = (text.len(), self.config.max_message_bytes);
        if len <= max {
            return Ok(());
        }
        Err(Error::Refused(format!(
            "{what} has {len} bytes, and at most {max} are remembered (ingest.max_message_bytes): keep a long text in a file, \
             and say where it is"
        )))
    }

    /// The beginning of what a tool gave, as far as a message may be long, with what was left out.
    pub(crate) fn cut_to_length<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let max = self.config.max_message_bytes;
        if text.len() <= max {
            return text.into();
        }
        let cut = &text[..text.floor_char_boundary(max)];
        format!("{cut}\n… {} bytes left out (ingest.max_message_bytes)", text.len() - cut.len()).into()
    }

    /// A JSON value without its secrets.
    pub(crate) fn clean_value(&self, mut value: Value) -> Value {
        let mut kinds = BTreeSet::new();
        secrets::redact_value_telling(&mut value, &mut |kind| {
            kinds.insert(kind);
        });
        if !kinds.is_empty() {
            self.store.note(redacted(kinds));
        }
        value
    }

    /// A message without its secrets.
    pub(crate) fn clean_message(&self, message: Message) -> Message {
        let clean = |text: String| match self.clean(&text) {
            Cow::Owned(clean) => clean,
            Cow::Borrowed(_) => text,
        };
        Message {
            content: clean(message.content),
            name: message.name.map(clean),
            image: message.image.map(clean),
            ..message
        }
    }
}

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

fn redacted(kinds: BTreeSet<&'static str>) -> Notice {
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
