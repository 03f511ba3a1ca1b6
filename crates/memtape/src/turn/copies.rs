//! Finds what still says a statement after it was forgotten.

use memtape_core::recall::question::covered;
use memtape_core::recall::tokenize::query_terms;
use memtape_core::{Audience, Form, Memory};

use crate::config::Backend;
use crate::conversation::Conversation;
use crate::error::Result;
use crate::recall::{Hit, Recall};
use crate::workspace::At;

/// Maximum number of forgotten statements that are looked up: each is a search.
const STATEMENTS_MAX: usize = 20;
/// Maximum number of memories that are looked at for each statement.
const LOOKED_AT: usize = 20;

impl Conversation<'_> {
    /// Returns the memories of other forms with a line that has all terms of a forgotten statement. An agent may have written
    /// "User lives in Porto" when the user said "I live in Porto".
    pub(super) fn copies_of(&self, forgotten: &[Memory], audience: &Audience) -> Result<Vec<Hit>> {
        let mut copies: Vec<Hit> = Vec::new();
        for Memory { text, .. } in forgotten.iter().take(STATEMENTS_MAX) {
            let terms = query_terms(text);
            let recall = Recall {
                audience: audience.clone(),
                session: Some(self.session.clone()),
                forms: Form::all()
                    .filter(|form| ![Form::MESSAGES, Form::STATEMENTS].contains(form))
                    .collect(),
                limit: Some(LOOKED_AT),
                backend: Some(Backend::SqliteFts),
                ..Recall::new(text)
            };
            let mut hits = self.workspace.recall(&recall, &At::head())?.hits;
            hits.retain(|hit| {
                hit.memory.text.lines().any(|line| covered(&terms, line) >= 1.0)
                    && copies.iter().all(|copy| copy.memory.id != hit.memory.id)
            });
            copies.append(&mut hits);
        }
        Ok(copies)
    }
}
