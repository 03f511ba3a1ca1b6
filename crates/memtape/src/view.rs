//! The ledger facts that the persona of a branch knows: document 1's view, at any point.

use memtape_core::change::without_confidential_text;
use memtape_core::forms::ledger::view::context;
use memtape_core::{Audience, Form};
use memtape_index::{Confidential, Question};

use crate::branches::OpenConflict;
use crate::error::Result;
use crate::ledger::{Fact, Filter, sort};
use crate::workspace::{At, Workspace, conversation_of};

/// A question about a view.
#[derive(Clone, Debug, Default)]
pub struct ViewQuestion {
    /// The audience that asks.
    pub audience: Audience,
    /// The facts to include.
    pub filter: Filter,
    /// Maximum number of facts; those with the highest confidence are kept.
    pub limit: Option<usize>,
}

/// The ledger facts that the persona of a branch knows.
#[derive(Clone, Debug, PartialEq)]
pub struct FactView {
    /// The branch.
    pub branch: String,
    /// The description of its persona, if it has one.
    pub persona: Option<String>,
    /// The facts, highest confidence first.
    pub facts: Vec<Fact>,
    /// Number of facts that are not included.
    pub left: usize,
    /// The open conflicts about facts. Ours is current, theirs is pending.
    pub conflicts: Vec<OpenConflict>,
    /// Document 1's context string: those of the facts that a prompt may show unasked, within the configured
    /// length.
    pub text: String,
}

impl Workspace {
    /// Returns the facts that the persona of the branch knows at a point, as far as an audience sees them.
    ///
    /// Confidential facts are left out.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn view(&self, question: &ViewQuestion, at: &At) -> Result<FactView> {
        let budget = self.config.ledger.max_context_chars;
        let view =
            self.read(at, &question.audience, &conversation_of(&question.audience), |reader, point| {
                let asked = Question {
                    audience: question.audience.clone(),
                    confidential: Confidential::Hidden,
                    form: Some(Form::LEDGER),
                    ..Question::default()
                };
                let facts = reader.memories(&asked, point)?.into_iter().filter_map(Fact::read);
                let mut facts: Vec<_> = facts.filter(|fact| question.filter.means(fact)).collect();
                sort(&mut facts);
                let left = facts.len() - question.limit.map_or(facts.len(), |limit| limit.min(facts.len()));
                facts.truncate(facts.len() - left);
                let persona = reader.branch(point.branch())?.and_then(|branch| branch.persona.clone());
                let text = context(&facts, point.branch(), persona.as_deref(), budget);
                let branch = point.branch().to_owned();
                Ok(FactView { branch, persona, facts, left, conflicts: Vec::new(), text })
            })?;
        let is_match = |conflict: &OpenConflict| {
            let is_filtered = question.filter != Filter::default() || question.limit.is_some();
            let is_shown = |fact: &Fact| fact.memory.key == conflict.reference.key;
            conflict.reference.form == Form::LEDGER && (!is_filtered || view.facts.iter().any(is_shown))
        };
        let open = self.open_conflicts(&question.audience, at)?.into_values().flatten();
        let veil = |mut conflict: OpenConflict| {
            for side in [&mut conflict.ours, &mut conflict.theirs, &mut conflict.base] {
                *side = side.take().map(without_confidential_text);
            }
            conflict
        };
        let conflicts = open.filter(is_match).map(veil).collect();
        Ok(FactView { conflicts, ..view })
    }
}
