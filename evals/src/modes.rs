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

const NOTHING: Recipe = Recipe {
    meaning: 0.0,
    session: 0.0,
    words: 0.0,
    next: 0.0,
    answer: 0.0,
    speaker: 0.0,
    day: 0.0,
    length: 0.0,
};

/// The modes that are reported for every set.
pub(crate) const MODES: [Mode; 3] = [
    Mode { name: "words", backend: Backend::SqliteFts, recipe: USED },
    Mode { name: "cosine alone", backend: Backend::Hybrid, recipe: Recipe { meaning: 1.0, ..NOTHING } },
    Mode { name: "hybrid", backend: Backend::Hybrid, recipe: USED },
];

/// The default modes, and each of them with one part disabled: shows what each part contributes.
pub(crate) const ABLATIONS: [Mode; 12] = [
    MODES[0],
    MODES[1],
    MODES[2],
    without("hybrid, without words", Backend::Hybrid, Recipe { words: 0.0, ..USED }),
    without("hybrid, without the next turn", Backend::Hybrid, Recipe { next: 0.0, ..USED }),
    without("hybrid, without the question before", Backend::Hybrid, Recipe { answer: 0.0, ..USED }),
    without("hybrid, without the conversation", Backend::Hybrid, Recipe { session: 0.0, ..USED }),
    without("hybrid, without the speaker", Backend::Hybrid, Recipe { speaker: 0.0, ..USED }),
    without("hybrid, without the day", Backend::Hybrid, Recipe { day: 0.0, ..USED }),
    without("hybrid, without the length", Backend::Hybrid, Recipe { length: 0.0, ..USED }),
    without("words, without the conversation", Backend::SqliteFts, Recipe { session: 0.0, ..USED }),
    without("words, without the length", Backend::SqliteFts, Recipe { length: 0.0, ..USED }),
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
