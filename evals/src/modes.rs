//! The ways in which each question is asked.

use memtape::{Backend, Recall, Recipe};

/// A way to ask.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub(crate) name: &'static str,
    backend: Backend,
    recipe: Recipe,
}

const USED: Recipe = Recipe::MEASURED;

/// What is reported of every set.
pub(crate) const MODES: [Mode; 3] = [
    Mode { name: "words", backend: Backend::SqliteFts, recipe: USED },
    Mode {
        name: "meaning",
        backend: Backend::Hybrid,
        recipe: Recipe { words: 0.0, meaning: 1.0, next: 0.0, ..USED },
    },
    Mode { name: "hybrid", backend: Backend::Hybrid, recipe: USED },
];

impl Mode {
    /// The question, asked in this way.
    pub(crate) fn of(self, recall: Recall) -> Recall {
        Recall { backend: Some(self.backend), recipe: self.recipe, ..recall }
    }
}
