//! A brief: what an agent should know at the start of a session, before the first message.
//!
//! It is the system part of a prompt, the index of notes, and the most important statements. It depends only on
//! the point that it is read at, so an agent that reads it at the start of its conversation gets the same text
//! each time, and a provider's prompt cache keeps it.

use memtape_core::prompt::{Recalled, recalled::lines};
use memtape_core::{Audience, Category, Form, Memory};

use super::{Assembling, Prompting};
use crate::conversation::Conversation;
use crate::error::{Error, Result};
use crate::inbound::Inbound;
use crate::toolbox::Toolset;
use crate::workspace::{At, Workspace};

/// Default size of a brief, in tokens.
pub const TOKENS: usize = 2000;

/// The options of a brief.
#[derive(Clone, Debug)]
pub struct Briefed<'a> {
    /// The audience that it shows nothing hidden from.
    pub audience: &'a Audience,
    /// Whether the agent speaks with the owner.
    pub is_with_owner: bool,
    /// The toolsets whose tools it may name.
    pub toolsets: &'a [Toolset],
    /// Whether it may name only tools that read.
    pub is_read_only: bool,
    /// Maximum size, in tokens.
    pub budget: usize,
}

impl Conversation<'_> {
    /// Returns what an agent should know when the conversation begins. Nothing is written.
    ///
    /// # Errors
    /// - [`Error::Refused`] if the budget is too small; the message names the smallest one that works.
    /// - [`Error::Invalid`] if the configured tokenizer cannot be read.
    /// - [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn brief(&self, briefed: &Briefed<'_>, at: &At<'_>) -> Result<String> {
        let Briefed { audience, is_with_owner, toolsets, is_read_only, budget } = *briefed;
        let inbound = Inbound::default();
        let asking = Prompting { budget: Some(budget), toolsets: toolsets.to_vec(), is_read_only };
        let assembling = Assembling {
            inbound: &inbound,
            asking: &asking,
            audience,
            own: &[],
            said_at: None,
            brief: Some(is_with_owner),
            recorded: None,
        };
        let (prompt, _) = self.workspace.with_snapshot(&self.session, audience, at, |snapshot| {
            self.assemble(&assembling, &snapshot.at())
        })?;
        let mut prompt = prompt.map_err(|too_small| Error::Refused(too_small.to_string()))?;
        // The last message is the trigger, and a brief has none.
        prompt.messages.pop();
        let texts = prompt.messages.iter().map(|message| message.content.trim_end());
        let parts: Vec<_> = [prompt.system.trim_end()].into_iter().chain(texts).collect();
        Ok(parts.join("\n\n") + "\n")
    }
}

/// Returns the lines of the most important statements that a brief shows.
pub(crate) fn statements(workspace: &Workspace, audience: &Audience, at: &At<'_>) -> Result<Vec<String>> {
    let mut memories = workspace.memories(Form::STATEMENTS, audience, at)?;
    memories.retain(|memory| memory.may_be_prompted() && memory.category != Some(Category::Episodic));
    let importance = |memory: &Memory| memory.importance.unwrap_or_default();
    // Equal importance: the newest first.
    memories.sort_by(|a, b| importance(b).total_cmp(&importance(a)).then(b.id.cmp(&a.id)));
    let references: Vec<_> = memories.iter().map(Memory::version).collect();
    let whats: Vec<_> =
        memories.iter().map(|memory| memory.category.map_or("statement", Category::as_str)).collect();
    let shown: Vec<_> = memories
        .iter()
        .zip(&whats)
        .zip(&references)
        .map(|((memory, what), reference)| Recalled {
            what,
            said_at: memory.said_at.unwrap_or(memory.created_at),
            reference,
            text: &memory.text,
        })
        .collect();
    Ok(lines(&shown, workspace.time_zone(), workspace.config.recall.max_prompt_chars))
}
