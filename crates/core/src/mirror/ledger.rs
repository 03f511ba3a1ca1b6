//! `MEMORY.md`: the ledger facts of the branch for new conversations (document 1's summary for people).
//!
//! Facts are grouped by topic, the most certain first. Confidential facts are left out.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{cut, one_line};
use crate::audience::Sensitivity;
use crate::forms::ledger::FactData;
use crate::forms::ledger::entry::{folded, topic};
use crate::lifetime::Lifetime;
use crate::memory::{Memory, Origin, Ref};

/// The file, in the directory of mirrors.
pub const FILE: &str = "MEMORY.md";
/// The maximum number of facts it shows.
pub const FACTS_MAX: usize = 200;
/// The maximum number of further facts it counts.
pub const COUNTED_MAX: usize = 1000;

/// The maximum number of conflicts it shows.
const CONFLICTS_MAX: usize = 20;
/// The confidence from which a fact counts as certain (document 1).
const SURE: f64 = 0.8;

/// The content of the file.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// The branch.
    pub branch: &'a str,
    /// A description of whose memory it is.
    pub persona: Option<&'a str>,
    /// The facts, the most certain first.
    pub facts: &'a [Memory],
    /// The number of further facts; [`COUNTED_MAX`] means that many or more.
    pub more: usize,
    /// The open conflicts about facts.
    pub conflicts: &'a [Conflict],
}

/// A fact that both sides changed, by the texts of both; `None` is a side that removed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The ref of the fact.
    pub reference: Ref,
    /// The current text.
    pub ours: Option<String>,
    /// The current text on the other branch.
    pub theirs: Option<String>,
}

impl Summary<'_> {
    /// Renders the file; `None` if there is nothing to show.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let mut sections: BTreeMap<(Part, String), (String, String)> = BTreeMap::new();
        for memory in self.facts.iter().filter(|memory| memory.sensitivity != Sensitivity::Confidential) {
            let Some(data) = memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok()) else {
                continue;
            };
            let (place, heading) = place(memory, &data);
            let (_, lines) = sections.entry(place).or_insert_with(|| (heading, String::new()));
            lines.push_str(&line(memory));
        }
        if sections.is_empty() && self.conflicts.is_empty() {
            return None;
        }
        let persona = self.persona.map(one_line).filter(|persona| !persona.is_empty());
        let persona = persona.map_or(String::new(), |persona| format!(" (persona: {persona})"));
        let mut text = format!("# Memory [{}]{persona}\n", one_line(self.branch));
        for (heading, lines) in sections.into_values() {
            text.push_str(&format!("\n## {heading}\n\n{lines}"));
        }
        match self.more {
            0 => {}
            COUNTED_MAX.. => {
                text.push_str(&format!("\n{COUNTED_MAX} or more other facts: `memtape fact list --all`\n"));
            }
            more => text.push_str(&format!("\n{more} more: `memtape fact list --all`\n")),
        }
        if !self.conflicts.is_empty() {
            text.push_str("\n## Conflicts\n\n");
        }
        for Conflict { reference, ours, theirs } in self.conflicts.iter().take(CONFLICTS_MAX) {
            let [ours, theirs] = [ours, theirs].map(|side| side.as_deref().map_or("(gone)".into(), cut));
            text.push_str(&format!("- {reference}: {ours} | {theirs}\n"));
        }
        match self.conflicts.len().saturating_sub(CONFLICTS_MAX) {
            0 => {}
            more => text.push_str(&format!("\n{more} more: `memtape conflicts`\n")),
        }
        Some(text)
    }
}

/// The part of the file for a fact: permanent facts by topic, then temporary ones, then those of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Topics,
    Temporary,
    Sessions,
}

/// Returns the sort key and the heading of a fact's section.
fn place(memory: &Memory, data: &FactData) -> ((Part, String), String) {
    match memory.lifetime {
        Lifetime::Session => {
            let session = memory.session.as_deref().unwrap_or_default();
            ((Part::Sessions, session.to_owned()), format!("Session {}", one_line(session)))
        }
        Lifetime::Temporary => ((Part::Temporary, String::new()), "Temporary".to_owned()),
        Lifetime::Permanent => match topic(data.scope.as_deref()) {
            // Two spellings of a topic are the same topic.
            Some(topic) => ((Part::Topics, folded(topic)), one_line(topic)),
            None => ((Part::Topics, String::new()), "General".to_owned()),
        },
    }
}

/// Renders a fact as `- ✓ user prefers dark mode (90%)`, with its expiry, scope and other marks.
fn line(memory: &Memory) -> String {
    let confidence = memory.confidence.unwrap_or_default();
    let mark = if confidence >= SURE { '✓' } else { '?' };
    let mut line = format!("- {mark} {} ({:.0}%)", cut(&memory.text), confidence * 100.0);
    if let Some(end) = memory.expires_at {
        line.push_str(&format!(", until {}", until(end)));
    }
    if memory.scope.starts_with("channel:") {
        line.push_str(&format!(", of {}", one_line(&memory.scope)));
    }
    if memory.origin.is_some_and(Origin::is_foreign) {
        line.push_str(", from a tool");
    }
    if memory.quarantined.is_some() {
        line.push_str(", quarantined");
    }
    line + "\n"
}

fn until(end: Timestamp) -> impl std::fmt::Display {
    end.strftime("%Y-%m-%d %H:%M UTC")
}
