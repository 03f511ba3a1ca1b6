//! What a statement says on the tape, and the memory it is.

use jiff::Timestamp;
use jiff::civil::Date;
use memtape_tape::{Draft, Entry, Hash, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use crate::calendar;
use crate::category::Category;
use crate::created::{Created, Search};
use crate::lifetime::Lifetime;
use crate::memory::{Form, MemoryId};
use crate::meta::Meta;
use crate::payload;
use crate::scope::Scope;

/// The event that records what was captured from a conversation.
pub const CAPTURE: &str = "statement.capture";
/// The event that records what somebody told on purpose.
pub const ADD: &str = "statement.add";
/// The event that records what was told again.
pub const CONFIRM: &str = "statement.confirm";
/// The event that retires what is to be forgotten.
pub const FORGET: &str = "statement.forget";
/// The event that retires what has had its time.
pub const EXPIRE: &str = "statement.expire";

/// The event that says which older files were read to their end; it bears nothing.
pub const BACKFILL: &str = "statement.backfill";

/// How many hex digits of a hash name a statement.
const KEY_DIGITS: usize = 16;

/// Whether an event of this name is the form's.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    [CAPTURE, ADD, CONFIRM, FORGET, EXPIRE, BACKFILL].contains(&name)
}

/// How a statement came to be kept. The names are document 4's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Captured from a conversation.
    AutoHeuristic,
    /// Told on purpose.
    Manual,
    /// Read from older files.
    Import,
}

impl Source {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AutoHeuristic => "auto_heuristic",
            Self::Manual => "manual",
            Self::Import => "import",
        }
    }
}

/// A statement: the `data` of the events that bear one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// What is stated.
    pub text: String,
    /// What it is about.
    pub category: Category,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// How it came to be kept.
    pub source: Source,
    /// How long it should live.
    #[serde(default, skip_serializing_if = "Lifetime::is_permanent")]
    pub lifetime: Lifetime,
    /// When it was last said.
    pub said_at: Timestamp,
    /// When it was first said, where that is not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// When it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The day it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The message it was captured from, as a ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The place in an older file it was read from, `FILE:LINE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The rule it was captured by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl Statement {
    /// What names it: in its scope, and where it lives as long as a conversation, in that conversation.
    #[must_use]
    pub fn key(&self, scope: &Scope, session: Option<&str>) -> String {
        let mut scope = scope.label().unwrap_or_default();
        if let (Lifetime::Session, Some(session)) = (self.lifetime, session) {
            scope = format!("{scope}\n{session}");
        }
        let hashed = format!("{scope}\n{}\n{}", self.category, normalised(&self.text));
        Hash::of(hashed.as_bytes()).to_string()[..KEY_DIGITS].to_owned()
    }

    /// The event that bears it.
    pub(super) fn draft(&self, name: &str, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": name, "data": self}), meta, branch)
    }
}

/// A text as it is compared: NFKC, lower case, single spaces, without the punctuation around it.
#[must_use]
pub fn normalised(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let words = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    let trimmed = words.trim_matches(|c: char| !c.is_alphanumeric());
    // What is only signs is told apart by them.
    if trimmed.is_empty() { words } else { trimmed.to_owned() }
}

/// What the form keeps of a statement besides its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatementData {
    /// How it came to be kept.
    pub source: Source,
    /// When it was first said.
    pub since: Timestamp,
    /// The day it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The message it was captured from, as a ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The place in an older file it was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The rule it was captured by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Document 4's `content_norm`: lower case, single spaces.
    pub norm: String,
    /// Document 4's `content_hash`: the SHA-256 of that.
    pub hash: String,
}

/// The memory that an event of the form bears.
#[must_use]
pub fn creates(name: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
    if ![CAPTURE, ADD, CONFIRM].contains(&name) {
        return Vec::new();
    }
    let Some(statement) = payload::data::<Statement>(entry) else { return Vec::new() };
    if statement.text.trim().is_empty() {
        return Vec::new();
    }
    let norm = statement.text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let data = StatementData {
        source: statement.source,
        since: statement.since.unwrap_or(statement.said_at),
        date: statement.date,
        from: statement.from.clone(),
        place: statement.place.clone(),
        rule: statement.rule.clone(),
        hash: Hash::of(norm.as_bytes()).to_string(),
        norm,
    };
    vec![Created {
        key: statement.key(&meta.scope(), meta.session.as_deref()),
        category: Some(statement.category),
        lifetime: statement.lifetime,
        importance: Some(statement.importance.clamp(0.0, 1.0)),
        confidence: Some(statement.confidence.clamp(0.0, 1.0)),
        said_at: Some(statement.said_at),
        expires_at: statement.expires_at,
        data: serde_json::to_string(&data).ok(),
        search: Search {
            own: statement.text.clone(),
            after_previous: false,
            day: statement.date.map(calendar::day_words),
        },
        text: statement.text,
        ..Created::of(Form::STATEMENTS, MemoryId::new(entry.id, 0), meta)
    }]
}

/// What the statements are about that an event of the form bears or retires.
#[must_use]
pub fn category(entry: &Entry) -> Option<Category> {
    #[derive(Deserialize)]
    struct About {
        category: Category,
    }
    payload::data::<About>(entry).map(|about| about.category)
}

/// An older file that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadFile {
    /// Its path within the folder that was read.
    pub file: String,
    /// The SHA-256 of its bytes, in hex.
    pub sha256: String,
}

/// The files that an event says were read to their end; none where it is another event.
#[must_use]
pub fn read_files(entry: &Entry) -> Vec<ReadFile> {
    #[derive(Deserialize)]
    struct Files {
        files: Vec<ReadFile>,
    }
    payload::data::<Files>(entry).map(|data| data.files).unwrap_or_default()
}

/// The event that says which files were read to their end.
pub(super) fn backfilled(files: &[ReadFile], meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": BACKFILL, "data": {"files": files}}), meta, branch)
}

/// The event that retires statements of one category.
pub(super) fn retiring(name: &str, category: Category, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": name, "data": {"category": category}}), meta, branch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_without_case_space_form_or_the_punctuation_around_them() {
        for (a, b) in [
            ("I  prefer\tDark mode ", "i prefer dark mode"),
            ("I prefer dark mode.", "«I prefer dark mode!»"),
            ("ｄａｒｋ ｍｏｄｅ", "dark mode"),
            ("我喜欢茶。", "我喜欢茶"),
        ] {
            assert_eq!(normalised(a), normalised(b), "{a:?} {b:?}");
        }
        for (a, b) in [("C", "C++ or Rust"), ("I like tea", "I like tea?no"), (":-)", ":-(")] {
            assert_ne!(normalised(a), normalised(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn document_4_s_hash_is_kept_beside_the_text() {
        // The vector of the original: white space folded and lower case, SHA-256 in full.
        let norm = "i prefer dark mode";
        assert_eq!(
            Hash::of(norm.as_bytes()).to_string(),
            "869c72a7609131a1bcc4e19becd41c09521eb6bb570f9a8b9f60eda1f3321489"
        );
    }
}
