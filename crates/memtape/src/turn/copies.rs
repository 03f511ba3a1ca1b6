//! Finds what still says a statement after it was forgotten.

use memtape_core::recall::tokenize::query_terms;
use memtape_core::{Audience, Form, Memory};

use crate::config::Backend;
use crate::conversation::Conversation;
use crate::error::Result;
use crate::progress::{SUMMARY, summary_of};
use crate::recall::{Hit, Recall};
use crate::workspace::At;

/// Maximum number of forgotten statements that are looked up: each is a search.
const STATEMENTS_MAX: usize = 20;
/// Maximum number of memories that are looked at for each statement.
const LOOKED_AT: usize = 20;
/// Words for the speaker in what an agent writes.
const SPEAKERS: &[&str] = &["user", "owner", "speaker"];
/// Maximum number of other terms of a line that says a statement of several terms.
const OTHERS_MAX: usize = 2;
/// The same for a sentence of a summary, which is about more than one matter.
const OTHERS_IN_SUMMARY_MAX: usize = 8;

impl Conversation<'_> {
    /// Returns the memories of other forms with a line that seems to say a forgotten statement, and the summaries of
    /// conversations with such a sentence. An agent may have written "User lives in Porto" when the user said "I live in Porto".
    pub(super) fn copies_of(&self, forgotten: &[Memory], audience: &Audience) -> Result<Vec<Hit>> {
        let mut copies: Vec<Hit> = Vec::new();
        for Memory { text, .. } in forgotten.iter().take(STATEMENTS_MAX) {
            let terms = query_terms(text);
            let find = |query: &str, forms: Vec<Form>| {
                let recall = Recall {
                    audience: audience.clone(),
                    session: Some(self.session.clone()),
                    forms,
                    limit: Some(LOOKED_AT),
                    backend: Some(Backend::SqliteFts),
                    ..Recall::new(query)
                };
                self.workspace.recall(&recall, &At::head()).map(|recalled| recalled.hits)
            };
            let others = Form::all().filter(|form| ![Form::MESSAGES, Form::STATEMENTS].contains(form));
            let mut hits = find(text, others.collect())?;
            hits.retain(|hit| hit.memory.text.lines().any(|line| says(line, &terms, OTHERS_MAX)));
            // Its first words find a summary among messages that say as much in fewer words.
            let messages = find(&format!("{SUMMARY}{text}"), vec![Form::MESSAGES])?.into_iter();
            hits.extend(messages.filter(|hit| sums_up(&hit.memory, &terms)));
            hits.retain(|hit| copies.iter().all(|copy| copy.memory.id != hit.memory.id));
            copies.append(&mut hits);
        }
        Ok(copies)
    }
}

/// Returns whether a message is the summary of a handoff with a sentence that says a statement.
fn sums_up(message: &Memory, statement: &[String]) -> bool {
    summary_of(message).is_some_and(|summary| is_said_in(summary, statement))
}

/// Returns whether a sentence of a summary says a statement.
fn is_said_in(summary: &str, statement: &[String]) -> bool {
    let mut sentences = summary.split(['.', '!', '?', ';', '\n', '。', '！', '？']);
    sentences.any(|sentence| says(sentence, statement, OTHERS_IN_SUMMARY_MAX))
}

/// Returns whether a line has all terms of a statement, and few others: "Smoke detectors are tested on Friday" does not say
/// "I smoke". The summary of a note follows its text.
fn says(line: &str, statement: &[String], others_max: usize) -> bool {
    let line = line.trim_start();
    let terms = query_terms(line);
    let others = terms.iter().filter(|term| !statement.contains(term) && !SPEAKERS.contains(&term.as_str()));
    let others_max = if statement.len() > 1 { others_max } else { 0 };
    !line.starts_with('>')
        && !statement.is_empty()
        && statement.iter().all(|term| terms.contains(term))
        && others.count() <= others_max
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_a_statement_with_few_other_words() {
        for (line, statement, expected) in [
            ("User lives in Porto.", "I live in Porto", true),
            ("- Lives in Porto, near the river", "I live in Porto", true),
            ("People who live in Porto drink port wine.", "I live in Porto", false),
            ("> Summary: lives in Porto", "I live in Porto", false),
            ("User smokes.", "I smoke", true),
            ("Smoke detectors are tested on Friday", "I smoke", false),
            ("Bob is vegan", "I'm vegan", false),
            ("", "", false),
        ] {
            assert_eq!(says(line, &query_terms(statement), OTHERS_MAX), expected, "{line}");
        }
    }

    #[test]
    fn a_summary_says_a_statement_in_one_sentence() {
        for (summary, statement, expected) in [
            ("The user works at Acme, likes tea and plans a garden.", "I work at Acme", true),
            ("A party is planned. The user lives in Porto now.", "I live in Porto", true),
            ("The user works from home. Acme delivers the chairs.", "I work at Acme", false),
            ("Smoke detectors are tested on Friday.", "I smoke", false),
            ("The user smokes.", "I smoke", true),
        ] {
            assert_eq!(is_said_in(summary, &query_terms(statement)), expected, "{summary}");
        }
    }
}
