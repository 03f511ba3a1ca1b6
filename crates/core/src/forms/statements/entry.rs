//! Entries of statements, and the memories they create.

use jiff::Timestamp;
use jiff::civil::Date;
use memtape_tape::{Draft, Entry, Hash, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use crate::audience::Sensitivity;
use crate::calendar;
use crate::category::Category;
use crate::created::{Created, Search};
use crate::lifetime::Lifetime;
use crate::memory::{Form, MemoryId};
use crate::meta::Meta;
use crate::payload;
use crate::same;
use crate::scope::Scope;

/// Name of the event that records a statement captured from a conversation.
pub const CAPTURE: &str = "statement.capture";
/// Name of the event that records an explicit statement.
pub const ADD: &str = "statement.add";
/// Name of the event that records a repeated statement.
pub const CONFIRM: &str = "statement.confirm";
/// Name of the event that removes statements on request.
pub const FORGET: &str = "statement.forget";
/// The rule of a statement that remained when a part of another one was forgotten.
pub const REST: &str = "rest";
/// The rule of a statement that a later message corrected.
pub const CORRECTED: &str = "corrected";
/// Name of the event that removes statements that expired or duplicate a current memory.
pub const EXPIRE: &str = "statement.expire";

/// Name of the event that lists older files that were imported completely. It creates no memory.
pub const BACKFILL: &str = "statement.backfill";

/// The importance of a statement that is added on purpose (document 4's `--importance`).
pub const ADDED_IMPORTANCE: f64 = 0.8;
/// The confidence of a statement that is added on purpose (document 4's `--confidence`).
pub const ADDED_CONFIDENCE: f64 = 1.0;

/// Number of hexadecimal digits of the hash that is the key of a statement.
const KEY_DIGITS: usize = 16;

/// Returns whether an event of this name belongs to the form.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    [CAPTURE, ADD, CONFIRM, FORGET, EXPIRE, BACKFILL].contains(&name)
}

/// The way in which a statement was recorded, with the names of document 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// It was captured from a conversation.
    AutoHeuristic,
    /// It was added explicitly.
    Manual,
    /// It was imported from older files.
    Import,
}

impl Source {
    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AutoHeuristic => "auto_heuristic",
            Self::Manual => "manual",
            Self::Import => "import",
        }
    }
}

/// A statement: the `data` of the events that create one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// The text of the statement.
    pub text: String,
    /// Its category.
    pub category: Category,
    /// The importance, from 0 to 1.
    pub importance: f64,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The way in which it was recorded.
    pub source: Source,
    /// Its lifetime.
    #[serde(default, skip_serializing_if = "Lifetime::is_permanent")]
    pub lifetime: Lifetime,
    /// When it was last said.
    pub said_at: Timestamp,
    /// When it was first said, if that differs from `said_at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// When it expires; `None` if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The day that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The ref of the message that it was captured from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The position in the older file that it was imported from, `FILE:LINE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The capture rule that matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Whether the key is computed from [`same::said`] instead of the older normalization, which drops signs. Set only where
    /// the two differ.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub signs: bool,
}

impl Statement {
    /// Returns a permanent statement as a person adds it, with the default importance and confidence.
    #[must_use]
    pub fn new(text: impl Into<String>, category: Category, said_at: Timestamp) -> Self {
        Self {
            text: text.into(),
            category,
            importance: ADDED_IMPORTANCE,
            confidence: ADDED_CONFIDENCE,
            source: Source::Manual,
            lifetime: Lifetime::Permanent,
            said_at,
            since: None,
            expires_at: None,
            date: None,
            from: None,
            place: None,
            rule: None,
            signs: false,
        }
    }

    /// Returns it with a key that tells signs apart: `C++` and `C#` are two statements.
    #[must_use]
    pub(super) fn with_signs(self) -> Self {
        Self { signs: same::said(&self.text) != normalised(&self.text), ..self }
    }

    /// Returns its key, a hash of its scope, category and normalized text, and of whether it is confidential.
    ///
    /// The key of a statement with the lifetime of a session also depends on the conversation.
    #[must_use]
    pub fn key(&self, scope: &Scope, session: Option<&str>, sensitivity: Sensitivity) -> String {
        let mut scope = scope.label().unwrap_or_default();
        if let (Lifetime::Session, Some(session)) = (self.lifetime, session) {
            scope = format!("{scope}\n{session}");
        }
        let text = if self.signs { same::said(&self.text) } else { normalised(&self.text) };
        let mut hashed = format!("{scope}\n{}\n{text}", self.category);
        if sensitivity == Sensitivity::Confidential {
            hashed = format!("{hashed}\n{sensitivity}");
        }
        Hash::of(hashed.as_bytes()).to_string()[..KEY_DIGITS].to_owned()
    }

    /// Returns the event that creates it.
    pub(super) fn draft(&self, name: &str, meta: &Meta, branch: &str) -> Result<Draft> {
        Draft::new(Kind::Event, &json!({"name": name, "data": self}), meta, branch)
    }
}

/// Normalizes a text for the key of a statement without `signs`: NFKC, lower case, single spaces, no surrounding
/// punctuation or symbols. [`same::said`] tells which texts say the same.
fn normalised(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let words = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    let trimmed = words.trim_matches(|c: char| !c.is_alphanumeric());
    // A text of punctuation only is compared by its punctuation.
    if trimmed.is_empty() { words } else { trimmed.to_owned() }
}

/// The data of a statement besides its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatementData {
    /// The way in which it was recorded.
    pub source: Source,
    /// When it was first said.
    pub since: Timestamp,
    /// The day that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The ref of the message that it was captured from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The position in the older file that it was imported from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The capture rule that matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Whether the key tells signs apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub signs: bool,
    /// `content_norm` of document 4: lower case, single spaces.
    pub norm: String,
    /// `content_hash` of document 4: the SHA-256 of `norm`.
    pub hash: String,
}

/// Returns the memory that an event of the form creates, if any.
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
        signs: statement.signs,
        hash: Hash::of(norm.as_bytes()).to_string(),
        norm,
    };
    vec![Created {
        key: statement.key(&meta.scope(), meta.session.as_deref(), meta.sensitivity),
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

/// Returns the category of the statements that an event of the form creates or removes.
#[must_use]
pub fn category(entry: &Entry) -> Option<Category> {
    #[derive(Deserialize)]
    struct About {
        category: Category,
    }
    payload::data::<About>(entry).map(|about| about.category)
}

/// An older file that was imported completely.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadFile {
    /// Its path below the imported folder.
    pub file: String,
    /// The SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
}

/// Returns the imported files that an event lists; empty for events of other types.
#[must_use]
pub fn read_files(entry: &Entry) -> Vec<ReadFile> {
    #[derive(Deserialize)]
    struct Files {
        files: Vec<ReadFile>,
    }
    payload::data::<Files>(entry).map(|data| data.files).unwrap_or_default()
}

/// Returns the event that lists files that were imported completely.
pub(super) fn backfilled(files: &[ReadFile], meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": BACKFILL, "data": {"files": files}}), meta, branch)
}

/// Returns the event that removes statements of one category.
pub(super) fn retiring(name: &str, category: Category, meta: &Meta, branch: &str) -> Result<Draft> {
    Draft::new(Kind::Event, &json!({"name": name, "data": {"category": category}}), meta, branch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_signs_apart_where_there_are_some_and_an_older_one_stays() {
        let key = |statement: &Statement| statement.key(&Scope::Global, None, Sensitivity::Normal);
        let older = |text: &str| Statement::new(text, Category::Fact, Timestamp::UNIX_EPOCH);
        let new = |text: &str| older(text).with_signs();
        for text in ["I prefer dark mode.", "- I prefer «dark mode»!", "我喜欢茶。", ":-)", "?"] {
            assert_eq!(new(text), older(text), "{text}");
        }
        assert_eq!(key(&older("I program in C++")), key(&older("I program in C#")));
        assert_ne!(key(&new("I program in C++")), key(&new("I program in C#")));
        assert_eq!(key(&new("I program in C++.")), key(&new("i program in c++")));
    }

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
        // The test vector of the original implementation: lower case, single spaces, SHA-256.
        let norm = "i prefer dark mode";
        assert_eq!(
            Hash::of(norm.as_bytes()).to_string(),
            "869c72a7609131a1bcc4e19becd41c09521eb6bb570f9a8b9f60eda1f3321489"
        );
    }
}
