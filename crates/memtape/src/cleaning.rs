//! Prepares texts before they are written: redacts secrets and enforces the maximum length of a message.

use std::borrow::Cow;
use std::collections::BTreeSet;

use memtape_core::forms::messages::Message;
use memtape_core::safety::secrets;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::safety::redacted;
use crate::workspace::Workspace;

impl Workspace {
    /// Returns a text with its secrets redacted, and records a warning if there were any.
    pub(crate) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let clean = secrets::redact(text);
        if let Cow::Owned(_) = clean {
            let kinds = secrets::find(text).into_iter().map(|found| found.kind).collect();
            self.store.note(redacted(kinds));
        }
        clean
    }

    /// Returns a value with its secrets redacted, including one that only the text before it makes a secret, such as the
    /// name of the value. `None` if a secret begins before the value.
    pub(crate) fn clean_after(&self, before: &str, value: &str) -> Option<String> {
        let value = self.clean(value);
        self.clean(&format!("{before}{value}")).strip_prefix(before).map(str::to_owned)
    }

    /// Refuses a text that is longer than a message may be.
    pub(crate) fn check_length(&self, what: &str, text: &str) -> Result<()> {
        let (len, max) = (text.len(), self.config.max_message_bytes);
        if len <= max {
            return Ok(());
        }
        Err(Error::Refused(format!(
            "{what} has {len} bytes, and the limit is {max} (ingest.max_message_bytes): put long text \
             in a file and refer to it"
        )))
    }

    /// Returns the output of a tool or a model, cut to the maximum length of a message (`ingest.max_message_bytes`). A
    /// text that is cut ends with a note of how much was left out.
    #[must_use]
    pub fn cut_to_length<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let max = self.config.max_message_bytes;
        if text.len() <= max {
            return text.into();
        }
        let note = |left: usize| format!("\n… {left} more bytes not recorded (ingest.max_message_bytes)");
        let cut = &text[..text.floor_char_boundary(max.saturating_sub(note(text.len()).len()))];
        format!("{cut}{}", note(text.len() - cut.len())).into()
    }

    /// Returns a JSON value with its secrets redacted, and records a warning if there were any.
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

    /// Returns a message with its secrets redacted.
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
