//! What the persona of a branch knows: document 1's view, at any point.

use memtape_core::change::veiled;
use memtape_core::forms::ledger::view::context;
use memtape_core::{Audience, Form};
use memtape_store::{Confidential, Question};

use crate::branches::OpenConflict;
use crate::error::Result;
use crate::ledger::{Fact, Filter, sort};
use crate::workspace::{At, Workspace, conversation_of};

/// Which part of a view is asked for.
#[derive(Clone, Debug, Default)]
pub struct ViewQuestion {
    /// By whom.
    pub audience: Audience,
    /// Which facts.
    pub filter: Filter,
    /// At most so many, the surest.
    pub limit: Option<usize>,
}

/// What the persona of a branch knows.
#[derive(Clone, Debug, PartialEq)]
pub struct FactView {
    /// The branch.
    pub branch: String,
    /// Its persona, where it has one.
    pub persona: Option<String>,
    /// The facts, the surest first.
    pub facts: Vec<Fact>,
    /// How many more there are.
    pub left: usize,
    /// The conflicts that are open about facts: ours stands, theirs waits.
    pub conflicts: Vec<OpenConflict>,
    /// Document 1's context string: of these facts those that a prompt may hold by itself, within its characters.
    pub text: String,
}

impl Workspace {
    /// What the persona of the branch knows at a point, as far as an audience sees it; nothing confidential.
    ///
    /// # Errors
    /// What the medium says.
    pub fn view(&self, question: &ViewQuestion, at: &At) -> Result<FactView> {
        let budget = self.config.ledger.max_context_chars;
        let view = self.read(at, &conversation_of(&question.audience), |reader, point| {
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
            let branch = reader.branches()?.into_iter().find(|branch| branch.name == point.branch());
            let persona = branch.and_then(|branch| branch.persona);
            let text = context(&facts, point.branch(), persona.as_deref(), budget);
            let branch = point.branch().to_owned();
            Ok(FactView { branch, persona, facts, left, conflicts: Vec::new(), text })
        })?;
        let is_meant = |conflict: &OpenConflict| {
            let is_filtered = question.filter != Filter::default() || question.limit.is_some();
            let is_shown = |fact: &Fact| fact.memory.key == conflict.reference.key;
            conflict.reference.form == Form::LEDGER && (!is_filtered || view.facts.iter().any(is_shown))
        };
        let open = self.open_conflicts(&question.audience, at)?.into_values().flatten();
        let veil = |mut conflict: OpenConflict| {
            for side in [&mut conflict.ours, &mut conflict.theirs, &mut conflict.base] {
                *side = side.take().map(veiled);
            }
            conflict
        };
        let conflicts = open.filter(is_meant).map(veil).collect();
        Ok(FactView { conflicts, ..view })
    }
}
