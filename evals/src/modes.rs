//! The modes in which each question is asked.

use memtape::{Backend, Recall, Recipe};

/// A search backend with the weights of its ranking.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub(crate) name: &'static str,
    backend: Backend,
    recipe: Recipe,
}

const USED: Recipe = Recipe::MEASURED;

/// The modes that are reported for every set.
pub(crate) const MODES: [Mode; 3] = [
    Mode { name: "words", backend: Backend::SqliteFts, recipe: USED },
    Mode {
        name: "meaning",
        backend: Backend::Hybrid,
        recipe: Recipe { words: 0.0, meaning: 1.0, next: 0.0, ..USED },
    },
    Mode { name: "hybrid", backend: Backend::Hybrid, recipe: USED },
];

/// The default modes, and each of them with one part disabled: shows what each part contributes.
pub(crate) const ABLATIONS: [Mode; 12] = [
    without("words, without the next turn", Backend::SqliteFts, Recipe { next: 0.0, ..USED }),
    without("words, without the conversation", Backend::SqliteFts, Recipe { session: 0.0, ..USED }),
    without("words, without the speaker", Backend::SqliteFts, Recipe { speaker: 0.0, ..USED }),
    MODES[0],
    MODES[1],
    without("hybrid, without the neighbours", Backend::Hybrid, Recipe { around: 0.0, ..USED }),
    without("hybrid, without the next turn", Backend::Hybrid, Recipe { next: 0.0, ..USED }),
    without("hybrid, without the conversation", Backend::Hybrid, Recipe { session: 0.0, ..USED }),
    without("hybrid, without the speaker", Backend::Hybrid, Recipe { speaker: 0.0, ..USED }),
    without("hybrid, without what words cover", Backend::Hybrid, Recipe { covering: false, ..USED }),
    without("hybrid, words not cubed", Backend::Hybrid, Recipe { power: 1, ..USED }),
    MODES[2],
];

const fn without(name: &'static str, backend: Backend, recipe: Recipe) -> Mode {
    Mode { name, backend, recipe }
}

impl Mode {
    /// Returns the question as asked in this mode.
    pub(crate) fn of(self, recall: Recall) -> Recall {
        Recall { backend: Some(self.backend), recipe: self.recipe, ..recall }
    }
}
